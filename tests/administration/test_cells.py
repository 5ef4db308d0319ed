"""One examinee, several banks and conditions at once: in turn, and each key once."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from support.banks import make_item, make_items

from gfactor.administration import Condition, Journal, Materials, Response
from gfactor.administration.asking.cells import (
    BankCell,
    administer_cells,
    in_turn,
    prepared,
    questions_of,
)
from gfactor.administration.packs import Packs
from gfactor.errors import GfactorError
from gfactor.examinees import RenderedItem, Reply
from gfactor.items import ItemBank, write_bank


class Witness:
    """Answers; gives up after so many questions, and is slow under one condition."""

    name, in_flight = "example:witness", 3

    def __init__(self, stops_after: int = 10_000) -> None:
        self.asked: list[tuple[str, bool]] = []
        self._stops_after = stops_after

    async def __call__(self, item: RenderedItem) -> Reply:
        if len(self.asked) >= self._stops_after:
            raise GfactorError("enough")
        stepwise = any("step by step" in str(part) for part in item.content)
        self.asked.append((item.item_id, stepwise))
        await asyncio.sleep(0.004 if stepwise else 0.001)
        return Reply("COUNT:3")

    async def close(self) -> None:
        pass


def cells(folder: Path, occasions: int = 1) -> list[BankCell]:
    """Two banks of 36 and 12 items under two conditions."""
    many = write_bank(make_items("abc", 2, 6), folder / "many.parquet")
    few = write_bank(make_items("xy", 2, 3), folder / "few.parquet")
    return [
        BankCell(ItemBank.open(path), Condition(cot=cot), Materials(), occasions)
        for path in (many, few)
        for cot in (False, True)
    ]


@pytest.mark.thorough
def test_every_key_of_all_cells_is_asked_once_and_none_again(tmp_path: Path) -> None:
    parts, stored = cells(tmp_path, occasions=2), list[Response]()
    with Journal.open(tmp_path / "c.db") as journal:
        one = Witness()
        did = asyncio.run(administer_cells(one, parts, journal, on_stored=stored.extend))
        assert (did.asked, did.known, did.failed) == (192, 0, 0)
        assert set(Counter(one.asked).values()) == {2}
        assert len(journal.responses()) == len(stored) == 192
        assert {c["condition"] for c in journal.meta()["campaigns"]} == {"default", "cot=on"}
        again = asyncio.run(administer_cells(Witness(), parts, journal))
        assert (again.asked, again.known) == (0, 192)


@pytest.mark.thorough
@pytest.mark.parametrize("stops_after", [24, 48])
def test_who_stops_early_has_asked_the_same_share_of_every_cell(
    tmp_path: Path, stops_after: int
) -> None:
    one = Witness(stops_after)
    with (
        Journal.open(tmp_path / "c.db") as journal,
        pytest.raises(GfactorError, match="enough"),
    ):
        asyncio.run(administer_cells(one, cells(tmp_path), journal))
    counts = Counter((item[0] in "xy", stepwise) for item, stepwise in one.asked)
    share = stops_after / 96
    for (small, _), count in counts.items():
        assert abs(count / (12 if small else 36) - share) <= 3 / 12
    # Whichever condition is behind has been asked the same items as the other.
    both = [{item for item, stepwise in one.asked if stepwise is kind} for kind in (True, False)]
    assert len(both[0] & both[1]) >= min(map(len, both)) - one.in_flight


@pytest.mark.thorough
@pytest.mark.parametrize("stops_after", [24, 45])
def test_a_cell_that_is_left_out_leaves_the_others_in_balance(
    tmp_path: Path, stops_after: int
) -> None:
    # Of four cells (36, 36, 12 and 12 questions) one of the large ones is left out.
    left = [cell for cell in cells(tmp_path) if not (cell.condition.cot and len(cell.bank) > 12)]
    with Journal.open(tmp_path / "c.db") as journal:
        with pytest.raises(GfactorError, match="enough"):
            asyncio.run(administer_cells(Witness(stops_after), left, journal))
        rows = journal.responses()
    stored = Counter(zip(rows["item_hash"], rows["condition"], strict=True))
    shares = [
        sum(
            count
            for (item_hash, condition), count in stored.items()
            if condition == cell.condition.key
            and item_hash in {item.provenance.content_hash for item in cell.bank}
        )
        / len(cell.bank)
        for cell in left
    ]
    assert len(shares) == 3
    assert max(shares) - min(shares) < 0.15
    assert sum(shares) / 3 == pytest.approx(stops_after / 60, abs=0.1)


def test_questions_come_in_the_order_of_their_keys_however_many_are_claimed_at_once(
    tmp_path: Path,
) -> None:
    parts = [cell for cell in cells(tmp_path) if not cell.condition.cot]
    with Journal.open(tmp_path / "c.db") as journal:
        ((_, banks),) = prepared(parts, Witness(), journal).items()
        keys = in_turn(banks, 0)
        assert [(h, k) for _, h, k in questions_of(banks, keys)] == keys
    small = [key in banks[1].missing for key in keys]
    assert all(abs(sum(small[:n]) - n / 4) <= 1 for n in range(len(keys)))


@pytest.mark.thorough
def test_another_seed_is_another_order_and_one_seed_the_same(tmp_path: Path) -> None:
    def order(name: str, seed: int) -> list[str]:
        one = Witness()
        one.in_flight = 1
        with Journal.open(tmp_path / name) as journal:
            asyncio.run(administer_cells(one, cells(tmp_path)[:1], journal, seed))
        return [item for item, _ in one.asked]

    assert order("a.db", 0) == order("b.db", 0) != order("c.db", 1)


def test_cells_with_prompts_of_their_own_are_claimed_and_stored_under_one_condition(
    tmp_path: Path,
) -> None:
    pack = tmp_path / "pack.toml"
    pack.write_text('language = "en"\n[task]\nchoice = "Pick one."\n')
    prompted = Materials(packs=Packs.of([pack]))
    bank = ItemBank.open(write_bank(make_items("a", 1, 3), tmp_path / "b.parquet"))
    parts = [BankCell(bank, Condition(), materials) for materials in (Materials(), prompted)]
    with Journal.open(tmp_path / "c.db") as journal:
        grouped = prepared(parts, Witness(), journal)
        assert list(grouped) == ["default", prompted.stamped(Condition()).key]
        asyncio.run(administer_cells(Witness(), parts, journal))
        assert set(journal.responses()["condition"]) == set(grouped)


def test_an_item_that_two_banks_share_is_asked_once(tmp_path: Path) -> None:
    same = make_item("s", content=("Say 1.",))
    banks = [
        ItemBank.open(write_bank([same, make_item(f"o{n}", content=(f"Say {n}",))],
                                 tmp_path / f"{n}.parquet"))
        for n in (2, 3)
    ]  # fmt: skip
    parts = [BankCell(bank, Condition(), Materials()) for bank in banks]
    with Journal.open(tmp_path / "c.db") as journal:
        one = Witness()
        assert asyncio.run(administer_cells(one, parts, journal)).known == 1
        assert sorted(item for item, _ in one.asked) == ["o2", "o3", "s"]

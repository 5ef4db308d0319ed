"""Asking in stages: one order for all, as many at once as allowed, and nothing paid is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support.banks import make_items

from gfactor.administration import Condition, Journal
from gfactor.administration.asking.order import keyed_order
from gfactor.administration.asking.stages import StagedResult, run_in_stages
from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.items import ItemBank, write_bank


class Witness:
    """An examinee that notes whom it was asked about, and how many at once."""

    def __init__(
        self, name: str, in_flight: int = 3, stops_after: int = 10_000, *, waits: bool = False
    ) -> None:
        self.name, self.in_flight = name, in_flight
        self._waits = waits
        self.asked: list[str] = []
        self.now = self.most = self.closed = 0
        self._stops_after = stops_after

    async def __call__(self, item: RenderedItem) -> Reply:
        if len(self.asked) >= self._stops_after:
            raise GfactorError("the budget is spent")
        self.asked.append(item.item_id)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.002)
        if self._waits:  # for as many as may be asked at once, on however busy a machine
            for _ in range(3000):
                if self.most >= self.in_flight:
                    break
                await asyncio.sleep(0.01)
        self.now -= 1
        return Reply("COUNT: 3", "ok", "stop")

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return ItemBank.open(write_bank(make_items("abcd", 3, 5), tmp_path / "bank.parquet"))


def staged(
    bank: ItemBank,
    path: Path,
    examinees: list[Examinee],
    enough: Callable[[Journal], bool] = lambda _: False,
    seed: int = 0,
    occasions: int = 1,
) -> StagedResult:
    with Journal.open(path) as journal:
        return run_in_stages(
            bank, examinees, journal, Condition(), occasions, lambda: enough(journal),
            order_seed=seed,
        )  # fmt: skip


def answers(path: Path) -> int:
    with Journal.open(path, create=False) as journal:
        return len(journal.responses())


@pytest.mark.thorough
def test_all_are_asked_the_same_items_in_the_keyed_order(bank: ItemBank, tmp_path: Path) -> None:
    one, other = Witness("x:one", in_flight=1), Witness("x:other", in_flight=1)
    done = staged(bank, tmp_path / "j.db", [one, other], lambda j: len(j.responses()) >= 30, seed=5)
    hashes = dict(zip(bank.frame()["content_hash"], bank.frame()["id"], strict=True))
    order = [hashes[h] for h in keyed_order(hashes, 5)]
    assert one.asked == other.asked == order[:20]
    assert order != sorted(order)
    assert (done.enough, done.items) == (True, 20)
    assert [r.asked for r in done.results] == [20, 20]
    assert one.closed == other.closed == 1


@pytest.mark.thorough
def test_as_many_are_asked_at_once_as_an_examinee_takes(bank: ItemBank, tmp_path: Path) -> None:
    slow = Witness("x:slow", in_flight=2, waits=True)
    wide = Witness("x:wide", in_flight=15, waits=True)
    staged(bank, tmp_path / "j.db", [slow, wide], lambda j: len(j.responses()) > 0)
    assert (slow.most, wide.most) == (2, 15)
    assert len(slow.asked) == len(wide.asked) == 15


@pytest.mark.thorough
def test_a_stopped_run_loses_nothing_and_goes_on(bank: ItemBank, tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    one, broke = Witness("x:one"), Witness("x:other", in_flight=1, stops_after=14)
    with pytest.raises(GfactorError, match="budget is spent"):
        staged(bank, path, [one, broke])
    assert answers(path) == len(one.asked) + 14
    again = [Witness("x:one"), Witness("x:other")]
    done = staged(bank, path, list(again))
    assert answers(path) == 2 * len(bank)
    assert [r.known for r in done.results] == [len(one.asked), 14]
    assert len(one.asked) + len(again[0].asked) == len(bank)
    assert not done.enough
    asked_again = [Witness("x:one"), Witness("x:other")]
    done = staged(bank, path, list(asked_again), lambda _: True)
    assert [w.asked for w in asked_again] == [[], []]
    assert [r.asked for r in done.results] == [0, 0]


def test_all_occasions_of_an_item_are_asked_in_its_stage(bank: ItemBank, tmp_path: Path) -> None:
    one = Witness("x:one", in_flight=1)
    staged(bank, tmp_path / "j.db", [one], lambda j: len(j.responses()) > 0, occasions=2)
    assert one.asked[::2] == one.asked[1::2]
    assert len(one.asked) == 20


def test_another_order_is_refused(bank: ItemBank, tmp_path: Path) -> None:
    staged(bank, tmp_path / "j.db", [Witness("x:one")], seed=2)
    with pytest.raises(ParameterError, match="order of seed 2, not 0"):
        staged(bank, tmp_path / "j.db", [Witness("x:one")])
    with Journal.open(tmp_path / "j.db", create=False) as journal:
        assert journal.order_seed() == 2

"""Baselines answer without looking, as well as their knowledge allows."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

import pytest
from support.banks import make_item

from gfactor.administration import Condition, Journal, render, run
from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees import make_examinee
from gfactor.items import Item, ItemBank, OutputFormat, Provenance, write_bank

CELL = OutputFormat("tuple", atom="cell", none="None")


def counted(size: int, index: int, target: int) -> Item:
    name = f"count-{size}-{index}"
    return make_item(
        name,
        target=target,
        labels={"domain": "count", "size": size},
        provenance=Provenance("tests", "1", name),
    )


def safe(index: int, *cells: tuple[int, int]) -> Item:
    name = f"cell-{index}"
    return make_item(
        name,
        answer_type="tuple",
        target=cells[0] if cells else None,
        accepted=cells[1:],
        output_format=CELL,
        labels={"domain": "cell", "size": 1},
        provenance=Provenance("tests", "1", name),
    )


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    counts = [counted(1, k, 3) for k in range(6)] + [counted(2, k, 8) for k in range(5)]
    cells = [safe(0, (0, 0), (2, 2)), safe(1, (1, 1), (2, 2)), safe(2, (0, 0)), safe(3)]
    cells.append(safe(4, (2, 2)))
    return ItemBank.open(write_bank([*counts, *cells], tmp_path / "b.parquet"))


def replies(bank: ItemBank, spec: str) -> dict[str, str]:
    examinee = make_examinee(spec, bank=bank, jobs=1)

    async def work() -> dict[str, str]:
        return {item.id: (await examinee(render(item, Condition()))).text for item in bank}

    return asyncio.run(work())


def test_constant_gives_every_domain_its_most_often_right_reply(bank: ItemBank) -> None:
    given = replies(bank, "baseline:constant")
    assert {r for i, r in given.items() if i.startswith("count")} == {"COUNT:3"}
    # (2,2) is never the most frequent target, but it is accepted three times.
    assert {r for i, r in given.items() if i.startswith("cell")} == {"(2,2)"}


def test_size_aware_gives_every_size_its_own_best_reply(bank: ItemBank) -> None:
    given = replies(bank, "baseline:size-aware")
    assert given["count-1-0"] == "COUNT:3"
    assert given["count-2-0"] == "COUNT:8"


@pytest.mark.thorough
def test_random_draws_from_the_distinct_answers_of_the_domain(bank: ItemBank) -> None:
    drawn = Counter(
        reply
        for seed in range(60)
        for reply in replies(bank, f"baseline:random?seed={seed}").values()
    )
    assert set(drawn) == {"COUNT:3", "COUNT:8", "(0,0)", "(1,1)", "(2,2)", "None"}
    # 660 draws between two answers: five standard errors.
    assert abs(drawn["COUNT:3"] - 330) < 5 * 660**0.5 / 2


@pytest.mark.parametrize("instances", [1, 4])
def test_a_guess_that_would_know_its_own_answer_is_refused(instances: int, tmp_path: Path) -> None:
    items = [counted(s, k, 3 * s + k) for s in range(1, 6) for k in range(instances)]
    few = ItemBank.open(write_bank(items, tmp_path / "few.parquet"))
    told = (
        f"needs 5 items of a kind, but 'count' of size 1 has {instances} of type 'value'; build a "
        "bank with more (percept-v: --instances 5), or take baseline:random"
    )
    with pytest.raises(ParameterError, match=re.escape(told)):
        make_examinee("baseline:size-aware", bank=few)
    # The constant reply of the domain is learned from five items or more.
    assert make_examinee("baseline:constant", bank=few).name == "baseline:constant"
    four = ItemBank.open(write_bank(items[:4], tmp_path / "four.parquet"))
    with pytest.raises(ParameterError, match="'count' has 4 of type 'value'"):
        make_examinee("baseline:constant", bank=four)


def test_random_is_the_same_for_the_same_seed(bank: ItemBank) -> None:
    assert replies(bank, "baseline:random?seed=4") == replies(bank, "baseline:random?seed=4")


def test_an_item_that_was_not_learned_is_a_failed_attempt(bank: ItemBank) -> None:
    examinee = make_examinee("baseline:size-aware", bank=bank)
    reply = asyncio.run(examinee(render(make_item("other"), Condition())))
    assert (reply.outcome, reply.detail) == ("protocol_error", "'other' is not in the bank")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("baseline:constnat", "unknown baseline 'constnat'; did you mean 'constant'?"),
        ("baseline:random?sed=1", "baseline:random has no parameter 'sed'; its only one is 'seed'"),
        ("baseline:constant?seed=1", "has no parameter 'seed'; it has none"),
        ("baseline:random?seed=x", "seed must be a whole number from 0, got 'x'"),
    ],
)
def test_a_bad_specification_gets_one_sentence(bank: ItemBank, spec: str, sentence: str) -> None:
    with pytest.raises(GfactorError) as told:
        make_examinee(spec, bank=bank)
    assert sentence in str(told.value)


def test_a_baseline_without_a_bank_says_what_it_needs() -> None:
    with pytest.raises(GfactorError, match=r"a profile .* has none: name a model or an"):
        make_examinee("baseline:constant")


@pytest.mark.thorough
def test_random_draws_afresh_on_every_occasion_and_the_same_again(
    bank: ItemBank, tmp_path: Path
) -> None:
    def administered(name: str, spec: str) -> dict[tuple[str, int], str]:
        with Journal.open(tmp_path / name) as journal:
            run(bank, make_examinee(spec, bank=bank, jobs=1), journal, occasions=20)
            kept = journal.responses()
        keys = zip(kept["item_hash"], kept["occasion"], strict=True)
        return dict(zip(keys, kept["text"], strict=True))

    drawn = administered("a.db", "baseline:random")
    assert len(drawn) == 20 * len(bank)
    by_item: dict[str, Counter[str]] = {}
    for (item, _), text in drawn.items():
        by_item.setdefault(item, Counter())[text] += 1
    # Twenty draws between two answers or more: all alike once in half a million items.
    assert all(len(counts) > 1 for counts in by_item.values())
    assert administered("b.db", "baseline:random") == drawn
    first = {item: text for (item, occasion), text in drawn.items() if occasion == 0}
    assert sorted(first.values()) == sorted(replies(bank, "baseline:random").values())
    constant = administered("c.db", "baseline:constant")
    assert all(constant[item, k] == constant[item, 0] for item, k in constant)

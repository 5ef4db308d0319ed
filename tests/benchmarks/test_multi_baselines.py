"""MULTI's baselines on a bank with its answer distribution give the figures that it prints.

Table 2 says how often each option is right, not which go together. `TOGETHER` is one joint
distribution of the questions with several right options that has table 2's frequencies and table
6's figures of `most`; of the many that do, one on which `random` is expected to get what is
printed. So MA tests the rules and the guessing, and table 2 alone decides SA.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb

import pytest

from gfactor.benchmarks.published import published
from gfactor.examinees import RenderedItem, make_examinee
from gfactor.items import Choice, Item, ItemBank, Provenance, write_bank
from gfactor.scoring.extraction import extract
from gfactor.scoring.rules import points

TOGETHER = {
    (3, "AB"): 126, (4, "AB"): 168, (4, "AD"): 225, (4, "CD"): 228, (4, "ABC"): 449,
    (4, "ACD"): 53, (4, "BCD"): 449, (5, "ABC"): 1, (5, "ABD"): 108, (5, "ACD"): 66,
    (5, "ABCD"): 178, (5, "ABCE"): 92,
}  # fmt: skip
"""(options, right ones) -> questions: 2,143 in all."""

PRINTED = {row["model"]: row for row in published("multi-6").to_dict()["rows"]}


def question(kind: str, number: int, options: int, right: str) -> Item:
    item_id = f"{kind}-{number}"
    return Item(
        id=item_id,
        benchmark="multi",
        content=(item_id,),
        answer_type="choice" if kind == "SA" else "choices",
        target=right if kind == "SA" else tuple(right),
        choices=tuple(Choice(label, f"option {label}") for label in "ABCDE"[:options]),
        labels={"domain": "all", "type": kind},
        language="zh",
        provenance=Provenance("tests", "1", item_id),
    )


def questions() -> Iterator[Item]:
    number = 0
    for row in published("multi-2").to_dict()["rows"]:
        if row["type"] == "SA":
            for letter in "ABCD":
                for _ in range(row[letter] or 0):
                    yield question("SA", (number := number + 1), row["options"], letter)
    for (options, right), count in TOGETHER.items():
        for _ in range(count):
            yield question("MA", (number := number + 1), options, right)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("multi") / "bank.parquet"
    return ItemBank.open(write_bank(questions(), path))


@cache
def read(reply: str, kind: str, labels: tuple[str, ...]) -> frozenset[str]:
    found = extract(reply, kind, labels)
    assert found.has_answer, reply
    answer = found.answer
    return (
        frozenset(map(str, answer)) if isinstance(answer, frozenset) else frozenset({str(answer)})
    )


def score(bank: ItemBank, spec: str) -> dict[str, float]:
    """Score ratio of SA and MA and share of MA that is all right, in per cent."""
    examinee = make_examinee(spec, bank=bank)

    async def work() -> Counter[str]:
        sums: Counter[str] = Counter()
        for item in bank:
            asked = RenderedItem(item.id, item.benchmark, "all", item.content)
            reply = await examinee(asked)
            labels = tuple(choice.label for choice in item.choices)
            chosen = read(reply.text, item.answer_type, labels)
            answer = next(iter(chosen)) if item.answer_type == "choice" else chosen
            got = points(answer, item.target, (), item.answer_type)
            kind = str(item.labels["type"])
            sums.update({f"{kind} earned": got.earned, f"{kind} possible": got.possible,
                         f"{kind} full": got.full, f"{kind} n": 1})  # fmt: skip
        return sums

    s = asyncio.run(work())
    return {
        "SA": 100 * s["SA earned"] / s["SA possible"],
        "MA": 100 * s["MA earned"] / s["MA possible"],
        "MA_acc": 100 * s["MA full"] / s["MA n"],
    }


def parts_of(target: object) -> tuple[object, ...]:
    return target if isinstance(target, tuple) else (target,)


def test_the_bank_has_table_2s_distribution(bank: ItemBank) -> None:
    table = {(r["type"], r["options"]): r for r in published("multi-2").to_dict()["rows"]}
    letters: dict[str, Counter[str]] = {"SA": Counter(), "MA": Counter()}
    for item in bank:
        letters[str(item.labels["type"])].update("".join(map(str, parts_of(item.target))))
    ma = table["MA", "3-13"]
    assert letters["MA"] == {x: ma[x] for x in "ABCD"} | {"E": ma["E_and_more"]}
    for letter in "ABCD":
        rows = [r for (kind, _), r in table.items() if kind == "SA"]
        assert letters["SA"][letter] == sum(r[letter] or 0 for r in rows)
    assert sum(TOGETHER.values()) == 2143


@pytest.mark.slow
def test_most_gives_the_printed_figures(bank: ItemBank) -> None:
    ours, printed = score(bank, "baseline:most"), PRINTED["most"]
    # B is right 4,300 times, A 4,281 times: 30.86 and 30.72 per cent; printed is 30.7.
    assert ours["SA"] == pytest.approx(100 * 4300 / 13935)
    assert ours["SA"] == pytest.approx(printed["SA"], abs=0.2)
    assert ours["MA"] == pytest.approx(printed["MA"], abs=0.06)
    assert ours["MA_acc"] == pytest.approx(printed["MA_acc"], abs=0.06)


def expected() -> tuple[dict[str, float], dict[str, float]]:
    """What `random` gets on average, and the standard error of one draw, in per cent."""
    table = [r for r in published("multi-2").to_dict()["rows"] if r["type"] == "SA"]
    sizes = [(int(r["options"]), sum(r[x] or 0 for x in "ABCD")) for r in table]
    total, points_sum = sum(n for _, n in sizes), 5952
    mean = {"SA": sum(n / k for k, n in sizes) / total, "MA": 0.0, "MA_acc": 0.0}
    variance = {"SA": sum(n / k * (1 - 1 / k) for k, n in sizes) / total**2, "MA": 0.0,
                "MA_acc": 0.0}  # fmt: skip
    for (options, right), count in TOGETHER.items():
        ways = 2**options - 1
        # So many of the non-empty choices hold j right options and no wrong one.
        gains = [(j, comb(len(right), j) / ways) for j in range(1, len(right) + 1)]
        first = sum(j * share for j, share in gains)
        second = sum(j * j * share for j, share in gains)
        mean["MA"] += count * first / points_sum
        variance["MA"] += count * (second - first**2) / points_sum**2
        mean["MA_acc"] += count / ways / 2143
        variance["MA_acc"] += count / ways * (1 - 1 / ways) / 2143**2
    errors = {name: 100 * value**0.5 for name, value in variance.items()}
    return {name: 100 * value for name, value in mean.items()}, errors


@pytest.mark.slow
def test_random_gives_the_printed_figures_within_sampling_error(bank: ItemBank) -> None:
    mean, error = expected()
    assert error == pytest.approx({"SA": 0.38, "MA": 0.69, "MA_acc": 0.52}, abs=0.05)
    ours, printed = score(bank, "baseline:random?seed=1"), PRINTED["random"]
    for name in mean:
        assert abs(printed[name] - mean[name]) < 2 * error[name]
        assert abs(ours[name] - mean[name]) < 3 * error[name]

"""Observers read text twins: faultlessly where they are ideal, with the same memory where not."""

from __future__ import annotations

import pytest

from gfactor.benchmarks.chc import build as chc
from gfactor.benchmarks.percept_v.build import plan
from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import CANNOT_TELL, read
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.examinees.observer.solvers import READERS
from gfactor.items import Item

CHC = ("letter_series", "number_grids", "number_series")


def twins(name: str) -> list[Item]:
    if name in CHC:
        parts = chc.plan(seed=5, families=[name], per_cell=3, twin="text").parts
    else:
        parts = plan(seed=5, domains=[name], sizes=range(1, 13), instances=2, twin="text").parts
    return [item for part in parts for item in part.make() if isinstance(item, Item)]


def words(item: Item) -> str:
    options = [f"{choice.label}. {choice.content}" for choice in item.choices]
    return "\n".join([*(part for part in item.content if isinstance(part, str)), *options])


def wanted(item: Item) -> list[str]:
    if item.output_format is None:
        return [str(item.target)]
    return [item.output_format.render(answer) for answer in (item.target, *item.accepted)]


@pytest.mark.parametrize("name", sorted(READERS))
def test_the_ideal_reader_errs_nowhere_and_a_small_memory_does(name: str) -> None:
    items = twins(name)
    person = Limited(capacity=2, seed=1)
    ideal = limited = 0
    for item in items:
        ideal += read(name, words(item), IdealPerception()) in wanted(item)
        reply = read(name, words(item), person(name, (), words(item)))
        assert reply == read(name, words(item), person(name, (), words(item)))
        limited += reply in wanted(item)
    assert ideal == len(items)
    assert limited < 0.8 * len(items)


def test_a_reader_that_considers_one_hypothesis_errs() -> None:
    items = twins("number_grids")
    person = Limited(capacity=1000, hypotheses=1)
    right = [read("number_grids", words(i), person("number_grids", (), words(i))) in wanted(i)
             for i in items]  # fmt: skip
    assert 0 < sum(right) < len(right)


@pytest.mark.parametrize("name", sorted(READERS))
def test_what_is_no_twin_cannot_be_told(name: str) -> None:
    question = str(twins(name)[0].content[0])
    assert read(name, question, IdealPerception()) == CANNOT_TELL
    assert read("no_such_domain", question, IdealPerception()) == CANNOT_TELL

"""Every kind of bank and journal through every function: a right result, or a true refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.corridors.calls import BANK, ELSEWHERE, JOURNAL, TAKES, takers
from support.corridors.product import (
    BROKEN,
    OK,
    OPEN,
    REFUSALS,
    REFUSED,
    SIDES,
    WRONG,
    Outcome,
    key,
    listed,
    outcomes,
)

ALL = [(side, kind) for side, one in SIDES.items() for kind in one.kinds()]
LONG = {
    "adaptive", "answers to vlmevalkit", "campaign", "many models", "observers",
    "people and models", "percept-v", "profile", "select elite", "study",
    "transform redraw-images", "vlmevalkit",
}  # fmt: skip
"""Kinds that take more than a second to make."""
QUICK = [(side, kind) for side, kind in ALL if kind not in LONG]
ONE_IN = 25
"""Of so many functions each quick kind goes through one in each run of the tests."""


def share_of_calls(side: str, kind: str) -> set[str]:
    """Return some functions for a kind, so that every kind and every function has its turn."""
    start = [one for of, one in QUICK if of == side].index(kind)
    calls = list(SIDES[side].calls)
    step = min(ONE_IN, len(calls))
    return {name for number, name in enumerate(calls) if (number + start) % step == 0}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corridors")


def flaws(found: list[Outcome]) -> list[str]:
    """What is broken or wrong, and refusals that nobody has reviewed."""
    expected = {OK: None, REFUSED: listed(), BROKEN: listed(OPEN), WRONG: listed(OPEN)}
    return [
        str(one)
        for one in found
        if (known := expected[one.result]) is not None and one.kind not in known.get(key(one), ())
    ]


@pytest.mark.parametrize(("side", "kind"), QUICK)
def test_every_quick_kind_goes_through_some_functions(side: str, kind: str, made: Path) -> None:
    found = list(outcomes(SIDES[side], kind, made, share_of_calls(side, kind)))
    assert found
    assert flaws(found) == []


def test_every_function_has_its_turn_in_each_run_of_the_tests() -> None:
    for name, side in SIDES.items():
        shares = [share_of_calls(one, kind) for one, kind in QUICK if one == name]
        assert set().union(*shares) == set(side.calls)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "kind"), ALL)
def test_every_kind_goes_through_every_function(side: str, kind: str, made: Path) -> None:
    found = list(outcomes(SIDES[side], kind, made))
    assert flaws(found) == []
    for results, file in ({REFUSED}, REFUSALS), ({BROKEN, WRONG}, OPEN):
        met = {key(one) for one in found if one.result in results}
        expected = {one for one, kinds in listed(file).items() if one[0] == side and kind in kinds}
        assert expected == met, "a list is out of date"


def test_there_are_a_thousand_corridors() -> None:
    uses = {name: sum(map(len, side.calls.values())) for name, side in SIDES.items()}
    assert sum(uses[side] for side, _ in ALL) >= 1000


def test_every_function_that_takes_a_bank_a_journal_or_a_table_is_walked() -> None:
    """A new function of the public face needs a line in `support.corridors.calls`."""
    walked = {**BANK, **JOURNAL}
    unknown = {name: kinds for name, kinds in takers().items() if name not in {*walked, *ELSEWHERE}}
    assert unknown == {}
    assert set(TAKES) == {kind for kinds in takers().values() for kind in kinds}


def test_refusals_are_sentences() -> None:
    for _, call, sentence in listed():
        assert len(sentence.split()) > 4, (call, sentence)
        assert not {"nan", "None", "NaN"} & set(sentence.replace(",", " ").split()), (
            call,
            sentence,
        )

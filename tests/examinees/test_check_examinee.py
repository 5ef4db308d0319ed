"""The published invariants hold for our examinees and catch those that break them."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from support.banks import make_items

from gfactor.examinees import INVARIANTS, RenderedItem, Reply, check_examinee, make_examinee
from gfactor.items import ItemBank, write_bank


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spec",
    [
        "observer:ideal",
        "observer:limited?acuity=0.5&seed=3",
        "baseline:random",
        "baseline:constant",
        "baseline:size-aware",
    ],
)
def test_our_examinees_keep_every_invariant(spec: str, tmp_path: Path) -> None:
    bank = ItemBank.open(write_bank(make_items(instances=5), tmp_path / "b.parquet"))
    context = {"bank": bank, "jobs": 1}
    assert check_examinee(make_examinee(spec, **context), **context) == []


LOST: Any = "lost"


class Faulty:
    """Keeps what it is told to keep, and breaks the rest."""

    deterministic = True
    name = "observer:ideal"
    in_flight = 1

    def __init__(self, **changed: Any) -> None:
        vars(self).update(changed)
        self.count = itertools.count()

    async def __call__(self, item: RenderedItem) -> Any:
        answer = getattr(self, "answer", lambda n: Reply("COUNT:1"))
        return answer(next(self.count))

    async def close(self) -> None: ...


def fail(number: int) -> Reply:
    raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        ({"name": "my examinee"}, "its name is a specification in canonical form"),
        (
            {"name": "observer:limited?seed=2&acuity=1"},
            "its name is a specification in canonical",
        ),
        ({}, "its name makes the same examinee again"),
        ({"in_flight": 0}, "it allows at least one item in flight"),
        ({"answer": fail}, "it returns Reply objects"),
        ({"answer": lambda n: "COUNT:1"}, "it returns Reply objects"),
        ({"answer": lambda n: Reply("", LOST)}, "it returns Reply objects"),
        ({"answer": lambda n: Reply("", "timeout")}, "a failed attempt says why"),
        ({"answer": lambda n: Reply(str(n))}, "the same item gets the same text"),
    ],
)
def test_a_broken_invariant_is_named(changed: dict[str, Any], broken: str) -> None:
    found = check_examinee(Faulty(**changed))
    assert any(broken in words for words in found), found
    assert set(found) <= set(INVARIANTS)


def test_an_examinee_that_does_not_claim_to_be_deterministic_may_vary() -> None:
    varying = Faulty(answer=lambda n: Reply(str(n)), deterministic=False)
    assert not any("same text" in words for words in check_examinee(varying))

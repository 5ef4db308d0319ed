"""Invariants of every examinee, as a published list, for gfactor's examinees and those of
plug-ins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from gfactor.errors import GfactorError
from gfactor.examinees.base import (
    FAILED,
    Examinee,
    Outcome,
    RenderedItem,
    Reply,
    Spec,
    make_examinee,
)
from gfactor.imaging import Canvas, Frame, encode_png
from gfactor.items import Image


@dataclass(frozen=True)
class Checked:
    """Input of the invariants: the examinee and its replies to the same items, asked twice."""

    examinee: Examinee
    context: Mapping[str, Any]
    first: tuple[object, ...]
    second: tuple[object, ...]


Invariant = Callable[[Checked], bool]


def _name_is_a_specification(seen: Checked) -> bool:
    try:
        return str(Spec.parse(seen.examinee.name)) == seen.examinee.name
    except GfactorError:
        return False


def _name_makes_the_same_examinee(seen: Checked) -> bool:
    try:
        again = make_examinee(seen.examinee.name, **seen.context)
    except GfactorError:
        return False
    return again.name == seen.examinee.name and type(again) is type(seen.examinee)


def _in_flight_is_positive(seen: Checked) -> bool:
    return isinstance(seen.examinee.in_flight, int) and seen.examinee.in_flight >= 1


def _replies_are_replies(seen: Checked) -> bool:
    return all(
        isinstance(r, Reply)
        and isinstance(r.text, str)
        and r.outcome in get_args(Outcome)
        and r.latency_s >= 0
        for r in (*seen.first, *seen.second)
    )


def _failures_say_why(seen: Checked) -> bool:
    return all(bool(r.detail) for r in seen.first if isinstance(r, Reply) and r.outcome in FAILED)


def _same_question_same_answer(seen: Checked) -> bool:
    if not getattr(seen.examinee, "deterministic", False):
        return True
    return [getattr(r, "text", None) for r in seen.first] == [
        getattr(r, "text", None) for r in seen.second
    ]


INVARIANTS: Mapping[str, Invariant] = {
    "its name is a specification in canonical form": _name_is_a_specification,
    "its name makes the same examinee again": _name_makes_the_same_examinee,
    "it allows at least one item in flight": _in_flight_is_positive,
    "it returns Reply objects with a known outcome and never raises": _replies_are_replies,
    "a failed attempt says why in `detail`": _failures_say_why,
    "where `deterministic` is true, the same item gets the same text": _same_question_same_answer,
}
"""Each invariant in words, and its test."""


def check_examinee(
    examinee: Examinee, items: Sequence[RenderedItem] = (), **context: Any
) -> list[str]:
    """Return a sentence for each invariant that an examinee breaks; an empty list if none.

    Parameters
    ----------
    examinee : Examinee
        Examinee to check. It answers the items and stays open.
    items : list of RenderedItem
        Items that it answers twice each. By default these are an item without a picture and one of
        an unknown task, for which the examinee must not raise an error.
    **context : Any
        Objects that its factory needs to make it again (`bank`, `jobs`; see `make_examinee`).

    Returns
    -------
    list of str
        A sentence for each invariant that it breaks; empty if it breaks none.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.examinees import check_examinee, make_examinee
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> check_examinee(make_examinee("baseline:random", bank=bank, jobs=1), bank=bank, jobs=1)
    []
    """
    items_to_ask = tuple(items) or _strange_items()
    first, second = asyncio.run(_ask_twice(examinee, items_to_ask))
    seen = Checked(examinee, context, first, second)
    return [words for words, holds in INVARIANTS.items() if not holds(seen)]


async def _ask_twice(
    examinee: Examinee, items: Sequence[RenderedItem]
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    async def ask(item: RenderedItem) -> object:
        try:
            return await examinee(item)
        except Exception as error:
            return error

    first = [await ask(item) for item in items]
    second = await asyncio.gather(*(ask(item) for item in items))
    return tuple(first), tuple(second)


def _strange_items() -> tuple[RenderedItem, ...]:
    picture = Image(encode_png(Canvas(Frame(64, 48)).pixels), "blank.png")
    return (
        RenderedItem("check-1", "check", "no_such_task", ("What is seen?", picture)),
        RenderedItem("check-2", "check", "change_colour", ("What is seen?",)),
    )

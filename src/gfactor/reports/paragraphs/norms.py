"""Sentences on norms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gfactor.frames import distinct
from gfactor.numbers_in_text import fixed, share
from gfactor.psychometrics.norms import Norms
from gfactor.reports.paragraphs.wording import MOST_LISTED, limits_of, software
from gfactor.results import number_of


def sentences_on_norms(norms: Norms) -> Iterable[str]:
    table = norms.table
    people = max(cell.n for cell in norms.cells)
    sample = norms.about.get("sample") or "a sample that is not described"
    unit = norms.about.get("unit")
    yield (
        f"Norms of {number_of(len(distinct(table, 'scale')), 'scale')}"
        f"{f' ({unit})' if unit else ''} were estimated from {number_of(people, 'person')} "
        f"({sample}) with {software()}; percentiles count half of the ties, and are not smoothed."
    )
    rows = table.to_dict("records")
    if len(rows) > MOST_LISTED:
        yield (
            f"There are {len(rows)} cells of {table['n'].min()} to {table['n'].max()} persons; the "
            "table has the mean of each with its interval."
        )
    else:
        text = share if unit == "share right" else fixed
        yield f"{'; '.join(_cell(row, norms.level, text) for row in rows)}."
    yield from _claims(norms)
    if len(norms.refused):
        cells = number_of(len(norms.refused), "cell")
        yield f"{cells} of fewer than {norms.min_n} persons {_have(len(norms.refused))} no norms."


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _cell(row: dict[Any, Any], level: float, text: Any) -> str:
    group = str(row["group"])
    ends = limits_of(row["ci_lower"], row["ci_upper"], level, lambda end: text(end, 2))
    return (
        f"{row['scale']}, {group}: {number_of(row['n'], 'person')}, mean {text(row['mean'], 2)}, "
        f"{ends}, SD {text(row['sd'], 2)}, quartiles {text(row['q1'], 2)}, "
        f"{text(row['median'], 2)} and {text(row['q3'], 2)}"
    )


def _claims(norms: Norms) -> Iterable[str]:
    words = {
        str(facts["generalizes_to"]) for facts in norms.scales.values() if "generalizes_to" in facts
    }
    for text in sorted(words):
        yield f"The interval of a mean {text}; percentiles hold for these items."

"""Sentences on tests of differential item functioning."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from gfactor.numbers_in_text import fixed, p_value
from gfactor.psychometrics.irt.checks.differential import DIF
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    Z,
    gaps,
    limits_of,
    listed,
    software,
    span_of,
)
from gfactor.results import number_of

LEVEL = 0.05
"""Adjusted p-value below which items are said to differ."""


def sentences_on_dif(result: DIF) -> Iterable[str]:
    count = len(result.table)
    model = f" (model {result.model})" if result.model else " (matched on sum scores)"
    groups = [
        f"{name} ({word}, {number_of(size, 'person')})"
        for name, word, size in zip(
            result.groups, ("reference", "focal"), result.sizes, strict=True
        )
    ]
    yield (
        f"Differential functioning of {number_of(count, 'item')} between {' and '.join(groups)} "
        f"was tested by {result.method}{model} with {software()}; p-values were adjusted for the "
        "number of items (Benjamini and Hochberg)."
    )
    yield _missing(result)
    yield _anchors(result)
    rows: list[dict[Any, Any]] = result.table.reset_index(names="item").to_dict("records")
    untested = [str(row["item"]) for row in rows if not math.isfinite(row["p"])]
    if untested:
        yield f"There is no test of {listed(untested)}."
    flagged = [row for row in rows if row["p_adjusted"] < LEVEL]
    names = [str(row["item"]) for row in flagged]
    if not flagged:
        yield "No item differed at adjusted p < .05, which does not show that none does."
    else:
        yield f"At adjusted p < .05, {len(flagged)} of {count} items differed: {listed(names)}."
    yield from _effects(rows, flagged)


def _missing(result: DIF) -> str:
    if result.missing and not result.model:
        return ""  # Persons were left out: the limits say so.
    cells = sum(result.sizes) * len(result.table)
    return gaps(result.missing, cells, "the likelihood is that of the observed ones")


def _anchors(result: DIF) -> str:
    if len(result.anchors) >= len(result.table):
        return "Each item was tested with all others as anchors."
    if len(result.anchors) <= MOST_LISTED:
        return f"Anchors, taken as equal in both groups: {listed(result.anchors)}."
    return f"{len(result.anchors)} items were anchors, taken as equal in both groups."


def _effects(rows: list[dict[Any, Any]], flagged: list[dict[Any, Any]]) -> Iterable[str]:
    delta = any(math.isfinite(row["delta"]) for row in rows)
    effect, meaning = ("delta", "2.35 log odds") if delta else ("signed", "expected score")
    text = f"Effects ({meaning}, focal less reference, below 0: harder for the focal group)"
    if 0 < len(flagged) <= MOST_LISTED:
        yield f"{text}: {'; '.join(_effect(row, effect) for row in flagged)}."
    elif flagged:
        yield f"{text} of these items were {span_of(row[effect] for row in flagged)}."
    differ = [row["item"] for row in flagged]
    others = [row[effect] for row in rows if row["item"] not in differ]
    if others:
        start = "Those of the other items" if flagged else text
        yield f"{start} were {span_of(others)}; the table of items has standard errors."


def _effect(row: dict[Any, Any], effect: str) -> str:
    middle, reach = row[effect], Z * row[f"{effect}_se"]
    kind = f", class {row['ets_class']}" if row.get("ets_class") else ""
    return (
        f"{row['item']} {fixed(middle)}, {limits_of(middle - reach, middle + reach, 0.95, fixed)}, "
        f"statistic({row['df']}) = {fixed(row['statistic'])}, adjusted p "
        f"{p_value(row['p_adjusted'], '= ')}{kind}"
    )

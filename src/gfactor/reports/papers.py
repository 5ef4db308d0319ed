"""Tables of the papers' shape: a row per examinee, a column per kind of item, published below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gfactor.benchmarks.published import published
from gfactor.reports.frames import distinct
from gfactor.reports.rates import (
    ACCURACY,
    CHANCE_NOTE,
    PEOPLE_NOTE,
    RATE_NOTE,
    Measure,
    expected,
    having,
    item_rows,
    ordered,
    rate,
)
from gfactor.reports.results import Results
from gfactor.reports.table import Table
from gfactor.scoring.frames import pick

HERE, CHANCE, PRINTED = "here", "expected", "published"
"""Where a row comes from."""

WHOLE = ("n", "responses")
"""Columns of counts, which published rows leave empty."""

PRINTED_NOTE = (
    "Rows marked as published are printed in the paper, without n and intervals; nothing here is "
    "computed from them."
)


@dataclass(frozen=True)
class Column:
    """A column: its name, which items it counts (all where `label` is ""), and what it measures."""

    name: str
    label: str = ""
    value: object = ""
    measure: Measure = ACCURACY

    def rows(self, rows: pd.DataFrame) -> pd.DataFrame:
        return having(rows, self.label, self.value) if self.label else rows


def paper_table(
    results: Results,
    title: str,
    columns: Sequence[Column],
    paper: str = "",
    notes: tuple[str, ...] = (),
    rows: pd.DataFrame | None = None,
) -> Table | None:
    """A row for every examinee under each condition, one for chance, and the published ones.

    Parameters
    ----------
    columns: those of which no item was answered are left out.
    paper: name of the published table, whose columns are called as `columns` are; "" for none.
    rows: `item_rows` of the results, where only some of them count.
    """
    rows = item_rows(results) if rows is None else rows
    kept = [(c, own) for c in columns for own in [c.rows(rows)] if len(own)]
    if not kept:
        return None
    ours = _ours(rows, kept, results)
    chance = _chance(kept)
    theirs = _theirs(paper, [c.name for c, _ in kept]) if paper else None
    parts = [part for part in (ours, chance, theirs) if part is not None]
    frame = pd.concat([part.dropna(axis="columns", how="all") for part in parts])
    frame = frame.reindex(columns=list(ours.columns)).reset_index(drop=True)
    people = (PEOPLE_NOTE,) if results.labels("person") else ()
    printed = (f"{PRINTED_NOTE} Source: {published(paper).source}",) if paper else ()
    return Table(
        title,
        frame,
        percent=tuple(c.name for c, _ in kept),
        headings={"label": "examinee"},
        notes=(RATE_NOTE, CHANCE_NOTE, *people, *printed, *notes),
        stacked=True,
    )


def beside(ours: pd.DataFrame, theirs: pd.DataFrame | None) -> pd.DataFrame:
    """Our rows and below them the published ones, with our columns; n are whole numbers."""
    frame = ours
    if theirs is not None:
        frame = pd.concat([ours, theirs], ignore_index=True).reindex(columns=list(ours.columns))
    return frame.astype({name: "Int64" for name in frame.columns if name in WHOLE})


def _ours(
    rows: pd.DataFrame, kept: Sequence[tuple[Column, pd.DataFrame]], results: Results
) -> pd.DataFrame:
    cells: dict[str, dict[str, object]] = {
        str(label): {"label": label, "source": HERE} for label in distinct(rows, "label")
    }
    for column, own in kept:
        for label, answers in own.groupby("label", sort=True):
            found = rate(answers, column.measure, results.level)
            cells[str(label)] |= {
                column.name: found["value"],
                **{f"{column.name}_{end}": float(found[end]) for end in ("low", "high", "n")},
            }
    names = [f"{c.name}{end}" for c, _ in kept for end in ("", "_low", "_high", "_n")]
    frame = pd.DataFrame(list(cells.values())).reindex(columns=["label", "source", *names])
    return ordered(frame, results, rows)


def _chance(kept: Sequence[tuple[Column, pd.DataFrame]]) -> pd.DataFrame | None:
    row: dict[str, object] = {"label": "chance", "source": CHANCE}
    for column, own in kept:
        row[column.name] = expected(own, column.measure)
        row[f"{column.name}_n"] = float(len(distinct(own, "_item")))
    known = [row[c.name] for c, _ in kept]
    return pd.DataFrame([row]) if np.isfinite(np.array(known, float)).all() else None


def _theirs(paper: str, names: Sequence[str]) -> pd.DataFrame | None:
    """The published rows with these columns, as proportions."""
    theirs = published(paper).frame
    known = [name for name in names if name in theirs]
    if not known:
        return None
    frame = pick(theirs, known).astype(float) / 100
    return frame.assign(label=theirs["model"].astype(str), source=PRINTED)

"""Tables in the form of the papers: rows of examinees and published rows, columns of item kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gfactor.benchmarks.published import published
from gfactor.frames import column, distinct, mapped, pick
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    CHANCE_NOTE,
    PEOPLE_NOTE,
    RATE_NOTE,
    RateMeasure,
    expected,
    having,
    item_rows,
    ordered,
    rate_each,
)
from gfactor.reports.answers.results import Results, pooled_labels
from gfactor.reports.table_registry import Table
from gfactor.scoring import shares

HERE, CHANCE, PRINTED = "here", "expected", "published"
"""Sources of a row."""

WHOLE = ("n", "responses")
"""Columns of counts, which published rows leave empty."""

PRINTED_NOTE = (
    "Rows marked as published are printed in the paper, without n and intervals; nothing here is "
    "computed from them."
)


READ_AS = {
    "read_rule": "by rule",
    "read_judge": "by judge",
    "read_draw": "random draw",
    "read_none": "no answer",
    "read_missing": "missing",
}
"""Columns of shares of responses, and what they are called."""

READ_NOTE = (
    "By rule, by judge, random draw, no answer, missing: who found the answer, in shares of all "
    "responses of the examinee; what was never the case has no column."
)


@dataclass(frozen=True)
class Column:
    """A column: its name, the items that it counts (all if `label` is ""), and its measure."""

    name: str
    label: str = ""
    value: object = ""
    measure: RateMeasure = ACCURACY

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
    """Return a row for every examinee under each condition, one for chance, and the published ones.

    Parameters
    ----------
    columns: columns of the table; those of which no item was answered are left out.
    paper: name of the published table, whose columns are called as `columns` are; "" for none.
    rows: `item_rows` of the results, where only some of them count.
    """
    rows = item_rows(results) if rows is None else rows
    answered = [(c, answers) for c in columns for answers in [c.rows(rows)] if len(answers)]
    if not answered:
        return None
    ours = _ours(rows, answered, results)
    read = _read(results)
    ours = ours.assign(**{name: mapped(column(ours, "label"), read[name]) for name in read})
    chance = _chance(answered)
    theirs = _theirs(paper, [c.name for c, _ in answered]) if paper else None
    parts = [part for part in (ours, chance, theirs) if part is not None]
    frame = pd.concat([part.dropna(axis="columns", how="all") for part in parts])
    frame = frame.reindex(columns=list(ours.columns)).reset_index(drop=True)
    people = (PEOPLE_NOTE,) if results.labels("person") else ()
    printed = (f"{PRINTED_NOTE} Source: {published(paper).source}",) if paper else ()
    return Table(
        title,
        frame,
        percent=(*(c.name for c, _ in answered), *read),
        headings={"label": "examinee", **READ_AS},
        notes=(RATE_NOTE, CHANCE_NOTE, *people, *printed, *notes, READ_NOTE),
        stacked=True,
    )


def beside(ours: pd.DataFrame, theirs: pd.DataFrame | None) -> pd.DataFrame:
    """Return our rows and below them the published ones, with our columns; n are whole numbers."""
    frame = ours
    if theirs is not None:
        frame = pd.concat([ours, theirs], ignore_index=True).reindex(columns=list(ours.columns))
    return frame.astype({name: "Int64" for name in frame.columns if name in WHOLE})


def _ours(
    rows: pd.DataFrame, answered: Sequence[tuple[Column, pd.DataFrame]], results: Results
) -> pd.DataFrame:
    cells: dict[str, dict[str, object]] = {
        str(label): {"label": label, "source": HERE} for label in distinct(rows, "label")
    }
    for each, answers_of in answered:
        labels, parts = zip(*answers_of.groupby("label", sort=True), strict=True)
        estimates = rate_each(parts, each.measure, results.level)
        for label, rated in zip(labels, estimates, strict=True):
            cells[str(label)] |= {
                each.name: rated["value"],
                **{f"{each.name}_{end}": float(rated[end]) for end in ("low", "high", "n")},
            }
    names = [f"{c.name}{end}" for c, _ in answered for end in ("", "_low", "_high", "_n")]
    frame = pd.DataFrame(list(cells.values())).reindex(columns=["label", "source", *names])
    return ordered(frame, results, rows)


def _read(results: Results) -> dict[str, dict[str, float]]:
    """Shares of responses by who found the answer: column -> label -> share."""
    answers = results.answers
    if "stage" not in answers:
        return {}
    answers = answers.assign(label=pooled_labels(answers))
    by_label = {str(label): shares(group) for label, group in answers.groupby("label")}
    columns = {
        name: {label: group[name.removeprefix("read_")] for label, group in by_label.items()}
        for name in READ_AS
    }
    return {k: group for k, group in columns.items() if k == "read_rule" or any(group.values())}


def _chance(answered: Sequence[tuple[Column, pd.DataFrame]]) -> pd.DataFrame | None:
    row: dict[str, object] = {"label": "chance", "source": CHANCE}
    for each, answers_of in answered:
        row[each.name] = expected(answers_of, each.measure)
        row[f"{each.name}_n"] = float(len(distinct(answers_of, "_item")))
    levels = [row[c.name] for c, _ in answered]
    return pd.DataFrame([row]) if np.isfinite(np.array(levels, float)).all() else None


def _theirs(paper: str, names: Sequence[str]) -> pd.DataFrame | None:
    """The published rows with these columns, as proportions."""
    theirs = published(paper).frame
    in_both = [name for name in names if name in theirs]
    if not in_both:
        return None
    frame = pick(theirs, in_both).astype(float) / 100
    return frame.assign(label=theirs["model"].astype(str), source=PRINTED)

"""Scores of a journal for an analysis of a table: examinees in rows, items or domains in columns.

An analysis of factors or of reliability reads a table. Of a journal it reads the answers of one
benchmark under one condition, without baselines and the ideal observer, which are bounds and no
members of a population; the same as `gfactor analyze irt` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Unpack

import pandas as pd

from gfactor.administration.storing.opening import is_journal
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import tell
from gfactor.api.inputs.scoring import nothing_counts, one_benchmark, scoring_of
from gfactor.api.inputs.table_selection import (
    EVERYTHING,
    TableOptions,
    scores_by_group,
    selection_of,
)
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.api.scales.irt_data import BOUNDS
from gfactor.api.scales.languages_of_items import TABLE_OF_ONE, translations
from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics.given import items_of_one_benchmark
from gfactor.reports.answers.results import role_of
from gfactor.scoring import matrix
from gfactor.scoring.policies import BENCHMARKS_POLICY


def scores_in_parts(
    data: Path | str,
    *,
    group: str | None = None,
    by: str | None = None,
    condition: str | None = None,
    benchmark: str | None = None,
    usual: str = "domain",
    keep: Sequence[str] = (),
    **table: Unpack[TableOptions],
) -> Iterator[tuple[str | None, pd.DataFrame]]:
    """Yield the scores of a journal, of a table, or of each group of the rows of a table.

    Parameters
    ----------
    data : path
        A journal, or the file of a table.
    group : str, optional
        Analyze the rows of each value of this column separately.
    by : str, optional
        For a journal: "item" for a column per item, or a label of the items, such as "domain", for
        a column per value.
    condition : str, optional
        For a journal: condition whose answers count; needed if it has several.
    benchmark : str, optional
        Benchmark whose items are analyzed, in a journal or in columns BENCHMARK:INDEX; needed if
        there are several. "all" analyzes the items of all benchmarks together.
    usual : str
        The columns of a journal if `by` names none.
    keep : sequence of str
        Columns of a table that describe its rows and are no scores; they stand last.
    **table : any
        Rows and columns of the table (`TableOptions`).

    Yields
    ------
    tuple of str and DataFrame
        Name of the group, None for all rows; scores of one benchmark, or of all together.

    Raises
    ------
    ParameterError
        For options of a journal with a table, and of a table with a journal.
    """
    selection = selection_of(table)
    if keep and is_journal(data):
        raise ParameterError(
            f"columns that describe rows ({', '.join(keep)}) are those of a table; {str(data)!r} "
            "is a journal: write its scores with gfactor matrix JOURNAL --by item -o FILE, and add "
            "the columns"
        )
    if is_journal(data):
        if group is not None:
            raise ParameterError(
                f"{option('group')} is for tables; {str(data)!r} is a journal: choose a condition "
                f"with {option('condition')} and a benchmark with {option('benchmark')}"
            )
        scores = scores_of_journal(data, by or usual, condition, benchmark)
        yield None, scores if selection == EVERYTHING else selection.of(scores, str(data))
        return
    for name, value in {"by": by, "condition": condition}.items():
        if value is not None:
            raise ParameterError(
                f"{option(name)} is for a journal; {str(data)!r} is a table of scores"
            )
    for part, scores in scores_by_group(Path(data), selection, group, keep):
        described = scores.reindex(columns=list(keep))
        items = items_of_one_benchmark(scores.drop(columns=list(keep)), benchmark, repr(str(data)))
        yield part, pd.concat([items, described], axis=1) if keep else items


def scores_of_journal(
    journal: JournalLike, by: str, condition: str | None = None, benchmark: str | None = None
) -> pd.DataFrame:
    """Return the scores of the members of a population, by item or by a label of the items.

    Parameters
    ----------
    journal : Journal or path
        Journal with the answers.
    by : str
        Label that forms the columns, or "item".
    condition : str, optional
        Condition whose answers count; needed if the journal holds several.
    benchmark : str, optional
        Benchmark whose answers count; needed if the journal holds several.

    Returns
    -------
    DataFrame
        Examinees x columns, 0 to 1.

    Raises
    ------
    ParameterError
        If conditions or benchmarks would be pooled, or nobody but bounds has answered.
    UnknownNameError
        For an unknown label, condition or benchmark.
    """
    members = scored_members(journal, condition, benchmark)
    if by == "item":
        for one in translations(members, TABLE_OF_ONE):
            tell(f"note: {one.sentence} {one.remedy}")
    return matrix(members, by).scores


def scored_members(
    journal: JournalLike, condition: str | None = None, benchmark: str | None = None
) -> pd.DataFrame:
    """Return the scored answers of the members of a population to one benchmark.

    Parameters and exceptions are those of `scores_of_journal`.
    """
    with opened(journal) as open_journal:
        scoring = scoring_of((), condition, None, BENCHMARKS_POLICY, {})
        table = one_benchmark(scoring.one_condition(open_journal), benchmark)
        if bool(table["missing"].to_numpy(bool).all()):
            raise nothing_counts(open_journal, table)
        bounds = sorted({name for name in map(str, table["examinee"]) if role_of(name) in BOUNDS})
        members = pick(table, ~table["examinee"].isin(bounds).to_numpy())
        if members.empty:
            raise ParameterError(
                f"journal {open_journal.name!r} holds only answers of baselines and the ideal "
                "observer, which do not belong to a population of examinees; have other examinees "
                "answer, or give a table (gfactor matrix JOURNAL -o FILE)"
            )
        if bounds:
            tell(
                f"note: left out: {', '.join(bounds)}; baselines and the ideal observer do not "
                "belong to a population of examinees"
            )
        return members

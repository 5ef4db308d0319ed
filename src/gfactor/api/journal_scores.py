"""Scores of a journal for an analysis of a table: examinees in rows, items or domains in columns.

An analysis of factors or of reliability reads a table. Of a journal it reads the answers of one
benchmark under one condition, without baselines and the ideal observer, which are bounds and no
members of a population; the same as `gfactor analyze irt` does.
"""

from __future__ import annotations

import pandas as pd

from gfactor.api.deciding import one_benchmark
from gfactor.api.irt_data import BOUNDS
from gfactor.api.progress_bars import tell
from gfactor.api.scoring import nothing_counts, scoring_of
from gfactor.api.taking import JournalLike, opened
from gfactor.errors import ParameterError
from gfactor.reports.results import role_of
from gfactor.scoring import matrix
from gfactor.scoring.frames import pick
from gfactor.scoring.policies import BENCHMARKS_POLICY


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
    with opened(journal) as open_journal:
        scoring = scoring_of((), condition, None, BENCHMARKS_POLICY, {})
        table = one_benchmark(scoring.one_condition(open_journal), benchmark)
        if bool(table["missing"].to_numpy(bool).all()):
            raise nothing_counts(open_journal, table)
        bounds = sorted({name for name in map(str, table["examinee"]) if role_of(name) in BOUNDS})
        members = pick(table, ~table["examinee"].isin(bounds).to_numpy())
        if members.empty:
            raise ParameterError(
                f"journal {open_journal.name!r} holds answers of baselines and the ideal observer "
                "alone, which are bounds and no members of a population; have others asked, or "
                "give a "
                "table (gfactor matrix JOURNAL -o FILE)"
            )
        if bounds:
            tell(f"note: {', '.join(bounds)}: bounds and no members of a population; left out")
        return matrix(members, by).scores

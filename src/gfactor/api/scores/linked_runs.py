"""Runs that common items link, and warnings on those that they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from gfactor.administration.storing.marked_people import PERSON
from gfactor.api.scores.answer_warnings import other_items
from gfactor.frames import pick
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.linking import linked_groups
from gfactor.results import number_of
from gfactor.scoring.sampling import ITEM


def linked_rows(rows: pd.DataFrame, benchmark: str) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Return the rows of the runs that can be ranked together, and warnings on the others.

    Parameters
    ----------
    rows : DataFrame
        Scores of a benchmark with the columns `run` and `score`.
    benchmark : str
        Name of the benchmark, for the warnings.

    Returns
    -------
    tuple of DataFrame and list of Diagnostic
        The rows of the largest group of runs that common items link: none if no two runs answered
        the same item.
    """
    table = rows.pivot_table(values="score", index=ITEM, columns="run", aggfunc="mean")
    groups = [[str(table.columns[k]) for k in group] for group in linked_groups(table)]
    if not groups:
        return rows, []
    ranked = groups.pop(0) if len(groups[0]) > 1 else []
    if not groups or (not ranked and len(groups) == 1):
        return rows, []
    answered: Any = table.notna().sum()
    single = [group[0] for group in groups if len(group) == 1]
    warnings = [
        other_items(run, benchmark, int(answered[run]), {"examinee": run, "benchmark": benchmark})
        for run in single
        if not run.startswith(PERSON)
    ]
    people = [run for run in single if run.startswith(PERSON)]
    apart = [*([people] if people else []), *(group for group in groups if len(group) > 1)]
    warnings += [_left_out(group, benchmark, len(ranked)) for group in apart]
    return pick(rows, rows["run"].isin(ranked).to_numpy()), warnings


def _left_out(runs: Sequence[str], benchmark: str, ranked: int) -> Diagnostic:
    """Return the warning on runs that no common item links to those that are ranked."""
    whom = (
        f"the {number_of(ranked, 'examinee')} that are ranked" if ranked else "any other examinee"
    )
    verb = "has" if len(runs) == 1 else "have"
    return Diagnostic(
        "other_items", "warning",
        f"{first_few(runs, between='; ')} {verb} no item of {benchmark} in common with {whom}, and "
        f"{'is' if len(runs) == 1 else 'are'} left out of ranks and differences.",
        "Compare those who answered the same items, such as the same language of a study, by "
        "naming them (--examinee).",
        values={"runs": list(runs), "benchmark": benchmark, "ranked": ranked},
    )  # fmt: skip

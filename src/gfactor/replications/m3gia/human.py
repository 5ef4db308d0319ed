"""Human data: the sample on whose scale the repaired route scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.respondents import recover_grid
from gfactor.replications.m3gia.battery import INDICATORS, POINTS, indicator


@dataclass(frozen=True)
class HumanSample:
    """Persons on the metric of right answers.

    Parameters
    ----------
    counts: persons x 18, in points.
    given: "counts", "shares" or "z-scores".
    slack: per question type, the number of points by which all counts may be too high; 0 if the
        counts are known. z-scores determine the distances between persons, but not the zero
        point; we then assume that the best person has everything right.
    diagnostics: findings about these assumptions.
    """

    counts: pd.DataFrame
    given: str
    slack: NDArray[np.float64]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def values(self) -> NDArray[np.float64]:
        return self.counts.to_numpy(float)

    @property
    def n(self) -> int:
        return len(self.counts)


def read_human(given: pd.DataFrame, language: str = "") -> HumanSample:
    """Read human data from a table with persons in the index and question types in the columns.

    Values are whole counts, shares of right answers (from 0 to 1), or z-scores of counts, whose
    unit is found from their spacing. Raises ParameterError, with the flaw, for other values.
    """
    named = {column: indicator(str(column)) for column in given.columns}
    columns = [column for column, name in named.items() if name]
    missing = [name for name in INDICATORS if name not in named.values()]
    what = f"the {language} human data" if language else "the human data"
    if missing:
        raise ParameterError(f"{what} lack the question type {missing[0]!r}; all 18 are needed")
    table = given.loc[:, columns].set_axis([str(named[c]) for c in columns], axis=1)
    table = table.loc[:, list(INDICATORS)].astype(float).dropna()
    x = table.to_numpy(float)
    if len(x) < 20:
        raise ParameterError(
            f"{what} hold {len(x)} complete persons; a model of 18 indicators needs at least 20"
        )
    dropped = len(given) - len(x)
    diagnostics = list(_dropped(dropped, len(given), what))
    slack = np.zeros(len(INDICATORS))
    if (x >= 0).all() and (x <= 1).all():
        x, kind = x * POINTS, "shares"
    elif (x >= 0).all() and (x <= POINTS).all():
        kind = "counts"
    elif np.abs(x.mean(axis=0)).max() < 0.2 and np.abs(x.std(axis=0, ddof=1) - 1).max() < 0.2:
        x, slack = _from_z(x, what)
        kind = "z-scores"
        diagnostics += _assumed(what, slack, x)
    else:
        row, column = np.argwhere((x < 0) | (x > POINTS))[0]
        raise ParameterError(
            f"{what} are neither counts nor shares nor z-scores: {x[row, column]:g} in "
            f"{INDICATORS[column]} (0 to {POINTS[column]:g} points)"
        )
    counts = pd.DataFrame(x, index=table.index, columns=list(INDICATORS))
    return HumanSample(counts, kind, slack, tuple(diagnostics))


def _from_z(z: NDArray[np.float64], what: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts with the best person at all points, and how far down all of them could be."""
    counts, slack = np.empty_like(z), np.empty(z.shape[1])
    for c, name in enumerate(INDICATORS):
        grid = recover_grid(z[:, c])
        if grid is None or grid.steps > POINTS[c]:
            raise ParameterError(
                f"{what} look like z-scores, but {name} does not lie on a grid of at most "
                f"{POINTS[c]:g} points, so that the unit of its counts is unknown; give counts"
            )
        counts[:, c] = grid.codes + POINTS[c] - grid.steps
        slack[c] = POINTS[c] - grid.steps
    return counts, slack


def _assumed(what: str, slack: NDArray[np.float64], x: NDArray[np.float64]) -> Iterator[Diagnostic]:
    share = x.mean(axis=0).sum() / POINTS.sum()
    yield Diagnostic(
        "origin_of_counts_assumed",
        "warning",
        f"{what[0].upper()}{what[1:]} are z-scores: their spacing gives the unit of the counts but "
        "not where zero is. The best person is taken to have every question of a type right "
        f"(human mean {share:.0%} of all points); the counts could be up to {slack.max():g} points "
        "lower in a type, and models would then look better.",
        "Give raw counts.",
        tuple(name for name, s in zip(INDICATORS, slack, strict=True) if s > 0),
        {name: float(s) for name, s in zip(INDICATORS, slack, strict=True)},
    )


def _dropped(dropped: int, n: int, what: str) -> Iterator[Diagnostic]:
    if dropped:
        yield Diagnostic(
            "incomplete_persons",
            "warning",
            f"{dropped} of {n} persons in {what} lack a value and were left out.",
            "Give complete rows; nothing is imputed.",
        )

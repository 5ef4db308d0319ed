"""Bootstrap intervals of a fit: the model fitted again to resampled cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import fit_problem
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.results.estimates import values_and_errors
from gfactor.psychometrics.sem.sample import GroupSample, Sample

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Resampled:
    """Estimates of resamples.

    Parameters
    ----------
    intervals: one row per row of the parameter table that is no constraint: lhs, op, rhs, group,
        est, se (standard deviation over resamples), low, high (percentiles).
    draws: resamples x those rows.
    asked, kept: resamples drawn, and those that ended in a proper minimum.
    lost: how many of the others, by reason.
    level: of the intervals.
    """

    intervals: pd.DataFrame
    draws: Array = field(repr=False)
    asked: int
    kept: int
    lost: dict[str, int]
    level: float
    diagnostics: tuple[Diagnostic, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; without the draws."""
        rows = self.intervals.to_dict("records")
        return {
            "asked": self.asked,
            "kept": self.kept,
            "lost": self.lost,
            "level": self.level,
            "intervals": [
                {
                    str(k): None if isinstance(v, float) and not np.isfinite(v) else v
                    for k, v in row.items()
                }
                for row in rows
            ],
            "diagnostics": [one.to_dict() for one in self.diagnostics],
        }


def resample(
    fit: Fit,
    draws: int,
    *,
    seed: int = 0,
    level: float = 0.95,
    watch: Callable[[int], object] | None = None,
) -> Resampled:
    """Fit the model to `draws` resamples of its cases (within groups), from its own estimates on.

    Parameters
    ----------
    draws: 1000 and more for intervals. seed: of a PCG64 generator.
    watch: called with 1 after each resample.

    Percentile intervals of all parameters and definitions. Resamples without a proven minimum are
    left out and counted by reason.

    Raises
    ------
    ParameterError: a fit to moments without cases, to ordinal variables, or fewer than two draws.
    """
    groups = fit.sample.groups
    if draws < 2:
        raise ParameterError(f"a bootstrap needs two or more resamples, not {draws}")
    if any(group.rows is None for group in groups):
        raise ParameterError("the model was fitted to moments; a bootstrap needs the cases")
    if any(row.op == "|" for row in fit.table):
        raise ParameterError("a bootstrap of ordinal variables is not supported")
    rng = np.random.Generator(np.random.PCG64(seed))
    found: list[Array] = []
    lost: dict[str, int] = {}
    for _ in range(draws):
        parts = tuple(_drawn(group, rng) for group in groups)
        try:
            sample = Sample(fit.sample.variables, parts, fit.sample.has_means)
            problem = problem_of(fit.table, sample, fit.options)
            again = fit_problem(fit.model, fit.table, problem, start=fit.theta)
        except (GfactorError, np.linalg.LinAlgError) as error:
            reason = str(error)
        else:
            reason = "" if again.converged else again.convergence.sentence
            if not reason:
                found.append(_values(again.estimated, again))
        if reason:
            lost[reason] = lost.get(reason, 0) + 1
        if watch:
            watch(1)
    return _collected(fit, found, draws, lost, level)


def _drawn(group: GroupSample, rng: np.random.Generator) -> GroupSample:
    rows = np.asarray(group.rows)[rng.integers(0, group.n, size=group.n)]
    shown = ~np.isnan(rows)
    counts = np.maximum(shown.sum(axis=0), 1)
    mean = np.where(shown, rows, 0.0).sum(axis=0) / counts
    away = np.where(shown, rows - mean, 0.0)
    cov = away.T @ away / group.n if shown.all() else np.diag((away**2).sum(axis=0) / counts)
    return GroupSample(group.label, group.n, mean, cov, rows, np.arange(group.n))


def _values(estimated: Estimated, fit: Fit) -> Array:
    nothing = np.zeros((fit.table.n_free,) * 2)
    return values_and_errors(fit.table, estimated.theta, nothing)[0]


def _collected(
    fit: Fit, found: list[Array], asked: int, lost: dict[str, int], level: float
) -> Resampled:
    rows = [k for k, row in enumerate(fit.table) if row.op not in {"==", "<", ">"}]
    est = _values(fit.estimated, fit)[rows]
    draws = np.array(found).reshape(-1, len(fit.table))[:, rows]
    enough = len(draws) > 1
    tail = (1 - level) / 2
    blank = np.full(len(rows), np.nan)
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0) if enough else (blank, blank)
    table = fit.table.rows
    frame = pd.DataFrame(
        {
            "lhs": [table[k].lhs for k in rows],
            "op": [table[k].op for k in rows],
            "rhs": [table[k].rhs for k in rows],
            "group": [table[k].group for k in rows],
            "est": est,
            "se": draws.std(axis=0, ddof=1) if enough else blank,
            "low": low,
            "high": high,
        }
    )
    checks: list[Diagnostic] = []
    if len(draws) < 0.98 * asked:
        reasons = "; ".join(f"{count} times: {reason}" for reason, count in lost.items())
        checks.append(
            Diagnostic(
                "resamples_lost",
                "error" if len(draws) < 0.8 * asked else "warning",
                f"{asked - len(draws)} of {asked} resamples gave no proper fit ({reasons}).",
                "The intervals stand for the others only and are too narrow; simplify the model.",
                values={"asked": asked, "kept": len(draws)},
            )
        )
    return Resampled(frame, draws, asked, len(draws), lost, level, tuple(checks))

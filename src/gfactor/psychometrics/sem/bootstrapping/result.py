"""Result of a fit's bootstrap, and the fit's standard errors from it: se = "bootstrap"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.resampling import Bootstrap, Method
from gfactor.psychometrics.sem.batches import FAILED, IMPROPER, INFINITE, PROPER, ManyFits
from gfactor.psychometrics.sem.bootstrapping.resamples import Kind
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.results.estimates import tests_and_intervals

_WORDS = {
    "plain": "cases resampled",
    "bollen-stine": "cases moved to the model and resampled (Bollen-Stine)",
    "parametric": "cases simulated from the model",
}


@dataclass(frozen=True, repr=False, kw_only=True)
class FitBootstrap(Bootstrap):
    """The bootstrap of a fitted model, with a statistic for each row of the table that is not a
    constraint.

    Parameters
    ----------
    fit: fit that was bootstrapped. kind: "plain", "bollen-stine" or "parametric".
    fits: fits of all resamples, in order.
    standardized: the bootstrap of the standardized solution (std.all), from the same resamples.

    Draws hold every resample that ended in a minimum, improper ones too (without them, intervals
    would be too narrow), and those at infinity, whose running parameters are infinite and whose
    other parameters and standardized solution are exact.
    """

    fit: Fit
    kind: Kind
    fits: ManyFits
    standardized: Bootstrap

    @property
    def shares(self) -> dict[str, int]:
        """Return the numbers of resamples that ended proper, improper, at infinity, or failed."""
        return {kind: self.fits.count(kind) for kind in (PROPER, IMPROPER, INFINITE, FAILED)}

    @property
    def statistic(self) -> float:
        """The sample's own chi-square."""
        return float(2 * self.fit.problem.cases * self.fit.outcome.value)

    @property
    def counted(self) -> int:
        """Resamples with a chi-square."""
        return int(np.isfinite(self.fits.chisq).sum())

    @property
    def p_value(self) -> float | None:
        """Bollen and Stine's p-value: the share of chi-squares, in samples from a population in
        which the model is true, that are at least the sample's, (1 + count) / (1 + samples), which
        is never zero; None for the plain bootstrap."""
        if self.kind == "plain" or not self.counted:
            return None
        finite = self.fits.chisq[np.isfinite(self.fits.chisq)]
        return float((1 + (finite >= self.statistic).sum()) / (1 + len(finite)))

    def interval_table(
        self, method: Method = "percentile", *, standardized: bool = False
    ) -> pd.DataFrame:
        """Return one line per parameter and definition: lhs, op, rhs, group, est, bias, se, low,
        high; see `Bootstrap.interval_table`. Fixed parameters have se 0 and no interval."""
        if standardized:
            return self.standardized.interval_table(method)
        return super().interval_table(method)

    @cached_property
    def covariance(self) -> np.ndarray:
        """Return the covariance of the free parameters over draws, see `covariance_of_draws`."""
        return covariance_of_draws(self.fits)

    def applied(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a table of estimates with these percentile intervals, and with definitions'
        standard deviations over the resamples (divisor one less than their number, as in
        lavaan)."""
        table = self.intervals
        applied = frame.copy()
        error = frame["se"].to_numpy(dtype=float, copy=True)
        defined = (frame["op"] == ":=").to_numpy()
        error[defined] = table["se"].to_numpy(dtype=float)[defined]
        values = frame["est"].to_numpy(dtype=float)
        tests = tests_and_intervals(values, error, self.level)
        for name in ("se", "z", "pvalue"):
            applied[name] = tests[name]
        moved = error != 0
        for name, limit in (("ci.lower", "low"), ("ci.upper", "high")):
            applied[name] = np.where(moved, table[limit].to_numpy(dtype=float), values)
        return applied

    @property
    def title(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.shares.items() if count)
        line = (
            f"Bootstrap, {self.n_bootstrap} samples of n = {self.n}, {_WORDS[self.kind]}: {counts}."
        )
        if self.p_value is not None:
            line += (
                f" Chi-square {self.statistic:.2f}: bootstrap p {p_value(self.p_value, '= ')} "
                f"({self.counted} statistics)."
            )
        return line

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "kind": self.kind,
            "seed": self.seed,
            "asked": self.n_bootstrap,
            "kept": self.kept,
            "shares": self.shares,
            "lost": self.failures,
            "level": self.level,
            "statistic": self.statistic,
            "p_value": self.p_value,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"intervals": self.intervals, "standardized": self.standardized.intervals}

    def _lines(self) -> list[str]:
        frame = self.intervals
        rows = frame.loc[~(frame["low"].isna() & frame["high"].isna())].to_dict("records")
        table = pd.DataFrame(
            {
                "": [_name(row) for row in rows],
                "est": [_number(row["est"]) for row in rows],
                "se": [_number(row["se"]) for row in rows],
                f"{self.level:.0%} interval": [
                    f"[{_number(row['low'])}, {_number(row['high'])}]" for row in rows
                ],
            }
        )
        return [self.title, table.to_string(index=False)]


def covariance_of_draws(fits: ManyFits) -> np.ndarray:
    """Return the covariance of the free parameters over the resamples that ended in a minimum, with
    their number as divisor, as in lavaan. NaN for parameters that diverge in a resample.

    Raises ParameterError if fewer than two resamples have a solution.
    """
    draws = fits.theta[fits.kept]
    if len(draws) < 2:
        raise ParameterError(
            f"{len(draws)} of {len(fits.theta)} resamples have a solution, and standard errors "
            "need two or more; take se = 'standard' or another model."
        )
    finite = np.isfinite(draws).all(axis=0)
    away = np.where(finite, draws - np.where(finite, draws, 0.0).mean(axis=0), 0.0)
    out = away.T @ away / len(draws)
    out[~finite], out[:, ~finite] = np.nan, np.nan
    return out


def _name(row: dict[Any, Any]) -> str:
    group = f" (group {row['group']})" if row["group"] and row["group"] > 1 else ""
    return f"{row['lhs']} {row['op']} {row['rhs']}{group}".strip()


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"

"""What a bootstrap of a fit returns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.batches import FAILED, IMPROPER, INFINITE, PROPER, ManyFits
from gfactor.psychometrics.sem.bootstrapping.acceleration import acceleration
from gfactor.psychometrics.sem.bootstrapping.errors import covariance_of_draws, with_bootstrap
from gfactor.psychometrics.sem.bootstrapping.intervals import METHODS, Method, interval, spread
from gfactor.psychometrics.sem.bootstrapping.resamples import Kind
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class Bootstrap(Result):
    """A fitted model's bootstrap.

    Parameters
    ----------
    fit: what was bootstrapped. kind: "plain", "bollen-stine" or "parametric". seed: of the draws.
    fits: of all resamples, in order. level: of intervals.
    est, standardized_est: the sample's own values, per row of the table.
    diagnostics: what became of resamples that did not end in a proper solution.

    Draws hold every resample that ended in a minimum, improper ones too (without them, intervals
    would be too narrow), and those at infinity, whose running parameters are infinite and whose
    other parameters and standardized solution are exact.
    """

    fit: Fit = field(repr=False)
    kind: Kind
    seed: int | None
    fits: ManyFits = field(repr=False)
    level: float
    est: np.ndarray = field(repr=False)
    standardized_est: np.ndarray = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def asked(self) -> int:
        """Resamples drawn."""
        return len(self.fits)

    @property
    def kept(self) -> int:
        """Resamples that count: all but failed ones."""
        return int(self.fits.kept.sum())

    @property
    def n(self) -> int:
        return self.fit.n

    @property
    def lost(self) -> dict[str, int]:
        """Failed resamples by reason."""
        return self.fits.reasons(FAILED)

    @property
    def shares(self) -> dict[str, int]:
        """How many resamples ended proper, improper, at infinity, or failed."""
        return {kind: self.fits.count(kind) for kind in (PROPER, IMPROPER, INFINITE, FAILED)}

    @cached_property
    def rows(self) -> np.ndarray:
        """Places in the table of what intervals are about: all but constraints."""
        ops = [row.op not in {"==", "<", ">"} for row in self.fit.table]
        return np.flatnonzero(ops)

    @cached_property
    def draws(self) -> np.ndarray:
        """Estimates, kept resamples x those rows."""
        return self.fits.values[self.fits.kept][:, self.rows]

    @cached_property
    def standardized_draws(self) -> np.ndarray:
        """The same of the standardized solution (std.all)."""
        return self.fits.standardized[self.fits.kept][:, self.rows]

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
        """Share of chi-squares of samples for which the model holds that are no smaller than the
        sample's: (1 + count) / (1 + samples), which is never zero; None for the plain bootstrap."""
        if self.kind == "plain" or not self.counted:
            return None
        known = self.fits.chisq[np.isfinite(self.fits.chisq)]
        return float((1 + (known >= self.statistic).sum()) / (1 + len(known)))

    def interval_table(
        self, method: Method = "percentile", *, standardized: bool = False
    ) -> pd.DataFrame:
        """One line per parameter and definition: lhs, op, rhs, group, est, bias, se, low, high.

        Parameters
        ----------
        method: "percentile" (equivariant, no assumption of a pivot), "basic", "normal" (bias
            corrected), "bca" (second-order accurate; refits the model without each case).
        standardized: of the standardized solution.

        `se` is the standard deviation over draws; None-like (NaN) where some draws are infinite.
        Fixed parameters have se 0 and no interval.
        """
        if method not in METHODS:
            raise ParameterError(
                f"there is no interval {method!r}; there are {', '.join(METHODS)}."
            )
        draws = self.standardized_draws if standardized else self.draws
        est = (self.standardized_est if standardized else self.est)[self.rows]
        tilt = None
        if method == "bca":
            values, standard = self._acceleration
            tilt = (standard if standardized else values)[self.rows]
        low, high = interval(draws, est, self.level, method, tilt)
        table = self.fit.table.rows
        with np.errstate(invalid="ignore"):
            error = spread(draws)
            known = np.isfinite(draws).all(axis=0) & (len(draws) > 1)
            middle = np.where(known, np.where(known, draws, 0.0).mean(axis=0), np.nan)
        return pd.DataFrame(
            {
                "lhs": [table[k].lhs for k in self.rows],
                "op": [table[k].op for k in self.rows],
                "rhs": [table[k].rhs for k in self.rows],
                "group": [table[k].group for k in self.rows],
                "est": est,
                "bias": np.where(error > 0, middle - est, np.where(error == 0, 0.0, np.nan)),
                "se": error,
                "low": low,
                "high": high,
            }
        )

    @cached_property
    def covariance(self) -> np.ndarray:
        """Of the free parameters over the draws, see `errors.covariance_of_draws`."""
        return covariance_of_draws(self)

    def applied(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The fit's table of estimates with these intervals, see `errors.with_bootstrap`."""
        return with_bootstrap(frame, self)

    @cached_property
    def _acceleration(self) -> tuple[np.ndarray, np.ndarray]:
        return acceleration(self.fit)

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Percentile intervals of the estimates."""
        return self.interval_table()

    @property
    def title(self) -> str:
        words = {
            "plain": "cases resampled",
            "bollen-stine": "cases moved to the model and resampled (Bollen-Stine)",
            "parametric": "cases simulated from the model",
        }[self.kind]
        counts = ", ".join(f"{count} {kind}" for kind, count in self.shares.items() if count)
        line = f"Bootstrap, {self.asked} samples of n = {self.n}, {words}: {counts}."
        if self.p_value is not None:
            line += (
                f" Chi-square {self.statistic:.2f}: bootstrap p = {self.p_value:.4f} "
                f"({self.counted} statistics)."
            )
        return line

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "kind": self.kind,
            "seed": self.seed,
            "asked": self.asked,
            "kept": self.kept,
            "shares": self.shares,
            "lost": self.lost,
            "level": self.level,
            "statistic": self.statistic,
            "p_value": self.p_value,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "intervals": self.intervals,
            "standardized": self.interval_table(standardized=True),
        }

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


def _name(row: dict[Any, Any]) -> str:
    group = f" (group {row['group']})" if row["group"] and row["group"] > 1 else ""
    return f"{row['lhs']} {row['op']} {row['rhs']}{group}".strip()


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"

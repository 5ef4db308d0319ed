"""What a bootstrap of a fit returns."""

from __future__ import annotations

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
from gfactor.psychometrics.sem.bootstrapping.text import as_html, as_text, plain
from gfactor.psychometrics.sem.fitted import Fit


@dataclass(frozen=True)
class Bootstrap:
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

    def summary(self) -> str:
        """Diagnostics, what became of the resamples, percentile intervals."""
        return as_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; without the draws. Infinite limits are None."""
        return {
            "kind": self.kind,
            "seed": self.seed,
            "asked": self.asked,
            "kept": self.kept,
            "shares": self.shares,
            "lost": self.lost,
            "level": self.level,
            "statistic": plain(self.statistic),
            "p_value": self.p_value,
            "intervals": _records(self.intervals),
            "standardized": _records(self.interval_table(standardized=True)),
            "diagnostics": [one.to_dict() for one in self.diagnostics],
        }

    def _repr_html_(self) -> str:
        return as_html(self)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(k): plain(v) for k, v in row.items()} for row in frame.to_dict("records")]

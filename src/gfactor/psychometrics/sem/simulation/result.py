"""Result of a simulation study."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import chdtri

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.batches import FAILED, IMPROPER, INFINITE, PROPER
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.results import Result


@dataclass(frozen=True)
class Replications:
    """Raw results, one row per sample.

    Parameters
    ----------
    theta, errors: estimates and standard errors of free parameters, shape (R, n_free).
    chisq: test statistics, shape (R,). kind, reason: as `batches.ManyFits` has them.
    """

    theta: np.ndarray
    errors: np.ndarray
    chisq: np.ndarray
    kind: np.ndarray
    reason: np.ndarray

    def __len__(self) -> int:
        return len(self.theta)

    def reasons(self, kind: str) -> dict[str, int]:
        """Return the reasons of samples of a kind, the most frequent first."""
        return dict(Counter(self.reason[self.kind == kind].tolist()).most_common())


@dataclass(frozen=True, repr=False)
class SimulationStudy(Result):
    """Results of fitting a model to samples from a known population.

    Parameters
    ----------
    reference: the model at the population's moments; its estimates are the true values.
    counts: cases per group. seed: seed of the samples. level: confidence level of intervals; z: its
    normal quantile. runs: raw results.
    diagnostics: limits to the use of the study.
    """

    reference: Fit = field(repr=False)
    counts: tuple[int, ...]
    seed: int
    level: float
    runs: Replications = field(repr=False)
    z: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def replications(self) -> int:
        return len(self.runs)

    @property
    def shares(self) -> dict[str, int]:
        """Return the numbers of samples that ended proper, improper, at infinity, or failed."""
        kinds = (PROPER, IMPROPER, INFINITE, FAILED)
        return {kind: int((self.runs.kind == kind).sum()) for kind in kinds}

    @property
    def rejected(self) -> float:
        """Share of finite test statistics beyond the 95 % quantile of their chi-square
        distribution."""
        finite = self.runs.chisq[np.isfinite(self.runs.chisq)]
        df = self.reference.problem.df
        if not len(finite) or df < 1:
            return float("nan")
        return float((finite > chdtri(df, 0.05)).mean())

    @cached_property
    def parameters(self) -> pd.DataFrame:
        """One line per free parameter: lhs, op, rhs, group, true, mean, bias, relative_bias, sd
        (over samples), se (mean), se_ratio (se / sd), coverage and its Monte-Carlo standard error,
        power (share of samples that reject zero), n (samples used: finite estimate and standard
        error, improper solutions included)."""
        lines = []
        for row in sorted((r for r in self.reference.table.rows if r.free), key=lambda r: r.free):
            est = self.runs.theta[:, row.free - 1]
            error = self.runs.errors[:, row.free - 1]
            use = np.isfinite(est) & np.isfinite(error)
            lines.append(
                {"lhs": row.lhs, "op": row.op, "rhs": row.rhs, "group": row.group}
                | self._line(float(self.reference.theta[row.free - 1]), est[use], error[use])
            )
        return pd.DataFrame(lines)

    def _line(self, true: float, est: np.ndarray, error: np.ndarray) -> dict[str, float]:
        count = len(est)
        if count < 2:
            return {"true": true, "n": count}
        mean, sd = float(est.mean()), float(est.std(ddof=1))
        covered = float((np.abs(est - true) <= self.z * error).mean())
        return {
            "true": true,
            "mean": mean,
            "bias": mean - true,
            "relative_bias": (mean - true) / true if abs(true) > 1e-10 else math.nan,
            "sd": sd,
            "se": float(error.mean()),
            "se_ratio": float(error.mean()) / sd if sd > 0 else math.nan,
            "coverage": covered,
            "coverage_se": math.sqrt(covered * (1 - covered) / count),
            "power": float((np.abs(est) > self.z * error).mean()),
            "n": count,
        }

    @property
    def title(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.shares.items() if count)
        size = " + ".join(str(n) for n in self.counts)
        return (
            f"{self.replications} samples of n = {size} (seed {self.seed}), estimator "
            f"{self.reference.options.estimator}: {counts}; chi-square test at 5 % rejects in "
            f"{self.rejected:.1%}."
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "replications": self.replications,
            "n": list(self.counts),
            "seed": self.seed,
            "level": self.level,
            "estimator": self.reference.options.estimator,
            "shares": self.shares,
            "failures": self.runs.reasons(FAILED),
            "rejected": self.rejected,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"parameters": self.parameters}

    def _lines(self) -> list[str]:
        table = self.parameters.drop(columns="coverage_se", errors="ignore")
        return [self.title, table.to_string(index=False, float_format="{:z.3f}".format)]

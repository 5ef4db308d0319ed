"""What an exploratory factor analysis found."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
from gfactor.psychometrics.factor.exploratory.fit import EfaFit
from gfactor.psychometrics.factor.exploratory.parallel import Parallel

HIDDEN = 0.1
"""Loadings below this are left blank in `summary()`; tables and `to_dict()` have all."""


@dataclass(frozen=True)
class Efa:
    """A rotated factor solution of a correlation matrix.

    Parameters
    ----------
    loadings: indicators x factors, the pattern (regression) coefficients; factors in the order of
        the variance they explain, each pointing where most of its loadings do.
    structure: indicators x factors, the correlations of both; equal to `loadings` where `phi` is
        the identity.
    phi: correlations of the factors.
    indicators: per indicator `communality`, `uniqueness`, `complexity` (Hofmann's index: how many
        factors it takes) and `smc`.
    variance: per factor `ss_loadings`, `proportion` of all variance, `cumulative`, and `of_common`.
    fit: chi-square, RMSEA, TLI, RMSR.
    residuals: observed minus reproduced correlations, 0 on the diagonal.
    correlations: the matrix that was analyzed.
    method, rotation, n, k, factors, starts, seed: what was asked for.
    agreeing, optima: share of the random starts that reached the best rotation, and how many
        different rotations they ended in.
    converged, gradient: of the extraction.
    parallel: the parallel analysis that chose the number of factors, where one did.
    diagnostics: what speaks against this result, gravest first.
    errors: standard errors of loadings, factor correlations and uniquenesses; None for methods
        other than "ml", for promax, and where a uniqueness lies on its bound.
    """

    loadings: pd.DataFrame
    structure: pd.DataFrame
    phi: pd.DataFrame
    indicators: pd.DataFrame
    variance: pd.DataFrame
    fit: EfaFit
    residuals: pd.DataFrame
    correlations: pd.DataFrame
    method: str
    rotation: str
    n: int
    k: int
    factors: int
    starts: int
    seed: int
    agreeing: float
    optima: int
    converged: bool
    gradient: float
    parallel: Parallel | None
    diagnostics: tuple[Diagnostic, ...]
    errors: EfaErrors | None = None

    @property
    def oblique(self) -> bool:
        """Whether the factors correlate."""
        return bool(np.abs(self.phi.to_numpy() - np.eye(self.factors)).max() > 1e-12)

    def summary(self) -> str:
        """The result as text: what speaks against it first."""
        fit = self.fit
        shown = self.loadings.round(3).astype(object).where(self.loadings.abs() >= HIDDEN, "")
        shown = shown.assign(
            h2=self.indicators["communality"].round(3), u2=self.indicators["uniqueness"].round(3)
        )
        lines = [
            *map(str, self.diagnostics),
            f"{self.factors} factors by {self.method}, rotation {self.rotation}; {self.n} persons "
            f"x {self.k} indicators",
            shown.to_string(),
            "",
            self.variance.T.round(3).to_string(),
        ]
        if self.oblique:
            lines += ["", "factor correlations", self.phi.round(3).to_string()]
        lines.append("")
        if fit.df > 0:
            lines.append(
                f"chi-square {fit.chi_square:.2f}, df {fit.df}, p {fit.p:.3g}; RMSEA "
                f"{fit.rmsea:.3f} [{fit.rmsea_low:.3f}, {fit.rmsea_high:.3f}], TLI {fit.tli:.3f}, "
                f"RMSR {fit.rmsr:.3f}"
            )
        else:
            lines.append(f"df {fit.df}: no test of fit; RMSR {fit.rmsr:.3f}")
        if self.errors is not None:
            size = self.errors.loadings.to_numpy()
            lines.append(
                f"standard errors of loadings {size.min():.3f} to {size.max():.3f} (normal theory)"
            )
        if self.factors > 1 and self.rotation != "none":
            lines.append(
                f"{self.agreeing:.0%} of {self.starts} random starts reached this rotation"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        rows = self.indicators.rename_axis("indicator").reset_index().to_dict("records")
        return {
            "method": self.method,
            "rotation": self.rotation,
            "factors": self.factors,
            "n": self.n,
            "k": self.k,
            "converged": self.converged,
            "gradient": self.gradient,
            "starts": self.starts,
            "seed": self.seed,
            "agreeing": self.agreeing,
            "optima": self.optima,
            "fit": self.fit.to_dict(),
            "loadings": _nested(self.loadings),
            "structure": _nested(self.structure),
            "phi": _nested(self.phi),
            "errors": None
            if self.errors is None
            else {
                "loadings": _nested(self.errors.loadings),
                "phi": _nested(self.errors.phi),
                "uniqueness": {str(k): float(v) for k, v in self.errors.uniqueness.items()},
            },
            "indicators": rows,
            "variance": self.variance.rename_axis("factor").reset_index().to_dict("records"),
            "residuals": _nested(self.residuals),
            "parallel": None if self.parallel is None else self.parallel.to_dict(),
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def _nested(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    return {
        str(row): {str(name): float(x) for name, x in zip(frame.columns, values, strict=True)}
        for row, values in zip(frame.index, frame.to_numpy(), strict=True)
    }

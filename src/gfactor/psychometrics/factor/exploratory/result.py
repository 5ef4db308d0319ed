"""Result of an exploratory factor analysis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gfactor.numbers_in_text import p_value, printed
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
from gfactor.psychometrics.factor.exploratory.fit import EfaFit
from gfactor.psychometrics.factor.exploratory.named_rotations import RotationSettings
from gfactor.psychometrics.factor.exploratory.parallel import Parallel
from gfactor.results import Result, by_row, named_rows

if TYPE_CHECKING:
    from gfactor.psychometrics.factor.exploratory.omega import SchmidLeiman

HIDDEN = 0.1
"""Loadings below this are left blank in `summary()`; tables and `to_dict()` have all."""


@dataclass(frozen=True, repr=False)
class Efa(Result):
    """A rotated factor solution of a correlation matrix.

    Parameters
    ----------
    loadings: indicators x factors, the pattern (regression) coefficients. Factors stand in the
        order of the variance that they explain, and have the sign with which most loadings are
        positive. The general factor of a bifactor rotation is the first; after a target rotation
        factors have the order of the target.
    structure: indicators x factors, their correlations; equal to `loadings` if factors do not
        correlate.
    phi: correlations of the factors.
    indicators: per indicator `communality`, `uniqueness`, `complexity` (Hofmann's index: the
        effective number of factors of the indicator) and `smc`.
    variance: per factor `ss_loadings`, `proportion` of all variance, `cumulative`, and
        `of_common`.
    fit: chi-square, RMSEA, TLI, RMSR.
    residuals: observed minus reproduced correlations, 0 on the diagonal.
    correlations: the matrix that was analyzed.
    method, rotation, settings, n, k, factors, starts, seed: options of the analysis (`settings` are
    the rotation's parameters) and size of the data.
    agreeing, optima: share of the random starts that reached the best rotation, and number of
        different rotations that the starts reached.
    converged, gradient: state of the extraction at its end.
    parallel: the parallel analysis that chose the number of factors, if one did.
    diagnostics: limits to the use of the solution, errors first.
    errors: standard errors of loadings, factor correlations and uniquenesses; None for methods
        other than "ml", for promax, and if a uniqueness lies on its bound.
    general: the general factor of the Schmid-Leiman transformation, if it was requested.
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
    settings: RotationSettings
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
    general: SchmidLeiman | None = None

    @property
    def oblique(self) -> bool:
        """Return True if the factors correlate."""
        return bool(np.abs(self.phi.to_numpy() - np.eye(self.factors)).max() > 1e-12)

    @property
    def fit_measures(self) -> pd.Series:
        """`fit` as a Series, NaN if there are no degrees of freedom."""
        return pd.Series(vars(self.fit), dtype=float)

    def schmid_leiman(self) -> SchmidLeiman:
        """Return the general factor of the Schmid-Leiman transformation, with omega; see
        `gfactor.psychometrics.factor.exploratory.schmid_leiman`.
        """
        from gfactor.psychometrics.factor.exploratory import omega  # noqa: PLC0415  (imports this file)

        return omega.schmid_leiman(self)

    @property
    def title(self) -> str:
        changed = ", ".join(
            f"{name} {value:g}" for name, value in self.settings.changed(self.rotation).items()
        )
        return (
            f"{self.factors} factors by {self.method}, rotation {self.rotation}"
            f"{f' ({changed})' if changed else ''}; {self.n} persons x {self.k} indicators"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = (
            "method", "rotation", "factors", "n", "k", "converged", "gradient", "starts", "seed",
            "agreeing", "optima",
        )  # fmt: skip
        changed = self.settings.changed(self.rotation)
        return {
            **{name: getattr(self, name) for name in names},
            **({"rotation_settings": changed} if changed else {}),
            "fit": vars(self.fit),
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "loadings": self.loadings,
            "structure": self.structure,
            "phi": self.phi,
            "indicators": named_rows(self.indicators, "indicator"),
            "variance": named_rows(self.variance, "factor"),
            "residuals": self.residuals,
        }

    def _document(self) -> Mapping[str, Any]:
        tables, errors = self.tables, self.errors
        return {
            **self.facts,
            **{name: by_row(tables[name]) for name in ("loadings", "structure", "phi")},
            "errors": None
            if errors is None
            else {
                "loadings": by_row(errors.loadings),
                "phi": by_row(errors.phi),
                "uniqueness": errors.uniqueness,
            },
            **{name: tables[name] for name in ("indicators", "variance")},
            "residuals": by_row(self.residuals),
            "parallel": self.parallel,
            "diagnostics": self.diagnostics,
            **({} if self.general is None else {"general": self.general}),
        }

    def _lines(self) -> list[str]:
        fit = self.fit
        visible = self.loadings.where(self.loadings.abs() >= HIDDEN).assign(
            h2=self.indicators["communality"], u2=self.indicators["uniqueness"]
        )
        lines = [self.title, printed(visible, missing="")]
        if visible.isna().to_numpy().any():
            lines.append(f"empty cells: loadings below {HIDDEN:g}, of either sign")
        lines += ["", printed(self.variance.T)]
        if self.oblique:
            lines += ["", "factor correlations", printed(self.phi)]
        lines.append("")
        if fit.df > 0:
            lines.append(
                f"chi-square {fit.chi_square:.2f}, df {fit.df}, p {p_value(fit.p, '= ')}; RMSEA "
                f"{fit.rmsea:.3f} [{fit.rmsea_low:z.3f}, {fit.rmsea_high:z.3f}], "
                f"TLI {fit.tli:.3f}, RMSR {fit.rmsr:.3f}"
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
        if self.parallel is not None:
            lines += ["", self.parallel.summary()]
        if self.general is not None:
            above = set(map(str, self.diagnostics))
            text = [line for line in self.general.summary().split("\n") if line not in above]
            lines += ["", "Schmid-Leiman solution", *text]
        return lines

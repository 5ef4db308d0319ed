"""Suitability of a correlation matrix for a factor analysis: KMO and Bartlett's test.

References
----------
Kaiser, H. F. (1970). A second generation little jiffy. Psychometrika 35, 401-415; Kaiser, H. F.,
    Rice, J. (1974). Little jiffy, mark IV. Educational and Psychological Measurement 34, 111-117.
Bartlett, M. S. (1951). The effect of standardization on a chi-square approximation in factor
    analysis. Biometrika 38, 337-344.
Guttman, L. (1953). Image theory for the structure of quantitative variates. Psychometrika 18.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.numbers_in_text import p_value
from gfactor.parameters import Persons
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.factor.correlations import Correlations, correlate, given_correlations
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.given import TableLike
from gfactor.psychometrics.person_tables import person_items
from gfactor.results import Result, by_row, named_rows, rounded

UNACCEPTABLE = 0.5
"""Kaiser and Rice (1974) call a KMO below this unacceptable."""

_VERDICTS = (
    (0.9, "marvelous"),
    (0.8, "meritorious"),
    (0.7, "middling"),
    (0.6, "mediocre"),
    (UNACCEPTABLE, "miserable"),
)


@dataclass(frozen=True, repr=False)
class Adequacy(Result):
    """Sampling adequacy of an indicators x indicators correlation matrix.

    Parameters
    ----------
    kmo: Kaiser-Meyer-Olkin measure over all pairs, from 0 to 1; NaN if the matrix is singular.
    verdict: word for its size by Kaiser and Rice (1974), such as "meritorious"; "" if there is
        none.
    chi_square, df, p: Bartlett's test of the hypothesis that nothing correlates; `log_p` is the
    natural logarithm of p, which is finite even if p is too small for a number. It assumes normal
    scores, and is
        nearly always significant in samples of the usual sizes; so it is only a necessary
        condition.
    determinant: determinant of the correlation matrix.
    n, k: persons and indicators.
    indicators: per indicator `kmo` (its own measure), `verdict` and `smc`, the squared multiple
        correlation with the others.
    anti_image: anti-image correlations (minus the partial correlations) with the indicators' KMO
        on the diagonal, as is usual in print.
    anti_image_covariance: covariance of those parts of the indicators that the other indicators do
        not predict.
    diagnostics: limits to the use of the indices, errors first.
    prints_anti_image: True if `summary()` includes the anti-image correlations.
    """

    kmo: float
    verdict: str
    chi_square: float
    df: int
    p: float
    log_p: float
    determinant: float
    n: int
    k: int
    indicators: pd.DataFrame
    anti_image: pd.DataFrame
    anti_image_covariance: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]
    prints_anti_image: bool = False

    @property
    def title(self) -> str:
        kmo = "KMO -" if np.isnan(self.kmo) else f"KMO {self.kmo:.3f} ({self.verdict})"
        return (
            f"{kmo}; Bartlett's test of sphericity: chi-square {_decimal(self.chi_square, '.2f')}, "
            f"df {self.df}, p {p_value(math.exp(self.log_p), '= ')}; "
            f"{self.n} persons x {self.k} indicators"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("kmo", "verdict", "chi_square", "df", "p", "log_p", "determinant", "n", "k")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "indicators": named_rows(self.indicators, "indicator"),
            "anti_image": self.anti_image,
            "anti_image_covariance": self.anti_image_covariance,
        }

    def _document(self) -> Mapping[str, Any]:
        return {
            **super()._document(),
            "anti_image": by_row(self.anti_image),
            "anti_image_covariance": by_row(self.anti_image_covariance),
        }

    def _lines(self) -> list[str]:
        lines = [self.title, rounded(self.indicators, 3).to_string(na_rep="-")]
        if self.prints_anti_image:
            lines += ["", "anti-image correlations, KMO on the diagonal"]
            lines.append(rounded(self.anti_image, 3).to_string(na_rep="-"))
        return lines


def adequacy(
    scores: TableLike,
    n: Persons | None = None,
    *,
    anti_image: bool = False,
    benchmark: str | None = None,
) -> Adequacy:
    """Check whether correlations suit a factor analysis, by KMO and Bartlett's test of sphericity.

    Parameters
    ----------
    scores : DataFrame
        Table with a row per person and a column per indicator. Rows with a missing cell and
        columns that do not vary are left out, and the result names them. If `n` is given, the
        table is a correlation matrix.
    n : int, optional
        Number of persons from whom a correlation matrix was computed; needed if `scores` is one.
    anti_image : bool
        True to print the anti-image correlations as well.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" analyzes the
        items of all benchmarks together.

    Returns
    -------
    Adequacy
        `kmo` (overall), `p` (Bartlett's test), `indicators` (KMO of each), `anti_image`,
        `diagnostics` and `summary()`. For a singular matrix KMO and test are NaN, and a diagnostic
        names the indicators.

    Raises
    ------
    ParameterError
        If there are too few persons or indicators, or if the items are of several benchmarks and
        `benchmark` names none.

    References
    ----------
    Kaiser, H. F. (1970). A second generation little jiffy. Psychometrika 35, 401-415.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> gf.adequacy(data).verdict
    'meritorious'
    """
    table = person_items(scores, benchmark)
    indices = adequacy_of(correlate(table) if n is None else given_correlations(table, n))
    return replace(indices, prints_anti_image=anti_image)


def adequacy_of(correlations: Correlations) -> Adequacy:
    """Return the sampling adequacy of a correlation matrix."""
    r, names, n = correlations.values, list(correlations.names), correlations.n
    k = len(names)
    df = k * (k - 1) // 2
    if correlations.singular:
        empty = np.full((k, k), np.nan)
        kmo, by_variable, smc, anti, covariance = np.nan, empty[0], empty[0], empty, empty
        determinant, chi_square, log_p = 0.0, np.nan, np.nan
    else:
        kmo, by_variable, smc, anti, covariance = _images(r)
        determinant = float(np.exp(np.linalg.slogdet(r)[1]))
        chi_square = float(-np.linalg.slogdet(r)[1] * (n - 1 - (2 * k + 5) / 6))
        log_p = float(stats.chi2.logsf(chi_square, df))
    table = pd.DataFrame(
        {"kmo": by_variable, "verdict": [_verdict(x) for x in by_variable], "smc": smc}, names
    )
    return Adequacy(
        kmo=float(kmo),
        verdict=_verdict(kmo),
        chi_square=chi_square,
        df=df,
        p=float(np.exp(log_p)),
        log_p=log_p,
        determinant=determinant,
        n=n,
        k=k,
        indicators=table,
        anti_image=pd.DataFrame(anti, names, names),
        anti_image_covariance=pd.DataFrame(covariance, names, names),
        diagnostics=by_severity(
            [*correlations.diagnostics, *_against(float(kmo), by_variable, names, log_p)]
        ),
    )


def _images(
    r: NDArray[np.float64],
) -> tuple[float, NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """KMO, KMO per variable, squared multiple correlations, anti-image correlation, covariance."""
    inverse = inv(r)
    d = np.diag(inverse)
    partial = inverse / np.sqrt(np.outer(d, d))
    off = ~np.eye(len(r), dtype=bool)
    r2, q2 = np.where(off, r**2, 0), np.where(off, partial**2, 0)
    with np.errstate(invalid="ignore"):  # NaN for an indicator that correlates with no other one.
        by_variable = r2.sum(axis=0) / (r2.sum(axis=0) + q2.sum(axis=0))
        kmo = r2.sum() / (r2.sum() + q2.sum())
    anti = np.where(off, partial, np.diag(by_variable))
    return kmo, by_variable, 1 - 1 / d, anti, inverse / np.outer(d, d)


def _against(
    kmo: float, by_variable: NDArray[np.float64], names: list[str], log_p: float
) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    if kmo < UNACCEPTABLE:
        diagnostics.append(
            Diagnostic(
                "kmo_unacceptable",
                "error",
                f"KMO is {kmo:.3f}: the indicators share too little beyond pairs.",
                f"Do not factor this matrix (Kaiser and Rice 1974: below {UNACCEPTABLE}).",
                (),
                {"kmo": kmo},
            )
        )
    low = [(name, float(x)) for name, x in zip(names, by_variable, strict=True) if x < UNACCEPTABLE]
    if low:
        listed = ", ".join(f"{name} ({x:.3f})" for name, x in low)
        diagnostics.append(
            Diagnostic(
                "indicator_kmo_low",
                "warning",
                f"KMO below {UNACCEPTABLE} for {listed}.",
                "Leave them out, or look for a ceiling or floor in their scores.",
                tuple(name for name, _ in low),
                dict(low),
            )
        )
    if log_p > np.log(0.05):
        diagnostics.append(
            Diagnostic(
                "sphericity_kept",
                "error",
                "Bartlett's test does not reject that nothing correlates "
                f"(p {p_value(math.exp(log_p), '= ')}).",
                "There may be no common factor; collect more persons.",
                (),
                {"p": float(np.exp(log_p))},
            )
        )
    return diagnostics


def _verdict(kmo: float) -> str:
    if np.isnan(kmo):
        return ""
    return next((word for least, word in _VERDICTS if kmo >= least), "unacceptable")


def _decimal(value: float, form: str) -> str:
    return "-" if np.isnan(value) else format(value, form)

"""Schmid-Leiman's general factor of an oblique solution, and omega.

References
----------
Schmid, J., Leiman, J. M. (1957). The development of hierarchical factor solutions. Psychometrika
    22, 53-61.
McDonald, R. P. (1999). Test theory: a unified treatment. Erlbaum.
Zinbarg, R. E., Revelle, W., Yovel, I., Li, W. (2005). Cronbach's alpha, Revelle's beta, and
    McDonald's omega_h. Psychometrika 70, 123-133.
Reise, S. P., Bonifay, W. E., Haviland, M. G. (2013). Scoring and modeling psychological measures
    in the presence of multidimensionality. Journal of Personality Assessment 95, 129-140 (ECV).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.factor.exploratory.extraction import extract
from gfactor.results import Result, named_rows

if TYPE_CHECKING:
    from gfactor.psychometrics.factor.exploratory.result import Efa


@dataclass(frozen=True, repr=False)
class SchmidLeiman(Result):
    """A general factor and group factors, all orthogonal, and the reliabilities they imply.

    Parameters
    ----------
    loadings: indicators x (g, F1*, F2* ...).
    indicators: per indicator `communality`, `uniqueness`, `p2` (share of g in the communality).
    second_order: loadings of the oblique factors on g.
    omega_hierarchical: share of g in the variance of the sum of the indicators; indicators are
        reversed so that they load positively on g.
    omega_total: share of all common factors in it.
    omega_limit: omega_hierarchical divided by omega_total, its limit for an infinitely long test.
    alpha: Cronbach's alpha of the same standardized and reversed indicators.
    ecv: explained common variance: share of g in the common variance.
    turned: indicators that were reversed.
    n: persons.
    """

    loadings: pd.DataFrame
    indicators: pd.DataFrame
    second_order: pd.Series
    omega_hierarchical: float
    omega_total: float
    omega_limit: float
    alpha: float
    ecv: float
    turned: tuple[str, ...]
    n: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return (
            f"omega hierarchical {self.omega_hierarchical:.3f}, omega total "
            f"{self.omega_total:.3f}, alpha {self.alpha:.3f}, ECV {self.ecv:.3f}; n {self.n}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("omega_hierarchical", "omega_total", "omega_limit", "alpha", "ecv", "n")
        single = {name: getattr(self, name) for name in names}
        return single | {"second_order": self.second_order.to_dict(), "turned": self.turned}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"loadings": named_rows(self.loadings.join(self.indicators), "indicator")}

    def _lines(self) -> list[str]:
        loadings = self.loadings.assign(p2=self.indicators["p2"]).round(3)
        return [loadings.to_string(), self.title]


def schmid_leiman(solution: Efa) -> SchmidLeiman:
    """Return the general factor that explains the correlations of the factors in an oblique
    solution.

    With two factors their loadings on g are set equal, because a single correlation does not
    identify both.

    Parameters
    ----------
    solution : Efa
        Oblique, of two or more factors.

    Returns
    -------
    SchmidLeiman
        Loadings on the general and the group factors, omega, ECV.

    Raises
    ------
    ParameterError
        For one factor or factors that do not correlate.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 300))
    >>> b = 0.5 * a + b
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=300) for k in range(3)})
    >>> for k in range(3):
    ...     data[f"b{k}"] = b + random.normal(size=300)
    >>> import gfactor as gf
    >>> from gfactor.psychometrics.factor.exploratory import schmid_leiman
    >>> schmid_leiman(gf.efa(data, 2)).loadings.shape
    (6, 3)
    """
    m, phi = solution.factors, solution.phi.to_numpy()
    if m < 2 or not solution.oblique:
        raise ParameterError(
            f"a Schmid-Leiman solution needs two or more correlated factors, got {m} by "
            f"{solution.rotation}; use an oblique rotation such as oblimin"
        )
    pattern, r = solution.loadings.to_numpy(), solution.correlations.to_numpy()
    second, notes = _second_order(phi, solution.method)
    g = pattern @ second
    group = pattern * np.sqrt(np.maximum(0, 1 - second**2))
    signs = np.where(g < 0, -1.0, 1.0)
    g, group, turned_r = g * signs, group * signs[:, None], r * np.outer(signs, signs)
    h2 = solution.indicators["communality"].to_numpy()
    total, k = turned_r.sum(), len(g)
    hierarchical = float(g.sum() ** 2 / total)
    omega_total = float(1 - (1 - h2).sum() / total)
    names = solution.loadings.index
    common = (g**2).sum() + (group**2).sum()
    columns = ["g", *(f"{name}*" for name in solution.loadings.columns)]
    return SchmidLeiman(
        loadings=pd.DataFrame(np.column_stack([g, group]), names, columns),
        indicators=pd.DataFrame(
            {"communality": h2, "uniqueness": 1 - h2, "p2": g**2 / h2}, index=names
        ),
        second_order=pd.Series(second, solution.loadings.columns, name="g"),
        omega_hierarchical=hierarchical,
        omega_total=omega_total,
        omega_limit=hierarchical / omega_total,
        alpha=float(k / (k - 1) * (1 - k / total)),
        ecv=float((g**2).sum() / common),
        turned=tuple(str(name) for name, sign in zip(names, signs, strict=True) if sign < 0),
        n=solution.n,
        diagnostics=by_severity([*solution.diagnostics, *notes]),
    )


def _second_order(phi: np.ndarray, method: str) -> tuple[np.ndarray, list[Diagnostic]]:
    if len(phi) == 2:
        root = np.sqrt(abs(phi[0, 1]))
        note = Diagnostic(
            "two_factors",
            "warning",
            "Two factors do not identify a general one; their loadings on it are set equal.",
            "Three or more group factors are needed for omega hierarchical.",
        )
        return np.array([root, np.sign(phi[0, 1]) * root]), [note]
    extraction = extract(phi, 1, method)
    second = extraction.loadings[:, 0] * (1.0 if extraction.loadings.sum() >= 0 else -1.0)
    if not extraction.bounded.any():
        return second, []
    guilty = tuple(f"F{i + 1}" for i in np.flatnonzero(extraction.bounded))
    heywood = Diagnostic(
        "heywood_second_order",
        "warning",
        f"{', '.join(guilty)} cannot be told from the general factor (its loading wants to be 1).",
        "Extract fewer factors, or fit a bifactor model.",
        guilty,
    )
    return second, [heywood]

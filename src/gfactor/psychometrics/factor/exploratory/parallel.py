"""Number of factors by Horn's parallel analysis of principal components or common factors.

References
----------
Horn, J. L. (1965). A rationale and test for the number of factors in factor analysis.
    Psychometrika 30, 179-185.
Humphreys, L. G., Ilgen, D. R. (1969). Note on a criterion for the number of common factors.
    Educational and Psychological Measurement 29, 571-578 (squared multiple correlations on the
    diagonal).
Glorfeld, L. W. (1995). An improvement on Horn's parallel analysis. Educational and Psychological
    Measurement 55, 377-393 (the percentile instead of the mean).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.correlations import Correlations
from gfactor.psychometrics.float_arrays import eigvalsh, inv
from gfactor.results import Result, rounded

KINDS = ("components", "factors")

_CHUNK = 2_000_000
"""Number of values drawn at once; it limits the memory and does not change the result."""


@dataclass(frozen=True, repr=False)
class Parallel(Result):
    """Result of a parallel analysis: observed eigenvalues, and those of uncorrelated data.

    Parameters
    ----------
    factors: number of eigenvalues from the first on that exceed the reference's percentile.
    kind: "components" (eigenvalues of the correlations) or "factors" (squared multiple
        correlations on the diagonal).
    eigenvalues: per number `observed`, `mean` and `percentile` of the draws, `exceeds`.
    percentile, draws, seed, n: settings of the reference: `draws` tables of `n` independent normal
        rows.
    """

    factors: int
    kind: str
    eigenvalues: pd.DataFrame
    percentile: float
    draws: int
    seed: int
    n: int

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return (
            f"parallel analysis of {self.kind}: {self.factors} above the {self.percentile:g}th "
            f"percentile of {self.draws} random tables of {self.n} rows"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("factors", "kind", "percentile", "draws", "seed", "n")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"eigenvalues": self.eigenvalues}

    def _document(self) -> Mapping[str, Any]:
        return {**self.facts, **self.tables}

    def _lines(self) -> list[str]:
        return [self.title, rounded(self.eigenvalues, 3).to_string()]


def parallel_analysis(
    correlations: Correlations,
    kind: str = "factors",
    percentile: float = 95,
    draws: int = 500,
    seed: int = 0,
) -> Parallel:
    """Compare the eigenvalues of `correlations` with those of independent normal data.

    Parameters
    ----------
    correlations : Correlations
        Correlations with n, as `gfactor.psychometrics.factor.correlations` makes them.
    kind : str
        "factors" asks how many common factors, "components" how many components; the first
        is the question of an EFA and tends to keep more.
    percentile : float
        95 (Glorfeld 1995); Horn's own comparison with the mean keeps too many.
    draws : int
        Number of random tables. With 500, the standard error of the 95th percentile is about a
        tenth of the eigenvalue's standard deviation.
    seed : int
        Seed of the draws.

    Returns
    -------
    Parallel
        Number of factors, and the eigenvalues beside those of chance.

    Raises
    ------
    ParameterError
        For a percentile outside 50..99.9, for fewer than 20 draws, and for "factors" if the
        correlations, or those of a random table of this size, have no inverse.

    References
    ----------
    Horn, J. L. (1965). A rationale and test for the number of factors in factor analysis.
    Psychometrika 30, 179-185.

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
    >>> gf.efa(data).parallel.factors
    2
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of parallel analysis", kind, KINDS)
    if not 50 <= percentile <= 99.9 or draws < 20:
        raise ParameterError(
            f"parallel analysis needs a percentile from 50 to 99.9 and at least 20 draws, got "
            f"{percentile:g} and {draws}"
        )
    n, k = correlations.n, len(correlations.names)
    if kind == "factors" and (correlations.singular or n <= k + 1):
        raise ParameterError(
            f"parallel analysis of common factors needs correlations that have an inverse and more "
            f"than {k + 1} persons for {k} indicators, got {n}; use components"
        )
    observed = _eigenvalues(correlations.values[None], kind)[0]
    reference = _reference(n, k, kind, draws, np.random.default_rng(seed))
    high = np.percentile(reference, percentile, axis=0)
    exceeds = observed > high
    factors = int(np.argmin(exceeds)) if not exceeds.all() else k
    table = pd.DataFrame(
        {
            "observed": observed,
            "mean": reference.mean(axis=0),
            "percentile": high,
            "exceeds": np.arange(k) < factors,
        },
        index=pd.RangeIndex(1, k + 1, name="number"),
    )
    return Parallel(factors, kind, table, percentile, draws, seed, n)


def _reference(
    n: int, k: int, kind: str, draws: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    chunk = max(1, _CHUNK // (n * k))
    eigenvalues: list[NDArray[np.float64]] = []
    for start in range(0, draws, chunk):
        x = generator.normal(size=(min(chunk, draws - start), n, k))
        x -= x.mean(axis=1, keepdims=True)
        x /= np.sqrt((x**2).sum(axis=1, keepdims=True))
        eigenvalues.append(_eigenvalues(x.transpose(0, 2, 1) @ x, kind))
    return np.concatenate(eigenvalues)


def _eigenvalues(r: NDArray[np.float64], kind: str) -> NDArray[np.float64]:
    """Eigenvalues (s, k) of correlation matrices (s, k, k), largest first."""
    if kind == "factors":
        unique = 1 / np.diagonal(inv(r), axis1=1, axis2=2)
        r = r - np.eye(r.shape[1]) * unique[:, :, None]
    return np.asarray(eigvalsh(r)[:, ::-1], float)

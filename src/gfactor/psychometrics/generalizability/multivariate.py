"""Several abilities at once: covariances of universe scores, and composites.

Items are nested in strata (abilities, subtests), all of which every object takes: Brennan's
p(closed) x i(open) design.

References
----------
Rajaratnam, N., Cronbach, L. J., Gleser, G. C. (1965). Generalizability of stratified-parallel
    tests. Psychometrika 30, 39-56.
Brennan, R. L. (2001). Generalizability Theory, chapters 9 and 10. Springer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.generalizability.study import Generalizability, gtheory
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class MultivariateGeneralizability(Result):
    """Universe scores of several strata.

    Parameters
    ----------
    strata : mapping of str to Generalizability
        The study of every stratum by itself.
    covariance : DataFrame
        Covariance matrix of the universe scores, strata x strata.
    diagnostics : tuple of Diagnostic
        Errors first.
    """

    strata: Mapping[str, Generalizability]
    covariance: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]

    @property
    def correlation(self) -> pd.DataFrame:
        """Return the correlations of the strata's universe scores, free of measurement error."""
        sd = np.sqrt(self.covariance.to_numpy().diagonal())
        return self.covariance / np.outer(sd, sd)

    @property
    def title(self) -> str:
        objects = next(iter(self.strata.values())).n_objects
        return f"{len(self.strata)} strata, {objects} objects"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"strata_names": list(self.strata)}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        rows = {name: study.coefficients() for name, study in self.strata.items()}
        by_stratum = pd.DataFrame.from_dict(rows, orient="index").rename_axis("stratum")
        return {
            "strata": by_stratum,
            "covariance": self.covariance.rename_axis("stratum"),
            "correlation": self.correlation.rename_axis("stratum"),
        }

    def composite(
        self, weights: Mapping[str, float], sizes: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Return coefficients of a weighted sum of stratum means.

        Parameters
        ----------
        weights : mapping of stratum to float
            Weight of each stratum; 0 for those that are left out.
        sizes : mapping of stratum to float, optional
            Number of items of every stratum; by default those of the data.

        Returns
        -------
        dict
            `universe_score_variance`, `relative_error`, `absolute_error`, `e_rho2`, `phi`.
        """
        items = dict(sizes or {})
        unknown = {*weights, *items} - set(self.strata)
        if unknown:
            raise ParameterError(
                f"{min(unknown)!r} is not a stratum; the strata are {', '.join(self.strata)}"
            )
        w = np.array([weights.get(name, 0.0) for name in self.strata])
        relative = absolute = 0.0
        for weight, (name, study) in zip(w, self.strata.items(), strict=True):
            facet = study.design.facets[0]
            at = study.coefficients({facet: items[name]} if name in items else None)
            relative += weight**2 * at["relative_error"]
            absolute += weight**2 * at["absolute_error"]
        universe = float(w @ self.covariance.to_numpy() @ w)
        return {
            "universe_score_variance": universe,
            "relative_error": float(relative),
            "absolute_error": float(absolute),
            "e_rho2": float(universe / (universe + relative)),
            "phi": float(universe / (universe + absolute)),
        }


def multivariate_gtheory(
    data: pd.DataFrame,
    *,
    object: str,
    facet: str,
    stratum: str,
    value: str = "score",
    level: float = 0.95,
    seed: int = 0,
) -> MultivariateGeneralizability:
    """Return variance components within strata, and covariances of universe scores between them.

    Parameters
    ----------
    data : DataFrame
        Long: a row per score.
    object, facet, stratum, value : str
        Columns of objects, items, the stratum (ability) of an item, and scores.
    level, seed : float, int
        See `gtheory`.

    Returns
    -------
    MultivariateGeneralizability
        Variance components and covariances, with methods for coefficients.

    Raises
    ------
    ParameterError
        For fewer than two strata, or an object without scores in one of them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ability = rng.normal(size=60)
    >>> rows = [(p, f"{s}{i}", s, ability[p] + rng.normal())
    ...         for p in range(60) for s in "ab" for i in range(8)]
    >>> data = pd.DataFrame(rows, columns=["person", "item", "test", "score"])
    >>> study = multivariate_gtheory(data, object="person", facet="item", stratum="test")
    >>> round(float(study.correlation.loc["a", "b"]), 1)
    1.0

    References
    ----------
    Brennan (2001), section 9.1: covariances of observed means estimate those of universe scores,
    as the items of different strata are different items.
    """
    if stratum not in data.columns:
        raise ParameterError(f"column {stratum!r} is not in the data")
    text = data[stratum].astype(str)
    names = list(dict.fromkeys(text))
    if len(names) < 2:
        raise ParameterError(f"{stratum!r} has {len(names)} level; two or more are needed")
    strata = {
        name: gtheory(
            data.loc[text == name],
            object=object,
            facets=[facet],
            value=value,
            level=level,
            seed=seed,
        )
        for name in names
    }
    means = data.assign(**{stratum: text}).pivot_table(
        index=object, columns=stratum, values=value, aggfunc="mean"
    )
    scores = means[names].to_numpy(float)
    lacking = np.flatnonzero(np.isnan(scores).any(axis=1))
    if lacking.size:
        who = means.index.tolist()[lacking[0]]
        raise ParameterError(f"{object} {who!r} has no scores in one of the strata")
    between = np.cov(scores, rowvar=False)
    np.fill_diagonal(between, [study.components["variance"].iloc[0] for study in strata.values()])
    covariance = pd.DataFrame(between, names, names)
    diagnostics = tuple(d for study in strata.values() for d in study.diagnostics)
    return MultivariateGeneralizability(strata, covariance, diagnostics)

"""Analyses of tables of scores and ratings: factors, reliability, agreement, ranks, forensics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
from numpy.typing import NDArray

from gfactor import psychometrics
from gfactor.errors import UnknownNameError
from gfactor.psychometrics.classical.agreement import (
    Agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from gfactor.psychometrics.classical.consistency import Reliability
from gfactor.psychometrics.factor import exploratory, suitability
from gfactor.psychometrics.inference.ranks import RankSets
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.respondents import Forensics, examination
from gfactor.psychometrics.validity.assess import DiscriminantValidity
from gfactor.psychometrics.validity.htmt import Variant

COEFFICIENTS = ("krippendorff", "cohen", "fleiss")


def efa(
    data: pd.DataFrame,
    factors: int | Literal["parallel"] = "parallel",
    *,
    n: int | None = None,
    method: str = "ml",
    rotation: str = "oblimin",
    starts: int = 30,
    seed: int = 0,
) -> exploratory.Efa:
    """Exploratory factor analysis: how many factors, and which indicators belong together.

    Parameters
    ----------
    data : DataFrame
        Persons x indicators; with `n`, a correlation matrix of that many persons.
    factors : int or "parallel"
        Their number, or parallel analysis.
    n : int, optional
        Persons behind a correlation matrix.
    method : str
        "ml", "minres" or "pa".
    rotation : str
        "none", "varimax", "quartimax", "promax", "oblimin" or "geomin".
    starts : int
        Random starts of the rotation.
    seed : int
        Of starts and random tables.

    Returns
    -------
    Efa
        `loadings`, `phi`, `variance`, `fit`, `diagnostics`, `summary()`, `to_dict()`.

    Raises
    ------
    ParameterError
        Where the matrix is singular, or the factors are too many for the indicators.

    References
    ----------
    Horn, J. L. (1965). A rationale and test for the number of factors in factor analysis.
    Psychometrika 30, 179-185.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> gf.efa(data).factors
    1
    """
    return exploratory.efa(
        data, factors, n=n, method=method, rotation=rotation, starts=starts, seed=seed
    )


def adequacy(data: pd.DataFrame, *, n: int | None = None) -> suitability.Adequacy:
    """Is there anything for a factor analysis to find? KMO and Bartlett's test of sphericity.

    Parameters
    ----------
    data : DataFrame
        Persons x indicators; with `n`, a correlation matrix of that many persons.
    n : int, optional
        Persons behind a correlation matrix.

    Returns
    -------
    Adequacy
        `kmo`, `p`, `indicators`, `anti_image`, `diagnostics`, `summary()`.

    Raises
    ------
    ParameterError
        Where there are too few persons or indicators.

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
    return suitability.adequacy(data, n)


def reliability(
    data: pd.DataFrame, *, level: float = 0.95, splits: int = 500, seed: int = 0
) -> Reliability:
    """How reliable is the mean over indicators: alpha with its interval, split halves, SEM.

    Parameters
    ----------
    data : DataFrame
        Examinees x indicators: points, proportions or 0/1.
    level : float
        Of Feldt's interval.
    splits : int
        Random halves.
    seed : int
        Of the halves.

    Returns
    -------
    Reliability
        `alpha` with `ci_lower` and `ci_upper`, `split_half`, `sem`, `n`, `k`, `warnings`.

    Raises
    ------
    ParameterError
        Where fewer than three complete examinees or two varying indicators are left.

    References
    ----------
    Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 7)})
    >>> found = gf.reliability(data)
    >>> found.ci_lower < found.alpha < found.ci_upper
    True
    """
    return psychometrics.reliability(data, level, splits, seed)


def agreement(
    ratings: pd.DataFrame,
    coefficient: Literal["krippendorff", "cohen", "fleiss"] = "krippendorff",
    *,
    scale: str = "nominal",
    weights: str = "none",
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Agreement of raters, with an interval from resampled units.

    Parameters
    ----------
    ratings : DataFrame
        A row per unit, a column per rater; missing ratings are NaN or None.
    coefficient : str
        "krippendorff" (alpha; any number of raters, missing ratings), "cohen" (kappa; two raters)
        or "fleiss" (kappa; equally many ratings of every unit).
    scale : str
        Of alpha: "nominal", "ordinal", "interval" or "ratio".
    weights : str
        Of Cohen's kappa: "none", "linear" or "quadratic".
    n_bootstrap : int
        Resamples of units; 0 for no interval.
    seed : int
        Of the resamples.

    Returns
    -------
    Agreement
        `estimate` with `ci_lower` and `ci_upper`, `n` (units), `raters`, `observed`.

    Raises
    ------
    ParameterError
        Where no unit was rated twice, or the coefficient does not fit the table.

    References
    ----------
    Krippendorff, K. (2004). Content analysis, 2nd ed. Sage.

    Examples
    --------
    >>> import gfactor as gf, pandas as pd
    >>> ratings = pd.DataFrame({"Ada": [1, 2, 3, 3, 2], "Ben": [1, 2, 3, 3, 1]})
    >>> round(gf.agreement(ratings, "cohen").estimate, 3)
    0.706
    """
    how: dict[str, Any] = {"draws": n_bootstrap, "seed": seed}
    if coefficient == "krippendorff":
        return krippendorff_alpha(ratings, scale, **how)
    if coefficient == "cohen":
        return cohen_kappa(ratings, weights, **how)
    if coefficient == "fleiss":
        return fleiss_kappa(ratings, **how)
    raise UnknownNameError("coefficient of agreement", coefficient, COEFFICIENTS)


def rank_sets(
    data: pd.DataFrame,
    clusters: pd.Series | Sequence[str] | NDArray[Any] | None = None,
    *,
    level: float = 0.95,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> RankSets:
    """Which ranks do paired differences leave possible?

    Parameters
    ----------
    data : DataFrame
        Items x examinees, 0/1 or graded; NaN is a missing answer. The transpose of
        `gfactor.matrix(journal, by="item").scores`.
    clusters : Series or list, optional
        The label of every item, where items of a label are not independent.
    level : float
        Of all rank sets together.
    n_bootstrap : int
        Resamples of items (or clusters) behind the probabilities of ranks.
    seed : int
        Of the resamples.

    Returns
    -------
    RankSets
        `table` (mean, n, rank, `best`, `worst`) and `probabilities` (examinees x ranks).

    Raises
    ------
    ParameterError
        For fewer than two examinees, repeated items or infinite scores.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries.
    Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> items = [f"i{k}" for k in range(200)]
    >>> right = {"a": random.random(200) < 0.9, "b": random.random(200) < 0.4}
    >>> gf.rank_sets(pd.DataFrame(right, index=items).astype(float)).spans()
    {'a': '1', 'b': '2'}
    """
    groups = clusters if clusters is None or isinstance(clusters, pd.Series) else list(clusters)
    compared = psychometrics.all_pairs(data, groups, level=level, seed=seed)
    return psychometrics.rank_sets(compared, draws=n_bootstrap, seed=seed)


def discriminant_validity(
    model: Mapping[str, Sequence[str]],
    data: pd.DataFrame,
    *,
    variant: Variant = "htmt",
    missing: Missing = "error",
    level: float = 0.95,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> DiscriminantValidity:
    """Do constructs differ from each other? Heterotrait-monotrait ratios with intervals.

    Parameters
    ----------
    model : dict
        Columns of `data` by construct; two constructs or more.
    data : DataFrame
        One row per case.
    variant : str
        "htmt", or another of `gfactor.psychometrics.validity.htmt.VARIANTS`.
    missing : str
        What to do about missing cells; "error" refuses them.
    level : float
        Of the intervals.
    n_bootstrap : int
        Resamples of rows.
    seed : int
        Of the resamples.

    Returns
    -------
    DiscriminantValidity
        `table` with a row per pair, `matrix`, `diagnostics`, `summary()`.

    Raises
    ------
    ParameterError
        For what cannot be computed, in one sentence.

    References
    ----------
    Henseler, J., Ringle, C. M., Sarstedt, M. (2015). A new criterion for assessing discriminant
    validity in variance-based structural equation modeling. Journal of the Academy of Marketing
    Science 43, 115-135.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=200) for k in (1, 2, 3)})
    >>> for k in (1, 2, 3):
    ...     data[f"b{k}"] = b + random.normal(size=200)
    >>> blocks = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"]}
    >>> bool(gf.discriminant_validity(blocks, data, n_bootstrap=200).table["separate"][0])
    True
    """
    return psychometrics.discriminant_validity(
        data,
        model,
        variant=variant,
        missing=missing,
        resamples=n_bootstrap,
        seed=seed,
        level=level,
    )


def forensics(
    data: Mapping[str, pd.DataFrame] | pd.DataFrame,
    *,
    points: Mapping[str, float] | None = None,
    counts: bool = False,
    reference: pd.DataFrame | None = None,
    seed: int = 0,
) -> Forensics:
    """Is a table of scores a sample? Copies, impossible values, dead columns, families of models.

    Parameters
    ----------
    data : DataFrame or dict of DataFrames
        One matrix (persons x indicators), or several by name.
    points : dict, optional
        The points that can be earned per column.
    counts : bool
        Whether the values are claimed to be whole numbers of points.
    reference : DataFrame, optional
        An unrestricted sample with some of the columns, for range restriction.
    seed : int
        Of the search for copies across samples.

    Returns
    -------
    Forensics
        `diagnostics` (errors first), `samples`, `overlaps`, `summary()`, `to_dict()`.

    Raises
    ------
    ParameterError
        Where a sample is empty, has text in it or a column twice.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> scores = np.random.default_rng(1).normal(size=(20, 6))
    >>> data = pd.DataFrame(np.vstack([scores, scores[:2]]), columns=list("abcdef"))
    >>> gf.forensics(data).diagnostics[0].code
    'near_copies'
    """
    return examination.forensics(data, points=points, counts=counts, reference=reference, seed=seed)

"""Analyses of tables of scores and ratings: factors, reliability, agreement, ranks, forensics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
from numpy.typing import NDArray

from gfactor import psychometrics
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.classical.agreement import (
    Agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from gfactor.psychometrics.given import TableLike, as_frame, as_numbers, items_of_one_benchmark
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.psychometrics.inference.differences import Differences
from gfactor.psychometrics.inference.ranks import (
    RankSets,
    is_table_of_pairs,
    rank_sets_of_pairs,
)
from gfactor.psychometrics.person_tables import person_table
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.validity.assess import DiscriminantValidity
from gfactor.psychometrics.validity.heterotrait import Variant
from gfactor.scoring.sampling import sampling_of

if TYPE_CHECKING:
    from gfactor.api.comparisons.comparing import Comparison

COEFFICIENTS = ("krippendorff", "cohen", "fleiss")


def agreement(
    ratings: TableLike,
    coefficient: Literal["krippendorff", "cohen", "fleiss"] = "krippendorff",
    *,
    scale: str = "nominal",
    weights: str = "none",
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Return the agreement of raters, with a bootstrap interval over the rated units.

    Parameters
    ----------
    ratings : DataFrame
        Table with a row per rated unit and a column per rater; missing ratings are NaN or None.
    coefficient : str
        "krippendorff" (alpha, for any number of raters and missing ratings), "cohen" (kappa of two
        raters) or "fleiss" (kappa, if every unit has the same number of ratings).
    scale : str
        Scale of measurement for alpha: "nominal", "ordinal", "interval" or "ratio".
    weights : str
        Weights of Cohen's kappa: "none", "linear" or "quadratic".
    n_bootstrap : int
        Number of bootstrap samples of units for the interval; 0 for no interval.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    Agreement
        `estimate` with `ci_lower` and `ci_upper`, `n` (units), `raters`, `observed`.

    Raises
    ------
    ParameterError
        If no unit was rated twice, or the coefficient does not fit the table.

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
    table = as_frame(ratings, "ratings")
    how: dict[str, Any] = {"n_bootstrap": n_bootstrap, "seed": seed}
    if coefficient == "krippendorff":
        return krippendorff_alpha(table, scale, **how)
    if coefficient == "cohen":
        return cohen_kappa(table, weights, **how)
    if coefficient == "fleiss":
        return fleiss_kappa(table, **how)
    raise UnknownNameError("coefficient of agreement", coefficient, COEFFICIENTS)


def rank_sets(
    data: TableLike | Comparison,
    clusters: pd.Series | Sequence[str] | NDArray[Any] | None = None,
    *,
    level: float = 0.95,
    n_bootstrap: int = 1000,
    seed: int = 0,
    benchmark: str | None = None,
) -> RankSets:
    """Return rank sets: the ranks of each examinee that are compatible with the paired differences.

    Parameters
    ----------
    data : DataFrame, ScoreMatrix or Comparison
        Table with a row per item and a column per examinee, of 0 and 1 or graded scores; NaN is a
        missing answer. A result of `gfactor.matrix` is transposed, and its items are taken as a
        sample from their domains, as in `compare`. A result of `gfactor.compare`, or its
        `differences`, is used as it is.
    clusters : Series or list, optional
        Cluster of each item, if items within clusters are not independent. It does not apply to
        results of `gfactor.compare`.
    level : float
        Probability that all rank sets together contain the true ranks of all examinees (default
        0.95).
    n_bootstrap : int
        Number of bootstrap samples of items (or clusters) from which the probabilities of ranks
        are computed.
    seed : int
        Seed of the bootstrap samples.
    benchmark : str, optional
        Benchmark whose items count, if a result of `gfactor.matrix` holds several; "all" ranks by
        the mean over the items of all benchmarks.

    Returns
    -------
    RankSets
        `table` (mean, n, rank, and the `best` and `worst` rank of the rank set) and
        `probabilities` (examinees x ranks). The probabilities are missing if only a table of
        differences is given.

    Raises
    ------
    ParameterError
        If there are fewer than two examinees, repeated items or infinite scores, or if the items
        are of several benchmarks and `benchmark` names none.

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
    compared = getattr(getattr(data, "whole", None), "differences", None)
    if isinstance(compared, Differences) or is_table_of_pairs(data):
        if clusters is not None:
            raise ParameterError(
                "clusters do not apply to pairs that were already compared; "
                "give the clusters to compare"
            )
        if not isinstance(compared, Differences):
            return rank_sets_of_pairs(as_frame(data), level=level)
        if level != compared.settings.level:
            raise ParameterError(
                f"the pairs were compared at level {compared.settings.level:g}, not {level:g}"
            )
        return psychometrics.rank_sets(compared, n_bootstrap=n_bootstrap, seed=seed)
    if isinstance(data, pd.DataFrame):
        numbers = as_numbers(person_table(data, "data"), "data")
        table = items_of_one_benchmark(numbers.T, benchmark, "data").T
    else:
        table = as_numbers(items_of_one_benchmark(data, benchmark, "data")).T
    groups = clusters if clusters is None or isinstance(clusters, pd.Series) else list(clusters)
    sampling = _sampling(data, list(table.index)) if clusters is None else None
    compared = psychometrics.all_pairs(table, groups, sampling=sampling, level=level, seed=seed)
    return psychometrics.rank_sets(compared, n_bootstrap=n_bootstrap, seed=seed)


def _sampling(data: Any, names: list[Any]) -> Sampling | None:
    """Return what the items of a matrix are a sample of, as far as the matrix says it."""
    labels = getattr(data, "labels", None)
    if not isinstance(labels, pd.DataFrame) or labels.empty:
        return None
    homes = [data.benchmarks.get(name, "") for name in names]
    items = labels.reindex(names).assign(item_hash=names, item_id=names, benchmark=homes)
    return sampling_of(items.reset_index(drop=True), DEFAULT_CLAIM)


def discriminant_validity(
    model: Mapping[str, Sequence[str]],
    data: TableLike,
    *,
    variant: Variant = "htmt",
    missing: Missing = "error",
    level: float = 0.95,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> DiscriminantValidity:
    """Test whether constructs are distinct, by heterotrait-monotrait ratios with intervals.

    Parameters
    ----------
    model : dict
        Names of the columns of `data` that measure each construct; at least two constructs.
    data : DataFrame
        One row per case.
    variant : str
        Variant of the ratio: "htmt" (the default), or another of
        `gfactor.psychometrics.validity.htmt.VARIANTS`.
    missing : str
        Treatment of missing values: "error" refuses data that have any, "listwise" leaves out
        their rows, "pairwise" uses all rows that have both columns, "mean" fills in the mean of
        the column, "em" fills in expected values by the EM algorithm.
    level : float
        Confidence level of the intervals.
    n_bootstrap : int
        Number of bootstrap samples of the rows.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    DiscriminantValidity
        `table` (a row per pair of constructs), `matrix` (ratios), `diagnostics` and `summary()`.

    Raises
    ------
    ParameterError
        If the ratios cannot be computed; the message says why.

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
        as_frame(data, "data"),
        model,
        variant=variant,
        missing=missing,
        n_bootstrap=n_bootstrap,
        seed=seed,
        level=level,
    )

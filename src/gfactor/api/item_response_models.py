"""Item response models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from gfactor.api.progress_bars import climbs, counter
from gfactor.parameters import Seed
from gfactor.psychometrics.given import (
    ALL_BENCHMARKS,
    TableLike,
    as_frame,
    model_and_data_in_either_order,
    without_named_columns,
)
from gfactor.psychometrics.irt.estimation.errors import ErrorKind
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.marginal import Quadrature
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.person_tables import person_items


@model_and_data_in_either_order
def irt(
    model: str | Mapping[str, str],
    data: TableLike,
    *,
    factors: int | Mapping[str, Sequence[str]] = 1,
    bifactor: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    guess: float | Mapping[str, float] | None = None,
    groups: str | Sequence[str] | None = None,
    reference: str | None = None,
    equal: Sequence[str] = ("slopes", "intercepts"),
    free_items: Sequence[str] = (),
    covariates: pd.DataFrame | None = None,
    design: pd.DataFrame | None = None,
    priors: Mapping[str, tuple[str, float, float] | None] | None = None,
    constraints: Sequence[Sequence[str]] = (),
    fixed: Mapping[str, float] | None = None,
    weights: Sequence[float] | None = None,
    clusters: Sequence[object] | None = None,
    errors: ErrorKind | None = None,
    quadrature: Quadrature | None = None,
    method: str | None = None,
    tolerance: float = 1e-07,
    starts: int = 1,
    seed: Seed = 0,
    force: bool = False,
    categories: Sequence[float] | None = None,
    benchmark: str | None = None,
) -> IRTFit:
    """Fit an item response model by marginal maximum likelihood.

    Parameters
    ----------
    model : str or mapping of item to str
        Item response model, one for all items or a list with one per item: "rasch", "1pl", "2pl",
        "3pl", "4pl", "grm", "pcm", "gpcm", "rsm" or "nrm". "2PL" and "2-pl" are the same name.
        `model` and `data` may be given in either order.
    data : DataFrame
        Scores, one row per person and one column per item; empty if an item was not asked.
    factors : int or mapping of factor name to items
        Number of factors of an exploratory model, or the items that load on each factor.
    bifactor : mapping of specific factor name to items, or None
        A general factor and these, all independent.
    correlated : bool
        True if the factors of a confirmatory model correlate.
    guess : float, mapping of item to float, or None
        Fixed lower asymptote, e.g. chance under the answer format.
    groups : str, sequence of str or None
        A column of `data`, or the group of every person; the reference has mean 0 (variance 1), the
        others' are estimated.
    reference : str or None
        The reference group; the first by name.
    equal : sequence of str
        Parameters that are equal in all groups: "slopes", "intercepts".
    free_items : sequence of str
        Items that differ between groups all the same.
    covariates : DataFrame (P, C) or None
        Numeric predictors of ability (latent regression).
    design : DataFrame (J, K) or None
        Effects that add up to every item's difficulty (LLTM), index: items.
    priors : mapping or None
        "slope", "intercept", "guess", "upper" (or "ITEM.PARAMETER") to (density, first,
        second), or to None for no prior. {"slope": None} leaves out the prior that slopes have
        with fewer than 200 respondents, {"guess": None} the one of estimated lower asymptotes.
    constraints : sequence of sequences of str
        Free parameters that are equal, each "ITEM.PARAMETER" as `parameters` names them.
    fixed : mapping or None
        "ITEM.PARAMETER" to the value at which it is held.
    weights : sequence of float or None
        Weight of each person: the number of times that the person counts.
    clusters : sequence or None
        Cluster of every person, e.g. a model's family, for cluster-robust standard errors.
    errors : {"observed", "sandwich", "cluster", "cluster-plain"} or None
        Standard errors (`errors.covariance`); "cluster" if clusters are given, else "observed".
    quadrature : Quadrature or None
        Nodes of ability; chosen by the number of factors if None.
    method : {"quadrature", "mhrm"} or None
        Integration over nodes, or draws of abilities (Metropolis-Hastings Robbins-Monro); draws
        from five factors on if None.
    tolerance : float
        Largest absolute entry of the gradient at the end.
    starts : int
        Number of starting points; the first is computed from the data, others are drawn around it.
    seed : int
        Seed of the other starting points and of the draws of method "mhrm".
    force : bool
        Fit although respondents are too few for the model; the warning remains at the top.
    categories : sequence of float or None
        Scores that every item can have, so that items that do not vary are kept; their intercepts
        need a prior.
    benchmark : str, optional
        Benchmark whose items are taken, where columns are items of several (`gfactor.matrix` with
        by="item", or columns `BENCHMARK:INDEX`); "all" puts them on one scale. Factors by name say
        themselves which items belong together.

    Returns
    -------
    IRTFit
        `items`, `parameters`, `latent`, `scores(method)`, `information(theta)`, `reliability`,
        `diagnostics`, `summary()`, `to_dict()`, `report(folder)` for its page.

    Raises
    ------
    ParameterError
        If the data cannot carry the model (free slopes of few respondents; `force=True` fits all
        the same and keeps the warning), the request contradicts itself, or the items are of several
        benchmarks and none is named.

    References
    ----------
    Bock, R. D., Aitkin, M. (1981). Marginal maximum likelihood estimation of item parameters.
    Psychometrika 46, 443-459.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> theta = random.normal(size=(400, 1))
    >>> right = random.uniform(size=(400, 5)) < 1 / (1 + np.exp(np.linspace(-1, 1, 5) - theta))
    >>> fit = gf.irt("rasch", pd.DataFrame(right.astype(int)))
    >>> fit.converged, fit.n_free
    (True, 6)
    """
    if benchmark is None and (bifactor is not None or isinstance(factors, Mapping)):
        benchmark = ALL_BENCHMARKS
    if isinstance(groups, str):
        data, named = without_named_columns(as_frame(data, "data"), {"groups": groups})
        groups = named["groups"]
    table = person_items(data, benchmark, "data")
    with counter(0, "irt", "step") as bar:
        return fit_irt(
            model,
            table,
            factors=factors,
            bifactor=bifactor,
            correlated=correlated,
            guess=guess,
            groups=groups,
            reference=reference,
            equal=equal,
            free_items=free_items,
            covariates=covariates,
            design=design,
            priors=priors,
            constraints=constraints,
            fixed=fixed,
            weights=weights,
            clusters=clusters,
            errors=errors,
            quadrature=quadrature,
            method=method,
            tolerance=tolerance,
            starts=starts,
            seed=seed,
            force=force,
            categories=categories,
            progress=climbs(bar),
        )

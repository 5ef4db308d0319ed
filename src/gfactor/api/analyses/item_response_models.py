"""Item response models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from gfactor.api.analyses.irt_files import read_items
from gfactor.api.inputs.progress_bars import climbs, counter
from gfactor.parameters import Seed
from gfactor.psychometrics.given import (
    ALL_BENCHMARKS,
    TableLike,
    as_frame,
    model_and_data_in_either_order,
    without_named_columns,
)
from gfactor.psychometrics.irt.estimation.conditional import ConditionalFit, fit_conditional
from gfactor.psychometrics.irt.estimation.errors import ErrorKind
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.marginal import Quadrature
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.person_tables import person_items


@model_and_data_in_either_order
def irt(
    model: str | Sequence[str] | Mapping[str, str],
    data: TableLike,
    *,
    factors: int | Mapping[str, Sequence[str]] = 1,
    bifactor: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    guess: float | Sequence[float] | Mapping[str, float] | None = None,
    group: str | Sequence[str] | None = None,
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
    model : str, sequence of str or mapping of item to str
        Item response model of all items, of each in the order of the columns, or by item: "rasch",
        "1pl", "2pl", "3pl", "4pl", "grm", "pcm", "gpcm", "rsm" or "nrm". "2PL" and "2-pl" are the
        same as "2pl". `model` and `data` may be given in either order.
    data : DataFrame
        Scores, with a row per person and a column per item; a cell is empty (NaN) if an item was
        not asked.
    factors : int or mapping of factor name to items
        Number of factors of an exploratory model (default 1), or for a confirmatory model the
        items that load on each factor.
    bifactor : mapping of specific factor name to items, or None
        Bifactor model: the items of each specific factor. All items also load on a general factor,
        and all factors are independent.
    correlated : bool
        True to estimate correlations between the factors of a confirmatory model.
    guess : float, sequence of float, mapping of item to float, or None
        Fixed lower asymptote (probability of a right guess, 0 to 1), such as 0.25 for four options:
        one for all items, one for each in the order of the columns, or by item. Items that a
        mapping does not name have the asymptote of their model (0 under "2pl").
    group : str, sequence of str or None
        Column of `data` with the groups, or a list with the group of each person. Ability has mean
        0 in the reference group, and variance 1 if slopes are free; means and variances of other
        groups are estimated.
    reference : str or None
        Reference group; by default the group of the first person in the data.
    equal : sequence of str
        Item parameters that are equal in all groups: "slopes", "intercepts" or both.
    free_items : sequence of str
        Items whose parameters may differ between groups in spite of `equal`.
    covariates : DataFrame (P, C) or None
        Numeric predictors of ability, with a row per person and a column per predictor (latent
        regression).
    design : DataFrame (J, K) or None
        Design matrix of item difficulties, with a row per item (the index) and a column per
        effect; the difficulty of an item is a weighted sum of its row (linear logistic test model,
        LLTM).
    priors : mapping or None
        Prior distributions of parameters: "slope", "intercept", "guess", "upper", or a single
        "ITEM.PARAMETER", to a tuple of the density's name and its two parameters, such as
        {"slope": ("lognormal", 0, 0.5)}, or to None for no prior. {"slope": None} leaves out the
        prior that slopes have with fewer than 200 respondents, {"guess": None} the one of
        estimated lower asymptotes.
    constraints : sequence of sequences of str
        Groups of free parameters that are constrained to be equal. Each is named "ITEM.PARAMETER",
        as in `parameters` of the result.
    fixed : mapping or None
        Parameters that are fixed: "ITEM.PARAMETER" to its value.
    weights : sequence of float or None
        Weight of each person: the number of times that the person counts.
    clusters : sequence or None
        Cluster of each person, such as the family of a model, for cluster-robust standard errors.
    errors : {"observed", "sandwich", "cluster", "cluster-plain"} or None
        Kind of standard errors: from the "observed" information, or robust ("sandwich", "cluster",
        "cluster-plain"). If None, "cluster" if clusters are given, else "observed".
    quadrature : Quadrature or None
        Nodes of ability over which the likelihood is integrated; if None, they are chosen by the
        number of factors.
    method : {"quadrature", "mhrm"} or None
        Estimation method: integration over nodes ("quadrature"), or random draws of abilities
        ("mhrm", Metropolis-Hastings Robbins-Monro). If None, "mhrm" for five factors or more.
    tolerance : float
        Largest absolute entry of the gradient at which the estimation counts as converged.
    starts : int
        Number of starting points; the first is computed from the data, others are drawn around it.
    seed : int
        Seed of the other starting points and of the draws of method "mhrm".
    force : bool
        Fit the model although there are too few respondents for it. The result then begins with a
        warning.
    categories : sequence of float or None
        Possible scores of every item. Name them if some items show only one score in these data:
        such items are then kept, and their intercepts need a prior.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" puts the items of
        all benchmarks on one scale. Not needed if `factors` names the items of each factor.

    Returns
    -------
    IRTFit
        `items` (a row per item with its estimates), `parameters` (all parameters with standard
        errors), `latent` (means and covariances of abilities), `scores(method)`,
        `information(theta)`, `reliability`, `diagnostics`, `summary()`, `to_dict()`, and
        `report(folder)`, which writes a page.

    Raises
    ------
    ParameterError
        If there are too few respondents for the model (`force=True` fits it nevertheless, and
        keeps the warning), if options contradict each other, or if the items are of several
        benchmarks and `benchmark` names none.

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
    if isinstance(group, str):
        data, named = without_named_columns(as_frame(data, "data"), {"group": group})
        group = named["group"]
    table = person_items(data, benchmark, "data", "persons")
    with counter(0, "irt", "step") as bar:
        return fit_irt(
            model,
            table,
            factors=factors,
            bifactor=bifactor,
            correlated=correlated,
            guess=guess,
            groups=group,
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


@model_and_data_in_either_order
def conditional_irt(
    model: Literal["rasch", "pcm", "rsm", "lltm"],
    data: TableLike,
    *,
    design: pd.DataFrame | Path | str | None = None,
    tolerance: float = 1e-09,
    benchmark: str | None = None,
) -> ConditionalFit:
    """Fit a model of the Rasch family by conditional maximum likelihood.

    The likelihood is that of the responses given the sum scores, so no distribution of abilities is
    assumed, and the persons need not be a sample of a population.

    Parameters
    ----------
    model : {"rasch", "pcm", "rsm", "lltm"}
        Rasch model, partial credit model, rating scale model, or linear logistic test model.
        "rasch" and "lltm" take items with two scores, "rsm" items with equally many. `model` and
        `data` may be given in either order.
    data : DataFrame
        Scores, with a row per person and a column per item; a cell is empty (NaN) if an item was
        not asked. Persons with the lowest or the highest sum possible carry no information on items
        and are left out.
    design : DataFrame (J, K) or path, optional
        Design matrix of "lltm", with a row per item (the index) and a column per effect; the
        easiness of an item is a weighted sum of its row. It may be a CSV file whose column `item`,
        else its first column, names the items.
    tolerance : float
        Largest absolute entry of the gradient at which the estimation counts as converged.
    benchmark : str, optional
        Benchmark whose items are analyzed. Needed if the columns are items of several benchmarks
        (from `gfactor.matrix` with by="item", or named `BENCHMARK:INDEX`); "all" puts the items of
        all benchmarks on one scale.

    Returns
    -------
    ConditionalFit
        `easiness` (a row per item and score above the lowest: the easiness in logits with its
        standard error; the sum over all rows is 0 for "rasch" and "pcm"; of several scores it is
        cumulative), `parameters` (free parameters with standard errors), `vcov`, `loglik`,
        `n_used`, `diagnostics`, `summary()`, `to_dict()`, and `report(folder)`, which writes a
        page. The difficulty of an item with two scores is its easiness with the sign reversed.

    Raises
    ------
    ParameterError
        If the model does not take the data or the design, an estimate is infinite, the responses
        or the design do not determine all parameters, or the items are of several benchmarks and
        `benchmark` names none.

    See Also
    --------
    irt : the same models by marginal maximum likelihood, with abilities and tests of fit.

    References
    ----------
    Andersen, E. B. (1972). The numerical solution of a set of conditional estimation equations.
    Journal of the Royal Statistical Society B 34, 42-54.
    Fischer, G. H., Ponocny, I. (1994). An extension of the partial credit model with an application
    to the measurement of change. Psychometrika 59, 177-192.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> theta = random.normal(size=(400, 1))
    >>> right = random.uniform(size=(400, 5)) < 1 / (1 + np.exp(np.linspace(-1, 1, 5) - theta))
    >>> fit = gf.conditional_irt("rasch", pd.DataFrame(right.astype(int)))
    >>> fit.easiness["easiness"].round(1).tolist()
    [1.0, 0.5, 0.0, -0.5, -1.0]
    """
    effects = read_items(Path(design)) if isinstance(design, str | Path) else design
    table = person_items(data, benchmark, "data", "persons")
    return fit_conditional(model, table, design=effects, tolerance=tolerance)

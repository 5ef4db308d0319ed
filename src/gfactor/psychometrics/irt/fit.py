"""Fitting an item response model by marginal maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.irt.data import ResponseTable, read_responses
from gfactor.psychometrics.irt.estimation.clouds import Cloud
from gfactor.psychometrics.irt.estimation.collapse import collapses, fit_classes
from gfactor.psychometrics.irt.estimation.errors import (
    FEW_CLUSTERS,
    Covariance,
    ErrorKind,
    covariance,
)
from gfactor.psychometrics.irt.estimation.free_rotation import rotation_of
from gfactor.psychometrics.irt.estimation.maximizing import Optimum, maximize
from gfactor.psychometrics.irt.estimation.sampled_search import (
    SampledOptimum,
    about_draws,
    best_by_draws,
    by_draws,
)
from gfactor.psychometrics.irt.item_tables import free_slopes
from gfactor.psychometrics.irt.likelihood.building import build
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.lattice import (
    ERROR,
    IMPRECISE,
    Lattice,
    fine,
    moved,
    pilot,
)
from gfactor.psychometrics.irt.likelihood.marginal import CodedResponses, Quadrature
from gfactor.psychometrics.irt.likelihood.specification import IrtModel
from gfactor.psychometrics.irt.predictors import design_of_items, numeric_predictors
from gfactor.psychometrics.irt.request import (
    DEFAULT_GUESS_PRIOR,
    DEFAULT_UPPER_PRIOR,
    MODELS,
    Request,
    group_codes,
    guesses,
)
from gfactor.psychometrics.irt.requests_by_item import (
    guesses_by_item,
    models_by_item,
    of_varying_items,
)
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.results import number_of

FEW_FOR_DIFFICULTY = 30
FEW_FOR_SLOPES = 30
FEW_FOR_FREE_SLOPES = 200
FEW_FOR_GUESSING = 1_000
"""Respondents below which a kind of parameter is refused, or only taken with a prior.

Linacre (1994): Rasch difficulties are stable within a logit from 27 to 61 persons; free slopes want
hundreds (Drasgow 1989: 200), an estimated lower asymptote a thousand and more.
"""
SLOPE_PRIOR = ("lognormal", 0.0, 0.5)
"""Prior of slopes for few respondents: median 1, .38 to 2.66."""
PILOT_TOLERANCE, PILOT_STEPS = 1e-2, 200
"""Tolerance of the gradient, and number of steps, on the coarse lattice that gives the start."""
MOST_LATTICES = 3
WIDEST = 15.0
"""The largest ability on a grid."""
NO_VARIANCE = 0.01
"""A variance of ability (squared logits) below this counts as none."""
FLAT, STEEP = 0.3, 4.0
"""Slopes outside these are reported."""


@model_and_data_in_either_order
def fit_irt(
    model: str | Sequence[str] | Mapping[str, str], data: pd.DataFrame, *,
    factors: int | Mapping[str, Sequence[str]] = 1,
    bifactor: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    guess: float | Sequence[float] | Mapping[str, float] | None = None,
    groups: Sequence[str] | None = None,
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
    tolerance: float = 1e-7,
    starts: int = 1,
    seed: int = 0,
    force: bool = False,
    categories: Sequence[float] | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> IRTFit:  # fmt: skip
    """Fit an item response model by marginal maximum likelihood (or MAP, with priors).

    Parameters
    ----------
    model : str, sequence of str or mapping of item to str
        One model for all items, one for each in the order of the columns, or by item: "rasch",
        "1pl", "2pl", "3pl", "4pl", "grm", "pcm", "gpcm", "rsm" or "nrm"; "2PL" and "2-pl" are the
        same name. Model and data may also be given in the other order.
    data : DataFrame (P, J)
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
    groups : sequence of str or None
        Group of every person; the reference has mean 0 (variance 1), the others' are
        estimated.
    reference : str or None
        Reference group; by default the group of the first person in the data.
    equal : sequence of str
        Kinds of parameters that are equal in all groups: "slopes", "intercepts".
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
        Weight of every person: the number of times that the person counts.
    clusters : sequence or None
        Cluster of each person, such as the family of a model, for cluster-robust standard errors.
    errors : {"observed", "sandwich", "cluster", "cluster-plain"} or None
        Kind of standard errors: from the "observed" information, or robust ("sandwich", "cluster",
        "cluster-plain"). If None, "cluster" if clusters are given, else "observed".
    quadrature : Quadrature or None
        Nodes of ability on each axis; chosen by the number of factors if None (from three factors
        on a lattice in as many dimensions, see `gfactor.psychometrics.irt.likelihood.lattice`).
    method : {"quadrature", "mhrm"} or None
        Integration over nodes, or draws of abilities (Metropolis-Hastings Robbins-Monro, see
        `gfactor.psychometrics.irt.estimation.mhrm`); draws from five factors on if None.
    tolerance : float
        Largest absolute entry of the gradient at which the estimation counts as converged.
    starts : int
        Number of starting points; the first is computed from the data, others are drawn around it.
    seed : int
        Seed of the other starting points and of the draws of method "mhrm".
    force : bool
        Fit although respondents are too few for the model; the warning stays on top.
    categories : sequence of float or None
        Possible scores of every item. Name them if some items show only one score in these data:
        such items are then kept, and their intercepts need a prior.
    progress : callable or None
        Called with the number of the step and the objective.

    Returns
    -------
    IRTFit
        IRTFit

    Raises
    ------
    ParameterError
        If there are too few data for the model (and `force` is not given), or options contradict
        each other.

    References
    ----------
    Bock, R. D., Aitkin, M. (1981). Psychometrika 46, 443-459.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> rng = np.random.default_rng(1)
    >>> theta = rng.normal(size=(400, 1))
    >>> right = rng.uniform(size=(400, 5)) < 1 / (1 + np.exp(-(theta - np.linspace(-1, 1, 5))))
    >>> fit = fit_irt("rasch", pd.DataFrame(right.astype(int)))
    >>> bool(fit.converged), fit.n_free
    (True, 6)
    """
    table, diagnostics = read_responses(data, categories)
    columns = list(map(str, pd.DataFrame(data).columns))
    request = Request(
        models_by_item(model, columns), factors, bifactor, correlated,
        guesses_by_item(guess, columns),
        groups, reference, tuple(equal), tuple(map(str, free_items)),
        *numeric_predictors(covariates, "covariates", len(table.codes)),
        *design_of_items(design, table.items), dict(priors or {}), tuple(map(tuple, constraints)),
        dict(fixed or {}),
    )  # fmt: skip
    request, notes = _carried(of_varying_items(request, table), table, clusters, force)
    diagnostics += notes
    specified = build(table, request)
    _, codes = group_codes(request, len(table.codes))
    counted = np.ones(len(table.codes)) if weights is None else np.asarray(weights, float)
    if counted.shape != (len(table.codes),) or not np.all(counted >= 0):
        raise ParameterError(
            f"weights: {len(table.codes)} numbers that are not negative are needed"
        )
    responses = CodedResponses(table.codes, counted, codes, request.covariates)
    kind = errors or ("cluster" if clusters is not None else "observed")
    drawn = by_draws(method, request, specified, quadrature)
    many = quadrature is None and request.bifactor is None and specified.factors > 2
    if drawn:
        optimum, likelihood = best_by_draws(specified, responses, starts, seed, progress)
        vcov, starts, many = covariance(likelihood, optimum, kind, clusters), 1, True
    elif many:
        optimum, likelihood, notes = _on_lattices(specified, responses, tolerance, progress)
        diagnostics += notes
        vcov = covariance(likelihood, optimum, kind, clusters)
    else:
        grid = quadrature or _quadrature(request, specified.factors, len(table.items))
        optimum, vcov, likelihood = _fitted(
            specified, table, request, responses, grid, kind, clusters, tolerance, progress
        )
    widens = quadrature is None and request.bifactor is None and not many
    if widens and (wider := _wider(likelihood, optimum)) is not None:
        near = replace(specified, start=optimum.x) if optimum.converged else specified
        optimum, vcov, likelihood = _fitted(
            near, table, request, responses, wider, kind, clusters, tolerance, progress
        )
    rng = np.random.default_rng(seed)
    for _ in range(starts - 1):
        start = specified.start + rng.normal(0, 0.3, len(specified.start))
        if np.isfinite(likelihood.evaluate(start, derivative=False).loglik):
            other = maximize(likelihood, start, tolerance=tolerance, progress=progress)
            if other.at.objective > optimum.at.objective:
                optimum = other
                vcov = covariance(likelihood, optimum, kind, clusters)
    fit = IRTFit(request, table, likelihood, optimum, vcov, kind)
    return replace(fit, diagnostics=by_severity([*diagnostics, *_about_fit(fit)]))


def _fitted(
    model: IrtModel, table: ResponseTable, request: Request, responses: CodedResponses,
    grid: Quadrature, kind: ErrorKind, clusters: Sequence[object] | None, tolerance: float,
    progress: Callable[[int, float], None] | None,
) -> tuple[Optimum, Covariance | None, Marginal]:  # fmt: skip
    likelihood = Marginal(model, responses, grid)
    if collapses(table, request):
        optimum, vcov = fit_classes(
            table, request, responses, grid, model, tolerance=tolerance, progress=progress
        )
        return optimum, vcov if kind == "observed" else None, likelihood
    optimum = maximize(likelihood, model.start, tolerance=tolerance, progress=progress)
    return optimum, covariance(likelihood, optimum, kind, clusters), likelihood


def _on_lattices(
    model: IrtModel, responses: CodedResponses, tolerance: float,
    progress: Callable[[int, float], None] | None,
) -> tuple[Optimum, Marginal, list[Diagnostic]]:  # fmt: skip
    """The maximum for three and more abilities: on a coarse lattice, then on fine ones.

    A fine lattice is made for the posteriors at the estimates on the one before. It is made anew if
    these turn out to be narrower or the population wider than it was made for, and finer if another
    lattice of its kind gives another log-likelihood.
    """
    start = _start_on_pilot(model, responses, progress)
    likelihood = Marginal(model, responses, pilot(model.factors))
    error, away = ERROR, 0.0
    lattice = fine(likelihood, likelihood.evaluate(start), error)
    for attempt in range(1, MOST_LATTICES + 1):
        likelihood = Marginal(model, responses, lattice)
        optimum = maximize(likelihood, start, tolerance=tolerance, progress=progress)
        start = optimum.x
        other = Marginal(model, responses, moved(lattice)).evaluate(optimum.x, derivative=False)
        away = abs(other.loglik - optimum.at.loglik)
        error = error if away <= IMPRECISE else error**2
        needed = fine(likelihood, optimum.at, error)
        if lattice.serves_as(needed) or attempt == MOST_LATTICES:
            return optimum, likelihood, _imprecision(away)
        lattice = needed
    raise AssertionError("MOST_LATTICES is at least 1")


def _imprecision(away: float) -> list[Diagnostic]:
    """Return a warning if the log-likelihood differs too much between two lattices."""
    if away <= IMPRECISE:
        return []
    return [Diagnostic(
        "integral_imprecise", "warning",
        f"On other nodes of ability the log-likelihood of these estimates differs by {away:.2g}.",
        "Do not compare this fit with others to fewer than that many units. Steep slopes are the "
        "usual reason: fit fewer factors, or state a prior of slopes.",
        values={"difference": away},
    )]  # fmt: skip


def _start_on_pilot(
    model: IrtModel, responses: CodedResponses, progress: Callable[[int, float], None] | None
) -> Floats:
    """Approximate estimates on a coarse lattice, as a start on a fine one."""
    rotation = rotation_of(model)
    freed = model if rotation is None else rotation.freed
    likelihood = Marginal(freed, responses, pilot(model.factors))
    nearly = maximize(
        likelihood, freed.start, tolerance=PILOT_TOLERANCE, max_iterations=PILOT_STEPS,
        progress=progress, newton=False,
    ).x  # fmt: skip
    return nearly if rotation is None else rotation.turned_back(nearly)


def _reach(likelihood: Marginal, optimum: Optimum) -> float:
    """The largest ability within four standard deviations of a group's mean."""
    values = optimum.at.values
    return max(
        float((np.abs(values[g.mean]) + 4 * np.sqrt(values[g.covariance].diagonal())).max())
        for g in likelihood.model.groups
    )


def _wider(likelihood: Marginal, optimum: Optimum) -> Quadrature | None:
    """Return a grid that reaches four standard deviations if the present one does not."""
    grid, reach = likelihood.quadrature, _reach(likelihood, optimum)
    if reach <= grid.limit:
        return None
    limit = min(float(math.ceil(reach)) + 1, WIDEST)
    points = 2 * math.ceil((grid.points - 1) / 2 * limit / grid.limit) + 1
    return Quadrature(points, limit)


def _quadrature(request: Request, factors: int, items: int) -> Quadrature:
    """Return 61 nodes of one ability; more if many items make posteriors narrower than their
    distance.

    With unit slopes the information of J items is J / 4 at the most, the posterior's standard
    deviation 2 / sqrt(J) at the least; nodes are at most three quarters of that apart.
    """
    if request.bifactor is not None:
        return Quadrature(21, 6.0)
    points = max(61, 2 * math.ceil(4 * math.sqrt(items)) + 1)
    return Quadrature(points, 6.0) if factors == 1 else Quadrature(31, 6.0)


def _carried(
    request: Request, table: ResponseTable, clusters: Sequence[object] | None, force: bool
) -> tuple[Request, list[Diagnostic]]:
    """Add priors to the request if respondents are few; refuse models that need more
    respondents."""
    persons = int((table.codes >= 0).any(axis=1).sum())
    families = persons if clusters is None else len({str(c) for c in clusters})
    models = {request.model} if isinstance(request.model, str) else set(request.model.values())
    # Unknown models are refused by their name where the model is built.
    slopes = bool((models & set(MODELS)) - {"rasch", "pcm", "rsm", "1pl"})
    diagnostics: list[Diagnostic] = []
    what = f"{persons} respondents" + ("" if clusters is None else f" in {families} clusters")
    if clusters is not None and families < FEW_CLUSTERS:
        diagnostics.append(Diagnostic(
            "few_clusters", "warning",
            f"{what}: standard errors over fewer than {FEW_CLUSTERS} clusters are often too small, "
            "so those of independent respondents stand where they are larger.",
            "Take both for lower limits, or add respondents of other clusters.",
            values={"n": persons, "clusters": families},
        ))  # fmt: skip
    if slopes and persons < FEW_FOR_SLOPES and request.priors.get("slope") is None:
        message = (
            f"{what} are too few for a discrimination per item (at least {FEW_FOR_SLOPES} with a "
            f"prior, {FEW_FOR_FREE_SLOPES} without)."
        )
        if not force:
            raise ParameterError(
                f"{message} Fit model 'rasch', or state a prior of slopes, or force the fit"
            )
        diagnostics.append(Diagnostic(
            "too_few_for_slopes", "error", message,
            "Slopes are the prior's more than the data's; use 'rasch'.", values={"n": persons},
        ))  # fmt: skip
    if slopes and persons < FEW_FOR_FREE_SLOPES and "slope" not in request.priors:
        request = replace(request, priors={**request.priors, "slope": SLOPE_PRIOR})
        diagnostics.append(Diagnostic(
            "slopes_with_prior", "warning",
            f"With {what} slopes were estimated with a prior (lognormal, median 1, 95 % from .38 "
            "to 2.66).",
            "Compare with 'rasch'; report slopes as shrunk.", values={"n": persons},
        ))  # fmt: skip
    elif slopes and FEW_FOR_SLOPES <= persons < FEW_FOR_FREE_SLOPES and not request.priors["slope"]:
        diagnostics.append(Diagnostic(
            "slopes_without_prior", "warning",
            f"With {what} slopes were estimated without a prior, as asked; they may be far off.",
            "Compare with 'rasch', and with the prior (leave \"slope\" out of the priors).",
            values={"n": persons},
        ))  # fmt: skip
    estimates_guessing = bool(models & {"3pl", "4pl"}) and None in guesses(table, request)
    if estimates_guessing and persons < FEW_FOR_GUESSING:
        diagnostics.append(Diagnostic(
            "guessing_by_prior", "warning",
            f"With {what} the lower asymptotes are mostly their prior's.",
            "Fix them by the answer format: guess = 1 / number of options.",
            values={"n": persons},
        ))  # fmt: skip
    defaults = {"guess": DEFAULT_GUESS_PRIOR} if estimates_guessing else {}
    if "4pl" in models:
        defaults["upper"] = DEFAULT_UPPER_PRIOR
    request = replace(request, priors={**defaults, **request.priors})
    if not slopes and persons < FEW_FOR_DIFFICULTY:
        diagnostics.append(Diagnostic(
            "few_respondents", "warning",
            f"{what} give difficulties with standard errors of about "
            f"{2 / np.sqrt(max(persons, 1)):.1f} logits or more.",
            "Read difficulties in groups (by design or domain), not item by item.",
            values={"n": persons},
        ))  # fmt: skip
    return request, diagnostics


def _without_variance(fit: IRTFit) -> list[Diagnostic]:
    """Return an error if persons do not differ in the one ability that is estimated."""
    model, values = fit.likelihood.model, fit.optimum.at.values
    variances = [int(group.covariance[0, 0]) for group in model.groups]
    free = model.design.getnnz(axis=1) > 0
    groups = [
        group.name for group, variance in zip(model.groups, variances, strict=True)
        if free[variance] and values[variance] < NO_VARIANCE
    ]  # fmt: skip
    if model.factors > 1 or not groups:
        return []
    where = "" if len(model.groups) == 1 else f" in group {groups[0]!r}"
    return [Diagnostic(
        "no_variance_of_ability", "error",
        f"The variance of ability is zero, or nearly so{where}: the items have nothing in common.",
        "Do not use abilities of this fit; look for items with reversed keys and for columns that "
        "are no items.",
        tuple(groups),
    )]  # fmt: skip


def _about_fit(fit: IRTFit) -> list[Diagnostic]:
    diagnostics = _without_variance(fit)
    if isinstance(fit.optimum, SampledOptimum):
        diagnostics += about_draws(fit.optimum, fit.loglik_error or 0.0)
    elif not fit.optimum.converged:
        diagnostics.append(Diagnostic(
            "not_converged", "error",
            f"The largest entry of the gradient is {fit.optimum.gradient:.1e} after "
            f"{fit.optimum.iterations} accelerated EM and {fit.optimum.newton_steps} Newton steps.",
            "Do not use the estimates; look for items that nearly everybody solves, add priors, or "
            "fit a smaller model.",
        ))  # fmt: skip
    if fit.optimum.converged and fit.vcov is None and fit.optimum.information is not None:
        diagnostics.append(Diagnostic(
            "not_identified", "error",
            "The observed information is not positive definite: the data do not determine all "
            "parameters.",
            "Fix or share parameters, or add priors.",
        ))  # fmt: skip
    elif fit.optimum.converged and fit.vcov is None:
        diagnostics.append(Diagnostic(
            "no_standard_errors", "note",
            f"With {fit.n_free} free parameters {fit.errors} standard errors were not computed.",
            "Standard errors are missing.",
        ))  # fmt: skip
    reach, limit = _reach(fit.likelihood, fit.optimum), fit.likelihood.quadrature.limit
    on_lines = not isinstance(fit.likelihood.quadrature, Lattice | Cloud)
    if reach > limit and on_lines and not fit.likelihood.two_tier:
        diagnostics.append(Diagnostic(
            "grid_too_narrow", "warning",
            f"Abilities are integrated from -{limit:g} to {limit:g}, but four standard deviations "
            f"reach {reach:.1f}.",
            "Widen the quadrature (theta_lim); a spread of abilities this large is often that of "
            "two populations, or of too few persons.",
            values={"limit": limit, "reach": reach},
        ))  # fmt: skip
    if fit.likelihood.model.factors == 1:
        items, slopes = free_slopes(fit.likelihood.model, fit.optimum.at.values, fit.table.items)
        for code, among, predicate, remedy in (
            ("negative_slope", slopes < 0, "with negative discrimination, which the able fail more "
             "often", "Check their keys; leave them out until this is explained."),
            ("flat_slope", (slopes >= 0) & (slopes < FLAT),
             f"with hardly any discrimination (slope below {FLAT})",
             "They measure something else, or nothing; look at them."),
            ("steep_slope", slopes > STEEP,
             f"with a slope above {STEEP}",
             "Often locally dependent items or too few respondents; see Q3."),
        ):  # fmt: skip
            names = tuple(dict.fromkeys(map(str, items[among])))
            if names:
                some = first_few(names)
                sentence = f"{number_of(len(names), 'item')} {predicate}: {some}."
                diagnostics.append(Diagnostic(code, "warning", sentence, remedy, names))
    return diagnostics

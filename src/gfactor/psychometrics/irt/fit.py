"""Fitting an item response model and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic, gravest_first
from gfactor.psychometrics.irt.building import Request, build, group_codes
from gfactor.psychometrics.irt.curves import Floats, parameter_names
from gfactor.psychometrics.irt.data import ResponseTable, read_responses
from gfactor.psychometrics.irt.errors import ErrorKind, covariance
from gfactor.psychometrics.irt.estimation import Optimum, maximize
from gfactor.psychometrics.irt.marginal import Marginal, Quadrature, Responses
from gfactor.psychometrics.irt.scores import point_scores, test_information
from gfactor.psychometrics.irt.specification import Group
from gfactor.results import Result

FEW_FOR_DIFFICULTY = 30
FEW_FOR_SLOPES = 30
FEW_FOR_FREE_SLOPES = 200
FEW_FOR_GUESSING = 1_000
"""Respondents below which a kind of parameter is refused, or only taken with a prior.

Linacre (1994): Rasch difficulties are stable within a logit from 27 to 61 persons; free slopes want
hundreds (Drasgow 1989: 200), an estimated lower asymptote a thousand and more.
"""
SLOPE_PRIOR = ("lognormal", 0.0, 0.5)
"""Of slopes, where respondents are few: median 1, .38 to 2.66."""
FLAT, STEEP = 0.3, 4.0
"""Slopes outside these are reported."""


@dataclass(frozen=True, repr=False)
class IRTFit(Result):
    """A fitted item response model.

    Parameters
    ----------
    request : Request
        What was asked for, with the defaults that were added.
    table : ResponseTable
        The responses.
    likelihood : Marginal
        The likelihood, for everything that is computed later.
    optimum : Optimum
        Where its maximum is.
    vcov : array (X, X) or None
        Covariance matrix of the free parameters.
    errors : str
        How standard errors were computed.
    diagnostics : tuple of Diagnostic
        What limits the use of the result, errors first.
    """

    request: Request
    table: ResponseTable
    likelihood: Marginal
    optimum: Optimum
    vcov: Floats | None
    errors: ErrorKind
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def loglik(self) -> float:
        """Marginal log-likelihood at the estimates, without priors."""
        return self.optimum.at.loglik

    @property
    def n_free(self) -> int:
        """Free parameters."""
        return len(self.optimum.x)

    @property
    def n_persons(self) -> int:
        """Persons with at least one response."""
        return int((self.table.codes >= 0).any(axis=1).sum())

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return -2 * self.loglik + 2 * self.n_free

    @property
    def bic(self) -> float:
        """Schwarz's criterion, n being the persons."""
        return -2 * self.loglik + self.n_free * float(np.log(self.n_persons))

    @property
    def converged(self) -> bool:
        """Whether the gradient is zero and the information positive definite at the estimates."""
        return self.optimum.converged and self.vcov is not None

    @property
    def title(self) -> str:
        model = self.request.model
        named = model if isinstance(model, str) else "mixed models"
        end = "converged" if self.converged else "not converged"
        return (
            f"{named}: {self.n_persons} persons, {len(self.table.items)} items, "
            f"{self.n_free} free parameters, log-likelihood {self.loglik:.3f}, {end}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        model = self.request.model
        return {
            "model": model if isinstance(model, str) else dict(model),
            "n_persons": self.n_persons,
            "n_items": len(self.table.items),
            "n_free": self.n_free,
            "loglik": self.loglik,
            "log_prior": self.optimum.at.log_prior,
            "aic": self.aic,
            "bic": self.bic,
            "converged": self.converged,
            "max_gradient": self.optimum.gradient,
            "standard_errors": self.errors,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"items": self.items, "latent": self.latent}

    @cached_property
    def parameters(self) -> pd.DataFrame:
        """All parameters: `group`, `item`, `parameter`, `estimate`, `se`, `free`.

        Slope-intercept form; asymptotes are probabilities, their standard errors by the delta
        method.
        """
        model, values = self.likelihood.model, self.optimum.at.values
        free = model.design.getnnz(axis=1) > 0
        se = self._standard_errors()
        rows = []
        for group in model.groups:
            for block in group.blocks:
                names = parameter_names(block.kind, block.categories, len(block.factors))
                for column, index in zip(block.columns, block.index, strict=True):
                    for name, place in zip(names, index, strict=True):
                        shown, value, error = name, float(values[place]), float(se[place])
                        if name in ("logit_g", "logit_u"):
                            shown, value = name[-1], float(special.expit(value))
                            error *= value * (1 - value)
                        elif name.startswith("a") and name[1:].isdigit():
                            shown = f"a{block.factors[int(name[1:]) - 1] + 1}"
                        rows.append(
                            (group.name, self.table.items[column], shown, value, error,
                             bool(free[place]))
                        )  # fmt: skip
        frame = pd.DataFrame(rows, columns=["group", "item", "parameter", "estimate", "se", "free"])
        frame.loc[~frame["free"], "se"] = np.nan
        order = {item: j for j, item in enumerate(self.table.items)}
        return frame.sort_values(
            ["group", "item"], key=lambda c: c.map(order) if c.name == "item" else c, kind="stable"
        ).reset_index(drop=True)

    def _standard_errors(self) -> Floats:
        model = self.likelihood.model
        if self.vcov is None:
            return np.full(len(model.base), np.nan)
        return np.sqrt(np.maximum(_diagonal(model.design, self.vcov), 0))

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row per item (and group): discrimination and difficulty with standard errors.

        `a` is the slope (with several factors the multidimensional discrimination), `b` the ability
        at which the curve of two categories is halfway between its asymptotes, `c` and `d` the
        asymptotes. Items with more categories have `b` = mean of their thresholds.
        """
        rows = []
        for (group, item), own in self.parameters.groupby(["group", "item"], sort=False):
            at = dict(zip(own["parameter"], own["estimate"], strict=True))
            slopes = np.array([v for k, v in at.items() if k[0] == "a" and k[1:].isdigit()])
            a = float(np.sqrt((slopes**2).sum())) if len(slopes) > 1 else float(slopes[0])
            steps = np.array([v for k, v in at.items() if k[0] == "d"])
            if any(k[0] == "b" for k in at):
                b = float(np.mean([v for k, v in at.items() if k[0] == "b"])) - at["c"]
            elif a == 0:
                b = np.nan
            else:
                b = float(-self._center(item, steps) / a)
            two = "d" in at
            rows.append({
                "group": group, "item": item, "a": a, "b": b,
                "c": at.get("g", 0.0) if two else np.nan,
                "d": at.get("u", 1.0) if two else np.nan,
                "n": int((self.table.codes[:, self.table.items.index(str(item))] >= 0).sum()),
            })  # fmt: skip
        frame = pd.DataFrame(rows)
        return frame.drop(columns="group") if len(self.likelihood.model.groups) == 1 else frame

    def _center(self, item: Any, steps: Floats) -> float:
        kind = next(
            block.kind
            for block in self.likelihood.model.groups[0].blocks
            if self.table.items.index(str(item)) in block.columns
        )
        # Of divided-by-total models d_k is a sum of k steps; the last is their total.
        return float(steps[-1] / len(steps)) if kind in ("gpcm", "nominal") else float(steps.mean())

    @cached_property
    def latent(self) -> pd.DataFrame:
        """Distribution of ability per group: `group`, `parameter`, `estimate`, `se`."""
        model, values, se = self.likelihood.model, self.optimum.at.values, self._standard_errors()
        free = model.design.getnnz(axis=1) > 0
        rows = []
        for group in model.groups:
            places = [*group.latent]
            if group.regression is not None:
                places += [*group.regression.ravel()]
            for place in places:
                name = model.labels[place].split("GROUP.")[1]
                error = se[place] if free[place] else np.nan
                rows.append((group.name, name, values[place], error))
        return pd.DataFrame(rows, columns=["group", "parameter", "estimate", "se"])

    @property
    def effects(self) -> pd.DataFrame:
        """Effects of a design on difficulty: `effect`, `estimate`, `se`."""
        names = self.request.design_names
        places = [self.likelihood.model.free_labels.index(name) for name in names]
        se = np.full(len(names), np.nan)
        if self.vcov is not None:
            se = np.sqrt(np.diag(self.vcov)[places])
        return pd.DataFrame({"effect": names, "estimate": self.optimum.x[places], "se": se})

    def scores(self, method: str = "eap") -> pd.DataFrame:
        """Abilities of the persons.

        Parameters
        ----------
        method : {"eap", "map", "ml", "wle"}
            Estimator; all but "eap" need one factor.

        Returns
        -------
        DataFrame
            One row per person: `theta` and `se`, or `F1`, `F1_se`, ... with several factors.

        Raises
        ------
        UnknownNameError, ParameterError
            If there is no such method, or it needs one factor.
        """
        model, count = self.likelihood.model, len(self.table.codes)
        index = pd.Index(self.table.persons, name="examinee")
        if method == "eap":
            theta, se = np.zeros((count, model.factors)), np.zeros((count, model.factors))
            for g, posterior in enumerate(self.optimum.at.posteriors):
                rows = np.flatnonzero(self.likelihood.data.group == g)
                theta[rows], se[rows] = self._moments(posterior)
        elif method not in ("map", "ml", "wle"):
            raise UnknownNameError("method of scoring", method, ("eap", "map", "ml", "wle"))
        elif model.factors > 1:
            raise ParameterError(f"{method} scores need one factor; take 'eap'")
        else:
            theta, se = np.zeros((count, 1)), np.zeros((count, 1))
            for g, group in enumerate(model.groups):
                rows = np.flatnonzero(self.likelihood.data.group == g)
                found = point_scores(
                    group.blocks, self.optimum.at.values, self.table.codes[rows], method,
                    self._means(group, rows), float(self.optimum.at.values[group.covariance[0, 0]]),
                )  # fmt: skip
                theta[rows, 0], se[rows, 0] = found.theta, found.se
        if model.factors == 1:
            return pd.DataFrame({"theta": theta[:, 0], "se": se[:, 0]}, index=index)
        columns = {}
        for f in range(model.factors):
            columns |= {f"F{f + 1}": theta[:, f], f"F{f + 1}_se": se[:, f]}
        return pd.DataFrame(columns, index=index)

    def _moments(self, posterior: Any) -> tuple[Floats, Floats]:
        if not self.likelihood.two_tier:
            mean = posterior.weights @ self.likelihood.nodes
            square = posterior.weights @ self.likelihood.nodes**2
            return mean, np.sqrt(np.maximum(square - mean**2, 0))
        line = self.likelihood.quadrature.line
        factors = self.likelihood.model.factors
        shares = [posterior.weights]
        for s in range(1, factors):
            prior = np.exp(posterior.prior)
            joint = posterior.specific.get(s)
            shares.append(
                np.repeat(prior, len(posterior.weights), axis=0)
                if joint is None else joint.sum(axis=1)
            )  # fmt: skip
        mean = np.stack([share @ line for share in shares], axis=1)
        square = np.stack([share @ line**2 for share in shares], axis=1)
        return mean, np.sqrt(np.maximum(square - mean**2, 0))

    def _means(self, group: Group, rows: Any) -> Floats | float:
        values = self.optimum.at.values
        mean = float(values[group.mean[0]])
        if group.regression is None:
            return mean
        assert self.likelihood.data.covariates is not None
        return mean + self.likelihood.data.covariates[rows] @ values[group.regression[:, 0]]

    def information(self, theta: Sequence[float] | Floats) -> pd.DataFrame:
        """Test information and conditional standard error along one ability.

        Parameters
        ----------
        theta : sequence of float
            Abilities.

        Returns
        -------
        DataFrame
            `theta`, `information`, `se` = 1 / sqrt(information), of the reference group's items.
        """
        at = np.asarray(theta, float)
        found = test_information(self.likelihood.model.groups[0].blocks, self.optimum.at.values, at)
        return pd.DataFrame({"theta": at, "information": found, "se": 1 / np.sqrt(found)})

    @cached_property
    def reliability(self) -> dict[str, float]:
        """Empirical and marginal reliability.

        `empirical` = var(EAP) / (var(EAP) + mean of the squared standard errors); `marginal` is the
        mean over the population of I / (I + 1 / variance).
        """
        eap = self.scores("eap")
        if self.likelihood.model.factors > 1:
            factors = range(1, self.likelihood.model.factors + 1)
            return {f"F{f}": _empirical(eap[f"F{f}"], eap[f"F{f}_se"]) for f in factors}
        group = self.likelihood.model.groups[0]
        variance = float(self.optimum.at.values[group.covariance[0, 0]])
        line = np.linspace(-6, 6, 121) * np.sqrt(variance)
        weights = np.exp(-0.5 * line**2 / variance)
        info = test_information(group.blocks, self.optimum.at.values, line)
        marginal = float((info / (info + 1 / variance)) @ weights / weights.sum())
        return {"empirical": _empirical(eap["theta"], eap["se"]), "marginal": marginal}


def _empirical(theta: pd.Series, se: pd.Series) -> float:
    spread = float(theta.var(ddof=1))
    return spread / (spread + float((se**2).mean()))


def _diagonal(design: Any, vcov: Floats) -> Floats:
    """Diagonal of design vcov design'."""
    turned = design @ vcov
    return np.asarray(design.multiply(turned).sum(axis=1)).ravel()


def fit_irt(
    data: pd.DataFrame, model: str | Mapping[str, str] = "2pl", *,
    factors: int | Mapping[str, Sequence[str]] = 1,
    bifactor: Mapping[str, Sequence[str]] | None = None,
    correlated: bool = True,
    guess: float | Mapping[str, float] | None = None,
    groups: Sequence[str] | None = None,
    reference: str | None = None,
    equal: Sequence[str] = ("slopes", "intercepts"),
    free_items: Sequence[str] = (),
    covariates: pd.DataFrame | None = None,
    design: pd.DataFrame | None = None,
    priors: Mapping[str, tuple[str, float, float]] | None = None,
    weights: Sequence[float] | None = None,
    clusters: Sequence[object] | None = None,
    errors: ErrorKind | None = None,
    quadrature: Quadrature | None = None,
    tolerance: float = 1e-7,
    starts: int = 1,
    seed: int = 0,
    force: bool = False,
    progress: Callable[[int, float], None] | None = None,
) -> IRTFit:  # fmt: skip
    """Fit an item response model by marginal maximum likelihood (or MAP, with priors).

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores, one row per person and one column per item; empty where an item was not asked.
    model : str or mapping of item to str
        "rasch", "1pl", "2pl", "3pl", "4pl", "grm", "pcm", "gpcm", "rsm" or "nrm".
    factors : int or mapping of factor name to items
        Factors of an exploratory model, or which items load on which.
    bifactor : mapping of specific factor name to items, or None
        A general factor and these, all independent.
    correlated : bool
        Whether the factors of a confirmatory model correlate.
    guess : float, mapping of item to float, or None
        Fixed lower asymptote, e.g. chance under the answer format.
    groups : sequence of str or None
        Group of every person; the reference has mean 0 (variance 1), the others' are estimated.
    reference : str or None
        The reference group; the first by name.
    equal : sequence of str
        What is equal in all groups: "slopes", "intercepts".
    free_items : sequence of str
        Items that differ between groups all the same.
    covariates : DataFrame (P, C) or None
        Numeric predictors of ability (latent regression).
    design : DataFrame (J, K) or None
        Effects that add up to every item's difficulty (LLTM), index: items.
    priors : mapping or None
        "slope", "intercept", "guess", "upper" to (density, first, second).
    weights : sequence of float or None
        How often every person counts.
    clusters : sequence or None
        Cluster of every person, e.g. a model's family, for cluster-robust standard errors.
    errors : {"observed", "sandwich", "cluster"} or None
        Standard errors; "cluster" where clusters are given, else "observed".
    quadrature : Quadrature or None
        Nodes of ability; chosen by the number of factors if None.
    tolerance : float
        Largest absolute entry of the gradient at the end.
    starts : int
        Starting points; the first is computed from the data, others are drawn around it.
    seed : int
        Of the other starting points.
    force : bool
        Fit although respondents are too few for the model; the warning stays on top.
    progress : callable or None
        Called with the number of the step and the objective.

    Returns
    -------
    IRTFit

    Raises
    ------
    ParameterError
        If the data cannot carry the model (and `force` is not given) or the request contradicts
        itself.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> rng = np.random.default_rng(1)
    >>> theta = rng.normal(size=(400, 1))
    >>> right = rng.uniform(size=(400, 5)) < 1 / (1 + np.exp(-(theta - np.linspace(-1, 1, 5))))
    >>> fit = fit_irt(pd.DataFrame(right.astype(int)), "rasch")
    >>> bool(fit.converged), fit.n_free
    (True, 6)

    References
    ----------
    Bock, R. D., Aitkin, M. (1981). Psychometrika 46, 443-459.
    """
    table, found = read_responses(data)
    request = Request(
        model, factors, bifactor, correlated, guess, groups, reference, tuple(equal),
        tuple(map(str, free_items)), *_numeric(covariates, "covariates", len(table.codes)),
        *_design(design, table), dict(priors or {}),
    )  # fmt: skip
    request, said = _carried(request, table, clusters, force)
    found += said
    specified = build(table, request)
    _, codes = group_codes(request, len(table.codes))
    counted = np.ones(len(table.codes)) if weights is None else np.asarray(weights, float)
    if counted.shape != (len(table.codes),) or not np.all(counted >= 0):
        raise ParameterError(
            f"weights: {len(table.codes)} numbers that are not negative are needed"
        )
    responses = Responses(table.codes, counted, codes, request.covariates)
    likelihood = Marginal(
        specified, responses, quadrature or _quadrature(request, specified.factors)
    )
    optimum = maximize(likelihood, specified.start, tolerance=tolerance, progress=progress)
    rng = np.random.default_rng(seed)
    for _ in range(starts - 1):
        start = specified.start + rng.normal(0, 0.3, len(specified.start))
        if np.isfinite(likelihood.evaluate(start, derivative=False).loglik):
            other = maximize(likelihood, start, tolerance=tolerance, progress=progress)
            if other.at.objective > optimum.at.objective:
                optimum = other
    kind = errors or ("cluster" if clusters is not None else "observed")
    vcov = covariance(likelihood, optimum, kind, clusters)
    fit = IRTFit(request, table, likelihood, optimum, vcov, kind)
    return replace(fit, diagnostics=gravest_first([*found, *_about_fit(fit)]))


def _numeric(
    given: pd.DataFrame | None, what: str, rows: int
) -> tuple[Floats | None, tuple[str, ...]]:
    if given is None:
        return None, ()
    if len(given) != rows:
        raise ParameterError(f"{what}: {len(given)} rows for {rows} persons")
    numbers = given.to_numpy(float)
    if not np.all(np.isfinite(numbers)):
        raise ParameterError(f"{what}: every cell must be a number; leave out persons without one")
    return numbers, tuple(map(str, given.columns))


def _design(
    given: pd.DataFrame | None, table: ResponseTable
) -> tuple[Floats | None, tuple[str, ...]]:
    if given is None:
        return None, ()
    given = given.set_axis([str(i) for i in given.index], axis=0)
    lacking = [item for item in table.items if item not in given.index]
    if lacking:
        raise ParameterError(f"design: item {lacking[0]!r} has no row")
    chosen = given.loc[list(table.items)]
    return _numeric(chosen, "design", len(table.items))


def _quadrature(request: Request, factors: int) -> Quadrature:
    if request.bifactor is not None:
        return Quadrature(21, 6.0)
    return {1: Quadrature(61, 6.0), 2: Quadrature(31, 6.0)}.get(factors, Quadrature(15, 5.0))


def _carried(
    request: Request, table: ResponseTable, clusters: Sequence[object] | None, force: bool
) -> tuple[Request, list[Diagnostic]]:
    """The request with priors where respondents are few; refuses what they cannot carry."""
    persons = int((table.codes >= 0).any(axis=1).sum())
    families = persons if clusters is None else len({str(c) for c in clusters})
    models = {request.model} if isinstance(request.model, str) else set(request.model.values())
    slopes = bool(models - {"rasch", "pcm", "rsm", "1pl"})
    found: list[Diagnostic] = []
    what = f"{persons} respondents" + ("" if clusters is None else f" in {families} clusters")
    if slopes and persons < FEW_FOR_SLOPES and "slope" not in request.priors:
        said = (
            f"{what} cannot carry a free discrimination per item ({FEW_FOR_SLOPES} are the least, "
            f"with a prior; {FEW_FOR_FREE_SLOPES} without)."
        )
        if not force:
            raise ParameterError(
                f"{said} Fit model 'rasch', or state a prior of slopes, or force the fit"
            )
        found.append(Diagnostic(
            "too_few_for_slopes", "error", said,
            "Slopes are the prior's more than the data's; use 'rasch'.", values={"n": persons},
        ))  # fmt: skip
    if slopes and persons < FEW_FOR_FREE_SLOPES and "slope" not in request.priors:
        request = replace(request, priors={**request.priors, "slope": SLOPE_PRIOR})
        found.append(Diagnostic(
            "slopes_with_prior", "warning",
            f"With {what} slopes were estimated with a prior (lognormal, median 1, 95 % from .38 "
            "to 2.66).",
            "Compare with 'rasch'; report slopes as shrunk.", values={"n": persons},
        ))  # fmt: skip
    if models & {"3pl", "4pl"} and request.guess is None and persons < FEW_FOR_GUESSING:
        found.append(Diagnostic(
            "guessing_by_prior", "warning",
            f"With {what} the lower asymptotes are mostly their prior's.",
            "Fix them by the answer format: guess = 1 / number of options.",
            values={"n": persons},
        ))  # fmt: skip
    if not slopes and persons < FEW_FOR_DIFFICULTY:
        found.append(Diagnostic(
            "few_respondents", "warning",
            f"{what} give difficulties with standard errors of about "
            f"{2 / np.sqrt(max(persons, 1)):.1f} logits or more.",
            "Read difficulties in groups (by design or domain), not item by item.",
            values={"n": persons},
        ))  # fmt: skip
    return request, found


def _about_fit(fit: IRTFit) -> list[Diagnostic]:
    found = []
    if not fit.optimum.converged:
        found.append(Diagnostic(
            "not_converged", "error",
            f"The largest entry of the gradient is {fit.optimum.gradient:.1e} after "
            f"{fit.optimum.iterations} accelerated EM and {fit.optimum.newton_steps} Newton steps.",
            "Do not use the estimates; look for items that nearly everybody solves, add priors, or "
            "fit a smaller model.",
        ))  # fmt: skip
    elif fit.vcov is None and fit.optimum.information is not None:
        found.append(Diagnostic(
            "not_identified", "error",
            "The observed information is not positive definite: the data do not determine all "
            "parameters.",
            "Fix or share parameters, or add priors.",
        ))  # fmt: skip
    elif fit.optimum.information is None:
        found.append(Diagnostic(
            "no_standard_errors", "note",
            f"With {fit.n_free} free parameters the full information matrix was not formed.",
            "Standard errors are missing.",
        ))  # fmt: skip
    slopes = fit.parameters[
        fit.parameters["parameter"].str.fullmatch(r"a\d+") & fit.parameters["free"]
    ]
    if fit.likelihood.model.factors == 1 and len(slopes):
        for code, rows, said, remedy in (
            ("negative_slope", slopes[slopes["estimate"] < 0],
             "have negative discrimination: the able fail them more often",
             "Check their keys; leave them out until this is explained."),
            ("flat_slope", slopes[(slopes["estimate"] >= 0) & (slopes["estimate"] < FLAT)],
             f"hardly discriminate (slope below {FLAT})",
             "They measure something else, or nothing; look at them."),
            ("steep_slope", slopes[slopes["estimate"] > STEEP],
             f"have a slope above {STEEP}",
             "Often locally dependent items or too few respondents; see Q3."),
        ):  # fmt: skip
            names = tuple(dict.fromkeys(map(str, rows["item"])))
            if names:
                shown = ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")
                found.append(Diagnostic(
                    code, "warning", f"{len(names)} items {said}: {shown}.", remedy, names
                ))  # fmt: skip
    return found

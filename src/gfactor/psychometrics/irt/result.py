"""Result of a fitted item response model: parameters, abilities, information, reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.data import ResponseTable
from gfactor.psychometrics.irt.estimation.errors import Covariance, ErrorKind
from gfactor.psychometrics.irt.estimation.maximizing import Optimum
from gfactor.psychometrics.irt.estimation.sampled import SampledEvaluation
from gfactor.psychometrics.irt.estimation.sampled_search import SampledOptimum
from gfactor.psychometrics.irt.item_tables import (
    ALL,
    by_threshold,
    item_table,
    parameter_table,
    threshold_table,
    without_bare_asymptotes,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.likelihood.specification import IrtGroup
from gfactor.psychometrics.irt.request import Request
from gfactor.psychometrics.irt.scores.abilities import (
    point_scores,
    sum_score_distribution,
    test_information,
)
from gfactor.psychometrics.rounding import magnitude
from gfactor.results import Result, number_of

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.checks.brokenitems import BrokenItems


@dataclass(frozen=True, repr=False)
class IRTFit(Result):
    """A fitted item response model.

    Parameters
    ----------
    request : Request
        Options of the fit, with defaults filled in.
    table : ResponseTable
        The responses.
    likelihood : Marginal
        The likelihood, from which further results are computed.
    optimum : Optimum
        Maximum of the likelihood.
    vcov : Covariance or None
        Covariance of the free parameters.
    errors : str
        Method that computed the standard errors.
    diagnostics : tuple of Diagnostic
        Limits to the use of the result, errors first.
    """

    request: Request
    table: ResponseTable
    likelihood: Marginal
    optimum: Optimum
    vcov: Covariance | None
    errors: ErrorKind
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def loglik(self) -> float:
        """Marginal log-likelihood at the estimates, without priors."""
        return self.optimum.at.loglik

    @property
    def loglik_error(self) -> float | None:
        """Monte Carlo standard error of the log-likelihood; None if it has no such error."""
        at = self.optimum.at
        return at.loglik_error if isinstance(at, SampledEvaluation) else None

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
        """Akaike's information criterion (AIC)."""
        return -2 * self.loglik + 2 * self.n_free

    @property
    def bic(self) -> float:
        """Schwarz's criterion (BIC), with n as the number of persons."""
        return -2 * self.loglik + self.n_free * float(np.log(self.n_persons))

    @property
    def sabic(self) -> float:
        """Sample-size adjusted BIC: Schwarz's criterion with Sclove's (n + 2) / 24 instead of the
        number of persons n."""
        return -2 * self.loglik + self.n_free * float(np.log((self.n_persons + 2) / 24))

    @property
    def converged(self) -> bool:
        """True if the gradient is zero at the estimates (with method "mhrm", up to Monte Carlo
        error), and the information, if it was computed, is positive definite.
        """
        return self.optimum.converged and (
            self.vcov is not None or self.optimum.information is None
        )

    @property
    def _groups(self) -> tuple[IrtGroup, ...]:
        return tuple(self.likelihood.model.groups)

    @property
    def title(self) -> str:
        model = self.request.model
        named = model if isinstance(model, str) else "mixed models"
        end = "converged" if self.converged else "not converged"
        return (
            f"{named}: {number_of(self.n_persons, 'person')}, "
            f"{number_of(len(self.table.items), 'item')}, "
            f"{self.n_free} free parameters, log-likelihood {self.loglik:.3f}, {end}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        model, group = self.request.model, self.likelihood.data.group
        sizes = {one.name: int((group == g).sum()) for g, one in enumerate(self._groups)}
        return {
            "model": model if isinstance(model, str) else dict(model),
            "n_persons": self.n_persons,
            **({"groups": sizes} if len(sizes) > 1 else {}),
            "n_items": len(self.table.items),
            "n_free": self.n_free,
            "loglik": self.loglik,
            "log_prior": self.optimum.at.log_prior,
            **({"priors": priors} if (priors := self.request.priors_in_words()) else {}),
            "aic": self.aic,
            "bic": self.bic,
            "converged": self.converged,
            **self._search,
            "standard_errors": self.errors,
        }

    @property
    def _search(self) -> dict[str, Any]:
        """Facts about the end of the search."""
        optimum = self.optimum
        if not isinstance(optimum, SampledOptimum):
            return {"max_gradient": magnitude(optimum.gradient, 1e-6)}
        return {
            "method": "mhrm", "cycles": optimum.iterations, "newton_steps": optimum.newton_steps,
            "acceptance": optimum.acceptance, "predicted_gain": optimum.gain,
            "loglik_error": self.loglik_error, "estimates_error": optimum.estimates_error,
        }  # fmt: skip

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        items = without_bare_asymptotes(self.items)
        if not len(self.thresholds):
            return {"items": items, "latent": self.latent}
        items = items.rename(columns={"b": "b_mean", "se_b": "se_b_mean"})
        return {"items": items, "thresholds": by_threshold(self.thresholds), "latent": self.latent}

    def _document(self) -> Mapping[str, Any]:
        steps = {"thresholds": self.thresholds} if len(self.thresholds) else {}
        return {**super()._document(), "items": self.items, **steps}

    @cached_property
    def parameters(self) -> pd.DataFrame:
        """All parameters: `group`, `item`, `parameter`, `estimate`, `se`, `free`.

        Slope-intercept form; asymptotes are probabilities, their standard errors by the delta
        method.
        """
        return parameter_table(
            self.likelihood.model, self.optimum.at.values, self.vcov, self.table.items
        )

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row per item: discrimination and difficulty with standard errors.

        `a` is the slope (with several factors the multidimensional discrimination); `b` is the
        difficulty, the ability at which the curve of an item with two categories is halfway
        between its asymptotes; `c` and `d` are the lower and upper asymptotes. Each has a standard
        error (`se_a` ...) by the delta method. For items with more categories, `b` is the mean of
        their thresholds (printed as `b_mean`); see `thresholds`. With several groups, an item that
        differs between them has a row for each group, other items one row "all".
        """
        answered, group = self.table.codes >= 0, self.likelihood.data.group
        counts = [answered[group == g].sum(axis=0) for g in range(len(self._groups))]
        frame = item_table(
            self.likelihood.model, self.optimum.at.values, self.vcov, self.table.items,
            np.array(counts),
        )  # fmt: skip
        return self._without_group(frame)

    @cached_property
    def thresholds(self) -> pd.DataFrame:
        """Thresholds of graded, partial-credit and rating-scale items: `item`, `k`, `b`, `se`."""
        frame = threshold_table(
            self.likelihood.model, self.optimum.at.values, self.vcov, self.table.items
        )
        return self._without_group(frame)

    @cached_property
    def item_fit(self) -> pd.DataFrame:
        """S-X2, infit and outfit of every item, by `irt.checks.itemfit.item_fit`.

        Raises ParameterError for several factors or groups.
        """
        from gfactor.psychometrics.irt.checks.itemfit import item_fit  # noqa: PLC0415  (imports this file)

        return item_fit(self)

    @cached_property
    def person_fit(self) -> pd.DataFrame:
        """Zh, infit and outfit of every person; Zh below -2 means unexpected answers.

        Raises ParameterError for several factors or groups.
        """
        from gfactor.psychometrics.irt.checks.itemfit import person_fit  # noqa: PLC0415  (as above)

        return person_fit(self)

    def broken_items(self, *, simulations: int = 100, seed: int = 0) -> BrokenItems:
        """Return the items that do not work, with the reasons; see
        `gfactor.psychometrics.irt.checks.brokenitems.broken_items`.

        Raises ParameterError for several factors or groups.
        """
        from gfactor.psychometrics.irt.checks import brokenitems  # noqa: PLC0415  (imports this file)

        return brokenitems.broken_items(self, simulations=simulations, seed=seed)

    @cached_property
    def local_dependence(self) -> pd.DataFrame:
        """Q3 and LD-X2 of every pair of items, the largest LD-X2 first; see
        `gfactor.psychometrics.irt.checks.item_pairs`.

        Raises ParameterError for several factors or groups.
        """
        from gfactor.psychometrics.irt.checks.item_pairs import (  # noqa: PLC0415  (as above)
            local_dependence,
        )

        return local_dependence(self)

    def simulate(self, seed: int = 0) -> pd.DataFrame:
        """Return answers of new persons drawn from the model, with the scores of the data.

        For every person of the data a new person is drawn in the same group, with the same
        covariates and items but a new ability.

        Parameters
        ----------
        seed : int
            Seed of the draws.
        """
        from gfactor.psychometrics.irt.checks.brokenitems import simulate  # noqa: PLC0415  (as above)

        codes = simulate(self, np.random.default_rng(seed))
        columns = [
            np.where(column < 0, np.nan, np.array(scores)[np.maximum(column, 0)])
            for column, scores in zip(codes.T, self.table.scores, strict=True)
        ]
        return pd.DataFrame(
            np.column_stack(columns),
            self.table.persons.set_names([None] * self.table.persons.nlevels),
            list(self.table.items),
        )

    def _without_group(self, frame: pd.DataFrame) -> pd.DataFrame:
        is_one = len(self._groups) == 1 or bool((frame["group"] == ALL).all())
        return frame.drop(columns="group") if is_one else frame

    @cached_property
    def latent(self) -> pd.DataFrame:
        """Distribution of ability per group: `group`, `parameter`, `estimate`, `se`."""
        model, values = self.likelihood.model, self.optimum.at.values
        se = np.full(len(values), np.nan)
        if self.vcov is not None:
            se = np.sqrt(np.maximum(self.vcov.variances(model.design), 0))
        free = model.design.getnnz(axis=1) > 0
        rows = []
        for group in model.groups:
            indices = [*group.latent]
            if group.regression is not None:
                indices += [*group.regression.ravel()]
            for index in indices:
                name = model.labels[index].split("GROUP.")[1]
                error = se[index] if free[index] else np.nan
                rows.append((group.name, name, values[index], error))
        return pd.DataFrame(rows, columns=["group", "parameter", "estimate", "se"])

    @property
    def effects(self) -> pd.DataFrame:
        """Effects of a design on difficulty: `effect`, `estimate`, `se`."""
        names = self.request.design_names
        indices = [self.likelihood.model.free_labels.index(name) for name in names]
        se = np.full(len(names), np.nan)
        if self.vcov is not None:
            chosen = sparse.csr_matrix(
                (np.ones(len(indices)), (np.arange(len(indices)), indices)),
                shape=(len(indices), self.n_free),
            )
            se = np.sqrt(self.vcov.between(chosen).diagonal())
        return pd.DataFrame({"effect": names, "estimate": self.optimum.x[indices], "se": se})

    def scores(self, method: str = "eap") -> pd.DataFrame:
        """Return abilities of the persons.

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
        index = self.table.persons
        if method == "eap":
            theta, se = np.zeros((count, model.factors)), np.zeros((count, model.factors))
            for g, posterior in enumerate(self.optimum.at.posteriors):
                rows = np.flatnonzero(self.likelihood.data.group == g)
                theta[rows], se[rows] = self.likelihood.moments(g, posterior)
        elif method not in ("map", "ml", "wle"):
            raise UnknownNameError("method of scoring", method, ("eap", "map", "ml", "wle"))
        elif model.factors > 1:
            raise ParameterError(f"{method} scores need a model with one factor; use 'eap'")
        else:
            theta, se = np.zeros((count, 1)), np.zeros((count, 1))
            for g, group in enumerate(model.groups):
                rows = np.flatnonzero(self.likelihood.data.group == g)
                abilities = point_scores(
                    group.blocks, self.optimum.at.values, self.table.codes[rows], method,
                    self._means(group, rows), float(self.optimum.at.values[group.covariance[0, 0]]),
                )  # fmt: skip
                theta[rows, 0], se[rows, 0] = abilities.theta, abilities.se
        if model.factors == 1:
            return pd.DataFrame({"theta": theta[:, 0], "se": se[:, 0]}, index=index)
        columns = {}
        for f in range(model.factors):
            columns |= {f"F{f + 1}": theta[:, f], f"F{f + 1}_se": se[:, f]}
        return pd.DataFrame(columns, index=index)

    def plausible_values(self, draws: int = 5, seed: int = 0) -> pd.DataFrame:
        """Draw abilities from every person's posterior (Mislevy 1991).

        Means and variances of a population can be estimated from them without the shrinkage of EAP
        scores. Analyze each column separately, then combine the results by Rubin's rules.

        Parameters
        ----------
        draws : int
            Number of draws, one per column.
        seed : int
            Seed of the draws.

        Returns
        -------
        DataFrame (P, draws)
            Columns `pv1`, `pv2` ...; item parameters are fixed at their estimates.

        Raises
        ------
        ParameterError
            If the model has several factors.
        """
        if self.likelihood.model.factors > 1:
            raise ParameterError("plausible values need a model of one factor")
        rng = np.random.default_rng(seed)
        nodes = self.likelihood.nodes[:, 0]
        drawn = np.zeros((len(self.table.codes), draws))
        for g, posterior in enumerate(self.optimum.at.posteriors):
            rows = np.flatnonzero(self.likelihood.data.group == g)
            below = np.cumsum(posterior.weights, axis=1)
            for k in range(draws):
                at = (below < rng.random((len(rows), 1)) * below[:, -1:]).sum(axis=1)
                # Between nodes the density is taken to be linear.
                away = rng.random(len(rows)) + rng.random(len(rows)) - 1
                drawn[rows, k] = nodes[at] + away * (nodes[1] - nodes[0])
        names = [f"pv{k}" for k in range(1, draws + 1)]
        return pd.DataFrame(drawn, index=self.table.persons, columns=names)

    def sum_scores(self) -> pd.DataFrame:
        """Return the ability estimate for each sum of categories (Thissen and others 1995).

        Returns
        -------
        DataFrame
            Per `sum`: `theta` (mean of its posterior), `se` and its `probability` under the model;
            for persons who answered every item.

        Raises
        ------
        ParameterError
            If the model has several factors or groups.
        """
        model = self.likelihood.model
        if model.factors > 1 or len(model.groups) != 1:
            raise ParameterError(
                "abilities of sum scores exist only for models of one factor and one group"
            )
        weights = np.exp(
            self.likelihood.latent(model.groups[0], self.optimum.at.values).log_weights
        )
        nodes = self.likelihood.nodes[:, 0]
        joint = weights[0][:, None] * sum_score_distribution(
            model.groups[0].blocks, self.optimum.at.values, nodes
        )
        total = joint.sum(axis=0)
        mean = nodes @ joint / total
        se = np.sqrt(np.maximum(nodes**2 @ joint / total - mean**2, 0))
        index = pd.RangeIndex(joint.shape[1], name="sum")
        return pd.DataFrame({"theta": mean, "se": se, "probability": total}, index=index)

    def _means(self, group: IrtGroup, rows: Any) -> Floats | float:
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
        information = test_information(
            self.likelihood.model.groups[0].blocks, self.optimum.at.values, at
        )
        return pd.DataFrame(
            {"theta": at, "information": information, "se": 1 / np.sqrt(information)}
        )

    @cached_property
    def reliability(self) -> dict[str, float]:
        """Empirical and marginal reliability.

        `empirical` = var(EAP) / (var(EAP) + mean of the squared standard errors); `marginal` is the
        mean over the population of I / (I + 1 / variance).
        """
        eap = self.scores("eap")
        if self.likelihood.model.factors > 1:
            factors = range(1, self.likelihood.model.factors + 1)
            return {f"F{f}": _empirical(eap, f"F{f}", f"F{f}_se") for f in factors}
        group = self.likelihood.model.groups[0]
        variance = float(self.optimum.at.values[group.covariance[0, 0]])
        if not variance > 0:
            return {"empirical": _empirical(eap, "theta", "se"), "marginal": 0.0}
        line = np.linspace(-6, 6, 121) * np.sqrt(variance)
        weights = np.exp(-0.5 * line**2 / variance)
        info = test_information(group.blocks, self.optimum.at.values, line)
        marginal = float((info / (info + 1 / variance)) @ weights / weights.sum())
        return {"empirical": _empirical(eap, "theta", "se"), "marginal": marginal}


def _empirical(frame: pd.DataFrame, theta: str, se: str) -> float:
    spread = float(frame[theta].to_numpy().var(ddof=1))
    total = spread + float((frame[se].to_numpy() ** 2).mean())
    return spread / total if total > 0 else 0.0

"""The fit of a two-level model: `level: 1` and `level: 2` in the text, and a column of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.item_columns import missing_code_findings
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.exactfit import ExactFit, exact_fit
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.preparation import completion_options
from gfactor.psychometrics.sem.results.residuals import ResidualKind
from gfactor.psychometrics.sem.results.text import share
from gfactor.psychometrics.sem.sample import (
    refuse_shared_names,
    sample_from_data,
    single_column,
)
from gfactor.psychometrics.sem.syntax import build_table
from gfactor.psychometrics.sem.twolevel.measures import TwoLevelContext, level_residuals
from gfactor.psychometrics.sem.twolevel.problem import (
    TwoLevelEstimated,
    TwoLevelProblem,
    independence_estimate,
    two_level_problem,
)
from gfactor.psychometrics.sem.twolevel.sample import clusters_of

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.scores import FactorScores

TESTS = ("standard", "yuan.bentler.mplus")
_CLUSTERS = 50
"""Clusters below which standard errors between clusters are noticeably too small (Maas & Hox 2005,
Sufficient sample sizes for multilevel modeling, Methodology 1, 86-92)."""


@dataclass(frozen=True, repr=False)
class TwoLevelFit(Fit):
    """A fitted two-level model; everything means what it means in `Fit`.

    The levels stand where groups stand: group 1 is the model within clusters, group 2 the model
    between them.
    """

    @property
    def levels(self) -> TwoLevelProblem:
        """Return the problem with what only two levels have."""
        return cast(TwoLevelProblem, self.problem)

    @property
    def n_clusters(self) -> int:
        """Return the number of clusters."""
        return self.levels.clusters.count

    @property
    def sample_sizes(self) -> str:
        return f"{self.n} in {self.n_clusters} clusters"

    @cached_property
    def icc(self) -> pd.Series:
        """Intraclass correlations of the variables of both levels: shares of their unrestricted
        variance that lie between clusters."""
        within, between = self.levels.unrestricted
        inside = dict(zip(within.names, np.diag(within.cov).tolist(), strict=True))
        outside = dict(zip(between.names, np.diag(between.cov).tolist(), strict=True))
        both = [name for name in inside if name in outside]
        return pd.Series({name: outside[name] / (inside[name] + outside[name]) for name in both})

    @property
    def remarks(self) -> list[str]:
        listed = ", ".join(f"{name} {share(float(value))}" for name, value in self.icc.items())
        return [f"Intraclass correlations: {listed}."]

    @cached_property
    def estimated(self) -> TwoLevelEstimated:
        return TwoLevelEstimated(self.problem, self.outcome.point, self.outcome.value)

    @cached_property
    def baseline(self) -> TwoLevelEstimated:
        return independence_estimate(self.levels)

    def test(self, name: str) -> ExactFit:
        """Return a test of exact fit: "standard" or "yuan.bentler.mplus"."""
        if name not in TESTS:
            raise ParameterError(
                f"the test {name!r} is not defined for two-level models; use {' or '.join(TESTS)}."
            )
        return exact_fit(self.estimated, name)

    @property
    def _context(self) -> type[TwoLevelContext]:
        return TwoLevelContext

    def implied(self, group: int = 1) -> tuple[pd.Series, pd.DataFrame]:
        """Return model-implied means and covariances within clusters (1) or between them (2)."""
        here = self.point.groups[group - 1]
        names = list(here.structure.observed)
        return pd.Series(here.mu, names), pd.DataFrame(here.sigma, names, names)

    def scores(
        self,
        data: pd.DataFrame | None = None,
        *,
        method: str = "regression",
        group: str | None = None,
        level: int = 1,
    ) -> FactorScores:
        """Return scores of the cases (level 1) or of the clusters (level 2)."""
        from gfactor.psychometrics.sem.twolevel.scores import (  # noqa: PLC0415  (if asked for)
            two_level_scores,
        )

        if group is not None or level not in (1, 2):
            raise ParameterError(
                f"a two-level model has scores of level 1 or 2, and no groups; got level {level!r} "
                f"and group {group!r}."
            )
        return two_level_scores(self, data, method, level)

    def residuals(self, kind: ResidualKind = "raw", group: int = 1) -> pd.DataFrame:
        """Return unrestricted minus implied covariances of a level: "raw", "cor" or
        "cor.bentler"."""
        return level_residuals(self.levels, self.point.groups[group - 1], group - 1, kind)

    def _about_moments(self) -> Iterable[Diagnostic]:
        clusters = self.levels.clusters
        yield from missing_code_findings(clusters.rows, clusters.variables)
        count = self.n_clusters
        between = sum(1 for row in self.table if row.free and row.group == 2)
        if count >= _CLUSTERS and count > between:
            return
        yield Diagnostic(
            "few_clusters",
            "warning",
            f"{count} clusters for {between} parameters between clusters: their standard errors "
            "are too small with few clusters (Maas & Hox 2005).",
            "Collect more clusters, or keep the model between clusters small.",
            (),
            {"clusters": count, "parameters": between},
        )

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {**super().tables, "icc": self.icc.to_frame("icc")}

    def _document(self) -> Mapping[str, Any]:
        return {
            **super()._document(),
            "n": [self.n],
            "clusters": self.n_clusters,
            "icc": {str(name): float(value) for name, value in self.icc.items()},
        }


def fit_two_level(
    model: str | ParameterTable, data: pd.DataFrame | None, options: Options, group: str | None
) -> TwoLevelFit:
    """Fit a two-level model to complete cases in clusters by maximum likelihood.

    Parameters
    ----------
    model: lavaan syntax with `level: 1` and `level: 2`, or its table.
    data: cases by variables.
    options: as the user gave them; `cluster` names the column of clusters.
    group: must be None.

    Raises ParameterError for what two-level models do not support, or what is wrong with the data.
    """
    if data is None:
        raise ParameterError("a two-level model needs the cases themselves; give data.")
    _refuse(options, group)
    chosen = _resolved(options)
    if isinstance(model, str):
        text, table = model, build_table(model, options=completion_options(chosen))
    else:
        text, table = "", model
    if any(row.efa for row in table) or any(row.op in {"|", "~*~"} for row in table):
        raise ParameterError(
            "two-level models have neither exploratory blocks nor thresholds; write the loadings "
            "out, of continuous variables."
        )
    levels = table.of_group(1).observed, table.of_group(2).observed
    for number in (1, 2):
        latent = table.of_group(number).latent
        refuse_shared_names(latent, data)
    variables = tuple(dict.fromkeys((*levels[0], *levels[1])))
    sample = sample_from_data(data, variables, listwise=True, cluster=options.cluster)
    names = single_column(data, str(options.cluster)).unique().tolist()
    clusters = clusters_of(sample.groups[0], variables, levels, names)
    table, problem = two_level_problem(table, clusters, chosen, sample.notes)
    return TwoLevelFit.searched(text, table, problem)


def _resolved(options: Options) -> Options:
    """The options with lavaan's defaults for two levels: observed information, means."""
    plain_options = resolved(replace(options, cluster=None, meanstructure=True))
    information = tuple(
        "observed" if given == "default" else given
        for given in (
            options.information
            if isinstance(options.information, tuple)
            else (options.information, options.information)
        )
    )
    return replace(plain_options, cluster=options.cluster, information=information)


def _refuse(options: Options, group: str | None) -> None:
    """ParameterError for what does not go with two levels."""
    if options.cluster is None:
        raise ParameterError(
            "a model with 'level:' blocks needs the column of clusters; name it (cluster = COLUMN)."
        )
    if group is not None:
        raise ParameterError("a two-level model has no groups; fit it to each group.")
    reasons = {
        "ordinal variables": bool(options.ordered),
        f"estimator {options.estimator}": options.estimator not in {"ML", "MLR"},
        f"missing = {options.missing!r}": options.missing not in {"default", "listwise"},
        "sampling weights": options.sampling_weights is not None,
        f"likelihood = {options.likelihood!r}": options.likelihood not in {"default", "normal"},
        "conditional_x = True": bool(options.conditional_x),
        "std_ov = True": options.std_ov,
        "effect coding": bool(options.effect_coding),
        f"mimic = {options.mimic!r}": options.mimic != "lavaan",
        f"bounds = {options.bounds!r}": options.bounds in {"standard", "wide"},
        f"group_equal = {options.group_equal!r}": bool(options.group_equal),
        f"se = {options.se!r}": options.se
        not in {"default", "standard", "none", "robust.huber.white", "robust.cluster"},
        f"test = {options.test!r}": str(options.test)
        not in {"default", "standard", "none", "yuan.bentler.mplus"},
        "information = 'first.order'": "first.order" in options.information,
    }
    for what, refused in reasons.items():
        if refused:
            raise ParameterError(
                f"two-level models do not support {what}; they are fitted by ML or MLR to complete "
                "cases of continuous variables."
            )

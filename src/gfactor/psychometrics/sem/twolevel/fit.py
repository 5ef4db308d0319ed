"""The fit of a two-level model: `level: 1` and `level: 2` in the text, and a column of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import share
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.item_columns import missing_code_findings
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.exactfit import ExactFit, exact_fit
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.preparation import completion_options
from gfactor.psychometrics.sem.results.residuals import ResidualKind
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
    """A fitted two-level model; its attributes have the meaning that they have in `Fit`.

    Levels take the place of groups: group 1 is the model within clusters, group 2 the model between
    them; with several groups, 3 and 4 are those of the second group, and so on.
    """

    @property
    def levels(self) -> TwoLevelProblem:
        """Return the problem, with the attributes of two-level problems."""
        return cast(TwoLevelProblem, self.problem)

    @property
    def n_clusters(self) -> int:
        """Return the number of clusters."""
        return sum(one.count for one in self.levels.clusters)

    @property
    def sample_sizes(self) -> str:
        if len(self.levels.clusters) == 1:
            return f"{self.n} in {self.n_clusters} clusters"
        sizes = " + ".join(str(one.n) for one in self.levels.clusters)
        return f"{sizes} in {' + '.join(str(one.count) for one in self.levels.clusters)} clusters"

    @cached_property
    def icc(self) -> pd.Series:
        """Intraclass correlations of the variables of both levels: shares of their unrestricted
        variance between clusters. With several groups, names include the group."""
        values: dict[str, float] = {}
        levels, labels = self.levels.unrestricted, self.sample.labels
        for within, between, label in zip(levels[::2], levels[1::2], labels[::2], strict=True):
            inside = dict(zip(within.names, np.diag(within.cov).tolist(), strict=True))
            outside = dict(zip(between.names, np.diag(between.cov).tolist(), strict=True))
            group = label.rpartition(": ")[0]
            for name in (name for name in inside if name in outside):
                share_between = outside[name] / (inside[name] + outside[name])
                values[f"{name} ({group})" if group else name] = share_between
        return pd.Series(values)

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
        """Return model-implied means and covariances within clusters (1) or between them (2); 3 and
        4 are those of the second group, and so on."""
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

        if level not in (1, 2):
            raise ParameterError(
                f"a two-level model has scores of level 1 or 2; got level {level!r}."
            )
        return two_level_scores(self, data, method, level, group)

    def residuals(self, kind: ResidualKind = "raw", group: int = 1) -> pd.DataFrame:
        """Return unrestricted minus implied covariances of a level: "raw", "cor" or
        "cor.bentler"."""
        return level_residuals(self.levels, self.point.groups[group - 1], group - 1, kind)

    def _about_moments(self) -> Iterable[Diagnostic]:
        clusters = self.levels.clusters
        if len({one.variables for one in clusters}) == 1:
            rows = np.concatenate([one.rows for one in clusters])
            yield from missing_code_findings(rows, clusters[0].variables)
        count = self.n_clusters
        between = sum(1 for row in self.table if row.free and row.group and row.group % 2 == 0)
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
    model: str | ParameterTable,
    data: pd.DataFrame | None,
    options: Options,
    group: str | None = None,
    labels: Sequence[str] = (),
) -> TwoLevelFit:
    """Fit a two-level model to cases in clusters by maximum likelihood.

    Parameters
    ----------
    model: lavaan syntax with `level: 1` and `level: 2`, or its table.
    data: cases by variables.
    options: as the user gave them; `cluster` names the column of clusters.
    group, labels: column of the groups, and their names in order; none for one group.

    Raises ParameterError if two-level models do not support an option, or the data are wrong.
    """
    if data is None:
        raise ParameterError("a two-level model needs the cases themselves; give data.")
    _refuse(options)
    chosen = _resolved(options, max(len(labels), 1))
    if isinstance(model, str):
        completion = completion_options(chosen)
        text, table = model, build_table(model, options=completion, groups=tuple(labels))
    else:
        text, table = "", model
    if any(row.efa for row in table) or any(row.op in {"|", "~*~"} for row in table):
        raise ParameterError(
            "two-level models have neither exploratory blocks, efa(...), nor thresholds; write the "
            "loadings of continuous variables out, or fit the block to one level."
        )
    if table.n_groups != 2 * max(len(labels), 1):
        raise ParameterError(
            f"the parameter table has {table.n_groups // 2} groups of two levels, the data "
            f"{max(len(labels), 1)}."
        )
    of_level = [table.of_group(number) for number in range(1, table.n_groups + 1)]
    for one in of_level:
        refuse_shared_names(one.latent, data)
    observed = [one.observed for one in of_level]
    variables = tuple(dict.fromkeys(name for names in observed for name in names))
    given = tuple(dict.fromkeys(name for one in of_level for name in one.given))
    sample = sample_from_data(
        data, variables, listwise=not chosen.full_information,
        needed=() if chosen.missing == "ml.x" else given,
        group=group, labels=tuple(labels), cluster=options.cluster,
    )  # fmt: skip
    names = single_column(data, str(options.cluster)).unique().tolist()
    clusters = [
        clusters_of(one, variables, (observed[2 * k], observed[2 * k + 1]), names)
        for k, one in enumerate(sample.groups)
    ]
    table, problem = two_level_problem(table, clusters, chosen, sample.notes, sample.index)
    return TwoLevelFit.searched(text, table, problem)


def _resolved(options: Options, n_groups: int) -> Options:
    """The options with lavaan's defaults for two levels: observed information, means."""
    plain_options = resolved(replace(options, cluster=None, meanstructure=True), n_groups=n_groups)
    information = tuple(
        "observed" if given == "default" else given
        for given in (
            options.information
            if isinstance(options.information, tuple)
            else (options.information, options.information)
        )
    )
    return replace(plain_options, cluster=options.cluster, information=information)


_OF_CLUSTERS = "whose standard errors are those of independent clusters"


def _refuse(options: Options) -> None:
    """Raise ParameterError for options that do not work with two levels."""
    if options.cluster is None:
        raise ParameterError(
            "a model with 'level:' blocks needs the column of clusters; name it (cluster = COLUMN)."
        )
    out = "leave it out"
    reasons = {
        "ordinal variables": (
            bool(options.ordered),
            "leave ordered out, so that MLR takes the categories as numbers, or fit a model of one "
            "level without clusters",
        ),
        f"estimator {options.estimator}": (options.estimator not in {"ML", "MLR"}, "use ML or MLR"),
        f"missing = {options.missing!r}": (
            options.missing not in {"default", "listwise", "ml", "ml.x"}, "use 'listwise' or 'ml'",
        ),
        "sampling weights": (
            options.sampling_weights is not None,
            "leave them out, or fit a model of one level by MLR with weights and clusters",
        ),
        f"likelihood = {options.likelihood!r}": (
            options.likelihood not in {"default", "normal"}, out,
        ),
        "conditional_x = True": (bool(options.conditional_x), out),
        "std_ov = True": (options.std_ov, "standardize the columns of the data beforehand"),
        "effect coding": (bool(options.effect_coding), out),
        f"mimic = {options.mimic!r}": (options.mimic != "lavaan", out),
        f"bounds = {options.bounds!r}": (
            options.bounds in {"standard", "wide"}, "use 'pos.var', or lower(0)* in the model",
        ),
        f"se = {options.se!r}": (
            options.se
            not in {"default", "standard", "none", "robust.huber.white", "robust.cluster"},
            f"fit by MLR, {_OF_CLUSTERS}",
        ),
        f"test = {options.test!r}": (
            str(options.test) not in {"default", "standard", "none", "yuan.bentler.mplus"},
            "fit by MLR, whose test is corrected for data that are not normal",
        ),
        "information = 'first.order'": ("first.order" in options.information, out),
    }  # fmt: skip
    for what, (refused, remedy) in reasons.items():
        if refused:
            raise ParameterError(f"two-level models do not support {what}; {remedy}.")

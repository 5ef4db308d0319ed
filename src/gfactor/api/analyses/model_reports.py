"""A structural equation model of a table or file, reported as a paper does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

import pandas as pd

from gfactor.api.analyses.model_files import (
    joined_options,
    observed_of,
    read_cases,
    read_model,
    read_options,
    write_scores,
)
from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.table_selection import TableOptions, selected_table, selection_of
from gfactor.errors import ParameterError
from gfactor.frames import composed, with_composed_names
from gfactor.parameters import Draws, Seed
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import TableLike, model_and_data_in_either_order
from gfactor.psychometrics.sem import Fit
from gfactor.psychometrics.sem.results.apa import bootstrap_text, document, is_determined
from gfactor.results import Result

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping import FitBootstrap
    from gfactor.psychometrics.sem.scores import FactorScores
    from gfactor.reports.writing.report_folder import Written

Incomplete: TypeAlias = Literal["listwise", "fiml", "pairwise", "two.stage", "robust.two.stage"]
"""Treatments of incomplete cases."""


@dataclass(frozen=True, repr=False)
class ModelReport(Result):
    """A fitted model as a paper reports it, with factor scores and bootstrap if they were
    requested. All that a `Fit` has is there, too: `estimates`, `fit_measures`, `scores()` ...

    Parameters
    ----------
    fit : Fit
        The model.
    scored : FactorScores, optional
        Scores of the cases.
    scores_path : path, optional
        File to which the scores were written.
    resampled : FitBootstrap, optional
        The bootstrap.
    source : str
        Name of the data's file, "" for a table.
    """

    fit: Fit
    scored: FactorScores | None = None
    scores_path: Path | None = None
    resampled: FitBootstrap | None = None
    source: str = ""

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the fit, for those who know it from `sem`."""
        if name.startswith("_") or name == "fit":
            raise AttributeError(name)
        return getattr(self.fit, name)

    @property
    def diagnostics(self) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Limits to the use of the model."""
        return tuple(self.fit.diagnostics)

    @property
    def code(self) -> int:
        """Exit code of the command: 1 if the model is not identified."""
        return int(not is_determined(self.fit))

    @property
    def title(self) -> str:
        """Return the kind and size of the model, in one line."""
        return self.fit.title

    @property
    def facts(self) -> Mapping[str, Any]:
        """Single numbers and words of the model."""
        return self.fit.facts

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Tables of the model."""
        return self.fit.tables

    def summary(self) -> str:
        """Return a text with diagnostics, the model as a paper reports it, scores and bootstrap."""
        parts = [self.fit.apa()]
        if self.scored is not None:
            parts.append(f"{self.scored.summary()}\n{self.scores_path}: the scores")
        if self.resampled is not None:
            parts.append(bootstrap_text(self.resampled))
        return "\n\n".join(parts)

    def _document(self) -> Mapping[str, Any]:
        further = {"scores": self.scored, "bootstrap": self.resampled}
        return document(self.fit) | {k: one for k, one in further.items() if one is not None}

    def report(self, folder: Path | str) -> Written:
        """Write the page of the model: tables, path diagrams and sentences."""
        # A fit without a page does not wait for what draws.
        from gfactor.reports.pages.analysis import write_analysis  # noqa: PLC0415
        from gfactor.reports.pages.cfa import cfa_report  # noqa: PLC0415
        from gfactor.reports.paragraphs import write_paragraph  # noqa: PLC0415

        report = cfa_report(self.fit, self.resampled, data=Path(self.source).name)
        written = write_analysis(report, folder)
        write_paragraph(self.fit, folder)
        return written

    def paragraph(self) -> str:
        """Return a written paragraph on the model; see `Result.paragraph`."""
        return self.fit.paragraph()


@model_and_data_in_either_order
def cfa(
    model: Path | str,
    data: TableLike | Path | str,
    *,
    model_type: str | None = None,
    estimator: str | None = None,
    missing: Incomplete | None = None,
    group: str | None = None,
    ordered: Sequence[str] | str = (),
    sampling_weights: str | None = None,
    cluster: str | None = None,
    options: Mapping[str, object] | Path | str | None = None,
    scores_path: Path | str | None = None,
    score_method: Literal["regression", "bartlett", "tenberge"] = "regression",
    score_level: int = 1,
    n_bootstrap: Draws | None = None,
    kind: Literal["plain", "bollen-stine"] = "plain",
    seed: Seed = 0,
    **table: Unpack[TableOptions],
) -> ModelReport:
    """Fit a structural equation model in lavaan's syntax, and report it as a paper does.

    `sem` fits the same models with all of lavaan's options as parameters, and prints them as lavaan
    does.

    Parameters
    ----------
    model : str or path
        Model in lavaan's syntax, or a file that holds it.
    data : DataFrame or path
        One row per case; columns that the model does not name are ignored.
    model_type : {"cfa", "sem", "growth", "lavaan"}, optional
        Function of lavaan whose defaults add parameters to the model (default "cfa").
    estimator : str, optional
        Estimator: "ML", "MLR", "MLM", "GLS", "ULS", "WLS", "WLSMV" ...; by default "ML", or
        "WLSMV" with ordinal variables.
    missing : str, optional
        Treatment of cases with missing values: "listwise" leaves them out (the default), "fiml" is
        full information maximum likelihood, "pairwise" is for ordinal variables, and "two.stage"
        and "robust.two.stage" fit the model to moments that are estimated first.
    group : str, optional
        Column that names the group of each case.
    ordered : list of str
        Names of ordinal variables; "all" takes all variables of the model as ordinal.
    sampling_weights : str, optional
        Column of sampling weights, as in `sem`.
    cluster : str, optional
        Column of clusters, as in `sem`.
    options : dict or path, optional
        Further options under lavaan's names, such as {"std.lv": true, "bounds": "standard"}, or a
        JSON file that holds them.
    scores_path : path, optional
        CSV file to write, with the factor scores of the cases.
    score_method : str
        Method of factor scores: "regression", "bartlett" or "tenberge".
    score_level : int
        Level of a two-level model whose factor scores are computed: 1 for cases, 2 for clusters.
    n_bootstrap : int, optional
        Number of bootstrap samples of the cases, for percentile intervals; at least 1000 for a
        report.
    kind : str
        Kind of bootstrap: "plain" resamples the cases as they are (for intervals), "bollen-stine"
        resamples cases that are transformed so that the model holds (for the p value of the
        chi-square).
    seed : int
        Seed of the bootstrap samples.
    **table : any
        Choice of rows and columns of the table: `columns`, `drop`, `identifier` and `where`, as
        `TableOptions` describes them.

    Returns
    -------
    ModelReport
        `fit` (what `sem` returns), `scored` (factor scores), `resampled` (bootstrap intervals),
        `summary()`, `to_dict()`, and `report(folder)`, which writes a page.

    Raises
    ------
    ParameterError
        If the model, the data or an option is wrong; the message says what.

    References
    ----------
    Rosseel, Y. (2012). lavaan: an R package for structural equation modeling. Journal of
    Statistical Software 48(2).

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> gf.cfa("g =~ x1 + x2 + x3 + x4", data, estimator="MLR").fit.n
    300
    """
    text = read_model(str(model))
    flags = {
        "missing": "ml" if missing == "fiml" else missing, "group": group,
        "ordered": _ordinal(ordered), "model.type": model_type, "estimator": estimator,
        "sampling.weights": sampling_weights, "cluster": cluster,
    }  # fmt: skip
    written = dict(options) if isinstance(options, Mapping) else read_options(_path(options))
    named = joined_options(written, flags)
    column = named.pop("group", None)
    if not (column is None or isinstance(column, str)):
        raise ParameterError(f"the option group is {column!r}, but it takes the name of a column")
    chosen = models.Options.from_lavaan(named)
    design = (chosen.sampling_weights, chosen.cluster)
    source = str(data) if isinstance(data, str | Path) else ""
    if source:
        observed = observed_of(text, str(model))
        cases = read_cases(Path(source), observed, column, design, selection_of(table, ("group",)))
    else:
        cases, _ = selected_table(data, table, [one for one in (column, *design) if one])
    cases, column = with_composed_names(cases), column and composed(column)
    fit = models.fit(text, cases, options=chosen, group=column)
    again = None
    if n_bootstrap is not None:
        from gfactor.psychometrics.sem.bootstrapping import bootstrap  # noqa: PLC0415  (seldom)

        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            again = bootstrap(fit, n_bootstrap, kind=kind, seed=seed, watch=bar.update)
    if scores_path is None:
        return ModelReport(fit, resampled=again, source=source)
    scored = models.factor_scores(fit, method=score_method, level=score_level)
    write_scores(Path(scores_path), scored, cases)
    return ModelReport(fit, scored, Path(scores_path), again, source)


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def _ordinal(ordered: Sequence[str] | str) -> list[str] | str | None:
    """The ordinal variables as lavaan takes them: names, "*" for all, None for none."""
    texts = (ordered,) if isinstance(ordered, str) else ordered
    names = [name.strip() for one in texts for name in one.split(",") if name.strip()]
    return "*" if names == ["all"] else names or None

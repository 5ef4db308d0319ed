"""gfactor analyze cfa: confirmatory factor analysis and structural equation models.

gfactor analyze cfa scores.csv --model "g =~ raven + series + geometry"
gfactor analyze cfa scores.csv --model m.lav --estimator MLR --missing fiml -o cfa
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.groups import table_options
from gfactor.cli.options import LAVAAN_MODEL, lavaan_missing_option
from gfactor.cli.printing import PAGE_OPTION, put_parts
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.parameters import Draws, Seed

METHODS = declared("gfactor.psychometrics.sem.score_weights", "METHODS")
SPELLED = {
    "model": "--model FILE", "data": "DATA.csv", "model_type": "--type",
    "estimator": "--estimator NAME", "group": "--group COLUMN",
    "sampling_weights": "--weights COLUMN", "cluster": "--cluster COLUMN",
    "ordered": "--ordered COLUMN...",
}  # fmt: skip
BESIDE = {
    "options_file": "--lavaan-options FILE", "scores_file": "--scores FILE",
    "n_bootstrap": "--bootstrap N", "kind": "--bootstrap-type",
}  # fmt: skip


@derived(
    __doc__,
    "sem",
    SPELLED | BESIDE,
    reads={"model": str, "data": PATH, "score_method": click.Choice(METHODS)},
    helps={
        "model": LAVAAN_MODEL,
        "data": "One row per case; columns that the model does not name are ignored.",
        "estimator": "ML, MLR, MLM, GLS, ULS, WLS, WLSMV ...",
        "ordered": "An ordinal variable, or several with commas; 'all' for all.",
    },
    without=[one.name for one in declaration("sem").parameters if one.name not in SPELLED],
    required=["data"],
    optional=["estimator", "model_type"],
    options=[
        jobs_option("Processes for --bootstrap; the result does not depend on it."), PAGE_OPTION,
        lavaan_missing_option, table_options,
    ],
    about="Diagnostics are printed first. docs/cfa.md says how everything is computed.",
)  # fmt: skip
def command(
    model: str, data: Path, group: str | None, ordered: tuple[str, ...], missing: str | None,
    page: Path | None, selection: Any, as_json: bool, options_file: Path | None = None,
    scores_file: Path | None = None, score_method: str = "regression", score_level: int = 1,
    n_bootstrap: Draws | None = None, kind: Literal["plain", "bollen-stine"] = "plain",
    seed: Seed = 0, **given: Any,
) -> None:  # fmt: skip
    """Fit a model, and what was asked for beside it.

    Parameters
    ----------
    options_file : path, optional
        Options under lavaan's names, as JSON: {"std.lv": true, "bounds": "standard"}.
    scores_file : path, optional
        Write factor scores as CSV.
    score_method : str
        Method of factor scores.
    score_level : int
        Level of a two-level model that is scored: 1 for cases, 2 for clusters.
    n_bootstrap : int, optional
        Number of resamples of the cases, for percentile intervals; at least 1000 for a report.
    kind : str
        Cases that are resampled: the cases as they are (for intervals), or transformed so that the
        model holds (for the p-value of the chi-square).
    seed : int
        Seed of the resamples.
    """
    from gfactor.api.model_files import (
        joined_options,
        observed_of,
        read_cases,
        read_model,
        read_options,
        write_scores,
    )
    from gfactor.api.progress_bars import counter
    from gfactor.psychometrics import sem
    from gfactor.psychometrics.sem.results.apa import bootstrap_text, document

    text = read_model(model)
    ordinal = [name.strip() for one in ordered for name in one.split(",") if name.strip()]
    flags = {
        "missing": missing,
        "group": group,
        "ordered": "*" if ordinal == ["all"] else ordinal or None,
        **given,
    }
    named = joined_options(
        read_options(options_file), {name.replace("_", "."): one for name, one in flags.items()}
    )
    column = named.pop("group", None)
    if not (column is None or isinstance(column, str)):
        raise ParameterError(f"the option group is {column!r}, but it takes the name of a column")
    options = sem.Options.from_lavaan(named)
    design = (options.sampling_weights, options.cluster)
    cases = read_cases(data, observed_of(text, model), column, design, selection)
    fit = sem.fit(text, cases, options=options, group=column)
    parts, more, again = [fit.apa()], {}, None
    if n_bootstrap is not None:
        from gfactor.psychometrics.sem.bootstrapping import bootstrap

        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            again = bootstrap(fit, n_bootstrap, kind=kind, seed=seed, watch=bar.update)
    if scores_file:
        scored = sem.factor_scores(fit, method=score_method, level=score_level)
        write_scores(scores_file, scored, cases)
        more["scores"] = scored.to_dict()
        parts.append(f"{scored.summary()}\n{scores_file}: the scores")
    if again is not None:
        more["bootstrap"] = again.to_dict()
        parts.append(bootstrap_text(again))
    written = None
    if page:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.cfa import cfa_report

        written = write_analysis(cfa_report(fit, again, data=data.name), page)
    put_parts(document(fit) | more if as_json else {}, parts, as_json, written)

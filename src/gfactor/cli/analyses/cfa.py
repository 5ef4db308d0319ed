"""gfactor analyze cfa: confirmatory factor analysis and structural equation models.

gfactor analyze cfa scores.csv --model "g =~ raven + series + geometry"
gfactor analyze cfa scores.csv --model m.lav --estimator MLR --missing fiml -o cfa
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import PAGE_OPTION, derived
from gfactor.cli.options import DRAWS, LAVAAN_MODEL, lavaan_missing_option, seed_option
from gfactor.cli.tables import table_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

METHODS = declared("gfactor.psychometrics.sem.score_weights", "METHODS")

OPTIONS = [
    lavaan_missing_option,
    click.option(
        "--lavaan-options",
        "options_file",
        type=PATH,
        metavar="FILE",
        help='Options under lavaan\'s names, as JSON: {"std.lv": true, "bounds": "standard"}.',
    ),
    click.option(
        "--scores",
        "scores_file",
        type=PATH,
        metavar="FILE",
        help="Write factor scores as CSV.",
    ),
    click.option(
        "--score-method",
        type=click.Choice(METHODS),
        default="regression",
        show_default=True,
        help="Method of factor scores.",
    ),
    click.option(
        "--bootstrap",
        "n_bootstrap",
        type=DRAWS,
        metavar="N",
        help="Percentile intervals from N resamples of the cases; 1000 and more to report.",
    ),
    click.option(
        "--bootstrap-type",
        "kind",
        type=click.Choice(["plain", "bollen-stine"]),
        default="plain",
        show_default=True,
        help="Cases as they are (intervals), or moved to the model (p-value of the chi-square).",
    ),
    seed_option("Seed of the resamples."),
    jobs_option("Processes for --bootstrap; the result does not depend on it."),
    PAGE_OPTION,
    table_options,
]

SPELLED = {
    "model": "--model FILE",
    "data": "DATA.csv",
    "model_type": "--type",
    "estimator": "--estimator NAME",
    "group": "--group COLUMN",
    "sampling_weights": "--weights COLUMN",
    "cluster": "--cluster COLUMN",
    "ordered": "--ordered COLUMN...",
}


@derived(
    __doc__,
    "sem",
    SPELLED,
    reads={"model": str, "data": PATH},
    helps={
        "model": LAVAAN_MODEL,
        "data": "One row per case; columns that the model does not name are ignored.",
        "estimator": "ML, MLR, MLM, GLS, ULS, WLS, WLSMV ...",
        "ordered": "An ordinal variable, or several with commas; 'all' for all.",
    },
    without=[one.name for one in declaration("sem").parameters if one.name not in SPELLED],
    required=["data"],
    optional=["estimator", "model_type"],
    options=OPTIONS,
    about="Diagnostics are printed first. docs/cfa.md says how everything is computed.",
)
def command(
    model: str, data: Path, group: str | None, ordered: tuple[str, ...], missing: str | None,
    options_file: Path | None, scores_file: Path | None, score_method: str,
    n_bootstrap: int | None, kind: Literal["plain", "bollen-stine"], seed: int,
    page: Path | None, selection: Any, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    from gfactor.api.model_files import (
        joined_options,
        observed_of,
        read_cases,
        read_model,
        read_options,
        write_scores,
    )
    from gfactor.psychometrics import sem
    from gfactor.psychometrics.sem.results.apa import bootstrap_text, document

    text = read_model(model)
    ordinal = _split(ordered)
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
    again = None if n_bootstrap is None else _bootstrap(fit, n_bootstrap, kind, seed)
    scored = sem.factor_scores(fit, method=score_method) if scores_file else None
    if scores_file and scored:
        write_scores(scores_file, scored, cases)
    written = None if page is None else _page(page, fit, again, data.name)
    if as_json:
        more = {"scores": scored, "bootstrap": again}
        put_json(document(fit) | {name: one.to_dict() for name, one in more.items() if one})
        return
    parts = [fit.apa()]
    parts += [f"{scored.summary()}\n{scores_file}: the scores"] if scored else []
    parts += [bootstrap_text(again)] if again else []
    parts += [f"{written}: the page"] if written else []
    say("\n\n".join(parts))


def _bootstrap(
    fit: Any, n_bootstrap: int, kind: Literal["plain", "bollen-stine"], seed: int
) -> Any:
    from gfactor.api.progress_bars import counter
    from gfactor.psychometrics.sem.bootstrapping import bootstrap

    with counter(n_bootstrap, "bootstrap", "fit") as bar:
        return bootstrap(fit, n_bootstrap, kind=kind, seed=seed, watch=bar.update)


def _page(folder: Path, fit: Any, again: Any, data: str) -> Path:
    from gfactor.reports.analysis import write_analysis
    from gfactor.reports.cfa import cfa_report

    return write_analysis(cfa_report(fit, again, data=data), folder).path


def _split(given: tuple[str, ...]) -> list[str]:
    return [name.strip() for one in given for name in one.split(",") if name.strip()]

"""gfactor analyze cfa: confirmatory factor analysis and structural equation models."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.cfa_files import (
    observed_of,
    read_cases,
    read_model,
    read_options,
    write_scores,
)
from gfactor.cli.cfa_text import apa_table, bootstrap_table, explained_table, shares_table
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import (
    DRAWS,
    data_argument,
    lavaan_missing_option,
    lavaan_option,
    page_option,
    seed_option,
)
from gfactor.cli.tables import table_options
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection
    from gfactor.psychometrics import sem
    from gfactor.psychometrics.sem.model_reliability import ModelReliability

METHODS = declared("gfactor.psychometrics.sem.score_weights", "METHODS")
MODEL_TYPES = declared("gfactor.psychometrics.sem.syntax", "MODEL_TYPES")

_SHOWN_INDICES = 10
_WORTH = 3.84


@click.command("cfa")
@data_argument
@lavaan_option
@click.option(
    "--type",
    "model_type",
    type=click.Choice(list(MODEL_TYPES)),
    help="Whose defaults complete the model: lavaan's cfa, sem, growth or lavaan.  [default: cfa]",
)
@click.option("--estimator", metavar="NAME", help="ML, MLR, MLM, GLS, ULS, WLS, WLSMV ...")
@lavaan_missing_option
@click.option("--group", metavar="COLUMN", help="Fit the model in each group of this column.")
@click.option(
    "--weights",
    metavar="COLUMN",
    help="Sampling weights of the cases, above 0 (ML and MLR).",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Clusters of cases that depend on each other, such as families of models: standard errors "
    "and test count clusters (ML and MLR).",
)
@click.option(
    "--ordered",
    multiple=True,
    metavar="COLUMN",
    help="An ordinal variable; several times, or several with commas.",
)
@click.option(
    "--lavaan-options",
    "options_file",
    type=PATH,
    metavar="FILE",
    help='Options under lavaan\'s names, as JSON: {"std.lv": true, "bounds": "standard"}.',
)
@click.option(
    "--scores",
    "scores_file",
    type=PATH,
    metavar="FILE",
    help="Write factor scores as CSV.",
)
@click.option(
    "--score-method",
    type=click.Choice(METHODS),
    default="regression",
    show_default=True,
    help="How cases are scored.",
)
@click.option(
    "--bootstrap",
    "n_bootstrap",
    type=DRAWS,
    metavar="N",
    help="Percentile intervals from N resamples of the cases; 1000 and more to report.",
)
@click.option(
    "--bootstrap-type",
    "kind",
    type=click.Choice(["plain", "bollen-stine"]),
    default="plain",
    show_default=True,
    help="Cases as they are (intervals), or moved to the model (p-value of the chi-square).",
)
@seed_option("Of the resamples.")
@jobs_option("Processes for --bootstrap; the result does not depend on it.", handed_on=False)
@page_option
@table_options
@json_option
def command(
    data: Path,
    selection: TableSelection,
    model_given: str,
    model_type: str | None,
    estimator: str | None,
    missing: str | None,
    group: str | None,
    weights: str | None,
    cluster: str | None,
    ordered: tuple[str, ...],
    options_file: Path | None,
    scores_file: Path | None,
    score_method: str,
    n_bootstrap: int | None,
    kind: Literal["plain", "bollen-stine"],
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Fit a latent variable model in lavaan's syntax to DATA.csv, one row per case.

    Columns that the model does not name are ignored. Diagnostics are printed first.
    docs/cfa.md says how everything is computed.

    \b
    Example:
      gfactor analyze cfa scores.csv --model "g =~ raven + series + geometry"
      gfactor analyze cfa scores.csv --model m.lav --estimator MLR --missing fiml -o cfa

    Python: gfactor.sem(model, data)
    """
    from gfactor.api.progress_bars import counter
    from gfactor.psychometrics import sem

    text = read_model(model_given)
    given = _options(
        read_options(options_file),
        {
            "model.type": model_type,
            "estimator": estimator,
            "missing": missing,
            "group": group,
            "sampling.weights": weights,
            "cluster": cluster,
            "ordered": _split(ordered) or None,
        },
    )
    column = given.pop("group", None)
    if not (column is None or isinstance(column, str)):
        raise ParameterError(f"the option group is {column!r}, but it takes the name of a column")
    options = sem.Options.from_lavaan(given)
    design = (options.sampling_weights, options.cluster)
    cases = read_cases(data, observed_of(text, model_given), column, design, selection)
    fit = sem.fit(text, cases, options=options, group=column)
    again = None
    if n_bootstrap:
        from gfactor.psychometrics.sem.bootstrapping import bootstrap

        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            again = bootstrap(fit, n_bootstrap, kind=kind, seed=seed, watch=bar.update)
    scored = sem.factor_scores(fit, method=score_method) if scores_file else None
    if scores_file and scored:
        write_scores(scores_file, scored, cases)
    page = None
    if output:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.cfa import cfa_report

        page = write_analysis(cfa_report(fit, again, data=data.name), output).path
    if as_json:
        put_json(_document(fit, scored) | ({"bootstrap": again.to_dict()} if again else {}))
        return
    _show(fit, scored, scores_file)
    if again:
        say("")
        say(
            "\n".join(map(str, again.diagnostics))
            + ("\n" if again.diagnostics else "")
            + again.title
            + "\n\n"
            + bootstrap_table(again)
        )
    if page:
        say(f"\n{page}: the page")


def _options(file: dict[str, Any], flags: dict[str, Any]) -> dict[str, Any]:
    """Both together; ParameterError where they contradict each other."""
    options = dict(file)
    for name, value in flags.items():
        if value is None:
            continue
        before = options.get(name)
        same = str(before).lower() in {str(value).lower(), {"ml": "fiml"}.get(str(value), "")}
        if before is not None and before != value and not same:
            raise ParameterError(
                f"{name} is {value!r} on the command line and {before!r} in the file of options; "
                "leave one out"
            )
        options[name] = value
    return options


def _split(given: tuple[str, ...]) -> list[str]:
    return [name.strip() for one in given for name in one.split(",") if name.strip()]


def _document(fit: sem.Fit, scored: sem.FactorScores | None) -> dict[str, Any]:
    from gfactor.results import plain

    document = fit.to_dict()
    shares = _reliability(fit)
    document["reliability"] = shares.to_dict() if shares else None
    document["r2"] = [plain(fit.r2(number)) for number in range(1, len(fit.sample.groups) + 1)]
    document["modification_indices"] = plain(_worth_freeing(fit))
    if scored:
        document["scores"] = scored.to_dict()
    return document


def _reliability(fit: sem.Fit) -> ModelReliability | None:
    """None for models without latent variables."""
    from gfactor.psychometrics.sem.model_reliability import reliability

    return reliability(fit) if fit.table.latent else None


def _worth_freeing(fit: sem.Fit) -> list[dict[str, Any]]:
    from gfactor.psychometrics.sem.modification import modification_indices

    if not fit.converged:
        return []
    indices = modification_indices(fit, _WORTH).head(_SHOWN_INDICES)
    return [{str(k): v for k, v in row.items()} for row in indices.to_dict("records")]


def _show(fit: sem.Fit, scored: sem.FactorScores | None, file: Path | None) -> None:
    from gfactor.psychometrics.sem.results.text import fit_lines, rotation_lines
    from gfactor.results import aligned

    for diagnostic in fit.diagnostics:
        say(str(diagnostic))
    groups = len(fit.sample.groups)
    say(
        f"Estimator {fit.options.estimator}, n = {fit.n}"
        f"{f' in {groups} groups' if groups > 1 else ''}, {fit.problem.n_parameters} parameters; "
        f"{fit.convergence.sentence}"
    )
    for line in (*rotation_lines(fit), *fit_lines(fit.measures)):
        say(line)
    say("")
    say(apa_table(fit))
    explained = explained_table(fit)
    if explained:
        say("")
        say(explained)
    shares = _reliability(fit)
    if shares:
        say("")
        for diagnostic in shares.diagnostics:
            say(str(diagnostic))
        say(shares_table(shares))
    worth = _worth_freeing(fit)
    if worth:
        say("\nModification indices above 3.84 (confirm in new data what is freed)")
        head = ["", "MI", "EPC", "standardized"]
        rows = [
            [
                f"  {row['lhs']} {row['op']} {row['rhs']}"
                + (f" ({fit.sample.labels[row['group'] - 1]})" if groups > 1 else ""),
                f"{row['mi']:.2f}",
                f"{row['epc']:.3f}",
                f"{row['sepc_all']:.3f}" if math.isfinite(row["sepc_all"]) else "-",
            ]
            for row in worth
        ]
        say(aligned([head, *rows]))
    if scored and file:
        say("")
        say(scored.summary())
        say(f"{file}: the scores")

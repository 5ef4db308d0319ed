"""gfactor analyze pls: a PLS path model of a table of scores.

gfactor analyze pls scores.csv --model gold.pls --bootstrap 1000 -o pls/
gfactor analyze pls scores.csv --model gold.pls --group open --permutations 1000
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import put_json, say, typed_names
from gfactor.cli.constants import declared
from gfactor.cli.deriving import PAGE_OPTION, derived, function_of
from gfactor.cli.options import DRAWS, seed_option
from gfactor.cli.tables import table_options
from gfactor.cli.values import PATH
from gfactor.errors import GfactorError, ParameterError, UnknownNameError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection

LINEAR_MODELS = declared("gfactor.psychometrics.pls.predict", "LINEAR_MODELS")
TECHNIQUES = declared("gfactor.psychometrics.pls.predict", "TECHNIQUES")

OPTIONS = [
    click.option(
        "--bootstrap",
        "n_bootstrap",
        type=DRAWS,
        metavar="N",
        help="Intervals of everything from N resamples; 1000 for a look, 10000 to report.",
    ),
    click.option(
        "--group",
        metavar="COLUMN",
        help="Compare the two groups of this column by permutation: measurement invariance of the "
        "composites (MICOM) and paths.",
    ),
    click.option(
        "--permutations",
        type=DRAWS,
        metavar="N",
        default=1000,
        show_default=True,
        help="Permutations for --group.",
    ),
    seed_option("Seed of the resamples, folds and permutations."),
    click.option(
        "--predict",
        "folds",
        metavar="K",
        help="PLSpredict with K folds, or loo, against a linear model.",
    ),
    click.option(
        "--against",
        metavar="MODEL",
        help="Compare the predictions of --predict with those of this model (CVPAT), in place of "
        "averages and the linear model.",
    ),
    click.option(
        "--technique",
        type=click.Choice(TECHNIQUES),
        default="direct",
        show_default=True,
        help="Predict from a construct's own antecedents (seminr's predict_DA), or from the "
        "earliest ones along all paths (predict_EA).",
    ),
    click.option(
        "--linear-model",
        type=click.Choice(LINEAR_MODELS),
        default="antecedents",
        show_default=True,
        help="Regress on indicators of the antecedents predicted from (seminr from 2.4 on), or of "
        "all other constructs (seminr before).",
    ),
    jobs_option("Processes for --bootstrap and --predict; the result does not depend on it."),
    PAGE_OPTION,
    table_options,
]


@derived(
    __doc__,
    "pls",
    {"model": "--model FILE", "data": "DATA.csv"},
    reads={"model": str, "data": PATH},
    helps={
        "model": "Lines such as  A =~ x1 + x2 (mode A),  A <~ x1 + x2 (mode B),  B ~ A (path),  "
        "G =~ A + B (second order); or these lines themselves, with ; between them.",
        "data": "One row per case, columns as in the model; others are ignored.",
    },
    options=OPTIONS,
    about="docs/pls.md says how everything is computed.",
)
def command(
    model: str, data: Path, selection: TableSelection, n_bootstrap: int | None, seed: int,
    folds: str | None, against: str | None, technique: Any, linear_model: Any, group: str | None,
    permutations: int, page: Path | None, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    from gfactor.api.matrix_files import read_table
    from gfactor.api.progress_bars import counter
    from gfactor.api.score_tables import read_path_model, with_row_names
    from gfactor.psychometrics.pls import bootstrap_pls, compare_groups_pls, cvpat, predict_pls

    if not folds:
        _refuse_without("--predict K", "PLSpredict", "against", "technique", "linear_model")
    if not group:
        _refuse_without("--group COLUMN", "comparing groups", "permutations")
    path_model = read_path_model(model)
    named_columns = [group] if group else []
    chosen = selection.of(read_table(data), str(data), named_columns)
    table = with_row_names(chosen, selection.identifier is not None)
    if group and group not in table.columns:
        raise UnknownNameError("column", group, tuple(map(str, table.columns)))
    try:
        fit = function_of("pls")(path_model, table, **given)
    except GfactorError as error:
        raise ParameterError(f"{data}: {error}") from error
    boot = prediction = ability = compared = None
    if n_bootstrap:
        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            boot = bootstrap_pls(fit, n_bootstrap, seed=seed, watch=bar.update)
    if folds:
        rivals = [fit]
        if against:
            rivals.append(function_of("pls")(read_path_model(against), table, **given))
        how = {"folds": _folds(folds), "seed": seed, "technique": technique}
        count = fit.n if how["folds"] == "loo" else how["folds"]
        with counter(count * len(rivals), "predict", "fit") as bar:
            prediction, *other = (
                predict_pls(one, **how, linear_model=linear_model, watch=bar.update)
                for one in rivals
            )
        ability = cvpat(prediction, *other)
    if group:
        with counter(permutations, "permutations", "division") as bar:
            compared = compare_groups_pls(
                fit, table[group].tolist(), permutations=permutations, seed=seed, watch=bar.update
            )
    more = {"bootstrap": boot, "prediction": prediction, "cvpat": ability, "groups": compared}
    written = _page(page, fit, boot, prediction, compared, data.name)
    if as_json:
        documents = {name: result.to_dict() for name, result in more.items() if result is not None}
        put_json({**fit.to_dict(), **documents})
        return
    for result in (fit, *more.values()):
        if result is not None:
            say(f"{result.summary()}\n")
    if written:
        say(f"{written}: the page")


def _page(folder: Path | None, *report: Any) -> Path | None:
    from gfactor.reports.analysis import write_analysis
    from gfactor.reports.pls import pls_report

    *results, name = report
    return None if folder is None else write_analysis(pls_report(*results, data=name), folder).path


def _refuse_without(needed: str, purpose: str, *names: str) -> None:
    """Raise ParameterError where the user gave one of these options without the one they need."""
    for name in typed_names():
        if name in names:
            raise ParameterError(f"--{name.replace('_', '-')} is for {purpose}; give {needed}")


def _folds(given: str) -> Any:
    if given == "loo":
        return given
    try:
        return int(given)
    except ValueError as error:
        raise ParameterError(f"--predict is {given!r}; give a number of folds or 'loo'") from error

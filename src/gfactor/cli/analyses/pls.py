"""gfactor analyze pls: a PLS path model of a table of scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import DRAWS, data_argument, model_option, page_option, seed_option
from gfactor.cli.path_models import missing_option, scheme_option
from gfactor.cli.tables import table_options
from gfactor.errors import GfactorError, ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.table_selection import TableSelection

INTERACTIONS = declared("gfactor.psychometrics.pls.stages", "INTERACTIONS")
LINEAR_MODELS = declared("gfactor.psychometrics.pls.predict", "LINEAR_MODELS")
SECOND_ORDER = declared("gfactor.psychometrics.pls.stages", "SECOND_ORDER")
TECHNIQUES = declared("gfactor.psychometrics.pls.predict", "TECHNIQUES")


@click.command("pls")
@data_argument
@model_option(
    "Lines such as  A =~ x1 + x2 (mode A),  A <~ x1 + x2 (mode B),  B ~ A (path),  "
    "G =~ A + B (second order); or these lines themselves, with ; between them."
)
@scheme_option
@click.option("--consistent", is_flag=True, help="PLSc: correct for unreliability by rho_A.")
@click.option(
    "--second-order",
    type=click.Choice(SECOND_ORDER),
    default="two-stage",
    show_default=True,
    help="How second-order constructs are estimated.",
)
@click.option(
    "--interaction",
    type=click.Choice(INTERACTIONS),
    default="two-stage",
    show_default=True,
    help="How interactions (A:M in a path line) are formed.",
)
@missing_option("error")
@click.option(
    "--bootstrap",
    "n_bootstrap",
    type=DRAWS,
    metavar="N",
    help="Intervals of everything from N resamples; 1000 for a look, 10000 to report.",
)
@seed_option("Of the resamples and folds.")
@click.option(
    "--predict",
    "folds",
    metavar="K",
    help="PLSpredict with K folds, or loo, against a linear model.",
)
@click.option(
    "--technique",
    type=click.Choice(TECHNIQUES),
    default="direct",
    show_default=True,
    help="Predict from a construct's own antecedents (seminr's predict_DA), or from the earliest "
    "ones along all paths (predict_EA).",
)
@click.option(
    "--linear-model",
    type=click.Choice(LINEAR_MODELS),
    default="antecedents",
    show_default=True,
    help="Regress on indicators of the antecedents predicted from (seminr from 2.4 on), or of all "
    "other constructs (seminr before).",
)
@jobs_option(
    "Processes for --bootstrap and --predict; the result does not depend on it.", handed_on=False
)
@page_option
@table_options
@json_option
def command(
    data: Path,
    selection: TableSelection,
    model_given: str,
    scheme: Any,
    consistent: bool,
    second_order: Any,
    interaction: Any,
    missing: Any,
    n_bootstrap: int | None,
    seed: int,
    folds: str | None,
    technique: Any,
    linear_model: Any,
    output: Path | None,
    as_json: bool,
) -> None:
    """Fit a PLS path model to DATA.csv: one row per case, columns as in the model.

    Columns that the model does not name are ignored. docs/pls.md says how everything is computed.

    \b
    Example:
      gfactor analyze pls scores.csv --model gold.pls --bootstrap 1000 -o pls/

    Python: gfactor.pls(model, data)
    """
    from gfactor.api.matrix_files import read_table
    from gfactor.api.progress_bars import counter
    from gfactor.api.score_tables import read_path_model
    from gfactor.psychometrics.pls import bootstrap_pls, fit_pls, predict_pls

    if not folds:
        _refuse_without_predict("technique", "linear_model")
    model = read_path_model(model_given)
    table = _rows(selection.of(read_table(data), str(data)), selection.identifier is not None)
    try:
        fit = fit_pls(
            table,
            model,
            scheme=scheme,
            consistent=consistent,
            second_order=second_order,
            interaction=interaction,
            missing=missing,
        )
    except GfactorError as error:
        raise ParameterError(f"{data}: {error}") from error
    boot = prediction = None
    if n_bootstrap:
        with counter(n_bootstrap, "bootstrap", "fit") as bar:
            boot = bootstrap_pls(fit, n_bootstrap, seed=seed, watch=bar.update)
    if folds:
        count = _folds(folds)
        with counter(fit.n if count == "loo" else count, "predict", "fit") as bar:
            prediction = predict_pls(
                fit, folds=count, seed=seed, technique=technique, linear_model=linear_model,
                watch=bar.update,
            )  # fmt: skip
    page = None
    if output:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.pls import pls_report

        page = write_analysis(pls_report(fit, boot, prediction, data=data.name), output).path
    if as_json:
        document = fit.to_dict()
        if boot:
            document["bootstrap"] = boot.to_dict()
        if prediction:
            document["prediction"] = prediction.to_dict()
        put_json(document)
        return
    for result in (fit, boot, prediction):
        if result is not None:
            say(result.summary())
            say("")
    if page:
        say(f"{page}: the page")


def _rows(table: pd.DataFrame, named: bool) -> pd.DataFrame:
    """Rows are called as the first column says where it holds text, else by number from 1."""
    import pandas as pd

    if table.empty:
        raise ParameterError("the table has no rows; give one row per case")
    first = table.columns[0]
    if named:
        return table
    if len(table.columns) > 1 and not pd.api.types.is_numeric_dtype(table[first]):
        return table.set_index(first, drop=False)
    return table.set_axis(pd.RangeIndex(1, len(table) + 1), axis=0)


def _refuse_without_predict(*names: str) -> None:
    """Raise ParameterError where the user gave one of these options of PLSpredict."""
    source = click.get_current_context().get_parameter_source
    for name in names:
        if source(name) is ParameterSource.COMMANDLINE:
            raise ParameterError(f"--{name.replace('_', '-')} is for PLSpredict; give --predict K")


def _folds(given: str) -> Any:
    if given == "loo":
        return given
    try:
        return int(given)
    except ValueError as error:
        raise ParameterError(f"--predict is {given!r}; give a number of folds or 'loo'") from error

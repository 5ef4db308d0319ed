"""gfactor analyze irt: difficulties of items and abilities of examinees on one scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pandas as pd

from gfactor.api.progress import counter
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.irt_files import arguments, guesses, read_items, read_matrix, read_options
from gfactor.cli.options import PATH, data_argument, seed_option
from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.irt import MODELS, IRTFit, fit_irt
from gfactor.psychometrics.irt.brokenitems import BrokenItems, broken_items
from gfactor.psychometrics.irt.dif import DIF
from gfactor.psychometrics.irt.dif import dif as dif_tests
from gfactor.psychometrics.irt.document import document
from gfactor.psychometrics.irt.explanatory import design_matrix, fit_design

_MOST_CELLS = 50_000_000
"""Simulated responses beyond which nothing is simulated."""
_MOST_ITEMS = 2_000
"""Items beyond whose number pairs are not looked at."""


@click.command("irt")
@data_argument
@click.option("--model", metavar="NAME", help=f"One of {', '.join(MODELS)}.")
@click.option("--groups", metavar="COLUMN", help="Examinees of several populations.")
@click.option(
    "--guess",
    metavar="N",
    help="Fixed lower asymptote, or 'format': one divided by the options in --item-table.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Families of examinees that resemble each other; standard errors allow for it.",
)
@click.option(
    "--design",
    metavar="FORMULA",
    help="Difficulty as a sum of effects of columns of --item-table: '~ size + C(domain)'.",
)
@click.option(
    "--item-table",
    "item_file",
    type=PATH,
    metavar="FILE",
    help="What is known of the items: a row per item, its name in the first column.",
)
@click.option(
    "--irt-options",
    "options_file",
    type=PATH,
    metavar="FILE",
    help='More options as JSON: {"quadpts": 61, "priors": {"slope": ["lognormal", 0, 0.5]}}.',
)
@click.option(
    "--simulations",
    type=click.IntRange(0, 100_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Simulated tables behind locally dependent pairs and outfit; 0 leaves them out.",
)
@click.option("--dif", is_flag=True, help="Test every item for a difference between two --groups.")
@click.option("--force", is_flag=True, help="Fit although examinees are too few for the model.")
@seed_option("Of simulations and of further starts.")
@json_option
def command(
    data: Path,
    model: str | None,
    groups: str | None,
    guess: str | None,
    cluster: str | None,
    design: str | None,
    item_file: Path | None,
    options_file: Path | None,
    simulations: int,
    dif: bool,
    force: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Fit an item response model to DATA.csv: one row per examinee, one column per item.

    The first column may name the examinees. An empty cell is an item that was not asked.
    Diagnostics are printed first. docs/irt.md says how everything is computed.

    \b
    Example:
      gfactor analyze irt responses.csv --model rasch
      gfactor analyze irt responses.csv --model 2pl --cluster family --json
    """
    frame, known = read_matrix(data), read_items(item_file)
    options = read_options(options_file)
    for name, value in (
        ("model", model),
        ("groups", groups),
        ("clusters", cluster),
        ("force", force or None),
        ("seed", seed or None),
    ):
        _set(options, name, value)
    if "model" not in options:
        raise ParameterError(f"--model is missing; it is one of {', '.join(MODELS)}")
    items, given = arguments(frame, options, str(data))
    _set(given, "guess", guesses(guess, items, known))
    if design is not None:
        given["design"] = _design(design, items, known)
    with counter(0, "irt", "step") as bar:
        fit = fit_irt(items, **given, progress=_ticks(bar))
    explained = None
    if design is not None:
        explained = fit_design(items, given.pop("design"), **_without_model(given))
    broken = _broken(fit, simulations, seed)
    between = _dif(items, given) if dif else None
    if as_json:
        put_json(
            {"data": str(data), **document(fit, broken)}
            | ({"design": explained.to_dict()} if explained else {})
            | ({"dif": between.to_dict()} if between else {})
        )
        return
    said = [*fit.diagnostics, *(broken.diagnostics if broken else ())]
    say(replace(fit, diagnostics=by_severity(said)).summary())
    if broken is not None and len(broken.table):
        say("\nbroken items\n" + broken.table.to_string(index=False, float_format="%.3f"))
    if explained is not None:
        say("\n" + explained.summary())
    if between is not None:
        say("\n" + between.summary())
    measures = document(fit)["fit"]
    if measures["m2"] is not None:
        shown = ", ".join(f"{k} {v:.3f}" for k, v in measures.items() if isinstance(v, float))
        say(f"\n{measures['statistic']} with {measures['df']} degrees of freedom: {shown}")


def _dif(items: pd.DataFrame, given: dict[str, Any]) -> DIF:
    """Likelihood ratio tests of all items, anchors purified."""
    if given.get("groups") is None or not isinstance(given["model"], str):
        raise ParameterError("--dif needs --groups COLUMN and one --model for all items")
    with counter(len(items.columns), "dif", "item") as bar:
        return dif_tests(
            items, list(given["groups"]), given["model"], reference=given.get("reference"),
            progress=_ticks(bar),
        )  # fmt: skip


def _broken(fit: IRTFit, simulations: int, seed: int) -> BrokenItems | None:
    """Broken items where the model has one factor and one group."""
    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        return None
    cells = fit.table.codes.size
    few = cells * simulations < _MOST_CELLS and len(fit.table.items) <= _MOST_ITEMS
    count = simulations if few else 0
    with counter(count, "simulation", "table") as bar:
        return broken_items(fit, simulations=count, seed=seed, progress=_ticks(bar))


def _without_model(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a Rasch model and a design on it; ParameterError for another model."""
    if given["model"] != "rasch":
        raise ParameterError("--design explains difficulties of the Rasch model: --model rasch")
    return {name: value for name, value in given.items() if name != "model"}


def _ticks(bar: Any) -> Callable[..., None]:
    """What moves a progress bar by one, whatever it is told."""

    def tick(*_told: object) -> None:
        bar.update(1)

    return tick


def _set(options: dict[str, Any], name: str, value: Any) -> None:
    """Put an option of the command line beside those of the file."""
    if value is None:
        return
    if options.get(name, value) != value:
        raise ParameterError(
            f"{name} is {value!r} on the command line and {options[name]!r} in the file of "
            "options; leave one out"
        )
    options[name] = value


def _design(formula: str, items: Any, known: Any) -> Any:
    if known is None:
        raise ParameterError("--design needs --item-table with the columns of the formula")
    lacking = [item for item in items.columns if item not in known.index]
    if lacking:
        raise ParameterError(f"--design: item {lacking[0]!r} is not in the table of items")
    return design_matrix(formula, known.loc[list(items.columns)])

"""gfactor analyze irt: difficulties of items and abilities of examinees on one scale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.cli.common import counter, json_option, put_json, say
from gfactor.cli.irt_files import arguments, guesses, read_items, read_matrix, read_options
from gfactor.cli.options import PATH, data_argument, seed_option
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import MODELS, fit_irt
from gfactor.psychometrics.irt.document import document


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
    force: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Fit an item response model to DATA.csv: one row per examinee, one column per item.

    The first column may name the examinees. An empty cell is an item that was not asked. What
    speaks against the result is said first. docs/irt.md says how everything is computed.

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
        fit = fit_irt(items, **given, progress=lambda _step, _value: bar.update(1))
    if as_json:
        put_json({"data": str(data), **document(fit)})
        return
    say(fit.summary())


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
    from gfactor.psychometrics.irt.explanatory import design_matrix  # noqa: PLC0415 (an extra)

    if known is None:
        raise ParameterError("--design needs --item-table with the columns of the formula")
    lacking = [item for item in items.columns if item not in known.index]
    if lacking:
        raise ParameterError(f"--design: item {lacking[0]!r} is not in the table of items")
    return design_matrix(formula, known.loc[list(items.columns)])

"""gfactor analyze irt: difficulties of items and abilities of examinees on one scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.irt_files import (
    arguments,
    columns_named,
    guesses,
    read_items,
    read_journal,
    read_matrix,
    read_options,
    refuse_selection,
)
from gfactor.cli.options import page_option, seed_option
from gfactor.cli.scoring import scoring_options
from gfactor.cli.tables import table_options
from gfactor.cli.values import NAME, PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.irt_data import Counting, ItemResponses
    from gfactor.api.scoring import Scoring
    from gfactor.api.table_selection import TableSelection
    from gfactor.psychometrics.diagnostic import Diagnostic
    from gfactor.psychometrics.irt import IRTFit
    from gfactor.psychometrics.irt.brokenitems import BrokenItems
    from gfactor.psychometrics.irt.differential import DIF
    from gfactor.psychometrics.irt.predictive import PredictiveCheck
    from gfactor.results import Result

MODELS = declared("gfactor.psychometrics.irt", "MODELS")

_DRAWS = 100
"""Drawn tables of predictive checks that nobody asked for."""


@click.command("irt")
@click.argument("data", metavar="JOURNAL|DATA.csv", type=NAME)
@click.option("--model", metavar="NAME", help=f"One of {', '.join(MODELS)}.")
@click.option(
    "--groups",
    "--group",
    "groups",
    metavar="COLUMN",
    help="Examinees of several populations; of a journal kind (person, model ...), condition, "
    "language, family, a parameter of examinees, or a column of --examinee-table.",
)
@click.option(
    "--guess",
    metavar="N",
    help="Fixed lower asymptote, or 'format': what answering without looking earns, by the journal "
    "or the columns 'options' or 'chance' of --item-table.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Families of examinees that resemble each other; standard errors allow for it.",
)
@click.option(
    "--design",
    metavar="FORMULA",
    help="Difficulty as a sum of effects of the items' labels: '~ size + C(domain)'.",
)
@click.option(
    "--slope-design",
    metavar="FORMULA",
    help="The log of discrimination as a sum of such effects; with --model 2pl.",
)
@click.option(
    "--shrink",
    is_flag=True,
    help="Shrink items to their common mean, by a variance that the data show: for few examinees.",
)
@click.option(
    "--predictive",
    type=click.IntRange(20, 10_000),
    metavar="N",
    help="Posterior predictive checks by N drawn tables; without it 100 where slopes have a prior.",
)
@click.option(
    "--item-table",
    "item_file",
    type=PATH,
    metavar="FILE",
    help="What is known of the items: a row per item, its name in the first column. The labels of "
    "a journal's items are known without.",
)
@click.option(
    "--examinee-table",
    "examinee_file",
    type=PATH,
    metavar="FILE",
    help="What is known of a journal's examinees: a row each, its name in the first column.",
)
@click.option(
    "--bank",
    "bank_file",
    type=PATH,
    metavar="FILE",
    help="The journal's bank, for the picture files of broken items.",
)
@click.option(
    "--benchmark",
    metavar="NAME",
    help="The journal's benchmark; needed where it holds several.",
)
@click.option(
    "--counting",
    type=click.Choice(["points", "whole", "lenient"]),
    default="points",
    show_default=True,
    help="What a journal's cells hold: points (partial credit), 1 where an item is right as a "
    "whole, the same with replies read leniently.",
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
@page_option
@table_options
@json_option
@scoring_options
def command(
    data: str,
    selection: TableSelection,
    model: str | None,
    groups: str | None,
    guess: str | None,
    cluster: str | None,
    design: str | None,
    slope_design: str | None,
    shrink: bool,
    predictive: int | None,
    item_file: Path | None,
    examinee_file: Path | None,
    bank_file: Path | None,
    benchmark: str | None,
    counting: Counting,
    options_file: Path | None,
    simulations: int,
    dif: bool,
    force: bool,
    seed: int,
    output: Path | None,
    as_json: bool,
    scoring: Scoring,
) -> int:
    """Fit an item response model to a journal, or to a table: a row per examinee, a column per
    item.

    The first column of a table may name the examinees. An empty cell is an item that was not
    asked. Of a journal, whole items or points are scored as in gfactor score; baselines and the
    ideal observer are left out unless --examinee names them. Diagnostics are printed first.
    docs/irt.md says how everything is computed.

    \b
    Example:
      gfactor analyze irt c.db --model rasch --guess format --cluster family
      gfactor analyze irt c.db --model rasch --groups kind --dif
      gfactor analyze irt responses.csv --model 2pl --cluster family --json
      gfactor analyze irt responses.csv --model 2pl --groups kind --dif -o irt/

    Python: gfactor.irt("2pl", data)
    """
    from gfactor.api.progress_bars import counter, ticks
    from gfactor.psychometrics.diagnostic import by_severity
    from gfactor.psychometrics.irt import fit_irt
    from gfactor.psychometrics.irt.documents import document
    from gfactor.psychometrics.irt.explanatory import fit_design, fit_slope_design
    from gfactor.psychometrics.irt.hierarchical import fit_hierarchical
    from gfactor.psychometrics.irt.request import named_model

    options = read_options(options_file)
    if "model" in options:
        options["model"] = named_model(options["model"])
    for name, value in (
        ("model", named_model(model)),
        ("groups", groups),
        ("clusters", cluster),
        ("force", force or None),
        ("seed", seed or None),
    ):
        _set(options, name, value)
    if "model" not in options:
        raise ParameterError(f"--model is missing; it is one of {', '.join(MODELS)}")
    journal = _journal(data, scoring, counting, options, examinee_file, bank_file, benchmark)
    known = None if item_file is None else read_items(item_file)
    if journal is None:
        frame = read_matrix(Path(data), selection, columns_named(options))
    else:
        refuse_selection(selection, data)
        frame = journal.columns(columns_named(options))
        known = journal.items if known is None else known.combine_first(journal.items)
    items, given = arguments(frame, options, data)
    notes = _prepared(journal, given, guess, items, known)
    if design is not None:
        given["design"] = _design(design, items, known)
    with counter(0, "irt", "step") as bar:
        fit = (fit_hierarchical if shrink else fit_irt)(items, **given, progress=ticks(bar))
    fit = replace(fit, diagnostics=by_severity([*fit.diagnostics, *notes]))
    more: dict[str, Result] = {}
    if design is not None:
        more["design"] = fit_design(items, given.pop("design"), **_without_model(given, "rasch"))
    if slope_design is not None:
        x = _design(slope_design, items, known)
        more["slope_design"] = fit_slope_design(items, x, **_without_model(given, "2pl"))
    broken = _broken(fit, simulations, seed, journal, bank_file)
    if dif:
        more["dif"] = _dif(items, given)
    checked = _predictive(fit, predictive, seed)
    if checked is not None:
        more["predictive"] = checked
    page = _page(output, fit, broken, more, data, bank_file) if output else None
    if as_json:
        matches = {name: result.to_dict() for name, result in more.items()}
        put_json({"data": data, **document(fit, broken), **matches})
        return scoring.code
    _say_fit(fit, broken, more)
    if page:
        say(f"\n{page}: the page")
    if scoring.judged:
        say(scoring.judge_line())
    return scoring.code


def _say_fit(fit: IRTFit, broken: BrokenItems | None, more: Mapping[str, Result]) -> None:
    """Print what was found, diagnostics first."""
    from gfactor.psychometrics.diagnostic import by_severity
    from gfactor.psychometrics.irt.documents import document

    said = [*fit.diagnostics, *(broken.diagnostics if broken else ())]
    say(replace(fit, diagnostics=by_severity(said)).summary())
    if broken is not None and len(broken.table):
        say("\nbroken items\n" + broken.table.to_string(index=False, float_format="%.3f"))
    for result in more.values():
        say("\n" + result.summary())
    measures = document(fit)["fit"]
    if measures["m2"] is not None:
        shown = ", ".join(f"{k} {v:.3f}" for k, v in measures.items() if isinstance(v, float))
        say(f"\n{measures['statistic']} with {measures['df']} degrees of freedom: {shown}")


def _journal(
    data: str, scoring: Scoring, counting: Counting, options: dict[str, Any],
    examinees: Path | None, bank: Path | None, benchmark: str | None,
) -> ItemResponses | None:  # fmt: skip
    """The responses of a journal; None of a table, which has no use for a journal's options."""
    from gfactor.administration.opening import is_journal

    if is_journal(data):
        return read_journal(data, scoring, counting, options.get("groups"), examinees, benchmark)
    needless = [
        *scoring.named,
        *(["--examinee-table"] if examinees else []),
        *(["--bank"] if bank else []),
        *(["--benchmark"] if benchmark is not None else []),
        *(["--counting"] if counting != "points" else []),
    ]
    if needless:
        raise ParameterError(f"{needless[0]} is for a journal; {data!r} is a table of scores")
    return None


def _prepared(
    journal: ItemResponses | None, given: dict[str, Any], guess: str | None, items: pd.DataFrame,
    known: pd.DataFrame | None,
) -> list[Diagnostic]:  # fmt: skip
    """Complete the arguments by what a journal knows; what is to be said of it."""
    from gfactor.psychometrics.diagnostic import Diagnostic

    if journal is None:
        _set(given, "guess", guesses(guess, items, known))
        return []
    said = list(journal.diagnostics)
    levels = guesses(guess, items, known)
    if guess == "format":
        _, notes = journal.guessing()
        said += notes
        levels = {name: 0.0 if level != level else level for name, level in levels.items()}  # noqa: PLR0124
    _set(given, "guess", levels)
    who = journal.respondents["examinee"]
    if who.duplicated().any() and given.get("clusters") is None:
        given["clusters"] = who
        said.append(Diagnostic(
            "clusters_of_examinees", "note",
            f"{len(who)} rows are of {who.nunique()} examinees; standard errors are clustered by "
            "examinee.",
            "Give --cluster for larger clusters.",
        ))  # fmt: skip
    return said


def _page(
    output: Path, fit: IRTFit, broken: BrokenItems | None, more: dict[str, Result], data: str,
    bank_file: Path | None,
) -> Path:  # fmt: skip
    """Write the page."""
    from gfactor.items import ItemBank
    from gfactor.reports.analysis import write_analysis
    from gfactor.reports.irt import irt_report

    bank = None if bank_file is None else ItemBank.open(bank_file)
    report = irt_report(fit, broken, more, data=Path(data).name, bank=bank)
    return write_analysis(report, output).path


def _dif(items: pd.DataFrame, given: dict[str, Any]) -> DIF:
    """Likelihood ratio tests of all items, anchors purified."""
    from gfactor.api.progress_bars import counter, ticks
    from gfactor.psychometrics.irt.differential import dif as dif_tests

    if given.get("groups") is None or not isinstance(given["model"], str):
        raise ParameterError("--dif needs --groups COLUMN and one --model for all items")
    with counter(len(items.columns), "dif", "item") as bar:
        return dif_tests(
            items, list(given["groups"]), given["model"], reference=given.get("reference"),
            progress=ticks(bar),
        )  # fmt: skip


def _broken(
    fit: IRTFit, simulations: int, seed: int, journal: ItemResponses | None, bank: Path | None
) -> BrokenItems | None:
    """Broken items where the model has one factor and one group."""
    from gfactor.api.irt_data import broken_replies
    from gfactor.api.progress_bars import counter, ticks
    from gfactor.items import ItemBank
    from gfactor.psychometrics.irt.brokenitems import affordable_simulations, broken_items

    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        return None
    count = affordable_simulations(fit, simulations)
    with counter(count, "simulation", "table") as bar:
        matches = broken_items(
            fit,
            choices=None if journal is None else journal.choices,
            key=None if journal is None else journal.key,
            simulations=count,
            seed=seed,
            progress=ticks(bar),
        )
    if journal is None:
        return matches
    opened = None if bank is None else ItemBank.open(bank)
    return replace(matches, replies=broken_replies(journal, fit, matches, opened))


def _predictive(fit: IRTFit, draws: int | None, seed: int) -> PredictiveCheck | None:
    """Predictive checks where they are asked for, or slopes of few respondents have a prior."""
    from gfactor.api.progress_bars import counter, ticks
    from gfactor.psychometrics.irt.brokenitems import affordable_simulations
    from gfactor.psychometrics.irt.predictive import predictive_check

    needed = any(entry.code == "slopes_with_prior" for entry in fit.diagnostics)
    model = fit.likelihood.model
    possible = model.factors == 1 and len(model.groups) == 1 and fit.vcov is not None
    if draws is None and not (needed and possible and affordable_simulations(fit, _DRAWS)):
        return None
    count = draws or _DRAWS
    with counter(count, "predictive", "table") as bar:
        return predictive_check(fit, draws=count, seed=seed, progress=ticks(bar))


def _without_model(given: dict[str, Any], model: str) -> dict[str, Any]:
    """The arguments but for the model; ParameterError where it is another one."""
    if given["model"] != model:
        raise ParameterError(
            "--design explains difficulties of the Rasch model (--model rasch), --slope-design "
            "slopes of the two-parameter model (--model 2pl)"
        )
    return {name: value for name, value in given.items() if name != "model"}


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
    from gfactor.psychometrics.irt.explanatory import design_matrix

    if known is None:
        raise ParameterError("a design needs --item-table with the columns of the formula")
    lacking = [item for item in items.columns if item not in known.index]
    if lacking:
        raise ParameterError(f"--design: item {lacking[0]!r} is not in the table of items")
    return design_matrix(formula, known.loc[list(items.columns)])

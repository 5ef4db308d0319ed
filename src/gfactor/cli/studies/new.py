"""gfactor study new: make a study of a bank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import (
    adaptive_calibration_option,
    bank_argument,
    folder_option,
    seed_option,
)
from gfactor.cli.studies.owners import owner_password
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.recruiting import SERVICES

if TYPE_CHECKING:
    from gfactor.items import ItemBank

DISCLOSURES = declared("gfactor.studies.questionnaires.definition", "DISCLOSURES")
IDS = declared("gfactor.studies.questionnaires.definition", "IDS")

MOST_WARNINGS = 20


@click.command("new")
@bank_argument
@folder_option("Folder of the study; made where it is missing.")
@click.option("--title", help="Shown to participants.")
@click.option("--id", "name", help="Names the study in exports; by default made of the title.")
@click.option("--language", default="en", show_default=True, help="Of the interface.")
@seed_option("Of forms and orders.")
@click.option("--per-person", default=0, show_default=True, help="Items per person; 0 for all.")
@click.option("--blocks", default="", metavar="LABEL", help="A label whose values stay together.")
@click.option("--practice", multiple=True, metavar="ITEM", help="An item for practice; repeat it.")
@click.option("--checks", default=5, show_default=True, help="Check questions per person.")
@click.option("--time-limit", default=0.0, show_default=True, help="Seconds per item; 0 for none.")
@click.option("--quota", default=0, show_default=True, help="Completed submissions; 0 for any.")
@click.option("--contact", default="", help="Whom participants may write to.")
@click.option("--base-pay", default=0.0, show_default=True, help="Paid for a completed study.")
@click.option("--pay-per-right", default=0.0, show_default=True, help="Paid for every point.")
@click.option("--currency", default="", help="Shown beside the sum.")
@click.option(
    "--ids",
    type=click.Choice(IDS),
    default="optional",
    show_default=True,
    help="Whether participants need a recruiting service's id, or a signed link.",
)
@click.option(
    "--service",
    type=click.Choice(tuple(SERVICES)),
    help="Recruiting service that sends participants; its URL parameters are kept.",
)
@click.option(
    "--disclose",
    type=click.Choice(DISCLOSURES),
    default="never",
    show_default=True,
    help="When participants see the right answers: once the study is closed, or never.",
)
@click.option(
    "--pin",
    "pins",
    multiple=True,
    metavar="ITEM:LABELS",
    help='Options that keep their place when the order is random (q7:D); "found" for all that '
    "are warned of; may be given several times.",
)
@click.option(
    "--adaptive",
    is_flag=True,
    help="Choose everybody's next item by the answers so far; needs --calibration.",
)
@adaptive_calibration_option
@click.option(
    "--max-items",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --adaptive: most items per person.  [default: 20]",
)
@click.option(
    "--se",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SE",
    help="With --adaptive: standard error of ability that is enough.  [default: 0.3]",
)
@click.option(
    "--among",
    type=click.IntRange(min=1),
    metavar="K",
    help="With --adaptive: draw each item among the K best ones.  [default: 1]",
)
@click.option("--completion-code", default="", help="Shown at the end.")
@json_option
@click.pass_context
def command(
    context: click.Context, bank: Path, output: Path, as_json: bool, **settings: Any
) -> None:
    """Make a study of a bank: a folder with study.toml, the items and the owner's password.

    A study file (its name ends in .toml) in the place of the bank holds all settings, and the pages
    of the study: questionnaires, practice, blocks, breaks, debriefing.

    The owner's password is made up and shown once, or taken from the environment variable
    GFACTOR_OWNER_PASSWORD; only its hash is kept.

    Everything else can be set in study.toml before the first participant comes: consent text,
    exclusion rules, retention, pay.

    \b
    Example:
      gfactor study new m3gia.parquet -o study/ --title "Pictures" --language zh --per-person 100
      gfactor study new b.parquet -o s/ --title T --adaptive --calibration c.json --max-items 20

      gfactor study new study-file.toml -o study/

    Python: gfactor.study.new(bank, "study/", title="Pictures", language="zh")
    """
    from gfactor.items import ItemBank

    password, show = owner_password()
    if bank.suffix == ".toml":
        _refuse_options(context)
        _say_new(study.new(bank, output, password=password), output, show, as_json)
        return
    settings |= _adaptive(settings)
    opened = ItemBank.open(bank)
    names = {"id": settings.pop("name"), "pins": _pins(settings.pop("pins"), opened)}
    built = study.new(opened, output, password=password, **names, **settings)
    _say_new(built, output, show, as_json)


def _refuse_options(context: click.Context) -> None:
    """ParameterError where an option is given beside a study file."""
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in ("bank", "output", "as_json"):
            raise ParameterError(f"a study file holds all settings; set {option.opts[0]} there")


def _say_new(built: study.NewStudy, output: Path, show: bool, as_json: bool) -> None:
    if as_json:
        facts = {"folder": str(built.folder), "study": built.study.id, "items": built.items}
        facts["warnings"] = list(built.warnings)
        put_json(facts | ({"password": built.password} if show else {}))
        return
    say(f"{output}: a study of {built.items} items; edit study.toml, then")
    say(f"  gfactor study serve {output}")
    for sentence in built.warnings[:MOST_WARNINGS]:
        say(f"warning: {sentence}")
    if built.warnings:
        left = len(built.warnings) - MOST_WARNINGS
        more = f"and {left:,} more; " if left > 0 else ""
        say(f"  {more}add to [pins] in study.toml, or begin anew with --pin found")
    if show:
        say(f"owner's password (kept nowhere): {built.password}")


def _adaptive(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of an adaptive study, taken out of all; nothing where it is none."""
    adaptive, calibration = settings.pop("adaptive"), settings.pop("calibration")
    names = ("max_items", "se", "among")
    given = {name: value for name in names if (value := settings.pop(name)) is not None}
    if adaptive != (calibration is not None):
        raise ParameterError("--adaptive and --calibration FILE belong together; give both or none")
    if given and not adaptive:
        raise ParameterError(f"--{next(iter(given)).replace('_', '-')} is for --adaptive")
    return {"calibration": calibration, **given} if adaptive else {}


def _pins(given: tuple[str, ...], bank: ItemBank) -> dict[str, tuple[str, ...]]:
    """Pinned labels by item, of ITEM:LABELS with commas between labels, or of what was found."""
    from gfactor.studies.questionnaires.pinning import options_to_pin

    pins: dict[str, tuple[str, ...]] = {}
    for text in given:
        item, colon, labels = text.rpartition(":")
        if text == "found":
            result = options_to_pin(bank)
            pins |= {one.item: one.labels for one in result if one.item not in pins}
        elif not colon or not item or not labels.strip():
            raise ParameterError(f"--pin {text!r} names no option; write ITEM:LABELS, as in q7:D")
        else:
            pins[item] = tuple(label.strip() for label in labels.split(","))
    return pins

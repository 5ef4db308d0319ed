"""gfactor study new: make a study of a bank."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import bank_argument, folder_option, seed_option
from gfactor.items import ItemBank
from gfactor.studies.questionnaires import Pay, Study, StudyFolder
from gfactor.studies.web.secrets import new_password

PASSWORD = "GFACTOR_OWNER_PASSWORD"


@click.command("new")
@bank_argument
@folder_option("Folder of the study; made where it is missing.")
@click.option("--title", required=True, help="Shown to participants.")
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
@click.option("--completion-code", default="", help="Shown at the end.")
@json_option
def command(bank: Path, output: Path, as_json: bool, **settings: Any) -> None:
    """Make a study of a bank: a folder with study.toml, the items and the owner's password.

    The owner's password is made up and shown once, or taken from the environment variable
    GFACTOR_OWNER_PASSWORD; only its hash is kept.

    Everything else can be set in study.toml before the first participant comes: consent text,
    exclusion rules, retention, pay.

    \b
    Example:
      gfactor study new m3gia.parquet -o study/ --title "Pictures" --language zh --per-person 100
    """
    pay = Pay(settings.pop("currency"), settings.pop("base_pay"), settings.pop("pay_per_right"))
    name = settings.pop("name") or _identifier(settings["title"])
    study = Study(id=name, time_limit_s=settings.pop("time_limit"), pay=pay, **settings)
    password, show = owner_password()
    made = StudyFolder.make(output, study, ItemBank.open(bank), password)
    if as_json:
        facts = {"folder": str(made.path), "study": study.id, "items": len(made.bank)}
        put_json(facts | ({"password": password} if show else {}))
        return
    say(f"{output}: a study of {len(made.bank)} items; edit study.toml, then")
    say(f"  gfactor study serve {output}")
    if show:
        say(f"owner's password (kept nowhere): {password}")


def owner_password() -> tuple[str, bool]:
    """The owner's password, and whether it was made up here: then it has to be shown."""
    given = os.environ.get(PASSWORD)
    return (given, False) if given is not None else (new_password(), True)


def _identifier(title: str) -> str:
    """Letters and digits of a title, "study" where it has none of the Latin ones."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in title.lower()).split()
    return "-".join(words)[:40] or "study"

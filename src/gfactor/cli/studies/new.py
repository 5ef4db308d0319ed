"""gfactor study new: make a study of a bank.

gfactor study new m3gia.parquet -o study/ --title "Pictures" --language zh --per-person 100
gfactor study new b.parquet -o s/ --title T --adaptive --calibration c.json --max-items 20
gfactor study new study-file.toml -o study/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.api import study
from gfactor.cli.common import put_json, refuse_typed
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put
from gfactor.cli.studies.owners import owner_password
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.recruiting import SERVICES

if TYPE_CHECKING:
    from gfactor.items import ItemBank

ADAPTIVE = ("max_items", "se", "among")

GIVEN = {
    "bank", "folder", "title", "id", "pins", "base_pay", "pay_per_right", "currency", "time_limit",
    "calibration", *ADAPTIVE, "language", "seed", "per_person", "blocks", "practice", "checks",
    "quota", "contact", "ids", "completion_code", "disclose", "service",
}  # fmt: skip
"""Settings that the command has; the others are written into study.toml."""


@derived(
    __doc__,
    "study.new",
    {"bank": "BANK", "folder": "-o FOLDER", "pins": "--pin ITEM:LABELS...", "among": "--among K",
     "blocks": "--blocks LABEL", "practice": "--practice ITEM..."},
    reads={"bank": PATH, "pins": list, "service": click.Choice(tuple(SERVICES))},
    helps={
        "pins": "Options that keep their place when the order is random (q7:D); \"found\" for all "
        "that are warned of.",
        "calibration": "With --adaptive: calibration of the bank, a file of gfactor calibrate.",
    },
    without=[one.name for one in declaration("study.new").parameters if one.name not in GIVEN],
    optional=ADAPTIVE,
    about="The owner's password is made up and shown once, or taken from the environment variable "
    "GFACTOR_OWNER_PASSWORD; only its hash is kept.",
)  # fmt: skip
def command(
    bank: Path, folder: Path, pins: list[str] | None, adaptive: bool = False, *, as_json: bool,
    **settings: Any,
) -> None:  # fmt: skip
    """Make a study of a bank, or of a study file.

    Parameters
    ----------
    adaptive : bool
        Choose everybody's next item by the answers so far; needs --calibration.
    """
    from gfactor.items import ItemBank

    password, show = owner_password()
    if bank.suffix == ".toml":
        refuse_typed(
            "is a setting, and a study file holds all settings; set it there",
            beside=("bank", "folder", "as_json"),
        )
        started = study.new(bank, folder, password=password)
    else:
        settings = _adaptive(adaptive, settings)
        opened = ItemBank.open(bank)
        started = study.new(
            opened, folder, pins=_pins(pins or [], opened), password=password, **settings
        )
    if as_json:
        put_json(started.to_dict() | ({"password": started.password} if show else {}))
    else:
        put(started, False, last=f"owner's password (kept nowhere): {started.password}" * show)


def _adaptive(adaptive: bool, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, of those of an adaptive study the ones that are given."""
    given = [name for name in ADAPTIVE if settings[name] is not None]
    if adaptive != (settings["calibration"] is not None):
        raise ParameterError("--adaptive and --calibration FILE belong together; give both or none")
    if given and not adaptive:
        raise ParameterError(f"--{given[0].replace('_', '-')} works only with --adaptive")
    return {name: one for name, one in settings.items() if name not in ADAPTIVE or name in given}


def _pins(given: list[str], bank: ItemBank) -> dict[str, tuple[str, ...]]:
    """Pinned labels by item, of ITEM:LABELS with commas between labels, or of what was found."""
    from gfactor.studies.questionnaires.pinning import options_to_pin

    pins: dict[str, tuple[str, ...]] = {}
    for text in given:
        item, colon, labels = text.rpartition(":")
        if text == "found":
            pins |= {one.item: one.labels for one in options_to_pin(bank) if one.item not in pins}
        elif not colon or not item or not labels.strip():
            raise ParameterError(f"--pin {text!r} names no option; write ITEM:LABELS, as in q7:D")
        else:
            pins[item] = tuple(label.strip() for label in labels.split(","))
    return pins

"""gfactor study new: make a study from a bank.

gfactor study new m3gia.parquet -o study/ --title "Pictures" --language zh --per-person 100
gfactor study new b.parquet -o s/ --title T --adaptive --calibration c.json --max-items 20
gfactor study new study-file.toml -o study/

The owner's password is made up and shown once, or taken from the environment variable
GFACTOR_OWNER_PASSWORD; only its hash is kept.
"""

import click

from gfactor.cli.declarations import declaration
from gfactor.cli.printing import printed
from gfactor.cli.values import PATH
from gfactor.studies.questionnaires.study.recruiting import SERVICES

GIVEN = (
    "bank", "folder", "title", "id", "pins", "base_pay", "pay_per_right", "currency", "time_limit",
    "adaptive", "calibration", "max_items", "se", "among",
    "language", "seed", "per_person", "blocks", "practice", "checks",
    "quota", "contact", "ids", "completion_code", "disclose", "service",
)  # fmt: skip
"""Settings that the command has; the others are written into study.toml."""

command = printed(
    __doc__,
    "study.new",
    {"folder": "-o FOLDER", "pins": "--pin ITEM:LABELS...", "among": "--among K",
     "blocks": "--blocks LABEL", "practice": "--practice ITEM..."},
    reads={"bank": PATH, "pins": list, "service": click.Choice(tuple(SERVICES))},
    helps={
        "pins": "Options that keep their place when the order is random (q7:D); \"found\" for all "
        "that are warned of.",
        "calibration": "With --adaptive: calibration of the bank, a file of gfactor calibrate.",
    },
    without=[one.name for one in declaration("study.new").parameters if one.name not in GIVEN],
)  # fmt: skip

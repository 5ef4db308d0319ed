"""gfactor norms: make norms: percentiles and T scores of people by group.

gfactor norms people/ --by age=18,30,45,60 --by gender --sample "volunteers" -o norms.json
gfactor norms people/ --calibration g.calibration.json -o abilities.norms.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of
from gfactor.cli.values import PATH

HEADING = "People"


@derived(
    __doc__,
    "norms",
    {
        "people": "PEOPLE...",
        "by": "--by COLUMN[=CUTS]",
        "labels": "--label LABEL",
        "domain_label": "--domain-label LABEL",
        "condition": "--condition KEY",
    },
    options=[
        click.option(
            "-o",
            "--output",
            type=PATH,
            default=Path("norms.json"),
            show_default=True,
            metavar="FILE",
            help="The file of norms to write; gfactor profile --norms and gfactor leaderboard "
            "--norms read it.",
        )
    ],
)
def command(output: Path, as_json: bool, **given: Any) -> None:
    from gfactor.psychometrics.norms import write_norms

    result = function_of("norms")(**given)
    write_norms(result, output)
    if as_json:
        put_json(result.to_dict())
        return
    say(result.summary())
    say(f"wrote {output}")

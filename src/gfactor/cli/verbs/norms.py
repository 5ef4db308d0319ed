"""gfactor norms: make norms: percentiles and T scores of people by group."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import (
    NAME,
    PATH,
    claim_option,
    condition_option,
    domain_label_option,
    level_option,
    seed_option,
)
from gfactor.cli.scoring import policy_option

HEADING = "People"

MIN_N = declared("gfactor.psychometrics.norms", "MIN_N")


@click.command("norms")
@click.argument("people", nargs=-1, required=True, type=NAME, metavar="PEOPLE...")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN[=CUTS]",
    help="A column of persons that makes groups; numbers with cuts: age=18,30,45,60. May be given "
    "several times.",
)
@click.option("--crossed", is_flag=True, help="Groups of all combinations of --by, too.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL",
    help="A scale for every value of this label of the items, too. May be given several times.",
)
@click.option(
    "--calibration",
    type=PATH,
    metavar="FILE",
    help="Norms of abilities on the scale of this file or folder of gfactor calibrate.",
)
@click.option(
    "--persons",
    type=PATH,
    metavar="FILE",
    help="More columns of persons: a table with a column participant_id.",
)
@click.option(
    "--sample",
    default="",
    metavar="TEXT",
    help="Who these people are, and how they were recruited.",
)
@click.option(
    "--min-n",
    type=click.IntRange(min=10),
    default=MIN_N,
    show_default=True,
    metavar="N",
    help="Persons below which a group has no norms.",
)
@level_option("Of intervals.")
@seed_option("Of the resamples behind intervals of linear T scores.")
@claim_option
@domain_label_option
@condition_option
@policy_option
@click.option(
    "-o",
    "--output",
    type=PATH,
    default=Path("norms.json"),
    show_default=True,
    metavar="FILE",
    help="The file to write.",
)
@json_option
def command(
    people: tuple[str, ...],
    by: tuple[str, ...],
    crossed: bool,
    labels: tuple[str, ...],
    calibration: Path | None,
    persons: Path | None,
    sample: str,
    min_n: int,
    level: float,
    seed: int,
    claim: str | None,
    domain_label: str,
    condition: str | None,
    policy: str,
    output: Path,
    as_json: bool,
) -> None:
    """Write norms of PEOPLE: folders of gfactor study export, or journals.

    A cell per scale and group, with n and standard error, percentiles and T scores (by area and
    linear) of every score with intervals. gfactor profile --norms and gfactor leaderboard --norms
    read the file. A convenience sample is no norm: the file says so, and so does what reads it.

    \b
    Example:
      gfactor norms people/ --by age=18,30,45,60 --by gender --sample "volunteers" -o norms.json
      gfactor norms people/ --calibration g.calibration.json -o abilities.norms.json

    Python: gfactor.norms("people/", by=["age=18,30,45,60", "gender"])
    """
    from gfactor.api.norming import norms
    from gfactor.psychometrics.norms import write_norms

    result = norms(
        people,
        by=by,
        crossed=crossed,
        labels=labels,
        calibration=calibration,
        persons=persons,
        sample=sample,
        min_n=min_n,
        level=level,
        seed=seed,
        claim=claim,
        domain_label=domain_label,
        condition=condition,
        policy=policy,
    )
    write_norms(result, output)
    if as_json:
        put_json(result.to_dict())
        return
    say(result.summary())
    say(f"wrote {output}")

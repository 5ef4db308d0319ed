"""gfactor calibrate: put items on a scale of item response theory that later journals share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import PATH, journal_argument
from gfactor.cli.scoring import scoring_options

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Statistics"

METHODS = declared("gfactor.psychometrics.irt.linking", "METHODS")
MODELS = declared("gfactor.psychometrics.irt", "MODELS")


@click.command("calibrate")
@journal_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    required=True,
    metavar="FILE",
    help="The file to write, by convention NAME.calibration.json; with --each a folder.",
)
@click.option(
    "--by",
    type=click.Choice(["item", "design"]),
    default="item",
    show_default=True,
    help="Each item by itself, or cells of the design, whose new items need no calibration.",
)
@click.option(
    "--model",
    default="rasch",
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(MODELS)}; by design rasch.",
)
@click.option(
    "--guess",
    metavar="N",
    help="Fixed lower asymptote, or 'format': what answering without looking earns.",
)
@click.option(
    "--cell",
    "cells",
    metavar="LABEL,...",
    help="Labels of the items that make a cell.  [default: family and radicals, or domain,size]",
)
@click.option(
    "--each",
    metavar="LABEL",
    help="A calibration for the items of each value of a label; of 'ability' the broad ones: Gf, "
    "Gv ...",
)
@click.option(
    "--design",
    metavar="FORMULA",
    help="What the mean difficulties of cells follow: '~ size + C(domain)'; without it each is "
    "free.",
)
@click.option(
    "--cluster",
    default="family",
    show_default=True,
    metavar="COLUMN",
    help="Column of examinees whose members are not independent; 'none' for independent ones.",
)
@click.option(
    "--examinee-table",
    type=PATH,
    metavar="FILE",
    help="What is known of the examinees: a row each, the name in the first column.",
)
@click.option(
    "--counting",
    type=click.Choice(["whole", "points", "lenient"]),
    default="whole",
    show_default=True,
    help="What is scored: items right as a whole, points (partial credit), whole items read "
    "leniently.",
)
@click.option(
    "--shrink",
    is_flag=True,
    help="By item: shrink items to their common mean, by a variance that the data show.",
)
@click.option(
    "--link",
    type=PATH,
    metavar="FILE",
    help="Bring the items to the scale of this earlier calibration, by those that both know.",
)
@click.option(
    "--link-method",
    type=click.Choice(METHODS),
    help="How.  [default: mean-mean for unit slopes, else stocking-lord]",
)
@click.option("--population", metavar="TEXT", help="Who was calibrated, in words.")
@click.option("--date", metavar="TEXT", help="Put into the file; by default it holds none.")
@click.option("--force", is_flag=True, help="Although examinees are too few for the model.")
@json_option
@scoring_options
def command(
    journal: str,
    output: Path,
    cells: str | None,
    each: str | None,
    cluster: str,
    as_json: bool,
    scoring: Scoring,
    **given: Any,
) -> int:
    """Calibrate the items in JOURNAL: put them on one scale, with the covariance of what was
    estimated, in a file.

    By design, a cell (domain and size) has a mean difficulty and a variance of clones, which is
    the price of not calibrating each new item. gfactor score --calibration FILE gives abilities
    on the scale. The same journal and options give the same bytes.

    \b
    Example:
      gfactor calibrate c.db -o bank.calibration.json --guess format
      gfactor calibrate c.db -o cells.calibration.json --by design --population "12 open models"
      gfactor calibrate c.db -o abilities/ --by design --each ability --guess format

    Python: gfactor.calibrate(journal, by="design"), gfactor.calibrate_each(journal, "ability")
    """
    from gfactor.api.calibrating import calibration_of, calibrations_of
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items.files import check_writable
    from gfactor.psychometrics.irt.calibration_files import (
        to_document,
        write_calibration,
        write_calibrations,
    )

    labels = tuple(name.strip() for name in (cells or "").split(",") if name.strip())
    how = {**given, "cells": labels, "cluster": None if cluster == "none" else cluster}
    if each:
        with opened_journal(journal) as opened:
            results = calibrations_of(opened, scoring, each, **how)
        write_calibrations(results, output)
    else:
        check_writable(output)
        with opened_journal(journal) as opened:
            results = {"": calibration_of(opened, scoring, **how)}
        write_calibration(results[""], output)
    if as_json:
        documents = {name: to_document(known) for name, known in results.items()}
        shown = {"calibrations": documents} if each else documents[""]
        put_json({"path": str(output), **shown})
        return scoring.code
    for name, known in results.items():
        path = output / f"{name}.json" if each else output
        say(known.summary())
        say(f"\n{path}: {len(known.entries)} entries, {len(known.labels)} uncertain parameters")
    if scoring.judged:
        say(scoring.judge_line())
    return scoring.code

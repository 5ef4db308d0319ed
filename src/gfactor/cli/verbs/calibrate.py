"""gfactor calibrate: put items on a scale of item response theory that later journals share.

gfactor calibrate c.db -o bank.calibration.json --guess format
gfactor calibrate c.db -o cells.calibration.json --by design --population "12 open models"
gfactor calibrate c.db -o abilities/ --by design --each ability --guess format
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.scoring import SCORED, scoring_options
from gfactor.cli.values import PATH

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Statistics"

OPTIONS = [
    click.option(
        "--each",
        metavar="LABEL",
        help="A calibration for the items of each value of a label; of 'ability' the broad ones: "
        "Gf, Gv ...",
    ),
    click.option(
        "-o",
        "--output",
        type=PATH,
        required=True,
        metavar="FILE",
        help="The file to write, by convention NAME.calibration.json; with --each a folder.",
    ),
]
ABOUT = """By design, a cell (domain and size) has a mean difficulty and a variance of clones, which
is the price of not calibrating each new item. gfactor score --calibration FILE gives abilities on
the scale. The same journal and options give the same bytes."""


@derived(
    __doc__,
    "calibrate",
    {
        "journal": "JOURNAL",
        "model": "--model NAME",
        "guess": "--guess N",
        "cells": "--cell LABEL,...",
        "design": "--design FORMULA",
        "cluster": "--cluster COLUMN",
    },
    reads={"guess": str},
    helps={
        "cluster": "The column of examinees whose members are not independent; none for "
        "independent ones."
    },
    without=SCORED,
    options=[*OPTIONS, scoring_options],
    twins=["calibrate_each"],
    about=ABOUT,
)
def command(
    journal: str,
    output: Path,
    each: str | None,
    cluster: str,
    as_json: bool,
    scoring: Scoring,
    **given: Any,
) -> int:
    from gfactor.api.calibrating import calibration_of, calibrations_of
    from gfactor.api.taking import opened as opened_journal
    from gfactor.items.files import check_writable
    from gfactor.psychometrics.irt.calibration_files import (
        to_document,
        write_calibration,
        write_calibrations,
    )

    how = {**given, "cluster": None if cluster == "none" else cluster}
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

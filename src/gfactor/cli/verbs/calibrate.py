"""gfactor calibrate: put items on a scale of item response theory that later journals share.

gfactor calibrate c.db -o bank.calibration.json --guess format
gfactor calibrate c.db -o cells.calibration.json --by design --population "12 open models"
gfactor calibrate c.db -o abilities/ --by design --each ability --guess format
gfactor calibrate --update real-vlm-2025 answers.csv --families families.csv -o mine
gfactor calibrate --update mine theirs -o ours
gfactor calibrate models.toml --plan -o campaign.toml --abilities Gf,Gwm --se 0.35
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say, typed_names
from gfactor.cli.deriving import derived, function_of, options_with
from gfactor.cli.groups import SCORED, scoring_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.scoring import Scoring

HEADING = "Statistics"

PLANNED = (
    "se", "abilities", "item_families", "family_icc", "occasions", "budget", "seed", "calibration",
)  # fmt: skip
OPTIONS = [
    options_with(
        "--update",
        "update_calibration",
        ("families", "laboratory"),
        {"families": "--families TABLE", "laboratory": "--laboratory NAME"},
    ),
    options_with(
        "--plan",
        "plan_calibration",
        PLANNED,
        {
            "abilities": "--abilities A,...",
            "item_families": "--item-families A,...",
            "family_icc": "--family-icc P",
            "calibration": "--calibration FOLDER",
        },
    ),
]
WITH_PLAN = {"journal", "output", "plan", "as_json", *PLANNED}
ABOUT = """By design, a cell (domain and size) has a mean difficulty and a variance of clones, which
is the price of not calibrating each new item. gfactor score --calibration FILE gives abilities on
the scale. The same journal and options give the same bytes. With --update, models are added to a
scale of real models, and items that became easier or harder are named. With --plan, nobody is asked
and nothing calibrated: the number of items is planned and the campaign written."""
WITH_UPDATE = {"journal", "output", "update", "families", "laboratory", "date", "as_json"}


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
        "output": "-o FILE",
        "each": "--each LABEL",
        "update": "--update CALIBRATION",
    },
    reads={"guess": str},
    helps={
        "cluster": "The column of examinees whose members are not independent; none for "
        "independent ones."
    },
    without=SCORED,
    options=[*OPTIONS, scoring_options],
    twins=["calibrate_each", "update_calibration", "plan_calibration"],
    about=ABOUT,
)
def command(
    journal: str, *, output: Path, families: Path | None, laboratory: str, cluster: str,
    each: str | None = None, update: str | None = None, plan: bool = False,
    as_json: bool, scoring: Scoring, **given: Any,
) -> int:  # fmt: skip
    """Calibrate a journal, add models to a scale, or plan a calibration.

    Parameters
    ----------
    output : path
        The file to write, by convention NAME.calibration.json; with --each or --update a folder.
    each : str, optional
        A calibration for the items of each value of a label; of 'ability' the broad ones: Gf, Gv
        ...
    update : str, optional
        Add models to this scale of real models (gfactor list calibrations, or a folder): JOURNAL
        holds their answers, or is the folder of another version to merge.
    plan : bool
        Ask nobody: write the campaign of a calibration of the precision --se. JOURNAL is then a
        file with the tables [[models]] and [servers.NAME] of a campaign.
    """
    planned = {name: given.pop(name) for name in PLANNED}
    if plan:
        return _planned(journal, output, planned, as_json)
    for name in typed_names():
        if name in PLANNED:
            raise ParameterError(f"--{name.replace('_', '-')} goes with --plan")
    if update is not None:
        return _updated(update, journal, output, families, laboratory, given["date"], as_json)
    if families is not None or laboratory:
        raise ParameterError("--families and --laboratory go with --update CALIBRATION")
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
        documents = {name: to_document(result) for name, result in results.items()}
        content = {"calibrations": documents} if each else documents[""]
        put_json({"path": str(output), **content})
        return scoring.code
    for name, result in results.items():
        path = output / f"{name}.json" if each else output
        say(result.summary())
        say(f"\n{path}: {len(result.entries)} entries, {len(result.labels)} uncertain parameters")
    if scoring.judged:
        say(scoring.judge_line())
    return scoring.code


def _updated(
    calibration: str, answers: str, output: Path, families: Path | None, laboratory: str,
    date: str | None, as_json: bool,
) -> int:  # fmt: skip
    _check_options("--update, which keeps the scale as it was calibrated", WITH_UPDATE)
    result = function_of("update_calibration")(
        calibration, answers, families=families, laboratory=laboratory, date=date or ""
    )
    folder = result.write(output)
    if as_json:
        put_json({"path": str(folder), **result.to_dict()})
    else:
        say(result.summary())
        say(f"\n{folder}: version {result.after[:12]}, made of {result.before[:12]}")
    return 0


def _planned(models: str, output: Path, given: dict[str, Any], as_json: bool) -> int:
    _check_options("--plan, which calibrates nothing", WITH_PLAN)
    result = function_of("plan_calibration")(models, output, **given)
    if as_json:
        put_json(result.to_dict())
    else:
        say(result.summary())
        say(f"\n{output}: next: gfactor campaign run {output}")
    return 0


def _check_options(reason: str, allowed: set[str]) -> None:
    """Refuse options that another way to calibrate does not read."""
    for name in typed_names():
        if name not in allowed:
            raise ParameterError(f"--{name.replace('_', '-')} does not go with {reason}")

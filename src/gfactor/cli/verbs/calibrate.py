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
from typing import Any

from gfactor.cli.common import put_json, refuse_typed, say
from gfactor.cli.deriving import derived
from gfactor.cli.printing import exit_code, function_of, put
from gfactor.cli.spelling import options_with
from gfactor.errors import ParameterError

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
    options=OPTIONS,
    twins=["calibrate_each", "update_calibration", "plan_calibration"],
    about=ABOUT,
)
def command(
    journal: str, *, output: Path, families: Path | None, laboratory: str, cluster: str,
    each: str | None = None, update: str | None = None, plan: bool = False,
    as_json: bool, **given: Any,
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
        refuse_typed("does not go with --plan, which calibrates nothing", beside=WITH_PLAN)
        result = function_of("plan_calibration")(journal, output, **planned)
        return put(result, as_json, last=f"\n{output}: next: gfactor campaign run {output}")
    refuse_typed("goes with --plan", among=PLANNED)
    if update is not None:
        refuse_typed(
            "does not go with --update, which keeps the scale as it was calibrated",
            beside=WITH_UPDATE,
        )
        result = function_of("update_calibration")(
            update, journal, families=families, laboratory=laboratory, date=given["date"] or ""
        )
        folder = result.write(output)
        versions = f"\n{folder}: version {result.after[:12]}, made of {result.before[:12]}"
        return put(result, as_json, facts={"path": str(folder)}, last=versions)
    if families is not None or laboratory:
        raise ParameterError("--families and --laboratory work only with --update CALIBRATION")
    from gfactor.items.files import check_writable
    from gfactor.psychometrics.irt import calibration_files as files

    how = {**given, "cluster": None if cluster == "none" else cluster}
    if each:
        results = function_of("calibrate_each")(journal, each, **how)
        files.write_calibrations(results, output)
    else:
        check_writable(output)
        results = {"": function_of("calibrate")(journal, **how)}
        files.write_calibration(results[""], output)
    if as_json:
        documents = {name: files.to_document(result) for name, result in results.items()}
        content = {"calibrations": documents} if each else documents[""]
        put_json({"path": str(output), **content})
        return exit_code(results)
    for name, result in results.items():
        path = output / f"{name}.json" if each else output
        entries = f"{len(result.entries)} entries, {len(result.labels)} uncertain parameters"
        say(f"{result.summary()}\n\n{path}: {entries}")
    return exit_code(results, judged=True)

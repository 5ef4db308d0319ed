"""gfactor calibrate: put items on a scale of item response theory that later journals share.

gfactor calibrate c.db -o bank.calibration.json --guess format
gfactor calibrate c.db -o cells.calibration.json --by design --population "12 open models"
gfactor calibrate c.db -o abilities/ --by design --each ability --guess format
gfactor calibrate north.db south.db -o both/ --by design --each ability
gfactor calibrate north/ south/ -o both/
gfactor calibrate --update real-vlm-2025 answers.csv --families families.csv -o mine
gfactor calibrate --update mine theirs -o ours
gfactor calibrate models.toml --plan -o campaign.toml --abilities Gf,Gwm --se 0.35

With --by design, each cell (such as a domain and a size) gets a mean difficulty and the variance
of its items around it, so that new items of the cell need no calibration. gfactor score
--calibration FILE then gives abilities on this scale. The same journal and options give the same
file, byte by byte. Journals of several laboratories are calibrated together; if only their
calibrations by design exist, these are linked by their common cells. With --update, models are
added to a scale of real models, and items that became easier or harder are named. With --plan,
nobody is asked and nothing is calibrated: the number of items is planned, and a campaign file is
written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import refuse_typed
from gfactor.cli.deriving import derived
from gfactor.cli.printing import called, put
from gfactor.cli.spelling import options_with
from gfactor.errors import ParameterError

HEADING = "Statistics"

PLANNED = (
    "se", "abilities", "item_families", "family_icc", "occasions", "budget", "seed", "calibration",
)  # fmt: skip
OPTIONS = [
    options_with(
        "With --update",
        "update_calibration",
        ("families", "laboratory"),
    ),
    options_with(
        "With --plan",
        "plan_calibration",
        PLANNED,
        {
            "item_families": "--item-families A,...",
        },
    ),
]


@derived(
    __doc__,
    "calibrate",
    {
        "journal": "JOURNAL...",
        "by": "--by",
        "model": "--model NAME",
        "cells": "--cell LABEL,...",
        "cluster": "--cluster COLUMN",
        "path": "-o FILE",
        "where": "--where LABEL=VALUE...",
        "each": "--each LABEL",
        "update": "--update CALIBRATION",
    },
    reads={"guess": str},
    helps={
        "journal": "Journal of gfactor run, or a table of right and wrong answers (a row per "
        "person, a column per item); or a journal of each laboratory. Or calibrations by design of "
        "several laboratories (files or folders), which are merged.",
        "cluster": "Column of examinees that names families of models. Models of a family are not "
        "taken as independent; 'none' takes all examinees as independent, as are the rows of a "
        "table of answers without such a column.",
        "path": "File to write, by convention NAME.calibration.json. With --each, --update or "
        "folders of calibrations, it is a folder.",
    },
    required=["path"],
    options=OPTIONS,
    twins=["calibrate_each", "merge_calibrations", "update_calibration", "plan_calibration"],
)
def command(
    journal: tuple[str, ...], path: Path, cluster: str, each: str | None = None,
    update: str | None = None, plan: bool = False, *, as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Calibrate a journal, add models to a scale, or plan a calibration.

    Parameters
    ----------
    each : str, optional
        Label of the items; each of its values gets a calibration of its own. 'ability' stands for
        the broad abilities: Gf, Gv ...
    update : str, optional
        Scale of real models to which models are added: its name (gfactor list calibrations has
        them) or folder. JOURNAL then holds the answers of the new models, or is the folder of
        another version of the scale to merge.
    plan : bool
        Plan a calibration instead: write a campaign file with which the precision of --se is
        reached. JOURNAL is then a file with the tables [[models]] and [servers.NAME] of a
        campaign.
    """
    given |= {"journal": journal, "path": path, "each": each,
              "cluster": None if cluster == "none" else cluster}  # fmt: skip
    if plan or update is not None:
        given["journal"] = _one(journal, "--plan" if plan else "--update")
    if plan:
        reason = "does not go with --plan, which calibrates nothing"
        planned = given | {"models": given["journal"]}
        return put(called("plan_calibration", planned, reason, beside=("journal", "plan")), as_json)
    refuse_typed("goes with --plan", among=PLANNED)
    if update is not None:
        reason = "does not go with --update, which keeps the scale as it was calibrated"
        updating = given | {"calibration": update, "answers": given["journal"]}
        result = called("update_calibration", updating, reason, beside=("journal", "update"))
        versions = f"\n{path}: version {result.after[:12]}, made of {result.before[:12]}"
        return put(result, as_json, facts={"path": str(path)}, last=versions)
    from gfactor.api.scales.written_calibrations import WrittenCalibrations
    from gfactor.psychometrics.irt.scales.calibration_files import is_calibration

    if all(is_calibration(one) for one in journal):
        reason = "does not go with calibrations, which are merged as they are"
        results = called(
            "merge_calibrations", given | {"calibrations": journal}, reason, beside=("journal",)
        )
    else:
        function = "calibrate_each" if each else "calibrate"
        done = called(function, given, "works only with --update CALIBRATION", beside=("each",))
        results = done if each else {"": done}
    return put(WrittenCalibrations(path, results), as_json, judged=True)


def _one(journals: tuple[str, ...], option: str) -> str:
    """The one argument that an option goes with."""
    first, *others = journals
    if others:
        raise ParameterError(f"{option} goes with one argument, got {len(journals)}")
    return first

"""Abilities of a journal's examinees on the scale of a calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.adaptive.calibrated import plain_label
from gfactor.api.inputs.scoring import Scoring
from gfactor.api.scales.irt_data import ItemResponses, item_responses
from gfactor.api.scales.languages_of_items import NONE_TO_TAKE
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration
from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores, score_responses


def abilities_of(
    journal: Journal, scoring: Scoring, calibration: Calibration | Path | str
) -> CalibratedScores:
    """Return abilities of a journal's examinees (under each condition) on a calibrated scale.

    Parameters
    ----------
    journal : Journal
        An open journal.
    scoring : Scoring
        Scoring rules and the choice of examinees, as in `gfactor score`.
    calibration : Calibration or path
        Calibration that `calibrate` returned, or its file.

    Returns
    -------
    CalibratedScores
        Its table has the columns `condition` and `examinee`, too.

    Raises
    ------
    ParameterError
        If the file is not a calibration, or it contains none of the items.
    """
    loaded = calibration if isinstance(calibration, Calibration) else read_calibration(calibration)
    how = loaded.about.get("scoring") or {}
    counting = how.get("counting", "whole")
    responses = item_responses(
        journal, scoring, counting=counting, groups="condition", bounds=True,
        one_language=NONE_TO_TAKE,
    )  # fmt: skip
    entries = entries_of(loaded, responses.items)
    abilities = score_responses(
        loaded,
        responses.scores,
        entries,
        constant=items_without_difficulty(loaded, responses.items),
    )
    who = pick(responses.respondents, ["condition", "examinee"])
    diagnostics = [
        *abilities.diagnostics,
        *responses.diagnostics,
        *_differences(how, scoring, responses),
    ]
    table = who.join(abilities.table).reset_index(drop=True)
    return replace(abilities, table=table, diagnostics=by_severity(diagnostics))


def entries_of(calibration: Calibration, items: pd.DataFrame) -> dict[str, str]:
    """Return the entry of every item that the calibration knows.

    `items` has their names in the index, `content_hash`, and their labels.
    """
    named = _named_by(calibration, items)
    return {item: name for item, name in named.items() if name in calibration.position}


def items_without_difficulty(calibration: Calibration, items: pd.DataFrame) -> list[str]:
    """Return the items that the calibration lists without a difficulty, by their own name or by
    their cell; `items` as in `entries_of`."""
    named = _named_by(calibration, items)
    return [item for item, name in named.items() if name not in calibration.position]


def _named_by(calibration: Calibration, items: pd.DataFrame) -> dict[str, str]:
    """The entry of every item, or what was left out in its place."""
    facts = [(e.name, e.facts) for e in calibration.entries]
    facts += [(str(one["name"]), one) for one in calibration.left_out]
    if calibration.by == "item":
        of_hash = {str(one.get("content_hash")): name for name, one in facts}
        return {
            str(name): of_hash[str(content)]
            for name, content in items["content_hash"].items()
            if str(content) in of_hash
        }
    named: dict[str, str] = {}
    for labels in sorted({tuple(one["labels"]) for _, one in facts}, key=len, reverse=True):
        if not set(labels) <= set(items.columns):
            continue
        by_labels = {
            cell_name(one["labels"]): name for name, one in facts if tuple(one["labels"]) == labels
        }
        chosen = pick(items, list(labels))
        for name, row in zip(items.index, chosen.to_dict("records"), strict=True):
            cell = cell_name(dict(row))
            if cell in by_labels:
                named.setdefault(str(name), by_labels[cell])
    return named


def _differences(
    how: Mapping[str, Any], scoring: Scoring, responses: ItemResponses
) -> list[Diagnostic]:
    """Return how scoring and conditions of these responses differ from the calibration's."""
    diagnostics = []
    conditions = set(map(str, responses.respondents["condition"])) - {str(how.get("condition"))}
    if how.get("condition") is not None and conditions:
        diagnostics.append(Diagnostic(
            "other_condition", "warning",
            f"Items were calibrated under the condition {how['condition']!r} and answered under "
            f"{', '.join(map(repr, sorted(conditions)))}.",
            "Read abilities as relative to that condition, or calibrate under this one.",
        ))  # fmt: skip
    for name, given in (("policy", scoring.policy), ("judge", scoring.judge_name or None)):
        if name in how and how[name] != given:
            diagnostics.append(Diagnostic(
                f"other_{name}", "warning",
                f"The calibration was scored by the {name} {how[name]!r}, these responses by "
                f"{given!r}.", f"Give the same --{name}.",
            ))  # fmt: skip
    return diagnostics


def cell_name(labels: Mapping[Any, Any]) -> str:
    """Return the name of a cell, made of its labels: "domain=maze,size=4"."""
    return ",".join(f"{name}={plain_label(value)}" for name, value in labels.items())

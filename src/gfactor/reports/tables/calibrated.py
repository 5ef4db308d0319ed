"""Abilities on the scale of a calibration, with accuracies beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.frames import pick
from gfactor.reports.answers.group_rates import ACCURACY, RATE_NOTE, own_rows, rate
from gfactor.reports.answers.results import PEOPLE, ROLES, Results
from gfactor.reports.table_registry import Table, table

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.scores.calibrated_scores import CalibratedScores

NOTES = (
    "Ability: posterior mean (EAP) in the calibrated population, in logits; brackets: 95 % "
    "intervals, which carry the error of the calibration and, by design, the variance of clones. "
    "That error is shared by all examinees, so that their differences are surer than their places. "
    "n: responses that count; left out: responses to items that the calibration does not know.",
    "People are one row: the mean of their abilities with a t interval over persons.",
)


@table("calibrated_abilities", section="summary", order=12)
def calibrated_abilities(results: Results) -> Table | None:
    """Tabulate ability and accuracy of every examinee, if a calibration is given."""
    calibrated = results.calibrated
    if calibrated is None:
        return None
    answers = results.answers
    positions: Any = calibrated.table.set_index(["condition", "examinee"])
    counted = own_rows(results)
    rows, people = [], []
    for label, inner in answers.groupby("label", sort=False):
        role, *key = (inner[name].iloc[0] for name in ("role", "condition", "examinee"))
        key = tuple(key)
        if key not in positions.index:
            continue
        if role == "person":
            people.append(key)
            continue
        position = positions.loc[key]
        ours = counted.loc[(counted["label"] == label).to_numpy(bool)]
        rows.append(_row(str(label), str(role), position.to_dict(), ours, results.level))
    if people:
        ours = counted.loc[(counted["role"] == "person").to_numpy(bool)]
        rows.append(_row(PEOPLE, "person", _pooled(positions.loc[people], results.level), ours,
                         results.level))  # fmt: skip
    frame = pd.DataFrame(rows)
    order = {role: k for k, role in enumerate(ROLES)}
    frame = frame.assign(_place=[order[role] for role in frame["role"]])
    frame = frame.sort_values(
        ["_place", "ability", "label"], ascending=[True, False, True], kind="stable"
    )
    frame = frame.drop(columns="_place").reset_index(drop=True)
    if not np.any(frame["left_out"].to_numpy()):
        frame = frame.drop(columns="left_out")
    return Table(
        f"Abilities: {calibrated.calibration.title}",
        frame,
        percent=("accuracy",),
        headings={"label": "examinee", "left_out": "left out"},
        notes=(*_notes(calibrated, bool(people)), RATE_NOTE),
    )


def _notes(calibrated: CalibratedScores, people: bool) -> tuple[str, ...]:
    diagnostics = tuple(
        f"{entry.severity.capitalize()}: {entry.sentence}"
        for entry in calibrated.diagnostics
        if entry.severity != "note"
    )
    return (*diagnostics, *(NOTES if people else NOTES[:1]))


def _row(
    label: str, role: str, row: dict[str, Any], ours: pd.DataFrame, level: float
) -> dict[str, Any]:
    estimate = rate(ours, ACCURACY, level)
    return {
        "label": label, "role": role, "n": int(row["n"]), "left_out": int(row["left_out"]),
        "ability": row["theta"], "ability_low": row["low"], "ability_high": row["high"],
        "accuracy": estimate["value"], "accuracy_low": estimate["low"],
        "accuracy_high": estimate["high"],
    }  # fmt: skip


def _pooled(positions: pd.DataFrame, level: float) -> dict[str, Any]:
    theta = pick(positions, ["theta"]).to_numpy(float)[:, 0]
    half = np.nan
    if len(theta) > 1:
        quantile = special.stdtrit(len(theta) - 1, 0.5 + level / 2)
        half = quantile * theta.std(ddof=1) / len(theta) ** 0.5
    return {
        "n": int(positions["n"].to_numpy().sum()),
        "left_out": int(positions["left_out"].to_numpy().sum()),
        "theta": theta.mean(), "low": theta.mean() - half, "high": theta.mean() + half,
    }  # fmt: skip

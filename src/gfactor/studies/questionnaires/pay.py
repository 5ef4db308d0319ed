"""What a participant has earned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.settings import Pay


def bonus(pay: Pay, answers: Iterable[Mapping[str, Any]]) -> float:
    """What the right answers are worth; practice and check questions earn nothing. Rulings are
    applied before."""
    earned = sum(row["earned"] for row in answers if row["kind"] == "item")
    worth = round(pay.per_right * earned, 2)
    return min(worth, max(0.0, round(pay.most - pay.base, 2))) if pay.most else worth


def total(pay: Pay, answers: Iterable[Mapping[str, Any]]) -> float:
    """Base and bonus of a completed study, in the study's currency."""
    return round(pay.base + bonus(pay, answers), 2)


def payments(pay: Pay, answers: pd.DataFrame, marked: pd.DataFrame) -> list[dict[str, Any]]:
    """What everybody is to be paid: a row per participant of `marked`.

    Parameters
    ----------
    pay: of the study.
    answers: that table, with the rulings applied.
    marked: what `labels.marks` returned.

    Returns
    -------
    `participant_id`, `finished`, `invalid`, `bonus`, `total` (0 for those who have not finished),
    `currency`.
    """
    rows = []
    for row in marked.to_dict("records"):
        of_person = answers.loc[answers["code"] == row["code"]].to_dict("records")
        rows.append(
            {
                "participant_id": row["code"],
                "finished": row["finished"],
                "invalid": row["invalid"],
                "bonus": f"{bonus(pay, of_person):.2f}",
                "total": f"{total(pay, of_person) if row['finished'] else 0:.2f}",
                "currency": pay.currency,
            }
        )
    return rows

"""Earnings of a participant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.study.settings import Pay


def bonus(pay: Pay, answers: Iterable[Mapping[str, Any]]) -> float:
    """Return the bonus for right answers, after rulings are applied; practice and check questions
    earn nothing.
    """
    earned = sum(row["earned"] for row in answers if row["kind"] == "item")
    worth = round(pay.per_right * earned, 2)
    return min(worth, max(0.0, round(pay.most - pay.base, 2))) if pay.most else worth


def total(pay: Pay, answers: Iterable[Mapping[str, Any]]) -> float:
    """Return base and bonus of a completed study, in the study's currency."""
    return round(pay.base + bonus(pay, answers), 2)


def payments(
    pay: Pay,
    answers: pd.DataFrame,
    marked: pd.DataFrame,
    excluded: Mapping[str, Sequence[str]],
) -> list[dict[str, Any]]:
    """Return the payments, a row per participant of `marked`.

    Parameters
    ----------
    pay: pay settings of the study.
    answers: that table, with the rulings applied.
    marked: result of `labels.marks`.
    excluded: reasons why somebody is not paid, by code; see `exclusion.exclusions`.

    Returns
    -------
    `participant_id`, `finished`, `invalid`, `excluded` (reasons with ";", "" for none), `bonus`,
    `total` (both 0 for those who have not finished or are excluded), `currency`.
    """
    rows = []
    for row in marked.to_dict("records"):
        of_person = answers.loc[answers["code"] == row["code"]].to_dict("records")
        why = excluded.get(str(row["code"]), ())
        paid = row["finished"] and not why
        rows.append(
            {
                "participant_id": row["code"],
                "finished": row["finished"],
                "invalid": row["invalid"],
                "excluded": ";".join(why),
                "bonus": f"{bonus(pay, of_person) if paid else 0:.2f}",
                "total": f"{total(pay, of_person) if paid else 0:.2f}",
                "currency": pay.currency,
            }
        )
    return rows

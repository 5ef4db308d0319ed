"""What a participant has earned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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

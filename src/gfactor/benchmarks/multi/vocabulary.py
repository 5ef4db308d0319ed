"""MULTI's vocabulary: types of questions, levels, and their names in the release (section 3)."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.items import AnswerType

TYPES: Mapping[str, str] = {
    "单选": "SA",
    "多选": "MA",
    "填空": "FB",
    "解答": "OP",
    "其他": "Others",
}
"""Type in the release -> in the paper: one right option, several, blanks, open, others (drawings
and the like, which the paper does not score)."""

ANSWER_TYPES: Mapping[str, AnswerType] = {
    "SA": "choice",
    "MA": "choices",
    "FB": "blanks",
    "OP": "open",
}

LEVELS: Mapping[str, str] = {"初中": "JuH", "高中": "SeH", "大学": "Uni", "社会": "Soc"}
"""Education in the release -> level in table 4."""

SOCIAL: Mapping[str, str] = {"驾考": "Driv", "行测": "AAT"}
"""Subjects that table 4 has as levels of their own."""

OTHER_LEVEL = "Other"


def level_of(education: str, subject: str) -> str:
    """Return the level of a problem, by which table 4 is broken down."""
    return SOCIAL.get(subject) or LEVELS.get(education, OTHER_LEVEL)

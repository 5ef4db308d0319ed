"""Quotas of groups: by language, condition, or an answer to a question about the participant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.page_definitions import PageQuestion

if TYPE_CHECKING:
    from gfactor.studies.questionnaires.study.definition import Study

CONDITION, LANGUAGE = "condition", "language"
_RANGE = re.compile(r"(?P<low>\d+(\.\d+)?)?-(?P<high>\d+(\.\d+)?)?")


@dataclass(frozen=True)
class ParticipantGroup:
    """Participants of one language, condition, or answer, and the number who may complete the
    study.

    Parameters
    ----------
    key: key as in study.toml: "ar", "condition:hint", "gender:woman", "age:18-29".
    variable: "language", "condition", or the name of a question's variable.
    value: value that they have; for numbers a range, either end of which may be open.
    quota: number of people who may complete; 0 for a group that is not wanted at all.
    """

    key: str
    variable: str
    value: str
    quota: int

    def has(self, given: Any) -> bool:
        """Return True if a stored answer belongs to the group."""
        return is_value(given, self.value)


def is_value(given: Any, value: str) -> bool:
    """Return True if a stored answer matches a value: that of an option, or a range of numbers."""
    if isinstance(given, list):
        return value in given
    span = _RANGE.fullmatch(value)
    if span is None or not isinstance(given, int | float):
        return str(given) == value
    low, high = span["low"], span["high"]
    return (not low or given >= float(low)) and (not high or given <= float(high))


def groups_of(study: Study) -> list[ParticipantGroup]:
    """Return the groups that a study has quotas for.

    Raises ParameterError if a group is impossible.
    """
    names = study.languages or (study.language,)
    groups = []
    for key, count in (study.quotas or {}).items():
        variable, colon, value = key.partition(":")
        if not colon:
            variable, value = LANGUAGE, key
        least = 1 if variable in (LANGUAGE, CONDITION) else 0
        if type(count) is not int or count < least:
            raise ParameterError(
                f"the quota of a study for {key!r} is {count!r}; give a whole number of {least} or "
                "more"
            )
        if variable == LANGUAGE and value not in names:
            raise ParameterError(
                f"quotas of a study name {key!r}; give a language of the study "
                f'({", ".join(names)}), "condition:NAME", or "QUESTION:VALUE"'
            )
        groups.append(ParticipantGroup(key, variable, value, count))
    _check_answers(study, [g for g in groups if g.variable not in (LANGUAGE, CONDITION)])
    for group in groups:
        if group.variable == CONDITION and group.value not in (study.conditions or ()):
            raise ParameterError(
                f"quotas of a study name {group.key!r}; its conditions are "
                f"{', '.join(study.conditions or ()) or 'none'}"
            )
    return groups


def _check_answers(study: Study, groups: Iterable[ParticipantGroup]) -> None:
    pages = study.pages or ()
    first_block = next((k for k, page in enumerate(pages) if page.kind == "block"), len(pages))
    for group in groups:
        matching = [(k, q) for k, page in enumerate(pages) for q in page.questions
                  if group.variable in q.variables]  # fmt: skip
        if not matching:
            raise ParameterError(
                f"quotas of a study name {group.key!r}, but no page asks {group.variable!r}"
            )
        page_number, question = matching[0]
        if page_number > first_block:
            raise ParameterError(
                f"quotas of a study name {group.key!r}, but {group.variable!r} is asked after a "
                "block; ask it before the first one, so that nobody works and is turned away"
            )
        if not can_be(question, group.value):
            raise ParameterError(
                f"quotas of a study name {group.key!r}, but no answer to {question.name!r} can be "
                f"{group.value!r}; give the value of an option, or, if the question asks for a "
                "number, a range such as 18-29"
            )


def can_be(question: PageQuestion, value: str) -> bool:
    """Return True if an answer to a question can be a value."""
    if question.kind in ("number", "slider"):
        span = _RANGE.fullmatch(value)
        if span is None:
            return value.replace(".", "", 1).isdigit()
        low, high = span["low"], span["high"]
        return bool(low or high) and float(low or "-inf") <= float(high or "inf")
    return question.kind == "text" or value in [option.value for option in question.options]


def outcome_of(study: Study, given: Mapping[str, Any], done: Mapping[str, int]) -> str:
    """Return the outcome that a person's answers to a page of questions imply.

    Parameters
    ----------
    given: the answers by variable.
    done: number of people of each group, by key, who have completed the study.

    Returns
    -------
    str
        "screened_out" if they are in a group that is not wanted, "quota_full" if they are in one
        that is full, else "".
    """
    theirs = [g for g in groups_of(study) if g.variable in given and g.has(given[g.variable])]
    if any(group.quota == 0 for group in theirs):
        return "screened_out"
    return "quota_full" if any(done.get(g.key, 0) >= g.quota for g in theirs) else ""

"""Quotas of a study, filled by those who have finished and those with a place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gfactor.studies.questionnaires.order.counterbalancing import condition_of
from gfactor.studies.questionnaires.storing.participants import Holder, Participant
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.groups import (
    CONDITION,
    LANGUAGE,
    ParticipantGroup,
    groups_of,
)


def is_limited(study: Study) -> bool:
    """Return True if a study has any quota."""
    return bool(study.quota or study.quotas)


def completed(study: Study, store: Store) -> dict[str, int]:
    """Return the number of completed participations of each group with a quota, by its key."""
    groups = groups_of(study)
    done = dict.fromkeys((group.key for group in groups), 0)
    kinds = {group.variable for group in groups}
    for group in groups:
        if group.variable == LANGUAGE:
            done[group.key] = store.completed(group.value)
    if CONDITION in kinds:
        _count_conditions(study, groups, store.completed_numbers(), done)
    if kinds - {LANGUAGE, CONDITION}:
        _count_answers(groups, store.completed_pages(), done)
    return done


def taken(study: Study, store: Store, besides: str = "") -> dict[str, int]:
    """Return the number of people of each group who have completed the study or have a place in it,
    by the group's key, and that of all people under "".

    Parameters
    ----------
    besides: the code of somebody who is not counted.
    """
    holders = [one for one in store.holders(study.place_s) if one.code != besides]
    groups, counts = groups_of(study), completed(study, store)
    counts[""] = store.completed() + len(holders)
    for group in groups:
        if group.variable == LANGUAGE:
            counts[group.key] += sum(one.language == group.value for one in holders)
    _count_conditions(study, groups, [one.number for one in holders], counts)
    if {group.variable for group in groups} - {LANGUAGE, CONDITION}:
        _count_answers(groups, store.page_answers([one.code for one in holders]), counts)
    return counts


def has_room(study: Study, store: Store, person: Participant | Holder) -> bool:
    """Return True if every group of a person has a free place."""
    counts = taken(study, store, besides=person.code)
    if study.quota and counts[""] >= study.quota:
        return False
    given: dict[str, Any] = {}
    for text in store.page_answers([person.code]):
        given |= json.loads(text or "{}")
    theirs = {LANGUAGE: person.language, CONDITION: condition_of(study, person.number), **given}
    return not any(
        counts[group.key] >= group.quota
        for group in groups_of(study)
        if group.variable in theirs and group.has(theirs[group.variable])
    )


def full_conditions(study: Study, store: Store) -> frozenset[str]:
    """Return the conditions to which nobody is allocated any more, because their quotas are
    full."""
    groups = [group for group in groups_of(study) if group.variable == CONDITION]
    counts = taken(study, store) if groups else {}
    return frozenset(group.value for group in groups if counts[group.key] >= group.quota)


def is_full(study: Study, store: Store) -> bool:
    """Return True if nobody may begin in the study's language any more."""
    if not is_limited(study):
        return False
    counts = taken(study, store)
    if study.quota and counts[""] >= study.quota:
        return True
    here = [g for g in groups_of(study) if g.variable == LANGUAGE and g.value == study.language]
    if any(counts[group.key] >= group.quota for group in here):
        return True
    return bool(study.conditions) and full_conditions(study, store) >= set(study.conditions)


def _count_conditions(
    study: Study, groups: Sequence[ParticipantGroup], numbers: Iterable[int], counts: dict[str, int]
) -> None:
    of_condition = Counter(condition_of(study, number) for number in numbers)
    for group in groups:
        if group.variable == CONDITION:
            counts[group.key] += of_condition[group.value]


def _count_answers(
    groups: Sequence[ParticipantGroup], texts: Iterable[str], counts: dict[str, int]
) -> None:
    for text in texts:
        given: Mapping[str, Any] = json.loads(text or "{}")
        for group in groups:
            counts[group.key] += group.variable in given and group.has(given[group.variable])

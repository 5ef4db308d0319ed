"""How far the quotas of a study are filled."""

from __future__ import annotations

import json
from collections import Counter

from gfactor.studies.questionnaires.counterbalancing import condition_of
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.groups import CONDITION, LANGUAGE, groups_of
from gfactor.studies.questionnaires.store import Store


def completed(study: Study, store: Store) -> dict[str, int]:
    """How many of each group with a quota have completed the study, by the group's key."""
    groups = groups_of(study)
    done = dict.fromkeys((group.key for group in groups), 0)
    kinds = {group.variable for group in groups}
    for group in groups:
        if group.variable == LANGUAGE:
            done[group.key] = store.completed(group.value)
    if CONDITION in kinds:
        of_condition = Counter(condition_of(study, k) for k in store.completed_numbers())
        done |= {g.key: of_condition[g.value] for g in groups if g.variable == CONDITION}
    if kinds - {LANGUAGE, CONDITION}:
        for text in store.completed_pages():
            given = json.loads(text)
            for group in groups:
                done[group.key] += group.variable in given and group.has(given[group.variable])
    return done


def full_conditions(study: Study, store: Store) -> frozenset[str]:
    """Conditions that nobody is allocated to any more."""
    groups = [group for group in groups_of(study) if group.variable == CONDITION]
    done = completed(study, store) if groups else {}
    return frozenset(group.value for group in groups if done[group.key] >= group.quota)


def is_full(study: Study, store: Store) -> bool:
    """Whether nobody may begin in the study's language any more."""
    if study.quota and store.completed() >= study.quota:
        return True
    here = [g for g in groups_of(study) if g.variable == LANGUAGE and g.value == study.language]
    if any(store.completed(group.value) >= group.quota for group in here):
        return True
    return bool(study.conditions) and full_conditions(study, store) >= set(study.conditions)

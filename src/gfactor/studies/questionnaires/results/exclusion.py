"""Participants whom the study's rule does not pay, and messages to them with the reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from gfactor.studies.questionnaires.results.labels import marks_of
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.translations import words

MARK_OF: Mapping[str, str] = {
    "attention": "invalid",
    "speeding": "speeding",
    "straightlining": "straight_lining",
}
"""By reason of exclusion, the mark that a submission then has."""


SHORTEST_MESSAGE = 100
"""Characters below which Prolific refuses the message of a rejection."""


def exclusions(
    study: Study, marked: pd.DataFrame, paid_on_appeal: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the reasons why finished submissions are not paid, by code; others are paid.

    Parameters
    ----------
    study: its `payment` says which marks exclude.
    marked: result of `labels.marks`.
    paid_on_appeal: codes of people who are paid in spite of the rule.
    """
    reasons_by_code: dict[str, tuple[str, ...]] = {}
    for row in marked.to_dict("records"):
        reasons = tuple(name for name in study.excludes if row[MARK_OF[name]])
        if row["finished"] and reasons and row["code"] not in paid_on_appeal:
            reasons_by_code[str(row["code"])] = reasons
    return reasons_by_code


def rule_in_words(study: Study) -> str:
    """Return the study's rule of payment in words."""
    rules = study.rules
    figures = {
        "attention": f"attention (more than {rules.checks_wrong} check questions wrong)",
        "speeding": f"speeding (more than {rules.rapid_share:.0%} of answers faster than "
        f"{rules.rapid_s:g} s)",
        "straightlining": f"straightlining ({rules.same_option} choices in a row at one place)",
    }
    names = [figures[name] for name in study.excludes]
    return f"not paid: {'; '.join(names)}" if names else "everybody who finishes is paid"


def exclusion_of(
    store: Store,
    study: Study,
    code: str,
    answers: Sequence[Mapping[str, Any]] | None = None,
    *,
    appeals: bool = True,
) -> tuple[str, ...]:
    """Return the reasons why one participant's finished submission is not paid; empty if it is
    paid, with `appeals` also on appeal.

    Parameters
    ----------
    store: store of the study.
    study: its `payment` says which marks exclude.
    code: pseudonym of the participant.
    answers: rows of `Store.judged`; they are read if they are not given.
    appeals: True if an appeal that was upheld counts.
    """
    answers = store.judged(code) if answers is None else answers
    if not answers or not store.is_finished(code):
        return ()
    marked = marks_of(answers, study.rules)
    reasons = tuple(name for name in study.excludes if MARK_OF[name] in marked)
    return () if reasons and appeals and store.is_paid_on_appeal(code) else reasons


def message_to(row: Mapping[Any, Any], reasons: Sequence[str], study: Study, language: str) -> str:
    """Return a message to a person who is not paid, with the figures, the rule that was set in
    advance, and a way to object. If it is shorter than `SHORTEST_MESSAGE`, the English version
    follows.

    Parameters
    ----------
    row: row of `labels.marks`.
    reasons: reasons why they are not paid.
    language: theirs, of the interface.
    """
    say, rules = words(language), study.rules
    figures: Mapping[str, Mapping[str, object]] = {
        "attention": {
            "wrong": row["checks_wrong"], "count": row["checks"], "most": rules.checks_wrong,
        },
        "speeding": {
            "share": f"{100 * row['rapid_share']:.0f}", "seconds": f"{rules.rapid_s:g}",
            "most": f"{100 * rules.rapid_share:g}",
        },
        "straightlining": {"count": row["longest_run"], "most": rules.same_option},
    }  # fmt: skip
    why = (say(f"excluded_{name}", **figures[name]) for name in reasons)
    contact = study.contact.strip()
    objection = say("excluded_appeal", contact=contact) if contact else say("excluded_reply")
    text = " ".join([say("excluded"), *why, objection])
    if len(text) >= SHORTEST_MESSAGE or language == "en":
        return text
    return f"{text} {message_to(row, reasons, study, 'en')}"

"""Replies behind a profile: those that hold no answer, or decline, measure no ability."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import pandas as pd

from gfactor.administration import Journal
from gfactor.api.scores.answer_warnings import mostly_unread, unread_replies
from gfactor.frames import pick
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.reports.answers.results import ability_title
from gfactor.scoring import scored
from gfactor.scoring.unread import SIMULATED

CONSEQUENCE = "Such replies count as wrong, and an ability is no claim where half or more are such."


def counts_leniently(calibrations: Iterable[Calibration]) -> bool:
    """Return True if the answers behind a calibration were read leniently."""
    return any(
        (calibration.about.get("scoring") or {}).get("counting") == "lenient"
        for calibration in calibrations
    )


def replies_of(
    journal: Journal, examinee: str, condition: str, calibrations: Mapping[str, Calibration]
) -> pd.DataFrame:
    """Return the scored replies of an examinee under a condition. If the calibrations rest on
    lenient reading, no reply counts as a format error.
    """
    table = scored(journal, examinee=examinee)
    replies = pick(table, (table["condition"] == condition).to_numpy(bool))
    if counts_leniently(calibrations.values()):
        return replies.assign(format_error=False)
    return replies


def unread_groups(examinee: str, answers: pd.DataFrame, column: str) -> list[str]:
    """Return the abilities or families in which half or more of the replies hold no readable
    answer, or decline to give one.

    Simulated examinees have none: observers that see little do not answer, as they should.
    """
    if examinee.startswith(SIMULATED):
        return []
    groups = answers.groupby(column, sort=True)["status"]
    return [str(name) for name, read in groups if mostly_unread(read.tolist(), refusals=True)]


def unread_answers(
    examinee: str, answers: pd.DataFrame, replies: pd.DataFrame, journal: Journal
) -> list[Diagnostic]:
    """Return the warning that abilities may measure the format of replies, or a refusal to answer,
    because half or more hold no answer.

    Parameters
    ----------
    examinee : str
        Examinee of the profile.
    answers : DataFrame
        Scored answers of the profile.
    replies : DataFrame
        Its scored responses in the journal (`replies_of`).
    journal : Journal
        Journal of the profile, for the formats of its items.
    """
    abilities = unread_groups(examinee, answers, "ability")
    if not abilities:
        return []
    items = journal.items()

    def of(rows: pd.DataFrame, which: str = "") -> list[Diagnostic]:
        those = pick(replies, replies["item_hash"].isin(rows["item_hash"]).to_numpy(bool))
        return list(unread_replies(those, items, which, journal=journal, refusals=True))

    whole = of(answers)
    parts = [] if whole else [
        one for ability in abilities
        for one in of(answers.loc[(answers["ability"] == ability).to_numpy()],
                      f" to questions of {ability_title(ability)}")
    ]  # fmt: skip
    return [
        replace(one, severity="error", sentence=f"{one.sentence} {CONSEQUENCE}")
        for one in (*whole, *parts)
    ]


def unread_of_each(
    journal: Journal, hashes: Mapping[str, Collection[str]], condition: str,
    calibrations: Mapping[str, Calibration],
) -> list[Diagnostic]:  # fmt: skip
    """Return, for each examinee, the warning that ranks may reflect the format of replies, or a
    refusal to answer.

    Parameters
    ----------
    journal : Journal
        Journal of the answers.
    hashes : mapping
        Hashes of the items that each examinee was asked.
    condition : str
        Condition of the answers.
    calibrations : mapping
        Calibrations by ability.
    """
    diagnostics: list[Diagnostic] = []
    for examinee, asked_items in hashes.items():
        if not examinee.startswith(SIMULATED):
            replies = replies_of(journal, examinee, condition, calibrations)
            those = pick(replies, [one in asked_items for one in replies["item_hash"]])
            diagnostics += unread_replies(those, journal.items(), journal=journal, refusals=True)
    return [
        replace(one, severity="error", sentence=f"{one.sentence} Such replies count as wrong.")
        for one in diagnostics
    ]

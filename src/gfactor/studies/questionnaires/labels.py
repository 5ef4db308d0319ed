"""Marks on submissions: check questions, speeding, straight-lining, absence. Nothing is deleted."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.studies.questionnaires.definition import Rules

MARKS = ("invalid", "speeding", "straight_lining", "distracted", "incomplete")


def marks(answers: pd.DataFrame, participants: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """One row per participant: counts, and a column of booleans per mark.

    Parameters
    ----------
    answers, participants: the tables of those names of a study's store.
    rules: of the study, declared before the data.

    Returns
    -------
    Columns: `code`, `finished`, `items` (answers that count), `checks`, `checks_wrong`,
    `rapid_share`, `median_seconds`, `longest_run`, `away_seconds`, then those of `MARKS`:
    `invalid` (more than `rules.checks_wrong` check questions wrong), `speeding` (the share of
    answers faster than `rules.rapid_s` is above `rules.rapid_share`), `straight_lining` (a run of
    `rules.same_option` choices at the same place), `distracted` (away longer than `rules.away_s`),
    `incomplete`.
    """
    rows = []
    of = answers.groupby("code").groups
    for code, ended in zip(participants["code"], participants["finished"], strict=True):
        own = answers.loc[of[code]] if code in of else answers.iloc[:0]
        checks, items = own.loc[own["kind"] == "check"], own.loc[own["kind"] == "item"]
        seconds = np.where(items["seconds"].isna(), items["server_seconds"], items["seconds"])
        seconds = seconds.astype(float)
        rapid = float(np.mean(seconds < rules.rapid_s)) if len(items) else 0.0
        wrong = int(np.count_nonzero(~checks["right"].to_numpy(bool)))
        run, away = _longest_run(items), float(np.sum(own["away_seconds"].to_numpy(float)))
        rows.append(
            {
                "code": code,
                "finished": isinstance(ended, str),
                "items": len(items),
                "checks": len(checks),
                "checks_wrong": wrong,
                "rapid_share": rapid,
                "median_seconds": float(np.nanmedian(seconds)) if len(items) else float("nan"),
                "longest_run": run,
                "away_seconds": away,
                "invalid": wrong > rules.checks_wrong,
                "speeding": rapid > rules.rapid_share,
                "straight_lining": rules.same_option > 0 and run >= rules.same_option,
                "distracted": away > rules.away_s,
                "incomplete": not isinstance(ended, str),
            }
        )
    return pd.DataFrame(rows, columns=[*_FACTS, *MARKS])


_FACTS = (
    *("code", "finished", "items", "checks", "checks_wrong", "rapid_share"),
    *("median_seconds", "longest_run", "away_seconds"),
)


def _longest_run(items: pd.DataFrame) -> int:
    """The most choice answers in a row that lie at the same place of the page."""
    places = items.sort_values("position")["place"].to_numpy(float)
    places = places[~np.isnan(places)]
    if not len(places):
        return 0
    ends = np.flatnonzero(np.append(np.diff(places) != 0, True))
    return int(np.max(np.diff(ends, prepend=-1)))

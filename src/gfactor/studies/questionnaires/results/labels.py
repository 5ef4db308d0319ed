"""Marks on submissions: check questions, speeding, straight-lining, absence. Nothing is deleted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.studies.questionnaires.study.settings import Rules

MARKS = ("invalid", "speeding", "straight_lining", "distracted", "incomplete")


def marks(answers: pd.DataFrame, participants: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return one row per participant: counts, and a column of booleans per mark.

    Parameters
    ----------
    answers, participants: the tables of those names of a study's store.
    rules: rules of the study, declared before the data.

    Returns
    -------
    Columns: `code`, `finished`, `items` (answers that count), `checks`, `checks_wrong`,
    `rapid_share`, `median_seconds` (see `answer_seconds`), `longest_run`, `away_seconds`, then
    those of `MARKS`: `invalid` (more than `rules.checks_wrong` check questions wrong), `speeding`
    (the share of answers faster than `rules.rapid_s` is above `rules.rapid_share`),
    `straight_lining` (a run of `rules.same_option` choices at the same place), `distracted` (away
    longer than `rules.away_s`), `incomplete`.
    """
    codes = pd.Index(participants["code"].tolist())
    finished = np.array([isinstance(ended, str) for ended in participants["finished"]], bool)
    checks = answers.loc[answers["kind"] == "check"]
    items = answers.loc[answers["kind"] == "item"].sort_values(["code", "position"])
    seconds = answer_seconds(items)
    away = pd.Series(answers["away_seconds"].to_numpy(float))
    wrong = ~checks["right"].to_numpy(bool)

    def per_person(values: pd.Series, code: Any, how: str) -> NDArray[np.float64]:
        per_code = values.groupby(np.asarray(code)).agg(how).reindex(codes)
        return per_code.to_numpy(float)

    def counted(values: pd.Series, code: Any, how: str = "sum") -> NDArray[np.float64]:
        return np.nan_to_num(per_person(values, code, how))

    table = pd.DataFrame(
        {
            "code": codes,
            "finished": finished,
            "items": counted(items["position"], items["code"], "size").astype(int),
            "checks": counted(checks["position"], checks["code"], "size").astype(int),
            "checks_wrong": counted(pd.Series(wrong), checks["code"]).astype(int),
            "rapid_share": counted(seconds < rules.rapid_s, items["code"], "mean"),
            "median_seconds": per_person(seconds, items["code"], "median"),
            "longest_run": counted(_runs(items), items["code"], "max").astype(int),
            "away_seconds": counted(away, answers["code"]),
        }
    )
    run = table["longest_run"].to_numpy()
    return table.assign(
        invalid=table["checks_wrong"] > rules.checks_wrong,
        speeding=table["rapid_share"] > rules.rapid_share,
        straight_lining=(run >= rules.same_option) & (rules.same_option > 0),
        distracted=table["away_seconds"] > rules.away_s,
        incomplete=~finished,
    )


def marks_of(answers: Sequence[Mapping[str, Any]], rules: Rules) -> frozenset[str]:
    """Return the marks of one participant that can exclude from payment, those of `marks`, computed
    without a table.

    Parameters
    ----------
    answers: rows of the table of answers, by position.
    rules: rules of the study.
    """
    items = [row for row in answers if row["kind"] == "item"]
    rapid = sum([_answer_seconds(row) < rules.rapid_s for row in items])
    chosen = [row["place"] for row in items if row["place"] is not None]
    longest = max((len([*run]) for _, run in groupby(chosen)), default=0)
    marked = {
        "invalid": fails_checks(answers, rules),
        "speeding": bool(items) and rapid / len(items) > rules.rapid_share,
        "straight_lining": 0 < rules.same_option <= longest,
    }
    return frozenset(name for name, is_marked in marked.items() if is_marked)


def fails_checks(answers: Iterable[Mapping[str, Any]], rules: Rules) -> bool:
    """Return True if the answers of one participant make their submission invalid."""
    wrong = sum([row["kind"] == "check" and not row["right"] for row in answers])
    return wrong > rules.checks_wrong


def reasons(row: Mapping[Any, Any], rules: Rules) -> dict[str, str]:
    """Return the reasons for a submission's marks: its value, and the rule that it breaks.

    Parameters
    ----------
    row: row of `marks`.
    rules: rules by which the marks were made.
    """
    texts = {
        "invalid": f"{row['checks_wrong']} of {row['checks']} check questions wrong "
        f"(more than {rules.checks_wrong})",
        "speeding": f"{row['rapid_share']:.0%} of answers faster than {rules.rapid_s:g} s "
        f"(more than {rules.rapid_share:.0%})",
        "straight_lining": f"{row['longest_run']} choices in a row at the same place "
        f"({rules.same_option} or more)",
        "distracted": f"{row['away_seconds']:.0f} s away from the page (more than "
        f"{rules.away_s:g} s)",
        "incomplete": f"{row['items']} items answered, not finished",
    }
    return {mark: texts[mark] for mark in MARKS if row[mark]}


def answer_seconds(answers: pd.DataFrame) -> pd.Series:
    """Return the seconds of each answer by the browser's clock, from showing to sending, but never
    more than on the server's clock, because a browser can report anything.
    """
    browser = answers["seconds"].to_numpy(float)
    server = answers["server_seconds"].to_numpy(float)
    return pd.Series(np.fmin(browser, server), index=answers.index)


def _answer_seconds(row: Mapping[str, Any]) -> float:
    """Return the seconds of one answer, see `answer_seconds`; infinite if no clock has any."""
    browser, server = row["seconds"], row["server_seconds"]
    if browser is None or server is None:
        measured = server if browser is None else browser
        return math.inf if measured is None else measured
    return min(browser, server)


def _runs(items: pd.DataFrame) -> pd.Series:
    """Return, for each answer in the order of people and positions, the number of answers in a row
    up to it at the same position of the page; 0 for answers that are not choices, which do not
    interrupt a row."""
    chosen = items.loc[items["place"].notna().to_numpy()]
    code, position = chosen["code"].to_numpy(), chosen["place"].to_numpy(float)
    starts = np.ones(len(chosen), bool)
    starts[1:] = (code[1:] != code[:-1]) | (position[1:] != position[:-1])
    last_start = np.maximum.accumulate(np.where(starts, np.arange(len(chosen)), 0))
    runs = pd.Series(0, index=items.index)
    runs.loc[chosen.index] = np.arange(len(chosen)) - last_start + 1
    return runs

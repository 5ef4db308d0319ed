"""One row per examinee: items, and how many are right; who found the answers in its replies."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.reports.frames import column
from gfactor.reports.rates import (
    ACCURACY,
    CHANCE_NOTE,
    FORMAT_ERRORS,
    LENIENT,
    PEOPLE_NOTE,
    RATE_NOTE,
    over_domains,
    rate,
    rows_of,
)
from gfactor.reports.results import ROLES, Results, pooled_labels
from gfactor.reports.table import Table, table
from gfactor.scoring import shares
from gfactor.scoring.policies import policy_for

NOTES = (
    "Accuracy is by the benchmark's own rule (strict reading: an answer outside the output format "
    "is wrong), lenient beside it.",
    "Over domains: the same mean with a cluster-robust t interval over domains (Cameron and "
    "Miller 2015): what would be expected of other domains of this kind. Where all domains agree, "
    "Wilson's with domains for trials.",
    "Answers: responses that count. Missing: attempts that failed (transport, timeout) or were "
    "left out; they are in neither n nor answers.",
    "Format errors: replies that do not conform to the output format, or hold no answer, where the "
    "benchmark's policy counts that as an error.",
)
READ_NOTE = (
    "Shares of all responses. Rule: the rules found the answer. Judge: a judge model did, where "
    "the rules had not. Random draw: neither did, and the policy took an option drawn at random "
    "for the answer (M3GIA, appendix F); such answers say nothing about the examinee. No answer: "
    "none was found, and the response counts as wrong. Missing: left out."
)


@table("summary", section="summary", order=10)
def summary(results: Results) -> Table:
    """Accuracy of every examinee, with two intervals, and its format errors."""
    answers = _with_people(results)
    counted = rows_of(answers)
    counting = [policy_for(name, results.policy) for name in results.benchmarks or [""]]
    errors = "error" in counting
    rows = [
        _row(results, str(label), group, counted.loc[(counted["label"] == label).to_numpy(bool)])
        for label, group in answers.groupby("label")
    ]
    frame = _in_order(pd.DataFrame(rows))
    frame = frame if errors else frame.drop(columns=[n for n in frame if "format_errors" in n])
    percent = ("accuracy", "lenient", "over_domains", "format_errors", "chance")
    return Table(
        "Every examinee",
        frame,
        percent=tuple(name for name in percent if name in frame),
        headings={"label": "examinee", "over_domains": "over domains", "examinee": "specification",
                  "format_errors": "format errors"},
        notes=(
            NOTES[0],
            RATE_NOTE,
            *(NOTES[1:2] if "over_domains" in frame else ()),
            *((PEOPLE_NOTE,) if results.labels("person") else ()),
            CHANCE_NOTE,
            NOTES[2],
            *(NOTES[3:] if errors else ()),
        ),
    )  # fmt: skip


@table("reading", section="summary", order=11, needs=("stage",))
def reading(results: Results) -> Table:
    """Who found the answers of every examinee: rules, a judge, a random draw, nobody."""
    answers = _with_people(results)
    rows = [
        {
            "label": str(label),
            "role": group["role"].iloc[0],
            "responses": len(group),
            **shares(group),
        }
        for label, group in answers.groupby("label")
    ]
    frame = _in_order(pd.DataFrame(rows).assign(accuracy=0.0)).drop(columns="accuracy")
    judge = f" Judge: {results.judge}." if results.judge else " No judge was asked."
    return Table(
        "How the answers were read",
        frame,
        percent=("rule", "judge", "draw", "none", "missing"),
        headings={"label": "examinee", "draw": "random draw", "none": "no answer"},
        notes=(f"{READ_NOTE}{judge} Policy: {results.policy}.",),
    )


def _with_people(results: Results) -> pd.DataFrame:
    """The answers, with one label for all persons."""
    answers = results.answers
    person = column(answers, "role") == "person"
    return answers.assign(label=column(answers, "label").mask(person, pooled_labels(answers)))


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by role, then the most accurate first."""
    order = {role: position for position, role in enumerate(ROLES)}
    frame = frame.assign(_position=[order[role] for role in frame["role"]]).sort_values(
        ["_position", "accuracy", "label"], ascending=[True, False, True], kind="stable"
    )
    return frame.drop(columns="_position").reset_index(drop=True)


def _row(
    results: Results, label: str, answers: pd.DataFrame, counted: pd.DataFrame
) -> dict[str, Any]:
    row: dict[str, Any] = {"label": label, "role": answers["role"].iloc[0], "n": len(counted)}
    for name, measure in (
        ("accuracy", ACCURACY),
        ("lenient", LENIENT),
        ("format_errors", FORMAT_ERRORS),
    ):
        told = rate(counted, measure, results.level)
        row |= {name: told["value"], f"{name}_low": told["low"], f"{name}_high": told["high"]}
        if name == "accuracy":
            row["chance"] = told["chance"]
        if name == "accuracy" and "domain" in counted:
            over = over_domains(counted, ACCURACY, results.level)
            row |= {
                "over_domains": told["value"],
                "over_domains_low": over["low"] if len(counted) else float("nan"),
                "over_domains_high": over["high"] if len(counted) else float("nan"),
            }
    persons = answers["examinee"].nunique()
    who = answers["examinee"].iloc[0] if row["role"] != "person" else f"{persons} persons"
    missing = answers["missing"].astype(bool).sum()
    return row | {"answers": len(answers) - missing, "missing": missing, "examinee": who}

"""One row per examinee: how many answers, how many right, how many in the wrong format."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics import cluster_t, wilson
from gfactor.reports.accuracy import pooled_labels
from gfactor.reports.frames import column
from gfactor.reports.results import ROLES, Results
from gfactor.reports.table import Table, table
from gfactor.scoring.frames import pick

NOTES = (
    "Accuracy is by the benchmark's own rule (strict reading: an answer outside the output format "
    "is wrong), lenient beside it. Brackets: 95 % Wilson intervals (1927), as if all answers were "
    "independent.",
    "Over domains: the same mean with a cluster-robust t interval over domains (Cameron and "
    "Miller 2015), cut at 0 and 100: what would be expected of other domains of this kind. It has "
    "no width where all domains agree.",
    "People are one row; each end of their interval is the outer one of Wilson's and of a t "
    "interval over persons.",
    "Missing: attempts that failed (transport, timeout); they are not in n.",
)


@table("summary", section="summary", place=10)
def summary(results: Results) -> Table:
    """Accuracy of every examinee, with two intervals, and its format errors."""
    order = {role: place for place, role in enumerate(ROLES)}
    answers = results.answers
    answers = answers.assign(
        label=column(answers, "label").mask(
            column(answers, "role") == "person", pooled_labels(answers)
        )
    )
    rows = [_row(results, str(label), own) for label, own in answers.groupby("label")]
    frame = pd.DataFrame(rows)
    frame = frame.assign(_place=[order[role] for role in frame["role"]]).sort_values(
        ["_place", "accuracy", "label"], ascending=[True, False, True], kind="stable"
    )
    percent = ("accuracy", "lenient", "over_domains", "format_errors")
    return Table(
        "Every examinee",
        frame.drop(columns="_place").reset_index(drop=True),
        percent=tuple(name for name in percent if name in frame),
        headings={"label": "examinee", "over_domains": "over domains", "examinee": "specification"},
        notes=(
            NOTES[0],
            *(NOTES[1:2] if "over_domains" in frame else ()),
            *(NOTES[2:3] if results.labels("person") else ()),
            NOTES[3],
        ),
    )


def _row(results: Results, label: str, own: pd.DataFrame) -> dict[str, Any]:
    counted = pick(own, ~own["missing"].astype(bool))
    n = len(counted)
    row: dict[str, Any] = {"label": label, "role": own["role"].iloc[0], "n": n}
    for name, held in (
        ("accuracy", "correct"),
        ("lenient", "correct_lenient"),
        ("format_errors", "format_error"),
    ):
        row |= _proportion(name, float(np.sum(counted[held].to_numpy(float))), n, results.level)
        if name == "accuracy" and "domain" in own:
            over = cluster_t(counted["correct"].to_numpy(float), counted["domain"].to_numpy())
            low, high = np.clip([over.low, over.high], 0, 1)
            row |= {"over_domains": over.mean, "over_domains_low": low, "over_domains_high": high}
    if row["role"] == "person":
        row |= _over_persons(counted, results.level)
    persons = own["examinee"].nunique()
    who = own["examinee"].iloc[0] if row["role"] != "person" else f"{persons} persons"
    return row | {"missing": len(own) - n, "examinee": who}


def _over_persons(counted: pd.DataFrame, level: float) -> dict[str, float]:
    """Each end the outer one of Wilson's over the answers and of a t interval over persons."""
    ends: dict[str, float] = {}
    for name, held in (("accuracy", "correct"), ("lenient", "correct_lenient")):
        right = counted[held].to_numpy(float)
        told = _proportion(name, float(right.sum()), len(right), level)
        over = cluster_t(right, counted["examinee"].to_numpy(), level)
        low, high = np.clip([over.low, over.high], 0, 1)
        ends |= {
            f"{name}_low": float(np.fmin(told[f"{name}_low"], low)),
            f"{name}_high": float(np.fmax(told[f"{name}_high"], high)),
        }
    return ends


def _proportion(name: str, right: float, n: int, level: float) -> dict[str, float]:
    low, high = wilson(right, n, level)
    value = right / n if n else float("nan")
    return {name: value, f"{name}_low": float(low), f"{name}_high": float(high)}

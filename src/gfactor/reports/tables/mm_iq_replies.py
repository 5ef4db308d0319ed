"""MM-IQ, section 4.3: length of replies, and accuracy with and without an explanation."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from gfactor.frames import column, pick
from gfactor.psychometrics import cluster_t
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    CHANCE_NOTE,
    RATE_NOTE,
    expected,
    item_rows,
    rate,
)
from gfactor.reports.answers.papers import HERE, beside
from gfactor.reports.answers.results import Results, pooled_labels
from gfactor.reports.table_registry import Table, table

EXPLAINED_WORDS = 15
"""Words from which a reply is taken to explain: "The correct answer is option A." has six."""

_WORD = re.compile("[\u4e00-\u9fff]|[^\\W_]+")


def words(text: str) -> int:
    """Return words of a reply; each Chinese character is one."""
    return len(_WORD.findall(text))


@table("mm_iq_lengths", section="replies", order=20, needs=("paradigm",), benchmarks=("mm-iq",))
def lengths(results: Results) -> Table | None:
    """Tabulate mean and median length of every examinee's replies, and of its right and wrong
    ones."""
    rows = _replies(results)
    lines = []
    for label, group in rows.groupby("label", sort=True):
        of = {"all": group, "right": pick(group, group["correct"] == 1),
              "wrong": pick(group, group["correct"] == 0)}  # fmt: skip
        lines += [{"label": label, "replies": name, **_length(answers, results.level)}
                  for name, answers in of.items() if len(answers)]  # fmt: skip
    if not lines:
        return None
    return Table(
        "Length of the replies",
        pd.DataFrame(lines),
        headings={"label": "examinee", "n": "n (replies)", "words": "mean words",
                  "median": "median words", "characters": "mean characters"},
        notes=(
            "Words are letters or digits between other signs, and every Chinese character. "
            "Brackets: 95 % t intervals over items. Section 4.3 of the paper compares lengths in "
            "words alone and prints none.",
        ),
        decimals=1,
    )  # fmt: skip


@table("mm_iq_explanations", section="replies", order=21, needs=("paradigm",),
       benchmarks=("mm-iq",))  # fmt: skip
def explanations(results: Results) -> Table | None:
    """Tabulate accuracy of the replies that explain and of those that only answer."""
    rows = item_rows(results)
    rows = pick(rows, ~rows["role"].isin(["person", "baseline", "population"]))
    if rows.empty:
        return None
    explained = column(rows, "text").fillna("").astype(str).map(words) >= EXPLAINED_WORDS
    lines: list[dict[str, Any]] = []
    for label, group in rows.groupby("label", sort=True):
        has_explanation = explained.loc[group.index].to_numpy(bool)
        for name, answers in (("all", group), ("with explanation", group.loc[has_explanation]),
                              ("without explanation", group.loc[~has_explanation])):  # fmt: skip
            if not len(answers):
                continue
            estimate = rate(answers, ACCURACY, results.level)
            lines.append(
                {"label": label, "source": HERE, "replies": name, "n": estimate["n"],
                 "share": len(answers) / len(group), "accuracy": estimate["value"],
                 "accuracy_low": estimate["low"], "accuracy_high": estimate["high"],
                 "chance": expected(answers, ACCURACY)}
            )  # fmt: skip
    return Table(
        "Accuracy with and without explanation",
        beside(pd.DataFrame(lines), None),
        percent=("share", "accuracy", "chance"),
        headings={"label": "examinee"},
        notes=(
            f"With explanation: replies of {EXPLAINED_WORDS} words or more. A model chooses itself "
            "where it explains, so the difference is no effect of explaining; for that, run the "
            "items with cot=on and without.",
            RATE_NOTE,
            CHANCE_NOTE,
            "The paper (section 4.3) has 26.9 % over all replies of Qwen2-VL-72B-Instruct and "
            "22.5 % over those without explanation, and 19.4 % and 22.2 % for LLaVA-1.6-7B, "
            "without n and intervals.",
        ),
    )


def _replies(results: Results) -> pd.DataFrame:
    rows = results.counted
    rows = rows.assign(label=pooled_labels(rows), _words=column(rows, "text").fillna("").map(words))
    return rows.assign(_characters=column(rows, "text").fillna("").str.len())


def _length(replies: pd.DataFrame, level: float) -> dict[str, Any]:
    row: dict[str, Any] = {"n": len(replies)}
    for name in ("words", "characters"):
        values = replies[f"_{name}"].to_numpy(float)
        mean_length = cluster_t(values, replies["item_hash"].to_numpy(), level)
        row |= {
            name: mean_length.mean,
            f"{name}_low": float(np.maximum(0, mean_length.low)),
            f"{name}_high": mean_length.high,
        }
        if name == "words":
            row["median"] = float(np.median(values))
    return row

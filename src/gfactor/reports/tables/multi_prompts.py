"""MULTI's table 9: score by prompt, and the gain over the paper's own."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.administration import Condition
from gfactor.benchmarks.published import published
from gfactor.reports.answers.changes import CHANGE_NOTE, change, single_examinees, under, with_holm
from gfactor.reports.answers.group_rates import SCORE, expected, having, item_rows, rate
from gfactor.reports.answers.papers import HERE, PRINTED, PRINTED_NOTE, beside
from gfactor.reports.answers.results import Results
from gfactor.reports.answers.settings import PROMPT, alike
from gfactor.reports.table_registry import Table, table
from gfactor.reports.tables.multi_scores import SCORE_NOTE

PAPER = "multi-9"
PROMPTS = ("base", "eng", "no_bg", "cot")


def _prompt_of(condition: Condition) -> str:
    """Return the paper's name of the prompt of a condition; "" if it has no such prompt."""
    english = condition.prompt_language.partition("-")[0] == "en"
    chinese = condition.prompt_language.partition("-")[0] in ("", "zh")
    if condition.background and not condition.cot:
        return "base" if chinese else "eng" if english else ""
    if condition.cot:
        return "cot" if condition.background and chinese else ""
    return "no_bg" if chinese else ""


@table("multi_prompts", section="conditions", order=13, needs=("elite",), benchmarks=("multi",))
def prompts(results: Results) -> Table | None:
    """Tabulate table 9 for every examinee that answered two or more of its prompts."""
    rows = item_rows(results)
    parts = [("all", rows), ("Elite", having(rows, "elite", "yes"))]
    lines = [
        row
        for rest, group in alike(rows["condition"], PROMPT).items()
        for who in single_examinees(rows)
        for name, part in parts
        for row in _rows(part, who, rest, name, group, results.level)
    ]
    if not lines:
        return None
    frame = beside(with_holm(pd.DataFrame(lines)), _printed())
    return Table(
        "Table 9: score by prompt",
        frame,
        percent=("score", "gain", "chance"),
        headings={"label": "examinee", "condition": "otherwise", "p_holm": "p (Holm)"},
        notes=(
            SCORE_NOTE,
            CHANGE_NOTE,
            "base: background=on; eng: prompt_language=en with it; no_bg: without background; cot: "
            "cot=on with background. Gain: over base, in percentage points. The paper's table is "
            "of Elite.",
            f"{PRINTED_NOTE} Source: {published(PAPER).source}",
        ),
        p_values=("p", "p_holm"),
    )


def _rows(
    rows: pd.DataFrame,
    who: str,
    rest: str,
    items: str,
    group: dict[str, Condition],
    level: float,
) -> list[dict[str, object]]:
    named: dict[str, pd.DataFrame] = {}
    for key, condition in group.items():
        answers, name = under(rows, who, key), _prompt_of(condition)
        if name and len(answers):
            named.setdefault(name, answers)
    if len(named) < 2:
        return []
    lines = []
    for name in (prompt for prompt in PROMPTS if prompt in named):
        estimate = rate(named[name], SCORE, level)
        difference = None
        if name != "base" and "base" in named:
            difference = change(named["base"], named[name], SCORE, level)
        gain = {
            f"gain{end}": difference[f"difference{end}"] if difference else np.nan
            for end in ("", "_low", "_high")
        }
        lines.append(
            {
                "label": who, "condition": rest, "source": HERE, "items": items, "prompt": name,
                "n": estimate["n"], "score": estimate["value"], "score_low": estimate["low"],
                "score_high": estimate["high"], **gain,
                "p": difference["p"] if difference else np.nan,
                "chance": expected(named[name], SCORE),
            }
        )  # fmt: skip
    return lines


def _printed() -> pd.DataFrame:
    theirs = published(PAPER).frame
    return pd.DataFrame(
        {
            "label": theirs["model"],
            "source": PRINTED,
            "items": "Elite",
            "prompt": theirs["prompt"],
            "score": theirs["score"].astype(float) / 100,
            "gain": theirs["printed_gain"].astype(float) / 100,
        }
    )

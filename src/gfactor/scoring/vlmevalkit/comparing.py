"""VLMEvalKit's figures compared with gfactor's, and all replies that the two score differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.frames import pick
from gfactor.scoring.vlmevalkit.dataset_figures import KEY, figures
from gfactor.scoring.vlmevalkit.rules import dataset_of

_REPLY = ["examinee", "condition", "item_id", "item_hash", "occasion"]
_ANSWERS = ["answer_own", "answer_vlmevalkit"]
_LABEL_RULES = ("option", "option in last line", "boxed letter", "yes or no")

HEADLINES: Mapping[str, Sequence[str]] = {
    "MME": ("perception", "reasoning"),
    "HallusionBench": ("Overall|aAcc", "Overall|fAcc", "Overall|qAcc"),
    "POPE": ("Overall|Overall", "Overall|acc"),
    "AMBER": ("Avg ACC",),
    "MMVP": ("Average", "Overall"),
    "MTVQA_TEST": ("Average",),
    "OCRBench": ("Final Score",),
    "CountBenchQA": ("accuracy",),
    "TallyQA": ("TallyQA",),
    "MathVista_MINI": ("Overall|acc",),
    "VisuLogic": ("Overall|acc",),
    "MMVet": ("Overall|acc",),
}
"""The figures that stand for a data set, ROW|FIGURE or FIGURE; else every row's Overall."""

KINDS = {
    "missing": "failed or withheld: missing for gfactor, wrong for VLMEvalKit",
    "ours": "an answer is read by gfactor, none by VLMEvalKit",
    "theirs": "an answer is read by VLMEvalKit, none by gfactor",
    "other": "each reads another answer",
    "rule": "read alike, ruled otherwise",
    "judge": "VLMEvalKit's judge decided",
    "drawn": "VLMEvalKit drew an option at random",
}
"""Reasons why a reply counts differently."""


def headline(dataset: str, row: str, figure: str) -> bool:
    """Return True if a figure is a headline figure of its data set."""
    figures_of_dataset = HEADLINES.get(dataset)
    if figures_of_dataset is None:
        return figure == "Overall"
    return (f"{row}|{figure}" if row else figure) in figures_of_dataset


def compared(rows: pd.DataFrame, ruled: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """Return VLMEvalKit's figures under its own rules and under gfactor's reading.

    Parameters
    ----------
    rows, ruled: `gfactor.scoring.scored` under the policies `rows` and `vlmevalkit`.
    items: `Journal.items()`.

    Returns
    -------
    Columns `examinee`, `condition`, `dataset`, `row`, `figure`; `vlmevalkit` and `rows`, the two
    values in VLMEvalKit's unit, with `n` and `n_own`; `headline`, True if the figure is one that
    stands for the data set. Data sets for which VLMEvalKit has no rule are left out.
    """
    complete = pick(ruled, _whole(ruled))
    same = rows["item_hash"].isin(complete["item_hash"])
    theirs, ours = figures(complete, items), figures(pick(rows, same), items)
    both = theirs.merge(ours, on=KEY, how="left", suffixes=("", "_own"))
    both = both.rename(columns={"value": "vlmevalkit", "value_own": "own"})
    heads = [headline(d, r, f) for d, r, f in both[KEY[2:]].itertuples(index=False, name=None)]
    return both.assign(headline=heads)


def differences(unruled: pd.DataFrame, ruled: pd.DataFrame) -> pd.DataFrame:
    """Return the replies that count differently, one row each.

    Parameters
    ----------
    unruled, ruled: `gfactor.scoring.scored` under the policies `unruled` and `vlmevalkit`.

    Returns
    -------
    Columns `dataset`, `examinee`, `condition`, `item_id`, `item_hash`, `occasion`; `text`; `kind`
    (one of `KINDS`) and `why`, its sentence with the rule; `answer_own` and `answer_vlmevalkit`
    (the answers that were found); `credit_own` and `credit_vlmevalkit`, from 0 to 1, NaN if
    missing.
    """
    official = pick(ruled, ruled["policy"] == "vlmevalkit")
    both = official.merge(unruled, on=_REPLY, suffixes=("_vlmevalkit", "_own"))
    # If no answer was read, a column of texts holds NaN, which would count as an answer.
    both = both.astype(dict.fromkeys(_ANSWERS, object))
    both[_ANSWERS] = both[_ANSWERS].where(both[_ANSWERS].notna(), None)
    rows = []
    for row in both.to_dict("records"):
        ours = row["points_own"] / row["points_possible_own"]
        theirs = row["points_vlmevalkit"] / row["points_possible_vlmevalkit"]
        if ours == theirs:
            continue
        kind = _kind(row)
        rows.append(
            {
                "dataset": dataset_of(row["item_id"]),
                **{name: row[name] for name in _REPLY},
                "text": row["text_own"],
                "kind": kind,
                "why": _why(kind, row["rule_vlmevalkit"]),
                "answer_own": row["answer_own"],
                "answer_vlmevalkit": row["answer_vlmevalkit"],
                "credit_own": ours,
                "credit_vlmevalkit": theirs,
            }
        )
    columns = ["dataset", *_REPLY, "text", "kind", "why", "answer_own", "answer_vlmevalkit"]
    return pd.DataFrame(rows, columns=[*columns, "credit_own", "credit_vlmevalkit"])


def counted(rows: pd.DataFrame) -> str:
    """Return as text the number of replies that differ for each reason, or "nothing differs"."""
    counts = Counter(rows["why"])
    return "; ".join(f"{n} x {why}" for why, n in counts.most_common()) or "nothing differs"


def _why(kind: str, rule: str) -> str:
    return KINDS[kind] if rule in ("judge", "drawn at random") else f"{KINDS[kind]} ({rule})"


def _kind(row: dict[Any, Any]) -> str:
    rule = row["rule_vlmevalkit"]
    if rule == "drawn at random":
        return "drawn"
    if row["missing_own"]:
        return "missing"
    if rule == "judge":
        return "judge"
    ours, theirs = row["answer_own"], row["answer_vlmevalkit"]
    if rule in _LABEL_RULES and ours != theirs:
        return "other" if ours and theirs else "ours" if ours else "theirs"
    return "rule" if ours else "theirs"


def _whole(ruled: pd.DataFrame) -> np.ndarray:
    """The rows of data sets that VLMEvalKit's rules decide as a whole."""
    names = np.array([dataset_of(name) for name in ruled["item_id"]])
    open_sets = {n for n, p in zip(names, ruled["policy"], strict=True) if p != "vlmevalkit"}
    return ~np.isin(names, sorted(open_sets))

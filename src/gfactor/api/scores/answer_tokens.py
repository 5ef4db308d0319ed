"""Tokens and money that the answers of a journal took, as their servers counted them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.token_counts import counted_tokens
from gfactor.api.inputs.reach import CURRENCY
from gfactor.examinees.token_usage import read_and_written

COLUMNS = ("examinee", "condition", "answers", "read", "written", "cost")


def tokens_taken(journal: Journal, examinees: Iterable[str]) -> pd.DataFrame:
    """Return the tokens of examinees' answers; no row for those that nobody counted.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : iterable of str
        Canonical names.

    Returns
    -------
    DataFrame
        A row per examinee and condition: `answers` that were counted, tokens `read` and `written`,
        and `cost`, NaN without prices.
    """
    names = list(dict.fromkeys(examinees))
    counted: dict[tuple[str, str], list[tuple[str, float | None, int]]] = {}
    for name, condition, tokens, cost, number in counted_tokens(journal, names):
        counted.setdefault((name, condition), []).append((tokens, cost, number))
    rows: list[dict[str, Any]] = []
    for name, condition in sorted(counted, key=lambda run: (names.index(run[0]), run[1])):
        answers = counted[name, condition]
        # Many answers have the same counts, which are parsed once.
        texts: Counter[str] = Counter()
        for tokens, _, number in answers:
            texts[tokens] += number
        counts = [(*read_and_written(json.loads(t)), n) for t, n in texts.items()]
        costs = pd.Series([cost for _, cost, _ in answers], dtype=float)
        rows.append({
            "examinee": name, "condition": condition, "answers": texts.total(),
            "read": sum(read * n for read, _, n in counts),
            "written": sum(written * n for _, written, n in counts),
            "cost": costs.sum(min_count=1),
        })  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def tokens_in_words(tokens: pd.DataFrame, examinee: str, condition: str = "") -> list[str]:
    """Return sentences on the tokens of an examinee's answers, one per condition."""
    of_it = tokens["examinee"] == examinee
    if condition:
        of_it &= tokens["condition"] == condition
    rows = tokens.loc[of_it.to_numpy(bool)].to_dict("records")
    return [
        f"{row['answers']:,} answers{_under(row['condition'])} in the journal took "
        f"{row['read']:,} tokens to read and {row['written']:,} to write"
        for row in rows
    ]


def table_of_tokens(tokens: pd.DataFrame) -> str:
    """Return a text: the table of tokens with a title, or "" if no tokens were counted."""
    if not len(tokens):
        return ""
    priced = bool(tokens["cost"].notna().to_numpy().any())
    conditions = tokens["condition"].nunique() > 1
    names = ["answers", "read", "written", *["cost"] * priced, *["condition"] * conditions]
    rows = [
        {**row, "read": f"{row['read']:,}", "written": f"{row['written']:,}",
         "cost": "-" if np.isnan(row["cost"]) else f"{row['cost']:.4f}"}
        for row in tokens.to_dict("records")
    ]  # fmt: skip
    text = pd.DataFrame(rows, columns=[*names, "examinee"]).to_string(index=False)
    return f"tokens that answers took{f'; cost {CURRENCY}' if priced else ''}\n{text}"


def _under(condition: str) -> str:
    return f" under {condition}" if condition != "default" else ""

"""Warnings about the answers behind scores: replies that hold none, and items not yet asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.items import OutputFormat
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.scoring.frames import pick
from gfactor.scoring.summaries import groups_of

_SHARE = 0.5
"""Share of replies without an answer from which a score says little."""
_FEWEST = 3
"""So few replies are no sign of a prompt or a model that does not fit."""
_LONGEST = 80
"""Characters of a reply that a warning shows."""


def unread_replies(table: pd.DataFrame, items: pd.DataFrame) -> Iterator[Diagnostic]:
    """Yield a warning for everybody of whose replies half or more hold no answer.

    Parameters
    ----------
    table : DataFrame
        Scored responses.
    items : DataFrame
        Items of the journal.
    """
    for (who, benchmark, condition), rows in groups_of(table):
        replies = pick(rows, ~rows["missing"].to_numpy(bool))
        unread = pick(replies, (replies["status"] == "no_answer").to_numpy())
        if len(replies) < _FEWEST or len(unread) < _SHARE * len(replies):
            continue
        first = unread.iloc[0]
        wanted = _format(str(first["item_hash"]), items)
        yield Diagnostic(
            "no_answers", "warning",
            f"{len(unread):,} of {len(replies):,} replies of {who} hold no answer"
            f"{f' in the format {wanted}' if wanted else ''}; the first: "
            f"{_shortened(str(first['text']))!r}.",
            "See them with gfactor score -o FILE (in Python: .responses).",
            values={"examinee": who, "benchmark": benchmark, "condition": condition,
                    "unread": len(unread), "replies": len(replies)},
        )  # fmt: skip


def unasked_items(journal: Journal, table: pd.DataFrame) -> Iterator[Diagnostic]:
    """Yield a note for every examinee that was not asked all items of its run.

    Parameters
    ----------
    journal : Journal
        The journal.
    table : DataFrame
        Its scored responses.
    """
    planned: dict[tuple[str, str], int] = {}
    for run in journal.meta()["campaigns"]:
        key = run["examinee"], run["condition"]
        planned[key] = max(planned.get(key, 0), run["items"])
    runs: Any = table.groupby(["examinee", "condition"], sort=True)
    for (who, condition), rows in runs:
        tried = len(rows.drop_duplicates(["benchmark", "item_id", "item_hash"]))
        items = planned.get((str(who), str(condition)), 0)
        if tried < items:
            yield Diagnostic(
                "unasked_items", "note",
                f"{who}: {tried:,} of {items:,} items asked.",
                "The same gfactor run asks the rest, unless a rule of --until has stopped it.",
                values={"examinee": str(who), "condition": str(condition), "asked": tried,
                        "items": items},
            )  # fmt: skip


def _format(content_hash: str, items: pd.DataFrame) -> str:
    """Return the line in which an item wants its answer: "COUNT:x"; "" if it names none."""
    texts = items.loc[items["content_hash"] == content_hash, "output_format"]
    text = texts.iloc[0] if len(texts) else None
    if not isinstance(text, str) or not text:
        return ""
    return " ".join(f"{label}:x" for label in OutputFormat.from_json(text).labels)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."

"""The errors of examinees in a journal, for choosing hard items."""

from __future__ import annotations

import math
from statistics import fmean

from gfactor.administration import Journal
from gfactor.api.scoring import Scoring
from gfactor.benchmarks.selection import Errors
from gfactor.errors import ParameterError
from gfactor.items import ItemBank


def model_errors(path: str, bank: ItemBank, scoring: Scoring) -> Errors:
    """The share of wrong answers to every item, averaged over occasions, then over examinees.

    `scoring` says whose answers, and how they are read, as in `gfactor score`. Raises
    ParameterError where nobody answered an item of the bank, or answers are of several conditions.
    """
    with Journal.open(path, create=False) as journal:
        table = scoring.one_condition(journal)
    frame = bank.frame()
    ids: dict[str, list[str]] = {}
    for item_id, content in zip(frame["id"], frame["content_hash"], strict=True):
        ids.setdefault(content, []).append(item_id)
    by_item: dict[str, dict[str, list[float]]] = {}
    columns = (table[name] for name in ("examinee", "item_hash", "correct"))
    for examinee, item_hash, correct in zip(*columns, strict=True):
        if not math.isnan(correct):
            for item_id in ids.get(item_hash, ()):
                by_item.setdefault(item_id, {}).setdefault(examinee, []).append(1 - correct)
    if not by_item:
        raise ParameterError(
            f"journal {path!r} has no answers to items of {str(bank.path)!r}; run it first"
        )
    names = {examinee for by_examinee in by_item.values() for examinee in by_examinee}
    shares = {
        item_id: fmean(map(fmean, by_examinee.values())) for item_id, by_examinee in by_item.items()
    }
    return Errors(tuple(sorted(names)), shares)

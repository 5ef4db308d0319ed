"""The runs of a journal in which nobody saw an image, for the audit of a bank."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import fmean

from gfactor.administration import Journal, read_key
from gfactor.benchmarks.quality import Run
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.scoring import scored

WITHOUT = ("removed", "blank")
"""Values of the condition `images` that leave nothing of an image."""


def blind_runs(path: str, bank: ItemBank) -> tuple[Run, ...]:
    """Every examinee under every condition without images, with its points on the bank's items.

    Occasions are averaged; failed attempts are left out. Raises ParameterError where the journal
    has no such run of this bank.
    """
    with Journal.open(path, create=False) as journal:
        table = scored(journal)
    known = set(bank.frame()["content_hash"])
    columns = (table[n] for n in ("examinee", "condition", "item_id", "item_hash", "correct"))
    points: dict[tuple[str, str], dict[str, list[float]]] = {}
    for examinee, condition, item_id, item_hash, correct in zip(*columns, strict=True):
        if item_hash in known and _is_blind(condition) and not math.isnan(correct):
            own = points.setdefault((examinee, condition), {})
            own.setdefault(item_id, []).append(correct)
    if not points:
        raise ParameterError(
            f"journal {path!r} has no answers to this bank under images=removed; run "
            f"gfactor run BANK --examinee SPEC --journal {path} --condition images=removed"
        )
    return tuple(
        Run(examinee, condition, {item_id: fmean(found) for item_id, found in own.items()})
        for (examinee, condition), own in sorted(points.items())
    )


@lru_cache(maxsize=256)
def _is_blind(condition: str) -> bool:
    return read_key(condition).images in WITHOUT

"""The audit of a bank: guessing, legibility, solvability, and the checks of quality."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from gfactor.administration import read_key
from gfactor.api.progress_bars import progress
from gfactor.api.taking import BankLike, JournalLike, as_bank, opened
from gfactor.benchmarks import Audit, Quality, audit_bank, check_quality, read_decisions
from gfactor.benchmarks.quality import Run
from gfactor.errors import ParameterError
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import Pixels
from gfactor.items import ItemBank
from gfactor.scoring import scored

WITHOUT = ("removed", "blank")
"""Values of the condition `images` that leave nothing of an image."""


@dataclass(frozen=True)
class BankAudit:
    """Findings of the audit and of the quality checks of a bank.

    Parameters
    ----------
    audit: guessing, duplicates, legibility, colors, solvability, per domain.
    quality: findings of the checks of pictures, texts, options and keys.
    """

    audit: Audit
    quality: Quality

    @property
    def passed(self) -> bool:
        """Return True if no limit of the edition is broken and no check found an error."""
        errors = any(one.severity == "error" for one in self.quality.findings)
        return not self.audit.broken and not errors

    def summary(self) -> str:
        """Findings, broken limits, and the verdict."""
        broken = self.audit.broken
        verdict = f"broken limits: {len(broken)}" if broken else "no limit is broken"
        lines = [*map(str, self.quality.findings), *broken, f"{verdict}; {self.quality.verdict}"]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Per domain, and under `quality` the checks: the document of `gfactor audit --json`."""
        return {**self.audit.to_dict(), "quality": self.quality.to_dict()}

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def audit(
    bank: BankLike,
    *,
    ideal: bool = True,
    decisions: Path | str | None = None,
    text_only: JournalLike | None = None,
    jobs: int = 1,
) -> BankAudit:
    """Audit an item bank: can it be guessed or read without looking, and can it be solved?

    All pixels are decoded and compared with their stored hashes. Score matrices are audited by
    `gfactor.forensics`.

    Parameters
    ----------
    bank : ItemBank or path
        The bank.
    ideal : bool
        Have the ideal observer answer every item from its pixels, where it knows the domain.
    decisions : path, optional
        File of people's decisions about suspicions; decided ones are not listed again.
    text_only : Journal or path, optional
        A journal with runs under images=removed: can the bank be answered without its images?
    jobs : int
        Processes; the result does not depend on it.

    Returns
    -------
    BankAudit
        `passed`, `audit` (per domain), `quality` (findings of the checks), `summary()`.

    Raises
    ------
    BankError
        If the bank cannot be used; the message names file, row and item.
    ParameterError
        If the decisions or the journal are not of this bank.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> audit = gf.audit(bank)
    >>> audit.audit.domains["change_colour"]["ideal_observer"]
    1.0
    """
    whole = as_bank(bank)
    decided = read_decisions(Path(decisions), whole.ids) if decisions else None
    blind = _blind_runs(text_only, whole) if text_only is not None else ()
    audited = audit_bank(whole, answer_ideally if ideal else None, jobs=jobs, watch=progress)
    quality = check_quality(
        whole, looks=audited.looks, decisions=decided, blind=blind, watch=progress
    )
    return BankAudit(audited, quality)


def answer_ideally(domain: str, pictures: tuple[Pixels, ...]) -> str | None:
    """The reply of the ideal observer; None if it knows no such domain."""
    return observe(domain, pictures, IdealPerception()) if domain in SOLVERS else None


def _blind_runs(journal: JournalLike, bank: ItemBank) -> tuple[Run, ...]:
    """Every examinee under every condition without images, with its points on the bank's items.

    Occasions are averaged; failed attempts are left out. Raises ParameterError if the journal
    has no such run of this bank.
    """
    with opened(journal) as kept:
        table, path = scored(kept), kept.name
    known = set(bank.frame()["content_hash"])
    columns = (table[n] for n in ("examinee", "condition", "item_id", "item_hash", "correct"))
    points: dict[tuple[str, str], dict[str, list[float]]] = {}
    for examinee, condition, item_id, item_hash, correct in zip(*columns, strict=True):
        if item_hash in known and _is_blind(condition) and not math.isnan(correct):
            by_item = points.setdefault((examinee, condition), {})
            by_item.setdefault(item_id, []).append(correct)
    if not points:
        raise ParameterError(
            f"journal {path!r} has no answers to this bank under images=removed; run "
            f"gfactor run BANK --examinee SPEC --journal {path} --condition images=removed"
        )
    return tuple(
        Run(examinee, condition, {item_id: fmean(scores) for item_id, scores in by_item.items()})
        for (examinee, condition), by_item in sorted(points.items())
    )


@lru_cache(maxsize=256)
def _is_blind(condition: str) -> bool:
    return read_key(condition).images in WITHOUT

"""The audit of a bank: guessing, legibility, solvability, and the checks of quality."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from gfactor.administration import read_key
from gfactor.administration.presenting.condition import NO_PICTURE
from gfactor.api.banks.votes_in_answers import votes_in
from gfactor.api.inputs.progress_bars import progress
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank, opened
from gfactor.benchmarks import (
    Audit,
    Quality,
    audit_bank,
    check_quality,
    read_decisions,
    write_review,
)
from gfactor.benchmarks.audit import Probe
from gfactor.benchmarks.quality import BlindRun, Case
from gfactor.errors import ParameterError
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import Pixels
from gfactor.items import ItemBank
from gfactor.items.reading import is_database
from gfactor.parameters import Jobs
from gfactor.results import aligned, number_of
from gfactor.scoring import scored

_COLUMNS: Mapping[str, tuple[str, str]] = {
    "n": ("n", "d"),
    "constant": ("constant", ".1%"),
    "size_aware": ("size-aware", ".1%"),
    "cue_gain": ("cue gain", ".1%"),
    "ideal_observer": ("ideal", ".1%"),
    "min_object_px": ("object px", ".1f"),
    "min_gap_px": ("gap px", ".1f"),
    "min_option_px": ("option px", ".0f"),
    "min_delta_e": ("dE", ".1f"),
    "delta_e_protan": ("protan", ".1f"),
    "delta_e_deutan": ("deutan", ".1f"),
    "delta_e_tritan": ("tritan", ".1f"),
    "duplicates": ("duplicates", "d"),
    "near_duplicates": ("near", ".1%"),
}
"""Column of the audit -> heading and format in the table."""

_CASES = 5
"""Cases of a finding that the summary shows."""


@dataclass(frozen=True)
class Review:
    """File that was written for people to decide in.

    Parameters
    ----------
    path: the file.
    cases: number of its cases.
    """

    path: Path
    cases: int

    def __str__(self) -> str:
        cases = f"{number_of(self.cases, 'case')} to decide"
        return f"written to {str(self.path)!r}: {cases if self.cases else 'no case to decide'}"


@dataclass(frozen=True)
class BankAudit:
    """Findings of the audit and of the quality checks of a bank.

    Parameters
    ----------
    audit: results on guessing, duplicates, legibility, colors and solvability, by domain.
    quality: findings of the checks of pictures, texts, options and keys.
    bank: file of the bank.
    review: file with the cases that nobody has decided about, if it was asked for.
    """

    audit: Audit
    quality: Quality
    bank: str
    review: Review | None = None

    @property
    def passed(self) -> bool:
        """Return True if no limit of the edition is broken and no check found an error."""
        errors = any(one.severity == "error" for one in self.quality.findings)
        return not self.audit.broken and not errors

    @property
    def code(self) -> int:
        """Exit code of the command: 1 if the bank did not pass."""
        return 0 if self.passed else 1

    def summary(self) -> str:
        """Return the findings with their first cases, the table of domains, and the verdict."""
        lines: list[str] = []
        for finding in self.quality.findings:
            lines += [str(finding), *(f"  {_pair(one)}" for one in finding.cases[:_CASES])]
            more = len(finding.cases) - _CASES
            if more > 0:
                where = "--json, or --review FILE"
                if self.review is not None:
                    where = f"{str(self.review.path)!r}" if finding.review else "--json"
                lines.append(f"  and {more:,} more; see {where}")
        written = [] if self.review is None else [str(self.review)]
        return "\n".join([*lines, *[""] * bool(lines), self._table(), *self._verdict(), *written])

    def _table(self) -> str:
        domains = self.audit.to_dict()
        measured = [c for c in _COLUMNS if any(row.get(c) is not None for row in domains.values())]
        head = ["domain", *(_COLUMNS[c][0] for c in measured)]
        return aligned(
            [head, *([name, *(_cell(row, c) for c in measured)] for name, row in domains.items())]
        )

    def _verdict(self) -> list[str]:
        domains, broken = self.audit.to_dict(), self.audit.broken
        items = sum(columns["n"] for columns in domains.values())
        what = f"{self.bank}: {number_of(items, 'item')} in {number_of(len(domains), 'domain')}"
        what += f" ({self.audit.edition} edition)" if self.audit.edition else ""
        if not broken:
            return [f"{what}; no limit is broken; {self.quality.verdict}."]
        return [f"{what}; {self.quality.verdict}; broken limits:", *(f"  {one}" for one in broken)]

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor audit --json`: facts by domain, checks in `quality`."""
        return {**self.audit.to_dict(), "quality": self.quality.to_dict()}

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def _pair(case: Case) -> str:
    return f"{' and '.join(case.items)}: {case.detail}"


def _cell(columns: Mapping[str, Any], name: str) -> str:
    value = columns.get(name)
    return "-" if value is None else format(value, _COLUMNS[name][1])


def audit(
    bank: BankLike,
    *,
    ideal: bool = True,
    decisions: Path | str | None = None,
    review: Path | str | None = None,
    text_only: JournalLike | None = None,
    answers: JournalLike | None = None,
    probe: Probe = "features",
    jobs: Jobs = 1,
) -> BankAudit:
    """Audit an item bank: can items be solved without their images, and can they be solved at all?

    All pixels are decoded and compared with their stored hashes.

    Parameters
    ----------
    bank : ItemBank or path
        The bank; score matrices are audited by `gfactor.forensics`.
    ideal : bool
        Have the ideal observer answer every item from its pixels, in domains for which it has a
        solver.
    decisions : path, optional
        CSV file with people's decisions about suspicious items, as `review` writes it and people
        fill it in. Decided items are not listed again.
    review : path, optional
        CSV file to write, with a row to fill in for each suspicious item that nobody has decided
        about.
    text_only : Journal or path, optional
        Journal of models that answered the bank under the condition images=removed. It shows
        whether the bank can be answered without its images.
    answers : Journal or path, optional
        Journal with answers to the bank, of 5 models or more. Items are listed on which most of
        them chose the same option, which is not the key: keys that may be wrong.
    probe : {"features", "network"}
        Model that tries to guess the answers of Percept-V's items from cues in the pictures:
        "features" uses named features of the pictures, "network" a small convolutional network
        (needs PyTorch, the extra `network`).
    jobs : int
        Number of parallel processes; the result does not depend on it.

    Returns
    -------
    BankAudit
        `passed` (True if no limit is broken), `audit` (results by domain), `quality` (findings of
        the checks) and `summary()`.

    Raises
    ------
    BankError
        If the bank cannot be used; the message names file, row and item.
    ParameterError
        If the decisions or the journal belong to another bank, or the probe does not exist for
        this benchmark.
    MissingExtraError
        If the probe is a network and PyTorch is not installed.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> audit = gf.audit(bank)
    >>> audit.audit.domains["change_colour"]["ideal_observer"]
    1.0
    """
    if isinstance(bank, str | Path) and is_database(Path(bank)):
        raise ParameterError(
            f"{str(bank)!r} is a database, such as a journal; an audit needs a bank or a table of "
            f"scores. To find broken items from answers, use gfactor audit BANK --answers {bank}, "
            f"or gfactor analyze irt {bank}"
        )
    whole = as_bank(bank)
    decided = read_decisions(Path(decisions), whole.ids) if decisions else None
    blind = _blind_runs(text_only, whole) if text_only is not None else ()
    votes = votes_in(answers, whole) if answers is not None else None
    audited = audit_bank(
        whole, answer_ideally if ideal else None, probe=probe, jobs=jobs, watch=progress
    )
    quality = check_quality(
        whole, looks=audited.looks, decisions=decided, blind=blind, votes=votes,
        watch=progress,
    )  # fmt: skip
    written = None
    if review is not None:
        written = Review(Path(review), write_review(quality.open_cases, Path(review)))
    return BankAudit(audited, quality, str(whole.path), written)


def answer_ideally(domain: str, pictures: tuple[Pixels, ...]) -> str | None:
    """Return the reply of the ideal observer; None if it knows no such domain."""
    return observe(domain, pictures, IdealPerception()) if domain in SOLVERS else None


def _blind_runs(journal: JournalLike, bank: ItemBank) -> tuple[BlindRun, ...]:
    """Every examinee under every condition without images, with its points on the bank's items.

    Occasions are averaged; failed attempts are left out. Raises ParameterError if the journal
    has no such run of this bank.
    """
    with opened(journal) as open_journal:
        table, path = scored(open_journal), open_journal.name
    hashes = set(bank.frame()["content_hash"])
    columns = (table[n] for n in ("examinee", "condition", "item_id", "item_hash", "correct"))
    points: dict[tuple[str, str], dict[str, list[float]]] = {}
    to_others = 0
    for examinee, condition, item_id, item_hash, correct in zip(*columns, strict=True):
        if not _is_blind(condition):
            continue
        to_others += item_hash not in hashes
        if item_hash in hashes and not math.isnan(correct):
            by_item = points.setdefault((examinee, condition), {})
            by_item.setdefault(item_id, []).append(correct)
    if not points and to_others:
        raise ParameterError(
            f"journal {path!r} has {number_of(to_others, 'answer')} without images, but to items "
            "of other contents than this bank's. If they were imported, import them again with "
            "--bank BANK, into a new journal: then they are answers to its items"
        )
    if not points:
        raise ParameterError(
            f"journal {path!r} has no answers to this bank under images=removed; run "
            f"gfactor run BANK --examinee SPEC --journal {path} --condition images=removed"
        )
    return tuple(
        BlindRun(
            examinee, condition, {item_id: fmean(scores) for item_id, scores in by_item.items()}
        )
        for (examinee, condition), by_item in sorted(points.items())
    )


@lru_cache(maxsize=256)
def _is_blind(condition: str) -> bool:
    return read_key(condition).images in NO_PICTURE

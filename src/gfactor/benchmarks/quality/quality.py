"""The quality of a bank: every check run, the findings by severity."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2

from gfactor.benchmarks.quality.bank_survey import BlindRun, survey
from gfactor.benchmarks.quality.check import CHECKS, CheckOutcome
from gfactor.benchmarks.quality.decisions import Decisions
from gfactor.benchmarks.quality.finding import Finding, counted
from gfactor.benchmarks.quality.look import Look, look_at
from gfactor.computing import each
from gfactor.items import Item, ItemBank, Watch, checked_pixels
from gfactor.psychometrics.diagnostic import by_severity

_ITEMS_AT_ONCE = 100


@dataclass(frozen=True)
class Quality:
    """Results of the checks of a bank.

    Parameters
    ----------
    items : int
        Number of items of the bank.
    outcomes : dict of str to CheckOutcome
        Outcomes by the name of the check.
    decided : int
        Number of cases that people have decided upon.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks import check_quality
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> check_quality(bank).items
    10
    """

    items: int
    outcomes: Mapping[str, CheckOutcome]
    decided: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the most severe first."""
        return by_severity(f for outcome in self.outcomes.values() for f in outcome.findings)

    @property
    def open_cases(self) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """The suspected cases that a person has to decide: check, items, detail."""
        for name, outcome in self.outcomes.items():
            for finding in outcome.findings:
                if finding.review:
                    yield from ((name, case.items, case.detail) for case in finding.cases)

    def to_dict(self) -> dict[str, Any]:
        """Return `findings`, and for every check its `n` and `measures`, ready for JSON."""
        return {
            "items": self.items,
            "decided": self.decided,
            "findings": [finding.to_dict() for finding in self.findings],
            "checks": {
                name: {"n": outcome.n, **outcome.measures}
                for name, outcome in self.outcomes.items()
            },
        }

    @property
    def verdict(self) -> str:
        """Return the number of checks, and of their findings, in words."""
        done = sum(outcome.n > 0 for outcome in self.outcomes.values())
        count = len(self.findings)
        findings = f"give {counted(count, 'finding')}" if count else "find nothing"
        untested = "".join(
            f"; {name} did not test its items ({outcome.untested})"
            for name, outcome in self.outcomes.items()
            if outcome.untested
        )
        return f"{done} of {len(self.outcomes)} checks of quality apply and {findings}{untested}"

    def summary(self) -> str:
        """Return the findings as lines, and the number of checks."""
        return "\n".join([*map(str, self.findings), self.verdict])

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td>{f.severity}</td><td>{html.escape(f.sentence)}</td>"
            f"<td>{html.escape(f.remedy)}</td></tr>"
            for f in self.findings
        )
        return f"<table>{''.join(rows)}</table><p>{html.escape(self.verdict)}</p>"


def check_quality(
    bank: ItemBank,
    *,
    looks: Mapping[str, Sequence[Look]] | None = None,
    decisions: Decisions | None = None,
    blind: Sequence[BlindRun] = (),
    votes: Mapping[str, Mapping[str, int]] | None = None,
    checks: Iterable[str] | None = None,
    jobs: int = 1,
    watch: Watch[Any] | None = None,
) -> Quality:
    """Check the quality of a bank.

    Parameters
    ----------
    bank : ItemBank
        The bank.
    looks : dict of str to list of Look, optional
        Looks of every item's pictures, if they have been taken already (`Audit.looks`); else every
        picture is decoded here.
    decisions : Decisions, optional
        Decisions of people; decided cases are not listed again.
    blind : list of BlindRun
        Runs without images, for the check `text_only`.
    votes : dict of str to dict of str to int, optional
        Number of examinees that chose each option, by item, for the check `key_votes`.
    checks : list of str, optional
        Names of checks; all by default.
    jobs : int
        Number of processes for decoding; the result does not depend on it.
    watch : Watch[Any], optional
        Shows progress.

    Returns
    -------
    Quality
        Findings of each check, with its n.

    Raises
    ------
    UnknownNameError
        For an unknown check, BankError if a picture is not what was hashed.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks import check_quality
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> check_quality(bank).findings
    ()
    """
    chosen = [CHECKS[name] for name in (CHECKS if checks is None else checks)]
    taken = take_looks(bank, jobs, watch) if looks is None else looks
    decided = decisions or Decisions()
    seen = survey(bank, taken, decided, blind, votes)
    watched = watch(chosen, len(chosen), "checking", "check") if watch else chosen
    outcomes = {check.name: check.run(seen) for check in watched}
    return Quality(len(bank), outcomes, len(decided.lines))


def take_looks(
    bank: ItemBank, jobs: int = 1, watch: Watch[Any] | None = None
) -> dict[str, tuple[Look, ...]]:
    """Return the looks of every item's pictures; raise BankError if the pixels of one do not match
    its hash."""
    run = each(_looks_of, ((items,) for items in _in_chunks(bank)), jobs=jobs)
    done = (one for part in run for one in part)
    by_item = {}
    for item_id, looks, flaw in watch(done, len(bank), "looking", "item") if watch else done:
        if flaw:
            raise bank.error(item_id, flaw)
        by_item[item_id] = looks
    return by_item


def _in_chunks(bank: ItemBank) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in bank:
        chunk.append(item)
        if len(chunk) == _ITEMS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _looks_of(items: Sequence[Item]) -> list[tuple[str, tuple[Look, ...], str]]:
    cv2.setNumThreads(1)
    return [_look_of(item) for item in items]


def _look_of(item: Item) -> tuple[str, tuple[Look, ...], str]:
    try:
        pictures = checked_pixels(item)
    except ValueError as error:
        return item.id, (), str(error)
    return item.id, looks_of(item, pictures), ""


def looks_of(item: Item, pictures: Sequence[Any]) -> tuple[Look, ...]:
    """Return the looks of an item's decoded pictures."""
    hashes = item.provenance.pixel_hashes or ("",) * len(pictures)
    return tuple(
        replace(look_at(p, h), stored=len(image.data))
        for p, h, image in zip(pictures, hashes, item.images, strict=True)
    )

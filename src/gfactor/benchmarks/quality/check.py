"""Check of a bank's quality, and the registry of checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.finding import Finding
from gfactor.registry import Registry


@dataclass(frozen=True)
class CheckOutcome:
    """Result of a check.

    Parameters
    ----------
    n: number of items (or pictures, texts, pairs, depending on the check) that it examined; 0 if
    the bank has none of them.
    findings: findings of the check.
    measures: numbers worth reading even if nothing was found, JSON-serializable. untested: a
    sentence on the items that were too few to test, and the number needed; "" if none.
    """

    n: int
    findings: tuple[Finding, ...] = ()
    measures: Mapping[str, Any] = field(default_factory=dict)
    untested: str = ""


def too_few(items: Mapping[str, int], least: int) -> str:
    """Say how many items of each kind a check could not test, for `CheckOutcome.untested`.

    Parameters
    ----------
    items: number of items of each kind, the kind in words.
    least: number of items of a kind that the check needs.

    Examples
    --------
    >>> too_few({"with 4 options": 12, "with 2 options": 40}, 30)
    '12 with 4 options; 30 are needed'
    """
    few = [f"{n} {kind}" for kind, n in items.items() if 0 < n < least]
    return f"{', '.join(few)}; {least} are needed" if few else ""


@dataclass(frozen=True)
class Check:
    """A check.

    Parameters
    ----------
    name: name as in decisions ("near_duplicate_images").
    about: one line.
    run: the survey of a bank -> the outcome; the same for the same survey.
    """

    name: str
    about: str
    run: Callable[[Survey], CheckOutcome]


CHECKS: Registry[Check] = Registry(
    "check", home="gfactor.benchmarks.quality.checks", group="gfactor.checks"
)


def register(name: str, about: str) -> Callable[[Callable[[Survey], CheckOutcome]], Check]:
    """Register a function as a check."""
    return lambda run: CHECKS.add(name, Check(name, about, run))

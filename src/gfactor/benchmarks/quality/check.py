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
    n: number of items (pictures, texts, pairs: the check says) that it could examine; 0 if the bank
        has nothing for it.
    findings: findings of the check.
    measures: numbers that are worth reading if nothing was found too, JSON-serializable.
    untested: the items that it could not test, being too few, and how many are needed; "" if none.
    """

    n: int
    findings: tuple[Finding, ...] = ()
    measures: Mapping[str, Any] = field(default_factory=dict)
    untested: str = ""


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

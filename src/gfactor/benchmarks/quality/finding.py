"""Finding of a check of a bank's quality: a sentence, its severity, and the items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gfactor.psychometrics.diagnostic import Severity


@dataclass(frozen=True)
class Case:
    """One item, or a pair of items, to which a finding refers.

    Parameters
    ----------
    items: one id, or two.
    detail: description of the problem.
    """

    items: tuple[str, ...]
    detail: str = ""

    @property
    def key(self) -> frozenset[str]:
        """The set of the items."""
        return frozenset(self.items)


@dataclass(frozen=True)
class Finding:
    """One finding about a bank; it corresponds to `gfactor.psychometrics.Diagnostic`.

    Parameters
    ----------
    code: a short name that does not change between versions ("duplicate_options").
    severity: "error" if items cannot be scored as they are, "warning" if results must not be
        used without reading this, "note" for what a reader should know.
    sentence: finding in one sentence, with the numbers.
    remedy: remedy in one sentence.
    cases: the items, in the bank's order.
    review: True if a person has to decide each case.
    values: the numbers behind the sentence, by name.
    """

    code: str
    severity: Severity
    sentence: str
    remedy: str
    cases: tuple[Case, ...] = ()
    review: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.severity}: {self.sentence} {self.remedy}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a `Diagnostic`, and the cases."""
        return {
            "code": self.code,
            "severity": self.severity,
            "sentence": self.sentence,
            "remedy": self.remedy,
            "review": self.review,
            "values": dict(self.values),
            "cases": [{"items": list(c.items), "detail": c.detail} for c in self.cases],
        }


def counted(n: int, one: str, several: str = "") -> str:
    """Return a number with its noun: "1 item", "12,000 items"."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"

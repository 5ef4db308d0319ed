"""Diagnostics of an analysis: a sentence, its severity, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["note", "warning", "error"]

_SEVERITIES: Mapping[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Diagnostic:
    """One finding about data, a model or a fit; shown on top of every summary.

    Parameters
    ----------
    code: a short name that does not change between versions ("heywood_case"), for programs.
    severity: "error" where the result must not be used, "warning" where it must not be used
        without reading this, "note" for what a reader should know.
    sentence: what was found, with the numbers, in one sentence.
    remedy: what to do about it, in one sentence.
    where: what it is about: names of indicators, factors, parameters, rows.
    values: the numbers behind the sentence, by name; plain floats, integers and strings.
    """

    code: str
    severity: Severity
    sentence: str
    remedy: str
    where: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.severity}: {self.sentence} {self.remedy}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "sentence": self.sentence,
            "remedy": self.remedy,
            "where": list(self.where),
            "values": dict(self.values),
        }


def by_severity(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same, errors before warnings before notes; within a severity the order stays."""
    return tuple(sorted(found, key=lambda diagnostic: _SEVERITIES[diagnostic.severity]))

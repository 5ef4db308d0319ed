"""Diagnostics of an analysis: a sentence about a problem, its severity, and a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

Severity = Literal["note", "warning", "error"]

_SEVERITIES: Mapping[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Diagnostic:
    """One finding about data, a model or a fit; shown on top of every summary.

    Parameters
    ----------
    code : str
        A short name that does not change between versions ("heywood_case"), for programs.
    severity : Severity
        "error" if the result must not be used, "warning" if it must not be used
        without reading this, "note" for what a reader should know.
    sentence : str
        Finding in one sentence, with the numbers.
    remedy : str
        Remedy in one sentence.
    where : list of str
        Names of the indicators, factors, parameters or rows concerned.
    values : dict of str to Any
        The numbers behind the sentence, by name; plain floats, integers and strings.
    example : str
        A sentence that quotes one of the cases, such as a reply; "" if there is none. A written
        paragraph leaves it out.

    Examples
    --------
    >>> from gfactor.psychometrics import Diagnostic
    >>> print(Diagnostic("few_cases", "warning", "There are 12 cases.", "Ask more."))
    warning: There are 12 cases. Ask more.
    """

    code: str
    severity: Severity
    sentence: str
    remedy: str
    where: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    example: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.with_example} {self.remedy}"

    @property
    def with_example(self) -> str:
        """The sentence, and the example behind it if there is one."""
        return f"{self.sentence} {self.example}" if self.example else self.sentence

    @property
    def word(self) -> str:
        """The severity in words for texts, which say "serious" instead of "error", because the
        command itself succeeded."""
        return "serious" if self.severity == "error" else self.severity

    def to_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "sentence": self.sentence,
            **({"example": self.example} if self.example else {}),
            "remedy": self.remedy,
            "where": list(self.where),
            "values": dict(self.values),
        }


class _Graded(Protocol):
    @property
    def severity(self) -> Severity: ...


Graded = TypeVar("Graded", bound=_Graded)


def by_severity(diagnostics: Iterable[Graded]) -> tuple[Graded, ...]:
    """Return the diagnostics with errors before warnings before notes, otherwise in the same order.

    Parameters
    ----------
    diagnostics : list of Diagnostic
        Diagnostics in any order, or other findings that have a severity.

    Returns
    -------
    tuple of Diagnostic
        The same, errors first, then warnings, then notes.

    Examples
    --------
    >>> from gfactor.psychometrics import Diagnostic, by_severity
    >>> note = Diagnostic("few", "note", "n is 12.", "Ask more.")
    >>> error = Diagnostic("none", "error", "n is 0.", "Ask somebody.")
    >>> [one.severity for one in by_severity([note, error])]
    ['error', 'note']
    """
    return tuple(sorted(diagnostics, key=lambda diagnostic: _SEVERITIES[diagnostic.severity]))

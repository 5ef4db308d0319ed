"""The results of reading by rules, as the `Extraction` all readings share."""

from __future__ import annotations

from gfactor.items import Answer
from gfactor.scoring.extraction import Extraction


def found(answer: Answer, rule: str, span: tuple[int, int]) -> Extraction:
    """An answer, the rule that read it, and where in the reply."""
    return Extraction(answer, True, "rules", rule, span)


def nothing(reason: str) -> Extraction:
    """No answer; `rule` says why: "empty", "refusal", "truncated", "ambiguous" and so on."""
    return Extraction(None, False, "none", reason)

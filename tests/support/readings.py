"""Readings of single replies, in the short form in which tests compare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import format_from
from gfactor.scoring.extraction.formatted import lenient


def one(reply: str, options: Mapping[str, str] | Sequence[str]) -> object:
    """Return the option that a reply chooses, or the rule that found none."""
    got = extract(reply, "choice", options)
    return got.answer if got.has_answer else got.rule


def several(reply: str, options: Mapping[str, str] | Sequence[str]) -> object:
    """Return the letters of the options that a reply chooses, or the rule that found none."""
    got = extract(reply, "choices", options)
    return "".join(sorted(map(str, got.answer))) if isinstance(got.answer, frozenset) else got.rule


def blanks(reply: str, count: int = 1) -> object:
    """Return the texts that a reply puts into the blanks, or the rule that found none."""
    got = extract(reply, "blanks", blanks=count)
    return got.answer if got.has_answer else got.rule


def formatted(reply: str, template: str, kind: str) -> Any:
    """Return the answer of a reply that was to have a format, or "nothing"."""
    got = lenient(reply, format_from(template, kind))
    return got.answer if got.has_answer else "nothing"

"""Examinees, the schemes that make them, and the check that each must pass."""

from gfactor.examinees.base import (
    EXAMINEES,
    FAILED,
    Examinee,
    Outcome,
    RenderedItem,
    Reply,
    Spec,
    make_examinee,
)
from gfactor.examinees.check import INVARIANTS, check_examinee

__all__ = [
    "EXAMINEES",
    "FAILED",
    "INVARIANTS",
    "Examinee",
    "Outcome",
    "RenderedItem",
    "Reply",
    "Spec",
    "check_examinee",
    "make_examinee",
]

"""The quality of a bank: checks that register themselves, findings, decisions about suspicions."""

from gfactor.benchmarks.quality.bank_survey import BlindRun, Option, Seen, Survey, survey
from gfactor.benchmarks.quality.check import CHECKS, Check, Outcome, register
from gfactor.benchmarks.quality.decisions import (
    Decision,
    Decisions,
    read_decisions,
    write_review,
)
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.benchmarks.quality.look import Look, look_at
from gfactor.benchmarks.quality.quality import Quality, check_quality, looks_of, take_looks

__all__ = [
    "CHECKS",
    "Case",
    "Check",
    "Decision",
    "Decisions",
    "Finding",
    "Look",
    "Option",
    "Outcome",
    "Quality",
    "BlindRun",
    "Seen",
    "Survey",
    "check_quality",
    "look_at",
    "looks_of",
    "read_decisions",
    "register",
    "survey",
    "take_looks",
    "write_review",
]

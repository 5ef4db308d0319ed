"""The quality of a bank: checks that register themselves, findings, and decisions about suspected
cases."""

from gfactor.benchmarks.quality.bank_survey import (
    BlindRun,
    Survey,
    SurveyedItem,
    SurveyedOption,
    survey,
)
from gfactor.benchmarks.quality.check import CHECKS, Check, CheckOutcome, register
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
    "BlindRun",
    "Case",
    "Check",
    "CheckOutcome",
    "Decision",
    "Decisions",
    "Finding",
    "Look",
    "Quality",
    "Survey",
    "SurveyedItem",
    "SurveyedOption",
    "check_quality",
    "look_at",
    "looks_of",
    "read_decisions",
    "register",
    "survey",
    "take_looks",
    "write_review",
]

"""Choosing items of a bank: methods that register themselves, seeded, kept in metadata."""

from gfactor.benchmarks.selection.candidates import Candidate, CandidatePool, Errors, pool_of
from gfactor.benchmarks.selection.method import METHODS, Method, Selected, register
from gfactor.benchmarks.selection.selecting import Selection, select

__all__ = [
    "METHODS",
    "Candidate",
    "CandidatePool",
    "Errors",
    "Method",
    "Selected",
    "Selection",
    "pool_of",
    "register",
    "select",
]

"""Observers: eyes, a perception, and one solver per domain."""

from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import CANNOT_TELL, Observer, observe
from gfactor.examinees.observer.perception import IdealPerception, Perception
from gfactor.examinees.observer.solvers import SOLVERS, solver

__all__ = [
    "CANNOT_TELL",
    "SOLVERS",
    "Limited",
    "IdealPerception",
    "Perception",
    "Observer",
    "observe",
    "solver",
]

"""Adaptive administration: items are made while they are asked, each where it tells most."""

from gfactor.administration.adaptive.asking import AdaptiveRun, Make, Score, run_adaptively
from gfactor.administration.adaptive.sequence import CellSequence, Design, Step
from gfactor.administration.adaptive.stored import Steps, StoredStep

__all__ = [
    "AdaptiveRun",
    "CellSequence",
    "Design",
    "Make",
    "Score",
    "Step",
    "StoredStep",
    "Steps",
    "run_adaptively",
]

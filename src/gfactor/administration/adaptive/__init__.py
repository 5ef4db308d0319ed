"""Adaptive administration: items are made while they are asked, each where it is most
informative."""

from gfactor.administration.adaptive.asking import AdaptiveRun, Make, Score, run_adaptively
from gfactor.administration.adaptive.sequence import CellSequence, SequenceDesign, SequenceStep
from gfactor.administration.adaptive.stored import Steps, StoredStep

__all__ = [
    "AdaptiveRun",
    "CellSequence",
    "Make",
    "Score",
    "SequenceDesign",
    "SequenceStep",
    "Steps",
    "StoredStep",
    "run_adaptively",
]

"""How it is asked: conditions, rendering, the runner, the journal."""

from gfactor.administration.condition import Condition
from gfactor.administration.journal import Journal
from gfactor.administration.rendering import render
from gfactor.administration.response import FAILED, Response
from gfactor.administration.runner import RunResult, administer, run

__all__ = [
    "FAILED",
    "Condition",
    "Journal",
    "Response",
    "RunResult",
    "administer",
    "render",
    "run",
]

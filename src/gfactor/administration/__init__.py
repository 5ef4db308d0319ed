"""Administration of items: conditions, rendering, the runner, the journal."""

from gfactor.administration.asking.preparing import Files, prepare
from gfactor.administration.asking.runner import RunResult, administer, run
from gfactor.administration.packs import Packs
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.condition_text import read_condition, read_key
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.options import as_stored, option_order
from gfactor.administration.presenting.rendering import render
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.response import Response

__all__ = [
    "Condition",
    "Files",
    "Journal",
    "Materials",
    "Packs",
    "Response",
    "RunResult",
    "administer",
    "as_stored",
    "option_order",
    "prepare",
    "read_condition",
    "read_key",
    "render",
    "run",
]

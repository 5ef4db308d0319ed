"""Administration of items: conditions, rendering, the runner, the journal."""

from gfactor.administration.condition import Condition
from gfactor.administration.condition_text import read_condition, read_key
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.options import as_stored, option_order
from gfactor.administration.packs import Packs
from gfactor.administration.preparing import Files, prepare
from gfactor.administration.rendering import render
from gfactor.administration.response import Response
from gfactor.administration.runner import RunResult, administer, run

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

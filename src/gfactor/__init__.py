"""gfactor: a psychometric laboratory for multimodal LLMs.

An examinee answers the items of a bank under a condition; every answer becomes a response in a
journal; scoring turns responses into a score matrix; psychometrics turns matrices into models of
what was measured; reports show it.

    import gfactor as gf

Names are loaded when they are first asked for. Everything else is in the packages, in the order of
that sentence (ARCHITECTURE.md).
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gfactor.api.administering import run
    from gfactor.api.analyses import (
        adequacy,
        agreement,
        discriminant_validity,
        efa,
        forensics,
        rank_sets,
        reliability,
    )
    from gfactor.api.auditing import audit
    from gfactor.api.comparing import compare
    from gfactor.api.files import build, open_bank, open_journal
    from gfactor.api.models import compare_fits, invariance, pls, sem
    from gfactor.api.results import matrix, report, score

__version__ = "0.1.0"

__all__ = [
    "adequacy",
    "agreement",
    "audit",
    "build",
    "compare",
    "compare_fits",
    "discriminant_validity",
    "efa",
    "forensics",
    "invariance",
    "matrix",
    "open_bank",
    "open_journal",
    "pls",
    "rank_sets",
    "reliability",
    "report",
    "run",
    "score",
    "sem",
]

_MODULES = {
    "administering": ("run",),
    "analyses": (
        "adequacy",
        "agreement",
        "discriminant_validity",
        "efa",
        "forensics",
        "rank_sets",
        "reliability",
    ),
    "auditing": ("audit",),
    "comparing": ("compare",),
    "files": ("build", "open_bank", "open_journal"),
    "models": ("compare_fits", "invariance", "pls", "sem"),
    "results": ("matrix", "report", "score"),
}
"""Module of `gfactor.api` -> its names; a new name goes here, above and in `__all__`."""

_WHERE = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"gfactor.api.{_WHERE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})

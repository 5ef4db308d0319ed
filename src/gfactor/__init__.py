"""gfactor: a psychometric laboratory for multimodal LLMs.

An examinee answers the items of a bank under a condition; every answer becomes a response in a
journal; scoring turns responses into a score matrix; psychometrics turns matrices into models of
what was measured; reports show it.

    import gfactor as gf

Names are loaded when they are first asked for. Everything else is in the packages, in the order of
that sentence (ARCHITECTURE.md).
"""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.administering import run
    from gfactor.api.analyses import agreement, discriminant_validity, rank_sets
    from gfactor.api.auditing import audit
    from gfactor.api.comparing import compare
    from gfactor.api.files import build, open_bank, open_journal
    from gfactor.api.models import invariance, irt, pls, sem
    from gfactor.api.results import matrix, report, score
    from gfactor.psychometrics.classical.consistency import reliability
    from gfactor.psychometrics.factor.exploratory.analysis import efa
    from gfactor.psychometrics.factor.suitability import adequacy
    from gfactor.psychometrics.respondents.examination import forensics
    from gfactor.psychometrics.sem.comparison import compare_fits

__version__ = "0.2.0"

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
    "irt",
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
    "api.administering": ("run",),
    "api.analyses": ("agreement", "discriminant_validity", "rank_sets"),
    "api.auditing": ("audit",),
    "api.comparing": ("compare",),
    "api.files": ("build", "open_bank", "open_journal"),
    "api.models": ("invariance", "irt", "pls", "sem"),
    "api.results": ("matrix", "report", "score"),
    "psychometrics.classical.consistency.scores": ("reliability",),
    "psychometrics.factor.exploratory.analysis": ("efa",),
    "psychometrics.factor.suitability": ("adequacy",),
    "psychometrics.respondents.examination": ("forensics",),
    "psychometrics.sem.comparison": ("compare_fits",),
}
"""Module -> its names; a new name goes here, above and in `__all__`."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES)

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
    from gfactor.api import annotate, campaign, datasets, study
    from gfactor.api.adaptive_bank import run_adaptive
    from gfactor.api.administering import run
    from gfactor.api.analyses import agreement, discriminant_validity, rank_sets
    from gfactor.api.auditing import audit
    from gfactor.api.banks import select, transform, undo, variants
    from gfactor.api.benchmark_comparison import compare_benchmarks
    from gfactor.api.calibrating import calibrate, calibrate_each
    from gfactor.api.calibration_plan import plan_calibration
    from gfactor.api.catalog import available, published
    from gfactor.api.comparing import compare
    from gfactor.api.correcting import correct_scores
    from gfactor.api.deciding import compare_sequentially
    from gfactor.api.demonstration import demo
    from gfactor.api.evidence import gtheory
    from gfactor.api.explaining import explain_difference
    from gfactor.api.exporting import export
    from gfactor.api.extraction import extract
    from gfactor.api.files import build, open_bank, open_journal
    from gfactor.api.fit_comparison import compare_fits
    from gfactor.api.forms import form
    from gfactor.api.gaps import gap
    from gfactor.api.importing import import_logs, import_scores
    from gfactor.api.inflating import inflation, inflation_each
    from gfactor.api.internal_consistency import consistency, reliability
    from gfactor.api.invariance_tests import invariance
    from gfactor.api.item_functioning import dif
    from gfactor.api.item_pruning import prune_items
    from gfactor.api.item_response_models import irt
    from gfactor.api.laboratories import merge_calibrations
    from gfactor.api.leaderboards import leaderboard
    from gfactor.api.m3gia import gia
    from gfactor.api.model_reports import cfa
    from gfactor.api.norming import norms
    from gfactor.api.path_models import pls
    from gfactor.api.placing import place
    from gfactor.api.placing_live import place_examinee
    from gfactor.api.planning import plan
    from gfactor.api.profiling import profile, profile_each
    from gfactor.api.pruning import prune
    from gfactor.api.pushing import push_bank
    from gfactor.api.q_matrices import audit_q_matrix
    from gfactor.api.ranking import rank_abilities
    from gfactor.api.results import matrix, report, score
    from gfactor.api.scaffolding import scaffold
    from gfactor.api.score_forensics import forensics
    from gfactor.api.structural_models import sem
    from gfactor.api.updating import update_calibration
    from gfactor.benchmarks.chc.shipped import shipped_calibrations
    from gfactor.computing import backend
    from gfactor.psychometrics.class_models import latent_classes
    from gfactor.psychometrics.factor.exploratory.analysis import efa
    from gfactor.psychometrics.factor.suitability import adequacy
    from gfactor.psychometrics.irt.scales.calibration_files import read_calibrations

__version__ = "0.2.0"

__all__ = [
    "adequacy",
    "agreement",
    "annotate",
    "audit",
    "audit_q_matrix",
    "available",
    "backend",
    "build",
    "calibrate",
    "calibrate_each",
    "campaign",
    "cfa",
    "compare",
    "compare_benchmarks",
    "compare_fits",
    "compare_sequentially",
    "consistency",
    "correct_scores",
    "datasets",
    "demo",
    "dif",
    "discriminant_validity",
    "efa",
    "explain_difference",
    "export",
    "extract",
    "forensics",
    "form",
    "gap",
    "gia",
    "gtheory",
    "import_logs",
    "import_scores",
    "inflation",
    "inflation_each",
    "invariance",
    "irt",
    "latent_classes",
    "leaderboard",
    "matrix",
    "merge_calibrations",
    "norms",
    "open_bank",
    "open_journal",
    "place",
    "place_examinee",
    "plan",
    "plan_calibration",
    "pls",
    "profile",
    "profile_each",
    "prune",
    "prune_items",
    "published",
    "push_bank",
    "rank_abilities",
    "rank_sets",
    "read_calibrations",
    "reliability",
    "report",
    "run",
    "run_adaptive",
    "scaffold",
    "score",
    "select",
    "sem",
    "shipped_calibrations",
    "study",
    "transform",
    "undo",
    "update_calibration",
    "variants",
]

_MODULES = {
    "api.adaptive_bank": ("run_adaptive",),
    "api.administering": ("run",),
    "api.analyses": ("agreement", "discriminant_validity", "rank_sets"),
    "api.auditing": ("audit",),
    "api.banks": ("select", "transform", "undo", "variants"),
    "api.benchmark_comparison": ("compare_benchmarks",),
    "api.calibrating": ("calibrate", "calibrate_each"),
    "api.calibration_plan": ("plan_calibration",),
    "api.catalog": ("available", "published"),
    "api.comparing": ("compare",),
    "api.correcting": ("correct_scores",),
    "api.deciding": ("compare_sequentially",),
    "api.demonstration": ("demo",),
    "api.explaining": ("explain_difference",),
    "api.exporting": ("export",),
    "api.extraction": ("extract",),
    "api.evidence": ("gtheory",),
    "api.files": ("build", "open_bank", "open_journal"),
    "api.forms": ("form",),
    "api.gaps": ("gap",),
    "api.importing": ("import_logs", "import_scores"),
    "api.inflating": ("inflation", "inflation_each"),
    "api.laboratories": ("merge_calibrations",),
    "api.leaderboards": ("leaderboard",),
    "api.m3gia": ("gia",),
    "api.internal_consistency": ("consistency", "reliability"),
    "api.item_functioning": ("dif",),
    "api.structural_models": ("sem",),
    "api.invariance_tests": ("invariance",),
    "api.path_models": ("pls",),
    "api.item_response_models": ("irt",),
    "api.fit_comparison": ("compare_fits",),
    "api.model_reports": ("cfa",),
    "api.norming": ("norms",),
    "api.placing": ("place",),
    "api.placing_live": ("place_examinee",),
    "api.planning": ("plan",),
    "api.profiling": ("profile", "profile_each"),
    "api.pruning": ("prune",),
    "api.item_pruning": ("prune_items",),
    "api.pushing": ("push_bank",),
    "api.q_matrices": ("audit_q_matrix",),
    "api.ranking": ("rank_abilities",),
    "api.results": ("matrix", "report", "score"),
    "api.scaffolding": ("scaffold",),
    "api.score_forensics": ("forensics",),
    "api.updating": ("update_calibration",),
    "benchmarks.chc.shipped": ("shipped_calibrations",),
    "computing": ("backend",),
    "psychometrics.class_models": ("latent_classes",),
    "psychometrics.factor.exploratory.analysis": ("efa",),
    "psychometrics.factor.suitability": ("adequacy",),
    "psychometrics.irt.scales.calibration_files": ("read_calibrations",),
}
"""Module -> its names; a new name goes here, above and in `__all__`."""

_PACKAGES = {
    "annotate": "api.annotate",
    "campaign": "api.campaign",
    "datasets": "api.datasets",
    "study": "api.study",
}
"""Names that are packages: the functions of a command with commands of its own."""

_ELSEWHERE = {
    "growth": "sem",
    "lavaan": "sem",
    "mirt": "irt",
    "rasch": "irt",
    "alpha": "consistency",
    "omega": "consistency",
    "evaluate": "run",
    "predict": "run",
    "anova": "compare_fits",
    "power": "plan",
}
"""Names of other programs and of commands, to the function that does the same."""

__getattr__, __dir__ = lazy_names(__name__, _MODULES, _PACKAGES, _ELSEWHERE)

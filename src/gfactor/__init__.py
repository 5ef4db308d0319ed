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
    from gfactor.api.analyses.agreement_and_ranks import agreement, discriminant_validity, rank_sets
    from gfactor.api.analyses.evidence import gtheory
    from gfactor.api.analyses.fit_comparison import compare_fits
    from gfactor.api.analyses.internal_consistency import consistency, reliability
    from gfactor.api.analyses.invariance_tests import invariance
    from gfactor.api.analyses.item_functioning import dif
    from gfactor.api.analyses.item_pruning import prune_items
    from gfactor.api.analyses.item_response_models import conditional_irt, irt
    from gfactor.api.analyses.m3gia import gia
    from gfactor.api.analyses.model_reports import cfa
    from gfactor.api.analyses.path_models import pls
    from gfactor.api.analyses.planning import plan
    from gfactor.api.analyses.pruning import prune
    from gfactor.api.analyses.q_matrices import audit_q_matrix
    from gfactor.api.analyses.score_forensics import forensics
    from gfactor.api.analyses.structural_models import sem
    from gfactor.api.asking.adaptive_bank import run_adaptive
    from gfactor.api.asking.administering import run
    from gfactor.api.asking.placing_live import place_examinee
    from gfactor.api.asking.profiling import profile, profile_each
    from gfactor.api.asking.ranking import rank_abilities
    from gfactor.api.banks.auditing import audit
    from gfactor.api.banks.forms import form
    from gfactor.api.banks.pushing import push_bank
    from gfactor.api.banks.selecting import select, transform, undo, variants
    from gfactor.api.campaign.calibration_plan import plan_calibration
    from gfactor.api.catalog import available, published
    from gfactor.api.comparisons.benchmark_comparison import compare_benchmarks
    from gfactor.api.comparisons.comparing import compare
    from gfactor.api.comparisons.deciding import compare_sequentially
    from gfactor.api.comparisons.explaining import explain_difference
    from gfactor.api.comparisons.gaps import gap
    from gfactor.api.comparisons.inflating import inflation, inflation_each
    from gfactor.api.comparisons.leaderboards import leaderboard
    from gfactor.api.comparisons.placing import place
    from gfactor.api.comparisons.updating import update_calibration
    from gfactor.api.demonstration import demo
    from gfactor.api.inputs.files import build, open_bank, open_journal
    from gfactor.api.scaffolding import scaffold
    from gfactor.api.scales.calibrating import calibrate, calibrate_each
    from gfactor.api.scales.laboratories import merge_calibrations
    from gfactor.api.scales.norming import norms
    from gfactor.api.scores.correcting import correct_scores
    from gfactor.api.scores.exporting import export
    from gfactor.api.scores.extraction import extract
    from gfactor.api.scores.importing import import_logs, import_scores
    from gfactor.api.scores.results import matrix, report, score
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
    "conditional_irt",
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
    "api.analyses.agreement_and_ranks": ("agreement", "discriminant_validity", "rank_sets"),
    "api.analyses.evidence": ("gtheory",),
    "api.analyses.fit_comparison": ("compare_fits",),
    "api.analyses.internal_consistency": ("consistency", "reliability"),
    "api.analyses.invariance_tests": ("invariance",),
    "api.analyses.item_functioning": ("dif",),
    "api.analyses.item_pruning": ("prune_items",),
    "api.analyses.item_response_models": ("conditional_irt", "irt"),
    "api.analyses.m3gia": ("gia",),
    "api.analyses.model_reports": ("cfa",),
    "api.analyses.path_models": ("pls",),
    "api.analyses.planning": ("plan",),
    "api.analyses.pruning": ("prune",),
    "api.analyses.q_matrices": ("audit_q_matrix",),
    "api.analyses.score_forensics": ("forensics",),
    "api.analyses.structural_models": ("sem",),
    "api.asking.adaptive_bank": ("run_adaptive",),
    "api.asking.administering": ("run",),
    "api.asking.placing_live": ("place_examinee",),
    "api.asking.profiling": ("profile", "profile_each"),
    "api.asking.ranking": ("rank_abilities",),
    "api.banks.auditing": ("audit",),
    "api.banks.forms": ("form",),
    "api.banks.pushing": ("push_bank",),
    "api.banks.selecting": ("select", "transform", "undo", "variants"),
    "api.campaign.calibration_plan": ("plan_calibration",),
    "api.catalog": ("available", "published"),
    "api.comparisons.benchmark_comparison": ("compare_benchmarks",),
    "api.comparisons.comparing": ("compare",),
    "api.comparisons.deciding": ("compare_sequentially",),
    "api.comparisons.explaining": ("explain_difference",),
    "api.comparisons.gaps": ("gap",),
    "api.comparisons.inflating": ("inflation", "inflation_each"),
    "api.comparisons.leaderboards": ("leaderboard",),
    "api.comparisons.placing": ("place",),
    "api.comparisons.updating": ("update_calibration",),
    "api.demonstration": ("demo",),
    "api.inputs.files": ("build", "open_bank", "open_journal"),
    "api.scaffolding": ("scaffold",),
    "api.scales.calibrating": ("calibrate", "calibrate_each"),
    "api.scales.laboratories": ("merge_calibrations",),
    "api.scales.norming": ("norms",),
    "api.scores.correcting": ("correct_scores",),
    "api.scores.exporting": ("export",),
    "api.scores.extraction": ("extract",),
    "api.scores.importing": ("import_logs", "import_scores"),
    "api.scores.results": ("matrix", "report", "score"),
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
    "erm": "conditional_irt",
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

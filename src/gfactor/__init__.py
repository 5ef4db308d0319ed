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

__version__ = "0.2.0"

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

if TYPE_CHECKING:
    from gfactor.api import annotate as annotate
    from gfactor.api import campaign as campaign
    from gfactor.api import datasets as datasets
    from gfactor.api import study as study
    from gfactor.api.analyses.agreement_and_ranks import agreement as agreement
    from gfactor.api.analyses.agreement_and_ranks import (
        discriminant_validity as discriminant_validity,
    )
    from gfactor.api.analyses.agreement_and_ranks import rank_sets as rank_sets
    from gfactor.api.analyses.evidence import gtheory as gtheory
    from gfactor.api.analyses.fit_comparison import compare_fits as compare_fits
    from gfactor.api.analyses.internal_consistency import consistency as consistency
    from gfactor.api.analyses.internal_consistency import reliability as reliability
    from gfactor.api.analyses.invariance_tests import invariance as invariance
    from gfactor.api.analyses.item_functioning import dif as dif
    from gfactor.api.analyses.item_pruning import prune_items as prune_items
    from gfactor.api.analyses.item_response_models import conditional_irt as conditional_irt
    from gfactor.api.analyses.item_response_models import irt as irt
    from gfactor.api.analyses.m3gia import gia as gia
    from gfactor.api.analyses.model_reports import cfa as cfa
    from gfactor.api.analyses.path_models import pls as pls
    from gfactor.api.analyses.planning import plan as plan
    from gfactor.api.analyses.pruning import prune as prune
    from gfactor.api.analyses.q_matrices import audit_q_matrix as audit_q_matrix
    from gfactor.api.analyses.score_forensics import forensics as forensics
    from gfactor.api.analyses.structural_models import sem as sem
    from gfactor.api.asking.adaptive_bank import run_adaptive as run_adaptive
    from gfactor.api.asking.administering import run as run
    from gfactor.api.asking.placing_live import place_examinee as place_examinee
    from gfactor.api.asking.profiling import profile as profile
    from gfactor.api.asking.profiling import profile_each as profile_each
    from gfactor.api.asking.ranking import rank_abilities as rank_abilities
    from gfactor.api.banks.auditing import audit as audit
    from gfactor.api.banks.forms import form as form
    from gfactor.api.banks.pushing import push_bank as push_bank
    from gfactor.api.banks.selecting import select as select
    from gfactor.api.banks.selecting import transform as transform
    from gfactor.api.banks.selecting import undo as undo
    from gfactor.api.banks.selecting import variants as variants
    from gfactor.api.campaign.calibration_plan import plan_calibration as plan_calibration
    from gfactor.api.catalog import available as available
    from gfactor.api.catalog import published as published
    from gfactor.api.comparisons.benchmark_comparison import (
        compare_benchmarks as compare_benchmarks,
    )
    from gfactor.api.comparisons.comparing import compare as compare
    from gfactor.api.comparisons.deciding import compare_sequentially as compare_sequentially
    from gfactor.api.comparisons.explaining import explain_difference as explain_difference
    from gfactor.api.comparisons.gaps import gap as gap
    from gfactor.api.comparisons.inflating import inflation as inflation
    from gfactor.api.comparisons.inflating import inflation_each as inflation_each
    from gfactor.api.comparisons.leaderboards import leaderboard as leaderboard
    from gfactor.api.comparisons.placing import place as place
    from gfactor.api.comparisons.updating import update_calibration as update_calibration
    from gfactor.api.demonstration import demo as demo
    from gfactor.api.inputs.files import build as build
    from gfactor.api.inputs.files import open_bank as open_bank
    from gfactor.api.inputs.files import open_journal as open_journal
    from gfactor.api.scaffolding import scaffold as scaffold
    from gfactor.api.scales.calibrating import calibrate as calibrate
    from gfactor.api.scales.calibrating import calibrate_each as calibrate_each
    from gfactor.api.scales.laboratories import merge_calibrations as merge_calibrations
    from gfactor.api.scales.norming import norms as norms
    from gfactor.api.scores.correcting import correct_scores as correct_scores
    from gfactor.api.scores.exporting import export as export
    from gfactor.api.scores.extraction import extract as extract
    from gfactor.api.scores.importing import import_logs as import_logs
    from gfactor.api.scores.importing import import_scores as import_scores
    from gfactor.api.scores.reporting import report as report
    from gfactor.api.scores.results import matrix as matrix
    from gfactor.api.scores.results import score as score
    from gfactor.benchmarks.chc.shipped import shipped_calibrations as shipped_calibrations
    from gfactor.computing import backend as backend
    from gfactor.psychometrics.class_models import latent_classes as latent_classes
    from gfactor.psychometrics.factor.exploratory.analysis import efa as efa
    from gfactor.psychometrics.factor.suitability import adequacy as adequacy
    from gfactor.psychometrics.irt.scales.calibration_files import (
        read_calibrations as read_calibrations,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__, _ELSEWHERE)

"""M3GIA's general intelligence ability: as published, and tests of its foundations."""

from gfactor.replications.m3gia.battery import (
    INDICATORS,
    POINTS,
    TYPES,
    Counts,
    Unit,
    broad_accuracies,
    read_counts,
)
from gfactor.replications.m3gia.both_routes import (
    LanguageRoutes,
    LanguageSample,
    RouteComparison,
    study,
)
from gfactor.replications.m3gia.conclusions import ConclusionCheck, claims
from gfactor.replications.m3gia.factor_models import (
    MODELS,
    FittedModel,
    factor_scores,
    fit_model,
    score_weights,
)
from gfactor.replications.m3gia.findings import parameter_findings
from gfactor.replications.m3gia.human import HumanSample, read_human
from gfactor.replications.m3gia.human_fit import HeldOut, hold_out
from gfactor.replications.m3gia.published import (
    LANGUAGES,
    ParameterSet,
    compare_table2,
    language_code,
    published_parameters,
    published_table2,
    read_parameters,
)
from gfactor.replications.m3gia.resampling import CountDraws, binomial_draws, item_draws
from gfactor.replications.m3gia.result import Gia
from gfactor.replications.m3gia.route_published import published_gia
from gfactor.replications.m3gia.route_repaired import GiaScale, human_scale, repaired_gia
from gfactor.replications.m3gia.totals import (
    TotalCorrelation,
    size_ablation,
    size_trend,
    total_correlation,
)
from gfactor.replications.m3gia.winner_takes_all import Winners, winners

__all__ = [
    "INDICATORS",
    "LANGUAGES",
    "MODELS",
    "POINTS",
    "TYPES",
    "ConclusionCheck",
    "CountDraws",
    "Counts",
    "FittedModel",
    "Gia",
    "GiaScale",
    "HeldOut",
    "HumanSample",
    "LanguageRoutes",
    "LanguageSample",
    "ParameterSet",
    "RouteComparison",
    "TotalCorrelation",
    "Unit",
    "Winners",
    "binomial_draws",
    "broad_accuracies",
    "claims",
    "compare_table2",
    "factor_scores",
    "fit_model",
    "hold_out",
    "human_scale",
    "item_draws",
    "language_code",
    "parameter_findings",
    "published_gia",
    "published_parameters",
    "published_table2",
    "read_counts",
    "read_human",
    "read_parameters",
    "repaired_gia",
    "score_weights",
    "size_ablation",
    "size_trend",
    "study",
    "total_correlation",
    "winners",
]

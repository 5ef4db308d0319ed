"""GOLD's diagnostics of a benchmark, checks of their conditions, and the score of its table IX."""

from gfactor.psychometrics.gold.checks import chance_inflation, exchangeable, restricted
from gfactor.psychometrics.gold.comparison import (
    BenchmarkComparison,
    BenchmarkScores,
    CorrelationDiagnostics,
    compare_benchmarks,
    diagnostics_of_correlations,
)
from gfactor.psychometrics.gold.diagnostics import BenchmarkDiagnostics, benchmark_diagnostics
from gfactor.psychometrics.gold.model import (
    anchors,
    gold_scores,
    gold_weights,
    measured,
    model_from_columns,
    with_general,
)
from gfactor.psychometrics.gold.precision import (
    TaskItems,
    disattenuated,
    reliabilities,
)

__all__ = [
    "BenchmarkComparison",
    "BenchmarkDiagnostics",
    "BenchmarkScores",
    "CorrelationDiagnostics",
    "TaskItems",
    "anchors",
    "benchmark_diagnostics",
    "chance_inflation",
    "compare_benchmarks",
    "diagnostics_of_correlations",
    "disattenuated",
    "exchangeable",
    "gold_scores",
    "gold_weights",
    "measured",
    "model_from_columns",
    "reliabilities",
    "restricted",
    "with_general",
]

"""What was measured: uncertainty of accuracies, thresholds of size, reliability of scores.

A library of its own: it knows numpy, scipy and pandas, and nothing of items, journals or models.
Names are loaded when they are first asked for: an interval need not wait for path models.
"""

import importlib
from typing import TYPE_CHECKING, Any

from gfactor.psychometrics.classical.consistency import (
    Reliability,
    cronbach_alpha,
    feldt_interval,
    reliability,
    split_half,
)
from gfactor.psychometrics.diagnostic import Diagnostic, gravest_first

if TYPE_CHECKING:
    from gfactor.psychometrics.inference.differences import (
        Difference,
        Differences,
        all_pairs,
        difference,
    )
    from gfactor.psychometrics.inference.intervals import (
        Estimate,
        cluster_bootstrap,
        cluster_t,
        cluster_t_counts,
        jeffreys,
        paired_bootstrap,
        wilson,
    )
    from gfactor.psychometrics.inference.multiplicity import (
        benjamini_hochberg,
        benjamini_yekutieli,
        holm,
        holm_directional,
    )
    from gfactor.psychometrics.inference.ranks import RankSets, rank_sets
    from gfactor.psychometrics.pls import (
        PLSBootstrap,
        PLSFit,
        PLSModel,
        PLSPrediction,
        bootstrap_pls,
        fit_pls,
        parse_pls,
        predict_pls,
    )
    from gfactor.psychometrics.psychophysics.fits import CurveFits, accuracy_at, fit_curves
    from gfactor.psychometrics.validity.assess import DiscriminantValidity, discriminant_validity

__all__ = [
    "CurveFits",
    "Diagnostic",
    "Difference",
    "Differences",
    "DiscriminantValidity",
    "Estimate",
    "PLSBootstrap",
    "PLSFit",
    "PLSModel",
    "PLSPrediction",
    "RankSets",
    "Reliability",
    "accuracy_at",
    "all_pairs",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bootstrap_pls",
    "cluster_bootstrap",
    "cluster_t",
    "cluster_t_counts",
    "cronbach_alpha",
    "difference",
    "discriminant_validity",
    "feldt_interval",
    "fit_curves",
    "fit_pls",
    "gravest_first",
    "holm",
    "holm_directional",
    "jeffreys",
    "paired_bootstrap",
    "parse_pls",
    "predict_pls",
    "rank_sets",
    "reliability",
    "split_half",
    "wilson",
]

_LATER = {
    **dict.fromkeys(
        ["Difference", "Differences", "all_pairs", "difference"],
        "gfactor.psychometrics.inference.differences",
    ),
    **dict.fromkeys(
        ["benjamini_hochberg", "benjamini_yekutieli", "holm", "holm_directional"],
        "gfactor.psychometrics.inference.multiplicity",
    ),
    **dict.fromkeys(
        ["CurveFits", "accuracy_at", "fit_curves"],
        "gfactor.psychometrics.psychophysics.fits",
    ),
    **dict.fromkeys(
        ["RankSets", "rank_sets"],
        "gfactor.psychometrics.inference.ranks",
    ),
    **dict.fromkeys(
        [
            "Estimate",
            "cluster_bootstrap",
            "cluster_t",
            "cluster_t_counts",
            "jeffreys",
            "paired_bootstrap",
            "wilson",
        ],
        "gfactor.psychometrics.inference.intervals",
    ),
    **dict.fromkeys(
        [name for name in __all__ if name.startswith("PLS") or name.endswith("_pls")],
        "gfactor.psychometrics.pls",
    ),
    "DiscriminantValidity": "gfactor.psychometrics.validity.assess",
    "discriminant_validity": "gfactor.psychometrics.validity.assess",
}
"""Names to the modules that have them, for `__getattr__`."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})

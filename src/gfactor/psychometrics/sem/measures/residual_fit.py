"""Root mean square residuals, in the variants that programs print."""

from __future__ import annotations

from gfactor.psychometrics.sem.measures.context import Context, Kind, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family

_WHOLE: dict[Kind, str] = {"two-level": "residuals are those of a level"}
_LEVELS: dict[Kind, str] = {"continuous": "one level", "ordinal": "one level"}

_BENTLER = "Bentler (1995)"
_CORRELATIONS = "Maydeu-Olivares (2017)"
_CORRELATIONS_OF_A_LEVEL = "Bollen (1989), as lavaan for levels"
_MPLUS = "Asparouhov & Muthén (2018)"


def _one(name: str, formula: str, source: str, lacks: dict[Kind, str]) -> Measure:
    return Measure(name, formula, source, needs_df=False, lacks=lacks)


_DECLARED = (
    _one("rmr", "root mean square residual of covariances and means, or of correlations and "
         "thresholds", "Jöreskog & Sörbom (1981)", _WHOLE),
    _one("rmr_nomean", "RMR without means or thresholds", "Jöreskog & Sörbom (1981)", _WHOLE),
    _one("srmr", "srmr_bentler; ordinal: srmr_bentler_nomean; like Mplus: srmr_mplus; two levels: "
         "the sum of both", _BENTLER, {}),
    _one("srmr_bentler", "RMR of residuals in units of the sample's standard deviations",
         _BENTLER, _WHOLE),
    _one("srmr_bentler_nomean", "the same without means or thresholds", _BENTLER, _WHOLE),
    _one("crmr", "RMR of correlations, variances not counted", _CORRELATIONS, _WHOLE),
    _one("crmr_nomean", "the same without means or thresholds", _CORRELATIONS, _WHOLE),
    _one("srmr_mplus", "RMR of correlations, of relative variances and standardized means",
         _MPLUS, _WHOLE),
    _one("srmr_mplus_nomean", "the same without means", _MPLUS, _WHOLE),
    _one("srmr_within", "RMR of correlations within clusters, each matrix in its own standard "
         "deviations; the zeros of the diagonal count", _CORRELATIONS_OF_A_LEVEL, _LEVELS),
    _one("srmr_between", "the same between clusters", _CORRELATIONS_OF_A_LEVEL, _LEVELS),
)  # fmt: skip


@family(*_DECLARED, order=4)
def residual(context: Context) -> Measures:
    """Return residual measures, in lavaan's order."""
    by_name = context.residuals
    return {one.name: by_name[one.name] for one in _DECLARED if one.name in by_name}

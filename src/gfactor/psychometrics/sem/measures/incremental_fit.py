"""Fit relative to the independence model (Bentler 1990; Bollen 1989; McDonald and Marsh 1990).

Robust CFI and TLI: Brosseau-Liard and Savalei (2014); with incomplete data Zhang and Savalei
(2023).
"""

from __future__ import annotations

import math

from gfactor.psychometrics.sem.measures.context import Context, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family
from gfactor.psychometrics.sem.measures.incomplete import corrected

Pair = tuple[float, float]
"""A chi-square and its reference: its degrees of freedom, times their correction."""


_NOTHING = 1e-9
"""A chi-square that is only rounding: of a model and a baseline that both fit exactly."""


def _cfi(model: Pair, base: Pair) -> float:
    excess = max(model[0] - model[1], 0.0)
    worst = max(excess, base[0] - base[1], 0.0)
    return 1.0 if worst < _NOTHING else 1 - excess / worst


def _tli(model: Pair, base: Pair, df: float, df_base: float) -> float:
    if df <= 0:
        return 1.0
    below = (base[0] - base[1]) * df
    return math.nan if below == 0 else 1 - (model[0] - model[1]) * df_base / below


def _rni(model: Pair, base: Pair) -> float:
    below = base[0] - base[1]
    return math.nan if below == 0 else 1 - (model[0] - model[1]) / below


def _ifi(chisq: float, df: float, worst: float) -> float:
    if worst == df:
        return math.nan
    return 1.0 if worst < df else (worst - chisq) / (worst - df)


def _others(model: Pair, base: Pair) -> Measures:
    (chisq, df), (worst, df_base) = model, base
    nfi = (worst - chisq) / worst if df > 0 and worst else 1.0
    rfi = 1.0
    # As in lavaan, RFI is 1 for a model that fits worse per degree of freedom than independence.
    if df > 0 and df_base > 0 and worst / df_base >= chisq / df and worst:
        rfi = (worst / df_base - chisq / df) / (worst / df_base)
    return {
        "rfi": rfi,
        "nfi": nfi,
        "pnfi": df / df_base * (worst - chisq) / worst if worst and df_base else math.nan,
        "ifi": _ifi(chisq, df, worst),
        "rni": _rni(model, base),
    }


def _robust(context: Context | None) -> tuple[Pair, Pair] | None:
    """Chi-squares and corrected degrees of freedom of the robust variants."""
    if context is None:
        return None
    test, base = context.exact, context.baseline_exact
    if context.problem.options.full_information:
        model, null = corrected(context.estimated), corrected(context.baseline)
        if model is None or null is None:
            return None
        return (model[0], model[1] * test.df), (null[0], null[1] * base.df)
    if test.name == "mean.var.adjusted" or test.mean_factor is None or base.mean_factor is None:
        return None
    own_df = test.mean_factor * test.df if test.df else 0.0
    return (test.chisq, own_df), (base.chisq, base.mean_factor * base.df)


_SCALED = ("scaled",)
_ROBUST = ("scaled", "robust")


@family(
    Measure("cfi", "1 - max(T - df, 0) / max(T - df, T_b - df_b, 0)", "Bentler (1990)", _ROBUST),
    Measure("tli", "(T_b / df_b - T / df) / (T_b / df_b - 1)", "Tucker & Lewis (1973)", _ROBUST),
    Measure("nnfi", "TLI by its other name", "Bentler & Bonett (1980)", _ROBUST),
    Measure("rfi", "(T_b / df_b - T / df) / (T_b / df_b)", "Bollen (1986)", _SCALED),
    Measure("nfi", "(T_b - T) / T_b", "Bentler & Bonett (1980)", _SCALED),
    Measure("pnfi", "df / df_b NFI", "James, Mulaik & Brett (1982)", _SCALED),
    Measure("ifi", "(T_b - T) / (T_b - df)", "Bollen (1989)", _SCALED),
    Measure("rni", "1 - (T - df) / (T_b - df_b)", "McDonald & Marsh (1990)", _ROBUST),
    order=1,
)
def incremental(context: Context) -> Measures:
    """Return CFI, TLI and other incremental indices: plain, scaled, robust."""
    test, base = context.exact, context.baseline_exact
    plain: Pair = (test.chisq, float(test.df))
    null: Pair = (base.chisq, float(base.df))
    measures: Measures = {"cfi": _cfi(plain, null), "tli": _tli(plain, null, test.df, base.df)}
    late: Measures = {"nnfi": measures["tli"], **_others(plain, null)}
    if test.scaled is not None and base.scaled is not None:
        scaled: Pair = (test.scaled, float(test.df_scaled or 0))
        null_scaled: Pair = (base.scaled, float(base.df_scaled or 0))
        measures["cfi.scaled"] = _cfi(scaled, null_scaled)
        measures["tli.scaled"] = _tli(scaled, null_scaled, scaled[1], null_scaled[1])
        late["nnfi.scaled"] = measures["tli.scaled"]
        late |= {f"{name}.scaled": v for name, v in _others(scaled, null_scaled).items()}
    robust = _robust(context.robust)
    if robust is not None:
        model, worst = robust
        measures["cfi.robust"] = _cfi(model, worst)
        measures["tli.robust"] = _tli(model, worst, test.df, base.df)
        late["nnfi.robust"] = measures["tli.robust"]
        late["rni.robust"] = _rni(model, worst)
    return {**measures, **late}

"""Tests of exact fit of the model and of the independence model."""

from __future__ import annotations

from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.measures.context import Context, Measures, family


def _of(test: ExactFit, prefix: str) -> Measures:
    measures: Measures = {
        f"{prefix}chisq": test.chisq,
        f"{prefix}df": float(test.df),
        f"{prefix}pvalue": test.pvalue,
    }
    if test.scaled is not None:
        measures[f"{prefix}chisq.scaled"] = test.scaled
        measures[f"{prefix}df.scaled"] = test.df_scaled
        measures[f"{prefix}pvalue.scaled"] = test.pvalue_scaled
        measures[f"{prefix}chisq.scaling.factor"] = test.factor
    return measures


@family(0)
def chisquare(context: Context) -> Measures:
    """Number of parameters, minimum, chi-squares; of the independence model too."""
    return {
        "npar": float(context.problem.n_parameters),
        "fmin": float(cleared(context.estimated.value_by_share)),
        **_of(context.exact, ""),
        **_of(context.baseline_exact, "baseline."),
    }

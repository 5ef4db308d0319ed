"""Tests of exact fit of the model and of the independence model."""

from __future__ import annotations

from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.measures.context import Context, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family

_JORESKOG = "Jöreskog (1969); scaled: Satorra & Bentler (1994)"


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


def _declared(prefix: str, model: str, t: str) -> tuple[Measure, ...]:
    """The four measures of a test, of the model or of another."""
    return (
        Measure(f"{prefix}chisq", f"{t} = 2 n F, F the {model} minimum",
                _JORESKOG, ("scaled",), needs_df=False),
        Measure(f"{prefix}df", f"moments - parameters of the {model} model",
                "", ("scaled",), needs_df=False),
        Measure(f"{prefix}pvalue", f"P(chi-square(df) > {t})",
                "", ("scaled",), needs_df=False),
        Measure(f"{prefix}chisq.scaling.factor", f"{t} / its scaled value",
                "Satorra & Bentler (1994)", needs_df=False, given="a scaled test"),
    )  # fmt: skip


@family(
    Measure("npar", "free parameters - equality constraints", needs_df=False),
    Measure("fmin", "F, the minimum of half the discrepancy", needs_df=False),
    *_declared("", "fitted", "T"),
    *_declared("baseline.", "independence", "T_b"),
    order=0,
)
def chisquare(context: Context) -> Measures:
    """Return number of parameters, minimum, chi-squares; of the independence model too."""
    return {
        "npar": float(context.problem.n_parameters),
        "fmin": float(cleared(context.estimated.value_by_share)),
        **_of(context.exact, ""),
        **_of(context.baseline_exact, "baseline."),
    }


@family(
    Measure("pvalue.bollen.stine", "share of resamples with a larger T", "Bollen & Stine (1992)",
            needs_df=False, given='test="bollen.stine"', in_lavaan=False,
            lacks={"ordinal": "the bootstrap moves continuous cases to the model",
                   "two-level": "the bootstrap draws independent cases"}),
    order=9,
)  # fmt: skip
def bollen_stine(context: Context) -> Measures:
    """Return the p-value from resamples, if the options ask for them."""
    return {} if context.drawn_p is None else {"pvalue.bollen.stine": context.drawn_p()}

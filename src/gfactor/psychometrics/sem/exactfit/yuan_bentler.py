"""Statistics for MLR, with complete or incomplete data (Yuan and Bentler 2000)."""

from __future__ import annotations

import math

from gfactor.psychometrics.sem.exactfit.result import ExactFit, corrected, plain, registered
from gfactor.psychometrics.sem.exactfit.satorra_bentler import traces
from gfactor.psychometrics.sem.inference.estimated import Estimated


def _corrections(estimated: Estimated) -> tuple[float, float]:
    """What corrects the log-likelihood of the unrestricted model, and that of the model."""
    problem = estimated.problem
    inverse = estimated.restricted_inverse(estimated.information(1))
    kind = str(problem.options.information[1])
    h1 = sum(estimated.saturated(g).trace_by(kind) for g in range(len(problem.sample.groups)))
    return h1, float((inverse * estimated.first_order(1)).sum())


def _with_corrections(
    name: str, estimated: Estimated, factor: float, scaled: float, h1: float, h0: float
) -> ExactFit:
    problem = estimated.problem
    return corrected(
        name,
        plain(estimated),
        factor,
        scaled,
        h1_factor=h1 / problem.n_moments,
        h0_factor=h0 / problem.structure.n_free,
    )


@registered("yuan.bentler.mplus")
def yuan_bentler_mplus(estimated: Estimated) -> ExactFit:
    """The difference of the two log-likelihoods' own corrections, as Mplus reports it; those of
    the unrestricted model are always taken at the sample's moments. As in lavaan, the factor of the
    model's is by free parameters before equality constraints."""
    chisq, df, _ = plain(estimated)
    h1, h0 = _corrections(estimated)
    factor = (h1 - h0) / df if df else math.nan
    # A negative correction has no meaning; it is shown, but nothing is divided by it.
    usable = df > 0 and factor > 0
    scaled = chisq / factor if usable else (math.nan if df else 0.0)
    return _with_corrections("yuan.bentler.mplus", estimated, factor, scaled, h1, h0)


@registered("yuan.bentler")
def yuan_bentler(estimated: Estimated) -> ExactFit:
    """T2* of Yuan and Bentler: the correction from the residual part of the weight matrix."""
    chisq, df, _ = plain(estimated)
    factor = traces(estimated)[0] / df if df else math.nan
    scaled = chisq / factor if df else 0.0
    return _with_corrections("yuan.bentler", estimated, factor, scaled, *_corrections(estimated))

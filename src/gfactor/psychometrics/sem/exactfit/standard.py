"""The minimum itself, times the number of cases."""

from __future__ import annotations

from gfactor.psychometrics.sem.exactfit.result import ExactFit, plain, registered
from gfactor.psychometrics.sem.inference.estimated import Estimated


@registered("standard", "none", "bollen.stine")
def standard(estimated: Estimated) -> ExactFit:
    """Likelihood ratio (ML) or minimum distance (GLS, WLS); of Bollen and Stine's test only the
    p-value is another, from resamples (`Fit.measures`)."""
    return ExactFit("standard", *plain(estimated))

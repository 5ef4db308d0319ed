"""The minimum itself, times the number of cases."""

from __future__ import annotations

from gfactor.psychometrics.sem.exactfit.result import ExactFit, plain, registered
from gfactor.psychometrics.sem.inference.estimated import Estimated


@registered("standard", "none")
def standard(estimated: Estimated) -> ExactFit:
    """Likelihood ratio (ML) or minimum distance (GLS, WLS)."""
    return ExactFit("standard", *plain(estimated))

"""A fit whose standard errors are the bootstrap's says what became of the resamples."""

from __future__ import annotations

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.fitted import Fit, inspector


@inspector
def resampled(fit: Fit) -> tuple[Diagnostic, ...]:
    """Failed, infinite and improper resamples; nothing for other standard errors."""
    return fit.bootstrapped.diagnostics if fit.options.se == "bootstrap" else ()

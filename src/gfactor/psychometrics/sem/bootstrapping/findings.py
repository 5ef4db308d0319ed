"""What a bootstrap has to say about resamples without a proper solution."""

from __future__ import annotations

from collections.abc import Iterator

from gfactor.psychometrics.diagnostic import Diagnostic, Severity
from gfactor.psychometrics.sem.batches import FAILED, IMPROPER, INFINITE, ManyFits
from gfactor.psychometrics.sem.fitted import Fit

_MANY = 0.05
"""Share of resamples from which on an improper end is no accident of a few draws."""
_SHOWN = 4


def _told(fits: ManyFits, kind: str) -> str:
    reasons = list(fits.reasons(kind).items())
    told = "; ".join(f"{reason}: {count}" for reason, count in reasons[:_SHOWN])
    rest = sum(count for _, count in reasons[_SHOWN:])
    return told + (f"; others: {rest}" if rest else "")


def findings(fit: Fit, fits: ManyFits) -> Iterator[Diagnostic]:
    """Failed, infinite and improper resamples, with their shares and reasons; a fit that is itself
    not converged."""
    asked = len(fits)
    if not fit.converged:
        yield Diagnostic(
            "bootstrap_of_no_minimum",
            "error",
            f"The model's own fit did not end in a minimum ({fit.convergence.sentence}).",
            "Repair the model first; its bootstrap describes other solutions than its estimates.",
        )
    failed = fits.count(FAILED)
    if failed > 0.02 * asked:
        yield Diagnostic(
            "resamples_lost",
            "error" if failed > 0.2 * asked else "warning",
            f"{failed} of {asked} resamples gave no fit ({_told(fits, FAILED)}).",
            "The intervals stand for the others only and are too narrow; simplify the model.",
            values={"asked": asked, "lost": failed},
        )
    infinite = fits.count(INFINITE)
    if infinite:
        yield Diagnostic(
            "resamples_at_infinity",
            _grave(infinite / asked),
            f"In {infinite} of {asked} resamples the solution lies at infinity "
            f"({_told(fits, INFINITE)}).",
            "Intervals of the slopes concerned may end at infinity, and they have no standard "
            "error; read the standardized solution, or identify by markers instead of std_lv.",
            values={"asked": asked, "at_infinity": infinite},
        )
    improper = fits.count(IMPROPER)
    if improper:
        yield Diagnostic(
            "resamples_improper",
            _grave(improper / asked),
            f"{improper} of {asked} resamples gave an improper solution ({_told(fits, IMPROPER)}).",
            "They are kept, since intervals without them would be too narrow; many of them say "
            "that the sample is small for the model, or the model wrong.",
            values={"asked": asked, "improper": improper},
        )


def _grave(share: float) -> Severity:
    return "warning" if share > _MANY else "note"

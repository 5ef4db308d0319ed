"""What speaks against reading a simulation study."""

from __future__ import annotations

from gfactor.psychometrics.diagnostic import Diagnostic, gravest_first
from gfactor.psychometrics.sem.batches import FAILED, INFINITE
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.simulation.result import Replications

_MISFIT = 1e-8
_MANY = 0.05


def findings(reference: Fit, runs: Replications, alone: bool) -> tuple[Diagnostic, ...]:
    """A model that does not hold, samples that are not in the averages, few replications."""
    found = []
    if reference.outcome.value > _MISFIT:
        found.append(
            Diagnostic(
                "pseudo_true_values",
                "note",
                "The model does not hold in the population (its discrepancy there is "
                f"{2 * reference.outcome.value:.3g}).",
                "Bias and coverage are about the values that the model tends to in large samples.",
            )
        )
    total = len(runs)
    for kind, code in ((FAILED, "samples_failed"), (INFINITE, "samples_at_infinity")):
        count = int((runs.kind == kind).sum())
        if count:
            reasons = "; ".join(f"{k}: {v}" for k, v in list(runs.reasons(kind).items())[:3])
            found.append(
                Diagnostic(
                    code,
                    "warning" if count > _MANY * total else "note",
                    f"{count} of {total} samples are not in the averages ({reasons}).",
                    "Read bias and coverage as those of the other samples; a larger n or another "
                    "identification (markers instead of std_lv) loses fewer.",
                    values={"samples": total, "lost": count},
                )
            )
    if total < 200:
        found.append(
            Diagnostic(
                "few_replications",
                "note",
                f"{total} replications tell a coverage of 95 % to "
                f"{196 * (0.95 * 0.05 / total) ** 0.5:.1f} points only.",
                "Take 1000"
                + (" (this study is fitted sample by sample; be patient)." if alone else "."),
            )
        )
    return gravest_first(found)

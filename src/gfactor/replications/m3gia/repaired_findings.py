"""What speaks against the repaired scores, too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.replications.m3gia.battery import INDICATORS, Counts
from gfactor.replications.m3gia.factor_models import FittedModel
from gfactor.replications.m3gia.human import HumanSample
from gfactor.replications.m3gia.published import LANGUAGES

_PER_PARAMETER = 5
FAR = 4.0
"""Human standard deviations from the human mean beyond which a score is extrapolation."""

_FEW_FAILURES = 0.02


def human_findings(
    model: FittedModel,
    human: HumanSample,
    counts: Counts,
    failed: int,
    tried: int,
    language: str,
) -> Iterator[Diagnostic]:
    """Findings on the model of the human data and on scoring `counts` with it."""
    name = LANGUAGES.get(language, language)
    broad = [n.split("~~")[0] for n in model.boundary if n.split("~~")[0] not in INDICATORS]
    edge = [n.split("~~")[0] for n in model.boundary if n.split("~~")[0] in INDICATORS]
    if broad:
        yield Diagnostic(
            "disturbance_at_zero",
            "warning",
            f"In the {name} human data {', '.join(broad)} cannot be told from the general factor: "
            "the disturbance is held at zero, the data would have it negative.",
            "Do not interpret it as a factor of its own.",
            tuple(broad),
        )
    if edge:
        yield Diagnostic(
            "heywood_case",
            "warning",
            f"In the {name} human data the residual variance of {', '.join(edge)} is held at zero; "
            "the data would have it negative.",
            "Collect more persons; the indicator is taken to measure its factor without error.",
            tuple(edge),
        )
    if human.n < _PER_PARAMETER * model.free:
        yield Diagnostic(
            "n_against_parameters",
            "warning",
            f"The {name} model has {model.free} free parameters and {human.n} persons; "
            f"{_PER_PARAMETER} per parameter are usually asked for.",
            "Look at the intervals, which hold the persons' sampling; collect more persons.",
            (),
            {"n": human.n, "free_parameters": model.free},
        )
    weights = model.weights()
    negative = [i for i, w in zip(INDICATORS, weights, strict=True) if w < -1e-6]
    if negative:
        yield Diagnostic(
            "negative_weight",
            "warning",
            f"More right answers lower the {name} GIA on {', '.join(negative)}.",
            "The weight is within its sampling error of zero; more persons decide.",
            tuple(negative),
        )
    yield from _far(human, counts, name)
    if failed > _FEW_FAILURES * tried:
        yield Diagnostic(
            "failed_resamples",
            "warning",
            f"{failed} of {tried} resamples of the {name} persons have no proper solution and were "
            "left out; mostly a question type did not vary among the persons drawn.",
            "Intervals are too narrow by what these would have added.",
            (),
            {"failed": failed, "tried": tried},
        )


def _far(human: HumanSample, counts: Counts, name: str) -> Iterator[Diagnostic]:
    x = human.values
    z = (counts.values - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    far = np.abs(z) > FAR
    if far.any():
        row, column = np.unravel_index(np.abs(z).argmax(), z.shape)
        where = [INDICATORS[c] for c in np.flatnonzero(far.any(axis=0))]
        yield Diagnostic(
            "extrapolation",
            "warning",
            f"{int(far.any(axis=1).sum())} of {len(z)} models lie more than {FAR:g} human "
            f"standard deviations from the {name} mean on {', '.join(where)}; the farthest is "
            f"{counts.table.index[row]} with {z[row, column]:.0f} on {INDICATORS[column]}.",
            "No person is there; the linear score is extrapolated.",
            tuple(where),
            {"farthest": float(z[row, column])},
        )

"""Diagnostics of a placed model, to be read before its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.placing import EffectPosterior
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.results import number_of

_MISFIT_Z = 3.0
_FEW = 10
_UNUSUAL = 2.0
"""Robust standard deviations of the calibrated models by which a loss of easy items is unusual."""
_SURE = 1.645
_NORMAL_MAD = 1.4826


class PredictedScore(NamedTuple):
    """Predicted share of right answers with its interval, and the number of items asked."""

    accuracy: float
    ci_lower: float
    ci_upper: float
    asked: int


def diagnostics_of_placement(
    anchors: Anchors, who: str, belief: EffectPosterior, predicted: Sequence[PredictedScore],
    asked_rows: Sequence[Mapping[str, Any]], usual: Floats,
) -> list[Diagnostic]:  # fmt: skip
    """Return diagnostics of one placed model: misfit, failed easy items, range, few answers.

    `usual` has the probability of a right answer to each question under a normal prior.
    """
    diagnostics = []
    x = np.array([entry["answer"] for entry in asked_rows], dtype=np.float64)
    p = np.clip(usual, 1e-6, 1 - 1e-6)
    fit = np.log(np.where(x > 0, p, 1 - p)) - (p * np.log(p) + (1 - p) * np.log1p(-p))
    spread = float(np.sqrt((p * (1 - p) * special.logit(p) ** 2).sum()))
    z = float(fit.sum()) / spread if spread > 0 else 0.0
    if len(x) >= _FEW and z < -_MISFIT_Z:
        diagnostics.append(Diagnostic(
            "model_misfit", "warning",
            f"The answers of {who} fit the scale badly (z = {z:.1f}): hard items right, easy ones "
            "wrong.",
            "Look at its replies; where the scoring rules could not read them, score them again.",
            (who,), {"z": z},
        ))  # fmt: skip
    for b, (benchmark, one) in enumerate(zip(anchors.benchmarks, predicted, strict=True)):
        missed = any(row["benchmark"] == benchmark.name and not row["answer"]
                     and row["probability"] > 0.5 for row in asked_rows)  # fmt: skip
        if missed and loses_easy_items(anchors, b, belief):
            diagnostics.append(Diagnostic(
                "easy_items_lost", "warning",
                f"{who} misses more easy items of {benchmark.name} than its ability explains, and "
                "more than nearly all calibrated models.",
                "Look at its wrong answers to easy items; where the scoring rules could not read "
                "the reply, score it again.",
                (who, benchmark.name), {"asked": one.asked},
            ))  # fmt: skip
        diagnostics += _beyond_range(anchors, b, who, one)
        if 0 < one.asked < _FEW:
            diagnostics.append(Diagnostic(
                "few_items", "note",
                f"{who} answered {number_of(one.asked, 'item')} of {benchmark.name}; the "
                + ("prediction rests on the other benchmarks, too." if one.asked < len(asked_rows)
                   else "prediction rests on the calibrated models nearly alone."),
                "Ask at least ten.", (who, benchmark.name), {"asked": one.asked},
            ))  # fmt: skip
    return diagnostics


def _beyond_range(anchors: Anchors, b: int, who: str, one: PredictedScore) -> list[Diagnostic]:
    """Say that a prediction, or the end of its interval, lies beyond the calibrated models."""
    name = anchors.benchmarks[b].name
    seen = anchors.models[f"accuracy:{name}"].dropna().to_numpy(np.float64)
    lowest, highest = float(seen.min()), float(seen.max())
    above = one.ci_upper > highest
    if not one.asked or not (above or one.ci_lower < lowest):
        return []
    if one.asked >= len(anchors.benchmarks[b].items):
        if lowest <= one.accuracy <= highest:
            return []
        beyond = "above" if one.accuracy > highest else "below"
        return [Diagnostic(
            "beyond_range", "warning",
            f"{who} has {one.accuracy:.3f} of all {one.asked:,} items of {name} right, {beyond} "
            f"all calibrated models ({lowest:.3f} to {highest:.3f}).",
            "Its ability is extrapolated; its score is not.", (who, name),
            {"accuracy": one.accuracy},
        )]  # fmt: skip
    surely = one.accuracy > highest or one.accuracy < lowest
    bound, end = (highest, one.ci_upper) if above else (lowest, one.ci_lower)
    verb = "is predicted" if surely else "may lie"
    return [Diagnostic(
        "beyond_range", "warning" if surely else "note",
        f"{who} {verb} {'above' if above else 'below'} all calibrated models on {name}: predicted "
        f"{one.accuracy:.3f}, the interval ends at {end:.3f}, calibrated models at {bound:.3f}.",
        "Curves are extrapolated there, and predictions are drawn toward the calibrated models; "
        "ask more questions.",
        (who, name), {"accuracy": one.accuracy},
    )]  # fmt: skip


def loses_easy_items(anchors: Anchors, b: int, belief: EffectPosterior) -> bool:
    """Return True if a model clearly fails more easy items of a benchmark than calibrated models.

    Unreadable replies make easy items wrong as often as hard ones. The model's loss is compared
    with the median of the calibrated models, in units of their median absolute deviation.
    """
    benchmark = anchors.benchmarks[b]
    others = anchors.models[f"easy:{benchmark.name}"].dropna().to_numpy(np.float64)
    middle = float(np.median(others))
    scale = _NORMAL_MAD * float(np.median(np.abs(others - middle)))
    position = len(benchmark.effect_names) * b + benchmark.effect_names.index("easy")
    highest = belief.mean[position] + _SURE * np.sqrt(belief.covariance[position, position])
    return bool(highest < middle - _UNUSUAL * scale)

"""A model estimated in B samples, with all stages combined; results and resamples use it.

After a two-stage estimation the constructs are those of the last stage, then the parts of the
first; the items are the last stage's columns, then the parts' indicators (seminr's order).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.pls.correction import consistent
from gfactor.psychometrics.pls.design import Design, Floats
from gfactor.psychometrics.pls.iteration import Estimates, Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.stages import (
    CorrelationSamples,
    Interaction,
    SecondOrder,
    Stage,
    estimate_model,
)


@dataclass(frozen=True, eq=False)
class PathSettings:
    """Settings of the estimation of a model; see `fit_pls`."""

    scheme: Scheme = "path"
    second_order: SecondOrder = "two-stage"
    interaction: Interaction = "two-stage"
    consistent: bool = False
    sign: Literal["sum", "first", "none"] = "sum"
    tolerance: float = 1e-10
    max_iterations: int = 3000


@dataclass(frozen=True, eq=False)
class PathSolution:
    """Estimates in B samples, q items and J constructs.

    Parameters
    ----------
    items: parts of the constructs: columns, parts of a second-order construct, products.
    r: (B, q, q), correlations of the items.
    estimates: the estimates, corrected if `consistent`; parts have no paths.
    plain: the estimates before that correction.
    units: standard deviations of products before standardizing, by item, (B,).
    scores: (B, n, J) standardized scores if the rows were given, else None.
    last: constructs of the last stage; those that follow are parts.
    """

    items: tuple[str, ...]
    r: Floats
    estimates: Estimates
    plain: Estimates
    units: dict[str, Floats]
    scores: Floats | None
    last: int

    @property
    def constructs(self) -> tuple[str, ...]:
        return self.estimates.design.constructs

    @property
    def design(self) -> Design:
        return self.estimates.design


def solve(model: PLSModel, sample: CorrelationSamples, settings: PathSettings) -> PathSolution:
    """Estimate a model for a batch of samples; see `estimate_model` for the stages."""
    chosen: dict[str, Any] = {
        "scheme": settings.scheme,
        "sign": settings.sign,
        "tolerance": settings.tolerance,
        "max_iterations": settings.max_iterations,
    }
    stages = estimate_model(
        model,
        sample,
        second_order=settings.second_order,
        interaction=settings.interaction,
        **chosen,
    )
    last, staged = stages[-1], bool(model.parts) and settings.second_order == "two-stage"
    plain, items, joint = last.estimates, last.names, last.sample
    if staged:
        plain, items, joint = _joined(model, stages[0], last)
    scores = None if joint.z is None else joint.z @ plain.weight_matrix()
    estimates = consistent(plain) if settings.consistent else plain
    j = len(last.estimates.design.constructs)
    return PathSolution(items, joint.r, estimates, plain, last.units, scores, j)


def _joined(
    model: PLSModel, first: Stage, last: Stage
) -> tuple[Estimates, tuple[str, ...], CorrelationSamples]:
    """The last stage, with the parts of the first stage and their indicators added."""
    before, after = first.estimates.design, last.estimates.design
    parts = [j for j, name in enumerate(before.constructs) if name in model.parts]
    indicators = np.flatnonzero(np.isin(before.owner, parts))
    number = {j: len(after.constructs) + i for i, j in enumerate(parts)}
    design = Design(
        after.constructs + tuple(before.constructs[j] for j in parts),
        np.concatenate([after.owner, [number[int(j)] for j in before.owner[indicators]]]).astype(
            np.intp
        ),
        after.modes + tuple(before.modes[j] for j in parts),
        np.pad(after.arrows, (0, len(parts))),
    )
    items = last.names + tuple(first.names[i] for i in indicators)
    sample = _joint_sample(first, last, indicators)
    weights = np.concatenate(
        [last.estimates.weights, first.estimates.weights[:, indicators]], axis=1
    )
    wide = weights[:, :, None] * design.member
    cross = sample.r @ wide
    padding = (0, len(parts))
    correlations = np.swapaxes(wide, 1, 2) @ cross
    j = np.arange(len(design.constructs))
    correlations[:, j, j] = 1.0
    joined = Estimates(
        design,
        weights,
        einsum("bpj,pj->bp", cross, design.member),
        cross,
        correlations,
        np.pad(last.estimates.paths, ((0, 0), padding, padding)),
        np.pad(last.estimates.r2, ((0, 0), padding)),
        last.estimates.iterations,
        np.maximum(last.estimates.change, first.estimates.change),
        last.estimates.converged & first.estimates.converged,
    )
    return joined, items, sample


def _joint_sample(first: Stage, last: Stage, indicators: np.ndarray) -> CorrelationSamples:
    if first.sample.z is not None and last.sample.z is not None:
        z = np.concatenate([last.sample.z, first.sample.z[:, :, indicators]], axis=2)
        return CorrelationSamples(np.swapaxes(z, 1, 2) @ z / (z.shape[1] - 1), z)
    # Every column of the last stage is a column or a score of the first.
    b, p = first.estimates.weights.shape
    transform = np.zeros((b, p, len(last.names) + len(indicators)))
    for k, name in enumerate(last.names):
        if name in first.names:
            transform[:, first.names.index(name), k] = 1.0
        else:
            j = first.estimates.design.constructs.index(name)
            transform[:, :, k] = first.estimates.weight_matrix()[:, :, j]
    transform[:, indicators, len(last.names) + np.arange(len(indicators))] = 1.0
    return first.sample.mapped(transform)

"""What speaks against factor scores: data on another scale, improper solutions, no determinacy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.model import GroupPoint

Array = NDArray[np.float64]

FAR = 3.0
"""A column whose mean is this many of the model's standard deviations from the model's mean."""

SPREAD = 3.0
"""A column whose spread is this many times the model's, or a third of it and less."""

DETERMINATE = 0.8
"""Below it, scores that fit equally well can correlate under .28 (2 d^2 - 1); Gorsuch (1983) asks
for this much, and .9 where single persons are judged."""


def scale_checks(
    point: GroupPoint, rows: Array, names: Sequence[str], where: str
) -> Iterator[Diagnostic]:
    """Whether new rows, shape (n, p), lie where the model's variables do."""
    with np.errstate(invalid="ignore"):
        counts = (~np.isnan(rows)).sum(axis=0)
        sums = np.where(np.isnan(rows), 0.0, rows).sum(axis=0)
    used = counts > 0
    if not used.any():
        return
    sd = np.sqrt(np.diag(point.sigma))
    means = np.where(used, sums / np.maximum(counts, 1), point.mu)
    away = (means - point.mu) / sd
    spread = np.ones(len(sd))
    for k in np.flatnonzero(counts > 4):
        spread[k] = float(np.nanstd(rows[:, k])) / sd[k]
    far = used & (np.abs(away) > FAR)
    wide = used & ((spread > SPREAD) | ((spread < 1 / SPREAD) & (counts > 4)))
    values = {name: round(float(away[k]), 3) for k, name in enumerate(names) if used[k]}
    worst = int(np.argmax(np.where(used, np.abs(away), -1.0)))
    other_scale = np.median(np.abs(away[used])) > FAR or (
        np.median(np.abs(np.log(np.maximum(spread[used], 1e-12)))) > np.log(SPREAD)
        and (counts[used] > 4).all()
    )
    if other_scale:
        yield Diagnostic(
            "scores_on_another_scale",
            "error",
            f"The rows to be scored{where} are not on the scale of the fit: their means lie up to "
            f"{abs(away[worst]):.1f} of the model's standard deviations away ({names[worst]}), "
            f"{int(far.sum())} of {int(used.sum())} columns more than {FAR:.0f}.",
            "Bring the rows to the scale of the data that were fitted (for a model of z-scores: "
            "subtract that sample's means and divide by its standard deviations), or fit the "
            "model to data on this scale.",
            _where(names, far | wide),
            values,
        )
    elif far.any():
        yield Diagnostic(
            "scores_extrapolate",
            "warning",
            f"The rows to be scored{where} lie far outside the data of the fit in "
            f"{', '.join(_where(names, far))}: up to {abs(away[worst]):.1f} "
            f"standard deviations ({names[worst]}).",
            "Read these scores as extrapolations of the model, or leave these variables out.",
            _where(names, far),
            values,
        )


def solution_checks(
    point: GroupPoint, method: str, latent: Sequence[str], precision: Array, where: str
) -> Iterator[Diagnostic]:
    """Whether the model's own solution carries scores; `precision` are the determinacies."""
    observed = point.structure.observed
    residual = np.diag(point.theta)
    shown = ~np.any(point.loading[:, point.structure.n_true_latent :] != 0, axis=1)
    negative = _where(observed, (residual < 0) & shown)
    if negative:
        yield Diagnostic(
            "scores_from_heywood_case",
            "error" if method == "bartlett" else "warning",
            f"The scores{where} come from a solution with negative residual variances "
            f"({', '.join(negative)}), which no population can have.",
            "Fit a model with a proper solution (bounds = 'standard', or fewer factors) before "
            "anybody is scored.",
            negative,
            dict(zip(negative, residual[(residual < 0) & shown].tolist(), strict=True)),
        )
    weak = [k for k, d in enumerate(precision) if np.isnan(d) or d < DETERMINATE]
    if weak:
        listed = ", ".join(f"{latent[k]} {precision[k]:.2f}" for k in weak)
        yield Diagnostic(
            "scores_indeterminate",
            "warning",
            f"The data determine these latent variables poorly{where} (correlation of score and "
            f"latent variable): {listed}.",
            "Do not rank persons by these scores; work with the latent variables in the model, or "
            "add indicators.",
            tuple(latent[k] for k in weak),
            {latent[k]: float(precision[k]) for k in weak if not np.isnan(precision[k])},
        )
    own = np.any(point.loading != 0, axis=0)[: len(latent)]
    if method == "bartlett" and not own.all():
        names = _where(latent, ~own)
        yield Diagnostic(
            "no_bartlett_scores",
            "warning",
            f"There are no Bartlett scores of {', '.join(names)}{where}, which have no indicators "
            "of their own; the column holds the latent mean.",
            "Use regression scores for factors of factors.",
            names,
        )


def _where(names: Sequence[str], mask: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, chosen in zip(names, mask, strict=True) if chosen)

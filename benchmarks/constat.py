"""ConStat's test of one model, written from its paper, for comparison with `gf.inflation`.

Dekoninck, J., Mueller, M. N., Vechev, M. (2024). ConStat: performance-based contamination detection
in large language models. arXiv:2405.16281.

As the paper describes it: a smoothing spline through the references' accuracies on the fresh and
the public form, with a model that guesses at chance added, says what public accuracy to expect of
the examinee; the statistic is its public accuracy less that. References, and items of both forms,
are drawn with replacement; p is the share of pivotal draws (twice the estimate less the draw) that
are at or below the threshold, here 0. The smoothness of every spline is chosen by generalized
cross-validation; beyond the references it is constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

Floats = NDArray[np.float64]

DRAWS = 100


def constat(
    public: Floats, fresh: Floats, rng: np.random.Generator, *, guess: float = 0.25
) -> tuple[float, float]:
    """Return the estimate (share) and p; rows are models, the first of them the examinee."""
    estimate = _beyond(public.mean(axis=1), fresh.mean(axis=1), guess)
    models, replicas = len(public), np.empty(DRAWS)
    for k in range(DRAWS):
        rows = np.r_[0, rng.integers(1, models, models - 1)]
        p = _weights(rng, public.shape[1])
        f = _weights(rng, fresh.shape[1])
        replicas[k] = _beyond(public[rows] @ p, fresh[rows] @ f, guess)
    return estimate, float(np.mean(2 * estimate - replicas <= 0))


def _weights(rng: np.random.Generator, items: int) -> Floats:
    """Return how often each item is drawn, over the number of items."""
    return np.bincount(rng.integers(0, items, items), minlength=items) / items


def _beyond(public: Floats, fresh: Floats, guess: float) -> float:
    """Return the examinee's public accuracy less what the spline expects."""
    x, y = np.append(fresh[1:], guess).round(6), np.append(public[1:], guess)
    order = np.argsort(x, kind="stable")
    values, starts, counts = np.unique(x[order], return_index=True, return_counts=True)
    means = np.add.reduceat(y[order], starts) / counts
    if len(values) < 4:
        return float(public[0] - means.mean())
    fitted = smoothed(values, means, counts.astype(float))
    expected = CubicSpline(values, fitted, bc_type="natural")(
        np.clip(fresh[0], values[0], values[-1])
    )
    return float(public[0] - expected)


def smoothed(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the values of the smoothing spline whose generalized cross-validation is least.

    Green, P. J., Silverman, B. W. (1994). Nonparametric regression and generalized linear models,
    chapter 2: roughness is y' K y with K = Q R^-1 Q'.
    """
    n, gaps = len(x), np.diff(x)
    q, r = np.zeros((n, n - 2)), np.zeros((n - 2, n - 2))
    for j in range(n - 2):
        q[j : j + 3, j] = 1 / gaps[j], -1 / gaps[j] - 1 / gaps[j + 1], 1 / gaps[j + 1]
        r[j, j] = (gaps[j] + gaps[j + 1]) / 3
        if j:
            r[j, j - 1] = r[j - 1, j] = gaps[j] / 6
    root = np.sqrt(weights)
    roughness = (q @ np.linalg.solve(r, q.T)) / np.outer(root, root)
    values, vectors = np.linalg.eigh((roughness + roughness.T) / 2)
    values = np.clip(values, 0, None)
    values[:2] = 0.0
    rotated = vectors.T @ (root * y)
    grid = np.exp(np.linspace(-14, 4, 37))
    shrunk = 1 / (1 + grid[:, None] * values)
    rest = (((1 - shrunk) * rotated) ** 2).sum(axis=1) / n
    score = rest / np.maximum(1 - shrunk.sum(axis=1) / n, 1e-3) ** 2
    best = shrunk[int(np.argmin(score))]
    return (vectors @ (best * rotated)) / root

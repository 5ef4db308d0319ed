"""Wold's iteration on correlation matrices, for many samples at once.

PLS needs only the correlation matrix of the indicators: scores are never formed. B matrices
(bootstrap resamples, folds, replicas of a pruning) go through the same few matrix products.

References
----------
Wold, H. (1982). Soft modeling: the basic design. In Systems under indirect observation II, 1-54.
Lohmoeller, J.-B. (1989). Latent variable path modeling with partial least squares, ch. 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum, solve
from gfactor.psychometrics.pls.design import Design, Floats

Scheme = Literal["path", "factorial", "centroid"]
SCHEMES: tuple[Scheme, ...] = ("path", "factorial", "centroid")
TOLERANCE = 1e-10
"""Limit of the sum of the absolute changes of all weights; seminr stops at 1e-7 by default."""
_UNCORRELATED = 1e-12
"""Correlations up to this size are 0: their last bits, which depend on the order of a sum, would
otherwise be scaled up to weights."""
MAX_ITERATIONS = 3000


@dataclass(frozen=True, eq=False)
class Estimates:
    """PLS estimates from B samples; p indicators, J constructs.

    Parameters
    ----------
    design: the model.
    weights: (B, p), such that every score has variance 1; 0 for inactive indicators.
    loadings: (B, p), correlation of an indicator with its own construct (the consistent loading
        after the correction of PLSc).
    cross: (B, p, J), correlation of every indicator with every construct.
    correlations: (B, J, J), of the constructs.
    paths: (B, J, J), coefficients at [source, target].
    r2: (B, J), 0 for constructs that nothing explains.
    iterations: (B,), rounds after the first, as seminr counts them.
    change: (B,), sum of the absolute changes of the weights in the last round.
    converged: (B,), whether `change` fell below the tolerance.
    """

    design: Design
    weights: Floats
    loadings: Floats
    cross: Floats
    correlations: Floats
    paths: Floats
    r2: Floats
    iterations: Floats
    change: Floats
    converged: np.ndarray

    def weight_matrix(self) -> Floats:
        """Return weights with a column per construct, 0 outside its block, shape (B, p, J)."""
        return self.weights[:, :, None] * self.design.member


def estimate(
    correlations: Floats,
    design: Design,
    *,
    scheme: Scheme = "path",
    active: np.ndarray | None = None,
    sign: Literal["sum", "first", "none"] = "sum",
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> Estimates:
    """Estimate a PLS model from every correlation matrix in a batch.

    All weights are equal at the start. Each iteration computes inner weights by `scheme` (path:
    regression on the constructs that explain a construct, correlation with those it explains;
    factorial: correlation; centroid: its sign), outer weights by mode A (covariance of the
    indicator with the proxy) or B (regression of the proxy on the block), scaled so that every
    score has variance 1. It stops when the sum of the absolute changes of all weights is below
    `tolerance` (seminr's rule).

    Parameters
    ----------
    correlations : array of float
        (B, p, p) or (p, p), columns as in `design`.
    design : Design
        Design of the model.
    scheme : Scheme
        Inner weighting scheme of PLS: "path", "factorial" or "centroid".
    active : ndarray, optional
        (B, p) or (p,), false for indicators to leave out of a sample: their weight is 0 and
        their loading is still the correlation with the construct. Every construct needs
        one.
    sign : {'sum', 'first', 'none'}
        Orientation of the constructs. "sum": the loadings of a construct sum to a positive
        number; "first": its first active indicator loads positively; "none": as the
        iteration leaves it (seminr, plspm).
    tolerance : float
        Limit of the sum of the absolute changes of all weights.
    max_iterations : int
        Largest number of iterations.

    Returns
    -------
    Estimates
        Weights, loadings, correlations of constructs, paths, R2, one each per matrix.

    Raises
    ------
    ParameterError
        For an unknown scheme, a construct without a path (PLS has no proxy for it) or a
        circle of paths.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> table = pls.table_of(data, list(data))
    >>> design = pls.Design.of_blocks({"A": 2, "B": 2}, [("A", "B")])
    >>> estimates = pls.estimate(table.r, design)
    >>> estimates.paths.shape
    (1, 2, 2)
    """
    r = np.asarray(correlations, float)
    r = r[None] if r.ndim == 2 else r
    check(design, scheme)
    on = np.ones(r.shape[:2]) if active is None else np.asarray(active, float)
    on = np.broadcast_to(on, r.shape[:2])
    inverses = _inverses(r, design, on)
    state = _WeightState.start(r, design, on)
    b = r.shape[0]
    weights, rounds = np.empty_like(state.w), np.zeros(b)
    change, left = np.full(b, np.inf), np.arange(b)
    for number in range(1, max_iterations + 2):
        inner = np.swapaxes(_inner(state.c, design, scheme)[:, :, design.owner], 1, 2)
        new = einsum("bpj,bpj->bp", state.s, inner) * on
        for block, inverse in inverses.items():
            columns = design.blocks[block]
            new[:, columns] = einsum("bij,bj->bi", inverse, new[:, columns]) * on[:, columns]
        moved = _WeightState.scaled(r, design, new)
        step = np.abs(moved.w - state.w).sum(axis=1)
        state = moved
        change[left] = step
        # Samples in which a column does not vary are NaN from the start and need no iteration.
        over = (step < tolerance) | ~np.isfinite(step) | (number > max_iterations)
        if over.any():
            weights[left[over]], rounds[left[over]] = state.w[over], number - 1
            stay = ~over
            if not stay.any():
                break
            left, on, r = left[stay], on[stay], r[stay]
            inverses = {block: inverse[stay] for block, inverse in inverses.items()}
            state = state.at(stay)
    full = np.asarray(correlations, float).reshape(b, len(design.owner), -1)
    used = np.ones((b, 1)) if active is None else np.asarray(active, float)
    oriented = weights * _orientation(full, design, weights, used, sign)[:, design.owner]
    return _finished(full, design, oriented, rounds, change, change < tolerance)


def regressions(correlations: Floats, design: Design) -> tuple[Floats, Floats]:
    """Return paths (B, J, J) and R2 (B, J) of the least-squares regressions among constructs.

    Collinear predictors share their weight (minimum-norm solution).
    """
    paths, r2 = np.zeros_like(correlations), np.zeros(correlations.shape[:2])
    for target, sources in enumerate(design.sources):
        if sources.size:
            beta = _regress(correlations, sources, target)
            paths[:, sources, target] = beta
            r2[:, target] = (beta * correlations[:, sources, target]).sum(axis=1)
    return paths, r2


def check(design: Design, scheme: str) -> None:
    """Raise an error for models that the iteration cannot estimate."""
    if scheme not in SCHEMES:
        raise ParameterError(f"scheme {scheme!r} is none of {', '.join(SCHEMES)}")
    alone = [name for j, name in enumerate(design.constructs) if not design.neighbors[:, j].any()]
    if alone:
        raise ParameterError(
            f"construct {alone[0]!r} has no path to or from another construct, so PLS cannot "
            "weight its indicators; add a path or leave it out"
        )
    _ = design.order


@dataclass(frozen=True, eq=False)
class _WeightState:
    """Weights that give scores unit variance, and the covariances s = R W and c = W' R W."""

    w: Floats
    s: Floats
    c: Floats

    @classmethod
    def start(cls, r: Floats, design: Design, on: Floats) -> _WeightState:
        return cls.scaled(r, design, on.astype(float))

    @classmethod
    def scaled(cls, r: Floats, design: Design, w: Floats) -> _WeightState:
        s, c = _with_constructs(r, design, w)
        variance = einsum("bjj->bj", c)
        unit = 1 / np.sqrt(np.where(variance > _UNCORRELATED**2, variance, np.nan))
        return cls(
            w * unit[:, design.owner], s * unit[:, None, :], c * unit[:, None] * unit[:, :, None]
        )

    def at(self, rows: np.ndarray) -> _WeightState:
        return _WeightState(self.w[rows], self.s[rows], self.c[rows])


def _with_constructs(r: Floats, design: Design, w: Floats) -> tuple[Floats, Floats]:
    """(B, p, J) covariances of the indicators with the composites, (B, J, J) of these.

    They are sums over blocks of columns, because a product with the whole matrix of weights, most
    of which is zero, takes J times the work, and the threads of a matrix library wait for each
    other on busy cores.
    """
    s = np.add.reduceat(r * w[:, None, :], design.starts, axis=2)
    return s, np.add.reduceat(w[:, :, None] * s, design.starts, axis=1)


def _inner(c: Floats, design: Design, scheme: str) -> Floats:
    """(B, J, J): column j holds the weights of the other constructs in the proxy of j."""
    c = np.where(np.abs(c) > _UNCORRELATED, c, 0.0)
    if scheme == "centroid":
        return np.sign(c) * design.neighbors
    if scheme == "factorial":
        return c * design.neighbors
    inner = c * design.arrows.T
    for target, sources in enumerate(design.sources):
        if sources.size:
            inner[:, sources, target] = _regress(c, sources, target)
    return inner


def _regress(c: Floats, sources: np.ndarray, target: int) -> Floats:
    """(B, k): coefficients of the regression of one construct on others."""
    right = c[:, sources, target]
    if sources.size == 1:
        return right
    left = c[:, sources[:, None], sources]
    if sources.size == 2:
        between = left[:, 0, 1, None]
        rest = 1 - between**2
        if (rest > 1e-12).all():
            solved: Floats = (right - between * right[:, ::-1]) / rest
            return solved
    try:
        return np.asarray(solve(left, right[:, :, None])[:, :, 0], np.float64)
    except np.linalg.LinAlgError:
        coefficients = np.full_like(right, np.nan)
        finite = np.isfinite(left).all(axis=(1, 2))
        inverse = np.linalg.pinv(left[finite], rcond=1e-12, hermitian=True)
        coefficients[finite] = (inverse @ right[finite][:, :, None])[:, :, 0]
        return coefficients


def _inverses(r: Floats, design: Design, on: Floats) -> dict[int, Floats]:
    """Inverse correlations of the blocks in mode B, in which inactive indicators are unrelated."""
    inverses = {}
    for block, (columns, mode) in enumerate(zip(design.blocks, design.modes, strict=True)):
        if mode == "B" and columns.size > 1:
            keep = on[:, columns]
            part = r[:, columns[:, None], columns] * keep[:, :, None] * keep[:, None, :]
            part += np.eye(columns.size) * (1 - keep)[:, :, None]
            finite = np.isfinite(part).all(axis=(1, 2))
            inverses[block] = np.full_like(part, np.nan)
            inverses[block][finite] = np.linalg.pinv(part[finite], rcond=1e-13, hermitian=True)
    return inverses


def _orientation(r: Floats, design: Design, w: Floats, on: Floats, sign: str) -> Floats:
    """(B, J) of 1 and -1."""
    if sign == "none":
        return np.ones((len(w), len(design.constructs)))
    wide = w[:, :, None] * design.member
    loadings = einsum("bpj,pj->bp", r @ wide, design.member) * on
    if sign == "sum":
        total = einsum("bp,pj->bj", loadings, design.member)
    elif sign == "first":
        chosen = np.broadcast_to(on, loadings.shape) > 0
        firsts = [columns[np.argmax(chosen[:, columns], axis=1)] for columns in design.blocks]
        total = np.stack([loadings[np.arange(len(w)), first] for first in firsts], axis=1)
    else:
        raise ParameterError(f"sign {sign!r} is none of sum, first, none")
    return np.where(total < 0, -1.0, 1.0)


def _finished(
    r: Floats, design: Design, w: Floats, rounds: Floats, change: Floats, converged: np.ndarray
) -> Estimates:
    cross, c = _with_constructs(r, design, w)
    j = np.arange(len(design.constructs))
    c[:, j, j] = 1.0
    paths, r2 = regressions(c, design)
    loadings = einsum("bpj,pj->bp", cross, design.member)
    return Estimates(design, w, loadings, cross, c, paths, r2, rounds, change, converged)

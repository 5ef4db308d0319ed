"""Slope that an item would have if its slope alone were free, where a model fixes or shares slopes.

References
----------
Glas, C. A. W. (1999). Modification indices for the 2-PL and the nominal response model.
    Psychometrika 64, 273-294.
Pawitan, Y. (2001). In All Likelihood. Oxford University Press. (intervals of the likelihood ratio)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.likelihood.curves import (
    Floats,
    first_derivatives,
    log_probabilities,
    parameter_names,
)

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.likelihood.specification import Block
    from gfactor.psychometrics.irt.result import IRTFit

STEEPEST = 30.0
"""Bound of a freed slope, as a multiple of the model's."""


class FreedSlope(NamedTuple):
    """A slope that was freed, as a multiple of the model's slope.

    `p_negative` is the one-sided p-value of a slope of 0 or more, `p_flat` that of a slope of
    `flat` or more, by the signed root of the likelihood ratio; 1 if the slope is not below.
    """

    slope: float
    p_negative: float
    p_flat: float


def own_slopes(fit: IRTFit) -> NDArray[np.bool_]:
    """Return True for every item of a one-factor model whose slope is free and not shared with
    others."""
    design = fit.likelihood.model.design.tocsr()
    used = design.getnnz(axis=0)
    has_own = np.zeros(len(fit.table.items), bool)
    for block in fit.likelihood.model.groups[0].blocks:
        for column, parameter in zip(block.columns, block.index[:, 0], strict=True):
            of = design[int(parameter)].indices
            has_own[column] = len(of) == 1 and used[of[0]] == 1
    return has_own


def freed_slope(fit: IRTFit, item: int, flat: float) -> FreedSlope:
    """Estimate the slope and intercepts of an item; all other parameters stay fixed.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group that fixes the item's slope or shares it.
    item : int
        Number of the item.
    flat : float
        The slope that `p_flat` tests, as a multiple of the model's.

    Returns
    -------
    FreedSlope
        Abilities are integrated over each person's posterior given the other answers.
    """
    block = next(b for b in fit.likelihood.model.groups[0].blocks if item in b.columns)
    freed = _Freed.of(fit, block, item)
    best, slope = freed.maximum()

    def tail(bound: float) -> float:
        gain = 0.0 if slope >= bound else max(best - freed.maximum(bound)[0], 0.0)
        return 1.0 if slope >= bound else float(stats.norm.sf(np.sqrt(2 * gain)))

    return FreedSlope(slope, tail(0.0), tail(flat))


@dataclass(frozen=True)
class _Freed:
    """Likelihood of one item's answers, given the posterior of ability from the other answers.

    Parameters
    ----------
    block : Block
        The block of the item.
    start : array (M,)
        The item's parameters in the model.
    moving : integer array
        Positions of its intercepts among them.
    nodes : array (Q,)
        Abilities.
    rest : array (P, Q)
        Posterior of every person's ability without the item.
    codes, weights : array (P,)
        Answers and weights of the persons who answered the item.
    """

    block: Block
    start: Floats
    moving: NDArray[np.int_]
    nodes: Floats
    rest: Floats
    codes: NDArray[np.int16]
    weights: Floats

    @classmethod
    def of(cls, fit: IRTFit, block: Block, item: int) -> _Freed:
        """Collect what the likelihood needs."""
        values = fit.optimum.at.values[block.index[list(block.columns).index(item)]]
        answered = fit.table.codes[:, item] >= 0
        codes = fit.table.codes[answered, item]
        nodes = fit.likelihood.nodes
        with np.errstate(divide="ignore", invalid="ignore"):
            p = np.exp(log_probabilities(block.kind, values[None], nodes, block.categories)[0])
            rest = fit.optimum.at.posteriors[0].weights[answered] / p[codes]
        rest = np.where(np.isfinite(rest), rest, 0.0)
        # The step parameters of a rating scale belong to all items; only its shift is the item's.
        names = parameter_names(block.kind, block.categories, 1)
        prefixes = ("c",) if block.kind == "rating" else ("d",)
        moving = np.array([k for k, name in enumerate(names) if name[0] in prefixes])
        return cls(
            block, values, moving, nodes, rest / rest.sum(axis=1, keepdims=True), codes,
            fit.likelihood.data.weights[answered],
        )  # fmt: skip

    def maximum(self, slope: float | None = None) -> tuple[float, float]:
        """Return the largest log-likelihood and its slope; if a slope is given, the largest at that
        slope."""
        free = np.r_[0, self.moving] if slope is None else self.moving
        values = self.start.copy()
        values[0] *= 1.0 if slope is None else slope

        def loss(x: Floats) -> tuple[float, Floats]:
            at = values.copy()
            at[free] = x
            loglik, gradient = self._loglik(at)
            return -loglik, -gradient[free]

        limit = STEEPEST * abs(self.start[0])
        bounds = [(-limit, limit) if k == 0 else (None, None) for k in free]
        optimum = optimize.minimize(loss, values[free], jac=True, method="L-BFGS-B", bounds=bounds)
        best = float(optimum.x[0] / self.start[0]) if slope is None else slope
        return -float(optimum.fun), best

    def _loglik(self, values: Floats) -> tuple[float, Floats]:
        kind, count = self.block.kind, self.block.categories
        with np.errstate(all="ignore"):
            p = np.exp(log_probabilities(kind, values[None], self.nodes, count)[0])
            first = p[..., None] * first_derivatives(kind, values[None], self.nodes, count)[0]
        if not np.isfinite(first).all():  # Thresholds that are out of order.
            return -1e300, np.zeros(len(values))
        given = einsum("pq,pq->p", self.rest, p[self.codes])
        slopes = np.empty((len(self.codes), len(values)))
        for k in range(count):
            chosen = self.codes == k
            slopes[chosen] = self.rest[chosen] @ first[k]
        given = np.maximum(given, 1e-300)
        return float(self.weights @ np.log(given)), (self.weights / given) @ slopes

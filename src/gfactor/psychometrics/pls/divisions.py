"""Statistics of divisions of the cases into two groups, in batches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.moments import standardized
from gfactor.psychometrics.pls.result import PLSFit
from gfactor.psychometrics.pls.solution import PathSolution, solve
from gfactor.psychometrics.pls.stages import CorrelationSamples

CHUNK = 250
"""Number of permutations computed at once."""


class Divisions:
    """All cases with their composites, and statistics of divisions of the cases into two groups."""

    def __init__(self, fit: PLSFit) -> None:
        self.fit = fit
        solution = fit.solution
        order = [fit.model.columns.index(name) for name in solution.items]
        z = standardized(fit.table.x[:, order])[0]
        self.r = z.T @ z / (len(z) - 1)
        self.weights = solution.plain.weight_matrix()[0]
        scores = z @ self.weights
        self.scores = scores / scores.std(axis=0, ddof=1)
        self.arrows = np.argwhere(solution.design.arrows)

    def solved(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return weights (B, p, J) and paths (B, paths), with signs as for all cases; NaN if a
        sample cannot be fitted."""
        r = self.fit.table.correlations(counts)
        usable = ~np.isnan(r).any(axis=(1, 2))
        b, j = len(r), len(self.fit.constructs)
        weights = np.full((b, len(self.weights), j), np.nan)
        paths = np.full((b, len(self.arrows)), np.nan)
        if usable.any():
            solution: PathSolution = solve(
                self.fit.model, CorrelationSamples(r[usable]), self.fit.settings
            )
            done = solution.plain.converged.astype(bool)
            wide = solution.plain.weight_matrix()
            turned = np.sign(einsum("bpj,pq,qj->bj", wide, self.r, self.weights))
            wide = wide * turned[:, None]
            source, target = self.arrows.T
            slopes = solution.estimates.paths[:, source, target]
            slopes = slopes * turned[:, source] * turned[:, target]
            wide[~done], slopes[~done] = np.nan, np.nan
            weights[usable], paths[usable] = wide, slopes
        return weights, paths

    def compared(self, first: NDArray[np.bool_]) -> Floats:
        """Return statistics of divisions (B, n): correlations of composites, differences of means,
        logs of ratios of variances, differences of paths."""
        (one, paths), (other, others) = (self.solved(c.astype(float)) for c in (first, ~first))
        both = einsum("bpj,pq,bqj->bj", one, self.r, other)
        sizes = [einsum("bpj,pq,bqj->bj", w, self.r, w) for w in (one, other)]
        means, variances = zip(*(self._moments(c) for c in (first, ~first)), strict=True)
        return np.concatenate(
            [
                both / np.sqrt(sizes[0] * sizes[1]),
                means[0] - means[1],
                np.log(variances[0] / variances[1]),
                paths - others,
            ],
            axis=1,
        )

    def _moments(self, chosen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Means and variances, over the chosen cases, of the composites of all cases, (B, J)
        each."""
        count = chosen.sum(axis=1)[:, None]
        mean = chosen @ self.scores / count
        square = chosen @ self.scores**2 / count
        return mean, (square - mean**2) * count / (count - 1)


def permuted(
    divisions: Divisions,
    first: NDArray[np.bool_],
    permutations: int,
    seed: int,
    watch: Callable[[int], object],
) -> Floats:
    """Return the statistics of random groups of the same sizes, (permutations, statistics)."""
    rng = np.random.default_rng(seed)
    parts = []
    for start in range(0, permutations, CHUNK):
        size = min(CHUNK, permutations - start)
        parts.append(divisions.compared(rng.permuted(np.tile(first, (size, 1)), axis=1)))
        watch(size)
    return np.concatenate(parts)

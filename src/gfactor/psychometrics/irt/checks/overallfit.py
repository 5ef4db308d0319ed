"""Overall fit of an item response model: M2 and C2 with their indices.

References
----------
Maydeu-Olivares, A., Joe, H. (2006). Limited information goodness-of-fit testing in multidimensional
    contingency tables. Psychometrika 71, 713-732.
Cai, L., Monroe, S. (2014). A new statistic for evaluating item response theory models for ordinal
    data. CRESST report 839.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize, special

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.irt.likelihood.curves import Floats, derivatives, log_probabilities

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.result import IRTFit

MAX_MOMENTS = 6_000
"""Largest number of moments whose covariance matrix is computed."""


LEAST_COMPLETE = 0.5
"""Share of the persons who have to answer every item for statistics of complete responses."""
ENOUGH_COMPLETE = 200
"""Number of persons who are enough for them, whatever their share."""


def enough_complete(complete: NDArray[np.bool_]) -> bool:
    """Return True if the persons who answered every item are half of all, or many."""
    return int(complete.sum()) >= min(LEAST_COMPLETE * len(complete), ENOUGH_COMPLETE)


def remedy_without_m2(fit: IRTFit) -> str:
    """Return what to do where M2 was not computed."""
    if len(fit.likelihood.model.groups) > 1:
        return "Fit each group by itself for it."
    if (fit.table.codes < 0).any():
        return (
            "Read infit, outfit and the fit of pairs, or fit the persons who answered everything "
            "(in Python: data.dropna())."
        )
    return "Read the fit of items and pairs."


@dataclass(frozen=True)
class OverallFit:
    """A limited-information test of fit with indices.

    Parameters
    ----------
    statistic : str
        "M2" if all items have two categories, else "C2".
    m2 : float
        The statistic.
    df : int
        Its degrees of freedom.
    p : float
        Its upper tail probability.
    rmsea2, rmsea2_lower, rmsea2_upper : float
        Root mean square error of approximation with its 90 % interval.
    srmsr : float
        Root mean square of the residual correlations.
    cfi, tli : float
        CFI and TLI against the model of independent items.
    n : int
        Number of persons who answered every item; the statistic is computed from these.
    """

    statistic: str
    m2: float
    df: int
    p: float
    rmsea2: float
    rmsea2_lower: float
    rmsea2_upper: float
    srmsr: float
    cfi: float
    tli: float
    n: int


def overall_fit(fit: IRTFit) -> OverallFit:
    """Return M2 (two categories) or C2 of a model of one group, from the persons with all
    responses.

    Parameters
    ----------
    fit : IRTFit
        A model of one group without covariates.

    Returns
    -------
    OverallFit
        The statistic with its degrees of freedom, p-value and RMSEA.

    Raises
    ------
    ParameterError
        If fewer than half of the persons and fewer than 200 answered every item, there are several
        groups, too many moments or too few degrees of freedom.
    """
    model = fit.likelihood.model
    if model.groups[1:] or model.groups[0].regression is not None or model.bifactor:
        raise ParameterError(
            "M2 is computed for one group of persons, without covariates and specific factors"
        )
    codes = fit.table.codes
    complete = np.asarray((codes >= 0).all(axis=1))
    if not enough_complete(complete):
        raise ParameterError(
            f"M2 needs complete responses; {int(complete.sum())} of {len(codes)} persons have them"
        )
    codes = codes[complete]
    size = len(fit.table.items) * (len(fit.table.items) - 1) // 2 + int(
        (fit.table.categories - 1).sum()
    )
    if size > MAX_MOMENTS:
        raise ParameterError(
            f"M2 of {len(fit.table.items)} items needs {size} moments; {MAX_MOMENTS} are the most"
        )
    curves = category_probabilities(fit)
    weights = np.exp(fit.likelihood.latent(model.groups[0], fit.optimum.at.values).log_weights[0])
    moments = _ItemMoments(fit, curves, weights)
    residual = moments.observed(codes) - moments.expected()
    slopes = moments.jacobian()
    statistic, df = _quadratic(residual, moments.covariance(), slopes, len(codes))
    if df < 1:
        raise ParameterError(f"M2 has {df} degrees of freedom: the model has too many parameters")
    flat = _independent(fit, curves, codes)
    null, null_df = flat
    n = len(codes) - 1
    excess, null_excess = max(statistic - df, 0.0), max(null - null_df, statistic - df, 1e-300)
    low, high = _noncentrality(statistic, df)
    ratio, null_ratio = statistic / df, null / null_df
    return OverallFit(
        "M2" if fit.table.categories.max() == 2 else "C2",
        statistic, df, float(special.chdtrc(df, statistic)),
        float(np.sqrt(excess / (df * n))), float(np.sqrt(low / (df * n))),
        float(np.sqrt(high / (df * n))), moments.srmsr(codes),
        1 - excess / null_excess, (null_ratio - ratio) / (null_ratio - 1), len(codes),
    )  # fmt: skip


def category_probabilities(fit: IRTFit) -> list[Floats]:
    """Return probabilities (K, Q) of every item's categories, in the order of the items."""
    probabilities: list[Floats] = [np.empty(0)] * len(fit.table.items)
    for block in fit.likelihood.model.groups[0].blocks:
        nodes = fit.likelihood.nodes[:, list(block.factors)]
        p = np.exp(
            log_probabilities(
                block.kind, fit.optimum.at.values[block.index], nodes, block.categories
            )
        )
        for j, column in enumerate(block.columns):
            probabilities[column] = p[j]
    return probabilities


class _ItemMoments:
    """Shares of categories of every item, and means of products of two items' scores."""

    def __init__(self, fit: IRTFit, curves: list[Floats], weights: Floats) -> None:
        self.fit, self.curves, self.weights = fit, curves, weights
        self.mean = np.stack([np.arange(len(p)) @ p for p in curves])
        self.square = np.stack([np.arange(len(p)) ** 2 @ p for p in curves])
        self.single = [(j, k) for j, p in enumerate(curves) for k in range(1, len(p))]
        self.pairs = np.array(np.triu_indices(len(curves), 1)).T
        self.size = len(self.single) + len(self.pairs)

    def observed(self, codes: np.ndarray) -> Floats:
        shares = [float((codes[:, j] == k).mean()) for j, k in self.single]
        products = codes.T.astype(float) @ codes / len(codes)
        return np.concatenate([shares, products[self.pairs[:, 0], self.pairs[:, 1]]])

    def _conditional(self) -> Floats:
        """Every moment given ability, (M, Q)."""
        i, j = self.pairs.T
        singles = np.stack([self.curves[a][k] for a, k in self.single])
        return np.vstack([singles, self.mean[i] * self.mean[j]])

    def expected(self) -> Floats:
        return self._conditional() @ self.weights

    def covariance(self) -> Floats:
        given = self._conditional()
        mean = given @ self.weights
        products = (given * self.weights) @ given.T
        s, w = len(self.single), self.weights
        spread = self.square - self.mean**2
        # If two moments share an item, the product of their conditional means is not the
        # conditional mean of their product.
        of_item = [np.flatnonzero([a == j for a, _ in self.single]) for j in range(len(self.mean))]
        for j, rows in enumerate(of_item):
            p = self.curves[j][1:]
            products[np.ix_(rows, rows)] = np.diag(p @ w)
            other = np.flatnonzero((self.pairs == j).any(axis=1))
            partner = np.where(
                self.pairs[other, 0] == j, self.pairs[other, 1], self.pairs[other, 0]
            )
            k = np.arange(1, len(p) + 1)[:, None]
            extra = ((k - self.mean[j]) * p * w) @ self.mean[partner].T
            products[np.ix_(rows, s + other)] += extra
            products[np.ix_(s + other, rows)] += extra.T
            both = (self.mean[partner] * spread[j] * w) @ self.mean[partner].T
            np.fill_diagonal(both, 0)
            products[np.ix_(s + other, s + other)] += both
        i, j = self.pairs.T
        at = s + np.arange(len(self.pairs))
        products[at, at] = (self.square[i] * self.square[j]) @ w
        return products - np.outer(mean, mean)

    def jacobian(self) -> Floats:
        """Derivatives of the expected moments in the free parameters, (M, X)."""
        fit, w = self.fit, self.weights
        model, values = fit.likelihood.model, fit.optimum.at.values
        full = np.zeros((self.size, len(values)))
        s = len(self.single)
        row_of = {pair: row for row, pair in enumerate(self.single)}
        for block in model.groups[0].blocks:
            nodes = fit.likelihood.nodes[:, list(block.factors)]
            at = derivatives(block.kind, values[block.index], nodes, block.categories)
            change = np.exp(at.value)[..., None] * at.first
            codes = np.arange(block.categories, dtype=np.float64)
            score = einsum("k,jkqm->jqm", codes, change)
            for j, column in enumerate(block.columns):
                index = block.index[j]
                for k in range(1, block.categories):
                    full[row_of[int(column), k], index] = w @ change[j, k]
                rows = np.flatnonzero((self.pairs == column).any(axis=1))
                first = self.pairs[rows, 0] == column
                partner = np.where(first, self.pairs[rows, 1], self.pairs[rows, 0])
                full[np.ix_(s + rows, index)] = (self.mean[partner] * w) @ score[j]
        group = model.groups[0]
        if not group.latent_fixed:
            latent = fit.likelihood.latent(group, values)
            centered = latent.statistics - w @ latent.statistics
            full[:, group.latent] += ((self._conditional() * w) @ centered) @ latent.jacobian
        return (model.design.T @ full.T).T

    def srmsr(self, codes: np.ndarray) -> float:
        w, (i, j) = self.weights, self.pairs.T
        mean = self.mean @ w
        spread = np.sqrt(self.square @ w - mean**2)
        expected = ((self.mean[i] * self.mean[j]) @ w - mean[i] * mean[j]) / (spread[i] * spread[j])
        observed = np.corrcoef(codes.T)[i, j]
        return float(np.sqrt(np.mean((observed - expected) ** 2)))


def _quadratic(residual: Floats, covariance: Floats, slopes: Floats, n: int) -> tuple[float, int]:
    solved = linalg.cho_factor(covariance)
    turned = linalg.cho_solve(solved, slopes)
    y = linalg.cho_solve(solved, residual)
    inner = slopes.T @ turned
    correction = turned.T @ residual
    rank = int(np.linalg.matrix_rank(slopes))
    value = residual @ y - correction @ np.linalg.lstsq(inner, correction, rcond=None)[0]
    return float(n * value), len(residual) - rank


def _independent(fit: IRTFit, curves: list[Floats], codes: np.ndarray) -> tuple[float, int]:
    """The statistic of the model in which items are independent, with its degrees of freedom."""
    shares = [
        np.bincount(codes[:, j], minlength=len(p))[:, None] / len(codes)
        for j, p in enumerate(curves)
    ]
    moments = _ItemMoments(fit, shares, np.ones(1))
    residual = moments.observed(codes) - moments.expected()
    slopes = np.zeros((moments.size, len(moments.single)))
    s = len(moments.single)
    slopes[:s, :s] = np.eye(s)
    for column, (j, k) in enumerate(moments.single):
        rows = np.flatnonzero((moments.pairs == j).any(axis=1))
        first = moments.pairs[rows, 0] == j
        partner = np.where(first, moments.pairs[rows, 1], moments.pairs[rows, 0])
        slopes[s + rows, column] = k * moments.mean[partner, 0]
    return _quadratic(residual, moments.covariance(), slopes, len(codes))


def _noncentrality(statistic: float, df: int) -> tuple[float, float]:
    """90 % interval of the noncentrality parameter (Browne and Cudeck 1993)."""

    def solve(tail: float) -> float:
        if special.chdtr(df, statistic) < tail:
            return 0.0
        high = max(statistic, df) * 2 + 50
        root: Any = optimize.brentq(lambda nc: special.chndtr(statistic, df, nc) - tail, 0, high)
        return float(root)

    return solve(0.95), solve(0.05)

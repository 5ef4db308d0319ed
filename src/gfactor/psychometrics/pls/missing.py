"""Correlations of tables with missing cells: over pairs, mean-imputed, by maximum likelihood."""

from __future__ import annotations

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.sem.sample.blocks import pattern_blocks
from gfactor.psychometrics.sem.sample.saturated import saturated_moments
from gfactor.psychometrics.sem.sample.statistics import GroupSample

EM_TOLERANCE = 1e-11
EM_STEPS = 1000
"""Dozens suffice; what needs more has a likelihood without a maximum, as small resamples may."""


def masked_correlations(raw: Floats, counts: Floats, *, pairwise: bool) -> Floats:
    """(B, p, p) correlations of B weighted samples of rows with NaN for missing cells.

    `pairwise`: means, variances and covariance of two columns over the rows that have both;
    otherwise every missing cell is the mean of its column in the sample.
    """
    seen = ~np.isnan(raw)
    # Columns near 0 with unit size keep the sums of squares accurate.
    z = np.where(seen, (raw - np.nanmean(raw, axis=0)) / np.nanstd(raw, axis=0), 0.0)
    mask, (n, p) = seen.astype(float), raw.shape
    flat = (counts.shape[0], p, p)

    def sums(left: Floats, right: Floats) -> Floats:
        products = (left[:, :, None] * right[:, None, :]).reshape(n, p * p)
        return (counts @ products).reshape(flat)

    both, zz, zm = sums(mask, mask), sums(z, z), sums(z, mask)
    with np.errstate(divide="ignore", invalid="ignore"):
        if pairwise:
            square = sums(z * z, mask)
            # [i, j]: mean and variance of column i over the rows that also have column j.
            mean = zm / both
            variance = square / both - mean**2
            cross = zz / both - mean * np.swapaxes(mean, 1, 2)
            spread = np.sqrt(np.where(variance > 1e-13, variance, np.nan))
            return cross / (spread * np.swapaxes(spread, 1, 2))
        own = np.einsum("bii->bi", zm) / np.einsum("bii->bi", both)
        cross = zz - own[:, None, :] * zm - own[:, :, None] * np.swapaxes(zm, 1, 2)
        cross += own[:, :, None] * own[:, None, :] * both
        variance = np.einsum("bii->bi", cross) / counts.sum(axis=1)[:, None]
        unit = 1 / np.sqrt(np.where(variance > 1e-13, variance, np.nan))
        scaled = cross / counts.sum(axis=1)[:, None, None]
        return scaled * unit[:, :, None] * unit[:, None, :]


def em_moments(raw: Floats, counts: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """Maximum-likelihood means, covariances (divisor n) and correlations with cells missing.

    Rows enter `counts` times. Correlations are NaN where a column does not vary or the moments do
    not exist. See `gfactor.psychometrics.sem.sample.saturated`.
    """
    weight = np.ones(len(raw)) if counts is None else counts
    keep = (weight > 0) & ~np.isnan(raw).all(axis=1)
    x = np.repeat(raw[keep], weight[keep].astype(int), axis=0)
    center, scale, p = np.nanmean(raw, axis=0), np.nanstd(raw, axis=0), raw.shape[1]
    x = (x - center) / scale
    nothing = np.full((p, p), np.nan)
    seen = ~np.isnan(x)
    mean = np.where(seen, x, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    spread = np.where(seen, (x - mean) ** 2, 0.0).mean(axis=0)
    if not (spread > 1e-13).all():
        return center, nothing, nothing
    group = GroupSample("", len(x), mean, np.diag(spread), x)
    try:
        blocks = pattern_blocks(group, 1.0)
        moments, _ = saturated_moments(group, blocks, tolerance=EM_TOLERANCE, steps=EM_STEPS)
    except ParameterError:
        return center, nothing, nothing
    sd = np.sqrt(np.diag(moments.cov))
    r = moments.cov / np.outer(sd, sd)
    np.fill_diagonal(r, 1.0)
    return center + scale * moments.mean, moments.cov * np.outer(scale, scale), r


def filled(raw: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Missing cells replaced by their expectation given the other cells of the row."""
    x = raw.copy()
    for row in np.flatnonzero(np.isnan(raw).any(axis=1)):
        gap = np.isnan(raw[row])
        seen = ~gap
        slope = np.linalg.lstsq(
            covariance[np.ix_(seen, seen)], covariance[np.ix_(seen, gap)], rcond=None
        )[0]
        x[row, gap] = mean[gap] + (raw[row, seen] - mean[seen]) @ slope
    return x

"""Columns of a table for PLS: numeric, varying, with a treatment of missing cells.

References
----------
Little, R. J. A., Rubin, D. B. (2002). Statistical analysis with missing data, ch. 11 (EM for the
    multivariate normal).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.moments import resampled_correlations
from gfactor.psychometrics.sem.sample.blocks import pattern_blocks
from gfactor.psychometrics.sem.sample.saturated import saturated_moments
from gfactor.psychometrics.sem.sample.statistics import GroupSample

EM_TOLERANCE = 1e-11
EM_STEPS = 1000
"""Largest number of EM steps. Dozens suffice, unless the likelihood has no maximum (in small
resamples)."""


def masked_correlations(raw: Floats, counts: Floats, *, pairwise: bool) -> Floats:
    """Return correlations of B weighted samples of rows with NaN for missing cells, shape (B, p,
    p).

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
        means = einsum("bii->bi", zm) / einsum("bii->bi", both)
        cross = zz - means[:, None, :] * zm - means[:, :, None] * np.swapaxes(zm, 1, 2)
        cross += means[:, :, None] * means[:, None, :] * both
        variance = einsum("bii->bi", cross) / counts.sum(axis=1)[:, None]
        unit = 1 / np.sqrt(np.where(variance > 1e-13, variance, np.nan))
        scaled = cross / counts.sum(axis=1)[:, None, None]
        return scaled * unit[:, :, None] * unit[:, None, :]


def em_moments(raw: Floats, counts: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """Estimate means, covariances (divisor n) and correlations from incomplete rows by EM.

    Row i counts `counts[i]` times. Correlations are NaN if a column is constant or the moments do
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
    sd = np.sqrt(moments.cov.diagonal())
    r = moments.cov / np.outer(sd, sd)
    np.fill_diagonal(r, 1.0)
    return center + scale * moments.mean, moments.cov * np.outer(scale, scale), r


def filled(raw: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Return the data with each missing cell replaced by its expectation given the other cells of
    the row."""
    x = raw.copy()
    for row in np.flatnonzero(np.isnan(raw).any(axis=1)):
        gap = np.isnan(raw[row])
        seen = ~gap
        slope = np.linalg.lstsq(
            covariance[np.ix_(seen, seen)], covariance[np.ix_(seen, gap)], rcond=None
        )[0]
        x[row, gap] = mean[gap] + (raw[row, seen] - mean[seen]) @ slope
    return x


Missing = Literal["error", "listwise", "pairwise", "mean", "em"]
MISSING: tuple[Missing, ...] = ("error", "listwise", "pairwise", "mean", "em")
FEWEST_ROWS = 4


@dataclass(frozen=True, eq=False)
class ModelColumns:
    """The columns of a model.

    Parameters
    ----------
    columns, rows: names; `rows` are those that entered.
    raw: (n, p) as given, NaN if a cell is missing.
    x: (n, p) with missing cells filled ("mean", "em"); NaN is left only with "pairwise".
    r: (p, p) correlations.
    missing: treatment of missing cells.
    n_missing: missing cells in the columns of the model.
    n_dropped: rows left out ("listwise").
    n_pair: fewest rows behind a correlation.
    """

    columns: tuple[str, ...]
    rows: pd.Index
    raw: Floats
    x: Floats
    r: Floats
    missing: Missing
    n_missing: int
    n_dropped: int
    n_pair: int

    @property
    def n(self) -> int:
        return len(self.x)

    @property
    def mean(self) -> Floats:
        return np.nanmean(self.x, axis=0)

    @property
    def sd(self) -> Floats:
        return np.nanstd(self.x, axis=0, ddof=1)

    def correlations(self, counts: Floats) -> Floats:
        """Return correlations, shape (B, p, p), in which row i has the weight counts[b, i].

        Missing cells are imputed anew for every b.
        """
        if not np.isnan(self.raw).any():
            return resampled_correlations(self.raw, counts)
        if self.missing == "em":
            return np.stack([em_moments(self.raw, row)[2] for row in counts])
        return masked_correlations(self.raw, counts, pairwise=self.missing == "pairwise")


def table_of(
    data: pd.DataFrame, columns: Sequence[str], missing: Missing = "error"
) -> ModelColumns:
    """Return the columns of a DataFrame, checked.

    Parameters
    ----------
    data : DataFrame
        One row per case.
    columns : list of str
        Columns of the model, in order.
    missing : Missing
        "error" refuses missing cells; "listwise" drops their rows; "pairwise" correlates
        every two columns over the rows that have both; "mean" puts the column's mean
        (seminr's default: it shrinks variances); "em" takes maximum-likelihood moments
        under normality and missingness at random, with conditional means for scores
        (FIML-type).

    Returns
    -------
    Table
        Values, correlations, and notes on the treatment of missing cells.

    Raises
    ------
    UnknownNameError
        For a column that does not exist; ParameterError for a column that is not numeric, not
        finite or constant, for missing cells with "error", and for too few rows.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> pls.table_of(data, ["x0", "x1"]).r.shape
    (2, 2)
    """
    if missing not in MISSING:
        raise ParameterError(f"missing {missing!r} is none of {', '.join(MISSING)}")
    raw = np.column_stack([_numbers(data, name) for name in columns])
    gaps = np.isnan(raw)
    n_missing, rows = int(gaps.sum()), data.index
    if n_missing and missing == "error":
        row, column = np.argwhere(gaps)[0]
        raise ParameterError(
            f"{n_missing} of {gaps.size} cells are missing, the first in row {rows[row]!r}, column "
            f"{columns[column]!r}; choose a treatment with --missing (in Python: missing=...): "
            "listwise, pairwise, mean or em"
        )
    if missing == "listwise":
        complete = np.flatnonzero(~gaps.any(axis=1))
        raw, rows = raw[complete], rows[complete]
    n_dropped = len(data) - len(raw)
    if len(raw) < FEWEST_ROWS:
        dropped = f" ({n_dropped} rows with a missing cell were left out)" if n_dropped else ""
        raise ParameterError(
            f"a PLS model needs at least {FEWEST_ROWS} rows, got {len(raw)}{dropped}; add rows "
            "(examinees)"
        )
    _check_variance(raw, columns)
    x, r = _moments(raw, missing)
    if not np.isfinite(r).all():
        first, second = np.argwhere(~np.isfinite(r))[0]
        raise ParameterError(
            f"columns {columns[first]!r} and {columns[second]!r} share too few rows for a "
            "correlation; leave one out or choose another treatment of missing cells"
        )
    present = (~np.isnan(raw)).astype(float)
    pairs = int((present.T @ present).min()) if missing == "pairwise" else len(raw)
    names = tuple(str(name) for name in columns)
    return ModelColumns(names, rows, raw, x, r, missing, n_missing, n_dropped, pairs)


def _moments(raw: Floats, missing: Missing) -> tuple[Floats, Floats]:
    every = np.ones((1, len(raw)))
    if not np.isnan(raw).any():
        return raw, resampled_correlations(raw, every)[0]
    if missing == "pairwise":
        return raw, masked_correlations(raw, every, pairwise=True)[0]
    if missing == "mean":
        x = np.where(np.isnan(raw), np.nanmean(raw, axis=0), raw)
        return x, resampled_correlations(x, every)[0]
    mean, covariance, r = em_moments(raw)
    return filled(raw, mean, covariance), r


def _numbers(data: pd.DataFrame, name: str) -> NDArray[np.float64]:
    if name not in data.columns:
        raise UnknownNameError("column", name, (str(column) for column in data.columns))
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise ParameterError(f"the table has {column.shape[1]} columns called {name!r}; rename one")
    numbers = pd.Series(pd.to_numeric(column, errors="coerce"))
    values = numbers.to_numpy(dtype=float, na_value=np.nan)
    bad = np.flatnonzero(np.isnan(values) & column.notna().to_numpy())
    if bad.size:
        raise ParameterError(
            f"column {name!r} is not numeric: row {data.index[bad[0]]!r} holds "
            f"{column.iloc[bad[0]]!r}; give numbers, and leave missing cells empty"
        )
    if np.isinf(values).any():
        row = data.index[np.flatnonzero(np.isinf(values))[0]]
        raise ParameterError(f"column {name!r} is infinite in row {row!r}; give a finite number")
    return values


def _check_variance(raw: Floats, columns: Sequence[str]) -> None:
    for name, values in zip(columns, raw.T, strict=True):
        seen = values[~np.isnan(values)]
        if not seen.size or np.ptp(seen) <= 1e-12 * max(1.0, float(np.abs(seen).max())):
            raise ParameterError(
                f"column {name!r} does not vary over its {seen.size} rows; leave it out"
            )

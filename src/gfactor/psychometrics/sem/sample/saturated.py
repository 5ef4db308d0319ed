"""Maximum likelihood moments of an unrestricted normal model from incomplete cases.

EM (Little and Rubin 2002, 11.2) over patterns of missing values, accelerated by Anderson mixing of
the last steps; a mixed step is kept only if the likelihood does not fall.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.sample.blocks import Blocks
from gfactor.psychometrics.sem.sample.missing import pairs_apart, pairs_text
from gfactor.psychometrics.sem.sample.shown import shown_inverses
from gfactor.psychometrics.sem.sample.statistics import GroupSample

_MEMORY = 8


class _Step:
    """One EM step, and the value it starts from."""

    value: float
    mean: np.ndarray
    cov: np.ndarray

    def __init__(self, blocks: Blocks, mean: np.ndarray, cov: np.ndarray) -> None:
        inverses = shown_inverses(blocks, cov)
        if inverses is None:
            self.value = np.inf
            return
        inverse, logdet = inverses
        away = np.where(blocks.seen, blocks.mean - mean, 0.0)
        total = blocks.cov + away[:, :, None] * away[:, None, :]
        traces = (inverse * total).sum(axis=(1, 2))
        self.value = 0.5 * float(blocks.weight @ (logdet + traces))
        share = blocks.weight / blocks.weight.sum()
        # Regression of all variables on the observed ones; it returns the observed values exactly,
        # since inverse * cov is the identity for them.
        slope = cov @ inverse
        shift = share @ (slope @ away[:, :, None])[:, :, 0]
        self.mean = mean + shift
        new = np.tensordot(share, slope @ total @ slope.mT, axes=1) + cov
        new -= np.tensordot(share, slope, axes=1) @ cov + np.outer(shift, shift)
        self.cov = (new + new.T) / 2


def _pack(mean: np.ndarray, cov: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    return np.concatenate([mean, cov[rows, columns]])


def _finished(group: GroupSample, blocks: Blocks, step: _Step) -> tuple[GroupSample, Blocks]:
    end = _Step(blocks, step.mean, step.cov)
    moments = dataclasses.replace(group, mean=step.mean, cov=step.cov)
    return moments, dataclasses.replace(blocks, saturated=end.value)


def _plain(group: GroupSample, blocks: Blocks, tolerance: float, steps: int) -> _Step | None:
    """EM as lavaan runs it: until no moment changes by more than the tolerance."""
    mean, cov = group.mean, group.cov
    # An absolute tolerance is meaningless for variables with a tiny or huge variance; for these it
    # is relative to their standard deviations.
    variance = cov.diagonal()
    unit = np.where((variance < 0.01) | (variance > 1e4), np.sqrt(variance), 1.0)
    for _ in range(steps):
        step = _Step(blocks, mean, cov)
        if not np.isfinite(step.value):
            return None
        moved = np.abs(step.mean - mean) / unit
        spread = np.abs(step.cov - cov) / (unit[:, None] * unit)
        change = max(moved.max(), spread.max())
        if change < tolerance:
            return step
        mean, cov = step.mean, step.cov
    return None


def _accelerated(group: GroupSample, blocks: Blocks, tolerance: float, steps: int) -> _Step | None:
    """EM with Anderson mixing, until no moment moves by more than `tolerance` of its standard
    deviations."""
    p = len(group.mean)
    rows, columns = np.tril_indices(p)
    scale = np.sqrt(group.cov.diagonal())
    unit = np.concatenate([scale, scale[rows] * scale[columns]])
    mean, cov = group.mean, group.cov
    step = _Step(blocks, mean, cov)
    tried: list[np.ndarray] = []
    fell: list[np.ndarray] = []
    for _ in range(steps):
        here = _pack(mean, cov, rows, columns) / unit
        there = _pack(step.mean, step.cov, rows, columns) / unit
        residual = there - here
        if np.abs(residual).max() < tolerance:
            return step
        tried, fell = [*tried, there][-_MEMORY:], [*fell, residual][-_MEMORY:]
        old = step
        mean, cov, step = old.mean, old.cov, None
        if len(tried) > 2:
            mixed = _mixed(tried, fell) * unit
            square = np.zeros((p, p))
            square[rows, columns] = mixed[p:]
            square[columns, rows] = mixed[p:]
            candidate = _Step(blocks, mixed[:p], square)
            if candidate.value <= old.value + 1e-13 * abs(old.value):
                mean, cov, step = mixed[:p], square, candidate
            else:
                tried, fell = [], []
        if step is None:
            step = _Step(blocks, mean, cov)
    return None


def _mixed(points: list[np.ndarray], residuals: list[np.ndarray]) -> np.ndarray:
    """Anderson's mixture of the last points: the one with the smallest residual."""
    change = np.diff(np.array(residuals), axis=0).T
    mix = np.linalg.lstsq(change, residuals[-1], rcond=1e-10)[0]
    return points[-1] - np.diff(np.array(points), axis=0).T @ mix


def saturated_moments(
    group: GroupSample,
    blocks: Blocks,
    *,
    tolerance: float = 1e-12,
    steps: int = 5000,
    names: Sequence[str] = (),
) -> tuple[GroupSample, Blocks]:
    """Return the group with its maximum likelihood moments, and blocks with the `saturated` value
    of the likelihood.

    Parameters
    ----------
    tolerance: limit of changes at the end: from 1e-8 up, plain EM until no moment changes by more
        (lavaan's rule, whose default is 1e-5 and good for five digits of the moments); below,
        accelerated EM until no moment moves by more than this many standard deviations (exact to
        rounding at 1e-12).
    names: names of the variables, for messages.

    Raises ParameterError if EM does not converge, which means that two variables are hardly ever
    observed together.
    """
    p = len(group.mean)
    if blocks.complete:
        cov = blocks.cov[0]
        saturated = float(blocks.weight[0]) * (np.linalg.slogdet(cov)[1] + p) / 2
        moments = dataclasses.replace(group, mean=blocks.mean[0], cov=cov)
        return moments, dataclasses.replace(blocks, saturated=saturated)
    search = _plain if tolerance >= 1e-8 else _accelerated
    step = search(group, blocks, tolerance, steps)
    if step is not None:
        return _finished(group, blocks, step)
    where = f" of group {group.label!r}" if group.label else ""
    assert group.rows is not None
    rare = pairs_apart(group.rows, names or [f"variable {k}" for k in range(1, p + 1)])
    reason = f": {pairs_text(rare, shares=True)} are hardly ever seen together" if rare else ""
    raise ParameterError(
        f"the unrestricted moments{where} did not converge in {steps} EM steps{reason}; leave out "
        "a variable that is hardly ever observed."
    )

"""The error of task scores: reliability by items or counts, correction, crossed draws.

References
----------
Kuder, G. F., Richardson, M. W. (1937). The theory of the estimation of test reliability.
    Psychometrika 2, 151-160 (formulas 20 and 21).
Spearman, C. (1904). The proof and measurement of association between two things. American Journal
    of Psychology 15, 72-101 (correction for attenuation).
Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1, 386-411 (rows and
    columns of a crossed table are drawn independently; variances come out slightly too large).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.inference.resampling import bootstrap_weights

Floats = NDArray[np.float64]

_SMALLEST_EIGENVALUE = 1e-3
"""Smallest eigenvalue of a corrected correlation matrix; sampling error may take it below zero."""


@dataclass(frozen=True)
class TaskItems:
    """Items behind task scores.

    Parameters
    ----------
    answers: models x items, 0 (wrong) to 1 (right), NaN if there is none; None if only
        `counts` are known.
    tasks: task of every item of `answers`.
    counts: number of items of each task, if answers are not known.
    """

    answers: pd.DataFrame | None = None
    tasks: Mapping[str, str] | None = None
    counts: Mapping[str, int] | None = None

    def covers(self, tasks: Sequence[str]) -> bool:
        """Return True if the answers contain items of every task (a rating has none)."""
        return set(tasks) <= set((self.tasks or {}).values())


def reliabilities(scores: pd.DataFrame, known: TaskItems) -> pd.DataFrame:
    """Return the reliability of each task's score over these models.

    Parameters
    ----------
    scores: models x tasks, 0 to 1.
    known: answers to the items, or their number, by task. Answers give KR-20 (coefficient alpha of
        the items that all models answered; an item without variance counts, as it adds no error).
        Numbers give KR-21: one minus the mean binomial error p (1 - p) / (n - 1), divided by the
        variance of the scores. KR-21 assumes equally difficult items and is a lower bound of KR-20.

    Returns
    -------
    One row per task: task, items, reliability (0 if error explains all; NaN if it cannot be
    computed), method ("KR-20" or "KR-21").

    Raises ParameterError for scores outside 0 to 1 if only counts are known.

    Examples
    --------
    >>> scores = pd.DataFrame({"t": [0.2, 0.5, 0.8, 0.9]})
    >>> reliabilities(scores, TaskItems(counts={"t": 20}))["reliability"].round(3).tolist()
    [0.913]
    """
    lines = []
    for task in map(str, scores.columns):
        items, value, method = 0, np.nan, ""
        if known.answers is not None and known.tasks is not None:
            answered = [i for i in known.answers.columns if known.tasks.get(str(i)) == task]
            x = known.answers.loc[scores.index, answered].to_numpy(float)
            x = x[:, np.isfinite(x).all(axis=0)] if answered else x
            items, value, method = x.shape[1], _kr20(x), "KR-20"
        elif known.counts and task in known.counts:
            items, method = int(known.counts[task]), "KR-21"
            value = _kr21(scores[task].to_numpy(float), items, task)
        lines.append((task, items, value, method))
    return pd.DataFrame(lines, columns=["task", "items", "reliability", "method"])


def _kr20(x: Floats) -> float:
    k = x.shape[1]
    total = float(x.sum(axis=1).var(ddof=1)) if k > 1 and len(x) > 1 else 0.0
    if total <= 0:
        return float("nan")
    return float(np.clip(k / (k - 1) * (1 - x.var(axis=0, ddof=1).sum() / total), 0, 1))


def _kr21(p: Floats, items: int, task: str) -> float:
    p = p[np.isfinite(p)]
    if ((p < 0) | (p > 1)).any():
        raise ParameterError(
            f"task {task!r} has the score {p[(p < 0) | (p > 1)][0]:g}; with counts of items, "
            "scores are shares of right answers, 0 to 1"
        )
    variance = float(p.var(ddof=1)) if len(p) > 1 else 0.0
    if items < 2 or variance <= 0:
        return float("nan")
    return float(np.clip(1 - float((p * (1 - p)).mean()) / (items - 1) / variance, 0, 1))


def disattenuated(r: Floats, reliability: Floats) -> Floats:
    """Return correlations of true scores: r / sqrt(product of reliabilities), a stack of matrices.

    Values beyond 1, which are due to sampling error, become 1, and a matrix that is not positive
    definite is replaced by the nearest one by its eigenvalues. Tasks whose reliability is not known
    (NaN) or 0 stay as they are.
    """
    reliable = np.isfinite(reliability) & (reliability > 0)
    root = np.sqrt(np.where(reliable, reliability, 1.0))
    corrected = np.clip(r / (root[:, None] * root), -1.0, 1.0)
    diagonal = np.arange(r.shape[-1])
    corrected[..., diagonal, diagonal] = 1.0
    values, vectors = np.linalg.eigh(corrected)
    if (values < _SMALLEST_EIGENVALUE).any():
        values = np.maximum(values, _SMALLEST_EIGENVALUE)
        corrected = (vectors * values[..., None, :]) @ np.swapaxes(vectors, -1, -2)
        sd = np.sqrt(einsum("...ii->...i", corrected))
        corrected = corrected / (sd[..., :, None] * sd[..., None, :])
    return corrected


def crossed(
    items: TaskItems,
    tasks: Sequence[str],
    models: Sequence[str],
    clusters: NDArray[np.intp] | None,
    n_bootstrap: int,
    seed: int,
) -> Iterator[Floats]:
    """Yield stacks of correlation matrices of tasks; models and items are drawn independently.

    Parameters
    ----------
    items: the answers. If no item of a task is drawn for a model, the task has the model's mean.
    clusters: the cluster number of every model; clusters are drawn as a whole. None draws models.
    """
    assert items.answers is not None
    assert items.tasks is not None
    x = items.answers.loc[list(models)].to_numpy(float)
    number = {task: k for k, task in enumerate(tasks)}
    owner = np.array([number.get(items.tasks.get(str(i), ""), -1) for i in items.answers.columns])
    there = np.isfinite(x)
    filled = np.where(there, x, 0.0)
    blocks = [np.flatnonzero(owner == k) for k in range(len(tasks))]
    rng = np.random.default_rng([seed, 1])
    for counts in model_counts(len(models), clusters, n_bootstrap, seed):
        stack = np.empty((len(counts), len(tasks), len(tasks)))
        for b, weights in enumerate(counts):
            scores = np.empty((len(models), len(tasks)))
            for k, block in enumerate(blocks):
                w = rng.multinomial(len(block), np.full(len(block), 1 / len(block)))
                n = there[:, block] @ w
                mean = filled[:, block].sum(axis=1) / np.maximum(there[:, block].sum(axis=1), 1)
                scores[:, k] = np.where(n > 0, filled[:, block] @ w / np.maximum(n, 1), mean)
            stack[b] = _weighted_correlations(scores, weights)
        yield stack


def model_counts(
    n: int, clusters: NDArray[np.intp] | None, n_bootstrap: int, seed: int
) -> Iterator[Floats]:
    """Yield the number of times each of n models is in each draw; clusters are drawn as a whole."""
    if clusters is None:
        yield from bootstrap_weights(n, n_bootstrap, seed)
        return
    for block in bootstrap_weights(int(clusters.max()) + 1, n_bootstrap, seed):
        yield block[:, clusters]


def _weighted_correlations(x: Floats, weights: Floats) -> Floats:
    w = weights / weights.sum()
    centered = x - w @ x
    covariance = centered.T @ (centered * w[:, None])
    sd = np.sqrt(covariance.diagonal())
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.nan_to_num(covariance / np.outer(sd, sd))
    np.fill_diagonal(r, 1.0)
    return np.clip(r, -1.0, 1.0)


def precision_findings(table: pd.DataFrame) -> list[Diagnostic]:
    """Return diagnostics of tasks whose scores are mostly error."""
    poor = table[table["reliability"] < 0.7]
    if poor.empty:
        return []
    names = tuple(str(t) for t in poor["task"])
    return [
        Diagnostic(
            "unreliable_tasks",
            "warning",
            f"{len(names)} of {len(table)} task scores have a reliability below 0.7 over these "
            f"models ({first_few(names)}): error lowers "
            "their correlations, and with them TC and the VIFs.",
            "Read the figures without error beside the others, or use more items.",
            where=names[:20],
            values={
                "tasks": len(names),
                "lowest": float(np.min(poor["reliability"])),
            },
        )
    ]

"""The correction that robust CFI and RMSEA need for missing values under full information.

Zhang and Savalei (2023, "New computations for RMSEA and CFI following FIML and TS estimation with
missing data"): the complete-data discrepancy between the estimated unrestricted moments and the
model's, and the expectation of that discrepancy's sampling part (their V6, as in lavaan).
"""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.discrepancy import normal_weight
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import complete_block


def _complete_chisq(estimated: Estimated, number: int) -> float:
    """n times the discrepancy that complete data with the unrestricted moments would have."""
    group = estimated.problem.sample.groups[number]
    here = estimated.point.groups[number]
    away = group.mean - here.mu
    total = group.cov + np.outer(away, away)
    logdet = np.linalg.slogdet(here.sigma)[1]
    trace = float((inv(here.sigma) * total).sum())
    return group.n * (logdet + trace - 2 * complete_block(group, 1.0).saturated)


def _is_scaled(problem: Problem) -> bool:
    """Return True if the test is corrected for the data's distribution. Then the trace is corrected
    too (V3 instead of V6 in lavaan's words).
    """
    test = str(problem.options.test)
    return test not in {"standard", "none", "bollen.stine"} and not test.startswith("browne")


def _correction(problem: Problem, estimated: Estimated) -> float:
    """The trace, not yet divided by the degrees of freedom."""
    robust = _is_scaled(problem)
    k = problem.structure.n_free
    inner, middle = np.zeros((k, k)), np.zeros((k, k))
    parts = []
    keep = problem.counted_moments
    kind = problem.options.information[0]
    for number, (group, share) in enumerate(
        zip(problem.sample.groups, problem.sample.shares, strict=True)
    ):
        delta = estimated.deltas()[number][keep]
        weight = normal_weight(inv(group.cov), means=True)
        whole = estimated.saturated(number)
        information = whole.information
        if kind == "expected":
            information = whole.expected
        elif kind == "first.order":
            information = whole.meat
        if not keep.all():
            weight, information = weight[keep][:, keep], information[keep][:, keep]
        inner += share * (delta.T @ information @ delta)
        parts.append((share, weight, delta, whole))
        if robust:
            middle += share * (delta.T @ whole.counted_meat @ delta)
    inverse = estimated.restricted_inverse(inner)
    total = 0.0
    for share, weight, delta, whole in parts:
        heavy = weight @ delta
        gamma = whole.sandwich if robust else whole.covariance
        total += float((weight * gamma).sum())
        if not robust:
            total -= share * float(((heavy.T @ delta) * inverse).sum())
            continue
        moved = whole.covariance @ (whole.counted_meat @ delta)
        total -= 2 * share * float(((heavy.T @ moved) * inverse).sum())
        total += share * float(((heavy.T @ delta) * (inverse @ middle @ inverse)).sum())
    return total


def _complete(estimated: Estimated) -> float:
    """The same trace if every case is complete."""
    inverse = estimated.restricted_inverse(estimated.unstructured)
    groups = range(len(estimated.problem.sample.groups))
    if not _is_scaled(estimated.problem):
        return float(estimated.problem.df)
    total = sum(estimated.saturated(number).trace for number in groups)
    return total - float((inverse * estimated.carried_scores).sum())


def corrected(estimated: Estimated) -> tuple[float, float] | None:
    """Return the complete-data chi-square and its correction per degree of freedom.

    None if the correction is not defined (singular information, moments without cases).
    """
    # Stored, because several measures use it and it takes longer than the fit.
    stored = estimated.__dict__
    if "_corrected" not in stored:
        stored["_corrected"] = _corrected(estimated)
    return stored["_corrected"]


def _corrected(estimated: Estimated) -> tuple[float, float] | None:
    problem = estimated.problem
    if any(group.rows is None for group in problem.sample.groups):
        return None
    if problem.df == 0:
        return 0.0, 1.0
    try:
        chisq = sum(_complete_chisq(estimated, g) for g in range(len(problem.sample.groups)))
        if all(block.complete for block in problem.blocks):
            factor = _complete(estimated) / problem.df
        else:
            factor = _correction(problem, estimated) / problem.df
    except np.linalg.LinAlgError:
        return None
    return (float(chisq), factor) if np.isfinite(factor) else None

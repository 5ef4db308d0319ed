"""Parameters that the moments do not determine: the rank of the Jacobian.

References
----------
Bekker, P. A., Merckens, A., Wansbeek, T. J. (1994). Identification, equivalent models, and computer
    algebra. Academic Press. (Local identification by the rank of the Jacobian at a regular point.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check

_RANK = 1e-7
"""Singular value, relative to the largest of columns of length one, that counts as zero."""

_FAR = 20.0
"""Loading, in standard deviations of its indicator, beyond which a solution has run away."""

_PART = 0.1
"""Share of the largest entry of a null direction from which on a parameter belongs to it."""


@check("identification")
def identification(case: Case) -> Iterator[Diagnostic]:
    if _far_away(case):  # where one parameter dwarfs the others, the rank is lost in rounding
        return
    deltas = [
        delta / case.estimated.problem.moment_units(place)[-len(delta) :, None]
        for place, delta in enumerate(case.estimated.deltas())
    ]
    jacobian = np.concatenate(deltas) @ case.estimated.directions
    if not np.isfinite(jacobian).all() or not jacobian.shape[1]:
        return
    free = jacobian.shape[1]
    length = np.linalg.norm(jacobian, axis=0)
    unit = np.where(length > 0, length, 1.0)
    _, values, right = np.linalg.svd(jacobian / unit, full_matrices=True)
    values = np.concatenate([values, np.zeros(max(0, free - len(values)))])
    null = right[values < _RANK * max(float(values[0]), 1e-300)]
    if not len(null):
        return
    moves = np.abs((null / unit) @ case.estimated.directions.T)
    moves = moves / np.maximum(moves.max(axis=1, keepdims=True), 1e-300)
    where = tuple(
        name for name, part in zip(case.names, moves.max(axis=0), strict=True) if part > _PART
    )
    yield Diagnostic(
        "not_identified",
        "error",
        f"The model is not identified: {free} free parameters, but the moments determine "
        f"{free - len(null)} combinations of them; {', '.join(where[:8])}"
        f"{' and others' if len(where) > 8 else ''} can change without changing the fit.",
        "Fix a loading or a variance of each factor, or fix or equate parameters among these.",
        where,
        {"free": free, "rank": free - len(null)},
    )


def _far_away(case: Case) -> bool:
    """Whether a loading has run away; that is said elsewhere."""
    return any(
        (np.abs(group.loading) > _FAR * np.sqrt(np.diag(sample.cov))[:, None]).any()
        for group, sample in zip(case.groups, case.estimated.problem.sample.groups, strict=True)
    )


@check("degrees_of_freedom")
def degrees_of_freedom(case: Case) -> Iterator[Diagnostic]:
    df = case.estimated.problem.df
    if df < 0:
        yield Diagnostic(
            "more_parameters_than_moments",
            "error",
            f"The model has {-df} more free parameters than the sample has moments.",
            "Fix or equate parameters.",
            (),
            {"df": df},
        )

"""Samples that are too small, or hold variables that others nearly determine.

References
----------
Bentler, P. M., Chou, C.-P. (1987). Practical issues in structural modeling. Sociological Methods &
    Research 16, 78-117. (Five cases per free parameter.)
Belsley, D. A., Kuh, E., Welsch, R. E. (1980). Regression diagnostics. Wiley. (Variance inflation.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check

_PER_PARAMETER = 5

_ALIKE = 0.9
"""Correlation of two variables from which on they carry nearly the same information."""

_UNEXPLAINED = 0.1
"""By how much the model must fall short of such a correlation."""


@check("sample_size")
def sample_size(case: Case) -> Iterator[Diagnostic]:
    problem = case.estimated.problem
    n, free = problem.sample.n, problem.n_parameters
    if n >= _PER_PARAMETER * free:
        return
    fewer = n < free
    yield Diagnostic(
        "n_against_parameters",
        "error" if fewer else "warning",
        f"{n} cases for {free} free parameters"
        + (", fewer cases than parameters." if fewer else f" ({n / free:.1f} per parameter)."),
        f"At least {_PER_PARAMETER} cases per parameter are usually asked for (Bentler & Chou "
        "1987); collect more or take a smaller model.",
        (),
        {"n": n, "free_parameters": free},
    )


@check("collinearity")
def collinearity(case: Case) -> Iterator[Diagnostic]:
    """Pairs that correlate far more than the model says."""
    for place, group in enumerate(case.groups):
        sample = _correlations(case.estimated.problem.sample.groups[place].cov)
        implied = _correlations(group.sigma)
        names = group.structure.observed
        missed = np.abs(sample) - np.abs(implied)
        bad = [
            (names[j], names[i], float(sample[i, j]), float(implied[i, j]))
            for i in range(len(names))
            for j in range(i)
            if abs(sample[i, j]) >= _ALIKE and missed[i, j] >= _UNEXPLAINED
        ]
        if bad:
            shown = ", ".join(f"{a} with {b} {r:.2f} (model {m:.2f})" for a, b, r, m in bad)
            yield Diagnostic(
                "unmodelled_collinearity",
                "warning",
                f"Nearly the same variables that the model holds apart{case.where(place)}: "
                f"{shown}.",
                "Let their residuals correlate, drop one, or ask whether they share items.",
                tuple(f"{a}~~{b}" for a, b, _, _ in bad),
                {f"{a}~~{b}": r for a, b, r, _ in bad},
            )


def _correlations(cov: np.ndarray) -> np.ndarray:
    sd = np.sqrt(np.maximum(np.diag(cov), 1e-300))
    return cov / np.outer(sd, sd)

"""Negative variances and loadings beyond their limits.

References
----------
Kolenikov, S., Bollen, K. A. (2012). Testing negative error variances: is a Heywood case a symptom
    of misspecification? Sociological Methods & Research 41, 124-167.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.rounding import descending
from gfactor.psychometrics.sem.diagnostics.case import FitCase, check

_ZERO = 1e-9
"""Share of a variance's usual size up to which a negative one is rounding."""


@check("heywood")
def heywood(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of residual variances of indicators that are negative."""
    for number, group in enumerate(case.groups):
        s = group.structure
        theta = np.diag(group.theta)
        unit = np.diag(case.estimated.problem.sample.groups[number].cov)
        yield from _negative(
            case, number, theta, unit, s.observed, "heywood_case", "residual variance", "indicator"
        )


@check("negative_variance")
def negative_variance(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of variances or disturbances of latent variables that are negative."""
    for number, group in enumerate(case.groups):
        psi = np.diag(group.psi)
        unit = case.latent_sizes(number) ** 2
        yield from _negative(
            case, number, psi, unit, group.structure.latent, "negative_variance",
            "variance or disturbance", "latent variable",
        )  # fmt: skip


def _negative(
    case: FitCase,
    number: int,
    values: np.ndarray,
    unit: np.ndarray,
    names: Sequence[str],
    code: str,
    what: str,
    kind: str,
) -> Iterator[Diagnostic]:
    bad = [int(i) for i in np.argsort(values) if values[i] < -_ZERO * unit[i]]
    if bad:
        listed = ", ".join(f"{names[i]} ({values[i]:.3g})" for i in bad)
        yield Diagnostic(
            code,
            "error",
            f"The solution is improper{case.where(number)}: negative {what} of {listed}.",
            f"Bound variances at zero (bounds = 'pos.var') and see what changes; the {kind} may be "
            "redundant, the model wrong, or the sample too small (Kolenikov & Bollen 2012).",
            tuple(names[i] for i in bad),
            {names[i]: float(values[i]) for i in bad},
        )


@check("on_bound")
def on_bound(case: FitCase) -> Iterator[Diagnostic]:
    where = tuple(n for n, bounded in zip(case.names, case.held, strict=True) if bounded)
    if where:
        yield Diagnostic(
            "on_bound",
            "warning",
            f"{', '.join(where)} {'lies' if len(where) == 1 else 'lie'} on a bound: without it the "
            "estimate would be outside.",
            "Standard errors and p-values of a solution on a bound are approximate; do not "
            "interpret the parameter as estimated.",
            where,
        )


@check("definiteness")
def definiteness(case: FitCase) -> Iterator[Diagnostic]:
    """Yield diagnostics of covariance matrices of residuals and latent variables that are not
    positive definite."""
    for number, group in enumerate(case.groups):
        for name, matrix, code in (
            ("residual covariance matrix", group.theta, "theta_not_positive"),
            ("covariance matrix of the latent variables", group.latent_cov, "psi_not_positive"),
            ("model-implied covariance matrix", group.sigma, "sigma_not_positive"),
        ):
            scale = np.sqrt(np.abs(np.diag(matrix)))
            scale[scale == 0] = 1.0
            scaled = matrix / np.outer(scale, scale)
            # Negative variances are reported by other checks; this one is about covariances.
            if not np.isfinite(scaled).all() or (np.diag(matrix) < 0).any():
                continue
            smallest = float(eigvalsh(scaled)[0]) if len(scaled) else 0.0
            if smallest < -1e-8:
                yield Diagnostic(
                    code,
                    "error",
                    f"The {name}{case.where(number)} is not positive definite (smallest eigenvalue "
                    f"of its correlations {smallest:.2g}).",
                    "Two variables are too alike, or a covariance is too large; merge them, or fix "
                    "the covariance.",
                    (),
                    {"smallest_eigenvalue": smallest},
                )


_RUNAWAY = 5.0
"""Standardized loading that neither rounding nor suppression explains."""

_OVER = 1e-6


@check("loadings")
def loadings(case: FitCase) -> Iterator[Diagnostic]:
    for number, group in enumerate(case.groups):
        s = group.structure
        sd = np.sqrt(np.maximum(np.diag(case.estimated.problem.sample.groups[number].cov), 1e-300))
        latent = np.sqrt(np.maximum(np.diag(group.latent_cov), 0.0))
        standardized = group.loading * latent / sd[:, None]
        standardized[:, s.n_true_latent :] = 0.0
        over = np.argwhere(np.abs(standardized) > 1 + _OVER)
        if not len(over):
            continue
        sizes = [abs(standardized[i, j]) for i, j in over]
        order = [over[k].tolist() for k in descending(sizes)]
        names = tuple(f"{s.latent[c]}=~{s.observed[r]}" for r, c in order)
        largest = float(standardized[order[0][0], order[0][1]])
        ran = abs(largest) > _RUNAWAY
        listed = ", ".join(
            f"{name} {standardized[r, c]:.3g}" for name, (r, c) in zip(names, order, strict=True)
        )
        yield Diagnostic(
            "runaway_loading" if ran else "loading_above_one",
            "error" if ran else "warning",
            f"Standardized loadings above one{case.where(number)}: {listed}."
            + (" The largest grows without end." if ran else ""),
            "Bound variances at zero; a factor with one strong indicator is not defined by the "
            "others."
            if ran
            else "With correlated factors this can be proper; else look for a negative residual "
            "variance.",
            names,
            {"largest": largest},
        )


@check("latent_correlations")
def latent_correlations(case: FitCase) -> Iterator[Diagnostic]:
    for number, group in enumerate(case.groups):
        names = group.structure.latent
        variances = np.diag(group.latent_cov)
        bad = []
        for i in range(group.structure.n_true_latent):
            for j in range(i):
                if variances[i] > 0 and variances[j] > 0:
                    r = float(group.latent_cov[i, j] / np.sqrt(variances[i] * variances[j]))
                    if abs(r) > 1 + _OVER:
                        bad.append((names[j], names[i], r))
        if bad:
            listed = ", ".join(f"{a} with {b} {r:.3f}" for a, b, r in bad)
            yield Diagnostic(
                "latent_correlation_above_one",
                "error",
                f"Latent correlations beyond one{case.where(number)}: {listed}.",
                "The factors cannot be distinguished in these data; merge them.",
                tuple(f"{a}~~{b}" for a, b, _ in bad),
                {f"{a}~~{b}": r for a, b, r in bad},
            )

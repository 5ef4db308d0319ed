"""Heywood cases, negative variances, variances on a bound, matrices that are not definite.

References
----------
Kolenikov, S., Bollen, K. A. (2012). Testing negative error variances: is a Heywood case a symptom
    of misspecification? Sociological Methods & Research 41, 124-167.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check

_ZERO = 1e-9
"""Share of a variance's usual size up to which a negative one is rounding."""


@check("heywood")
def heywood(case: Case) -> Iterator[Diagnostic]:
    """Residual variances of indicators that are negative."""
    for place, group in enumerate(case.groups):
        s = group.structure
        theta = np.diag(group.theta)
        unit = np.diag(case.estimated.problem.sample.groups[place].cov)
        yield from _negative(
            case, place, theta, unit, s.observed, "heywood_case", "residual variance", "indicator"
        )


@check("negative_variance")
def negative_variance(case: Case) -> Iterator[Diagnostic]:
    """Variances or disturbances of latent variables that are negative."""
    for place, group in enumerate(case.groups):
        psi = np.diag(group.psi)
        unit = case.latent_sizes(place) ** 2
        yield from _negative(
            case, place, psi, unit, group.structure.latent, "negative_variance",
            "variance or disturbance", "latent variable",
        )  # fmt: skip


def _negative(
    case: Case,
    place: int,
    values: np.ndarray,
    unit: np.ndarray,
    names: Sequence[str],
    code: str,
    what: str,
    kind: str,
) -> Iterator[Diagnostic]:
    bad = [int(i) for i in np.argsort(values) if values[i] < -_ZERO * unit[i]]
    if bad:
        shown = ", ".join(f"{names[i]} ({values[i]:.3g})" for i in bad)
        yield Diagnostic(
            code,
            "error",
            f"The solution is improper{case.where(place)}: negative {what} of {shown}.",
            f"Bound variances at zero (bounds = 'pos.var') and see what changes; the {kind} may be "
            "redundant, the model wrong, or the sample too small (Kolenikov & Bollen 2012).",
            tuple(names[i] for i in bad),
            {names[i]: float(values[i]) for i in bad},
        )


@check("on_bound")
def on_bound(case: Case) -> Iterator[Diagnostic]:
    where = tuple(n for n, held in zip(case.names, case.held, strict=True) if held)
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
def definiteness(case: Case) -> Iterator[Diagnostic]:
    """Covariance matrices of residuals and latent variables that no variables could have."""
    for place, group in enumerate(case.groups):
        for name, matrix, code in (
            ("residual covariance matrix", group.theta, "theta_not_positive"),
            ("covariance matrix of the latent variables", group.latent_cov, "psi_not_positive"),
            ("model-implied covariance matrix", group.sigma, "sigma_not_positive"),
        ):
            scale = np.sqrt(np.abs(np.diag(matrix)))
            scale[scale == 0] = 1.0
            scaled = matrix / np.outer(scale, scale)
            # A negative variance is named elsewhere; here it is the covariances that are wrong.
            if not np.isfinite(scaled).all() or (np.diag(matrix) < 0).any():
                continue
            smallest = float(np.linalg.eigvalsh(scaled)[0]) if len(scaled) else 0.0
            if smallest < -1e-8:
                yield Diagnostic(
                    code,
                    "error",
                    f"The {name}{case.where(place)} is not positive definite (smallest eigenvalue "
                    f"of its correlations {smallest:.2g}).",
                    "Two variables are too alike, or a covariance is too large; merge them, or fix "
                    "the covariance.",
                    (),
                    {"smallest_eigenvalue": smallest},
                )

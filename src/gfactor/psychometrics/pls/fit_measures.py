"""How far the correlations that a model implies are from those observed: SRMR, d_ULS, d_G.

References
----------
Henseler, J. et al. (2014). Common beliefs and reality about PLS. Organizational Research Methods
    17, 182-209 (composite and common-factor implied matrices, SRMR).
Dijkstra, T. K., Henseler, J. (2015). Consistent and asymptotically normal PLS estimators for
    linear structural equations. Computational Statistics & Data Analysis 81, 10-23 (d_ULS, d_G).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.pls.design import Floats
from gfactor.psychometrics.pls.estimate import Estimates

Implied = Literal["as_written", "composite", "common_factor"]
Structure = Literal["saturated", "estimated"]
IMPLIED: tuple[Implied, ...] = ("as_written", "composite", "common_factor")
STRUCTURES: tuple[Structure, ...] = ("saturated", "estimated")


def implied_correlations(
    found: Estimates,
    observed: Floats,
    implied: Implied = "as_written",
    structure: Structure = "saturated",
) -> Floats:
    """(B, p, p) correlations of the indicators that the model implies.

    Between constructs: loading x correlation of the constructs x loading. Inside a block:
    "common_factor" the product of the loadings, "composite" what was observed (a composite says
    nothing about it), "as_written" the former for mode A (`=~`) and the latter for mode B (`<~`).

    Parameters
    ----------
    observed: (B, p, p), the correlations that were analyzed.
    structure: "saturated" takes the correlations of the constructs as they are, "estimated" those
        that the paths imply.
    """
    if implied not in IMPLIED:
        raise ParameterError(f"implied {implied!r} is none of {', '.join(IMPLIED)}")
    if structure not in STRUCTURES:
        raise ParameterError(f"structure {structure!r} is none of {', '.join(STRUCTURES)}")
    design = found.design
    c = found.correlations if structure == "saturated" else structural_correlations(found)
    wide = found.loadings[:, :, None] * design.member
    model = wide @ c @ np.swapaxes(wide, 1, 2)
    for mode, columns in zip(design.modes, design.blocks, strict=True):
        if implied == "composite" or (implied == "as_written" and mode == "B"):
            block = np.ix_(np.arange(len(model)), columns, columns)
            model[block] = observed[block]
    diagonal = np.arange(model.shape[1])
    model[:, diagonal, diagonal] = 1.0
    return model


def structural_correlations(found: Estimates) -> Floats:
    """(B, J, J) correlations of the constructs that paths and exogenous correlations imply.

    Disturbances are uncorrelated, and sized so that every construct has variance 1.
    """
    design, c = found.design, found.correlations.copy()
    done: list[int] = []
    for j in design.order:
        sources = design.sources[j]
        if sources.size:  # correlations among exogenous constructs stay as observed
            for other in done:
                value = (found.paths[:, sources, j] * c[:, sources, other]).sum(axis=1)
                c[:, j, other] = c[:, other, j] = value
        done.append(j)
    return c


def distances(observed: Floats, model: Floats) -> dict[str, Floats]:
    """SRMR and distances between observed and implied correlations, each (B,).

    `srmr` averages the squared residuals over the p (p + 1) / 2 elements on and below the
    diagonal (Henseler et al. 2014); `srmr_off_diagonal` over the p (p - 1) / 2 below it (GOLD's
    authors' tool). `d_uls` is half the sum of all squared residuals, `d_g` half the sum of the
    squared logarithms of the eigenvalues of observed^-1 x implied; NaN where one of the two is not
    positive definite.
    """
    p = observed.shape[1]
    square = ((observed - model) ** 2).sum(axis=(1, 2)) / 2
    off = p * (p - 1) / 2
    return {
        "srmr": np.sqrt(square / (off + p)),
        "srmr_off_diagonal": np.sqrt(square / off) if off else np.zeros(len(square)),
        "d_uls": square,
        "d_g": _geodesic(observed, model),
    }


def _geodesic(observed: Floats, model: Floats) -> Floats:
    values = np.full(len(observed), np.nan)
    for row, (s, m) in enumerate(zip(observed, model, strict=True)):
        try:
            lower = np.linalg.cholesky(s)
            half = np.linalg.solve(lower, m)
            roots = np.linalg.eigvalsh(np.linalg.solve(lower, half.T))
        except np.linalg.LinAlgError:
            continue
        if np.linalg.eigvalsh(s)[0] > 1e-10 and roots[0] > 1e-12:
            values[row] = 0.5 * float((np.log(roots) ** 2).sum())
    return values

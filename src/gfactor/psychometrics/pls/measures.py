"""Tables read from a solution: measurement, reliability, validity, effects, fit.

References
----------
Henseler, J. et al. (2014). Common beliefs and reality about PLS. Organizational Research Methods
    17, 182-209 (composite and common-factor implied matrices, SRMR).
Dijkstra, T. K., Henseler, J. (2015). Consistent and asymptotically normal PLS estimators for
    linear structural equations. Computational Statistics & Data Analysis 81, 10-23 (d_ULS, d_G).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.classical.consistency import (
    component_reliability,
    composite_reliability,
    cronbach_alpha,
    feldt_interval,
    omega,
    standardized_alpha,
)
from gfactor.psychometrics.float_arrays import cholesky, eigvalsh, inv
from gfactor.psychometrics.pls.correction import rho_a
from gfactor.psychometrics.pls.data import ModelColumns
from gfactor.psychometrics.pls.design import Design, Floats
from gfactor.psychometrics.pls.iteration import Estimates, regressions
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.solution import PathSettings, PathSolution, solve
from gfactor.psychometrics.pls.stages import CorrelationSamples
from gfactor.psychometrics.validity import (
    average_variance_extracted,
    block_inflation,
    variance_inflation,
)

Implied = Literal["as_written", "composite", "common_factor"]
Structure = Literal["saturated", "estimated"]
IMPLIED: tuple[Implied, ...] = ("as_written", "composite", "common_factor")
STRUCTURES: tuple[Structure, ...] = ("saturated", "estimated")


def implied_correlations(
    estimates: Estimates,
    observed: Floats,
    implied: Implied = "as_written",
    structure: Structure = "saturated",
) -> Floats:
    """Return the model-implied correlations of the indicators, shape (B, p, p).

    Between constructs they are loading x correlation of the constructs x loading. Inside a block
    they are the product of the loadings ("common_factor"), the observed correlations, which a
    composite does not restrict ("composite"), or the former for mode A (`=~`) and the latter for
    mode B (`<~`) ("as_written").

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
    design = estimates.design
    c = estimates.correlations if structure == "saturated" else structural_correlations(estimates)
    wide = estimates.loadings[:, :, None] * design.member
    model = wide @ c @ np.swapaxes(wide, 1, 2)
    for mode, columns in zip(design.modes, design.blocks, strict=True):
        if implied == "composite" or (implied == "as_written" and mode == "B"):
            block = np.ix_(np.arange(len(model)), columns, columns)
            model[block] = observed[block]
    diagonal = np.arange(model.shape[1])
    model[:, diagonal, diagonal] = 1.0
    return model


def structural_correlations(estimates: Estimates) -> Floats:
    """Return correlations of the constructs that paths and exogenous correlations imply, shape (B,
    J, J).

    Disturbances are uncorrelated, with variances that give every construct variance 1.
    """
    design, c = estimates.design, estimates.correlations.copy()
    done: list[int] = []
    for j in design.order:
        sources = design.sources[j]
        if sources.size:  # correlations among exogenous constructs stay as observed
            for other in done:
                value = (estimates.paths[:, sources, j] * c[:, sources, other]).sum(axis=1)
                c[:, j, other] = c[:, other, j] = value
        done.append(j)
    return c


def distances(observed: Floats, model: Floats) -> dict[str, Floats]:
    """Return SRMR and distances between observed and implied correlations, each (B,).

    `srmr` averages the squared residuals over the p (p + 1) / 2 elements on and below the
    diagonal (Henseler et al. 2014); `srmr_off_diagonal` over the p (p - 1) / 2 below it (GOLD's
    authors' tool). `d_uls` is half the sum of all squared residuals, `d_g` half the sum of the
    squared logarithms of the eigenvalues of observed^-1 x implied; NaN if one of the two is not
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
            lower = cholesky(s)
            half = np.linalg.solve(lower, m)
            roots = eigvalsh(np.linalg.solve(lower, half.T))
        except np.linalg.LinAlgError:
            continue
        if eigvalsh(s)[0] > 1e-10 and roots[0] > 1e-12:
            values[row] = 0.5 * float((np.log(roots) ** 2).sum())
    return values


def total_effects(paths: Floats) -> Floats:
    """Return the total effects of recursive models, direct plus indirect: (I - B)^-1 - I, shape (B,
    J, J)."""
    eye = np.eye(paths.shape[1])
    finite = np.isfinite(paths).all(axis=(1, 2))
    total = np.full_like(paths, np.nan)
    total[finite] = inv(eye - paths[finite]) - eye
    return total


def measurement_table(solution: PathSolution) -> pd.DataFrame:
    """Return one row per item of a construct, in the order of the model.

    `weight`; `loading`; `communality` (squared loading) and `redundancy` (communality x R2 of the
    construct, Tenenhaus 2005); `vif` among the items of the construct and `vif_all` among all
    items of the model (empty for a second-order construct's repeated items and for products).
    """
    estimates, design = solution.estimates, solution.design
    names = [design.constructs[j] for j in design.owner]
    communality = estimates.loadings[0] ** 2
    return pd.DataFrame(
        {
            "construct": names,
            "indicator": solution.items,
            "mode": [design.modes[j] for j in design.owner],
            "weight": estimates.weights[0],
            "loading": estimates.loadings[0],
            "communality": communality,
            "redundancy": communality * estimates.r2[0][design.owner],
            "vif": block_inflation(solution.r[0], design.blocks),
            "vif_all": _overall_inflation(solution),
        }
    )


def reliability_table(
    solution: PathSolution, table: ModelColumns, level: float = 0.95
) -> pd.DataFrame:
    """Return one row per construct.

    `alpha` of the standardized and `alpha_raw` of the raw indicators (the latter with Feldt's
    interval; empty if the items are scores or cells are missing), `rho_a`, `rho_c`, `ave`,
    `omega`, `component_rho` (GOLD's "rho_A"), `n_indicators`.
    """
    estimates, design = solution.estimates, solution.design
    raw = np.full((len(design.constructs), 3), np.nan)
    for j, block in enumerate(design.blocks):
        names = [solution.items[i] for i in block]
        if len(names) > 1 and all(name in table.columns for name in names):
            x = table.raw[:, [table.columns.index(name) for name in names]]
            if not np.isnan(x).any():
                alpha = cronbach_alpha(x)
                raw[j] = [alpha, *feldt_interval(alpha, len(x), len(names), level)]
    return pd.DataFrame(
        {
            "alpha": standardized_alpha(solution.r, design.blocks)[0],
            "alpha_raw": raw[:, 0],
            "alpha_raw_low": raw[:, 1],
            "alpha_raw_high": raw[:, 2],
            "rho_a": rho_a(solution.plain)[0],
            "rho_c": composite_reliability(estimates.loadings, design.member)[0],
            "ave": average_variance_extracted(estimates.loadings, design.member)[0],
            "omega": omega(solution.r[0], design.blocks),
            "component_rho": component_reliability(solution.r[0], design.blocks),
            "n_indicators": [len(block) for block in design.blocks],
        },
        index=pd.Index(design.constructs, name="construct"),
    )


def structure_table(solution: PathSolution, n: int) -> pd.DataFrame:
    """Return one row per explained construct: `r2`, `adj_r2`, `aic`, `bic`, number of `sources`.

    AIC and BIC are n (log(SSE / n) + penalty / n) with the intercept counted (Sharma et al. 2019),
    SSE = (n - 1)(1 - R2).
    """
    rows = {}
    for j, sources in enumerate(solution.design.sources):
        if sources.size:
            r2, k = float(solution.estimates.r2[0, j]), int(sources.size)
            plain = float(regressions(solution.plain.correlations, solution.design)[1][0, j])
            base = n * np.log(max(1 - plain, 1e-300) * (n - 1) / n)
            rows[solution.constructs[j]] = {
                "r2": r2,
                "adj_r2": 1 - (1 - r2) * (n - 1) / (n - k - 1) if n > k + 1 else np.nan,
                "aic": base + 2 * (k + 1),
                "bic": base + np.log(n) * (k + 1),
                "sources": k,
            }
    columns = ["r2", "adj_r2", "aic", "bic", "sources"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("construct")


def effects_table(solution: PathSolution) -> pd.DataFrame:
    """Return one row per pair of constructs with an effect: `direct`, `indirect`, `total`."""
    paths = solution.estimates.paths[0]
    total = total_effects(solution.estimates.paths)[0]
    reach = total_effects(solution.design.arrows[None].astype(float))[0] > 0
    names = solution.constructs
    return pd.DataFrame(
        [
            (names[s], names[t], paths[s, t], total[s, t] - paths[s, t], total[s, t])
            for s, t in np.argwhere(reach)
        ],
        columns=["source", "target", "direct", "indirect", "total"],
    )


def antecedent_inflation(solution: PathSolution) -> pd.DataFrame:
    """Return VIF of every source of a construct among its sources, by (source, target)."""
    inflation, names = {}, solution.constructs
    for j, sources in enumerate(solution.design.sources):
        if sources.size:
            part = solution.plain.correlations[0][np.ix_(sources, sources)]
            for source, value in zip(sources, variance_inflation(part), strict=True):
                inflation[names[source], names[j]] = value
    rows = [(s, t, v) for (s, t), v in inflation.items()]
    return pd.DataFrame(rows, columns=["source", "target", "vif"])


def effect_sizes(
    model: PLSModel, sample: CorrelationSamples, settings: PathSettings, solution: PathSolution
) -> pd.DataFrame:
    """Return Cohen's f2 of every path: (R2 - R2 without the path) / (1 - R2).

    `f2` estimates the model anew without the path (seminr's; it can be slightly negative, since
    the weights change), `f2_fixed` keeps the scores. `f2` is empty if the model cannot be
    estimated without the path.
    """
    rows, names = [], solution.constructs
    full = regressions(solution.estimates.correlations, solution.design)[1][0]
    for s, t in np.argwhere(solution.design.arrows):
        r2 = solution.estimates.r2[0, t]
        fixed = replace(solution.estimates, design=solution.design.without((s, t)))
        less = regressions(fixed.correlations, fixed.design)[1][0, t]
        pair = (names[s], names[t])
        refit = 0.0
        if solution.design.sources[t].size > 1:
            refit = _r2_without(model, sample, settings, pair) if pair in model.paths else np.nan
        rows.append((*pair, (r2 - refit) / (1 - r2), (full[t] - less) / (1 - full[t])))
    return pd.DataFrame(rows, columns=["source", "target", "f2", "f2_fixed"])


def fit_table(solution: PathSolution) -> pd.DataFrame:
    """Return SRMR, d_ULS and d_G for each implied matrix, saturated and estimated; see `distances`.

    For models that are estimated in stages, the values are those of the last stage.
    """
    rows = []
    indicators = np.flatnonzero(solution.design.owner < solution.last)
    estimates, r = _last_stage(solution, indicators), solution.r[:, indicators][:, :, indicators]
    for implied in IMPLIED:
        for structure in STRUCTURES:
            model = implied_correlations(estimates, r, implied, structure)
            values = {name: float(value[0]) for name, value in distances(r, model).items()}
            rows.append({"implied": implied, "structure": structure, **values})
    return pd.DataFrame(rows)


def _last_stage(solution: PathSolution, indicators: np.ndarray) -> Estimates:
    estimates, j = solution.estimates, solution.last
    design = estimates.design
    return replace(
        estimates,
        design=Design(
            design.constructs[:j], design.owner[indicators], design.modes[:j], design.arrows[:j, :j]
        ),
        weights=estimates.weights[:, indicators],
        loadings=estimates.loadings[:, indicators],
        cross=estimates.cross[:, indicators, :j],
        correlations=estimates.correlations[:, :j, :j],
        paths=estimates.paths[:, :j, :j],
        r2=estimates.r2[:, :j],
    )


def _r2_without(
    model: PLSModel, sample: CorrelationSamples, settings: PathSettings, path: tuple[str, str]
) -> float:
    paths = tuple(one for one in model.paths if one != path)
    used = {end for pair in paths for name in pair for end in name.split(":")}
    used |= {part for part, whole in model.parts.items() if whole in used}
    constructs = tuple(c for c in model.constructs if c.name in used)
    try:
        smaller = PLSModel(constructs, paths)
        keep = [model.columns.index(name) for name in smaller.columns]
        part = CorrelationSamples(
            sample.r[:, keep][:, :, keep], None if sample.z is None else sample.z[:, :, keep]
        )
        solution = solve(smaller, part, settings)
    except GfactorError:
        return float("nan")
    return float(solution.estimates.r2[0, solution.constructs.index(path[1])])


def _overall_inflation(solution: PathSolution) -> Floats:
    """VIF among all different first-order items; NaN for the others."""
    seen: dict[str, int] = {}
    design = solution.design
    for i, name in enumerate(solution.items):
        is_part = name in solution.constructs[solution.last :]
        if not is_part and name not in solution.units:
            seen.setdefault(name, i)
    rows = np.array(list(seen.values()))
    values = np.full(len(design.owner), np.nan)
    values[rows] = variance_inflation(solution.r[0][np.ix_(rows, rows)])
    return values

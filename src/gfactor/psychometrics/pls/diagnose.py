"""Diagnostics of a PLS model and its data.

References
----------
Hair, J. F. et al. (2022). A primer on PLS-SEM, 3rd ed. (rules of thumb: ten times, VIF 5, loading
    0.708, HTMT 0.90, AVE 0.5).
Kock, N., Hadaya, P. (2018). Minimum sample size estimation in PLS-SEM. Information Systems Journal
    28, 227-261.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.pls.correction import rho_a
from gfactor.psychometrics.pls.data import ModelColumns
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pls.solution import PathSettings, PathSolution
from gfactor.psychometrics.rounding import descending

HTMT_LIMIT = 0.90
VIF_LIMIT = 5.0


def of_data(table: ModelColumns) -> Iterator[Diagnostic]:
    """Yield diagnostics of missing cells, copies, singular matrices, too few rows."""
    if table.n_missing:
        yield _about_missing(table)
    r = table.r
    for i, k in np.argwhere(np.triu(np.abs(r) > 1 - 1e-9, 1)):
        names = (table.columns[i], table.columns[k])
        yield Diagnostic(
            "duplicated_column",
            "warning",
            f"{names[0]} and {names[1]} correlate {r[i, k]:+z.3f}: one is a copy of the other.",
            "Keep one; in mode B their weights are arbitrary, and their VIF is infinite.",
            names,
        )
    smallest = float(eigvalsh(r)[0])
    if smallest < -1e-9:
        yield Diagnostic(
            "not_positive_definite",
            "warning",
            f"The pairwise correlations are no correlation matrix (smallest eigenvalue "
            f"{smallest:.3g}).",
            "Treat missing cells by em instead of pairwise.",
            values={"smallest_eigenvalue": smallest},
        )
    p = len(table.columns)
    if table.n <= p:
        yield Diagnostic(
            "more_indicators_than_rows",
            "warning",
            f"{p} indicators for {table.n} rows: the correlation matrix is singular, and a VIF "
            "among all indicators does not exist.",
            "Read weights, loadings and paths with their bootstrap intervals; prefer mode A.",
            values={"indicators": p, "n": table.n},
        )


def of_solution(
    model: PLSModel, table: ModelColumns, settings: PathSettings, solution: PathSolution
) -> Iterator[Diagnostic]:
    """Yield diagnostics of convergence, size, mode B, reliability above 1, interactions, repeated
    indicators."""
    estimates = solution.estimates
    if not estimates.converged[0]:
        yield Diagnostic(
            "not_converged",
            "error",
            f"The weights still changed by {estimates.change[0]:.2g} after "
            f"{int(estimates.iterations[0])} rounds (tolerance {settings.tolerance:g}).",
            "Raise max_iterations, or look for columns that are sums of others.",
            values={"change": float(estimates.change[0])},
        )
    yield from _size(table, solution)
    for j, block in enumerate(solution.design.blocks):
        name = solution.constructs[j]
        if solution.design.modes[j] == "B" and len(block) > 1:
            smallest = float(eigvalsh(solution.r[0][np.ix_(block, block)])[0])
            if smallest < 1e-10:
                yield Diagnostic(
                    "singular_block",
                    "error",
                    f"The {len(block)} indicators of {name} (mode B) depend on each other "
                    "linearly, so their weights are arbitrary.",
                    "Leave out a copy or a sum, or use mode A (=~).",
                    (name,),
                )
    rho = solution_rho(solution)
    for name, value in rho.items():
        if value > 1 or value <= 0:
            yield Diagnostic(
                "rho_a_out_of_range",
                "error" if settings.consistent else "warning",
                f"rho_A of {name} is {value:.3f}, outside 0 to 1.",
                "Its loadings are too uneven or its indicators too few for the correction of "
                "consistent PLS.",
                (str(name),),
                {"rho_a": float(value)},
            )
    sources = {path for path in model.paths}
    for first, second in model.interactions:
        for _, target in (path for path in model.paths if path[0] == f"{first}:{second}"):
            absent = [end for end in (first, second) if (end, target) not in sources]
            if absent:
                yield Diagnostic(
                    "interaction_without_main_effect",
                    "warning",
                    f"{first}:{second} explains {target}, but {absent[0]} alone does not.",
                    f"Add the path {target} ~ {absent[0]}; else the product carries its effect.",
                    (f"{first}:{second}", target),
                )
    if model.interactions and table.n_missing and table.missing in {"mean", "em"}:
        yield Diagnostic(
            "products_of_imputed_cells",
            "note",
            "Products were formed from imputed cells, and resamples keep these imputations.",
            "Intervals of the interaction are too narrow by what the imputation is unsure of.",
        )
    if settings.second_order == "repeated":
        for construct in (c for c in model.constructs if c.second_order):
            others = [s for s, t in model.paths if t == construct.name]
            if construct.mode == "B" and others:
                yield Diagnostic(
                    "repeated_indicators_explained",
                    "warning",
                    f"The parts of {construct.name} explain it completely, so the paths from "
                    f"{', '.join(others)} to it are near 0.",
                    "Use the two-stage approach for a second-order construct that others explain.",
                    (construct.name,),
                )


def of_validity(
    measurement: pd.DataFrame,
    htmt: pd.DataFrame,
    parts: dict[str, str],
    formative: Collection[str] = (),
) -> Iterator[Diagnostic]:
    """Yield diagnostics of discriminant validity, collinearity, indicators with a negative loading
    on their construct. HTMT of `formative` constructs (mode B) means nothing: their indicators need
    not correlate."""
    values = htmt.to_numpy(float)
    names = [str(name) for name in htmt.index]
    pairs = [
        (names[i], names[k], float(values[i, k]))
        for i in range(len(names))
        for k in range(i + 1, len(names))
        if parts.get(names[i]) != names[k]
        and parts.get(names[k]) != names[i]
        and names[i] not in formative
        and names[k] not in formative
    ]
    pairs_by_size = [pairs[k] for k in descending([value for *_, value in pairs])]
    high = [pair for pair in pairs_by_size if pair[2] >= HTMT_LIMIT]
    if high:
        listed = ", ".join(f"{a} and {b} ({value:.3f})" for a, b, value in high)
        yield Diagnostic(
            "htmt_high",
            "warning",
            f"HTMT is not below {HTMT_LIMIT:.2f} for {len(high)} of {len(pairs)} pairs: {listed}; "
            "their indicators do not tell them apart.",
            "Read its bootstrap interval; merge constructs or move indicators.",
            tuple(dict.fromkeys(name for pair in high for name in pair[:2])),
            {f"{a} and {b}": value for a, b, value in high},
        )
    doubled = measurement.loc[measurement["vif"].to_numpy(float) > VIF_LIMIT]
    if len(doubled):
        worst = doubled.iloc[int(np.argmax(doubled["vif"].to_numpy(float)))]
        yield Diagnostic(
            "vif_high",
            "warning",
            f"{len(doubled)} of {len(measurement)} indicators have a VIF above {VIF_LIMIT:g} in "
            f"their construct, {worst['indicator']} the highest ({worst['vif']:.3g}).",
            "They say the same as their neighbors: weights in mode B are unstable, and pruning "
            "them loses little.",
            tuple(str(name) for name in doubled["indicator"]),
        )
    if formative:
        yield Diagnostic(
            "formative_reliability",
            "note",
            f"Alpha, rho_C, AVE and HTMT of {', '.join(formative)} say nothing: indicators in "
            "mode B form the construct and need not correlate.",
            "Judge them by their weights, with intervals, and their VIF.",
            tuple(formative),
        )
    against = measurement[measurement["loading"] < 0]
    if len(against):
        yield Diagnostic(
            "negative_loading",
            "warning",
            f"{', '.join(map(str, against['indicator']))} load negatively: they run against the "
            "other indicators of their construct.",
            "Check the keying; alpha and rho_C of the construct are too low.",
            tuple(str(name) for name in against["indicator"]),
        )
    counts = Counter(map(str, measurement["construct"]))
    alone = [name for name, count in counts.items() if count == 1 and ":" not in name]
    if alone:
        yield Diagnostic(
            "single_indicator",
            "note",
            f"{', '.join(alone)} {'has' if len(alone) == 1 else 'have'} one indicator: loading, "
            "alpha, rho_A, rho_C and AVE are 1 by convention, and say nothing.",
            "Its measurement error is part of every path and HTMT.",
            tuple(alone),
        )


def solution_rho(solution: PathSolution) -> pd.Series:
    """Return rho_A of each construct in mode A with several indicators."""
    values = rho_a(solution.plain)[0]
    reflective = [
        j
        for j, block in enumerate(solution.design.blocks)
        if solution.design.modes[j] == "A" and len(block) > 1
    ]
    return pd.Series(values[reflective], [solution.constructs[j] for j in reflective])


def _size(table: ModelColumns, solution: PathSolution) -> Iterator[Diagnostic]:
    arrows = [int(sources.size) for sources in solution.design.sources]
    arrows += [
        len(block)
        for mode, block in zip(solution.design.modes, solution.design.blocks, strict=True)
        if mode == "B"
    ]
    needed = 10 * max(arrows)
    if table.n < needed:
        yield Diagnostic(
            "few_rows",
            "warning",
            f"{table.n} rows are fewer than ten times the {max(arrows)} predictors of the largest "
            f"regression ({needed}).",
            "The rule is generous already: trust bootstrap intervals only.",
            values={"n": table.n, "needed": needed},
        )


def _about_missing(table: ModelColumns) -> Diagnostic:
    cells = f"{table.n_missing} cells are missing; "
    consequence = {
        "listwise": f"{table.n_dropped} rows were left out (listwise).",
        "pairwise": f"correlations rest on {table.n_pair} to {table.n} rows (pairwise).",
        "mean": "each was set to its column's mean, which shrinks correlations.",
        "em": "moments are maximum-likelihood estimates under normality and missingness at random.",
    }[table.missing]
    remedy = {
        "listwise": "This is unbiased only if missingness has nothing to do with the scores.",
        "pairwise": "Scores exist only for complete rows; n of the paths is not one number.",
        "mean": "Prefer em unless a result of other software is to be repeated.",
        "em": "Intervals of the bootstrap include what the imputation is unsure of.",
    }[table.missing]
    return Diagnostic(
        "missing_cells",
        "warning" if table.missing in {"pairwise", "mean"} else "note",
        cells + consequence,
        remedy,
        values={"missing": table.n_missing, "n": table.n},
    )

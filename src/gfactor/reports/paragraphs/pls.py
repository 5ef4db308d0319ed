"""Sentences on a PLS path model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from gfactor.numbers_in_text import share
from gfactor.psychometrics.pls import PLSFit
from gfactor.reports.paragraphs.pls_groups import sentences_on_pls_groups
from gfactor.reports.paragraphs.wording import (
    MOST_LISTED,
    gaps,
    listed,
    range_of,
    share_between,
    software,
)
from gfactor.results import number_of

MISSING_IN_PLS = {
    "error": "No value of the indicators was missing",
    "listwise": "rows with a missing value were left out",
    "pairwise": "each correlation was taken over the rows that have both values",
    "mean": "they were replaced by the mean of their column",
    "em": "they were replaced by their expectation (EM)",
}


def sentences_on_pls(fit: PLSFit) -> Iterable[str]:
    settings, design = fit.settings, fit.solution.design
    constructs = [
        f"{name} ({number_of(len(design.blocks[j]), 'indicator')}, mode {design.modes[j]})"
        for j, name in enumerate(fit.constructs)
    ]
    consistent = ", corrected for attenuation (consistent PLS)" if settings.consistent else ""
    yield (
        f"A path model of {listed(constructs)} was estimated by partial least squares "
        f"({settings.scheme} weighting scheme{consistent}) from {fit.n} rows with {software()}."
    )
    table = fit.table
    treated = MISSING_IN_PLS[table.missing]
    if table.n_dropped:
        verb = "was" if table.n_dropped == 1 else "were"
        yield f"{number_of(table.n_dropped, 'row')} with a missing value {verb} left out."
    else:
        yield gaps(table.n_missing, table.n * len(table.columns), treated)
    end = "converged" if fit.converged else "did not converge"
    yield f"The weights {end} in {number_of(fit.iterations, 'iteration')}."
    yield from _pls_measurement(fit)
    yield from _pls_structure(fit)
    if groups := fit.further.get("groups"):
        yield from sentences_on_pls_groups(groups)


def _pls_measurement(fit: PLSFit) -> Iterable[str]:
    table = fit.measurement
    yield (
        f"Loadings were {range_of(table['loading'])}, and variance inflation factors of indicators "
        f"{range_of(table['vif'])}."
    )
    modes = dict(zip(fit.constructs, fit.solution.design.modes, strict=True))
    parts = [
        f"{name} {', '.join(_pls_reliability(fit, name, row))}"
        for name, row in fit.reliability.to_dict("index").items()
        if modes[str(name)] == "A" and math.isfinite(float(row["alpha"]))
    ]
    if 0 < len(parts) <= MOST_LISTED:
        yield f"Reliability: {'; '.join(parts)}."
    formed = [row for row in table.to_dict("records") if modes[row["construct"]] == "B"]
    if 0 < len(formed) <= MOST_LISTED:
        weights = [
            f"{row['indicator']} {share(row['weight'], 2)}"
            f"{_pls_interval(fit, 'weight', row['indicator'], row['construct'])}"
            for row in formed
        ]
        yield f"Weights of composites: {'; '.join(weights)}."
    ratios = fit.htmt.to_numpy(float)
    upper = ratios[np.triu_indices(len(ratios), 1)]
    if np.isfinite(upper).any():
        which = "HTMT ratios were" if len(upper) > 1 else "The HTMT ratio was"
        yield f"{which} {range_of(upper)}."
    yield f"SRMR of the saturated model was {share(fit.srmr)}."


def _pls_reliability(fit: PLSFit, name: object, row: Mapping[Any, Any]) -> list[str]:
    quantities = {"alpha": "alpha", "rho_a": "rho_A", "rho_c": "rho_C", "ave": "AVE"}
    return [
        f"{word} {share(row[quantity], 2)}{_pls_interval(fit, quantity, name)}"
        for quantity, word in quantities.items()
    ]


def _pls_structure(fit: PLSFit) -> Iterable[str]:
    drawn = fit.further.get("bootstrap")
    paths = [
        f"{row['source']} to {row['target']} {share(row['direct'], 2)}"
        f"{_pls_interval(fit, 'path', row['source'], row['target'])}"
        for row in fit.effects.to_dict("records")
        if fit.paths.loc[row["source"], row["target"]] != 0
    ]
    if paths:
        yield f"Standardized paths: {'; '.join(paths)}."
    explained = [
        f"{name} {share(value, 2)}{_pls_interval(fit, 'r2', name)}"
        for name, value in fit.r2["r2"].items()
    ]
    if explained:
        yield f"Explained variance (R2): {'; '.join(explained)}."
    if drawn is None:
        yield (
            "Intervals were not computed (n_bootstrap = 10000 gives percentile and BCa intervals)."
        )
        return
    seeded = "" if drawn.seed is None else f", seed {drawn.seed}"
    yield (
        f"Intervals are {'BCa' if drawn.jackknife is not None else 'percentile'} intervals of "
        f"{drawn.kept} resamples{seeded}."
    )


def _pls_interval(fit: PLSFit, quantity: str, left: object, right: object = "") -> str:
    """Interval of a statistic, BCa if there is one; "" without a bootstrap."""
    drawn = fit.further.get("bootstrap")
    if drawn is None:
        return ""
    table: pd.DataFrame = drawn.table
    rows = table[(table["quantity"] == quantity) & (table["left"] == left)
                 & (table["right"] == right)]  # fmt: skip
    if rows.empty:
        return ""
    row = rows.iloc[0]
    kind = "bca_" if math.isfinite(row["bca_low"]) else ""
    return f", {share_between(row[f'{kind}low'], row[f'{kind}high'], drawn.level)}"

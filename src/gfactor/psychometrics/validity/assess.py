"""Discriminant validity of constructs from their indicators alone: no model is fitted.

This module is not imported by `gfactor.psychometrics.validity`: PLS uses the functions of that
package, and this module uses tables and resamples of PLS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.resampling import acceleration, interval
from gfactor.psychometrics.pls.data import Missing, table_of
from gfactor.psychometrics.pls.moments import counts_of
from gfactor.psychometrics.validity.heterotrait import VARIANTS, Floats, Variant, htmt
from gfactor.results import Result, rounded

LIMIT = 0.90
CHUNK = 250


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminantValidity(Result):
    """Heterotrait-monotrait ratios of every pair of constructs.

    Parameters
    ----------
    table : DataFrame
        One row per pair: `left`, `right`, `ratio`, `se`, `low`, `high` (percentile
        bootstrap), `bca_low`, `bca_high`, and `separate`: True if the one-sided upper bound
        (`upper`) is below 0.90 (Henseler et al. 2015).
    matrix : DataFrame
        Constructs x constructs.
    variant : Variant
        Kind of ratio; see `htmt`.
    n : int
        Number of rows of the data.
    resamples : int
        Number of bootstrap samples that could be used.
    level : float
        Confidence level of the intervals.
    """

    table: pd.DataFrame
    matrix: pd.DataFrame
    variant: Variant
    n: int
    resamples: int
    level: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return (
            f"{self.variant.upper()}, n = {self.n}, {self.resamples} bootstrap resamples, "
            f"{100 * self.level:g} % intervals"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("variant", "n", "resamples", "level")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"pairs": self.table}

    def _document(self) -> Mapping[str, Any]:
        return {**self.facts, "diagnostics": self.diagnostics, **self.tables}

    def _lines(self) -> list[str]:
        return [self.title, rounded(self.table, 3).to_string(index=False)]


def discriminant_validity(
    data: pd.DataFrame,
    blocks: Mapping[str, Sequence[str]],
    *,
    variant: Variant = "htmt",
    missing: Missing = "error",
    n_bootstrap: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> DiscriminantValidity:
    """Return HTMT (or a variant) of every pair of constructs, with bootstrap intervals.

    Parameters
    ----------
    data : DataFrame
        Cases x indicators.
    blocks : dict of str to list of str
        Names of the columns of `data` that measure each construct; at least two constructs.
    variant : Variant
        Variant of HTMT: "htmt" or "htmt2".
    missing : Missing
        See `gfactor.psychometrics.pls.data.table_of`.
    n_bootstrap : int
        Number of bootstrap samples for the intervals; 0 for none.
    seed : int
        Seed of the bootstrap samples.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DiscriminantValidity
        HTMT with intervals, Fornell and Larcker's table, diagnostics.

    Raises
    ------
    ParameterError, UnknownNameError
        If the variant is unknown, fewer than two blocks are given, or too few resamples can be
        computed.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import discriminant_validity
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=200) for k in range(3)})
    >>> for k in range(3):
    ...     data[f"b{k}"] = b + random.normal(size=200)
    >>> blocks = {"A": ["a0", "a1", "a2"], "B": ["b0", "b1", "b2"]}
    >>> validity = discriminant_validity(data, blocks, n_bootstrap=50)
    >>> len(validity.to_dict()) > 0
    True
    """
    if variant not in VARIANTS:
        raise ParameterError(f"HTMT variant {variant!r} is none of {', '.join(VARIANTS)}")
    if len(blocks) < 2:
        raise ParameterError("HTMT compares two constructs or more; give two blocks of columns")
    columns = list(dict.fromkeys(name for block in blocks.values() for name in block))
    table = table_of(data, columns, missing)
    names = list(blocks)
    member = np.array([[float(c in blocks[name]) for name in names] for c in columns])
    directed = variant == "gold"
    ends = [
        (i, k)
        for i in range(len(names))
        for k in range(len(names))
        if i < k or (directed and i != k)
    ]
    one, two = (list(side) for side in zip(*ends, strict=True))

    def ratios(counts: Floats) -> Floats:
        parts = [
            htmt(table.correlations(counts[a : a + CHUNK]), member, variant)
            for a in range(0, len(counts), CHUNK)
        ]
        return np.concatenate(parts)[:, one, two]

    matrix = htmt(table.r, member, variant)
    drawn = np.random.default_rng(seed).integers(0, table.n, (n_bootstrap, table.n))
    replicates = ratios(counts_of(drawn, table.n))
    replicates = replicates[~np.isnan(replicates).any(axis=1)]
    if len(replicates) < 2:
        raise ParameterError(
            f"{variant} exists in {len(replicates)} of {n_bootstrap} resamples only: a construct's "
            "indicators hardly correlate; leave it out or use the variant 'htmt'"
        )
    estimate = matrix[one, two]
    less = ratios(1 - np.eye(table.n))
    tilt = acceleration([less])
    low, high = interval(replicates, estimate, level, rule="type7")
    corrected = interval(replicates, estimate, level, "bca", tilt, "type7")
    upper = np.quantile(replicates, level, axis=0)
    frame = pd.DataFrame(
        {
            "left": [names[i] for i in one],
            "right": [names[k] for k in two],
            "ratio": estimate,
            "se": replicates.std(axis=0, ddof=1),
            "low": low,
            "high": high,
            "bca_low": corrected[0],
            "bca_high": corrected[1],
            "upper": upper,
            "separate": upper < LIMIT,
        }
    )
    diagnostics = by_severity(_diagnose(frame, blocks, n_bootstrap, len(replicates)))
    wide = pd.DataFrame(matrix, names, names)
    return DiscriminantValidity(frame, wide, variant, table.n, len(replicates), level, diagnostics)


def _diagnose(
    frame: pd.DataFrame, blocks: Mapping[str, Sequence[str]], drawn: int, used: int
) -> list[Diagnostic]:
    diagnostics = []
    mixed = frame[~frame["separate"]]
    if len(mixed):
        pairs = ", ".join(
            f"{a} and {b}" for a, b in zip(mixed["left"], mixed["right"], strict=True)
        )
        diagnostics.append(
            Diagnostic(
                "htmt_high",
                "warning",
                f"The upper bound of the ratio is not below {LIMIT:.2f} for {pairs}.",
                "Their indicators do not distinguish them; merge constructs or move indicators.",
            )
        )
    alone = [name for name, block in blocks.items() if len(block) == 1]
    if alone:
        diagnostics.append(
            Diagnostic(
                "single_indicator",
                "note",
                f"{', '.join(alone)} {'has' if len(alone) == 1 else 'have'} one indicator, taken "
                "as free of error; the ratio is too low by its unreliability.",
                "Add indicators.",
                tuple(alone),
            )
        )
    if used < drawn:
        diagnostics.append(
            Diagnostic(
                "resamples_left_out",
                "warning",
                f"{drawn - used} of {drawn} resamples have no ratio and were left out.",
                "Intervals hold for the others only.",
                values={"resamples": drawn, "kept": used},
            )
        )
    return diagnostics

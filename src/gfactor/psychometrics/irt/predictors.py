"""Predictors of ability and of difficulty, as arrays of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.likelihood.curves import Floats


def numeric_predictors(
    given: pd.DataFrame | None, what: str, rows: int
) -> tuple[Floats | None, tuple[str, ...]]:
    """Return a table of numbers and the names of its columns; ParameterError for other cells."""
    if given is None:
        return None, ()
    if len(given) != rows:
        raise ParameterError(f"{what}: {len(given)} rows for {rows} persons")
    numbers = given.to_numpy(float)
    if not np.all(np.isfinite(numbers)):
        raise ParameterError(f"{what}: every cell must be a number; leave out persons without one")
    return numbers, tuple(map(str, given.columns))


def design_of_items(
    given: pd.DataFrame | None, items: Sequence[str]
) -> tuple[Floats | None, tuple[str, ...]]:
    """Return the design matrix in the order of the items, and the names of its effects;
    ParameterError if an item has no row."""
    if given is None:
        return None, ()
    given = given.set_axis([str(i) for i in given.index], axis=0)
    lacking = [item for item in items if item not in given.index]
    if lacking:
        raise ParameterError(f"design: item {lacking[0]!r} has no row")
    chosen = given.loc[list(items)]
    return numeric_predictors(chosen, "design", len(items))

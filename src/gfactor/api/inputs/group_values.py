"""Groups of a column that an analysis takes: "gender=woman,man"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import UnknownNameError


@dataclass(frozen=True)
class ChosenGroups:
    """Values of a column that select rows: "gender=woman,man"."""

    column: str
    values: tuple[str, ...]

    def rows(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return True for each row of these groups; raise UnknownNameError for a group without
        rows."""
        if self.column not in frame:
            raise UnknownNameError("column", self.column, list(map(str, frame.columns)))
        cells = frame[self.column]
        there = sorted({str(cell) for cell in cells[cells.notna()]})
        for value in self.values:
            if value not in there:
                raise UnknownNameError(f"group of {self.column!r}", value, there)
        return np.asarray(cells.astype(str).isin(self.values), dtype=bool)


def chosen_groups(options: dict[str, Any]) -> ChosenGroups | None:
    """Return the groups that an option names, and replace the option by the name of its column."""
    column, equal, values = str(options.get("groups") or "").partition("=")
    if not equal:
        return None
    options["groups"] = column
    return ChosenGroups(column, tuple(filter(None, (one.strip() for one in values.split(",")))))

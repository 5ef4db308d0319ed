"""Name maps: the names of a model in two sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.table_files import read_text_frame
from gfactor.listing import first_few

FROM, TO, MATCH = "model", "as", "match"


@dataclass(frozen=True)
class NameMap:
    """A map from names in the scores to names in another source, which a user gives; names are
    never guessed.

    Parameters
    ----------
    names: name to name.
    approximate: names whose partner is only nearly the same model.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    approximate: frozenset[str] = frozenset()


def read_names(path: Path | str, where: Mapping[str, str] | None = None) -> NameMap:
    """Return a name map from a CSV with the columns `model` and `as` (or one other that ends in
    _model).

    A third column `match` may say "exact" or "approx". `where` keeps rows with given values, for a
    map that serves several tables. Raises ParameterError if a model has two names.
    """
    table = rows_where(read_text_frame(path, texts=True), where or {}, str(path), strict=False)
    if FROM not in table.columns:
        raise UnknownNameError("column of the name map", FROM, map(str, table.columns))
    others = [c for c in table.columns if str(c).endswith("_model")]
    to = TO if TO in table.columns else others[0] if len(others) == 1 else None
    if to is None:
        raise ParameterError(
            f"the name map {str(path)!r} needs the columns {FROM!r} and {TO!r}; it has "
            f"{', '.join(map(str, table.columns))}"
        )
    names: dict[str, str] = {}
    for model, other in zip(table[FROM], table[to], strict=True):
        if not str(other):
            continue
        if names.setdefault(str(model), str(other)) != str(other):
            raise ParameterError(
                f"the name map {str(path)!r} calls {str(model)!r} both {names[str(model)]!r} and "
                f"{str(other)!r}; keep one row, or choose rows by another column"
            )
    near = frozenset[str]()
    if MATCH in table.columns:
        near = frozenset(str(m) for m in table.loc[table[MATCH].ne("exact"), FROM])
    return NameMap(names, near & frozenset(names))


def rows_where(
    table: pd.DataFrame, where: Mapping[str, str], source: str, *, strict: bool = True
) -> pd.DataFrame:
    """Return the rows whose columns have the given values, compared as texts.

    Raises UnknownNameError for a column that the table does not have (ignored if not `strict`),
    and ParameterError if no row is left.
    """
    remaining = table
    for column, value in where.items():
        if column not in table.columns:
            if strict:
                raise UnknownNameError(f"column of {source}", column, map(str, table.columns))
            continue
        chosen = remaining.loc[remaining[column].astype(str) == value]
        if not len(chosen):
            values = sorted(set(remaining[column].astype(str)))
            raise ParameterError(
                f"no row of {source!r} has {column}={value}; there are {first_few(values, 8)}"
            )
        remaining = chosen
    return remaining

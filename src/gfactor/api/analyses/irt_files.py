"""Data for item response models: journals, tables of responses, options, item tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.api.inputs.matrix_files import read_table, with_row_names
from gfactor.api.inputs.progress_bars import tell
from gfactor.api.inputs.scoring import Scoring, one_benchmark
from gfactor.api.inputs.table_selection import (
    EVERYTHING,
    TableSelection,
    without_columns_of_persons,
)
from gfactor.api.inputs.taking import opened as opened_journal
from gfactor.api.scales.irt_data import Counting, ItemResponses, item_responses
from gfactor.errors import ParameterError
from gfactor.psychometrics.given import items_of_one_benchmark
from gfactor.psychometrics.irt import Quadrature
from gfactor.psychometrics.item_columns import numbers_of_persons
from gfactor.psychometrics.json_files import read_json_file
from gfactor.psychometrics.person_tables import named_by

_OTHER_NAMES = {
    "constrain": "constraints", "TOL": "tolerance", "itemtype": "model", "group": "groups",
    "cluster": "clusters", "covdata": "covariates", "itemdesign": "design",
}  # fmt: skip
_DENSITIES = {"norm": "normal", "lnorm": "lognormal", "expbeta": "beta"}
_OPTIONS = (
    "model", "quadpts", "theta_lim", "tolerance", "factors", "bifactor", "correlated", "guess",
    "groups", "reference", "equal", "free_items", "covariates", "design", "priors", "constraints",
    "fixed", "weights", "clusters", "errors", "method", "starts", "seed", "force",
)  # fmt: skip
_COLUMNS = ("groups", "weights", "clusters")


def read_options(path: Path | None) -> dict[str, Any]:
    """Return options of a fit from JSON, under this package's names or mirt's.

    Raises ParameterError if the file cannot be read or names an option that does not exist.
    """
    if path is None:
        return {}
    where = f"the file of options {str(path)!r}"
    given = read_json_file(path, where)
    if not isinstance(given, dict):
        raise ParameterError(
            f'{where} must hold a JSON object, such as {{"quadpts": 61, "theta_lim": [-6, 6]}}'
        )
    options = {_OTHER_NAMES.get(str(key), str(key)): value for key, value in given.items()}
    unknown = [key for key in options if key not in _OPTIONS]
    if unknown:
        raise ParameterError(
            f"{str(path)!r}: there is no option {unknown[0]!r}; there are {', '.join(_OPTIONS)}"
        )
    return options


def read_journal(
    name: str, scoring: Scoring, counting: Counting, groups: Any, examinees: Path | None,
    benchmark: str | None,
) -> ItemResponses:  # fmt: skip
    """Return the responses of a journal to one benchmark, with the columns of a user's table of
    examinees.

    Raises ParameterError if the journal holds several benchmarks and none is named.
    """
    with opened_journal(name) as journal:
        result = item_responses(
            journal, scoring, counting=counting, groups=groups if isinstance(groups, str) else None,
            choose=lambda table: one_benchmark(table, benchmark),
        )  # fmt: skip
    return result if examinees is None else result.with_table(read_items(examinees), str(examinees))


def columns_named(options: Mapping[str, Any]) -> list[str]:
    """Return the columns of examinees that options name."""
    named = [options[name] for name in _COLUMNS if isinstance(options.get(name), str)]
    return list(dict.fromkeys([*named, *map(str, options.get("covariates") or ())]))


def refuse_selection(selection: TableSelection, journal: str) -> None:
    """Raise ParameterError if rows or columns of a journal are selected as if it were a table."""
    if selection != EVERYTHING:
        raise ParameterError(
            f"--columns, --drop, --id and --where are for tables; {journal!r} is a journal: choose "
            "examinees with --examinee and a condition with --condition"
        )


def read_matrix(path: Path, selection: TableSelection, used: Sequence[str] = ()) -> pd.DataFrame:
    """Return responses with examinees in the index; `used` are columns that options name.

    Columns that hold no items are left out (`without_columns_of_persons`).
    """
    frame = selection.of(read_table(path), str(path), used)
    if frame.empty:
        raise ParameterError(f"{str(path)!r} has no rows")
    if frame.columns[0] not in used:
        if frame.index.name is None and not selection.columns and numbers_of_persons(frame):
            tell(f"note: {path}: {named_by(frame.columns[0])}")
            frame = frame.set_index(frame.columns[0])
        frame = with_row_names(frame)
    elif frame.index.name is None:
        frame = frame.set_axis(pd.RangeIndex(1, len(frame) + 1), axis=0)
    return frame if selection.columns else without_columns_of_persons(frame, str(path), used)


def arguments(
    frame: pd.DataFrame, options: Mapping[str, Any], source: str, benchmark: str | None = None
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the items, and the arguments of `fit_irt` that follow from responses and options.

    Columns that options name (groups, clusters, weights, covariates) are no items. The items are
    those of one benchmark; those of all with "all", or if factors name their items.
    """
    given = dict(options)
    used: list[str] = []
    for name in _COLUMNS:
        if isinstance(given.get(name), str):
            column = _column(frame, given[name], name, source)
            used.append(given[name])
            given[name] = column.astype(float) if name == "weights" else column.astype(str)
    if given.get("covariates") is not None:
        names = [str(n) for n in given["covariates"]]
        given["covariates"] = pd.DataFrame(
            {n: _column(frame, n, "covariates", source) for n in names}
        )
        used += names
    if isinstance(given.get("design"), Mapping):
        given["design"] = pd.DataFrame.from_dict(given["design"], orient="index").fillna(0.0)
    limits, points = given.pop("theta_lim", None), given.pop("quadpts", None)
    if limits is not None or points is not None:
        given["quadrature"] = _quadrature(points, limits)
    given["priors"] = {key: _prior(key, p) for key, p in (given.get("priors") or {}).items()}
    items = frame.drop(columns=list(dict.fromkeys(used)))
    named = isinstance(given.get("factors"), Mapping) or given.get("bifactor")
    if benchmark is not None or not named:
        items = items_of_one_benchmark(items, benchmark, repr(source))
    if isinstance(given.get("model"), list):
        if len(given["model"]) != len(items.columns):
            raise ParameterError(
                f"model: {len(given['model'])} entries for {len(items.columns)} items"
            )
        given["model"] = dict(zip(items.columns, given["model"], strict=True))
    return items, given


def _column(frame: pd.DataFrame, name: str, option: str, source: str) -> pd.Series:
    if name not in frame.columns:
        raise ParameterError(f"{option}: {source!r} has no column {name!r}")
    column: Any = frame[name]
    if column.isna().any():
        row = frame.index[int(np.flatnonzero(column.isna().to_numpy())[0])]
        raise ParameterError(f"{option}: {source!r}, row {row!r} has no value in column {name!r}")
    return pd.Series(column)


def _quadrature(points: Any, limits: Any) -> Quadrature:
    low, high = (-6.0, 6.0) if limits is None else map(float, limits)
    if low != -high or high <= 0:
        raise ParameterError(f"theta_lim must be symmetric, such as [-6, 6], got {limits}")
    count = 61 if points is None else int(points)
    if count < 3:
        raise ParameterError(f"quadpts must be 3 or more, got {count}")
    return Quadrature(count, high)


def _prior(name: str, given: Any) -> tuple[str, float, float] | None:
    if given is None:
        return None
    if not (isinstance(given, list) and len(given) == 3):
        raise ParameterError(
            f'priors: {name} must be a density and two numbers, such as ["lognormal", 0, 0.5], '
            "or null for no prior"
        )
    return _DENSITIES.get(str(given[0]), str(given[0])), float(given[1]), float(given[2])


def read_items(path: Path) -> pd.DataFrame:
    """Return the properties of the items (or examinees): a row each, the name in the column `item`
    (`examinee`), else in the first."""
    frame = read_table(path)
    name = next((n for n in ("item", "examinee") if n in frame.columns), frame.columns[0])
    return frame.set_index(frame[name].astype(str)).drop(columns=name)


def guesses(given: str | None, items: pd.DataFrame, facts: pd.DataFrame | None) -> Any:
    """Return the lower asymptotes: one number for all items, or the chance level of each item's
    number of options."""
    if given is None:
        return None
    if given != "format":
        try:
            return float(given)
        except ValueError as error:
            raise ParameterError(f"--guess is a number or 'format', not {given!r}") from error
    if facts is None or not {"options", "chance"} & set(facts.columns):
        raise ParameterError(
            "--guess format needs every item's answer format: give --item-table with the column "
            "'options' (number of options, 0 if nothing can be guessed) or 'chance', or the "
            "journal itself"
        )
    lacking = [item for item in items.columns if item not in facts.index]
    if lacking:
        raise ParameterError(f"--guess format: item {lacking[0]!r} is not in the table of items")
    rows = facts.loc[list(items.columns)]
    if "chance" in rows:
        return {str(i): float(c) for i, c in rows["chance"].astype(float).items()}
    return {str(i): 0.0 if n < 2 else 1.0 / n for i, n in rows["options"].astype(float).items()}

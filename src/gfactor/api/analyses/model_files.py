"""Files of structural equation models: model, data, lavaan's options, scores."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from gfactor.api.inputs.matrix_files import read_table
from gfactor.errors import ParameterError
from gfactor.frames import composed, with_composed_names
from gfactor.psychometrics.sem.sample import factors_of
from gfactor.psychometrics.sem.syntax import ModelSyntaxError, parse_model

if TYPE_CHECKING:
    from gfactor.api.inputs.table_selection import TableSelection
    from gfactor.psychometrics.sem import FactorScores

_MPLUS = re.compile(r"\s*(\w+)\s+(BY|ON|WITH)\s+([\w\s]+?)\s*(?:;|$)", re.IGNORECASE)
_SIGNS = {"BY": "=~", "ON": "~", "WITH": "~~"}
_LONGEST_NAME = 1000
"""No file's path is that long; longer texts are models."""


def read_model(given: str) -> str:
    """Return the text of a model file, or the given text itself if it holds an operator."""
    path = Path(given)
    try:
        if "~" in given and ("\n" in given or len(given) > _LONGEST_NAME or not path.exists()):
            return given
        if len(given) > _LONGEST_NAME:
            raise ParameterError(f"{given[:40] + '...'!r} is neither a model file nor a model")
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        if mplus := _MPLUS.match(given):
            name, word, others = mplus.groups()
            raise ParameterError(
                f"{given!r} is Mplus' syntax; in lavaan's it is '{name} {_SIGNS[word.upper()]} "
                f"{' + '.join(others.split())}'"
            ) from error
        raise ParameterError(
            f"the model file {given!r} does not exist; give a file with lavaan syntax, or the "
            "model itself, such as 'f =~ x1 + x2 + x3'"
        ) from error
    except UnicodeDecodeError as error:
        raise ParameterError(f"the model file {given!r} is not UTF-8 text") from error
    except OSError as error:
        raise ParameterError(
            f"the model file {given!r} cannot be read: {error.strerror or error}"
        ) from error


def observed_of(text: str, source: str) -> tuple[str, ...]:
    """Return the observed variables that a model names; a mistake in the text names the file as
    well."""
    try:
        formulas = list(parse_model(text).formulas)
    except ModelSyntaxError as error:
        where = f"{source!r}: " if source != text else ""
        raise ParameterError(f"{where}{error}") from error
    latent = {name for one in formulas if one.op in {"=~", "<~"} for name in one.lhs}
    named = [
        name
        for one in formulas
        for name in (
            *one.lhs,
            *(term.name for term in one.terms if one.op != "|" and not term.intercept),
        )
    ]
    return tuple(dict.fromkeys(name for name in named if name not in latent))


def read_options(path: Path | None) -> dict[str, Any]:
    """Return lavaan's options by name, from a JSON file or a JSON text. `lavInspect(fit,
    "options")`, written as JSON, has this form."""
    if path is None:
        return {}
    try:
        text = str(path) if str(path).startswith("{") else path.read_text("utf-8")
        given = json.loads(text)
    except FileNotFoundError as error:
        raise ParameterError(f"the file of options {str(path)!r} does not exist") from error
    except UnicodeDecodeError as error:
        raise ParameterError(f"the file of options {str(path)!r} is not UTF-8 text") from error
    except OSError as error:
        raise ParameterError(
            f"the file of options {str(path)!r} cannot be read: {error.strerror or error}"
        ) from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise ParameterError(f"the file of options {str(path)!r} is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise ParameterError(
            f"the file of options {str(path)!r} must hold a JSON object, such as "
            '{"estimator": "MLR"}'
        )
    return given


def _near(name: str, columns: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, [one for one in columns if one != name], n=1)
    return f"did you mean {close[0]!r}? " if close else ""


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def read_cases(
    path: Path,
    used: Sequence[str],
    group: str | None,
    design: tuple[str | None, str | None] = (None, None),
    selection: TableSelection | None = None,
) -> pd.DataFrame:
    """Read the data; ParameterError names a missing column or a cell that is not a number.

    `design` has the columns of sampling weights and of clusters; `selection` selects rows and
    columns of the file.
    """
    weights, cluster = design
    used = (*used, *([weights] if weights else []))
    frame = read_table(path)
    frame.columns = frame.columns.map(str)
    if selection is not None:
        frame = selection.of(frame, str(path), [one for one in (group, weights, cluster) if one])
        if selection.identifier is not None:
            frame.insert(0, selection.identifier, frame.index.map(str))
        frame = frame.reset_index(drop=True)
    frame, group = with_composed_names(frame), group and composed(group)
    if not len(frame):
        raise ParameterError(f"{str(path)!r} has a header but no rows")
    used = tuple(dict.fromkeys(one for name in used for one in factors_of(name, frame.columns)))
    for name in (*used, *(one for one in (group, cluster) if one)):
        if name not in frame.columns:
            raise ParameterError(
                f"{str(path)!r} has no column {name!r}; {_near(name, list(frame.columns))}it has "
                f"{', '.join(map(repr, frame.columns[:20]))}"
            )
    for name in used:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            for row, cell in enumerate(frame[name].tolist(), 1):
                if isinstance(cell, str) and not _is_number(cell):
                    raise ParameterError(
                        f"{str(path)!r}, row {row}, column {name!r}: {cell[:40]!r} is not a "
                        "number; fix the cell, or leave the variable out of the model"
                    )
            raise ParameterError(f"{str(path)!r}: the column {name!r} holds no numbers")
        if pd.api.types.is_bool_dtype(frame[name]):
            frame[name] = frame[name].astype(float)
    if group:
        lost = sum(pd.isna(cell) for cell in frame[group].tolist())
        if lost:
            raise ParameterError(
                f"{str(path)!r}: {lost} rows have no value in the grouping column {group!r}; fill "
                "it in or leave these rows out"
            )
    return frame


def write_scores(path: Path, factor_scores: FactorScores, data: pd.DataFrame) -> None:
    """Write scores as CSV. The first column has the names in the first column of the data, or else
    row numbers from 1 (for clusters, their names). Then follow the group if there are several, and
    for each latent variable its scores and their standard errors."""
    first = data.columns[0]
    named = not pd.api.types.is_numeric_dtype(data[first])
    rows = factor_scores.scores.index.to_numpy()
    if factor_scores.unit == "clusters":
        frame = pd.DataFrame({"cluster": rows})
    else:
        frame = pd.DataFrame({"case": data[first].iloc[rows] if named else rows + 1})
    frame = frame.reset_index(drop=True)
    if len(set(factor_scores.groups)) > 1:
        frame["group"] = list(factor_scores.groups)
    for name in factor_scores.scores:
        frame[str(name)] = factor_scores.scores[name].to_numpy()
        frame[f"{name}.se"] = factor_scores.error[name].to_numpy()
    # Loads the room of scoring, which a plain fit does not need.
    from gfactor.scoring.exporting import write_csv  # noqa: PLC0415

    write_csv(frame, path)


def joined_options(file: dict[str, Any], flags: dict[str, Any]) -> dict[str, Any]:
    """Join the options of a file and of a command line; ParameterError if they disagree."""
    options = dict(file)
    for name, value in flags.items():
        if value is None:
            continue
        before = options.get(name)
        same = str(before).lower() in {str(value).lower(), {"ml": "fiml"}.get(str(value), "")}
        if before is not None and before != value and not same:
            raise ParameterError(
                f"{name} is {value!r} on the command line and {before!r} in the file of options; "
                "leave one out"
            )
        options[name] = value
    return options

"""The options of the verbs that set scores against an external criterion."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pandas as pd

from gfactor.cli.options import PATH, together
from gfactor.cli.scores import read_table
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.alignment import Criterion, criterion_from_table
from gfactor.psychometrics.pls import PLSModel
from gfactor.scoring.frames import pick
from gfactor.scoring.tables import NameMap, ScoreTable, read_names, rows_where

_OPTIONS = together(
    click.option(
        "--criterion",
        "criterion_file",
        type=PATH,
        metavar="FILE",
        help="External ratings: a table with the columns model and rating, and rating_q025 and "
        "rating_q975 (or low and high) where the ratings' 95 % intervals are known.",
    ),
    click.option(
        "--names",
        "names_file",
        type=PATH,
        metavar="FILE",
        help="A name map: a CSV with the columns model (in the scores) and as (in the criterion).",
    ),
    click.option(
        "--where",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only rows of the criterion and of the name map with this value; may be given several "
        "times.",
    ),
)


without_option = click.option(
    "--without",
    multiple=True,
    metavar="MODEL",
    help="Leave out this model, or all that match a pattern such as '*7b*'; may be given several "
    "times.",
)


@dataclass(frozen=True)
class Rated:
    """A criterion, or none, and how models are called in it."""

    criterion: Criterion | None
    names: NameMap


def criterion_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb, which gets them as one argument, `rated`."""

    @functools.wraps(command)
    def with_criterion(
        criterion_file: Path | None, names_file: Path | None, where: tuple[str, ...], **values: Any
    ) -> Any:
        return command(rated=_rated(criterion_file, names_file, _pairs(where)), **values)

    return _OPTIONS(with_criterion)


def kept(scores: pd.DataFrame, without: tuple[str, ...], file: str) -> pd.DataFrame:
    """The models that no pattern names; ParameterError for a pattern that names nobody."""
    gone: set[str] = set()
    for pattern in without:
        matched = {str(m) for m in scores.index if fnmatch.fnmatchcase(str(m), pattern)}
        if not matched:
            raise UnknownNameError(f"model of {file!r}", pattern, map(str, scores.index))
        gone |= matched
    return pick(scores, [str(m) not in gone for m in scores.index])


def check_numbers(table: ScoreTable, model: PLSModel) -> None:
    """ParameterError where a column of the model holds a text, with the first one's place."""
    for name in model.columns:
        if name in table.facts.columns:
            for row, cell in table.facts[name].items():
                try:
                    float(str(cell))
                except ValueError:
                    raise ParameterError(
                        f"{table.source!r}, row {str(row)!r}, column {name!r}: {str(cell)[:40]!r} "
                        "is no number; fix the cell, or leave the column out of the model"
                    ) from None


def _rated(criterion_file: Path | None, names_file: Path | None, where: Mapping[str, str]) -> Rated:
    if criterion_file is None:
        if names_file is not None or where:
            raise ParameterError("--names and --where are for a criterion; give --criterion FILE")
        return Rated(None, NameMap())
    table = read_table(criterion_file)
    header = read_table(names_file).columns if names_file else ()
    for column in where:
        if column not in table.columns and column not in header:
            raise UnknownNameError("column of the criterion", column, map(str, table.columns))
    columns = {c: v for c, v in where.items() if c in table.columns}
    table = rows_where(table, columns, str(criterion_file))
    names = read_names(names_file, where) if names_file else NameMap()
    return Rated(criterion_from_table(table, criterion_file.stem), names)


def _pairs(where: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for pair in where:
        column, sign, value = pair.partition("=")
        if not sign:
            raise ParameterError(f"--where is COLUMN=VALUE, not {pair!r}")
        pairs[column] = value
    return pairs

"""Tables of scores, PLS models and criteria: given as objects in Python, as files by commands."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import tell
from gfactor.api.inputs.taking import OfJournal, scores_file_of
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items.table_files import read_frame
from gfactor.psychometrics.alignment import Criterion, criterion_from_table
from gfactor.psychometrics.given import TableLike, as_frame, holds_scores
from gfactor.psychometrics.gold import model_from_columns
from gfactor.psychometrics.pls import PLSModel, parse_pls
from gfactor.scoring.tables import (
    SCORE_FORMATS,
    NameMap,
    ScoreTable,
    TableNaming,
    by_task,
    format_of,
    read_names,
    read_scores,
    read_tasks,
    rows_where,
)

Scores: TypeAlias = TableLike | ScoreTable | Journal | OfJournal | Path | str
"""Models x columns: a table, or a file in any format of `gfactor import-scores`."""


def as_table(
    data: Scores, tasks: Path | str | None = None, condition: str | None = None
) -> ScoreTable:
    """Return scores as a table; with `tasks`, which assigns items to tasks, as a table of task
    scores.

    Parameters
    ----------
    data: scores, or a file with them.
    tasks: tasks, as `gfactor.scoring.tables.read_tasks` takes them; a journal is then read item by
        item.
    condition: condition that counts, for a journal.

    Raises ParameterError and UnknownNameError as the readers do.
    """
    if isinstance(data, ScoreTable):
        table = data
    elif holds_scores(data) or isinstance(data, np.ndarray):
        frame = as_frame(data, "data").rename(index=str, columns=str)
        table = ScoreTable(frame, pd.DataFrame(index=frame.index), "data")
    else:
        file = scores_file_of(data, "data")
        form = format_of(file)
        by = "item" if tasks and form == "journal" else None
        naming = naming_of({"condition": condition, "by": by}, [form])
        table = read_scores(file, naming=naming)
    if not tasks:
        return table
    table = by_task(table, read_tasks(str(tasks)))
    for flaw in table.flaws:
        tell(f"note: {flaw}")
    return table


def naming_of(
    given: Mapping[str, str | None],
    formats: Sequence[str],
) -> TableNaming:
    """Return the user's naming of files; raise ParameterError for options that belong to no format.

    Parameters
    ----------
    given: fields of `TableNaming`; None for what was not said.
    formats: names of the files' formats.
    """
    named = {name: value for name, value in given.items() if value is not None}
    taken = {name for form in formats for name in SCORE_FORMATS[form].takes}
    for name in named:
        if name not in taken:
            able = [form for form, one in SCORE_FORMATS.items() if name in one.takes]
            raise ParameterError(
                f"{option(name)} is for files of the format {' or '.join(able)}, and there is "
                f"none; the files are read as {', '.join(dict.fromkeys(formats))}"
            )
    return TableNaming(**named)


def as_path_model(model: PLSModel | Path | str | None, columns: Iterable[object]) -> PLSModel:
    """Return a PLS model from an object, a text or a file; None derives it from column names.

    Raises ParameterError, with the file's name, if a model cannot be read.
    """
    if model is None:
        return model_from_columns(list(map(str, columns)))
    if isinstance(model, PLSModel):
        return model
    return read_path_model(str(model))


def read_path_model(given: str) -> PLSModel:
    """Return the model in a file, or in a text that holds an operator; ParameterError names the
    file."""
    if "=~" in given or "<~" in given:
        return parse_pls(given)
    try:
        text = Path(given).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ParameterError(f"the model file {given!r} is not UTF-8 text") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ParameterError(f"the model file {given!r} cannot be read: {reason}") from error
    try:
        return parse_pls(text)
    except GfactorError as error:
        raise ParameterError(f"{given}: {error}") from error


@dataclass(frozen=True)
class Rated:
    """A criterion, or none, and the names of models in it."""

    criterion: Criterion | None
    names: NameMap

    @property
    def given(self) -> dict[str, Any]:
        """The criterion and the names, as arguments of a public function."""
        names = None if self.criterion is None else self.names
        return {"criterion": self.criterion, "names": names}


def rated(
    criterion: pd.DataFrame | Criterion | Path | str | None,
    names: Mapping[str, str] | NameMap | Path | str | None = None,
    where: Mapping[str, str] | None = None,
) -> Rated:
    """Return external ratings of models, and the map from the models' names to theirs.

    Parameters
    ----------
    criterion: a table with the columns model and rating (`criterion_from_table`), or a file of it.
    names: name in the scores to name in the criterion, or a file that `read_names` reads.
    where: values that select rows of the criterion and of the name map.

    Raises ParameterError or UnknownNameError for what cannot be read or is not there.
    """
    where = where or {}
    if criterion is None:
        if names is not None or where:
            raise ParameterError(
                f"{option('names')} and {option('where')} are for a criterion; give "
                f"{option('criterion')}"
            )
        return Rated(None, NameMap())
    file = names if isinstance(names, Path | str) else None
    header = read_frame(Path(file)).columns if file else ()
    name_map = names if isinstance(names, NameMap) else None
    if names is None or isinstance(names, Mapping):
        name_map = NameMap(names or {})
    if isinstance(criterion, Criterion):
        return Rated(criterion, name_map or read_names(str(file), where))
    given = isinstance(criterion, pd.DataFrame)
    table = criterion if given else read_frame(Path(criterion))
    source, name = ("criterion", "human") if given else (str(criterion), Path(criterion).stem)
    for column in where:
        if column not in table.columns and column not in header:
            raise UnknownNameError("column of the criterion", column, map(str, table.columns))
    chosen = {column: value for column, value in where.items() if column in table.columns}
    table = rows_where(table, chosen, source)
    return Rated(criterion_from_table(table, name), name_map or read_names(str(file), where))


def without_models(scores: pd.DataFrame, without: Sequence[str], source: str) -> pd.DataFrame:
    """Return the models that match no pattern; raise UnknownNameError for a pattern that matches no
    model."""
    gone: set[str] = set()
    for pattern in without:
        matched = {str(m) for m in scores.index if fnmatch.fnmatchcase(str(m), pattern)}
        if not matched:
            raise UnknownNameError(f"model of {source!r}", pattern, map(str, scores.index))
        gone |= matched
    return pick(scores, [str(m) not in gone for m in scores.index])


def check_numbers(table: ScoreTable, model: PLSModel) -> None:
    """Raise ParameterError if a column of the model holds a text; the message has the row of the
    first."""
    for name in model.columns:
        if name in table.facts.columns:
            for row, cell in table.facts[name].items():
                try:
                    float(str(cell))
                except ValueError:
                    raise ParameterError(
                        f"{table.source!r}, row {str(row)!r}, column {name!r}: {str(cell)[:40]!r} "
                        "is not a number; correct the cell, or leave the column out of the model"
                    ) from None


def by_column(
    given: float | Mapping[str, float] | Path | str, what: str, columns: Iterable[object]
) -> dict[str, float]:
    """Return a number per column, from one number for all, a mapping, or a CSV file with the
    columns `column` and the one named by `what`.

    Raises UnknownNameError for a file without these columns.
    """
    if isinstance(given, Mapping):
        return {str(name): float(value) for name, value in given.items()}
    try:
        return dict.fromkeys(map(str, columns), float(str(given)))
    except ValueError:
        table = read_frame(Path(str(given)))
    for name in ("column", what):
        if name not in table.columns:
            raise UnknownNameError(f"column of {str(given)!r}", name, map(str, table.columns))
    return dict(zip(table["column"].astype(str), table[what].astype(float), strict=True))

"""Tables of scores, and the registry of their formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import TypeAlias, cast

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.registry import Registry


@dataclass(frozen=True)
class ItemScores:
    """Answers to single items, and the tasks of the items.

    Parameters
    ----------
    answers: models x items, 0 (wrong) to 1 (right); NaN if there is none.
    tasks: task of every item.
    chance: expected score of a guess by item, if known.
    """

    answers: pd.DataFrame
    tasks: Mapping[str, str]
    chance: Mapping[str, float] = field(default_factory=dict)

    @property
    def scores(self) -> pd.DataFrame:
        """Return models x tasks: the mean over the items that a model answered."""
        names = [self.tasks[str(item)] for item in self.answers.columns]
        grouped = cast(pd.DataFrame, self.answers.T.groupby(names, sort=False).mean())
        return grouped.T

    @property
    def chance_of_tasks(self) -> dict[str, float]:
        """Return the mean chance level of each task; tasks with an unknown level are left out."""
        levels: dict[str, list[float]] = {}
        for item, task in self.tasks.items():
            levels.setdefault(task, []).append(self.chance.get(item, float("nan")))
        means = {task: sum(of_task) / len(of_task) for task, of_task in levels.items()}
        return {task: mean for task, mean in means.items() if not isnan(mean)}


@dataclass(frozen=True)
class ScoreTable:
    """Scores of models on benchmarks, as their source gives them.

    Parameters
    ----------
    scores: models x columns, numbers in the unit of the source; NaN if there is none. Columns
        are called `Benchmark.task` or `Benchmark.Category.task` if the source names them.
    facts: columns of the same rows that are not scores (size, date, license), as texts. source: the
    file. flaws: sentences about all data that could not be read.
    items: the answers from which the scores were computed, if they are known.
    benchmarks: benchmark by column, if the source states it apart from the column's name (a
        journal).
    """

    scores: pd.DataFrame
    facts: pd.DataFrame
    source: str
    flaws: tuple[str, ...] = ()
    items: ItemScores | None = None
    benchmarks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TableNaming:
    """Facts about a file that a user gives; if "", the fact is read from the file itself.

    Parameters
    ----------
    model: name of the model, for a file with the results of one model.
    index: the column with the models' names in a table; by default "model"
        or a column of a similar name, else the first column if it holds texts.
    by: label that forms the columns, for a journal (domain, size, another label, item).
    condition: condition whose answers count, for a journal; "" if there is only one.
    """

    model: str = ""
    index: str = ""
    by: str = "domain"
    condition: str = ""


Reader: TypeAlias = Callable[[Path, TableNaming], ScoreTable]
"""Function that reads a file; it raises ParameterError if the file does not have the format."""


@dataclass(frozen=True)
class ScoreFormat:
    """A format of score tables.

    Parameters
    ----------
    read: function that reads a file of this format.
    matches: function that returns True if a file looks like this format, by its name and, for
        JSON, its content.
    order: rank of the format: formats with smaller numbers are tried first, a plain table last.
    takes: the fields of `TableNaming` that the reader uses.
    """

    read: Reader
    matches: Callable[[Path], bool]
    order: int = 50
    takes: tuple[str, ...] = ()


SCORE_FORMATS: Registry[ScoreFormat] = Registry(
    "score table format", home="gfactor.scoring.tables.formats", group="gfactor.score_tables"
)
"""Every format; a new one is a module in `formats`, or an entry point of another package."""


def score_format(
    name: str, matches: Callable[[Path], bool], order: int = 50, takes: tuple[str, ...] = ()
) -> Callable[[Reader], Reader]:
    """Register a reader as a format."""

    def decorate(read: Reader) -> Reader:
        SCORE_FORMATS.add(name, ScoreFormat(read, matches, order, takes))
        return read

    return decorate


def one_model(
    model: str, cells: dict[str, float], path: Path, flaws: tuple[str, ...] = ()
) -> ScoreTable:
    """Return the table of a file with the results of one model."""
    if not cells:
        raise ParameterError(f"{str(path)!r} holds no score; a result file has numbers by task")
    row = pd.DataFrame([cells], index=pd.Index([model], name="model")).astype(float)
    return ScoreTable(row, pd.DataFrame(index=row.index), str(path), flaws)


@dataclass(frozen=True)
class Joined:
    """Several score tables, joined into one.

    Parameters
    ----------
    scores, facts: models x columns.
    sources: per column, the files it comes from.
    unmatched: per file, models that no other file has (empty with one file).
    close: for models that only one file has, a nearly equal name in another file.
    unused: names of the name map that no file has.
    conflicts: cells with different values in two files; the first file's value is used.
    flaws: sentences about data that could not be used.
    """

    scores: pd.DataFrame
    facts: pd.DataFrame
    sources: dict[str, tuple[str, ...]]
    unmatched: dict[str, tuple[str, ...]] = field(default_factory=dict)
    close: dict[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()

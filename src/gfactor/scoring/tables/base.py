"""Table of scores, and the registry of its formats."""

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
    """Answers to single items, and the tasks that these belong to.

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
        """Models x tasks: the mean over the items that a model answered."""
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
    """Scores of models on benchmarks, as somebody has computed them.

    Parameters
    ----------
    scores: models x columns, numbers in the unit of the source; NaN if there is none. Columns
        are called `Benchmark.task` or `Benchmark.Category.task` where the source tells.
    facts: facts in the same rows that are no score (size, date, license), as texts.
    source: the file.
    flaws: sentences about what could not be taken over.
    items: the answers that the scores are made of, if they are known.
    benchmarks: the benchmark of every column that is of one, where the source says so and names do
        not (a journal).
    """

    scores: pd.DataFrame
    facts: pd.DataFrame
    source: str
    flaws: tuple[str, ...] = ()
    items: ItemScores | None = None
    benchmarks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TableNaming:
    """A user's statements about a file; "" for what the file itself is to tell.

    Parameters
    ----------
    model: model whose scores a file with the results of one model holds.
    index: the column with the models' names in a table; by default "model"
        or a column of a like name, else the first if it holds texts.
    by: label that forms the columns, for a journal (domain, size, another label, item).
    condition: condition that counts, for a journal; "" if there is only one.
    """

    model: str = ""
    index: str = ""
    by: str = "domain"
    condition: str = ""


Reader: TypeAlias = Callable[[Path, TableNaming], ScoreTable]
"""Reads one file. Raises ParameterError if it is not of the format."""


@dataclass(frozen=True)
class ScoreFormat:
    """A format of score tables.

    Parameters
    ----------
    read: the reader.
    matches: test of whether a file looks like this format, by its name and, for JSON, its content.
    order: formats are tried in this order; a plain table comes last.
    takes: facts that it needs to be told: fields of `TableNaming`.
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
    """The table of a file with the results of one model."""
    if not cells:
        raise ParameterError(f"{str(path)!r} holds no score; a result file has numbers by task")
    row = pd.DataFrame([cells], index=pd.Index([model], name="model")).astype(float)
    return ScoreTable(row, pd.DataFrame(index=row.index), str(path), flaws)


@dataclass(frozen=True)
class Joined:
    """Several tables as one.

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

"""Answers of models to single items, and task scores computed from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items.table_files import SEPARATORS, read_text_frame
from gfactor.listing import first_few
from gfactor.scoring.tables.base import ItemScores, ScoreTable

_LISTED = 3


@dataclass(frozen=True)
class ItemTasks:
    """Tasks of items, and the expected score of a guess on each item.

    Parameters
    ----------
    source: source as the user named it, for messages.
    tasks: item to task, from a file.
    pattern: a regular expression instead of a file. The task is its group `task`, else its first
        group, else the whole match, which begins at the name's first letter.
    chance: item to the expected score of a guess, if the file has `options` or `chance`.
    """

    source: str
    tasks: Mapping[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None
    chance: Mapping[str, float] = field(default_factory=dict)

    def of(self, items: Iterable[str]) -> dict[str, str]:
        """Return the tasks of the items that have one."""
        if self.pattern is None:
            return {item: self.tasks[item] for item in items if item in self.tasks}
        tasks = {}
        for item in items:
            match = self.pattern.match(item)
            if match:
                named = match.groupdict().get("task")
                task = named or (match.group(1) if self.pattern.groups else match.group(0))
                if task:
                    tasks[item] = task
        return tasks


def read_tasks(given: str) -> ItemTasks:
    """Return a map of items to tasks: a CSV or TSV with the columns `item` and `task`, or a
    pattern.

    Parameters
    ----------
    given: the name of a file, or a regular expression such as ``(validation_[A-Za-z_]+)_[0-9]+``.
        A file may also have `options` (number of options of an item; empty if the answer is free)
        or `chance` (0 to 1).

    Raises ParameterError for a file that does not exist, an item with two tasks, and a pattern that
    cannot be read.

    Examples
    --------
    >>> read_tasks(r"([a-z]+)_[0-9]+").of(["sort_1", "sort_2", "map_1", "x"])
    {'sort_1': 'sort', 'sort_2': 'sort', 'map_1': 'map'}
    """
    path = Path(given)
    if path.suffix.lower() in SEPARATORS:
        return _tasks_of_file(path)
    try:
        return ItemTasks(given, pattern=re.compile(given))
    except re.error as error:
        raise ParameterError(
            f"--tasks {given!r} is neither a .csv or .tsv file nor a regular expression: {error}"
        ) from error


def _tasks_of_file(path: Path) -> ItemTasks:
    table = read_text_frame(path, SEPARATORS[path.suffix.lower()], texts=True)
    for name in ("item", "task"):
        if name not in table.columns:
            raise UnknownNameError(f"column of {str(path)!r}", name, map(str, table.columns))
    tasks: dict[str, str] = {}
    chance: dict[str, float] = {}
    for row, line in enumerate(table.to_dict("records"), 2):
        item, task = str(line["item"]).strip(), str(line["task"]).strip()
        if not task:
            continue
        if tasks.setdefault(item, task) != task:
            raise ParameterError(
                f"{str(path)!r}, line {row}: item {item!r} belongs to {tasks[item]!r} and to "
                f"{task!r}; keep one line per item"
            )
        level = _guess(line, f"{str(path)!r}, line {row}")
        if level is not None:
            chance[item] = level
    return ItemTasks(str(path), tasks, chance=chance)


def _guess(line: Mapping[Any, Any], where: str) -> float | None:
    """Return the expected score of a guess on an item; None if the file has no such column."""
    for name in ("chance", "options"):
        if name not in line:
            continue
        text = str(line[name]).strip()
        if not text:
            return 0.0
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if (name == "chance" and not 0 <= value <= 1) or (name == "options" and value < 1):
            allowed = "a number from 0 to 1" if name == "chance" else "a number from 1 on"
            raise ParameterError(f"{where}: {name} is {text!r}; it is {allowed}, or empty")
        return value if name == "chance" else 1 / value
    return None


def by_task(table: ScoreTable, given: ItemTasks) -> ScoreTable:
    """Return scores of tasks from answers to items: the mean of the items that a model answered.

    Parameters
    ----------
    table: models x items, 0 (wrong) to 1 (right), NaN if there is no answer.
    given: task of each item; items without one are left out, with a note in `flaws`.

    Raises ParameterError if no item has a task, and for an answer outside 0 to 1.
    """
    items = list(map(str, table.scores.columns))
    tasks = given.of(items)
    if not tasks:
        raise ParameterError(
            f"{table.source!r}: {given.source!r} gives none of its {len(items)} number columns a "
            f"task; they are called {first_few(items, _LISTED)}"
        )
    answers = pick(table.scores, list(tasks))
    outside = ((answers < 0) | (answers > 1)).to_numpy()
    if outside.any():
        row, column = (int(k[0]) for k in np.nonzero(outside))
        raise ParameterError(
            f"{table.source!r}, row {str(answers.index[row])!r}, column "
            f"{str(answers.columns[column])!r}: {answers.iat[row, column]:g} is not an answer to "
            "an item, which is 0 (wrong) to 1 (right), or empty; correct the cell, or leave tasks "
            "out if the columns are scores of tasks already"
        )
    left = [item for item in items if item not in tasks]
    flaws = list(table.flaws)
    if left:
        flaws.append(f"{table.source}: {_some(left, 'column')} without a task left aside")
    if table.facts.shape[1]:
        facts = list(map(str, table.facts.columns))
        flaws.append(f"{table.source}: {_some(facts, 'text column')} left aside")
    absent = [item for item in given.tasks if item not in tasks]
    if absent:
        flaws.append(f"{given.source}: {_some(absent, 'item')} not in {table.source}")
    scores = ItemScores(answers, tasks, {i: given.chance[i] for i in tasks if i in given.chance})
    return replace(table, scores=scores.scores, items=scores, flaws=tuple(flaws), benchmarks={})


def _some(names: list[str], what: str) -> str:
    plural = "" if len(names) == 1 else "s"
    return f"{len(names)} {what}{plural} ({first_few(names, _LISTED)})"

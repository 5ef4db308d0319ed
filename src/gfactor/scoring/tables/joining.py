"""Tables of several sources joined by the names of the models."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import cast

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.scoring.tables.base import Joined, ScoreTable


def join_scores(tables: Sequence[ScoreTable], names: Mapping[str, str] | None = None) -> Joined:
    """Return one table with every model and every column of `tables`.

    Parameters
    ----------
    tables: tables in the order of trust: if two give the same cell, the first one's value stays.
    names: name in a source to the name it gets.

    Names are matched as they are, after the map; close ones are listed and never merged. Raises
    ParameterError without a table, and if a table has a model twice after the map.
    """
    if not tables:
        raise ParameterError("there is no table to join; name a file")
    given = dict(names or {})
    renamed = [_renamed(table, given) for table in tables]
    scores, facts = renamed[0].scores, renamed[0].facts
    sources: dict[str, tuple[str, ...]]
    sources = {str(c): (renamed[0].source,) for c in scores.columns}
    conflicts: list[str] = []
    for table in renamed[1:]:
        for column in map(str, table.scores.columns):
            sources[column] = (*sources.get(column, ()), table.source)
            if column in scores.columns:
                conflicts += _conflicts(cast(pd.Series, scores[column]), table, column)
        scores = _completed(scores, table.scores)
        facts = _completed(facts, table.facts)
    order = dict.fromkeys(str(m) for table in renamed for m in table.scores.index)
    alone = _alone(renamed)
    seen = {str(m) for table in tables for m in table.scores.index}
    return Joined(
        scores.loc[list(order)],
        facts.reindex(list(order)),
        sources,
        alone,
        _close(alone, renamed),
        tuple(name for name in given if name not in seen),
        tuple(conflicts),
        tuple(flaw for table in tables for flaw in table.flaws),
    )


def _completed(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Add the cells, rows and columns of the second table to the first."""
    columns = [*first.columns, *(name for name in second.columns if name not in first.columns)]
    return pick(first.combine_first(second), columns)


def _renamed(table: ScoreTable, names: Mapping[str, str]) -> ScoreTable:
    index = pd.Index([names.get(str(m), str(m)) for m in table.scores.index], name="model")
    if index.has_duplicates:
        name = index[index.duplicated()][0]
        raise ParameterError(
            f"{table.source!r} has {name!r} twice, by its own names or by the name map; keep one "
            "of them"
        )
    return ScoreTable(
        table.scores.set_axis(index, axis=0), table.facts.set_axis(index, axis=0),
        table.source, table.flaws,
    )  # fmt: skip


def _conflicts(values: pd.Series, table: ScoreTable, column: str) -> list[str]:
    conflicts = []
    by_model = {str(m): float(v) for m, v in values.dropna().items()}
    for model, value in table.scores[column].dropna().items():
        earlier = by_model.get(str(model))
        if earlier is not None and earlier != value:
            conflicts.append(f"{model}, {column}: {table.source} says {value:g}, kept {earlier:g}")
    return conflicts


def _alone(tables: Sequence[ScoreTable]) -> dict[str, tuple[str, ...]]:
    """Models that only one source has; tables of one model each are one source."""
    wide = [table for table in tables if len(table.scores) > 1]
    if len(wide) < 2:
        return {}
    return {
        table.source: tuple(
            str(m)
            for m in table.scores.index
            if not any(m in other.scores.index for other in tables if other is not table)
        )
        for table in wide
    }


def _close(alone: Mapping[str, tuple[str, ...]], tables: Sequence[ScoreTable]) -> dict[str, str]:
    """Names without a partner, with the closest other name that has the same numbers: 2B is not
    4B."""
    close: dict[str, str] = {}
    for source, models in alone.items():
        others = {
            str(m).casefold(): str(m)
            for table in tables
            if table.source != source
            for m in table.scores.index
        }
        for model in models:
            digits = re.findall(r"\d+", model)
            like = [other for other in others if re.findall(r"\d+", other) == digits]
            near = difflib.get_close_matches(model.casefold(), like, n=1, cutoff=0.7)
            if near:
                close[model] = others[near[0]]
    return close

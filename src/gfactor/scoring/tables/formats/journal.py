"""`journal`: a journal of gfactor, examinees by domains or another label."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.storing.opening import is_database
from gfactor.errors import ParameterError
from gfactor.scoring.chance import with_chance
from gfactor.scoring.score import scored
from gfactor.scoring.score_matrix import matrix
from gfactor.scoring.summaries import by_label, choose
from gfactor.scoring.tables.base import ItemScores, ScoreTable, TableNaming, score_format


@score_format("journal", is_database, order=10, takes=("by", "condition"))
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Read journals of gfactor, scored by their benchmarks' own rules."""
    with Journal.open(str(path), create=False) as journal:
        rows_chosen = choose(scored(journal), condition=naming.condition or None)
        if bool(rows_chosen["missing"].to_numpy(bool).all()):
            raise ParameterError(
                f"journal {str(path)!r} holds no answer that counts; have the items asked first, "
                "with `gfactor run`"
            )
        rows = with_chance(rows_chosen, journal.items())
        score_matrix = matrix(rows, naming.by)
    scores = score_matrix.scores.rename_axis(index="model", columns=None)
    scores.columns = [str(c) for c in scores.columns]
    items = None if naming.by == "item" else _items(rows, naming.by)
    homes = score_matrix.benchmarks if naming.by == "item" else _homes(rows, naming.by)
    return ScoreTable(
        scores, pd.DataFrame(index=scores.index), str(path), items=items, benchmarks=homes
    )


def _homes(rows: pd.DataFrame, by: str) -> dict[str, str]:
    """The benchmark of every column whose items belong to one benchmark."""
    if "benchmark" not in rows:
        return {}
    benchmarks = {str(name): set(group["benchmark"]) for name, group in by_label(rows, by).items()}
    return {name: str(*homes) for name, homes in benchmarks.items() if len(homes) == 1}


def _items(rows: pd.DataFrame, by: str) -> ItemScores | None:
    """Return the answers that the columns are computed from; None if columns share an item."""
    tasks: dict[str, str] = {}
    chance: dict[str, float] = {}
    for task, group in by_label(rows, by).items():
        for item, level in zip(group["item_id"], group["chance"].fillna(0.0), strict=True):
            if tasks.setdefault(str(item), str(task)) != str(task):
                return None
            chance[str(item)] = float(level)
    answers = matrix(rows, "item").scores.rename_axis(index="model", columns=None)
    answers.columns = [str(c) for c in answers.columns]
    if set(answers.columns) != set(tasks):
        return None
    return ItemScores(answers, tasks, chance)

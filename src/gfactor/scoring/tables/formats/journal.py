"""`journal`: a journal of our own, examinees by domains or another label."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gfactor.administration import Journal
from gfactor.scoring.matrix import matrix
from gfactor.scoring.score import scored
from gfactor.scoring.tables.base import ScoreTable, TableNaming, score_format

_MAGIC = b"SQLite format 3\0"


def _matches(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


@score_format("journal", _matches, place=10, takes=("by",))
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Journals of gfactor, scored by their benchmarks' own rules."""
    with Journal.open(str(path), create=False) as journal:
        made = matrix(scored(journal), naming.by)
    scores = made.scores.rename_axis(index="model", columns=None)
    scores.columns = [str(c) for c in scores.columns]
    return ScoreTable(scores, pd.DataFrame(index=scores.index), str(path))

"""Score tables from other sources: reading, matching of names, and joining."""

from gfactor.scoring.tables.base import (
    SCORE_FORMATS,
    ItemScores,
    Joined,
    ScoreFormat,
    ScoreTable,
    TableNaming,
    score_format,
)
from gfactor.scoring.tables.items import ItemTasks, by_task, read_tasks
from gfactor.scoring.tables.joining import join_scores
from gfactor.scoring.tables.names import NameMap, read_names, rows_where
from gfactor.scoring.tables.reading import format_of, read_scores

__all__ = [
    "SCORE_FORMATS",
    "ItemScores",
    "ItemTasks",
    "Joined",
    "NameMap",
    "ScoreFormat",
    "ScoreTable",
    "TableNaming",
    "by_task",
    "format_of",
    "join_scores",
    "read_names",
    "read_scores",
    "read_tasks",
    "rows_where",
    "score_format",
]

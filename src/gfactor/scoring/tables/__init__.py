"""Score tables from elsewhere: read, named alike, joined."""

from gfactor.scoring.tables.base import (
    SCORE_FORMATS,
    Joined,
    ScoreFormat,
    ScoreTable,
    TableNaming,
    score_format,
)
from gfactor.scoring.tables.joining import join_scores
from gfactor.scoring.tables.names import NameMap, read_names, rows_where
from gfactor.scoring.tables.reading import format_of, read_scores

__all__ = [
    "SCORE_FORMATS",
    "Joined",
    "NameMap",
    "ScoreFormat",
    "ScoreTable",
    "TableNaming",
    "format_of",
    "join_scores",
    "read_names",
    "read_scores",
    "rows_where",
    "score_format",
]

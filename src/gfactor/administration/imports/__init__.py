"""Imports from other harnesses: their logs as items and responses in a journal."""

from gfactor.administration.imports.base import (
    IMPORTS,
    IN_FOLDERS,
    Answered,
    Flaw,
    FolderLogs,
    LeftOut,
    Naming,
    Source,
    Verdict,
    in_folders,
    judge_name,
    verdict_key,
)
from gfactor.administration.imports.loading import ImportResult, import_file

__all__ = [
    "IMPORTS",
    "IN_FOLDERS",
    "Answered",
    "Flaw",
    "FolderLogs",
    "ImportResult",
    "LeftOut",
    "Naming",
    "Source",
    "Verdict",
    "import_file",
    "in_folders",
    "judge_name",
    "verdict_key",
]

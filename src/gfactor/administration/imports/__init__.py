"""Imports from other harnesses: their logs as items and responses in a journal."""

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    LeftOut,
    Naming,
    Remark,
    Source,
    Traits,
    Verdict,
    declare,
    judge_name,
    traits_of,
    verdict_key,
)
from gfactor.administration.imports.loading import ImportResult, import_file

__all__ = [
    "IMPORTS",
    "Answered",
    "Flaw",
    "FolderLogs",
    "ImportResult",
    "LeftOut",
    "Naming",
    "Remark",
    "Source",
    "Traits",
    "Verdict",
    "declare",
    "import_file",
    "judge_name",
    "traits_of",
    "verdict_key",
]

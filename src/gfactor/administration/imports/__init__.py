"""What other harnesses have asked: their logs as items and responses in a journal."""

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    LeftOut,
    Naming,
    Source,
    Verdict,
    judge_name,
    verdict_key,
)
from gfactor.administration.imports.loading import ImportResult, import_file

__all__ = [
    "IMPORTS",
    "Answered",
    "Flaw",
    "ImportResult",
    "LeftOut",
    "Naming",
    "Source",
    "Verdict",
    "import_file",
    "judge_name",
    "verdict_key",
]

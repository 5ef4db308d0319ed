"""plugin_name: logs with a question and its answer per line of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gfactor.administration.imports import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    Naming,
    Traits,
    declare,
)
from gfactor.administration.imports.base import utc
from gfactor.administration.imports.items import Question, item_from, simple_labels
from gfactor.administration.imports.sample_logs import Parsed, read_samples
from gfactor.errors import ParameterError
from gfactor.examinees import Reply

NAME = "plugin_name"
FIELDS = ("id", "question", "key", "answer")

declare(NAME, Traits(FolderLogs(r".*\.jsonl", "files MODEL.jsonl")))


@IMPORTS.register(NAME)
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Files MODEL.jsonl with a question and its answer per line."""
    if path.suffix != ".jsonl":
        raise ParameterError(f"{str(path)!r} is not called MODEL.jsonl; rename it")
    examinee = naming.examinee or f"{NAME}:{path.stem}"
    condition = naming.condition or f"pack={NAME}"
    yield from read_samples(path, _parsed, examinee, condition, utc(path.stat().st_mtime))


def _parsed(line: Mapping[str, Any]) -> Parsed:
    """An item and its replies, one per occasion; ValueError says what is wrong with the line."""
    if missing := [name for name in FIELDS if not isinstance(line.get(name), str)]:
        raise ValueError(f"its {missing[0]} is missing, or is no text")
    question = Question(
        benchmark=str(line.get("dataset", NAME)),
        number=line["id"],
        content=(line["question"],),
        key=(line["key"],),
        options=line.get("options", {}),
        labels=simple_labels({k: line[k] for k in ("domain", "category") if k in line}),
        source=NAME,
    )
    text = line["answer"]
    return item_from(question), [Reply(text, "ok" if text.strip() else "empty", "")]

"""Logs with a JSON object per sample and line, as of lm-evaluation-harness and lmms-eval."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from gfactor.administration.imports.base import Answered, Flaw, utc
from gfactor.administration.imports.documents import one_line, read_json
from gfactor.administration.imports.items import texts_in_list
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.items import Item

Parsed = tuple[Item, Sequence[Reply]]
"""An item, and the reply to it on each occasion."""

_DATES = ("%Y-%m-%dT%H-%M-%S.%f", "%Y-%m-%dT%H-%M-%S", "%Y%m%d_%H%M%S")


def named(path: Path, pattern: re.Pattern[str], words: str) -> re.Match[str]:
    """Return the parts of a log's name, which must have the form that `words` describes.

    Raises ParameterError if the name has another form.
    """
    name = pattern.fullmatch(path.name)
    if name is None:
        raise ParameterError(
            f"{str(path)!r} is not called {words}, which names the task; rename it"
        )
    return name


def results_in(path: Path) -> Mapping[str, Any]:
    """Return the results of a run, from the file next to its log; empty if there are none."""
    try:
        facts = read_json(path.read_bytes()) if path.is_file() else None
    except ValueError:
        facts = None
    return facts if isinstance(facts, dict) else {}


def model_of(path: Path, results: Mapping[str, Any]) -> str:
    """Return the model's name from the results, or else from the log's folder."""
    name = results.get("model_name")
    return name if isinstance(name, str) and name else path.resolve().parent.name


def created_at(path: Path, date: str) -> str:
    """Return the time of a log: the date in its name, or else the time when the file changed."""
    for form in _DATES:
        try:
            return utc(datetime.strptime(date, form).isoformat())
        except ValueError:
            continue
    return utc(path.stat().st_mtime)


def read_samples(
    path: Path, parsed: Callable[[Mapping[str, Any]], Parsed], examinee: str, condition: str,
    created: str,
) -> Iterator[Answered | Flaw]:  # fmt: skip
    """Read a log line by line; a line that `parsed` refuses with ValueError is a flaw."""
    with path.open("rb") as file:
        for row, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                sample = read_json(line)
                if not isinstance(sample, dict):
                    raise ValueError("it is not an object")
                item, replies = parsed(sample)
            except (ValueError, TypeError) as error:
                yield Flaw(f"row {row}", one_line(error))
                continue
            for occasion, reply in enumerate(replies):
                yield Answered(item, examinee, condition, occasion, reply, created)


def number_and_target(sample: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the number of a sample's document and its target."""
    if sample.get("doc_id") is None or "target" not in sample:
        raise ValueError("it has no doc_id or no target")
    return str(sample["doc_id"]), sample["target"]


def right_answers(target: Any) -> tuple[str, ...]:
    """Return the right answers of a target; lists and None are written as Python shows them."""
    if isinstance(target, list):
        return tuple(str(t) for t in target)
    if target in (None, "None"):
        return ()
    listed = texts_in_list(str(target))
    return listed if listed is not None else (str(target),)


def generated_texts(sample: Mapping[str, Any]) -> list[str]:
    """Return the texts of the answer to the first request; empty if there are none.

    They are the texts before filters (`resps`), or those after them in logs without `resps`.
    """
    responses: Any = sample.get("resps", sample.get("filtered_resps"))
    while isinstance(responses, list) and responses and isinstance(responses[0], list):
        responses = responses[0]
    if isinstance(responses, str):
        return [responses]
    texts: Sequence[Any] = responses if isinstance(responses, list) else []
    return list(texts) if all(isinstance(t, str) for t in texts) else []

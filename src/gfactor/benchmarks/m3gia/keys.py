"""The keys that are published apart from the questions: answer_dict_<language>.jsonl."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gfactor.benchmarks.m3gia.languages import language_of_file
from gfactor.errors import ParameterError

PATTERN = "answer_dict_*.jsonl"


def read_keys(root: Path) -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Keys by language and question id: the right letter and the type of the question.

    The files are JSON arrays whatever their ending says; JSON lines are read as well. Empty where
    there is no such file. Raises ParameterError where one is something else.
    """
    keys: dict[str, Mapping[str, tuple[str, str]]] = {}
    files = [root] if root.is_file() else sorted(root.rglob(PATTERN))
    for path in files:
        language = language_of_file(path, path.parent)
        if language is None:
            raise ParameterError(
                f"{str(path)!r}: its name does not tell the language; call it "
                "answer_dict_english.jsonl and so on"
            )
        keys[language] = dict(_entry(path, number, e) for number, e in enumerate(_read(path), 1))
    return keys


def _read(path: Path) -> list[Any]:
    try:
        text = path.read_text(encoding="utf-8")
        if text.lstrip().startswith("["):
            return json.loads(text)
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise ParameterError(f"{str(path)!r} is not the JSON of answers ({error})") from error


def _entry(path: Path, number: int, entry: Any) -> tuple[str, tuple[str, str]]:
    try:
        key, kind = str(entry["ground_truth"]).strip(), str(entry.get("question_type", ""))
        return str(entry["question_id"]).strip(), (key.upper(), kind)
    except (KeyError, TypeError, AttributeError) as error:
        raise ParameterError(
            f"{str(path)!r}, entry {number} has no question_id and ground_truth"
        ) from error

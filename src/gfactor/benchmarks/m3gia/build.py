"""The plan of an M3GIA bank: one part per language, of the published Parquet files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.loading import (
    SKIP_INVALID,
    files_in,
    fingerprint,
    label_types,
    languages_option,
    located,
    parquet_columns,
    revision_of,
    sha256_of,
    source_option,
)
from gfactor.benchmarks.m3gia.items import NAME, SOURCE, VERSION, items_of_file
from gfactor.benchmarks.m3gia.languages import LANGUAGES, language_of_file
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Part

ABOUT = {
    "name": "M3GIA",
    "description": "M3GIA: 18 types of questions for five CHC factors, in six languages.",
    "license": "Apache-2.0",
    "citation": "Song, W., Li, Y., Xu, J., Wu, G., Ming, L., Yi, K., Luo, W., Li, H., Du, Y., "
    "Guo, F., & Yu, K. (2024). M3GIA: A cognition inspired multilingual and multimodal general "
    "intelligence ability benchmark. arXiv:2406.05343.",
    "version": VERSION,
}

OPTIONS = (
    source_option(SOURCE),
    languages_option(tuple(LANGUAGES)),
    Option(
        name="answers",
        default="",
        metavar="PATH",
        help="Folder with the answer keys (answer_dict_<language>.jsonl of the paper's "
        "repository); by default the folder of the questions.",
        parse=str,
    ),
    SKIP_INVALID,
)


def plan(
    source: str,
    languages: Sequence[str] = tuple(LANGUAGES),
    answers: str = "",
    skip_invalid: bool = False,
) -> BankPlan:
    """Return the plan of a bank of these languages.

    Parameters
    ----------
    source: a folder with a Parquet file per language, one such file, or `hub`.
    answers: source of the keys, if not in a column `answer` or beside the questions.

    Raises ParameterError if a language's file or its keys are missing.
    """
    root = located(source, SOURCE, ("*.parquet", f"*{PATTERN}"))
    files = _files(root, languages)
    keys = read_keys(_existing(answers) if answers else (root if root.is_dir() else root.parent))
    revision = revision_of(source)
    parts = []
    for language, path in files.items():
        key = None if "answer" in parquet_columns(path) and not answers else keys.get(language)
        if key is None and "answer" not in parquet_columns(path):
            raise ParameterError(
                f"{path.name!r} holds no keys; give the folder with {PATTERN} of the paper's "
                "repository (songweii/M3GIA, data/ground_truth) with --answers"
            )
        parameters = {
            "files": fingerprint([path]),
            "keys": {k: list(v) for k, v in (key or {}).items()},
            "skip_invalid": skip_invalid,
            "loader": VERSION,
            "revision": revision,
        }
        make = partial(items_of_file, path, language, key, skip_invalid, revision)
        parts.append(Part(language, parameters, make))
    return BankPlan(
        parts=parts,
        labels=label_types(
            ("cluster", "test_language"), ("number",), ("factors", "narrow_factors")
        ),
        metadata={
            "benchmark": NAME,
            "version": VERSION,
            "languages": list(files),
            "revision": revision,
            "source_sha256": sha256_of(files.values()),
        },
        about=ABOUT,
        of_rows=True,
    )


def _existing(text: str) -> Path:
    if not Path(text).exists():
        raise ParameterError(f"there is no file or folder {text!r} with answers")
    return Path(text)


def _files(folder: Path, languages: Sequence[str]) -> dict[str, Path]:
    """The file of each requested language, in the order of `LANGUAGES`."""
    root = folder if folder.is_dir() else folder.parent
    files: dict[str, Path] = {}
    for path in files_in(folder, "*.parquet", "questions of M3GIA"):
        language = language_of_file(path, root)
        if language is None:
            raise ParameterError(
                f"{path.name!r}: neither its name nor its folder contains the language; rename it, "
                "for example to en_final.parquet"
            )
        if language in files:
            raise ParameterError(
                f"{files[language].name!r} and {path.name!r} both hold items in "
                f"{LANGUAGES[language][0]}; take one of them out of the folder"
            )
        files[language] = path
    wanted = [tag for tag in LANGUAGES if tag in languages]
    missing = [tag for tag in wanted if tag not in files]
    if folder.is_file():
        return {tag: path for tag, path in files.items() if tag in wanted} or files
    if missing:
        raise ParameterError(
            f"{str(folder)!r} holds no file of language {missing[0]!r}; it has "
            f"{', '.join(files)}; choose with --language"
        )
    return {tag: files[tag] for tag in wanted}


PATTERN = "answer_dict_*.jsonl"


def read_keys(root: Path) -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Return keys by language and question id: the right letter and the type of the question.

    The files are JSON arrays with any file extension; JSON lines are read as well. Empty if there
    is no such file. Raises ParameterError if a file has another structure.
    """
    keys: dict[str, Mapping[str, tuple[str, str]]] = {}
    files = [root] if root.is_file() else sorted(root.rglob(PATTERN))
    for path in files:
        language = language_of_file(path, path.parent)
        if language is None:
            raise ParameterError(
                f"{str(path)!r}: its name does not contain the language; rename it, for "
                "example to answer_dict_english.jsonl"
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
        raise ParameterError(
            f"{str(path)!r} cannot be read as answers in JSON ({error})"
        ) from error


def _entry(path: Path, number: int, entry: Any) -> tuple[str, tuple[str, str]]:
    try:
        key, kind = str(entry["ground_truth"]).strip(), str(entry.get("question_type", ""))
        return str(entry["question_id"]).strip(), (key.upper(), kind)
    except (KeyError, TypeError, AttributeError) as error:
        raise ParameterError(
            f"{str(path)!r}, entry {number} has no question_id and ground_truth"
        ) from error

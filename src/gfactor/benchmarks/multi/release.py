"""The files of a MULTI release: problems, Elite list, Extend knowledge, captions, OCR, images."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.loading import Tree, open_tree
from gfactor.benchmarks.multi.stem import without_tokens
from gfactor.errors import ParameterError

Problem = Mapping[str, Any]


@dataclass(frozen=True)
class Release:
    """A release as it was read, without its pictures.

    Parameters
    ----------
    tree: files of the release.
    problems_file: file of the problems.
    problems: id, number in the file (from 1) and entry of each problem, in the file's order.
    elite: question ids of the hard subset; empty if the release has no list.
    knowledge: text of each Extend piece, by name.
    captions, ocr: caption and recognized text of each picture, by the release's name of it.
    """

    tree: Tree
    problems_file: str
    problems: tuple[tuple[str, int, Any], ...]
    elite: frozenset[str]
    knowledge: Mapping[str, str]
    captions: Mapping[str, str]
    ocr: Mapping[str, str]


def read_release(root: Path) -> Release:
    """Read a release: a folder, or the archive as it is published.

    The files are found by their names: problem*.json (the newest of several, which is the last),
    hard_list*.json or *elite*.json, knowledge*.json, *caption*.csv, *ocr*.csv.

    Raises ParameterError if there are no problems, or a file is not what its name says.
    """
    tree = open_tree(root, lambda tree: bool(_problem_files(tree)))
    named = root.name if root.is_file() and root.suffix == ".json" else ""
    problems = [named] if named else _problem_files(tree)
    if not problems:
        raise ParameterError(
            f"{str(root)!r} holds no problem_*.json; name the folder of MULTI's release"
        )
    file = problems[-1]
    hard = tree.matching(("hard", "elite"), (".json",))
    extend = tree.matching(("knowledge",), (".json",))
    return Release(
        tree,
        file,
        tuple(_problems(tree, file)),
        frozenset(map(str, _json(tree, hard[-1], list))) if hard else frozenset(),
        _knowledge(tree, extend[-1]) if extend else {},
        _texts(tree, tree.matching(("caption",), (".csv",))),
        _texts(tree, tree.matching(("ocr",), (".csv",))),
    )


def _problem_files(tree: Tree) -> list[str]:
    return tree.matching(("problem",), (".json",))


def _json(tree: Tree, name: str, *kinds: type) -> Any:
    try:
        document = json.loads(tree.read(name))
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{name!r} cannot be read as JSON: {error}") from error
    if not isinstance(document, kinds):
        raise ParameterError(
            f"{name!r} does not have the structure of MULTI's file; use the published file"
        )
    return document


def _problems(tree: Tree, name: str) -> Iterable[tuple[str, int, Any]]:
    document = _json(tree, name, dict, list)
    if isinstance(document, dict):
        for number, (problem_id, problem) in enumerate(document.items(), 1):
            yield str(problem_id), number, problem
        return
    for number, problem in enumerate(document, 1):
        written_id = problem.get("problem_id", "") if isinstance(problem, dict) else ""
        yield str(written_id), number, problem


def _knowledge(tree: Tree, name: str) -> dict[str, str]:
    """The texts of the pieces; the marks of their pictures, which a text cannot show, stay in
    them."""
    document = _json(tree, name, dict, list)
    pieces = document.values() if isinstance(document, dict) else document
    names = document if isinstance(document, dict) else [None] * len(document)
    texts: dict[str, str] = {}
    for title, piece in zip(names, pieces, strict=True):
        if not isinstance(piece, dict) or "knowledge_content" not in piece:
            raise ParameterError(f"{name!r}: piece {title!r} has no knowledge_content")
        text = without_tokens(str(piece["knowledge_content"]))
        if text:
            texts[str(title if title is not None else piece.get("knowledge", ""))] = text
    return texts


def _texts(tree: Tree, names: Iterable[str]) -> dict[str, str]:
    """Read the texts of pictures: each line is the picture's name, a comma and its text.

    The release does not quote texts, so only the first comma of a line separates.
    """
    texts: dict[str, str] = {}
    for name in names:
        try:
            lines = tree.read(name).decode("utf-8-sig").splitlines()
        except ValueError as error:
            raise ParameterError(f"{name!r} is not text in UTF-8") from error
        for line in lines:
            picture, comma, text = line.partition(",")
            if comma and picture.strip():
                texts[picture.strip()] = text.strip().strip('"').strip()
    return texts

"""The plan of a MULTI bank: the release's problems, about a hundred in a part. Files beside it hold
the texts that conditions use: captions, text of pictures (OCR), knowledge.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.loading import (
    SKIP_INVALID,
    fingerprint,
    label_types,
    located,
    on_or_off,
    revision_of,
    source_option,
)
from gfactor.benchmarks.multi.items import (
    LISTS,
    NAME,
    NUMBERS,
    SOURCE,
    VERSION,
    WORDS,
    Numbered,
    ReleaseFacts,
    items_of,
)
from gfactor.benchmarks.multi.release import Release, read_release
from gfactor.benchmarks.multi.vocabulary import TYPES
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Part, text_hash

ABOUT = {
    "name": "MULTI",
    "description": "MULTI: Chinese examination questions with and without images, of four types.",
    "license": "MIT",
    "citation": "Zhu, Z., Xu, Y., Chen, L., Yang, J., Ma, Y., Sun, Y., Wen, H., Liu, J., Cai, J., "
    "Ma, Y., Zhang, S., Zhao, Z., Sun, L., & Yu, K. (2025). MULTI: Multimodal understanding "
    "leaderboard with text and images. arXiv:2402.03173.",
    "version": VERSION,
}

OPTIONS = (
    source_option(SOURCE),
    Option(
        name="others",
        default="",
        metavar="",
        help="Load questions of the type Others, too, as open questions; the paper does not "
        "score them.",
        parse=on_or_off,
        switch=True,
    ),
    SKIP_INVALID,
)

_PROBLEMS_PER_PART = 1000

_VERSION = re.compile(r"v(\d[\w.-]*?)(?:\.json)?$")


def plan(source: str, others: bool = False, skip_invalid: bool = False) -> BankPlan:
    """Return the plan of a bank of a release.

    Parameters
    ----------
    source: the release's folder, its archive, its problems' JSON file, or `hub`.
    others: True to load questions of type Others too, as open questions.

    Raises ParameterError if the release cannot be read or two problems have the same id.
    """
    root = located(source, SOURCE, ("*.zip", "*.json", "*.csv", "images/**"))
    release = read_release(root)
    _check_ids(release)
    version = _version(release.problems_file, revision_of(source))
    reading = ReleaseFacts(
        release.tree,
        PurePosixPath(release.problems_file).name,
        version,
        release.elite,
        frozenset(release.knowledge),
        others,
    )
    files = _fingerprint(release)
    parts = []
    for start in range(0, len(release.problems), _PROBLEMS_PER_PART):
        some = release.problems[start : start + _PROBLEMS_PER_PART]
        parameters = {
            "files": files,
            "start": start,
            "others": others,
            "skip_invalid": skip_invalid,
            "loader": VERSION,
        }
        parts.append(
            Part(
                f"problems-{start:06d}", parameters, partial(items_of, some, reading, skip_invalid)
            )
        )
    kinds = _kinds(release.problems)
    return BankPlan(
        parts=parts,
        labels=label_types(WORDS, NUMBERS, LISTS),
        metadata={
            "benchmark": NAME,
            "version": VERSION,
            "release": version,
            "problems": len(release.problems),
            "left_out": {} if others else {"Others": kinds["Others"]},
            "knowledge_pieces": len(release.knowledge),
            "elite": len(release.elite),
        },
        about=ABOUT,
        of_rows=True,
        beside=beside(release),
    )


def _check_ids(release: Release) -> None:
    seen: dict[str, int] = {}
    for problem_id, number, _ in release.problems:
        if problem_id and problem_id in seen:
            raise ParameterError(
                f"{release.problems_file!r}, problem {number}, id {problem_id!r}: the id is "
                f"already that of problem {seen[problem_id]}"
            )
        seen[problem_id] = number


def _version(name: str, revision: str) -> str:
    """Return the version in the problems' file name ("1.3.1_20241210"), and the hub's revision."""
    match = _VERSION.search(PurePosixPath(name).name)
    return "@".join(filter(None, [match[1] if match else "", revision])) or VERSION


def _fingerprint(release: Release) -> object:
    tree = release.tree
    if tree.path.is_file():
        return fingerprint([tree.path])
    return text_hash(repr(fingerprint(tree.path / name for name in sorted(tree.names))))


def _kinds(problems: tuple[Numbered, ...]) -> Counter[str]:
    listed = (p.get("problem_type_list") for _, _, p in problems if isinstance(p, dict))
    return Counter(
        TYPES.get(str(kind), "") for kinds in listed if isinstance(kinds, list) for kind in kinds
    )


CAPTIONS, OCR, KNOWLEDGE = ".captions.csv", ".ocr.csv", ".knowledge.csv"
"""Endings after a bank's stem in the names of the files beside it."""


def beside(release: Release) -> dict[str, str]:
    """Return the files to be written beside the bank, by the ending of their names.

    `.captions.csv` and `.ocr.csv` have `image` (its path in the bank) and `text`, for the
    conditions images=captioned and images=transcribed; `.knowledge.csv` has `label`, `value` and
    `text`, for knowledge=on.
    """
    files: dict[str, str] = {}
    for end, texts in ((CAPTIONS, release.captions), (OCR, release.ocr)):
        rows = _of_pictures(release, texts)
        if rows:
            files[end] = _csv(("image", "text"), rows)
    if release.knowledge:
        pieces = [("knowledge", name, text) for name, text in release.knowledge.items()]
        files[KNOWLEDGE] = _csv(("label", "value", "text"), pieces)
    return files


def _of_pictures(release: Release, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    by_path = {release.tree.find(named): text for named, text in texts.items()}
    return [(path, text) for path, text in by_path.items() if path is not None]


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()

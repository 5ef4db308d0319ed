"""The texts that come with MULTI, in the files that conditions take: captions, OCR, knowledge."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from gfactor.benchmarks.multi.release import Release

CAPTIONS, OCR, KNOWLEDGE = ".captions.csv", ".ocr.csv", ".knowledge.csv"
"""What follows a bank's stem in the names of the files beside it."""


def beside(release: Release) -> dict[str, str]:
    """The files to be written beside the bank, by what follows its stem.

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

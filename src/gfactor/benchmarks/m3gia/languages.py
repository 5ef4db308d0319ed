"""M3GIA's six languages: their tags, and how files and tables write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "en": ("english", "en", "eng"),
    "zh": ("chinese", "zh", "ch", "cn"),
    "fr": ("french", "fr"),
    "es": ("spanish", "es", "sp", "spa"),
    "pt": ("portuguese", "pt", "por"),
    "ko": ("korean", "ko", "kr", "kor"),
}
"""BCP 47 tag to the names used for published files; the paper's tables write En, Ch, Fr, Sp,
Pt, Ko."""


def language_of_file(path: Path, root: Path) -> str | None:
    """Return the language in a file's name, or else in its folders up to `root`; else None.

    "en_final.parquet" and "english/test-00000-of-00001.parquet" are both English.
    """
    folders = [p.name for p in path.parents if root == p or root in p.parents]
    for name in (path.stem, *folders):
        words = re.findall(r"[a-z]+", name.casefold())
        tags = {tag for tag, tag_words in LANGUAGES.items() for word in words if word in tag_words}
        if len(tags) == 1:
            return tags.pop()
    return None

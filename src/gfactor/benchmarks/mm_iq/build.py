"""The plan of an MM-IQ bank: one part per file and language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

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
from gfactor.benchmarks.mm_iq.items import LANGUAGES, NAME, SOURCE, VERSION, items_of_file
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Part

ABOUT = {
    "name": "MM-IQ",
    "description": "MM-IQ: abstract visual reasoning in eight paradigms, in two languages.",
    "license": "Apache-2.0",
    "citation": "Cai, H., Yang, Y., & Hu, W. (2025). MM-IQ: Benchmarking human-like abstraction "
    "and reasoning in multimodal models. arXiv:2502.00698.",
    "version": VERSION,
}

OPTIONS = (source_option(SOURCE), languages_option(LANGUAGES), SKIP_INVALID)

_NEEDED = ("data_id", "category", "answer", "image")


def plan(source: str, languages: Sequence[str] = LANGUAGES, skip_invalid: bool = False) -> BankPlan:
    """Return the plan of a bank of these languages; items of both show the same pictures.

    Parameters
    ----------
    source: a folder with Parquet files of the split `test`, one such file, or `hub`.

    Raises ParameterError if there is no such file, or it lacks a column.
    """
    root = located(source, SOURCE, ("*.parquet",))
    files = files_in(root, "*.parquet", "questions of MM-IQ")
    for path in files:
        missing = [name for name in _NEEDED if name not in parquet_columns(path)]
        if missing:
            raise ParameterError(f"{path.name!r} has no column {missing[0]!r}; it is not MM-IQ")
    revision = revision_of(source)
    parts = [
        Part(
            f"{language}-{number}",
            {
                "files": fingerprint([path]),
                "language": language,
                "skip_invalid": skip_invalid,
                "loader": VERSION,
                "revision": revision,
            },
            partial(items_of_file, path, language, skip_invalid, revision),
        )
        for language in LANGUAGES
        if language in languages
        for number, path in enumerate(files)
    ]
    return BankPlan(
        parts=parts,
        labels=label_types(("paradigm", "test_language"), ("number",)),
        metadata={
            "benchmark": NAME,
            "version": VERSION,
            "languages": [tag for tag in LANGUAGES if tag in languages],
            "revision": revision,
            "source_sha256": sha256_of(files),
        },
        about=ABOUT,
        of_rows=True,
    )

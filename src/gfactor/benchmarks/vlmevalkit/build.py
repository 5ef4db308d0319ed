"""The plan of a bank from VLMEvalKit's files: one part per file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.loading import (
    SKIP_INVALID,
    files_in,
    fingerprint,
    label_types,
    located,
    sha256_of,
    source_option,
)
from gfactor.benchmarks.vlmevalkit.items import (
    NUMBERS,
    VERSION,
    WORDS,
    benchmark_of,
    items_of_file,
    label_names,
)
from gfactor.benchmarks.vlmevalkit.table import names_of, shards_of
from gfactor.errors import ParameterError
from gfactor.items import Part, Plan, Rejected

NAME = "vlmevalkit"

ABOUT = {
    "name": "VLMEvalKit data sets",
    "description": "MMBench, BLINK, MMMU, MME and any other data set in VLMEvalKit's TSV.",
    "license": "LicenseRef-as-published",
    "citation": "Duan, H., et al. (2024). VLMEvalKit: An open-source toolkit for evaluating large "
    "multi-modality models. arXiv:2407.11691; and the data set's own publication.",
    "version": VERSION,
}


def _tag(text: str) -> str:
    if text and not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", text):
        raise ParameterError(f"language: {text!r} is not a tag such as en or zh")
    return text


OPTIONS = (
    source_option(""),
    Option(
        name="dataset",
        default="",
        metavar="NAME",
        help="The data set's name, where the file is called otherwise (MMBench_DEV_EN.tsv is "
        "MMBench_DEV_EN).",
        parse=str,
    ),
    Option(
        name="language",
        default="",
        metavar="TAG",
        help="Language of all texts; by default it follows from the script of each question.",
        parse=_tag,
    ),
    SKIP_INVALID,
)


def plan(source: str, dataset: str = "", language: str = "", skip_invalid: bool = False) -> Plan:
    """Return the plan of a bank of one table or of all .tsv files of a folder.

    A table is .tsv, .csv, .json, .jsonl, .xlsx or .parquet, or a folder that `datasets` saved.

    With `skip_invalid`, a file without a needed column (a test set without keys) is left out and
    counted, as an invalid row is.

    Raises ParameterError if a file is no table of VLMEvalKit's, or `dataset` is to name several
    files.
    """
    root = located(source, "", ("*.tsv",))
    saved = root.is_dir() and shards_of(root)
    files = [root] if saved else files_in(root, "*.tsv", "tables of VLMEvalKit")
    if dataset and len(files) > 1:
        raise ParameterError(f"--dataset names one file, and {str(root)!r} has {len(files)}")
    names = [dataset or path.stem for path in files]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ParameterError(f"two files are called {min(repeated)!r}; load one at a time")
    columns = {path: names_of(path) for path in files}
    flaws = {path: _flaw(path, columns[path]) for path in files}
    if not skip_invalid and any(flaws.values()):
        raise ParameterError(next(flaw for flaw in flaws.values() if flaw))
    if all(flaws.values()):
        raise ParameterError(f"there is nothing to load: {flaws[files[0]]}")
    words = label_names(name for path in files for name in columns[path])
    parts = [
        Part(
            re.sub(r"[^\w.-]", "_", name),
            {
                "files": fingerprint(shards_of(path)),
                "dataset": name,
                "language": language,
                "skip_invalid": skip_invalid,
                "loader": VERSION,
            },
            partial(_rejected, path.name, flaws[path])
            if flaws[path]
            else partial(items_of_file, path, name, language, skip_invalid),
        )
        for name, path in zip(names, files, strict=True)
    ]
    benchmarks = sorted({benchmark_of(name) for name in names})
    return Plan(
        parts=parts,
        labels=label_types((*WORDS, *words), NUMBERS),
        metadata={
            "benchmark": benchmarks[0] if len(benchmarks) == 1 else NAME,
            "version": VERSION,
            "datasets": names,
            "source_sha256": sha256_of(shard for path in files for shard in shards_of(path)),
        },
        about={**ABOUT, "name": ", ".join(names)},
        of_rows=True,
        pictures=True,
    )


def _flaw(path: Path, columns: tuple[str, ...]) -> str:
    """Why no row of a file can make an item, "" if some can."""
    missing = [c for c in ("index", "question", "answer") if c not in columns]
    if not missing:
        return ""
    return (
        f"{path.name!r} has no column {missing[0]!r}; a table of VLMEvalKit has index, question "
        "and answer, one of your own id, question and answer"
    )


def _rejected(name: str, flaw: str) -> Iterator[Rejected]:
    yield Rejected(repr(name), flaw)

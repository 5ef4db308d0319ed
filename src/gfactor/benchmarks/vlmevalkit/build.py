"""The plan of a bank from VLMEvalKit's files: one part per file."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.gold import family_of
from gfactor.benchmarks.loading import (
    SKIP_INVALID,
    fingerprint,
    label_types,
    located,
    parquet_columns,
    sha256_of,
    source_option,
)
from gfactor.benchmarks.vlmevalkit.build_notes import notes_on
from gfactor.benchmarks.vlmevalkit.given_languages import (
    LANGUAGE_COLUMNS,
    columns_of_languages,
)
from gfactor.benchmarks.vlmevalkit.items import (
    NUMBERS,
    VERSION,
    WORDS,
    benchmark_of,
    items_of_file,
    label_names,
)
from gfactor.benchmarks.vlmevalkit.known_sets import is_known
from gfactor.benchmarks.vlmevalkit.row_facts import FACT_COLUMNS
from gfactor.benchmarks.vlmevalkit.table import (
    SHARD,
    names_of,
    rows_of,
    shards_of,
    unread_pictures,
)
from gfactor.benchmarks.vlmevalkit.text_tables import tell_text_layout
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Part, Rejected
from gfactor.items.formats import RULE_LABEL
from gfactor.items.table_files import SEPARATORS
from gfactor.listing import first_few

NAME = "vlmevalkit"

_PICTURES = ("*.png", "*.jpg", "*.jpeg", "*.webp", "*.gif", "*.bmp")
_KINDS = {"*.tsv": (), "*.parquet": (), "*.jsonl": _PICTURES, "*.csv": _PICTURES}
"""Tables that are looked for in a folder or on the hub, in this order, and files beside them."""

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
        help="Language of all texts; by default that of the column language or lang, or else of "
        "the script of each question.",
        parse=_tag,
    ),
    SKIP_INVALID,
)


def plan(
    source: str, dataset: str = "", language: str = "", skip_invalid: bool = False
) -> BankPlan:
    """Return the plan of a bank of one table, or of all tables of a kind in a folder or on the hub.

    A table is .tsv, .csv, .json, .jsonl, .xlsx or .parquet, or a folder that `datasets` saved. From
    a folder, or a data set on the hub, the .tsv files are loaded; if there are none, the .parquet,
    .jsonl or .csv files.

    With `skip_invalid`, a file without a needed column (a test set without keys) is left out and
    counted like an invalid row.

    Raises ParameterError if a file is no table of VLMEvalKit's, or `dataset` is to name several
    files.
    """
    files = _tables(source)
    if dataset and len(files) > 1:
        raise ParameterError(f"--dataset names one file, and {source!r} has {len(files)}")
    names = [dataset or _name(path, source, len(files)) for path in files]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ParameterError(f"two files are called {min(repeated)!r}; load one at a time")
    for path in files:
        if path.suffix.lower() in SEPARATORS:
            tell_text_layout(path)
    columns = {path: names_of(path) for path in files}
    flaws = {path: _flaw(path, columns[path]) for path in files}
    if not skip_invalid and any(flaws.values()):
        raise ParameterError(next(flaw for flaw in flaws.values() if flaw))
    if all(flaws.values()):
        raise ParameterError(f"there is nothing to load: {flaws[files[0]]}")
    languages = {
        name: _columns_of_languages(path, name, columns[path])
        for name, path in zip(names, files, strict=True)
    }
    words = [
        label
        for name, path in zip(names, files, strict=True)
        for label in label_names(columns[path], name, languages[name])
    ]
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
    assumed = frozenset(name for name in names if not language and not languages[name])
    benchmarks = sorted({benchmark_of(name) for name in names})
    return BankPlan(
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
        notes=partial(notes_on, **_noted(files, names, columns), assumed=assumed),
    )


def _columns_of_languages(path: Path, dataset: str, columns: Sequence[str]) -> frozenset[str]:
    """Return the columns of a file that say the language, which it reads only if it has to."""
    if not {name.casefold() for name in columns} & set(LANGUAGE_COLUMNS):
        return frozenset()
    return columns_of_languages((row for _, row in rows_of(path, only=FACT_COLUMNS)), dataset)


def _noted(
    files: Sequence[Path], names: Sequence[str], columns: Mapping[Path, Sequence[str]]
) -> dict[str, frozenset[str]]:
    """Return the data sets that `notes_on` has something to say about."""
    columns_of_set = {name: set(columns[path]) for name, path in zip(names, files, strict=True)}
    return {
        "ruled": frozenset(
            name for name in names if not is_known(name) and RULE_LABEL not in columns_of_set[name]
        ),
        "both": frozenset(
            name
            for name in names
            if {"domain", "category"} <= columns_of_set[name] and not family_of(name)
        ),
    }


def _tables(source: str) -> list[Path]:
    """Return the tables of a source: all of the first kind that there is; of shards the first."""
    root = Path()
    for kind, beside in _KINDS.items():
        root = located(source, "", (kind, *beside))
        if root.is_file() or (root.is_dir() and shards_of(root)):
            if _is_bank(root):
                raise ParameterError(_BANK.format(repr(str(root))))
            return [root]
        tables = [path for path in sorted(root.rglob(kind)) if _is_table(path)]
        if tables:
            _tell_left_out(root, kind, tables)
            return tables
    if bank := next(filter(_is_bank, sorted(root.rglob("*.parquet"))), None):
        raise ParameterError(_BANK.format(repr(str(bank))))
    raise ParameterError(f"{str(root)!r} holds no tables of items ({', '.join(_KINDS)})")


def _tell_left_out(root: Path, kind: str, tables: Sequence[Path]) -> None:
    """Print a note on standard error if a folder has tables of other kinds than the one read."""
    others = [p for other in _KINDS for p in sorted(root.rglob(other)) if _is_table(p)]
    names = [path.relative_to(root) for path in others if path not in tables]
    if names:
        sys.stderr.write(
            f"note: {root}: only its {kind} files are read, and {first_few(names, 3)} left out; "
            "name a file with --from to read it alone\n"
        )


_BANK = (
    "{} is a bank of gfactor, from which nothing has to be built: give it, or the folder of its "
    "files, as BANK to any command (in Python: gf.open_bank)"
)
"""Message about a file that is a bank already."""


def _is_bank(path: Path) -> bool:
    is_parquet = path.is_file() and path.suffix.lower() == ".parquet"
    return is_parquet and {"content", "answer_type"} <= {*parquet_columns(path)}


def _is_table(path: Path) -> bool:
    """Return False for a bank, and for another shard of a table than the first."""
    if path.suffix.lower() != ".parquet":
        return path.is_file()
    return shards_of(path)[0] == path and not _is_bank(path)


def _name(path: Path, source: str, count: int) -> str:
    """Return a data set's name: its file's; a .tsv file has it also on the hub, others have that
    of the repository."""
    stem = SHARD.sub("", path.stem)
    repository = source.partition("@")[0].rpartition("/")[2] if source.startswith("hub:") else ""
    if not repository or path.suffix.lower() == ".tsv":
        return stem
    return repository if count == 1 else f"{repository}_{stem}"


def _flaw(path: Path, columns: tuple[str, ...]) -> str:
    """Why no row of a file can make an item, "" if some can."""
    missing = [c for c in ("index", "question", "answer") if c not in columns]
    if missing:
        return (
            f"{path.name!r} has no column {missing[0]!r}; a table of VLMEvalKit has index, "
            "question and answer, one of your own id, question and answer; pictures stand in a "
            "column image"
        )
    if pictures := unread_pictures(path):
        return (
            f"{path.name!r} has pictures in the column {pictures!r}, which would not be shown; "
            "call the column 'image', or remove it if the questions need no pictures"
        )
    return ""


def _rejected(name: str, flaw: str) -> Iterator[Rejected]:
    yield Rejected(repr(name), flaw)

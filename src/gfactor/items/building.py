"""Building a bank in parts: if a build is stopped, the next identical build continues it.

A benchmark plans its bank as parts that are made independently (in several processes on request).
Each part is written as a small bank into `FILE.parts/`, with the parameters that decide its items.
A part that exists with the same parameters is used again. At the end the parts are joined by row
groups, the bank is renamed into place, and the folder is removed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from gfactor import __version__
from gfactor.computing import each
from gfactor.errors import BankError, ParameterError
from gfactor.items.bank import ItemBank
from gfactor.items.croissant import write_croissant
from gfactor.items.files import check_writable, replacing
from gfactor.items.hashing import digest_of
from gfactor.items.item import Item
from gfactor.items.reading import open_parquet
from gfactor.items.schema import METADATA_KEY, LabelTypes, bank_schema, row_of
from gfactor.items.writing import ROWS_PER_GROUP, open_writer, write_groups
from gfactor.listing import first_few

T = TypeVar("T")

_REJECTED = "gfactor.rejected"
"""Key of a part's rejected rows in its file's metadata."""

_LISTED = 100
"""Largest number of rejected rows that a bank's metadata name."""

Watch = Callable[[Iterable[T], int, str, str], Iterable[T]]
"""Function of things, total, what and unit that yields the things and shows a progress bar."""


@dataclass(frozen=True)
class Rejected:
    """A row of a source file that cannot become an item: its position, and what is wrong.

    Parameters
    ----------
    where : str
        File, row and id.
    what : str
        Description of what is wrong with the row.

    Examples
    --------
    >>> from gfactor.items import Rejected
    >>> print(Rejected("questions.csv, row 4", "it has no question"))
    questions.csv, row 4: it has no question
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Part:
    """An independent piece of a bank.

    Parameters
    ----------
    name : str
        Name of the part and of its file, unique in the plan.
    parameters : dict of str to Any
        Parameters that determine the items, JSON-serializable.
    make : callable
        Function that makes the items; it must be picklable, because it may run in another process.
        In a plan with `of_rows` it may return a `Rejected` instead of an item.

    Examples
    --------
    >>> from gfactor.items import Choice, Item, Provenance
    >>> item = Item(
    ...     "q1", "example", ("1 + 1 = ?",), "choice", "A", {"domain": "sums"},
    ...     Provenance("example", "1", content_hash="q1"),
    ...     choices=(Choice("A", "2"), Choice("B", "3")),
    ... )
    >>> from gfactor.items import Part
    >>> part = Part("sums", {"version": "1"}, lambda: [item])
    >>> [one.id for one in part.make()]
    ['q1']
    """

    name: str
    parameters: Mapping[str, Any]
    make: Callable[[], Iterable[Item | Rejected]]


@dataclass(frozen=True)
class BankPlan:
    """A bank to be built: its parts in order, its label types, and its description.

    Parameters
    ----------
    parts : list of Part
        The pieces of the bank, in order.
    labels : LabelTypes
        The types of the items' labels, as `label_types` gives them.
    metadata : dict of str to Any
        Metadata that the bank stores: benchmark, version, edition, seed ...
    about : dict of str to str
        Croissant metadata: name, description, license, citation, version.
    of_rows : bool
        True if items are made from published rows; the metadata then have the number of skipped
        rows.
    beside : dict of str to str
        Texts of files that are written next to the bank. The key is the end of the file's name,
        which follows the bank's stem (".captions.csv").
    vector : callable, optional
        Item -> its images as SVG documents; they are written into the folder STEM-svg next to the
        bank, each with the name of its image.
    pictures : bool
        True to warn of items without a picture if others have one; the label `image_type` shows
        which.
    notes : callable, optional
        Rows of all items (their `id`, `language`, `content` and `labels`) -> sentences about them.

    Examples
    --------
    >>> from gfactor.items import Choice, Item, Provenance
    >>> item = Item(
    ...     "q1", "example", ("1 + 1 = ?",), "choice", "A", {"domain": "sums"},
    ...     Provenance("example", "1", content_hash="q1"),
    ...     choices=(Choice("A", "2"), Choice("B", "3")),
    ... )
    >>> from gfactor.benchmarks.loading import label_types
    >>> from gfactor.items import BankPlan, Part
    >>> plan = BankPlan(
    ...     [Part("sums", {}, lambda: [item])], label_types(()), {"benchmark": "example"},
    ...     {"name": "example", "description": "Sums.", "license": "CC0-1.0", "version": "1"},
    ... )
    >>> len(plan.parts)
    1
    """

    parts: Sequence[Part]
    labels: LabelTypes
    metadata: Mapping[str, Any]
    about: Mapping[str, str]
    of_rows: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)
    vector: Callable[[Item], Sequence[str]] | None = None
    pictures: bool = False
    notes: Callable[[Iterable[Mapping[str, Any]]], Iterable[str]] | None = None


_ROWS_SHOWN = 10
"""Number of skipped rows that a summary shows; the bank's metadata have more."""


@dataclass(frozen=True)
class Built:
    """Result of a build; `seconds` is wall time.

    Parameters
    ----------
    path : Path
        The bank's file.
    metadata : dict of str to Any
        Facts about all items, as stored in the bank.
    items : int
        Number of items.
    images : int
        Number of images.
    scene_digest : str
        SHA-256 over the scenes of the items; equal options give equal digests.
    pixel_digest : str
        SHA-256 over the decoded pixels.
    seconds : float
        Wall time.
    skipped : int, optional
        Number of rejected rows of source files; None if no rows were read.
    skipped_rows : list of str
        The first of them, a sentence each.
    beside : list of Path
        Files written next to the bank.
    warnings : list of str
        Sentences about unusual items.
    notes : list of str
        Sentences about how rows became items, for the person who builds.

    Examples
    --------
    >>> from gfactor.benchmarks import build
    >>> built = build("percept-v", "pv.parquet", domains=["change_colour"], sizes=[1])
    >>> built.items, built.metadata["benchmark"]
    (10, 'percept-v')
    """

    path: Path
    metadata: Mapping[str, Any]
    items: int
    images: int
    scene_digest: str
    pixel_digest: str
    seconds: float
    skipped: int | None = None
    skipped_rows: tuple[str, ...] = ()
    beside: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return the written files, the rows left out, and the digests, as text."""
        facts = self.to_dict()
        how = [facts["edition"]] if facts["edition"] else []
        how += [f"seed {facts['seed']}"] if facts["seed"] >= 0 else []
        what = f"{facts['benchmark']} ({', '.join(how)})" if how else facts["benchmark"]
        lines = [
            f"{self.path}: {self.items:,} items with {self.images:,} images of {what} in "
            f"{facts['seconds']:.1f} s"
        ]
        if self.skipped:
            lines.append(f"{self.skipped:,} rows were skipped:")
            lines += [f"  {text}" for text in self.skipped_rows[:_ROWS_SHOWN]]
            left = self.skipped - _ROWS_SHOWN
            if left > 0:
                lines.append(f"  and {left:,} more; the bank's metadata name the first 100")
        for kind, count in self.metadata.get("not_generated", {}).items():
            lines.append(f"not generated: {kind}, {count:,} item{'s' * (count != 1)}")
        lines += [f"warning: {text}" for text in self.warnings]
        lines += [f"note: {text}" for text in self.notes]
        lines += [f"beside it: {path}" for path in self.beside]
        return "\n".join([*lines, f"scenes {self.scene_digest}", f"pixels {self.pixel_digest}"])

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `--json`. Skipped rows and further files are listed only if
        published rows were read, and types without items only if a form cannot have every type."""
        rows: dict[str, Any] = {}
        if self.skipped is not None:
            rows = {
                "skipped": self.skipped,
                "skipped_rows": list(self.skipped_rows),
                "beside": list(map(str, self.beside)),
                "warnings": list(self.warnings),
                "notes": list(self.notes),
            }
        elif self.beside:
            rows = {"beside": list(map(str, self.beside))}
        if "not_generated" in self.metadata:
            rows["not_generated"] = self.metadata["not_generated"]
        return {
            "path": str(self.path),
            "benchmark": self.metadata.get("benchmark", ""),
            "edition": self.metadata.get("edition", ""),
            "seed": self.metadata.get("seed", -1),
            "items": self.items,
            "images": self.images,
            "scene_digest": self.scene_digest,
            "pixel_digest": self.pixel_digest,
            "seconds": round(self.seconds, 3),
            **rows,
        }


def _unwatched(things: Iterable[T], total: int, what: str, unit: str) -> Iterable[T]:
    return things


def build_bank(
    plan: BankPlan, path: Path | str, *, jobs: int = 1, watch: Watch[Path] = _unwatched
) -> Built:
    """Build a bank and its Croissant metadata; the result does not depend on `jobs`.

    Parameters
    ----------
    plan : BankPlan
        Plan of the bank.
    path : path
        Parquet file to write. It appears under this name only when it is complete. Above 100,000
        items there are several files, NAME-00000-of-00012.parquet, which are opened under the same
        name.
    jobs : int
        Number of parallel processes; the result does not depend on it.
    watch : Watch[Path]
        Shows progress over parts.

    Returns
    -------
    Built
        Result: path, numbers of items and images, digests.

    Raises
    ------
    ParameterError
        If the path cannot be written; it is checked before any work.

    Examples
    --------
    >>> from gfactor.benchmarks import BENCHMARKS
    >>> from gfactor.items import build_bank
    >>> plan = BENCHMARKS["percept-v"].plan(domains=["change_colour"], sizes=[1])
    >>> build_bank(plan, "pv.parquet").items
    10
    """
    started, path = time.perf_counter(), Path(path)
    check_writable(path)
    # Absolute, because workers that were started in another folder are used again.
    folder = _parts_folder(path).absolute()
    files = [folder / f"{part.name}.parquet" for part in plan.parts]
    waiting = [
        (part, plan.labels, file)
        for part, file in zip(plan.parts, files, strict=True)
        if _stored_parameters(file) != _parameters(part)
    ]
    results = each(_make_part, waiting, jobs=jobs, ordered=False)
    try:
        for _ in watch(results, len(waiting), "building", "part"):
            pass
    except BaseException:
        with suppress(OSError):  # Complete parts stay, so that the next build can continue.
            folder.rmdir()
        raise
    facts = _join(files, path, plan)
    if plan.notes is not None:
        # Not stored in the bank: they are about its table.
        facts["notes"] = tuple(plan.notes(_rows(files, ["id", "language", "content", "labels"])))
    beside = tuple(_write_beside(path, end, text) for end, text in plan.beside.items())
    if plan.vector is not None:
        beside += (_write_vectors(path, plan.vector),)
    write_croissant(path, **plan.about)
    _tidy(folder)
    seconds = time.perf_counter() - started
    facts["skipped_rows"] = tuple(facts.get("skipped_rows", ()))
    facts["warnings"] = tuple(facts.get("warnings", ()))
    return Built(path, plan.metadata, **facts, seconds=seconds, beside=beside)


def _write_beside(bank: Path, end: str, text: str) -> Path:
    path = bank.with_name(f"{bank.stem}{end}")
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")
    return path


def _folder(path: Path, content: str, named: str) -> Path:
    """Make a folder next to a bank, if there is none, and return it."""
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot make the folder {str(path)!r} for {content}: {error.strerror}; move what is "
            f"there away, or name another {named}"
        ) from error
    return path


def _write_vectors(bank: Path, vector: Callable[[Item], Sequence[str]]) -> Path:
    """Write the images of a bank's items as SVG, each once, and return their folder."""
    folder = _folder(bank.with_name(f"{bank.stem}-svg"), "vector pictures", "bank")
    written: set[str] = set()
    for item in ItemBank.open(bank):
        names = [f"{Path(image.path).stem}.svg" for image in item.images]
        # An item in several languages has the same images.
        if not written.issuperset(names):
            for name, text in zip(names, vector(item), strict=True):
                (folder / name).write_text(text, encoding="utf-8", newline="")
            written.update(names)
    return folder


def _parts_folder(path: Path) -> Path:
    return _folder(path.with_name(f"{path.name}.parts"), "a build's parts", "file")


def _parameters(part: Part) -> dict[str, Any]:
    return {"part": json.loads(json.dumps(dict(part.parameters))), "gfactor": __version__}


def _stored_parameters(file: Path) -> Any:
    try:
        metadata = open_parquet(file).schema_arrow.metadata or {}
    except BankError:
        return None
    return json.loads(metadata.get(METADATA_KEY, b"null"))


def _make_part(part: Part, labels: LabelTypes, file: Path) -> Path:
    """Write a part, some rows at a time; the file's metadata name the rejected rows."""
    rejected: list[str] = []
    items = _items_of(part.make(), rejected)
    schema = bank_schema(labels, _parameters(part))
    with replacing(file) as temporary, open_writer(temporary, schema) as writer:
        while rows := [row_of(item) for item in islice(items, ROWS_PER_GROUP)]:
            writer.write_table(pa.Table.from_pylist(rows, schema))
        writer.add_key_value_metadata({_REJECTED: json.dumps(rejected)})
    return file


def _items_of(results: Iterable[Item | Rejected], rejected: list[str]) -> Iterator[Item]:
    for one in results:
        if isinstance(one, Rejected):
            rejected.append(str(one))
        else:
            yield one


def _rejected(files: Sequence[Path]) -> list[str]:
    lines: list[str] = []
    for name in files:
        with open_parquet(name) as file:
            stored = (file.metadata.metadata or {}).get(_REJECTED.encode(), b"[]")
        lines.extend(json.loads(stored))
    return lines


def _join(files: Sequence[Path], path: Path, plan: BankPlan) -> dict[str, Any]:
    facts = _facts(files)
    if plan.of_rows:
        rejected = _rejected(files)
        facts |= {"skipped": len(rejected), "skipped_rows": rejected[:_LISTED]}
    if plan.pictures and (warnings := _without_picture(files)):
        facts["warnings"] = warnings
    if not facts["items"]:
        first = f"; the first: {facts['skipped_rows'][0]}" if facts.get("skipped") else ""
        raise ParameterError(f"there are no items to write to {str(path)!r}{first}")
    schema = bank_schema(plan.labels, {**plan.metadata, **facts})
    write_groups(_row_groups(files), facts["items"], path, schema, files[0].parent)
    return facts


def _without_picture(files: Sequence[Path]) -> list[str]:
    """Return a warning of items without a picture if other items have one."""
    rows = list(_rows(files, ["id", "labels"]))
    bare = [row["id"] for row in rows if row["labels"].get("image_type") in (None, "NI")]
    if not bare or len(bare) == len(rows):
        return []
    return [
        f"{len(bare):,} of {len(rows):,} items have no picture ({first_few(bare, 3)}), and the "
        "others have; look whether their rows have lost it"
    ]


def _rows(files: Sequence[Path], columns: list[str]) -> Iterator[dict[str, Any]]:
    return (row for table in _row_groups(files, columns) for row in table.to_pylist())


def _row_groups(files: Sequence[Path], columns: list[str] | None = None) -> Iterator[pa.Table]:
    for name in files:
        with open_parquet(name) as file:
            for group in range(file.num_row_groups):
                try:
                    yield file.read_row_group(group, columns=columns)
                except (pa.ArrowException, OSError) as error:
                    raise BankError(name, "is damaged; remove it and build again") from error


def _facts(files: Sequence[Path]) -> dict[str, Any]:
    # One hash at a time, because those of a million items would take hundreds of megabytes.
    def stored(column: str) -> Iterator[Any]:
        name, _, part = column.partition(".")
        for table in _row_groups(files, [column]):
            rows = table[name].to_pylist()
            yield from (row[part] for row in rows) if name == "provenance" else rows

    lengths = [len(images) for images in stored("images.list.element.path")]
    return {
        "items": len(lengths),
        "images": sum(lengths),
        "scene_digest": digest_of(stored("provenance.content_hash")),
        "pixel_digest": digest_of(h for row in stored("provenance.pixel_hashes") for h in row),
    }


def _tidy(folder: Path) -> None:
    """Remove the files of builds from the folder, and then the folder if it is empty."""
    for file in [*folder.glob("*.parquet"), *folder.glob(".*.tmp")]:
        file.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()

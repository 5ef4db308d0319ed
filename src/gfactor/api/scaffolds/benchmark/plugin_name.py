"""plugin-name: choice questions with a picture each, from a table and a folder of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from gfactor.benchmarks import Benchmark, register
from gfactor.benchmarks.loading import (
    SKIP_INVALID,
    Location,
    checked,
    content_hash,
    fingerprint,
    hashes_of,
    image_type,
    label_types,
    located,
    picture,
    sha256_of,
    source_option,
)
from gfactor.errors import ParameterError
from gfactor.items import BankPlan, Choice, Item, Part, Provenance, Rejected
from gfactor.items.table_files import read_text_frame

NAME, VERSION = "plugin-name", "1"
SOURCE = ""
"""The data set's name on the Hugging Face hub ("OWNER/NAME"), where it is there."""

LETTERS = "ABCD"
COLUMNS = ("id", "domain", "image", "question", *LETTERS, "answer")

ABOUT = {
    "name": NAME,
    "description": "plugin-name: choice questions with a picture each.",
    "license": "CC-BY-4.0",
    "citation": "The publication to cite.",
    "version": VERSION,
}


def plan(source: str, skip_invalid: bool = False) -> BankPlan:
    """Return the plan of a bank: what is checked before any work, then one part per table.

    Parameters
    ----------
    source: a folder with `questions.csv` and the pictures.
    skip_invalid: whether invalid rows are counted instead of ending the build.

    Raises ParameterError if the table is missing or lacks a column.
    """
    folder = located(source, SOURCE, ("questions.csv", "*.png", "*.jpg"))
    table = folder / "questions.csv"
    columns = read_text_frame(table, texts=True).columns
    if missing := [name for name in COLUMNS if name not in columns]:
        raise ParameterError(f"{str(table)!r} has no column {missing[0]!r}")
    files = [table, *sorted(p for p in folder.rglob("*") if p.suffix in (".png", ".jpg"))]
    parameters = {"files": fingerprint(files), "skip_invalid": skip_invalid, "loader": VERSION}
    return BankPlan(
        parts=[Part("questions", parameters, partial(items_of, table, skip_invalid))],
        labels=label_types(()),
        metadata={"benchmark": NAME, "version": VERSION, "source_sha256": sha256_of(files)},
        about=ABOUT,
        of_rows=True,
    )


def items_of(table: Path, skip_invalid: bool) -> Iterator[Item | Rejected]:
    """Yield the items of a table; a row that makes none is an error with its file, row and id."""
    rows = read_text_frame(table, texts=True).to_dict("records")
    attempts = (
        (Location(table.name, number, str(row["id"])), partial(_item, row, number, table.parent))
        for number, row in enumerate(rows, start=1)
    )
    return checked(attempts, skip_invalid)


def _item(row: Mapping[str, str], number: int, folder: Path) -> Item:
    """One item; ValueError says what is wrong with the row."""
    if not row["question"].strip():
        raise ValueError("it has no question")
    file = folder / row["image"]
    image = picture(file.read_bytes() if file.is_file() else None, row["image"])
    content = (image, row["question"])
    choices = tuple(Choice(letter, row[letter]) for letter in LETTERS if row[letter])
    return Item(
        id=row["id"],
        benchmark=NAME,
        content=content,
        choices=choices,
        answer_type="choice",
        target=row["answer"].strip().upper(),
        labels={"domain": row["domain"], "image_type": image_type(1)},
        provenance=Provenance(
            source=SOURCE or NAME,
            version=VERSION,
            index=number,
            content_hash=content_hash(NAME, content, choices),
            pixel_hashes=hashes_of([image]),
        ),
    )


BENCHMARK = register(
    Benchmark(
        name=NAME,
        version=VERSION,
        description=ABOUT["description"],
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=(source_option(SOURCE), SKIP_INVALID),
        plan=plan,
        example="--from FOLDER",
    )
)

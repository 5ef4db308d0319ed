"""Rows of published files: pictures, labels and identity of items, and invalid rows.

A row that makes no item is reported with its file, row and id, or skipped. Pictures are checked;
their bytes are never altered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gfactor.errors import ParameterError
from gfactor.items import (
    Choice,
    Image,
    Item,
    Rejected,
    Segment,
    canonical_json,
    pixel_hash,
    text_hash,
)
from gfactor.items.schema import NUMBER, WORD, WORDS, LabelTypes, row_of
from gfactor.items.validation import image_flaw, row_flaw


@dataclass(frozen=True)
class Location:
    """Location of a row.

    Parameters
    ----------
    file: name of the file, as the user gave it.
    row: number of the row in the file, from 1, not counting a header.
    id: name of the row in the file, "" if that is missing.
    part: kind of the row there ("problem", "line").
    """

    file: str
    row: int
    id: str = ""
    part: str = "row"

    def __str__(self) -> str:
        name = f", id {self.id!r}" if self.id else ""
        return f"{self.file!r}, {self.part} {self.row}{name}"


Attempt = tuple[Location, Callable[[], Item]]
"""A row and the function that makes its item, which raises ValueError with a description of the
flaw."""


def checked(attempts: Iterable[Attempt], skip_invalid: bool) -> Iterator[Item | Rejected]:
    """Yield the items of the rows, each as a bank can hold it.

    A row is invalid if no item can be made of it, if its item breaks a bank's rules, or if its id
    occurred before.

    Raises ParameterError for an invalid row, with file, row and id, unless `skip_invalid` puts a
    `Rejected` in its place.
    """
    seen: dict[str, Location] = {}
    for where, make in attempts:
        try:
            item = make()
            what = row_flaw(row_of(item), len(item.images))
            if what is None and item.id in seen:
                what = f"the id is already that of {seen[item.id].part} {seen[item.id].row}"
        except ValueError as error:
            what, item = str(error), None
        if what is None and item is not None:
            seen[item.id] = where
            yield item
        elif skip_invalid:
            yield Rejected(str(where), str(what))
        else:
            raise ParameterError(
                f"{where}: {what}; fix the file, or load the rest with --skip-invalid"
            )


def refusals(file: str, broken: list[tuple[int, str]], part: str = "row") -> Iterator[Attempt]:
    """Yield the flaws that a reader of a file found, by row, for `checked`, and clear its list."""

    def refuse(what: str) -> Item:
        raise ValueError(what)

    while broken:
        number, what = broken.pop(0)
        yield Location(file, number, part=part), partial(refuse, what)


def picture(data: bytes | None, path: str) -> Image:
    """Return a picture by its bytes; raise ValueError if there are none."""
    if not data:
        raise ValueError(f"image {path!r} has no bytes")
    return Image(bytes(data), path)


def hashes_of(images: Iterable[Image]) -> tuple[str, ...]:
    """Return the hashes of the pictures' pixels; raise ValueError if one is damaged or is not a
    picture."""
    return tuple(_hash(image) for image in images)


def _hash(image: Image) -> str:
    flaw = image_flaw(image.data)
    if flaw:
        raise ValueError(f"image {image.path!r} {flaw}")
    try:
        return pixel_hash(image.decode())
    except ValueError as error:
        raise ValueError(f"image {error}") from error


IMAGE_TYPES = ("NI", "SI", "MI")
"""No image, a single one, several (MULTI, table 5)."""


def image_type(images: int) -> str:
    """Return the entry of `IMAGE_TYPES` for an item with this number of images."""
    return IMAGE_TYPES[min(images, 2)]


def label_types(
    words: Iterable[str], numbers: Iterable[str] = (), lists: Iterable[str] = ()
) -> LabelTypes:
    """Return types of labels by name: those of all banks, then words, whole numbers and lists of
    words."""
    return {
        **dict.fromkeys(("domain", "image_type", *words), WORD),
        **dict.fromkeys(numbers, NUMBER),
        **dict.fromkeys(lists, WORDS),
    }


def content_hash(benchmark: str, content: Sequence[Segment], choices: Sequence[Choice]) -> str:
    """Return SHA-256 of the benchmark, the content and the choices, with images by their bytes.

    Rows with the same content have the same hash under any name: they share answers in a journal,
    and an audit finds them.
    """

    def plain(segment: Segment) -> str | list[str]:
        return ["image", segment.sha256] if isinstance(segment, Image) else segment

    question = {
        "benchmark": benchmark,
        "content": [plain(segment) for segment in content],
        "choices": [[choice.label, plain(choice.content)] for choice in choices],
    }
    return text_hash(canonical_json(question))

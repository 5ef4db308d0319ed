"""Row by row: what makes no item is told with its file, row and id, or set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gfactor.errors import ParameterError
from gfactor.items import Item, Rejected
from gfactor.items.schema import row_of
from gfactor.items.validation import row_flaw


@dataclass(frozen=True)
class Location:
    """Where a row stands.

    Parameters
    ----------
    file: its file, as the user knows it.
    row: its number in the file, from 1, without a header.
    id: what the file calls it, "" where that is missing.
    part: what the row is called there ("problem", "line").
    """

    file: str
    row: int
    id: str = ""
    part: str = "row"

    def __str__(self) -> str:
        name = f", id {self.id!r}" if self.id else ""
        return f"{self.file!r}, {self.part} {self.row}{name}"


Attempt = tuple[Location, Callable[[], Item]]
"""A row, and what makes its item; that raises ValueError with what is wrong, in words."""


def checked(attempts: Iterable[Attempt], skip_invalid: bool) -> Iterator[Item | Rejected]:
    """The items of the rows, each as a bank can hold it.

    A row is invalid where no item can be made of it, where its item breaks a bank's rules, or
    where its id was there before.

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

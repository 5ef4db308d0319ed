"""Pieces of knowledge to be put before items (MULTI-Extend), found by the items' labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.administration.presenting.records import fingerprint, read_records
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank, LabelValue


@dataclass(frozen=True)
class Knowledge:
    """Texts by (label, value); an item gets the texts of all its label values.

    The label `id` is the item's id.
    """

    pieces: Mapping[tuple[str, str], tuple[str, ...]]
    source: str

    @property
    def fingerprint(self) -> str:
        """Fingerprint that identifies these pieces in a condition's key."""
        return fingerprint([[*k, *v] for k, v in sorted(self.pieces.items())])

    def of(self, item: Item) -> tuple[str, ...]:
        """Return the item's pieces, in the order of its labels, each once; none if it has none."""
        return self._of({"id": item.id, **item.labels})

    def check(self, bank: ItemBank) -> None:
        """Raise ParameterError if no item of the bank has a piece, which means a file for another
        bank."""
        if not any(self._of({"id": i, **labels}) for i, labels in bank.labels().items()):
            label, value = next(iter(self.pieces))
            raise ParameterError(
                f"no row of {self.source} belongs to an item of the bank (the first row is for "
                f"{label} = {value!r}); write labels and values as the bank has them"
            )

    def _of(self, labels: Mapping[str, LabelValue | None]) -> tuple[str, ...]:
        pieces: dict[str, None] = {}
        for name, value in labels.items():
            for one in value if isinstance(value, tuple) else (value,):
                pieces |= dict.fromkeys(self.pieces.get((name, str(one)), ()))
        return tuple(pieces)


def read_knowledge(path: Path) -> Knowledge:
    """Read pieces of knowledge from a CSV or JSON-lines file with `label`, `value` and `text`.

    Raises ParameterError if the file lacks one of them or holds no piece.
    """
    pieces: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in read_records(path, "knowledge", ("label", "value", "text")):
        key = (row["label"].strip(), row["value"].strip())
        pieces[key] = (*pieces.get(key, ()), row["text"].strip())
    if not pieces:
        raise ParameterError(
            f"knowledge file {str(path)!r} has no rows; give a label, a value and a text in each"
        )
    return Knowledge(pieces, f"knowledge file {str(path)!r}")

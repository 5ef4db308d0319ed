"""Items of design cells, made one at a time when an adaptive test asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gfactor.benchmarks.chc.build import check_request
from gfactor.benchmarks.chc.family import FAMILIES, Family, Level
from gfactor.benchmarks.chc.items import BatteryRequest, make_items
from gfactor.benchmarks.chc.options import TWINS
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Item, canonical_json, text_hash

RADICAL = "radical."
"""Prefix of the name of a radical in the labels of an item or a cell."""

_MOST = 1_000_000
"""Number of items that no request for a cell reaches."""


@dataclass(frozen=True)
class DesignCell:
    """A design cell: a family with the levels of its radicals that are allowed.

    Parameters
    ----------
    family : str
    allowed : mapping of radical to levels
        Allowed levels by radical; radicals that are not named take every level.
    answers : str
        Kind of answer.
    """

    family: str
    allowed: Mapping[str, Sequence[Level]]
    answers: str

    @classmethod
    def of_labels(cls, labels: Mapping[str, Any], where: str) -> DesignCell:
        """Return the cell that labels of a calibration name: `family` (or `domain`),
        `radical.NAME`, `difficulty` (a preset) and `answers`.

        Raises ParameterError or UnknownNameError, which begins with `where`, for labels of no cell.
        """
        name = labels.get("family", labels.get("domain"))
        if not isinstance(name, str):
            raise ParameterError(f"{where}: its labels name no family")
        if name not in FAMILIES:
            raise UnknownNameError(f"{where}: chc family", name, FAMILIES)
        family = FAMILIES[name]
        allowed = dict(_preset(family, labels.get("difficulty"), where))
        for label, level in labels.items():
            if label.startswith(RADICAL):
                allowed[label.removeprefix(RADICAL)] = (level,)
        for radical, levels in allowed.items():
            levels_of_radical = family.levels_of(radical)
            if not set(levels) <= set(levels_of_radical):
                raise ParameterError(
                    f"{where}: family {name!r} has no radical {radical!r} with the level "
                    f"{levels[0]!r}; calibrate this version's family again"
                )
        if not family.cells(allowed):
            raise ParameterError(f"{where}: family {name!r} cannot be drawn with these levels")
        answers = str(labels.get("answers", family.answer_types[0]))
        if answers not in family.answer_types:
            raise ParameterError(f"{where}: family {name!r} has no {answers} answers")
        return cls(name, allowed, answers)


def _preset(family: Family[Any], difficulty: Any, where: str) -> Mapping[str, Sequence[Level]]:
    if difficulty is None:
        return {}
    if difficulty not in family.difficulties:
        raise UnknownNameError(f"{where}: difficulty", str(difficulty), family.difficulties)
    return family.preset(difficulty)


@dataclass
class CellItems:
    """A maker of items for design cells. The k-th item of a cell depends only on the seed, the cell
    and k.

    No scene of a cell occurs twice. With a text twin, an item is followed by the same scene in
    words.

    Parameters
    ----------
    seed : int
        0 or more; items of different seeds have nothing in common.
    language : str
        One of `LANGUAGES`.
    twin : str
        "picture", "text" or "both", as in `build`.
    """

    seed: int
    language: str = "en"
    twin: str = "picture"
    _last: dict[str, tuple[int, Item, Iterator[Item]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_request(self.seed, (), None, 1, (self.language,), "", self.twin)

    def item(self, name: str, cell: DesignCell, number: int) -> Item:
        """Return the item with a number (from 0) of a cell; `name` is the cell's name.

        Making an item with a lower number than the last one restarts from 0.

        Raises ParameterError if the cell has not so many scenes.
        """
        last, item, items = self._last.get(name, (-1, None, iter(())))
        if item is None or number < last:
            last, items = -1, make_items(cell.family, self._request(cell))
        for _ in range(last, number):
            item = next(items, None)
        if item is None:
            raise ParameterError(f"cell {name!r} has no more items")
        self._last[name] = (number, item, items)
        which = text_hash(canonical_json([self.seed, dict(cell.allowed)]))[:6]
        end = f"-{self.twin}" if self.twin != TWINS[0] else ""
        return replace(item, id=f"{cell.family}-{which}-{number:03d}{end}")

    def _request(self, cell: DesignCell) -> BatteryRequest:
        family = FAMILIES[cell.family]
        return BatteryRequest(
            seed=self.seed,
            cells=(("set", cell.allowed),),
            per_cell=_MOST,
            language=(self.language,),
            answers=cell.answers,  # pyright: ignore[reportArgumentType]
            twin=self.twin,
            options=family.options[0] if family.options else 0,
        )

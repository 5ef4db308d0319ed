"""Common parts of families: words of figures, sentences every item may need, crossed options."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gfactor.benchmarks.chc.family import Distractor
from gfactor.benchmarks.chc.family_files import texts_beside
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import (
    CLOSE,
    FORMS,
    SHADES,
    SIZES,
    SPOTS,
    WAYS,
    CellFigures,
    Sheet,
    Spacing,
    draw_cell,
    draw_missing,
)
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class ShadedForm:
    """A form in a shade."""

    form: str
    shade: str


COMMON = texts_beside(__file__)
"""Sentences and words that every family may use."""

FORMAT_SENTENCES = frozenset(
    sentence for name in ("answer_line", "reply_ok") for sentence in COMMON.templates[name].values()
)
"""Sentences that tell models how to write the answer, and that people do not read."""


def cell_says(cell: CellFigures) -> tuple[Say, ...]:
    """Return a cell in words: its figures, then its strokes."""
    words = {"count": cell.count, "size": cell.size, "shade": cell.shade, "form": cell.form}
    if cell.form == "arrow":
        figures = say("cell_turned", **words, way=WAYS[cell.turn])
    else:
        figures = say("cell", **words)
    return (figures, *(say("mark", spot=spot) for spot in cell.marks))


def cell_of(says: Sequence[Say]) -> CellFigures:
    """Return the cell that words describe; the inverse of `cell_says`."""
    values: dict[str, Any] = says[0].values
    turn = WAYS.index(values.pop("way")) if "way" in values else 0
    marks = tuple(str(one["spot"]) for one in says[1:])
    return CellFigures(**values, turn=turn, marks=marks)


def cell_line(cell: CellFigures) -> Say:
    """Return an option that is a cell, in words."""
    return say("panel", cells=cell_says(cell))


def with_value(cell: CellFigures, attribute: str, value: Any) -> CellFigures:
    """Return a copy of the cell with another value of an attribute; marks are in their usual
    order."""
    if attribute == "marks":
        value = tuple(spot for spot in SPOTS if spot in value)
    return replace(cell, **{attribute: value})


def crossed(
    answer: Any,
    other: Mapping[str, Any],
    put: Callable[[Any, str, Any], Any],
    error: Callable[[Any, tuple[str, ...]], str],
) -> tuple[Distractor, ...]:
    """Return every combination of right and wrong values except the right answer: 2^k - 1
    distractors.

    Each value of an attribute then stands in half of the options, so that the options alone do not
    reveal the right one (as in the bisection trees of Hu, S., Ma, Y., Liu, X., Wei, Y., & Bai, S.
    (2021). Stratified rule-aware network for abstract visual reasoning. AAAI-21, 1567-1574).

    Parameters
    ----------
    other: attribute -> a wrong value of it.
    put: (content, attribute, value) -> the content with that value.
    error: (content, attributes that are wrong) -> the error that leads to it.
    """
    result = []
    for count in range(1, len(other) + 1):
        for wrong in itertools.combinations(other, count):
            content = answer
            for attribute in wrong:
                content = put(content, attribute, other[attribute])
            result.append(Distractor(content, error(content, wrong)))
    return tuple(result)


MOST_FIGURES = 6
"""Greatest number of figures in a cell of families of figures."""

ATTRIBUTES: Mapping[str, tuple[Any, ...]] = {
    "form": tuple(form for form in FORMS if form != "arrow"),
    "size": SIZES,
    "shade": SHADES,
    "count": tuple(range(1, MOST_FIGURES + 1)),
    "turn": tuple(range(8)),
}
"""Possible values of an attribute of a cell, in order if there is one; only arrows are turned."""

ORDERED = ("size", "shade", "count", "turn")
"""Attributes whose values have an order."""


def random_cell(rng: ItemRandom, turned: bool) -> CellFigures:
    """Return a random cell without strokes, all values with equal probabilities: arrows if
    `turned`, else other forms."""
    form = "arrow" if turned else rng.choice(ATTRIBUTES["form"])
    turn = rng.choice(ATTRIBUTES["turn"]) if turned else 0
    return CellFigures(
        form, rng.choice(SIZES), rng.choice(SHADES), rng.choice(ATTRIBUTES["count"]), turn
    )


def another(rng: ItemRandom, attribute: str, value: Any) -> Any:
    """Return a value of an attribute that is not this one."""
    if attribute == "marks":
        spot = rng.choice(SPOTS)
        return tuple(s for s in SPOTS if (s in value) != (s == spot))
    return rng.choice([other for other in ATTRIBUTES[attribute] if other != value])


def wrong_values(
    rng: ItemRandom,
    right: CellFigures,
    like: Sequence[Sequence[CellFigures]],
    order: Sequence[str],
    need: int,
) -> dict[str, Any]:
    """Return wrong values of the first `need` attributes in `order`.

    They come from the first group of cells in `like` with another value. The values of these cells
    have the same distribution as the right one (ends of other lines, start of the same line), so
    that no single value looks like an answer. If no cell has another value, any value is used.
    """
    result = {}
    for attribute in order[:need]:
        value = getattr(right, attribute)
        groups = [sorted({getattr(c, attribute) for c in cells} - {value}) for cells in like]
        alternatives = next((group for group in groups if group), None)
        result[attribute] = (
            rng.choice(alternatives) if alternatives else another(rng, attribute, value)
        )
    return result


def rule_errors(
    panels: Sequence[CellFigures], ruled: Sequence[str]
) -> Callable[[Any, tuple[str, ...]], str]:
    """Return the name of the error behind a cell whose attributes `wrong` are wrong, for `crossed`.

    `panels` are the cells of the question, `ruled` the attributes that follow a rule.
    """

    def error(content: CellFigures, wrong: tuple[str, ...]) -> str:
        if content in panels:
            return "repetition"
        missed = [attribute for attribute in wrong if attribute in ruled]
        if not missed:
            return "irrelevant change"
        return "incomplete rule" if len(missed) < len(ruled) else "wrong principle"

    return error


def cells_picture(
    sheet: Sheet,
    cells: Sequence[CellFigures | None],
    options: Sequence[CellFigures],
    spacing: Spacing = CLOSE,
) -> Pixels:
    """Draw cells in the boxes of a sheet (None: a question mark), and options in the lettered
    boxes."""
    canvas = sheet.canvas(len(cells))
    for cell, box in zip(cells, [b for row in sheet.boxes for b in row], strict=False):
        if cell is None:
            draw_missing(canvas, box)
        else:
            draw_cell(canvas, cell, box, MOST_FIGURES, spacing)
    for cell, box in zip(options, sheet.option_boxes, strict=True):
        draw_cell(canvas, cell, box, MOST_FIGURES, spacing)
    return canvas.pixels

"""Number grids: which number is missing?

Every row, or every column, holds three numbers that one rule links: the third is the sum, the
difference or the product of the first two, such a sum and a constant, twice one and the other, the
next step of an arithmetic progression, or the rest up to a common total. The solver tries every
rule of the grammar along rows and along columns; a rule counts where all complete lines follow it,
and all that are left must give the same number. Since version 2 no wrong option follows a rule that
is never drawn (`numbers.follows_rival`). Grids with a missing number have long been used as tests
of reasoning with numbers (Carroll, 1993, lists them under quantitative reasoning); MM-IQ has them
as its second kind of mathematics items. The grids are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import (
    Distractor,
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import follows_rival
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.imaging.measures.number_grids import SIDE
from gfactor.items import ItemRandom, OutputFormat

LARGEST, MISSING = 999, -1

LINEAR: Mapping[str, tuple[int, int, bool]] = {
    "sum": (1, 1, False),
    "difference": (1, -1, False),
    "progression": (-1, 2, False),
    "twice the first": (2, 1, False),
    "twice the second": (1, 2, False),
    "sum and constant": (1, 1, True),
    "difference and constant": (1, -1, True),
    "total": (-1, -1, True),
}
"""Rule -> p, q, whether a constant k is added: third = p * first + q * second + k."""

RULES = (*LINEAR, "product")

Line = tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """The numbers row by row; `MISSING` marks the number to find."""

    rows: tuple[Line, ...]


def lines_of(rows: Sequence[Line], direction: str) -> list[Line]:
    """Return the rows, or the columns."""
    return list(rows) if direction == "rows" else list(zip(*rows, strict=True))


def completions(whole: Sequence[Line], broken: Line) -> Iterator[tuple[str, int]]:
    """Return (rule, number) for every rule that all complete lines follow and the incomplete line
    can follow."""
    position = broken.index(MISSING)
    a, b, c = broken
    for rule, (p, q, added) in LINEAR.items():
        rests = {third - p * first - q * second for first, second, third in whole}
        if len(rests) != 1 or (rests != {0}) != added:
            continue
        rest = next(iter(rests))
        over, factor = (
            (c - q * b - rest, p),
            (c - p * a - rest, q),
            (p * a + q * b + rest, 1),
        )[position]
        if over % factor == 0:
            yield rule, over // factor
    if all(third == first * second for first, second, third in whole):
        if position == 2:
            yield "product", a * b
        elif (other := broken[1 - position]) and c % other == 0:
            yield "product", c // other


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return the numbers that rules along rows or columns of three predict, and the options that
    only rules outside the grammar predict."""
    matches: list[int] = []
    rivals: list[int] = []
    tried = 0
    for direction in ("rows", "columns"):
        lines = lines_of(scene.rows, direction)
        if len(lines[0]) != 3:
            continue
        tried += len(RULES)
        broken = next(line for line in lines if MISSING in line)
        whole = [line for line in lines if line is not broken]
        matches += [number for _, number in completions(whole, broken) if number >= 0]
        position = broken.index(MISSING)
        for option in options:
            if follows_rival([*whole, (*broken[:position], option, *broken[position + 1 :])]):
                rivals.append(option)
    return Proof(tuple(dict.fromkeys((*matches, *rivals))), tried)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    rule = rng.choice(_RULES_OF[str(levels["operation"])])
    count = 3 + int(levels["evidence"])
    low, high = (_FACTORS if rule == "product" else _NUMBERS)[int(levels["magnitude"])]
    constant = rng.choice([k for k in range(-9, 10) if abs(k) > 1])
    constant = rng.integer(3 * low, 3 * high) if rule == "total" else constant
    lines = [_line(rng, rule, low, high, constant) for _ in range(count)]
    if not all(0 < number <= LARGEST for line in lines for number in line):
        raise MisdrawnError
    number = rng.integer(0, count - 1)
    position = {"third": 2, "second": 1, "first": 0}[str(levels["missing"])]
    right = lines[number][position]
    errors = _errors(lines, number, position, rule)
    lines[number] = tuple(MISSING if k == position else n for k, n in enumerate(lines[number]))
    scene = Scene(tuple(lines_of(lines, str(levels["direction"]))))
    design = (rule, constant if rule in _ADDED else 0)
    factor = rule == "product" and position < 2
    bounds = (low, high) if factor else (1, LARGEST)
    return Draft(scene, right, _distractors(rng, right, errors, bounds, factor), design)


_NUMBERS = {1: (2, 20), 2: (21, 99), 3: (101, 299)}
_FACTORS = {1: (2, 9), 2: (7, 19), 3: (20, 31)}
"""Magnitude -> the least and the greatest of the numbers that are drawn, and of those to be
multiplied."""

_FAR = {True: (3, 4), False: (4, 9)}
"""Distances of wrong numbers: smaller for small factors, because distant numbers would not be
factors."""


def _distractors(
    rng: ItemRandom, right: int, errors: Mapping[int, str], bounds: tuple[int, int], small: bool
) -> tuple[Distractor, ...]:
    """Return wrong options on both sides of the answer, near and far, so that they give no hint."""
    far, slip = rng.integer(*_FAR[small]), rng.choice((1, -1) if small else (1, -1, 2, -2))
    wrong = crossed(
        right,
        {"far": rng.choice((far, -far)), "slip": slip},
        lambda content, _, by: content + by,
        lambda content, wrong: (
            errors.get(content, "wrong operation") if wrong == ("far",)
            else "off by a little" if wrong == ("slip",)
            else "two errors"
        ),
    )  # fmt: skip
    if not all(bounds[0] <= one.content <= bounds[1] for one in wrong):
        raise MisdrawnError
    return wrong


_ADDED = tuple(rule for rule, (_, _, added) in LINEAR.items() if added)

_RULES_OF: Mapping[str, tuple[str, ...]] = {
    "sum": ("sum",),
    "difference": ("difference", "progression"),
    "product": ("product",),
    "weighted": ("twice the first", "twice the second"),
    "constant": ("sum and constant", "difference and constant", "total"),
}
"""Level of the radical `operation` -> rules of the grammar."""


def _line(rng: ItemRandom, rule: str, low: int, high: int, constant: int) -> Line:
    first, second = rng.integer(low, high), rng.integer(low, high)
    if rule == "product":
        return first, second, first * second
    if rule in ("difference", "difference and constant"):
        first, second = first + second, first
    if rule == "progression":
        second = first + rng.integer(1, high)
    p, q, added = LINEAR[rule]
    return first, second, p * first + q * second + (constant if added else 0)


def _errors(lines: Sequence[Line], number: int, position: int, rule: str) -> dict[int, str]:
    """Return the results of other rules in the incomplete line: rules that fit only one of the
    other lines."""
    broken = tuple(MISSING if k == position else n for k, n in enumerate(lines[number]))
    whole = [line for k, line in enumerate(lines) if k != number]
    first, second = (n for k, n in enumerate(lines[number]) if k != position)
    matches = {first + second: "wrong operation", abs(first - second): "wrong operation"}
    for line in whole:
        for other, result in completions([line], broken):
            if other != rule and 0 < result <= LARGEST:
                matches[result] = "rule of one line only"
    return matches


def sheet_for(rows: int, columns: int, options: int) -> Sheet:
    """Return the sheet of a grid."""
    return Sheet(rows, columns, options, side=SIDE)


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.rows), len(scene.rows[0]), len(options))
    canvas = sheet.canvas()
    for row, boxes in zip(scene.rows, sheet.boxes, strict=True):
        for number, box in zip(row, boxes, strict=True):
            if number == MISSING:
                draw_missing(canvas, box)
            else:
                canvas.text(box.cx, box.cy, str(number), 18, INK, 2)
    for option, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, str(option), 18, INK, 2)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = []
    for number, row in enumerate(scene.rows, 1):
        if MISSING not in row:
            lines.append(say("row", row=number, numbers=row))
            continue
        position = row.index(MISSING) + 1
        numbers = {f"n{k}": n for k, n in enumerate(row, 1) if k != position}
        lines.append(say(f"row_{len(row)}_{position}", row=number, **numbers))
    return tuple(lines)


def from_twin(says: Sequence[Say]) -> Scene:
    return Scene(tuple(_row(one) for one in says))


def _row(one: Say) -> Line:
    if one.template == "row":
        numbers = one["numbers"]
        assert isinstance(numbers, tuple)
        return tuple(int(str(n)) for n in numbers)
    _, width, position = one.template.split("_")
    return tuple(
        MISSING if k == int(position) else int(str(one[f"n{k}"])) for k in range(1, int(width) + 1)
    )


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda number: say("number", number=number),
        scene_type=Scene,
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        seed_classes=4,
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

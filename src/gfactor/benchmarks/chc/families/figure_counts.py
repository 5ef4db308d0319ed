"""Figure counts: which figure continues the row by what is counted in it?

Points, crossings of lines, regions or the area of figures on a grid follow a rule along a row, or
the third count of a row results from the first two; other properties of the figures vary without a
rule. The solver counts every quantity and tries every rule of the grammar. All verified rules must
lead to the same option. MM-IQ's "mathematics" counts such figures (Cai et al. 2025, 3.2); these
figures are new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.counted_figures import (
    KINDS,
    SEEN_TOO,
    SIDE,
    CountedFigure,
    count,
    draw_figure,
    draw_lines,
    draw_points,
    draw_polygon,
    kind_of,
)
from gfactor.benchmarks.chc.counted_texts import figure_in_words, figure_of_words
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
from gfactor.imaging.figures import Sheet, draw_missing
from gfactor.items import ItemRandom

ROW, ROWS = Sheet(1, 5, 4, side=SIDE), Sheet(3, 3, 4, side=SIDE)
"""The plans of a row that goes on, and of three rows of three."""

_SHOWN_IN_ROWS = 8

RANGES: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "points": {"few": (3, 9), "some": (6, 14), "many": (11, 20), "most": (17, 28)},
    "crossings": {"few": (2, 7), "some": (4, 10), "many": (7, 14), "most": (10, 16)},
    "regions": {"few": (4, 9), "some": (7, 14), "many": (11, 19), "most": (15, 22)},
    "area": {"few": (5, 11), "some": (9, 17), "many": (15, 25), "most": (21, 34)},
}
"""The counts of options by quantity and amount."""
LIMITS: Mapping[str, tuple[int, int]] = {
    "points": (2, 34), "crossings": (1, 17), "regions": (2, 25), "area": (4, 42),
}  # fmt: skip
"""Quantity -> the smallest and the greatest count of a figure."""
CROSSINGS_OF: Mapping[int, tuple[int, int]] = {
    1: (0, 0), 2: (0, 1), 3: (0, 3), 4: (0, 5), 5: (0, 7), 6: (0, 10), 7: (0, 13), 8: (4, 15),
    9: (8, 17),
}  # fmt: skip
"""By number of lines, the numbers of crossings that are not rare."""
_DRAWS = 40
_PAIRS = 6
"""Numbers of lines and crossings that are tried before a figure counts as impossible."""


@dataclass(frozen=True)
class Scene:
    """Figures in order, row by row, without the last one; and the counted quantity, "" if the
    examinee has to find it."""

    figures: tuple[CountedFigure, ...]
    counted: str


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    quantity, rule = str(levels["quantity"]), str(levels["rule"])
    low, high = RANGES[quantity][str(levels["amount"])]
    counted = rng.choice(KINDS["points"]) if quantity == "points" else quantity
    values, right, row = _counts(rng, rule, (low, high, *LIMITS[quantity]))
    figures = tuple(_figure(rng, counted, value, low, high) for value in row)
    answer = _figure(rng, counted, right, low, high)
    wrong = tuple(
        Distractor(_figure(rng, counted, value, low, high), _error(value, right, row))
        for value in values
        if value != right
    )
    scene = Scene(figures, counted if levels["clue"] == "named" else "")
    return Draft(scene, answer, wrong, (counted, rule, right))


def _counts(rng: ItemRandom, rule: str, span: tuple[int, ...]) -> tuple[list[int], int, list[int]]:
    """The counts of the options, the right one of them, and those of the figures before it."""
    for _ in range(_DRAWS):
        # The distances between the options' counts have the same pattern whichever of them is the
        # right one.
        first, second = rng.sample((1, 2, 3), 2)
        base = rng.integer(span[0], span[1] - first - second)
        values = [base, base + first, base + second, base + first + second]
        right = rng.choice(values)
        row = _rows(rng, right, span) if rule == "sum" else _row(rng, rule, right, span)
        if [value for value in values if goes_on(row, value)] == [right]:
            return values, right, row
    raise MisdrawnError


def _row(rng: ItemRandom, rule: str, right: int, span: tuple[int, ...]) -> list[int]:
    """Four counts that lead to the right one by a rule."""
    rows = [row for row in _ROWS_OF[rule](right) if all(span[2] <= n <= span[3] for n in row)]
    return rng.choice(rows)


def _steps_to(right: int, steps: Sequence[int]) -> list[int]:
    """The counts before the right one, from the first on, by the steps that lead to it."""
    row = [right]
    for step in reversed(steps):
        row.append(row[-1] - step)
    return row[:0:-1]


_ROWS_OF: Mapping[str, Callable[[int], list[list[int]]]] = {
    "same": lambda right: [[right] * 4],
    "step": lambda right: [_steps_to(right, [by] * 4) for by in (1, -1, 2, -2)],
    "growing": lambda right: [
        _steps_to(right, [sign * step for step in steps])
        for sign in (1, -1)
        for steps in ((0, 1, 2, 3), (1, 2, 3, 4), (3, 2, 1, 0), (4, 3, 2, 1))
    ],
}
"""Rule -> (right count) -> every row of four counts before it."""


def _rows(rng: ItemRandom, right: int, span: tuple[int, ...]) -> list[int]:
    """Eight counts: three rows whose third count is the sum of the first two, or the difference."""
    low, high, least, most = span
    thirds = [rng.integer(low, high), rng.integer(low, high), right]
    summed = min(thirds) >= 2 * least + 1 and rng.chance(1, 2)
    counts = []
    for third in thirds:
        if summed:
            first = rng.integer(least, third - least)
            counts += [first, third - first, third]
        else:
            second = rng.integer(least, max(least, min(most - third, third)))
            counts += [third + second, second, third]
    return counts[:-1]


def _figure(rng: ItemRandom, counted: str, value: int, low: int, high: int) -> CountedFigure:
    """A figure with the given amount of a quantity; other properties are random."""
    if counted in ("black", "white"):
        other = rng.integer(low, high)
        return draw_points(rng, *((value, other) if counted == "black" else (other, value)))
    if counted == "all":
        black = rng.integer(1, value - 1)
        return draw_points(rng, black, value - black)
    if counted == "area":
        return draw_polygon(rng, value)
    pairs = [
        (lines, crossings)
        for lines, (least, most) in CROSSINGS_OF.items()
        for crossings in (value if counted == "crossings" else value - lines - 1,)
        if least <= crossings <= most
    ]
    for _ in range(_PAIRS):
        try:
            return draw_lines(rng, *rng.choice(pairs[:4]))
        except MisdrawnError:
            continue
    raise MisdrawnError


def _error(value: int, right: int, row: Sequence[int]) -> str:
    if value == row[-1]:
        return "repetition"
    return f"miscounted by {abs(value - right)}"


def goes_on(counts: Sequence[int], last: int) -> bool:
    """Return True if a last count follows a rule that the earlier counts confirm."""
    if len(counts) < _SHOWN_IN_ROWS:
        return last in _continuations(counts)
    rows = [counts[:3], counts[3:6], [*counts[6:], last]]
    return follows_rival(rows) or follows_rival(list(zip(*rows, strict=True)))


def _continuations(counts: Sequence[int]) -> set[Fraction | int]:
    """Every count that goes on by a rule of two equations or more beyond its constants."""
    a, b, c, d = counts
    steps = [y - x for x, y in pairwise(counts)]
    result: set[Fraction | int] = set()
    if _even(steps):
        result.add(d + 2 * steps[2] - steps[1])
    if all(steps) and len({Fraction(y, x) for x, y in pairwise(steps)}) == 1:
        result.add(d + Fraction(steps[2] ** 2, steps[1]))
    ratios = [Fraction(y, x) for x, y in pairwise(counts)] if all(counts) else []
    if ratios and _even(ratios):
        result.add(d * (2 * ratios[2] - ratios[1]))
    for factor in (*range(-5, 0), *range(2, 11)):
        if len({y - factor * x for x, y in pairwise(counts)}) == 1:
            result.add(factor * d + b - factor * a)
    if (a, b) == (c, d):
        result.add(a)
    if a == d:
        result.add(b)
    for p, q in product(range(-3, 4), repeat=2):
        if c - p * b - q * a == 0 == d - p * c - q * b:
            result.add(p * d + q * c)
    return result


def _even(values: Sequence[Fraction | int]) -> bool:
    """Return True if three values have equal distances."""
    return values[2] - values[1] == values[1] - values[0]


def solve(scene: Scene, options: Sequence[CountedFigure]) -> Proof:
    """Find every option that continues a rule of any quantity of the figures."""
    kind = kind_of(scene.figures[0])
    quantities = KINDS[kind] + SEEN_TOO[kind]
    fitting: dict[CountedFigure, None] = {}
    for quantity in quantities:
        counts = [count(figure, quantity) for figure in scene.figures]
        fitting |= dict.fromkeys(o for o in options if goes_on(counts, count(o, quantity)))
    return Proof(tuple(fitting), len(quantities) * len(options))


def picture(scene: Scene, options: Sequence[CountedFigure]) -> tuple[Pixels, ...]:
    sheet = ROW if len(scene.figures) < _SHOWN_IN_ROWS else ROWS
    if len(options) != sheet.options:
        sheet = Sheet(sheet.rows, sheet.columns, len(options), side=SIDE)
    canvas = sheet.canvas()
    *boxes, last = [box for row in sheet.boxes for box in row]
    for figure, box in zip((*scene.figures, *options), (*boxes, *sheet.option_boxes), strict=True):
        draw_figure(canvas, figure, box)
    draw_missing(canvas, last)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    named = (say("counted_line", counted=scene.counted),) if scene.counted else ()
    figures = (figure_in_words(figure, number) for number, figure in enumerate(scene.figures, 1))
    return (say("grid_line"), *figures, *named)


def from_twin(lines: Sequence[Say]) -> Scene:
    figures = tuple(figure_of_words(line) for line in lines if "number" in line.values)
    return Scene(figures, "".join(str(one["counted"]) for one in lines if "counted" in one.values))


def question(scene: Scene) -> tuple[Say, ...]:
    which = "ask_row" if len(scene.figures) < _SHOWN_IN_ROWS else "ask_rows"
    if scene.counted:
        return (say(which), say("count_named", counted=scene.counted))
    return (say(which), say(f"count_{kind_of(scene.figures[0])}"))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=figure_in_words,
        scene_type=Scene,
        content_type=CountedFigure,
        options=(4,),
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

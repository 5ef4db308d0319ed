"""Layout of a path diagram, in inches: columns from causes to indicators.

Higher-order factors and covariates stand on the left, first-order factors beside them, observed
variables in a column of their own, and a general factor that loads on all of them on its other
side. Every arrow ends in a level piece of its own height, which bears its label, so that labels
cannot overlap however many arrows cross.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

TAIL = 0.52
"""Length of the level end of an arrow, which bears the label."""
PORT = 0.185
"""Distance between two arrows that end at one side of a variable."""
_LETTER = 0.066
_GAP = 0.09
_STEP = 0.44

Point = tuple[float, float]


@dataclass(frozen=True)
class Arrow:
    """An arrow from `source` to `target`, or between them if `both` is True."""

    source: str
    target: str
    value: float
    both: bool = False
    loading: bool = False


@dataclass(frozen=True)
class VariableBox:
    """The box of a variable: center, width and height; an ellipse if the variable is latent."""

    name: str
    latent: bool
    x: float
    y: float
    width: float
    height: float

    def edge(self, side: int, dy: float = 0.0) -> Point:
        """Return the point on the outline at the left (-1) or right (1) side, `dy` above the
        center."""
        half = self.width / 2
        if self.latent:
            half *= max(0.0, 1 - (2 * dy / self.height) ** 2) ** 0.5
        return self.x + side * half, self.y + dy


@dataclass(frozen=True)
class ShapedArrow:
    """An arrow with its shape: four points of a curve, an optional straight end, and the center of
    the label."""

    arrow: Arrow
    curve: tuple[Point, Point, Point, Point]
    end: Point | None
    label: Point


@dataclass(frozen=True)
class PathLayout:
    """All boxes and lines, and the size of the drawing."""

    boxes: tuple[VariableBox, ...]
    lines: tuple[ShapedArrow, ...]
    width: float
    height: float


def lay_out(arrows: Sequence[Arrow], letters: Callable[[str], int] = len) -> PathLayout:
    """Return boxes and lines for these arrows; variables with loadings are latent.

    `letters` is the number of letters with which a name is drawn, for which its box needs room.
    """
    columns = _columns(arrows)
    at = {name: index for index, column in enumerate(columns) for name in column}
    sides = [a for a in arrows if at[a.source] != at[a.target]]
    arcs = [a for a in arrows if at[a.source] == at[a.target] and a.source != a.target]
    latent = {a.source for a in arrows if a.loading}
    boxes, height = _placed(columns, sides, arcs, latent, letters)
    lines = [*_side_lines(sides, boxes, at), *_arcs(arcs, boxes, at, columns)]
    # A bow stays inside its label's center; its control points lie further out.
    reach = [line.label[0] + 0.3 * side for line in lines for side in (-1, 1)]
    right = max(*(box.x + box.width / 2 for box in boxes.values()), *reach)
    left = min(0.0, *reach)
    moved = [_moved(line, 0.25 - left) for line in lines]
    arrows_laid = tuple(
        VariableBox(b.name, b.latent, b.x + 0.25 - left, b.y, b.width, b.height)
        for b in boxes.values()
    )
    return PathLayout(arrows_laid, tuple(moved), max(right - left + 0.5, 4.8), height)


def _columns(arrows: Sequence[Arrow]) -> list[list[str]]:
    """Names from left to right, each column from the top."""
    loadings = [a for a in arrows if a.loading]
    if not loadings:
        return _by_depth(arrows)
    latent = list(dict.fromkeys(a.source for a in loadings))
    items = {f: [a.target for a in loadings if a.source == f] for f in latent}
    observed = list(dict.fromkeys(t for f in latent for t in items[f] if t not in items))
    general = [
        f
        for f in latent
        if len(set(items[f]) & set(observed)) > 0.6 * len(observed)
        and sum(bool(set(items[o]) & set(items[f])) for o in latent if o != f) > 1
    ][:1]
    rank = {f: _order(f, items) for f in latent if f not in general}
    ranked = [
        [f for f in latent if rank.get(f) == r] for r in range(max(rank.values(), default=1), 0, -1)
    ]
    first = [f for f in latent if rank.get(f) == 1]
    indicators = list(dict.fromkeys(t for f in first for t in items[f] if t in observed))
    indicators += [name for name in observed if name not in indicators]
    others = [n for a in arrows for n in (a.source, a.target) if n not in {*latent, *observed}]
    causes = {a.source for a in arrows if not a.loading and not a.both}
    effects = {a.target for a in arrows if not a.loading and not a.both}
    outer = [n for n in dict.fromkeys(others) if n in causes - effects]
    indicators += [n for n in dict.fromkeys(others) if n not in outer]
    columns = [[*outer], *ranked] if len(ranked) == 1 else [[*ranked[0], *outer], *ranked[1:]]
    return [column for column in [*columns, indicators, general] if column]


def _order(factor: str, items: dict[str, list[str]], depth: int = 0) -> int:
    """1 for a factor of observed variables, more for a factor of factors."""
    inner = [name for name in items[factor] if name in items and name != factor]
    return 1 + max((_order(name, items, depth + 1) for name in inner if depth < 9), default=0)


def _by_depth(arrows: Sequence[Arrow]) -> list[list[str]]:
    """Observed variables by the longest way from a cause."""
    names = list(dict.fromkeys(n for a in arrows for n in (a.source, a.target)))
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for a in arrows:
            if not a.both and a.source != a.target:
                depth[a.target] = min(max(depth[a.target], depth[a.source] + 1), len(names))
    levels = sorted(set(depth.values()))
    return [[n for n in names if depth[n] == level] for level in levels]


def _placed(
    columns: list[list[str]],
    sides: Sequence[Arrow],
    arcs: Sequence[Arrow],
    latent: set[str],
    letters: Callable[[str], int],
) -> tuple[dict[str, VariableBox], float]:
    main = max(range(len(columns)), key=lambda index: len(columns[index]))
    entering = {n: _most_on_a_side(n, sides, columns) for column in columns for n in column}
    heights = {n: max(0.46 if n in latent else 0.32, PORT * k + 0.1) for n, k in entering.items()}
    ys: dict[str, float] = {}
    top = 0.0
    for name in columns[main]:
        ys[name] = top - heights[name] / 2
        top -= heights[name] + _GAP
    total = -top
    for index in [*range(main - 1, -1, -1), *range(main + 1, len(columns))]:
        _align(columns[index], index, columns, sides, heights, ys, -total / 2)
    low = min(ys[n] - heights[n] / 2 for n in ys)
    high = max(ys[n] + heights[n] / 2 for n in ys)
    boxes: dict[str, VariableBox] = {}
    x = 0.0
    for index, column in enumerate(columns):
        width = max(
            0.85, *(0.3 + _LETTER * letters(n) + (0.3 if n in latent else 0.42) for n in column)
        )
        last = index == len(columns) - 1
        bulge = (
            0.0
            if last
            else max((_bulge(_span(a, column)) for a in arcs if a.source in column), default=0.0)
        )
        x += (0.0 if index == 0 else 1.5 + bulge) + width / 2
        for name in column:
            boxes[name] = VariableBox(
                name, name in latent, x, ys[name] - low + 0.55, width, heights[name]
            )
        x += width / 2
    return boxes, high - low + 0.8


def _most_on_a_side(name: str, sides: Sequence[Arrow], columns: list[list[str]]) -> int:
    at = {n: index for index, column in enumerate(columns) for n in column}
    left = sum(a.target == name and at[a.source] < at[name] for a in sides)
    right = sum(a.target == name and at[a.source] > at[name] for a in sides)
    return max(left, right, 1)


def _align(
    column: list[str],
    index: int,
    columns: list[list[str]],
    sides: Sequence[Arrow],
    heights: dict[str, float],
    ys: dict[str, float],
    middle: float,
) -> None:
    """Heights of a column's variables: near what they point to, apart from each other."""
    wanted: dict[str, float] = {}
    for name in column:
        near = [ys[o] for a in sides for o in _other(a, name) if o in ys]
        wanted[name] = sum(near) / len(near) if near else middle
    column.sort(key=lambda name: -wanted[name])
    for name in column:
        ys[name] = wanted[name]
    for _ in range(60):
        for above, below in pairwise(column):
            apart = (heights[above] + heights[below]) / 2 + 2 * _GAP
            lack = apart - (ys[above] - ys[below])
            if lack > 0:
                ys[above] += lack / 2
                ys[below] -= lack / 2
    # In a chain of single variables an arrow that skips one must not run through it.
    if len(column) == 1 and 0 < index < len(columns) - 1 and not any(a.loading for a in sides):
        ys[column[0]] += 0.75


def _other(arrow: Arrow, name: str) -> tuple[str, ...]:
    if arrow.source == name:
        return (arrow.target,)
    return (arrow.source,) if arrow.target == name else ()


def _span(arc: Arrow, column: list[str]) -> int:
    return abs(column.index(arc.source) - column.index(arc.target))


def _bulge(span: int) -> float:
    return TAIL + 0.3 + _STEP * (span - 1)


def _side_lines(
    sides: Sequence[Arrow], boxes: dict[str, VariableBox], at: dict[str, int]
) -> Iterable[ShapedArrow]:
    for target in dict.fromkeys(a.target for a in sides):
        for side in (-1, 1):
            enter = [
                a for a in sides if a.target == target and (at[a.source] - at[target]) * side > 0
            ]
            enter.sort(key=lambda a: -boxes[a.source].y)
            for index, arrow in enumerate(enter):
                port = PORT * ((len(enter) - 1) / 2 - index)
                start = boxes[arrow.source].edge(-side)
                end = boxes[target].edge(side, port)
                bend = (end[0] + side * TAIL, end[1])
                pull = 0.45 * (bend[0] - start[0])
                curve = (start, (start[0] + pull, start[1]), (bend[0] - pull, bend[1]), bend)
                yield ShapedArrow(arrow, curve, end, (end[0] + side * 0.58 * TAIL, end[1]))


def _arcs(
    arcs: Sequence[Arrow],
    boxes: dict[str, VariableBox],
    at: dict[str, int],
    columns: list[list[str]],
) -> Iterable[ShapedArrow]:
    """Bows beside their column: on the right of the last one, on the left of the others."""
    for arrow in arcs:
        column = columns[at[arrow.source]]
        side = 1 if column is columns[-1] and len(columns) > 1 else -1
        source, target = boxes[arrow.source], boxes[arrow.target]
        down = 0.25 * (1 if source.y > target.y else -1)
        start = source.edge(side, -down * source.height)
        end = target.edge(side, down * target.height)
        outer = max(start[0] * side, end[0] * side)
        x = side * (outer + 4 / 3 * _bulge(_span(arrow, column)))
        curve = (start, (x, start[1]), (x, end[1]), end)
        apex = 0.125 * (start[0] + end[0]) + 0.75 * x
        yield ShapedArrow(arrow, curve, None, (apex, (start[1] + end[1]) / 2))


def _moved(line: ShapedArrow, dx: float) -> ShapedArrow:
    a, b, c, d = ((x + dx, y) for x, y in line.curve)
    end = None if line.end is None else (line.end[0] + dx, line.end[1])
    return ShapedArrow(line.arrow, (a, b, c, d), end, (line.label[0] + dx, line.label[1]))

"""Wider grammars of figures in boxes: matrices, analogies, series, odd ones, concepts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Figure = Mapping[str, Any]

SCALES: Mapping[str, tuple[Any, ...]] = {
    "size": ("small", "medium", "large"),
    "shade": ("white", "light", "dark", "black"),
    "count": (1, 2, 3, 4, 5, 6),
    "turn": tuple(range(8)),
}
ATTRIBUTES = ("form", "size", "shade", "count", "turn", "marks")
SIDES = {"circle": 0, "heart": 0, "triangle": 3, "square": 4, "pentagon": 5, "star": 10,
         "cross": 12, "arrow": 7}  # fmt: skip


def sight(figure: Figure) -> tuple[Any, ...]:
    """What can be seen of a figure: only arrows have a direction."""
    turn = figure["turn"] if figure["form"] == "arrow" else 0
    marks = tuple(sorted(figure["marks"]))
    return figure["form"], figure["size"], figure["shade"], figure["count"], turn, marks


def values_of(figures: Sequence[Figure], attribute: str) -> list[Any]:
    """The values of an attribute, strokes as sets."""
    values = [figure[attribute] for figure in figures]
    return [frozenset(value) for value in values] if attribute == "marks" else values


def on_scale(attribute: str, values: Sequence[Any]) -> list[int]:
    """Places of the values on the scale of their attribute."""
    return [SCALES[attribute].index(value) for value in values]


# Matrices.


def matrices(scene: Any, options: Sequence[Figure]) -> dict[int, str]:
    """Every attribute follows a rule in all rows, all columns, or all diagonals of one way."""
    side, found = scene["side"], {}
    for number, option in enumerate(options):
        cells = [*scene["cells"], option]
        ways = list(_ways(cells, side))
        rules = [
            next((rule for way in ways for rule in _line_rules(name, way)), "")
            for name in ATTRIBUTES
        ]
        if all(rules):
            found[number] = ", ".join(rules)
    return found


def _ways(cells: Sequence[Figure], side: int) -> Iterator[list[list[Figure]]]:
    rows = [list(cells[r * side : (r + 1) * side]) for r in range(side)]
    yield rows
    yield [list(column) for column in zip(*rows, strict=True)]
    if side == 3:
        for sign in (1, -1):
            yield [[rows[r][(k + sign * r) % 3] for r in range(3)] for k in range(3)]


def _line_rules(name: str, lines: Sequence[Sequence[Figure]]) -> Iterator[str]:
    values = [values_of(line, name) for line in lines]
    if all(len(set(line)) == 1 for line in values):
        yield f"{name}: the same"
    if name in SCALES:
        yield from _steps(name, [on_scale(name, line) for line in values])
    if len(lines) < 3:
        return
    # One of the same values each, whether or not two of them are alike.
    bags = {tuple(sorted(map(_key, line))) for line in values}
    if len(bags) == 1 and all(len(set(line)) > 1 for line in values):
        places = {tuple(map(_key, line)) for line in values}
        if len(set(map(_key, values[0]))) == 3 or len(places) > 1:
            yield f"{name}: the same three"
    if name in ("count", "marks"):
        yield from _computed(name, values)


def _key(value: Any) -> str:
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)


def _steps(name: str, lines: Sequence[Sequence[int]]) -> Iterator[str]:
    steps = [tuple(b - a for a, b in pairwise(line)) for line in lines]
    if name == "turn":
        steps = [tuple(one % 8 for one in line) for line in steps]
    if len(set(steps)) == 1 and len(set(steps[0])) == 1:
        yield f"{name}: a step"
    if len(lines) == 3 and len(set(steps)) == 1 and steps[0] != (0, 0):
        yield f"{name}: the same two steps in every line"
    size = len(SCALES[name])
    around = {tuple(one % size for one in line) for line in steps}
    if len(around) == 1 and len(set(next(iter(around)))) == 1:
        yield f"{name}: a step round the scale"


def _computed(name: str, lines: Sequence[Sequence[Any]]) -> Iterator[str]:
    rules: Mapping[str, Callable[[Any, Any], Any]] = {
        "sum": lambda a, b: a + b,
        "difference": lambda a, b: a - b,
        "distance": lambda a, b: abs(a - b),
        "difference backwards": lambda a, b: b - a,
        "product": lambda a, b: a * b,
        "more of the two": max,
        "fewer of the two": min,
        "sum and one": lambda a, b: a + b + 1,
        "sum less one": lambda a, b: a + b - 1,
    }
    if name == "marks":
        rules = {
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
            "first without second": lambda a, b: a - b,
            "second without first": lambda a, b: b - a,
        }
    for rule, put in rules.items():
        if all(put(a, b) == c for a, b, c in lines):
            yield f"{name}: {rule}"


# Figural analogies.


def figural_analogies(scene: Any, options: Sequence[Figure]) -> dict[int, str]:
    """The pairs of rows, or of columns, are related alike in every attribute; exchanges, mirror
    images and multiples are relations too."""
    found = {}
    first, second, third = scene["first"], scene["second"], scene["third"]
    for number, option in enumerate(options):
        for name, pairs in (
            ("rows", ((first, second), (third, option))),
            ("columns", ((first, third), (second, option))),
        ):
            if all(_relations(a, *pairs[0]) & _relations(a, *pairs[1]) for a in ATTRIBUTES):
                found.setdefault(number, name)
    return found


def _relations(name: str, before: Figure, after: Figure) -> set[Any]:
    a, b = values_of((before, after), name)
    if a == b:
        # An unchanged value is unchanged; that it equals its mirror image is not seen as a change.
        return {"stays"}
    if name == "marks":
        return {("taken", a - b, "added", b - a), ("exchanged", frozenset((a, b)))}
    found: set[Any] = {("becomes", b), ("exchanged", frozenset((a, b)))}
    if name in SCALES:
        one, two = on_scale(name, (a, b))
        last = len(SCALES[name]) - 1
        found.add(("moves", (two - one) % 8 if name == "turn" else two - one))
        if name != "turn" and one + two == last:
            found.add("other end of the scale")
        if name == "turn":
            found |= {("mirrored", (one + two) % 8)}
    if name == "count":
        found |= {("times", k) for k in (2, 3) if b == k * a}
        found |= {("divided", k) for k in (2, 3) if a == k * b}
    return found


# Figure series.


def figure_series(scene: Any, options: Sequence[Figure]) -> dict[int, str]:
    """Every attribute goes on by one rule: a step, steps that grow or alternate, a period of two to
    four, two interleaved steps, or a way round the scale."""
    found = {}
    for number, option in enumerate(options):
        goes_on = []
        for name in ATTRIBUTES:
            values = values_of(scene["cells"], name)
            longer = values_of([*scene["cells"], option], name)
            goes_on.append(set(_goes_on(name, values)) & set(_goes_on(name, longer)))
        if all(goes_on):
            found[number] = ", ".join(map(min, goes_on))
    return found


def _goes_on(name: str, values: Sequence[Any]) -> Iterator[str]:
    if len(set(values)) == 1:
        yield f"{name}: the same"
        return
    for period in (2, 3, 4):
        alike = [a == b for a, b in zip(values, values[period:], strict=False)]
        if len(alike) >= 2 and all(alike):
            yield f"{name}: every {period}"
    if name not in SCALES:
        return
    places, size = on_scale(name, values), len(SCALES[name])
    steps = [b - a for a, b in pairwise(places)]
    if name == "turn":
        steps = [(step + 3) % 8 - 3 for step in steps]
    growth = [b - a for a, b in pairwise(steps)]
    for rule, constants in (
        ("step", steps), ("growing step", growth), ("round the scale", [s % size for s in steps]),
    ):  # fmt: skip
        if len(constants) >= 2 and len(set(constants)) == 1:
            yield f"{name}: {rule}"
    halves = [places[k::2] for k in (0, 1)]
    if all(len(half) >= 3 and len({b - a for a, b in pairwise(half)}) == 1 for half in halves):
        yield f"{name}: two in turn"


# Odd one out, set membership.


def properties(figure: Figure) -> dict[str, Any]:
    """What a person can say of a figure: values, numbers, parities, comparisons.

    Ranges ("more than one", "not small") are none: the figure at the end of a scale would always be
    alone in one.
    """
    marks, count, arrow = set(figure["marks"]), figure["count"], figure["form"] == "arrow"
    corners = {"top_left", "bottom_right"}
    return {
        "form": figure["form"], "size": figure["size"], "shade": figure["shade"], "count": count,
        "curved": figure["form"] in ("circle", "heart"),
        "sides": SIDES[figure["form"]], "even": count % 2, "strokes": len(marks),
        "even strokes": len(marks) % 2, "any stroke": bool(marks),
        "as many strokes": len(marks) == count, "more strokes": len(marks) > count,
        "fewer strokes": len(marks) < count,
        "direction": figure["turn"] if arrow else None,
        "slanted": arrow and figure["turn"] % 2, "along": arrow and figure["turn"] % 4,
        **{side: arrow and (figure["turn"] - middle) % 8 in (7, 0, 1)
           for side, middle in (("up", 0), ("right", 2), ("down", 4), ("left", 6))},
        **{f"stroke {spot}": spot in marks
           for spot in ("top", "right", "bottom", "left", *sorted(corners))},
    }  # fmt: skip


def odd_one_out(scene: Any, options: Sequence[Figure]) -> dict[int, str]:
    """Alone by any property: all others share a value of it, and one lacks it."""
    found: dict[int, str] = {}
    have = [properties(option) for option in options]
    for number, one in enumerate(have):
        rest = have[:number] + have[number + 1 :]
        for name, value in one.items():
            others = {repr(other[name]) for other in rest}
            if len(others) == 1 and repr(value) not in others:
                found.setdefault(number, name)
    return found


def set_membership(scene: Any, options: Sequence[Figure]) -> dict[int, str]:
    """A concept is a value of a property, or two or three at once where no fewer do so.

    An option belongs to the left if some concept separates the sides and takes it in alone.
    """
    left, right, shown = (
        [_held(figure) for figure in figures]
        for figures in (scene["left"], scene["right"], options)
    )
    shared = sorted(frozenset.intersection(*left))
    for size in (1, 2, 3):
        found: dict[int, str] = {}
        separates = False
        for concept in itertools.combinations(shared, size):
            wanted = set(concept)
            if any(wanted <= figure for figure in right):
                continue
            separates = True
            taken = [k for k, figure in enumerate(shown) if wanted <= figure]
            if len(taken) == 1:
                found.setdefault(taken[0], " and ".join(concept))
        if separates:
            return found
    return {}


def _held(figure: Figure) -> frozenset[str]:
    return frozenset(f"{name} = {value}" for name, value in properties(figure).items())


FITTING = {
    "matrices": matrices,
    "figural_analogies": figural_analogies,
    "figure_series": figure_series,
    "odd_one_out": odd_one_out,
    "set_membership": set_membership,
}
SEEN = dict.fromkeys(FITTING, sight)

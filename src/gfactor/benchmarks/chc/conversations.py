"""Common parts of families of memory and speed: whole conversations, and figures of strokes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, TypeVar

from gfactor.benchmarks.chc.family import MisdrawnError, Turn
from gfactor.benchmarks.chc.family_files import texts_beside
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.figures import INK
from gfactor.imaging.strokes import STROKES, Strokes, mirrored
from gfactor.items import ItemRandom, OutputFormat

S = TypeVar("S")

TURNS = OutputFormat("turns", labels=("ANSWER",))
"""A whole number in reply to each of the last turns."""

NUMBER = OutputFormat("value", labels=("ANSWER",))
"""One whole number."""


class Conversation(TypedDict):
    """Fields of a `Family` that follow from its turns."""

    turns: Callable[[Any], tuple[Turn, ...]]
    picture: Callable[[Any, Sequence[Any]], tuple[Pixels, ...]]
    twin: Callable[[Any], tuple[Say, ...]]
    question: Callable[[Any], tuple[Say, ...]]
    output_format: OutputFormat


def conversation(turns: Callable[[S], tuple[Turn, ...]]) -> Conversation:
    """Return pictures, words and sentences of a conversation, those of its turns in order."""
    return {
        "turns": turns,
        "picture": lambda scene, _: tuple(p for turn in turns(scene) for p in turn.pictures),
        "twin": lambda scene: tuple(one for turn in turns(scene) for one in turn.twin),
        "question": lambda scene: tuple(one for turn in turns(scene) for one in turn.says),
        "output_format": TURNS,
    }


def draw_recall_arrow(canvas: Canvas, y: int, backwards: bool) -> None:
    """Draw an arrow at height `y`: it points right, or left if recall is backwards."""
    middle = canvas.frame.width // 2
    canvas.line(middle - 20, y, middle + 20, y, INK, 2)
    tip, back = (middle - 20, middle - 14) if backwards else (middle + 20, middle + 14)
    for by in (-5, 5):
        canvas.line(tip, y, back, y + by, INK, 2)


def random_figure(rng: ItemRandom, count: int) -> Strokes:
    """Return a connected figure of `count` strokes."""
    figure = [rng.choice(STROKES)]
    while len(figure) < count:
        points = {point for stroke in figure for point in divmod(stroke, 10)}
        near = [s for s in STROKES if s not in figure and points & set(divmod(s, 10))]
        figure.append(rng.choice(near))
    return tuple(sorted(figure))


def near_figure(rng: ItemRandom, figure: Strokes) -> Strokes:
    """Return a connected figure with one stroke moved to another place."""
    free = [stroke for stroke in STROKES if stroke not in figure]
    while True:
        gone, new = rng.choice(figure), rng.choice(free)
        other = tuple(sorted([*(stroke for stroke in figure if stroke != gone), new]))
        if is_connected(other):
            return other


def is_connected(figure: Strokes) -> bool:
    """Return True if all strokes of a figure are connected."""
    reached, left = set(divmod(figure[0], 10)), list(figure[1:])
    while near := [stroke for stroke in left if reached & set(divmod(stroke, 10))]:
        reached.update(point for stroke in near for point in divmod(stroke, 10))
        left = [stroke for stroke in left if stroke not in near]
    return not left


def crossed_figures(
    rng: ItemRandom, figure: Strokes, changes: int, mirror: bool = False
) -> list[Strokes]:
    """Return the figure itself, followed by all figures that result from some of the changes.

    A change moves one stroke, or exchanges left and right. Because every combination occurs, all
    figures have the same relation to the others, so that the original cannot be recognized.

    Parameters
    ----------
    changes: number of changes; 2 ** changes figures are made.
    mirror: True if one of the changes exchanges left and right.
    """
    moved = changes - mirror
    gone = rng.sample(figure, moved)
    free = [stroke for stroke in STROKES if stroke not in figure]
    new = rng.sample(free, moved)
    result = [figure]
    for old, other in zip(gone, new, strict=True):
        result += [tuple(sorted({*one} - {old} | {other})) for one in result]
    if mirror:
        result += [mirrored(one) for one in result]
    if len(set(result)) < len(result) or not all(map(is_connected, result)):
        raise MisdrawnError
    return result


def different_figures(
    rng: ItemRandom, count: int, strokes: int, first: Sequence[Strokes] = ()
) -> list[Strokes]:
    """Return figures of which any two differ in at least two strokes; those of `first` come
    first."""
    result = list(first)
    for _ in range(100 * count):
        one = random_figure(rng, strokes)
        if all(len(set(one) & set(other)) <= strokes - 2 for other in result):
            result.append(one)
        if len(result) == count:
            return result
    raise MisdrawnError


def strokes_line(figure: Strokes) -> Say:
    """Return a figure in words: the numbers of its strokes."""
    return say("strokes", numbers=figure)


def strokes_of(one: Say) -> Strokes:
    """Return the figure that words describe; the inverse of `strokes_line`."""
    numbers = one["numbers"]
    return numbers if isinstance(numbers, tuple) else (numbers,)  # pyright: ignore


STROKE_TEXTS = texts_beside(__file__)
"""Figures of strokes in words."""

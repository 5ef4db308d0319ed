"""Counted figures in words, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gfactor.benchmarks.chc.counted_figures import CountedFigure
from gfactor.benchmarks.chc.strokes import strokes_read, strokes_said
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging.lattices import Point2


def figure_in_words(figure: CountedFigure, number: int = 0) -> Say:
    """Return a figure in words: its points, lines or corners, preceded by its number if it has
    one."""
    line, numbers = ("_line", {"number": number}) if number else ("", {})
    if figure.lines:
        return say(f"across{line}", lines=strokes_said(figure.lines), **numbers)
    if figure.corners:
        return say(f"polygon{line}", corners=_in_words(figure.corners), **numbers)
    black, white = _in_words(figure.black), _in_words(figure.white)
    return say(f"dots{line}", black=black, white=white, **numbers)


def figure_of_words(words: Say) -> CountedFigure:
    """Return the figure that words describe; the inverse of `figure_in_words`."""
    values: dict[str, Any] = dict(words.fields)
    if "lines" in values:
        return CountedFigure(lines=strokes_read(values["lines"]))
    if "corners" in values:
        return CountedFigure(corners=_points(values["corners"]))
    return CountedFigure(_points(values["black"]), _points(values["white"]))


def _in_words(points: Iterable[Point2]) -> tuple[Say, ...]:
    return tuple(say("point", x=x, y=y) for x, y in points)


def _points(words: Iterable[Say]) -> tuple[Point2, ...]:
    return tuple((int(one["x"]), int(one["y"])) for one in words)  # pyright: ignore

"""Figures of strokes in words and pictures, shared by the families of strokes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gfactor.benchmarks.chc.family_files import texts_beside
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, RGB, Canvas
from gfactor.imaging.boards import Panel
from gfactor.imaging.lattices import Stroke, Strokes, extent, moved, stroke
from gfactor.items import ItemRandom


def draw_strokes(
    canvas: Canvas, strokes: Strokes, corner: tuple[float, float], step: int, color: RGB = BLACK
) -> None:
    """Draw strokes from the lattice's upper left point on, 4 pixels wide."""
    for (ax, ay), (bx, by) in strokes:
        x, y = corner
        canvas.line(x + step * ax, y + step * ay, x + step * bx, y + step * by, color, 4)


def draw_centered(canvas: Canvas, strokes: Strokes, panel: Panel, step: int) -> None:
    """Draw strokes in the middle of a panel."""
    right, down = extent(strokes)
    cx, cy = panel.middle
    draw_strokes(canvas, strokes, (cx - right * step // 2, cy - down * step // 2), step)


def grown_figure(rng: ItemRandom, pool: Sequence[Stroke], count: int) -> Strokes:
    """Return `count` connected strokes of a lattice, moved to the upper left corner."""
    figure = [rng.choice(pool)]
    while len(figure) < count:
        ends = {point for one in figure for point in one}
        beside = [s for s in pool if s not in figure and (s[0] in ends or s[1] in ends)]
        figure.append(rng.choice(beside))
    return at_corner(figure)


def at_corner(strokes: Sequence[Stroke]) -> Strokes:
    """Return the strokes moved so that x and y begin at 0."""
    left = min(p[0] for s in strokes for p in s)
    top = min(p[1] for s in strokes for p in s)
    return moved(strokes, -left, -top)


def strokes_said(strokes: Strokes) -> tuple[Say, ...]:
    """Return strokes in words."""
    return tuple(say("line", x=ax, y=ay, x2=bx, y2=by) for (ax, ay), (bx, by) in strokes)


def strokes_read(segments: Any) -> Strokes:
    """Return the inverse of `strokes_said`."""
    return tuple(stroke((s["x"], s["y"]), (s["x2"], s["y2"])) for s in segments)


STROKES = texts_beside(__file__)
"""Sentences of figures of strokes."""

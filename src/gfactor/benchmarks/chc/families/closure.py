"""Closure: of which figure are these the fragments?

The figures of strokes are new, so that none is familiar. A share of each figure's
quarter strokes is left; specks lie beside them. The options are one hidden figure with one or two
further strokes at different places, and the figure whose fragments are shown is any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.strokes import (
    STROKES,
    at_corner,
    draw_centered,
    grown_figure,
    strokes_read,
    strokes_said,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import (
    Point2,
    Stroke,
    Strokes,
    extent,
    lattice_strokes,
    places_in,
    stroke,
)
from gfactor.imaging.measures.closure import CORNER, OPTION_STEP, POINTS, QUARTERS, UNIT
from gfactor.items import ItemRandom

_OFF_LINES = ((2, 1), (1, 2), (3, 2), (2, 3))


@dataclass(frozen=True)
class Scene:
    """Fragments between points (x, y) at a quarter of a stroke's length; specks at such points."""

    fragments: Strokes
    specks: tuple[Point2, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    strokes, moved_, share, noise = (
        int(levels[name]) for name in ("strokes", "moved", "share", "noise")
    )
    pool = lattice_strokes(POINTS, levels["lines"] == "diagonal")
    figures = _variants(rng, pool, strokes, moved_, options)
    if not figures:
        return Draft(Scene((), ()), ())
    right, *others = figures
    whole = pieces(right)
    visible = tuple(sorted(rng.sample(whole, max(1, len(whole) * share // 100))))
    spots = [
        (QUARTERS * x + dx, QUARTERS * y + dy)
        for x in range(POINTS - 1)
        for y in range(POINTS - 1)
        for dx, dy in _OFF_LINES
    ]
    scene = Scene(visible, tuple(sorted(rng.sample(spots, noise))))
    wrong = tuple(Distractor(f, "stroke elsewhere") for f in others)
    return Draft(scene, right, wrong)


def _variants(
    rng: ItemRandom, pool: Strokes, strokes: int, moved_: int, options: int
) -> list[Strokes]:
    """Figures that share all but one or two strokes with a hidden one; [] for too few."""
    base = grown_figure(rng, pool, strokes - moved_)
    result: list[Strokes] = []
    for _ in range(4 * options):
        figure = list(base)
        while len(figure) < strokes:
            ends = {point for one in figure for point in one}
            beside = [s for s in pool if s not in figure and (s[0] in ends or s[1] in ends)]
            figure.append(rng.choice(beside))
        whole = at_corner(figure)
        if max(extent(whole)) < POINTS and whole not in result:
            result.append(whole)
        if len(result) == options:
            return result
    return []


def pieces(figure: Strokes) -> list[Stroke]:
    """Return the fragments of a figure's strokes, four of each."""
    result = []
    for (ax, ay), (bx, by) in figure:
        for k in range(QUARTERS):
            ends = [
                (QUARTERS * ax + j * (bx - ax), QUARTERS * ay + j * (by - ay)) for j in (k, k + 1)
            ]
            result.append(stroke(*ends))
    return sorted(result)


def solve(scene: Scene, options: Sequence[Strokes]) -> Proof:
    """Solve by moving the fragments by whole strokes over every option."""
    fits, tried = [], 0
    for option in options if scene.fragments else ():
        whole = pieces(option)
        tried += len(whole)
        if places_in(scene.fragments, whole):
            fits.append(option)
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    side = QUARTERS * (POINTS - 1) * UNIT + 2 * CORNER
    return Board(((side, side),), options)


def picture(scene: Scene, options: Sequence[Strokes]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    x, y = panel.x + CORNER, panel.y + CORNER
    for (ax, ay), (bx, by) in scene.fragments:
        canvas.line(x + UNIT * ax, y + UNIT * ay, x + UNIT * bx, y + UNIT * by, BLACK, 5)
    for sx, sy in scene.specks:
        canvas.disc(x + UNIT * sx, y + UNIT * sy, 4, BLACK)
    for option_panel, figure in zip(plan.option_panels, options, strict=True):
        draw_centered(canvas, figure, option_panel, OPTION_STEP)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    specks = (say("specks", spots=tuple(say("speck", x=x, y=y) for x, y in scene.specks)),)
    fragments = say("fragments", lines=strokes_said(scene.fragments))
    return (fragments, *(specks if scene.specks else ()))


def from_twin(lines: Sequence[Say]) -> Scene:
    specks = lines[1]["spots"] if len(lines) > 1 else ()
    return Scene(
        strokes_read(lines[0]["lines"]),
        tuple((one["x"], one["y"]) for one in specks),  # pyright: ignore
    )


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda figure: say("drawing", lines=strokes_said(figure)),
        scene_type=Scene,
        content_type=Strokes,
        options=(4,),
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON, STROKES),
    )
)

"""Hidden figures: which figure is contained in a pattern of lines?

The figure keeps its size and is not turned. The other options are the same figure with one stroke
elsewhere; if they are planted, the pattern contains all of each but one stroke.
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
    draw_strokes,
    grown_figure,
    strokes_read,
    strokes_said,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import (
    Stroke,
    Strokes,
    extent,
    is_whole,
    lattice_strokes,
    moved,
    places_in,
)
from gfactor.imaging.measures.hidden_figures import STEP
from gfactor.items import ItemRandom

REACH = 3
"""Greatest width and height of a figure in steps."""
_DRAWS = 30


@dataclass(frozen=True)
class Scene:
    """The strokes of the pattern, each from a lattice point (x, y) to another."""

    pattern: Strokes


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    points, strokes, density, planted = (
        int(levels[name]) for name in ("points", "strokes", "density", "planted")
    )
    diagonal = levels["lines"] == "diagonal"
    small, whole = lattice_strokes(REACH + 1, diagonal), lattice_strokes(points, diagonal)
    for _ in range(_DRAWS):
        figures = _variants(rng, small, strokes, options)
        if not figures:
            continue
        right, *others = figures
        inner = set(_planted(rng, right, points))
        pattern = inner | set(rng.sample(whole, len(whole) * density // 100))
        for figure in others if planted else ():
            missing = rng.integer(0, strokes - 1)
            there = _planted(rng, figure, points)
            pattern |= {s for k, s in enumerate(there) if k != missing}
        _cleared(rng, pattern, inner, others)
        if max(extent(pattern)) == points - 1:
            error = "one stroke missing" if planted else "not contained"
            wrong = tuple(Distractor(figure, error) for figure in others)
            return Draft(Scene(tuple(sorted(pattern))), right, wrong)
    return Draft(Scene(()), ())


def _planted(rng: ItemRandom, figure: Strokes, points: int) -> Strokes:
    right, down = extent(figure)
    return moved(figure, rng.integer(0, points - 1 - right), rng.integer(0, points - 1 - down))


def _cleared(
    rng: ItemRandom, pattern: set[Stroke], inner: set[Stroke], others: Sequence[Strokes]
) -> None:
    """Take out strokes, but none of the right figure's, until no other figure is contained."""
    for figure in others:
        while positions := places_in(figure, pattern):
            free = [s for s in moved(figure, *positions[0]) if s not in inner]
            pattern.remove(rng.choice(free))


def _variants(rng: ItemRandom, pool: Strokes, strokes: int, options: int) -> list[Strokes]:
    """Figures that share all but one stroke with a hidden one; [] if there are too few."""
    base = grown_figure(rng, pool, strokes - 1)
    ends = {point for one in base for point in one}
    beside = [s for s in pool if s not in base and (s[0] in ends or s[1] in ends)]
    result = {at_corner([*base, one]) for one in beside}
    compact = sorted(f for f in result if max(extent(f)) <= REACH and is_whole(f))
    return rng.sample(compact, options) if len(compact) >= options else []


def solve(scene: Scene, options: Sequence[Strokes]) -> Proof:
    """Solve by moving every option over the pattern, stroke by stroke."""
    fits = tuple(option for option in options if scene.pattern and places_in(option, scene.pattern))
    return Proof(fits, len(scene.pattern) * len(options))


def board(points: int, options: int) -> Board:
    """Return the plan of the picture."""
    side = (points - 1) * STEP + 40
    return Board(((side, side),), options)


def picture(scene: Scene, options: Sequence[Strokes]) -> tuple[Pixels, ...]:
    points = 1 + max(extent(scene.pattern))
    plan = board(points, len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    draw_strokes(canvas, scene.pattern, (panel.x + 20, panel.y + 20), STEP)
    for option_panel, figure in zip(plan.option_panels, options, strict=True):
        draw_centered(canvas, figure, option_panel, STEP)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("pattern", lines=strokes_said(scene.pattern)),)


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(strokes_read(lines[0]["lines"]))


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

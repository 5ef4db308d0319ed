"""Hidden figures: which figure is contained in a pattern of lines?

The figure keeps its size and is not turned. The other options are the same figure with one stroke
elsewhere; if they are planted, the pattern contains all of each but one stroke.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.strokes import (
    TEMPLATES,
    at_corner,
    draw_centered,
    draw_strokes,
    grown_figure,
    strokes_read,
    strokes_said,
)
from gfactor.benchmarks.texts import Say, Texts, joined, say
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
from gfactor.items import ItemRandom

STEP = 42
"""Distance of two lattice points in pixels."""
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
    """Return every move of every option, stroke by stroke."""
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


_ASK = {
    "ask": {
        "en": "Which option is contained in the drawing? All its lines must be there, in the same "
        "size and not turned; the drawing may have other lines besides.",
        "zh": "哪个选项包含在图中？它的每条线都必须出现在图中，大小相同且不旋转；图中可以有其他线。"
        "",
        "fr": "Quelle option est contenue dans le dessin ? Tous ses traits doivent s'y trouver, à "
        "la même taille et sans rotation ; le dessin peut avoir d'autres traits.",
        "es": "¿Qué opción está contenida en el dibujo? Todos sus trazos deben estar en él, con el "
        "mismo tamaño y sin girar; el dibujo puede tener otros trazos.",
        "pt": "Qual opção está contida no desenho? Todos os seus traços devem estar nele, no mesmo "
        "tamanho e sem rotação; o desenho pode ter outros traços.",
        "ko": "그림 속에 들어 있는 보기는 무엇입니까? 보기의 모든 선이 같은 크기로, 돌리지 않은 채 "
        "그림 속에 있어야 합니다. 그림에는 다른 선이 더 있을 수 있습니다.",
    },
}

register(
    Family(
        name="hidden_figures",
        ability="Gv-CF",
        radicals={
            "points": (5, 6, 7),
            "strokes": (5, 6, 8),
            "density": (25, 40, 55),
            "planted": (0, 1),
            "lines": ("upright", "diagonal"),
        },
        presets={
            "easy": {"points": (5,), "strokes": (6,), "density": (25,), "planted": (0,)},
            "medium": {"points": (6,), "strokes": (6, 8), "density": (25, 40), "planted": (1,)},
            "hard": {"points": (7,), "strokes": (8,), "density": (40, 55), "planted": (1,)},
        },
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda figure: say("drawing", lines=strokes_said(figure)),
        texts=joined(COMMON, Texts({**TEMPLATES, **_ASK}, {})),
        scene_type=Scene,
        content_type=Strokes,
        options=(4,),
        origin="hidden figures: Gottschaldt (1926), Thurstone (1944), Witkin (1950)",
        literature=(
            "Gottschaldt, K. (1926). Über den Einfluss der Erfahrung auf die Wahrnehmung von "
            "Figuren. Psychologische Forschung, 8, 261-317.",
            "Witkin, H. A. (1950). Individual differences in ease of perception of embedded "
            "figures. Journal of Personality, 19, 1-15.",
        ),
        mm_iq=("2D-geometry",),
    )
)

"""Views of a stack: how does it look from the side that an arrow points at?

An option is the outline of a view: how many cubes high it is at each place from left to right. The
options are two outlines and their mirror images, so that the options alone do not tell the answer.
The outline that differs by a cube at one place is as often the taller one as the right one is. (In
version 1 it had any other height there, and the right one, which shows the highest cubes, was the
taller one more often: to guess a tallest outline gained 7 points.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.stacks import (
    PANEL,
    TEMPLATES,
    UNIT,
    Heights,
    draw_stack,
    origin_in,
    rows_read,
    rows_said,
    scattered_heights,
)
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import BLACK, Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.canvas import Canvas
from gfactor.imaging.polycubes import SHADES, place
from gfactor.items import ItemRandom

SQUARE = 24
"""Side of a cube in an option, in pixels."""
ARROW = (200, 30, 30)
_DRAWS = 40

Profile = tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """Heights of the columns, row by row from the front; the side that is looked at."""

    heights: Heights
    side: str


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    side = str(levels["side"])
    base, layers, columns = (int(levels[name]) for name in ("base", "layers", "columns"))
    rises, lower = rng.chance(1, 2), rng.chance(1, 2)
    for _ in range(_DRAWS):
        heights = scattered_heights(rng, base, layers, columns)
        if not heights:
            continue
        right = profile(heights, side)
        spots = [k for k, top in enumerate(right) if (top > 1 if lower else top < layers)]
        if not spots:
            continue
        spot = rng.choice(spots)
        changed = (*right[:spot], right[spot] + (-1 if lower else 1), *right[spot + 1 :])
        # What can be seen is mostly higher on the left: outlines that rise are as frequent.
        if (_slope(right) > 0) == rises and len({*_both(right), *_both(changed)}) == options:
            wrong = crossed(right, {"height": changed, "mirror": True}, _put, _error)
            return Draft(Scene(heights, side), right, wrong, ("place", spot))
    return Draft(Scene((), side), ())


def _slope(outline: Profile) -> int:
    return sum(height * (2 * x - len(outline) + 1) for x, height in enumerate(outline))


def _both(outline: Profile) -> tuple[Profile, Profile]:
    return outline, outline[::-1]


def _put(content: Profile, attribute: str, value: Profile | bool) -> Profile:
    return content[::-1] if value is True else tuple(value)  # pyright: ignore


def _error(_: Profile, wrong: tuple[str, ...]) -> str:
    names = {"height": "another height", "mirror": "mirror image"}
    return " and ".join(names[w] for w in wrong)


def profile(heights: Heights, side: str) -> Profile:
    """Return the heights of a view from left to right: the highest column of each line of sight."""
    across = tuple(max(column) for column in zip(*heights, strict=True))
    deep = tuple(max(row) for row in heights)
    return {"front": across, "right": deep, "left": deep[::-1]}[side]


def solve(scene: Scene, options: Sequence[Profile]) -> Proof:
    """Return the options that agree with every line of sight, each followed through the stack."""
    fits, tried = [], 0
    base = len(scene.heights)
    for option in options if base else ():
        agrees = True
        for k in range(base):
            line = {
                "front": [scene.heights[y][k] for y in range(base)],
                "right": list(scene.heights[k]),
                "left": list(scene.heights[base - 1 - k]),
            }[scene.side]
            tried += len(line)
            agrees &= max(line) == option[k]
        if agrees:
            fits.append(option)
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board((PANEL,), options, (140, 124))


def picture(scene: Scene, options: Sequence[Profile]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas = plan.canvas()
    draw_stack(canvas, scene.heights, plan.panels[0])
    _draw_arrow(canvas, scene, plan.panels[0])
    for panel, heights in zip(plan.option_panels, options, strict=True):
        _draw_profile(canvas, heights, panel)
    return (canvas.pixels,)


def _draw_arrow(canvas: Canvas, scene: Scene, panel: Panel) -> None:
    """An arrow on the floor that points at the side that is looked at."""
    base, origin = len(scene.heights), origin_in(panel)
    middle = base / 2
    tip, way = {
        "front": ((middle, -0.25), (0, 1)),
        "right": ((base + 0.25, middle), (-1, 0)),
        "left": ((-0.25, 0.5), (1, 0)),
    }[scene.side]
    (tx, ty), (wx, wy) = tip, way
    flat = [
        (0, 0),
        (-0.6, 0.45),
        (-0.6, 0.17),
        (-1.3, 0.17),
        (-1.3, -0.17),
        (-0.6, -0.17),
        (-0.6, -0.45),
    ]
    points = [(tx + a * wx - b * wy, ty + a * wy + b * wx, 0) for a, b in flat]
    canvas.polygon([place(p, origin, UNIT) for p in points], ARROW, ARROW, 1)


def _draw_profile(canvas: Canvas, heights: Profile, panel: Panel) -> None:
    left = panel.middle[0] - len(heights) * SQUARE // 2
    bottom = panel.y + panel.height - 14
    canvas.line(panel.x + 8, bottom, panel.x + panel.width - 8, bottom, BLACK, 2)
    for x, height in enumerate(heights):
        for z in range(height):
            a, b = left + x * SQUARE, bottom - z * SQUARE
            corners = [(a, b), (a + SQUARE, b), (a + SQUARE, b - SQUARE), (a, b - SQUARE)]
            canvas.polygon(corners, SHADES[1], BLACK, 2)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (*rows_said(scene.heights), say("arrow", side=scene.side))


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(rows_read(lines), str(lines[-1]["side"]))


_TEXTS = Texts(
    {
        **TEMPLATES,
        "ask": {
            "en": "Equal cubes are stacked on a floor; the top of every column can be seen. How "
            "does the stack look to someone who "
            "stands where the arrow begins and looks along it?",
            "zh": "大小相同的正方体堆放在地面上，每一列的顶面都看得见。一个人站在箭头的起点，"
            "沿箭头方向看去，看到的是哪个视图？",
            "fr": "Des cubes égaux sont empilés sur le sol ; le dessus de chaque colonne est "
            "visible. "
            "Comment l'empilement apparaît-il à une personne qui se tient à l'origine de la flèche "
            "et regarde dans sa direction ?",
            "es": "Sobre el suelo hay cubos iguales apilados; se ve la parte superior de cada "
            "columna. "
            "¿Cómo ve la pila una persona que está donde empieza la flecha y mira en su dirección?",
            "pt": "Cubos iguais estão empilhados no chão; vê-se o topo de cada coluna. Como uma "
            "pessoa que está no início da "
            "seta e olha na direção dela vê a pilha?",
            "ko": "크기가 같은 정육면체가 바닥에 쌓여 있고 모든 기둥의 윗면이 보입니다. 화살표가 "
            "시작되는 곳에 서서 화살표 "
            "방향으로 바라본 모양은 어느 것입니까?",
        },
        "arrow": {
            "en": "The arrow points at the stack from {side}.",
            "zh": "箭头从{side}指向这堆正方体。",
            "fr": "La flèche pointe vers l'empilement depuis {side}.",
            "es": "La flecha apunta a la pila desde {side}.",
            "pt": "A seta aponta para a pilha a partir {side}.",
            "ko": "화살표가 더미를 가리키는 방향의 시작: {side}.",
        },
        "view": {
            "en": "heights from left to right: {numbers}",
            "zh": "从左到右的高度：{numbers}",
            "fr": "hauteurs de gauche à droite : {numbers}",
            "es": "alturas de izquierda a derecha: {numbers}",
            "pt": "alturas da esquerda para a direita: {numbers}",
            "ko": "왼쪽부터 높이: {numbers}",
        },
    },
    {
        "side": {
            "front": {
                "en": ("the front",), "zh": ("前面",), "fr": ("l'avant",), "es": ("delante",),
                "pt": ("da frente",), "ko": ("앞쪽",),
            },
            "right": {
                "en": ("the right",), "zh": ("右边",), "fr": ("la droite",),
                "es": ("la derecha",), "pt": ("da direita",), "ko": ("오른쪽",),
            },
            "left": {
                "en": ("the left",), "zh": ("左边",), "fr": ("la gauche",),
                "es": ("la izquierda",), "pt": ("da esquerda",), "ko": ("왼쪽",),
            },
        },
    },
)  # fmt: skip

register(
    Family(
        name="block_views",
        ability="Gv-SR",
        radicals={
            "base": (4, 5),
            "columns": (6, 8, 10),
            "layers": (3, 4),
            "side": ("front", "right", "left"),
        },
        presets={
            "easy": {"base": (4,), "columns": (6,), "side": ("front",)},
            "medium": {"base": (4,), "columns": (8,), "side": ("front", "right")},
            "hard": {"base": (5,), "columns": (8, 10), "layers": (4,), "side": ("right", "left")},
        },
        fits=lambda levels: int(levels["columns"]) in {4: (6, 8), 5: (8, 10)}[int(levels["base"])],
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda heights: say("view", numbers=tuple(heights)),
        texts=joined(COMMON, _TEXTS),
        scene_type=Scene,
        version="2",
        content_type=Profile,
        options=(4,),
        origin="views of a pile of blocks from another side: perspective taking of Piaget and "
        "Inhelder's three mountains (1948), as orthographic views in drafting tests",
        literature=(
            "Piaget, J., & Inhelder, B. (1956). The child's conception of space. Routledge.",
            "Eliot, J., & Smith, I. M. (1983). An international directory of spatial tests. "
            "NFER-Nelson.",
        ),
        mm_iq=("3D-geometry",),
        m3gia=("visualization",),
    )
)

"""Relative positions: which cube is reached by steps as someone on another side sees them?

Colored cubes stand on a floor, some on others. Steps to the left, to the right, nearer, farther, up
and down are those of a person whose place and direction of view an arrow shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.texts import LANGUAGES, Say, Texts, joined, say
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.polycubes import (
    HUES,
    Cell3,
    Point,
    all_visible,
    draw_cells,
    draw_floor,
    place,
    shaded,
)
from gfactor.items import ItemRandom

UNIT, OPTION_UNIT = 46, 40
PANEL = (460, 340)
CORNER = (75, 235)
"""Position of the front left corner of the floor in the panel."""
ARROW = (30, 30, 30)
_DRAWS = 60

WAYS: Mapping[str, tuple[int, int]] = {
    "front": (0, 1), "right": (-1, 0), "back": (0, -1), "left": (1, 0),
}  # fmt: skip
"""Side that the person stands on -> the direction (x, y) in which the person looks."""
MOVES = ("left", "right", "farther", "nearer", "up", "down")


@dataclass(frozen=True)
class Scene:
    """Places across the floor; cubes (x, y, z, color); the person's side; start and steps."""

    base: int
    cubes: tuple[tuple[int, int, int, str], ...]
    side: str
    start: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class ApartScene(Scene):
    """A scene whose arrow stands clear of the cubes; in version 1 it lay over those before it."""

    apart: bool = True


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    base, count, stacked, steps = (
        int(levels[name]) for name in ("base", "cubes", "stacked", "steps")
    )
    side = str(levels["side"])
    for _ in range(_DRAWS):
        cubes = _cubes(rng, base, count, stacked)
        if not cubes or not all_visible(cubes, 0.4):
            continue
        named = {cell: hue for cell, hue in zip(cubes, rng.sample(list(HUES), count), strict=True)}
        walk = _walk(rng, named, base, side, steps)
        if walk is None:
            continue
        start, moves, end = walk
        placed = tuple((*cell, named[cell]) for cell in sorted(named))
        scene = ApartScene(base, placed, side, named[start], moves)
        wrong = _errors(rng, scene, named, start, options)
        return Draft(scene, named[end], wrong)
    return Draft(Scene(0, (), side, "", ()), "")


def _cubes(rng: ItemRandom, base: int, count: int, stacked: int) -> list[Cell3]:
    """Cubes near each other on the floor, and so many on top of others."""
    positions = [(x, y) for x in range(base) for y in range(base)]
    below = rng.sample(positions, count - stacked)
    if stacked > len(below):
        return []
    above = rng.sample(below, stacked)
    return [(x, y, 0) for x, y in below] + [(x, y, 1) for x, y in above]


def step(cell: Cell3, move: str, side: str) -> Cell3:
    """Return the next place in a direction, as a person on that side sees it."""
    ahead = WAYS[side]
    # The right hand of who looks along (x, y) is along (y, -x).
    right = (ahead[1], -ahead[0])
    x, y, z = {
        "left": (-right[0], -right[1], 0),
        "right": (*right, 0),
        "farther": (*ahead, 0),
        "nearer": (-ahead[0], -ahead[1], 0),
        "up": (0, 0, 1),
        "down": (0, 0, -1),
    }[move]
    return cell[0] + x, cell[1] + y, cell[2] + z


_OPPOSITE = {
    "left": "right", "right": "left", "farther": "nearer", "nearer": "farther", "up": "down",
    "down": "up",
}  # fmt: skip


def _walk(
    rng: ItemRandom, named: Mapping[Cell3, str], base: int, side: str, steps: int
) -> tuple[Cell3, tuple[str, ...], Cell3] | None:
    """A cube, steps over the floor that never turn back, and the other cube where they end."""
    for _ in range(20):
        start = rng.choice(sorted(named))
        here, moves = start, []
        while len(moves) < steps:
            fitting = []
            for move in MOVES:
                x, y, z = step(here, move, side)
                inside = 0 <= x < base and 0 <= y < base and 0 <= z <= 1
                back = bool(moves) and move == _OPPOSITE[moves[-1]]
                if inside and not back and (z == 0 or (x, y, 0) in named):
                    fitting.append(move)
            if not fitting:
                break
            moves.append(rng.choice(fitting))
            here = step(here, moves[-1], side)
        if len(moves) == steps and here in named and here != start:
            return start, tuple(moves), here
    return None


def _reached(start: Cell3, moves: Sequence[str], side: str) -> Cell3:
    for move in moves:
        start = step(start, move, side)
    return start


def _errors(
    rng: ItemRandom, scene: Scene, named: Mapping[Cell3, str], start: Cell3, options: int
) -> tuple[Distractor, ...]:
    """Other cubes: those that an error leads to first."""
    right = _reached(start, scene.moves, scene.side)
    turned = {"front": "back", "back": "front", "left": "right", "right": "left"}
    flipped = [_OPPOSITE[m] if m in ("left", "right") else m for m in scene.moves]
    errors = {}
    for cell, error in (
        (_reached(start, scene.moves, "front"), "the onlooker's view"),
        (_reached(start, flipped, scene.side), "left and right exchanged"),
        (_reached(start, scene.moves, turned[scene.side]), "the opposite view"),
        (_reached(start, scene.moves[:-1], scene.side), "a step left out"),
    ):
        if cell in named and cell not in (right, start):
            errors.setdefault(named[cell], error)
    # The start, which the question names, is not an option.
    others = rng.shuffled([h for c, h in named.items() if c not in (right, start)])
    chosen = sorted(others, key=lambda hue: hue not in errors)[: options - 1]
    return tuple(Distractor(hue, errors.get(hue, "another cube")) for hue in chosen)


def solve(scene: Scene, options: Sequence[str]) -> Proof:
    """Follow the steps from the cube that they start at."""
    cells = {(x, y, z): hue for x, y, z, hue in scene.cubes}
    starts = [cell for cell, hue in cells.items() if hue == scene.start]
    ends = [cells.get(_reached(cell, scene.moves, scene.side), "") for cell in starts]
    fits = tuple(option for option in options if option in ends)
    return Proof(fits, max(1, len(scene.moves) * len(starts)))


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board((PANEL,), options, (110, 100))


def picture(scene: Scene, options: Sequence[str]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    origin = (panel.x + CORNER[0], panel.y + CORNER[1])
    draw_floor(canvas, scene.base, scene.base, origin, UNIT)
    shades = {(x, y, z): shaded(HUES[hue]) for x, y, z, hue in scene.cubes}
    if isinstance(scene, ApartScene):
        _draw_arrow(canvas, scene, origin, _AWAY)
        draw_cells(canvas, list(shades), origin, UNIT, shades)
    else:
        draw_cells(canvas, list(shades), origin, UNIT, shades)
        _draw_arrow(canvas, scene, origin, dict.fromkeys(_AWAY, 0.2))
    for option_panel, hue in zip(plan.option_panels, options, strict=True):
        x, y = option_panel.middle
        cell = (0, 0, 0)
        corner = (x - 0.70 * OPTION_UNIT, y + 0.57 * OPTION_UNIT)
        draw_cells(canvas, [cell], corner, OPTION_UNIT, {cell: shaded(HUES[hue])})
    return (canvas.pixels,)


_AWAY = {"front": 0.2, "right": 0.2, "back": 3.0, "left": 1.7}
"""Tiles from the floor to the tip of the arrow: cubes hide what is close behind them."""


def _draw_arrow(
    canvas: Canvas, scene: Scene, origin: Point, distances: Mapping[str, float]
) -> None:
    """An arrow on the floor beside the tiles, in the direction in which the person looks."""
    base, away = scene.base, distances[scene.side]
    tip = {
        "front": (base / 2, -away), "right": (base + away, base / 2),
        "back": (base / 2, base + away), "left": (-away, base / 2),
    }[scene.side]  # fmt: skip
    (tx, ty), (wx, wy) = tip, WAYS[scene.side]
    flat = [(0.0, 0.0), (-0.5, 0.4), (-0.5, 0.15), (-1.1, 0.15)]
    flat += [(a, -b) for a, b in reversed(flat[1:])]
    points = [(tx + a * wx - b * wy, ty + a * wy + b * wx, 0) for a, b in flat]
    canvas.polygon([place(p, origin, UNIT) for p in points], ARROW, ARROW, 1)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (
        say("floor", base=scene.base),
        *(say("block", hue=hue, x=x + 1, y=y + 1, z=z + 1) for x, y, z, hue in scene.cubes),
        say("person", stand=scene.side),
        *question(scene)[1:],
    )


def from_twin(lines: Sequence[Say]) -> Scene:
    floor, *blocks, person, steps = lines
    cubes = tuple(
        (one["x"] - 1, one["y"] - 1, one["z"] - 1, str(one["hue"]))  # pyright: ignore
        for one in blocks
    )
    moves = tuple(str(one["move"]) for one in steps["moves"])  # pyright: ignore
    return ApartScene(
        int(str(floor["base"])), cubes, str(person["stand"]), str(steps["hue"]), moves
    )


def question(scene: Scene) -> tuple[Say, ...]:
    moves = tuple(say("one_move", move=move) for move in scene.moves)
    return (say("ask"), say("steps", hue=scene.start, moves=moves))


def _word(en: str, zh: str, fr: str, es: str, pt: str, ko: str) -> dict[str, tuple[str, ...]]:
    return {"en": (en,), "zh": (zh,), "fr": (fr,), "es": (es,), "pt": (pt,), "ko": (ko,)}


_WORDS = {
    "hue": {
        "red": _word("red", "红色", "rouge", "rojo", "vermelho", "빨간색"),
        "green": _word("green", "绿色", "vert", "verde", "verde", "초록색"),
        "blue": _word("blue", "蓝色", "bleu", "azul", "azul", "파란색"),
        "yellow": _word("yellow", "黄色", "jaune", "amarillo", "amarelo", "노란색"),
        "purple": _word("purple", "紫色", "violet", "morado", "roxo", "보라색"),
        "orange": _word("orange", "橙色", "orange", "naranja", "laranja", "주황색"),
        "white": _word("white", "白色", "blanc", "blanco", "branco", "흰색"),
        "pink": _word("pink", "粉色", "rose", "rosa", "rosa", "분홍색"),
    },
    "move": {
        "left": _word("to the left", "向左", "à gauche", "a la izquierda", "à esquerda", "왼쪽"),
        "right": _word("to the right", "向右", "à droite", "a la derecha", "à direita", "오른쪽"),
        "farther": _word(
            "away from the person", "远离此人", "en s'éloignant de la personne",
            "alejándose de la persona", "afastando-se da pessoa", "그 사람에게서 먼 쪽",
        ),
        "nearer": _word(
            "towards the person", "靠近此人", "en s'approchant de la personne",
            "acercándose a la persona", "aproximando-se da pessoa", "그 사람에게 가까운 쪽",
        ),
        "up": _word("up", "向上", "vers le haut", "hacia arriba", "para cima", "위쪽"),
        "down": _word("down", "向下", "vers le bas", "hacia abajo", "para baixo", "아래쪽"),
    },
    "stand": {
        "front": _word("the front", "前面", "l'avant", "delante", "na frente", "앞쪽"),
        "right": _word("the right", "右边", "la droite", "la derecha", "à direita", "오른쪽"),
        "back": _word("the back", "后面", "l'arrière", "detrás", "atrás", "뒤쪽"),
        "left": _word("the left", "左边", "la gauche", "la izquierda", "à esquerda", "왼쪽"),
    },
}  # fmt: skip
_TEMPLATES = {
    "one_move": dict.fromkeys(LANGUAGES, "{move}"),
    "ask": {
        "en": "A person stands where the arrow begins and looks along it over the cubes on the "
        "floor.",
        "zh": "一个人站在箭头的起点，沿箭头方向看着地面上的正方体。",
        "fr": "Une personne se tient à l'origine de la flèche et regarde dans sa direction, vers "
        "les cubes posés sur le sol.",
        "es": "Una persona está donde empieza la flecha y mira en su dirección hacia los cubos del "
        "suelo.",
        "pt": "Uma pessoa está no início da seta e olha na direção dela para os cubos no chão.",
        "ko": "한 사람이 화살표가 시작되는 곳에 서서 화살표 방향으로 바닥의 정육면체들을 봅니다.",
    },
    "steps": {
        "en": "Starting from the {hue} cube, go one place at a time, as this person sees it: "
        "{moves}. Which cube is reached?",
        "zh": "从{hue}正方体出发，按此人看到的方向每次移动一格：{moves}。到达哪个正方体？",
        "fr": "En partant du cube {hue}, on avance d'une place à la fois, selon le point de vue de "
        "cette personne : {moves}. Quel cube atteint-on ?",
        "es": "Partiendo del cubo {hue}, se avanza un lugar cada vez, según lo ve esa persona: "
        "{moves}. ¿A qué cubo se llega?",
        "pt": "Partindo do cubo {hue}, avança-se um lugar de cada vez, conforme essa pessoa vê: "
        "{moves}. A que cubo se chega?",
        "ko": "{hue} 정육면체에서 출발하여 그 사람이 보는 방향대로 한 칸씩 움직입니다: {moves}. "
        "어느 정육면체에 도착합니까?",
    },
    "floor": {
        "en": "The floor has {base} x {base} places (x, y): x counts to the right, y to the back, "
        "both from 1; z is the layer, 1 on the floor.",
        "zh": "地面有 {base} x {base} 个位置 (x, y)：x 向右数，y 向后数，都从1开始；z "
        "是层数，地面上为1。",
        "fr": "Le sol compte {base} x {base} places (x, y) : x compte vers la droite, y vers "
        "l'arrière, à partir de 1 ; z est la couche, 1 sur le sol.",
        "es": "El suelo tiene {base} x {base} lugares (x, y): x cuenta hacia la derecha, y hacia "
        "atrás, desde 1; z es la capa, 1 en el suelo.",
        "pt": "O chão tem {base} x {base} lugares (x, y): x conta para a direita, y para trás, a "
        "partir de 1; z é a camada, 1 no chão.",
        "ko": "바닥에는 {base} x {base}개의 자리 (x, y)가 있습니다. x는 오른쪽, y는 뒤쪽으로 1부터 "
        "세고, z는 층으로 바닥이 1입니다.",
    },
    "block": {
        "en": "The {hue} cube is at ({x}, {y}, {z}).",
        "zh": "{hue}正方体在 ({x}, {y}, {z})。",
        "fr": "Le cube {hue} est en ({x}, {y}, {z}).",
        "es": "El cubo {hue} está en ({x}, {y}, {z}).",
        "pt": "O cubo {hue} está em ({x}, {y}, {z}).",
        "ko": "{hue} 정육면체의 위치: ({x}, {y}, {z}).",
    },
    "person": {
        "en": "Side of the floor where the arrow begins: {stand}",
        "zh": "箭头起点所在的一侧：{stand}",
        "fr": "Côté du sol où la flèche commence : {stand}",
        "es": "Lado del suelo donde empieza la flecha: {stand}",
        "pt": "Lado do chão onde a seta começa: {stand}",
        "ko": "화살표가 시작되는 쪽: {stand}",
    },
    "which": {
        "en": "the {hue} cube",
        "zh": "{hue}正方体",
        "fr": "le cube {hue}",
        "es": "el cubo {hue}",
        "pt": "o cubo {hue}",
        "ko": "{hue} 정육면체",
    },
}

register(
    Family(
        name="relative_positions",
        ability="Gv-SR",
        radicals={
            "base": (4, 5),
            "cubes": (6, 7, 8),
            "stacked": (0, 1, 2),
            "steps": (1, 2, 3),
            "side": ("front", "right", "left", "back"),
        },
        presets={
            "easy": {"base": (4,), "steps": (1,), "side": ("front",), "stacked": (0, 1)},
            "medium": {"base": (4,), "steps": (2,), "side": ("right", "left")},
            "hard": {"base": (5,), "steps": (3,), "side": ("left", "back"), "cubes": (7, 8)},
        },
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda hue: say("which", hue=hue),
        texts=joined(COMMON, Texts(_TEMPLATES, _WORDS)),
        scene_type=Scene,
        version="2",
        options=(4,),
        origin="taking another's view of a scene: Piaget and Inhelder's three mountains (1948); "
        "object perspective of Kozhevnikov and Hegarty (2001)",
        literature=(
            "Piaget, J., & Inhelder, B. (1956). The child's conception of space. Routledge.",
            "Kozhevnikov, M., & Hegarty, M. (2001). A dissociation between object manipulation "
            "spatial ability and spatial orientation ability. Memory & Cognition, 29, 745-756.",
        ),
        unobserved="the steps are asked for in words, and observers see pictures alone",
        mm_iq=("spatial relationship",),
        m3gia=("real-world spatial",),
    )
)

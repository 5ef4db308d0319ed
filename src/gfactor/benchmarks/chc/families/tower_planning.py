"""Tower planning: with which move does the shortest way from start to goal begin?

Pieces of different forms stand on numbered pegs, one on top of the other; a peg may be too short
for all of them. A move takes the topmost piece of a peg to the top of another peg that has room.
The first move of the shortest sequence of moves that reaches the goal is asked for: as the number
of the peg it leaves, followed by that of the peg it goes to. All shortest sequences begin with it.

Shallice, T. (1982) introduced the Tower of London, after the Tower of Hanoi of É. Lucas. The pieces
and problems are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, SHADED_FORM
from gfactor.benchmarks.chc.conversations import NUMBER
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, SHADES, draw_form
from gfactor.items import ItemRandom

PEGS = 3
Places = tuple[tuple[int, ...], ...]
"""The pieces on each peg by number, from the bottom to the top."""


@dataclass(frozen=True)
class Piece:
    """A form in a shade."""

    form: str
    shade: str


@dataclass(frozen=True)
class Scene:
    """The pieces, how many fit on each peg, and where they stand at the start and in the goal."""

    pieces: tuple[Piece, ...]
    room: tuple[int, ...]
    start: Places
    goal: Places


def moves(places: Places, room: Sequence[int]) -> Iterator[tuple[int, Places]]:
    """Every move that is possible, as a two-digit number, and where it leads."""
    for source, pieces in enumerate(places):
        for target in range(len(places)):
            if pieces and target != source and len(places[target]) < room[target]:
                after = list(places)
                after[source], after[target] = pieces[:-1], (*places[target], pieces[-1])
                yield 10 * (source + 1) + target + 1, tuple(after)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, wanted = int(levels["pieces"]), int(levels["moves"])
    room = [count] * PEGS
    if levels["pegs"] == "unequal":
        room = rng.shuffled([count, count - 1, max(1, count - 2)])
    forms = rng.sample(ATTRIBUTES["form"], count)
    pieces = tuple(Piece(form, rng.choice(SHADES)) for form in forms)
    start = _stand(rng, count, room, levels["start"] == "tower")
    # Outwards from the start: how far every state is, and by which first moves.
    far: dict[Places, int] = {start: 0}
    first: dict[Places, set[int]] = {start: set()}
    edge = [start]
    for distance in range(1, wanted + 1):
        reached: list[Places] = []
        for positions in edge:
            for move, after in moves(positions, room):
                if far.setdefault(after, distance) == distance:
                    if after not in first:
                        first[after] = set()
                        reached.append(after)
                    first[after] |= first[positions] or {move}
        edge = reached
    goals = [positions for positions in edge if len(first[positions]) == 1]
    goals = [g for g in goals if _is_detour(start, g, *first[g]) == (levels["detour"] == 1)]
    if not goals:
        raise MisdrawnError
    goal = rng.choice(goals)
    (move,) = first[goal]
    return Draft(Scene(pieces, tuple(room), start, goal), move, design=wanted)


def _stand(rng: ItemRandom, count: int, room: Sequence[int], tower: bool) -> Places:
    """Pieces that stand somehow: all on one peg, or on all pegs that they may."""
    order = rng.shuffled(range(count))
    if tower:
        peg = rng.choice([k for k in range(PEGS) if room[k] >= count])
        return tuple(tuple(order) if k == peg else () for k in range(PEGS))
    pegs: list[list[int]] = [[] for _ in range(PEGS)]
    for piece in order:
        peg = rng.choice([k for k in range(PEGS) if len(pegs[k]) < room[k]])
        pegs[peg].append(piece)
    if sum(map(bool, pegs)) < 2:
        raise MisdrawnError
    return tuple(map(tuple, pegs))


def _is_detour(start: Places, goal: Places, move: int) -> bool:
    """Return True if the first move takes its piece to another peg than the goal's."""
    source, target = divmod(move, 10)
    return start[source - 1][-1] not in goal[target - 1]


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Breadth first from the goal (moves can be undone): moves from the start that lead nearer."""
    far = {scene.goal: 0}
    edge = [scene.goal]
    while scene.start not in far and edge:
        reached = []
        for positions in edge:
            for _, before in moves(positions, scene.room):
                if before not in far:
                    far[before] = far[positions] + 1
                    reached.append(before)
        edge = reached
    if scene.start not in far:
        return Proof((), len(far))
    nearer = far[scene.start] - 1
    result = [move for move, after in moves(scene.start, scene.room) if far.get(after) == nearer]
    return Proof(tuple(result), len(far))


STEP, BASE, TOP = 40, 26, 30
"""Height of a piece, of the numbers below a board, and of the sign above it, in pixels."""

PEG, GAP = 64, 70
"""Distance of pegs and of both boards, in pixels."""


def size_for(pieces: int) -> tuple[int, int]:
    """Width and height of a picture with so many pieces."""
    return 2 * PEGS * PEG + GAP, TOP + (pieces + 1) * STEP + BASE


def picture(scene: Scene, options: Sequence[Any]) -> tuple[Pixels, ...]:
    width, height = size_for(len(scene.pieces))
    canvas = Canvas(Frame(width, height))
    for left, positions in ((0, scene.start), (PEGS * PEG + GAP, scene.goal)):
        _draw_board(canvas, scene, left, positions)
    middle, y = width // 2, height // 2
    canvas.line(middle - 18, y, middle + 18, y, INK, 3)
    for by in (-9, 9):
        canvas.line(middle + 18, y, middle + 8, y + by, INK, 3)
    return (canvas.pixels,)


def _draw_board(canvas: Canvas, scene: Scene, left: int, positions: Places) -> None:
    floor = canvas.frame.height - BASE
    canvas.rectangle(left + 8, floor, left + PEGS * PEG - 8, floor + 3, INK)
    for peg, pieces in enumerate(positions):
        x = left + peg * PEG + PEG // 2
        canvas.rectangle(x - 1, floor - scene.room[peg] * STEP - 6, x + 2, floor, INK)
        canvas.text(x, floor + BASE / 2 + 2, str(peg + 1), 14, INK, 2)
        for level, piece in enumerate(pieces):
            y = floor - level * STEP - STEP / 2
            one = scene.pieces[piece]
            draw_form(canvas, one.form, x, y, STEP * 0.45, one.shade)


def twin(scene: Scene) -> tuple[Say, ...]:
    def line(pieces: Sequence[int]) -> tuple[Say, ...]:
        return tuple(
            say("piece", form=scene.pieces[k].form, shade=scene.pieces[k].shade) for k in pieces
        )

    lines = [say("room", place=k, n=n) for k, n in enumerate(scene.room, 1)]
    for name, positions in (("start", scene.start), ("goal", scene.goal)):
        for k, pieces in enumerate(positions, 1):
            if pieces:
                lines.append(say(name, place=k, cells=line(pieces)))
            else:
                lines.append(say(f"{name}_empty", place=k))
    return (*lines, say("pieces", cells=line(range(len(scene.pieces)))))


def from_twin(says: Sequence[Say]) -> Scene:
    def pieces(cells: Any) -> tuple[Piece, ...]:
        return tuple(Piece(str(one["form"]), str(one["shade"])) for one in cells)

    piece_names = pieces(says[-1]["cells"])
    room: list[int] = []
    positions: dict[str, list[tuple[int, ...]]] = {"start": [], "goal": []}
    for one in says[:-1]:
        name = one.template.split("_")[0]
        if name == "room":
            room.append(int(str(one["n"])))
        else:
            standing = pieces(one.values.get("cells", ()))
            positions[name].append(tuple(map(piece_names.index, standing)))
    return Scene(piece_names, tuple(room), tuple(positions["start"]), tuple(positions["goal"]))


TEXTS = Texts(
    {
        "ask": {
            "en": "The pieces on the left are to be brought into the order on the right in as few "
            "moves as possible. A move takes the topmost piece of a peg to the top of another "
            "peg; on no peg may stand more pieces than fit on it. With which move does the "
            "shortest solution begin? Give the number of the peg that the piece leaves, followed "
            "at once by the number of the peg to which it goes: 12 is a move from peg 1 to peg 2.",
            "zh": "要用尽可能少的步数把左边的棋子摆成右边的样子。每一步把一根柱子最上面的棋子移到"
            "另一根柱子的最上面；任何柱子上的棋子都不能超过它能容纳的数目。最短的解法从哪一步开始？"
            "请写出棋子离开的柱子的编号，紧接着写出它移到的柱子的编号：12表示从柱子1移到柱子2。",
            "fr": "Il faut amener les pièces de gauche dans la disposition de droite en aussi peu "
            "de coups que possible. Un coup prend la pièce du haut d'une tige et la pose au sommet "
            "d'une autre tige ; aucune tige ne peut porter plus de pièces qu'elle n'en contient. "
            "Par quel coup commence la solution la plus courte ? Donnez le numéro de la tige que "
            "la pièce quitte, suivi aussitôt du numéro de celle où elle va : 12 est un coup de la "
            "tige 1 à la tige 2.",
            "es": "Hay que llevar las piezas de la izquierda a la disposición de la derecha en el "
            "menor número de movimientos. Un movimiento lleva la pieza superior de una varilla a "
            "lo alto de otra; en ninguna varilla puede haber más piezas de las que caben. ¿Con qué "
            "movimiento empieza la solución más corta? Indique el número de la varilla que la "
            "pieza deja, seguido del número de la varilla a la que va: 12 es un movimiento de la "
            "varilla 1 a la varilla 2.",
            "pt": "As peças da esquerda devem ser levadas à disposição da direita no menor número "
            "de movimentos. Um movimento leva a peça do topo de uma haste para o topo de outra; em "
            "nenhuma haste pode haver mais peças do que cabem. Com qual movimento começa a solução "
            "mais curta? Informe o número da haste que a peça deixa, seguido do número da haste "
            "para a qual ela vai: 12 é um movimento da haste 1 para a haste 2.",
            "ko": "왼쪽의 조각들을 될 수 있는 대로 적은 횟수로 옮겨 오른쪽과 같이 만들어야 합니다. "
            "한 번에 한 기둥의 맨 위 조각을 다른 기둥의 맨 위로 옮깁니다. 어느 기둥에도 들어갈 수 "
            "있는 것보다 많은 조각을 놓을 수 없습니다. 가장 짧은 풀이는 어떤 이동으로 시작합니까? "
            "조각이 떠나는 기둥의 번호에 이어 조각이 가는 기둥의 번호를 쓰십시오. 12는 기둥 1에서 "
            "기둥 2로 가는 이동입니다.",
        },
        "room": {
            "en": "Room for pieces on peg {place}: {n}",
            "zh": "柱子{place}可容纳的棋子数：{n}",
            "fr": "Places pour des pièces sur la tige {place} : {n}",
            "es": "Piezas que caben en la varilla {place}: {n}",
            "pt": "Peças que cabem na haste {place}: {n}",
            "ko": "기둥 {place}에 들어가는 조각 수: {n}",
        },
        "start": {
            "en": "At the start, on peg {place}, from bottom to top: {cells}",
            "zh": "开始时，柱子{place}上从下到上：{cells}",
            "fr": "Au départ, sur la tige {place}, de bas en haut : {cells}",
            "es": "Al inicio, en la varilla {place}, de abajo arriba: {cells}",
            "pt": "No início, na haste {place}, de baixo para cima: {cells}",
            "ko": "시작할 때 기둥 {place}에 아래에서 위로: {cells}",
        },
        "start_empty": {
            "en": "At the start, peg {place} is empty.",
            "zh": "开始时，柱子{place}是空的。",
            "fr": "Au départ, la tige {place} est vide.",
            "es": "Al inicio, la varilla {place} está vacía.",
            "pt": "No início, a haste {place} está vazia.",
            "ko": "시작할 때 기둥 {place}: 비어 있음",
        },
        "goal": {
            "en": "In the end, on peg {place}, from bottom to top: {cells}",
            "zh": "结束时，柱子{place}上从下到上：{cells}",
            "fr": "À la fin, sur la tige {place}, de bas en haut : {cells}",
            "es": "Al final, en la varilla {place}, de abajo arriba: {cells}",
            "pt": "No fim, na haste {place}, de baixo para cima: {cells}",
            "ko": "끝날 때 기둥 {place}에 아래에서 위로: {cells}",
        },
        "goal_empty": {
            "en": "In the end, peg {place} is empty.",
            "zh": "结束时，柱子{place}是空的。",
            "fr": "À la fin, la tige {place} est vide.",
            "es": "Al final, la varilla {place} está vacía.",
            "pt": "No fim, a haste {place} está vazia.",
            "ko": "끝날 때 기둥 {place}: 비어 있음",
        },
        "pieces": {
            "en": "The pieces are: {cells}",
            "zh": "棋子有：{cells}",
            "fr": "Les pièces sont : {cells}",
            "es": "Las piezas son: {cells}",
            "pt": "As peças são: {cells}",
            "ko": "조각: {cells}",
        },
        "piece": SHADED_FORM,
    },
    {},
)


def fits(levels: Levels) -> bool:
    """Two moves leave no detour; three pieces that have room everywhere need few moves."""
    moves, direct = int(levels["moves"]), levels["detour"] == 0
    spread, equal = levels["start"] == "spread", levels["pegs"] == "equal"
    if levels["pieces"] == 3 and moves == 6:
        return not equal and (spread or not direct)
    if levels["pieces"] == 3 and moves == 5:
        return not (equal and spread and direct)
    return moves > 2 or direct


register(
    Family(
        name="tower_planning",
        ability="EF",
        radicals={
            "pieces": (3, 4, 5),
            "moves": (2, 3, 4, 5, 6),
            "detour": (0, 1),
            "pegs": ("equal", "unequal"),
            "start": ("tower", "spread"),
        },
        presets={
            "easy": {"pieces": (3, 4), "moves": (2, 3), "detour": (0,)},
            "medium": {"pieces": (4,), "moves": (4, 5)},
            "hard": {"pieces": (5,), "moves": (5, 6), "detour": (1,), "pegs": ("unequal",)},
        },
        extreme={"pieces": (5,), "moves": (10, 12), "detour": (1,), "pegs": ("unequal",),
                 "start": ("tower",)},
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        answer_types=("open",),
        output_format=NUMBER,
        seed_classes=4,
        fits=fits,
        origin="Shallice (1982), Tower of London",
        literature=(
            "Shallice, T. (1982). Specific impairments of planning. Philosophical Transactions of "
            "the Royal Society B, 298(1089), 199-209.",
            "Kaller, C. P., Unterrainer, J. M., Rahm, B., & Halsband, U. (2004). The impact of "
            "problem structure on planning: Insights from the Tower of London task. Cognitive "
            "Brain Research, 20(3), 462-472.",
        ),
    )
)  # fmt: skip

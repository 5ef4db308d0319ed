"""Tower planning: with which moves does the shortest way from start to goal begin?

Pieces of different forms stand on numbered pegs, one on top of the other; a peg may be too short
for all of them. A move takes the topmost piece of a peg to the top of another peg that has room.
The answer is the first move of the shortest sequence that reaches the goal: the number of the peg
that the piece leaves, followed by that of the peg it goes to. Hard items ask for the first two
moves and extreme items for three, since a single move is often guessed without planning: a tower
has only two possible moves. All shortest sequences begin with the moves of the answer.

Shallice, T. (1982) introduced the Tower of London, after the Tower of Hanoi of É. Lucas. The pieces
and problems are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, ShadedForm
from gfactor.benchmarks.chc.conversations import NUMBER
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, SHADES, draw_form
from gfactor.imaging.measures.tower_planning import ABOVE, BASE, GAP, PEG, PEGS, STEP, TOP
from gfactor.items import ItemRandom

Places = tuple[tuple[int, ...], ...]
"""The pieces on each peg by number, from the bottom to the top."""


@dataclass(frozen=True)
class Scene:
    """The pieces, the number that fits on each peg, and their positions at the start and in the
    goal."""

    pieces: tuple[ShadedForm, ...]
    room: tuple[int, ...]
    start: Places
    goal: Places


@dataclass(frozen=True)
class LongerScene(Scene):
    """A scene whose question is about the first `asked` moves, more than one."""

    asked: int


def asked_moves(scene: Scene) -> int:
    """Return the number of moves that a scene asks for."""
    return scene.asked if isinstance(scene, LongerScene) else 1


def number_of(first: Sequence[int]) -> int:
    """Return the number that moves make when they are written one after the other."""
    return int("".join(map(str, first)))


def moves(places: Places, room: Sequence[int]) -> Iterator[tuple[int, Places]]:
    """Yield every possible move, as a two-digit number, and the state that results."""
    for source, pieces in enumerate(places):
        for target in range(len(places)):
            if pieces and target != source and len(places[target]) < room[target]:
                after = list(places)
                after[source], after[target] = pieces[:-1], (*places[target], pieces[-1])
                yield 10 * (source + 1) + target + 1, tuple(after)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, wanted, asked = (int(levels[name]) for name in ("pieces", "moves", "asked"))
    room = [count] * PEGS
    if levels["pegs"] == "unequal":
        room = rng.shuffled([count, count - 1, max(1, count - 2)])
    forms = rng.sample(ATTRIBUTES["form"], count)
    pieces = tuple(ShadedForm(form, rng.choice(SHADES)) for form in forms)
    start = _stand(rng, count, room, levels["start"] == "tower")
    # Search from the start: the distance of every state, and the first moves to it.
    far: dict[Places, int] = {start: 0}
    first: dict[Places, set[tuple[int, ...]]] = {start: {()}}
    edge = [start]
    for distance in range(1, wanted + 1):
        reached: list[Places] = []
        for positions in edge:
            for move, after in moves(positions, room):
                if far.setdefault(after, distance) == distance:
                    if after not in first:
                        first[after] = set()
                        reached.append(after)
                    first[after] |= {(*one, move)[:asked] for one in first[positions]}
        edge = reached
    goals = [positions for positions in edge if len(first[positions]) == 1]
    detour = levels["detour"] == 1
    goals = [g for g in goals if all(_is_detour(start, g, one[0]) == detour for one in first[g])]
    if not goals:
        raise MisdrawnError
    goal = rng.choice(goals)
    (answer,) = first[goal]
    scene = Scene(pieces, tuple(room), start, goal)
    if asked > 1:
        scene = LongerScene(pieces, tuple(room), start, goal, asked)
    return Draft(scene, number_of(answer), design=wanted)


def _stand(rng: ItemRandom, count: int, room: Sequence[int], tower: bool) -> Places:
    """A random state: all pieces on one peg, or on all possible pegs."""
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
    """Solve by a breadth-first search from the goal (moves can be undone); each move then decreases
    the distance."""
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
    ways: list[tuple[tuple[int, ...], Places]] = [((), scene.start)]
    for step in range(1, asked_moves(scene) + 1):
        nearer = far[scene.start] - step
        ways = [
            ((*first, move), after)
            for first, positions in ways
            for move, after in moves(positions, scene.room)
            if far.get(after) == nearer
        ]
    return Proof(tuple(dict.fromkeys(number_of(first) for first, _ in ways)), len(far))


def size_for(pieces: int) -> tuple[int, int]:
    """Return width and height of a picture with the given number of pieces."""
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
    if asked_moves(scene) > 1:
        canvas.text(middle, y - ABOVE, str(asked_moves(scene)), 26, INK, 3)
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
    if asked_moves(scene) > 1:
        lines.append(say("asked", n=asked_moves(scene)))
    return (*lines, say("pieces", cells=line(range(len(scene.pieces)))))


def question(scene: Scene) -> tuple[Say, ...]:
    asked = asked_moves(scene)
    return say("begin"), say("ask_moves", n=asked) if asked > 1 else say("ask")


def from_twin(says: Sequence[Say]) -> Scene:
    def pieces(cells: Any) -> tuple[ShadedForm, ...]:
        return tuple(ShadedForm(str(one["form"]), str(one["shade"])) for one in cells)

    piece_names = pieces(says[-1]["cells"])
    room: list[int] = []
    asked = 1
    positions: dict[str, list[tuple[int, ...]]] = {"start": [], "goal": []}
    for one in says[:-1]:
        name = one.template.split("_")[0]
        if name == "room":
            room.append(int(str(one["n"])))
        elif name == "asked":
            asked = int(str(one["n"]))
        else:
            standing = pieces(one.values.get("cells", ()))
            positions[name].append(tuple(map(piece_names.index, standing)))
    start, goal = (tuple(positions[name]) for name in ("start", "goal"))
    if asked > 1:
        return LongerScene(piece_names, tuple(room), start, goal, asked)
    return Scene(piece_names, tuple(room), start, goal)


def fits(levels: Levels) -> bool:
    """Return True if a design is possible. Two moves leave no room for a detour, and three pieces
    with room on every peg need few moves. From a tower on unequal pegs, two paths of five moves
    begin with the same first move but not with the same two."""
    moves, direct, asked = int(levels["moves"]), levels["detour"] == 0, int(levels["asked"])
    spread, equal = levels["start"] == "spread", levels["pegs"] == "equal"
    if levels["pieces"] == 3 and moves == 6:
        return not equal and (spread or not direct)
    if levels["pieces"] == 3 and moves == 5:
        return not direct or (not spread if equal else spread or asked == 1)
    return moves > 2 or direct


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        question=question,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        answer_types=("open",),
        output_format=NUMBER,
        seed_classes=4,
        fits=fits,
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

"""Form board: which set of pieces fills the outline?

Pieces may be turned, not turned over. In the other sets one or both of two pieces are mirror images
or have a square elsewhere. No two sets hold the same pieces: both would be excluded (version 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, Canvas, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.lattices import (
    Cell2,
    Cells2,
    canonical,
    connected,
    flipped,
    has_hole,
    is_chiral,
    neighbors,
    normalized,
    outline,
    rotations,
    turned,
)
from gfactor.imaging.measures.form_board import FILL, OPTION_UNIT, PIECE, UNIT
from gfactor.items import ItemRandom

LARGEST = 7
"""Greatest width and height of the outline in squares."""
_DRAWS = 40

Pieces = tuple[Cells2, ...]


@dataclass(frozen=True)
class Scene:
    """The squares (row, column) within the outline."""

    outline: Cells2


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, squares, turns = (int(levels[name]) for name in ("pieces", "squares", "turned"))
    for _ in range(_DRAWS):
        parts = _parts(rng, count, squares)
        whole = tuple(sorted(cell for part in parts for cell in part))
        if not whole or not _is_clear(whole):
            continue
        pieces = [normalized(part) for part in parts]
        first, second = rng.sample(range(count), 2)
        others = [_changed(rng, pieces[k], str(levels["foil"])) for k in (first, second)]
        if () in others:
            continue
        error = "mirror image" if levels["foil"] == "mirror" else "square elsewhere"
        sets = [
            (_with(pieces, {first: others[0]}), error),
            (_with(pieces, {second: others[1]}), error),
            (_with(pieces, {first: others[0], second: others[1]}), f"{error} twice"),
        ]
        scene = Scene(normalized(whole))
        if len({contents(one) for one in (pieces, *(wrong for wrong, _ in sets))}) <= len(sets):
            continue
        if any(fills(scene.outline, wrong)[0] for wrong, _ in sets):
            continue
        # Every set shows its pieces in the same order and with the same rotations.
        quarters = [rng.integer(1, 3) if turns else 0 for _ in pieces]
        order = rng.shuffled(range(count))
        piece_sets = [
            tuple(turned(one[k], quarters[k]) for k in order)
            for one in (tuple(pieces), *(wrong for wrong, _ in sets))
        ]
        wrong = zip(piece_sets[1:], (error for _, error in sets), strict=True)
        return Draft(scene, piece_sets[0], tuple(Distractor(one, error) for one, error in wrong))
    return Draft(Scene(()), ())


def _parts(rng: ItemRandom, count: int, squares: int) -> list[Cells2]:
    """Polyominoes side by side; [] if one has no room."""
    taken: set[Cell2] = set()
    parts = []
    for k in range(count):
        size = squares // count + (k < squares % count)
        border = sorted({n for cell in taken for n in neighbors(cell)} - taken)
        part = [rng.choice(border) if border else (0, 0)]
        while len(part) < size:
            beside = sorted({n for c in part for n in neighbors(c)} - taken - set(part))
            if not beside:
                return []
            part.append(rng.choice(beside))
        taken |= set(part)
        parts.append(tuple(sorted(part)))
    return parts


def _is_clear(cells: Cells2) -> bool:
    return max(map(max, normalized(cells))) < LARGEST and not has_hole(normalized(cells))


def _changed(rng: ItemRandom, piece: Cells2, foil: str) -> Cells2:
    """The mirror image, or the piece with a square elsewhere; () if there is none."""
    if foil == "mirror":
        return flipped(piece) if is_chiral(piece) else ()
    result = set()
    for cell in piece:
        rest = [c for c in piece if c != cell]
        for new in {n for c in rest for n in neighbors(c)} - set(piece):
            other = normalized([*rest, new])
            if connected(other) and not has_hole(other) and canonical(other) != canonical(piece):
                result.add(other)
    return rng.choice(sorted(result)) if result else ()


def contents(pieces: Sequence[Cells2]) -> Pieces:
    """Return the pieces of a set in a form that does not depend on their order or rotation."""
    return tuple(sorted(map(canonical, pieces)))


def _with(pieces: Sequence[Cells2], changed: dict[int, Cells2]) -> Pieces:
    return tuple(changed.get(k, piece) for k, piece in enumerate(pieces))


def fills(cells: Cells2, pieces: Sequence[Cells2]) -> tuple[bool, int]:
    """Return True if the pieces, possibly turned, cover the cells exactly, and the number of
    placements tried."""
    tried = 0

    def cover(left: frozenset[Cell2], unused: tuple[int, ...]) -> bool:
        nonlocal tried
        if not unused:
            return not left
        if not left:
            return False
        r, c = min(left)
        for k in unused:
            for shape in set(rotations(pieces[k])):
                # The first free square is the first one of the piece that covers it.
                top, at = shape[0]
                placed = frozenset((a - top + r, b - at + c) for a, b in shape)
                tried += 1
                if placed <= left and cover(left - placed, tuple(u for u in unused if u != k)):
                    return True
        return False

    return cover(frozenset(cells), tuple(range(len(pieces)))), tried


def solve(scene: Scene, options: Sequence[Pieces]) -> Proof:
    """Solve by exact cover: try every way to place each set into the outline."""
    fits, tried = [], 0
    for option in options if scene.outline else ():
        covers, placements = fills(scene.outline, option)
        tried += placements
        if covers:
            fits.append(option)
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board(((280, 270),), options, (170, 170))


def picture(scene: Scene, options: Sequence[Pieces]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    _draw_cells(canvas, scene.outline, panel.middle, UNIT, FILL)
    for option_panel, pieces in zip(plan.option_panels, options, strict=True):
        x, y = option_panel.middle
        for k, piece in enumerate(pieces):
            _draw_cells(
                canvas, piece, (x - 42 + 84 * (k % 2), y - 42 + 84 * (k // 2)), OPTION_UNIT, PIECE
            )
    return (canvas.pixels,)


def _draw_cells(
    canvas: Canvas, cells: Cells2, middle: tuple[int, int], unit: int, fill: tuple[int, int, int]
) -> None:
    """A polyomino's outline round a point."""
    deep, across = (1 + max(cell[k] for cell in cells) for k in (0, 1))
    left, top = middle[0] - across * unit // 2, middle[1] - deep * unit // 2
    canvas.polygon([(left + unit * x, top + unit * y) for x, y in outline(cells)], fill, BLACK, 2)


def _squares(cells: Cells2) -> tuple[Say, ...]:
    return tuple(say("spot_at", row=r + 1, column=c + 1) for r, c in cells)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("outline", squares=_squares(scene.outline)),)


def from_twin(lines: Sequence[Say]) -> Scene:
    spots = lines[0]["squares"]
    return Scene(tuple((s["row"] - 1, s["column"] - 1) for s in spots))  # pyright: ignore


def option(pieces: Pieces) -> Say:
    """Return a set of pieces in words."""
    squares = {f"squares{k}": _squares(piece) for k, piece in enumerate(pieces, 1)}
    return say(f"pieces {len(pieces)}", **squares)


def fits(levels: Levels) -> bool:
    """Return True if the pieces have three to five squares and two, of four or more squares, differ
    from their mirror images.

    If a square is moved, one piece must have four squares: sets of the two pieces of three squares
    differ only in the number of each, and two changes would give the same set twice, or the key."""
    pieces, squares = int(levels["pieces"]), int(levels["squares"])
    larger = min(pieces, squares - 3 * pieces)
    return 3 <= squares / pieces <= 5 and larger >= (1 if levels["foil"] == "square" else 2)


register(
    Family(
        fits=fits,
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=option,
        scene_type=Scene,
        content_type=Pieces,
        options=(4,),
        version="2",
        **declared(__file__, COMMON),
    )
)

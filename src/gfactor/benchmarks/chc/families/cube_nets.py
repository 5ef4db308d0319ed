"""Nets of a cube: which cube can be folded from the net?

The printed side of the net is on the outside. Options exchange two marks (the mirror image of the
corner) and, crossed with that, turn a mark or show opposite faces side by side.

An option of an extreme item shows its cube from two opposite corners, so that all six faces count:
a mark of three faces is turned, one of the other three, or one of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.marks import (
    MARKS,
    cube_origin,
    exchanged,
    mark_read,
    mark_said,
    random_marks,
    random_turn,
    turned_mark,
    view_said,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.cubes import (
    DIRECTED,
    NETS,
    NORMALS,
    Seen,
    draw_cube,
    draw_mark,
    folded_net,
    net_class,
    turned_cube,
    view,
)
from gfactor.imaging.lattices import Cell2, Cells2, neighbors
from gfactor.imaging.measures.cube_nets import EDGE, FIELD, board, views_of_option
from gfactor.imaging.polycubes import INK, ROTATIONS, Rotation, turn
from gfactor.items import ItemRandom

PAPER = (255, 250, 235)


@dataclass(frozen=True)
class Scene:
    """The fields of the net: row, column, mark and clockwise quarter turns of the mark."""

    net: tuple[tuple[int, int, str, int], ...]


@dataclass(frozen=True)
class CornersScene(Scene):
    """A net whose options show several views of a cube, each from another corner."""

    views: int


FACES_SEEN = 3
"""Number of faces of a cube that a view shows."""

OPPOSITE: tuple[Rotation, ...] = tuple(
    r
    for r in ROTATIONS
    if not {turn(r, normal) for normal in NORMALS.values()} & set(NORMALS.values())
)
"""The rotations that show the three faces which were hidden."""


@lru_cache(maxsize=64)
def _corners(name: str, joins: int) -> tuple[tuple[Cells2, int], ...]:
    """Nets of a class, and rotations that show a corner with the given number of pairs of faces
    joined in the net."""
    result = []
    for net in NETS:
        if net_class(net) != name:
            continue
        cube = folded_net({cell: (f"{cell[0]},{cell[1]}", 0) for cell in net}) or {}
        cell_of = {normal: mark for normal, (mark, _) in cube.items()}
        for number, rotation in enumerate(ROTATIONS):
            face = [
                tuple(map(int, cell_of[n].split(",")))
                for n in cell_of
                if turn(rotation, n) in NORMALS.values()
            ]
            pairs = sum(b in neighbors(a) for a in face for b in face) // 2  # pyright: ignore
            if pairs == joins:
                result.append((net, number))
    return tuple(result)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    net, number = rng.choice(_corners(str(levels["net"]), int(levels["joined"])))
    marks = random_marks(rng, 6, int(levels["directed"]))
    fields = {cell: (mark, random_turn(rng, mark)) for cell, mark in zip(net, marks, strict=True)}
    cube = folded_net(fields) or {}
    turned = turned_cube(cube, ROTATIONS[number])
    seen = view(turned)
    fields = _laid(fields, rng.integer(0, 3))
    scene = Scene(tuple((r, c, *fields[r, c]) for r, c in sorted(fields)))
    if levels["foil"] == "corners":
        scene = CornersScene(scene.net, 2)
        seen += view(turned_cube(turned, rng.choice(OPPOSITE)))
        others = _turned_marks(rng, seen)
    else:
        others = _foils(rng, seen, cube, str(levels["foil"]))
    return Draft(scene, seen, others, ("rotation", number))


def _laid(fields: dict[Cell2, tuple[str, int]], quarters: int) -> dict[Cell2, tuple[str, int]]:
    """The net and its marks turned on the table by clockwise quarter turns."""
    for _ in range(quarters):
        height = max(r for r, _ in fields)
        fields = {
            (c, height - r): (mark, (q + 1) % 4 if mark in DIRECTED else 0)
            for (r, c), (mark, q) in fields.items()
        }
    return fields


def _foils(rng: ItemRandom, seen: Seen, cube: dict, foil: str) -> tuple[Distractor, ...]:
    """Mirror image crossed with a turned mark or with opposite faces side by side."""
    a, b = rng.sample(range(3), 2)
    if foil == "turned":
        positions = [k for k in range(3) if seen[k][0] in DIRECTED]
        if not positions:
            return ()
        position, quarters = rng.choice(positions), rng.integer(1, 3)
        wrong, error = turned_mark(seen, position, quarters), "mark turned"
    else:
        position, unchanged = rng.sample(range(3), 2)
        normal = next(n for n, (mark, _) in cube.items() if mark == seen[unchanged][0])
        mark = cube[tuple(-v for v in normal)][0]
        turned_in = (mark, random_turn(rng, mark))
        wrong = (*seen[:position], turned_in, *seen[position + 1 :])
        error = "opposite faces side by side"
    return (
        Distractor(exchanged(seen, a, b), "mirror image"),
        Distractor(wrong, error),
        Distractor(exchanged(wrong, a, b), f"{error} and mirror image"),
    )


def _turned_marks(rng: ItemRandom, seen: Seen) -> tuple[Distractor, ...]:
    """A mark turned in the first view, in the second, or in each."""
    wrong = []
    for start in range(0, len(seen), FACES_SEEN):
        corner = range(start, start + FACES_SEEN)
        pointing = [k for k in corner if seen[k][0] in DIRECTED]
        if not pointing:
            return ()
        wrong.append((rng.choice(pointing), rng.integer(1, 3)))
    first, second = (turned_mark(seen, *one) for one in wrong)
    return (
        Distractor(first, "mark turned"),
        Distractor(second, "mark turned at the other corner"),
        Distractor(turned_mark(first, *wrong[1]), "marks turned at both corners"),
    )


def solve(scene: Scene, options: Sequence[Seen]) -> Proof:
    """Fold the net and turn the cube to each of its 24 positions, for each view of an option."""
    cube = folded_net({(r, c): (mark, quarters) for r, c, mark, quarters in scene.net})
    fits, tried = [], 0
    for option in options if cube else ():
        faces_shown = 0
        for seen in _views(option):
            for rotation in ROTATIONS:
                tried += 1
                if view(turned_cube(cube or {}, rotation)) == seen:
                    faces_shown += len(seen)
                    break
        if faces_shown == len(option):
            fits.append(option)
    return Proof(tuple(fits), tried)


def _views(option: Seen) -> tuple[Seen, ...]:
    """The views that an option consists of."""
    return tuple(option[k : k + FACES_SEEN] for k in range(0, len(option), FACES_SEEN))


def picture(scene: Scene, options: Sequence[Seen]) -> tuple[Pixels, ...]:
    views = scene.views if isinstance(scene, CornersScene) else 1
    plan = board(len(options), views)
    canvas, (panel,) = plan.canvas(), plan.panels
    rows, columns = (1 + max(n) for n in zip(*((r, c) for r, c, _, _ in scene.net), strict=True))
    left = panel.middle[0] - columns * FIELD // 2
    top = panel.middle[1] - rows * FIELD // 2
    for r, c, mark, quarters in scene.net:
        x, y, s = left + c * FIELD, top + r * FIELD, FIELD
        corners = [(x, y + s), (x + s, y + s), (x + s, y), (x, y)]
        canvas.polygon(corners, PAPER, INK, 2)
        draw_mark(canvas, corners, mark, quarters)
    for option_panel, option in zip(plan.option_panels, options, strict=True):
        panels = views_of_option(option_panel, views)
        for one, seen in zip(panels, _views(option), strict=True):
            draw_cube(canvas, seen, cube_origin(one, EDGE), EDGE)
    return (canvas.pixels,)


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("ask"), *_said_of_options(scene))


def _said_of_options(scene: Scene) -> tuple[Say, ...]:
    return (say("shown_twice"),) if isinstance(scene, CornersScene) else ()


def twin(scene: Scene) -> tuple[Say, ...]:
    fields = (
        say("field", row=r + 1, column=c + 1, signs=(mark_said(mark, quarters, "net"),))
        for r, c, mark, quarters in scene.net
    )
    return (*fields, *_said_of_options(scene))


def from_twin(lines: Sequence[Say]) -> Scene:
    net: tuple[Any, ...] = tuple(
        (one["row"] - 1, one["column"] - 1, *mark_read(one["signs"][0], "net"))  # pyright: ignore
        for one in lines
        if one.template == "field"
    )
    return Scene(net) if len(net) == len(lines) else CornersScene(net, 2)


def option_said(option: Seen) -> Say:
    """Return an option in words: a view of a cube, or two of them."""
    first, *others = (view_said("view", seen) for seen in _views(option))
    return say("views", first=(first,), then=tuple(others)) if others else first


register(
    Family(
        fits=lambda levels: (
            (levels["foil"] == "opposites" or int(levels["directed"]) > 0)
            and bool(_corners(str(levels["net"]), int(levels["joined"])))
        ),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=option_said,
        scene_type=Scene,
        content_type=Seen,
        options=(4,),
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON, MARKS),
    )
)

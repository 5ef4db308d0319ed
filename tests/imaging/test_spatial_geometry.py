"""Geometry of the spatial families: polycubes, polyominoes, strokes, folded paper, marked cubes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gfactor.imaging import Canvas, Frame, cubes, lattices, paper, polycubes

HOOK = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0))
"""A chiral tetracube."""
TOWER = ((0, 0, 0), (0, 0, 1), (1, 0, 0))


def test_rotations_are_the_24_of_a_cube_and_close_under_composition() -> None:
    matrices = {tuple(np.ravel(r)): np.array(r) for r in polycubes.ROTATIONS}
    assert len(matrices) == 24
    assert all(round(float(np.linalg.det(m))) == 1 for m in matrices.values())
    products = itertools.product(matrices.values(), repeat=2)
    assert {tuple(np.ravel(a @ b)) for a, b in products} == set(matrices)
    angles = [polycubes.angle(r) for r in polycubes.ROTATIONS]
    assert [angles.count(n) for n in (0, 90, 120, 180)] == [1, 6, 8, 9]


def test_axes_of_rotations_are_named_by_what_they_fix() -> None:
    for rotation in polycubes.ROTATIONS:
        name = polycubes.axis(rotation)
        if name in "xyz":
            unit = tuple(int(n == name) for n in "xyz")
            assert polycubes.turn(rotation, unit) == unit  # pyright: ignore[reportArgumentType]
    names = [polycubes.axis(r) for r in polycubes.ROTATIONS]
    assert (names.count("corner"), names.count("edge"), names.count("none")) == (8, 6, 1)


def test_there_are_29_pentacubes_up_to_rotation_of_which_12_are_chiral() -> None:
    # Free one-sided and two-sided pentacubes: 29 and 23 (OEIS A000162, A038119).
    bodies = {((0, 0, 0),)}
    for _ in range(4):
        bodies = {
            polycubes.canonical(polycubes.normalized([*body, new]))
            for body in bodies
            for cell in body
            for new in polycubes.neighbors(cell)
            if new not in body
        }
    assert len(bodies) == 29
    assert sum(map(polycubes.is_chiral, bodies)) == 12


@pytest.mark.parametrize("rotation", polycubes.ROTATIONS[::5])
def test_turning_keeps_a_body_and_its_mirror_image_apart(rotation: polycubes.Rotation) -> None:
    turned = polycubes.rotated(HOOK, rotation)
    assert polycubes.canonical(turned) == polycubes.canonical(HOOK)
    assert polycubes.canonical(turned) != polycubes.canonical(polycubes.mirrored(HOOK))


def test_a_cube_hides_what_lies_behind_it_and_nothing_else() -> None:
    shares = polycubes.visible_shares(TOWER)
    # The cube beside the tower covers the right side of its lower cube.
    assert ((0, 0, 0), "right") not in shares
    assert shares[(0, 0, 1), "right"] > 0.85
    behind = polycubes.visible_shares([(0, 0, 0), (1, -1, 1)])
    assert behind[(1, -1, 1), "top"] > 0.75
    assert max(s for (cell, _), s in behind.items() if cell == (0, 0, 0)) < 0.75
    assert polycubes.all_visible(TOWER)
    assert not polycubes.all_visible(polycubes.stacked([[3, 3], [1, 3]]))


def test_pictures_show_three_shades_and_edges() -> None:
    canvas = Canvas(Frame(200, 200))
    polycubes.draw_cells(canvas, polycubes.centered(TOWER), (100, 100), 30)
    seen = {tuple(int(v) for v in p) for p in canvas.pixels.reshape(-1, 3)}
    assert {*polycubes.SHADES, polycubes.INK, (255, 255, 255)} <= seen


def test_no_two_near_lattice_points_coincide_in_a_picture() -> None:
    axes = np.array(polycubes.AXES)
    steps = np.array([s for s in itertools.product(range(-8, 9), repeat=3) if any(s)])
    assert np.hypot(*(steps @ axes).T).min() > 0.26


def test_polyominoes_are_counted_as_they_should_be() -> None:
    # One-sided pentominoes: 18; free ones: 12 (OEIS A000988, A000105).
    shapes = {((0, 0),)}
    for _ in range(4):
        shapes = {
            lattices.canonical([*shape, new])
            for shape in shapes
            for cell in shape
            for new in lattices.neighbors(cell)
            if new not in shape
        }
    assert len(shapes) == 18
    assert sum(map(lattices.is_chiral, shapes)) == 12
    for shape in shapes:
        corners = lattices.outline(shape)
        pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
        area = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)
        assert area == 2 * 5


def test_holes_and_pinches_have_no_simple_outline() -> None:
    ring = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    assert lattices.has_hole(ring)
    assert lattices.has_hole([(0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, -1), (0, -1), (2, -1)])
    pinched = [(0, 0), (1, 1), (0, -1), (1, -1), (2, -1), (2, 0), (2, 1)]
    assert lattices.has_hole(pinched)
    assert not lattices.has_hole([(0, 0), (0, 1), (1, 1)])


def test_a_figure_is_found_wherever_it_lies_in_a_pattern_and_only_there() -> None:
    corner = (((0, 0), (0, 1)), ((0, 1), (1, 1)))
    pattern = {*lattices.moved(corner, 2, 3), *lattices.moved(corner, 4, 0), ((0, 0), (1, 0))}
    assert lattices.places_in(corner, pattern) == [(2, 3), (4, 0)]
    assert lattices.places_in(corner, pattern - {((2, 3), (2, 4))}) == [(4, 0)]
    assert lattices.is_whole(corner)
    assert not lattices.is_whole([*corner, ((3, 3), (4, 3))])


@pytest.mark.thorough
def test_paper_keeps_its_area_in_every_fold() -> None:
    for first, second in itertools.product(paper.fold_lines(), repeat=2):
        layers = paper.folded([first, second])
        areas = []
        for layer in layers:
            pairs = zip(layer, (*layer[1:], layer[0]), strict=True)
            areas.append(abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2)
        assert sum(areas) == paper.SIZE**2


def test_a_punch_goes_through_all_layers() -> None:
    quartered = [paper.Fold(1, 0, 6), paper.Fold(0, 1, 6)]
    assert paper.holes(quartered, [(5, 5)]) == ((5, 5), (7, 5), (5, 7), (7, 7))
    assert paper.holes(quartered, [(7, 7)]) == ()
    assert paper.position((3, 3), [paper.Fold(1, -1, 0)]) is None
    diagonal = paper.Fold(1, 1, 12)
    assert paper.holes([diagonal], [(1, 1)]) == ((1, 1), (11, 11))


def test_eleven_hexominoes_fold_to_a_cube() -> None:
    assert len(cubes.NETS) == 11
    classes = [cubes.net_class(net) for net in cubes.NETS]
    assert {c: classes.count(c) for c in classes} == {"1-4-1": 6, "2-3-1": 3, "2-2-2": 1, "3-3": 1}
    with pytest.raises(ValueError, match="not a net"):
        cubes.net_class([(0, c) for c in range(6)])
    assert cubes.folded_net({(0, c): ("disc", 0) for c in range(6)}) is None


def test_opposite_faces_of_a_folded_strip_are_two_fields_apart() -> None:
    names = ("disc", "ring", "plus", "cross")
    net = {(1, c): (name, 0) for c, name in enumerate(names)}
    cube = cubes.folded_net({**net, (0, 1): ("square", 0), (2, 1): ("diamond", 0)})
    assert cube is not None
    at = {mark: normal for normal, (mark, _) in cube.items()}
    for a, b in (("disc", "plus"), ("ring", "cross"), ("square", "diamond")):
        assert at[a] == tuple(-v for v in at[b])


def test_a_cube_has_24_views_and_none_of_its_mirror_image() -> None:
    marks = ("arrow", "tee", "cup", "disc", "ring", "plus")
    net = {cell: (mark, 0) for cell, mark in zip(cubes.NETS[0], marks, strict=True)}
    cube = cubes.folded_net(net)
    assert cube is not None
    views = cubes.views(cube)
    assert len(views) == 24
    for top, front, right in views:
        assert (top, right, front) not in views


def test_turned_marks_look_different_and_symmetric_ones_do_not() -> None:
    corners = [(10, 90), (90, 90), (90, 10), (10, 10)]

    def drawn(mark: str, quarters: int) -> np.ndarray:
        canvas = Canvas(Frame(100, 100))
        cubes.draw_mark(canvas, corners, mark, quarters)
        return canvas.pixels.astype(int)

    for mark in cubes.MARKS:
        differ = np.abs(drawn(mark, 0) - drawn(mark, 1)).mean()
        assert (differ > 10) == (mark in cubes.DIRECTED), mark
    turned = np.rot90(drawn("arrow", 0), -1)[5:-5, 5:-5], drawn("arrow", 1)[5:-5, 5:-5]
    assert np.abs(turned[0] - turned[1]).mean() < 5


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_lattice_has_every_stroke_between_neighbors_once(diagonal: bool) -> None:
    points = list(itertools.product(range(4), range(4)))
    between = {
        lattices.stroke(a, b)
        for a, b in itertools.permutations(points, 2)
        for lengths in [sorted((abs(a[0] - b[0]), abs(a[1] - b[1])))]
        if lengths == [0, 1] or (diagonal and lengths == [1, 1])
    }
    found = lattices.lattice_strokes(4, diagonal)
    assert sorted(between) == list(found)
    assert len(found) == (42 if diagonal else 24)

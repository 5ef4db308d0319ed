"""What weak eyes see may have cells without pixels and figures that leave the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from gfactor.examinees.observer.grids import CellInteriors, gray_ink, lattice_of, share
from gfactor.examinees.observer.layers import RAYS, rays
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import Pixels


def board(cells: int, gap: int) -> Pixels:
    """A board of thin lines, `gap` pixels between them."""
    side = 20 + cells * (gap + 1) + 1
    pixels = np.full((side, side, 3), 255, np.uint8)
    for k in range(cells + 1):
        at = 10 + k * (gap + 1)
        pixels[at, 10 : side - 10] = 0
        pixels[10 : side - 10, at] = 0
    return pixels


def test_nothing_of_a_cell_is_no_share_of_it() -> None:
    picture = board(3, gap=4)
    lattice = lattice_of(picture)
    assert len(lattice.cells) == 9
    assert lattice.patch(gray_ink(picture), (0, 0), inset=3).size == 0
    assert lattice.share(gray_ink(picture), (0, 0), inset=3) == 0
    assert share(np.array([[True, False], [True, True]])) == 0.75


@pytest.mark.parametrize("gap", [1, 2, 3, 4, 7, 19])
@pytest.mark.parametrize("domain", ["cross_and_knots", "grid_path"])
def test_boards_of_tiny_cells_are_looked_at_without_a_warning(domain: str, gap: int) -> None:
    # A solver may find nothing to answer with; what it may not do is to count nothing at all.
    try:
        reply = SOLVERS[domain]((board(3, gap),), IdealPerception())
    except (ValueError, KeyError, IndexError, cv2.error):
        return
    assert reply


def test_a_cell_too_small_for_a_color_says_so() -> None:
    lattice = CellInteriors(((0, 2),), ((0, 9),))
    with pytest.raises(ValueError, match="no color can be made out"):
        lattice.color(np.zeros((9, 9, 3), np.uint8), (0, 0))


def test_rays_that_leave_the_picture_see_its_ground() -> None:
    picture = np.full((40, 60, 3), (200, 210, 220), np.uint8)
    picture[15:25, 25:] = (10, 20, 30)
    seen = rays(picture, 30, 20, 200, per_px=2)
    assert seen.shape == (RAYS, 400, 3)
    assert (seen[0, :59] == (10, 20, 30)).all(), "to the right there is ink up to the edge"
    assert (seen[0, 60:] == (200, 210, 220)).all()
    assert (seen[:, 100:] == (200, 210, 220)).all()
    assert (seen[:, :4] == (10, 20, 30)).all()


def test_colors_between_pixels_lie_on_a_line_with_them() -> None:
    """Of a picture whose levels are a linear function of the place, so are those along a ray."""
    rows, columns = np.mgrid[:41, :61]
    picture = np.repeat((2 * columns + 3 * rows)[..., None], 3, axis=2).astype(np.uint8)
    seen = rays(picture, 30.0, 20.0, 15.0, per_px=2)[..., 0]
    along = np.arange(30) / 2
    for number, levels in enumerate(seen):
        angle = 2 * np.pi * number / RAYS
        exact = 120 + along * (2 * np.cos(angle) + 3 * np.sin(angle))
        assert np.abs(levels - exact).max() <= 0.51
    assert list(seen[0][:5]) == [120, 121, 122, 123, 124]

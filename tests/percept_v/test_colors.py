"""Colors, layers and reflections: each published defect is gone from the audited edition."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES, Edition
from gfactor.benchmarks.percept_v.domains.layered_shapes import nested, ring_width
from gfactor.benchmarks.percept_v.parts import Ground
from gfactor.benchmarks.percept_v.reflection import reflected
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.examinees.observer.solvers import SOLVERS
from gfactor.imaging import (
    BLACK,
    CSS,
    PALETTES,
    TWENTY,
    WHITE,
    Canvas,
    Frame,
    delta_e,
    encode_png,
    smallest_delta_e,
)
from gfactor.imaging.textures import LEVELS, texture
from gfactor.items import ItemRandom, pixel_hash

COLOR_NAMING = ("colours_present", "list_colours", "layered_colours")
REFLECTING = ("mirror_image", "water_image")
GROUP = (*COLOR_NAMING, "list_shapes", "layered_shapes", *REFLECTING)
SEEDS = (7, 8)
SOME_SIZES = (1, 2, 5, 12, 20)
GROUND = Ground(250, 0, 1, 1, 0)


def scenes(name: str, size: int, seed: int = 7, edition: Edition = "audited") -> list[Any]:
    """The scenes of one design cell."""
    cell = {"domain": name, "edition": edition, "size": size, "seed": seed}
    return [DOMAINS[name].make(ItemRandom(cell, k), size, edition) for k in range(INSTANCES)]


def answers(name: str, size: int, seed: int = 7, edition: Edition = "audited") -> list[Any]:
    return [DOMAINS[name].answer(scene) for scene in scenes(name, size, seed, edition)]


# -------------------------------------------------------------------------------- all domains


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GROUP)
def test_knowing_the_size_gives_at_most_a_quarter_of_the_answers(name: str, seed: int) -> None:
    best = [max(Counter(answers(name, size, seed)).values()) / INSTANCES for size in SIZES]
    assert sum(best) / len(best) <= 0.25


@pytest.mark.parametrize("size", SOME_SIZES)
@pytest.mark.parametrize("name", GROUP)
def test_everything_that_matters_is_large_apart_and_of_clear_color(name: str, size: int) -> None:
    for scene in scenes(name, size):
        seen = DOMAINS[name].legibility(scene)
        assert seen.object_px >= 20
        assert seen.gap_px >= 4
        assert smallest_delta_e(sorted(set(seen.colors))) >= 12


@pytest.mark.parametrize("name", GROUP)
def test_the_published_pictures_are_drawn_and_most_are_still_readable(name: str) -> None:
    domain, right = DOMAINS[name], 0
    for scene in scenes(name, 3, edition="paper"):
        reply = SOLVERS[name](domain.draw(scene), IdealPerception())
        right += reply == domain.format_for("paper").render(domain.answer(scene))
    assert right >= 0.8 * INSTANCES


# ------------------------------------------------------------------------------ color naming


@pytest.mark.parametrize("name", COLOR_NAMING)
def test_each_edition_asks_for_the_names_of_its_own_palette_in_its_order(name: str) -> None:
    domain = DOMAINS[name]
    assert ", ".join(TWENTY) in domain.prompt_for("audited").text()
    assert ", ".join(CSS) in domain.prompt_for("paper").text()
    if name != "colours_present":
        assert domain.format_for("audited").vocabulary == tuple(TWENTY)
        assert domain.format_for("paper").vocabulary == tuple(CSS)


@pytest.mark.parametrize("edition", ["audited", "paper"])
def test_the_answer_of_colours_present_follows_the_order_of_the_prompt(edition: Edition) -> None:
    for scene in scenes("colours_present", 7, edition=edition):
        present = {s.color for s in scene.shapes}
        names = list(PALETTES[scene.palette])
        said_yes = {n for n, a in zip(names, answers_of(scene), strict=True) if a == "yes"}
        assert said_yes == present
        assert len(present) == 7


def answers_of(scene: Any) -> tuple[str, ...]:
    return DOMAINS["colours_present"].answer(scene)  # pyright: ignore[reportReturnType]


def test_colours_present_is_forced_at_size_20_only() -> None:
    assert set(answers("colours_present", 20)) == {("yes",) * 20}
    for size in (1, 10, 19):
        assert len(set(answers("colours_present", size))) == INSTANCES, size


@pytest.mark.thorough
def test_audited_pictures_have_no_legend_and_published_ones_have() -> None:
    for name in COLOR_NAMING:
        assert not any(scene.legend for scene in scenes(name, 5))
        for scene in scenes(name, 1, edition="paper")[:2]:
            (picture,) = DOMAINS[name].draw(scene)
            shown = {tuple(color) for color in picture[-277:].reshape(-1, 3).tolist()}
            assert set(CSS.values()) <= shown
            assert picture.shape[1] == 485


def test_the_number_of_colors_of_list_colours_is_spread_from_half_to_all() -> None:
    counts = [len(a) for seed in (7, 8, 9) for a in answers("list_colours", 20, seed)]
    assert set(counts) <= set(range(10, 21))
    assert len(set(counts)) >= 9
    assert max(Counter(counts[:INSTANCES]).values()) == 1


def test_no_shape_on_a_texture_is_camouflaged() -> None:
    for name in ("list_colours", "list_shapes"):
        for scene in scenes(name, 12)[:3]:
            (picture,) = DOMAINS[name].draw(scene)
            for s in scene.shapes:
                own = PALETTES[scene.palette][s.color]
                assert tuple(picture[s.y, s.x].tolist()) == own
                upwards = picture[s.y - s.r - 8 : s.y + 1, s.x].astype(int)
                ring = np.flatnonzero(upwards.max(axis=1) < 40)
                halo = np.flatnonzero(upwards.min(axis=1) > 250)
                assert ring.size
                assert halo.size
                assert halo[0] < ring[0]


def test_list_shapes_deals_every_set_of_kinds_that_can_be_shown() -> None:
    for size, sets in ((1, 4), (2, 10), (3, 14), (12, 15)):
        seen = {a for seed in range(12) for a in answers("list_shapes", size, seed)}
        assert len(seen) == sets, size
        assert all(len(a) <= size for a in seen)


def test_in_list_shapes_color_tells_nothing_about_kind() -> None:
    pairs = {
        (s.kind, s.color)
        for seed in SEEDS
        for size in (12, 20)
        for scene in scenes("list_shapes", size, seed)
        for s in scene.shapes
    }
    assert len(pairs) == 4 * 4


# ------------------------------------------------------------------------------------ layers


def test_layered_colours_are_shuffled_so_that_even_size_20_has_ten_different_answers() -> None:
    for size in (15, 20):
        assert len(set(answers("layered_colours", size))) == INSTANCES


def test_the_published_layered_colours_keep_one_order_in_every_picture() -> None:
    names = list(CSS)
    for answer in answers("layered_colours", 12, edition="paper"):
        assert list(answer) == sorted(answer, key=names.index)


@pytest.mark.parametrize("size", [2, 12, 20])
def test_every_ring_of_layered_colours_is_wide_and_differs_from_its_neighbors(size: int) -> None:
    for scene in scenes("layered_colours", size):
        radii = [0, *(disc.r for disc in scene.discs)]
        assert min(b - a for a, b in pairwise(radii)) >= 13
        colors = [TWENTY[disc.color] for disc in scene.discs]
        assert all(delta_e(a, b) >= 12 for a, b in pairwise([*colors, WHITE]))


@pytest.mark.parametrize("size", [2, 12, 20])
def test_every_layered_shape_lies_inside_the_next_with_a_visible_ring(size: int) -> None:
    for scene in scenes("layered_shapes", size):
        assert 2 * scene.layers[0].r >= 24
        for inner, outer in pairwise(scene.layers):
            assert inner.color != outer.color
            assert ring_width(outer.kind, outer.r, inner.kind, inner.r) >= 8


@pytest.mark.thorough
def test_the_ring_between_two_polygons_is_as_wide_as_the_drawn_one() -> None:
    kinds = ("diamond", "hexagon", "octagon")
    for outer in kinds:
        for inner in kinds:
            small, large = nested((inner, outer), 400, 10)
            drawn = _smallest_distance(outer, large, inner, small)
            assert math.isclose(drawn, ring_width(outer, large, inner, small), abs_tol=1.5)
            assert 10 <= ring_width(outer, large, inner, small) <= 11


def _smallest_distance(outer: str, large: int, inner: str, small: int) -> float:
    around, within = Canvas(Frame(900, 900), BLACK), Canvas(Frame(900, 900), BLACK)
    around.shape(outer, 450, 450, large, WHITE)
    within.shape(inner, 450, 450, small, WHITE)
    filled = np.where(around.pixels[..., 0] > 127, 255, 0).astype(np.uint8)
    away = cv2.distanceTransform(filled, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return float(away[within.pixels[..., 0] > 127].min())


def test_a_kind_of_layered_shapes_is_never_offered_that_is_never_drawn() -> None:
    domain = DOMAINS["layered_shapes"]
    drawn = {kind for size in (5, 20) for a in answers("layered_shapes", size) for kind in a}
    assert drawn == set(domain.output_format.vocabulary)
    assert "circle" not in domain.prompt.text()


# ------------------------------------------------------------------------------- reflections


@pytest.mark.parametrize("name", REFLECTING)
@pytest.mark.parametrize("size", [1, 4, 20])
def test_the_number_of_reflected_objects_is_spread_evenly_over_its_range(
    name: str, size: int
) -> None:
    counts = Counter(answers(name, size))
    assert set(counts) <= set(range(1, size + 2))
    assert max(counts.values()) == -(-INSTANCES // (size + 1))


@pytest.mark.thorough
@pytest.mark.parametrize("name", REFLECTING)
def test_the_second_picture_alone_does_not_give_the_number(name: str) -> None:
    across = "x" if name == "mirror_image" else "y"

    def beyond(scene: Any, shapes: Any) -> int:
        return sum(getattr(s, across) > scene.middle for s in shapes)

    given = [s for size in (5, 12, 20) for seed in SEEDS for s in scenes(name, size, seed)]
    hits = [beyond(s, s.after) == DOMAINS[name].answer(s) for s in given]
    assert sum(hits) / len(hits) <= 0.25
    assert all(0 < beyond(s, s.before) < len(s.before) for s in given if len(s.before) > 20)


@pytest.mark.parametrize("name", REFLECTING)
def test_a_reflected_object_is_the_mirror_image_of_its_pixels(name: str) -> None:
    axis = 1 if name == "mirror_image" else 0
    for drawn in scenes(name, 6)[:4]:
        # On one ground: specks are not mirrored.
        scene = replace(drawn, grounds=(GROUND, GROUND))
        turned = tuple(reflected(s, scene.axis, scene.middle) for s in scene.before)
        before, after = DOMAINS[name].draw(type(scene)(**{**vars(scene), "after": turned}))
        # The line through the middle of `width` pixels leaves pixel 0 without a partner.
        body = (slice(None), slice(1, None)) if axis == 1 else (slice(1, None), slice(None))
        mirrored = np.flip(before[body], axis)
        assert np.mean(np.abs(mirrored.astype(int) - after[body]) > 128) < 0.002


@pytest.mark.parametrize("name", REFLECTING)
def test_reflected_triangles_and_pentagons_point_the_other_way(name: str) -> None:
    changed = {
        (a.kind, b.kind)
        for scene in scenes(name, 20)
        for a, b in zip(scene.before, scene.after, strict=True)
        if (a.x, a.y) != (b.x, b.y)
    }
    flipping = {(a, b) for a, b in changed if a != b}
    assert len(flipping) == 4
    assert {a for a, b in changed if a == b} == {"circle", "square"}


def test_the_published_water_image_leaves_its_triangles_upright() -> None:
    for scene in scenes("water_image", 10, edition="paper"):
        assert [s.kind for s in scene.before] == [s.kind for s in scene.after]
        assert DOMAINS["water_image"].answer(scene) == 10
        assert all(s.y < scene.middle for s in scene.before)


# ----------------------------------------------------------------------------------- texture


def test_textures_are_light_flat_tinted_and_small() -> None:
    for seed in range(12):
        picture = texture(640, 480, seed)
        assert picture.shape == (480, 640, 3)
        assert picture.min() >= 195
        assert 2 <= len(set(map(tuple, picture[::7, ::7].reshape(-1, 3).tolist()))) <= LEVELS
        assert len(encode_png(picture)) < 0.15 * picture.size


def test_a_texture_is_fixed_by_its_seed() -> None:
    hashes = {seed: pixel_hash(texture(200, 100, seed)) for seed in range(30)}
    assert len(set(hashes.values())) == 30
    assert all(pixel_hash(texture(200, 100, seed)) == h for seed, h in hashes.items())

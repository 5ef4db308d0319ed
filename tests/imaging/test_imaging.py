"""Pictures are the same everywhere, survive encoding, and their colors can be distinguished."""

from __future__ import annotations

import hashlib
from itertools import combinations

import cv2
import numpy as np
import pytest
from coloraide import Color
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.imaging import (
    CSS,
    FOUR,
    GLYPH_HEIGHT,
    GLYPH_WIDTH,
    GLYPHS,
    KINDS,
    PALETTES,
    TWENTY,
    VISIONS,
    WHITE,
    Canvas,
    Frame,
    delta_e,
    encode_png,
    smallest_delta_e,
    text_width,
)  # fmt: skip
from gfactor.items import Image, pixel_hash


def everything_drawn() -> Canvas:
    """One picture with every primitive in it."""
    canvas = Canvas(Frame(400, 300))
    for i, kind in enumerate(KINDS):
        color = list(TWENTY.values())[i]
        canvas.shape(kind, 30 + 28 * i, 40 + 3 * i, 12, color, (0, 0, 0))
    canvas.line(10, 120, 390, 180, FOUR["blue"], 3)
    canvas.rectangle(20, 200, 80, 260, FOUR["yellow"])
    canvas.text(200, 230, "0123456789", 24, (0, 0, 0))
    canvas.text(200, 270, "ABCXYZ (1,2)", 20, FOUR["red"], 1)
    return canvas


def test_a_drawing_has_the_golden_pixels_in_every_supported_opencv() -> None:
    assert pixel_hash(everything_drawn().pixels) == GOLDEN


# OpenCV 4.10.0, 4.12.0 and 5.0.0 (opencv-python-headless wheels) gave this on 2026-11-21.
GOLDEN = "93b245516f69a4da2249d99666bd4598ccb119acccc0464ad2cb69ce0514e8a2"


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_png_encoding_loses_nothing(height: int, width: int, seed: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert np.array_equal(Image(encode_png(pixels), "a.png").decode(), pixels)


def test_only_rgb_pictures_are_encoded() -> None:
    with pytest.raises(ValueError, match="height x width x 3"):
        encode_png(np.zeros((4, 4, 4), np.uint8))


def test_the_pixel_hash_depends_on_shape_and_content() -> None:
    flat = np.zeros((2, 6, 3), np.uint8)
    assert pixel_hash(flat) != pixel_hash(flat.reshape(3, 4, 3))
    assert pixel_hash(flat) == hashlib.sha256(b"(2, 6, 3)" + bytes(36)).hexdigest()


def test_units_scale_to_pixels() -> None:
    small, large = Canvas(Frame(100, 100)), Canvas(Frame(100, 100, 1000))
    small.disc(50, 50, 20, (0, 0, 0))
    large.disc(500, 500, 200, (0, 0, 0))
    assert np.array_equal(small.pixels, large.pixels)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_stays_inside_its_circle_and_is_not_tiny(kind: str) -> None:
    canvas = Canvas(Frame(200, 200))
    canvas.shape(kind, 100, 100, 80, (0, 0, 0))
    rows, columns = np.nonzero(canvas.pixels[..., 0] < 128)
    assert np.hypot(rows - 100, columns - 100).max() <= 81.5
    assert (canvas.pixels[..., 0] < 128).sum() > 0.4 * np.pi * 80**2


def test_glyphs_lie_in_their_box_and_are_all_different() -> None:
    for sign, strokes in GLYPHS.items():
        for x, y in (point for stroke in strokes for point in stroke):
            assert 0 <= x <= GLYPH_WIDTH, sign
            assert 0 <= y <= GLYPH_HEIGHT + 1, sign
    digits = [GLYPHS[d] for d in "0123456789"]
    assert len(set(digits)) == 10
    assert text_width("8", 12) == 12 / GLYPH_HEIGHT * GLYPH_WIDTH


def test_ciede2000_agrees_with_the_published_pairs() -> None:
    # Sharma, Wu and Dalal (2005), table 1, pairs 1, 7, 13 and 17.
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, -0.0010, 2.4900), (50, 0.0011, -2.4900), 4.7461),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ]
    for first, second, expected in pairs:
        got = Color("lab-d65", first).delta_e(Color("lab-d65", second), method="2000")
        assert got == pytest.approx(expected, abs=1e-4)


def test_delta_e_is_a_symmetric_difference() -> None:
    for a, b in combinations(FOUR.values(), 2):
        assert delta_e(a, b) == pytest.approx(delta_e(b, a))
        assert delta_e(a, a) == 0
    assert smallest_delta_e([WHITE]) == float("inf")


def test_twenty_names_stay_far_apart_from_each_other_and_from_white() -> None:
    assert len(TWENTY) == len(set(TWENTY.values())) == 20
    assert smallest_delta_e([*TWENTY.values(), WHITE]) > 23
    assert smallest_delta_e([*CSS.values(), WHITE]) < 7, "the published palette does not"


@pytest.mark.parametrize("vision", VISIONS)
def test_four_colors_and_white_stay_apart_in_every_vision(vision: str) -> None:
    assert smallest_delta_e([*FOUR.values(), WHITE], vision) > 20  # pyright: ignore


def test_palettes_name_their_colors_in_one_word_lower_case() -> None:
    for palette in PALETTES.values():
        assert all(name.isalpha() and name.islower() for name in palette)


def test_opencv_decodes_what_isal_deflated() -> None:
    pixels = everything_drawn().pixels
    raw = cv2.imdecode(np.frombuffer(encode_png(pixels), np.uint8), cv2.IMREAD_UNCHANGED)
    assert raw is not None
    assert raw.shape == pixels.shape

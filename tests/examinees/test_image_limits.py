"""Images within a limit stay as they are; larger ones are told of, or made smaller."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.exam import image

from gfactor.errors import GfactorError, ParameterError
from gfactor.examinees.http import Endpoint
from gfactor.examinees.image_limits import ImageLimit, limit_of_host, size_of, vendors
from gfactor.imaging import encode_png
from gfactor.items import Image


def noise(width: int, height: int) -> Image:
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
    return Image(encode_png(pixels), "noise.png")


@pytest.mark.parametrize(
    ("text", "side", "size"),
    [
        ("2048", 2048, 0),
        ("2048px", 2048, 0),
        ("5MB", 0, 5_000_000),
        ("1.5 MiB", 0, 1_572_864),
        ("2048+5MB", 2048, 5_000_000),
        ("anthropic", 8000, 7_864_320),
        ("bedrock", 8000, 3_932_160),
    ],
)
def test_a_limit_is_read_and_written_in_one_way(text: str, side: int, size: int) -> None:
    limit = ImageLimit.parse(text)
    assert (limit.longest_side, limit.bytes) == (side, size)
    assert ImageLimit.parse(str(limit)) == limit


@pytest.mark.parametrize("text", ["", "large", "0", "12 apples", "anthropc", "-5", "2048+"])
def test_what_is_no_limit_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(GfactorError, match=r"write|known|mean"):
        ImageLimit.parse(text)


def test_every_vendor_has_a_limit_and_is_known_by_its_address() -> None:
    assert all(limit.longest_side or limit.bytes for limit in vendors().values())
    assert limit_of_host("https://api.anthropic.com/v1") == vendors()["anthropic"]
    assert limit_of_host("https://us-central1-aiplatform.googleapis.com/v1") == vendors()["vertex"]
    assert limit_of_host("http://localhost:8000/v1") is None
    assert limit_of_host("https://notapi.anthropic.com.example.org/v1") is None


def test_a_named_limit_counts_more_than_the_vendors() -> None:
    named = Endpoint("m", "https://api.anthropic.com/v1", image_limit=ImageLimit(100))
    assert named.largest_image == ImageLimit(100)
    assert Endpoint("m", "https://api.anthropic.com/v1").largest_image == vendors()["anthropic"]


def test_an_image_within_the_limit_is_the_very_same() -> None:
    small = image(3, 20, 10)
    assert ImageLimit(20).fit(small) is small
    assert ImageLimit(0, len(small.data)).fit(small) is small


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 60))
def test_a_larger_image_keeps_its_shape_and_fits(width: int, height: int, most: int) -> None:
    fitted = ImageLimit(most).fit(image(7, width, height))
    across, down = size_of(fitted)
    assert max(across, down) <= max(most, 1)
    if max(width, height) > most:
        assert max(across, down) == most
        assert abs(across / most - width / max(width, height)) <= 1 / most
    assert ImageLimit(most).exceeded(fitted) == ""


def test_a_limit_in_bytes_is_met_by_making_the_image_smaller() -> None:
    large = noise(120, 80)
    fitted = ImageLimit(0, 5000).fit(large)
    assert len(fitted.data) <= 5000 < len(large.data)
    with pytest.raises(ParameterError, match="scaled down to 10 bytes"):
        ImageLimit(0, 10).fit(large)


def test_sizes_are_read_from_headers_and_else_from_pixels() -> None:
    _, jpeg = cv2.imencode(".jpg", np.zeros((12, 34, 3), np.uint8))
    assert size_of(Image(jpeg.tobytes(), "a.jpg")) == (34, 12)
    assert size_of(image(1, 9, 5)) == (9, 5)
    # Width and height of a PNG have four bytes each.
    header = encode_png(np.zeros((5, 9, 3), np.uint8))[:16] + bytes([1, 2, 3, 4, 5, 6, 7, 8])
    assert size_of(Image(header, "large.png")) == (0x01020304, 0x05060708)

"""Limits of an image's size, as data, including those of vendors. An image that exceeds a limit is
refused before anything is asked or, if the user requests it, scaled down. An image within the limit
is sent unchanged, byte by byte.
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.base import Examinee, RenderedItem
from gfactor.imaging import encode_png
from gfactor.items import Image

_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "KIB": 2**10, "MIB": 2**20}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KM]?i?B)", re.IGNORECASE)
DOWNSCALE = ":downscale"


@dataclass(frozen=True)
class ImageLimit:
    """The largest image that may be sent.

    Parameters
    ----------
    longest_side: limit of the longest side in pixels; 0 for no limit.
    bytes: limit of the encoded file in bytes; 0 for no limit.
    """

    longest_side: int = 0
    bytes: int = 0

    def __str__(self) -> str:
        parts = [f"{self.longest_side}px" if self.longest_side else ""]
        parts.append(f"{self.bytes}B" if self.bytes else "")
        return "+".join(filter(None, parts))

    @classmethod
    def parse(cls, text: str) -> ImageLimit:
        """Return a limit from "2048" or "2048px" (longest side), "5MB", both joined by "+", or a
        vendor.

        Raises ParameterError (UnknownNameError for a word that is not a vendor), with the form to
        write.
        """
        sides, sizes = 0, 0
        for part in text.split("+"):
            word = part.strip()
            size = _SIZE.fullmatch(word)
            if re.fullmatch(r"\d{1,9}(px)?", word):
                sides = int(word.removesuffix("px"))
            elif size:
                sizes = int(float(size[1]) * _UNITS[size[2].upper()])
            elif re.fullmatch(r"[a-z]+", word) and "+" not in text:
                if word not in vendors():
                    raise UnknownNameError("vendor with image limits", word, vendors())
                return vendors()[word]
            else:
                raise ParameterError(
                    f"image limit {text!r} cannot be read; write a longest side in pixels "
                    f"(2048), a size (5MB), both (2048+5MB) or one of {', '.join(vendors())}"
                )
        if not sides and not sizes:
            raise ParameterError(f"image limit {text!r} leaves nothing to show; write 1 or more")
        return cls(sides, sizes)

    def exceeded(self, image: Image) -> str:
        """Return the limit that an image exceeds, in words, "" if it exceeds none."""
        if self.bytes and len(image.data) > self.bytes:
            return f"has {len(image.data):,} bytes, more than {self.bytes:,}"
        if self.longest_side:
            width, height = size_of(image)
            if max(width, height) > self.longest_side:
                return f"is {width} x {height} pixels, more than {self.longest_side}"
        return ""

    def fit(self, image: Image) -> Image:
        """Return the image itself if it is within the limit, or else a smaller PNG with the same
        proportions.

        Pixels are averaged over areas (OpenCV's INTER_AREA), which is exact for whole factors. A
        limit in bytes is met by making the picture smaller until it is.

        Raises ParameterError if no picture is small enough.
        """
        if not self.exceeded(image):
            return image
        pixels = image.decode()
        height, width = pixels.shape[:2]
        most = self.longest_side or max(height, width)
        scale = min(1.0, most / max(height, width))
        while True:
            size = max(1, round(width * scale)), max(1, round(height * scale))
            small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
            fitted = Image(encode_png(small), f"{image.path}@{size[0]}x{size[1]}.png")
            if not self.bytes or len(fitted.data) <= self.bytes:
                return fitted
            if max(size) == 1:
                raise ParameterError(
                    f"the picture cannot be scaled down to {self.bytes} bytes; raise the limit"
                )
            scale *= min(0.9, math.sqrt(self.bytes / len(fitted.data)))


def check_images(item: RenderedItem, examinee: Examinee) -> None:
    """Raise ParameterError for an image that the examinee's server would refuse."""
    limit: ImageLimit | None = getattr(examinee, "image_limit", None)
    if limit is None:
        return
    for image in item.images:
        if flaw := limit.exceeded(image):
            raise ParameterError(
                f"item {item.item_id!r}: its image {image.path!r} {flaw}, the most that "
                f"{examinee.name} takes; give --image-limit {limit}:downscale to have such "
                "images scaled down, or leave the item out"
            )


def size_of(image: Image) -> tuple[int, int]:
    """Return width and height: of a PNG from its header, of any other image by decoding it."""
    head = image.data[:24]
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) == 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    height, width = image.decode().shape[:2]
    return width, height


@cache
def vendors() -> dict[str, ImageLimit]:
    """Return the limits of vendors by name, from `image_limits.toml`, which has their sources."""
    return {
        name: ImageLimit(row.get("longest_side", 0), row.get("bytes", 0))
        for name, row in _rows().items()
    }


def limit_of_host(base_url: str) -> ImageLimit | None:
    """Return the limit of the vendor with this address, None for any other address."""
    host = urlsplit(base_url).hostname or ""
    for name, row in _rows().items():
        if any(host == listed or host.endswith(f"-{listed}") for listed in row["hosts"]):
            return vendors()[name]
    return None


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads(
        (files("gfactor.examinees") / "image_limits.toml").read_text(encoding="utf-8")
    )

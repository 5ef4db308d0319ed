"""Which changed copies of pictures the audit finds, and which other pairs it names.

Two sets of pictures: Percept-V's, as a bank that nobody knows to be generated, and photograph-like
ones (colored 1/f noise with shaded shapes and grain). Of every change some pictures are copied; the
check runs over originals and copies together.

    python benchmarks/duplicates.py [--pictures 540] [--copies 30] \
        [--write docs/evidence/procedures.md]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from pages import replace_section

from gfactor.benchmarks import build
from gfactor.benchmarks.quality import look_at
from gfactor.benchmarks.quality.checks.near_duplicate_images import pairs_alike
from gfactor.imaging import Pixels
from gfactor.items import ItemBank

MARKER = "## Changed copies"
WHITE, BLACK, GRAY = (255, 255, 255), (0, 0, 0), (127, 127, 127)
Change = Callable[[Pixels, np.random.Generator], Any]


def photograph(seed: int) -> Pixels:
    """Colored noise with a photograph's spectrum, shaded shapes with soft edges, and grain."""
    rng = np.random.default_rng(seed)
    height, width = int(rng.integers(240, 480)), int(rng.integers(320, 640))
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None])
    frequency[0, 0] = np.inf
    shape = (3, *frequency.shape)
    noise = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    fields = np.fft.irfft2(noise / frequency ** rng.uniform(1.1, 1.6), s=(height, width))
    fields /= fields.std(axis=(1, 2), keepdims=True)
    texture = np.moveaxis(0.3 * fields + 0.7 * fields[:1], 0, 2)
    pixels = 128 + 45 * texture
    for _ in range(int(rng.integers(2, 7))):
        corners = rng.uniform(0, 0.5, (int(rng.integers(3, 7)), 2)) + rng.uniform(0, 0.6, 2)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [cv2.convexHull((corners * [width, height]).astype(np.int32))], (255,))
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2))[:, :, None] / 255 * 0.8
        pixels = pixels * (1 - soft) + soft * (rng.uniform(0, 255, 3) + 20 * texture)
    return np.clip(pixels + rng.normal(0, 3, pixels.shape), 0, 255).astype(np.uint8)


def cropped(pixels: Pixels, left: float, top: float, right: float, bottom: float) -> Pixels:
    """Without these shares of width and height."""
    height, width = pixels.shape[:2]
    return pixels[
        round(top * height) : height - round(bottom * height),
        round(left * width) : width - round(right * width),
    ]


def padded(pixels: Pixels, share: float, color: tuple[int, int, int]) -> Any:
    """With a border of this share of each side."""
    high, wide = (round(share * side) for side in pixels.shape[:2])
    return cv2.copyMakeBorder(
        pixels, high, high, wide, wide, cv2.BORDER_CONSTANT, value=list(color)
    )


def turned(pixels: Pixels, degrees: float, color: tuple[int, int, int], larger: bool) -> Any:
    """Turned about the center, the corners filled; on a larger sheet, or cut off."""
    height, width = pixels.shape[:2]
    change = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1)
    size = (width, height)
    if larger:
        c, s = abs(change[0, 0]), abs(change[0, 1])
        size = (int(height * s + width * c), int(height * c + width * s))
        change[:, 2] += (np.array(size) - [width, height]) / 2
    return cv2.warpAffine(pixels, change, size, borderValue=list(color))


def recompressed(pixels: Pixels) -> Any:
    """JPEG at quality 40."""
    return cv2.imdecode(
        cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 40])[1], cv2.IMREAD_COLOR
    )


CHANGES: dict[str, Change] = {
    "crop, 2 % at each edge": lambda p, r: cropped(p, 0.02, 0.02, 0.02, 0.02),
    "crop, 10 % at each edge": lambda p, r: cropped(p, 0.1, 0.1, 0.1, 0.1),
    "crop, 0 to 10 % at each edge": lambda p, r: cropped(p, *r.uniform(0, 0.1, 4)),
    "padding, 10 %, white": lambda p, r: padded(p, 0.1, WHITE),
    "padding, 10 %, black": lambda p, r: padded(p, 0.1, BLACK),
    "padding, 25 %, gray": lambda p, r: padded(p, 0.25, GRAY),
    "mirrored, left to right": lambda p, r: p[:, ::-1],
    "mirrored, upside down": lambda p, r: p[::-1],
    "turned by 90 or 270 degrees": lambda p, r: np.rot90(p, int(r.choice([1, 3]))),
    "turned by 3 degrees, cut off": lambda p, r: turned(p, r.choice([-3, 3]), WHITE, False),
    "turned by 5 degrees": lambda p, r: turned(p, r.choice([-5, 5]), WHITE, True),
    "turned by 10 degrees, black": lambda p, r: turned(p, r.choice([-10, 10]), BLACK, True),
    "inverted": lambda p, r: 255 - p,
    "mirrored, cropped by 5 %": lambda p, r: cropped(p[:, ::-1], 0.05, 0.05, 0.05, 0.05),
    "inverted, turned by 90 degrees": lambda p, r: np.rot90(255 - p),
    "recompressed": lambda p, r: recompressed(p),
    "scaled to 60 %": lambda p, r: cv2.resize(p, None, fx=0.6, fy=0.6, interpolation=3),
}


def percept_v(pictures: int, seed: int = 11) -> list[Pixels]:
    """Pictures of all domains in three sizes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.parquet"
        build("percept-v", path, sizes=[2, 5, 8], instances=-(-pictures // 90), seed=seed)
        return [item.images[0].decode() for item in ItemBank.open(path)][:pictures]


def found_of(
    originals: list[Pixels], copies: int, seed: int = 1
) -> tuple[dict[str, float], int, int]:
    """Share of the copies found, by change; pairs named; and pairs named that are no copies."""
    rng = np.random.default_rng(seed)
    looks, source = [look_at(p) for p in originals], list(range(len(originals)))
    kinds = [""] * len(originals)
    for name, change in CHANGES.items():
        for i in rng.choice(len(originals), copies, replace=False).tolist():
            looks.append(look_at(np.ascontiguousarray(change(originals[i], rng), np.uint8)))
            source.append(i)
            kinds.append(name)
    named = {(i, j) for i, j, _ in pairs_alike(looks)}
    found = {
        name: float(
            np.mean([(source[k], k) in named for k, kind in enumerate(kinds) if kind == name])
        )
        for name in CHANGES
    }
    return found, len(named), sum(source[i] != source[j] for i, j in named)


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=540)
    parser.add_argument("--copies", type=int, default=30)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    sets = {
        "Percept-V": percept_v(given.pictures),
        "photograph-like": [photograph(seed) for seed in range(given.pictures)],
    }
    results = {name: found_of(pictures, given.copies) for name, pictures in sets.items()}
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/duplicates.py --pictures {given.pictures} --copies {given.copies}`: "
        f"{given.pictures} pictures of each kind (Percept-V: all domains at sizes 2, 5 and 8, as "
        f"if nobody knew that a program drew them) with {given.copies} copies of "
        "every change; the share of the copies that is found.\n",
        "| change | " + " | ".join(sets) + " |",
        "|---|" + "---:|" * len(sets),
    ]
    for change in CHANGES:
        shares = (f"{found[change]:.0%}" for found, _, _ in results.values())
        lines.append(f"| {change} | " + " | ".join(shares) + " |")
    lines.append(
        "| pairs named that are no copies | "
        + " | ".join(f"{wrong} of {named:,}" for _, named, wrong in results.values())
        + " |"
    )
    text = "\n".join(lines) + "\n"
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()

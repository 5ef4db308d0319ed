"""How much faster is gfactor's drawing than Matplotlib's, for the same scenes?

Peer: Matplotlib, one figure per picture, patches on an axis, `savefig` to PNG at 100 dpi: the way
most of the published Percept-V was drawn. Both draw and encode the same pictures (same shapes,
places, colors and pixel size) in one process, in turns, on one core; medians over the rounds.

    python benchmarks/drawing.py [--rounds 5] [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import io
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import matplotlib as mpl
import numpy as np
from matplotlib import patches
from matplotlib import pyplot as plt
from pages import replace_section

from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.imaging import PALETTES, Pixels, corners, encode_png
from gfactor.items import ItemRandom

MARKER = "## Drawing and encoding a picture"

DOMAIN_NAMES = (
    "change_colour",
    "count_coloured_circles",
    "counting_circles",
    "counting_shapes",
    "vanishing_objects",
)
"""Domains whose scenes are plain shapes, so that both can draw them in full."""


def scenes(name: str, seed: int) -> list[Any]:
    """One audited scene per size."""
    key = {"benchmark": "percept-v", "domain": name, "seed": seed}
    return [
        DOMAINS[name].make(ItemRandom({**key, "size": size}, 0), size, "audited")
        for size in range(1, 21)
    ]


def with_gfactor(name: str, scene: Any) -> list[bytes]:
    """Draw and encode a scene's pictures our way."""
    return [encode_png(pixels) for pixels in DOMAINS[name].draw(scene)]


def layers(scene: Any) -> list[Sequence[Any]]:
    """The shapes of each picture of a scene."""
    if hasattr(scene, "before"):
        return [scene.before, scene.after]
    return [scene.circles if hasattr(scene, "circles") else scene.shapes]


def with_matplotlib(_: str, scene: Any) -> list[bytes]:
    """Draw and encode the same pictures with Matplotlib."""
    palette = PALETTES[getattr(scene, "palette", "css")]
    frame = scene.frame
    out = []
    for shapes in layers(scene):
        figure = plt.figure(figsize=(frame.width / 100, frame.height / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, frame.width)
        axes.set_ylim(frame.height, 0)
        axes.axis("off")
        for s in shapes:
            color = tuple(channel / 255 for channel in palette[s.color])
            if s.kind == "circle":
                axes.add_patch(patches.Circle((s.x, s.y), s.r, color=color))
            else:
                axes.add_patch(patches.Polygon(corners(s.kind, s.x, s.y, s.r), color=color))
        data = io.BytesIO()
        figure.savefig(data, format="png")
        plt.close(figure)
        out.append(data.getvalue())
    return out


def decode(png: bytes) -> Pixels:
    """The pixels of a PNG, to show that both drew the same picture."""
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)  # pyright: ignore


def seconds(draw: Callable[[str, Any], list[bytes]], work: list[tuple[str, Any]]) -> float:
    """Wall time of drawing everything once, per picture."""
    start = time.perf_counter()
    pictures = sum(len(draw(name, scene)) for name, scene in work)
    return (time.perf_counter() - start) / pictures


def measure(rounds: int) -> dict[str, float]:
    """Medians in milliseconds per picture, and the share of pixels on which both agree."""
    work = [(name, scene) for name in DOMAIN_NAMES for scene in scenes(name, 7)]
    agree = [
        float((np.abs(decode(a).astype(int) - decode(b)).max(axis=2) < 64).mean())
        for name, scene in work
        for a, b in zip(with_gfactor(name, scene), with_matplotlib(name, scene), strict=True)
    ]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(with_gfactor, work))
        theirs.append(seconds(with_matplotlib, work))
    return {
        "gfactor_ms": 1000 * statistics.median(ours),
        "matplotlib_ms": 1000 * statistics.median(theirs),
        "ratio": statistics.median(theirs) / statistics.median(ours),
        "agreement": min(agree),
    }


def report(result: dict[str, float], rounds: int) -> str:
    """The section of docs/evidence/benchmarks.md."""
    return (
        f"{MARKER}\n\n"
        f"`python benchmarks/drawing.py --rounds {rounds}`; Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}, Matplotlib {mpl.__version__}; one core; 100 scenes of "
        f"{', '.join(DOMAIN_NAMES)} (sizes 1 to 20), the same pictures drawn by both "
        f"(at least {result['agreement']:.1%} of the pixels of every picture agree), medians of "
        f"{rounds} rounds in turns. The authors also ask for a tight bounding box, which makes "
        "Matplotlib slower still.\n\n"
        "| | ms per picture | ratio |\n|---|---:|---:|\n"
        f"| Matplotlib, one figure per picture | {result['matplotlib_ms']:.1f} | 1 |\n"
        f"| gfactor (OpenCV, ISA-L PNG) | {result['gfactor_ms']:.2f} "
        f"| {result['ratio']:.1f} times faster |\n"
    )


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    mpl.use("Agg")
    cv2.setNumThreads(1)
    text = report(measure(given.rounds), given.rounds)
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()

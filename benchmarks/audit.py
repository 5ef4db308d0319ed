"""What auditing a release of MULTI's size costs, and which planted duplicates it finds.

A synthetic release in MULTI's published format (18,430 questions with 7,700 images, see loading.py)
is loaded; 400 of its items are then repeated with a change each: the picture recompressed, scaled,
made brighter or cropped by 2 %, or a few characters of the text replaced. The bank is audited by
the real command in a process of its own, whose largest resident set is noted.

    python benchmarks/audit.py [--questions 18430] [--images 7700] \
        [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from bank import measured
from loading import write_release
from pages import replace_section

from gfactor.benchmarks import build
from gfactor.benchmarks.loading import content_hash
from gfactor.imaging import Pixels, encode_png
from gfactor.items import Image, Item, ItemBank, pixel_hash, write_bank

MARKER = "## Auditing a release"
GOAL_SECONDS, GOAL_MIB, PLANTED = 300, 2048, 80


def as_pixels(array: Any) -> Pixels:
    """What OpenCV gives, as pixels."""
    return np.asarray(array, np.uint8)


def recompressed(pixels: Pixels) -> Pixels:
    """JPEG at quality 40."""
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 40])[1]
    return as_pixels(cv2.imdecode(data, cv2.IMREAD_COLOR))


def smaller(pixels: Pixels) -> Pixels:
    """Seven tenths of each side."""
    return as_pixels(cv2.resize(pixels, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA))


def brighter(pixels: Pixels) -> Pixels:
    """Ten gray levels more."""
    return np.clip(pixels.astype(int) + 10, 0, 255).astype(np.uint8)


def cropped(pixels: Pixels) -> Pixels:
    """Without 2 % at each edge."""
    height, width = pixels.shape[:2]
    return np.ascontiguousarray(
        pixels[height // 50 : -(height // 50), width // 50 : -(width // 50)]
    )


CHANGES: dict[str, Callable[[Pixels], Pixels]] = {
    "recompressed": recompressed, "smaller": smaller, "brighter": brighter, "cropped": cropped,
}  # fmt: skip


def planted(bank: ItemBank) -> Iterator[Item]:
    """Changed copies: `change~id`."""
    shown = [item for item in bank if len(item.images) == 1 and isinstance(item.content[1], Image)]
    for number, (name, change) in enumerate(CHANGES.items()):
        for item in shown[number::7][:PLANTED]:
            pixels = change(item.images[0].decode())
            content = (f"{item.text[::-1]} {name}", Image(encode_png(pixels), "again.png"))
            yield again(item, name, content, (pixel_hash(pixels),))
    plain = [i for i in bank if not i.images and isinstance(i.content[0], str) and i.choices]
    for item in plain[::11][:PLANTED]:
        text = str(item.content[0])
        middle = len(text) // 2
        yield again(item, "reworded", (f"{text[:middle]}另{text[middle + 2 :]}",), ())


def again(item: Item, name: str, content: Any, pixels: tuple[str, ...]) -> Item:
    """The item as another one with this content."""
    choices = () if name != "reworded" else item.choices
    origin = replace(
        item.provenance, content_hash=content_hash("multi", content, choices), pixel_hashes=pixels
    )
    labels = {**item.labels, "problem": f"{name}~"}
    kept = {"answer_type": "open", "target": "x"} if name != "reworded" else {}
    return replace(
        item, id=f"{name}~{item.id}", content=content, choices=choices, provenance=origin,
        labels=labels, accepted=(), **kept,
    )  # fmt: skip


def problem_of(item_id: str) -> str:
    """The problem of an item: a picture that sub-questions share is told with the first of them."""
    return item_id.rpartition("_")[0]


def cpu_seconds() -> float:
    """Of all child processes that have ended, theirs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(questions: int, images: int) -> tuple[list[str], str]:
    """The lines of the table, and what was found of what was planted."""
    with tempfile.TemporaryDirectory() as name:
        release, path = Path(name) / "release", Path(name) / "bank.parquet"
        release.mkdir()
        write_release(release, questions, images)
        build("multi", path, source=str(release), jobs=2)
        bank = ItemBank.open(path)
        copies = list(planted(bank))
        write_bank([*bank, *copies], path, {"benchmark": "multi"}, bank.label_types)
        rows = []
        found: dict[str, Any] = {}
        for jobs in (1, 2):
            before = cpu_seconds()
            seconds, memory, out = measured(
                "audit", str(path), "--json", "--jobs", str(jobs), cores=jobs
            )
            found = json.loads(out)["quality"]
            n = sum(len(f["cases"]) for f in found["findings"] if f["review"])
            what = f"`gfactor audit --jobs {jobs}`"
            cpu = cpu_seconds() - before
            rows.append(
                f"| {what} | {found['items']:,} | {n} | {seconds:.0f} | {cpu:.0f} | {memory:.0f} |"
            )
    pairs = {
        frozenset(map(problem_of, case["items"]))
        for finding in found["findings"]
        for case in finding["cases"]
        if finding["code"].startswith("near_duplicate")
    }
    wanted = {
        frozenset((problem_of(copy.id), problem_of(copy.id.partition("~")[2]))) for copy in copies
    }
    parts = []
    for kind in (*CHANGES, "reworded"):
        own = [w for w in wanted if any(i.startswith(f"{kind}~") for i in w)]
        parts.append(f"{kind} {sum(w in pairs for w in own)} of {len(own)}")
    said = f"Found of the planted pairs: {', '.join(parts)}; {len(pairs - wanted)} other pairs."
    return rows, said


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=18_430)
    parser.add_argument("--images", type=int, default=7_700)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    rows, said = measure(given.questions, given.images)
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/audit.py --questions {given.questions} --images {given.images}`; "
        f"Python {platform.python_version()}; the release of the section above with {PLANTED} "
        f"changed copies of five kinds, on two cores (load {load:.1f} before the run); memory is "
        f"the largest resident set of a process. Goal: under {GOAL_SECONDS} s and {GOAL_MIB} MiB "
        f"on two shared cores.\n",
        "| what | items | cases for review | seconds | CPU seconds | MiB |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
        f"\n{said}",
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()

"""What loading a release of MULTI's size costs: 18,430 questions with 7,700 images.

A synthetic release in the published format is written (types as in the paper's table 1, half of the
images PNG, half JPEG, about 40 KB each), loaded by the real command, and the bank opened again with
all its checks; each in a process of its own, whose largest resident set is noted.

    python benchmarks/loading.py [--questions 18430] [--images 7700] \
        [--write docs/evidence/benchmarks.md]
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from bank import measured
from pages import replace_section

MARKER = "## Loading a release"
GOAL_SECONDS, GOAL_MIB = 60, 2048
SHARES = (("单选", 0.757), ("多选", 0.116), ("填空", 0.078), ("解答", 0.049))
WORDS = "已知在直角三角形中点为中点求线段的长度下列说法正确的是根据材料回答问题光合作用能量守恒"
WIDTH, HEIGHT = 480, 300

OPENING = """
import resource, sys, time
from gfactor.items import ItemBank
start = time.perf_counter()
bank = ItemBank.open(sys.argv[1])
opened = time.perf_counter() - start
items = sum(1 for _ in bank)
print(opened, time.perf_counter() - start - opened, items,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def figure(rng: np.random.Generator, number: int) -> bytes:
    """An encoded drawing of lines and circles on paper with some noise."""
    pixels = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    for x, y, u, v, radius in rng.integers(0, HEIGHT, (12, 5)).tolist():
        cv2.line(pixels, (x, y), (u + 100, v), (40, 40, 40), 2)
        cv2.circle(pixels, (x + 60, y), radius // 8 + 1, (120, 60, 20), 2)
    speckled = rng.random((HEIGHT, WIDTH)) < (0.02 if number % 2 else 0.005)
    pixels[speckled] = rng.integers(0, 256, (int(speckled.sum()), 1), np.uint8)
    done, data = cv2.imencode(".png" if number % 2 else ".jpg", pixels)
    assert done
    return data.tobytes()


def sentence(rng: np.random.Generator, length: int) -> str:
    """Some Chinese characters."""
    return "".join(WORDS[k] for k in rng.integers(0, len(WORDS), length))


def entry(rng: np.random.Generator, number: int, images: list[str]) -> dict[str, Any]:
    """A problem with one question, or with two sub-questions (every fifteenth)."""
    subs = 2 if number % 15 == 0 else 1
    kinds = [str(k) for k in rng.choice([k for k, _ in SHARES], subs, p=_shares())]
    shown = "".join(f"[IMAGE_{k}]" for k in range(1, len(images) + 1))
    contents, answers = [], []
    for kind in kinds:
        text = f"{number} {sentence(rng, 40)}[MASK]\n{shown}"
        if kind in ("单选", "多选"):
            text += "".join(f"\n{x}. {sentence(rng, 12)}" for x in "ABCD")
        contents.append(text)
        answers.append({"单选": "B", "多选": "ABD", "填空": "一或1\n二"}.get(kind, "因为所以。"))
    return {
        "problem_content": sentence(rng, 60) if subs > 1 else "",
        "problem_content_list": contents, "problem_type_list": kinds,
        "problem_answer_list": answers, "problem_analysis_list": [sentence(rng, 80)] * subs,
        "img_paths": images, "knowledge": [f"知识{number % 4595}"], "education": "高中",
        "subject": ["数学"], "difficulty": number % 5, "quality": number % 4,
    }  # fmt: skip


def _shares() -> list[float]:
    total = sum(share for _, share in SHARES)
    return [share / total for _, share in SHARES]


def write_release(folder: Path, questions: int, images: int) -> None:
    """A release with so many questions and images, with captions, knowledge and a hard list."""
    rng = np.random.default_rng(7)
    (folder / "images" / "gz").mkdir(parents=True)
    names = [f"gz/{k}.{'png' if k % 2 else 'jpg'}" for k in range(images)]
    for number, name in enumerate(names):
        (folder / "images" / name).write_bytes(figure(rng, number))
    problems: dict[str, Any] = {}
    waiting, made, number = [f"../data/images/{name}" for name in names], 0, 0
    while made < questions:
        number += 1
        # Problems with pictures are spread over the file; every thirtieth of them has several.
        due = len(waiting) > (questions - made) * images / questions
        own = [waiting.pop() for _ in range(2 if number % 30 == 0 else 1) if waiting and due]
        problem = entry(rng, number, own)
        made += len(problem["problem_type_list"])
        problems[f"gzsx_{number}"] = problem

    def put(name: str, value: Any) -> None:
        (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")

    put("problem_v1.3.1_20241210.json", problems)
    put("hard_list_v1.3.0_20241203.json", [f"gzsx_{k}_0" for k in range(1, 501)])
    put("knowledge_v1.3.0_20241203.json", {
        f"知识{k}": {"knowledge_content": sentence(rng, 120), "knowledge_images": []}
        for k in range(4595)
    })  # fmt: skip
    lines = [f"../data/images/{name},{sentence(rng, 30)}" for name in names]
    (folder / "captions_20241119.csv").write_text("\n".join(lines), encoding="utf-8")


def measure(questions: int, images: int) -> tuple[list[tuple[str, str, float, float]], float]:
    """Rows: what was done, with what result, seconds, MiB; and the images' megabytes."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        release, bank = Path(folder) / "release", str(Path(folder) / "bank.parquet")
        release.mkdir()
        write_release(release, questions, images)
        size = sum(p.stat().st_size for p in (release / "images").rglob("*.*")) / 1e6
        for jobs, cores in ((1, 1), (2, 2)):
            seconds, memory, out = measured(
                "build", "multi", "--from", str(release), "--jobs", str(jobs), "-o", bank, "--json",
                cores=cores,
            )  # fmt: skip
            made = json.loads(out)
            result = (
                f"{made['items']:,} items, {made['images']:,} images, {made['skipped']} skipped"
            )
            what = f"`gfactor build multi --jobs {jobs}`"
            rows.append((what, result, seconds, memory))
        opening = subprocess.run(
            [sys.executable, "-c", OPENING, bank], capture_output=True, text=True, check=True
        )
        opened, read, items, memory = map(float, opening.stdout.split())
        rows.append(("opening the bank with its checks", f"{items:,.0f} items", opened, memory))
        rows.append(("reading every item once", f"{items:,.0f} items", read, memory))
    return rows, size


def report(rows: list[tuple[str, str, float, float]], size: float, given: Any) -> str:
    """The section of docs/evidence/benchmarks.md."""
    lines = [
        f"{MARKER}\n",
        f"`python benchmarks/loading.py --questions {given.questions} --images {given.images}`; "
        f"Python {platform.python_version()}; a synthetic release in MULTI's published format, "
        f"{size:.0f} MB of images, every one decoded and hashed; memory is the largest resident "
        f"set of a process. Goal: under {GOAL_SECONDS} s and {GOAL_MIB} MiB on two shared cores.\n",
        "| what | result | seconds | MiB |",
        "|---|---|---:|---:|",
        *(f"| {what} | {result} | {s:.1f} | {m:.0f} |" for what, result, s, m in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=18_430)
    parser.add_argument("--images", type=int, default=7_700)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    start = time.perf_counter()
    text = report(*measure(given.questions, given.images), given)
    print(text)
    print(f"in all {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()

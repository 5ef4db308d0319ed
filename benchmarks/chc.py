"""Generated families: milliseconds an item, keys by independent checkers, observers, guessers.

Run by hand: `python benchmarks/chc.py [FAMILY ...] [--write docs/batteries-measured.md]` (half a
minute a family). Items are those of seeds 1 and 2, a third of each difficulty.

ms          processor time of making an item, picture included, over 1,002 items
shared      items of seed 1 that are among those of seed 2
checked     keys of 1,002 items that the checker in tests/benchmarks/chc/checkers finds too
ideal       of 300 items, those that the ideal observer answers from pixels
blind, options, cues
            points above chance of guessers that learned from the items of another seed: by
            difficulty alone, by the options alone, by size, ink and luminance of the pictures
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import chc_families as specimens  # pyright: ignore[reportMissingImports]

from gfactor.benchmarks.chc import FAMILIES, audit, build
from gfactor.examinees.observer import SOLVERS, IdealPerception, observe
from gfactor.items import Item

PER_CELL = 334
"""Items of each difficulty: 1,002 of a family."""

OBSERVED = 300


def made(name: str, seed: int, answers: str = "") -> tuple[list[Item], float]:
    """Items of a family, and processor milliseconds an item."""
    (part,) = build.plan(seed=seed, families=[name], per_cell=PER_CELL, answers=answers).parts
    started = time.process_time()
    make: Any = part.make
    items = list(make())
    return items, 1000 * (time.process_time() - started) / len(items)


def checked(name: str, items: list[Item]) -> int:
    """How many keys the independent checker finds."""
    check, right = specimens.checker(name), 0
    for item in items:
        one = specimens.record(item)
        found = check.answer(one["scene"], one["options"])
        right += (one["options"][found] if one["options"] else found) == one["answer"]
    return right


def ideal(name: str, items: list[Item]) -> str:
    """How many items the ideal observer answers."""
    if name not in SOLVERS:
        return "none"
    chosen = items[:: len(items) // OBSERVED][:OBSERVED]
    right = 0
    for item in chosen:
        reply = observe(name, tuple(image.decode() for image in item.images), IdealPerception())
        form = item.output_format
        right += reply == (item.target if form is None else form.render(item.target))
    return f"{right} of {len(chosen)}"


def gains(name: str, items: list[Item]) -> list[str]:
    """Points above chance of the guessers."""
    found = [audit.inspect(item, tuple(i.decode() for i in item.images)) for item in items]
    columns = audit.control(name, found)
    wanted = ("blind_gain", "options_gain", "cue_gain")
    return ["" if columns[c] is None else f"{100 * columns[c]:+.1f}" for c in wanted]


def row(name: str) -> str:
    """A line of the table."""
    first, ms = made(name, 1)
    hashes = {item.provenance.content_hash for item in first}
    second, _ = made(name, 2)
    shared = len(hashes & {item.provenance.content_hash for item in second})
    offered = first
    if "choice" in FAMILIES[name].answer_types and first[0].answer_type != "choice":
        offered, _ = made(name, 1, "choice")
    cells = [name, FAMILIES[name].ability, f"{ms:.1f}", str(shared)]
    cells += [f"{checked(name, first)} of {len(first)}", ideal(name, first)]
    return f"| {' | '.join([*cells, *gains(name, offered)])} |"


HEAD = """# Generated batteries, measured

Made by `python benchmarks/chc.py --write docs/batteries-measured.md`, from 1,002 items of each
family, a third of each difficulty, of seeds 1 and 2. `ms`: processor time of an item with its
picture. `shared`: items of seed 1 that seed 2 has too. `checked`: keys that a checker found which
was written from the paradigm's definition. `ideal`: items that the ideal observer answers from
pixels. `blind`, `options`, `cues`: points above chance of guessers that learned from the items of
another seed: by difficulty alone, by the options alone (empty where these are all that is shown),
by bytes, ink and luminance of the pictures; the best of three classifiers is taken for the last, so
that it lies a little above zero where there is nothing to learn.

| family | ability | ms | shared | checked | ideal | blind | options | cues |
|---|---|---|---|---|---|---|---|---|
"""


if __name__ == "__main__":
    words = sys.argv[1:]
    written = None
    if "--write" in words:
        at = words.index("--write")
        written = Path(words[at + 1])
        del words[at : at + 2]
    lines = []
    for family in words or list(FAMILIES):
        lines.append(row(family))
        print(lines[-1], flush=True)
    if written is not None:
        written.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")

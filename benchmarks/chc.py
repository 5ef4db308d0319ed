"""Generated families: milliseconds an item, keys by independent checkers, observers, guessers.

Run by hand: `python benchmarks/chc.py making|guessing|structure|levels [FAMILY ...]` (some minutes
each). Prints the tables of docs/evidence/batteries-measured.md. Items are those of seeds 1 and 2
(`--seeds`), a third of each difficulty; `--per-cell` says how many. `--difficulty extreme` takes
those of one difficulty, three times `--per-cell` of them; families without it are left out.

making
    ms        median over the families' items is what counts: processor time of making an item,
              picture included
    shared    items of seed 1 that are among those of seed 2
    checked   keys that the checker in tests/benchmarks/chc/checkers finds too
    solved    items (of a sample) whose stored scene gives the key and the pixels again
    ideal     items that the ideal observer answers from pixels
    cues      points that bytes, ink and luminance of pictures add to knowing the difficulty
    sized     the same, to knowing the difficulty and the size of the picture, which anybody sees
              (eight rows can hold more of what is counted than four)
levels
    for every combination of levels that a family says it can draw: how many there are, how many
    gave no item, and the most scenes that were drawn for one of `--per-cell` items
guessing (text twins: guessers see no picture)
    blind, metadata, options, structure, wording
              points above chance of guessers that learned from seed 2 (`--learned` items of each
              difficulty) and are judged on seed 1,
              with the 95 % interval of the share of right guesses (Wilson)
structure (the same guesser alone, whose options need not be solved again)
    guess     from the relation of options to each other, the best on the items of seed 2
    gain      its points above chance on the items of seed 1, with the 95 % interval
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np
from scipy.stats import binomtest
from support import chc_families as specimens  # pyright: ignore[reportMissingImports]

from gfactor.benchmarks.chc import FAMILIES, audit, build
from gfactor.benchmarks.chc.cues import Cues, cue_gain
from gfactor.benchmarks.chc.option_structure import Options, best_guess, share_right
from gfactor.errors import ParameterError
from gfactor.examinees.observer import SOLVERS, IdealPerception, observe
from gfactor.items import Item

OBSERVED = 300
"""Items that the ideal observer is asked."""

AUDITED = 201
"""Items that are solved again, and whose pictures' cues are learned and judged."""

LEARNED = 67
"""Items of each difficulty that guessers learn from."""

SEEDS = [1, 2]
"""Of the items that are judged, and of those that guessers learn from."""

DIFFICULTY: list[str] = []
"""The one difficulty that items are of; all three usual ones if empty."""


def made(name: str, seed: int, per_cell: int, **options: Any) -> tuple[list[Item], float]:
    """Items of a family, and processor milliseconds an item."""
    if DIFFICULTY:
        options, per_cell = {**options, "difficulty": DIFFICULTY}, 3 * per_cell
    (part,) = build.plan(seed=seed, families=[name], per_cell=per_cell, **options).parts
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


def sample(items: list[Item], count: int) -> list[Item]:
    """So many items, evenly spread over the difficulties."""
    return [items[k * len(items) // count] for k in range(min(count, len(items)))]


def ideal(name: str, items: list[Item]) -> str:
    """How many items the ideal observer answers."""
    if name not in SOLVERS:
        return "none"
    chosen, right = sample(items, OBSERVED), 0
    for item in chosen:
        reply = observe(name, tuple(image.decode() for image in item.images), IdealPerception())
        form = item.output_format
        right += reply == (item.target if form is None else form.render(item.target))
    return f"{right} of {len(chosen)}"


def findings(items: list[Item]) -> list[audit.ItemFindings]:
    """What the audit finds of items."""
    return [audit.inspect(item, tuple(i.decode() for i in item.images)) for item in items]


def cues(learned: list[audit.ItemFindings], judged: list[audit.ItemFindings], sized: bool) -> str:
    """Points that the pictures' cues add to knowing the difficulty (and size)."""
    kinds = [(one.cell, one.sides if sized else ()) for one in (*learned, *judged)]
    numbers = {kind: number for number, kind in enumerate(sorted(set(kinds)), 1)}
    both = [
        Cues(numbers[kind], one.cues, (one.target,))
        for kind, one in zip(kinds, (*learned, *judged), strict=True)
    ]
    return f"{100 * cue_gain(both[: len(learned)], both[len(learned) :])[1]:+.1f}"


def making(name: str, per_cell: int, audited: int) -> list[str]:
    """A line of the first table."""
    first, ms = made(name, SEEDS[0], per_cell)
    second, _ = made(name, SEEDS[1], per_cell)
    hashes = {item.provenance.content_hash for item in first}
    shared = len(hashes & {item.provenance.content_hash for item in second})
    found = findings(sample(first, audited))
    sound = sum(one.key_holds and one.pictures_hold for one in found)
    learned = findings(sample(second, audited))
    return [
        f"{ms:.1f}",
        f"{shared} of {len(first)}",
        f"{checked(name, first)} of {len(first)}",
        f"{sound} of {len(found)}",
        ideal(name, first),
        cues(learned, found, sized=False),
        cues(learned, found, sized=True),
    ]


def guessing(name: str, per_cell: int, _: int) -> list[str]:
    """A line of the second table."""
    if "choice" not in FAMILIES[name].answer_types:
        return ["", *["no options"] * len(audit.GAINS)]
    text = {"twin": "text", "answers": "choice"}
    judged = findings(made(name, SEEDS[0], per_cell, **text)[0])
    gains = audit.gains(findings(made(name, SEEDS[1], LEARNED, **text)[0]), judged)
    chance, count = 1 / len(judged[0].options), len(judged)
    cells = [str(count)]
    for column in audit.GAINS:
        if column not in gains:
            cells.append("all is shown")
            continue
        right = round((gains[column] + chance) * count)
        low, high = binomtest(right, count).proportion_ci(method="wilson")
        bounds = (100 * (bound - chance) for bound in (low, high))
        cells.append(f"{100 * gains[column]:+.1f} [{', '.join(f'{b:+.1f}' for b in bounds)}]")
    return cells


def related(items: list[Item]) -> list[tuple[Options, int]]:
    """The options of items as JSON, and the place of the key."""
    scenes = [json.loads(item.provenance.scene) for item in items]
    return [
        (tuple(json.dumps(option) for option in one["options"]), one["errors"].index(""))
        for one in scenes
    ]


def structure(name: str, per_cell: int, _: int) -> list[str]:
    """A line of the table of guesses from the structure of options."""
    if "choice" not in FAMILIES[name].answer_types:
        return ["", "no options", ""]
    text = {"twin": "text", "answers": "choice"}
    guess = best_guess(related(made(name, SEEDS[1], LEARNED, **text)[0]))
    judged = related(made(name, SEEDS[0], per_cell, **text)[0])
    gains = [share_right(guess, [one]) - 1 / len(one[0]) for one in judged]
    middle, half = np.mean(gains), 1.96 * np.std(gains, ddof=1) / len(gains) ** 0.5
    ends = f"[{100 * (middle - half):+.1f}, {100 * (middle + half):+.1f}]"
    return [str(len(judged)), guess, f"{100 * middle:+.1f} {ends}"]


def levels(name: str, per_cell: int, _: int) -> list[str]:
    """A line of the third table."""
    family, none, most = FAMILIES[name], 0, 0
    cells = family.cells({})
    for cell in cells:
        plan = build.plan(seed=1, families=[name], radicals=cell, per_cell=per_cell)
        make: Any = plan.parts[0].make
        try:
            draws = [specimens.record(item)["draws"] for item in make()]
        except ParameterError:
            none += 1
        else:
            most = max(most, *draws)
    return [str(len(cells)), str(none), str(most)]


TABLES = {
    "making": (making, "ms | shared | checked | solved again | ideal | cues | sized", 334),
    "structure": (structure, "n | guess | gain", 167),
    "levels": (levels, "combinations | without items | most draws", 2),
    "guessing": (guessing, "n | blind | metadata | options | structure | wording", 167),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--per-cell", type=int, default=0)
    parser.add_argument("--audited", type=int, default=AUDITED)
    parser.add_argument("--seeds", type=int, nargs=2, default=SEEDS)
    parser.add_argument("--difficulty", default="")
    parser.add_argument("--learned", type=int, default=LEARNED)
    asked = parser.parse_args()
    SEEDS[:], LEARNED = asked.seeds, asked.learned
    DIFFICULTY += [asked.difficulty] if asked.difficulty else []
    line, heads, usual = TABLES[asked.table]
    print(f"| family | ability | {heads} |")
    print("|---" * (heads.count("|") + 3) + "|")
    for family in asked.families or list(FAMILIES):
        if not set(DIFFICULTY) <= set(FAMILIES[family].difficulties):
            continue
        cells = line(family, asked.per_cell or usual, asked.audited)
        print(f"| {' | '.join([family, FAMILIES[family].ability, *cells])} |", flush=True)

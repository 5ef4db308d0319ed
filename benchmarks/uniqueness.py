"""Wrong options that a wider grammar than the generator's would defend, per 1,000 items.

Run by hand: `python benchmarks/uniqueness.py [FAMILY ...] [--items 1008] [--seed 101]
[--write docs/evidence/batteries-measured.md]` (some five minutes for all families; rows of families
that are not named stay as they are on the page). A third of the items is of each difficulty. The
grammars are those of `tests/support/wider_grammars`, which import nothing of gfactor. An item
counts if one of its wrong options looks like another option, or follows a rule of the wider grammar
that what is shown verifies.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import replace_section

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.wider_grammars import FITTING, rivals  # pyright: ignore[reportMissingImports]

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.family import DIFFICULTIES

MARKER = "## One right answer under a wider grammar"
SEEDS = 4
"""Seeds that the items are of: the one given and those that follow."""

EXAMPLES = 2
"""Items of each family that the standard error output shows."""


def made(name: str, items: int, seed: int) -> Iterator[Any]:
    """So many items, of several seeds: some cells have fewer scenes of one seed.

    Items are made in words, which costs no pictures; the options are those of the choice.
    """
    per_cell = -(-items // (len(DIFFICULTIES) * SEEDS))
    for one in range(seed, seed + SEEDS):
        plan = build.plan(
            seed=one, families=[name], per_cell=per_cell, twin="text", answers="choice"
        )
        make: Any = plan.parts[0].make
        yield from make()


def violations(name: str, items: int, seed: int) -> tuple[int, Counter[str]]:
    """Number of items, and how many of them have an equal option, a rival, or a key without a
    rule."""
    count, found = 0, Counter()
    for item in made(name, items, seed):
        one = json.loads(item.provenance.scene)
        lines = rivals(name, one["scene"], one["options"], one["errors"].index(""))
        kinds = {
            "key" if line.startswith("the key") else "equal" if "looks like" in line else "rival"
            for line in lines
        }
        found.update(kinds)
        found["items"] += bool(lines)
        count += 1
        if lines and found["items"] <= EXAMPLES:
            print(name, item.id, lines, json.dumps(one), file=sys.stderr)
    return count, found


def main() -> None:
    """Measure, print, and write the section where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--items", type=int, default=1008)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    rows: dict[str, str] = {}
    for name in asked.families or sorted(FITTING):
        count, found = violations(name, asked.items, asked.seed)
        cells = (
            name,
            FAMILIES[name].version,
            count,
            found["equal"],
            found["rival"],
            found["items"],
        )
        rows[name] = f"| {' | '.join(map(str, cells))} |"
        keys = [f"keys without a rule: {found['key']}"] if found["key"] else []
        print(rows[name], *keys, flush=True)
        if asked.write:
            stored = written_rows(asked.write.read_text(encoding="utf-8"))
            replace_section(asked.write, MARKER, section({**stored, **rows}, asked.seed))


def written_rows(page: str) -> dict[str, str]:
    """Rows of families that stand on the page."""
    table = page.partition(MARKER)[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return {name: line for line in lines if (name := line.split("|")[1].strip()) in FITTING}


HEAD = "| family | version | items | equal options | wrong options with a rule | all |"


def section(rows: dict[str, str], seed: int) -> str:
    """The section of the page."""
    lines = [HEAD, "|---|---|---:|---:|---:|---:|", *(rows[name] for name in sorted(rows))]
    return (
        f"{MARKER}\n\n`python benchmarks/uniqueness.py --seed {seed}`: items with a wrong option\n"
        "that looks like another option, or that follows a rule of a grammar wider than the\n"
        "generator's (`tests/support/wider_grammars`, written without it). A rule counts if what\n"
        "is shown verifies it.\n\n" + "\n".join(lines) + "\n"
    )


if __name__ == "__main__":
    main()

"""Do the intervals of norms hold the true standing, and what do 100 simulated people give?

Run by hand: `python benchmarks/norms.py [--trials 400] [--people 100]`; about five minutes of one
core. Prints the two tables of docs/evidence/procedures.md.

Coverage: people are drawn from a population of two million observed scores on 60 items (abilities
beta(6, 4)); examinees have a true share, answer the items, and are placed by Wilson's interval of
their score. The true standing is that of the true share in the population.

Example: the commands of docs/norms.md with 100 participants, in a temporary folder.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from gfactor.psychometrics import wilson
from gfactor.psychometrics.norms import NormCell

ITEMS = 60
SHARES = (0.35, 0.5, 0.6, 0.7, 0.85)
NAMES = ("percentile", "t_linear")
PAGE = Path(__file__).parents[1] / "docs" / "norms.md"


def cell_of(x: np.ndarray) -> NormCell:
    """A cell of these people."""
    values, counts = np.unique(x, return_counts=True)
    return NormCell("share", {}, tuple(values.tolist()), tuple(counts.tolist()))


def coverage(people: int, trials: int, rng: np.random.Generator) -> Iterator[str]:
    """A line per true share: how often each interval held the true standing."""
    population = rng.binomial(ITEMS, rng.beta(6, 4, 2_000_000)) / ITEMS
    for share in SHARES:
        ties = np.isclose(population, share).mean()
        true = {
            "percentile": 100 * ((population < share - 1e-9).mean() + 0.5 * ties),
            "t_linear": 50 + 10 * (share - population.mean()) / population.std(),
        }
        held = {(name, kind): 0 for name in NAMES for kind in ("known", "answered")}
        right = rng.binomial(ITEMS, share, trials)
        lows, highs = wilson(right, ITEMS)
        for k, low, high in zip(right, lows, highs, strict=True):
            cell = cell_of(rng.choice(population, people))
            known = cell.standing(share)
            answered = cell.standing(k / ITEMS, float(low), float(high))
            for kind, found in (("known", known), ("answered", answered)):
                for name in NAMES:
                    ends = getattr(found, f"{name}_low"), getattr(found, f"{name}_high")
                    held[name, kind] += ends[0] <= true[name] <= ends[1]
        cells = " | ".join(f"{100 * count / trials:.1f}" for count in held.values())
        yield f"| {people} | {share:g} | {true['percentile']:.0f} | {cells} |"


def example(people: int) -> Iterator[str]:
    """The page's commands with so many participants: people, and where examinees stand."""
    text = PAGE.read_text("utf-8")
    study = re.search(r"```toml\n# shapes.toml\n(.*?)```", text, re.DOTALL)
    console = re.search(r"```console\n(.*?)```", text, re.DOTALL)
    assert study is not None
    assert console is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shapes.toml").write_text(study[1], "utf-8")
        for line in console[1].splitlines():
            words = shlex.split(line)[1:]
            if "--persons" in words:
                words[words.index("--persons") + 1] = str(people)
            if "--min-n" in words:
                words[words.index("--min-n") + 1] = "30"
            if "--sample" in words:
                words[words.index("--sample") + 1] = f"{people} simulated participants"
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
            if words[1] == "norms":
                yield done.stdout
        site = folder / "site" / "tables" / "board-1-among-people.csv"
        yield pd.read_csv(site).round(1).to_string(index=False)
        report = folder / "report" / "tables" / "people_and_examinees.md"
        yield report.read_text("utf-8") if report.exists() else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    print("| people | true share | percentile | percentile, share known | answered"
          " | linear T, share known | answered |")  # fmt: skip
    print("|---|---|---|---|---|---|---|")
    for people in (30, 100, 300):
        for line in coverage(people, given.trials, rng):
            print(line, flush=True)
    for text in example(given.people):
        print(text)


if __name__ == "__main__":
    main()

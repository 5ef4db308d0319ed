"""Coverage of the interval of a share over fixed domains, some of them at floor or ceiling.

Items are drawn again within the same domains (`same-domains`). Beside the interval stands that from
the stratified variance alone, which takes a domain with all answers alike as one without variance.

    python benchmarks/floor_and_ceiling.py [--runs 2000] [--seed 1] [--page]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pages import replace_between

from gfactor.psychometrics import group_means

PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "coverage.md"
START, END = "<!-- floor_and_ceiling -->", "<!-- end floor_and_ceiling -->"

Floats = NDArray[np.float64]
Shape = tuple[float, float, float, float]
"""Coverage and mean width, of the interval and of that from the stratified variance alone."""

ROWS_AT_ONCE = 200_000

SIZES: dict[str, Callable[[int], NDArray[np.intp]]] = {
    **{f"{n}": lambda domains, n=n: np.full(domains, n) for n in (2, 5, 10, 20, 50)},
    "2 to 50": lambda domains: np.resize([2, 50, 10, 5, 20, 3], domains),
}
"""Items of every domain, by number of domains."""


def _in_turn(*chances: float) -> Callable[[int], Floats]:
    return lambda domains: np.resize(chances, domains)


def _first(first: float, *rest: float) -> Callable[[int], Floats]:
    return lambda domains: np.concatenate([[first], np.resize(rest, domains - 1)])


WORLDS: dict[str, Callable[[int], Floats]] = {
    ".3 to .8": lambda domains: np.linspace(0.3, 0.8, domains),
    ".05 to .95": lambda domains: np.linspace(0.05, 0.95, domains),
    ".8 to 1": lambda domains: np.linspace(0.8, 1, domains),
    "all .9": _in_turn(0.9),
    "one .2, others 1": _first(0.2, 1),
    "one .5, others 1": _first(0.5, 1),
    "one .5, others 0 or 1": _first(0.5, 1, 0),
    "half .5, half 1": _in_turn(0.5, 1),
    "half 0, half .9": _in_turn(0, 0.9),
    "half .02, half .98": _in_turn(0.02, 0.98),
    "a quarter .5, others .97": _in_turn(0.5, 0.97, 0.97, 0.97),
}
"""Chances of a right answer in every domain, by number of domains."""


def coverage(
    chances: Floats, items: NDArray[np.intp], runs: int, rng: np.random.Generator
) -> Shape:
    """Draw answers and return how often the intervals hold the truth, and how wide they are."""
    right = rng.binomial(items, chances, (runs, len(items)))
    truth = float(chances @ items / items.sum())
    tables, times = np.unique(right, axis=0, return_counts=True)
    domain = np.repeat(np.arange(len(items)), items)
    number = np.concatenate([np.arange(n) for n in items])
    sums = np.zeros(4)
    step = max(1, ROWS_AT_ONCE // len(domain))
    for start in range(0, len(tables), step):
        some, weight = tables[start : start + step], times[start : start + step]
        answers = (number < some[:, domain]).astype(float)
        means = group_means(
            np.repeat(np.arange(len(some)), len(domain)), answers.ravel(), np.ones(answers.size),
            domains=np.tile(domain, len(some)),
        )  # fmt: skip
        for k, one in enumerate((means, replace(means, uniform=None))):
            low, high = one.interval()
            held = (low <= truth + 1e-12) & (truth <= high + 1e-12)
            sums[2 * k : 2 * k + 2] += weight @ held, weight @ (high - low)
    now, width, before, width_before = (sums / runs).tolist()
    return now, width, before, width_before


def tables(
    runs: int, seed: int, domains: Sequence[int] = (4, 10, 30)
) -> dict[int, dict[tuple[str, str], Shape]]:
    """Return coverage and widths by number of domains, world and size of domains."""
    rng = np.random.default_rng(seed)
    return {
        number: {
            (world, size): coverage(chances(number), items(number), runs, rng)
            for world, chances in WORLDS.items()
            for size, items in SIZES.items()
        }
        for number in domains
    }


def page_lines(found: dict[int, dict[tuple[str, str], Shape]], runs: int, seed: int) -> list[str]:
    """The tables of docs/evidence/coverage.md."""
    every = np.array([shape for cells in found.values() for shape in cells.values()])
    lines = [
        f"{runs:,} data sets in a cell, seed {seed}; Monte Carlo standard error of 95 % "
        f"{100 * np.sqrt(0.95 * 0.05 / runs):.1f}. Of {len(every)} cells "
        f"{np.sum(every[:, 0] < 0.935)} lie below 93.5 ({np.sum(every[:, 2] < 0.935)} before), "
        f"{np.sum(every[:, 0] > 0.97)} above 97 ({np.sum(every[:, 2] > 0.97)}); the lowest has "
        f"{100 * every[:, 0].min():.1f} ({100 * every[:, 2].min():.1f}).",
    ]
    for number, cells in found.items():
        lines += ["", f"| {number} domains, items in each | {' | '.join(SIZES)} |",
                  "|---|" + "---:|" * len(SIZES)]  # fmt: skip
        for world in WORLDS:
            shapes = [cells[world, size] for size in SIZES]
            told = [f"{100 * s[0]:.1f} ({100 * s[2]:.1f}) {s[1] / s[3]:.2f}" for s in shapes]
            lines.append(f"| {world} | {' | '.join(told)} |")
    return lines


def main(act: Callable[[str], None] = print) -> None:
    """Print the tables, and write them into docs/evidence/coverage.md where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", action="store_true", help="write docs/evidence/coverage.md, too")
    given = parser.parse_args()
    lines = page_lines(tables(given.runs, given.seed), given.runs, given.seed)
    for line in lines:
        act(line)
    if given.page:
        replace_between(PAGE, START, END, lines)


if __name__ == "__main__":
    main()

"""How often the forensics call different persons copies, and how often they find real copies.

Run by hand:  python benchmarks/forensics_false_alarms.py [STUDIES]

A study is six samples of 52 to 121 simulated persons (18 subtests, general factor, one subtest at
its ceiling), z-scored per sample. False alarms are counted per comparison; power with 3, 5 and 10
of 60 persons shared and 0 to 4 of 18 columns changed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.persons import counts, independent, standardised

from gfactor.psychometrics import wilson
from gfactor.psychometrics.respondents import forensics


def false_alarms(studies: int) -> None:
    rng = np.random.default_rng(1)
    across = within = families = 0
    start = time.perf_counter()
    for _ in range(studies):
        found = forensics(independent(rng))
        across += sum(n > 0 for n in found.overlaps["first_shared"])
        within += sum(n > 0 for n in found.samples["copies_within"])
        families += sum(n > 0 for n in found.samples["families"])
    seconds = time.perf_counter() - start
    for what, count, n in (
        ("comparisons across samples", across, 15 * studies),
        ("samples with copies within", within, 6 * studies),
        ("samples with families", families, 6 * studies),
    ):
        low, high = wilson(count, n)
        print(f"{what}: {count} of {n} false alarms [{float(low):.4f}, {float(high):.4f}]")
    print(f"{seconds / studies:.2f} s per study of six samples")


def power(repeats: int = 40) -> None:
    rng = np.random.default_rng(2)
    for shared in (3, 5, 10):
        for changed in (0, 2, 4):
            hits = persons = 0
            for _ in range(repeats):
                everyone = counts(120 - shared, rng)
                a, b = everyone.iloc[:60], everyone.iloc[60 - shared :].copy()
                for row in range(shared):
                    b.iloc[row, rng.permutation(18)[:changed]] += 1
                found = forensics({"a": standardised(a), "b": standardised(b)})
                right = found.matches.query("first != second and person == partner")
                hits += bool(len(right))
                persons += len(right)
            print(
                f"{shared} shared, {changed} columns changed: overlap found in {hits} of {repeats} "
                f"studies, {persons / (repeats * shared):.0%} of the persons"
            )


if __name__ == "__main__":
    false_alarms(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    power()

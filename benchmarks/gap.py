"""Observers with known limits: are losses in seeing and in reasoning found where they are?

Run by hand; prints a table per observer:

    python benchmarks/gap.py [POPULATIONS [SCENES [PROCESSES]]]

Observers answer pictures from pixels and text twins by reading; one has bad eyes, one a small
memory, one both. A population is `SCENES` new scenes. The true loss in reasoning follows from the
limits: of n things that are looked at, the k that are counted must all be held, which has
probability survival(n) ^ k. The true loss in seeing is the accuracy of twins by that formula less
the accuracy of pictures over all populations together.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Mapping
from functools import partial

import cv2
import pandas as pd

from gfactor.benchmarks.percept_v.build import item_random
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import observe, read
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.trees.gap import _verdict, compare_versions

FAMILIES = ("counting_circles", "count_coloured_circles")
SIZES = range(3, 9)
OBSERVERS: Mapping[str, Limited] = {
    "blur": Limited(acuity=0.035, capacity=1000),
    "memory": Limited(acuity=10, contrast=10, capacity=5),
    "both": Limited(acuity=0.035, capacity=5),
}


def answers(number: int, person: Limited, scenes: int) -> pd.DataFrame:
    """A population: right or wrong of pictures and twins, and how often twins should be right."""
    cv2.setNumThreads(1)
    rows = []
    for k in range(scenes):
        family, size = FAMILIES[k % len(FAMILIES)], SIZES[k // len(FAMILIES) % len(SIZES)]
        domain = DOMAINS[family]
        assert domain.twin is not None
        rng = item_random(domain, "audited", number, size, k // (len(FAMILIES) * len(SIZES)))
        scene = domain.make(rng, size, "audited")
        right = domain.answer(scene)
        wanted = domain.output_format.render(right)
        pictures, text = domain.draw(scene), domain.twin.write(scene)
        rows.append({
            "image": observe(family, pictures, person(family, pictures)) == wanted,
            "text": read(family, text, person(family, (), text)) == wanted,
            "held": person.survival(len(scene.circles)) ** int(str(right)),
        })  # fmt: skip
    return pd.DataFrame(rows).astype(float)


def covered(populations: list[pd.DataFrame], level: float = 0.95) -> dict[str, float]:
    """True losses, how many intervals hold them, and what the verdicts say."""
    pooled = pd.concat(populations)
    reasoning = 1 - float(pooled["held"].to_numpy().mean())
    seeing = float(pooled["held"].to_numpy().mean() - pooled["image"].to_numpy().mean())
    truth = {"seeing": max(seeing, 0.0), "reasoning": reasoning}
    row: dict[str, float] = {f"true_{name}": loss for name, loss in truth.items()}
    held, verdicts = dict.fromkeys(truth, 0), []
    for table in populations:
        _, _, losses = compare_versions(table, None, level)
        verdicts.append(_verdict(losses))
        for name, loss in truth.items():
            low, high = losses.loc[name, ["ci_lower", "ci_upper"]].to_numpy(float)
            held[name] += low - 1e-12 <= loss <= high + 1e-12
    n = len(populations)
    row |= {f"{name}_held": count / n for name, count in held.items()}
    names = ("seeing", "reasoning", "both", "none", "undecided")
    return row | {name: verdicts.count(name) for name in names}


def main(populations: int = 100, scenes: int = 48, processes: int = 2) -> None:
    started = time.process_time()
    rows = {}
    with multiprocessing.Pool(processes) as pool:
        for name, person in OBSERVERS.items():
            one = partial(answers, person=person, scenes=scenes)
            rows[name] = covered(pool.map(one, range(1, populations + 1)))
    print(f"{populations} populations of {scenes} scenes")
    print(pd.DataFrame(rows).T.round(3).to_string())
    low, high = wilson(0.95 * populations, populations)
    print(f"95 % of {populations} has the interval [{float(low):.3f}, {float(high):.3f}]")
    print(f"{time.process_time() - started:.0f} s of CPU in the first process")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

"""The ideal observer answers items of Percept-V's audited edition, from the decoded pixels alone.

Run by hand: `python benchmarks/percept_v_observer.py [SEED ...]` (6,800 items a seed, about three
minutes each on one core; by default seeds 7, 11 and 2026). Prints what it got wrong, and how many
it answered. A third of it is a test: `tests/percept_v/test_ideal_observer.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import joblib

from gfactor.benchmarks.percept_v.build import make_item
from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.scoring.extraction.conforming import strict
from gfactor.scoring.rules import credit

SEEDS = (7, 11, 2026)


def wrong_answers(
    name: str, seed: int, instances: Iterable[int], sizes: Iterable[int] = SIZES
) -> list[str]:
    """What the observer gets wrong of these instances of sizes of a domain."""
    wrong = []
    for size in sizes:
        for index in instances:
            item = make_item(DOMAINS[name], "audited", seed, size, index)
            assert item.output_format is not None
            pictures = tuple(image.decode() for image in item.images)
            reply = observe(name, pictures, IdealPerception())
            read = strict(reply, item.output_format)
            if not (
                read.has_answer
                and credit(read.answer, item.target, item.accepted, item.answer_type) == 1
            ):
                wrong.append(f"seed {seed}, {item.id}: {reply!r}, target {item.target!r}")
    return wrong


if __name__ == "__main__":
    seeds = [int(word) for word in sys.argv[1:]] or list(SEEDS)
    tasks = [(name, seed, range(INSTANCES)) for seed in seeds for name in DOMAINS]
    parts: Any = joblib.Parallel(n_jobs=2)(joblib.delayed(wrong_answers)(*task) for task in tasks)
    wrong = [line for part in parts for line in part]
    print("\n".join(wrong))
    print(f"{len(wrong)} of {len(tasks) * len(SIZES) * INSTANCES:,} items answered wrong")

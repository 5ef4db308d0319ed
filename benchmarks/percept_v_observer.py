"""The ideal observer answers items of Percept-V's audited edition, from the decoded pixels alone.

Run by hand: `python benchmarks/percept_v_observer.py [SEED ...] [--domains A,B]` (6,800 items a
seed, about three minutes each on one core; by default seeds 7, 11 and 2026). Prints what it got
wrong, and how many it answered, a line for each seed and domain. A third of it is a test:
`tests/percept_v/test_ideal_observer.py`.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--domains", default="")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    # Looked up here, so that processes get the registry filled.
    names = [DOMAINS[name].name for name in given.domains.split(",") if name] or list(DOMAINS)
    tasks = [(name, seed, range(INSTANCES)) for seed in given.seeds for name in names]
    parts: Any = joblib.Parallel(n_jobs=given.jobs, return_as="generator")(
        joblib.delayed(wrong_answers)(*task) for task in tasks
    )
    each, wrong = len(SIZES) * INSTANCES, 0
    for (name, seed, _), lines in zip(tasks, parts, strict=True):
        wrong += len(lines)
        print(*lines, f"{name}, seed {seed}: {len(lines)} of {each} wrong", sep="\n", flush=True)
    print(f"{wrong} of {len(tasks) * each:,} items answered wrong")


if __name__ == "__main__":
    main()

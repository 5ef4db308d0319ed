"""A population of limited observers answers every family that has an observer, from pixels.

Run by hand before `chc_difficulty.py` and `chc_structure.py`, which analyze what it writes:

    python benchmarks/chc_population.py pilot DIRECTORY
    python benchmarks/chc_population.py answers DIRECTORY [PERSONS] [--sharp] [--families ...]

Persons differ in three abilities, each standard normal, correlated by `CORRELATION`: seeing (acuity
and contrast), memory (capacity and retention) and reasoning (hypotheses considered).

pilot       Persons with one limit each answer `PILOT` items of each family, other items than the
            population's, at every value of `GRIDS`: `pilot.csv`. The population is drawn where
            these answers vary (`SAMPLE`, see docs/evidence/batteries-evidence.md), and
            `chc_structure.py` takes from them which family loads on which ability.
answers     Every person answers `TAKEN` of the `POOL` items of a family by lot; levels of radicals
            are balanced over the pool. `items.csv` holds the items, `persons.csv` the abilities,
            `answers.csv` one line for each answer. A family that is in `answers.csv` is left
            out: a run that was stopped goes on, and a family whose lines were removed is answered
            again by the same persons. `--sharp` gives them eyes that lose nothing: what memory
            and reasoning alone make hard (into another directory).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.items import BatteryRequest, make_items
from gfactor.errors import ParameterError
from gfactor.examinees.observer import SOLVERS, Limited, limited, observe
from gfactor.imaging import Pixels
from gfactor.items import Item

SEED, PILOT_SEED = 17, 18
PERSONS = 300
POOL, TAKEN, PILOT = 32, 6, 16
CORRELATION = 0.3
ABILITIES = ("seeing", "memory", "reasoning")
GRIDS: Mapping[str, tuple[float, ...]] = {
    "seeing": (0.12, 0.17, 0.22, 0.27, 0.32, 0.37, 0.42, 0.48, 0.55, 0.65, 0.8, 1.0, 1.4, 2),
    "memory": (0.7, 1, 1.5, 2, 3, 4, 5.5, 7.5, 10, 14, 20),
    "reasoning": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
}
"""Limits of the pilot's persons: acuity, capacity, hypotheses."""

Question = tuple[str, str, tuple[Pixels, ...], str]
"""Family, item, pictures, right reply."""


@dataclass(frozen=True)
class Sample:
    """Limits are lognormal: median, and standard deviation of the natural logarithm. Acuity
    fluctuates from item to item by `fluctuation` logMAR."""

    acuity: tuple[float, float]
    capacity: tuple[float, float]
    hypotheses: tuple[float, float]
    fluctuation: float = 0.0

    def person(self, seeing: float, memory: float, reasoning: float, seed: int) -> Limited:
        """The person with these abilities. Contrast sensitivity is a fifth of acuity, and
        retention twice the capacity."""
        acuity, capacity, hypotheses = (
            median * float(np.exp(spread * z))
            for (median, spread), z in zip(
                (self.acuity, self.capacity, self.hypotheses),
                (seeing, memory, reasoning),
                strict=True,
            )
        )
        return Limited(
            acuity=float(np.clip(acuity, 0.01, 10)),
            contrast=float(np.clip(acuity / 5, 0.005, 10)),
            capacity=float(np.clip(capacity, 0.5, 1000)),
            retention=2 * capacity,
            hypotheses=max(1, round(hypotheses)),
            fluctuation=self.fluctuation,
            seed=seed,
        )


SAMPLE = Sample(acuity=(0.46, 0.3), capacity=(5, 0.5), hypotheses=(24, 1.2), fluctuation=0.09)
"""The population, as the pilot suggests; the fluctuation is that of eyes with a diopter of blur,
which such acuities have (Rosser, Murdoch and Cousens 2004)."""

SHARP = replace(SAMPLE, acuity=(10, 0), fluctuation=0)


def abilities(persons: int, seed: int = SEED) -> np.ndarray:
    """Standard normal abilities, persons x 3."""
    covariance = np.full((3, 3), CORRELATION) + (1 - CORRELATION) * np.eye(3)
    return np.random.default_rng(seed).multivariate_normal(np.zeros(3), covariance, persons)


def pool(name: str, seed: int, count: int) -> list[Item]:
    """Items of a family, one for each of `count` combinations of levels, in random orders
    of all combinations; combinations without any item are left out."""
    family, rng = FAMILIES[name], np.random.default_rng(seed)
    cells, order = family.cells({}), np.arange(0)
    items: list[Item] = []
    for number in range(10 * count):
        if number % len(cells) == 0:
            order = rng.permutation(len(cells))
        levels = {k: (v,) for k, v in cells[order[number % len(cells)]].items()}
        request = BatteryRequest(
            seed, ((f"design{number:03d}", levels),), 1, ("en",), family.answer_types[0],
            "picture", family.options[0] if family.options else 0,
        )  # fmt: skip
        try:
            items += make_items(name, request)
        except ParameterError as error:
            print(error, file=sys.stderr)
        if len(items) == count:
            break
    return items


def wanted(item: Item) -> str:
    """The right reply."""
    form = item.output_format
    return str(item.target) if form is None else form.render(item.target)


def asked(items: list[Item], name: str) -> list[Question]:
    """Items with their pictures decoded."""
    return [
        (name, one.id, tuple(image.decode() for image in one.images), wanted(one)) for one in items
    ]


def right(person: Limited, question: Question) -> int:
    """Whether a person answers a question as wanted."""
    family, _, pictures, reply = question
    return int(observe(family, pictures, person(family, pictures)) == reply)


def alone(ability: str, value: float) -> Limited:
    """A person with one limit."""
    free: dict[str, Any] = {"acuity": 10.0, "contrast": 10.0, "capacity": 1000.0}
    limit: dict[str, dict[str, Any]] = {
        "seeing": {"acuity": value, "contrast": value / 5},
        "memory": {"capacity": value, "retention": 2 * value},
        "reasoning": {"hypotheses": int(value)},
    }
    return Limited(seed=1, **free | limit[ability])


def pilot(folder: Path) -> None:
    """Write `pilot.csv`: family, ability, limit, answers, right ones."""
    path = folder / "pilot.csv"
    done = finished(path)
    with path.open("a", newline="") as file:
        out = csv.writer(file)
        if not done:
            out.writerow(["family", "ability", "limit", "n", "right"])
        for name in (name for name in FAMILIES if name in SOLVERS and name not in done):
            questions = asked(pool(name, PILOT_SEED, PILOT), name)
            for ability, grid in GRIDS.items():
                for value in grid:
                    person = alone(ability, value)
                    count = sum(right(person, question) for question in questions)
                    out.writerow([name, ability, value, len(questions), count])
            file.flush()


def answers(folder: Path, persons: int, sample: Sample, names: Sequence[str]) -> None:
    """Write `persons.csv`, `items.csv` and the answers to families that are not there yet."""
    # All persons answer one family after the other; the noise of each person is drawn once.
    noise: Any = lru_cache(maxsize=persons)(limited._noise_field.__wrapped__)
    limited._noise_field = noise
    known = abilities(persons)
    pd.DataFrame(known, columns=list(ABILITIES)).rename_axis("person").to_csv(
        folder / "persons.csv"
    )
    done, rows = finished(folder / "answers.csv"), []
    for name in names:
        items = pool(name, SEED, POOL)
        for item in items:
            levels = [f"{k[8:]}={v}" for k, v in item.labels.items() if k.startswith("radical.")]
            rows.append([name, FAMILIES[name].ability, item.id, ";".join(levels)])
        columns = ["family", "ability", "item", "levels"]
        pd.DataFrame(rows, columns=columns).to_csv(folder / "items.csv", index=False)
        if name not in done:
            _append(folder / "answers.csv", asked(items, name), known, sample)


def _append(path: Path, questions: list[Question], known: np.ndarray, sample: Sample) -> None:
    """The answers of all persons to the questions of one family, written at once."""
    family, rows = questions[0][0], []
    for number, ability in enumerate(known):
        lots = np.random.default_rng([SEED, number, *family.encode()])
        person = sample.person(*ability, seed=number)
        for k in lots.permutation(len(questions))[:TAKEN]:
            rows.append([number, family, questions[k][1], right(person, questions[k])])
    columns = ["person", "family", "item", "right"]
    pd.DataFrame(rows, columns=columns).to_csv(
        path, mode="a", index=False, header=not path.exists()
    )
    print(family, flush=True)


def finished(path: Path) -> set[str]:
    """The families that a file has answers to."""
    return set(pd.read_csv(path)["family"]) if path.exists() else set()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("pilot", "answers"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("persons", type=int, nargs="?", default=PERSONS)
    parser.add_argument("--sharp", action="store_true")
    parser.add_argument("--families", nargs="+", default=[n for n in FAMILIES if n in SOLVERS])
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.part == "pilot":
        pilot(given.folder)
    else:
        sample = SHARP if given.sharp else SAMPLE
        answers(given.folder, given.persons, sample, given.families)

"""A population of limited observers answers every family that has an observer, from pixels.

Run by hand before `chc_difficulty.py` and `chc_structure.py`, which analyze what it writes:

    python benchmarks/chc_population.py DIRECTORY [PERSONS [PROCESSES]]

Persons differ in three abilities, each standard normal, correlated by `CORRELATION`: seeing (acuity
and contrast), memory (capacity and retention) and reasoning (hypotheses considered). Every person
answers `TAKEN` of the `POOL` items of a family by lot; levels of radicals are balanced over
the pool. `items.csv` holds the items, `persons.csv` the abilities, `answers.csv` one line for each
answer; a run that was stopped goes on with the persons that are missing.
"""

from __future__ import annotations

import csv
import itertools
import multiprocessing
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.items import Request, make_items
from gfactor.errors import ParameterError
from gfactor.examinees.observer import SOLVERS, Limited, observe
from gfactor.imaging import Pixels
from gfactor.items import Item

SEED = 17
PERSONS = 300
POOL, TAKEN = 48, 5
CORRELATION = 0.3
ABILITIES = ("seeing", "memory", "reasoning")

Question = tuple[str, str, tuple[Pixels, ...], str]
"""Family, item, pictures, right reply."""

QUESTIONS: list[list[Question]] = []
"""The items of each family; filled before the processes that answer are started."""


def abilities(persons: int) -> np.ndarray:
    """Standard normal abilities, persons x 3."""
    covariance = np.full((3, 3), CORRELATION) + (1 - CORRELATION) * np.eye(3)
    return np.random.default_rng(SEED).multivariate_normal(np.zeros(3), covariance, persons)


def limits(seeing: float, memory: float, reasoning: float, seed: int) -> Limited:
    """The person with these abilities. Limits are lognormal around what makes items neither easy
    nor impossible; contrast sensitivity goes with acuity, and retention with capacity."""
    acuity, capacity = 0.6 * np.exp(0.45 * seeing), 5.5 * np.exp(0.5 * memory)
    return Limited(
        acuity=float(np.clip(acuity, 0.01, 10)),
        contrast=float(np.clip(acuity / 5, 0.005, 10)),
        capacity=float(np.clip(capacity, 0.5, 1000)),
        retention=float(2 * capacity),
        hypotheses=max(1, round(20 * np.exp(1.2 * reasoning))),
        seed=seed,
    )


def pool(name: str) -> list[Item]:
    """Items of a family, one for each of `POOL` combinations of levels, in random orders
    of all combinations; combinations without any item are left out."""
    family, rng = FAMILIES[name], np.random.default_rng(SEED)
    cells, order = family.cells({}), np.arange(0)
    items: list[Item] = []
    for number in range(10 * POOL):
        if number % len(cells) == 0:
            order = rng.permutation(len(cells))
        levels = {k: (v,) for k, v in cells[order[number % len(cells)]].items()}
        request = Request(
            SEED, ((f"design{number:03d}", levels),), 1, ("en",), family.answer_types[0],
            "picture", family.options[0] if family.options else 0,
        )  # fmt: skip
        try:
            items += make_items(name, request)
        except ParameterError as error:
            print(error, file=sys.stderr)
        if len(items) == POOL:
            break
    return items


def prepare(folder: Path) -> None:
    """Make the items, decode their pictures, write `items.csv`."""
    rows = []
    for name in FAMILIES:
        if name not in SOLVERS:
            continue
        questions: list[Question] = []
        for item in pool(name):
            shown = tuple(image.decode() for image in item.images)
            questions.append((name, item.id, shown, wanted(item)))
            levels = [f"{k[8:]}={v}" for k, v in item.labels.items() if k.startswith("radical.")]
            rows.append([name, FAMILIES[name].ability, item.id, ";".join(levels)])
        QUESTIONS.append(questions)
    with (folder / "items.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["family", "ability", "item", "levels"], *rows])


def alone(folder: Path) -> None:
    """Write `alone.csv`: how many of other items each family's observer gets right when one
    ability is at the 10th or 90th percentile of the population and nothing else is limited. The
    model of `chc_structure.py` is specified by it, before any of the population's answers."""
    free: dict[str, Any] = {"acuity": 10.0, "contrast": 10.0, "capacity": 1000.0}
    touched = (("acuity", "contrast"), ("capacity", "retention"), ("hypotheses",))
    with (folder / "alone.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["family", "ability", "z", "right", "n"])
        for name in (name for name in FAMILIES if name in SOLVERS):
            (part,) = build.plan(seed=SEED + 1, families=[name], per_cell=4).parts
            make: Any = part.make
            items: list[Item] = list(make())
            shown = [tuple(image.decode() for image in item.images) for item in items]
            for k, z in itertools.product(range(3), (-1.28, 1.28)):
                full = limits(*np.where(np.arange(3) == k, z, 0.0), seed=k)
                person = Limited(seed=k, **free | {n: getattr(full, n) for n in touched[k]})
                right = sum(
                    observe(name, pictures, person(name, pictures)) == wanted(item)
                    for item, pictures in zip(items, shown, strict=True)
                )
                out.writerow([name, ABILITIES[k], z, right, len(items)])
            file.flush()


def wanted(item: Item) -> str:
    """The right reply."""
    form = item.output_format
    return str(item.target) if form is None else form.render(item.target)


def answer(job: tuple[int, np.ndarray]) -> list[tuple[int, str, str, int]]:
    """A person's answers: person, family, item, right."""
    number, ability = job
    person, lots = limits(*ability, seed=number), np.random.default_rng((SEED, number))
    out = []
    for questions in QUESTIONS:
        for k in lots.permutation(len(questions))[:TAKEN]:
            family, item, pictures, right = questions[k]
            reply = observe(family, pictures, person(family, pictures))
            out.append((number, family, item, int(reply == right)))
    return out


def finished(path: Path) -> set[int]:
    """The persons who have answered."""
    if not path.exists():
        return set()
    with path.open() as file:
        return {int(row["person"]) for row in csv.DictReader(file)}


def jobs(persons: int, done: set[int]) -> Iterator[tuple[int, np.ndarray]]:
    known = abilities(persons)
    return ((k, known[k]) for k in range(persons) if k not in done)


def main(folder: Path, persons: int = PERSONS, processes: int = 2) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "alone.csv").exists():
        alone(folder)
    prepare(folder)
    known = abilities(persons)
    with (folder / "persons.csv").open("w", newline="") as file:
        rows = [[k, *map(repr, map(float, row))] for k, row in enumerate(known)]
        csv.writer(file).writerows([["person", *ABILITIES], *rows])
    path = folder / "answers.csv"
    done = finished(path)
    # Forked processes share the decoded pictures.
    with multiprocessing.get_context("fork").Pool(processes) as pool, path.open("a") as file:
        if not done:
            file.write("person,family,item,right\n")
        for answers in pool.imap_unordered(answer, jobs(persons, done)):
            file.writelines(",".join(map(str, row)) + "\n" for row in answers)
            file.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))

"""The calibrations that gfactor ships: design cells of every family, by limited observers.

Run by hand, the second line after the first; the first goes on where it was stopped:

    python benchmarks/chc_calibration.py answers DIRECTORY [PERSONS]
    python benchmarks/chc_calibration.py fit DIRECTORY --date 2026-11-22

Persons are drawn as in `chc_population.py`: seeing, memory and reasoning are standard normal,
correlated .3. Every person answers, from pixels, `TAKEN` of the `CLONES` items of each cell
(`benchmarks.chc.main_radicals`) by lot. Who cannot tell guesses among the options, each as likely:
guessing is fixed by the format in the calibration, so it has to be in the answers. Where nothing is
offered it is a wrong answer. `fit` calibrates each broad ability by design with the project's
`calibrate` and writes the documents of `src/gfactor/benchmarks/chc/calibrations/`.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from chc_population import CORRELATION, limits, wanted

from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.examinees.observer import SOLVERS, Limited, observe
from gfactor.examinees.observer.observer import CANNOT_TELL
from gfactor.imaging import Pixels
from gfactor.items import Item

SEED = 1807
PERSONS, CLONES = 240, 6
TAKEN: Mapping[str, int] = {"Gf": 1, "Gv": 1, "Gwm": 2, "Gl": 2, "Gs": 2, "EF": 2}
"""Items of each cell that a person answers: more where an ability has few families."""


@dataclass(frozen=True)
class Question:
    """An item, ready to be shown."""

    family: str
    ability: str
    cell: str
    item: Item
    pictures: tuple[Pixels, ...]


def questions(seed: int, clones: int, abilities: Sequence[str] = ()) -> list[Question]:
    """The items of all cells of the families that have an observer."""
    names = [
        name for name, family in FAMILIES.items()
        if name in SOLVERS and (not abilities or family.broad in abilities)
    ]  # fmt: skip
    found = []
    for part in build.plan(seed=seed, families=names, cells="main", per_cell=clones).parts:
        make: Any = part.make
        for item in make():
            family = FAMILIES[str(item.labels["family"])]
            shown = tuple(image.decode() for image in item.images)
            cell = f"{family.name} {item.labels['difficulty']}"
            found.append(Question(family.name, family.broad, cell, item, shown))
    return found


def people(persons: int, seed: int) -> tuple[np.ndarray, list[Limited]]:
    """Abilities (persons x 3) and observers."""
    covariance = np.full((3, 3), CORRELATION) + (1 - CORRELATION) * np.eye(3)
    known = np.random.default_rng(seed).multivariate_normal(np.zeros(3), covariance, persons)
    return known, [limits(*row, seed=seed * 10_000 + k) for k, row in enumerate(known)]


def ask(person: Limited, question: Question, lots: np.random.Generator) -> tuple[int, int]:
    """Whether the answer is right, and whether it was guessed because nothing could be told."""
    item = question.item
    reply = observe(question.family, question.pictures, person(question.family, question.pictures))
    if reply == CANNOT_TELL and item.choices:
        reply = item.choices[int(lots.integers(len(item.choices)))].label
        return int(reply == wanted(item)), 1
    return int(reply == wanted(item)), 0


def answer_all(
    path: Path, every: Sequence[Question], persons: int, seed: int, taken: Mapping[str, int]
) -> None:
    """Append to `path` one line for each answer, person by person; those there are left out."""
    done = set(pd.read_csv(path, usecols=["person"])["person"]) if path.exists() else set()
    cells: dict[str, list[Question]] = {}
    for question in every:
        cells.setdefault(question.cell, []).append(question)
    with path.open("a", newline="") as file:
        out = csv.writer(file)
        if not done:
            out.writerow(["person", "item", "right", "guessed"])
        for number, person in enumerate(people(persons, seed)[1]):
            if number in done:
                continue
            lots, rows = np.random.default_rng((seed, number)), []
            for clones in cells.values():
                for k in lots.permutation(len(clones))[: taken[clones[0].ability]]:
                    rows.append([number, clones[k].item.id, *ask(person, clones[k], lots)])
            out.writerows(rows)
            file.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["answers", "fit"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("persons", type=int, nargs="?", default=PERSONS)
    parser.add_argument("--date")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    path = given.folder / "calibration.csv"
    if given.step == "answers":
        answer_all(path, questions(SEED, CLONES), given.persons, SEED, TAKEN)


if __name__ == "__main__":
    main()

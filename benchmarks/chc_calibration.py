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
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from chc_population import CORRELATION, limits, wanted

from gfactor.api.calibrating import calibration_of_responses, parts_of
from gfactor.api.item_responses import ItemResponses
from gfactor.api.scoring import scoring_of
from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.shipped import FOLDER
from gfactor.examinees.observer import SOLVERS, Limited, observe
from gfactor.examinees.observer.observer import CANNOT_TELL
from gfactor.imaging import Pixels
from gfactor.items import Item, canonical_json
from gfactor.psychometrics.irt import itemfamilies
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.psychometrics.irt.calibration_files import write_calibrations
from gfactor.scoring import item_chance
from gfactor.scoring.policies import BENCHMARKS_POLICY

SEED = 1807
PERSONS, CLONES = 240, 6
TAKEN: Mapping[str, int] = {"Gf": 1, "Gv": 1, "Gwm": 2, "Gl": 2, "Gs": 2, "EF": 2}
"""Items of each cell that a person answers: more where an ability has few families."""

POPULATION = (
    "limited observers: {n} simulated persons who answer from pixels; seeing, memory and reasoning "
    "standard normal, correlated .3 (acuity 0.6 exp(0.45 z), capacity 5.5 exp(0.5 z), hypotheses "
    "20 exp(1.2 z)); {taken} of {clones} items of each cell; a design prior, no norm of people or "
    "models"
)


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


def responses(path: Path, every: Sequence[Question]) -> ItemResponses:
    """The answers as a journal of the default condition gives them."""
    answers = pd.read_csv(path).rename(columns={"person": "examinee"})
    answers["examinee"] = [f"observer:limited {k:03d}" for k in answers["examinee"]]
    scores: Any = answers.pivot(index="examinee", columns="item", values="right")
    items = pd.DataFrame([
        {
            "item": one.item.id, "id": one.item.id, "benchmark": one.item.benchmark,
            "content_hash": one.item.provenance.content_hash,
            "answer_type": one.item.answer_type, "choices": one.item.choices,
            "options": len(one.item.choices), "accepted": [],
            "target": canonical_json(one.item.target), **one.item.labels,
        }
        for one in every
    ]).set_index("item")  # fmt: skip
    items["chance"] = item_chance(items)["chance"].to_numpy()
    items = items.loc[sorted(set(scores.columns))]
    who = pd.DataFrame({"examinee": scores.index, "condition": "default", "kind": "population"})
    who = who.set_axis(scores.index, axis=0)
    return ItemResponses(scores[list(items.index)], who, items, answers)


def rounded(known: Calibration) -> Calibration:
    """Five digits: far finer than the errors, and short."""
    entries = tuple(
        replace(
            entry, values=tuple(float(f"{v:.5g}") for v in entry.values),
            clone_sd=float(f"{entry.clone_sd:.5g}"),
            facts={k: float(f"{v:.5g}") if isinstance(v, float) else v
                   for k, v in entry.facts.items()},
        ) for entry in known.entries
    )  # fmt: skip
    short = np.vectorize(lambda v: float(f"{v:.5g}"))
    return replace(
        known, entries=entries, covariance=short(known.covariance),
        variance=float(f"{known.variance:.5g}"),
    )  # fmt: skip


def fit(folder: Path, date: str | None, output: Path, abilities: Sequence[str]) -> None:
    """Calibrate broad abilities by design, and write the documents.

    Cell means are normal around a common mean, with the spread that they show: cells that nobody
    answers above chance have no difficulty of their own.
    """
    everything = responses(folder / "calibration.csv", questions(SEED, CLONES))
    scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
    for ability, names in parts_of(everything.items, "ability").items():
        if abilities and ability not in abilities:
            continue
        part = everything.of_items(names)
        text = POPULATION.format(n=len(part.scores), taken=TAKEN[ability], clones=CLONES)
        known = rounded(calibration_of_responses(
            part, scoring, [], by="design", model="rasch", guess="format", cells=(), design="~ 1",
            cluster=None, counting="whole", shrink=False, link=None, link_method=None,
            population=text, date=date, force=False,
        ))  # fmt: skip
        about = dict(known.about)
        # The names of simulated persons say nothing.
        about["respondents"] = {**about["respondents"], "examinees": []}
        table = known.table
        share = float(part.scores.stack().mean())
        print(
            f"| {ability} | {len(part.scores)} | {len(table)} | {share:.2f} | "
            f"{table['b'].min():.1f} to {table['b'].max():.1f} | {table['se_b'].median():.2f} | "
            f"{table['clone_sd'].median():.2f} | {known.variance**0.5:.2f} |",
            flush=True,
        )
        for said in known.diagnostics:
            print(ability, said.code, said.sentence, file=sys.stderr)
        write_calibrations({ability: replace(known, about=about)}, output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["answers", "fit"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("persons", type=int, nargs="?", default=PERSONS)
    parser.add_argument("--date")
    parser.add_argument("--rounds", type=int, help="of the clone variances, where time is short")
    parser.add_argument("--abilities", nargs="*", default=())
    parser.add_argument("--output", type=Path, default=FOLDER)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    path = given.folder / "calibration.csv"
    if given.step == "answers":
        answer_all(path, questions(SEED, CLONES), given.persons, SEED, TAKEN)
    else:
        itemfamilies._ROUNDS = given.rounds or itemfamilies._ROUNDS
        fit(given.folder, given.date, given.output, given.abilities)


if __name__ == "__main__":
    main()

"""The calibrations that gfactor ships: design cells of every family, by limited observers.

Run by hand, one line after the other; `answers` goes on where it was stopped:

    python benchmarks/chc_calibration.py pilot DIRECTORY
    python benchmarks/chc_calibration.py answers DIRECTORY [PERSONS] [--abilities EF ...]
    python benchmarks/chc_calibration.py fit DIRECTORY --date 2026-11-28
    python benchmarks/chc_calibration.py again DIRECTORY --families spatial_span

`pilot` varies one limit at a time, on other items: from it the population was chosen (`limits`),
before anybody of the population was drawn. Seeing, memory and reasoning are standard normal,
correlated .3. Every person answers, from pixels, `TAKEN` of the `CLONES` items of each cell
(`benchmarks.chc.main_radicals`) by lot. The lots of a cell depend on the person and the cell
alone, so that an ability can be answered by itself, in a directory of its own. Who cannot tell
guesses among the options, each as likely: guessing is fixed by the format in the calibration, so it
has to be in the answers. Where nothing is offered it is a wrong answer. `fit` calibrates each broad
ability by design with the project's `calibrate` and writes the documents of
`src/gfactor/benchmarks/chc/calibrations/`. `again` lets the same persons answer one new item of
each cell of a family, and says how far the share right is from what the shipped calibration
expects: a family that has a new version is calibrated anew if they differ.
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
from chc_population import wanted

from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.scales.calibrated import cell_name
from gfactor.api.scales.calibrating import parts_of
from gfactor.api.scales.design_cells import cell_labels, cell_of
from gfactor.api.scales.irt_data import ItemResponses
from gfactor.api.scales.response_calibration import calibration_of_responses
from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.shipped import FOLDER, shipped_calibrations
from gfactor.examinees.observer import SOLVERS, Limited, observe
from gfactor.examinees.observer.observer import CANNOT_TELL
from gfactor.imaging import Pixels
from gfactor.items import Item, canonical_json
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations
from gfactor.scoring import item_chance
from gfactor.scoring.policies import BENCHMARKS_POLICY

SEED, PILOT, AGAIN = 2311, 99, 2312
"""Of items and persons; of the items of the pilot; of items that are answered again."""
CORRELATION = 0.3
PERSONS, CLONES = 240, 6
TAKEN: Mapping[str, int] = {"Gf": 1, "Gv": 1, "Gwm": 2, "Gl": 2, "Gs": 2, "EF": 2}
"""Items of each cell that a person answers: more where an ability has few families."""

LARGEST = 0.59
"""Standard error of a difficulty, in logits, above which a cell has none."""
POPULATION = (
    "limited observers: {n} simulated persons who answer from pixels; seeing, memory and reasoning "
    "standard normal, correlated .3 (acuity 0.6 exp(0.2 z), contrast sensitivity a fifth of it, "
    "capacity 4 exp(0.5 z) things, retention twice as many turns, hypotheses 6 exp(0.9 z)); "
    "{taken} of {clones} items of each cell; a design prior, no norm of people or models"
)


LEVELS: Mapping[str, Sequence[float]] = {
    "acuity": (0.2, 0.28, 0.35, 0.38, 0.42, 0.46, 0.5, 0.55, 0.6, 0.65, 0.8, 1.2),
    "capacity": (1.5, 2.5, 4, 6, 9, 14),
    "hypotheses": (1, 3, 8, 20, 60, 200),
}
"""Of each limit in the pilot, the others at `MIDDLE`."""
MIDDLE = {"acuity": 0.6, "capacity": 5.5, "hypotheses": 20.0}


def limits(seeing: float, memory: float, reasoning: float, seed: int) -> Limited:
    """The person with these abilities; contrast goes with acuity, and retention with capacity.

    Memory and reasoning: one and a half standard deviations to each side reach over the levels at
    which the pilot's accuracy grows. Seeing: below acuity 0.44 two thirds of the Gf pictures cannot
    be made out at all, so that such a person says nothing of their difficulty; one in sixteen is
    below.
    """
    acuity, capacity = 0.6 * np.exp(0.2 * seeing), 4 * np.exp(0.5 * memory)
    return observer(acuity, capacity, 6 * np.exp(0.9 * reasoning), seed)


def observer(acuity: float, capacity: float, hypotheses: float, seed: int) -> Limited:
    """The observer with these limits."""
    return Limited(
        acuity=float(acuity), contrast=float(acuity / 5), capacity=float(capacity),
        retention=float(2 * capacity), hypotheses=max(1, round(hypotheses)), seed=seed,
    )  # fmt: skip


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
            rows = []
            for name, clones in cells.items():
                lots = np.random.default_rng((seed, number, *name.encode()))
                for k in lots.permutation(len(clones))[: taken[clones[0].ability]]:
                    rows.append([number, clones[k].item.id, *ask(person, clones[k], lots)])
            out.writerows(rows)
            file.flush()


def pilot(path: Path) -> None:
    """Print shares right by level of each limit and ability, and answers that were guessed."""
    rows = []
    every = questions(PILOT, 2)
    for limit, levels in LEVELS.items():
        for level in levels:
            person = observer(**{**MIDDLE, limit: level}, seed=int(100 * level))
            lots = np.random.default_rng(1)
            rows += [[limit, level, q.ability, *ask(person, q, lots)] for q in every]
    table = pd.DataFrame(rows, columns=["limit", "level", "ability", "right", "guessed"])
    table.to_csv(path, index=False)
    for what in ("right", "guessed"):
        shares: Any = table.pivot_table(
            index=["limit", "level"], columns="ability", values=what, margins=True
        )
        print(what, shares.round(2).to_string(), sep="\n")


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
        testlet_variance=float(f"{known.testlet_variance:.5g}"),
    )  # fmt: skip


def answered(part: ItemResponses) -> tuple[ItemResponses, tuple[Diagnostic, ...]]:
    """The responses without the cells that nobody answers above chance, which have no difficulty.

    Each is found by a Rasch model of cells, in which its difficulty has a standard error above
    `LARGEST`.
    """
    items: Any = part.items
    rows = [cell_of(row) for row in items[cell_labels(items)].to_dict("records")]
    names = np.array([cell_name(row) for row in rows])
    answers: Any = part.scores
    guess: dict[str, float] = items["chance"].groupby(names).mean().to_dict()
    scores: Any = answers.T.groupby(names).first().T
    cells = fit_irt("rasch", scores, guess=guess)
    error = cells.items.set_index("item")["se_b"]
    lost = tuple(map(str, error.index[(~(error <= LARGEST)).to_numpy()]))
    if not lost:
        return part, ()
    kept = [str(name) for name in items.index[~np.isin(names, lost)]]
    return part.of_items(kept), (Diagnostic(
        "cells_at_chance", "warning",
        f"{len(lost)} cells were not answered above chance, so that they have no difficulty; "
        "they were left out.", "Calibrate with abler respondents.", lost,
    ),)  # fmt: skip


def fit(folder: Path, date: str | None, output: Path, abilities: Sequence[str]) -> None:
    """Calibrate broad abilities by design, and write the documents.

    Cell means are normal around a common mean, with the spread that they show: cells that nobody
    answers above chance have no difficulty of their own.
    """
    everything = responses(folder / "calibration.csv", questions(SEED, CLONES, abilities))
    scoring = scoring_of((), None, None, BENCHMARKS_POLICY, {})
    for ability, names in parts_of(everything.items, "ability").items():
        if abilities and ability not in abilities:
            continue
        part = everything.of_items(names)
        text = POPULATION.format(n=len(part.scores), taken=TAKEN[ability], clones=CLONES)
        part, said = answered(part)
        known = calibration_of_responses(
            part, scoring, [], by="design", model="rasch", guess="format", cells=(),
            design="~ 1", cluster=None, counting="whole", shrink=False, link=None,
            link_method=None, population=text, date=date, force=False,
        )  # fmt: skip
        known = replace(known, diagnostics=by_severity([*known.diagnostics, *said]))
        known = rounded(known)
        about = dict(known.about)
        # The names of simulated persons say nothing.
        about["respondents"] = {**about["respondents"], "examinees": []}
        table = known.table
        share = float(np.nanmean(part.scores.to_numpy(float)))
        print(
            f"| {ability} | {len(part.scores)} | {len(table)} | {share:.2f} | "
            f"{table['b'].min():.1f} to {table['b'].max():.1f} | {table['se_b'].median():.2f} | "
            f"{table['clone_sd'].median():.2f} | {known.variance**0.5:.2f} | "
            f"{known.testlet_variance**0.5:.2f} |",
            flush=True,
        )
        for said in known.diagnostics:
            print(ability, said.code, said.sentence, file=sys.stderr)
        write_calibrations({ability: replace(known, about=about)}, output)


def again(path: Path, families: Sequence[str], persons: int) -> None:
    """Let the calibrated persons answer one new item of each cell of families, and print shares
    right beside those that the shipped calibration expects, with the difference in logits."""
    chosen = [one for one in questions(AGAIN, CLONES, [FAMILIES[name].broad for name in families])
              if one.family in families]  # fmt: skip
    answer_all(path, chosen, persons, SEED, dict.fromkeys(TAKEN, 1))
    answers = pd.read_csv(path)
    cells = {one.item.id: (one.family, one.item.labels) for one in chosen}
    left = dict(cells)
    for known in shipped_calibrations(sorted({one.ability for one in chosen})).values():
        sd = float(np.hypot(known.variance**0.5, known.testlet_variance**0.5))
        nodes = np.linspace(-5, 5, 201) * sd
        weights = np.exp(-((nodes / sd) ** 2) / 2)
        curves = known.probabilities(nodes)
        errors: Any = known.table.set_index("entry")["se_b"]
        for entry, curve in zip(known.entries, curves, strict=True):
            labels = dict(entry.facts["labels"])
            ids = [i for i, (family, own) in cells.items() if family == labels["family"]
                   and all(own[name] == level for name, level in labels.items())]  # fmt: skip
            right = answers.loc[answers["item"].isin(ids), "right"].to_numpy(float)
            if not len(right):
                continue
            left = {item: one for item, one in left.items() if item not in ids}
            expected = float(curve @ weights / weights.sum())
            slope = float(np.gradient(curve, nodes) @ weights / weights.sum())
            logits = (expected - right.mean()) / slope
            error = np.hypot(right.std() / len(right) ** 0.5 / slope, float(errors[entry.name]))
            print(f"| {entry.name} | {len(right)} | {expected:.3f} | {right.mean():.3f} | "
                  f"{logits:+.2f} ± {error:.2f} |", flush=True)  # fmt: skip
    rest = answers.loc[answers["item"].isin(list(left))]
    for stem, rows in rest.groupby(rest["item"].str.rsplit("-", n=1).str[0]):
        print(f"| {stem} | {len(rows)} | not calibrated | {rows['right'].mean():.3f} | |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["pilot", "answers", "fit", "again"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("persons", type=int, nargs="?", default=PERSONS)
    parser.add_argument("--date")
    parser.add_argument("--abilities", nargs="*", default=())
    parser.add_argument("--families", nargs="*", default=(), help="for again")
    parser.add_argument("--output", type=Path, default=FOLDER)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    path = given.folder / "calibration.csv"
    if given.step == "pilot":
        pilot(given.folder / "pilot.csv")
    elif given.step == "again":
        again(given.folder / "again.csv", given.families, given.persons)
    elif given.step == "answers":
        every = questions(SEED, CLONES, given.abilities)
        answer_all(path, every, given.persons, SEED, TAKEN)
    else:
        fit(given.folder, given.date, given.output, given.abilities)


if __name__ == "__main__":
    main()

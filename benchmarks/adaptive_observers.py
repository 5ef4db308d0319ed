"""Adaptive testing of limited observers who were not calibrated: what it saves, and what misfits.

    python benchmarks/adaptive_observers.py answers DIRECTORY [--persons 200]
    python benchmarks/adaptive_observers.py compare DIRECTORY --write docs/evidence/benchmarks.md

answers     limited observers, other persons than those of the shipped calibrations, answer new
            clones of every cell, from pixels; the tables are made once, and selections are replayed
            from them (answering is expensive). Goes on where it was stopped.
compare     adaptive, stratified-random and random selection from these tables, paired by person.
            The true ability is not known: an estimate from other clones stands in, with its error.
            Then what `gfactor profile` would say of misfit, and what `--rank` would save.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from adaptive import (
    MOST,
    TARGET,
    WAYS,
    Bank,
    Floats,
    Step,
    bank_of,
    coverage,
    ends,
    equal_n,
    run,
    savings,
    section,
)
from chc_calibration import answer_all, questions
from numpy.typing import NDArray
from pages import replace_section

from gfactor.api.asking.ranking import looks
from gfactor.benchmarks.chc.main_radicals import MAIN
from gfactor.benchmarks.chc.shipped import shipped_calibrations
from gfactor.psychometrics.irt.adaptive import undecided_pairs
from gfactor.psychometrics.irt.checks.profile_fit import adjusted, family_fit, person_fit
from gfactor.psychometrics.irt.scales.calibration import Calibration

SEED = 4711
"""Of the persons and clones that are tested; other ones than those of the calibration."""
CLONES = {"Gf": 12, "Gv": 12, "Gl": 16, "Gwm": 5, "Gs": 16, "EF": 16}
HELD = {"Gf": 4, "Gv": 4, "Gl": 4, "Gwm": 2, "Gs": 4, "EF": 4}
"""Clones of each cell, and how many of them the reference is estimated from."""
RANKED = 5
"""Observers of each group that is put in order, and shares of the population that the members of
other groups come from."""
Tables = Mapping[int, NDArray[np.int_]]
"""By person the answers to the clones of each cell, (C, K)."""


def tables(known: Calibration, path: Path) -> dict[int, NDArray[np.int_]]:
    """The answers of a file, cells in the order of the calibration's."""
    answers: Any = pd.read_csv(path)
    parts = answers["item"].str.rsplit("-", n=1)
    cell_of = {_stem(e.facts["labels"]): k for k, e in enumerate(known.entries)}
    answers["cell"] = [cell_of.get(stem, -1) for stem, _ in parts]
    answers["clone"] = [int(number) for _, number in parts]
    answers = answers.loc[(answers["cell"] >= 0).to_numpy()]
    return {
        int(person): rows.pivot(index="cell", columns="clone", values="right").to_numpy(int)
        for person, rows in answers.groupby("person")
    }


def by_lot(given: Tables) -> dict[int, NDArray[np.int_]]:
    """Every person's clones of each cell in an order of their own: clones of a cell differ, and
    with one order for all persons these differences would count as errors of selection."""
    return {
        person: np.random.default_rng((SEED, person, len(WAYS))).permuted(table, axis=1)
        for person, table in given.items()
    }


def _stem(labels: Mapping[str, Any]) -> str:
    """How the ids of a cell's items begin."""
    main = MAIN[str(labels["family"])]
    return f"{labels['family']}-{main}-{labels[f'radical.{main}']}"


def reference(bank: Bank, held: NDArray[np.int_]) -> tuple[float, float]:
    """Ability and its error from the clones that are not asked."""
    known = bank.before()
    for k, row in enumerate(held):
        for right in row:
            p = bank.p[k] if right else 1 - bank.p[k]
            known = known.updated(np.log(np.maximum(p, 1e-12)), bank.families[k])
    return known.theta, known.se


def compared(ability: str, folder: Path) -> list[str]:
    """One ability: savings, differences from the reference, coverage, misfit, ranking."""
    known = shipped_calibrations([ability])[ability]
    bank, path = bank_of(known), folder / f"adaptive-{ability}.csv"
    if not path.exists():
        return []
    given, held = by_lot(tables(known, path)), HELD[ability]
    paths: dict[str, list[list[Step]]] = {way: [] for way in WAYS}
    for person, table in given.items():
        for number, way in enumerate(WAYS):
            rng = np.random.default_rng((SEED, person, number))
            paths[way].append(run(bank, way, table[:, held:], rng, MOST))
    truth = np.array([reference(bank, table[:, :held]) for table in given.values()])
    theta, se, n = ends(paths["adaptive"], TARGET * bank.sd)
    short = int((se > TARGET * bank.sd).sum())
    return [
        f"**{ability}.** {len(given)} observers, {len(bank.p)} cells of "
        f"{len(set(bank.families))} families; {CLONES[ability] - held} clones of each cell could "
        f"be asked, {held} made the reference, by lot for each person; tests of at most {MOST} "
        f"answers. Standard deviation of ability {bank.sd:.2f}, of effects on families "
        f"{np.sqrt(bank.effects):.2f} logits.", "", *savings(paths, bank.sd),
        "", "Root mean squared difference from the reference (whose own error, "
        f"{np.sqrt((truth[:, 1] ** 2).mean()) / bank.sd:.2f} SD, is in it):", "",
        *equal_n(paths, truth[:, 0], bank.sd, (10, 20, 40, 80)), "",
        f"Adaptive tests end at {TARGET} SD, after {n.mean():.1f} answers on average; {short} of "
        f"{len(n)} do not reach it. The interval is that of the difference from "
        "the reference, with both errors:", "",
        *coverage(theta, se, truth[:, 0], bank.sd, truth[:, 1]), "",
        misfits(bank, paths["adaptive"], n), "", *rankings(bank, given, held, truth[:, 0]), "",
    ]  # fmt: skip


def rankings(bank: Bank, given: Tables, held: int, truth: Floats) -> list[str]:
    """Groups by lot, and groups of three whose members are far apart."""
    persons = list(given)
    lots = [persons[k : k + RANKED] for k in range(0, len(persons) - RANKED + 1, RANKED)]
    order, fifth = [persons[k] for k in np.argsort(truth)], len(persons) // RANKED
    far = [[order[k], order[2 * fifth + k], order[4 * fifth + k]] for k in range(fifth)]
    return [
        f"`--rank` of {len(lots)} groups of {RANKED} observers by lot: "
        f"{ranking(bank, given, held, truth, lots)}", "",
        f"Of {len(far)} groups of three, one of the lowest, the middle and the highest fifth: "
        f"{ranking(bank, given, held, truth, far)}",
    ]  # fmt: skip


def misfits(bank: Bank, paths: Sequence[list[Step]], ends_at: NDArray[np.int_]) -> str:
    """Tests of which a profile would make no claim, with effects on families and without."""
    said = {}
    for name, one in (("with", bank), ("without", replace(bank, effects=0.0))):
        families, persons = [], []
        for steps, n in zip(paths, np.maximum(ends_at, 20), strict=True):
            asked = steps[:n]
            known = one.before()
            rows: dict[str, list[int]] = {}
            for number, (_, _, k, right) in enumerate(asked):
                rows.setdefault(one.families[k], []).append(number)
                p = one.p[k] if right else 1 - one.p[k]
                known = known.updated(np.log(np.maximum(p, 1e-12)), one.families[k])
            p = np.array([one.p[k] for _, _, k, _ in asked])
            right = np.array([float(r) for *_, r in asked])
            table = family_fit(
                {f: p[i] for f, i in rows.items()}, {f: right[i] for f, i in rows.items()},
                one.before(),
            )  # fmt: skip
            families.append(bool((adjusted(table["p"].tolist()) < 0.05).any()))
            fit = person_fit(p, right, known, [one.families[k] for _, _, k, _ in asked])
            persons.append(fit["p"] < 0.05)
        said[name] = f"{100 * np.mean(families):.1f} % and {100 * np.mean(persons):.1f} %"
    return (
        "Observers of whom some family is said to misfit (adjusted p < .05), and whose answers are "
        f"said to (p < .05), after 20 answers or more: {said['with']}; with the variance of "
        f"effects left out {said['without']}."
    )


def ranking(
    bank: Bank, given: Tables, held: int, truth: Floats, groups: Sequence[Sequence[int]],
    level: float = 0.95,
) -> str:  # fmt: skip
    """Questions that ordering groups takes, against asking everybody everything."""
    persons, everything, asked, closed, wrong, decided = list(given), 0, 0, 0, 0, 0
    for group in groups:
        most = min(MOST, given[group[0]][:, held:].size)
        steps = [
            run(bank, "adaptive", given[p][:, held:], np.random.default_rng(SEED), most)
            for p in group
        ]
        planned, used = looks(most), [0] * len(group)
        waiting: set[int] = set(range(len(group)))
        pairs: list[tuple[int, int]] = []
        for number in planned:
            for k in waiting:
                used[k] = number
            now = [steps[k][used[k] - 1] for k in range(len(group))]
            pairs = undecided_pairs(
                [one[0] for one in now], [one[1] for one in now],
                level=1 - (1 - level) / len(planned),
            )  # fmt: skip
            waiting = {k for pair in pairs for k in pair}
            if not waiting:
                break
        asked, everything = asked + sum(used), everything + most * len(group)
        closed += not pairs
        for a, b in itertools.combinations(range(len(group)), 2):
            if (a, b) in pairs or (b, a) in pairs:
                continue
            first, second = persons.index(group[a]), persons.index(group[b])
            apart = steps[a][used[a] - 1][0] - steps[b][used[b] - 1][0]
            decided += 1
            wrong += bool(apart * (truth[first] - truth[second]) < 0)
    total = sum(len(group) * (len(group) - 1) // 2 for group in groups)
    return (
        f"{asked:,} of {everything:,} questions ({100 * (1 - asked / everything):.0f} % saved); "
        f"{decided} of {total} pairs decided, {wrong} of them against the order of the references, "
        f"whose error is in that; {closed} whole orders decided."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["answers", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--persons", type=int, default=200)
    parser.add_argument("--abilities", nargs="*", default=list(CLONES))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.step == "answers":
        given.folder.mkdir(parents=True, exist_ok=True)
        for ability in given.abilities:
            known = shipped_calibrations([ability])[ability]
            stems = {_stem(entry.facts["labels"]) for entry in known.entries}
            every = [
                one for one in questions(SEED, CLONES[ability], [ability])
                if one.item.id.rsplit("-", 1)[0] in stems
            ]  # fmt: skip
            path = given.folder / f"adaptive-{ability}.csv"
            answer_all(path, every, given.persons, SEED, CLONES)
        return
    title = "Adaptive testing of limited observers"
    lines = [line for name in given.abilities for line in compared(name, given.folder)]
    head = [
        "Other persons and other clones than those of the calibrations; answers from pixels, made "
        "once and replayed.", "",
    ]  # fmt: skip
    text = section(title, "python benchmarks/adaptive_observers.py compare", [*head, *lines])
    print(text)
    if given.write:
        replace_section(given.write, f"## {title}", text)


if __name__ == "__main__":
    main()

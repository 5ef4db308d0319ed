"""Structure recovered: confirmatory factor analysis of the population's family scores.

Run by hand after `chc_population.py`: `python benchmarks/chc_structure.py DIRECTORY`. Prints the
tables of docs/evidence/batteries-evidence.md. A family's score is the mean of what a person earned
on its items above what the population earned on them. Which family loads on which ability was fixed
before, by other items and persons with one limit each (`pilot.csv`): a family loads on an ability
where its share right differs by `EFFECT` or more between the 10th and the 90th percentile of the
population.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from chc_population import ABILITIES, SAMPLE, Sample

from gfactor.psychometrics import sem

EFFECT = 0.25
FOLDS, RIDGE = 10, 50.0


def scores(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Family scores and known abilities of the persons who answered."""
    answers = pd.read_csv(folder / "answers.csv")
    above = answers["right"] - answers.groupby("item")["right"].transform("mean")
    table = answers.assign(above=above).pivot_table(
        index="person", columns="family", values="above", aggfunc="mean"
    )
    return table, pd.read_csv(folder / "persons.csv", index_col="person").loc[table.index]


def loadings(folder: Path, sample: Sample = SAMPLE) -> dict[str, list[str]]:
    """The families of each ability."""
    answers = pd.read_csv(folder / "pilot.csv")
    result: dict[str, list[str]] = {}
    for ability, (median, spread) in zip(
        ABILITIES, (sample.acuity, sample.capacity, sample.hypotheses), strict=True
    ):
        ends = np.log(median) + spread * np.array([-1.2816, 1.2816])
        result[ability] = []
        for family, part in answers[answers["ability"] == ability].groupby("family"):
            low, high = np.interp(ends, np.log(part["limit"]), part["right"] / part["n"])
            if high - low >= EFFECT:
                result[ability].append(str(family))
    return result


def report(name: str, model: str, data: pd.DataFrame, known: pd.DataFrame) -> None:
    """Fit, and correlations of factor scores with what is known."""
    orthogonal = name.startswith("bifactor")
    fit = sem.fit(model, data, std_lv=True, orthogonal=orthogonal)
    m = fit.measures
    found = sem.factor_scores(fit, data).scores
    truth: Any = known.assign(g=known.sum(axis=1))
    r = [interval(found[a], truth[a]) if a in found else "" for a in (*ABILITIES, "g")]
    cells = [f"{m['chisq']:.0f}", f"{m['df']:.0f}", f"{m['cfi']:.3f}", f"{m['rmsea']:.3f}"]
    cells += [f"{m['srmr']:.3f}", f"{m['bic']:.0f}", "yes" if fit.converged else "no", *r]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for said in fit.diagnostics:
        print(f"  {name}: {said.code}", file=sys.stderr)


def held_out(data: pd.DataFrame, ability: pd.Series, seed: int = 0) -> np.ndarray:
    """The prediction of an ability from the family scores, by ridge regression (standardized
    scores, penalty `RIDGE`) whose weights come from other persons."""
    x, y = data.to_numpy(float), ability.to_numpy(float)
    order = np.random.default_rng(seed).permutation(len(y))
    predicted = np.zeros(len(y))
    for fold in range(FOLDS):
        test = order[fold::FOLDS]
        train = np.setdiff1d(order, test)
        mean, spread = x[train].mean(axis=0), x[train].std(axis=0)
        a = (x[train] - mean) / spread
        right = a.T @ (y[train] - y[train].mean())
        weights = np.linalg.solve(a.T @ a + RIDGE * np.eye(a.shape[1]), right)
        predicted[test] = (x[test] - mean) / spread @ weights
    return predicted


def prediction(data: pd.DataFrame, known: pd.DataFrame) -> None:
    """Print what the scores tell of each ability, whatever the factor model."""
    print("\n| ability | r of held-out persons (95 %) |\n|---|---|")
    for name in ABILITIES:
        ability: Any = known[name]
        print(f"| {name} | {interval(held_out(data, ability), ability)} |")


def interval(estimate: Any, truth: pd.Series) -> str:
    """The correlation with its 95 % interval (Fisher)."""
    r = float(np.corrcoef(estimate, truth)[0, 1])
    low, high = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(len(truth) - 3))
    return f"{r:.3f} ({low:.3f} to {high:.3f})"


def main(folder: Path) -> None:
    data: Any
    data, known = scores(folder)
    families = loadings(folder)
    loading = sorted({f for names in families.values() for f in names} & set(data))
    families = {a: [f for f in names if f in loading] for a, names in families.items()}
    prediction(data, known)
    data = data[loading]
    print(f"{len(data)} persons, {len(loading)} families")
    for ability, names in families.items():
        print(f"{ability}: {', '.join(names)}")
    print("\nknown abilities\n", known.corr().round(2))
    lines = {a: f"{a} =~ {' + '.join(names)}" for a, names in families.items()}
    three = "\n".join(lines.values())
    every = " + ".join(loading)
    print("\n| model | chi2 | df | CFI | RMSEA | SRMR | BIC | converged | seeing | memory "
          "| reasoning | g |\n" + "|---" * 12 + "|")  # fmt: skip
    report("one factor", f"g =~ {every}", data, known)
    report("three, correlated", three, data, known)
    report("second order", f"{three}\ng =~ seeing + memory + reasoning", data, known)
    report("bifactor", f"g =~ {every}\n{three}", data, known)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

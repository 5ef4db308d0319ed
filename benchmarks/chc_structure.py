"""Structure recovered: confirmatory factor analysis of the population's family scores.

Run by hand after `chc_population.py`: `python benchmarks/chc_structure.py DIRECTORY`. Prints the
tables of docs/batteries-evidence.md. A family's score is the mean of what a person earned on its
items above what the population earned on them. Which family loads on which ability was found
before, from other items and persons with one limit each (`alone.csv`): a family loads on an ability
where its accuracy differs by `EFFECT` or more between the 10th and the 90th percentile.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics import sem

ABILITIES = ("seeing", "memory", "reasoning")
EFFECT = 0.25


def scores(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Family scores and known abilities of the persons who answered."""
    answers = pd.read_csv(folder / "answers.csv")
    above = answers["right"] - answers.groupby("item")["right"].transform("mean")
    table = answers.assign(above=above).pivot_table(
        index="person", columns="family", values="above", aggfunc="mean"
    )
    return table, pd.read_csv(folder / "persons.csv", index_col="person").loc[table.index]


def loadings(folder: Path) -> dict[str, list[str]]:
    """The families of each ability."""
    alone: Any = pd.read_csv(folder / "alone.csv")
    share = alone.assign(share=alone["right"] / alone["n"])
    wide = share.pivot(index=["family", "ability"], columns="z", values="share")
    effect = wide[1.28] - wide[-1.28]
    return {
        a: [str(f) for f, e in effect.xs(a, level="ability").items() if e >= EFFECT]
        for a in ABILITIES
    }


def report(name: str, model: str, data: pd.DataFrame, known: pd.DataFrame) -> None:
    """Fit, and correlations of factor scores with what is known."""
    orthogonal = name.startswith("bifactor")
    fit = sem.fit(model, data, std_lv=True, orthogonal=orthogonal)
    m = fit.measures
    found = sem.factor_scores(fit, data).scores
    r = [f"{np.corrcoef(found[a], known[a])[0, 1]:.3f}" if a in found else "" for a in ABILITIES]
    general = known.sum(axis=1)
    r.append(f"{np.corrcoef(found['g'], general)[0, 1]:.3f}" if "g" in found else "")
    cells = [f"{m['chisq']:.0f}", f"{m['df']:.0f}", f"{m['cfi']:.3f}", f"{m['rmsea']:.3f}"]
    cells += [f"{m['srmr']:.3f}", f"{m['bic']:.0f}", "yes" if fit.converged else "no", *r]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for said in fit.diagnostics:
        print(f"  {name}: {said.code}", file=sys.stderr)


def main(folder: Path) -> None:
    data: Any
    data, known = scores(folder)
    families = loadings(folder)
    loading = sorted({f for names in families.values() for f in names})
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
    # Seeing limits all families: it is the general factor of the bifactor model.
    bifactor = f"seeing =~ {every}\n{lines['memory']}\n{lines['reasoning']}"
    report("bifactor", bifactor, data, known)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Difficulty by design: what each radical costs limited observers, and how much it explains.

Run by hand after `chc_population.py`: `python benchmarks/chc_difficulty.py DIRECTORY [FAMILY ...]`.
Prints the tables of docs/batteries-evidence.md.

accuracy    of the population's answers to items with this level of the radical
spread      standard deviation of a family's Rasch difficulties, sampling error taken out
left        the same around what the radicals predict
slope       accuracy lost from the radical's first level to its last, the other radicals held (least
            squares over items, levels numbered in the order in which the family lists them), in
            standard errors
explained   share of the variance of difficulties that the radicals explain (`fit_design`:
            the linear logistic test model with error)
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks.chc import FAMILIES
from gfactor.errors import GfactorError
from gfactor.psychometrics.irt.explanatory import fit_design
from gfactor.psychometrics.irt.marginal import Quadrature

FALLS = 1.645
"""Standard errors above which accuracy falls (below minus this it rises); one-sided 5 %."""

SMALL = 0.1
"""Logits; of difficulties that differ less, no share is given."""


def tables(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Items with a column for each radical, and answers."""
    items = pd.read_csv(folder / "items.csv")
    levels = [dict(pair.split("=") for pair in text.split(";")) for text in items["levels"]]
    items = items.drop(columns="levels").assign(levels=levels)
    return items.set_index("item"), pd.read_csv(folder / "answers.csv")


def coded(items: pd.DataFrame, name: str) -> pd.DataFrame:
    """Levels of a family's items as numbers, in the order in which the family lists them."""
    radicals = FAMILIES[name].radicals
    return pd.DataFrame(
        {
            radical: [list(map(str, known)).index(one[radical]) for one in items["levels"]]
            for radical, known in radicals.items()
        },
        index=items.index,
    )


def slopes(codes: pd.DataFrame, accuracy: pd.Series) -> dict[str, float]:
    """Fall of accuracy with each radical, the others held, in standard errors."""
    x = np.column_stack([np.ones(len(codes)), codes.to_numpy(float)])
    y = accuracy.to_numpy(float)
    beta, *_ = np.linalg.lstsq(x, y, rcond=None)
    s2 = np.sum((y - x @ beta) ** 2) / (len(y) - x.shape[1])
    se = np.sqrt(np.diag(s2 * np.linalg.pinv(x.T @ x)))
    return dict(zip(codes.columns, -beta[1:] / se[1:], strict=True))


def design(codes: pd.DataFrame) -> pd.DataFrame:
    """Columns of the design: an indicator of every level but the first of each radical; those that
    follow from the others are left out."""
    columns = {"one": np.ones(len(codes))}
    for radical in codes:
        for level in sorted(set(codes[radical]))[1:]:
            more = {**columns, f"{radical}:{level}": (codes[radical] == level).to_numpy(float)}
            if np.linalg.matrix_rank(np.column_stack(list(more.values()))) == len(more):
                columns = more
    return pd.DataFrame(columns, index=codes.index)


def explained(codes: pd.DataFrame, answers: pd.DataFrame) -> tuple[int, float, float]:
    """How many items there are difficulties of, and the standard deviation of these around the
    design and around their mean, in logits, without sampling error; NaN where the model fails."""
    data: Any = answers.pivot(index="person", columns="item", values="right")
    shares = data.mean()
    data = data[[item for item in data if 0 < shares[item] < 1]]
    try:
        found = fit_design(data, design(codes.loc[list(data.columns)]), quadrature=Quadrature(31))
    except GfactorError as error:
        print(error, file=sys.stderr)
        return data.shape[1], float("nan"), float("nan")
    return data.shape[1], found.tau, found.tau_empty


def main(folder: Path, names: Sequence[str] = ()) -> None:
    items: Any
    answers: Any
    items, answers = tables(folder)
    if names:
        answers = answers.loc[answers["family"].isin(names)]
    persons = answers["person"].nunique()
    print(f"{persons} persons, {len(answers)} answers\n")
    print("| family | radical | level: accuracy (answers) | slope |\n|---|---|---|---|")
    flat, shares = [], []
    for name, of_family in answers.groupby("family"):
        known = items.loc[items["family"] == name]
        codes = coded(known, str(name)).loc[sorted(set(of_family["item"]))]
        accuracy = of_family.groupby("item")["right"].mean().loc[codes.index]
        fallen = slopes(codes, accuracy)
        for radical, levels in FAMILIES[str(name)].radicals.items():
            number = of_family["item"].map(codes[radical])
            cells = [
                f"{level}: {of_family['right'][number == k].mean():.2f} ({(number == k).sum()})"
                for k, level in enumerate(levels)
                if (number == k).any()
            ]
            print(f"| {name} | {radical} | {', '.join(cells)} | {fallen[radical]:+.1f} |")
            if fallen[radical] < FALLS:
                flat.append((str(name), radical, fallen[radical]))
        shares.append((str(name), accuracy.mean(), *explained(codes, of_family)))
    total = sum(len(FAMILIES[name].radicals) for name, *_ in shares)
    print(f"\n{total - len(flat)} of {total} radicals cost accuracy (slope above {FALLS}).")
    risen = [f"{name} {radical}" for name, radical, slope in flat if slope < -FALLS]
    print(f"Accuracy rises with {len(risen)}: {', '.join(risen)}.")
    level = [f"{name} {radical}" for name, radical, slope in flat if slope >= -FALLS]
    print(f"Neither with {len(level)}: {', '.join(level)}.")
    print("\n| family | accuracy | items | spread (logits) | left | explained |")
    print("|---|---|---|---|---|---|")
    for name, mean, count, left, spread in shares:
        share = f"{max(0.0, 1 - (left / spread) ** 2):.2f}" if spread > SMALL else "-"
        print(f"| {name} | {mean:.2f} | {count} | {spread:.2f} | {left:.2f} | {share} |")
    known = [row for row in shares if np.isfinite(row[4])]
    left2, spread2 = (sum(row[2] * row[k] ** 2 for row in known) for k in (3, 4))
    print(f"\nAll families, weighted by items: {1 - left2 / spread2:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""Difficulty by design: what each radical costs limited observers, and how much it explains.

Run by hand after `chc_population.py`: `python benchmarks/chc_difficulty.py DIRECTORY [FAMILY ...]`.
Prints the tables of docs/evidence/batteries-evidence.md.

accuracy    of the population's answers to items with this level of the radical
spread      standard deviation of a family's Rasch difficulties, sampling error taken out
left        the same around what the radicals predict
slope       accuracy lost from the radical's first level to its last, the other radicals held (least
            squares over items, levels numbered in the order in which the family lists them), in
            standard errors
explained   share of the variance of difficulties that the radicals explain (`fit_design`:
            the linear logistic test model with error), with the 95 % interval of a parametric
            bootstrap of its two stages: errors of items around the design and of the
            difficulties' estimates
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.benchmarks.chc import FAMILIES
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.irt.likelihood.marginal import Quadrature
from gfactor.psychometrics.irt.models.explanatory import DesignFit, _two_stage, fit_design

FALLS = 1.645
"""Standard errors above which accuracy falls (below minus this it rises); one-sided 5 %."""

SMALL = 0.1
"""Logits; of difficulties that differ less, no share is given."""

DRAWS = 400
"""Draws of the bootstrap."""

INTERACTIONS: Mapping[str, Sequence[tuple[str, str]]] = {
    "balance_puzzles": [("unknowns", "multiplicity")],
    "bills_and_plans": [("kinds", "pieces")],
    "block_views": [("columns", "side")],
    "card_sorting": [("shifts", "feedback")],
    "closure": [("share", "strokes"), ("strokes", "noise")],
    "cube_comparison": [("shared", "angle"), ("directed", "twist")],
    "cube_counting": [("base", "gaps")],
    "cube_nets": [("directed", "foil")],
    "delayed_recognition": [("learned", "delay"), ("learned", "interference")],
    "figural_analogies": [("rules", "strokes")],
    "figure_series": [("rules", "kind")],
    "form_board": [("pieces", "squares")],
    "hidden_figures": [("points", "density"), ("density", "planted")],
    "if_then": [("chain", "tollens")],
    "letter_series": [("streams", "repeats")],
    "logical_strokes": [("element", "size"), ("operation", "examples")],
    "map_planning": [("crossings", "detour")],
    "matrices": [("grid", "rules"), ("rules", "kind")],
    "maze_costs": [("grid", "detour")],
    "n_back": [("back", "lures"), ("lures", "similarity")],
    "number_grids": [("operation", "missing")],
    "number_series": [("rule", "streams")],
    "odd_one_out": [("concept", "noise")],
    "paired_associates": [("pairs", "delay"), ("pairs", "interference")],
    "paper_folding": [("folds", "punches"), ("folds", "diagonals")],
    "rotation_2d": [("angle", "squares"), ("angle", "mirrors")],
    "rotation_3d": [("angle", "mirrors"), ("cubes", "arms")],
    "running_span": [("last", "together"), ("last", "order")],
    "same_or_different": [("rows", "length"), ("position", "task")],
    "set_membership": [("concept", "terms")],
    "spatial_span": [("length", "order"), ("length", "presentation")],
    "syllogisms": [("premises", "sides")],
    "symbol_search": [("rows", "length"), ("length", "targets")],
    "symmetry_axes": [("grid", "broken")],
    "tower_planning": [("pieces", "moves"), ("moves", "detour")],
    "transitive_relations": [("objects", "wanted")],
    "updating": [("counters", "updates"), ("updates", "operation")],
}
"""Pairs of radicals whose costs multiply by what the family asks for (holes are folds by punches,
comparisons are rows by figures, what is held is kept for so many turns): one column each, the
product of the numbers of their levels. Named before any model was fitted to these answers."""


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


def design(codes: pd.DataFrame, pairs: Sequence[tuple[str, str]] = ()) -> pd.DataFrame:
    """Columns of the design: an indicator of every level but the first of each radical, and the
    product of each of the `pairs`; those that follow from the others are left out."""
    columns = {"one": np.ones(len(codes))}
    added = {
        f"{radical}:{level}": (codes[radical] == level).to_numpy(float)
        for radical in codes
        for level in sorted(set(codes[radical]))[1:]
    }
    for a, b in pairs:
        one, two = (codes[r].to_numpy(float) - codes[r].mean() for r in (a, b))
        added[f"{a} x {b}"] = one * two
    for name, column in added.items():
        more = {**columns, name: column}
        if np.linalg.matrix_rank(np.column_stack(list(more.values()))) == len(more):
            columns = more
    return pd.DataFrame(columns, index=codes.index)


def fitted(codes: pd.DataFrame, answers: pd.DataFrame, name: str) -> list[str]:
    """A row of the table of shares: without interactions and with those that are named."""
    data: Any = answers.pivot(index="person", columns="item", values="right")
    shares = data.mean()
    data = data[[item for item in data if 0 < shares[item] < 1]]
    known = codes.loc[list(data.columns)]
    cells = [name, f"{answers['right'].mean():.2f}", str(data.shape[1])]
    for pairs in ((), INTERACTIONS.get(name, ())):
        columns = design(known, pairs)
        try:
            found = fit_design(data, columns, quadrature=Quadrature(31))
        except GfactorError as error:
            print(name, error, file=sys.stderr)
            return [*cells, *["-"] * (7 - len(cells))]
        if not pairs:
            cells += [f"{found.tau_empty:.2f}", f"{found.tau:.2f}"]
        cells.append("-" if found.tau_empty <= SMALL else share(found, columns))
    return cells


def share(found: DesignFit, columns: pd.DataFrame) -> str:
    """The explained share with its interval."""
    x = columns.loc[list(found.rasch.table.items)].to_numpy(float)
    s, rng, drawn = covariance(found), np.random.default_rng(0), []
    mean, spread = x @ found.effects["estimate"].to_numpy(), s + found.tau**2 * np.eye(len(x))
    for b in rng.multivariate_normal(mean, spread, DRAWS):
        left, whole = (_two_stage(b, s, z)[2] for z in (x, np.ones((len(x), 1))))
        drawn.append(max(0.0, 1 - left / whole) if whole > 0 else 0.0)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{found.explained:.2f} ({low:.2f} to {high:.2f})"


def covariance(found: DesignFit) -> np.ndarray:
    """Covariance of the estimates of the Rasch difficulties, as `fit_design` takes it."""
    rasch = found.rasch
    if rasch.vcov is None:
        raise ParameterError("the Rasch difficulties have no standard errors")
    block = rasch.likelihood.model.groups[0].blocks[0]
    s = rasch.vcov.between(rasch.likelihood.model.design[block.index[:, -1]])
    order = np.argsort(block.columns)
    return np.asarray(s[np.ix_(order, order)])


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
        shares.append(fitted(codes, of_family, str(name)))
    total = sum(len(FAMILIES[name].radicals) for name, *_ in shares)
    print(f"\n{total - len(flat)} of {total} radicals cost accuracy (slope above {FALLS}).")
    risen = [f"{name} {radical}" for name, radical, slope in flat if slope < -FALLS]
    print(f"Accuracy rises with {len(risen)}: {', '.join(risen)}.")
    level = [f"{name} {radical}" for name, radical, slope in flat if slope >= -FALLS]
    print(f"Neither with {len(level)}: {', '.join(level)}.")
    print(
        "\n| family | accuracy | items | spread (logits) | left | explained | with interactions |"
    )
    print("|---|---|---|---|---|---|---|")
    for cells in shares:
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

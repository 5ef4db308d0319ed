"""False alarms, power and coverage of `gf.inflation` on real models with planted leaks.

    python benchmarks/inflation.py FOLDER [--draws 120] [--seed 7] [--constat-every 4]

FOLDER holds models.csv (model, family) and a file BENCHMARK.csv.gz for each benchmark: models x
items, 1 right and 0 wrong. Every draw is examined as it is, with 5, 10, 20 and 40 % of the wrong
public answers made right, and with the hardest 20 % of them made right; ConStat's test sees every
fourth draw, as it is and with 20 %. Prints two tables in Markdown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from constat import constat
from numpy.typing import NDArray

from gfactor.psychometrics.inference.inflation import inflation_of

ITEMS = 400
LEAKS = {"none": 0.0, "5 %": 0.05, "10 %": 0.1, "20 %": 0.2, "40 %": 0.4, "hardest 20 %": 0.2}
TESTS = ("t", "rank", "items")
EASIER = 1.0
"""Weight of an item's easiness in drawing the public form."""


def draw(
    rng: np.random.Generator,
    public: pd.DataFrame,
    fresh: pd.DataFrame | None,
    family: NDArray[np.object_],
    count: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return answers of an examinee (first row) and of references to a public and a fresh form."""
    answers = public.to_numpy()
    examinee = int(rng.integers(len(answers)))
    others = np.flatnonzero(family != family[examinee])
    rows = [examinee, *rng.choice(others, min(count, len(others)), replace=False)]
    if fresh is None:
        keys = EASIER * answers.mean(axis=0) + rng.gumbel(size=answers.shape[1])
        order = np.argsort(-keys)
        chosen, rest = order[:ITEMS], order[ITEMS:]
        other = answers[:, rng.choice(rest, min(ITEMS, len(rest)), replace=False)]
    else:
        chosen = rng.choice(answers.shape[1], ITEMS, replace=False)
        other = fresh.to_numpy()[:, rng.choice(fresh.shape[1], ITEMS, replace=False)]
    return answers[rows][:, chosen].astype(float), other[rows].astype(float)


def leaked(
    rng: np.random.Generator, form: NDArray[np.float64], leak: str
) -> tuple[NDArray[np.float64], float]:
    """Return the public form with wrong answers made right, and what that gains in points."""
    new, wrong = form.copy(), np.flatnonzero(form[0] == 0)
    if leak.startswith("hardest"):
        hardest = wrong[np.argsort(form[1:, wrong].mean(axis=0), kind="stable")]
        learned = hardest[: round(LEAKS[leak] * len(wrong))]
    else:
        learned = wrong[rng.random(len(wrong)) < LEAKS[leak]]
    new[0, learned] = 1
    return new, 100 * float(new[0].mean() - form[0].mean())


def examined(
    form: NDArray[np.float64], other: NDArray[np.float64], truth: float
) -> dict[str, float]:
    """Return which tests reject, and whether the interval holds the truth."""
    names = [f"p{k}" for k in range(form.shape[1])] + [f"f{k}" for k in range(other.shape[1])]
    table = pd.DataFrame(np.hstack([form, other]), [f"m{k}" for k in range(len(form))], names)
    found = inflation_of(
        table, examinee="m0", public=names[: form.shape[1]], fresh=names[form.shape[1] :]
    )
    p = dict(zip(found.tests["test"], found.tests["p"].to_numpy(float), strict=True))
    return {
        **{t: float(p[t] <= 0.05) if np.isfinite(p[t]) else np.nan for t in TESTS},
        "covered": float(found.ci_lower <= truth <= found.ci_upper),
        "width": found.ci_upper - found.ci_lower,
    }


def measure(
    rng: np.random.Generator, public: pd.DataFrame, fresh: pd.DataFrame | None,
    family: NDArray[np.object_], count: int, draws: int, constat_every: int,
) -> pd.DataFrame:  # fmt: skip
    """Return a row per draw and leak."""
    rows = []
    for k in range(draws):
        form, other = draw(rng, public, fresh, family, count)
        for leak in LEAKS:
            new, truth = leaked(rng, form, leak)
            row: dict[str, Any] = {"leak": leak, **examined(new, other, truth)}
            if constat_every and k % constat_every == 0 and leak in ("none", "20 %"):
                row["ConStat"] = float(constat(new, other, rng)[1] <= 0.05)
            rows.append(row)
    return pd.DataFrame(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=120)
    parser.add_argument("--constat-every", type=int, default=4, help="0 leaves ConStat out")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    forms = {
        path.name.removesuffix(".csv.gz"): pd.read_csv(path, index_col=0)
        for path in sorted(given.folder.glob("*.csv.gz"))
    }
    family = pd.read_csv(given.folder / "models.csv", index_col=0)["family"]
    cases = [(name, None) for name in forms] + [(list(forms)[-1], next(iter(forms)))]
    parts = []
    for public, fresh in cases:
        first = forms[public]
        second = forms[fresh] if fresh else None
        if second is not None:
            both = first.index.intersection(second.index)
            first, second = first.loc[both], second.loc[both]
        groups = family.reindex(first.index).to_numpy(object)
        for count in (10, 20, 60):
            rng = np.random.default_rng([given.seed, count, cases.index((public, fresh))])
            part = measure(rng, first, second, groups, count, given.draws, given.constat_every)
            parts.append(part.assign(forms=f"{public}, {fresh or 'same'}", references=count))
            print(f"{public} {fresh} {count}", file=sys.stderr, flush=True)
    table = pd.concat(parts)
    tests = [*TESTS, *(("ConStat",) if "ConStat" in table else ())]
    by = [table["forms"], table["references"]]
    cells = {
        **{
            f"{test}, {leak}": table[test].where(table["leak"] == leak).groupby(by).mean()
            for test in tests
            for leak in ("none", "20 %")
        },
        "coverage": table.groupby(by)["covered"].mean(),
        "width": table.groupby(by)["width"].mean(),
    }
    _print(pd.DataFrame(cells).sort_index())
    by_leak = table.groupby([table["forms"].str.endswith("same"), "leak", "references"])
    _print(by_leak[[*TESTS, "covered"]].mean())


def _print(table: pd.DataFrame) -> None:
    """Print a table in Markdown."""
    shown = table.reset_index()
    print("| " + " | ".join(map(str, shown.columns)) + " |")
    print("|" + "---|" * shown.shape[1])
    for row in shown.itertuples(index=False):
        print("| " + " | ".join(f"{v:.3f}" if isinstance(v, float) else str(v) for v in row) + " |")
    print()


if __name__ == "__main__":
    main()

"""False alarms, power and coverage of `gf.inflation` on real models with planted leaks.

    python benchmarks/inflation.py FOLDER [--draws 500] [--seed 7]

FOLDER holds models.csv (model, family) and a file BENCHMARK.csv.gz for each benchmark: models x
items, 1 right and 0 wrong. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.inference.inflation import inflation_of

ITEMS = 400
LEAK = 0.2
TESTS = ("t", "rank", "items")
EASIER = 1.0
"""Weight of an item's easiness in drawing the public form."""


def draw(
    rng: np.random.Generator,
    public: pd.DataFrame,
    fresh: pd.DataFrame | None,
    family: NDArray[np.object_],
    count: int,
    leak: float,
) -> tuple[pd.DataFrame, float]:
    """Return answers of an examinee (first row) and references, and the inflation in points."""
    answers = public.to_numpy()
    examinee = int(rng.integers(len(answers)))
    others = np.flatnonzero(family != family[examinee])
    rows = [examinee, *rng.choice(others, min(count, len(others)), replace=False)]
    if fresh is None:
        weight = np.exp(EASIER * answers.mean(axis=0))
        chosen = rng.choice(answers.shape[1], ITEMS, replace=False, p=weight / weight.sum())
        rest = np.setdiff1d(np.arange(answers.shape[1]), chosen)
        other = answers[:, rng.choice(rest, min(ITEMS, len(rest)), replace=False)]
    else:
        chosen = rng.choice(answers.shape[1], ITEMS, replace=False)
        other = fresh.to_numpy()[:, rng.choice(fresh.shape[1], ITEMS, replace=False)]
    form = answers[rows][:, chosen].astype(float)
    before = form[0].mean()
    form[0, (form[0] == 0) & (rng.random(form.shape[1]) < leak)] = 1
    names = [f"p{k}" for k in range(form.shape[1])] + [f"f{k}" for k in range(other.shape[1])]
    table = np.hstack([form, other[rows].astype(float)])
    return pd.DataFrame(table, [str(r) for r in rows], names), 100 * (form[0].mean() - before)


def measure(
    rng: np.random.Generator, public: pd.DataFrame, fresh: pd.DataFrame | None,
    family: NDArray[np.object_], count: int, draws: int,
) -> dict[str, float]:  # fmt: skip
    """Return shares over draws, every second of which has a planted leak."""
    rows = []
    for k in range(draws):
        leak = 0.0 if k % 2 else LEAK
        table, truth = draw(rng, public, fresh, family, count, leak)
        names = list(table.columns)
        found = inflation_of(
            table, examinee=str(table.index[0]), public=[n for n in names if n[0] == "p"],
            fresh=[n for n in names if n[0] == "f"],
        )  # fmt: skip
        p = dict(zip(found.tests["test"], found.tests["p"].to_numpy(float), strict=True))
        rows.append({
            "leak": leak, "offered": float(np.isfinite(p["items"])),
            **{t: float(p[t] <= 0.05) if np.isfinite(p[t]) else np.nan for t in TESTS},
            "covered": float(found.ci_lower <= truth <= found.ci_upper),
            "width": found.ci_upper - found.ci_lower,
        })  # fmt: skip
    table = pd.DataFrame(rows)
    leaked = table["leak"].to_numpy() > 0
    column = {str(name): table[name].to_numpy(float) for name in table}
    return {
        **{f"{t}: false alarms": float(np.nanmean(column[t][~leaked])) for t in TESTS},
        **{f"{t}: power": float(np.nanmean(column[t][leaked])) for t in TESTS},
        "items offered": float(column["offered"].mean()),
        "coverage": float(column["covered"].mean()),
        "width": float(column["width"].mean()),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    forms = {
        path.name.removesuffix(".csv.gz"): pd.read_csv(path, index_col=0)
        for path in sorted(given.folder.glob("*.csv.gz"))
    }
    family = pd.read_csv(given.folder / "models.csv", index_col=0)["family"]
    cases = [(name, None) for name in forms] + [(list(forms)[-1], next(iter(forms)))]
    rows = []
    for public, fresh in cases:
        first = forms[public]
        second = forms[fresh] if fresh else None
        if second is not None:
            both = first.index.intersection(second.index)
            first, second = first.loc[both], second.loc[both]
        groups = family.reindex(first.index).to_numpy(object)
        for count in (10, 20, 60):
            rng = np.random.default_rng([given.seed, count, cases.index((public, fresh))])
            found = measure(rng, first, second, groups, count, given.draws)
            row = {"public": public, "fresh": fresh or "same", "references": count, **found}
            rows.append(row)
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for row in rows:
        cells = [f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values()]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()

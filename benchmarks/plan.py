"""Does a plan keep its promise? Power, dependability and standard errors in simulated studies.

Run by hand: `nice python benchmarks/plan.py`; about four minutes of one core. Prints the tables of
docs/evidence/coverage.md. Every row asks `make_plan` for a design and then simulates whole studies
with it: answers of examinees, and the test that `gfactor compare` or `gfactor analyze cfa` makes of
them. Nothing here uses the plan's own simulation.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from gfactor.psychometrics import accuracy_at, all_pairs, fit_curves, rank_sets, sem
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer
from gfactor.psychometrics.planning import (
    Components,
    DependabilityAim,
    DifferenceAim,
    FitAim,
    Ranks,
    StandardError,
    Threshold,
    make_plan,
)

Row = tuple[str, str, float, float]
"""What was planned, the design, what was simulated, its Monte Carlo error."""


def power_of(rejected: list[bool]) -> tuple[float, float]:
    share = float(np.mean(rejected))
    return share, math.sqrt(share * (1 - share) / len(rejected))


def answers(rng: np.random.Generator, p: tuple[float, ...], shape: tuple[int, int],
            item: float, cluster: float) -> np.ndarray:  # fmt: skip
    """Right or wrong, clusters x items x examinees: latent variances of item and, by examinee, of
    cluster; the rest is their own."""
    z = math.sqrt(item) * rng.standard_normal((*shape, 1))
    z = z + math.sqrt(cluster) * rng.standard_normal((shape[0], 1, len(p)))
    z = z + math.sqrt(1 - item - cluster) * rng.standard_normal((*shape, len(p)))
    return (z < special.ndtri(np.array(p))).astype(float)


def both(a: float, b: float, r: float) -> float:
    """P(both right) of two answers whose latent correlation is r."""
    normal: Any = stats.multivariate_normal([0, 0], [[1, r], [r, 1]])  # type: ignore[arg-type]
    return float(normal.cdf([special.ndtri(a), special.ndtri(b)]))  # type: ignore[arg-type]


def exact(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """McNemar's exact test on independent items."""
    for a, b, r in ((0.7, 0.6, 0.5), (0.85, 0.8, 0.6), (0.55, 0.4, 0.2)):
        discordant = a + b - 2 * both(a, b, r)
        found = make_plan(DifferenceAim(discordant=discordant), a - b, simulations=0)
        n = int((found.chosen or {})["item"])
        rejected = []
        for _ in range(runs):
            x = answers(rng, (a, b), (n, 1), r, 0.0)[:, 0]
            one = infer(x[:, 0] - x[:, 1], None, ComparisonSettings(), binary=True)
            rejected.append(one.p <= 0.05)
        yield f"{a:g} against {b:g}, exact McNemar", f"{n} items", *power_of(rejected)


def t_tests(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Graded scores, and means of three occasions."""
    for delta, sd in ((0.3, 0.5), (0.05, 0.4)):
        found = make_plan(DifferenceAim(sd_difference=sd), delta, simulations=0)
        n = int((found.chosen or {})["item"])
        settings = ComparisonSettings()
        rejected = [infer(rng.normal(delta, sd, n), None, settings, binary=False).p <= 0.05
                    for _ in range(runs)]  # fmt: skip
        yield f"graded, difference {delta:g}, sd {sd:g}", f"{n} items", *power_of(rejected)
    # Chances of items from beta distributions; three answers to each, averaged.
    sizes = {"item": 0.02, "examinee x item": 0.03, "examinee x item x occasion": 0.16}
    parts = Components({"examinee": 0.01, **sizes, "occasion": 0.0})
    found = make_plan(DifferenceAim(components=parts), 0.05, tries={"occasion": [3]}, simulations=0)
    n = int((found.chosen or {})["item"])
    rejected = []
    for _ in range(runs):
        x = rng.normal(0, math.sqrt(0.03), (n, 2)) + rng.normal(0, 0.4, (n, 2, 3)).mean(axis=-1)
        d = x[:, 0] - x[:, 1] + 0.05
        rejected.append(infer(d, None, ComparisonSettings(), binary=False).p <= 0.05)
    yield "means of three occasions, difference .05", f"{n} items x 3", *power_of(rejected)


def clusters(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Items of one template stand or fall together."""
    for a, b, size, own in ((0.7, 0.6, 5, 0.3), (0.7, 0.65, 10, 0.1), (0.8, 0.55, 20, 0.4)):
        item = 0.2
        var = a * (1 - a) + b * (1 - b) - 2 * (both(a, b, item) - a * b)
        # Two items of a cluster: the examinee's own cluster effect alone.
        shared = both(a, a, own) - a**2 + both(b, b, own) - b**2
        found = make_plan(
            DifferenceAim(sd_difference=math.sqrt(var), cluster_size=size, icc=shared / var),
            a - b, simulations=0,
        )  # fmt: skip
        n = int((found.chosen or {})["item"])
        groups = n // size
        codes = np.repeat(np.arange(groups), size)
        rejected = []
        for _ in range(runs):
            x = answers(rng, (a, b), (groups, size), item, own).reshape(n, 2)
            one = infer(x[:, 0] - x[:, 1], codes, ComparisonSettings(), binary=True)
            rejected.append(one.p <= 0.05)
        name = f"{a:g} against {b:g}, {size} items a template, ICC {shared / var:.2f}"
        yield name, f"{groups} templates", *power_of(rejected)


def factor_models(runs: int) -> Iterator[Row]:
    """A one-factor model fitted to data of two factors whose misfit is the alternative's RMSEA."""
    for count, null, alternative in ((12, 0.05, 0.08), (9, 0.0, 0.05)):
        df = count * (count - 3) // 2
        names = [f"x{k}" for k in range(count)]
        half = count // 2
        one = "f =~ " + " + ".join(names)

        def source(r: float, names: list[str] = names, half: int = half) -> str:
            left = "f =~ " + " + ".join(f"0.7*{n}" for n in names[:half])
            right = "g =~ " + " + ".join(f"0.7*{n}" for n in names[half:])
            unique = "\n".join(f"{n} ~~ 0.51*{n}" for n in names)
            return f"{left}\n{right}\nf ~~ 1*f\ng ~~ 1*g\nf ~~ {r}*g\n{unique}"

        def misfit(r: float, goal: float = df * alternative**2, model: str = one) -> float:
            found = sem.simulation_study(source(r), 1000, model=model, replications=2, seed=1)
            return 2 * found.reference.outcome.value - goal

        root: Any = optimize.brentq(misfit, 0.5, 0.999, xtol=1e-5)
        r = float(root)
        found = make_plan(FitAim(df, null, alternative), 0.8, simulations=0)
        n = int((found.chosen or {})["examinee"])
        study = sem.simulation_study(source(r), n, model=one, replications=runs, seed=3)
        chisq = study.runs.chisq[np.isfinite(study.runs.chisq)]
        ncp = (n - 1) * df * null**2
        below = special.chndtr(chisq, df, ncp) if ncp else special.chdtr(df, chisq)
        name = f"RMSEA {null:g} against {alternative:g}, df {df}"
        yield name, f"{n} persons", *power_of(list(below >= 0.95))


def ranks(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    for means, decided in (((0.75, 0.65, 0.6, 0.6), "first"), ((0.8, 0.65, 0.5), "all")):
        found = make_plan(Ranks(means=means, r=0.4, decided=decided), 0.8, simulations=0)  # type: ignore[arg-type]
        n = int((found.chosen or {})["item"])
        sure = []
        for _ in range(runs):
            x = answers(rng, means, (n, 1), 0.4, 0.0)[:, 0]
            names = [f"m{k}" for k in range(len(means))]
            table = rank_sets(all_pairs(pd.DataFrame(x, columns=names)), n_bootstrap=1).table
            single = (table["best"] == table["worst"]).loc[names]
            sure.append(bool(single.iloc[0] if decided == "first" else single.all()))
        what = "first of four" if decided == "first" else "all of three"
        yield f"ranks, {what}", f"{n} items", *power_of(sure)


def dependability(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    """Phi of planned designs: universe variance over itself and the mean squared error."""
    designs = {
        "items alone": ({"examinee": 0.02, "item": 0.05, "examinee x item": 0.1}, {}),
        "two occasions": (
            {"examinee": 0.02, "item": 0.04, "occasion": 0.0005, "examinee x item": 0.06,
             "examinee x occasion": 0.001, "item x occasion": 0.0,
             "examinee x item x occasion": 0.08}, {"occasion": [2]}),
        "five prompts": (
            {"examinee": 0.03, "item": 0.05, "prompt": 0.004, "examinee x item": 0.05,
             "examinee x prompt": 0.012, "examinee x item x prompt": 0.1}, {"prompt": [5]}),
        "three judges": (
            {"examinee": 0.01, "item": 0.02, "judge": 0.002, "examinee x item": 0.05,
             "examinee x judge": 0.003, "item x judge": 0.01,
             "examinee x item x judge": 0.06}, {"judge": [3]}),
    }  # fmt: skip
    for name, (parts, tries) in designs.items():
        c = Components(parts)
        found = make_plan(DependabilityAim(c), 0.8, tries=tries, simulations=0)
        chosen, squares = found.chosen or {}, []
        for _ in range(runs):
            axes = ["examinee", *c.facets]
            sizes = [8, *(int(chosen[f]) for f in c.facets)]
            scores, universe = np.zeros(sizes), np.zeros(8)
            for label, value in parts.items():
                of = set(label.split(" x "))
                part = rng.normal(
                    0,
                    math.sqrt(value),
                    [s if a in of else 1 for a, s in zip(axes, sizes, strict=True)],
                )
                scores = scores + part
                if of == {"examinee"}:
                    universe = part.ravel()
            squares.append(float(((scores.reshape(8, -1).mean(axis=1) - universe) ** 2).mean()))
        signal, error = parts["examinee"], np.array(squares)
        phi = signal / (signal + error.mean())
        se = signal / (signal + error.mean()) ** 2 * error.std(ddof=1) / math.sqrt(runs)
        design = " x ".join(f"{int(chosen[f])} {f}s" for f in c.facets)
        yield f"Phi .8, {name}", design, float(phi), float(se)


def precision(rng: np.random.Generator, runs: int) -> Iterator[Row]:
    found = make_plan(StandardError(accuracy=0.7, cluster_size=8, icc=0.15), 0.02, simulations=0)
    n = int((found.chosen or {})["item"])
    spread = 1 / 0.15 - 1
    p = rng.beta(0.7 * spread, 0.3 * spread, (runs, n // 8))
    scores = rng.binomial(8, p).mean(axis=1) / 8
    sd = float(scores.std(ddof=1))
    yield "standard error .02, 8 items a template", f"{n} items", sd, sd / math.sqrt(2 * runs)
    sizes = tuple(range(1, 11))
    found = make_plan(Threshold(sizes, 5.0, 1.0, 0.25, 0.02), 0.3, simulations=0)
    each = int((found.chosen or {})["item"]) // 10
    asked = np.full((1000, 10), each)
    right = rng.binomial(asked, accuracy_at(sizes, 5, 1, 0.02, 0.25))
    fits = fit_curves(right, asked, sizes, 0.25, n_bootstrap=1).table
    sd = float(np.nanstd(fits["threshold"].to_numpy(float), ddof=1))
    yield "standard error .3 of a threshold", f"10 sizes x {each}", sd, sd / math.sqrt(2000)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    rng = np.random.default_rng(2026)
    parts: list[tuple[str, Callable[[], Iterator[Row]]]] = [
        ("power", lambda: exact(rng, runs)), ("power", lambda: t_tests(rng, runs)),
        ("power", lambda: clusters(rng, runs)), ("power", lambda: factor_models(runs)),
        ("power", lambda: ranks(rng, runs // 2)),
        ("reached", lambda: dependability(rng, runs)), ("reached", lambda: precision(rng, runs)),
    ]  # fmt: skip
    for what, rows in parts:
        for name, design, value, error in rows():
            digits = 3 if what == "power" else 4
            print(f"| {what} | {name} | {design} | {value:.{digits}f} ({error:.{digits}f}) |",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

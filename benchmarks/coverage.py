"""Do the default 95 % intervals hold the truth? Five conditions by three sizes for each of them.

Run by hand: `nice python benchmarks/coverage.py [--only accuracy,alpha] [--scale 0.1]`; about
fifteen minutes of one core. Writes the tables of docs/evidence/coverage.md between their markers. A
cell is the share of simulated data sets whose interval holds the truth, in percent; the Monte Carlo
standard error of a family of cells stands beside its name.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from gfactor.psychometrics import (
    accuracy_at,
    all_pairs,
    cluster_t_counts,
    cronbach_alpha,
    feldt_interval,
    fit_curves,
    rank_sets,
    sem,
    wilson,
)
from gfactor.psychometrics.alignment.coefficients import coefficient
from gfactor.psychometrics.classical.agreement import cohen_kappa
from gfactor.psychometrics.generalizability import gtheory
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer, newcombe, tango
from gfactor.psychometrics.inference.power import mcnemar_n, mcnemar_power
from gfactor.psychometrics.inference.sequential import betting_log_capital, mcnemar_log_e
from gfactor.psychometrics.trees import perception_gap

PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "coverage.md"
Cell = tuple[float, int]
"""Share of intervals that hold the truth, and how many intervals there were."""
Grid = Callable[[np.random.Generator, float], Iterator[tuple[str, str, Cell]]]
"""Yields condition, size, cell."""


@dataclass(frozen=True)
class Family:
    """An interval that the package gives by default, and how it is tried."""

    title: str
    where: str
    grid: Grid
    exact: bool = False


FAMILIES: dict[str, Family] = {}


def family(name: str, title: str, where: str, *, exact: bool = False) -> Callable[[Grid], Grid]:
    def register(grid: Grid) -> Grid:
        FAMILIES[name] = Family(title, where, grid, exact)
        return grid

    return register


def share(held: np.ndarray) -> Cell:
    known = held[~np.isnan(held.astype(float))]
    return float(known.mean()), known.size


def holds(low: np.ndarray, high: np.ndarray, truth: float) -> np.ndarray:
    held = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return np.where(np.isnan(low) | np.isnan(high), np.nan, held)


def normals(rng: np.random.Generator, p: float, icc: float, shape: tuple[int, ...]) -> np.ndarray:
    """Right answers whose last axis shares a latent normal: P = p, latent correlation icc."""
    shared = rng.standard_normal((*shape[:-1], 1)) * np.sqrt(icc)
    own = rng.standard_normal(shape) * np.sqrt(1 - icc)
    return (shared + own < special.ndtri(p)).astype(float)


@family("accuracy", "Accuracy, independent items", "Wilson: `score`, `report`", exact=True)
def accuracy(_rng: np.random.Generator, _scale: float) -> Iterator[tuple[str, str, Cell]]:
    for p in (0.05, 0.25, 0.5, 0.8, 0.95):
        for n in (50, 200, 1000):
            k = np.arange(n + 1)
            low, high = wilson(k, n)
            yield f"p {p:g}", f"{n}", (float(stats.binom.pmf(k, n, p) @ holds(low, high, p)), 0)


@family(
    "occasions",
    "Accuracy, three occasions of each item",
    "outer ends of Wilson and cluster t over items: `score`, `report`",
)
def occasions(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    for p, icc in ((0.7, 0.0), (0.7, 0.3), (0.7, 0.6), (0.7, 0.95), (0.9, 0.6)):
        for n in (50, 200, 1000):
            reps = int(2000 * scale)
            right = np.stack([normals(rng, p, icc, (n, 3)).sum(axis=-1) for _ in range(reps)])
            asked = np.full(right.shape, 3.0)
            low, high = wilson(right.sum(axis=1) / 3, n)
            t_low, t_high = cluster_t_counts(right, asked)
            held = holds(np.fmin(low, t_low), np.fmax(high, t_high), p)
            yield f"p {p:g}, latent r {icc:g}", f"{n}", share(held)


@family("clusters", "Accuracy over domains or clusters", "cluster t: `score`, `compare`")
def clusters(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    conditions = ((0.5, 0.1, False), (0.7, 0.3, False), (0.7, 0.3, True), (0.9, 0.3, False),
                  (0.95, 0.1, True))  # fmt: skip
    for p, icc, unequal in conditions:
        for groups in (10, 30, 100):
            reps, most = int(4000 * scale), 20
            sizes = np.linspace(2, most, groups).round() if unequal else np.full(groups, 10.0)
            asked = np.tile(sizes, (reps, 1))
            right = np.empty(asked.shape)
            for rows in np.array_split(np.arange(reps), max(1, reps // 200)):
                drawn = normals(rng, p, icc, (rows.size, groups, most))
                inside = np.arange(most) < sizes[:, None]
                right[rows] = (drawn * inside).sum(axis=-1)
            low, high = cluster_t_counts(right, asked)
            size = "2-20" if unequal else "10"
            yield (
                f"p {p:g}, latent r {icc:g}, {size} items each",
                f"{groups}",
                share(holds(low, high, p)),
            )


def _tables(rng: np.random.Generator, scale: float, reps: int = 4000):
    conditions = ((0.5, 0.5, 0.0), (0.6, 0.7, 0.5), (0.85, 0.9, 0.6), (0.2, 0.5, 0.2),
                  (0.97, 0.98, 0.0))  # fmt: skip
    for first, second, r in conditions:
        normal: Any = stats.multivariate_normal([0, 0], [[1, r], [r, 1]])  # type: ignore[arg-type]
        both = float(normal.cdf([special.ndtri(first), special.ndtri(second)]))  # type: ignore[arg-type]
        cells = [both, first - both, second - both, 1 - first - second + both]
        for n in (30, 100, 500):
            counts = rng.multinomial(n, cells, int(reps * scale))
            yield f"{first:g} and {second:g}, latent r {r:g}", n, first - second, counts


@family("tango", "Paired difference, right or wrong", "Tango: `compare`, gap")
def tangos(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    for name, n, truth, counts in _tables(rng, scale):
        ends = np.array([_tango(int(b), int(c), n) for _, b, c, _ in counts])
        yield name, f"{n}", share(holds(ends[:, 0], ends[:, 1], truth))


@cache
def _tango(b: int, c: int, n: int) -> tuple[float, float]:
    return tango(b, c, n)


@family("newcombe", "Paired difference, right or wrong", "Newcombe's method 10: gap")
def newcombes(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    for name, n, truth, counts in _tables(rng, scale):
        ends = np.array([newcombe(*map(float, row)) for row in counts])
        yield name, f"{n}", share(holds(ends[:, 0], ends[:, 1], truth))


@family("graded", "Paired difference, graded scores or means of occasions", "t: `compare`")
def graded(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    t = ComparisonSettings("t")
    draws = {
        "normal": (lambda size: rng.normal(0.1, 1, size), 0.1),
        "means of 3 right or wrong": (
            lambda size: (rng.binomial(3, 0.8, size) - rng.binomial(3, 0.7, size)) / 3, 0.1),
        "means of 3, items differ": (
            lambda size: (rng.binomial(3, q := rng.beta(4, 1, size)) - rng.binomial(3, q)) / 3,
            0.0),
        "skewed (1 in 10 differ)": (
            lambda size: rng.choice([0, 1 / 3, 1.0], size, p=[0.9, 0.05, 0.05]), 1 / 15),
        "partial credit, beta(2, 1) - beta(1, 1)": (
            lambda size: rng.beta(2, 1, size) - rng.beta(1, 1, size), 2 / 3 - 0.5),
    }  # fmt: skip
    for name, (draw, truth) in draws.items():
        for n in (30, 100, 500):
            found = [infer(draw(n), None, t, binary=False) for _ in range(int(2000 * scale))]
            ends = np.array([(one.low, one.high) for one in found])
            yield name, f"{n}", share(holds(ends[:, 0], ends[:, 1], truth))


@family("paired_clusters", "Paired difference, clustered items", "cluster t: `compare`, gap")
def paired_clusters(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    t = ComparisonSettings("t")
    conditions = ((0.7, 0.6, 0.0, 10), (0.7, 0.6, 0.2, 10), (0.7, 0.6, 0.5, 10),
                  (0.9, 0.85, 0.3, 5), (0.7, 0.7, 0.3, 40))  # fmt: skip
    for first, second, r, size in conditions:
        for groups in (10, 30, 100):
            codes = np.repeat(np.arange(groups), size)
            held = []
            for _ in range(int(1500 * scale)):
                d = normals(rng, first, r, (groups, size)) - normals(rng, second, r, (groups, size))
                one = infer(d.ravel(), codes, t, binary=True)
                held.append((one.low, one.high))
            ends = np.array(held)
            name = f"{first:g} and {second:g}, latent r {r:g}, {size} items each"
            yield name, f"{groups}", share(holds(ends[:, 0], ends[:, 1], first - second))


@cache
def _loss_cells(seed: int, scale: float) -> list[tuple[str, str, dict[str, Cell]]]:
    rng, cells = np.random.default_rng(seed), []
    for s, r, g in ((0.6, 0.9, 0.25), (0.8, 0.6, 0.25), (0.9, 0.9, 0.1), (0.4, 0.7, 0.5),
                    (0.7, 0.8, 0.02)):  # fmt: skip
        truth = {"seeing": (1 - g) * r * (1 - s), "reasoning": (1 - g) * (1 - r)}
        for n in (100, 300, 1000):
            held: dict[str, list[float]] = {"seeing": [], "reasoning": []}
            for _ in range(int(100 * scale)):
                seen, reasoned = rng.random(n) < s, rng.random(n) < r
                lucky = rng.random((3, n)) < g
                answers = {"image": seen & reasoned | lucky[0], "text": reasoned | lucky[1],
                           "blind": lucky[2]}  # fmt: skip
                found = perception_gap(pd.DataFrame(answers).astype(float)).losses
                for which, values in held.items():
                    low, high = found.loc[which, ["ci_lower", "ci_upper"]]
                    values.append(float(low <= truth[which] <= high))
            name = f"see {s:g}, reason {r:g}, guess {g:g}"
            cells.append((name, f"{n}", {k: share(np.array(v)) for k, v in held.items()}))
    return cells


def _each(
    cells: Callable[[int, float], list[tuple[str, str, dict[str, Cell]]]], which: str
) -> Grid:
    """The grid of one of several intervals that are found in one pass."""

    def grid(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
        del rng
        for name, size, found in cells(20, scale):
            yield name, size, found[which]

    return grid


@family("alpha", "Coefficient alpha", "Feldt: `reliability`")
def alpha(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    k = 20
    item = special.ndtri(np.linspace(0.3, 0.9, k))

    def parallel(n: int, loading: float) -> np.ndarray:
        return loading * rng.standard_normal((n, 1)) + rng.standard_normal((n, k))

    makers = {
        "parallel items, alpha .5": lambda n: parallel(n, 0.2236),
        "parallel items, alpha .9": lambda n: parallel(n, 0.6708),
        "congeneric items": lambda n: (
            rng.standard_normal((n, 1)) * np.linspace(0.1, 1, k) + rng.standard_normal((n, k))),
        "right or wrong": lambda n: (parallel(n, 0.7) / np.sqrt(1.49) < item).astype(float),
        "skewed examinees": lambda n: (
            0.5 * (rng.exponential(size=(n, 1)) - 1) + rng.standard_normal((n, k))),
    }  # fmt: skip
    for name, make in makers.items():
        truth = cronbach_alpha(make(400_000))
        for n in (30, 100, 300):
            ends = np.array([feldt_interval(cronbach_alpha(make(n)), n, k)
                             for _ in range(int(2000 * scale))])  # fmt: skip
            yield name, f"{n}", share(holds(ends[:, 0], ends[:, 1], truth))


def _correlations(kind: str) -> Grid:
    def grid(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
        def normal(n: int, rho: float) -> np.ndarray:
            x = rng.standard_normal((2, n))
            x[1] = rho * x[0] + np.sqrt(1 - rho**2) * x[1]
            return x

        makers = {
            "normal, rho 0": lambda n: normal(n, 0.0),
            "normal, rho .5": lambda n: normal(n, 0.5),
            "normal, rho .9": lambda n: normal(n, 0.9),
            "t with 5 df, rho .5": lambda n: normal(n, 0.5) / np.sqrt(rng.chisquare(5, n) / 5),
            "log-normal, rho .5 before": lambda n: np.exp(normal(n, 0.5)),
        }
        of = stats.spearmanr if kind == "spearman" else stats.pearsonr
        for name, make in makers.items():
            truth = float(of(*make(2_000_000))[0])  # type: ignore[index]
            for n in (10, 30, 100):
                found = [coefficient(*make(n), kind) for _ in range(int(2000 * scale))]  # type: ignore[arg-type]
                ends = np.array([(one.low, one.high) for one in found])
                yield name, f"{n}", share(holds(ends[:, 0], ends[:, 1], truth))

    return grid


family("pearson", "Correlation of models' scores, Pearson", "Fisher's z: `align`")(
    _correlations("pearson")
)
family("spearman", "Correlation of models' scores, Spearman", "Bonett and Wright: `align`")(
    _correlations("spearman")
)


@cache
def _gtheory_cells(seed: int, scale: float) -> list[tuple[str, str, dict[str, Cell]]]:
    rng = np.random.default_rng(seed)
    cells = []
    conditions = {
        "p 1, i .5, pi 1.5": (1.0, 0.5, 1.5, False),
        "p .2, i .5, pi 1.5": (0.2, 0.5, 1.5, False),
        "p 1, i .05, pi 4": (1.0, 0.05, 4.0, False),
        "p 1, i 2, pi 1": (1.0, 2.0, 1.0, False),
        "right or wrong (probit: p 1, i .5)": (1.0, 0.5, 1.0, True),
    }
    for name, (vp, vi, ve, binary) in conditions.items():
        truth = {"examinee": vp, "item": vi, "examinee x item": ve}
        for persons, items in ((8, 20), (30, 40), (100, 100)):
            held: dict[str, list[float]] = {}
            if binary:
                truth = _binary_components(vp, vi)
            errors = truth["examinee x item"] / items
            truths = truth | {
                "e_rho2": truth["examinee"] / (truth["examinee"] + errors),
                "phi": truth["examinee"] / (truth["examinee"] + errors + truth["item"] / items),
            }
            for _ in range(int((600 if persons < 100 else 300) * scale)):
                y = (rng.normal(0, np.sqrt(vp), (persons, 1)) + rng.normal(0, np.sqrt(vi), items)
                     + rng.normal(0, np.sqrt(ve), (persons, items)))  # fmt: skip
                if binary:
                    y = (y > 0).astype(float)
                table = pd.DataFrame(
                    {"examinee": np.repeat(np.arange(persons), items),
                     "item": np.tile(np.arange(items), persons), "score": y.ravel()}
                )  # fmt: skip
                found = gtheory(table, object="examinee", facets=["item"])
                at = found.coefficients()
                ends = {row: tuple(found.components.loc[row, ["ci_lower", "ci_upper"]])
                        for row in truth}  # fmt: skip
                ends |= {c: (at[f"{c}_ci_lower"], at[f"{c}_ci_upper"]) for c in ("e_rho2", "phi")}
                for which, (low, high) in ends.items():
                    held.setdefault(which, []).append(float(low <= truths[which] <= high))
            cells.append((name, f"{persons} x {items}",
                          {which: share(np.array(v)) for which, v in held.items()}))  # fmt: skip
    return cells


@cache
def _binary_components(vp: float, vi: float) -> dict[str, float]:
    """Variance components of 0/1 scores with a probit of person, item and residual 1."""
    total = vp + vi + 1

    def covariance(shared: float) -> float:
        r = shared / total
        return float(np.arcsin(r) / (2 * np.pi))

    p, i = covariance(vp), covariance(vi)
    return {"examinee": p, "item": i, "examinee x item": 0.25 - p - i}


for _name, _title in (
    ("examinee", "Variance component of examinees"),
    ("item", "Variance component of items"),
    ("examinee x item", "Variance component of examinee x item"),
    ("e_rho2", "Generalizability coefficient E rho2"),
    ("phi", "Dependability Phi"),
):
    family(_name.replace(" ", "_"), _title, "generalized interval of mean squares: "
           "`analyze generalizability`")(_each(_gtheory_cells, _name))  # fmt: skip


@family("kappa", "Cohen's kappa", "bootstrap percentiles: `agreement`")
def kappa(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    for share_yes, r in ((0.5, 0.8), (0.5, 0.95), (0.2, 0.8), (0.05, 0.9), (0.5, 0.0)):
        cut = special.ndtri(share_yes)
        pair: Any = stats.multivariate_normal([0, 0], [[1, r], [r, 1]])  # type: ignore[arg-type]
        both = float(pair.cdf([cut, cut]))
        chance = share_yes**2 + (1 - share_yes) ** 2
        truth = (1 - 2 * share_yes + 2 * both - chance) / (1 - chance)
        for n in (50, 150, 500):
            ends = []
            for number in range(int(150 * scale)):
                z = rng.standard_normal((2, n))
                z[1] = r * z[0] + np.sqrt(1 - r**2) * z[1]
                ratings = pd.DataFrame((z < cut).astype(int).T, columns=["a", "b"])
                found = cohen_kappa(ratings, seed=number)
                ends.append((found.low, found.high))
            low, high = np.array(ends, float).T
            yield f"{share_yes:.0%} yes, latent r {r:g}", f"{n}", share(holds(low, high, truth))


def _curve(which: str) -> Grid:
    def grid(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
        sizes, reps = np.arange(1, 21.0), int(200 * scale)
        for place, steep, guess, lapse in ((10, 0.5, 0, 0), (6, 1, 0, 0.02), (10, 1, 0.25, 0.02),
                                           (14, 0.5, 0.25, 0), (10, 0.5, 0.5, 0.02)):  # fmt: skip
            for each in (5, 10, 30):
                asked = np.full((reps, 20), each)
                right = rng.binomial(asked, accuracy_at(sizes, place, steep, lapse, guess))
                table = fit_curves(right, asked, sizes, guess, n_bootstrap=1).table
                truth = {"threshold": place, "slope": steep}[which]
                held = holds(table[f"{which}_low"].to_numpy(), table[f"{which}_high"].to_numpy(),
                             truth)  # fmt: skip
                name = f"threshold {place:g}, slope {steep:g}, chance {guess:g}, lapses {lapse:g}"
                yield name, f"20 x {each}", share(held)

    return grid


family("threshold", "Threshold of size", "profile likelihood: `report`")(_curve("threshold"))


@family("sem", "Loadings and covariances of a factor model", "Wald, ML: `analyze cfa`")
def loadings(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    del rng
    model = "f =~ {0}*x1 + {0}*x2 + {0}*x3\ng =~ {0}*y1 + {0}*y2 + {0}*y3\nf ~~ {1}*g\n"
    unique = "".join(f"{v} ~~ {{2}}*{v}\n" for v in ("x1", "x2", "x3", "y1", "y2", "y3"))
    unit = "f ~~ 1*f\ng ~~ 1*g\n"
    cases = {
        "loadings .7, r .5": (0.7, 0.5, {}),
        "loadings .5, r .5": (0.5, 0.5, {}),
        "loadings .7, r .9": (0.7, 0.9, {}),
        "kurtosis 3 (ML)": (0.7, 0.5, {"kurtosis": 3.0}),
        "kurtosis 3 (MLR)": (0.7, 0.5, {"kurtosis": 3.0, "estimator": "MLR"}),
    }
    for name, (loading, r, extra) in cases.items():
        text = (model + unique + unit).format(loading, r, 1 - loading**2)
        fitted = "f =~ NA*x1 + x2 + x3\ng =~ NA*y1 + y2 + y3\n" + unit
        for n in (100, 300, 1000):
            found = sem.simulation_study(
                text, n, model=fitted, replications=int(1000 * scale), seed=7, **extra
            )
            table: Any = found.parameters
            yield name, f"{n}", (float(table["coverage"].mean()), int(1000 * scale))


@family("ranks", "Rank sets of six models, all at once", "Holm over pairs: `compare`")
def ranks(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    conditions = {
        "all equal": [0.6] * 6,
        "one ahead": [0.7] + [0.6] * 5,
        "pairs of ties": [0.7, 0.7, 0.6, 0.6, 0.5, 0.5],
        "evenly spread": [0.75, 0.7, 0.65, 0.6, 0.55, 0.5],
        "near the ceiling": [0.97, 0.96, 0.96, 0.95, 0.95, 0.9],
    }
    for name, means in conditions.items():
        truth = np.array(means)
        best = 1 + (truth[:, None] < truth).sum(axis=1)
        worst = len(truth) - (truth[:, None] > truth).sum(axis=1)
        for n in (50, 200, 800):
            held = []
            for _ in range(int(300 * scale)):
                shared = rng.standard_normal((n, 1)) * np.sqrt(0.4)
                own = rng.standard_normal((n, 6)) * np.sqrt(0.6)
                right = (shared + own < special.ndtri(truth)).astype(float)
                table = rank_sets(
                    all_pairs(pd.DataFrame(right, columns=list("abcdef"))), n_bootstrap=1
                )
                sets = table.table.loc[list("abcdef")]
                inside = (sets["best"].to_numpy() <= best) & (worst <= sets["worst"].to_numpy())
                held.append(float(inside.all()))
            yield name, f"{n}", share(np.array(held))


@family("anytime", "Confidence sequence, at every look up to n", "betting: sequential decisions")
def anytime(rng: np.random.Generator, scale: float) -> Iterator[tuple[str, str, Cell]]:
    for name, draw, truth in (
        ("p .5", lambda size: rng.random(size) < 0.5, 0.5),
        ("p .8", lambda size: rng.random(size) < 0.8, 0.8),
        ("p .97", lambda size: rng.random(size) < 0.97, 0.97),
        ("partial credit, beta(4, 2)", lambda size: rng.beta(4, 2, size), 2 / 3),
        ("difference of paired answers, 0", lambda size: (
            rng.choice([0, 0.5, 1], size, p=[0.1, 0.8, 0.1])), 0.5),
    ):  # fmt: skip
        crossed = np.array([
            np.maximum.accumulate(betting_log_capital(draw(1000), [truth])[:, 0])[[99, 299, 999]]
            for _ in range(int(1000 * scale))
        ])  # fmt: skip
        for column, n in enumerate((100, 300, 1000)):
            yield name, f"{n}", share((crossed[:, column] < np.log(20)).astype(float))


for _name, _what in (
    ("seeing", "Newcombe's interval of paired answers: gap"),
    ("reasoning", "Wilson's interval of what text twins lack to 1: gap"),
):
    family(_name, f"Losses of a perception gap: {_name}", _what)(_each(_loss_cells, _name))


def sequential(seed: int, scale: float) -> list[str]:
    """Type I error of the e-process under continuous peeking; its sample size against the test."""
    rng, reps, longest = np.random.default_rng(seed), int(10_000 * scale), 2000
    lines = ["| discordant pairs | false alarms by 100 | by 500 | by 2,000 items |",
             "|---|---|---|---|"]  # fmt: skip

    def decided(p10: float, p01: float, count: int, most: int) -> np.ndarray:
        """The item at which each run decides; `most` + 1 where it does not."""
        out = []
        for _ in range(max(1, count // 500)):
            u = rng.random((min(count, 500), most))
            b, c = np.cumsum(u < p10, axis=1), np.cumsum((u >= p10) & (u < p10 + p01), axis=1)
            sure = mcnemar_log_e(b, c) >= np.log(20)
            out.append(np.where(sure.any(axis=1), sure.argmax(axis=1) + 1, most + 1))
        return np.concatenate(out)

    for pairs in (0.05, 0.1, 0.2, 0.4, 0.8):
        at = decided(pairs / 2, pairs / 2, reps, longest)
        shares = [np.mean(at <= n) for n in (100, 500, 2000)]
        cells = " | ".join(f"{100 * s:.1f} ({100 * np.sqrt(s * (1 - s) / at.size):.1f})"
                           for s in shares)  # fmt: skip
        lines.append(f"| {pairs:.0%} | {cells} |")
    lines += ["", "| only first, only second | fixed n for power .8 | power at that n | mean items "
              "until decided (at most 3 n) | median | decided within 3 n |",
              "|---|---|---|---|---|---|"]  # fmt: skip
    for p10, p01 in ((0.2, 0.1), (0.15, 0.1), (0.3, 0.1), (0.1, 0.02), (0.25, 0.05)):
        n = mcnemar_n(p10, p01)
        at = decided(p10, p01, int(2000 * scale), 3 * n)
        asked = np.minimum(at, 3 * n)
        lines.append(
            f"| {p10:g}, {p01:g} | {n} | {mcnemar_power(n, p10, p01):.3f} | {asked.mean():.0f} "
            f"({asked.std() / np.sqrt(at.size):.0f}) | {np.median(asked):.0f} | "
            f"{100 * np.mean(at <= 3 * n):.1f} % |"
        )
    return lines


def marked(value: float, n: int) -> str:
    """In percent; bold outside 94 to 96 by more than two Monte Carlo standard errors."""
    slack = 2 * np.sqrt(max(value * (1 - value), 1 / (n + 1)) / n) if n else 0.0
    away = value < 0.94 - slack - 5e-4 or value > 0.96 + slack + 5e-4
    return f"**{100 * value:.1f}**" if away else f"{100 * value:.1f}"


def table(found: list[tuple[str, str, Cell]]) -> list[str]:
    sizes = list(dict.fromkeys(size for _, size, _ in found))
    rows: dict[str, dict[str, Cell]] = {}
    for name, size, cell in found:
        rows.setdefault(name, {})[size] = cell
    lines = [f"| condition | {' | '.join(sizes)} |", "|---" * (1 + len(sizes)) + "|"]
    for name, cells in rows.items():
        shown = []
        for size in sizes:
            shown.append(marked(*cells[size]))
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return lines


def write(marker: str, lines: list[str]) -> None:
    """Put the lines between the markers of a family on the page."""
    text = PAGE.read_text("utf-8")
    start, end = f"<!-- {marker} -->", f"<!-- end {marker} -->"
    head, _, rest = text.partition(start)
    _, _, tail = rest.partition(end)
    if not tail:
        text = text.rstrip("\n") + f"\n\n{start}\n" + "\n".join(lines) + f"\n{end}\n"
    else:
        text = head + start + "\n" + "\n".join(lines) + "\n" + end + tail
    PAGE.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    if options.page:
        globals()["PAGE"] = options.page
    chosen = options.only.split(",") if options.only else [*FAMILIES, "sequential"]
    warnings.simplefilter("ignore")
    for number, (name, one) in enumerate(FAMILIES.items()):
        if name not in chosen:
            continue
        started = time.process_time()
        found = list(one.grid(np.random.default_rng([19, number]), options.scale))
        least = min(n for _, _, (_, n) in found)
        error = "exact" if one.exact else (
            f"{least:,} data sets or more in a cell; Monte Carlo standard error of 95 % "
            f"{100 * np.sqrt(0.95 * 0.05 / least):.1f}")  # fmt: skip
        write(name, [f"### {one.title}", "", f"{one.where}; {error}.", "", *table(found)])
        print(f"{name}: {time.process_time() - started:.0f} s", flush=True)
    if "sequential" in chosen:
        write("sequential", sequential(19, options.scale))
        print("sequential", flush=True)


if __name__ == "__main__":
    main()

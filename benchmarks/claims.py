"""Coverage of intervals, paired differences and rank sets under each claim.

Items are drawn again for every data set: within fixed domains (`same-domains`), with new domains
(`other-domains`), or not at all, with new answers to the same items (`these-items`).

    python benchmarks/claims.py [--runs 4000] [--seed 1] [--only WORD ...]

`--only` names tables (mean, difference, rank sets) or parts of a case's name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics import Sampling, group_means
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer_claim
from gfactor.psychometrics.inference.pairwise import compare_pairs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Domains of items, and how likely answers are right.

    `chances` are of one model by domain; `None` draws them from Beta(`shape`) for every data set.
    """

    name: str
    sizes: tuple[int, ...]
    chances: tuple[float, ...] | None
    shape: tuple[float, float] = (4.0, 1.5)
    unit: int = 1
    icc: float = 0.0


def worlds() -> list[World]:
    """The worlds in which means are tried."""
    spread = [tuple(np.linspace(a, b, h).round(3)) for h, a, b in
              ((30, 0.05, 0.95), (30, 0.8, 1.0), (6, 0.3, 0.9), (12, 0.2, 0.95))]  # fmt: skip
    half = tuple(float(p) for p in np.where(np.arange(30) % 2, 1.0, 0.5))
    return [
        World("30 domains of 20, .05 to .95", (20,) * 30, spread[0]),
        World("30 domains of 20, .80 to 1", (20,) * 30, spread[1]),
        World("30 domains of 5, .05 to .95", (5,) * 30, spread[0]),
        World("30 domains of 5, .80 to 1", (5,) * 30, spread[1]),
        World("30 domains of 2, .80 to 1", (2,) * 30, spread[1]),
        World("30 domains of 10, half of them all right", (10,) * 30, half),
        World("30 domains of 10, all .98", (10,) * 30, (0.98,) * 30),
        World("6 domains of 20, .3 to .9", (20,) * 6, spread[2]),
        World("6 domains of 5, .3 to .9", (5,) * 6, spread[2]),
        World("12 domains of 1 to 80", (1, 2, 3, 5, 8, 13, 21, 34, 40, 50, 60, 80), spread[3]),
        World("one domain of 50, .9", (50,), (0.9,)),
        World("2 domains of 20, .3 and .9", (20,) * 2, (0.3, 0.9)),
        World("3 domains of 20, .3 to .9", (20,) * 3, (0.3, 0.6, 0.9)),
        World("12 domains of 8 pictures of 3 questions", (8,) * 12, spread[3], unit=3, icc=0.4),
        World("6 domains of 5 pictures of 5 questions", (5,) * 6, spread[2], unit=5, icc=0.2),
    ]


def sampled_worlds() -> list[World]:
    """The worlds whose domains are drawn."""
    return [
        World("2 domains of 20, Beta(4, 1.5)", (20,) * 2, None),
        World("3 domains of 20, Beta(4, 1.5)", (20,) * 3, None),
        World("6 domains of 20, Beta(4, 1.5)", (20,) * 6, None),
        World("10 domains of 20, Beta(4, 1.5)", (20,) * 10, None),
        World("30 domains of 20, Beta(4, 1.5)", (20,) * 30, None),
        World("10 domains of 20, Beta(9, 1)", (20,) * 10, None, (9.0, 1.0)),
        World("30 domains of 5, Beta(.5, .5)", (5,) * 30, None, (0.5, 0.5)),
        World("12 domains of 5 to 60, Beta(4, 1.5)", tuple(range(5, 65, 5)), None),
    ]


def draw(world: World, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Answers (runs x questions) and the truth of every run."""
    domain = np.repeat(np.arange(len(world.sizes)), world.sizes)
    if world.chances is None:
        a, b = world.shape
        chance = rng.beta(a, b, (runs, len(world.sizes)))
        truth = np.full(runs, a / (a + b))
    else:
        chance = np.tile(np.array(world.chances), (runs, 1))
        truth = chance[:, domain].mean(axis=1)
    each = chance[:, domain]
    if world.icc:
        scale = 1 / world.icc - 1
        inside = (each > 0) & (each < 1)
        p = np.where(inside, each, 0.5)
        each = np.where(inside, rng.beta(p * scale, (1 - p) * scale), each)
    answers = rng.random((*each.shape, world.unit)) < each[:, :, None]
    return answers.reshape(runs, -1).astype(float), truth


def layout(world: World) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Unit and domain of every question."""
    units = np.repeat(np.arange(sum(world.sizes)), world.unit)
    return units, np.repeat(np.repeat(np.arange(len(world.sizes)), world.sizes), world.unit)


def covered_means(world: World, claim: str, runs: int, rng: np.random.Generator) -> float:
    """The share of intervals of a mean that hold the truth."""
    x, truth = draw(world, runs, rng)
    units, domains = layout(world)
    means = group_means(
        np.repeat(np.arange(runs), x.shape[1]), x.ravel(), np.ones(x.size), claim=claim,
        units=np.tile(units, runs), domains=np.tile(domains, runs),
    )  # fmt: skip
    low, high = means.interval()
    return float(((low <= truth + 1e-12) & (truth <= high + 1e-12)).mean())


def covered_answers(items: int, occasions: int, runs: int, rng: np.random.Generator) -> float:
    """The share of intervals of a mean over these items, asked several times, with the truth."""
    chance = rng.beta(1.0, 0.5, items)
    right = rng.binomial(occasions, np.tile(chance, (runs, 1)))
    mean = right / occasions
    variance = mean * (1 - mean) / (occasions - 1)
    groups = np.repeat(np.arange(runs), items)
    means = group_means(
        groups, mean.ravel(), np.ones(mean.size), claim="these-items",
        answer_variance=variance.ravel(),
    )  # fmt: skip
    low, high = means.interval()
    return float(((low <= chance.mean()) & (chance.mean() <= high)).mean())


PAIRS: tuple[tuple[str, tuple[int, ...], float, float, float, int], ...] = (
    # name, items of the domains, share that differ, range of differences of domains, shared, unit
    ("12 domains of 20, equal in all", (20,) * 12, 0.3, 0.0, 0.0, 1),
    ("12 domains of 20, +/- .2 in domains", (20,) * 12, 0.3, 0.2, 0.0, 1),
    ("12 domains of 20, .1 better", (20,) * 12, 0.3, 0.1, 0.1, 1),
    ("30 domains of 5, +/- .2 in domains", (5,) * 30, 0.3, 0.2, 0.0, 1),
    ("30 domains of 10, few differ", (10,) * 30, 0.03, 0.0, 0.0, 1),
    ("2 domains of 30, +/- .2 in domains", (30,) * 2, 0.4, 0.2, 0.0, 1),
    ("3 domains of 30, +/- .2 in domains", (30,) * 3, 0.4, 0.2, 0.0, 1),
    ("6 domains of 10, .15 better", (10,) * 6, 0.4, 0.1, 0.15, 1),
    ("12 domains of 6 pictures of 3", (6,) * 12, 0.3, 0.2, 0.0, 3),
)


def covered_differences(
    case: tuple[str, tuple[int, ...], float, float, float, int], claim: str, runs: int,
    rng: np.random.Generator,
) -> tuple[float, float]:  # fmt: skip
    """The share of intervals with the true difference, and of p below .05 where there is none."""
    _, sizes, share, spread, shift, unit = case
    domain = np.repeat(np.arange(len(sizes)), sizes)
    codes = np.repeat(domain, unit)
    sampling = Sampling.of(claim, codes.size, units=np.repeat(np.arange(domain.size), unit),
                           domains=codes)  # fmt: skip
    fixed = np.linspace(-spread, spread, len(sizes)) + shift
    held, alarms = 0, 0
    for _ in range(runs):
        effects = fixed if claim == "same-domains" else rng.uniform(-spread, spread, len(sizes)) + (
            shift)  # fmt: skip
        delta = effects[domain]
        differ = np.maximum(share, np.abs(delta))
        u = rng.random(domain.size)
        first = u < (differ + delta) / 2
        second = (u >= (differ + delta) / 2) & (u < differ)
        d = np.repeat(first.astype(float) - second, unit)
        if unit > 1:  # half of a picture's questions go with the picture
            again = rng.random(codes.size)
            own = delta[np.repeat(np.arange(domain.size), unit)]
            wide = np.repeat(differ, unit)
            alone = (again < (wide + own) / 2) * 1.0 - (
                (again >= (wide + own) / 2) & (again < wide))  # fmt: skip
            d = np.where(rng.random(codes.size) < 0.5, d, alone)
        truth = float(fixed[domain].mean()) if claim == "same-domains" else shift
        one = infer_claim(d, sampling, ComparisonSettings(), binary=True)
        held += one.low <= truth <= one.high
        alarms += one.p < 0.05
    return held / runs, alarms / runs if not shift else float("nan")


RANKED: dict[str, tuple[float, ...]] = {
    "8 models, all equal": (0.6,) * 8,
    "8 models, two groups": (0.7,) * 4 + (0.5,) * 4,
    "8 models, .50 to .78": tuple(np.arange(0.5, 0.8, 0.04)),
}


def covered_ranks(
    means: Sequence[float], claim: str, runs: int, rng: np.random.Generator, domain_count: int
) -> float:
    """The share of data sets in which all rank sets hold all true ranks."""
    truth = np.array(means)
    best = 1 + (truth[:, None] < truth - 1e-12).sum(axis=1)
    worst = len(truth) - (truth[:, None] > truth + 1e-12).sum(axis=1)
    domains = np.repeat(np.arange(domain_count), 240 // domain_count)
    sampling = Sampling.of(claim, domains.size, domains=domains)
    shape = domain_count, len(truth)
    fixed = rng.normal(0, 0.08, shape)
    fixed -= fixed.mean(axis=0)
    held = 0
    for _ in range(runs):
        by_domain = fixed if claim == "same-domains" else rng.normal(0, 0.08, shape)
        hard = rng.normal(0, 0.15, (domains.size, 1))
        chance = np.clip(truth + by_domain[domains] + hard, 0, 1)
        x = (rng.random(chance.shape) < chance).astype(float)
        sets = compare_pairs(pd.DataFrame(x), sampling=sampling).rank_sets()
        held += bool(((sets["best"] <= best) & (worst <= sets["worst"])).all())
    return held / runs


Line = tuple[str, str, str, Callable[[], dict[str, float]]]
"""Table, claim, case, and what computes the shares by the name of their table."""


def lines(runs: int, seed: int) -> Iterator[Line]:
    """What is tried, each case from a seed of its own."""
    few = max(200, runs // 2)
    seeds = iter(range(seed * 1000, (seed + 1) * 1000))

    def case(table: str, claim: str, name: str, act: Callable[..., Any], *given: Any) -> Line:
        rng = np.random.default_rng(next(seeds))

        def compute() -> dict[str, float]:
            found: Any = act(*given, rng)
            both = found if isinstance(found, tuple) else (found,)
            names = (table, "false alarms")
            return {n: float(v) for n, v in zip(names, both, strict=False) if np.isfinite(v)}

        return table, claim, name, compute

    for claim, tried in (("same-domains", worlds()), ("other-domains", sampled_worlds())):
        for world in tried:
            yield case("mean", claim, world.name, covered_means, world, claim, runs)
    for items, occasions in ((50, 2), (200, 2), (50, 5), (200, 5)):
        name = f"{items} items, {occasions} occasions"
        yield case("mean", "these-items", name, covered_answers, items, occasions, runs)
    for claim in ("same-domains", "other-domains"):
        for one in PAIRS:
            yield case("difference", claim, one[0], covered_differences, one, claim, few)
    for claim in ("same-domains", "other-domains"):
        for count in (2, 3, 6, 30):
            for name, means in RANKED.items():
                yield case("rank sets", claim, f"{name}, {count} domains",
                           lambda m, c, n, k, rng: covered_ranks(m, c, n, rng, k),
                           means, claim, few // 4, count)  # fmt: skip


def main(act: Callable[[str], None] = print) -> None:
    """Print a line for everything that was tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    act(f"{given.runs} data sets, seed {given.seed}")
    for table, claim, case, compute in lines(given.runs, given.seed):
        if given.only and not any(word in f"{table} {claim} {case}" for word in given.only):
            continue
        for name, share in compute().items():
            act(f"| {name} | {claim} | {case} | {share:.3f} |")


if __name__ == "__main__":
    main()

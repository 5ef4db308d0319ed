"""Does the comparison have the half-width that was planned, and are early decisions rarely wrong?

A pilot journal's figures are stated to `gfactor plan` under a claim; runs of the planned size are
drawn and judged as `gfactor compare` judges them. Then examinees who are equal are compared after
every item, as `gfactor compare --sequential` does.

    python benchmarks/plans_kept.py [--runs 400] [--seed 1]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import gfactor as gf
from gfactor.psychometrics import Sampling
from gfactor.psychometrics.inference.deciding import rank_sequentially
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer_claim

Floats = NDArray[np.float64]


def differences(
    effects: Floats, per_domain: int, share: float, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.intp]]:
    """Paired differences of right and wrong: effects by domain, `share` of items differ."""
    domain = np.repeat(np.arange(effects.size), per_domain)
    delta = effects[domain]
    differ = np.maximum(share, np.abs(delta))
    u = rng.random(domain.size)
    first, second = u < (differ + delta) / 2, (u >= (differ + delta) / 2) & (u < differ)
    return first.astype(float) - second.astype(float), domain


def planned(
    claim: str, domains: int, runs: int, seed: int, target: float, delta: float = 0.05
) -> tuple[int, float, float, float]:
    """Items of a plan, its half-width, the mean half-width of compare, and its coverage.

    Effects of domains are drawn with a standard deviation of .1 around `delta`; under
    `same-domains` the same ones stay, under `other-domains` each run has new ones.
    """
    rng, share = np.random.default_rng(seed), 0.3
    fixed = delta + 0.1 * rng.standard_normal(domains)
    if claim == "same-domains":
        within = share - fixed**2
        known = {"sd_difference": float(np.sqrt(within.mean())), "domains": domains}
    else:
        per = 20
        total = share - delta**2
        known = {"sd_difference": float(np.sqrt(total)), "cluster_size": per, "icc": 0.01 / total}
    plan = gf.plan(aim="difference", target=target, known=known, claim=claim, simulations=0)
    items = int((plan.chosen or {})["item"])
    count = domains if claim == "same-domains" else items // 20
    per = max(2, round(items / count))
    halves, held = [], 0
    for _ in range(runs):
        effects = fixed if claim == "same-domains" else delta + 0.1 * rng.standard_normal(count)
        d, domain = differences(effects, per, share, rng)
        one = infer_claim(
            d, Sampling.of(claim, d.size, domains=domain), ComparisonSettings(), binary=True
        )
        truth = float(fixed.mean()) if claim == "same-domains" else delta
        halves.append((one.high - one.low) / 2)
        held += one.low <= truth <= one.high
    return items, float(plan.half_width or np.nan), float(np.mean(halves)), held / runs


def sequential_alarms(domains: int, spread: float, runs: int, seed: int) -> float:
    """The share of runs in which two equal examinees are called different at some look."""
    rng, alarms = np.random.default_rng(seed), 0
    for _ in range(runs):
        effects = np.linspace(-spread, spread, domains)
        d, _ = differences(effects, 240 // domains, 0.3, rng)
        d = rng.permutation(d)
        tie = rng.integers(0, 2, d.size)
        first, second = np.where(d == 0, tie, d > 0), np.where(d == 0, tie, d < 0)
        found = rank_sequentially(pd.DataFrame({"a": first * 1.0, "b": second * 1.0}))
        alarms += found.pairs["decided_at"].notna().to_numpy()[0]
    return alarms / runs


def main(act: Callable[[str], None] = print) -> None:
    """Print a line for every plan, and one for every pair of equal examinees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    act("| claim | domains | target | items | half-width planned | of compare | coverage |")
    for claim, domains, target in (
        ("same-domains", 2, 0.1), ("same-domains", 6, 0.1), ("same-domains", 30, 0.1),
        ("same-domains", 30, 0.05), ("other-domains", 0, 0.1), ("other-domains", 0, 0.05),
    ):  # fmt: skip
        items, half, found, held = planned(claim, domains or 6, given.runs, given.seed, target)
        shown = domains or items // 20
        act(f"| {claim} | {shown} | {target} | {items} | {half:.4f} | {found:.4f} | {held:.3f} |")
    act("| sequential, equal examinees | false alarms |")
    for domains, spread in ((1, 0.0), (2, 0.2), (6, 0.2), (30, 0.2)):
        share = sequential_alarms(domains, spread, given.runs, given.seed)
        act(f"| {domains} domains, +/- {spread} in domains, 240 items | {share:.3f} |")


if __name__ == "__main__":
    main()

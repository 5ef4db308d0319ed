"""What one optimizer for single fits and batches would cost: each is given the other's work.

Processor time, the two in turn, medians of ratios. A single fit by the search for batches pays for
arrays with an axis of one replicate; a batch by the search for single fits pays for Python's calls
replicate by replicate.

    python benchmarks/sem_engine.py --repeats 15
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.batches import search as batches
from gfactor.psychometrics.sem.batches.batch import SearchTask
from gfactor.psychometrics.sem.batches.fits import fit_many
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood
from gfactor.psychometrics.sem.batches.moments import group_moments, joined
from gfactor.psychometrics.sem.bootstrapping.resamples import Resamples
from gfactor.psychometrics.sem.optimize import minimise, parameter_scales, start_values

MODEL = """
visual =~ x1 + x2 + x3
textual =~ x4 + x5 + x6
speed =~ x7 + x8 + x9
"""


def data(n: int, seed: int) -> pd.DataFrame:
    """Nine indicators of three correlated factors."""
    rng = np.random.default_rng(seed)
    cov = np.array([[1.0, 0.45, 0.45], [0.45, 1.0, 0.3], [0.45, 0.3, 1.0]])
    factors = rng.multivariate_normal(np.zeros(3), cov, n)
    x = np.repeat(factors, 3, axis=1) * 0.8 + rng.normal(0, 0.6, (n, 9))
    return pd.DataFrame(x, columns=[f"x{k}" for k in range(1, 10)])


def paired(first: Callable[[], object], second: Callable[[], object], repeats: int) -> float:
    """Median of second's processor time over first's."""
    ratios = []
    for _ in range(repeats):
        spent = []
        for work in (first, second):
            begun = time.process_time()
            work()
            spent.append(time.process_time() - begun)
        ratios.append(spent[1] / spent[0])
    return statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    fit = sem.fit(MODEL, data(300, 1))
    problem = fit.problem
    scale = parameter_scales(problem.structure, problem.sample)
    start = start_values(fit.table, problem.structure, problem.sample)
    group = problem.sample.groups[0]
    moments = joined([group_moments(group.n, group.mean[None], group.cov[None])])
    one = np.zeros(1, dtype=int)
    likelihood = ReplicateLikelihood(problem.structure, moments, [[]])
    batches._FEW = 0  # pyright: ignore[reportPrivateUsage]  (else it hands single ones on)
    reduction = problem.constraints.linear

    def single() -> object:
        return [minimise(problem.discrepancy, reduction, start, scale) for _ in range(20)]

    def as_batch() -> object:
        return [
            batches.search_many(likelihood, reduction, SearchTask(one, start[None]), scale)
            for _ in range(20)
        ]

    resamples = Resamples(fit, "plain", 300, 1, None)
    drawn = resamples.moments()
    every = ReplicateLikelihood(problem.structure, drawn, [[]])

    def batch() -> object:
        return fit_many(fit, drawn)

    def one_by_one() -> object:
        return [minimise(every.alone(k), reduction, fit.theta, scale) for k in range(len(drawn))]

    print(
        json.dumps(
            {
                "single fits by the search for batches": paired(single, as_batch, repeats),
                "300 resamples by the search for single fits": paired(batch, one_by_one, repeats),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()

"""What size, PNG bytes, ink and luminance give away of Percept-V's answers, domain by domain.

Run by hand: `python benchmarks/percept_v_cues.py [SEED ...]` (about five minutes with the default
seeds). For each seed the classifiers of `gfactor.benchmarks.percept_v.cues` learn from the next
seed. Prints the table of docs/percept-v.md: accuracy of a guess that knows domain and size, and
the gain of the best classifier, mean and largest of the seeds, in points.
"""

from __future__ import annotations

import sys

import joblib
import numpy as np

from gfactor.benchmarks.percept_v.cues import cue_gain, other_seed
from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES


def gains(name: str, seeds: list[int]) -> list[tuple[float, float]]:
    """Base and gain for each seed."""
    made = {s: other_seed(name, "audited", s - 1, SIZES, INSTANCES) for s in seeds}
    made |= {
        s + 1: other_seed(name, "audited", s, SIZES, INSTANCES) for s in seeds if s + 1 not in made
    }
    return [cue_gain(made[s + 1], made[s]) for s in seeds]


if __name__ == "__main__":
    seeds = [int(word) for word in sys.argv[1:]] or [7, 8, 9]
    print("| domain | size alone | gain | largest gain |\n|---|---|---|---|")
    tasks = (joblib.delayed(gains)(name, seeds) for name in DOMAINS)
    for name, found in zip(DOMAINS, joblib.Parallel(n_jobs=2)(tasks), strict=True):
        base, gain = 100 * np.array(found).T
        print(f"| {name} | {base.mean():.1f} | {gain.mean():+.1f} | {gain.max():+.1f} |")

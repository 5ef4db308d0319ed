"""Models and samples for the tests of the estimators, simulated from a seed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.choices import resolved
from gfactor.psychometrics.sem.preparation import completion_options
from gfactor.psychometrics.sem.problem import Problem, problem_of
from gfactor.psychometrics.sem.sample import sample_from_data
from gfactor.psychometrics.sem.syntax import build_table

THREE_FACTORS = "a =~ x1 + x2 + x3\nb =~ y1 + y2 + y3\nc =~ z1 + z2 + z3"
SECOND_ORDER = f"{THREE_FACTORS}\ng =~ a + b + c"
REGRESSIONS = f"{THREE_FACTORS}\nc ~ a + b\nz1 ~~ z2\nw ~ c + x1"
GROWTH = "i =~ 1*x1 + 1*x2 + 1*x3\ns =~ 0*x1 + 1*x2 + 2*x3\ni ~ y1"


def sample(n: int = 200, seed: int = 1, *, missing: float = 0.0) -> pd.DataFrame:
    """Nine indicators of three correlated factors, an outcome `w`, and a grouping column."""
    rng = np.random.default_rng(seed)
    g = rng.standard_normal(n)
    columns: dict[str, np.ndarray] = {}
    for k, name in enumerate("xyz"):
        factor = 0.7 * g + np.sqrt(0.51) * rng.standard_normal(n)
        for item in range(1, 4):
            noise = rng.standard_normal(n) * (0.6 + 0.1 * item)
            columns[f"{name}{item}"] = 1.0 + k + (1.1 - 0.1 * item) * factor + noise
    columns["w"] = columns["z3"] * 0.4 + rng.standard_normal(n)
    frame = pd.DataFrame(columns)
    if missing:
        frame = frame.mask(rng.random(frame.shape) < missing)
    frame["school"] = np.where(np.arange(n) % 2 == 0, "north", "south")
    return frame


def problem(text: str, data: pd.DataFrame, group: str | None = None, **options: object) -> Problem:
    """A prepared problem, not yet fitted."""
    labels = () if group is None else tuple(dict.fromkeys(data[group]))
    chosen = resolved(sem.Options().replaced(**options), n_groups=max(1, len(labels)))
    table = build_table(text, options=completion_options(chosen), groups=labels)
    if any(row.op == "~1" for row in table.rows):
        chosen = chosen.replaced(meanstructure=True)
    moments = sample_from_data(
        data, table.observed, listwise=chosen.missing != "ml", group=group, labels=labels
    )
    return problem_of(table, moments, chosen)

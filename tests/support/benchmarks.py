"""Simulated scores of models on tasks, and the folder of public ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

SHARED = Path(__file__).parents[2].parent / "shared"


def shared(path: str) -> Path:
    """A file of the reference material; the test is skipped where it is not there."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"the reference file ../shared/{path} is not here")
    return found


def read(path: str, index: int | str | None = 0) -> Any:
    """A table of the reference material, typed Any for the same reason."""
    return pd.read_csv(shared(path), index_col=index)


def simulated(
    models: int = 120, tasks: int = 5, constructs: int = 3, seed: int = 1, spread: float = 1.0
) -> Any:
    """Scores from one general and `constructs` special abilities; columns B.C1.t1 and so on.

    `spread` scales the general ability, whose share of a task's variance it sets. The frame is
    typed Any, since pandas leaves the types of its operations open.
    """
    rng = np.random.default_rng(seed)
    general = spread * rng.normal(size=(models, 1))
    columns = {}
    for c in range(1, constructs + 1):
        special = 0.6 * rng.normal(size=(models, 1))
        own = general + special + 0.7 * rng.normal(size=(models, tasks))
        columns |= {f"B.C{c}.t{t}": 50 + 10 * own[:, t - 1] for t in range(1, tasks + 1)}
    return pd.DataFrame(columns, index=pd.Index([f"m{i:03d}" for i in range(models)], name="model"))

"""Simulated models in families, with known abilities, testlets and broken items."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import calibrate_anchors

BENCHMARKS = {"easy": 300, "hard": 200}
BROKEN = 12
"""The first items of each benchmark on which better models do worse."""


class World(NamedTuple):
    """Answers, families, abilities (N, 2) and slopes and intercepts by benchmark."""

    answers: pd.DataFrame
    families: pd.Series
    abilities: np.ndarray
    slopes: dict[str, np.ndarray]
    intercepts: dict[str, np.ndarray]


def draw_models(
    count: int, seed: int, shift: float = 0.0, drift: Mapping[str, float] | None = None
) -> World:
    """Draw `count` models in families of three, all answering all items.

    `shift` is added to abilities, `drift` to the logits of single items by column.
    """
    items = np.random.default_rng(7)
    rng = np.random.default_rng([11, seed])
    family = np.arange(count) // 3
    common = rng.normal(size=(count, 1))[family]
    abilities = shift + 0.7 * common + 0.5 * rng.normal(size=(count, 1))
    abilities = abilities + 0.4 * rng.normal(size=(count, 2))
    parts, slopes, intercepts = [], {}, {}
    for b, (name, size) in enumerate(BENCHMARKS.items()):
        a = np.exp(items.normal(0.0, 0.4, size))
        d = items.normal(0.8 if name == "easy" else -0.4, 1.2, size)
        a[:BROKEN] = -1.2
        d[:BROKEN] = 0.0
        testlets = 0.4 * rng.normal(size=(count, size // 20))
        logits = abilities[:, [b]] * a + d + np.repeat(testlets, 20, axis=1)
        moved = [(drift or {}).get(f"{name}:{k}", 0.0) for k in range(size)]
        logits = logits + np.array(moved)
        right = (rng.random((count, size)) < 1 / (1 + np.exp(-logits))).astype(float)
        parts.append(pd.DataFrame(right, columns=[f"{name}:{k}" for k in range(size)]))
        slopes[name], intercepts[name] = a, d
    answers = pd.concat(parts, axis=1)
    answers.index = pd.Index([f"{'new' * (seed > 0)}m{k}" for k in range(count)], name="model")
    families = pd.Series([f"f{seed}-{k}" for k in family], index=answers.index)
    return World(answers, families, abilities, slopes, intercepts)


@cache
def calibrated() -> tuple[World, Anchors]:
    """Ninety models and the scale that they make."""
    world = draw_models(90, 0)
    return world, calibrate_anchors(world.answers, world.families, name="simulated")

"""A link is the line on which the curves of common items differ least."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

from gfactor.psychometrics.irt.scales.linking import link


def guessed(a: np.ndarray, b: np.ndarray, c: np.ndarray, theta: np.ndarray) -> np.ndarray:
    return c + (1 - c) * special.expit(a * (theta[:, None] - b))


@pytest.mark.parametrize("method", ["haebara", "stocking-lord"])
def test_curves_with_guessing_are_linked_where_their_distance_is_smallest(method: Any) -> None:
    """The distances of Haebara and of Stocking and Lord, written out for items that disagree."""
    a, b = np.array([1.0, 1.6, 0.8, 1.3]), np.array([-1.0, 0.2, 0.9, 1.6])
    c = np.array([0.3, 0.1, 0.25, 0.2])
    old = pd.DataFrame({"a": a, "b": b, "c": c})
    exact = pd.DataFrame({"a": 1.2 * a, "b": (b - 0.4) / 1.2, "c": c})
    line = link(old, exact, method)
    assert (line.slope, line.intercept) == pytest.approx((1.2, 0.4), abs=1e-7)
    other_c = np.array([0.1, 0.3, 0.2, 0.35])
    new = exact.assign(a=exact["a"] * [0.8, 1.1, 1.2, 0.9], b=exact["b"] + [0.3, -0.2, 0.1, 0.4],
                       c=other_c)  # fmt: skip
    theta = np.linspace(-4, 4, 81)
    weight = stats.norm.pdf(theta)

    def distance(x: np.ndarray) -> float:
        other = guessed(new["a"].to_numpy() / x[0], x[0] * new["b"].to_numpy() + x[1],
                        other_c, theta)  # fmt: skip
        gap = guessed(a, b, c, theta) - other
        whole = gap.sum(axis=1) ** 2 if method == "stocking-lord" else (gap**2).sum(axis=1)
        return float(weight @ whole)

    best = optimize.minimize(distance, [1, 0], method="Nelder-Mead",
                             options={"xatol": 1e-8, "fatol": 1e-14}).x  # fmt: skip
    line = link(old, new, method)
    assert (line.slope, line.intercept) == pytest.approx(tuple(best), abs=1e-5)

"""The functions that constraints and definitions may use, with two derivatives each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Map = Callable[[NDArray[np.float64]], Any]


@dataclass(frozen=True)
class Function:
    """A function of one number (applied to every element of an array) and its derivatives."""

    value: Map
    slopes: tuple[Map, Map]


def _density(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)


def _quantile_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / _density(special.ndtri(x))


def _logistic_slope(x: NDArray[np.float64]) -> NDArray[np.float64]:
    p = special.expit(x)
    return p * (1 - p)


FUNCTIONS: dict[str, Function] = {
    "exp": Function(np.exp, (np.exp, np.exp)),
    "log": Function(np.log, (lambda x: 1 / x, lambda x: -1 / x**2)),
    "sqrt": Function(np.sqrt, (lambda x: 0.5 / np.sqrt(x), lambda x: -0.25 / np.sqrt(x) ** 3)),
    "abs": Function(np.abs, (np.sign, np.zeros_like)),
    "sin": Function(np.sin, (np.cos, lambda x: -np.sin(x))),
    "cos": Function(np.cos, (lambda x: -np.sin(x), lambda x: -np.cos(x))),
    "tan": Function(
        np.tan, (lambda x: 1 / np.cos(x) ** 2, lambda x: 2 * np.tan(x) / np.cos(x) ** 2)
    ),
    "tanh": Function(
        np.tanh, (lambda x: 1 / np.cosh(x) ** 2, lambda x: -2 * np.tanh(x) / np.cosh(x) ** 2)
    ),
    "atan": Function(np.arctan, (lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2)),
    "atanh": Function(np.arctanh, (lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2)),
    "pnorm": Function(special.ndtr, (_density, lambda x: -x * _density(x))),
    "dnorm": Function(_density, (lambda x: -x * _density(x), lambda x: (x * x - 1) * _density(x))),
    "qnorm": Function(
        special.ndtri,
        (_quantile_slope, lambda x: special.ndtri(x) * _quantile_slope(x) ** 2),
    ),
    "plogis": Function(
        special.expit,
        (_logistic_slope, lambda x: _logistic_slope(x) * (1 - 2 * special.expit(x))),
    ),
    "qlogis": Function(
        special.logit,
        (lambda x: 1 / (x * (1 - x)), lambda x: (2 * x - 1) / (x * (1 - x)) ** 2),
    ),
}
"""Functions by their names in R, so that lavaan's models run unchanged."""

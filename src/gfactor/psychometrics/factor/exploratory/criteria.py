"""Rotation criteria: value and gradient for a batch of loading matrices at once.

Each takes loadings (s, p, m) and gives values (s,) and gradients (s, p, m).

References
----------
Bernaards, C. A., Jennrich, R. I. (2005). Gradient projection algorithms and software for arbitrary
    rotation criteria in factor analysis. Educational and Psychological Measurement 65, 676-696.
Browne, M. W. (2001). An overview of analytic rotation in exploratory factor analysis.
    Multivariate Behavioral Research 36, 111-150.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Criterion = Callable[[Array], tuple[Array, Array]]


def varimax(loadings: Array) -> tuple[Array, Array]:
    """Kaiser (1958): the variance of squared loadings within factors."""
    squares = loadings**2
    centered = squares - squares.mean(axis=1, keepdims=True)
    return -(centered**2).sum(axis=(1, 2)) / 4, -loadings * centered


def quartimax(loadings: Array) -> tuple[Array, Array]:
    """Neuhaus and Wrigley (1954): the fourth powers of the loadings."""
    return -(loadings**4).sum(axis=(1, 2)) / 4, -(loadings**3)


def oblimin(loadings: Array, gamma: float = 0.0) -> tuple[Array, Array]:
    """Return the oblimin criterion: cross products of squared loadings; gamma 0 is quartimin."""
    squares = loadings**2
    others = squares.sum(axis=2, keepdims=True) - squares
    others = others - gamma * others.mean(axis=1, keepdims=True)
    return (squares * others).sum(axis=(1, 2)) / 4, loadings * others


def geomin(loadings: Array, delta: float = 0.01) -> tuple[Array, Array]:
    """Yates (1987): geometric means of squared loadings over factors; delta as in GPArotation."""
    squares = loadings**2 + delta
    means = np.exp(np.log(squares).mean(axis=2, keepdims=True))
    return means.sum(axis=(1, 2)), 2 / loadings.shape[2] * loadings / squares * means


@dataclass(frozen=True)
class Rotation:
    """A named rotation.

    Parameters
    ----------
    criterion: criterion that is minimized; promax starts from its.
    oblique: True if factors may correlate.
    kaiser: True to scale rows to length one before; as R's stats and psych do by default.
    """

    criterion: Criterion
    oblique: bool
    kaiser: bool


ROTATIONS: Mapping[str, Rotation] = {
    "varimax": Rotation(varimax, oblique=False, kaiser=True),
    "quartimax": Rotation(quartimax, oblique=False, kaiser=False),
    "promax": Rotation(varimax, oblique=True, kaiser=True),
    "oblimin": Rotation(oblimin, oblique=True, kaiser=False),
    "geomin": Rotation(geomin, oblique=True, kaiser=False),
}


def named_criterion(rotation: str, *, gamma: float = 0.0, delta: float = 0.01) -> Criterion:
    """The criterion of a rotation, with its parameter where it has one."""
    if rotation == "oblimin":
        return partial(oblimin, gamma=gamma)
    if rotation == "geomin":
        return partial(geomin, delta=delta)
    return ROTATIONS[rotation].criterion

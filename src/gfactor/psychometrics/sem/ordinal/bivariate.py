"""The bivariate normal distribution, many points and many correlations at once.

Reference: Genz, A. (2004). Numerical computation of rectangular bivariate and trivariate normal and
t probabilities. Statistics and Computing 14, 251-260 (Plackett's integral; near |rho| = 1 the
integral from the other side with its singular part taken out).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Array = NDArray[np.float64]

_STEEP = 0.925
"""|rho| from which on Plackett's integrand is too steep for the nodes."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)

FAR = 38.0
"""Limit that stands for infinity: beyond it a normal tail is zero in double precision."""


def bivariate_normal_cdf(h: Array, k: Array, rho: Array) -> Array:
    """Return P(X < h, Y < k) of standard normals with correlation `rho`; the arguments are
    broadcast.

    Accurate to 1e-14 absolutely. Infinite limits are allowed, |rho| = 1 too.
    """
    h, k = (np.clip(np.asarray(limit, float), -FAR, FAR) for limit in (h, k))
    rho = np.asarray(rho, float)
    steep = np.abs(rho) > _STEEP
    out = np.asarray(_moderate(h, k, np.where(steep, 0.0, rho)))
    if steep.any():
        h, k, rho, steep = np.broadcast_arrays(h, k, rho, steep)
        h, k, rho = h[steep], k[steep], rho[steep]
        # P(X < h, Y < k; rho) = P(X < h) - P(X < h, Y < -k; -rho).
        turned = _steep(h, np.where(rho < 0, -k, k), np.abs(rho))
        out[steep] = np.where(rho < 0, ndtr(h) - turned, turned)
    return np.clip(out, 0.0, 1.0)


def bivariate_normal_pdf(h: Array, k: Array, rho: Array) -> Array:
    """Return the bivariate normal density at (h, k) with correlation `rho`, |rho| < 1; the
    arguments are broadcast."""
    left = 1 - rho**2
    return np.exp(-(h**2 - 2 * rho * h * k + k**2) / (2 * left)) / (2 * np.pi * np.sqrt(left))


def _moderate(h: Array, k: Array, rho: Array) -> Array:
    """Return the product of both probabilities and Plackett's integral, for |rho| to 0.925."""
    angle = np.arcsin(rho)
    # The sines at the nodes depend on rho alone, which is the same for all cells of a table.
    sine = np.sin(angle[..., None] * (_NODES + 1) / 2)
    squares, product = ((h**2 + k**2) / 2)[..., None], (h * k)[..., None]
    inner = np.exp((sine * product - squares) / (1 - sine**2)) @ _WEIGHTS
    return ndtr(h) * ndtr(k) + inner * angle / (4 * np.pi)


def _steep(h: Array, k: Array, rho: Array) -> Array:
    """Return the difference of the probability from that at rho = 1, for rho above 0.925."""
    product, apart = h * k, np.abs(h - k)
    width = np.sqrt((1 - rho) * (1 + rho))
    c, d = (4 - product) / 8, (12 - product) / 16
    b2 = apart**2
    # The integrand is exp(-b2 / 2 x^2) times a smooth function of x^2; the first terms of that
    # function are integrated exactly, so that the rest is flat where the exponential is steep.
    safe = np.maximum(width, 1e-150)
    peak = np.exp(np.maximum(-(b2 / safe**2 + product) / 2, -700))
    exact = width * peak * (1 - c * (b2 - width**2) * (1 - d * b2 / 5) / 3 + c * d * width**4 / 5)
    tail = np.exp(-np.maximum(product, -100) / 2) * np.sqrt(2 * np.pi) * ndtr(-apart / safe) * apart
    exact -= np.where(product > -100, tail * (1 - c * b2 * (1 - d * b2 / 5) / 3), 0.0)
    x2 = (width[:, None] * (_NODES + 1) / 2) ** 2
    root = np.sqrt(1 - x2)
    exponent = -(b2[:, None] / np.maximum(x2, 1e-300) + product[:, None]) / 2
    smooth = np.exp(-product[:, None] * x2 / (2 * (1 + root) ** 2)) / root
    series = 1 + c[:, None] * x2 * (1 + d[:, None] * x2)
    inner = np.where(exponent > -100, np.exp(np.maximum(exponent, -100)) * (smooth - series), 0.0)
    between = exact + width / 2 * (inner @ _WEIGHTS)
    return ndtr(np.minimum(h, k)) - between / (2 * np.pi)

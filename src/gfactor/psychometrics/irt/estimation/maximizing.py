"""Maximizing the marginal likelihood: accelerated EM first, Newton at the end.

An EM step for these models is, to first order, a step by the inverse of the expected complete-data
information (Lange 1995). It is used as the starting matrix of a limited-memory quasi-Newton method
(Jamshidian and Jennrich 1997), which removes EM's slow tail; Newton steps with the exact observed
information end it, so that a zero gradient is shown and not assumed.

References
----------
Lange, K. (1995). A gradient algorithm locally equivalent to the EM algorithm. JRSS B 57, 425-437.
Jamshidian, M., Jennrich, R. I. (1997). Acceleration of the EM algorithm by using quasi-Newton
    methods. JRSS B 59, 569-587.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import MANY_PARAMETERS, Marginal
from gfactor.psychometrics.irt.likelihood.marginal import Evaluation

DENSE_LIMIT = 4_000
"""Largest number of free parameters with a dense observed information, for one ability."""
_MEMORY = 12
_CLOSE = 1e-3
_VERY_CLOSE = 1e-7
"""Predicted gain of log-likelihood, per step, below which Newton takes over; the second one with
very many parameters."""
_FALL = 0.1
"""Largest ratio of the gradient after a step to that before it, for reusing the information."""


@dataclass(frozen=True)
class Optimum:
    """Point at which the search ended.

    Parameters
    ----------
    x : array (X,)
        Free parameters.
    at : Evaluation
        The likelihood there.
    converged : bool
        True if the largest entry of the gradient is below the tolerance.
    gradient : float
        Largest absolute entry of the gradient.
    iterations, newton_steps : int
        Numbers of quasi-Newton EM and Newton steps.
    information : array (X, X) or None
        Observed information at the end; None if it was not formed.
    """

    x: Floats
    at: Evaluation
    converged: bool
    gradient: float
    iterations: int
    newton_steps: int
    information: Floats | None


def maximize(
    likelihood: Marginal, start: Floats, *, tolerance: float = 1e-7, max_iterations: int = 500,
    progress: Callable[[int, float], None] | None = None, newton: bool = True,
) -> Optimum:  # fmt: skip
    """Find the maximum of the likelihood with its priors.

    Parameters
    ----------
    likelihood : Marginal
        Likelihood that is maximized.
    start : array (X,)
        Starting point; it must be admissible.
    tolerance : float
        Largest absolute entry of the gradient at the end, in log-likelihood per unit.
    max_iterations : int
        Number of accelerated EM steps at the most.
    progress : callable or None
        Called with the number of the step and the objective.
    newton : bool
        True if Newton steps with the observed information end the search.

    Returns
    -------
    Optimum
        The maximum that was found, and how the search ended.
    """
    x, at = start.copy(), likelihood.evaluate(start)
    newton = newton and len(x) <= (DENSE_LIMIT if likelihood.smooth else MANY_PARAMETERS)
    # Newton steps are expensive with many parameters: then one is made, at the end.
    close = _CLOSE if len(x) <= MANY_PARAMETERS else _VERY_CLOSE
    pairs: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    steps, solve = 0, _solver(likelihood, at)
    while steps < max_iterations and _largest(at.gradient) > tolerance:
        if steps and (steps % 5 == 0 or steps < 5):
            solve = _solver(likelihood, at)
        direction = _two_loops(at.gradient, pairs, solve)
        gain = float(at.gradient @ direction)
        if gain <= 0:
            pairs.clear()
            direction = solve(at.gradient)
            gain = float(at.gradient @ direction)
        if newton and gain < close:
            break
        step = _search(likelihood, x, at, direction, gain)
        steps += 1
        if step is None:
            if not pairs:
                break
            pairs.clear()
            continue
        move, there = step
        change = at.gradient - there.gradient
        if move @ change > 1e-12 * np.linalg.norm(move) * np.linalg.norm(change):
            pairs.append((move, change))
        x, at = x + move, there
        if progress is not None:
            progress(steps, at.objective)
    return (
        _newton(likelihood, x, at, tolerance, steps) if newton else _ended(x, at, tolerance, steps)
    )


def _solver(likelihood: Marginal, at: Evaluation) -> Callable[[Floats], Floats]:
    """A function that multiplies by the inverse of the expected complete-data information, which
    has a small ridge, so that it can be factored."""
    matrix = likelihood.expected_complete(at)
    diagonal = matrix.diagonal()
    ridge = np.full(len(diagonal), 1e-8 * max(float(diagonal.mean()), 1e-8))
    if isinstance(matrix, np.ndarray):
        return partial(linalg.lu_solve, linalg.lu_factor(matrix + np.diag(ridge)))
    return splu((matrix + sparse.diags(ridge)).tocsc()).solve


def _largest(gradient: Floats) -> float:
    return float(np.abs(gradient).max()) if gradient.size else 0.0


def _two_loops(
    gradient: Floats, pairs: deque[tuple[Floats, Floats]], solve: Callable[[Floats], Floats]
) -> Floats:
    """The quasi-Newton direction of ascent (Nocedal and Wright 2006, algorithm 7.4)."""
    q, alphas = gradient.copy(), []
    for move, change in reversed(pairs):
        alpha = float(move @ q) / float(move @ change)
        q -= alpha * change
        alphas.append(alpha)
    direction = solve(q)
    for (move, change), alpha in zip(pairs, reversed(alphas), strict=True):
        direction += move * (alpha - float(change @ direction) / float(move @ change))
    return direction


def _search(
    likelihood: Marginal, x: Floats, at: Evaluation, direction: Floats, gain: float
) -> tuple[Floats, Evaluation] | None:
    """The first step of 1, 1/2, 1/4 ... that gains enough; None if none does."""
    largest = float(np.abs(direction).max())
    length = min(1.0, 5.0 / largest) if largest > 0 else 1.0
    noise = 1e-13 * abs(at.objective)
    for _ in range(30):
        there = likelihood.evaluate(x + length * direction)
        if there.objective >= at.objective + 1e-4 * length * gain - noise:
            return length * direction, there
        length /= 2
    return None


def _newton(
    likelihood: Marginal, x: Floats, at: Evaluation, tolerance: float, iterations: int
) -> Optimum:
    information, informed = likelihood.observed(at), x
    steps = 0
    while _largest(at.gradient) > tolerance and steps < 50:
        direction = ascent(information, at.gradient)
        step = _search(likelihood, x, at, direction, float(at.gradient @ direction))
        if step is None or np.array_equal(x + step[0], x):
            break
        before = _largest(at.gradient)
        x, at = x + step[0], step[1]
        steps += 1
        # If the information costs much more than the gradient, it is used for several steps.
        if not likelihood.by_pairs or _largest(at.gradient) > _FALL * before:
            information, informed = likelihood.observed(at), x
    if informed is not x:
        information = likelihood.observed(at)
    return _ended(x, at, tolerance, iterations, steps, information)


def ascent(information: Floats, gradient: Floats) -> Floats:
    """Return Newton's direction, with positive eigenvalues also where information is indefinite."""
    try:
        return linalg.cho_solve(linalg.cho_factor(information), gradient)
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(information)
        floor = max(1e-6 * float(np.abs(values).max()), 1e-10)
        return vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), floor))


def _ended(
    x: Floats, at: Evaluation, tolerance: float, iterations: int, newton_steps: int = 0,
    information: Floats | None = None,
) -> Optimum:  # fmt: skip
    largest = _largest(at.gradient)
    return Optimum(x, at, largest <= tolerance, largest, iterations, newton_steps, information)

"""Adaptive thresholds: the stimulus with the least expected posterior entropy.

References
----------
Watson, A. B. (2017). QUEST+: A general multidimensional Bayesian adaptive psychometric method.
    Journal of Vision 17(3), 10.
Kontsevich, L. L., Tyler, C. W. (1999). Bayesian adaptive estimation of psychometric slope and
    threshold. Vision Research 39, 2729-2737. Psi.
Prins, N. (2013). The psi-marginal adaptive method: How to give nuisance parameters the attention
    they deserve (no more, no less). Journal of Vision 13(7), 3.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.adaptive.ranking import best_first
from gfactor.psychometrics.irt.adaptive.stopping import Progress, StopRule
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.psychophysics.curves import accuracy_at

Function = Callable[..., Floats]


def _weibull(x, threshold, slope, lower_asymptote=0.0, lapse_rate=0.0) -> Floats:
    """Return the Weibull function of a stimulus in decibels."""
    rise = -np.expm1(-(10.0 ** (slope * (x - threshold) / 20)))
    return lower_asymptote + (1 - lower_asymptote - lapse_rate) * rise


def _normal(x, mean, sd, lower_asymptote=0.0, lapse_rate=0.0) -> Floats:
    rise = special.ndtr((x - mean) / sd)
    return lower_asymptote + (1 - lower_asymptote - lapse_rate) * rise


def _size(x, threshold, slope, lower_asymptote=0.0, lapse_rate=0.0) -> Floats:
    """Accuracy that falls with size, as `psychophysics` fits it."""
    return accuracy_at(x, threshold, slope, lapse_rate, lower_asymptote)


_ASYMPTOTES = ("lower_asymptote", "lapse_rate")
FUNCTIONS: Mapping[str, tuple[Function, tuple[str, ...]]] = {
    "weibull": (_weibull, ("threshold", "slope", *_ASYMPTOTES)),
    "normal": (_normal, ("mean", "sd", *_ASYMPTOTES)),
    "size": (_size, ("threshold", "slope", *_ASYMPTOTES)),
}
"""Psychometric functions by name, with their parameters."""


class QuestPlus:
    """An adaptive measurement of the parameters of a psychometric function.

    Present the stimulus that `next` returns, and pass its outcome to `answer`.

    Parameters
    ----------
    stimuli : array (S,)
        Stimuli that may be presented.
    parameters : mapping of str to sequence of float
        Grid of every parameter of the function; one value fixes it.
    function : str or callable
        "weibull" (stimulus and threshold in decibels: 1 - exp(-10^(slope (x - threshold) / 20))),
        "normal" (`mean`, `sd`), "size" (logistic, falls with size: `psychophysics.accuracy_at`);
        all with `lower_asymptote` and `lapse_rate`, 0 if not given. Or a function of
        the stimulus and keyword parameters that gives the probability of the first outcome, or, in
        its first axis, of every outcome.
    outcomes : sequence
        Possible answers. If there are two, the function gives the probability of the first.
    prior : mapping of str to sequence of float, array, or None
        Weights of the grids of some parameters, or of the whole grid; flat by default.
    nuisance : sequence of str
        Parameters that are integrated out before the entropy is taken (psi-marginal).
    stop : StopRule or None
        Rule about the first free parameter that is not in `nuisance`. `next` returns None once it
        holds.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import QuestPlus
    >>> quest = QuestPlus(range(1, 13), {"threshold": range(1, 13), "slope": [1.5]}, "size")
    >>> quest.next()
    6.0
    >>> quest.answer(6.0, 1)
    >>> quest.next(), round(quest.theta["threshold"], 2)
    (9.0, 9.13)
    """

    def __init__(
        self, stimuli: ArrayLike, parameters: Mapping[str, Sequence[float] | Floats],
        function: str | Function = "weibull", outcomes: Sequence[Hashable] = (1, 0),
        prior: Mapping[str, Sequence[float]] | ArrayLike | None = None, *,
        nuisance: Sequence[str] = (), stop: StopRule | None = None,
    ) -> None:  # fmt: skip
        self.stimuli = np.asarray(list(np.atleast_1d(np.asarray(stimuli, float))), float)
        self.outcomes = list(outcomes)
        self._grid = {name: np.atleast_1d(np.asarray(v, float)) for name, v in parameters.items()}
        self._check(nuisance)
        self._likelihood = _likelihoods(function, self.stimuli, self._grid, len(self.outcomes))
        shape = tuple(len(v) for v in self._grid.values())
        self.posterior = _prior(prior, self._grid).reshape(shape)
        self._nuisance = tuple(k for k, name in enumerate(self._grid) if name in nuisance)
        free = [n for n, v in self._grid.items() if len(v) > 1 and n not in nuisance]
        self._first = (free or list(self._grid))[0]
        self._stop, self._errors = stop, list[float]()
        self.administered: list[float] = []
        self._pending: int | None = None
        self.expected_entropy = float("nan")

    def _check(self, nuisance: Sequence[str]) -> None:
        if self.stimuli.ndim != 1 or not len(self.stimuli) or not np.isfinite(self.stimuli).all():
            raise ParameterError("stimuli must be one or more finite numbers")
        if len(self.outcomes) < 2 or len(set(self.outcomes)) < len(self.outcomes):
            raise ParameterError("outcomes must be two or more that differ")
        for name, values in self._grid.items():
            if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
                raise ParameterError(f"the grid of {name!r} must be one or more finite numbers")
        for name in nuisance:
            if name not in self._grid:
                raise UnknownNameError("parameter", name, self._grid)
        if len(set(nuisance)) >= len(self._grid):
            raise ParameterError("at least one parameter must not be a nuisance parameter")

    @property
    def theta(self) -> dict[str, float]:
        """Posterior mean of every parameter."""
        return {name: float(self.marginal(name) @ v) for name, v in self._grid.items()}

    @property
    def se(self) -> dict[str, float]:
        """Posterior standard deviation of every parameter."""
        center = self.theta
        return {
            name: float(np.sqrt(self.marginal(name) @ (values - center[name]) ** 2))
            for name, values in self._grid.items()
        }

    @property
    def entropy(self) -> float:
        """Return the entropy of the posterior in nats, with nuisance parameters integrated out."""
        return float(special.entr(self.posterior.sum(axis=self._nuisance)).sum())

    def marginal(self, name: str) -> Floats:
        """Return posterior of one parameter on its grid.

        Parameters
        ----------
        name : str

        Returns
        -------
        array
            Probability of each value on the parameter's grid.
        """
        if name not in self._grid:
            raise UnknownNameError("parameter", name, self._grid)
        axis = list(self._grid).index(name)
        others = tuple(k for k in range(self.posterior.ndim) if k != axis)
        return self.posterior.sum(axis=others)

    @property
    def finished(self) -> str | None:
        """Reason of `StopRule` why the measurement has ended, or None."""
        if self._stop is None:
            return None
        name = self._first
        state = Progress(
            self.theta[name], self.se[name], len(self.administered), errors=self._errors
        )
        return self._stop.reason(state)

    def next(self) -> float | None:
        """Return the stimulus to present now, the same until it is answered; None at the end.

        Returns
        -------
        float or None
            Stimulus with the least expected entropy; among equal ones the first.
        """
        if self.finished is not None:
            return None
        if self._pending is None:
            expected = self.expected_entropies()
            self._pending = int(best_first(-expected)[0])
            self.expected_entropy = float(expected[self._pending])
        return float(self.stimuli[self._pending])

    def expected_entropies(self) -> Floats:
        """Return expected posterior entropy after every stimulus, nats, (S,)."""
        entropies = np.zeros(len(self.stimuli))
        axes = tuple(axis + 1 for axis in self._nuisance)
        for likelihood in self._likelihood:
            joint = likelihood * self.posterior
            joint = (joint.sum(axis=axes) if axes else joint).reshape(len(entropies), -1)
            # E[H] = sum over outcomes of (sum of entr(joint) - entr(P(outcome))).
            entropies += special.entr(joint).sum(axis=1) - special.entr(joint.sum(axis=1))
        return entropies

    def answer(self, stimulus: float, outcome: Hashable) -> None:
        """Update the posterior with an outcome.

        Parameters
        ----------
        stimulus : float
            One of the stimuli.
        outcome : object
            One of the outcomes.
        """
        rows = np.flatnonzero(np.isclose(self.stimuli, stimulus, rtol=0, atol=1e-9))
        if not len(rows):
            raise ParameterError(f"{stimulus!r} is none of the stimuli")
        if outcome not in self.outcomes:
            raise ParameterError(
                f"the outcome must be one of {', '.join(map(repr, self.outcomes))}, got {outcome!r}"
            )
        joint = self._likelihood[self.outcomes.index(outcome)][rows[0]] * self.posterior
        total = joint.sum()
        if not total > 0:
            raise ParameterError(
                f"outcome {outcome!r} of stimulus {stimulus!r} is impossible for every parameter "
                "of the grid; give a lapse rate or a lower asymptote above 0"
            )
        self.posterior = joint / total
        self.administered.append(float(self.stimuli[rows[0]]))
        self._errors.append(self.se[self._first])
        self._pending = None


def _likelihoods(
    function: str | Function, stimuli: Floats, grid: Mapping[str, Floats], outcomes: int
) -> Floats:
    """Probability of every outcome of every stimulus on the grid, (O, S, ...)."""
    if callable(function):
        curve = function
    else:
        if function not in FUNCTIONS:
            raise UnknownNameError("psychometric function", function, FUNCTIONS)
        curve, parameters = FUNCTIONS[function]
        odd = next((name for name in grid if name not in parameters), None)
        if odd is not None:
            raise UnknownNameError(f"parameter of {function!r}", odd, parameters)
        missing = [name for name in parameters[:2] if name not in grid]
        if missing:
            raise ParameterError(f"the function {function!r} needs a grid of {missing[0]!r}")
    mesh = np.meshgrid(*grid.values(), indexing="ij")
    x = stimuli.reshape(-1, *(1 for _ in grid))
    p = np.asarray(curve(x, **dict(zip(grid, mesh, strict=True))), float)
    shape = (len(stimuli), *(len(v) for v in grid.values()))
    likelihoods = np.stack([p, 1 - p]) if p.shape == shape and outcomes == 2 else p
    if likelihoods.shape != (outcomes, *shape):
        raise ParameterError(
            f"the function must give an array of shape {shape} for two outcomes, or "
            f"{(outcomes, *shape)}; got {p.shape}"
        )
    if not ((likelihoods >= 0).all() and np.allclose(likelihoods.sum(axis=0), 1)):
        raise ParameterError("the function must give probabilities of outcomes that sum to 1")
    return likelihoods


def _prior(
    prior: Mapping[str, Sequence[float]] | ArrayLike | None, grid: Mapping[str, Floats]
) -> Floats:
    shape = tuple(len(v) for v in grid.values())
    if prior is None:
        weights = np.ones(shape)
    elif isinstance(prior, Mapping):
        odd = next((name for name in prior if name not in grid), None)
        if odd is not None:
            raise UnknownNameError("parameter", str(odd), grid)
        weights = np.ones(shape)
        for axis, (name, values) in enumerate(grid.items()):
            each = np.asarray(prior.get(name, np.ones(len(values))), float)
            if each.shape != values.shape:
                raise ParameterError(f"the prior of {name!r} needs {len(values)} weights")
            weights *= each.reshape([-1 if k == axis else 1 for k in range(len(shape))])
    else:
        weights = np.asarray(prior, float)
        if weights.shape != shape:
            raise ParameterError(f"the prior must have the shape {shape}, got {weights.shape}")
    if not ((weights >= 0).all() and np.isfinite(weights).all() and weights.sum() > 0):
        raise ParameterError("weights of a prior must not be negative, and not all 0")
    return weights / weights.sum()

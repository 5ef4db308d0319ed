"""An adaptive test over a stored calibrated bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.adaptive.exposure import ExposureControl, SympsonHetter
from gfactor.psychometrics.irt.adaptive.ranking import best_first
from gfactor.psychometrics.irt.adaptive.scales import (
    OneAbility,
    SeveralAbilities,
    checked_estimator,
    four_parameters,
)
from gfactor.psychometrics.irt.adaptive.selection import Criterion, below_target
from gfactor.psychometrics.irt.adaptive.stopping import Progress, StopRule
from gfactor.psychometrics.irt.likelihood.curves import Floats


class Cat:
    """A computerized adaptive test of one examinee.

    Ask the item that `next` returns and pass its score to `answer`, until `next` returns None.

    Parameters
    ----------
    items : DataFrame (J, ...)
        The bank: item names in the index; columns `a`, `b`, and `c`, `d` where the asymptotes are
        not 0 and 1. Items of several abilities have their slopes in `a1`, `a2`, ... and
        `intercept` instead of `b`.
    criterion : str
        "mfi", Fisher information at the estimate; "kl", Kullback-Leibler information under the
        posterior; "mepv", minimum expected posterior variance; "entropy", minimum expected
        posterior entropy; "d", the D-rule for several abilities, with one the same as "mfi".
    estimator : str
        "eap", "map", "wle" (Warm) or "ml"; for several abilities "eap" or "map". While "ml" is
        infinite, items are chosen at the posterior mean.
    prior : (float, float) or (array (F,), array (F, F))
        Mean and variance of ability, or means and covariance of several abilities.
    nodes : array (Q,) or None
        Grid of the posterior; 241 nodes, six standard deviations to each side, by default.
    content : str or None
        Column of `items` with the content category of each item.
    targets : mapping of content to float, or None
        Share of the test that each content is to have.
    exposure : Randomesque, Progressive, SympsonHetter or None
        Rule for how often items of the bank may be seen (`adaptive.exposure`); by default the best
        item is always asked.
    stop : StopRule or None
        Rule that ends the test; by default it ends when the bank is used up. With several abilities
        the largest standard error counts.
    seed : int
        Seed of the choices that `exposure` makes.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.irt import Cat
    >>> bank = pd.DataFrame({"a": [1.0, 1.5, 1.2], "b": [-1.0, 0.1, 1.0]}, index=["x", "y", "z"])
    >>> cat = Cat(bank)
    >>> cat.next()
    'y'
    >>> cat.answer("y", 1)
    >>> (cat.next(), round(cat.theta, 1), round(cat.se, 2))
    ('z', 0.6, 0.85)
    """

    def __init__(
        self, items: pd.DataFrame, criterion: str = "mfi", estimator: str = "eap",
        prior: tuple[Any, Any] = (0, 1), nodes: Floats | None = None, *,
        content: str | None = None, targets: Mapping[str, float] | None = None,
        exposure: ExposureControl | None = None, stop: StopRule | None = None, seed: int = 0,
    ) -> None:  # fmt: skip
        values, several = four_parameters(items)
        kind: Any = SeveralAbilities if several > 1 else OneAbility
        self._scale = kind(values, prior, nodes, checked_estimator(estimator))
        if several > 1 and stop is not None and stop.cut is not None:
            raise ParameterError(
                "a cut score works for one ability only, but the items measure several"
            )
        if criterion not in self._scale.criteria:
            raise UnknownNameError("criterion", criterion, self._scale.criteria)
        self._criterion: Criterion = cast("Criterion", criterion)
        self._names = [str(name) for name in items.index]
        self._row = {name: k for k, name in enumerate(self._names)}
        self._content = _content_of(items, content, targets)
        self._targets, self._stop = dict(targets or {}), stop
        self._rows: list[int] = []
        self._scores: list[int] = []
        self._errors: list[float] = []
        self._pending: int | None = None
        self._exposure, self._rng = exposure, np.random.default_rng(seed)
        self._passed: list[int] = []
        self._theta, self._se = self._scale.estimate([], [])

    @property
    def theta(self) -> Any:
        """Estimate of ability, a float; an array if there are several abilities."""
        return self._theta

    @property
    def se(self) -> Any:
        """Standard error of the estimate, a float; an array if there are several abilities."""
        return self._se

    @property
    def administered(self) -> list[str]:
        """Items that were answered, in order."""
        return [self._names[k] for k in self._rows]

    @property
    def scores(self) -> list[int]:
        """Their scores."""
        return list(self._scores)

    @property
    def finished(self) -> str | None:
        """Reason why the test has ended: one that `StopRule.reason` returns, or "bank" if no item
        is left; None if it goes on."""
        if len({*self._rows, *self._passed}) == len(self._names):
            return "bank"
        if self._stop is None:
            return None
        theta, se = float(np.max(self._theta)), float(np.max(self._se))
        state = Progress(theta, se, len(self._rows), errors=self._errors)
        return self._stop.reason(state)

    def next(self) -> str | None:
        """Return the item to ask now, the same until it is answered; None when the test is over.

        Returns
        -------
        str or None
            Name of the item; None when the test is over.
        """
        if self.finished is not None:
            return None
        if self._pending is None:
            self._pending = self._chosen()
        return self._names[self._pending]

    def answer(self, item: str, score: int) -> None:
        """Score an item.

        Parameters
        ----------
        item : str
            Item that `next` returned; any other item of the bank without an answer is allowed too.
        score : int
            0 or 1.
        """
        row = self._row.get(str(item))
        if row is None:
            raise UnknownNameError("item", str(item), self._names)
        if row in self._rows:
            raise ParameterError(f"item {item!r} has been answered already")
        if score not in (0, 1):
            raise ParameterError(f"the score of item {item!r} must be 0 or 1, got {score!r}")
        self._rows.append(row)
        self._scores.append(int(score))
        self._scale.answer(row, int(score))
        self._theta, self._se = self._scale.estimate(self._rows, self._scores)
        self._errors.append(float(np.max(self._se)))
        self._pending = None

    def simulate(self, theta: Any, rng: np.random.Generator) -> None:
        """Let a simulated examinee take the test to its end.

        Parameters
        ----------
        theta : float or array (F,)
            True ability.
        rng : Generator
            Draws the answers.
        """
        at = np.atleast_1d(np.asarray(theta, float))
        while (item := self.next()) is not None:
            chance = self._scale.chance(self._row[item], at)
            self.answer(item, int(rng.uniform() < chance))

    def _chosen(self) -> int:
        gain = self._scale.gains(self._criterion, self._theta)
        gain[[*self._rows, *self._passed]] = -np.inf
        if self._content is not None:
            left = np.isfinite(gain)
            counts = {
                name: int((self._content[self._rows] == name).sum()) for name in self._targets
            }
            open_ = below_target(sorted(set(self._content[left])), counts, self._targets)
            gain[~np.isin(self._content, sorted(open_))] = -np.inf
        if self._exposure is None:
            return int(best_first(gain)[0])
        chosen, passed = self._exposure.pick(gain, len(self._rows), self._names, self._rng)
        self._passed += passed
        return chosen


def _content_of(
    items: pd.DataFrame, content: str | None, targets: Mapping[str, float] | None
) -> np.ndarray | None:
    if (content is None) != (targets is None):
        raise ParameterError(
            "content balancing needs both options: content (the name of a column) and targets"
        )
    if content is None or targets is None:
        return None
    if content not in items:
        raise ParameterError(f"the bank has no column {content!r}")
    column = items[content].astype(str).to_numpy()
    unknown = sorted(set(targets) - set(column))
    if unknown:
        raise ParameterError(f"no item of the bank has the content {unknown[0]!r}")
    if not all(share >= 0 for share in targets.values()) or not sum(targets.values()) > 0:
        raise ParameterError("targets must be shares of 0 or more, and not all 0")
    return column


def sympson_hetter(
    items: pd.DataFrame, max_rate: float, length: int, *, examinees: int = 500,
    iterations: int = 10, prior: tuple[float, float] = (0, 1), seed: int = 0, **options: Any,
) -> SympsonHetter:  # fmt: skip
    """Find the exposure parameters under which no item is asked too often.

    Parameters
    ----------
    items : DataFrame
        The bank, as `Cat` takes it.
    max_rate : float
        Largest share of examinees who may see an item.
    length : int
        Number of items of the test.
    examinees : int
        Number of examinees simulated in each iteration, with abilities from the prior.
    iterations : int
        Number of rounds of simulation and adjustment.
    prior : (float, float)
        Mean and variance of ability.
    seed : int
        Seed of the simulation.
    **options : any
        Options of `Cat`: criterion, estimator, content, targets.

    Returns
    -------
    SympsonHetter
        `rates` are those of the last simulation.

    Raises
    ------
    ParameterError
        If the bank is too small for the rate.

    References
    ----------
    Sympson, J. B., Hetter, R. D. (1985), in `adaptive.exposure`.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from gfactor.psychometrics.irt.adaptive import sympson_hetter
    >>> b = np.linspace(-2, 2, 20)
    >>> bank = pd.DataFrame({"a": 1.0, "b": b}, index=[f"i{k}" for k in range(20)])
    >>> control = sympson_hetter(bank, 0.5, 4, examinees=60, iterations=3)
    >>> bool(control.parameters.min() < 1)
    True
    """
    if not 0 < max_rate <= 1:
        raise ParameterError(f"max_rate must lie between 0 and 1, not {max_rate}")
    if length > max_rate * len(items):
        raise ParameterError(
            f"a test of {length} of {len(items)} items has a mean exposure rate of "
            f"{length / len(items):.2f}, so no rule can keep every item below {max_rate:g}; use a "
            "larger bank or a higher rate"
        )
    names = [str(name) for name in items.index]
    control = SympsonHetter(pd.Series(1.0, names), pd.Series(0.0, names), max_rate)
    for step in range(iterations):
        administered, best = np.zeros(len(names)), np.zeros(len(names))
        for person in range(examinees):
            rng = np.random.default_rng([seed, step, person])
            cat = Cat(items, prior=prior, exposure=control, seed=int(rng.integers(2**32)),
                      stop=StopRule(max_items=length), **options)  # fmt: skip
            cat.simulate(float(rng.normal(prior[0], np.sqrt(prior[1]))), rng)
            administered[cat._rows] += 1 / examinees
            best[[*cat._rows, *cat._passed]] += 1 / examinees
        control = SympsonHetter(control.parameters, pd.Series(administered, names), max_rate)
        if step == iterations - 1:
            break
        chance = np.where(best > max_rate, max_rate / np.maximum(best, 1e-12), 1.0)
        # At least `length` items must never be refused; otherwise a test could run out of items.
        chance[np.argsort(-chance, kind="stable")[:length]] = 1.0
        control = SympsonHetter(pd.Series(chance, names), control.rates, max_rate)
    return control

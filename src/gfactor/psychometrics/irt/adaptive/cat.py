"""An adaptive test over a stored calibrated bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.adaptive.scales import (
    OneAbility,
    checked_estimator,
    four_parameters,
)
from gfactor.psychometrics.irt.adaptive.selection import Criterion, below_target
from gfactor.psychometrics.irt.adaptive.stopping import Progress, StopRule
from gfactor.psychometrics.irt.curves import Floats


class Cat:
    """A computerized adaptive test of one examinee.

    Ask what `next` names, hand the score to `answer`, until `next` gives None.

    Parameters
    ----------
    items : DataFrame (J, ...)
        The bank: item names in the index; columns `a`, `b`, and `c`, `d` where the asymptotes are
        not 0 and 1.
    criterion : str
        "mfi", Fisher information at the estimate; "kl", Kullback-Leibler information under the
        posterior; "mepv", minimum expected posterior variance; "entropy", minimum expected
        posterior entropy; "d", the D-rule, with one ability the same as "mfi".
    estimator : str
        "eap", "map", "wle" (Warm) or "ml".
    prior : (float, float)
        Mean and variance of ability.
    nodes : array (Q,) or None
        Grid of the posterior; 241 nodes, six standard deviations to each side, by default.
    content : str or None
        Column of `items` that names the content of each.
    targets : mapping of content to float, or None
        Share of the test that each content is to have.
    stop : StopRule or None
        When `next` gives None; when the bank is used up by default.

    Examples
    --------
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
        prior: tuple[float, float] = (0, 1), nodes: Floats | None = None, *,
        content: str | None = None, targets: Mapping[str, float] | None = None,
        stop: StopRule | None = None,
    ) -> None:  # fmt: skip
        values, _ = four_parameters(items)
        self._scale = OneAbility(values, prior, nodes, checked_estimator(estimator))
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
        self._theta, self._se = self._scale.estimate([], [])

    @property
    def theta(self) -> float:
        """The estimate of ability."""
        return self._theta

    @property
    def se(self) -> float:
        """Its standard error."""
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
        """Why the test is over: a reason of `StopRule`, "bank" where no item is left, or None."""
        if len(self._rows) == len(self._names):
            return "bank"
        if self._stop is None:
            return None
        state = Progress(self._theta, self._se, len(self._rows), errors=self._errors)
        return self._stop.reason(state)

    def next(self) -> str | None:
        """The item to ask now, the same until it is answered; None when the test is over.

        Returns
        -------
        str or None
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
            What `next` gave; any other item of the bank that has not been answered may be scored,
            too.
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
        self._errors.append(self._se)
        self._pending = None

    def _chosen(self) -> int:
        gain = self._scale.gains(self._criterion, self._theta)
        gain[self._rows] = -np.inf
        if self._content is not None:
            left = np.isfinite(gain)
            counts = {
                name: int((self._content[self._rows] == name).sum()) for name in self._targets
            }
            open_ = below_target(sorted(set(self._content[left])), counts, self._targets)
            gain[~np.isin(self._content, sorted(open_))] = -np.inf
        return int(np.argmax(gain))


def _content_of(
    items: pd.DataFrame, content: str | None, targets: Mapping[str, float] | None
) -> np.ndarray | None:
    if (content is None) != (targets is None):
        raise ParameterError("content balance needs both content, a column, and targets")
    if content is None or targets is None:
        return None
    if content not in items:
        raise ParameterError(f"the bank has no column {content!r}")
    column = items[content].astype(str).to_numpy()
    unknown = sorted(set(targets) - set(column))
    if unknown:
        raise ParameterError(f"no item of the bank has the content {unknown[0]!r}")
    if not all(share >= 0 for share in targets.values()) or not sum(targets.values()) > 0:
        raise ParameterError("targets of content are shares that are not negative, not all 0")
    return column

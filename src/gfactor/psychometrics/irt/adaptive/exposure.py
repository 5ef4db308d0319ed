"""Exposure control of stored banks: how often an item may be seen.

References
----------
Kingsbury, G. G., Zara, A. R. (1989). Procedures for selecting items for computerized adaptive
    tests. Applied Measurement in Education 2, 359-375. The randomesque method.
Revuelta, J., Ponsoda, V. (1998). A comparison of item exposure control methods in computerized
    adaptive testing. Journal of Educational Measurement 35, 311-327. The progressive method.
Sympson, J. B., Hetter, R. D. (1985). Controlling item-exposure rates in computerized adaptive
    testing. Proceedings of the 27th annual meeting of the Military Testing Association, 973-977.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive.ranking import best_first
from gfactor.psychometrics.irt.likelihood.curves import Floats


class ExposureControl(Protocol):
    """Rule that picks one of the available items."""

    def pick(
        self, gain: Floats, asked: int, names: Sequence[str], rng: np.random.Generator
    ) -> tuple[int, list[int]]:
        """Return the row of the item to ask, and the rows of items that were considered and will
        not be asked of this examinee.

        `gain` is -inf for items that may not be asked; `asked` is the number of answered items.
        """
        ...


@dataclass(frozen=True)
class Randomesque:
    """Random choice of one of the best items, with equal probabilities.

    Parameters
    ----------
    size : int
        Number of best items to draw from.
    """

    size: int = 5

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ParameterError(
                f"the size of a randomesque choice must be 1 or more, got {self.size}"
            )

    def pick(
        self, gain: Floats, asked: int, names: Sequence[str], rng: np.random.Generator
    ) -> tuple[int, list[int]]:
        return int(rng.choice(best_first(gain)[: self.size])), []


@dataclass(frozen=True)
class Progressive:
    """Random choice at the beginning that changes to choice by information at the end.

    The weight of information grows linearly with the number of answers, from 0 to 1; the remaining
    weight is on a uniform random number between 0 and the largest information.

    Parameters
    ----------
    length : int
        Number of items of the test.
    """

    length: int

    def __post_init__(self) -> None:
        if self.length < 2:
            raise ParameterError(f"a progressive test must have 2 items or more, got {self.length}")

    def pick(
        self, gain: Floats, asked: int, names: Sequence[str], rng: np.random.Generator
    ) -> tuple[int, list[int]]:
        share = min(1.0, asked / (self.length - 1))
        luck = rng.uniform(size=len(gain)) * gain.max()
        return int(best_first((1 - share) * luck + share * gain)[0]), []


@dataclass(frozen=True, eq=False)
class SympsonHetter:
    """Sympson and Hetter's control: the best item is asked with its own probability, and otherwise
    left out of this test.

    Parameters
    ----------
    parameters : Series
        The probability of every item; `sympson_hetter` finds them.
    rates : Series
        Share of simulated examinees who were asked each item under these probabilities.
    max_rate : float
        Exposure rate that no item was to exceed.
    """

    parameters: pd.Series
    rates: pd.Series = field(default_factory=lambda: pd.Series(dtype=float))
    max_rate: float = 1.0

    def pick(
        self, gain: Floats, asked: int, names: Sequence[str], rng: np.random.Generator
    ) -> tuple[int, list[int]]:
        chance = self.parameters.reindex(list(names)).fillna(1.0).to_numpy(float)
        order = best_first(gain).tolist()
        for passed, k in enumerate(order):
            if rng.uniform() < chance[k]:
                return k, order[:passed]
        # Every item was refused: the best one is asked, so that the test goes on.
        return order[0], []

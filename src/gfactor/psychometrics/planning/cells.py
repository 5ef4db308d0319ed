"""Precision of the mean difficulty of a design cell, by persons, answers and clones.

In the marginal Rasch model with N persons of ability variance v and K items of a cell with clone
variance t, the error variance of the cell's mean difficulty is (v D + u) / N + 1 / (N K I) + t / K:
D is the design effect of persons in clusters (Kish 1965), u the variance of the testlet effect
(differences between persons in this cell beyond ability), and I the expected information of one
answer.

References
----------
Kish, L. (1965). Survey Sampling. Wiley, section 5.4.
Glas, C. A. W., van der Linden, W. J. (2003). Computerized adaptive testing with item cloning.
    Applied Psychological Measurement 27, 247-261.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class ClusteredPersons:
    """Persons in clusters.

    Parameters
    ----------
    families : tuple of int
        Number of persons of each cluster.
    icc : float
        Share of the variance of ability between clusters.
    """

    families: tuple[int, ...]
    icc: float = 0.0

    @property
    def count(self) -> int:
        """Number of persons."""
        return sum(self.families)

    @property
    def effective(self) -> float:
        """Effective number of persons: the number of independent persons whose mean ability is as
        precise.

        Examples
        --------
        >>> ClusteredPersons((5, 5), icc=1.0).effective, ClusteredPersons((5, 5)).effective
        (2.0, 10.0)
        """
        squares = sum(size**2 for size in self.families)
        return self.count / (1 + self.icc * (squares / self.count - 1))


@dataclass(frozen=True)
class CellPrior:
    """Assumptions about a cell.

    Parameters
    ----------
    b : float
        Mean difficulty, in logits.
    clone_sd : float
        Standard deviation of the difficulty of clones, in logits.
    information : float
        Expected information of one answer over the population, per squared logit.
    variance : float
        Variance of ability, in squared logits.
    testlet_variance : float
        Variance of the testlet effect over persons, in squared logits.
    """

    b: float
    clone_sd: float
    information: float
    variance: float
    testlet_variance: float = 0.0

    def models_needed(self, se: float, persons: ClusteredPersons) -> int | None:
        """Return the number of persons, in clusters of the same mean size, with which `se` can be
        reached; None if the cell gives no information."""
        squares = sum(size**2 for size in persons.families)
        effect = 1 + persons.icc * (squares / persons.count - 1)
        spread = effect + self.testlet_variance / self.variance
        return math.floor(spread / se**2) + 1 if self.information > 0 else None


def planned_se(cell: CellPrior, persons: ClusteredPersons, items: int | None) -> float:
    """Return the expected standard error of a cell's mean difficulty.

    Parameters
    ----------
    cell : CellPrior
        The cell.
    persons : ClusteredPersons
        Number of persons who answer every item.
    items : int or None
        Number of items of the cell; None for infinitely many.

    Returns
    -------
    float
        Standard error, in standard deviations of ability.

    Examples
    --------
    >>> cell = CellPrior(b=0.0, clone_sd=0.5, information=0.2, variance=1.0)
    >>> [round(planned_se(cell, ClusteredPersons((1,) * 100), items), 3) for items in (1, 10, None)]
    [0.557, 0.2, 0.1]
    """
    variance = cell.variance / persons.effective + cell.testlet_variance / persons.count
    if items is not None:
        if cell.information <= 0:
            return math.inf
        variance += (1 / (persons.count * cell.information) + cell.clone_sd**2) / items
    return math.sqrt(variance / cell.variance)


def items_needed(cell: CellPrior, persons: ClusteredPersons, se: float) -> int | None:
    """Return the smallest number of items with which a cell's standard error is `se` or less.

    Parameters
    ----------
    cell : CellPrior
        The cell.
    persons : ClusteredPersons
        Number of persons who answer every item.
    se : float
        Wanted standard error, in standard deviations of ability.

    Returns
    -------
    int or None
        None if no number is enough.

    Examples
    --------
    >>> cell = CellPrior(b=0.0, clone_sd=0.5, information=0.2, variance=1.0)
    >>> persons = ClusteredPersons((1,) * 100)
    >>> items_needed(cell, persons, 0.2), items_needed(cell, persons, 0.1)
    (10, None)
    """
    left = se**2 - planned_se(cell, persons, None) ** 2
    if left <= 1e-12 or cell.information <= 0:
        return None
    each = 1 / (persons.count * cell.information) + cell.clone_sd**2
    return max(1, math.ceil(each / (cell.variance * left) - 1e-9))

"""Sample sizes for intervals of a wanted width.

References
----------
Feldt, L. S. (1965). The approximate sampling distribution of Kuder-Richardson reliability
    coefficient twenty. Psychometrika 30, 357-370.
"""

from __future__ import annotations

from gfactor.psychometrics.classical.consistency import feldt_interval
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.inference.power import smallest_n


def alpha_n(alpha: float, k: int, *, width: float, level: float = 0.95) -> int:
    """Return the number of persons for which Feldt's interval of coefficient alpha has at most a
    given width.

    Parameters
    ----------
    alpha : float
        Expected coefficient.
    k : int
        Number of items.
    width : float
        Width of the interval.
    level : float
        Confidence level of the interval.

    Examples
    --------
    >>> alpha_n(0.8, 20, width=0.1)
    131
    """

    def narrow(n: int) -> bool:
        low, high = feldt_interval(alpha, n, k, level)
        return high - low <= width

    return smallest_n(narrow, 3, f"an interval of width {width} of alpha {alpha}")


def proportion_n(p: float, *, half_width: float, level: float = 0.95) -> int:
    """Return the number of independent items for which Wilson's interval of a proportion has a
    given half width.

    Parameters
    ----------
    p : float
        Expected proportion.
    half_width : float
        Half the width of the interval.
    level : float
        Confidence level of the interval.

    Examples
    --------
    >>> proportion_n(0.7, half_width=0.1)
    78
    """

    def narrow(n: int) -> bool:
        low, high = wilson(p * n, n, level)
        return float(high - low) / 2 <= half_width

    return smallest_n(narrow, 1, f"a half width of {half_width}")

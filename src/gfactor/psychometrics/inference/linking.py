"""Groups of runs that common items link, so that one order can hold for all of a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

Floats = NDArray[np.float64]


def linked_groups(scores: ArrayLike) -> list[NDArray[np.intp]]:
    """Return the groups of runs that common items link, the one to rank first.

    Two runs are linked if both answered an item, or if a chain of such pairs leads from one to the
    other. Nothing orders runs of different groups.

    Parameters
    ----------
    scores : array
        Items x runs; NaN is a missing answer.

    Returns
    -------
    list of array
        Positions of the runs of each group. Larger groups come first, then those with more
        answers, then those with the first run.

    Examples
    --------
    >>> nan = float("nan")
    >>> [group.tolist() for group in linked_groups([[1, nan, 0], [nan, 1, nan]])]
    [[0, 2], [1]]
    """
    answered = (~np.isnan(np.asarray(scores, float))).astype(float)
    if not answered.shape[1]:
        return []
    labels = connected_components(answered.T @ answered > 0, directed=False)[1]
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return sorted(groups, key=lambda g: (-len(g), -answered[:, g].sum(), g[0]))


def linked(scores: ArrayLike) -> NDArray[np.intp]:
    """Return the positions of the runs that can be ranked together: the first of `linked_groups`,
    or nobody if no two runs answered the same item.

    Parameters
    ----------
    scores : array
        Items x runs; NaN is a missing answer.

    Examples
    --------
    >>> linked([[1, float("nan")], [float("nan"), 1]]).tolist()
    []
    """
    groups = linked_groups(scores)
    return groups[0] if groups and len(groups[0]) > 1 else np.array([], np.intp)

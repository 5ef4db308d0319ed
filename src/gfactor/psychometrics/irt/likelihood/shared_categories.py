"""Merging of categories that do not occur in all groups, and so lack thresholds in some of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.data import read_responses


def with_shared_categories(
    data: pd.DataFrame, groups: Sequence[str]
) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Merge categories that do not occur in a group with a neighboring category that occurs in all
    groups.

    Parameters
    ----------
    data : DataFrame (P, J)
        Scores.
    groups : sequence of str
        Group of every person.

    Returns
    -------
    DataFrame
        The scores. A category goes to the next lower one that all groups show, or to the lowest of
        these. Items of which the groups share fewer than two categories are left as they are.
    list of Diagnostic
        A note that names the items that were changed.

    Examples
    --------
    >>> data = pd.DataFrame({"i1": [0, 1, 2, 0, 2, 2], "i2": [0, 1, 1, 0, 1, 0]})
    >>> joined, notes = with_shared_categories(data, ["u", "u", "u", "v", "v", "v"])
    >>> joined["i1"].tolist(), notes[0].where
    ([0.0, 0.0, 2.0, 0.0, 2.0, 2.0], ('i1',))
    """
    table, _ = read_responses(data)
    names, codes = np.unique(groups, return_inverse=True)
    changed: dict[str, NDArray[np.float64]] = {}
    for j, (item, scores) in enumerate(zip(table.items, table.scores, strict=True)):
        categories = [set(table.codes[codes == g, j].tolist()) for g in range(len(names))]
        shared = np.array(sorted(set.intersection(*categories) - {-1}), int)
        if 2 <= len(shared) < len(scores):
            lower = np.searchsorted(shared, np.arange(len(scores)), side="right") - 1
            targets = [scores[k] for k in shared[np.maximum(lower, 0)]]
            changed[item] = np.array([*targets, np.nan])[table.codes[:, j]]  # -1: not answered.
    if not changed:
        return data, []
    note = Diagnostic(
        "categories_joined", "note",
        "Categories that one of the groups does not show were joined with a neighbor: "
        f"{', '.join(changed)}.",
        "The tests of these items are about the categories that all groups show.",
        tuple(changed),
    )  # fmt: skip
    return pd.DataFrame(data).rename(columns=str).assign(**changed), [note]

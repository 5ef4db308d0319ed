"""Runs to be compared: a table of scores, items by runs, and the cluster of every item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.claim import Sampling

Clusters = pd.Series | Sequence[Any] | NDArray[Any]
"""The label of each item: a series by item, or a list in the items' order."""


@dataclass(frozen=True)
class CheckedRuns:
    """Checked scores.

    Parameters
    ----------
    scores: items x runs, NaN if an answer is missing.
    clusters: the cluster of every item, categories in the order of their names; None if items
        are independent.
    sampling: population that scores generalize to, and the independent units under that claim; None
    if `clusters` is used instead.
    answer_variance: variance of each score over its occasions, in the shape of the scores; for the
        claim these-items.
    """

    scores: pd.DataFrame
    clusters: pd.Categorical | None
    sampling: Sampling | None = None
    answer_variance: pd.DataFrame | None = None

    @classmethod
    def of(
        cls,
        scores: pd.DataFrame,
        clusters: Clusters | None = None,
        sampling: Sampling | None = None,
        answer_variance: pd.DataFrame | None = None,
    ) -> CheckedRuns:
        """Check a table. Raises ParameterError for repeated names, infinite scores, items without
        a cluster."""
        if clusters is not None and sampling is not None:
            raise ParameterError("clusters and sampling both say what is independent; give one")
        if sampling is not None and len(sampling.units) != len(scores):
            raise ParameterError(
                f"the sampling is of {len(sampling.units)} items, the table has {len(scores)}"
            )
        if scores.index.has_duplicates or scores.columns.has_duplicates:
            raise ParameterError("an item or a run occurs twice; average an item's occasions first")
        if np.isinf(scores.to_numpy(dtype=float)).any():
            raise ParameterError("a score is infinite; use NaN for a missing answer")
        groups = None if clusters is None else _by_item(clusters, scores)
        return cls(scores.astype(float), groups, sampling, answer_variance)

    @property
    def codes(self) -> NDArray[np.intp] | None:
        """The cluster of every item as a number."""
        return None if self.clusters is None else np.asarray(self.clusters.codes, np.intp)


def side_by_side(first: pd.Series | ArrayLike, second: pd.Series | ArrayLike) -> pd.DataFrame:
    """Return two runs as a table; series are matched by index, other data by position.

    Raises ParameterError if lists differ in length or a series has an item twice.
    """
    if isinstance(first, pd.Series) and isinstance(second, pd.Series):
        a, b = first, second
    else:
        a, b = pd.Series(np.asarray(first)), pd.Series(np.asarray(second))
        if len(a) != len(b):
            raise ParameterError(
                f"two lists of the same items have the same length, got {len(a)} and {len(b)}; "
                "give two series with the items as index to match them by name"
            )
    if a.index.has_duplicates or b.index.has_duplicates:
        raise ParameterError("an item occurs twice in a run; average its occasions first")
    named = a.name is not None and b.name is not None and a.name != b.name
    table = pd.concat([a, b], axis=1)
    return table.set_axis([str(a.name), str(b.name)] if named else ["first", "second"], axis=1)


def _by_item(clusters: Clusters, scores: pd.DataFrame) -> pd.Categorical:
    if isinstance(clusters, pd.Series):
        if clusters.index.has_duplicates:
            raise ParameterError("an item has two clusters; give every item one")
        named = clusters.reindex(scores.index)
    else:
        named = pd.Series(list(clusters), dtype=object)
    if len(named) != len(scores) or bool(named.isna().any()):
        raise ParameterError("every item needs a cluster; give a series of labels by item")
    return pd.Categorical(named.astype(str))

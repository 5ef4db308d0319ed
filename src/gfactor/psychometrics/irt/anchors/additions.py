"""Models that were added to a scale: their answers, families and updates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from gfactor.psychometrics.irt.anchors.anchor_set import Anchors


@dataclass(frozen=True, order=True)
class ScaleUpdate:
    """One update of a scale.

    Parameters
    ----------
    onto : str
        Digest of the version that was updated.
    answers : str
        Digest of the answers that came with it.
    models : tuple of str
        Models that came with it.
    laboratory, date : str
        Name of the person who added them, and date, in the user's words; "" if unknown.
    """

    onto: str
    answers: str
    models: tuple[str, ...]
    laboratory: str = ""
    date: str = ""

    def record(self) -> dict[str, Any]:
        """Return the update as its entry in the files of a scale."""
        return {**asdict(self), "models": list(self.models)}


@dataclass(frozen=True)
class Additions:
    """All models that were added to a calibrated scale.

    Parameters
    ----------
    base : Anchors
        The scale as it was calibrated.
    answers : DataFrame (models x items)
        1, 0 or NaN; models sorted by name, items in the order of the scale.
    families : Series
        Family of every added model.
    updates : tuple of ScaleUpdate
        Sorted, each once.
    contents : mapping
        Checksum of an item's content by `BENCHMARK:INDEX`, where a laboratory recorded it.
    """

    base: Anchors
    answers: pd.DataFrame
    families: pd.Series
    updates: tuple[ScaleUpdate, ...] = ()
    contents: Mapping[str, str] = field(default_factory=dict)


def base_of(anchors: Anchors) -> Anchors:
    """Return the scale as it was calibrated, before any update."""
    return anchors if anchors.additions is None else anchors.additions.base

"""Adaptive studies for tests: a calibration made up for a bank, and a Cat that replays answers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from gfactor.items import ItemBank
from gfactor.psychometrics.irt import Cat
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.studies.questionnaires import StudyFolder


def calibrated(bank: ItemBank, mean: float = 0.3, variance: float = 1.4) -> Calibration:
    """Two-parameter curves for all items of a bank, from easy to hard."""
    rng = np.random.default_rng(5)
    hashes = bank.frame()["content_hash"]
    slopes = rng.uniform(0.7, 2.0, len(bank))
    steps = -slopes * rng.normal(0, 1.5, len(bank))
    entries = tuple(
        Entry(item, "2pl", (0.0, 1.0), (float(a), float(d)), facts={"content_hash": one, "n": 300})
        for item, one, a, d in zip(bank.ids, hashes, slopes, steps, strict=True)
    )
    none = np.zeros((0, 0))
    return Calibration("item", "2pl", entries, (), none, mean, variance, {"population": "tests"})


def replayed(
    known: Calibration, answers: pd.DataFrame, only: Collection[str] | None = None, **stop: Any
) -> Cat:
    """The same answers given to a Cat over all items, or `only` some; fails where it would have
    asked something else."""
    table: Any = known.table.set_index("entry")[["a", "b"]]
    table = table if only is None else table.loc[[item for item in table.index if item in only]]
    prior = known.mean, known.variance
    cat = Cat(table, criterion="mepv", prior=prior, stop=StopRule(**stop))
    for item, right in zip(answers["item"], answers["right"], strict=True):
        assert cat.next() == item
        cat.answer(item, int(right))
    return cat


def table(folder: StudyFolder, name: str) -> pd.DataFrame:
    store = folder.store()
    frame = store.frame(name)
    store.close()
    return frame


def ready(page: Any) -> None:
    page.wait_for_selector("form:not([data-waiting])")

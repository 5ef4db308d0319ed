"""A calibrated bank as the candidates of an adaptive test."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.results import number_of

ABILITY = "ability"
"""The one ability that a calibration measures."""

_NODES = 161
"""Points of a posterior, six standard deviations of ability and testlet effect to each side."""


def prior_of(calibration: Calibration, nodes: int = _NODES) -> AbilityPosterior:
    """Return the prior of an ability on nodes for the answers to come."""
    reach = 6 * float(np.sqrt(calibration.variance + calibration.testlet_variance))
    grid = calibration.mean + np.linspace(-reach, reach, nodes)
    return AbilityPosterior(
        grid, calibration.mean, calibration.variance,
        testlet_variance=calibration.testlet_variance,
    )  # fmt: skip


def candidates_of(
    calibration: Calibration, entries: Sequence[str], prior: AbilityPosterior
) -> Candidates:
    """Return the entries of a calibration as candidates, with curves at the nodes of a prior."""
    rows = [calibration.position[name] for name in entries]
    curves = calibration.probabilities(prior.nodes)[rows]
    testlets = [calibration.testlet_of(calibration.entries[k]) for k in rows]
    return Candidates(list(entries), [ABILITY] * len(entries), curves, testlets=testlets)


def items_of_entries(bank: ItemBank, calibration: Calibration) -> dict[str, list[str]]:
    """Return the bank's items by entry, for the entries that have any.

    Raises ParameterError if there are none.
    """
    frame = bank.frame()
    items_of: dict[str, list[str]] = {}
    if calibration.by == "item":
        of_hash = {str(e.facts.get("content_hash")): e.name for e in calibration.entries}
        for item, content in zip(frame["id"], frame["content_hash"], strict=True):
            if str(content) in of_hash:
                items_of.setdefault(of_hash[str(content)], [str(item)])
    else:
        labels = bank.labels()
        order = np.argsort(frame["content_hash"].to_numpy(str), kind="stable")
        for item in frame["id"].to_numpy(str)[order]:
            entry = _entry_of(labels[str(item)], calibration)
            if entry is not None:
                items_of.setdefault(entry, []).append(str(item))
    if not items_of:
        raise none_calibrated(
            calibration, frame["id"], "of the bank", "give the calibration of this bank"
        )
    return {
        entry.name: items_of[entry.name] for entry in calibration.entries if entry.name in items_of
    }


def none_calibrated(
    calibration: Calibration, ids: Collection[str], where: str, remedy: str
) -> ParameterError:
    """Return the error that a calibration contains none of some items.

    Parameters
    ----------
    calibration: the calibration.
    ids: ids of the items.
    where: place of the items in words.
    remedy: advice if the calibration does not know the ids of these items, either.
    """
    same = {str(one) for one in ids} & {entry.name for entry in calibration.entries}
    if same:
        remedy = (
            f"it has {number_of(len(same), 'item')} of the same id with other contents, as "
            "imported answers have whose file holds no pictures. Import the answers with --bank "
            "BANK into a new journal, and calibrate that"
        )
    return ParameterError(
        f"the calibration contains none of the {len(ids)} items {where}; {remedy}"
    )


def _entry_of(labels: Mapping[str, Any], calibration: Calibration) -> str | None:
    plain = {name: plain_label(value) for name, value in labels.items()}
    for entry in calibration.entries:
        if all(plain.get(name) == value for name, value in entry.facts["labels"].items()):
            return entry.name
    return None


def plain_label(value: Any) -> Any:
    """Return a label's value for JSON; whole numbers stay whole even in columns with gaps."""
    if isinstance(value, tuple | list):
        return "+".join(map(str, value))
    if isinstance(value, np.integer) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return value

"""A calibrated bank as the candidates of an adaptive test."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.results import number_of

ABILITY = "ability"
"""The one ability that a calibration measures."""

_NODES = 161
"""Number of nodes of a posterior, six standard deviations of ability and testlet effect to each
side."""


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
    items_of = _items_by_name(bank, calibration)
    entries = {
        entry.name: items_of[entry.name] for entry in calibration.entries if entry.name in items_of
    }
    if not entries:
        raise none_calibrated(
            calibration, bank.ids, "of the bank", "give the calibration of this bank"
        )
    return entries


def items_left_out(bank: ItemBank, calibration: Calibration) -> list[Diagnostic]:
    """Return a note on the bank's items that the calibration names without a difficulty."""
    items_of = _items_by_name(bank, calibration) if calibration.left_out else {}
    items = [i for name in items_of if name not in calibration.position for i in items_of[name]]
    if not items:
        return []
    return [Diagnostic(
        "items_without_difficulty", "note",
        f"The calibration has no difficulty of {len(items)} of {len(bank.ids)} items, since all "
        "who were calibrated answered them or their cells right, or all wrong; an adaptive test "
        "does not ask them.",
        "Have abler or less able examinees answer them, and calibrate again.", tuple(items),
    )]  # fmt: skip


def _items_by_name(bank: ItemBank, calibration: Calibration) -> dict[str, list[str]]:
    """The bank's items by the name of their entry, or of the entry without a difficulty."""
    frame = bank.frame()
    facts = [(e.name, e.facts) for e in calibration.entries]
    facts += [(str(one["name"]), one) for one in calibration.left_out]
    items_of: dict[str, list[str]] = {}
    if calibration.by == "item":
        of_hash = {str(one.get("content_hash")): name for name, one in facts}
        for item, content in zip(frame["id"], frame["content_hash"], strict=True):
            if str(content) in of_hash:
                items_of.setdefault(of_hash[str(content)], [str(item)])
        return items_of
    labels = bank.labels()
    order = np.argsort(frame["content_hash"].to_numpy(str), kind="stable")
    for item in frame["id"].to_numpy(str)[order]:
        plain = {name: plain_label(value) for name, value in labels[str(item)].items()}
        for name, one in facts:
            if all(plain.get(label) == value for label, value in one["labels"].items()):
                items_of.setdefault(name, []).append(str(item))
                break
    return items_of


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


def plain_label(value: Any) -> Any:
    """Return a label's value for JSON; whole numbers stay whole even in columns with gaps."""
    if isinstance(value, tuple | list):
        return "+".join(map(str, value))
    if isinstance(value, np.integer) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return value

"""Design cells of items: their labels, names and contents, and those without a difficulty."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration.adaptive.calibrated import plain_label
from gfactor.api.scales.calibrated import cell_name
from gfactor.api.scales.irt_data import ItemResponses
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items.hashing import digest_of
from gfactor.psychometrics.irt.scales.constant_cells import LeftOut, constant_columns

CELL = ("domain", "size")
"""Labels that make a cell if nothing else is said, and items have no radicals."""
RADICAL = "radical."
"""Prefix of labels that say what makes an item hard; each family has its own."""


def cell_labels(items: pd.DataFrame) -> list[str]:
    """Return the labels that define cells by default: family and radicals, or else `CELL`.

    Raises ParameterError if the items have none of these labels.
    """
    radicals = sorted(str(name) for name in items if str(name).startswith(RADICAL))
    radicals = [name for name in radicals if bool(items[name].notna().any())]
    there = [name for name in CELL if name in items and bool(items[name].notna().any())]
    chosen = ["family", *radicals] if radicals else there
    if not chosen:
        raise ParameterError(
            f"items have no label {' or '.join(map(repr, CELL))}; name those that make a cell"
        )
    return chosen


def cells_of(items: pd.DataFrame, labels: Sequence[str] = ()) -> list[str]:
    """Return the cell of every item; `labels` make a cell, by default those of `cell_labels`."""
    chosen = list(labels) or cell_labels(items)
    return [cell_name(cell_of(row)) for row in pick(items, chosen).to_dict("records")]


def digests_of_cells(items: pd.DataFrame, cells: Sequence[str]) -> dict[str, str]:
    """Return a digest of the contents of every cell's items: the same for the same items."""
    contents: dict[str, list[str]] = {}
    for content, cell in zip(items["content_hash"], cells, strict=True):
        contents.setdefault(cell, []).append(str(content))
    return {cell: digest_of(sorted(hashes)) for cell, hashes in contents.items()}


def cell_of(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the labels of an item's cell, without radicals of other families."""
    return {
        str(name): plain_label(value) for name, value in row.items()
        if not (str(name).startswith(RADICAL) and pd.isna(value))
    }  # fmt: skip


def levels_of_cells(levels: Any, items: Sequence[str], cells: Sequence[str]) -> dict[str, float]:
    """Return the mean lower asymptote of every cell."""
    if levels is None:
        return {}
    by_item = [levels[item] if isinstance(levels, Mapping) else float(levels) for item in items]
    of_cell: dict[str, list[float]] = {}
    for cell, level in zip(cells, by_item, strict=True):
        of_cell.setdefault(cell, []).append(level)
    return {cell: float(np.mean(item_levels)) for cell, item_levels in of_cell.items()}


def checked_cell_labels(items: pd.DataFrame, labels: Sequence[str]) -> list[str]:
    """Return the labels that make a cell, by default those of `cell_labels`; raise an error if
    items lack one of them."""
    chosen = list(labels) or cell_labels(items)
    for name in chosen:
        if name not in items:
            raise UnknownNameError("label", name, items.columns)
        lacking = items.index[items[name].isna().to_numpy()]
        if len(lacking) and not name.startswith(RADICAL):
            raise ParameterError(
                f"item {lacking[0]!r} has no label {name!r}, so it is in no cell; name labels that "
                "all items have (--cells; in Python cells=), or calibrate each benchmark by itself"
            )
    return chosen


def labels_of_cells(items: pd.DataFrame, labels: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the labels of every cell by its name."""
    rows = (cell_of(row) for row in pick(items, list(labels)).to_dict("records"))
    return {cell_name(of_cell): of_cell for of_cell in rows}


def without_constant_cells(
    responses: ItemResponses, labels: Sequence[str], *, borrowing: bool
) -> tuple[ItemResponses, list[LeftOut]]:
    """Return the responses to cells with right and wrong answers, and the names of the other cells.

    A cell that borrows from others (`borrowing`) always has a difficulty.

    Raises ParameterError if no cell is left.
    """
    if borrowing:
        return responses, []
    cells = cells_of(responses.items, labels)
    constant = constant_columns(responses.scores, cells)
    if not constant:
        return responses, []
    if len(constant) == len(set(cells)):
        raise ParameterError(
            f"each of the {len(constant)} cells is answered right by everybody or by nobody, so "
            "that no difficulty can be estimated; have abler or less able examinees answer them "
            "as well"
        )
    items_of: dict[str, list[str]] = {}
    for item, cell in zip(map(str, responses.items.index), cells, strict=True):
        items_of.setdefault(cell, []).append(item)
    of_cell = labels_of_cells(responses.items, labels)
    left_out: list[LeftOut] = [
        {"name": cell, "labels": of_cell[cell], "items": len(items_of[cell]),
         "n": int(pick(responses.scores, items_of[cell]).notna().to_numpy().sum()), "score": score}
        for cell, score in sorted(constant.items())
    ]  # fmt: skip
    varying = [
        str(item) for item, cell in zip(responses.items.index, cells, strict=True)
        if cell not in constant
    ]  # fmt: skip
    return responses.of_items(varying), left_out


def constant_items(responses: ItemResponses, besides: Container[str] = ()) -> list[LeftOut]:
    """Return the items whose answers all have the same score, except those in `besides`."""
    constant = constant_columns(responses.scores, list(map(str, responses.scores.columns)))
    contents: Any = responses.items["content_hash"]
    ids: Any = responses.items["id"]
    answered: Any = responses.scores.notna().sum()
    left_out: list[LeftOut] = [
        {"name": item, "content_hash": str(contents[item]), "id": str(ids[item]),
         "n": int(answered[item]), "score": score}
        for item, score in constant.items() if item not in besides
    ]  # fmt: skip
    return left_out

"""Cells and items without a difficulty: all answers to them are right, or all are wrong.

The likelihood of such answers grows without end in the difficulty, so that a calibration has no
parameters for them. It names them in `about["left_out"]`, an object each: `name`, `n` (responses),
`score` (the score that all of them have; None if it differs between laboratories), of a cell
`labels` and `items`, of an item `id` and `content_hash`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

LeftOut = Mapping[str, Any]
"""A cell, or an item, that a calibration names without a difficulty."""

UNCERTAIN = 5.0
"""Standard error of a difficulty, in logits, from which the answers do not determine the
difficulty."""


def constant_columns(scores: pd.DataFrame, units: Sequence[str]) -> dict[str, float]:
    """Return the units whose answers all have the same score, with that score.

    Parameters
    ----------
    scores : DataFrame (P, J)
        Scores, missing where an item was not asked.
    units : sequence of str (J,)
        The cell of every column, or the item itself.

    Returns
    -------
    dict of str to float
        The score by unit, in the order of `units`.

    Examples
    --------
    >>> scores = pd.DataFrame({"i": [1, 1], "j": [1, None], "k": [0, 1]})
    >>> constant_columns(scores, ["easy", "easy", "other"])
    {'easy': 1.0}
    """
    limits: dict[str, tuple[float, float]] = {}
    for unit, every in zip(units, scores.to_numpy(float).T, strict=True):
        column = every[~np.isnan(every)]
        if column.size:
            low, high = limits.get(unit, (np.inf, -np.inf))
            limits[unit] = min(low, float(column.min())), max(high, float(column.max()))
    return {unit: low for unit, (low, high) in limits.items() if low == high}


def check_varying(scores: pd.DataFrame, cells: Sequence[str]) -> None:
    """Raise ParameterError for a cell whose answers are all right, or all wrong; parameters as in
    `constant_columns`."""
    constant = constant_columns(scores, cells)
    if constant:
        cell, score = next(iter(constant.items()))
        raise ParameterError(
            f"{'everybody' if score else 'nobody'} answered the items of the cell {cell!r} right, "
            f"so that its difficulty is infinite ({len(constant)} such cells); leave their items "
            "out, or let cells borrow from each other with --design '~ 1' (in Python: "
            "design='~ 1')"
        )


def constant_cells_diagnostic(left_out: Sequence[LeftOut]) -> Diagnostic:
    """Return the warning that names the cells without a difficulty.

    Examples
    --------
    >>> cell = {"name": "size=9", "score": 0.0, "n": 40}
    >>> print(constant_cells_diagnostic([cell]).sentence)
    Without a difficulty on this scale, and left out: 1 cell that nobody answered right (size=9).
    """
    ways = {
        0.0: "that nobody answered right", 1.0: "that everybody answered right",
        None: "with right answers alone in one laboratory and wrong ones alone in another",
    }  # fmt: skip
    groups = []
    for score, way in ways.items():
        names = [str(one["name"]) for one in left_out if one["score"] == score]
        if names:
            listed = first_few(names)
            groups.append(f"{len(names)} cell{'s' * (len(names) > 1)} {way} ({listed})")
    return Diagnostic(
        "constant_cells", "warning",
        f"Without a difficulty on this scale, and left out: {' and '.join(groups)}.",
        "Have abler or less able examinees answer them, too; or let cells borrow from each other "
        "with --design '~ 1' (in Python: design='~ 1').",
        tuple(str(one["name"]) for one in left_out), values={"n": len(left_out)},
    )  # fmt: skip


def uncertain_difficulties(entries: pd.DataFrame) -> list[Diagnostic]:
    """Return a warning if the standard errors of difficulties are so large that the answers hardly
    determine them.

    Parameters
    ----------
    entries : DataFrame
        Columns `entry` and `b` with its standard error `se_b`, as in a calibration's table.

    Examples
    --------
    >>> entries = pd.DataFrame({"entry": ["i", "j"], "b": [0.1, 8.4], "se_b": [0.4, 110.0]})
    >>> print(uncertain_difficulties(entries)[0].sentence)
    Answers hardly say how difficult 1 of 2 entries is (standard errors up to 110 logits): j.
    """
    far: Any = ~(entries["se_b"] <= UNCERTAIN) & entries["b"].notna()
    names = entries.loc[far, "entry"].astype(str).tolist()
    if not names:
        return []
    largest = float(np.nan_to_num(entries.loc[far, "se_b"], nan=np.inf).max())
    upto = f"up to {largest:.0f} logits" if np.isfinite(largest) else "without limit"
    listed = first_few(names)
    return [Diagnostic(
        "uncertain_difficulties", "warning",
        f"Answers hardly say how difficult {len(names)} of {len(entries)} entries "
        f"{'is' if len(names) == 1 else 'are'} (standard errors {upto}): {listed}.",
        "Do not score with them; have more respondents answer who are neither far above nor far "
        "below these items.",
        tuple(names), {"n": len(names), "largest": largest},
    )]  # fmt: skip


def left_out_of_all(
    parts: Mapping[str, Sequence[LeftOut]], calibrated: Container[str]
) -> tuple[list[LeftOut], dict[str, list[str]]]:
    """Return the cells that no laboratory could calibrate, and those that only some could.

    Parameters
    ----------
    parts : mapping of str to sequence of LeftOut
        Cells that every laboratory left out.
    calibrated : container of str
        Names of the cells that the merged calibration has.

    Returns
    -------
    list of LeftOut
        Cells without a difficulty in any laboratory, with the numbers of all together.
    dict of str to list of str
        The other cells, with the laboratories that left them out.
    """
    merged: dict[str, dict[str, Any]] = {}
    elsewhere: dict[str, list[str]] = {}
    for laboratory, every in parts.items():
        for one in every:
            name = str(one["name"])
            if name in calibrated:
                elsewhere.setdefault(name, []).append(laboratory)
                continue
            before = merged.setdefault(name, {**one, "items": 0, "n": 0})
            before["items"] += int(one.get("items") or 0)
            before["n"] += int(one.get("n") or 0)
            if before["score"] != one["score"]:
                before["score"] = None
    return [merged[name] for name in sorted(merged)], elsewhere


def merged_cells_notes(
    left_out: Sequence[LeftOut], elsewhere: Mapping[str, Sequence[str]]
) -> list[Diagnostic]:
    """Return diagnostics of the cells that `left_out_of_all` returns."""
    notes = [constant_cells_diagnostic(left_out)] if left_out else []
    if elsewhere:
        names = sorted(elsewhere)
        listed = first_few(
            (f"{name} (not {', '.join(elsewhere[name])})" for name in names), between="; "
        )
        notes.append(Diagnostic(
            "cells_of_some", "note",
            f"{len(names)} cells have a difficulty in some laboratories alone, since in the others "
            f"all answered them right, or all wrong: {listed}.",
            "Give the journals: answers that are calibrated together all count.", tuple(names),
        ))  # fmt: skip
    return notes


def unusable_items(
    by: str, scores: pd.DataFrame, unknown: Sequence[str], constant: Collection[str]
) -> list[Diagnostic]:
    """Return warnings that name the items which a calibration cannot score, with their responses.

    Parameters
    ----------
    by : str
        "item" or "design": the unit of the calibration.
    scores : DataFrame (P, J)
        Scores of respondents.
    unknown : sequence of str
        Columns for which the calibration has no difficulty.
    constant : collection of str
        Those among them that the calibration lists as entries without a difficulty.
    """
    without = tuple(name for name in unknown if name in constant)
    others = tuple(name for name in unknown if name not in constant)
    cells = "" if by == "item" else " their cells"
    diagnostics = []
    for code, names, sentence, remedy in (
        ("unknown_items", others, "The calibration does not know {} items ({}); {}",
         "Calibrate them, or score with the calibration of their bank."),
        ("items_without_difficulty", without, "The calibration has no difficulty of {} items ({}), "
         f"since all who were calibrated answered{cells or ' them'} right, or all wrong; {{}}",
         f"Have abler or less able examinees answer{cells or ' them'}, and calibrate again."),
    ):  # fmt: skip
        if names:
            lost = int(scores[list(names)].notna().to_numpy().sum())
            listed = first_few(names)
            diagnostics.append(Diagnostic(
                code, "warning",
                sentence.format(f"{len(names)} of {scores.shape[1]}", listed,
                                f"{lost:,} responses were left out."),
                remedy, names, {"items": len(names), "responses": lost},
            ))  # fmt: skip
    return diagnostics


def constant_remark(by: str, left_out: Sequence[LeftOut]) -> tuple[tuple[str, str, str], ...]:
    """Return code, sentence and remedy for cells that a plan cannot use; nothing if all can be
    used."""
    if not left_out:
        return ()
    units = f"{len(left_out)} {'item' if by == 'item' else 'cell'}{'s' * (len(left_out) > 1)}"
    return ((
        "without_difficulty",
        f"{units} without a difficulty, which all who were calibrated answered right or all wrong, "
        "are not counted on: they say least of those who were calibrated.",
        "Choose no items of them, or ask more items than planned.",
    ),)  # fmt: skip

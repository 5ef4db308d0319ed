"""Answers of several laboratories in one calibration, and merged calibrations of laboratories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.api.scales.design_cells import cells_of
from gfactor.api.scales.irt_data import ItemResponses
from gfactor.api.scales.languages_of_items import (
    CHOICE_OF_ONE,
    COPIED_ITEMS,
    SEVERAL_LANGUAGES,
    translations,
)
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    read_calibration,
    read_calibrations,
    write_calibration,
    write_calibrations,
)
from gfactor.psychometrics.irt.scales.calibration_merging import drift_note, merge_linked
from gfactor.psychometrics.irt.scales.laboratory_links import check_connected, link_laboratories

LABORATORY = "laboratory"
"""The column of respondents with the first laboratory that asked them."""


def merge_calibrations(
    calibrations: Sequence[Calibration | Mapping[str, Calibration] | Path | str],
    *,
    path: Path | str | None = None,
) -> dict[str, Calibration]:
    """Merge calibrations by design from several laboratories, by linking their common cells.

    Use this function if only the files of the calibrations exist. If the journals are available,
    give them to `calibrate` or `calibrate_each` instead: all answers are then calibrated together,
    which needs no link and counts each model once.

    Parameters
    ----------
    calibrations : list of Calibration, mapping or path
        For each laboratory a calibration or its file, or calibrations of several abilities (a
        folder, as `calibrate_each` writes it). A laboratory is called by the name of its file or
        folder.
    path : path, optional
        Folder to write, with a file for each ability; or the file to write, if each laboratory has
        a single calibration.

    Returns
    -------
    dict of str to Calibration
        Merged calibrations by ability; "" is the key of calibrations that name no ability. Their
        population is that of the respondents of all laboratories. Standard errors include the
        error of linking. `about["linking"]` has this error by itself, and the cells that were left
        out because their difficulty differed.

    Raises
    ------
    ParameterError
        If two laboratories have too few cells in common, they scored answers differently, or a
        calibration is by item; the message says which.

    References
    ----------
    Haberman, S. J. (2009). Linking parameter estimates derived from an item response model through
    separate calibrations. ETS Research Report 09-40.

    Kolen, M. J., Brennan, R. L. (2014). Test Equating, Scaling, and Linking. 3rd ed. Springer.

    Examples
    --------
    >>> import gfactor as gf
    >>> from dataclasses import replace
    >>> north = gf.shipped_calibrations(["Gs"])["Gs"]
    >>> respondents = {**north.about["respondents"], "n": 120}
    >>> south = replace(north, about={**north.about, "respondents": respondents})
    >>> merged = gf.merge_calibrations([north, south])["Gs"]
    >>> merged.about["respondents"]["n"], len(merged.entries) == len(north.entries)
    (360, True)
    """
    if path is not None:
        check_writable(Path(path))
    names = laboratory_names(calibrations)
    parts = {name: _by_ability(one) for name, one in zip(names, calibrations, strict=True)}
    if len(parts) < 2:
        raise ParameterError("merging needs the calibrations of two or more laboratories")
    merged = {}
    for ability in sorted({ability for part in parts.values() for ability in part}):
        having = {name: part[ability] for name, part in parts.items() if ability in part}
        merged[ability] = merge_linked(having) if len(having) > 1 else _alone(ability, having)
    if path is not None and set(merged) == {""}:
        write_calibration(merged[""], path)
    elif path is not None:
        write_calibrations(merged, path)
    return merged


def _by_ability(given: Calibration | Mapping[str, Calibration] | Path | str) -> Any:
    """The calibrations of a laboratory by ability."""
    if isinstance(given, Mapping):
        return dict(given)
    if not isinstance(given, Calibration):
        if Path(given).is_dir():
            return read_calibrations(given)
        given = read_calibration(given)
    return {str(given.about.get("ability") or ""): given}


def _alone(ability: str, having: Mapping[str, Calibration]) -> Calibration:
    """The calibration of an ability that one laboratory has."""
    ((name, calibration),) = having.items()
    note = Diagnostic(
        "one_laboratory", "note", f"{ability} is calibrated by {name} alone; nothing was merged.",
        "Give calibrations of the same abilities.",
    )  # fmt: skip
    return replace(calibration, diagnostics=by_severity([*calibration.diagnostics, note]))


def laboratory_names(given: Sequence[Any]) -> list[str]:
    """Return a name for every laboratory, made of the part of its file or folder that differs from
    the others.

    Examples
    --------
    >>> laboratory_names(["north.db", "south.db"]), laboratory_names(["north/c.db", "south/c.db"])
    (['north', 'south'], ['north', 'south'])
    """
    paths = [Path(str(one)) if isinstance(one, str | Path) else None for one in given]
    for name_of in (
        lambda p: p.stem if p.suffix[1:].isalpha() else p.name,
        lambda p: p.parent.name,
    ):
        names = [name_of(path) if path is not None else "" for path in paths]
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"laboratory {k + 1}" for k in range(len(given))]


def calibrated_together(
    parts: Mapping[str, ItemResponses], make: Callable[[ItemResponses], Calibration], by: str,
    cells: Sequence[str],
) -> Calibration:  # fmt: skip
    """Calibrate the answers of several laboratories at once (concurrent calibration).

    Parameters
    ----------
    parts : mapping of str to ItemResponses
        Responses by laboratory; one alone is calibrated as it is.
    make : callable
        Function that calibrates responses.
    by, cells
        As in `calibrate`.

    Returns
    -------
    Calibration
        `about["respondents"]["laboratories"]` says who is of which laboratory. By design, cells
        that drifted between laboratories are left out.

    Raises
    ------
    ParameterError
        If nothing ties two laboratories together, or they asked under other conditions.
    """
    if len(parts) == 1:
        return make(next(iter(parts.values())))
    pooled = pooled_responses(parts)
    units = {name: _units(part, by, cells) for name, part in parts.items()}
    examinees = {name: list(map(str, part.respondents["examinee"])) for name, part in parts.items()}
    check_connected(units, examinees, "cells" if by == "design" else "items")
    notes: list[Diagnostic] = []
    if by == "design":
        notes = _drift(parts, make)
        drifted = {cell for note in notes if note.code == "drifted_cells" for cell in note.where}
        names = zip(pooled.items.index, cells_of(pooled.items, cells), strict=True)
        pooled = pooled.of_items([str(item) for item, cell in names if cell not in drifted])
    calibration = make(pooled)
    with_difficulty = {str(e.facts.get("content_hash") or e.name) for e in calibration.entries}
    varying = {name: sorted(with_difficulty & set(units[name])) for name in units}
    unit = "cells" if by == "design" else "items"
    check_connected(varying, examinees, f"{unit} with right and wrong answers")
    laboratories = [
        {"name": name, "n": len(part.respondents), "kinds": _counted(part.respondents["kind"]),
         "families": len(set(map(str, part.respondents["family"])))}
        for name, part in parts.items()
    ]  # fmt: skip
    respondents = {**calibration.about["respondents"], "laboratories": laboratories}
    return replace(
        calibration, about={**calibration.about, "respondents": respondents},
        diagnostics=by_severity([*calibration.diagnostics, *notes]),
    )  # fmt: skip


def pooled_responses(parts: Mapping[str, ItemResponses]) -> ItemResponses:
    """Return the answers of several laboratories as one table.

    Items are the same if their content is. An examinee of several laboratories is one row; where it
    answered an item in two of them, the first one's answer counts.
    """
    names = _names_of_items(parts)
    conditions = {str(c) for part in parts.values() for c in part.respondents["condition"]}
    if len(conditions) > 1:
        raise ParameterError(
            f"laboratories asked under several conditions ({', '.join(sorted(conditions))}), "
            "which may change the difficulty of items; choose one with --condition"
        )
    renamed = [
        replace(part, scores=part.scores.rename(columns=names[name]),
                respondents=part.respondents.assign(**{LABORATORY: name}),
                items=part.items.rename(index=names[name]),
                answers=part.answers.assign(
                    item=[names[name][str(one)] for one in part.answers["item"]]
                ))
        for name, part in parts.items()
    ]  # fmt: skip
    scores, twice = renamed[0].scores.astype(float), 0
    for part in renamed[1:]:
        where: dict[str, Any] = {
            "index": scores.index.union(part.scores.index),
            "columns": scores.columns.union(part.scores.columns),
        }
        first, second = scores.reindex(**where), part.scores.astype(float).reindex(**where)
        twice += int((first.notna() & second.notna()).to_numpy().sum())
        scores = first.where(first.notna(), second)
    respondents = pd.concat([part.respondents for part in renamed])
    items = pd.concat([part.items for part in renamed])
    answers = pd.concat([part.answers for part in renamed], ignore_index=True)
    diagnostics = [
        note
        for part in renamed
        for note in part.diagnostics
        if note.code not in (SEVERAL_LANGUAGES, COPIED_ITEMS)
    ]
    diagnostics += translations(answers, CHOICE_OF_ONE)
    if twice:
        diagnostics.append(Diagnostic(
            "answered_twice", "note",
            f"{twice:,} answers are to items that their examinee answered in another laboratory, "
            "too; the first one's counts.",
            "Answers to the same item are not independent given ability.", values={"n": twice},
        ))  # fmt: skip
    return ItemResponses(
        scores, respondents.loc[~respondents.index.duplicated()].loc[scores.index],
        items.loc[~items.index.duplicated()].loc[scores.columns],
        answers.drop_duplicates(["respondent", "item"]), " + ".join(parts), tuple(diagnostics),
    )  # fmt: skip


def _names_of_items(parts: Mapping[str, ItemResponses]) -> dict[str, dict[str, str]]:
    """By laboratory the common name of every item: one for one content."""
    by_content: dict[str, str] = {}
    taken: set[str] = set()
    names: dict[str, dict[str, str]] = {}
    for laboratory, part in parts.items():
        names[laboratory] = {}
        for name, content in part.items["content_hash"].items():
            new = by_content.get(str(content))
            if new is None:
                new = f"{name}@{str(content)[:8]}" if str(name) in taken else str(name)
                by_content[str(content)] = new
                taken.add(new)
            names[laboratory][str(name)] = new
    return names


def _units(part: ItemResponses, by: str, cells: Sequence[str]) -> list[str]:
    if by == "design":
        return cells_of(part.items, cells)
    return list(map(str, part.items["content_hash"]))


def _counted(kinds: Any) -> dict[str, int]:
    return dict(sorted(kinds.value_counts().to_dict().items()))


def _drift(
    parts: Mapping[str, ItemResponses], make: Callable[[ItemResponses], Calibration]
) -> list[Diagnostic]:
    """Compare the cells of laboratories, each calibrated by itself."""
    try:
        alone = {name: make(part) for name, part in parts.items()}
        return drift_note(link_laboratories(alone).drifted)
    except ParameterError as error:
        return [Diagnostic(
            "drift_untested", "note",
            f"Whether cells drifted between laboratories was not tested: {str(error).rstrip('.')}.",
            "Have more respondents in each laboratory, and more cells in common.",
        )]  # fmt: skip

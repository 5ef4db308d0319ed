"""Norms as JSON files: the same norms give the same bytes, and every field is checked when read."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, Severity, by_severity
from gfactor.psychometrics.json_files import read_json_file
from gfactor.psychometrics.norms.estimation import CONVENIENCE, Norms
from gfactor.psychometrics.norms.standing import NormCell
from gfactor.results import plain

FORMAT, VERSION = "gfactor-norms", 1


def write_norms(norms: Norms, path: Path | str) -> Path:
    """Write norms as JSON: cells with the distribution of their scores, and the facts about the
    norms.

    Parameters
    ----------
    norms : Norms
        Norms that `norm_scores` or `gfactor.norms` returned.
    path : path
        Path of the file, by convention norms.json.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    ParameterError
        If the file cannot be written.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.norms import norm_scores, read_norms, write_norms
    >>> norms = norm_scores(pd.DataFrame({"shapes": np.linspace(0.2, 0.9, 40)}))
    >>> read_norms(write_norms(norms, "norms.json")).cell("shapes").n
    40
    """
    path = Path(path)
    conversion = norms.conversion
    cells = []
    for cell, row in zip(norms.cells, norms.table.to_dict("records"), strict=True):
        here = conversion.loc[(conversion["scale"] == row["scale"]).to_numpy()
                              & (conversion["group"] == row["group"]).to_numpy()]  # fmt: skip
        rows = here.drop(columns=["scale", "group", "n"]).assign(count=list(cell.counts))
        cells.append({
            "scale": cell.scale, "group": dict(cell.group), "seed": cell.seed,
            **{name: row[name] for name in ("n", "mean", "se", "sd")}, "scores": rows,
        })  # fmt: skip
    document = {
        "format": FORMAT, "version": VERSION, "warning": str(CONVENIENCE), **norms.about,
        "min_n": norms.min_n, "level": norms.level, "scales": norms.scales, "cells": cells,
        "refused": norms.refused, "diagnostics": norms.diagnostics,
    }  # fmt: skip
    text = json.dumps(plain(document), ensure_ascii=False, allow_nan=False, indent=1)
    temporary = path.parent / f".{path.name}.{os.getpid()}.tmp"
    try:
        temporary.write_text(text + "\n", "utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise ParameterError(
            f"the norms {str(path)!r} cannot be written: {error.strerror or error}"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def read_norms(path: Path | str) -> Norms:
    """Read norms from JSON.

    Parameters
    ----------
    path : path
        A file of `write_norms` or `gfactor norms`.

    Returns
    -------
    Norms
        Percentiles and T scores are computed again from the scores of the cells.

    Raises
    ------
    ParameterError
        If the file cannot be read or holds no norms; the message names file, cell and field.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.norms import norm_scores, read_norms, write_norms
    >>> norms = norm_scores(pd.DataFrame({"shapes": np.linspace(0.2, 0.9, 40)}))
    >>> read_norms(write_norms(norms, "norms.json")).about["smoothing"]
    'none'
    """
    where = f"norms {str(path)!r}"
    document = read_json_file(Path(path), where)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ParameterError(f"{where} holds no norms; write one with gfactor norms")
    if document.get("version") != VERSION:
        raise ParameterError(
            f"{where} has version {document.get('version')!r}, but this gfactor reads {VERSION}"
        )
    try:
        level, min_n = float(document["level"]), int(document["min_n"])
        scales = {str(name): dict(facts) for name, facts in document["scales"].items()}
        shares = [facts for facts in scales.values() if "benchmark" in facts]
        if not all(isinstance(facts.get("items"), list) for facts in shares):
            raise TypeError("a scale has no list of items")
        refused = pd.DataFrame(document["refused"])
        diagnostics = [_diagnostic(one) for one in document["diagnostics"]]
        about = {name: document[name] for name in document if name not in _FIELDS}
        cells = list(document["cells"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ParameterError(f"{where} lacks a field or has a wrong one: {error}") from error
    if not cells or not 0 < level < 1:
        raise ParameterError(f"{where} has no cells, or a level that is not between 0 and 1")
    if all(one.code != CONVENIENCE.code for one in diagnostics):
        diagnostics.append(CONVENIENCE)
    read = tuple(_cell(cell, level, f"{where}, cell {k}") for k, cell in enumerate(cells, 1))
    refused = refused.reindex(columns=["scale", "group", "n"])
    return Norms(read, refused, scales, about, min_n, level, by_severity(diagnostics))


_FIELDS = {
    "format", "version", "warning", "min_n", "level", "scales", "cells", "refused", "diagnostics",
}  # fmt: skip


def _diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    if entry["severity"] not in get_args(Severity):
        raise ValueError(f"severity {entry['severity']!r}")
    return Diagnostic(
        str(entry["code"]), entry["severity"], str(entry["sentence"]), str(entry["remedy"]),
        tuple(entry.get("where", ())), dict(entry.get("values", {})),
    )  # fmt: skip


def _cell(entry: Any, level: float, where: str) -> NormCell:
    try:
        rows = [(float(row["score"]), int(row["count"])) for row in entry["scores"]]
        group = {str(name): str(value) for name, value in entry["group"].items()}
        cell = NormCell(
            str(entry["scale"]), group, tuple(v for v, _ in rows), tuple(c for _, c in rows), level,
            int(entry["seed"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ParameterError(f"{where} lacks a field or has a wrong one: {error}") from error
    ascending = all(a < b for (a, _), (b, _) in itertools.pairwise(rows))
    if not ascending or any(c < 1 for c in cell.counts) or not all(map(math.isfinite, cell.values)):
        raise ParameterError(f"{where}: scores must ascend, each with a count of 1 or more")
    if cell.n != entry.get("n"):
        raise ParameterError(f"{where}: counts sum to {cell.n}, but n is {entry.get('n')}")
    if cell.n < 3:
        raise ParameterError(f"{where} has {cell.n} persons, too few for any standing")
    return cell

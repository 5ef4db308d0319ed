"""Anchor sets as folders: `calibration.json` and one table of items per benchmark.

Numbers are written with eight significant digits; files made under other processor kernels
agree in six of them.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.anchors.addition_files import (
    ADDED_FILE,
    BASE_FOLDER,
    added_text,
    additions_head,
    read_added,
)
from gfactor.psychometrics.irt.anchors.additions import Additions
from gfactor.psychometrics.irt.anchors.anchor_set import AnchorBenchmark, Anchors
from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.json_files import read_json_file
from gfactor.results import plain

FORMAT = "gfactor anchors"
VERSION = 1
HEAD = "calibration.json"
_DIGITS = 8
_DIGEST = "_digest"


def write_anchors(anchors: Anchors, folder: Path | str) -> Path:
    """Write a scale into a folder.

    Parameters
    ----------
    anchors : Anchors
    folder : path
        Made if it does not exist.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ParameterError
        If the folder cannot be written.
    """
    folder = Path(folder)
    texts = _texts_of(anchors)
    head = _head(anchors, texts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_bytes(text.encode())
        (folder / HEAD).write_bytes(
            (json.dumps(head, indent=1, ensure_ascii=False) + "\n").encode()
        )
    except OSError as error:
        raise ParameterError(
            f"the folder {str(folder)!r} cannot be written: {error.strerror or error}"
        ) from error
    if anchors.additions is not None:
        write_anchors(anchors.additions.base, folder / BASE_FOLDER)
    return folder


def read_anchors(folder: Path | str) -> Anchors:
    """Read a scale from a folder that `write_anchors` made.

    Parameters
    ----------
    folder : path

    Returns
    -------
    Anchors
        The scale: its items, models and benchmarks.

    Raises
    ------
    ParameterError
        If the folder holds no scale, or a table is not the one that its digest names.
    """
    folder = Path(folder)
    where = f"calibration {str(folder)!r}"
    head = read_json_file(folder / HEAD, f"{where}: {HEAD}")
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ParameterError(f'{where}: {HEAD} does not have the format "{FORMAT}"')
    if head.get("version") != VERSION:
        raise ParameterError(
            f"{where} is of version {head.get('version')!r}; this program reads {VERSION}"
        )
    try:
        benchmarks = tuple(_read_items(folder, entry, where) for entry in head["benchmarks"])
        models = pd.DataFrame(head["models"]).set_index("model")
        count = sum(len(b.effect_names) for b in benchmarks)
        mean = np.array(head["population"]["mean"], dtype=np.float64).reshape(count)
        covariance = np.array(head["population"]["covariance"], dtype=np.float64)
        numbers = [c for c in models.columns if c != "family"]
        models[numbers] = models[numbers].astype(np.float64)
        additions = _read_additions(folder, head["added"], where) if "added" in head else None
        return Anchors(
            str(head["name"]), benchmarks, mean, covariance.reshape(count, count), models,
            float(head["ability_inflation"]), dict(head["about"]),
            tuple(_diagnostic(entry) for entry in head["diagnostics"]), additions,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise ParameterError(
            f"{where}: {HEAD} lacks, or has a wrong value for, {error}; write it with gfactor "
            "calibrate"
        ) from error


def anchors_digest(anchors: Anchors) -> str:
    """Return the SHA-256 of the scale's document, which names the digests of its tables."""
    stored = vars(anchors)
    if _DIGEST not in stored:
        head = _head(anchors, _texts_of(anchors))
        text = json.dumps(head, sort_keys=True, separators=(",", ":"))
        # Stored as `cached_property` would, because a scale is frozen; an update needs its digest
        # often.
        stored[_DIGEST] = hashlib.sha256(text.encode()).hexdigest()
    return stored[_DIGEST]


def rounded(value: Any) -> Any:
    """Return numbers with eight significant digits, in any nesting of lists and mappings."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}") + 0.0
    if isinstance(value, Mapping):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return value


def _texts_of(anchors: Anchors) -> dict[str, str]:
    """The tables of a scale by the name of their file."""
    texts = {f"{b.name}.csv": _items_text(b) for b in anchors.benchmarks}
    if anchors.additions is not None:
        texts[ADDED_FILE] = added_text(anchors.additions)
    return texts


def _head(anchors: Anchors, texts: Mapping[str, str]) -> dict[str, Any]:
    content: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "name": anchors.name, "about": anchors.about,
        "benchmarks": [
            {"name": b.name, "items": len(b.items), "dimensions": b.curves.slopes.shape[1],
             "misfit_sd": b.misfit_sd,
             "testlet_variances": list(b.testlet_variances),
             "sha256": hashlib.sha256(texts[f"{b.name}.csv"].encode()).hexdigest()}
            for b in anchors.benchmarks
        ],
        "population": {"mean": anchors.mean, "covariance": anchors.covariance},
        "ability_inflation": anchors.ability_inflation,
        "models": anchors.models.rename_axis("model"),
        "diagnostics": [entry.to_dict() for entry in anchors.diagnostics],
    }  # fmt: skip
    if anchors.additions is not None:
        content["added"] = {
            "base": anchors_digest(anchors.additions.base),
            "sha256": hashlib.sha256(texts[ADDED_FILE].encode()).hexdigest(),
            **additions_head(anchors.additions),
        }
    return rounded(plain(content))


def _read_additions(folder: Path, entry: Mapping[str, Any], where: str) -> Additions:
    base = read_anchors(folder / BASE_FOLDER)
    if anchors_digest(base) != entry["base"]:
        raise ParameterError(
            f"{where}: the folder {BASE_FOLDER} is not the calibration that {HEAD} names by its "
            "digest; take the whole folder from one source"
        )
    text = _checked(folder / ADDED_FILE, str(entry["sha256"]), where).decode()
    return read_added(text, base, entry, where)


def _checked(path: Path, digest: str, where: str) -> bytes:
    """The content of a file, if its digest is the one expected."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParameterError(
            f"{where}: {path.name} cannot be read: {error.strerror or error}"
        ) from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ParameterError(
            f"{where}: {path.name} is not the table that {HEAD} names by its digest; take both "
            "files from one source"
        )
    return content


def _columns(dimensions: int) -> tuple[list[str], list[str]]:
    """Names of slopes and intercept, and of their covariances."""
    parameters = [*("a" if k == 0 else f"a{k + 1}" for k in range(dimensions)), "d"]
    pairs = itertools.combinations_with_replacement(parameters, 2)
    return parameters, [f"cov_{left}_{right}" for left, right in pairs]


def _items_text(benchmark: AnchorBenchmark) -> str:
    curves = benchmark.curves
    k = curves.slopes.shape[1]
    parameters, pairs = _columns(k)
    upper = np.triu_indices(k + 1)
    values = np.column_stack([curves.slopes, curves.intercepts])
    columns: dict[str, Any] = {
        "item": list(benchmark.items),
        **{name: _texts(values[:, m]) for m, name in enumerate(parameters)},
        **{
            name: _texts(curves.covariance[:, m, n])
            for name, m, n in zip(pairs, *upper, strict=True)
        },
        "c": _texts(curves.lower), "status": list(benchmark.status),
        "right": benchmark.right.astype(int), "asked": benchmark.asked.astype(int),
    }  # fmt: skip
    out = io.StringIO()
    pd.DataFrame(columns).to_csv(out, index=False, lineterminator="\n")
    return out.getvalue()


def _texts(values: Floats) -> list[str]:
    return [f"{value + 0.0:.{_DIGITS}g}" for value in values.tolist()]


def _read_items(folder: Path, entry: Mapping[str, Any], where: str) -> AnchorBenchmark:
    name = str(entry["name"])
    path = folder / f"{name}.csv"
    content = _checked(path, str(entry["sha256"]), where)
    table = pd.read_csv(io.BytesIO(content), dtype={"item": str, "status": str})
    k = int(entry["dimensions"])
    parameters, pairs = _columns(k)
    expected = ["item", *parameters, *pairs, "c", "status", "right", "asked"]
    if list(table.columns) != expected:
        raise ParameterError(f"{where}: {path.name} must have the columns {', '.join(expected)}")
    covariance = np.empty((len(table), k + 1, k + 1))
    for pair, m, n in zip(pairs, *np.triu_indices(k + 1), strict=True):
        covariance[:, m, n] = covariance[:, n, m] = table[pair]
    curves = ItemCurves(
        table[parameters[:-1]].to_numpy(np.float64), table["d"].to_numpy(np.float64), covariance,
        table["c"].to_numpy(np.float64),
    )  # fmt: skip
    return AnchorBenchmark(
        name, tuple(table["item"]), curves, tuple(table["status"].fillna("")),
        table["right"].to_numpy(np.float64), table["asked"].to_numpy(np.float64),
        float(entry["misfit_sd"]),
        (float(entry["testlet_variances"][0]), float(entry["testlet_variances"][1])),
    )  # fmt: skip


def _diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(
        str(entry["code"]), entry["severity"], str(entry["sentence"]), str(entry["remedy"]),
        tuple(entry["where"]), dict(entry["values"]),
    )  # fmt: skip

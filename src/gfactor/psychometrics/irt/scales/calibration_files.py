"""Calibrations as JSON files: written the same from the same calibration, checked when read."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.likelihood.curves import Floats, Kind, parameter_names
from gfactor.psychometrics.irt.scales.calibration import (
    MEAN,
    TESTLETS,
    VARIANCE,
    By,
    Calibration,
    Entry,
)
from gfactor.psychometrics.json_files import read_json_file
from gfactor.results import plain

FORMAT, VERSION = "gfactor-calibration", 1
_ABOUT = ("population", "date", "respondents", "bank", "scoring", "linking", "fit")
_OPTIONAL = ("ability", "left_out")
"""Facts that stand in a file only if a calibration has them."""
_ASYMPTOTES = {"logit_g": "g", "logit_u": "u"}
_DIGITS = 12
"""Significant digits of covariances: far below their own error, and stable over machines."""


def write_calibration(calibration: Calibration, path: Path | str) -> Path:
    """Write a calibration as JSON.

    Parameters
    ----------
    calibration : Calibration
    path : path
        Path of the file, by convention NAME.calibration.json.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    ParameterError
        If the file cannot be written.
    """
    path = Path(path)
    text = json.dumps(to_document(calibration), ensure_ascii=False, allow_nan=False, indent=1)
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise ParameterError(
            f"the calibration {str(path)!r} cannot be written: {error.strerror or error}"
        ) from error
    return path


def read_calibration(path: Path | str) -> Calibration:
    """Read a calibration from JSON.

    Parameters
    ----------
    path : path

    Returns
    -------
    Calibration
        The calibration of the file.

    Raises
    ------
    ParameterError
        If the file cannot be read or is not a calibration; the message names file, entry and field.
    """
    where = f"calibration {str(path)!r}"
    return from_document(read_json_file(Path(path), where), where)


def write_calibrations(calibrations: Mapping[str, Calibration], folder: Path | str) -> Path:
    """Write one calibration for each ability into a folder: Gf.json, Gv.json, ...

    Parameters
    ----------
    calibrations : mapping of str to Calibration
        Calibrations by ability, whose name is the file's.
    folder : path
        Folder; it is made if it does not exist.

    Returns
    -------
    Path
        The path of the folder.

    Raises
    ------
    ParameterError
        If an ability's name cannot be the name of a file, or the folder cannot be written.
    """
    folder = Path(folder)
    for ability in calibrations:
        if not ability or set(ability) & set("/\\\0") or ability.startswith("."):
            raise ParameterError(f"{ability!r} cannot be the name of a file; rename the label")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"the folder {str(folder)!r} cannot be created: {error.strerror or error}"
        ) from error
    for ability, calibration in calibrations.items():
        about = {**calibration.about, "ability": ability}
        write_calibration(replace(calibration, about=about), folder / f"{ability}.json")
    return folder


def read_calibrations(path: Path | str) -> dict[str, Calibration]:
    """Read calibrations of abilities, from a folder with a file for each, or from one file.

    Parameters
    ----------
    path : path
        Folder that `gfactor calibrate --each` wrote, or one of its files.

    Returns
    -------
    dict of str to Calibration
        The calibration of each ability, sorted by ability.

    Raises
    ------
    ParameterError
        If a folder or file does not exist, if a file is not a calibration or does not name its
        ability, or if two files name the same one.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations
    >>> folder = write_calibrations(gf.shipped_calibrations(["Gs"]), "calibrations")
    >>> list(gf.read_calibrations(folder))
    ['Gs']
    """
    path = Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise ParameterError(
            f"the folder {str(path)!r} has no calibration (NAME.json); gfactor calibrate --each "
            "ability writes such folders"
        )
    calibrations: dict[str, Calibration] = {}
    for file in files:
        calibration = read_calibration(file)
        ability = calibration.about.get("ability")
        if not isinstance(ability, str) or not ability:
            raise ParameterError(
                f'calibration {str(file)!r}: it does not name its "ability"; make it with '
                "gfactor calibrate --each ability"
            )
        if ability in calibrations:
            raise ParameterError(f"calibration {str(file)!r}: {ability!r} has another file, too")
        calibrations[ability] = calibration
    return dict(sorted(calibrations.items()))


def is_calibration(path: Path | str) -> bool:
    """Return True if a path is a calibration's file, or a folder that holds only such files.

    Parameters
    ----------
    path : path
        The file or folder.

    Returns
    -------
    bool
        False also for a path that does not exist.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(path.iterdir())
        return bool(files) and all(file.is_file() and is_calibration(file) for file in files)
    if path.suffix != ".json" or not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        return f'"format": "{FORMAT}"' in file.read(200)


def calibration_digest(calibration: Calibration) -> str:
    """Return SHA-256 of a calibration's document, as JSON without spaces and with sorted keys.

    It stays the same when a calibration is written and read again.
    """
    text = json.dumps(to_document(calibration), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def to_document(calibration: Calibration) -> dict[str, Any]:
    """Return the calibration as a mapping for strict JSON (docs/irt.md describes every field)."""
    lower = [
        [_rounded(v) for v in row[: k + 1]] for k, row in enumerate(calibration.covariance.tolist())
    ]
    about = {name: calibration.about.get(name) for name in _ABOUT}
    if calibration.about.get("ability") is not None:
        about = {"ability": calibration.about["ability"], **about}
    if calibration.about.get("left_out"):
        about["left_out"] = calibration.about["left_out"]
    errors = calibration.table.set_index("entry")
    content = {
        "format": FORMAT, "version": VERSION, "by": calibration.by, "model": calibration.model,
        **about,
        "latent": {
            "mean": calibration.mean, "variance": calibration.variance,
            **({"testlet_variance": calibration.testlet_variance, "testlet": calibration.testlet}
               if calibration.testlet is not None else {}),
        },
        "entries": [
            _entry(entry, errors.loc[entry.name].to_dict()) for entry in calibration.entries
        ],
        "covariance": {"parameters": list(calibration.labels), "lower": lower},
        "diagnostics": [entry.to_dict() for entry in calibration.diagnostics],
    }  # fmt: skip
    return plain(content)


def _rounded(value: float, digits: int = _DIGITS) -> float:
    return float(f"{value:.{digits}g}")


def _entry(entry: Entry, row: Mapping[str, Any]) -> dict[str, Any]:
    names = parameter_names(entry.kind, len(entry.scores), 1)
    parameters = {
        _ASYMPTOTES.get(name, name): float(special.expit(v)) if name in _ASYMPTOTES else v
        for name, v in zip(names, entry.values, strict=True)
    }
    return {
        "name": entry.name, "kind": entry.kind, "scores": list(entry.scores),
        "parameters": parameters,
        **{name: _rounded(row[name], 8) for name in ("b", "se_b")},
        **({"clone_sd": entry.clone_sd} if entry.clone_sd else {}), **entry.facts,
    }  # fmt: skip


def from_document(document: Any, where: str = "calibration") -> Calibration:
    """Return the calibration of a JSON document.

    Raises ParameterError for the first thing that is wrong, in a sentence that begins with `where`.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ParameterError(
            f'{where} is not a calibration: its "format" is not {FORMAT!r}; gfactor calibrate '
            "writes such files"
        )
    if document.get("version") != VERSION:
        raise ParameterError(
            f"{where} is of version {document.get('version')!r}; this program reads {VERSION}"
        )
    by = _one_of(document, "by", get_args(By), where)
    latent = _of_type(document, "latent", dict, where)
    mean = _number(latent, "mean", f"{where}, latent")
    variance = _number(latent, "variance", f"{where}, latent")
    if variance <= 0:
        raise ParameterError(f"{where}, latent: variance must be positive, got {variance}")
    shared, testlet = _read_testlets(latent, f"{where}, latent")
    entries = tuple(
        _read_entry(given, by, f"{where}, entry {k + 1}")
        for k, given in enumerate(_of_type(document, "entries", list, where))
    )
    names = [entry.name for entry in entries]
    if not names:
        raise ParameterError(f"{where} has no entries")
    twice = next((name for name in names if names.count(name) > 1), None) if (
        len(set(names)) < len(names)
    ) else None  # fmt: skip
    if twice is not None:
        raise ParameterError(f"{where}: entry {twice!r} occurs twice")
    labels, covariance = _covariance(document, entries, where)
    _check_left_out(document.get("left_out"), by, where)
    for name in ("respondents", "bank", "scoring", "linking", "fit"):
        if document.get(name) is not None:
            _of_type(document, name, dict, where)
    return Calibration(
        cast("By", by), str(document.get("model")), entries, labels, covariance, mean, variance,
        {name: document.get(name) for name in (*_ABOUT, *_OPTIONAL) if name in document},
        tuple(_diagnostic(given, where) for given in document.get("diagnostics") or ()),
        shared, testlet,
    )  # fmt: skip


def _check_left_out(given: Any, by: str, where: str) -> None:
    """Raise ParameterError for cells or items without a difficulty that cannot be identified by
    name."""
    if not isinstance(given, list | None):
        raise ParameterError(f"{where}: 'left_out' must be a list")
    for k, one in enumerate(given or ()):
        here = f"{where}, left_out {k + 1}"
        if not isinstance(one, dict):
            raise ParameterError(f"{here} is not an object")
        _of_type(one, "name", str, here)
        if by == "design":
            _of_type(one, "labels", dict, here)
        if one.get("score") is not None:
            _number(one, "score", here)


def _read_testlets(latent: Mapping[str, Any], where: str) -> tuple[float, str | None]:
    """Testlet variance and label; none in files of earlier versions."""
    testlet = latent.get("testlet")
    if testlet is None:
        return 0.0, None
    if not isinstance(testlet, str):
        raise ParameterError(f"{where}: testlet must be the name of a label, got {testlet!r}")
    variance = _number(latent, "testlet_variance", where)
    if variance < 0:
        raise ParameterError(f"{where}: testlet_variance must not be negative, got {variance}")
    return variance, testlet


def _read_entry(given: Any, by: str, where: str) -> Entry:
    if not isinstance(given, dict):
        raise ParameterError(f"{where} is not an object")
    name = _of_type(given, "name", str, where)
    where = f"{where} ({name!r})"
    kind = cast("Kind", _one_of(given, "kind", get_args(Kind), where))
    scores = _numbers(_of_type(given, "scores", list, where), f"{where}, scores")
    if len(scores) < 2 or sorted(set(scores)) != scores:
        raise ParameterError(f"{where}: scores must be two or more numbers that ascend")
    parameters = _of_type(given, "parameters", dict, where)
    values = []
    for parameter in parameter_names(kind, len(scores), 1):
        label = _ASYMPTOTES.get(parameter, parameter)
        value = _number(parameters, label, f"{where}, parameters")
        if parameter in _ASYMPTOTES:
            if not 0 <= value <= 1:
                raise ParameterError(f"{where}: {label} must lie in [0, 1], not {value}")
            with np.errstate(divide="ignore"):
                value = float(special.logit(value))
        values.append(value)
    spread = _number(given, "clone_sd", where) if "clone_sd" in given else 0.0
    if spread < 0 or (spread and (kind not in ("2pl", "4pl") or by != "design")):
        raise ParameterError(
            f"{where}: clone_sd must be positive, and only cells with two categories have it; got "
            f"{spread}"
        )
    if by == "design" and not isinstance(given.get("labels"), dict):
        raise ParameterError(f"{where}: a cell needs its labels")
    if by == "item" and not isinstance(given.get("content_hash"), str | None):
        raise ParameterError(f"{where}: content_hash must be text")
    used = {"name", "kind", "scores", "parameters", "b", "se_b", "clone_sd"}
    facts = {key: value for key, value in given.items() if key not in used}
    return Entry(name, kind, tuple(scores), tuple(values), spread, facts)


def _covariance(
    document: Mapping[str, Any], entries: tuple[Entry, ...], where: str
) -> tuple[tuple[str, ...], Floats]:
    given = _of_type(document, "covariance", dict, where)
    where = f"{where}, covariance"
    labels = [str(name) for name in _of_type(given, "parameters", list, where)]
    parameters = {f"{e.name}.{name}" for e in entries for name in e.parameters}
    parameters |= {VARIANCE, MEAN, TESTLETS}
    odd = next((name for name in labels if name not in parameters), None)
    if odd is not None:
        raise ParameterError(f"{where}: {odd!r} is not a parameter of an entry")
    if len(set(labels)) < len(labels):
        raise ParameterError(f"{where}: a parameter is named twice")
    rows = _of_type(given, "lower", list, where)
    if len(rows) != len(labels) or any(
        not isinstance(row, list) or len(row) != k + 1 for k, row in enumerate(rows)
    ):
        raise ParameterError(
            f"{where}: lower must be the lower triangle of a {len(labels)} x {len(labels)} matrix"
        )
    covariance = np.zeros((len(labels), len(labels)))
    for k, row in enumerate(rows):
        covariance[k, : k + 1] = _numbers(row, f"{where}, row {k + 1}")
        covariance[: k + 1, k] = covariance[k, : k + 1]
    odd = next((n for n, v in zip(labels, covariance.diagonal(), strict=True) if v < 0), None)
    if odd is not None:
        raise ParameterError(f"{where}: the variance of {odd!r} is negative")
    return tuple(labels), covariance


def _diagnostic(given: Any, where: str) -> Diagnostic:
    try:
        return Diagnostic(
            str(given["code"]), given["severity"], str(given["sentence"]), str(given["remedy"]),
            tuple(map(str, given.get("where", ()))), dict(given.get("values", {})),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ParameterError(
            f"{where}: a diagnostic lacks code, severity, sentence or remedy"
        ) from error


def _of_type(given: Mapping[str, Any], key: str, kind: type, where: str) -> Any:
    value = given.get(key)
    if not isinstance(value, kind):
        named = {dict: "an object", list: "a list", str: "a text"}[kind]
        raise ParameterError(f"{where}: {key!r} must be {named}")
    return value


def _one_of(given: Mapping[str, Any], key: str, allowed: tuple[str, ...], where: str) -> str:
    if given.get(key) not in allowed:
        raise ParameterError(
            f"{where}: {key!r} must be one of {', '.join(allowed)}, got {given.get(key)!r}"
        )
    return str(given[key])


def _number(given: Mapping[str, Any], key: str, where: str) -> float:
    return _numbers([given.get(key)], f"{where}, {key}")[0]


def _numbers(given: list[Any], where: str) -> list[float]:
    for value in given:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise ParameterError(f"{where}: {value!r} is not a finite number")
    return [float(value) for value in given]

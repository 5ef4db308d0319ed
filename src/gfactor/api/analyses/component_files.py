"""Variance components in files, as a plan reads them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.api.inputs.taking import JournalLike
from gfactor.errors import ParameterError
from gfactor.items.table_files import read_frame
from gfactor.psychometrics.planning.aims import EXAMINEE
from gfactor.psychometrics.planning.components import of_examinees


def read_components(given: Mapping[str, float] | Path | str) -> dict[str, float]:
    """Return the variance of every effect, from a mapping or a file.

    The object of measurement that the file of a G-study names is called examinee.

    Parameters
    ----------
    given : mapping or path
        Variances by effect; or a JSON, TOML or table file with the columns effect and variance.

    Raises
    ------
    ParameterError
        If the file cannot be read, or a variance is not a number.
    """
    if isinstance(given, Mapping):
        return {str(k): float(v) for k, v in given.items()}
    path, object = Path(given), EXAMINEE
    if path.suffix.lower() in (".json", ".toml"):
        try:
            text = path.read_text("utf-8")
            content: Any = (
                tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
            )
        except (OSError, ValueError) as error:
            raise ParameterError(f"components {str(path)!r} cannot be read: {error}") from error
        if isinstance(content, dict) and "components" in content:
            object, content = str(content.get("object", EXAMINEE)), content["components"]
        if isinstance(content, dict):
            content = [{"effect": k, "variance": v} for k, v in content.items()]
        table = pd.DataFrame(content)
    else:
        table = read_frame(path)
    if not {"effect", "variance"} <= set(table.columns):
        raise ParameterError(
            f"the table of components {str(path)!r} needs the columns effect and variance, with a "
            "row per effect"
        )
    numbers: Any = pd.to_numeric(table["variance"], errors="coerce")
    if numbers.isna().any():
        row = int(np.flatnonzero(numbers.isna())[0]) + 1
        raise ParameterError(f"components {str(path)!r}, row {row}: the variance is not a number")
    effects = [of_examinees(label, object) for label in table["effect"].astype(str)]
    return dict(zip(effects, numbers.astype(float), strict=True))


def refuse_components(pilot: JournalLike) -> None:
    """Raise ParameterError if the pilot is a file of variance components."""
    if not isinstance(pilot, Path | str) or not str(pilot).lower().endswith(".json"):
        return
    try:
        content = json.loads(Path(pilot).read_text("utf-8"))
    except (OSError, ValueError):
        return
    if isinstance(content, dict) and "components" in content:
        raise ParameterError(
            f"{str(pilot)!r} holds variance components, not the journal of a pilot; give it with "
            "--components (in Python components=)"
        )

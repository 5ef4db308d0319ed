"""Files of a scale to which models were added: their answers, a line of signs for each model."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.additions import Additions, ScaleUpdate
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors

ADDED_FILE = "added.csv"
BASE_FOLDER = "base"
_SIGNS = {1.0: "1", 0.0: "0"}
_MISSING = "."


def added_text(additions: Additions) -> str:
    """Return the table of added models.

    A column per benchmark has a character for each item, in the order of the scale: 1, 0, or a
    period if the item was not asked.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["model", "family", *additions.base.names])
    rows = additions.base.rows(additions.answers)
    for who, row in zip(additions.answers.index, rows, strict=True):
        signs = ["".join(_SIGNS.get(value, _MISSING) for value in x.tolist()) for x in row]
        writer.writerow([who, additions.families[who], *signs])
    return out.getvalue()


def read_added(text: str, base: Anchors, head: Mapping[str, Any], where: str) -> Additions:
    """Read the files that `added_text` and `additions_head` wrote.

    Raises
    ------
    ParameterError
        If the table does not fit the scale.
    """
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or rows[0] != ["model", "family", *base.names]:
        raise ParameterError(
            f"{where}: {ADDED_FILE} must have the columns model, family, {', '.join(base.names)}"
        )
    values = [[_answers(sign) for signs in row[2:] for sign in signs] for row in rows[1:]]
    columns = [column for positions in base.columns for column in positions]
    index = pd.Index([row[0] for row in rows[1:]])
    answers: Any = pd.DataFrame(values, index=index, columns=columns).dropna(axis=1, how="all")
    families = pd.Series([row[1] for row in rows[1:]], index=index, dtype=object)
    updates = tuple(
        ScaleUpdate(**{**entry, "models": tuple(entry["models"])}) for entry in head["updates"]
    )
    return Additions(base, answers, families, updates, dict(head["contents"]))


def additions_head(additions: Additions) -> dict[str, Any]:
    """Return history and contents in the form of the folder's head file."""
    return {
        "updates": [update.record() for update in additions.updates],
        "contents": dict(additions.contents),
    }


def _answers(sign: str) -> float:
    return float(sign) if sign in "01" else np.nan

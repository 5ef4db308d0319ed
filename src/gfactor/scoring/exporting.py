"""Tables as files that spreadsheets and other programs open safely."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.escaping import spreadsheet_safe
from gfactor.items.files import check_writable, replacing

ANSWERS = ("answer", "answer_lenient", "target")
"""Columns of answers as canonical JSON."""


def as_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with every text in it, headings and index included, made
    `spreadsheet_safe`."""
    cells = frame.copy()
    for index, name in enumerate(frame.columns):
        if not pd.api.types.is_numeric_dtype(frame[name]):
            cells.isetitem(index, [_cell(value) for value in frame[name]])
    cells.columns = pd.Index([_cell(name) for name in frame.columns], name=frame.columns.name)
    if not pd.api.types.is_numeric_dtype(frame.index):
        cells.index = pd.Index([_cell(name) for name in frame.index], name=frame.index.name)
    return cells


def write_csv(frame: pd.DataFrame, path: Path, *, index: bool = False) -> None:
    """Write a table as CSV in one step, with its texts made safe by `as_cells`.

    Raises ParameterError if the path cannot be written.
    """
    check_writable(path)
    with replacing(path) as temporary:
        as_cells(frame).to_csv(temporary, index=index, lineterminator="\n")


def write_answers(scored: pd.DataFrame, path: Path | str) -> Path:
    """Write a scored table, one row per response: CSV for reading, Parquet for computing.

    A file named *.parquet holds the replies exactly as they came, and answers as JSON. In CSV they
    are escaped and kept from being formulas (`gfactor.escaping`), and answers are plain text: B, or
    3; 1; 2 for a list.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.
    path : path
        NAME.csv or NAME.parquet.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ParameterError
        If the path has another ending or cannot be written.

    Examples
    --------
    >>> from gfactor.scoring import scored, write_answers
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> write_answers(table, "answers.csv").name
    'answers.csv'
    """
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise ParameterError(f"answers are written to NAME.csv or NAME.parquet, not {path.name!r}")
    if path.suffix == ".csv":
        answers = [name for name in ANSWERS if name in scored]
        write_csv(scored.assign(**{name: scored[name].map(_plain) for name in answers}), path)
        return path
    check_writable(path)
    with replacing(path) as temporary:
        scored.to_parquet(temporary, index=False)
    return path


def _plain(answer: Any) -> Any:
    """Return an answer without the signs of JSON; text that is not JSON is returned unchanged.

    Examples
    --------
    >>> _plain('"B"'), _plain("[3, 1, 2]"), _plain("12"), _plain("[]")
    ('B', '3; 1; 2', '12', '[]')
    """
    if not isinstance(answer, str):
        return answer
    try:
        value = json.loads(answer)
    except ValueError:
        return answer
    if isinstance(value, list) and value:
        return "; ".join(str(one) if isinstance(one, str | int) else json.dumps(one)
                         for one in value)  # fmt: skip
    return value if isinstance(value, str) else answer


def _cell(value: Any) -> Any:
    if isinstance(value, tuple | list):
        value = "; ".join(map(str, value))
    return spreadsheet_safe(value) if isinstance(value, str) else value

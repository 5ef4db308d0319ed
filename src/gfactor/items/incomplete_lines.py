"""Lines of a text table that end before the header does: their last cells are missing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from gfactor.listing import first_few


def short_lines(text: str, separator: str) -> Iterator[tuple[int, int]]:
    """Yield the number and the cells of each line that has fewer cells than the header.

    Parameters
    ----------
    text : str
        The table with its header.
    separator : str
        The sign between cells.

    Yields
    ------
    tuple of int and int
        Number of the line in the file, from 1, where the row ends, and number of its cells. Empty
        lines do not count as rows.

    Examples
    --------
    >>> list(short_lines("id,a,b\\np1,1,0\\np2,1\\n", ","))
    [(3, 2)]
    """
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    wanted = len(next(rows, []))
    for row in rows:
        if row and len(row) < wanted:
            yield rows.line_num, len(row)


def short_lines_note(text: str, separator: str, columns: int) -> str:
    """Return the note that names the short lines of a table; "" if there are none.

    Examples
    --------
    >>> short_lines_note("id,a,b\\np1,1,0\\np2,1\\n", ",", 3)
    'fewer than 3 cells in line 3 (2 cells); the cells that it lacks are taken as missing'
    """
    try:
        short = list(short_lines(text, separator))
    except csv.Error:
        return ""  # Python's csv module does not read cells this long: nothing is known.
    if not short:
        return ""
    listed = first_few(f"{line} ({cells} cell{'s' * (cells > 1)})" for line, cells in short)
    lines, lack = ("lines", "they lack") if len(short) > 1 else ("line", "it lacks")
    return (
        f"fewer than {columns} cells in {lines} {listed}; the cells that {lack} are taken as "
        "missing"
    )

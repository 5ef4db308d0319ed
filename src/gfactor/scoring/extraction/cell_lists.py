"""Cells of a grid in a list with a remark on each: "- (1,1): a circle instead of a square".

A list may also compare all cells of two grids, so that an entry which calls its cell the same in
both, or a heading with a denial, makes the list no answer.
"""

from __future__ import annotations

import re

from gfactor.items import Atom, OutputFormat
from gfactor.scoring.extraction.cleaning import BULLET
from gfactor.scoring.extraction.lexicons import lexicon, shaped
from gfactor.scoring.extraction.markers import expressions
from gfactor.scoring.extraction.regions import Reading
from gfactor.scoring.extraction.signs import ABOUT, CROSSES, DASHES, TICKS

NO_DIFFERENCE = re.compile(expressions("no_difference"), re.IGNORECASE)
"""Words which say that a cell is the same in both grids."""
_DOUBT = f"[?~{ABOUT}{TICKS}{CROSSES}]"
_OPEN = re.compile(
    rf"{expressions('not_these')}|{expressions('or_answer')}|{_DOUBT}", re.IGNORECASE
)
_BEFORE = r"\s*(?:\d{1,2}[.)]\s+)?(?:[^\W\d_]{1,9}\s+)?"
_REMARK = re.compile(rf"\s*(?:[.;,]?\s*|[:,;({DASHES}-].*)")


def listed_cells(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Return the cells with which the last lines begin, two or more, over the span of these lines.

    Parameters
    ----------
    raw: the reply.
    text: the same without formatting, of the same length.
    fmt: a format whose answer is a set or a list of cells.
    """
    if len(fmt.labels) > 1 or fmt.answer_type not in ("list", "set") or fmt.atom != "cell":
        return None
    words = lexicon(fmt)
    atoms: list[Atom] = []
    begin = end = len(text.rstrip())
    above = ""
    while begin > 0:
        start = text.rfind("\n", 0, begin) + 1
        line = text[start:begin]
        if line.strip():
            lead = re.match(_BEFORE, line)
            cell = words.atom.match(line, lead.end() if lead else 0)
            if cell is None or not _is_entry(raw[start:begin], line[cell.end() :], fmt):
                above = line
                break
            atoms.insert(0, words.value(cell[0]))
        begin = max(start - 1, 0)
    is_heading = not above or re.search(r"[:*#]\s*$|^\s*#", raw[: begin + 1].rstrip("\n"))
    doubted = _OPEN.search(above) or NO_DIFFERENCE.search(above) or words.suspect.search(above)
    if len(atoms) < 2 or not is_heading or doubted:
        return None
    return Reading(shaped(atoms, fmt), (begin, end))


def _is_entry(raw: str, rest: str, fmt: OutputFormat) -> bool:
    """Return True if a line is one entry: a cell alone, or in a list with a remark on it."""
    if not rest.strip(" .,;"):
        return True
    return bool(
        BULLET.match(raw)
        and _REMARK.fullmatch(rest)
        and not NO_DIFFERENCE.search(rest)
        and not re.search(_DOUBT, rest)
        and not lexicon(fmt).suspect.search(rest)
    )

"""Strict reading by Percept-V's rule: the last line of a reply that is in the format as a whole.
Spaces at the line's ends do not count, nor does Markdown around the whole line: a code fence,
emphasis as in `**COUNT:7**`, or code marks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gfactor.items import OutputFormat
from gfactor.scoring.extraction.lexicons import exact_atoms, shaped
from gfactor.scoring.extraction.result import NOTHING, Extraction


def strict(reply: str, fmt: OutputFormat) -> Extraction:
    """Read the answer by the benchmark's rule: the last line that matches the format as a whole.

    Parameters
    ----------
    reply : str
        The raw text.
    fmt : OutputFormat
        The format in which the answer was to be given.

    Returns
    -------
    Extraction
        Answer that was read; `has_answer` is False if no line is in the format.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import strict
    >>> strict("COUNT:3", counting).answer, strict("The count is 3.", counting).has_answer
    (3, False)
    """
    return _last_conforming(reply, fmt)


@lru_cache(maxsize=64)
def _last_conforming(reply: str, fmt: OutputFormat) -> Extraction:
    """Read the last conforming line; the result is stored, because several rules read the same
    reply."""
    end = len(reply)
    for line in reversed(reply.splitlines(keepends=True)):
        start = end - len(line)
        bare = line.strip()
        match = fmt.pattern.fullmatch(bare) or _dressed(bare, fmt)
        if match:
            extraction = _conforming(match, fmt, (start, end))
            if extraction is not None:
                return extraction
        end = start
    return NOTHING


def _dressed(line: str, fmt: OutputFormat) -> re.Match[str] | None:
    """Match a line without the emphasis or the code marks around the whole line. Like a code fence
    above and below, they are only typesetting.
    """
    dressed = _DRESSED.fullmatch(line)
    return fmt.pattern.fullmatch(dressed[2]) if dressed else None


_DRESSED = re.compile(r"(\*{1,3}|_{1,3}|`)([^*_`\n]+)\1")


def _conforming(
    match: re.Match[str], fmt: OutputFormat, span: tuple[int, int]
) -> Extraction | None:
    """Read a conforming line; return None if a number in it is too long to be meant."""
    if fmt.none and match["none"] is not None:
        return Extraction(None, True, "strict", "format", span)
    parts = max(1, len(fmt.labels)) if fmt.answer_type == "tuple" else 1
    read = [exact_atoms(match[k + 1], fmt) for k in range(parts)]
    atoms = [atom for part in read if part for atom in part]
    if None in read:
        return None
    return Extraction(shaped(atoms, fmt), True, "strict", "format", span)


def is_contradicted(reply: str, exact: Extraction, fmt: OutputFormat) -> bool:
    """Return True if the line above the answer also has the output format, with another answer."""
    if exact.span is None or (fmt.answer_type in ("list", "set") and not fmt.labels):
        return False
    above = reply[: exact.span[0]].rstrip()
    line = above[above.rfind("\n") + 1 :]
    other = strict(line, fmt)
    return other.has_answer and other.answer != exact.answer

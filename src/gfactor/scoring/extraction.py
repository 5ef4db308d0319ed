"""Reading the answer in a reply: strictly, as the benchmark demands, and leniently beside it.

Strict reading is Percept-V's rule: the last line that matches the output format as a whole (spaces
at its ends ignored) holds the answer; a reply without such a line is a format error.

Lenient reading shows how much of a score is format. It contains strict reading: what that finds is
final, but for two cases. Two lines in the format, one right below the other, that differ are a
contradiction and no answer; a line that is one part of a list with a line for each part is read
with the others. Else it clears away markdown, code fences, quotes, tags, LaTeX and bullets,
ignores case, and looks at one place after the other:

    label      behind the last label and its colon, also on the line below; several labels in any
               order, if their last occurrences are one full set;
    box        in the last \\boxed{...};
    cue        behind "answer is", "result:" and the like in the last line;
    statement  in a last line that is a sentence: "There are 5 in total", "6 nodes and 9 edges",
               "Yes, it is", "The colors present are red and tan" (a set), where it holds no other
               number or word that could be meant;
    lines      the last lines, where each is one word or cell of a list or set, and nothing else;
    last line  the whole last line, nothing but the answer.

There it accepts commas, semicolons, spaces, arrows and "and" between parts, spaces and any
brackets in cells, number words for integers, plurals, and synonyms that can mean but one word of
the format's vocabulary. It never guesses: a place that holds two candidates ("COUNT: 4 or 5"), a
part that is no part ("circle, star"), a list laid out over several lines of which only the last is
at hand, a range, a fraction, a negative or decimal number give no answer, and no other place is
searched.

`VERSION` is raised with every change that can alter a reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from gfactor.items import Answer, OutputFormat
from gfactor.scoring.lenient import is_one_line_of_many, read_leniently
from gfactor.scoring.lexicon import exact_atoms, shaped

VERSION = 5

Stage = Literal["strict", "lenient", "rules", "judge", "policy", "none"]
"""Who decided: a reading of formatted answers, the rules for options, blanks and open answers, a
judge model, the benchmark's policy; or nobody."""


@dataclass(frozen=True)
class Extraction:
    r"""What was read in a reply.

    Parameters
    ----------
    answer : Answer, optional
        The answer; None means "there is none" where `found`, and nothing otherwise.
    found : bool
        Whether an answer was read at all.
    stage : Stage
        Which reading and which of its rules decided.
    rule : str
        Which reading and which of its rules decided.
    span : tuple[int, int], optional
        Where in the reply (start and end in characters).

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import strict
    >>> found = strict("I see three.\nCOUNT:3", counting)
    >>> found.answer, found.stage
    (3, 'strict')
    """

    answer: Answer | None
    found: bool
    stage: Stage
    rule: str = ""
    span: tuple[int, int] | None = None


NOTHING = Extraction(None, False, "none")
"""No answer was read."""


def strict(reply: str, fmt: OutputFormat) -> Extraction:
    """The answer by the benchmark's rule: the last line that matches the format as a whole.

    Parameters
    ----------
    reply : str
        The raw text.
    fmt : OutputFormat
        The format in which the answer was to be given.

    Returns
    -------
    Extraction
        What was read; `found` is False where no line is in the format.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import strict
    >>> strict("COUNT:3", counting).answer, strict("The count is 3.", counting).found
    (3, False)
    """
    end = len(reply)
    for line in reversed(reply.splitlines(keepends=True)):
        start = end - len(line)
        match = fmt.pattern.fullmatch(line.strip())
        if match:
            found = _conforming(match, fmt, (start, end))
            if found is not None:
                return found
        end = start
    return NOTHING


def _conforming(
    match: re.Match[str], fmt: OutputFormat, span: tuple[int, int]
) -> Extraction | None:
    """What a conforming line says; None where a number in it is too long to be meant."""
    if fmt.none and match["none"] is not None:
        return Extraction(None, True, "strict", "format", span)
    parts = max(1, len(fmt.labels)) if fmt.answer_type == "tuple" else 1
    read = [exact_atoms(match[k + 1], fmt) for k in range(parts)]
    atoms = [atom for part in read if part for atom in part]
    if None in read:
        return None
    return Extraction(shaped(atoms, fmt), True, "strict", "format", span)


def is_contradicted(reply: str, exact: Extraction, fmt: OutputFormat) -> bool:
    """Whether the line above the one that was read is in the format too, and says otherwise."""
    if exact.span is None or (fmt.answer_type in ("list", "set") and not fmt.labels):
        return False
    above = reply[: exact.span[0]].rstrip()
    line = above[above.rfind("\n") + 1 :]
    other = strict(line, fmt)
    return other.found and other.answer != exact.answer


def lenient(reply: str, fmt: OutputFormat) -> Extraction:
    """The strict answer where there is one, else what the rules of the module's docstring read.

    Two lines in the format, one right behind the other, that differ are a contradiction and no
    answer; a line that is one part of a list over several lines is read with the others.

    Parameters
    ----------
    reply : str
        The raw text.
    fmt : OutputFormat
        The format in which the answer was to be given.

    Returns
    -------
    Extraction
        What was read; `found` is False where no answer was.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import lenient
    >>> lenient("The count is 3.", counting).answer
    3
    """
    exact = strict(reply, fmt)
    if exact.found and is_contradicted(reply, exact, fmt):
        return NOTHING
    if exact.found and not is_one_line_of_many(reply, fmt):
        return exact
    found = read_leniently(reply, fmt)
    if found is None:
        return NOTHING
    rule, reading = found
    return Extraction(reading.answer, True, "lenient", rule, reading.span)

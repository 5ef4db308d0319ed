"""Reading the answer in a reply: strictly, as the benchmark demands, and leniently beside it.

Strict reading is Percept-V's rule: the last line that matches the output format as a whole (spaces
at its ends ignored) holds the answer; a reply without such a line is a format error. Markdown
around the whole line does not count: a code fence, emphasis as in `**COUNT:7**`, or code marks.
Lenient reading shows how much of a score is due to format. It includes strict reading: an answer
that this finds is final, with two exceptions. Two lines in the format, one right below the other,
that differ are a contradiction and no answer; a line that is one part of a list with a line for
each part is read with the others. Otherwise it removes markdown, code fences, quotes, tags, LaTeX
and bullets, ignores case and text between thinking marks, and searches one place after the other:

    label      behind the last label and its colon, also on the line below; several labels in any
               order, if their last occurrences are one full set;
    box        in the last \\boxed{...};
    cue        behind "answer is", "result:" and the like in the last line;
    statement  in a last line that is a sentence: "There are 5 in total", "6 nodes and 9 edges",
               "five dots above the line and three below it", "so it is in (2, 3)",
               "5 red circles" if the reply is nothing else, "Yes, it is", "The colors present are
               red and tan" (a set), if it holds no other number or word that could be meant;
    marked     in a list of the last line that is set apart: in bold, in braces, or as a chain of
    list       arrows ("Path: S -> 4 -> E"), if nothing else in it could be meant;
    listed     the cells of a list with a remark on each ("- (1,1): a circle, not a square");
    cells
    lines      the last lines, where each is one word or cell of a list or set, and nothing else;
    last line  the whole last line, nothing but the answer.

There it accepts commas, semicolons, spaces, arrows and "and" between parts, spaces and any
brackets in cells, number words for integers, plurals, and synonyms that can mean but one word of
the format's vocabulary. It never guesses: a place with two candidates ("COUNT: 4 or 5"), a word
that is not in the vocabulary ("circle, star"), a list over several lines of which only the last is
found, a range, a fraction, a negative or decimal number give no answer, and no other place is
searched.

`VERSION` is raised with every change that can alter a reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gfactor.items import Atom, OutputFormat
from gfactor.scoring.extraction.cell_lists import listed_cells
from gfactor.scoring.extraction.cleaning import BULLET, cleaned, without_thinking
from gfactor.scoring.extraction.conforming import is_contradicted, strict
from gfactor.scoring.extraction.lexicons import Lexicon, lexicon, shaped
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions
from gfactor.scoring.extraction.regions import (
    NotOneAnswerError,
    Reading,
    Region,
    last_line,
    line_end,
)
from gfactor.scoring.extraction.result import NOTHING, Extraction
from gfactor.scoring.extraction.signs import ARROW, ARROWS, DASHES, TIMES
from gfactor.scoring.extraction.statements import stated

VERSION = 9

LONGEST = 100_000
"""Number of characters at the end of a reply that are read leniently."""

_SKIP = re.compile(r"[\s(]*")
_SKIP_BEFORE_CELL = re.compile(r"\s*(?:\((?=\s*\())?")
_JOINT = re.compile(
    rf"\s*(?:(?:[,;{COMMA}]|->|=>|[{ARROWS}]|[<>]|&|{expressions('list_words')})\s*)+|\s+", re.I
)
_UNFINISHED = re.compile(rf"(?:[,;{COMMA}&]|->|{ARROW}|{expressions('unfinished_and')})\s*$", re.I)
_HEDGED = re.compile(rf"\s*(?:{expressions('or_to')}|[?+/^{TIMES}])", re.IGNORECASE)
_LIST_ENDS = re.compile(rf"[\s)]*(?:[.!{STOP}]?[\s)]*$|[.!]\s|\(|[{DASHES}])")
_CUE = expressions("cue")
_CELL_NAMES = expressions("cell_name")
_OR = re.compile(expressions("or_answer"), re.IGNORECASE)
_BOX = re.compile(r"\\(?:boxed|fbox)\s?\{")


_DOER = re.compile(rf"\b{expressions('doer')}\s+$", re.IGNORECASE)
"""Words before a label that make it a verb: "Let me count: 1, 2, 3."."""


Rule = Callable[[str, str, OutputFormat], Reading | None]


def read_leniently(reply: str, fmt: OutputFormat) -> tuple[str, Reading] | None:
    """Return the first rule that finds an answer, and its reading; None if no rule finds one."""
    offset = max(0, len(reply) - LONGEST)
    raw = without_thinking(reply)[offset:]
    text = cleaned(raw, cells=fmt.atom == "cell", numbered=fmt.atom == "word")
    try:
        for name, rule in RULES.items():
            reading = rule(raw, text, fmt)
            if reading is not None:
                start, end = reading.span
                return name, Reading(reading.answer, (start + offset, end + offset))
    except NotOneAnswerError:
        pass
    return None


def behind_the_label(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Return the part or parts after the last label (or the last full set of labels)."""
    if not fmt.labels:
        return None
    names = "|".join(rf"(?P<l{k}>{_label(name)})" for k, name in enumerate(fmt.labels))
    every = "|".join(map(_label, fmt.labels))
    words = rf"(?:\s(?!(?:{every})\b)[^\W\d_]+){{0,4}}" if len(fmt.labels) > 1 else ""
    matches = [
        m
        for m in re.finditer(rf"(?<!\w)(?:{names}){words}\s*\)?\s*(?:[:=]|->|{ARROW})", text, re.I)
        if not (m[0].islower() and _DOER.search(text, max(0, m.start() - 12), m.start()))
    ]
    if not matches:
        return None
    if len(fmt.labels) == 1:
        between = text[matches[-2].end() : matches[-1].start()] if len(matches) > 1 else ""
        if "\n" not in between and _OR.search(between):
            raise NotOneAnswerError
        reading = _read(_region(text, matches[-1].end()), fmt)
        if len(matches) > 1 and _LINE_BREAK.search(between):
            _must_agree(Region(text, matches[-2].end(), matches[-1].start()), reading, fmt)
        return reading
    return _read_labeled_parts(text, matches[-len(fmt.labels) :], fmt)


_LINE_BREAK = re.compile(r"^[^\n]*\n\s*$")
"""The text between two headings: the first one's answer and the end of its line."""


def _must_agree(above: Region, reading: Reading, fmt: OutputFormat) -> None:
    """Raise NotOneAnswerError if two successive lines with the same heading give two answers."""
    try:
        other = _read(above, fmt)
    except NotOneAnswerError:
        return
    if other.answer != reading.answer:
        raise NotOneAnswerError


def _label(name: str) -> str:
    stem = name[:-1] if name.endswith("S") else name
    return rf"{re.escape(stem)}S?"


def _read_labeled_parts(text: str, matches: list[re.Match[str]], fmt: OutputFormat) -> Reading:
    order = [int((m.lastgroup or "l0")[1:]) for m in matches]
    if sorted(order) != list(range(len(fmt.labels))):
        raise NotOneAnswerError
    ends = [m.start() for m in matches[1:]] + [_region(text, matches[-1].end()).end]
    parts: dict[int, Atom] = {}
    last = 0
    for k, match, end in zip(order, matches, ends, strict=True):
        parts[k], last = _single(Region(text, match.end(), end), lexicon(fmt))
    return Reading(tuple(parts[k] for k in range(len(parts))), (matches[0].start(), last))


def in_the_last_box(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Read the contents of the last LaTeX box."""
    boxes = list(_BOX.finditer(raw))
    if not boxes:
        return None
    depth, start = 1, boxes[-1].end()
    for end in range(start, len(raw)):
        depth += {"{": 1, "}": -1}.get(raw[end], 0)
        if depth == 0:
            return _read(Region(text, start, end), fmt)
    return None


def behind_a_cue(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Read the answer after a phrase of the last line that announces it."""
    line = last_line(text, len(text))
    cells = (_CELL_NAMES,) if fmt.atom == "cell" else ()
    words = "|".join([_CUE, *cells, *map(_label, fmt.labels if len(fmt.labels) == 1 else ())])
    cues = re.compile(
        rf"(?<!\w)(?:{words})\s*\)?\s*(?::|=|->|{ARROW}|{expressions('cue_is')})",
        re.IGNORECASE,
    )
    matches = list(cues.finditer(text, line.start, line.end))
    if not matches:
        return None
    reading = _read(Region(text, matches[-1].end(), line.end), fmt)
    above = last_line(text, line.start)
    for same in cues.finditer(text, above.start, above.end):
        heads = text[above.start : same.end()], text[line.start : matches[-1].end()]
        if heads[0].casefold().split() == heads[1].casefold().split():
            _must_agree(Region(text, same.end(), above.end), reading, fmt)
    return reading


def in_a_statement(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Read what the last line states in a sentence, see `gfactor.scoring.extraction.statements`."""
    line = last_line(text, len(text))
    if line.end - line.start > 300:
        return None
    alone = not text[: line.start].strip()
    atoms = stated(text[line.start : line.end], fmt, alone=alone)
    return Reading(shaped(atoms, fmt), (line.start, line.end)) if atoms else None


def in_a_marked_list(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Return a list that the last line sets apart: in bold, in braces, or as a chain of arrows.

    Return None if the line sets apart two lists, or contains another part of a list, a denial or an
    "or".
    """
    if fmt.answer_type == "value" or len(fmt.labels) > 1:
        return None
    line = last_line(text, len(text))
    atom = lexicon(fmt).atom.pattern
    dash = rf"|[{DASHES}]" if fmt.atom == "token" else ""
    more = rf"(?=\s*(?P<link>[<>{ARROWS}]|->|=>{dash}))(?:\s*(?P=link)\s*(?:{atom}))"
    chain = re.compile(rf"(?:{atom}){more}{{2,{_LONGEST_CHAIN}}}", re.IGNORECASE)
    spans = [m.span(m.lastgroup or 0) for m in _SET_APART.finditer(raw, line.start, line.end)]
    spans += [m.span() for m in chain.finditer(text, line.start, line.end)] if not spans else []
    if len(spans) != 1 or line.end - line.start > 300:
        return None
    (start, end), words = spans[0], lexicon(fmt)
    outside = text[line.start : start] + " " + text[end : line.end]
    if (
        not outside.strip(" \t.!*_{}()")
        or words.suspect.search(outside)
        or _NOT_THESE.search(outside)
        or _OR.search(outside)
    ):
        return None
    linked = re.sub(f"(?<=\\s)[{DASHES}](?=\\s)", ",", text) if dash else text
    reading = _read(Region(linked, start, end), fmt)
    return reading if text[reading.span[1] : end].strip(" )") == "" else None


_LONGEST_CHAIN = 200
_SET_APART = re.compile(r"(\*\*|__)(?P<inside>[^*_\n]{1,300})\1|\{(?P<inner>[^{}\n]{1,300})\}")


def over_lines(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Return a list or set of words or cells whose parts are the last lines of the reply, one part
    a line."""
    is_list = fmt.answer_type in ("list", "set") and fmt.atom in ("word", "cell")
    if len(fmt.labels) > 1 or not is_list:
        return None
    words = lexicon(fmt)
    atoms: list[Atom] = []
    line = last_line(text, len(text))
    start, last = line.start, line.end
    while line.end > line.start:
        match = words.atom.fullmatch(text[line.start : line.end].strip(" \t\r.,;"))
        if match is None:
            break
        atoms.insert(0, words.value(match[0]))
        start = line.start
        if start == 0 or text[max(0, start - 2) : start].count("\n") > 1:
            line = Region(text, 0, 0)
            break
        line = last_line(text, start)
    if len(atoms) < 2 or (fmt.length and len(atoms) != fmt.length):
        return None
    if line.end > line.start:
        above = text[line.start : line.end]
        if not above.rstrip().endswith(":") or _NOT_THESE.search(above):
            raise NotOneAnswerError
    return Reading(shaped(atoms, fmt), (start, last))


_NOT_THESE = re.compile(expressions("not_these"), re.IGNORECASE)


def is_one_line_of_many(reply: str, fmt: OutputFormat) -> bool:
    """Return True if the last line is one part of an unlabeled list with a line for each part."""
    if fmt.labels or fmt.answer_type not in ("list", "set"):
        return False
    raw = reply[max(0, len(reply) - LONGEST) :]
    text = cleaned(raw, cells=fmt.atom == "cell", numbered=fmt.atom == "word")
    try:
        return over_lines(raw, text, fmt) is not None
    except NotOneAnswerError:
        return True


def the_last_line(raw: str, text: str, fmt: OutputFormat) -> Reading | None:
    """Return the last line, if it holds only the answer."""
    line = last_line(text, len(text))
    if fmt.answer_type in ("list", "set") and _is_one_of_many(raw, text, line, fmt):
        return None
    words = lexicon(fmt)
    if words.bare and fmt.answer_type in ("value", "tuple"):
        bare = words.bare.fullmatch(text[line.start : line.end].strip(" ()."))
        if bare:
            return Reading(words.value(bare[0]), (line.start, line.end))
    reading = _read(line, fmt)
    if text[reading.span[1] : line.end].strip(" \t\r).!"):
        raise NotOneAnswerError
    return reading


def _is_one_of_many(raw: str, text: str, line: Region, fmt: OutputFormat) -> bool:
    """Return True if the last line may be only the end of a list over several lines."""
    if BULLET.match(raw, line.start):
        return True
    before = last_line(text, line.start)
    if _UNFINISHED.search(text[before.start : before.end]):
        return True
    try:
        _many(before, lexicon(fmt))
    except NotOneAnswerError:
        return False
    return True


RULES: dict[str, Rule] = {
    "label": behind_the_label,
    "box": in_the_last_box,
    "cue": behind_a_cue,
    "statement": in_a_statement,
    "marked list": in_a_marked_list,
    "listed cells": listed_cells,
    "lines": over_lines,
    "last line": the_last_line,
}
"""The rules in the order in which they are tried. A rule that finds its place but no single answer
in it ends the search: looking further would be guessing."""


def _region(text: str, start: int) -> Region:
    """The text from `start` to the end of the line, or to the end of the paragraph if the line is
    empty."""
    end = line_end(text, start)
    if not text[start:end].strip():
        rest = re.compile(r"\s*").match(text, start)
        start = rest.end() if rest else start
        gap = re.compile(r"\n[^\S\n]*\n").search(text, start)
        return Region(text, start, gap.start() if gap else len(text))
    while _UNFINISHED.search(text[start:end]) and end < len(text):
        end = line_end(text, end + 1)
    return Region(text, start, end)


def _read(region: Region, fmt: OutputFormat) -> Reading:
    """The answer that fills a region; NotOneAnswerError if there is none or more than one."""
    if fmt.none and re.fullmatch(
        rf"[\s(]*{re.escape(fmt.none)}[\s).!]*",
        region.text[region.start : region.end],
        re.IGNORECASE,
    ):
        return Reading(None, (region.start, region.end))
    words = lexicon(fmt)
    parts = len(fmt.labels) if fmt.answer_type == "tuple" else fmt.length
    if fmt.answer_type == "value" or (fmt.answer_type == "tuple" and parts <= 1):
        atom, end = _single(region, words)
        return Reading(atom, (_start(region, words), end))
    atoms, end = _many(region, words)
    if parts and len(atoms) != parts:
        raise NotOneAnswerError
    return Reading(shaped(atoms, fmt), (_start(region, words), end))


def _single(region: Region, words: Lexicon) -> tuple[Atom, int]:
    """The atom at the start of a region, if nothing after it contradicts it; and its end."""
    first = words.atom.match(region.text, _start(region, words), region.end)
    if first is None or _HEDGED.match(region.text, first.end(), region.end):
        raise NotOneAnswerError
    value = words.value(first[0])
    if any(other != value for other in _suspects(region, first.end(), words)):
        raise NotOneAnswerError
    return value, first.end()


def _many(region: Region, words: Lexicon) -> tuple[list[Atom], int]:
    """The atoms at the start of a region, if nothing follows that may belong to them."""
    atoms: list[Atom] = []
    at, end = _start(region, words), region.start
    while match := words.atom.match(region.text, at, region.end):
        atoms.append(words.value(match[0]))
        end = match.end()
        joint = _JOINT.match(region.text, end, region.end)
        at = joint.end() if joint else end
    rest_is_apart = _LIST_ENDS.match(region.text, end, region.end)
    if not atoms or not rest_is_apart or any(True for _ in _suspects(region, end, words)):
        raise NotOneAnswerError
    return atoms, end


def _start(region: Region, words: Lexicon) -> int:
    skip = _SKIP_BEFORE_CELL if words.bare else _SKIP
    match = skip.match(region.text, region.start, region.end)
    return match.end() if match else region.start


def _suspects(region: Region, start: int, words: Lexicon) -> Iterator[Atom]:
    for match in words.suspect.finditer(region.text, start, region.end):
        yield words.value(match[0])


def lenient(reply: str, fmt: OutputFormat) -> Extraction:
    """Read the strict answer if there is one, or else the answer that the lenient rules find.

    Two successive lines in the format with different answers are a contradiction and give no
    answer. A line that is part of a list over several lines is read together with the others.

    Parameters
    ----------
    reply : str
        The raw text.
    fmt : OutputFormat
        The format in which the answer was to be given.

    Returns
    -------
    Extraction
        Answer that was read; `has_answer` is False if there was none.

    Examples
    --------
    >>> from gfactor.items import OutputFormat
    >>> counting = OutputFormat("value", labels=("COUNT",))
    >>> from gfactor.scoring import lenient
    >>> lenient("The count is 3.", counting).answer
    3
    """
    exact = strict(reply, fmt)
    if exact.has_answer and is_contradicted(reply, exact, fmt):
        return NOTHING
    if exact.has_answer and not is_one_line_of_many(reply, fmt):
        return exact
    named = read_leniently(reply, fmt)
    if named is None:
        return NOTHING
    rule, reading = named
    return Extraction(reading.answer, True, "lenient", rule, reading.span)

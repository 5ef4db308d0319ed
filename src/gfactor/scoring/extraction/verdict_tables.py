"""Verdicts on all options that no line holds: letters, sides, a row of marks, a table."""

from __future__ import annotations

import re
from itertools import pairwise

from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions
from gfactor.scoring.extraction.signs import (
    ARROW,
    BULLETS,
    CROSSED_BOX,
    CROSSES,
    DASHES,
    ROUND_MARKS,
    TICKED_BOX,
    TICKS,
)

RIGHT_SIGNS = TICKS + TICKED_BOX + ROUND_MARKS
RIGHT_MARK = rf"(?:[{RIGHT_SIGNS}]|{expressions('right_mark')})"
WRONG_MARK = rf"(?:[{CROSSES}]|{expressions('wrong_mark')})"

Judged = list[tuple[str, bool]]
"""Labels with True for those called right; empty if the text is not such a list."""


def read_letters(text: str, task: ReadingTask) -> Judged:
    """Return verdicts of one letter, T or V or O against F or X: "A: T\nB: F", "(V) A (F) B"."""
    if not task.grammar.labels[0].isalpha() or len(text) > _LONGEST_TABLE:
        return []
    best: Judged = []
    for pair, (right, wrong) in _PAIRS.items():
        if {right, wrong} & set(task.grammar.labels):
            continue
        for shape in (_LETTER_BEHIND, _LETTER_BEFORE):
            matches = [m for m in shape[pair].finditer(text) if m["label"] in task.grammar.labels]
            labels = [m["label"] for m in matches]
            if len(labels) > max(1, len(best)) and len(set(labels)) == len(labels):
                best = [(m["label"], m["verdict"] == right) for m in matches]
    return best


_LONGEST_TABLE = 3000
_PAIRS = {"TF": ("T", "F"), "VF": ("V", "F"), "OX": ("O", "X"), "YN": ("Y", "N"), "SN": ("S", "N")}
_LETTER_BEHIND = {
    pair: re.compile(
        rf"(?<![A-Za-z\u00c0-\u024f])[(\[]?(?P<label>[A-Z])\s?(?:[)\].]?\s*(?:[:=|{DASHES}-]|->|{ARROW}|(?=\())|[)\].])\s*\(?"
        rf"(?P<verdict>[{pair}])\)?(?=\s*(?:[,;/.{COMMA}|\n]|$|\s[(\[]?[A-Z]\b))"
    )
    for pair in _PAIRS
}
_LETTER_BEFORE = {
    pair: re.compile(
        rf"(?:^|(?<=[\s,;]))[(\[](?P<verdict>[{pair}])[)\]]\s?[(\[]?(?P<label>[A-Z])(?![A-Za-z\u00c0-\u024f'])"
    )
    for pair in _PAIRS
}


def read_sides(text: str, task: ReadingTask) -> Judged:
    """Return the right and the wrong options, each under a heading: "True: A, C. False: B, D"."""
    sides: dict[bool, tuple[str, ...]] = {}
    matches = list(_SIDE.finditer(text[:_LONGEST_TABLE]))
    stops = [m.start() for m in matches[1:]] + [len(text)]
    for match, stop in zip(matches, stops, strict=False):
        group = task.grammar.group_at(text[match.end() : stop].rstrip(" /|"), 0)
        is_right = bool(match["right"])
        if group is None or group.outside or group.joined == "or" or is_right in sides:
            return []
        sides[is_right] = group.labels
    if len(sides) < 2 or set(sides[True]) & set(sides[False]):
        return []
    return [(label, is_right) for is_right, labels in sides.items() for label in labels]


_SIDE = re.compile(
    rf"(?:^|(?<=[\n.;,{STOP}/]))\s*[-*{BULLETS}]?\s*(?:(?P<right>{expressions('right_side')}|[{TICKS}])"
    rf"|(?:{expressions('wrong_side')}|[{CROSSES}]))\s?[:=]\s?",
    re.IGNORECASE,
)


def read_marks(text: str, task: ReadingTask) -> Judged:
    """Read a reply with only a mark, or a letter, for each option, in order."""
    marks = re.sub(rf"[\s,;{COMMA}|/]", "", text)
    if task.many and len(marks) == len(task.grammar.labels) > 1:
        for right, wrong in _PAIRS.values():
            is_row = set(marks) == {right, wrong} and len(text.split()) == len(marks)
            if is_row and not {right, wrong} & set(task.grammar.labels):
                return [(x, m == right) for x, m in zip(task.grammar.labels, marks, strict=True)]
    if len(marks) != len(task.grammar.labels) or not re.fullmatch(
        rf"[{RIGHT_SIGNS}{CROSSES}{CROSSED_BOX}]{{2,}}", marks
    ):
        return []
    return [(x, m in RIGHT_SIGNS) for x, m in zip(task.grammar.labels, marks, strict=True)]


def read_table(text: str, task: ReadingTask) -> Judged:
    """Read a table with the options side by side and a row of verdicts below them."""
    rows = [line.split("|") for line in text[:_LONGEST_TABLE].split("\n") if "|" in line]
    for heads, cells in pairwise(rows):
        names = [task.texts.whole(h) or _label_alone(h, task) for h in heads]
        first = next((k for k, name in enumerate(names) if name), None)
        if first is None or len(names) - first != len(cells[-(len(names) - first) :]):
            continue
        named = names[first:]
        matches = [_CELL.fullmatch(cell.strip()) for cell in cells[-len(named) :]]
        if len(named) < 2 or None in (*named, *matches) or len(set(named)) != len(named):
            continue
        return [(n, bool(m["right"])) for n, m in zip(named, matches, strict=True) if n and m]
    return []


def _label_alone(cell: str, task: ReadingTask) -> str | None:
    name = cell.strip().strip("().")
    return name if name in task.grammar.labels else None


_CELL = re.compile(rf"(?:(?P<right>{RIGHT_MARK}|[TVOY])|(?:{WRONG_MARK}|[FXN]))", re.IGNORECASE)

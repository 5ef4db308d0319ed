"""Answers that are read only where no other rule finds one: all options but some, and a verdict in
the paragraph of each option."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.factuality import HEDGE, last_sentence
from gfactor.scoring.extraction.markers import COMMA, LATIN, STOP, expressions, nth_named
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.verdict_tables import RIGHT_MARK, WRONG_MARK
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 200


def all_but(text: str, task: ReadingTask) -> frozenset[str]:
    """Return all labels but those that a reply of one sentence excepts: "All of them apart from C".

    Empty if the sentence denies, doubts or asks, or if it excepts nothing.
    """
    sentence = text.strip()
    is_one = len(sentence) < _LONGEST and not _SENTENCE_END.search(sentence[:-1])
    if not COMPLETE.search(sentence) or ":" in sentence:
        return frozenset()
    excepts = _EXCEPT.search(sentence) or _EXCEPT_BEHIND.search(sentence)
    if not is_one or not excepts or not _ALL.search(sentence) or sentence.endswith("?"):
        return frozenset()
    rest = _EXCEPT_BEHIND.sub(" ", _EXCEPT.sub(" ", sentence))
    if HEDGE.search(rest) or _DENIED.search(rest) or _CALLED_WRONG.search(rest):
        return frozenset()
    groups = groups_in(sentence, task)
    if any(group.outside or group.joined == "or" for group in groups):
        return frozenset()
    named = {label for group in groups for label in group.labels}
    named = named or {label for label, _, _ in task.texts.mentions(sentence)}
    named = named or _named_by_ordinal(sentence, task)
    return frozenset(task.grammar.labels) - named if named else frozenset()


def _named_by_ordinal(sentence: str, task: ReadingTask) -> set[str]:
    """Return the option that a sentence names by its place: "all but the third"."""
    by_place = list(_ORDINAL.finditer(sentence))
    number = nth_named(by_place[0]) if len(by_place) == 1 else 0
    return {task.grammar.labels[number - 1]} if 0 < number <= len(task.grammar.labels) else set()


_ORDINAL = re.compile(rf"(?<![{LATIN}])(?:{expressions('ordinal')})(?![{LATIN}])", re.IGNORECASE)


def only_one_left(text: str, task: ReadingTask) -> str | None:
    """Return the one option that a reply did not name, if its last sentence says that one is left.

    The last sentence itself names none: "The kettle is there, and so is the whisk. That leaves only
    one."
    """
    body = text.strip()
    begin = last_sentence(body)
    mentions = task.texts.mentions(body)
    spots = [(label, start) for label, start, _ in mentions]
    spots += [(label, g.start) for g in groups_in(body, task) for label in g.labels]
    match = _LEAVES_ONE.search(body, begin)
    rest = {*task.grammar.labels} - {label for label, _ in spots}
    if match is None or len(body) > 1500 or len(rest) != 1 or len(task.grammar.labels) < 3:
        return None
    is_asked = body.endswith("?")
    return None if is_asked or any(at > match.start() for _, at in spots) else min(rest)


_LEAVES_ONE = re.compile(expressions("leaves_one"), re.IGNORECASE)


def judged_paragraphs(text: str, task: ReadingTask) -> frozenset[str]:
    """Return the labels that a reply with a paragraph for each option calls right.

    Empty if an option lacks its paragraph, or if a paragraph has no verdict, two different ones, or
    a doubt. Labels may be in lower case.
    """
    heads = list(_HEAD.finditer(text))
    labels = [head["label"].upper() for head in heads]
    if len(labels) < 2 or sorted(labels) != sorted(task.grammar.labels):
        return frozenset()
    ends = [head.start() for head in heads[1:]] + [len(text)]
    right: set[str] = set()
    for head, end in zip(heads, ends, strict=True):
        body = text[head.end() : end]
        for _, start, stop in reversed(task.texts.mentions(body)):
            body = body[:start] + body[stop:]
        is_right, is_wrong = bool(_IS_RIGHT.search(body)), bool(_IS_WRONG.search(body))
        if HEDGE.search(body) or "?" in body or is_right == is_wrong:
            return frozenset()
        if is_right:
            right.add(head["label"].upper())
    return frozenset(right)


_HEAD = re.compile(r"^\s*\(?(?P<label>[A-Za-z])\s?[).:](?=\s)", re.MULTILINE)
_LEAD = rf"(?:^|[:.,;)\n{COMMA}])[\s\"']*"
_WORD_END = rf"(?![{LATIN}])"
_IS_RIGHT = re.compile(
    rf"{_LEAD}{RIGHT_MARK}{_WORD_END}|\s(?-i:O)\s*$", re.IGNORECASE | re.MULTILINE
)
_IS_WRONG = re.compile(
    rf"{_LEAD}{WRONG_MARK}{_WORD_END}|\s(?-i:X)\s*$", re.IGNORECASE | re.MULTILINE
)
_SENTENCE_END = re.compile(rf"[.!?](?=\s|$)|[{STOP}!?\n]")
_EXCEPT = re.compile(
    rf"(?<![{LATIN}]){expressions('except_for')}(?![{LATIN}])|{expressions('joined_except')}",
    re.IGNORECASE,
)
_EXCEPT_BEHIND = re.compile(expressions("except_behind"))
_ALL = re.compile(expressions("all_word"), re.IGNORECASE)
_DENIED = re.compile(expressions("all_denied"), re.IGNORECASE)
_CALLED_WRONG = re.compile(expressions("all_wrong"), re.IGNORECASE)

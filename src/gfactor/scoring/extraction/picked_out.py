"""Sentences that pick out options in a form of their own, read only where no other rule finds an
answer.

"Bird F. The crest gives it away." begins with its answer; "That is the case with the rope in
picture A and the line in picture C." spreads it over a list; "so that is the one" points back to
the only option named before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.closing import NO_ANSWER
from gfactor.scoring.extraction.contrast import RELATION
from gfactor.scoring.extraction.doubtful import is_doubtful
from gfactor.scoring.extraction.factuality import (
    HEDGE,
    NEGATION,
    SENTENCE_ENDS,
    last_sentence,
    sentences_of,
)
from gfactor.scoring.extraction.final_sentence import behind_option, find_named_picture
from gfactor.scoring.extraction.markers import COMMA, expressions, finder, phrases
from gfactor.scoring.extraction.meant import is_meant
from gfactor.scoring.extraction.refusal import COMPLETE, is_refusal
from gfactor.scoring.extraction.trailing import named_in
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 1500


def find_picked_out(text: str, task: ReadingTask) -> Claim | None:
    """Return the options that a sentence picks out; None if the reply breaks off, declines, asks or
    takes something back."""
    body = text.strip()
    if len(body) > _LONGEST or not COMPLETE.search(body) or is_refusal(body) or "?" in body:
        return None
    if finder("retraction").search(body):
        return None
    if task.many:
        return _case_list(body, task) or _each_with_article(body, task)
    return (
        _named_at_first(body, task)
        or _pointed_back(body, task)
        or _left_picture(body, task)
        or _only_picture(body, task)
    )


def _claim(labels: Iterable[str], start: int, end: int) -> Claim:
    return Claim(ReadLabels(frozenset(labels), "", start, end), HINTED, "picked out", start)


def _named_at_first(body: str, task: ReadingTask) -> Claim | None:
    """A first sentence that is a noun and a label, if the others name no other option: "Bird F.
    The crest gives it away.". The first label may head a list."""
    end = SENTENCE_ENDS.search(body)
    claim = find_named_picture(body[: end.end()], task) if end and end[0] != "\n" else None
    if end is None or claim is None or claim.value.labels == {task.grammar.labels[0]}:
        return None
    rest = body[end.end() :]
    if task.grammar.is_name(body, claim.value.start) or named_in(rest, task) - claim.value.labels:
        return None
    is_open = HEDGE.search(rest) or finder("correction").search(rest) or NEGATION.search(rest)
    return None if is_open else claim


def _pointed_back(body: str, task: ReadingTask) -> Claim | None:
    """The only option that a reply names by its text, if its last sentence points back to it."""
    match = _points_back().search(body, last_sentence(body))
    mentions = task.texts.mentions(body)
    if match is None or groups_in(body, task) or len({label for label, *_ in mentions}) != 1:
        return None
    label, start, end = mentions[-1]
    is_before = end <= match.start() and all(is_meant(body, *m[1:]) for m in mentions)
    if not is_before or is_doubtful(body[match.start() :], sentences_of(body)):
        return None
    return _claim((label,), start, end)


@cache
def _points_back() -> re.Pattern[str]:
    return re.compile(expressions("points_back"), re.IGNORECASE)


def _left_picture(body: str, task: ReadingTask) -> Claim | None:
    """The picture at the end of the last sentence, if all the others were named before, limited or
    denied: "A has only wax, B and D are empty. The brood is in picture C."."""
    labels = task.grammar.labels
    begin = last_sentence(body)
    groups = groups_in(body, task)
    inside = [g for g in groups if g.start >= begin]
    before = [label for g in groups if g.start < begin for label in g.labels]
    if task.texts.anywhere is not None or len(labels) < 3 or len(inside) != 1:
        return None
    group = inside[0]
    is_last = not body[group.end :].strip(" .!)") and sorted({*before, *group.labels}) == sorted(
        labels
    )
    lead = _at_end().search(body, begin, group.start)
    limits = finder("only").search(body, 0, begin) or NEGATION.search(body, 0, begin)
    if len(group.labels) != 1 or {*group.labels} & {*before} or not is_last or not lead:
        return None
    if not limits or is_doubtful(body[begin : group.start], sentences_of(body)):
        return None
    return _claim(group.labels, group.start, group.end)


@cache
def _at_end() -> re.Pattern[str]:
    """Match "are in picture", the copula and the noun before a label that ends a sentence."""
    return re.compile(
        rf"(?:{expressions('says_which')}|{expressions('is_placed')}\s)(?:{expressions('last_article')}\s)+{phrases('option')}\s?$",
        re.IGNORECASE,
    )


def _only_picture(body: str, task: ReadingTask) -> Claim | None:
    """The only picture that a reply names, as the subject of its last sentence, if the others are
    counted before: "Three of them have one spout. The one in picture C has two."."""
    begin = last_sentence(body)
    groups = groups_in(body, task)
    if task.texts.anywhere is not None or len(groups) != 1 or groups[0].start < begin:
        return None
    group = groups[0]
    before, predicate = body[begin : group.start], body[group.end :]
    is_noun = behind_option().search(f" {before.lstrip()}")
    is_subject = is_noun and len(before.split()) <= _MOST_WORDS
    if len(group.labels) != 1 or group.labels == task.grammar.labels[:1] or not is_subject:
        return None
    is_told = re.search(r"\w", predicate) and _counted().search(body, 0, begin)
    is_open = RELATION.search(predicate) or NO_ANSWER.search(body, begin)
    if not is_told or is_open or is_doubtful(body[begin:], sentences_of(body)):
        return None
    return _claim(group.labels, group.start, group.end)


_MOST_WORDS = 5
"""Largest number of words before the label in a subject: "the one in picture"."""


@cache
def _counted() -> re.Pattern[str]:
    return re.compile(rf"{phrases('others')}|{expressions('some_of_them')}", re.IGNORECASE)


def _case_list(body: str, task: ReadingTask) -> Claim | None:
    """The pictures of a list with what each of them shows, for which a condition holds: "That is
    the case with the rope in picture A and the line in picture C."."""
    groups = groups_in(body, task)
    match = _is_case().search(body)
    if match is None or task.texts.anywhere is not None or not groups:
        return None
    end = SENTENCE_ENDS.search(body, match.end())
    stop = end.end() if end else len(body)
    labels = frozenset(label for g in groups for label in g.labels)
    is_list = 1 < len(labels) == sum(len(g.labels) for g in groups) < len(task.grammar.labels)
    is_inside = all(match.end() <= g.start < stop for g in groups)
    if not is_list or not is_inside or any(g.outside or g.joined == "or" for g in groups):
        return None
    if is_doubtful(body[match.start() : stop], sentences_of(body)):
        return None
    between = (body[a.end : b.start] for a, b in pairwise(groups))
    if not all(_goes_on().match(words) for words in between):
        return None
    return _claim(labels, groups[0].start, groups[-1].end)


def _each_with_article(body: str, task: ReadingTask) -> Claim | None:
    """The labels that end a reply of one sentence, each with its article: "you see it in B and in
    D"."""
    groups = groups_in(body, task)
    labels = frozenset(label for g in groups for label in g.labels)
    if last_sentence(body) or not 1 < len(labels) < len(task.grammar.labels):
        return None
    if any(g.outside or g.joined == "or" for g in groups) or body[groups[-1].end :].strip(" .!)"):
        return None
    before = body[: groups[0].start]
    if NO_ANSWER.search(before) or is_doubtful(before, sentences_of(body)):
        return None
    if not all(_and_article().fullmatch(body[a.end : b.start]) for a, b in pairwise(groups)):
        return None
    return _claim(labels, groups[0].start, groups[-1].end)


@cache
def _and_article() -> re.Pattern[str]:
    return re.compile(
        rf"\s?(?:[,{COMMA}]|{phrases('both')})\s(?:{expressions('last_article')}\s)+"
        rf"(?:{phrases('option')}\s)?",
        re.IGNORECASE,
    )


@cache
def _is_case() -> re.Pattern[str]:
    return re.compile(expressions("is_case"), re.IGNORECASE)


@cache
def _goes_on() -> re.Pattern[str]:
    """Match what leads from one entry of a list to the next."""
    return re.compile(rf"\s*(?:[,{COMMA}]|{phrases('both')})")

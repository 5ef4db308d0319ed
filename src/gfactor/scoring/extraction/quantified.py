"""Claims about all options but some: "all of the above", "all except B", "all but C are wrong"."""

from __future__ import annotations

import re
from functools import cache

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import STATED, Claim
from gfactor.scoring.extraction.factuality import Sentences, sentences_of
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    expressions,
    finder,
    joined,
    phrases,
)
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.verdicts import groups_in


def find_quantified(text: str, task: ReadingTask) -> list[Claim]:
    """Read a statement about all options with exceptions; the answer is the rest or the
    exceptions."""
    sentences = sentences_of(text)
    claims: list[Claim] = []
    everything = frozenset(task.grammar.labels)
    for match in list(finder("every").finditer(text))[-20:]:
        before = sentences.clause_before(match.start())
        unreal = finder("unreal").search(before) or finder("none").search(before)
        if unreal or sentences.is_asked(match.end()):
            continue
        except_for, end = _exceptions(text, match.start(), match.end(), task)
        if except_for is None or (not except_for and _is_limited_later(text, end, task)):
            continue
        labels = everything - except_for
        predicate = re.compile(r"\s*").match(text, end)
        position = predicate.end() if predicate else end
        if except_for and finder("wrong").match(text, position):
            labels = except_for
        elif end != match.end() and not (
            _ENDS.match(text, position)
            or finder("right").match(text, position)
            or _PREDICATE.search(match[0])
        ):
            continue
        if task.many or len(labels) == 1:
            claims.append(
                Claim(ReadLabels(labels, "", match.start(), end), STATED, "all", match.start())
            )
    told = {claim.end for claim in claims}
    return claims + [c for c in _find_exceptions(text, task) if c.end not in told]


def find_rest(text: str, wrong: dict[str, int], task: ReadingTask) -> list[Claim]:
    """Return all options except those called wrong before: "B and D are wrong, the rest are
    right"."""
    match = _REST.search(text)
    refused = frozenset(label for label, at in wrong.items() if match and at < match.start())
    labels = frozenset(task.grammar.labels) - refused
    if match is None or not refused or not labels or sentences_of(text).is_asked(match.end()):
        return []
    return [Claim(ReadLabels(labels, "", *match.span()), STATED, "all", match.start())]


def find_only_right(text: str, wrong: dict[str, int], task: ReadingTask) -> list[Claim]:
    """Return the labels before a statement that the others are wrong: "(B) & (C) - the remaining
    ones are wrong"."""
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for match in [*_others_wrong().finditer(text)][-20:]:
        before = sentences.sentence_before(match.start())
        begin = match.start() - len(before)
        groups = groups_in(before, task)
        if (
            not before
            or len(groups) != 1
            or groups[0].outside
            or groups[0].joined == "or"
            or set(groups[0].labels) & set(wrong)
            or (len(groups[0].labels) > 1 and not task.many)
            or _DENIED.search(before)
            or _OPEN.search(before)
            or sentences.is_asked(match.end())
        ):
            continue
        span = begin + groups[0].start, match.end()
        claims.append(
            Claim(ReadLabels(frozenset(groups[0].labels), "", *span), STATED, "all", span[0])
        )
    return claims


@cache
def _others_wrong() -> re.Pattern[str]:
    return re.compile(rf"{phrases('others')}\s*(?:{phrases('wrong')})")


_REST = re.compile(expressions("rest_right"), re.IGNORECASE)


def _find_exceptions(text: str, task: ReadingTask) -> list[Claim]:
    """Sentences with an exception: "all are wrong except B", "apart from D, none fits".

    If the others are denied, the excepted labels are the answer; if they are affirmed, the others
    are. A sentence that says both, or neither, gives no claim.
    """
    sentences = sentences_of(text)
    claims: list[Claim] = []
    for match in [*_EXCEPT.finditer(text)][-20:]:
        group = task.grammar.group_at(text, match.end())
        if group is None or group.outside or group.joined == "or":
            continue
        start, end = match.start(), group.end
        behind = _AFTERWARDS.match(text, end)
        claims += _of_exception(
            text, group, start, behind.end() if behind else end, task, sentences
        )
    for match in [*_AFTERWARDS.finditer(text)][-20:]:
        before = [g for g in _groups_before(text, match.start(), task)]
        if before:
            claims += _of_exception(
                text, before[-1], before[-1].start, match.end(), task, sentences
            )
    return claims


def _is_limited_later(text: str, start: int, task: ReadingTask) -> bool:
    """Return True if an exception follows in the same sentence: "All of them apply except C"."""
    stop = _SENTENCE_END.search(text, start)
    matches = _EXCEPT.finditer(text[: stop.start() if stop else len(text)], start)
    return any(task.grammar.group_at(text, match.end()) for match in matches)


_UNIT = " " + joined("unit_chars")


def _groups_before(text: str, stop: int, task: ReadingTask) -> list[LabelGroup]:
    begin = max(0, stop - 40)
    groups = (
        task.grammar.group_at(text, m.start())
        for m in task.grammar.mention.finditer(text, begin, stop)
    )
    return sorted(
        (g for g in groups if g and not g.outside and not text[g.end : stop].strip(_UNIT)),
        key=lambda g: -g.start,
    )


def _of_exception(
    text: str, group: LabelGroup, start: int, end: int, task: ReadingTask, sentences: Sentences
) -> list[Claim]:
    before = sentences.sentence_before(start)
    stop = _SENTENCE_END.search(text, end)
    behind = text[end : stop.end() if stop else len(text)]
    rest = f"{before} \n{behind}"
    if (
        sentences.is_asked(end)
        or _OPEN.search(rest)
        or not _QUANTIFIED.search(rest)
        or any(not g.outside for g in _labels_in(behind, task))
    ):
        return []
    is_wrong = bool(_WRONG.search(rest))
    denied = bool(_DENIED.search(rest))
    is_right = bool(_RIGHT.search(rest))
    labels = frozenset(group.labels)
    if (is_wrong and denied) or (is_wrong and is_right):
        return []
    if is_wrong or (denied and (is_right or _NONE.search(rest))):
        named = labels
    elif (is_right and not denied) or (task.many and not re.search(r"\w", _FILL.sub("", rest))):
        named = frozenset(task.grammar.labels) - labels
    else:
        return []
    if not named or (len(named) > 1 and not task.many):
        return []
    return [Claim(ReadLabels(named, "", start, end), STATED, "all", start)]


def _labels_in(text: str, task: ReadingTask) -> list[LabelGroup]:
    groups = (task.grammar.group_at(text, m.start()) for m in task.grammar.mention.finditer(text))
    return [g for g in groups if g]


_SENTENCE_END = re.compile(rf"[.!?](?=\s|$)|[{STOP}!?\n]")
_EXCEPT = Scanner(
    rf"(?:(?<![{LATIN}]){expressions('except_for')}\s+(?:{expressions('except_article')}\s+)?"
    rf"(?:{expressions('except_noun')}\s+)?|{expressions('joined_except')})",
    flags=re.IGNORECASE,
)
_AFTERWARDS = Scanner(expressions("except_behind"))
_QUANTIFIED = lazy_pattern(expressions("quantified"), re.IGNORECASE)
_FILL = lazy_pattern(rf"{_QUANTIFIED.pattern}|{expressions('filling')}", re.IGNORECASE)
_NONE = re.compile(expressions("none_of"), re.IGNORECASE)
_WRONG = re.compile(expressions("all_wrong"), re.IGNORECASE)
_RIGHT = re.compile(expressions("all_right"), re.IGNORECASE)
_DENIED = re.compile(expressions("all_denied"), re.IGNORECASE)
_OPEN = re.compile(expressions("all_open"), re.IGNORECASE)
_ENDS = re.compile(rf"[.,;:!)\n{STOP}{COMMA}]|$")
_PREDICATE = re.compile(expressions("right_stem"))


def _exceptions(
    text: str, start: int, end: int, task: ReadingTask
) -> tuple[frozenset[str] | None, int]:
    """The labels excepted before or after "all"; None if an exception cannot be read."""
    behind = _excluding().match(text, end)
    if behind:
        group = task.grammar.group_at(text, behind.end())
        return (frozenset(group.labels), group.end) if group else (None, end)
    before = text[max(0, start - 30) : start]
    for match in task.grammar.mention.finditer(before):
        group = task.grammar.group_at(before, match.start())
        if group and _is_excluded(before, group):
            return frozenset(group.labels), end
        if group:
            return None, end
    return frozenset(), end


@cache
def _excluding() -> re.Pattern[str]:
    article = rf"(?:{expressions('the')}|{expressions('elided')})\s*"
    option = rf"(?:{article})?(?:{phrases('option')})?"
    return re.compile(rf"\s*{expressions('are_right')}?,?\s*{phrases('excluding')}\s*{option}\s*")


def _is_excluded(before: str, group: LabelGroup) -> bool:
    """Return True if a group before "all" is excepted: "except B,"."""
    behind = re.match(
        rf"\s*{expressions('excluded_unit')}?\s*{phrases('excluding_after')}{expressions('excluded_end')}?",
        before[group.end :],
    )
    in_front = re.search(
        rf"{phrases('excluding')}\s*(?:{phrases('option')})?\s*$", before[: group.start]
    )
    return bool(behind or in_front)

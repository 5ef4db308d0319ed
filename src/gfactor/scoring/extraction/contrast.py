"""Contrasts: statements about some options that are denied for the others, or limited to some. "A
and C are greenhouse gases; B is not." answers A and C, because denying the predicate for B shows
that it is the one in question. "Only B is left." answers B. If an item has several right options, a
reply that is one sentence about several options ("Both B and D dissolve the salt.") is a list of
them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from functools import cache

from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.factuality import NEGATION, REJECTED, sentences_of
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import STOP, each, expressions, finder, group_named, phrases
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.values import at, skip_fillers
from gfactor.scoring.extraction.verdicts import groups_in

_MOST = 300
_LONGEST = 300
_SENTENCE = re.compile(rf"[^.!?{STOP}\n]{{2,300}}(?:\.\d[^.!?{STOP}\n]{{0,100}})?[.!{STOP}\n]?")
_WORDS = re.compile(r"[^\W\d_]{2}")
RELATION = re.compile(expressions("relation"), re.IGNORECASE)
"""Predicates that relate the options to one another and so give no answer."""


def find_contrast(text: str, task: ReadingTask, wrong: Mapping[str, int]) -> list[Claim]:
    """Return hints from a contrast, from "only", from the remaining options, and from a reply of
    one sentence.

    `wrong` holds the labels that the reply calls wrong.
    """
    groups = groups_in(text, task)
    claims = _contrasted(text, groups, task) + _limited(text, task)
    claims += _remaining(text, groups, wrong, task) if task.many else []
    if not claims and task.many:
        claims = _one_sentence(text, groups)
    return claims or _denied_first(text, task) or _replaced(text, task)


def _contrasted(text: str, groups: list[LabelGroup], task: ReadingTask) -> list[Claim]:
    claims: list[Claim] = []
    last = deque(groups, maxlen=_MOST)
    inside: list[LabelGroup] = []
    begin = 0
    for sentence in deque(_SENTENCE.finditer(text), maxlen=_MOST):
        before = inside
        inside = [g for g in last if sentence.start() <= g.start and g.end <= sentence.end()]
        spans = [(g.start, g.end) for g in inside]
        spans += [m.span() for m in finder("others").finditer(text, *sentence.span())]
        for start, end in spans:
            named = [g for g in inside if g.end <= start]
            first = sentence.start()
            if not named and not _WORDS.search(text, first, start):
                named, first = before, begin
            tail = tail_pattern().match(text, end)
            if tail is None:
                continue
            begun_there = [g for g in inside if g.start == start]
            if tail["asked"]:
                continue
            if tail["yes"]:
                claim = _of_last(text, sentence.start(), named, begun_there, tail.end())
            elif any(set(g.labels) & set(o.labels) for g in named for o in begun_there):
                claim = None
            elif task.many or not begun_there or _are_all(named + begun_there, task):
                claim = _of_first(text, first, named, start, tail.end())
            else:
                claim = None
            claims += [claim] if claim else []
        begin = sentence.start()
    return [c for c in claims if task.many or len(c.value.labels) == 1]


def _are_all(groups: list[LabelGroup], task: ReadingTask) -> bool:
    """Return True if the groups name every option; a predicate of one may only be described."""
    return {label for g in groups for label in g.labels} == set(task.grammar.labels)


@cache
def tail_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"\s*(?:(?P<no>{phrases('denied')})|(?P<yes>{phrases('affirmed')}))"
        rf"\s*(?:[.;!,){STOP}\n]|(?P<asked>\?)|$)"
    )


def _of_first(text: str, begin: int, named: list[LabelGroup], stop: int, end: int) -> Claim | None:
    """ "A and C are gases; B is not": the labels before, if the predicate is affirmed for just
    these."""
    if len(named) != 1 or named[0].outside or named[0].joined == "or":
        return None
    group = named[0]
    before, predicate = text[begin : group.start], text[group.end : stop]
    if not is_affirmed(before, predicate) or RELATION.search(predicate):
        return None
    return _claim(group.labels, "contrast", group.start, end)


def _of_last(
    text: str, begin: int, named: list[LabelGroup], groups: list[LabelGroup], end: int
) -> Claim | None:
    """ "B does not fit, but C does": the last label, if the predicate is denied for those
    before."""
    if len(groups) != 1 or groups[0].outside or groups[0].joined == "or":
        return None
    before = text[(named[-1].end if named else begin) : groups[0].start]
    denied = NEGATION.search(before) or finder("none").search(before)
    if not denied or any(set(g.labels) & set(groups[0].labels) for g in named):
        return None
    return _claim(groups[0].labels, "contrast", groups[0].start, end)


def is_affirmed(before: str, predicate: str) -> bool:
    """Return True if a predicate is affirmed for a subject at the beginning of its sentence."""
    return bool(
        _WORDS.search(predicate)
        and not NEGATION.search(predicate)
        and not REJECTED.search(predicate)
        and not finder("unreal").search(before + predicate)
        and not finder("wrong").match(predicate.lstrip())
        and _subject().fullmatch(before)
    )


@cache
def _subject() -> re.Pattern[str]:
    """Return what may stand before the labels a sentence begins with."""
    return re.compile(
        rf"\s*(?:[^,:;]{{0,60}}[,:]\s*)?(?:(?:{phrases('conclusion')}|{phrases('only')}"
        rf"|{phrases('option')}|(?i:{expressions('all_before')}))\s*,?\s*){{0,4}}"
    )


def _limited(text: str, task: ReadingTask) -> list[Claim]:
    """Return the labels after "only", as in "Only B is left", unless something denies them."""
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for match in deque(finder("only").finditer(text), maxlen=_MOST):
        inside = _ONLY_IN.match(text, match.end())
        start = skip_fillers(text, inside.end() if inside else match.end())
        group = task.grammar.group_at(text, start) or _behind_noun(text, start, task)
        if group is None or group.outside or group.joined == "or":
            continue
        several = len(group.labels) > 1
        rest = re.compile(rf"[^.;!?,{STOP}\n]{{0,120}}").match(text, group.end)
        predicate = rest[0] if rest else ""
        if (
            (several and (not task.many or RELATION.search(predicate)))
            or not (
                _WORDS.search(predicate)
                or _others_denied(text, match.start(), group.end)
                or _MET_BY.search(sentences.clause_before(match.start()))
                or (inside and len(inside[0].split()) > 1)
            )
            or NEGATION.search(predicate)
            or finder("wrong").match(predicate.lstrip())
            or finder("unreal").search(sentences.clause_before(match.start()) + predicate)
            or sentences.is_asked(group.end)
        ):
            continue
        claims.append(_claim(group.labels, "only", match.start(), group.end))
    return claims


def _behind_noun(text: str, start: int, task: ReadingTask) -> LabelGroup | None:
    """Return the label behind a noun of which nothing is known, if it is no name: "swatch E"."""
    noun = _NOUN.match(text, start)
    group = task.grammar.group_at(text, noun.end()) if noun else None
    if group is None or task.texts.anywhere is not None:
        return None
    is_plain = len(group.labels) == 1 and not task.grammar.is_name(text, group.start)
    return group if is_plain and group.labels != task.grammar.labels[:1] else None


_NOUN = re.compile(rf"{expressions('elided')}?[^\W\d_]{{3,20}}\s(?=[(\[]?[A-Z][)\]]?\s)")


def _denied_first(text: str, task: ReadingTask) -> list[Claim]:
    """Return the claim of a reply that is only "not A, B" or "B, not A"."""
    match = _NOT_BUT.fullmatch(text.strip())
    if match is None or task.many:
        return []
    which = next(k for k, text in match.groupdict().items() if text and k.startswith("yes"))
    no = group_named(match, "no")
    if match[which] == no or not {match[which], no} <= set(task.grammar.labels):
        return []
    start = text.index(text.strip()) + match.start(which)
    return [_claim((match[which],), "contrast", start, start + 1)]


def _replaced(text: str, task: ReadingTask) -> list[Claim]:
    """Return claims for options that replace a denied one: "it is not A but C, as ..."."""
    if task.many:
        return []
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for match in deque(_INSTEAD.finditer(text), maxlen=_MOST):
        denied = at(text, skip_fillers(text, match.end()), task)
        but = _BUT.match(text, denied.end) if denied else None
        value = at(text, skip_fillers(text, but.end()), task) if but else None
        if (
            denied is None
            or value is None
            or value.trouble
            or denied.labels & value.labels
            or not _CLAUSE_ENDS.match(text, value.end)
            or finder("unreal").search(sentences.clause_before(match.start()))
            or sentences.is_asked(value.end)
        ):
            continue
        claims.append(Claim(value, HINTED, "contrast", match.start()))
    return claims


_INSTEAD = Scanner(
    rf"{expressions('instead')}(?!\s?{expressions('not_only')})", flags=re.IGNORECASE
)
_BUT = re.compile(rf"\s?,?\s?{expressions('but_rather')}", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(rf"\s*(?:[.,;:!{STOP}\n(]|$|{expressions('because_clause')})")


_ONE = rf"{expressions('article_spaced')}?{expressions('one_option')}?[(\[]?"
_ONLY_IN = re.compile(rf"\s{expressions('only_in')}(?=\s)", re.IGNORECASE)
_MET_BY = re.compile(rf"{expressions('met_by')}\s*$", re.IGNORECASE)
"""Before "only", that the options after it meet the conditions: "The rules are satisfied"."""
_NOT_BUT = re.compile(
    rf"(?:(?i:{expressions('not_label')})\s?{_ONE}(?P<no>[A-Z])[)\]]?\s?"
    rf"(?:[,.;{STOP}]|{expressions('but_mark')})\s?(?i:{expressions('but_label')})?"
    rf"{_ONE}(?P<yes>[A-Z])[)\]]?[.{STOP}!]?"
    rf"|{expressions('label_for_label')})"
)


def _others_denied(text: str, start: int, end: int) -> bool:
    """Return True if a reply that begins with "only A and C" then denies the others, or ends."""
    rest = re.compile(rf"\s*[;,.{STOP}]?\s*").match(text, end)
    behind = text[rest.end() if rest else end :][:200]
    begins = not re.search(r"\w", text[:start])
    return begins and (not behind.strip() or bool(NEGATION.search(behind)))


def _remaining(
    text: str, groups: list[LabelGroup], wrong: Mapping[str, int], task: ReadingTask
) -> list[Claim]:
    """ "B and D are out, so A and C remain": the rest, if all others are called wrong."""
    claims: list[Claim] = []
    for group in deque(groups, maxlen=_MOST):
        rest = set(task.grammar.labels) - set(wrong)
        if not wrong or set(group.labels) != rest or group.joined == "or":
            continue
        before, behind = text[max(0, group.start - 25) : group.start], text[group.end :][:25]
        if _LEFT_BEFORE.search(before) or _LEFT_BEHIND.match(behind):
            claims.append(_claim(group.labels, "remaining", group.start, group.end))
    return claims


_LEFT_BEFORE = re.compile(rf"{expressions('left_before')}$", re.IGNORECASE)
_LEFT_BEHIND = re.compile(rf"\s*{expressions('left_behind')}", re.IGNORECASE)


_ENDINGS = tuple(end for (ends,) in each("ends_sentence") for end in ends.split("|"))


def _one_sentence(text: str, groups: list[LabelGroup]) -> list[Claim]:
    """The subject of a reply that is one sentence about several options."""
    body = text.strip()
    groups = [g for g in groups if not _rejected().search(text[max(0, g.start - 40) : g.start])]
    if len(groups) != 1 or len(body) > _LONGEST or not _SENTENCE.fullmatch(body):
        return []
    group = groups[0]
    predicate = text[group.end :].rstrip()
    ends = predicate.endswith((".", "!", *STOP, *_ENDINGS))
    if len(group.labels) < 2 or group.outside or group.joined == "or" or not ends:
        return []
    if RELATION.search(predicate) or not is_affirmed(text[: group.start], predicate):
        return []
    return [_claim(group.labels, "one sentence", group.start, group.end)]


@cache
def _rejected() -> re.Pattern[str]:
    return re.compile(rf"{phrases('not_before')}\s*(?:{phrases('option')}\s*)?$")


def _claim(labels: tuple[str, ...], rule: str, start: int, end: int) -> Claim:
    return Claim(ReadLabels(frozenset(labels), "", start, end), HINTED, rule, start)

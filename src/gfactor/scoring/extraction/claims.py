"""Finding every place in a reply that claims an answer.

A claim is an answer after an announcement ("the answer is B"), before a verdict ("B is correct"),
in mark-up (a box, a tag), or alone on its line. Claims that are denied, conditional or asked are
not returned.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.factuality import is_real, sentences_of
from gfactor.scoring.extraction.labels import SMALL_WORDS
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    LETTER,
    STOP,
    expressions,
    finder,
    phrases,
    phrases_apart,
)
from gfactor.scoring.extraction.normalize import boxed, tagged
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.signs import ARROWS, DASHES, HEAVY_ARROW
from gfactor.scoring.extraction.values import at, ends_here, read_whole, skip_fillers

MARKED, STATED, HINTED = 3, 2, 1
"""Strengths of a claim: set apart or headed; stated in a sentence; implied."""

_MOST = 1000
"""Largest number of positions that a rule examines; if there are more (in noise), the last ones."""


@dataclass(frozen=True)
class Claim:
    """A claim of an answer in a text: its value, its strength, the rule that found it, and its
    beginning."""

    value: ReadLabels
    strength: int
    rule: str
    start: int

    @property
    def end(self) -> int:
        return self.value.end


def find_claims(text: str, task: ReadingTask) -> list[Claim]:
    """Return all claims in `text`, which is cleaned prose, in the order of their answers; one per
    position."""
    sentences = sentences_of(text)
    by_position: dict[int, Claim] = {}
    for rule in (_marked, _headed, _stated, _corrected, _hinted):
        claims = [
            c
            for c in rule(text, task)
            if rule is _marked
            or (
                is_real(c, sentences)
                and not _begins_list(c, text, task)
                and not _IS_SAID.search(text, max(0, c.start - 16), c.start)
            )
        ]
        for claim in claims:
            known = by_position.get(claim.value.end)
            if known is None or known.strength < claim.strength:
                by_position[claim.value.end] = claim
    return sorted(by_position.values(), key=lambda c: c.value.end)


def _begins_list(claim: Claim, text: str, task: ReadingTask) -> bool:
    """Return True if the answer is the first entry of a list of the options: "A) one B) two"."""
    labels = task.grammar.labels
    if len(labels) < 2 or claim.value.labels != {labels[0]}:
        return False
    first = re.compile(rf"[(\[]?{re.escape(labels[0])}\s?([.):\]|])").match(text, claim.value.start)
    if first and first[1] in ")]:" and _REASON.match(text, first.end()):
        return False
    following = text[claim.value.start + 1 :][:400]
    second = (
        re.search(rf"\b{re.escape(labels[1])}\s?\{first[1]}(?!\||\s*$)", following)
        if first
        else None
    )
    return bool(second and not _announced_before().search(following, 0, second.start()))


@cache
def _announced_before() -> re.Pattern[str]:
    """Announcement at the end of a text; the second entry of a list has none before it."""
    return re.compile(
        rf"(?:{phrases('announce')}|{phrases('heading')}\s?:)\s*{expressions('article_announced')}?[\s(\[]*$"
    )


_REASON = re.compile(
    rf"\s*[,;.](?!\.)|\s+{expressions('reason')}\b|\s*{expressions('joined_reason')}",
    re.IGNORECASE,
)
"""A reason after a label in brackets, which an entry of a list of options does not have."""


def _marked(text: str, task: ReadingTask) -> Iterator[Claim]:
    """Boxes, answer tags and double brackets: their whole content must be an answer."""
    spans = [("boxed", *span) for span in boxed(text)]
    spans += [("tag", *span) for span in tagged(text)]
    spans += [("brackets", m.start(1), m.end(1)) for m in _DOUBLE.finditer(text)]
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for rule, start, end in spans:
        if _AT_FIRST.search(sentences.clause_before(start)):
            continue
        value = read_whole(text[start:end], task)
        if value is None:
            continue
        labels = value.labels
        is_one = claims and len(claims[-1].value.labels) == 1 == len(labels)
        if task.many and is_one and _BOXES.fullmatch(text, claims[-1].end, start):
            labels |= claims.pop().value.labels
        moved = ReadLabels(labels, value.trouble, start + value.start, start + value.end)
        claims.append(Claim(moved, MARKED, rule, start))
    yield from claims


_AT_FIRST = re.compile(expressions("at_first"), re.IGNORECASE)
"""Words before a box that was only the first thought."""
_BOXES = re.compile(
    rf"[\s)\]]{{0,3}}\}}[\s,;{COMMA}]{{0,3}}(?:{expressions('and_word')}\s)?\\boxed\s?\{{[\s(\[]{{0,3}}"
)
"""Text between two boxes of one list: \boxed{A}, \boxed{C}."""


def _is_offer(heading: str, line: str, value: ReadLabels | None, task: ReadingTask) -> bool:
    """Return True if a heading such as "Options:" and all labels after it list the options."""
    every = value is not None and len(value.labels) == len(task.grammar.labels) > 2
    return bool(every and OFFERED.search(heading) and not finder("every").search(line))


def _is_first(line: str, task: ReadingTask) -> bool:
    """Return True if a line is the first option with more text: "A) the red kite", "A: this is"."""
    group = task.grammar.group_at(line, 0)
    if group is None or group.labels != task.grammar.labels[:1]:
        return False
    text_of_option = task.texts.at(line, group.end + 1)
    return bool(
        (text_of_option and text_of_option[0] in group.labels)
        or re.match(r":\s*\w+\s+\w", line[group.end :])
    )


OFFERED = re.compile(
    rf"^(?:{expressions('offered_before')} )?{expressions('offered')}", re.IGNORECASE
)
"""A heading after which all options are merely listed."""

_DOUBLE = re.compile(r"\[\[([^\[\]\n]{1,80})\]\]|<<([^<>\n]{1,80})>>")


def _last_of(pattern: Scanner, text: str) -> deque[re.Match[str]]:
    return deque(pattern.finditer(text), maxlen=_MOST)


def _headed(text: str, task: ReadingTask) -> Iterator[Claim]:
    """A heading such as "Answer:" with the text on its line, or on the next."""
    for match in _last_of(_heading(), text):
        start = match.end()
        if _EACH.search(text, max(0, match.start() - 12), match.start()):
            continue
        if "\n" in match[0] and "|" in text[text.rfind("\n", 0, match.start()) + 1 : match.start()]:
            continue
        stop = text.find("\n", start)
        line = text[start : stop if stop >= 0 else len(text)][:400]
        if task.many and "\n" in match[0]:
            block = _block(text, match.start() + match[0].index("\n"), task)
            before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if block is not None and (not OFFERED.search(match[0]) or _CHOSEN.search(before)):
                yield Claim(block, MARKED, "heading", match.start())
            if block is not None:
                continue
        value = read_whole(line, task)
        if _is_offer(match[0], line, value, task):
            continue
        named = [label for label, _, _ in task.texts.mentions(line)]
        offers = not task.many and len(set(named)) > 1 and named[0] == task.grammar.labels[0]
        if offers and OFFERED.search(match[0]):
            continue
        if "\n" in match[0] and OFFERED.search(match[0]) and _is_first(line, task):
            continue
        if value is not None:
            moved = ReadLabels(value.labels, value.trouble, start + value.start, start + value.end)
            yield Claim(moved, MARKED, "heading", match.start())
        else:
            yield from _announced(text, match, task, MARKED, "heading")


_CHOSEN = re.compile(rf"\b{expressions('answer_key_adjective')}\s?$", re.IGNORECASE)
"""A word before "options:" in the heading of those that are chosen."""
_EACH = re.compile(rf"{expressions('each_one')}$", re.IGNORECASE)
_IS_SAID = re.compile(rf"(?<![{LATIN}])[A-Z]['\")\]]{{0,2}}\s?{expressions('is_called')}$")
"""Words before "my answer:" in a sentence about a label, so that it is not a heading: "C is my
answer:"."""


def _stated(text: str, task: ReadingTask) -> Iterator[Claim]:
    for match in _last_of(finder("announce"), text):
        yield from _announced(text, match, task, STATED, "announcement")


def _corrected(text: str, task: ReadingTask) -> Iterator[Claim]:
    """ "No, actually C": a correction followed only by an answer."""
    for match in _last_of(_correction(), text):
        if match[0].rstrip().endswith(".") and re.match(r"\s*\n", text[match.end() :]):
            continue  # "D: no." ends a line of verdicts
        for claim in _announced(text, match, task, STATED, "correction"):
            is_contrast = bool(CONTRAST.fullmatch(match[0]))
            is_alone = _ALONE.match(text, claim.end) or (
                not is_contrast and _BECAUSE.match(text, claim.end)
            )
            if is_alone and not claim.value.trouble:
                strength = HINTED if is_contrast else STATED
                yield Claim(claim.value, strength, claim.rule, claim.start)


@cache
def _correction() -> Scanner:
    ending = rf"(?:,?\s(?i:{expressions('no_word')})\s?:)?(?:\s?,(?=\s))?"
    return Scanner(*(words + ending for words in phrases_apart("correction")))


_ALONE = re.compile(rf"\s*(?:$|[.;!{STOP})\]\n]|{expressions('polite')})")
_BECAUSE = re.compile(rf"\s*,?\s*{expressions('because')}", re.IGNORECASE)
"""A reason after a correction: "or rather A, because it floats"."""
CONTRAST = re.compile(expressions("contrast"), re.IGNORECASE)


def _hinted(text: str, task: ReadingTask) -> Iterator[Claim]:
    in_doubt: list[tuple[int, int]] = []
    for kind in ("weak", "points"):
        for match in _last_of(finder(kind), text):
            for claim in _announced(text, match, task, HINTED, "hint"):
                named = kind == "weak" or task.grammar.group_at(text, claim.value.start, lower=True)
                if claim.value.trouble:
                    in_doubt.append((claim.value.start, claim.end))
                elif (
                    named
                    and ends_here(text, claim.end)
                    and not any(start < claim.end <= end for start, end in in_doubt)
                ):
                    yield claim


def _announced(
    text: str, match: re.Match[str], task: ReadingTask, strength: int, rule: str
) -> Iterator[Claim]:
    """The answer right after an announcement, without fillers; none if a verdict denies it."""
    start = match.end()
    offers = OFFERED.search(match[0]) and not task.grammar.group_at(text, _skip_space(text, start))
    if strength >= STATED and not offers and (block := _block(text, start, task)) is not None:
        yield Claim(block, MARKED, rule, match.start())
        return
    for begin in dict.fromkeys((skip_fillers(text, start), _skip_space(text, start))):
        value = at(text, begin, task)
        if value is None:
            continue
        set_off = text[value.end - 1] in ")]:" or ends_here(text, value.end)
        if "\n" in match[0] + text[start:begin] and not set_off:
            continue
        if not finder("wrong").match(text, _skip_pronoun(text, value.end)):
            yield Claim(value, strength, rule, match.start())
            return
    begin = skip_fillers(text, start)
    value = at(text, begin, task, lower=True)
    denied = value is not None and finder("wrong").match(text, _skip_pronoun(text, value.end))
    if value is not None and not denied and _is_plain(text, value, strength):
        yield Claim(value, strength, rule, match.start())


def _block(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """Several options, one a line, that begin on the line below an announcement.

    If the item has one right option, they contradict each other.
    """
    gap = re.compile(r"[ \t:]*\n\s{0,4}").match(text, start)
    if gap is None:
        return None
    stop = text.find("\n\n", gap.end())
    listing = replace(task, many=True)
    entries = text[gap.end() : stop if stop >= 0 else len(text)]
    entries = _without_numbers(entries) if task.grammar.labels[0].isalpha() else entries
    value = read_whole(entries, listing, strict=True)
    if value is None or len(value.labels) < 2:
        return None
    trouble = value.trouble if task.many else "contradiction"
    return ReadLabels(value.labels, trouble, gap.end(), gap.end() + value.end)


def _without_numbers(entries: str) -> str:
    """Return lines without the numbers of a list, each replaced by spaces, if all have one."""
    lines = entries.split("\n")
    numbers = [_LIST_NUMBER.match(line) for line in lines]
    if not all(numbers):
        return entries
    return "\n".join(
        " " * m.end() + line[m.end() :] for m, line in zip(numbers, lines, strict=True) if m
    )


_LIST_NUMBER = re.compile(r"\s*\d{1,2}[.)]\s")


@cache
def _relative() -> re.Pattern[str]:
    return re.compile(rf"[ \t\n:]*(?:{expressions('relative')}\s+)?")


def _skip_pronoun(text: str, at: int) -> int:
    """Return the position after the word of a relative clause: "it is B that is wrong"."""
    match = _relative().match(text, at)
    return match.end() if match else at


def _is_plain(text: str, value: ReadLabels, strength: int) -> bool:
    """Return True if a possible label in lower case can be nothing else: "b" at the end."""
    if strength < STATED:
        return False
    written = text[value.start : value.end]
    word = written.strip("([{\"' )]}").casefold() in tuple(SMALL_WORDS)
    ending = r"\s*[.!)\n]" if strength == STATED and word else rf"\s*[.!)\n{STOP}]|\s*$"
    ending += rf"|{expressions('behind_small')}"
    return bool(re.match(ending, text[value.end : value.end + 4]))


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\n:":
        at += 1
    return at


@cache
def _heading() -> Scanner:
    """A heading, possibly in quotes or brackets, with its colon, dash, arrow or line end."""
    ending = (
        r"[\"'\])]{0,2}\s?"
        rf"(?:(?:\([^()\n]{{1,40}}\)\s?)?[:=]\s?|-+>?\s|(?:>{{2,3}}|[{ARROWS}{HEAVY_ARROW}])\s?|[{DASHES}]\s|\]\s?"
        r"|[ \t]{0,4}\n\s{0,6})\s{0,6}"
    )
    return Scanner(
        *(rf"(?<![{LETTER}]){words}{ending}" for words in phrases_apart("heading")),
        rf"(?<![{LETTER}])(?i:{expressions('abbreviated_heading')})\.\s",
    )

"""The last resort: a reply without a claim that names only one option and rejects none. A label
counts only if it is alone between marks ("Looking at the animals, H."); the text of an option
counts in a short reply, or in the last sentence of a longer one.
"""

from __future__ import annotations

import re
from functools import cache

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.factuality import NEGATION, last_sentence, sentences_of
from gfactor.scoring.extraction.labels import LabelGroup
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    each,
    expressions,
    finder,
    phrases,
)
from gfactor.scoring.extraction.meant import is_meant, is_rough
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.signs import (
    ABOUT,
    ANGLE,
    DASHES,
    EN_DASH,
    LOWERED,
    RAISED_SIGNS,
    ROOT,
    SQUARE_CUBE,
    TRIANGLE,
    UNEQUAL,
)
from gfactor.scoring.extraction.trailing import before_denials, before_reason
from gfactor.scoring.extraction.values import or_follows
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 1500
_SHORT = 80
_UNFINISHED = re.compile(
    rf"[,;:(\[{COMMA}]\s*$|\b{expressions('unfinished_word')}\s*$", re.IGNORECASE
)
_ANNOUNCED = re.compile(r":[^\S\n]?[A-Z]\s*$")
"""A capital letter behind a colon ends a reply in any language, and is no article: "Svar: A"."""


def find_sole_mention(text: str, task: ReadingTask) -> Claim | None:
    """Return a claim for the only option that a reply names, but for those that it denies behind
    it, or names in a reason.

    Return None if the reply names no option or several, or takes its option back.
    """
    if (claim := _sole_mention(text, task)) is not None or len(text) > _LONGEST:
        return claim
    end, aside = before_denials(text, task)
    for stop in dict.fromkeys((end, before_reason(text[:end]))):
        body = text[:stop] + "." * (stop < end)
        claim = _sole_mention(body, task) if stop < len(text.rstrip()) else None
        if claim is not None and not claim.value.labels & aside:
            return claim
    return None


def _sole_mention(text: str, task: ReadingTask) -> Claim | None:
    is_open = not COMPLETE.search(text)
    cut_off = is_open and (len(text) > _SHORT or finder("correction").search(text))
    if (
        len(text) > _LONGEST
        or cut_off
        or (_UNFINISHED.search(text) and not (len(text) <= _SHORT and _ANNOUNCED.search(text)))
        or finder("refusal").search(text)
    ):
        return None
    return (
        _sole_label(text, task)
        or _sole_text(text, task)
        or _sole_pair(text, task)
        or _concluded(text, task)
        or _concluded_pair(text, task)
        or _equated(text, task)
        or _sole_measure(text, task)
    )


def _equated(text: str, task: ReadingTask) -> Claim | None:
    """Return a claim for the option whose number or formula ends the equations of the last line."""
    body = text.rstrip().rstrip(f".{STOP}").rstrip()
    line = body[body.rfind("\n") + 1 :]
    ends = [m.end() for m in _SAYS.finditer(line)]
    begin = ends[-1] - 1 if ends else -1
    named = [
        g
        for g in groups_in(line, task)
        if line[g.start - 1 : g.start] not in (ANGLE, "\u0394", TRIANGLE)
    ]
    unknown = line[: begin + 1].partition("=")[0]
    if begin < 0 or not re.search(rf"[^\W\d_]|{ANGLE}", unknown) or _HEDGES.search(line) or named:
        return None
    start = len(body) - len(line) + begin + 1
    label = task.texts.whole(body[start:])
    if label is None or not (_FORMULA if body[start - 1] == "=" else _SYMBOLS).search(body[start:]):
        return None
    return Claim(ReadLabels(frozenset({label}), "", start, len(body)), HINTED, "equation", start)


_SAYS = re.compile(rf"=|{expressions('equals')}")
_SYMBOLS = re.compile(
    rf"[{ROOT}\u0391-\u03c9^{RAISED_SIGNS}{SQUARE_CUBE}{LOWERED}]|(?:^|\s)-[^\W\d_]|\b(?:sin|cos|tan|log|ln)\b"
)
_FORMULA = re.compile(rf"[\d{ROOT}\u0391-\u03c9^]|(?:^|\s)-[^\W\d_]|\b(?:sin|cos|tan|log|ln)\b")
_HEDGES = re.compile(rf"[{UNEQUAL}{ABOUT}~?]|{expressions('hedge_equation')}", re.IGNORECASE)


def _sole_pair(text: str, task: ReadingTask) -> Claim | None:
    """Return a claim for the only option named by its text and its label: "oxygen (option A)"."""
    groups = groups_in(text, task)
    pairs: list[tuple[str, int, int]] = []
    for label, start, end in task.texts.mentions(text):
        behind = next((g for g in groups if 0 < g.start - end < 14 or 0 <= g.start - end < 2), None)
        if behind and behind.labels == (label,) and _BETWEEN.fullmatch(text, end, behind.start):
            pairs.append((label, start, behind.end))
    if len(pairs) != 1 or len({label for g in groups for label in g.labels}) != 1:
        return None
    label, start, end = pairs[0]
    if not is_meant(text, start, end) or or_follows(text, end):
        return None
    return Claim(ReadLabels(frozenset({label}), "", start, end), HINTED, "sole pair", start)


def _sole_measure(text: str, task: ReadingTask) -> Claim | None:
    """The one option whose number and unit, the unit in words, end a reply: "I get 6
    centimeters"."""
    unit = _UNIT_SYMBOLS.get(task.texts.unit, task.texts.unit).lower()
    measures = list(_MEASURES.finditer(text)) if unit else []
    numbers = {m["n"].replace(",", ".") for m in measures}
    label = task.texts.number_of.get(min(numbers)) if len(numbers) == 1 else None
    is_unit = all(_UNIT_SYMBOLS[m["unit"].casefold()] == unit for m in measures)
    if label is None or not is_unit or groups_in(text, task):
        return None
    last = measures[-1]
    mentions = [(label, m.start(), m.end()) for m in measures]
    is_last = last.start() >= last_sentence(text)
    if not is_last or is_rough(text, mentions) or not is_meant(text, last.start(), last.end()):
        return None
    value = ReadLabels(frozenset({label}), "", last.start(), last.end())
    return Claim(value, HINTED, "sole option text", last.start())


_UNIT_SYMBOLS = {
    name: symbol.lower()
    for (units,) in each("unit_names")
    for symbol, names in (pair.split("=") for pair in units.split(","))
    for name in names.split("/")
}
_UNIT_NAMES = "|".join(map(re.escape, sorted(_UNIT_SYMBOLS, key=len, reverse=True)))
_MEASURES = lazy_pattern(
    rf"(?<![A-Za-z0-9.,{EN_DASH}-])(?P<n>\d{{1,9}}(?:[.,]\d{{1,6}})?)\s?"
    rf"(?P<unit>{_UNIT_NAMES})(?![{LATIN}])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,]*\(?(?:[\w']{2,12}\s)?\(?")


def _concluded(text: str, task: ReadingTask) -> Claim | None:
    """The one option text after the last conclusion of the last sentence: "So there are 18"."""
    drawn = [m.end() for m in _drawn().finditer(text, last_sentence(text))]
    if not drawn or any(g.start >= drawn[-1] for g in groups_in(text, task)):
        return None
    mentions = [mention for mention in task.texts.mentions(text) if mention[1] >= drawn[-1]]
    if len({label for label, _, _ in mentions}) != 1:
        return None
    label, start, end = mentions[-1]
    if is_rough(text, mentions) or not all(is_meant(text, s, e) for _, s, e in mentions):
        return None
    return Claim(ReadLabels(frozenset({label}), "", start, end), HINTED, "concluded text", start)


def _concluded_pair(text: str, task: ReadingTask) -> Claim | None:
    """The option that ends the conclusion by its text and its label: "so it is the kidney (C)"."""
    begin = last_sentence(text)
    drawn = finder("conclusion").match(text, begin + len(text[begin:]) - len(text[begin:].lstrip()))
    groups = [g for g in groups_in(text, task) if g.start >= begin]
    mentions = [m for m in task.texts.mentions(text) if m[1] >= begin]
    if drawn is None or len(groups) != 1 or len({label for label, _, _ in mentions}) != 1:
        return None
    (label, start, end), group = mentions[-1], groups[0]
    if (
        group.labels != (label,)
        or not 0 <= group.start - end < 14
        or not _BETWEEN.fullmatch(text, end, group.start)
        or text[group.end :].rstrip().strip(f" .!){STOP}")
        or not is_meant(text, start, group.end)
    ):
        return None
    value = ReadLabels(frozenset({label}), "", start, group.end)
    return Claim(value, HINTED, "concluded text", start)


@cache
def _drawn() -> re.Pattern[str]:
    """A conclusion, or a contrast whose copula names the subject: "but the nearest one is"."""
    return re.compile(
        rf"{phrases('conclusion')}|{expressions('means')}|{expressions('but_is')}"
        rf"|(?i:{expressions('summing_up')})"
    )


def _sole_label(text: str, task: ReadingTask) -> Claim | None:
    groups = named = groups_in(text, task)
    if len(groups) > 1:
        groups = [g for g in groups if is_meant(text, g.start, g.end)]
    if len(groups) != 1 or len(groups[0].labels) != 1 or groups[0].outside:
        return None
    group = groups[0]
    before, behind = text[: group.start], text[group.end :]
    if not NEGATION.search(sentences_of(text).sentence_before(group.start)):
        before = _before_option(before)
    alone = re.search(
        rf"[,:;{DASHES}\n]\s*$|[a-z\u00e0-\u00ffA-Z][.!]\s$|[{STOP}]$", before
    ) and re.match(rf"\s*(?:[.;!{STOP}\n]|$)", behind)
    is_entry = before.rstrip(" ").endswith("\n") and re.match(r"\s?[.:]\s?\S", behind)
    if is_entry or (len(named) > 1 and not behind.strip()):
        return None
    if not alone or not is_meant(text, group.start, group.end):
        return None
    value = ReadLabels(frozenset(group.labels), "", group.start, group.end)
    return Claim(value, HINTED, "sole label", group.start)


def _before_option(before: str) -> str:
    """Return a text without a word for an option at its end, after a comma: "..., option"."""
    word = _option_word().search(before)
    return before[: word.start(1)] if word else before


@cache
def _option_word() -> re.Pattern[str]:
    return re.compile(rf"[,{COMMA}]\s*({phrases('option')}\s*)$")


def _sole_text(text: str, task: ReadingTask) -> Claim | None:
    mentions = [m for m in task.texts.mentions(text) if not _FUNCTION_WORD.fullmatch(text, *m[1:])]
    inside = [(start, end) for _, start, end in mentions]
    if any(_is_apart(group, inside, text, task) for group in groups_in(text, task)):
        return None
    if is_rough(text, mentions):
        return None
    meant = [mention for mention in mentions if is_meant(text, *mention[1:])]
    denied = {label for label, start, end in mentions if (label, start, end) not in meant}
    if len({label for label, _, _ in meant}) != 1 or meant[0][0] in denied:
        return None
    label, start, end = meant[-1]
    if not COMPLETE.search(text) and _MORE.search(text[end:].rstrip()):
        return None
    begin = last_sentence(text)
    if begin and (end <= begin or (denied and not _turns(text, inside, start))):
        return None
    return Claim(ReadLabels(frozenset({label}), "", start, end), HINTED, "sole option text", start)


_FUNCTION_WORD = re.compile(rf"[{LATIN}]|{expressions('function_word')}", re.IGNORECASE)
"""An option's text that any sentence may hold without naming the option."""
_MORE = re.compile(rf"\w\s+\w|{expressions('more_text')}")
"""More than a noun after an option's text at which the reply breaks off."""


def _turns(text: str, inside: list[tuple[int, int]], start: int) -> bool:
    """Return True if the denial is in the same sentence, or a "however" follows it."""
    before = [end for _, end in inside if end < start]
    is_same = min(inside)[0] >= last_sentence(text)
    if is_same or not before:
        return is_same
    return bool(finder("correction").search(text[before[-1] : start]))


def _is_apart(
    group: LabelGroup, inside: list[tuple[int, int]], text: str, task: ReadingTask
) -> bool:
    """Return True if labels are outside the options' texts and not names ("vitamin C")."""
    within = any(start < group.end <= end for start, end in inside)
    return not within and not task.grammar.is_name(text, group.start)

"""Reading one label: the answer to a `choice` item (SA).

The label may also be in brackets after a sentence ("It floats (option B)"); if the options are true
and false, a sentence may judge the statement: "The statement is false.".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from gfactor.scoring.extraction.bold import bold_in
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import OFFERED, STATED, Claim, find_claims
from gfactor.scoring.extraction.closing import find_closing
from gfactor.scoring.extraction.contrast import find_contrast
from gfactor.scoring.extraction.deciding import decide
from gfactor.scoring.extraction.factuality import HEDGE, REJECTED, is_real, sentences_of
from gfactor.scoring.extraction.final_sentence import find_final, find_named_picture
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.left_over import judged_paragraphs, only_one_left
from gfactor.scoring.extraction.lines import find_lines
from gfactor.scoring.extraction.marked_options import is_box_list, odd_one
from gfactor.scoring.extraction.markers import (
    COMMA,
    LETTER,
    STOP,
    expressions,
    finder,
    phrases,
    phrases_apart,
)
from gfactor.scoring.extraction.mentions import find_sole_mention
from gfactor.scoring.extraction.normalize import Cleaned, with_fractions
from gfactor.scoring.extraction.numbered_options import find_number
from gfactor.scoring.extraction.option_by_option import (
    claims_before_description,
    without_descriptions,
)
from gfactor.scoring.extraction.options import option_texts
from gfactor.scoring.extraction.picked_out import find_picked_out
from gfactor.scoring.extraction.quantified import find_only_right, find_quantified
from gfactor.scoring.extraction.refusal import why_nothing
from gfactor.scoring.extraction.result import Extraction, extracted, no_answer
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.signs import DASHES
from gfactor.scoring.extraction.structured import (
    find_json,
    flagged,
    is_contradicted,
    is_cut_off,
    value_text,
)
from gfactor.scoring.extraction.values import ends_here, or_follows, read_whole
from gfactor.scoring.extraction.verdicts import Verdicts, find_verdicts, groups_in


def read_choice(cleaned: Cleaned, options: Mapping[str, str]) -> Extraction:
    """Return the label of the one option the reply commits to; nothing if it does not."""
    task = ReadingTask(Grammar(tuple(options)), option_texts(tuple(options.items())), many=False)
    stored = find_json(cleaned.reply.text)
    if stored is not None:
        if is_contradicted(cleaned.reply.text, lambda value: _label_in(value, task)):
            return no_answer("contradiction")
        return _from_json(stored, cleaned, task)
    if is_cut_off(cleaned.reply.text):
        return no_answer("truncated")
    prose = with_fractions(cleaned.prose)
    text, verdicts, claims, breaks_off = claims_before_description(
        task.grammar.with_capitals(prose.text), task, _claims
    )
    claims = [] if is_box_list(text, task) else claims
    claim = decide(claims + _from_lines(verdicts, text), text, verdicts.wrong)
    if claim is None:
        claim = find_final(text, task, verdicts, bold_in(cleaned))
    if claim is None and len(judged := judged_paragraphs(prose.text, task)) == 1:
        return extracted(min(judged), "verdict lines", prose.span(0, len(text)))
    odd = _odd_one(verdicts, task) or only_one_left(text, task) if claim is None else None
    if odd is not None:
        return extracted(odd, "verdict lines", prose.span(0, len(text)))
    if claim is None and breaks_off:
        return no_answer("truncated")
    if claim is None and not claims:
        claim = find_sole_mention(text, task) or find_closing(text, task)
        claim = claim or find_named_picture(text, task) or find_number(cleaned, text, task)
        if claim and claim.value.labels & set(verdicts.wrong):
            claim = None
        claim = claim or find_picked_out(text, task)
    if claim is None:
        return no_answer(why_nothing(cleaned))
    if claim.strength < STATED and _ABSTAINS.search(text, claim.end):
        return no_answer("refusal")
    if claim.value.trouble or len(claim.value.labels) != 1:
        return no_answer(claim.value.trouble or "ambiguous")
    (label,) = claim.value.labels
    return extracted(label, claim.rule, prose.span(claim.value.start, claim.value.end))


_ABSTAINS = re.compile(expressions("abstains"), re.IGNORECASE)


def _claims(text: str, task: ReadingTask) -> tuple[Verdicts, list[Claim]]:
    verdicts = find_verdicts(text, task)
    claims = find_claims(text, task) + find_lines(text, task) + verdicts.right
    claims += find_contrast(text, task, verdicts.wrong)
    claims += find_judgments(text, task) + find_bracketed(text, task)
    claims += find_text_verdicts(text, task)
    claims += [c for c in find_quantified(text, task) if len(c.value.labels) == 1]
    claims = claims or find_asked(text, task) or find_only_right(text, verdicts.wrong, task)
    return verdicts, without_descriptions(claims, text, task)


def _from_json(stored: tuple[object, int, int], cleaned: Cleaned, task: ReadingTask) -> Extraction:
    read_there, start, end = stored
    value = _sole(read_there)
    if value is None or isinstance(value, list | dict | bool):
        return no_answer("none" if value is None else "ambiguous")
    read = read_whole(value_text(value), task)
    if read is None or read.trouble or len(read.labels) != 1:
        return no_answer(read.trouble if read else "json")
    (label,) = read.labels
    return extracted(label, "json", cleaned.reply.span(start, end))


def _sole(value: object) -> object:
    """Return the element of a list of one, or the only name set to true; else the value itself."""
    value = flagged(value)
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _label_in(value: object, task: ReadingTask) -> str | None:
    """Return the label that a value of a JSON object means; None if it means none or several."""
    value = _sole(value)
    if value is None or isinstance(value, list | dict | bool):
        return None
    read = read_whole(value_text(value), task)
    return None if read is None or read.trouble or len(read.labels) != 1 else min(read.labels)


def _from_lines(verdicts: Verdicts, text: str) -> list[Claim]:
    """Return a claim if each line of a list of options ends in a verdict, and one is right."""
    right, wrong = set(verdicts.lines_right), set(verdicts.lines_wrong)
    if len(right) != 1 or len(verdicts.lines) < 2 or right & wrong:
        return []
    value = ReadLabels(frozenset(right), "", 0, len(text))
    return [Claim(value, STATED, "verdict lines", 0)]


def _odd_one(verdicts: Verdicts, task: ReadingTask) -> str | None:
    """Return the one option called wrong if all others are called right: the question may ask
    for it."""
    judged = [(label, True) for label in verdicts.lines_right]
    judged += [(label, False) for label in verdicts.lines_wrong]
    return odd_one(judged, task.grammar.labels)


_END = (
    rf"(?=\s*(?:[.,;:!)\n{DASHES}{STOP}{COMMA}-]|$)"
    rf"|\s{expressions('because_judged')}\b)"
)
_JUDGED = Scanner(
    rf"{expressions('judged')}{_END}|{expressions('joined_judged')}", flags=re.IGNORECASE
)


def find_judgments(text: str, task: ReadingTask) -> list[Claim]:
    """Return claims of sentences that call the statement true or false; none if the options
    differ."""
    pair = task.texts.truth
    if pair is None:
        return []
    sentences = sentences_of(text)
    claims: list[Claim] = []
    for match in list(_JUDGED.finditer(text))[-100:]:
        named = {name[0]: value for name, value in match.groupdict().items() if value}
        is_true = ("t" in named) != ("n" in named)
        label = pair[0] if is_true else pair[1]
        value = ReadLabels(frozenset({label}), "", *match.span())
        claim = Claim(value, STATED, "judgement", match.start())
        if is_real(claim, sentences):
            claims.append(claim)
    return claims


def find_text_verdicts(text: str, task: ReadingTask) -> list[Claim]:
    """Return options that are called the answer by their text: "Iron is the right choice."."""
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for label, start, end in task.texts.mentions(text)[-100:]:
        gap = re.compile(r"\s+").match(text, end)
        verdict = finder("right").match(text, gap.end()) if gap else None
        before = sentences.sentence_before(start)
        if (
            verdict is None
            or not _COMMITTED.search(verdict[0])
            or not _SUBJECT_BEGINS.fullmatch(before)
        ):
            continue
        value = ReadLabels(frozenset({label}), "", start, verdict.end())
        claim = Claim(value, STATED, "verdict", start)
        if is_real(claim, sentences):
            claims.append(claim)
    return claims


_COMMITTED = re.compile(expressions("committed"), re.IGNORECASE)
_SUBJECT_BEGINS = re.compile(
    rf"\s*(?:{phrases('conclusion')}\s?,?\s*)?(?:{expressions('any_article')}\s*)?[\"']?",
    re.IGNORECASE,
)
"""Words before the subject of a sentence."""


def find_asked(text: str, task: ReadingTask) -> list[Claim]:
    """Return the one option that the reply asks about and affirms: "Is it A? No. Is it B? Yes."."""
    spots = [(g.labels[0], g.start, g.end) for g in groups_in(text, task) if len(g.labels) == 1]
    spots += task.texts.mentions(text)
    answers = [(label, start, _YES_OR_NO.match(text, end)) for label, start, end in spots[-_MOST:]]
    right = {label: start for label, start, m in answers if m and m["right"]}
    wrong = {label for label, _, m in answers if m and m["wrong"]}
    if len(right) != 1 or not wrong or wrong & set(right):
        return []
    ((label, start),) = right.items()
    return [Claim(ReadLabels(frozenset({label}), "", start, start + 1), STATED, "asked", start)]


_YES_OR_NO = re.compile(
    rf"[^.!?\n]{{0,30}}\?\s*(?:(?P<right>{expressions('answers_right')})"
    rf"|(?P<wrong>{expressions('answers_wrong')}))(?!\w)",
    re.IGNORECASE,
)
_MOST = 50
_LONGEST = 300


def find_bracketed(text: str, task: ReadingTask) -> list[Claim]:
    """Return the one option in brackets, with a word for "option", in the sentence after a heading.
    Return nothing if a label or another option's text precedes it, if the sentence is a denial, a
    question or a supposition, or if a second option is in brackets.
    """
    claims: list[Claim] = []
    sentences = sentences_of(text)
    for match in list(_headed().finditer(text))[-_MOST:]:
        start = match.end()
        stop = _stop(text, start)
        brackets = list(_bracket().finditer(text, start, stop))
        if len(brackets) != 1 or OFFERED.search(match[0]):
            continue
        bracket = brackets[0]
        before = text[start : bracket.start()]
        label = bracket[1].upper()
        if (
            label not in task.grammar.labels
            or groups_in(before, task)
            or any(other != label for other, _, _ in task.texts.mentions(before))
            or any(finder(kind).search(before) for kind in ("unreal", "not_before", "none"))
            or REJECTED.search(before)
            or HEDGE.search(before)
            or not ends_here(text, bracket.end())
            or or_follows(text, bracket.end())
            or sentences.is_asked(bracket.end())
        ):
            continue
        value = ReadLabels(frozenset({label}), "", bracket.start(), bracket.end())
        claims.append(Claim(value, STATED, "bracketed", match.start()))
    return claims


def _stop(text: str, start: int) -> int:
    end = re.compile(rf"[.!?](?=\s)|[{STOP}\n]").search(text, start, start + _LONGEST)
    return end.end() if end else min(len(text), start + _LONGEST)


@cache
def _headed() -> Scanner:
    return Scanner(*(rf"(?<![{LETTER}]){words}\s?:\s?" for words in phrases_apart("heading")))


@cache
def _bracket() -> re.Pattern[str]:
    return re.compile(rf"[(\[]\s?{phrases('option')}\s*([A-Za-z])\s?[)\]]")

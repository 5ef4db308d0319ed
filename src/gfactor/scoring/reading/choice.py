"""Reading one label: the answer to a `choice` item (SA)."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.scoring.extraction import Extraction
from gfactor.scoring.reading.bracketed import find_bracketed
from gfactor.scoring.reading.claims import STATED, Claim, find_claims
from gfactor.scoring.reading.closing import find_closing
from gfactor.scoring.reading.contrast import find_contrast
from gfactor.scoring.reading.decide import decide
from gfactor.scoring.reading.labels import Grammar
from gfactor.scoring.reading.lines import find_lines
from gfactor.scoring.reading.mentions import find_sole_mention
from gfactor.scoring.reading.normalize import Cleaned, with_fractions
from gfactor.scoring.reading.options import OptionTexts
from gfactor.scoring.reading.outcome import found, nothing
from gfactor.scoring.reading.places import Task, Value
from gfactor.scoring.reading.polar import find_judgements
from gfactor.scoring.reading.quantified import find_quantified
from gfactor.scoring.reading.refusal import why_nothing
from gfactor.scoring.reading.structured import find_json, flagged, is_cut_off, value_text
from gfactor.scoring.reading.values import read_whole
from gfactor.scoring.reading.verdicts import Verdicts, find_verdicts
from gfactor.scoring.reading.walks import claims_before_walk, without_descriptions


def read_choice(cleaned: Cleaned, options: Mapping[str, str]) -> Extraction:
    """The label of the one option the reply commits to; nothing where it does not."""
    task = Task(Grammar(tuple(options)), OptionTexts(options), many=False)
    stored = find_json(cleaned.reply.text)
    if stored is not None:
        return _from_json(stored, cleaned, task)
    if is_cut_off(cleaned.reply.text):
        return nothing("truncated")
    prose = with_fractions(cleaned.prose)
    text, verdicts, claims, breaks_off = claims_before_walk(
        task.grammar.with_capitals(prose.text), task, _claims
    )
    claim = decide(claims + _from_lines(verdicts, text), text, verdicts.wrong)
    if claim is None and breaks_off:
        return nothing("truncated")
    if claim is None and not claims:
        claim = find_sole_mention(text, task) or find_closing(text, task)
        if claim and claim.value.labels & set(verdicts.wrong):
            claim = None
    if claim is None:
        return nothing(why_nothing(cleaned))
    if claim.value.trouble or len(claim.value.labels) != 1:
        return nothing(claim.value.trouble or "ambiguous")
    (label,) = claim.value.labels
    return found(label, claim.rule, prose.span(claim.value.start, claim.value.end))


def _claims(text: str, task: Task) -> tuple[Verdicts, list[Claim]]:
    verdicts = find_verdicts(text, task)
    claims = find_claims(text, task) + find_lines(text, task) + verdicts.right
    claims += find_contrast(text, task, verdicts.wrong)
    claims += find_judgements(text, task) + find_bracketed(text, task)
    claims += [c for c in find_quantified(text, task) if len(c.value.labels) == 1]
    return verdicts, without_descriptions(claims, text, task)


def _from_json(stored: tuple[object, int, int], cleaned: Cleaned, task: Task) -> Extraction:
    found_there, start, end = stored
    value = flagged(found_there)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or isinstance(value, list | dict | bool):
        return nothing("none" if value is None else "ambiguous")
    read = read_whole(value_text(value), task)
    if read is None or read.trouble or len(read.labels) != 1:
        return nothing(read.trouble if read else "json")
    (label,) = read.labels
    return found(label, "json", cleaned.reply.span(start, end))


def _from_lines(verdicts: Verdicts, text: str) -> list[Claim]:
    """A list of options in which each line ends in a verdict, and one of them is right."""
    right, wrong = set(verdicts.lines_right), set(verdicts.lines_wrong)
    if len(right) != 1 or len(verdicts.lines) < 2 or right & wrong:
        return []
    value = Value(frozenset(right), "", 0, len(text))
    return [Claim(value, STATED, "verdict lines", 0)]

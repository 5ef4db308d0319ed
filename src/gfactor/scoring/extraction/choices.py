"""Reading several labels: the answer to a `choices` item (MA)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gfactor.scoring.extraction.bold import bold_in
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import STATED, Claim, find_claims
from gfactor.scoring.extraction.closing import find_closing
from gfactor.scoring.extraction.contrast import find_contrast
from gfactor.scoring.extraction.deciding import decide
from gfactor.scoring.extraction.final_sentence import (
    find_final,
    find_named_picture,
    includes,
    is_unsettled,
)
from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.left_over import all_but, judged_paragraphs
from gfactor.scoring.extraction.lines import find_lines
from gfactor.scoring.extraction.marked_options import is_box_list, read_arrows
from gfactor.scoring.extraction.markers import STOP, expressions, finder
from gfactor.scoring.extraction.normalize import Cleaned, with_fractions
from gfactor.scoring.extraction.option_by_option import (
    claims_before_description,
    without_descriptions,
)
from gfactor.scoring.extraction.options import option_texts
from gfactor.scoring.extraction.picked_out import find_picked_out
from gfactor.scoring.extraction.quantified import (
    find_only_right,
    find_quantified,
    find_rest,
)
from gfactor.scoring.extraction.refusal import COMPLETE, why_nothing
from gfactor.scoring.extraction.result import Extraction, extracted, no_answer
from gfactor.scoring.extraction.seen_options import find_seen
from gfactor.scoring.extraction.structured import (
    find_json,
    flagged,
    is_contradicted,
    is_cut_off,
    value_text,
)
from gfactor.scoring.extraction.values import read_whole, skip_fillers
from gfactor.scoring.extraction.verdicts import Verdicts, find_verdicts, groups_in


def read_choices(cleaned: Cleaned, options: Mapping[str, str]) -> Extraction:
    """Return the set of labels the reply commits to (one or more); nothing if it does not."""
    task = ReadingTask(Grammar(tuple(options)), option_texts(tuple(options.items())), many=True)
    stored = find_json(cleaned.reply.text)
    if stored is not None:
        if is_contradicted(cleaned.reply.text, lambda value: _labels_in(value, task)[0] or None):
            return no_answer("contradiction")
        return _from_json(stored, cleaned, task)
    if is_cut_off(cleaned.reply.text):
        return no_answer("truncated")
    prose = with_fractions(cleaned.prose)
    text, verdicts, claims, breaks_off = claims_before_description(
        task.grammar.with_capitals(prose.text), task, _claims
    )
    claims = [] if is_box_list(text, task) else claims
    claim = decide(claims, text, {})
    is_one_of_list = (
        claim is not None
        and claim.rule in ("first line", "last line")
        and bool(verdicts.lines_right and verdicts.lines_wrong)
    )
    is_outside = claim is not None and claim.value.trouble == "outside"
    if claim is None or claim.strength < STATED or is_one_of_list or is_outside:
        claim = _from_verdicts(verdicts, text, task) or claim
    if claim is None or is_unsettled(claim):
        final = find_final(text, task, verdicts, bold_in(cleaned))
        claim = final if final and includes(final, claims) else claim
    arrows = read_arrows(text, task) if claim is None or is_unsettled(claim) else None
    if arrows:
        return extracted(arrows, "verdict lines", prose.span(0, len(text)))
    if claim is None and (left := all_but(text, task) or judged_paragraphs(prose.text, task)):
        return extracted(left, "all", prose.span(0, len(text)))
    if claim is None and breaks_off:
        return no_answer("truncated")
    if claim is None and not claims and not verdicts.right and not verdicts.wrong:
        claim = find_closing(text, task) or find_seen(text, task) or find_named_picture(text, task)
        claim = claim or find_picked_out(text, task)
    if claim is None:
        return no_answer(why_nothing(cleaned))
    labels = claim.value.labels
    late = [label for label in labels if verdicts.wrong.get(label, -1) >= claim.end]
    if claim.value.trouble or not labels or late:
        return no_answer(claim.value.trouble or "contradiction")
    return extracted(labels, claim.rule, prose.span(claim.value.start, claim.value.end))


def _claims(text: str, task: ReadingTask) -> tuple[Verdicts, list[Claim]]:
    verdicts = find_verdicts(text, task)
    claims = find_claims(text, task) + find_lines(text, task) + find_quantified(text, task)
    claims += find_contrast(text, task, verdicts.wrong)
    claims += find_rest(text, verdicts.wrong, task)
    if not claims and not verdicts.right:
        claims = find_only_right(text, verdicts.wrong, task)
    return verdicts, without_descriptions(claims, text, task)


def _from_json(stored: tuple[object, int, int], cleaned: Cleaned, task: ReadingTask) -> Extraction:
    read_there, start, end = stored
    labels, why = _labels_in(read_there, task)
    return extracted(labels, "json", cleaned.reply.span(start, end)) if labels else no_answer(why)


def _labels_in(value: object, task: ReadingTask) -> tuple[frozenset[str], str]:
    """The labels that a value of a JSON object means, or the reason why there are none."""
    value = flagged(value)
    labels: set[str] = set()
    for part in value if isinstance(value, list) else [value]:
        read = read_whole(value_text(part), task) if isinstance(part, str | int) else None
        if read is None or read.trouble:
            return frozenset(), "none" if value is None else read.trouble if read else "json"
        labels |= read.labels
    return frozenset(labels), "none"


def _from_verdicts(verdicts: Verdicts, text: str, task: ReadingTask) -> Claim | None:
    """All options called right, if none of them is also called wrong and the reply does not break
    off."""
    if verdicts.lines_right or verdicts.lines_wrong:
        right, wrong = set(verdicts.lines_right), set(verdicts.lines_wrong)
        if len(right | wrong) > 1 and right:
            trouble = "contradiction" if right & wrong else ""
            judged = right | wrong
            is_open = not COMPLETE.search(text) and judged != set(task.grammar.labels)
            hanging = any(
                not re.search(r"\w", text[last.end :]) and not set(last.labels) <= judged
                for last in [g for g in groups_in(text, task) if not g.outside][-1:]
            )
            if is_open or hanging:
                trouble = "truncated"
            return Claim(
                ReadLabels(frozenset(right), trouble, 0, len(text)), STATED, "verdict lines", 0
            )
    if not verdicts.right:
        return None
    labels = frozenset(label for c in verdicts.right for label in c.value.labels)
    trouble = next((c.value.trouble for c in verdicts.right if c.value.trouble), "")
    if labels & set(verdicts.wrong):
        trouble = "contradiction"
    judged = labels | set(verdicts.wrong)
    named = {label for g in groups_in(text, task) if not g.outside for label in g.labels}
    if not trouble and not named <= judged and not _is_limited(text, verdicts.right, task):
        trouble = "ambiguous"
    finished = _FINISHED.search(text) or verdicts.right[-1].end >= len(text.rstrip())
    if not trouble and judged < set(task.grammar.labels) and not finished:
        trouble = "truncated"
    start = verdicts.right[0].start
    return Claim(
        ReadLabels(labels, trouble, start, verdicts.right[-1].end), STATED, "verdict", start
    )


def _is_limited(text: str, right: list[Claim], task: ReadingTask) -> bool:
    """Return True if one verdict says that only its options are right: "Only B and C are correct;
    A and D contradict the graph"."""
    if len(right) != 1:
        return False
    start, end = right[0].value.start, right[0].value.end
    before = finder("only").finditer(text, max(0, start - 40), start)
    return any(skip_fillers(text, m.end()) >= start for m in before) or bool(
        _ONLY_THESE.search(text, start, end)
    )


_ONLY_THESE = re.compile(rf"(?<=[A-Z])\)?\s?{expressions('only_behind')}")
_FINISHED = re.compile(rf"[.!{STOP})\]}}\"'][\s]*$")

"""Part of a reply that answers the question: its final channel, its turn, or the text before a new
one.

Model families mark their answer (harmony's final channel, LLaVA-CoT's conclusion, GLM's box), print
the transcript they continue, or run on into a next question. All other text is replaced by blanks,
so that every character keeps its position in the reply.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.markers import expressions, joined
from gfactor.scoring.extraction.signs import WIDE_COLON

_FINAL = re.compile(r"<\|channel\|>\s?final\b[^<]{0,40}<\|message\|>")
_BARE_FINAL = re.compile(r"(?<=\S)assistant\s?final(?=\S)")
_ANALYSIS = re.compile(r"<\|channel\|>\s?(?:analysis|commentary)\b[^<]{0,40}(?:<\|message\|>|$)")
_CONCLUSION = re.compile(
    r"<CONCLUSION>(?P<inside>.*?)(?:</CONCLUSION>|$)", re.IGNORECASE | re.DOTALL
)
_BOX = re.compile(r"<\|begin_of_box\|>|<\|end_of_box\|>")
_USER = expressions("user_turn")
_ASSISTANT = expressions("assistant_turn")
_NO_TURN = joined("no_turn")
_MARK = rf"\s?(?:\([^()\n]{{1,20}}\)\s?)?[:{WIDE_COLON}]"
_OPENS_USER = re.compile(rf"[\s#*\[]*{_USER}\*{{0,2}}{_MARK}")
_OPENS_ASSISTANT = re.compile(rf"[\s#*\[]*{_ASSISTANT}\*{{0,2}}{_MARK}\*{{0,2}}")
_TURN = re.compile(rf"(?<![\w'\"]){_ASSISTANT}\*{{0,2}}{_MARK}\*{{0,2}}")
_TURN_ENDS = re.compile(
    r"<\|im_end\|>|<\|im_start\|>\s?user|<\|endoftext\|>|<\|end_of_text\|>|<\|eot_id\|>"
    r"|<end_of_turn>|</s>|\[/?INST\]"
)
_NEXT_LINE = re.compile(
    rf"\n[ \t#*]{{0,6}}(?:{_USER}|{expressions('next_question')})"
    rf"\s?(?:{expressions('number_mark')}\s?)?\d{{0,3}}\*{{0,2}}"
    rf"(?:\s?[:{WIDE_COLON}.]|(?<=\d)[ \t]*\n)"
)


def answering_part(reply: str) -> str:
    """Return the reply with the same length, in which blanks replace all parts that do not belong
    to the answer.

    These are the parts before the last final channel or conclusion, and those before the
    assistant's turn if the reply begins with a transcript. An analysis channel without a final one
    becomes unclosed thinking.
    """
    final = list(_FINAL.finditer(reply))
    if final:
        reply = _blank(reply, 0, final[-1].end())
    elif analysis := _ANALYSIS.search(reply):
        start, end = analysis.span()
        reply = reply[:start] + "<think>".ljust(end - start) + reply[end:]
    elif reply.lstrip().startswith("analysis") and (bare := list(_BARE_FINAL.finditer(reply))):
        reply = _blank(reply, 0, bare[-1].end())
    concluded = list(_CONCLUSION.finditer(reply))
    if concluded and concluded[-1]["inside"].strip():
        start, end = concluded[-1].span("inside")
        reply = _blank(_blank(reply, 0, start), end, len(reply))
    reply = _BOX.sub(lambda m: ("\\boxed{" if "begin" in m[0] else "}").rjust(len(m[0])), reply)
    return _from_assistant_turn(reply)


def _from_assistant_turn(reply: str) -> str:
    if opened := _OPENS_ASSISTANT.match(reply):
        return _blank(reply, 0, opened.end()) if opened[0].strip()[:1] not in _NO_TURN else reply
    if not _OPENS_USER.match(reply):
        return reply
    turn = _TURN.search(reply)
    return _blank(reply, 0, turn.end()) if turn else reply


def next_question(reply: str) -> int | None:
    """Return the start of a next question or turn after other text; None if there is none."""
    begin = len(reply) - len(reply.lstrip())
    # Two expressions, because a search for one that begins with a new line passes over the rest.
    ends, line = _TURN_ENDS.search(reply, begin), _NEXT_LINE.search(reply, max(0, begin - 1))
    starts = [match.start() for match in (ends,) if match]
    starts += [match.start() + 1 for match in (line,) if match]
    if not starts or not re.search(r"\w", reply[: min(starts)]):
        return None
    return min(starts)


def _blank(text: str, start: int, end: int) -> str:
    blanked = re.sub(r"[^\n]", " ", text[start:end])
    return text[:start] + blanked + text[end:]

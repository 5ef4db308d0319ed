"""Cleaning of a reply before it is read: thinking, markup, LaTeX, terminal escapes.

Each step is one regular expression without nested repetition, so that time grows with the length
of the text alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gfactor.scoring.extraction.markers import expressions
from gfactor.scoring.extraction.passage import Passage, fold
from gfactor.scoring.extraction.signs import (
    BULLETS,
    DEGREE,
    DIVIDED,
    EN_DASH,
    FRACTIONS,
    LOWERED,
    MIDDLE_DOT,
    PLAIN_TICKS,
    ROOT,
    TIMES,
    TURNED_TRIANGLES,
)
from gfactor.scoring.texts import SIGNS

_THOUGHT = "think|thinking|thought|thoughts|reasoning|scratchpad|reflection|analysis"
THINKING = re.compile(
    rf"<(?P<close>/?)(?:{_THOUGHT})\s?>|[{TURNED_TRIANGLES[0]}<](?P<kimi>/?)think[{TURNED_TRIANGLES[1]}>]|"
    r"<\|(?:begin|(?P<end>end))_of_thought\|>",
    re.IGNORECASE,
)
"""Marks at the beginning and at the end of thinking."""
_CELL_ESCAPES = re.compile(r"_x[0-9A-Fa-f]{4}_")
"""Codes with which workbooks write characters that a cell cannot hold; in a reply they have no
meaning."""
_CONTROL_TOKENS = re.compile(r"<\|[A-Za-z_ ]{1,30}\|>|</?s>(?=\s|$)|<(?:eos|eot|end_of_turn)>")
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~|<(?:del|strike)>[^<]{0,400}</(?:del|strike)>", re.I)
ANSWER_TAG = re.compile(rf"<(?P<close>/?){expressions('answer_tag')}\s?>", re.IGNORECASE)
_BREAKS = re.compile(r"<(?:br|/p|/li|/div|/h[1-6]|/tr)\s?/?>", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:p|b|i|u|em|strong|span|div|li|ul|ol|h[1-6]|font|code|pre|mark|small|center|table|tr|td"
    r"|sub|sup|a|br|html|body)(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_LATEX_WORDS = re.compile(
    r"\\(?:text|textbf|textit|textrm|texttt|textsf|mathrm|mathbf|mathit|mathsf|mathtt|operatorname"
    r"|bold|bm|boldsymbol|mbox|fbox|emph|underline|ce)\s?\{([^{}]{0,400})\}"
)
_LATEX_DELIMITERS = re.compile(
    r"\$\$?|\\[()\[\]]|\\[,;:! ]|\\(?:quad|qquad|left|right|displaystyle)\b"
)
_LATEX_COMMA = re.compile(r"(?<=\d)\{([.,])\}(?=\d)")
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_LINES = re.compile(r"\n(?:[^\S\n]?\n){2,}")
_MARKS = re.compile(r"(([^\w\s])\2{5})\2+")
_EMPHASIS = re.compile(r"\*+|`+|__+|(?<![^\W_])_(?=\w)|(?<=\w)_(?![^\W_]|\{)")
_TABLE_RULES = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:|-]*$", re.MULTILINE)
_TABLE_EDGES = re.compile(r"^[ \t]{0,8}\|[ \t]{0,8}|[ \t]{0,8}\|[ \t]{0,8}$", re.MULTILINE)
_PICTOGRAPHS = re.compile(
    "^[ \t]{0,8}[\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb"
    "\U0001f900-\U0001faff\u2728\u27a1\ufe0f]{1,8}[ \t]{1,8}"
    "|(?<=[ \t])[\U0001f300-\U0001f44c\U0001f44f-\U0001f64f\U0001f680-\U0001f6aa"
    "\U0001f6ac-\U0001f6ff\U0001f900-\U0001faff\u2728\ufe0f]{1,8}[ \t]{0,8}$",
    re.MULTILINE,
)
_LINE_MARKS = re.compile(
    rf"^[ \t]{{0,8}}(?:#{{1,6}}|>|[-{BULLETS}{MIDDLE_DOT}{EN_DASH}](?=[ \t]))[ \t]{{0,8}}",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Cleaned:
    """A reply made ready for the rules.

    Parameters
    ----------
    reply: the whole reply in normal letters and signs (`fold`), without escapes, control tokens
        and thinking.
    prose: the same text without markup, for the rules that read sentences.
    thinking_open: True if thinking began and never ended (the reply was cut off inside it).
    """

    reply: Passage
    prose: Passage
    thinking_open: bool


def clean(reply: str) -> Cleaned:
    """Apply all cleaning steps in order; the time is linear in the length of the reply."""
    passage = _without_runs(fold(reply))
    passage, still_open = _without_thinking(passage)
    passage = passage.sub(_CELL_ESCAPES).sub(_CONTROL_TOKENS).sub(_STRUCK)
    prose = passage.sub(_BREAKS, "\n").sub(_TAGS)
    for _ in range(2):
        prose = prose.sub(_LATEX_WORDS)
    prose = _with_signs(prose.sub(_LATEX_COMMA))
    prose = prose.sub(_LATEX_DELIMITERS, " ").sub(_EMPHASIS).sub(_LINE_MARKS).sub(_PICTOGRAPHS)
    prose = prose.sub(_TABLE_RULES).sub(_TABLE_EDGES)
    return Cleaned(passage, _without_runs(prose), still_open)


def _without_runs(passage: Passage) -> Passage:
    """Shorten long runs of white space or of one mark, which have no meaning and cost time."""
    return passage.sub(_SPACES, " ").sub(_LINES, "\n\n").sub(_MARKS)


def _without_thinking(passage: Passage) -> tuple[Passage, bool]:
    """Remove the text between thinking marks. A closing mark alone ends thinking that began at the
    start; all text after an opening mark that is never closed is thinking too.
    """
    edits: list[tuple[int, int, str]] = []
    begun: int | None = None
    for match in THINKING.finditer(passage.text):
        if match["close"] or match["kimi"] or match["end"]:
            if begun is None:
                edits = [(0, match.end(), "")]
            else:
                edits.append((begun, match.end(), ""))
            begun = None
        elif begun is None:
            begun = match.start()
    if begun is not None:
        edits.append((begun, len(passage.text), ""))
    return passage.replace(edits), begun is not None


def _with_signs(prose: Passage) -> Passage:
    r"""Return the passage with LaTeX's signs, roots and subscript numbers written as characters, so
    that `45^\circ`, `\sqrt{2}` and `H_{2}O` are spelled as in options and other replies.
    """
    if not re.search(r"[\\_]", prose.text):
        return prose
    edits = [
        (*m.span(), _SIGN_OF[m["name"]] if m["name"] else DEGREE)
        for m in _SIGN.finditer(prose.text)
        if not m["name"] or m["name"] in _SIGN_OF
    ]
    prose = prose.replace(edits)
    below = _BELOW.finditer(prose.text)
    prose = prose.replace((*m.span(), (m[1] or m[2]).translate(_LOW)) for m in below)
    roots: list[tuple[int, int, str]] = []
    for m in _ROOT.finditer(prose.text):
        inner = m[1] or m[2]
        group = 1 if m[1] else 2
        left, right = ("", "") if re.fullmatch(r"\d+|\w", inner.strip()) else ("(", ")")
        roots.append((m.start(), m.start(group), ROOT + left))
        roots.append((m.end(group), m.end(), right))
    return prose.replace(roots)


_SIGN_OF = {
    **{name: sign for name, sign in SIGNS.items() if sign.strip() and sign != "\\"},
    "times": TIMES, "cdot": MIDDLE_DOT, "ast": MIDDLE_DOT, "div": DIVIDED,
    "checkmark": PLAIN_TICKS[0],
}  # fmt: skip
_SIGN = re.compile(
    rf"\s?\^\s?(?:\{{\s?(?:\\circ|{DEGREE}|\\degree)\s?\}}|(?:\\circ|{DEGREE}|\\degree))|\\(?P<name>[A-Za-z]{{2,18}})(?![A-Za-z])(?:\s(?=[A-Za-z]\b))?"
)
_BELOW = re.compile(
    r"(?<=[A-Za-z\u0391-\u03c9)\]])\s?_\s?\{\s?(\d{1,3})\s?\}"
    r"|(?:(?<=(?<![A-Za-z\u00c0-\u024f_])[A-Za-z\u0391-\u03c9])|(?<=[A-Z])|(?<=[A-Z][a-z])|(?<=log)|(?<=\)))_(\d{1,3})(?![A-Za-z0-9]*_)"
)
_LOW = str.maketrans("0123456789", LOWERED)
_ROOT = re.compile(r"\\sqrt\s?(?:\{([^{}]{1,40})\}|(\w))")


def with_fractions(prose: Passage) -> Passage:
    r"""Return the passage with fractions in one line: \frac{1}{3}, or its one character, is 1/3."""
    edits: list[tuple[int, int, str]] = []
    for match in _FRACTION.finditer(prose.text):
        above = 1 if match[1] else 3
        if match[above] is None:
            edits.append((*match.span(), FRACTIONS[match[0]]))
        else:
            start, end = match.span(above)
            edits += [(match.start(), start, ""), (end, match.start(above + 1), "/")]
            edits.append((match.end(above + 1), match.end(), ""))
    return prose.replace(edits)


_FRACTION = re.compile(
    r"\\[dt]?frac\s?\{\s?([^{}]{1,40}?)\s?\}\s?\{\s?([^{}]{1,40}?)\s?\}|\\[dt]?frac\s?(\d)\s?(\d)|(?<!\d)["
    + "".join(FRACTIONS)
    + "]"
)


def boxed(text: str) -> list[tuple[int, int]]:
    r"""Return the spans of the contents of each \boxed{...}, with balanced braces and at most 2,000
    characters."""
    spans: list[tuple[int, int]] = []
    for match in list(re.finditer(r"\\boxed\s?\{", text))[-100:]:
        depth, at = 1, match.end()
        limit = min(len(text), at + 2000)
        while at < limit and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        if not depth:
            spans.append((match.end(), at - 1))
    return spans


def tagged(text: str) -> list[tuple[int, int]]:
    """Return the spans of the contents of answer tags; an unclosed last tag reaches to the end."""
    spans: list[tuple[int, int]] = []
    begun: int | None = None
    for match in ANSWER_TAG.finditer(text):
        if not match["close"]:
            begun = match.end()
        elif begun is not None:
            spans.append((begun, match.start()))
            begun = None
    if begun is not None:
        spans.append((begun, len(text)))
    return spans

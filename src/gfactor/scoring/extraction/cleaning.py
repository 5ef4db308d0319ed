"""Replacing the formatting around an answer by spaces, position by position.

Every replacement keeps the length of the text, so that a span in the cleaned text is a span in
the reply: markdown, code fences, quotes, HTML tags, LaTeX wrappers and bullets become spaces, full
width signs become plain ones, and square and curly brackets become spaces (round ones where the
format's atoms are cells).

`normalize` serves the other kind of rule: it deletes and folds characters (two characters of a
reply may become one), and records the position of each. The two share no step: folding would move
the spans here, and these blanks would leave gaps in the sentences there.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.normalize import THINKING
from gfactor.scoring.extraction.signs import BULLETS, QUOTES, SINGLE_QUOTES

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}

_DRESS = re.compile(
    "|".join(
        (
            r"```[^\S\n]*\w*",  # code fence with its language
            r"</?[A-Za-z][\w-]{0,20}[^\S\n]*/?>",  # HTML or XML tag
            r"\\(?:boxed|fbox|text|textbf|textrm|texttt|mathrm|mathbf|mathtt|operatorname)\s?\{",
            r"\\[()\[\],;!]",  # LaTeX delimiters and spaces
            r"(?<!\d)\*+|\*+(?!\d)",  # emphasis, but not a product
            r"(?<!\w)_+|_+(?!\w)",
            rf"[`$\"{QUOTES}]",
            rf"(?<![^\W\d_])['{SINGLE_QUOTES}]",  # quotes, but not apostrophes
            rf"['{SINGLE_QUOTES}](?![^\W\d_])",
            rf"^[^\S\n]*(?:[#>{BULLETS}+-]+[^\S\n]+)+",  # headings, quotations, bullets
        )
    ),
    re.MULTILINE,
)
_ARROW = re.compile(r"\\(?:rightarrow|longrightarrow|to)\b")
_NUMBERING = re.compile(r"^[^\S\n]*\d{1,3}[.)][^\S\n]+", re.MULTILINE)

BULLET = re.compile(rf"\s*(?:[{BULLETS}*+-]|\d{{1,3}}[.)])\s")
"""The start of a line that is one entry of a list laid out over several lines."""


def without_thinking(reply: str) -> str:
    """Return the reply with its thinking replaced by blanks, if an answer may follow it.

    Parameters
    ----------
    reply: the text as the examinee gave it.

    Returns
    -------
    str: a text of the same length; the reply itself if no text follows the last mark.
    """
    closing = [m for m in THINKING.finditer(reply) if m["close"] or m["kimi"] or m["end"]]
    if not closing or not re.search(r"\w", reply[closing[-1].end() :]):
        return reply
    end = closing[-1].end()
    return re.sub(r"[^\n]", " ", reply[:end]) + reply[end:]


def cleaned(reply: str, *, cells: bool = False, numbered: bool = False) -> str:
    """Return the reply without its formatting, of the same length.

    Parameters
    ----------
    cells: True if square and curly brackets may hold cells and become round ones.
    numbered: True if numbers at the starts of lines are numbering, not answers.
    """
    text = reply.translate(_FULL_WIDTH)
    text = _ARROW.sub(lambda m: "->".ljust(len(m[0])), text)
    text = _DRESS.sub(lambda m: " " * len(m[0]), text)
    if numbered:
        text = _NUMBERING.sub(lambda m: " " * len(m[0]), text)
    return text.translate(str.maketrans("[]{}", "()()" if cells else "    "))

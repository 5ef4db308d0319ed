"""Signs that belong to no language, by name: the only module with characters beyond ASCII.

Each text may stand alone or in a character class of a regular expression. Signs that end or part
the sentences of a language are in its file (`stop` and `comma` of `Language`).
"""

from __future__ import annotations

EN_DASH = "–"
EM_DASH = "—"
DASHES = EN_DASH + EM_DASH
MINUS = "−"
HYPHENS = "‐‑‒" + MINUS
QUOTES = "“”„«»"
OTHER_QUOTES = "‟「」『』《》〈〉"
SINGLE_QUOTES = "‘’"
OTHER_SINGLE_QUOTES = "‚‛\u02bc′"
BRACKETS = "【】〔〕〖〗"
"""Brackets, each opening one followed by its closing one."""
BULLETS = "•‣▪●"
TURNED_TRIANGLES = "◁▷"
"""Brackets round the tags of one model family."""
ARROW = "→"
ARROWS = ARROW + "⇒"
LEFT_ARROWS = "←⇐⬅"
HEAVY_ARROW = "➡"
POINTING_HAND = "👉"
MIDDLE_DOT = "·"
LIST_DOTS = MIDDLE_DOT + "・‧"
WIDE_COLON = "："
ROOT = "√"
PLAIN_TICKS = "✓✔✅"
TICKS = PLAIN_TICKS + ROOT
PLAIN_CROSSES = "✗❌×"
"""Crosses with which a complete reply may end."""
CROSSES = PLAIN_CROSSES + "✘✕"
ROUND_MARKS = "○◯⭕"
"""Circles that stand for a tick."""
TICKED_BOX = "☑"
EMPTY_BOX = "☐"
CROSSED_BOX = "☒"
EMPTY_SQUARE, FULL_SQUARE = "□", "■"
FULL_CIRCLE = "●"
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
"""The circled numbers from 1 to 20."""
DEGREE = "°"
TIMES = "×"
DIVIDED = "÷"
ANGLE = "∠"
TRIANGLE = "△"
UNEQUAL = "≠"
ABOUT = "≈"
AT_MOST, AT_LEAST = "≤", "≥"
LOWERED = "₀₁₂₃₄₅₆₇₈₉"
"""The digits from 0 to 9 below the line."""
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""The digits from 0 to 9 above the line."""
RAISED_SIGNS = "⁺⁻"
OTHER_RAISED = "⁼⁽⁾\u207f\u2071"
LOWERED_SIGNS = "₊₋"
SQUARE_CUBE = "²³"
COMMON_FRACTIONS = "¼½¾"
FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5",
    "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip

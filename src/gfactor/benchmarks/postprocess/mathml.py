"""Presentation MathML, as far as exam items use it, to LaTeX."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

MATH_TAGS = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msup", "msub", "msubsup", "msqrt",
     "mroot", "mstyle", "mspace", "semantics", "mfenced", "mover", "munder"}
)  # fmt: skip

_SIGNS = {
    "×": r"\times ", "÷": r"\div ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "±": r"\pm ",
    "·": r"\cdot ", "⋅": r"\cdot ", "−": "-", "π": r"\pi ", "∞": r"\infty ", "∠": r"\angle ",
    "△": r"\triangle ", "→": r"\to ", "≈": r"\approx ", "∈": r"\in ", "α": r"\alpha ",
    "β": r"\beta ", "θ": r"\theta ", "°": r"^{\circ}", "%": r"\%", "√": r"\surd ", "∑": r"\sum ",
    "⊥": r"\perp ", "∥": r"\parallel ", "ω": r"\omega ", "λ": r"\lambda ", "μ": r"\mu ",
}  # fmt: skip

_ACCENTS = {r"\to": r"\overrightarrow", "¯": r"\overline", "‾": r"\overline", "^": r"\hat"}


def formula(tag: str, children: Sequence[Any]) -> str:
    """The LaTeX of an element (without dollar signs); children are texts and elements."""
    parts = [child for child in children if not isinstance(child, str) or child.strip()]
    children = [_text(c) if isinstance(c, str) else formula(c.tag, c.children) for c in parts]
    if tag in ("mfrac", "msup", "msub", "mroot", "mover", "munder") and len(children) == 2:
        one, other = children
        accent = _ACCENTS.get(other.strip(), rf"\overset{{{other}}}")
        return {
            "mfrac": rf"\frac{{{one}}}{{{other}}}",
            "msup": f"{_grouped(one)}^{{{other}}}",
            "msub": f"{_grouped(one)}_{{{other}}}",
            "mroot": rf"\sqrt[{other}]{{{one}}}",
            "mover": f"{accent}{{{one}}}",
            "munder": rf"\underset{{{other}}}{{{one}}}",
        }[tag]
    if tag == "msubsup" and len(children) == 3:
        return f"{_grouped(children[0])}_{{{children[1]}}}^{{{children[2]}}}"
    inner = "".join(children)
    if tag == "msqrt":
        return rf"\sqrt{{{inner}}}"
    if tag == "mtext":
        return rf"\text{{{inner}}}"
    if tag == "mfenced":
        return rf"\left({', '.join(children)}\right)"
    return inner.strip() if tag == "math" else inner


def _text(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in html.unescape(text).strip())


def _grouped(text: str) -> str:
    return text if len(text.strip()) == 1 else f"{{{text}}}"

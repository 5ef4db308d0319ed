"""Texts of items, people and models as HTML that runs nothing: Markdown, a few tags, formulas.

Markdown is rendered by markdown-it-py and cleaned by nh3. Formulas between dollar signs become
MathML, which browsers draw themselves: no script is needed. What latex2mathml makes is rebuilt
from a list of allowed elements and attributes, because it passes tags inside `\\text{}` through.
"""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from gfactor.studies.web.extras import need

_TAGS = {
    "a", "b", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "h3", "h4", "h5", "h6",
    "hr", "i", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td",
    "th", "thead", "tr", "u", "ul",
}  # fmt: skip
_ATTRIBUTES = {"td": {"align"}, "th": {"align"}, "ol": {"start"}, "a": {"href"}}

_MATH = "{http://www.w3.org/1998/Math/MathML}"
_MATH_TAGS = {
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub",
    "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "mtable",
    "mtr", "mtd", "mpadded", "mphantom", "menclose", "mstyle",
}  # fmt: skip
_MATH_ATTRIBUTES = {
    "display", "mathvariant", "stretchy", "fence", "form", "separator", "accent", "accentunder",
    "columnalign", "rowalign", "columnspacing", "rowspacing", "columnlines", "rowlines", "width",
    "height", "depth", "lspace", "rspace", "linethickness", "displaystyle", "scriptlevel",
    "notation", "minsize", "maxsize", "movablelimits", "symmetric", "largeop",
}  # fmt: skip
LONGEST_FORMULA = 4_000
"""Largest number of characters of a formula; longer ones are shown unconverted, since converting
them is slow."""


RIGHT_TO_LEFT = frozenset(
    {"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
)
RIGHT_TO_LEFT_SCRIPTS = frozenset(
    {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
"""Languages and scripts (BCP 47) that are written from right to left."""


_WORDS = re.compile(r"[^\W_]+( [^\W_]+)*")
"""A text in which nothing can be marked up."""


@lru_cache(maxsize=4096)
def to_html(text: str, *, inline: bool = False) -> str:
    """Return a text as safe HTML.

    Parameters
    ----------
    text: Markdown with tables, `<u>`, `<sub>` and `<sup>`, and formulas in `$...$` or `$$...$$`.
        Formulas that cannot be parsed are shown as they were written, marked as code.
    inline: without the paragraph round it, for options and labels.

    Images are not rendered: an item's images are segments of their own.
    """
    if inline and _WORDS.fullmatch(text):
        return text
    formulas: dict[str, str] = {}
    parser = _parser(_keeping(formulas))
    raw = parser.renderInline(text) if inline else parser.render(text)
    clean = need("nh3").clean(
        raw, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"}
    )
    for mark, formula in formulas.items():
        clean = clean.replace(mark, formula)
    return clean


def direction(language: str) -> str:
    """Return "rtl" for languages written from right to left (a BCP 47 tag), else "ltr"."""
    first, *rest = language.lower().split("-")
    scripts = {part for part in rest if len(part) == 4 and part.isalpha()}
    if scripts:
        return "rtl" if scripts & RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if first in RIGHT_TO_LEFT else "ltr"


def formula_to_mathml(source: str, *, block: bool = False) -> str | None:
    """Return a LaTeX formula as MathML; None if it cannot be parsed."""
    if len(source) > LONGEST_FORMULA:
        return None
    try:
        mathml = need("latex2mathml.converter").convert(
            source, display="block" if block else "inline"
        )
        tree = ElementTree.fromstring(mathml)
    except Exception:  # the converter raises errors of many kinds, some of them its own defects
        return None
    return _rebuilt(tree)


def _parser(keep: Callable[[str, bool], str]) -> Any:
    """A Markdown parser that hands every formula to `keep` and writes what that returns."""
    parser = need("markdown_it").MarkdownIt("commonmark", {"html": True, "breaks": True})
    parser.enable(["table", "strikethrough"]).disable("image")
    dollars = need("mdit_py_plugins.dollarmath").dollarmath_plugin
    parser.use(
        dollars,
        allow_digits=False,  # "from $5 to $6" holds no formula
        renderer=lambda source, options: keep(source, options["display_mode"]),
    )
    return parser


def _keeping(formulas: dict[str, str]) -> Callable[[str, bool], str]:
    """Replace formulas by marks that the author of the text cannot have known."""

    def keep(source: str, block: bool) -> str:
        mark = f"formula-{secrets.token_hex(16)}"
        rendered = formula_to_mathml(source, block=block)
        dollars = "$$" if block else "$"
        formulas[mark] = rendered or f"<code>{html.escape(f'{dollars}{source}{dollars}')}</code>"
        return mark

    return keep


def _rebuilt(tree: ElementTree.Element) -> str:
    """An element with only the allowed MathML; other elements are replaced by their text."""
    name = tree.tag.removeprefix(_MATH)
    inner = html.escape(tree.text or "")
    inner += "".join(_rebuilt(child) + html.escape(child.tail or "") for child in tree)
    if name not in _MATH_TAGS:
        return inner
    attributes = "".join(
        f' {key}="{html.escape(value)}"'
        for key, value in sorted(tree.attrib.items())
        if key in _MATH_ATTRIBUTES
    )
    return f"<{name}{attributes}>{inner}</{name}>"

"""Conversion of HTML, as exam items use it, to Markdown and LaTeX.

Only known tags count as tags: "若a<b，则" contains none. Underlines (`<u>`) and tables with merged
or nested cells stay as HTML. Color, font and alignment are dropped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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

_VOID = frozenset({"br", "hr", "img", "col", "mspace"})
_BLOCKS = frozenset(
    {"p", "div", "center", "section", "article", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
)
_INLINE = frozenset(
    {"b", "strong", "i", "em", "u", "sub", "sup", "span", "font", "a", "small", "big", "label"}
)
_TABLE = frozenset(["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup"])
_LISTS = frozenset({"ul", "ol", "li"})
_LOOSE = frozenset({"p", "li", "tr", "td", "th"})
"""Tags that HTML allows to stay unclosed."""

_TAG_NAMES = sorted(_VOID | _BLOCKS | _INLINE | _TABLE | _LISTS | MATH_TAGS, key=len, reverse=True)
_TAG = re.compile(rf"(?i)<(/?)({'|'.join(_TAG_NAMES)})((?:\s[^<>]*)?)(/?)>")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,6}|#[xX][0-9a-fA-F]{1,5});")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_BASE = re.compile(r"(\d+(?:\.\d+)?|[A-Za-z]+|[\u0370-\u03ff]|[)\]])$")


@dataclass
class Node:
    """An element and its contents."""

    tag: str
    raw: str = ""
    children: list[str | Node] = field(default_factory=list)

    def attribute(self, name: str) -> str:
        """Return an attribute's value, "" if there is none."""
        for match in _ATTRIBUTE.finditer(self.raw):
            if match[1].lower() == name:
                return html.unescape(match[2] or match[3] or match[4] or "")
        return ""


Nodes: TypeAlias = Sequence["str | Node"]


def markdown(text: str) -> str:
    """Convert a text to Markdown and LaTeX; a text without tags and entities stays unchanged."""
    tree = parsed(text)
    if not any(isinstance(child, Node) for child in tree) and not _ENTITY.search(text):
        return text
    lines = (
        line.strip(" \t") if line.strip() == "" else line.rstrip()
        for line in _render(tree).split("\n")
    )
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def parsed(text: str) -> list[str | Node]:
    """Return the tree of a text. A tag of one letter that is never closed is text ("a<b>c"); other
    tags that are not closed end with the element around them; stray closing tags are left out."""
    root = Node("")
    stack, at = [root], 0
    for mark in _TAG.finditer(text):
        closing, tag = bool(mark[1]), mark[2].lower()
        if mark.start() < at:
            continue
        unclosed = not re.search(rf"(?i)</{tag}\s*>", text[mark.end() :])
        if not closing and len(tag) == 1 and not mark[3].strip() and unclosed:
            continue
        if mark.start() > at:
            stack[-1].children.append(text[at : mark.start()])
        at = mark.end()
        if closing:
            _close(stack, tag)
            continue
        if tag in _LOOSE and stack[-1].tag == tag:
            stack.pop()
        node = Node(tag, mark[0])
        stack[-1].children.append(node)
        if tag not in _VOID and not mark[4] and not (unclosed and tag not in _LOOSE):
            stack.append(node)
    if at < len(text):
        stack[-1].children.append(text[at:])
    return root.children


def _close(stack: list[Node], tag: str) -> None:
    for depth in range(len(stack) - 1, 0, -1):
        if stack[depth].tag == tag:
            del stack[depth:]
            return


def _render(nodes: Nodes) -> str:
    out, formula_end = "", -1
    for node in nodes:
        if isinstance(node, str):
            out += html.unescape(node).replace("\xa0", " ")
        elif node.tag in ("sub", "sup"):
            out = _scripted(out, node, formula_end)
            formula_end = len(out)
        elif node.tag in MATH_TAGS:
            mathml = formula(node.tag, node.children)
            out += mathml if _in_math(out) else f"${mathml}$"
        else:
            out += _element(node)
    return out


def _element(node: Node) -> str:
    if node.tag == "img":
        return f"![{node.attribute('alt')}]({node.attribute('src')})"
    if node.tag in ("br", "hr"):
        return "\n" if node.tag == "br" else "\n\n---\n\n"
    if node.tag == "table":
        return _table(node)
    inner = _render(node.children)
    mark = {"b": "**", "strong": "**", "i": "*", "em": "*"}.get(node.tag, "")
    if mark and inner.strip():
        # Markdown allows no blanks just inside its marks.
        words = inner.strip()
        before, after = inner.split(words, 1)
        return f"{before}{mark}{words}{mark}{after}"
    if node.tag == "u":
        return f"<u>{inner}</u>"
    if node.tag in ("ul", "ol"):
        return _list(node)
    if node.tag in _BLOCKS:
        level = f"{'#' * int(node.tag[1])} " if re.fullmatch(r"h[1-6]", node.tag) else ""
        return f"\n{level}{inner.strip()}\n" if inner.strip() else "\n"
    return inner


def _list(node: Node) -> str:
    items = [c for c in node.children if isinstance(c, Node) and c.tag == "li"]
    lines = (
        f"{'-' if node.tag == 'ul' else f'{number}.'} {_render(item.children).strip()}"
        for number, item in enumerate(items, 1)
    )
    return "\n" + "\n".join(lines) + "\n"


def _scripted(out: str, node: Node, formula_end: int) -> str:
    """The text so far, with a superscript or subscript appended in LaTeX."""
    inner = _latex(_render(node.children).strip())
    script = f"{'^' if node.tag == 'sup' else '_'}{{{inner}}}"
    if not inner:
        return out
    if _in_math(out):
        return out + script
    if formula_end == len(out) and out.endswith("$"):
        return f"{out[:-1]}{script}$"
    base = _BASE.search(out)
    return f"{out[: base.start()]}${base[1]}{script}$" if base else f"{out}${{}}{script}$"


def _in_math(out: str) -> bool:
    return len(re.findall(r"(?<!\\)\$", out)) % 2 == 1


def _latex(text: str) -> str:
    plain = re.sub(r"(?<!\\)\$", "", text)
    plain = re.sub(r"(?<!\\)([%#&])", r"\\\1", plain).replace("−", "-")
    return re.sub(r"[\u3400-\u9fff]+", lambda m: rf"\text{{{m[0]}}}", plain)


def _table(node: Node) -> str:
    """A Markdown table; HTML where cells are merged, nested or of several lines."""
    rows = [
        [c for c in row.children if isinstance(c, Node) and c.tag in ("td", "th")]
        for row in _rows(node)
    ]
    rows = [row for row in rows if row]
    cells = [[_render(cell.children).strip() for cell in row] for row in rows]
    merged = any(
        c.attribute(n) not in ("", "1") for r in rows for c in r for n in ("rowspan", "colspan")
    )
    nested = any("<table" in text or "\n" in text for row in cells for text in row)
    if not cells or merged or nested or len({len(row) for row in cells}) > 1:
        return f"\n{_as_html(node)}\n"
    lines = [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in cells]
    return "\n\n" + "\n".join([lines[0], "|" + "---|" * len(cells[0]), *lines[1:]]) + "\n\n"


def _rows(node: Node) -> list[Node]:
    rows: list[Node] = []
    for child in node.children:
        if isinstance(child, Node):
            rows += [child] if child.tag == "tr" else _rows(child) if child.tag != "table" else []
    return rows


def _as_html(node: Node) -> str:
    """A table as HTML with converted cells; of its attributes, only the spans are kept."""
    spans = "".join(
        f' {name}="{html.escape(value)}"'
        for name in ("rowspan", "colspan")
        if (value := node.attribute(name))
    )
    inner = (
        _as_html(child)
        if isinstance(child, Node) and child.tag in _TABLE
        else _render([child]).strip()
        for child in node.children
    )
    return f"<{node.tag}{spans}>{''.join(inner)}</{node.tag}>"


def formula(tag: str, children: Sequence[Any]) -> str:
    """Return the LaTeX of an element (without dollar signs); children are texts and elements."""
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

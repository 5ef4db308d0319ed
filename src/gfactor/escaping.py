"""Texts that others wrote, made safe to be printed and to be opened in a spreadsheet.

Replies of models hold whatever a model says: terminal escapes that hide or forge lines, marks that
turn the direction of writing, formulas. They are stored as they came; what leaves is escaped.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_FORMULA = re.compile(r"[\s'\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def visible(text: str) -> str:
    """Escape the characters of a text that are unsafe to print.

    These are control characters except tabs and line breaks (so that no terminal escape begins),
    characters that change the direction of writing or have no width, and lone surrogates. They are
    written as "\\x1b", "\\u202e" and so on.
    """
    return _UNSAFE.sub(lambda m: _escape(m[0]), text.replace("\r\n", "\n"))


def visible_json(document: str) -> str:
    """Escape characters in a JSON document that a terminal would obey; its data stay the same."""
    # Outside strings JSON has none of these signs but line breaks, which `_UNSAFE` leaves alone.
    return _UNSAFE.sub(lambda m: _utf16(m[0]), document)


def spreadsheet_safe(text: str) -> str:
    """Return the text as a cell of a CSV file: visible, and never a formula.

    Spreadsheets read a cell that begins with =, +, - or @ as a formula, even in quotes, which the
    parser of the file removes. An apostrophe before the text marks it as text (OWASP, CSV
    Injection). Plain numbers stay unchanged.
    """
    cell = visible(text)
    if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _escape(sign: str) -> str:
    """As Python writes it: two digits where they do, else four or eight."""
    number = ord(sign)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _utf16(sign: str) -> str:
    data = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[k : k + 2].hex()}" for k in range(0, len(data), 2))

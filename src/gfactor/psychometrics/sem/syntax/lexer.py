"""Model text as tokens, each with its line and column; without comments and line continuations."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from gfactor.errors import GfactorError
from gfactor.frames import composed


class ModelSyntaxError(GfactorError):
    """A model text that cannot be read, with the line and the column, both from 1.

    Parameters
    ----------
    what: the expected and the found text, in words, without a position and without a full stop.
    line, column: position; line 0 if the whole model is meant.
    """

    def __init__(self, what: str, line: int = 0, column: int = 0) -> None:
        self.line, self.column = line, column
        where = f"model, line {line}, column {column}: " if line else "model: "
        super().__init__(f"{where}{what}.")


Kind = Literal["name", "quoted", "number", "operator", "end"]

_OPERATORS = (
    *("~*~", "=~", "~~", ":=", "==", "<~", "<=", ">=", "**"),
    *("~", "<", ">", "|", "+", "-", "*", "/", "^", "(", ")", ",", "?", ":", "="),
)
_PIECES = re.compile(
    r"""(?P<space>[^\S\n]+|[#!][^\n]*)
      | (?P<break>[\n;])
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<name>(?:[^\W\d]|\.(?!\d))[\w.]*)
      | (?P<quoted>"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)
      | (?P<operator>"""
    + "|".join(re.escape(operator) for operator in _OPERATORS)
    + ")",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word of the model; `text` of a quoted one is without its quotes, `end` closes a statement.

    `quote` is the quote character of a quoted token, else "".
    """

    kind: Kind
    text: str
    line: int
    column: int
    quote: str = ""

    def __str__(self) -> str:
        return "the end of the statement" if self.kind == "end" else repr(self.text)


def tokens(text: str) -> list[Token]:
    """Return all tokens, an `end` after each statement.

    A statement continues on the next line if a bracket is open, if the line ends in an operator, or
    if the next line that is not empty starts with one; a semicolon always ends it.

    Raises
    ------
    ModelSyntaxError: a character that belongs to no word of the language; a quote left open.
    """
    text = composed(text)
    tokens_of: list[Token] = []
    position, line, line_start, depth = 0, 1, 0, 0
    pending: Token | None = None  # the line break that may end the statement
    while position < len(text):
        column = position - line_start + 1
        match = _PIECES.match(text, position)
        if match is None:
            raise ModelSyntaxError(_stray(text[position]), line, column)
        position = match.end()
        piece, kind = match.group(), match.lastgroup
        if kind == "space":
            continue
        if kind == "break":
            stops = piece == ";" or not (depth or _goes_on(tokens_of))
            if stops and pending is None and tokens_of and tokens_of[-1].kind != "end":
                pending = Token("end", "", line, column)
            if piece == "\n":
                line, line_start = line + 1, position
            elif pending is not None:
                tokens_of.append(pending)
                pending, depth = None, 0
            continue
        token = _token(kind or "", piece, line, column)
        if pending is not None:
            if not _continues(token):
                tokens_of.append(pending)
            pending = None
        tokens_of.append(token)
        depth = max(0, depth + (token.text == "(") - (token.text == ")"))
    if tokens_of and tokens_of[-1].kind != "end":
        tokens_of.append(pending or Token("end", "", line, position - line_start + 1))
    return tokens_of


def _token(kind: str, piece: str, line: int, column: int) -> Token:
    if kind == "quoted":
        return Token("quoted", piece[1:-1], line, column, piece[0])
    if kind == "number":
        return Token("number", piece, line, column)
    return Token("name" if kind == "name" else "operator", piece, line, column)


def _goes_on(before: list[Token]) -> bool:
    return bool(before) and before[-1].kind == "operator" and before[-1].text != ")"


def _continues(token: Token) -> bool:
    """Return True if a line that starts with this token belongs to the statement before."""
    return token.kind == "operator" and token.text not in {"(", "-"}


def _stray(character: str) -> str:
    if character in "\"'`":
        return f"the quote {character} is not closed on its line"
    return f"expected a name, a number or an operator, found the character {character!r}"

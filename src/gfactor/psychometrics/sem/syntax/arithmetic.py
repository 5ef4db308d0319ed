"""The parser of expressions: + - * / ^, brackets, functions; no `eval` anywhere."""

from __future__ import annotations

import difflib

from gfactor.psychometrics.sem.syntax.expressions import (
    Binary,
    Call,
    Expression,
    Minus,
    Name,
    Number,
)
from gfactor.psychometrics.sem.syntax.functions import FUNCTIONS
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError, Token, tokens

_DEEPEST = 60
"""Deepest nesting of brackets and signs; it keeps recursion within Python's stack."""

_LONGEST = 400
"""Largest number of terms of an expression; derivatives recurse as deep as this."""


class Reader:
    """A statement's tokens, read from left to right."""

    def __init__(self, statement: list[Token]) -> None:
        self._tokens = statement
        self._at = 0
        self._depth = 0
        self._joined = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._at]

    def ahead(self, steps: int = 1) -> Token:
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def sees(self, *operators: str) -> bool:
        return self.next.kind == "operator" and self.next.text in operators

    def expect(self, operator: str) -> Token:
        if not self.sees(operator):
            raise self.surprise(repr(operator))
        return self.take()

    def surprise(self, expected: str) -> ModelSyntaxError:
        token = self.next
        return ModelSyntaxError(f"expected {expected}, found {token}", token.line, token.column)

    def expression(self) -> Expression:
        """Return a sum of products, as far as it goes."""
        left = self._product()
        while self.sees("+", "-"):
            left = self._grown(self.take().text, left, self._product())
        return left

    def _product(self) -> Expression:
        left = self.factor()
        while self.sees("*", "/"):
            left = self._grown(self.take().text, left, self.factor())
        return left

    def factor(self) -> Expression:
        """Parse a number, a name, a call or a bracket, with its sign and power."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.surprise(f"at most {_DEEPEST} nested brackets and signs")
        try:
            if self.sees("+"):
                self.take()
                return self.factor()
            if self.sees("-"):
                self.take()
                inner = self.factor()
                return Minus(inner)
            base = self._atom()
            if self.sees("^", "**"):
                self.take()
                return self._grown("^", base, self.factor())
            return base
        finally:
            self._depth -= 1

    def _grown(self, operator: str, left: Expression, right: Expression) -> Expression:
        self._joined += 1
        if self._joined > _LONGEST:
            raise self.surprise(f"at most {_LONGEST} terms in one expression")
        return Binary(operator, left, right)

    def _atom(self) -> Expression:
        if self.sees("("):
            self.take()
            inner = self.expression()
            self.expect(")")
            return inner
        token = self.next
        if token.kind == "number":
            self.take()
            return Number(number(token))
        if token.kind not in {"name", "quoted"}:
            raise self.surprise("a number, a label or '('")
        self.take()
        if token.kind == "name" and self.sees("("):
            return self._call(token)
        if token.kind == "name" and token.text == "Inf":
            return Number(float("inf"))
        if not token.text:
            raise ModelSyntaxError("expected a name between the quotes", token.line, token.column)
        return Name(token.text)

    def _call(self, name: Token) -> Expression:
        if name.text not in FUNCTIONS:
            close = difflib.get_close_matches(name.text, FUNCTIONS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(FUNCTIONS)}"
            raise ModelSyntaxError(
                f"unknown function {name.text!r} in an expression; {hint}", name.line, name.column
            )
        self.expect("(")
        argument = self.expression()
        self.expect(")")
        return Call(name.text, argument)


def number(token: Token) -> float:
    """Return the value of a number token; raise an error if it overflows."""
    value = float(token.text)
    if value == float("inf"):
        raise ModelSyntaxError(f"the number {token.text} is too large", token.line, token.column)
    return value


def parse_expression(text: str) -> Expression:
    """Parse a single arithmetic expression, such as one side of a "==" row.

    Raises
    ------
    ModelSyntaxError: if the text is not one expression; the message names the place.
    """
    pieces = tokens(text)
    if not pieces:
        raise ModelSyntaxError("expected an expression, found nothing")
    reader = Reader(pieces)
    parsed = reader.expression()
    if reader.next.kind != "end" or reader.next is not pieces[-1]:
        raise reader.surprise("an operator or the end of the expression")
    return parsed

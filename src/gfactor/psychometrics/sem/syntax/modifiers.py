"""Terms on the right of a formula: a variable and its modifiers."""

from __future__ import annotations

import math

from gfactor.psychometrics.sem.syntax.arithmetic import Reader
from gfactor.psychometrics.sem.syntax.expressions import Expression
from gfactor.psychometrics.sem.syntax.functions import FUNCTIONS
from gfactor.psychometrics.sem.syntax.lexer import ModelSyntaxError, Token
from gfactor.psychometrics.sem.syntax.model import Modifier, ModifierKind, Term, Value

_CALLS: dict[str, ModifierKind] = {
    "start": "start",
    "label": "label",
    "equal": "label",
    "lower": "lower",
    "upper": "upper",
}


def read_term(reader: Reader, operator: str) -> Term:
    """Return one term: modifiers, each followed by `*` (or `?` for a start value), and a
    variable."""
    modifiers: list[Modifier] = []
    while not _is_variable(reader):
        start = reader.next
        for modifier in _modifier(reader):
            if any(modifier.kind == other.kind for other in modifiers):
                raise ModelSyntaxError(
                    f"two modifiers of the kind {modifier.kind!r} before one variable",
                    start.line,
                    start.column,
                )
            modifiers.append(modifier)
    return _variable(reader, operator, tuple(modifiers))


def _is_variable(reader: Reader) -> bool:
    """Return True if the next token is the last of its term."""
    if reader.next.kind not in {"name", "quoted", "number"}:
        return False
    after = reader.ahead()
    return after.kind != "operator" or after.text not in {"*", "?", "/", "^", "**", "("}


def _variable(reader: Reader, operator: str, modifiers: tuple[Modifier, ...]) -> Term:
    token = reader.take()
    if reader.sees(":"):
        return _product(reader, operator, modifiers, token)
    if token.kind == "number":
        if operator != "~" or token.text not in {"0", "1"}:
            raise ModelSyntaxError(
                f"expected the name of a variable, found the number {token.text}",
                token.line,
                token.column,
            )
        if token.text == "0":
            if modifiers:
                raise ModelSyntaxError(
                    "expected a variable or 1 (the intercept) after '*', found 0",
                    token.line,
                    token.column,
                )
            modifiers = (Modifier("fixed", (0.0,)),)
        return Term("", modifiers, token.line, token.column, intercept=True)
    if not token.text or (token.kind == "name" and token.text in {"NA", "Inf"}):
        raise ModelSyntaxError(
            f"expected the name of a variable, found {token}", token.line, token.column
        )
    return Term(token.text, modifiers, token.line, token.column)


def _product(reader: Reader, operator: str, modifiers: tuple[Modifier, ...], first: Token) -> Term:
    """The product of two observed variables, `x:z`, which is a variable of that name."""
    if operator != "~":
        raise ModelSyntaxError(
            "a product of variables (x:z) stands on the right of a regression (~) only",
            first.line,
            first.column,
        )
    reader.expect(":")
    second = reader.next
    names = (first, second)
    if any(one.kind not in {"name", "quoted"} or not one.text for one in names):
        raise reader.surprise("two names of variables around ':'")
    reader.take()
    if reader.sees(":"):
        raise ModelSyntaxError(
            "a product (x:z) has two variables; write one of more as a column of the data",
            first.line,
            first.column,
        )
    return Term(f"{first.text}:{second.text}", modifiers, first.line, first.column)


def _modifier(reader: Reader) -> list[Modifier]:
    token = reader.next
    if token.kind == "end" or (token.kind == "operator" and token.text not in {"(", "-", "+"}):
        if token.text == "=":
            raise reader.surprise("a variable or a modifier (a factor is measured by =~, not ~=)")
        raise reader.surprise("a variable or a modifier")
    if token.kind == "name" and reader.ahead().text == "(" and token.text in {*_CALLS, "c"}:
        reader.take()
        values = _arguments(reader)
        if token.text != "c":
            modifiers = [_called(_CALLS[token.text], values, token)]
        else:
            modifiers = _split(values)
    elif token.kind in {"name", "quoted"} and not _opens_function(reader):
        modifiers = _split((_value(reader),))
    else:
        value = _constant(reader)
        if reader.sees("?"):
            reader.take()
            return [_called("start", (value,), token)]
        modifiers = [Modifier("fixed", (value,))]
    if reader.sees("?") and modifiers[0].kind == "fixed":
        reader.take()
        return [_called("start", modifiers[0].values, token)]
    if not reader.sees("*"):
        raise reader.surprise("'*' and a variable after the modifier")
    reader.take()
    last = modifiers[-1]
    if last.kind == "fixed" and any(isinstance(v, float) and math.isinf(v) for v in last.values):
        raise ModelSyntaxError("expected a finite number", token.line, token.column)
    return modifiers


def _opens_function(reader: Reader) -> bool:
    return reader.next.kind == "name" and reader.ahead().text == "("


def _arguments(reader: Reader) -> tuple[Value, ...]:
    """Read the arguments of start(...), label(...), c(...): values or one c(...)."""
    reader.expect("(")
    if reader.next.text == "c" and reader.ahead().text == "(" and reader.next.kind == "name":
        reader.take()
        values = _arguments(reader)
    else:
        values = (_value(reader),)
        while reader.sees(","):
            reader.take()
            values = (*values, _value(reader))
    reader.expect(")")
    return values


def _value(reader: Reader) -> Value:
    token = reader.next
    if token.kind == "quoted":
        reader.take()
        return token.text
    if token.kind == "name" and token.text == "NA":
        reader.take()
        return math.nan
    if token.kind == "name" and token.text != "Inf" and reader.ahead().text != "(":
        reader.take()
        return token.text
    return _constant(reader, within=True)


def _constant(reader: Reader, *, within: bool = False) -> float:
    """A number, or arithmetic of numbers such as 1/2 or sqrt(2).

    Before a variable the last `*` is not part of it; between brackets everything is.
    """
    token = reader.next
    if _opens_function(reader) and token.text not in FUNCTIONS:
        modifiers = ", ".join(["c", *_CALLS])
        raise ModelSyntaxError(
            f"unknown modifier {token.text!r}; known are {modifiers}", token.line, token.column
        )
    if within:
        return _number(reader.expression(), token)
    value = _number(reader.factor(), token)
    while reader.sees("/") or (reader.sees("*") and _more_numbers(reader)):
        operator = reader.take().text
        start = reader.next
        factor = _number(reader.factor(), start)
        if operator == "/" and factor == 0:
            raise ModelSyntaxError("a modifier divides by zero", start.line, start.column)
        value = value * factor if operator == "*" else value / factor
    return value


def _more_numbers(reader: Reader) -> bool:
    """Return True if the next `*` is followed by a number that is itself only a factor."""
    number, after = reader.ahead(), reader.ahead(2)
    return number.kind == "number" and after.text in {"*", "/"}


def _number(expression: Expression, token: Token) -> float:
    if expression.names:
        raise ModelSyntaxError(
            f"expected a number, found the name {expression.names[0]!r} in arithmetic",
            token.line,
            token.column,
        )
    value = float(expression.value({}))
    if math.isnan(value):
        raise ModelSyntaxError("a modifier is not a number", token.line, token.column)
    return value


def _called(kind: ModifierKind, values: tuple[Value, ...], token: Token) -> Modifier:
    numbers = kind != "label"
    for value in values:
        if isinstance(value, str) == numbers:
            wanted = "a number" if numbers else "a name"
            raise ModelSyntaxError(
                f"expected {wanted} in {token.text}(...), found {value!r}", token.line, token.column
            )
        if kind == "start" and isinstance(value, float) and not math.isfinite(value):
            raise ModelSyntaxError(
                "expected a finite number in start(...)", token.line, token.column
            )
        if isinstance(value, float) and math.isnan(value):
            raise ModelSyntaxError(
                f"expected a number in {token.text}(...), found NA", token.line, token.column
            )
    return Modifier(kind, values)


def _split(values: tuple[Value, ...]) -> list[Modifier]:
    """c(a, NA, 1) as labels and fixed values: each group has its own kind."""
    labels = tuple(value if isinstance(value, str) else "" for value in values)
    numbers = tuple(None if isinstance(value, str) else value for value in values)
    modifiers: list[Modifier] = []
    if any(labels) or all(isinstance(value, str) for value in values):
        modifiers.append(Modifier("label", labels))
    if any(value is not None for value in numbers):
        modifiers.append(Modifier("fixed", numbers))
    return modifiers

"""Arithmetic in constraints and definitions: parsed, printed, evaluated, differentiated exactly."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gfactor.psychometrics.sem.syntax.functions import FUNCTIONS

_PLAIN_NAME = re.compile(r"(?:[^\W\d]|\.(?!\d))[\w.]*")
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_MINUS_STRENGTH = 3

Values = Mapping[str, Any]


def quoted(name: str) -> str:
    """Return a name in model syntax: between back-ticks (or quotes) unless it is plain."""
    if _PLAIN_NAME.fullmatch(name) and name not in {"NA", "Inf"}:
        return name
    mark = next((mark for mark in "`\"'" if mark not in name), "`")
    return f"{mark}{name}{mark}"


class Expression(ABC):
    """A formula of numbers, names and functions.

    `value` and `gradient` take numbers or arrays of one shape by name, so that a thousand bootstrap
    samples are one call; outside a function's domain the value is NaN, without a warning.
    """

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names in the expression, each once, in the order of their first use."""

    @abstractmethod
    def _value(self, values: Values) -> Any: ...

    @abstractmethod
    def derivative(self, name: str) -> Expression:
        """Return the exact partial derivative as an expression, which can be differentiated
        again."""

    @abstractmethod
    def _printed(self, strength: int) -> str:
        """Return the text of an expression, in brackets if it binds less tightly than
        `strength`."""

    def __str__(self) -> str:
        return self._printed(0)

    def value(self, values: Values) -> Any:
        """Return the value for given values of the names; raise KeyError for a name without a
        value."""
        with np.errstate(all="ignore"):
            return self._value(values)

    def gradient(self, values: Values) -> dict[str, Any]:
        """Return the partial derivatives by name, at the values given."""
        return {name: self.derivative(name).value(values) for name in self.names}

    def linear(self) -> tuple[dict[str, float], float] | None:
        """Return coefficients by name and the constant if it is linear in all its names, else
        None."""
        slopes = {name: self.derivative(name) for name in self.names}
        if any(slope.names for slope in slopes.values()):
            return None
        coefficients = {name: float(slope.value({})) for name, slope in slopes.items()}
        return coefficients, float(self.value(dict.fromkeys(self.names, 0.0)))


@dataclass(frozen=True)
class Number(Expression):
    """A constant."""

    number: float

    @property
    def names(self) -> tuple[str, ...]:
        return ()

    def _value(self, values: Values) -> Any:
        return self.number

    def derivative(self, name: str) -> Expression:
        return Number(0.0)

    def _printed(self, strength: int) -> str:
        if not np.isfinite(self.number):
            return "Inf"
        whole = self.number == int(self.number) and abs(self.number) < 1e15
        return str(int(self.number)) if whole else repr(float(self.number))


@dataclass(frozen=True)
class Name(Expression):
    """A label, a defined quantity or a parameter's internal label (.p3.)."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def _value(self, values: Values) -> Any:
        return values[self.name]

    def derivative(self, name: str) -> Expression:
        return Number(1.0 if name == self.name else 0.0)

    def _printed(self, strength: int) -> str:
        return quoted(self.name)


@dataclass(frozen=True)
class Minus(Expression):
    """The negative of a term."""

    term: Expression

    @property
    def names(self) -> tuple[str, ...]:
        return self.term.names

    def _value(self, values: Values) -> Any:
        return -self.term._value(values)

    def derivative(self, name: str) -> Expression:
        return _minus(self.term.derivative(name))

    def _printed(self, strength: int) -> str:
        text = f"-{self.term._printed(_MINUS_STRENGTH)}"
        return f"({text})" if strength > _MINUS_STRENGTH else text


@dataclass(frozen=True)
class Binary(Expression):
    """Two terms joined by + - * / or ^."""

    operator: str
    left: Expression
    right: Expression

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.left.names, *self.right.names)))

    def _value(self, values: Values) -> Any:
        left = np.asarray(self.left._value(values), dtype=float)
        right = np.asarray(self.right._value(values), dtype=float)
        return _ARITHMETIC[self.operator](left, right)[()]

    def derivative(self, name: str) -> Expression:
        if name not in self.names:
            return Number(0.0)
        left, right = self.left, self.right
        d_left, d_right = left.derivative(name), right.derivative(name)
        if self.operator in "+-":
            return _join(self.operator, d_left, d_right)
        if self.operator == "*":
            return _join("+", _join("*", d_left, right), _join("*", left, d_right))
        if self.operator == "/":
            over = _join("/", _join("*", left, d_right), _join("^", right, Number(2.0)))
            return _join("-", _join("/", d_left, right), over)
        # The power rule and the exponential rule are separate: with a constant exponent log(left)
        # must not occur, since left may be negative.
        below = _join("^", left, _join("-", right, Number(1.0)))
        first = _join("*", _join("*", right, below), d_left)
        second = _join("*", _join("*", self, Call("log", left)), d_right)
        return first if name not in right.names else _join("+", first, second)

    def _printed(self, strength: int) -> str:
        binding = _STRENGTH[self.operator]
        power = self.operator == "^"
        left = self.left._printed(binding + power)
        right = self.right._printed(_MINUS_STRENGTH if power else binding + 1)
        text = f"{left}{self.operator}{right}"
        return f"({text})" if strength > binding else text


@dataclass(frozen=True)
class Call(Expression):
    """A function of one argument."""

    function: str
    argument: Expression

    @property
    def names(self) -> tuple[str, ...]:
        return self.argument.names

    def _value(self, values: Values) -> Any:
        argument = np.asarray(self.argument._value(values), dtype=float)
        return FUNCTIONS[self.function].value(argument)[()]

    def derivative(self, name: str) -> Expression:
        inner = self.argument.derivative(name)
        if inner == Number(0.0):
            return inner
        return _join("*", Slope(self.function, self.argument), inner)

    def _printed(self, strength: int) -> str:
        return f"{self.function}({self.argument})"


@dataclass(frozen=True)
class Slope(Call):
    """The derivative of order `order` of a function of one argument; it does not occur in model
    texts."""

    order: int = 1

    def _value(self, values: Values) -> Any:
        argument = np.asarray(self.argument._value(values), dtype=float)
        return FUNCTIONS[self.function].slopes[self.order - 1](argument)[()]

    def derivative(self, name: str) -> Expression:
        inner = self.argument.derivative(name)
        if inner == Number(0.0):
            return inner
        return _join("*", Slope(self.function, self.argument, self.order + 1), inner)

    def _printed(self, strength: int) -> str:
        return f"{self.function}{chr(39) * self.order}({self.argument})"


_ARITHMETIC = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}


def _minus(term: Expression) -> Expression:
    return Number(-term.number) if isinstance(term, Number) else Minus(term)


def _join(operator: str, left: Expression, right: Expression) -> Expression:
    """Return two terms joined, without terms that are zero or factors that are one."""
    zero, one = Number(0.0), Number(1.0)
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(float(Binary(operator, left, right).value({})))
    if operator in "+-" and right == zero:
        return left
    if operator == "+" and left == zero:
        return right
    if operator == "-" and left == zero:
        return _minus(right)
    if (operator in "*/" and left == zero) or (operator == "*" and right == zero):
        return zero
    if operator in "*/^" and right == one:
        return left
    if operator == "*" and left == one:
        return right
    return Binary(operator, left, right)

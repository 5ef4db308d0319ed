"""Other numbers in a question that asks for the value of one arithmetic expression."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from gfactor.benchmarks.postprocess.transformation import register_variant, revised
from gfactor.items import Choice, Item, ItemRandom

_EXPRESSION = re.compile(r"\d+(?:\s*[-+*/×÷−]\s*\(?\s*\d+\s*\)?)+")
_NUMBER = re.compile(r"\d+")
_SIGNS = {"×": "*", "÷": "/", "−": "-"}
_MOST = 10**6
_TRIES = 200
_OPERATIONS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


@register_variant(
    "change-numbers", "Other numbers in a question for the value of one expression, 12 + 7 × 3."
)
def change_numbers(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Return the item with other numbers of as many digits; its key and its options follow.

    Applies to items without pictures whose question holds exactly one expression and no other
    number, and whose key is the expression's value. Options keep their distance to the key.
    """
    if item.images or item.turns or len(item.content) != 1 or item.accepted:
        return ()
    text = str(item.content[0])
    expressions = list(_EXPRESSION.finditer(text))
    if len(expressions) != 1:
        return ()
    if len(_NUMBER.findall(text)) != len(_NUMBER.findall(expressions[0][0])):
        return ()
    old = _value(expressions[0][0])
    options = _options(item)
    if old is None or not _is_key(item, options, old):
        return ()
    for _ in range(_TRIES):
        expression = _NUMBER.sub(lambda match: _other(match[0], random), expressions[0][0])
        new = _value(expression)
        if new is None or new == old or new.denominator != 1 or (new < 0) != (old < 0):
            continue
        moved = {label: value + new - old for label, value in options.items()}
        if any((value < 0) != (options[label] < 0) for label, value in moved.items()):
            continue
        content = text[: expressions[0].start()] + expression + text[expressions[0].end() :]
        choices = tuple(Choice(label, str(value)) for label, value in moved.items())
        target = item.target if choices else (str(new),)
        return (revised(item, content=(content,), choices=choices, target=target),)
    return ()


def _other(number: str, random: ItemRandom) -> str:
    low = 10 ** (len(number) - 1)
    return str(random.integer(max(low, 1), 10 ** len(number) - 1))


def _options(item: Item) -> dict[str, Fraction]:
    """The options' numbers by label; empty if there are none or one is no whole number."""
    texts = {c.label: c.content.strip() for c in item.choices if isinstance(c.content, str)}
    if not all(re.fullmatch(r"-?\d{1,9}", text) for text in texts.values()):
        return {}
    return {label: Fraction(text) for label, text in texts.items()}


def _is_key(item: Item, options: dict[str, Fraction], value: Fraction) -> bool:
    if item.answer_type == "choice" and options:
        return options.get(str(item.target)) == value
    if item.answer_type != "blanks" or item.choices or not isinstance(item.target, tuple):
        return False
    return len(item.target) == 1 and str(item.target[0]) == str(value)


def _value(expression: str) -> Fraction | None:
    """The value of an expression; None if it cannot be read or is too large."""
    plain = "".join(_SIGNS.get(sign, sign) for sign in expression)
    try:
        value = _of(ast.parse(plain.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None
    return value if abs(value) <= _MOST else None


def _of(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return Fraction(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_of(node.left), _of(node.right))
    raise ValueError("no arithmetic")

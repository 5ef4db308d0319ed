"""Reading what is typed for a method's options."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gfactor.errors import ParameterError


def whole(name: str, least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` on."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError as error:
            raise ParameterError(f"{name}: {text!r} is not a whole number") from error
        if value < least:
            raise ParameterError(f"{name}: must be {least} or more, not {value}")
        return value

    return parse


def exact(name: str, most: int | None = None) -> Callable[[str], Fraction]:
    """A reader of numbers from 0 (to `most`), kept as they are written: 0.1 is one tenth."""

    def parse(text: str) -> Fraction:
        try:
            value = Fraction(text)
        except (ValueError, ZeroDivisionError) as error:
            raise ParameterError(f"{name}: {text!r} is not a number such as 0.5 or 3") from error
        if value < 0 or (most is not None and value > most):
            bounds = f"from 0 to {most}" if most is not None else "0 or more"
            raise ParameterError(f"{name}: must be {bounds}, not {text}")
        return value

    return parse


def words(text: str) -> tuple[str, ...]:
    """Words between commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def one_of(name: str, known: tuple[str, ...]) -> Callable[[str], str]:
    """A reader of one of several words."""

    def parse(text: str) -> str:
        if text not in known:
            raise ParameterError(f"{name}: {text!r} is none of {', '.join(known)}")
        return text

    return parse

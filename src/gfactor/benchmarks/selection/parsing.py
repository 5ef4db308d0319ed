"""Reading what is typed for a method's options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from gfactor.errors import ParameterError, UnknownNameError


@dataclass(frozen=True)
class Quotas:
    """Numbers of items per stratum: one for all, and others for some that are named.

    Parameters
    ----------
    each: number for every stratum that is not named.
    named: stratum -> number. A stratum of several labels is called by its values with "/" between.
    """

    each: int = 0
    named: Mapping[str, int] = field(default_factory=dict)

    def of(self, stratum: str) -> int:
        """Return the quota of a stratum."""
        return self.named.get(stratum, self.each)

    def check(self, strata: Collection[str]) -> None:
        """Raise UnknownNameError if a named stratum is unknown."""
        for name in self.named:
            if name not in strata:
                raise UnknownNameError("stratum", name, strata)


def quotas(text: str) -> Quotas:
    """Parse quotas such as `10,Math=20`: ten items of every stratum, twenty of Math (MM-IQ, section
    4.3)."""
    each, named = 0, {}
    for part in words(text):
        name, sign, number = part.rpartition("=")
        count = whole(f"quota {part}", 0)(number.strip())
        if not sign:
            if each:
                raise ParameterError(f"quota: {text!r} has two numbers for every stratum")
            each = count
        elif named.setdefault(name.strip(), count) != count:
            raise ParameterError(f"quota: {text!r} names {name.strip()!r} twice")
    if not each and not any(named.values()):
        raise ParameterError(f"quota: {text!r} selects no items; write it as 10 or 10,Math=20")
    return Quotas(each, named)


def whole(name: str, least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `least` on."""

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
    """Return a parser of numbers from 0 (to `most`) as exact fractions: 0.1 is one tenth."""

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
    """Parse words separated by commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def one_of(name: str, allowed: tuple[str, ...]) -> Callable[[str], str]:
    """Return a parser that accepts one of the allowed words."""

    def parse(text: str) -> str:
        if text not in allowed:
            raise ParameterError(f"{name}: {text!r} is none of {', '.join(allowed)}")
        return text

    return parse

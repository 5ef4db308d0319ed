"""Reading the options of a Percept-V build as they are typed."""

from __future__ import annotations

from gfactor.benchmarks.percept_v.domain import DOMAINS, EDITIONS
from gfactor.errors import ParameterError, UnknownNameError


def parse_seed(text: str) -> int:
    """A whole number, 0 or more."""
    return _number("seed", text, least=0)


def parse_count(text: str) -> int:
    """A whole number, 1 or more."""
    return _number("instances", text, least=1)


def parse_edition(text: str) -> str:
    """The name of an edition."""
    if text not in EDITIONS:
        raise UnknownNameError("edition", text, EDITIONS)
    return text


def parse_domains(text: str) -> tuple[str, ...]:
    """Names separated by commas; nothing means every domain."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if text and not names:
        raise ParameterError(f"domains: {text!r} names none; leave the option out for all")
    return tuple(DOMAINS[name].name for name in names)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Sizes and ranges of sizes separated by commas: `1-20`, `5`, `1-3,10`."""
    sizes: list[int] = []
    for piece in text.split(","):
        low, dash, high = piece.strip().partition("-")
        first = _number("sizes", low, least=1)
        last = _number("sizes", high, least=first) if dash else first
        sizes.extend(range(first, last + 1))
    return tuple(sizes)


def _number(what: str, text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError as error:
        raise ParameterError(f"{what}: {text!r} is not a whole number") from error
    if value < least:
        raise ParameterError(f"{what}: must be {least} or more, not {value}")
    return value

"""Conditions as text: `images=removed,cot=on` on the command line, a TOML file, a journal's key."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gfactor.administration.presenting.condition import (
    DECODING,
    IMAGES,
    PRESENTATIONS,
    SOURCES,
    Condition,
    written,
)
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.items.toml_files import read_toml

_SWITCHES = ("background", "cot", "decline", "knowledge")
_WORDS = {"images": IMAGES, "presentation": PRESENTATIONS}
_NUMBERS = ("options_seed", "shots")
_TEXTS = ("image_limit", "prompt_language")
NAMES = (*_WORDS, *_TEXTS, *_SWITCHES, *_NUMBERS, *DECODING)
"""Everything that a user may set in a condition."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_EXACT = 2**53
"""Value below which a float represents whole numbers exactly."""

_OPTIONS = {
    "captions": "--captions",
    "examples": "--shots-from",
    "knowledge_from": "--knowledge",
    "pack": "--pack",
}


def read_condition(text: str) -> Condition:
    """Return the condition that a user names: `name=value,...`, "default", or a TOML file (*.toml).

    In a file, switches may be true or false, and decoding parameters may be in a table
    `[decoding]`. Raises ParameterError, with a suggestion for an unknown word.

    Parameters
    ----------
    text : str
        "name=value,...", "default", or the name of a TOML file.

    Returns
    -------
    Condition
        The condition.

    Examples
    --------
    >>> from gfactor.administration import read_condition
    >>> read_condition("images=removed,cot=on").images
    'removed'
    """
    if text.endswith(".toml") and ("=" not in text or Path(text).exists()):
        return _condition(_from_toml(Path(text)))
    return _condition(_pairs(text))


def read_key(key: str) -> Condition:
    """Return the condition that has this `key`.

    Parameters
    ----------
    key : str
        Key of the condition (`Condition.key`).

    Returns
    -------
    Condition
        The condition.

    Raises
    ------
    ParameterError
        If no condition has this key.

    Examples
    --------
    >>> from gfactor.administration import Condition, read_key
    >>> read_key(Condition(cot=True).key) == Condition(cot=True)
    True
    """
    pairs = _pairs(key)
    sources = {name: pairs.pop(name) for name in SOURCES if name in pairs}
    plain = _condition(pairs)
    return Condition(**{**_fields(plain), "sources": tuple(sources.items())})


def without_sources(key: str) -> str:
    """Return a key without the fingerprints of files, for pages.

    Examples
    --------
    >>> without_sources("examples=ba287d140c94,shots=1")
    'shots=1'
    """
    try:
        return replace(read_key(key), sources=()).key
    except GfactorError:
        return key


def condition_named(wanted: str, keys: Collection[str]) -> str:
    """Return the key that a user's text names: its parts may be in any order, and fingerprints may
    be left out if only one key fits.

    Parameters
    ----------
    wanted : str
        Text that the user wrote.
    keys : collection of str
        Existing keys.

    Raises
    ------
    UnknownNameError
        If no key fits.
    ParameterError
        If several fit.

    Examples
    --------
    >>> condition_named("shots=1", {"default", "examples=ba287d140c94,shots=1"})
    'examples=ba287d140c94,shots=1'
    """
    if wanted in keys:
        return wanted
    try:
        key = read_key(wanted).key
    except GfactorError:
        raise UnknownNameError("condition", wanted, keys) from None
    if key in keys:
        return key
    fitting = sorted(one for one in keys if without_sources(one) == key)
    if not fitting:
        raise UnknownNameError("condition", wanted, keys)
    if len(fitting) > 1:
        raise ParameterError(
            f"{len(fitting)} conditions are called {wanted!r} ({'; '.join(fitting)}); give one of "
            "them in full"
        )
    return fitting[0]


def _fields(condition: Condition) -> dict[str, Any]:
    return {name: getattr(condition, name) for name in Condition.__dataclass_fields__}


def _pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    if text.strip() in ("", "default"):
        return pairs
    for part in text.split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not name or not value:
            raise ParameterError(
                f"condition {text!r}: {part.strip()!r} is not name=value; write it as in "
                "images=removed,cot=on"
            )
        name = name.replace("-", "_")
        if name in pairs:
            raise ParameterError(f"condition {text!r} sets {name} twice")
        pairs[name] = value
    return pairs


def _from_toml(path: Path) -> dict[str, str]:
    table, _ = read_toml(path, "condition file")
    decoding = table.pop("decoding", {})
    if not isinstance(decoding, dict):
        raise ParameterError(f"condition file {str(path)!r}: write decoding as a table, [decoding]")
    for name in decoding:
        if name not in DECODING:
            raise UnknownNameError("decoding parameter", name, DECODING)
    for name, value in {**table, **decoding}.items():
        if not isinstance(value, str | int | float):
            raise ParameterError(
                f"condition file {str(path)!r}: {name} must be one value, "
                f"not {type(value).__name__}"
            )
    return {name.replace("-", "_"): written(v) for name, v in {**table, **decoding}.items()}


def _condition(pairs: Mapping[str, str]) -> Condition:
    chosen: dict[str, Any] = {}
    decoding: dict[str, float | int | str] = {}
    for name, value in pairs.items():
        if name in DECODING:
            decoding[name] = _decoding(name, value)
        elif name in _OPTIONS:
            raise ParameterError(
                f"{name} is not part of --condition; give a file by {_OPTIONS[name]}"
            )
        else:
            chosen[name] = _value(name, value)
    return Condition(**chosen, decoding=tuple(decoding.items()))


def _value(name: str, value: str) -> Any:
    if name in _WORDS:
        if value not in _WORDS[name]:
            raise UnknownNameError(f"value of {name}", value, _WORDS[name])
        return value
    if name in _SWITCHES:
        if value not in ("on", "off"):
            raise ParameterError(f"{name} must be on or off, not {value!r}")
        return value == "on"
    if name in _NUMBERS:
        if not re.fullmatch(r"\d{1,18}", value, re.ASCII):
            raise ParameterError(f"{name} must be a whole number from 0, not {value!r}")
        return int(value)
    if name in _TEXTS:
        return value
    raise UnknownNameError("part of a condition", name, NAMES)


def _decoding(name: str, value: str) -> float | int | str:
    kind = DECODING[name][0]
    if kind is str:
        return value
    if not _NUMBER.fullmatch(value):
        raise ParameterError(f"{name} must be a number, not {value!r}")
    if re.fullmatch(r"[+-]?\d+", value, re.ASCII):
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < _EXACT else number

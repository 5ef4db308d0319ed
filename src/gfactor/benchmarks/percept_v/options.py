"""Reading the options of a Percept-V build as they are typed."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gfactor.benchmarks.percept_v.domain import DOMAINS, EDITIONS, SIZES
from gfactor.errors import ParameterError, UnknownNameError

TWINS = ("picture", "text", "both")
"""Presentations of a scene: as its picture, in words, or as two items, one of each."""

GROUPS: Mapping[str, tuple[bool, ...]] = {"paper": (False,), "added": (True,), "all": (False, True)}
"""Word for several domains -> the values of `Domain.is_addition` that it includes.
"""


@dataclass(frozen=True)
class Prompts:
    """Prompts read from a file: the file's name, the SHA-256 of its bytes, domain -> prompt."""

    file: str
    sha256: str
    texts: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        """Return the name of the file in labels: the first twelve digits of its SHA-256."""
        return self.sha256[:12]


def parse_seed(text: str) -> int:
    """Return a whole number, 0 or more."""
    return _number("seed", text, least=0)


def parse_count(text: str) -> int:
    """Return a whole number, 1 or more."""
    return _number("instances", text, least=1)


def parse_edition(text: str) -> str:
    """Return the name of an edition."""
    if text not in EDITIONS:
        raise UnknownNameError("edition", text, EDITIONS)
    return text


def parse_domains(text: str) -> tuple[str, ...]:
    """Parse names of domains and of `GROUPS` separated by commas; an empty text means the paper's
    domains."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if text and not names:
        raise ParameterError(
            f"domains: {text!r} names none; leave the option out for those of the paper"
        )
    return tuple(name if name in GROUPS else DOMAINS[name].name for name in names)


def chosen_domains(names: Iterable[str], edition: str) -> list[str]:
    """Return the chosen domains in alphabetical order; those of the paper if there are no names.

    Raises UnknownNameError for an unknown domain, and ParameterError for a domain that the edition
    lacks.
    """
    wanted: set[str] = set()
    for name in names or ("paper",):
        if name in GROUPS:
            wanted |= {one for one in DOMAINS if DOMAINS[one].is_addition in GROUPS[name]}
        else:
            wanted.add(DOMAINS[name].name)
    lacking = sorted(name for name in wanted if edition not in DOMAINS[name].editions)
    if lacking:
        raise ParameterError(
            f"domains: the {edition} edition has no {', '.join(lacking)}; name others, or build "
            f"the {DOMAINS[lacking[0]].editions[0]} edition"
        )
    return sorted(wanted)


def parse_twin(text: str) -> str:
    """Return `picture`, `text` or `both`."""
    if text not in TWINS:
        raise UnknownNameError("twin", text, TWINS)
    return text


def parse_prompts(text: str) -> Prompts | None:
    """Read prompts from a TOML or JSON file (by its extension) that maps domains to prompts; return
    None for "".

    Raises ParameterError for a file that cannot be read or maps to anything but text, and
    UnknownNameError, with the closest name, for an unknown domain.
    """
    if not text:
        return None
    path = Path(text)
    readers = {".toml": tomllib.loads, ".json": json.loads}
    if path.suffix not in readers:
        raise ParameterError(
            f"the name of a file of prompts ends in .toml or .json, not as {text!r}"
        )
    try:
        raw = path.read_bytes()
        document = readers[path.suffix](raw.decode("utf-8"))
    except OSError as error:
        raise ParameterError(f"prompts: cannot read {text!r}: {error.strerror}") from error
    except ValueError as error:
        raise ParameterError(
            f"prompts: {text!r} is no {path.suffix[1:].upper()}: {error}"
        ) from error
    if not isinstance(document, dict) or not document:
        raise ParameterError(f"prompts: {text!r} must map domains to their prompts")
    for name, prompt in document.items():
        if name not in DOMAINS:
            raise UnknownNameError(f"domain in {text!r}:", name, DOMAINS)
        if not isinstance(prompt, str) or not prompt.strip():
            raise ParameterError(f"prompts: {text!r}: the prompt of {name!r} is not text")
    texts = {name: prompt.strip() for name, prompt in document.items()}
    return Prompts(path.name, hashlib.sha256(raw).hexdigest(), texts)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Parse sizes and ranges of sizes separated by commas: `1-20`, `5`, `1-3,10`."""
    sizes: list[int] = []
    for piece in text.split(","):
        low, dash, high = piece.strip().partition("-")
        first = _number("sizes", low, least=1)
        last = _number("sizes", high, least=first) if dash else first
        if last > SIZES[-1]:
            raise ParameterError(
                f"sizes must be from {SIZES[0]} to {SIZES[-1]}, and {piece.strip()!r} is not"
            )
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

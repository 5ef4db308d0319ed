"""MM-IQ's eight reasoning paradigms (section 3.2), as the release and the paper write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Paradigm:
    """A paradigm: its name, the heading in table 2, and its items in the release."""

    name: str
    short: str
    released: int


PARADIGMS: Mapping[str, Paradigm] = {
    p.name: p
    for p in (
        Paradigm("Logical Operation", "LO", 393),
        Paradigm("Mathematics", "Math", 936),
        Paradigm("2D-Geometry", "2D-G", 365),
        Paradigm("3D-Geometry", "3D-G", 398),
        Paradigm("Visual Instruction", "VI", 47),
        Paradigm("Temporal Movement", "TM", 415),
        Paradigm("Spatial Relationship", "SR", 118),
        Paradigm("Concrete Object", "CO", 38),
    )
}
"""The paradigms in the order of table 2."""

_OTHER = {"mathematical": "mathematics", "math": "mathematics"}


def paradigm_named(written: str) -> Paradigm:
    """Return the paradigm of a row, as the files write it; raise ValueError if it is none of the
    eight."""
    plain = " ".join(written.casefold().replace("_", " ").split()).removesuffix(" reasoning")
    plain = _OTHER.get(plain, plain)
    for candidate in PARADIGMS.values():
        if plain in (candidate.name.casefold(), candidate.name.casefold().replace("-", " ")):
            return candidate
    raise ValueError(f"category {written!r} is none of the eight ({', '.join(PARADIGMS)})")

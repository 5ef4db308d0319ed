"""Marked cubes in words: common parts of the families of nets and of cubes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.benchmarks.chc.family_files import texts_beside
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging.boards import Panel
from gfactor.imaging.cubes import DIRECTED, SYMMETRIC, Seen
from gfactor.imaging.polycubes import FACES, Point
from gfactor.items import ItemRandom

HEADINGS: Mapping[str, tuple[str, str, str, str]] = {
    "net": ("up", "right", "down", "left"),
    "top": ("back", "right", "front", "left"),
    "front": ("up", "right", "down", "left"),
    "right": ("up", "back", "down", "front"),
}
"""Directions of the upper side of a mark after 0 to 3 clockwise quarter turns."""


def random_marks(rng: ItemRandom, count: int, directed: int) -> list[str]:
    """Return different marks in random order, with the given number of directed ones."""
    chosen = [*rng.sample(DIRECTED, directed), *rng.sample(SYMMETRIC, count - directed)]
    return rng.shuffled(chosen)


def random_turn(rng: ItemRandom, mark: str) -> int:
    """Return a random number of clockwise quarter turns of a mark; 0 if turns of the mark cannot be
    seen."""
    return rng.integer(0, 3) if mark in DIRECTED else 0


def mark_said(mark: str, quarters: int, plane: str) -> Say:
    """Return a mark in words; `plane` is `net` or the face it is on."""
    if mark in SYMMETRIC:
        return say("plain", sign=mark)
    return say("directed", sign=mark, heading=HEADINGS[plane][quarters])


def mark_read(one: Any, plane: str) -> tuple[str, int]:
    """Return the inverse of `mark_said`."""
    turns = HEADINGS[plane].index(one["heading"]) if one.template == "directed" else 0
    return one["sign"], turns


def view_said(template: str, seen: Seen) -> Say:
    """Return a view of a cube in words."""
    marks_by_face = {
        f"on_{face}": (mark_said(*mark, face),) for face, mark in zip(FACES, seen, strict=True)
    }
    return say(template, **marks_by_face)


def view_read(one: Say) -> Seen:
    """Return the inverse of `view_said`."""
    values: Mapping[str, Any] = dict(one.fields)
    return tuple(mark_read(values[f"on_{face}"][0], face) for face in FACES)


def cube_origin(panel: Panel, unit: float) -> Point:
    """Return the corner (0, 0, 0) of a cube that stands in the middle of a panel."""
    # The middle of the cube's picture lies 0.70 edges to the right of that corner, 0.57 above it.
    return panel.middle[0] - 0.70 * unit, panel.middle[1] + 0.57 * unit


def turned_mark(seen: Seen, place: int, quarters: int) -> Seen:
    """Return a view with one mark turned clockwise."""
    mark, turns = seen[place]
    return (*seen[:place], (mark, (turns + quarters) % 4), *seen[place + 1 :])


def exchanged(seen: Seen, a: int, b: int) -> Seen:
    """Return a view with two marks exchanged."""
    out = list(seen)
    out[a], out[b] = out[b], out[a]
    return tuple(out)


def without(marks: Sequence[str], used: Sequence[str]) -> list[str]:
    """Return the marks that are not shown."""
    return [mark for mark in marks if mark not in used]


MARKS = texts_beside(__file__)
"""Sentences and words of marks on cubes."""

"""Text twins of Percept-V: a scene in words, from which it can be drawn again.

A twin describes what the picture shows, and nothing else. Objects stand in reading order (or, where
that would be the answer, in alphabetical order), never in the order in which they were drawn;
nothing is counted or numbered that the picture does not number. What only the drawing needs
(ground, widths of lines, palette) stands in the last line, so that a reader of the twin can draw
the same pixels.

Every line is a template for both writing and reading (`Texts`), so that no field of a scene can be
lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.benchmarks.texts import Say, Texts, say
from gfactor.imaging import CSS, FOUR, KINDS, TWENTY
from gfactor.items import canonical_json

LANGUAGE = "en"
"""Twins are in the language of Percept-V's prompts."""

Plain = dict[str, Any]
"""A scene, or a part of one, as JSON holds it."""

Order = Callable[[Any, Mapping[str, Any]], Any]
"""(object, other fields of the scene) -> sort key."""

HEAD = (
    "{pictures} in words, one thing a line. A place is (x, y): x to the right and y down from the "
    "upper left corner. A radius reaches to the edge of a circle and to the corners of any other "
    "shape."
)
DETAILS = "Details of the drawing, which do not matter for the question: "
_NOTHING = "nothing"
_CELL = ("row", "column")

_PUBLISHED = {
    "circle": "published blue",
    "triangle": "published red",
    "diamond": "published green",
    "pentagon": "published cyan",
    "hexagon": "published magenta",
}
"""Color of each kind of shape in the paper edition of identifying_shapes."""


def _words(forms: Mapping[str, str]) -> dict[str, dict[str, tuple[str, ...]]]:
    return {word: {LANGUAGE: (form,)} for word, form in forms.items()}


TEXTS = Texts(
    {
        name: {LANGUAGE: template}
        for name, template in {
            "first": "First picture:",
            "second": "Second picture:",
            _NOTHING: "nothing",
            "shape": "{color} {kind}, radius {r}, at ({x}, {y})",
            "numbered": "{color} {kind} with the number {number}, radius {r}, at ({x}, {y})",
            "labeled": "black circle with the number {label}, radius {r}, at ({x}, {y})",
            "circle": "black circle, radius {r}, at ({x}, {y})",
            "dot": "red dot, radius {r}, at ({x}, {y})",
            "upright": "upright line with the number {label}, length {length}, at x = {x}, "
            "color ({rgb})",
            "disc": "{color} disc, radius {r}",
            "layer": "{kind}, radius {r}, color ({rgb})",
            "node": "disc at ({x}, {y})",
            "edge": "line from ({x1}, {y1}) to ({x2}, {y2})",
            "piece": "row {row}, column {column}: {color} {kind}",
            "cross": "row {row}, column {column}: black cross",
            "arrow": "arrow from row {row1}, column {column1} to row {row2}, column {column2}",
            "start": "S in row {row}, column {column}",
            "end": "E in row {row}, column {column}",
            "number": "{number} in row {row}, column {column}",
            "grid": "grid of {rows} rows and {columns} columns of cells, counted from {first}, "
            "rows from the top, columns from the left",
            "center": "the common center is at ({x}, {y})",
            "divider": "upright blue line at x = {x}",
            "axes": "upright black line at x = {x} and level black line at y = {y}",
            "plank": "plank from ({x1}, {y1}) to ({x2}, {y2})",
            "mirror": "{axis} blue line at {at}",
        }.items()
    },
    {
        "color": _words({name: name for name in {**CSS, **TWENTY, **FOUR}} | _PUBLISHED),
        "kind": _words({kind: kind.replace("_", " pointing ") for kind in KINDS}),
        "axis": _words({name: name for name in ("vertical", "horizontal")}),
    },
)


class ScenePart(Protocol):
    """Part of a twin: lines of text that hold some fields of a scene."""

    @property
    def tells(self) -> tuple[str, ...]:
        """Names of the fields in the lines; a field inside another has a dotted name."""
        ...

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of its lines."""
        ...

    def write(self, scene: Plain) -> Iterator[Say]:
        """Return the lines."""
        ...

    def read(self, says: Sequence[Say], facts: Plain) -> Plain:
        """Return the fields, read from the lines; `facts` holds the fields that were read
        before."""
        ...


def reading_order(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the sort key of an order from top to bottom, then from left to right."""
    x, y = (thing["x"], thing["y"]) if isinstance(thing, dict) else thing[:2]
    return y, x, canonical_json(thing)


def as_drawn(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return no sort key: objects keep the order in which they were drawn, because later ones lie
    on top."""
    return 0


def left_to_right(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the sort key of an order from left to right."""
    return thing["x"]


def by_cell(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the sort key of an order row by row."""
    return (thing["row"], thing["column"]) if isinstance(thing, dict) else thing


def by_radius(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the smallest first."""
    return thing["r"]


def by_name(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the sort key of an object: its look, without its position, and then its size."""
    return canonical_json({k: v for k, v in thing.items() if k != "r"}), thing["r"]


def across_line(thing: Any, facts: Mapping[str, Any]) -> Any:
    """Return the sort key of an order along a line of reflection, then by the distance from it."""
    along, across = ("y", "x") if facts["axis"] == "vertical" else ("x", "y")
    return thing[along], abs(thing[across] - facts["middle"])


@dataclass(frozen=True)
class Objects:
    """Lines of a twin for a list of objects, one per line.

    Parameters
    ----------
    key: the scene's field.
    template: template of a line.
    names: names of the entries of a thing that is a list, in their order.
    called: field -> what the template calls it, if that is not its own name.
    order: order of the lines.
    restored: order of the list that is read, if it is not that of the lines.
    first: name of the first row and column.
    """

    key: str
    template: str
    names: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    order: Order = reading_order
    restored: Order | None = None
    first: int = 0

    @property
    def tells(self) -> tuple[str, ...]:
        return (self.key,)

    @property
    def templates(self) -> tuple[str, ...]:
        return (self.template,)

    def write(self, scene: Plain) -> Iterator[Say]:
        for thing in sorted(scene[self.key], key=lambda one: self.order(one, scene)):
            named = thing if isinstance(thing, dict) else dict(zip(self.names, thing, strict=True))
            values = {self.called.get(k, k): self._value(k, v) for k, v in named.items()}
            yield say(self.template, **values)

    def read(self, says: Sequence[Say], facts: Plain) -> Plain:
        things = [self._thing(one.values) for one in says]
        if self.restored is not None:
            order = self.restored
            things.sort(key=lambda one: order(one, facts))
        return {self.key: things}

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(value)
        return value + self.first if name in _CELL else value

    def _thing(self, values: Mapping[str, Any]) -> Any:
        names = {word: name for name, word in self.called.items()}
        plain: Plain = {}
        for word, value in values.items():
            name = names.get(word, word)
            plain[name] = list(value) if isinstance(value, tuple) else value
            if name in _CELL:
                plain[name] -= self.first
        return [plain[name] for name in self.names] if self.names else plain


@dataclass(frozen=True)
class Facts:
    """One line of single values: `values` maps the template's fields to dotted fields of the scene.

    `lists` does the same for a field that is a list of numbers, entry by entry; `constants` are
    written, but belong to no field of the scene.
    """

    template: str
    values: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)

    @property
    def tells(self) -> tuple[str, ...]:
        return (*self.values.values(), *self.lists)

    @property
    def templates(self) -> tuple[str, ...]:
        return (self.template,)

    def write(self, scene: Plain) -> Iterator[Say]:
        flat = dict(_flat(scene))
        values = {name: flat[path] for name, path in self.values.items()}
        for key, names in self.lists.items():
            values |= dict(zip(names, scene[key], strict=True))
        yield say(self.template, **values, **self.constants)

    def read(self, says: Sequence[Say], facts: Plain) -> Plain:
        (one,) = says
        values = [(path, one[name]) for name, path in self.values.items()]
        lists = {key: [one[name] for name in names] for key, names in self.lists.items()}
        return _nested(values) | lists


@dataclass(frozen=True)
class WrittenFields:
    """Fields that a domain writes in its own form: one function writes them, another reads them."""

    tells: tuple[str, ...]
    templates: tuple[str, ...]
    writer: Callable[[Plain], Iterator[Say]]
    reader: Callable[[Sequence[Say], Plain], Plain]

    def write(self, scene: Plain) -> Iterator[Say]:
        return self.writer(scene)

    def read(self, says: Sequence[Say], facts: Plain) -> Plain:
        return self.reader(says, facts)


def grid(first: int) -> Facts:
    """Return the line of a twin on the rows and columns of a board, which are counted from
    `first`."""
    paths = {"rows": "board.rows", "columns": "board.columns"}
    return Facts("grid", paths, constants={"first": first})


@dataclass(frozen=True)
class Twin:
    """Description of the scenes of a domain in words.

    Parameters
    ----------
    parts: sentences about a single picture, or about both.
    pictures: sentences about the first and the second picture, if there are two.
    """

    parts: tuple[ScenePart, ...] = ()
    pictures: tuple[tuple[ScenePart, ...], ...] = ()

    def write(self, scene: Any) -> str:
        """Return the twin of a scene.

        Parameters
        ----------
        scene: a scene of the domain.
        """
        plain: Plain = json.loads(canonical_json(scene))
        says = [one for part in self.parts for one in part.write(plain)]
        for header, parts in zip(("first", "second"), self.pictures, strict=False):
            part_lines = [one for part in parts for one in part.write(plain)]
            says += [say(header), *(part_lines or [say(_NOTHING)])]
        covered = {name for part in self._all for name in part.tells}
        rest = [
            (path, value)
            for path, value in _flat(plain)
            if path not in covered and path.split(".")[0] not in covered
        ]
        details = "; ".join(f"{path} = {canonical_json(value)}" for path, value in rest)
        head = HEAD.format(pictures="The two pictures" if self.pictures else "The picture")
        lines = [head, *(TEXTS.write(one, LANGUAGE) for one in says), DETAILS + details]
        return "\n".join(lines)

    def read(self, text: str, scene_type: Any) -> Any:
        """Return the scene that a text twin describes, as a `scene_type`; the inverse of `write`.

        Lists have the order of the lines.

        Raises ValueError if a line fits no template of this domain.
        """
        _, *lines, last = text.split("\n")
        if not last.startswith(DETAILS):
            raise ValueError(f"the last line of a twin begins with {DETAILS!r}")
        pairs = (pair.partition(" = ") for pair in last.removeprefix(DETAILS).split("; "))
        scene = _nested([(path, json.loads(value)) for path, _, value in pairs])
        among = sorted({t for part in self._all for t in part.templates})
        headers = ["first", "second", _NOTHING] if self.pictures else []
        sections: list[list[Say]] = [[]]
        for line in lines:
            one = TEXTS.read(line, LANGUAGE, [*among, *headers])
            if one.template in ("first", "second"):
                sections.append([])
            else:
                sections[-1].append(one)
        for parts, says in zip((self.parts, *self.pictures), sections, strict=True):
            for part in parts:
                of_part = [one for one in says if one.template in part.templates]
                scene = _merged(scene, part.read(of_part, scene))
        return scene_from_plain(scene_type, scene)

    @property
    def _all(self) -> tuple[ScenePart, ...]:
        return (*self.parts, *(part for parts in self.pictures for part in parts))


def _flat(plain: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its dotted path; lists of mappings by position."""
    inner: Sequence[tuple[Any, Any]] = ()
    if isinstance(plain, dict):
        inner = list(plain.items())
    elif isinstance(plain, list) and plain and isinstance(plain[0], dict):
        inner = list(enumerate(plain))
    if not inner:
        yield path, plain
    for name, value in inner:
        yield from _flat(value, f"{path}.{name}" if path else str(name))


def _nested(pairs: Sequence[tuple[str, Any]]) -> Plain:
    """The inverse of `_flat`."""
    tree: Plain = {}
    for path, value in pairs:
        *above, name = path.split(".")
        at = tree
        for step in above:
            at = at.setdefault(step, {})
        at[name] = value
    return {name: _listed(value) for name, value in tree.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(name.isdecimal() for name in value):
        return [_listed(value[str(k)]) for k in range(len(value))]
    return {name: _listed(inner) for name, inner in value.items()}


def _merged(one: Plain, other: Plain) -> Plain:
    result = dict(one)
    for name, value in other.items():
        present = result.get(name)
        inner = isinstance(present, dict) and isinstance(value, dict)
        result[name] = _merged(present or {}, value) if inner else value
    return result

"""Specification of a PLS model: constructs with indicators and modes, paths, interactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from gfactor.errors import ParameterError, UnknownNameError

Mode = Literal["A", "B"]


@dataclass(frozen=True)
class Construct:
    """A construct and its indicators.

    Parameters
    ----------
    name: name of the construct.
    indicators: columns of the data; if `second_order`, names of first-order constructs.
    mode: "A" (`=~`, weights from correlations) or "B" (`<~`, weights from a regression).
    second_order: True if its indicators are constructs.
    """

    name: str
    indicators: tuple[str, ...]
    mode: Mode = "A"
    second_order: bool = False


@dataclass(frozen=True)
class PLSModel:
    """Constructs and paths, in the order in which they were written.

    Parameters
    ----------
    constructs : list of Construct
        First- and second-order constructs.
    paths : tuple[tuple[str, str], ...]
        (source, target) pairs. A source "A:M" is the interaction of constructs A and M.

    Raises
    ------
    ParameterError
        For a contradiction and UnknownNameError for a path to nothing.
    """

    constructs: tuple[Construct, ...]
    paths: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls,
        blocks: Mapping[str, Sequence[str]],
        paths: Sequence[tuple[str, str]],
        modes: Mapping[str, Mode] | None = None,
    ) -> PLSModel:
        """Return a model from lists of names; a block whose entries name other blocks is
        second-order."""
        modes = modes or {}
        constructs = [
            Construct(
                name,
                tuple(entries),
                modes.get(name, "A"),
                any(e in blocks and e != name for e in entries),
            )
            for name, entries in blocks.items()
        ]
        return cls(tuple(constructs), tuple(paths))

    def __post_init__(self) -> None:
        self._check_constructs()
        self._check_second_order()
        self._check_paths()

    @cached_property
    def by_name(self) -> dict[str, Construct]:
        return {construct.name: construct for construct in self.constructs}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column of the data that the model needs, once."""
        firsts = (c for c in self.constructs if not c.second_order)
        return tuple(dict.fromkeys(name for c in firsts for name in c.indicators))

    @cached_property
    def interactions(self) -> tuple[tuple[str, str], ...]:
        """The interactions: pairs of constructs whose product is the source of a path."""
        sources = dict.fromkeys(source for source, _ in self.paths if ":" in source)
        return tuple(_pair(source) for source in sources)

    @cached_property
    def parts(self) -> dict[str, str]:
        """First-order constructs that belong to a second-order one, with its name."""
        return {part: c.name for c in self.constructs if c.second_order for part in c.indicators}

    def _check_constructs(self) -> None:
        if not self.constructs:
            raise ParameterError("the model has no constructs; write one as  A =~ x1 + x2")
        owner: dict[str, str] = {}
        names = [c.name for c in self.constructs]
        for construct in self.constructs:
            name = construct.name
            if ":" in name:
                raise ParameterError(
                    f"construct {name!r} has a colon, which stands for an interaction; rename it"
                )
            if names.count(name) > 1:
                raise ParameterError(f"construct {name!r} is defined twice; merge the two")
            if not construct.indicators:
                raise ParameterError(f"construct {name!r} has no indicators; give it at least one")
            for entry in construct.indicators:
                other = owner.setdefault(entry, name)
                if other != name:
                    raise ParameterError(
                        f"{entry!r} measures both {other!r} and {name!r}; leave it in one of them, "
                        "or give a copy of the column another name"
                    )
                if construct.indicators.count(entry) > 1:
                    raise ParameterError(f"{entry!r} is listed twice in {name!r}; list it once")

    def _check_second_order(self) -> None:
        for construct in self.constructs:
            if not construct.second_order:
                continue
            for part in construct.indicators:
                if part not in self.by_name:
                    raise ParameterError(
                        f"second-order construct {construct.name!r} mixes constructs with the "
                        f"column {part!r}; make it a construct of its own ({part}_ =~ {part})"
                    )
                if self.by_name[part].second_order:
                    raise ParameterError(
                        f"{construct.name!r} is of third order ({part!r} is second-order); "
                        "only two orders are supported"
                    )

    def _check_paths(self) -> None:
        for path in self.paths:
            for end in (*_ends(path[0]), path[1]):
                if end not in self.by_name:
                    raise UnknownNameError("construct", end, self.by_name)
                if end in self.parts:
                    raise ParameterError(
                        f"{end!r} is a part of {self.parts[end]!r} and has a path of its own; draw "
                        f"the path to or from {self.parts[end]!r}"
                    )
            if path[1] in _ends(path[0]):
                raise ParameterError(f"{path[1]!r} has a path to itself; remove that path")
            if self.paths.count(path) > 1:
                raise ParameterError(f"the path {path[1]} ~ {path[0]} occurs twice; remove one")


def _ends(source: str) -> tuple[str, ...]:
    return _pair(source) if ":" in source else (source,)


def _pair(source: str) -> tuple[str, str]:
    parts = tuple(part.strip() for part in source.split(":"))
    if len(parts) != 2 or not all(parts):
        raise ParameterError(f"interaction {source!r} is not a product of two constructs, as A:M")
    return parts[0], parts[1]

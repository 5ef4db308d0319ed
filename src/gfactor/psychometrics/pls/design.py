"""Structure of a PLS model: the indicators of each construct, and the paths between constructs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Design:
    """A model without names of indicators, for the estimator.

    Parameters
    ----------
    constructs: J names.
    owner: (p,) for every column of the correlation matrix the number of its construct, ascending.
    modes: J times "A" (correlation weights) or "B" (regression weights).
    arrows: (J, J), true at [source, target].
    """

    constructs: tuple[str, ...]
    owner: NDArray[np.intp]
    modes: tuple[str, ...]
    arrows: NDArray[np.bool_]

    @classmethod
    def of_blocks(
        cls,
        sizes: Mapping[str, int],
        paths: Sequence[tuple[str, str]],
        modes: Mapping[str, str] | None = None,
    ) -> Design:
        """Return the design with consecutive blocks of columns, in the order of `sizes`.

        Parameters
        ----------
        sizes: number of indicators by construct.
        paths: (source, target) names.
        modes: "A" or "B" by construct; "A" if a construct is not named.

        Raises ParameterError for an empty block or a path from a construct to itself, and
        UnknownNameError for a path to nothing.
        """
        names = tuple(sizes)
        for name, size in sizes.items():
            if size < 1:
                raise ParameterError(f"construct {name!r} has no indicators; give it at least one")
        arrows = np.zeros((len(names), len(names)), bool)
        for source, target in paths:
            for end in (source, target):
                if end not in names:
                    raise UnknownNameError("construct", end, names)
            if source == target:
                raise ParameterError(f"construct {source!r} has a path to itself; remove it")
            arrows[names.index(source), names.index(target)] = True
        return cls(
            names,
            np.repeat(np.arange(len(names)), list(sizes.values())),
            tuple((modes or {}).get(name, "A") for name in names),
            arrows,
        )

    def __post_init__(self) -> None:
        for mode in self.modes:
            if mode not in {"A", "B"}:
                raise ParameterError(f"mode {mode!r} must be 'A' or 'B'")

    @cached_property
    def member(self) -> Floats:
        """Membership matrix (p, J), 1 if the column belongs to the construct."""
        return np.eye(len(self.constructs))[self.owner]

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The first column of every construct, (J,); its columns are consecutive."""
        return np.searchsorted(self.owner, np.arange(len(self.constructs)))

    @cached_property
    def blocks(self) -> tuple[NDArray[np.intp], ...]:
        """For every construct, the numbers of its columns."""
        return tuple(np.flatnonzero(self.owner == j) for j in range(len(self.constructs)))

    @cached_property
    def neighbors(self) -> NDArray[np.bool_]:
        """Matrix (J, J), True if a path connects two constructs, in any direction."""
        return self.arrows | self.arrows.T

    @cached_property
    def sources(self) -> tuple[NDArray[np.intp], ...]:
        """For every construct, the numbers of the constructs that explain it."""
        return tuple(np.flatnonzero(self.arrows[:, j]) for j in range(len(self.constructs)))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The constructs from causes to effects.

        Raises ParameterError if the paths run in a circle.
        """
        left, sequence = set(range(len(self.constructs))), []
        while left:
            ready = [j for j in sorted(left) if not left & {int(i) for i in self.sources[j]}]
            if not ready:
                names = ", ".join(self.constructs[j] for j in sorted(left))
                raise ParameterError(
                    f"the paths among {names} run in a circle; PLS takes recursive models only: "
                    "remove one of these paths"
                )
            sequence += ready
            left -= set(ready)
        return tuple(sequence)

    def without(self, path: tuple[int, int]) -> Design:
        """Return the design without one path (source, target)."""
        arrows = self.arrows.copy()
        arrows[path] = False
        return Design(self.constructs, self.owner, self.modes, arrows)

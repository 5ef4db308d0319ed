"""Names of radicals and levels that a family does not have, as sentences."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gfactor.errors import ParameterError


def level_flaws(
    radicals: Mapping[str, Sequence[Any]], presets: Mapping[Any, Mapping[str, Sequence[Any]]]
) -> Iterator[str]:
    """Yield a sentence for each unknown radical or level of a preset."""
    for preset, chosen in presets.items():
        for name, levels in chosen.items():
            if name not in radicals:
                yield f"presets.{preset}: {no_radical(name, radicals)}"
                continue
            unknown = ", ".join(repr(level) for level in levels if level not in radicals[name])
            if unknown:
                levels_here = ", ".join(map(repr, radicals[name]))
                where = f"presets.{preset}.{name}"
                yield f"{where}: {unknown} is no level; radicals.{name} has {levels_here}"


class DrawnLevels(dict[str, Any]):
    """One level per radical, the argument of `draw`; reading an unknown radical raises an error
    with a sentence."""

    def __missing__(self, name: str) -> Any:
        raise ParameterError(f"the module asks for a level: {no_radical(name, self)}")


def no_radical(name: str, radicals: Mapping[str, Any]) -> str:
    """Return the message that a radical is unknown, which suggests the closest name."""
    near = difflib.get_close_matches(name, radicals, n=1, cutoff=0.6)
    meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(radicals)}"
    return f"there is no radical {name!r}; {meant}"

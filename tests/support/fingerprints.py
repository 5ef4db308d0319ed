"""Results in a few numbers: to find that one has changed, wherever in it.

Of each part of a result are kept a weighted sum of all its numbers, on a scale on which large and
small ones count alike, and a checksum of all its words. Numbers may differ in the sixth digit, as
they do between libraries of linear algebra; words may not.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd

from gfactor.errors import GfactorError

_TINY = re.compile(r"[-+]?\d+(?:\.\d+)?e-(?:0[7-9]|[1-9]\d+)|\b0e\+00")
"""Numbers that are zero up to rounding, in a text."""


def told(
    parts: Mapping[str, Callable[[], Any]] | None = None, /, **more: Callable[[], Any]
) -> dict[str, Any]:
    """The parts of a result, or what is said where there is none."""
    out: dict[str, Any] = {}
    for name, part in {**(parts or {}), **more}.items():
        try:
            out[name] = part()
        except GfactorError as error:
            out[name] = f"{type(error).__name__}: {error}"
    return out


def leaves(value: Any) -> Iterator[float | str]:
    """All numbers and words of a value, in order."""
    if isinstance(value, bool | np.bool_) or value is None:
        yield str(value)
    elif isinstance(value, int | float | np.integer | np.floating):
        number = float(value)
        yield number if math.isfinite(number) else str(number)
    elif isinstance(value, str):
        yield _TINY.sub("tiny", value)
    elif isinstance(value, pd.DataFrame):
        yield from leaves([value.index.tolist(), {str(c): value[c].tolist() for c in value}])
    elif isinstance(value, pd.Series):
        yield from leaves([value.index.tolist(), value.tolist()])
    elif isinstance(value, np.ndarray):
        yield str(value.shape)
        yield from leaves(value.tolist())
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield str(name)
            yield from leaves(part)
    elif isinstance(value, set | frozenset):
        yield from leaves(sorted(value, key=str))
    elif isinstance(value, list | tuple):
        yield str(len(value))
        for part in value:
            yield from leaves(part)
    elif hasattr(value, "to_dict"):
        yield from leaves(value.to_dict())
        yield value.summary() if hasattr(value, "summary") else ""
    elif dataclasses.is_dataclass(value):
        yield from leaves({f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    else:
        yield type(value).__name__


def fingerprint(value: Any) -> list[float | str]:
    """The weighted sum of a value's numbers, and the checksum of its words."""
    total, words, place = 0.0, 0, 0
    for leaf in leaves(value):
        if isinstance(leaf, str):
            words = crc32(leaf.encode(), words)
        else:
            place += 1
            total += (1 + math.sin(1.7 * place) / 2) * math.asinh(leaf)
    return [float(f"{total:.9g}"), f"{words:08x}"]


def fingerprints(parts: Mapping[str, Any]) -> dict[str, list[float | str]]:
    """A fingerprint of each part."""
    return {name: fingerprint(part) for name, part in parts.items()}


def changed(found: Mapping[str, Any], recorded: Mapping[str, Any], within: float) -> list[str]:
    """The parts whose fingerprints differ; those that only one of the two has, too."""
    return [
        name
        for name in {**found, **recorded}
        if name not in found
        or name not in recorded
        or found[name][1] != recorded[name][1]
        or not math.isclose(found[name][0], recorded[name][0], rel_tol=within, abs_tol=within)
    ]

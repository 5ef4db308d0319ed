"""Words and numbers that paragraphs share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from gfactor import __version__
from gfactor.numbers_in_text import fixed, share

MOST_LISTED = 12
"""Estimates up to this number are written out; of more, the range is."""

Z = 1.959963984540054
"""Normal quantile of 95 % intervals."""


def software() -> str:
    return f"gfactor {__version__}"


def listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    comma = "," if len(parts) > 2 or any("," in part for part in parts) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


def range_of(values: Iterable[float], decimals: int = 2) -> str:
    """Return the range of values in words, in the notation of shares between -1 and 1."""
    finite = [float(value) for value in values if math.isfinite(value)]
    if not finite:
        return "not defined"
    low, high = share(min(finite), decimals), share(max(finite), decimals)
    return low if low == high else f"{low} to {high}"


def span_of(values: Iterable[float]) -> str:
    """Return the range of values in words, with two decimals."""
    finite = [float(value) for value in values if math.isfinite(value)]
    if not finite:
        return "not computed"
    low, high = fixed(min(finite)), fixed(max(finite))
    return low if low == high else f"{low} to {high}"


def between(low: object, high: object, level: float = 0.95, decimals: int = 2) -> str:
    return f"{level:.0%} CI [{fixed(low, decimals)}, {fixed(high, decimals)}]"


def share_between(low: object, high: object, level: float = 0.95, decimals: int = 2) -> str:
    return f"{level:.0%} CI [{share(low, decimals)}, {share(high, decimals)}]"


def gaps(missing: int, cells: int, treated: str) -> str:
    if not missing:
        return "No values were missing."
    return f"{missing} of {cells} values ({missing / cells:.1%}) were missing; {treated}."


def limits_of(low: float, high: float, level: float, text: Callable[[float], str] = share) -> str:
    """Return an interval in words, or the statement that there is none."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return "without an interval"
    return f"{level:.0%} CI [{text(low)}, {text(high)}]"

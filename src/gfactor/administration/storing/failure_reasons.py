"""Reasons of failed attempts, with their counts, as text."""

from __future__ import annotations

from collections.abc import Mapping

_MOST = 10
"""Largest number of reasons that are listed; of the others only the number is given."""


def reasons_in_words(reasons: Mapping[str, int]) -> str:
    """Return all reasons with their counts, the most frequent first.

    Examples
    --------
    >>> reasons_in_words({"HTTP 500: down": 1, "HTTP 404: no such model": 3})
    'HTTP 404: no such model (3); HTTP 500: down (1)'
    """
    ranked = sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    listed = [f"{reason} ({many:,})" for reason, many in ranked[:_MOST]]
    rest = sum(many for _, many in ranked[_MOST:])
    if rest:
        listed.append(f"{len(ranked) - _MOST:,} further reasons ({rest:,})")
    return "; ".join(listed)

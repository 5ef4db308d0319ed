"""What `make test` runs of a long list of cases, and what waits for `make test-all`.

`make test` keeps each claim and takes minutes; the rest is marked `slow`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

slow = pytest.mark.slow


def few(cases: Iterable[Any], count: int) -> list[Any]:
    """Return all cases, marked slow but for `count` of them at equal distances.

    Parameters
    ----------
    cases : iterable
        Values of one parameter, or `pytest.param` of several.
    count : int
        Number of cases that `make test` runs, at least 1.

    Returns
    -------
    list
        For `pytest.mark.parametrize`.

    Examples
    --------
    >>> [bool(getattr(case, "marks", ())) for case in few("abcde", 2)]
    [False, True, True, True, False]
    """
    listed = list(cases)
    steps = max(count - 1, 1)
    quick = {round(k * (len(listed) - 1) / steps) for k in range(count)}
    return [case if k in quick else _slow(case) for k, case in enumerate(listed)]


def _slow(case: Any) -> Any:
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, slow], id=case.id)
    if isinstance(case, tuple):
        return pytest.param(*case, marks=slow)
    return pytest.param(case, marks=slow)

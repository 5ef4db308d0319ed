"""What `make test` runs of a long list of cases, and what waits for `make test-all`.

`make test` takes minutes; the rest is marked. What is `slow` waits for `make test-all`. What is
`thorough` takes more than a moment and runs no line of the package that a quicker test does not run
too; continuous integration runs it as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

slow = pytest.mark.slow


def left_out(config: pytest.Config) -> frozenset[str]:
    """Return the marks whose tests a run leaves out: `-m "not MARK"`, `-m "not A and not B"`."""
    return _left_out(config.getoption("markexpr"))


@cache
def _left_out(expression: str) -> frozenset[str]:
    if not re.fullmatch(r"not \w+(?: and not \w+)*", expression):
        return frozenset()
    return frozenset(re.findall(r"not (\w+)", expression))


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

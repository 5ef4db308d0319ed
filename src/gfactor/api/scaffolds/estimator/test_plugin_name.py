"""plugin_name agrees with closed forms, warns of few data, and refuses data without a solution."""

from __future__ import annotations

import doctest
import json
import math
import sys

import numpy as np
import pytest
from gfactor.errors import ParameterError

from plugin_name import plugin_name


def test_it_agrees_with_the_closed_form() -> None:
    # Means 3 and 4, both variances 5/2, 8 degrees of freedom: d = -1 / sqrt(5/2), and the
    # correction is gamma(4) / (sqrt(4) gamma(7/2)) with gamma(7/2) = 15 sqrt(pi) / 8.
    correction = 6 / (2 * 15 * math.sqrt(math.pi) / 8)
    g = -correction / math.sqrt(2.5)
    se = math.sqrt(10 / 25 + g**2 / 20)
    result = plugin_name([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    assert result.estimate == pytest.approx(g, abs=1e-12)
    assert result.se == pytest.approx(se, abs=1e-12)
    assert result.ci_upper - result.ci_lower == pytest.approx(2 * 1.959963984540054 * se, abs=1e-9)


def test_units_and_missing_scores_do_not_matter() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=30), rng.normal(0.5, 1, 40)
    plain = plugin_name(x, y)
    assert plugin_name(10 * x + 3, 10 * y + 3).estimate == pytest.approx(plain.estimate)
    assert plugin_name([*x, math.nan], y) == plain
    assert plugin_name(y, x).estimate == pytest.approx(-plain.estimate)


def test_small_groups_are_a_diagnostic() -> None:
    result = plugin_name([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    assert [one.code for one in result.diagnostics] == ["small_groups"]
    assert result.summary().startswith("warning: The smaller group has 5 scores")
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["n"] == [5, 5]
    assert not plugin_name(np.arange(20), np.arange(20) + 1).diagnostics


@pytest.mark.parametrize(
    ("first", "second", "level", "message"),
    [
        ([1], [1, 2], 0.95, "first: 1 scores are too few"),
        ([1, 2], [[1, 2]], 0.95, "second: scores must have one dimension, not 2"),
        ([1, 1], [2, 2], 0.95, "do not vary within the groups"),
        ([1, 2], [2, 3], 1.0, "level must lie between 0 and 1, not 1.0"),
    ],
)
def test_what_has_no_answer_is_refused(
    first: list[float], second: list[float], level: float, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        plugin_name(first, second, level=level)


def test_the_examples_run() -> None:
    done = doctest.testmod(sys.modules[plugin_name.__module__])
    assert done.attempted > 0
    assert done.failed == 0

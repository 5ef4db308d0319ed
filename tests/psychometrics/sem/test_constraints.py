"""Expressions, definitions, equalities and bounds: their text, values and slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import lavaan_recorded as recorded

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.syntax import build_table, parse_expression

ONE = "f =~ x1 + x2 + x3 + x4"


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("a-(b-c)", "a-(b-c)"), ("a-b-c", "a-b-c"), ("(a-b)-c", "a-b-c"), ("a/(b*c)", "a/(b*c)"),
        ("a/b*c", "a/b*c"), ("a*(b+c)", "a*(b+c)"), ("a^b^c", "a^b^c"), ("(a^b)^c", "(a^b)^c"),
        ("a^-b", "a^-b"), ("(-a)^2", "(-a)^2"), ("-a^2", "-a^2"), ("a--b", "a--b"),
        ("-(a+b)", "-(a+b)"), ("a*-b", "a*-b"), ("(-a)*b", "-a*b"), ("a^(b+c)", "a^(b+c)"),
        ("2*a", "2*a"), ("0.5*a", "0.5*a"), ("exp(a+b)", "exp(a+b)"), ("1e16*a", "1e+16*a"),
        ("999999999999999*a", "999999999999999*a"), ("`a b`+c", "`a b`+c"), ("a.b+.c", "a.b+.c"),
    ],
)  # fmt: skip
def test_expressions_are_printed_with_the_brackets_they_need_and_no_more(
    given: str, printed: str
) -> None:
    assert str(parse_expression(given)) == printed
    assert parse_expression(printed) == parse_expression(given)


def test_derivatives_of_functions_name_their_order() -> None:
    first = parse_expression("exp(2*a)").derivative("a")
    second = first.derivative("a")
    assert str(first) == "exp'(2*a)*2"
    assert str(second) == "exp''(2*a)*2*2"
    assert second.value({"a": 0.3}) == pytest.approx(4 * np.exp(0.6))
    assert first.derivative("b").value({"a": 0.3}) == 0
    log = parse_expression("log(a)").derivative("a").derivative("a")
    assert log.value({"a": 2.0}) == pytest.approx(-0.25)


def test_definitions_within_definitions_have_the_slopes_of_their_parts() -> None:
    text = ONE.replace("x2", "a*x2").replace("x3", "b*x3") + "\nx4 ~~ v*x4\n"
    text += "s := a + 2*b\nt := 3*s - v\nu := s*t\n"
    table = build_table(text)
    constraints = Quantities(table)
    theta = np.linspace(0.3, 1.0, table.n_free)
    at = {r.label: theta[r.free - 1] for r in table.rows if r.label and r.free}
    a, b, v = at["a"], at["b"], at["v"]
    found = constraints.value(constraints.defined["u"], theta)
    assert found == pytest.approx((a + 2 * b) * (3 * (a + 2 * b) - v))
    gradient = constraints.gradient(constraints.defined["u"], theta)
    place = {r.label: r.free - 1 for r in table.rows if r.label and r.free}
    assert gradient[place["a"]] == pytest.approx(6 * (a + 2 * b) - v)
    assert gradient[place["b"]] == pytest.approx(2 * (6 * (a + 2 * b) - v))
    assert gradient[place["v"]] == pytest.approx(-(a + 2 * b))
    assert np.count_nonzero(gradient) == 3
    line = constraints.linear(constraints.defined["t"])
    assert line is not None
    assert {k: line[0][place[k]] for k in "abv"} == {"a": 3, "b": 6, "v": -1}
    assert line[1] == 0
    assert constraints.linear(constraints.defined["u"]) is None
    assert constraints.linear(parse_expression("u + a")) is None
    shifted = constraints.linear(parse_expression("2*t + 1"))
    assert shifted is not None
    assert (shifted[0][place["a"]], shifted[1]) == (6, 1)


def test_score_tests_do_not_depend_on_how_a_constraint_is_written() -> None:
    data = recorded.sample("three_factors")
    model = "f =~ x1 + a*x2 + b*x3\ng =~ x4 + c*x5 + d*x6\n"
    one = sem.score_tests(sem.fit(model + "a == b\nc == d", data))
    other = sem.score_tests(sem.fit(model + "1000*a == 1000*b\n0.001*c == 0.001*d", data))
    assert list(one["df"]) == list(other["df"]) == [2, 1, 1]
    np.testing.assert_allclose(one["chisq"], other["chisq"], rtol=1e-6)
    assert list(one["rhs"]) == ["", "b", "d"]


def test_a_constraint_is_shown_as_it_was_written() -> None:
    table = sem.build_table("f =~ x1 + a*x2 + b*x3\n2*a == b + 0.50\nhalf := (a + b) / 2")
    rows = {row.op: (row.lhs, row.rhs) for row in table.rows if row.group == 0}
    assert rows["=="] == ("2*a", "b+0.50")
    assert rows[":="] == ("half", "(a+b)/2")


@pytest.mark.parametrize(
    ("limits", "low", "high"),
    [("a > 0.1", 0.1, np.inf), ("a < 5", -np.inf, 5.0), ("a > 0.1\na < 5", 0.1, 5.0)],
)
def test_a_bound_on_one_side_is_a_bound(limits: str, low: float, high: float) -> None:
    data = recorded.sample("three_factors")
    fit = sem.fit(f"f =~ x1 + x2 + x3\nx1 ~~ a*x1\n{limits}", data)
    assert fit.converged
    tight = sem.fit("f =~ x1 + x2 + x3\nx1 ~~ a*x1\na > 2.5", data)
    plain = sem.fit("f =~ x1 + x2 + x3", data)
    place = list(plain.names).index("x1~~x1")
    assert low <= plain.theta[place] <= high
    np.testing.assert_allclose(fit.theta, plain.theta, rtol=1e-6)
    assert tight.theta[place] == pytest.approx(2.5, abs=1e-6)
    assert (tight.measures["chisq"] or 0) > 1e-3


def test_limits_of_a_table_are_none_only_where_no_parameter_has_one() -> None:
    def limits(loading: str) -> Any:
        return sem.build_table(f"f =~ x1 + {loading}*x2 + x3").limits

    assert limits("start(0.5)") is None
    for loading, low, high in (
        ("lower(0.1)", 0.1, np.inf), ("upper(2)", -np.inf, 2.0),
        ("lower(0.1)*x2 + upper(2)", 0.1, 2.0),
    ):  # fmt: skip
        lower, upper = limits(loading)
        assert (lower[0], upper[0]) == (low, high)
        assert np.isinf(lower[1:]).all()
        assert np.isinf(upper[1:]).all()

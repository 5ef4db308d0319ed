"""Model texts: what is read, what is printed, what an error says."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.errors import UnknownNameError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.syntax import (
    Formula,
    ModelStatements,
    ModelSyntaxError,
    Modifier,
    Relation,
    Term,
    build_table,
    parse_expression,
    parse_model,
    table_options,
)
from gfactor.psychometrics.sem.syntax.expressions import Binary, Call, Expression, Minus, Name
from gfactor.psychometrics.sem.syntax.expressions import Number as Constant
from gfactor.psychometrics.sem.syntax.functions import FUNCTIONS

NAMES = st.one_of(
    st.sampled_from(["x1", "x2", "y", "visual", ".p3.", "a.b", "g_1", "größe", "c", "start"]),
    st.text(string.ascii_letters + " -+*'#:", min_size=1, max_size=6).filter(str.strip),
)
NUMBERS = st.floats(-1e6, 1e6).map(lambda x: round(x, 4) + 0.0)


def expressions() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(st.floats(0, 1e6).map(Constant), NAMES.map(Name))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(Minus),
            st.builds(Binary, st.sampled_from("+-*/^"), inner, inner),
            st.builds(Call, st.sampled_from(sorted(FUNCTIONS)), inner),
        ),
        max_leaves=8,
    )


def several(values: st.SearchStrategy) -> st.SearchStrategy[tuple]:
    return st.lists(values, min_size=1, max_size=3).map(tuple)


MODIFIERS = st.fixed_dictionaries(
    {},
    optional={
        "fixed": several(st.one_of(NUMBERS, st.just(float("nan")))),
        "start": several(NUMBERS),
        "label": several(st.sampled_from(["a", "b.1", "f=~x1", "two words"])),
        "lower": several(st.one_of(NUMBERS, st.just(-float("inf")))),
        "upper": several(NUMBERS),
    },
).map(
    lambda found: tuple(
        Modifier(kind, values)  # pyright: ignore[reportArgumentType]
        for kind, values in found.items()
    )
)


@st.composite
def formulas(draw: st.DrawFn) -> Formula:
    op = draw(st.sampled_from(["=~", "~", "~~", "|"]))
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    terms = [Term(name, draw(MODIFIERS)) for name in names]
    if op == "~" and draw(st.booleans()):
        terms.append(Term("", draw(MODIFIERS), intercept=True))
    lhs = draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
    return Formula(tuple(lhs), op, tuple(terms))


RELATIONS = st.one_of(
    st.builds(Relation, expressions(), st.sampled_from(["==", "<", ">"]), expressions()),
    st.builds(Relation, NAMES.map(Name), st.just(":="), expressions()),
)


@pytest.mark.slow
@given(st.lists(st.one_of(formulas(), RELATIONS), max_size=4), formulas())
@settings(max_examples=150, deadline=None)
def test_a_printed_model_is_read_as_itself(some: list[Formula | Relation], last: Formula) -> None:
    model = ModelStatements((*some, last))
    assert parse_model(str(model)) == model


@pytest.mark.thorough
@given(expressions())
@settings(max_examples=40, deadline=None)
def test_a_printed_expression_is_read_as_itself(expression: Expression) -> None:
    assert parse_expression(str(expression)) == expression


FRAGMENTS = st.sampled_from(
    [
        *("f", "x1", " ", "\n", ";", "=~", "~", "~~", "~*~", "|", ":=", "==", "<", ">", "*", "+"),
        *("-", "/", "^", "(", ")", ",", "c(", "start(", "NA", "1", "0.5", "'", '"', "`", "#", "!"),
        *("?", ":", "group: 1", "a", "equal('f=~x1')", "exp(", "1e999", "\t", "é", "\x00", "$"),
    ]
)


@given(st.one_of(st.text(max_size=40), st.lists(FRAGMENTS, max_size=25).map("".join)))
@settings(max_examples=50, deadline=None)
def test_whatever_is_typed_only_one_error_comes(text: str) -> None:
    said = "model"
    try:
        build_table(text)
    except ModelSyntaxError as error:
        said = str(error)
    assert said.startswith("model")
    assert "\n" not in said


@pytest.mark.parametrize(
    "text", ["(" * 500, "f =~ x\na == " + "-" * 500 + "1", "a == 1" + "+1" * 999]
)
def test_no_nesting_is_too_deep_for_a_sentence(text: str) -> None:
    with pytest.raises(ModelSyntaxError, match="at most"):
        parse_model(text if "==" in text else f"a == {text}")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("f =~ x1 x2", "line 1, column 9", "expected '+' or the end of the statement, found 'x2'"),
        ("f =~ x1 +\n\n\ny ~", "line 4, column 3", "expected '+'"),
        ("f =~", "line 1, column 3", "f =~ has nothing on its right"),
        ("f =~\ng =~ x1 + x2", "line 1, column 3", "give its indicators"),
        ("f =~ x1\n=~ x2", "line 2, column 1", "expected '+'"),
        ("f =~ x1; f ~~ 'x", "line 1, column 15", "the quote ' is not closed"),
        ("f =~ x1\nf =~ x1", "line 2, column 6", "f =~ x1 is in the model twice"),
        ("f =~ foo(2)*x1", "line 1, column 6", "unknown modifier 'foo'"),
        ("f =~ x1:x2", "line 1, column 6", "on the right of a regression"),
        ("y ~ x1:x2:x3", "line 1, column 5", "two variables"),
        ("y ~ x1:2", "line 1, column 8", "two names of variables around ':'"),
        ("f <~ x1 + f", "line 1, column 11", "cannot be its own part"),
        ("f <~ x1:x2", "line 1, column 6", "on the right of a regression"),
        ("f =~ x1; a >= 0", "line 1, column 12", "expected '>'"),
        ("f =~ a*x1 + b*x1", "line 1, column 15", "two modifiers"),
        ("f =~ c(1, 2)*x1", "line 1, column 14", "2 values for 1 group;"),
        ("f =~ a*x1 + x2; b == 0", "line 1, column 17", "'b' is not a label of the model"),
        ("f =~ a*x1; b := 2*d; d := a", "line 1, column 12", "before it is defined"),
        ("f =~ x1; f = y", "line 1, column 12", "expected '=~', '==' or ':='"),
        ("f =~ x1 + f", "line 1, column 11", "its own indicator"),
        ("f =~ x1 + $", "line 1, column 11", "the character '$'"),
        ("f =~ a*x1; b := exq(a)", "line 1, column 17", "did you mean 'exp'"),
        ("x ~*~ y", "line 1, column 7", "both sides"),
        ("class: 1\nx ~ y", "line 1, column 1", "blocks by 'class'"),
        ("y ~ 2", "line 1, column 5", "found the number 2"),
        ("f =~ 1/0*x", "line 1, column 8", "divides by zero"),
    ],
)
def test_an_error_has_its_place_and_says_what_was_expected(
    text: str, place: str, words: str
) -> None:
    with pytest.raises(ModelSyntaxError) as caught:
        build_table(text)
    assert place in str(caught.value)
    assert words in str(caught.value)


def test_statements_end_at_lines_and_semicolons_and_go_on_after_operators() -> None:
    model = parse_model("f =~ x1 + # first\n  x2\n + x3 ! more\n; y\n~ f; x1 ~~ x2\n\n\ny ~ 1")
    assert [str(one) for one in model.statements] == [
        "f =~ x1 + x2 + x3",
        "y ~ f",
        "x1 ~~ x2",
        "y ~ 1",
    ]


def test_every_way_to_write_a_modifier() -> None:
    table = build_table(
        "f =~ -0.5*x1 + sqrt(2)*x2 + 'lab'*x3 + NA*x4 + .5?x5 + 1/2*x6 + 2*3*x7 + (1+2)*x8 "
        "+ a*x9 + start(.8)*x9 + lower(0)*x9 + upper(2)*x9; y ~ 0 + f; z ~ m*1; w ~ 0*1"
    )
    rows = {(row.lhs + row.op + row.rhs): row for row in table}
    values = [rows[f"f=~x{k}"].value for k in range(1, 9)]
    assert values == pytest.approx([-0.5, 2**0.5, None, None, 0.5, 0.5, 6, 3])
    assert [bool(rows[f"f=~x{k}"].free) for k in range(1, 9)] == [0, 0, 1, 1, 1, 0, 0, 0]
    last = rows["f=~x9"]
    assert (last.label, last.value, last.lower, last.upper) == ("a", 0.8, 0, 2)
    assert rows["f=~x3"].label == "lab"
    assert (rows["y~1"].free, rows["y~1"].value, rows["z~1"].label) == (0, 0, "m")
    assert (rows["w~1"].free, rows["w~1"].value) == (0, 0)


def test_groups_have_their_own_modifiers() -> None:
    text = "f =~ x1 + c(a, b)*x2 + c(NA, 1)*x3 + c(a, 2)*x4; a == 2*b"
    table = build_table(text, groups=("de", "fr"))
    rows = {(row.lhs + row.op + row.rhs, row.group): row for row in table}
    assert [rows["f=~x2", g].label for g in (1, 2)] == ["a", "b"]
    assert [bool(rows["f=~x3", g].free) for g in (1, 2)] == [True, False]
    assert (rows["f=~x4", 1].label, rows["f=~x4", 2].value) == ("a", 2)
    ties = [(row.lhs, row.rhs) for row in table if row.op == "==" and row.user == 2]
    assert ties == [(rows["f=~x2", 1].plabel, rows["f=~x4", 1].plabel)]


def test_blocks_give_each_group_its_own_model() -> None:
    text = "group: fr\nf =~ x1 + x2 + x3\ngroup: de\nf =~ x1 + a*x2"
    table = build_table(text, groups=("de", "fr"))
    assert [row.rhs for row in table if row.op == "=~" and row.group == 1] == ["x1", "x2"]
    assert [row.rhs for row in table if row.op == "=~" and row.group == 2] == ["x1", "x2", "x3"]
    with pytest.raises(ModelSyntaxError, match="2 blocks 'group:', the data 1 group"):
        build_table(text)


def test_equal_parameters_cannot_be_fixed_to_different_values() -> None:
    with pytest.raises(ModelSyntaxError, match="fixed to 2 and, as the same parameter"):
        build_table(
            "f =~ c(1, 2)*x1 + x2",
            options=table_options(group_equal=("loadings",)),
            groups=("a", "b"),
        )


def test_derivatives_are_exact() -> None:
    expression = parse_expression("a^2*exp(b)/(1+c) - pnorm(a*b) + log(c)^-1.5 + (-a)^3 + 2^b")
    at = {"a": 0.7, "b": -0.3, "c": 2.5}
    for name, slope in expression.gradient(at).items():
        step = 1e-6
        higher = expression.value({**at, name: at[name] + step})
        lower = expression.value({**at, name: at[name] - step})
        assert slope == pytest.approx((higher - lower) / (2 * step), rel=1e-8)
        second = expression.derivative(name).derivative(name).value(at)
        nearby = expression.derivative(name)
        above, below = (
            nearby.value({**at, name: at[name] + step}),
            nearby.value({**at, name: at[name] - step}),
        )
        assert second == pytest.approx((above - below) / (2 * step), rel=1e-6)


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_every_function_has_its_two_derivatives(function: str) -> None:
    x, step = np.array([0.31, 0.62]), 1e-5
    known = FUNCTIONS[function]
    for value, slope in zip((known.value, known.slopes[0]), known.slopes, strict=True):
        numeric = (value(x + step) - value(x - step)) / (2 * step)
        np.testing.assert_allclose(slope(x), numeric, rtol=1e-7, atol=1e-8)


def test_expressions_take_arrays_and_leave_their_domain_without_a_warning() -> None:
    value = parse_expression("sqrt(a)/b").value({"a": np.array([4.0, -1.0]), "b": np.array([2, 0])})
    np.testing.assert_array_equal(value, [1.0, np.nan])


def test_linear_expressions_are_told_from_others() -> None:
    assert parse_expression("2*a - b/4 + 1").linear() == ({"a": 2.0, "b": -0.25}, 1.0)
    assert parse_expression("a*b").linear() is None


def test_blocks_belong_to_the_groups_they_name() -> None:
    text = "group: b\nf =~ x1 + 0.5*x2 + x3\ngroup: a\nf =~ x1 + x2 + 0.7*x3\n"
    table = build_table(text, groups=["a", "b"])
    fixed = {(r.group, r.rhs): r.value for r in table.rows if r.op == "=~" and not r.free}
    assert fixed == {(1, "x1"): 1.0, (1, "x3"): 0.7, (2, "x1"): 1.0, (2, "x2"): 0.5}
    numbered = text.replace("group: b", "group: 2").replace("group: a", "group: 1")
    assert str(build_table(numbered, groups=["a", "b"]).rows) == str(table.rows)
    for wrong, groups, words in (
        ("x1 ~~ x1\n" + text, ["a", "b"], "found some before it"),
        (text, ["a", "b", "c"], "the text has 2 blocks 'group:', the data 3 groups"),
        (text, [], "the text has 2 blocks 'group:', the data 1 group\\b"),
        (text, ["a", "c"], "the blocks are named b, a; expected the groups a, c"),
        (text.replace("group: b", "group: 2").replace("group: a", "group: 3"), ["a", "b"],
         "the blocks are named 2, 3; expected the groups a, b"),
    ):  # fmt: skip
        with pytest.raises(sem.ModelSyntaxError, match=words):
            build_table(wrong, groups=groups)


@pytest.mark.parametrize(
    "line",
    [
        "f =~ 0.5*x1 + label(\"a\")*x2", "f =~ c(1.0, NA)*x1", "f =~ start(c(0.5, 0.6))*x1",
        "f =~ lower(-Inf)*x1 + upper(Inf)*x1", "x1 ~ 2.0*1", "`x y` ~~ f", "f + g =~ x1",
        "f =~ label(c(\"a\", \"\"))*x1", "f =~ label('a\"b')*x1",
    ],
)  # fmt: skip
def test_a_printed_statement_says_what_was_written(line: str) -> None:
    assert str(parse_model(line)) == line
    assert str(parse_model(f"group: 1\n{line}\ngroup: two\n{line}")) == (
        f"group: 1\n{line}\ngroup: two\n{line}"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/2*x1", 0.5), ("2*3*x1", 6.0), ("8/2/2*x1", 2.0), ("2*3/4*x1", 1.5), ("-0.5*x1", -0.5)],
)
def test_arithmetic_before_a_variable_is_its_value(text: str, value: float) -> None:
    (row,) = (r for r in build_table(f"f =~ x2 + {text}").rows if r.rhs == "x1" and r.op == "=~")
    assert (row.free, row.value) == (0, value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f =~ 1/0*x1", "a modifier divides by zero"), ("x ~ 2", "found the number 2"),
        ("f =~ 1", "expected the name of a variable, found the number 1"),
        ("x ~ 2*0", "expected a variable or 1"), ("f =~ NA", "expected the name of a variable"),
        ("f =~ start(\"a\")*x", "expected a number in start"),
        ("f =~ label(1)*x", "expected a name in label"),
        ("f =~ c(1, Inf)*x", "expected a finite number"),
        ("f =~ start(Inf)*x", "expected a finite number in start"),
        ("f =~ a?x", "expected .* found"), ("group: +\nf =~ x", "name or the number of a group"),
        ("group: a b\nf =~ x", "one name of a group and the end"), ("f x y", "an operator"),
        ("f =~ x:z", "a product of"), ("f =~ 1*2*x + start(1)*start(2)*y", "two modifiers"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_modifier_is_said(text: str, words: str) -> None:
    with pytest.raises(sem.ModelSyntaxError, match=words):
        build_table(text)


def test_a_group_of_start_values_may_have_a_question_mark() -> None:
    rows = build_table("f =~ x1 + c(0.4, 0.6)?x2", groups=["a", "b"]).rows
    assert [r.value for r in rows if r.rhs == "x2" and r.op == "=~"] == [0.4, 0.6]
    (zero,) = (r for r in build_table("x ~ 0").rows if r.op == "~1")
    assert (zero.free, zero.value) == (0, 0.0)


def test_each_groups_value_may_be_arithmetic() -> None:
    rows = build_table("f =~ x1 + c(1+1, 3-0.5)*x2", groups=["a", "b"]).rows
    assert [r.value for r in rows if r.rhs == "x2" and r.op == "=~"] == [2.0, 2.5]


def test_an_option_of_a_table_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"option of a model 'std_lw'; did you mean"):
        table_options(std_lw=True)
    with pytest.raises(UnknownNameError, match="model type 'cfb'"):
        table_options("cfb")
    assert table_options("cfa", std_lv=True).std_lv


def rows(*given: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(given, columns=["lhs", "op", "rhs", "group", "mi"])


TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"


def test_means_are_known_by_their_rows() -> None:
    assert not sem.build_table(TWO).has_means
    assert sem.build_table(TWO + "\nx1 ~ 1").has_means
    alone = "f =~ 1*x1 + x2 + x3\nx1 ~~ x1\nx2 ~~ x2\nx3 ~~ x3\nf ~~ f"
    assert not sem.build_table(alone, options=table_options("lavaan")).has_means


def test_the_text_is_the_model_where_nothing_is_completed() -> None:
    ordered = {"x1": 3, "x2": 3, "x3": 3}
    model = "f =~ x1 + x2 + x3"
    plain = sem.build_table(model, options=table_options("lavaan", ordered=ordered))
    assert {row.op for row in plain.rows} == {"=~", "~~"}
    assert [(row.lhs, row.value) for row in plain.rows if row.op == "~~"] == [
        ("x1", 1.0), ("x2", 1.0), ("x3", 1.0), ("f", 0.0),
    ]  # fmt: skip
    whole = sem.build_table(model, options=table_options("cfa", ordered=ordered))
    assert {"=~", "~~", "|", "~*~"} <= {row.op for row in whole.rows}

"""Parts of structural equation models against plain sums, by hand, or against another way."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.constraints import Quantities
from gfactor.psychometrics.sem.criteria import refuse_singular
from gfactor.psychometrics.sem.discrepancy import blockwise
from gfactor.psychometrics.sem.measurement_invariance import analysis, invariance
from gfactor.psychometrics.sem.measurement_invariance.analysis import _fixed_intercept, release
from gfactor.psychometrics.sem.measurement_invariance.steps import Level
from gfactor.psychometrics.sem.measures.approximation import (
    _cdf,
    noncentrality,
    power_of_exact_fit,
)
from gfactor.psychometrics.sem.ordinal.latent_correlations import _filled
from gfactor.psychometrics.sem.parameters import Parameter
from gfactor.psychometrics.sem.sample import GroupSample, Sample
from gfactor.psychometrics.sem.sample.columns import named_columns
from gfactor.psychometrics.sem.sample.missing import Pair, told
from gfactor.psychometrics.sem.syntax import build_table, parse_expression, parse_model
from gfactor.psychometrics.sem.syntax.options import table_options

ONE = "f =~ x1 + x2 + x3 + x4"


def sample(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def symmetric(rng: np.random.Generator, *shape: int) -> np.ndarray:
    a = rng.normal(size=(*shape, shape[-1]))
    return a + np.swapaxes(a, -1, -2)


@pytest.mark.parametrize("largest", [60, 3])
def test_sums_over_blocks_are_those_of_plain_loops(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tr(L dS_i R dS_j), made symmetric, and dmu' W dS W r, with dS = a b' + b a'."""
    monkeypatch.setattr(blockwise, "_LARGEST", largest)
    rng = np.random.default_rng(2)
    weight = rng.uniform(0.5, 2, 3)
    left, right = symmetric(rng, 3, 4), symmetric(rng, 3, 4)
    a, b = rng.normal(size=(2, 5, 4))
    slopes = [np.outer(x, y) + np.outer(y, x) for x, y in zip(a, b, strict=True)]
    expected = np.zeros((5, 5))
    for w, l_, r in zip(weight, left, right, strict=True):
        each = [[np.trace(l_ @ i @ r @ j) for j in slopes] for i in slopes]
        expected += w * (np.array(each) + np.array(each).T) / 2
    found = blockwise.summed_pair_products(weight, left, right, (a, b))
    assert found / expected == pytest.approx(np.full((5, 5), found[0, 0] / expected[0, 0]))
    assert found[0, 0] == pytest.approx(expected[0, 0])
    pull, mean = rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    mixed = sum(
        w * np.array([[m @ inv @ s @ u for s in slopes] for m in mean])
        for w, inv, u in zip(weight, left, pull, strict=True)
    )
    assert blockwise.summed_mixed_products(weight, left, pull, (a, b), mean) == pytest.approx(mixed)


def test_an_empty_cell_of_two_by_two_is_filled_and_margins_stay() -> None:
    inside = np.ones((4, 2, 2), bool)
    counts = np.array(
        [[[0, 4], [5, 6]], [[3, 0], [5, 6]], [[3, 4], [0, 6]], [[0, 4], [5, 0]]], float
    )
    kept, perfect = _filled(counts, np.array([[2, 2]] * 4), inside)
    assert perfect.tolist() == [False, False, False, True]
    assert kept.tolist() == [
        [[0.5, 3.5], [4.5, 6.5]], [[2.5, 0.5], [5.5, 5.5]], [[2.5, 4.5], [0.5, 5.5]],
        [[0, 4], [5, 0]],
    ]  # fmt: skip
    assert counts[0, 0, 0] == 0
    wide = np.zeros((1, 3, 3))
    wide[0, :2] = [[1, 0, 2], [0, 3, 4]]
    shown = np.zeros((1, 3, 3), bool)
    shown[0, :2] = True
    large, perfect = _filled(wide, np.array([[2, 3]]), shown)
    assert (large == wide).all()
    assert not perfect.any()


@pytest.mark.parametrize("groups", [False, True])
def test_an_ordinal_model_fitted_to_its_own_cases_again_is_itself(groups: bool) -> None:
    data = sample(300)
    data[["x1", "x2"]] = (data[["x1", "x2"]] > [1, 2]).astype(int)
    fit: Any = sem.fit(ONE, data, ordered=["x1", "x2"], group="g" if groups else None,
                       estimator="WLSMV")  # fmt: skip
    again = fit.again(fit.sample)
    assert again.theta == pytest.approx(fit.theta, abs=1e-6)
    assert again.table.n_groups == (2 if groups else 1)
    assert again.row_values() == pytest.approx(fit.row_values(), abs=1e-6)
    assert fit.case_rows(0).shape == ((150 if groups else 300), 4)


def test_variables_are_standardized_within_groups() -> None:
    data = sample()
    z = data.drop(columns="g")
    whole = ((z - z.mean()) / z.std()).assign(g=data["g"])
    found, by_hand = sem.fit(ONE, data, std_ov=True), sem.fit(ONE, whole)
    assert found.theta == pytest.approx(by_hand.theta, abs=1e-6)
    within = z.groupby(data["g"]).transform(lambda c: (c - c.mean()) / c.std()).assign(g=data["g"])
    found = sem.fit(ONE, data, std_ov=True, group="g")
    assert found.theta == pytest.approx(sem.fit(ONE, within, group="g").theta, abs=1e-6)
    assert np.diag(found.sample.groups[1].cov) * 60 / 59 == pytest.approx(np.ones(4))


def test_errors_from_cross_products_are_the_inverse_of_their_sum() -> None:
    data = sample()
    found = sem.fit(ONE, data, se="first.order")
    normal: Any = stats.multivariate_normal
    x, scores, step = data.drop(columns="g").to_numpy(), [], 1e-5
    for move in step * np.eye(len(found.theta)):
        ends = [found.problem.discrepancy.at(found.theta + s * move).groups[0] for s in (1, -1)]
        high, low = (normal.logpdf(x, x.mean(axis=0), e.sigma) for e in ends)
        scores.append((high - low) / (2 * step))
    cross = np.array(scores) @ np.array(scores).T
    assert found.vcov_matrix == pytest.approx(np.linalg.inv(cross), rel=1e-3, abs=1e-7)


def test_new_cases_are_scored_in_their_group() -> None:
    data = sample()
    fit = sem.fit(ONE, data, group="g")
    rows = data.head(6)
    own: Any = sem.factor_scores(fit, rows, group="g").scores
    for label, place in (("a", [0, 2, 4]), ("b", [1, 3, 5])):
        same: Any = sem.factor_scores(fit, rows, group=label).scores
        assert own.iloc[place]["f"].to_numpy() == pytest.approx(same.iloc[place]["f"].to_numpy())
        others = [k for k in range(6) if k not in place]
        assert (own.iloc[others]["f"] - same.iloc[others]["f"]).abs().min() > 1e-6
    with pytest.raises(ParameterError, match="the model has the groups a, b; say by `group`"):
        sem.factor_scores(fit, rows)
    with pytest.raises(ParameterError, match="have no column 'c' with their groups"):
        sem.factor_scores(fit, rows, group="c")
    with pytest.raises(ParameterError, match=r"belong to a group 'z', but the model has a, b"):
        sem.factor_scores(fit, rows.assign(g="z"), group="g")
    with pytest.raises(ParameterError, match="no cases to be scored"):
        sem.factor_scores(fit, rows.head(0), group="g")


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
        ("f =~ x:z", "interaction terms"), ("f =~ 1*2*x + start(1)*start(2)*y", "two modifiers"),
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


def test_one_column_may_be_given_as_a_list() -> None:
    for name in ("cluster", "sampling_weights"):
        for given, column in ((["a"], "a"), ([], None), ("a", "a")):
            options: dict[str, Any] = {name: given}
            assert getattr(sem.Options(**options), name) == column
        options = {name: ["a", "b"]}
        with pytest.raises(ParameterError, match="takes the name of one column"):
            sem.Options(**options)


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


def test_noncentral_distributions_are_scipys_at_their_limits() -> None:
    assert _cdf(0.0, 3, 1.0) == _cdf(-1.0, 3, 0.0) == 0.0
    assert _cdf(2.0, 3, 0.0) == pytest.approx(stats.chi2.cdf(2, 3))
    assert _cdf(2.0, 3, 1.5) == pytest.approx(stats.ncx2.cdf(2, 3, 1.5))
    found = noncentrality(12.0, 4, 0.05)
    assert stats.ncx2.cdf(12.0, 4, found) == pytest.approx(0.05)
    assert noncentrality(1.0, 4, 0.95) == 0.0
    assert noncentrality(1e12, 4, 0.05) == 1e12
    assert np.isnan([noncentrality(np.inf, 4, 0.05), noncentrality(3.0, 0, 0.05)]).all()
    power = power_of_exact_fit(0.06, 20, 150, 1, 0.05)
    assert power == pytest.approx(stats.ncx2.sf(stats.chi2.isf(0.05, 20), 20, 150 * 20 * 0.06**2))
    two = power_of_exact_fit(0.06, 20, 150, 2, 0.05)
    assert two == pytest.approx(stats.ncx2.sf(stats.chi2.isf(0.05, 20), 20, 75 * 20 * 0.06**2))
    assert np.isnan(power_of_exact_fit(0.06, 0, 150, 1, 0.05))


def test_pairs_that_are_rarely_seen_together_are_named_in_part() -> None:
    pairs = [Pair(f"a{k}", f"b{k}", 0.05) for k in range(12)]
    whole = told(pairs[:1], shares=True)
    assert whole == "a0 with b0 (5.0%)"
    assert told(pairs[:1]) == "a0 with b0"
    named = told(pairs).count(" with ")
    assert told(pairs).endswith(f" and {12 - named} more pairs")
    assert "more" not in told(pairs[:named])
    assert told(pairs[: named + 1]).endswith(" and 1 more pairs")


def rows(*given: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(given, columns=["lhs", "op", "rhs", "group", "mi"])


def test_of_fixed_intercepts_the_one_with_the_largest_sum_of_indices_is_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = rows(
        ("x1", "~1", "", 1, 90.0), ("x1", "~1", "", 2, 3.0), ("x1", "~1", "", 3, 2.0),
        ("x2", "~1", "", 2, 4.0), ("f", "~1", "", 2, 50.0), ("x2", "~~", "x3", 2, 60.0),
        ("x3", "~1", "", 2, 1.0),
    )  # fmt: skip
    monkeypatch.setattr(analysis, "indices_of", lambda *_: frame)
    loads = tuple(Parameter("f", "=~", f"x{k}") for k in range(1, 5))
    fit: Any = Made(estimated=None, table=Made(latent=("f",), rows=loads))
    scalar = Level("scalar", ("intercepts",), ("intercepts",))
    found = _fixed_intercept(fit, scalar, ())
    assert found == ("x1~1", 5.0, 2, pytest.approx(stats.chi2.sf(5.0, 2)))
    found = _fixed_intercept(fit, scalar, ("x1~1",))
    assert found == ("x2~1", 4.0, 1, pytest.approx(stats.chi2.sf(4.0, 1)))
    # Two of the four must stay equal.
    assert _fixed_intercept(fit, scalar, ("x1~1", "x2~1")) is None
    assert _fixed_intercept(fit, Level("strict", (), ("residuals",)), ("x1~1", "x2~1")) == (
        "x3~1", 1.0, 1, pytest.approx(stats.chi2.sf(1.0, 1)),
    )  # fmt: skip


def test_what_is_released_is_new_at_its_level_and_ties_two_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = [
        Parameter("f", "=~", "x1", group=1, plabel=".p1."),
        Parameter("f", "=~", "x1", group=2, plabel=".p2."),
        Parameter("x2", "~~", "x2", group=1, plabel=".p3."),
        Parameter("x2", "~~", "x2", group=2, plabel=".p4."),
        Parameter("x3", "~1", "", group=1, plabel=".p5."),
        Parameter("x3", "~1", "", group=2, plabel=".p6."),
        Parameter("f", "~1", "", group=1, plabel=".p7."),
        Parameter("f", "~1", "", group=2, plabel=".p8."),
        Parameter("f", "~~", "f", group=1, plabel=".p9."),
        Parameter("f", "~~", "f", group=2, plabel=".p10."),
        Parameter("x4", "|", "t1", group=1, plabel=".p11."),
        Parameter("x4", "|", "t1", group=2, plabel=".p12."),
    ]  # fmt: skip
    loads = [Parameter("f", "=~", f"x{k}", group=1) for k in range(1, 7)]
    tests = pd.DataFrame(
        [(".p1.", "==", ".p2.", 5.0, 1, 0.03), (".p3.", "==", ".p4.", 7.0, 1, 0.01),
         (".p5.", "==", ".p6.", 6.0, 1, 0.02), (".p7.", "==", ".p8.", 99.0, 1, 0.0),
         (".p9.", "==", ".p10.", 98.0, 1, 0.0), (".p11.", "==", ".p12.", 4.0, 1, 0.04),
         (".p1.", "==", ".p1.", 97.0, 1, 0.0), (".p1.", "==", ".p99.", 96.0, 1, 0.0),
         (".p99.", "==", ".p2.", 96.0, 1, 0.0), (".p1.", "==", ".p2.", 95.0, 0, np.nan)],
        columns=["lhs", "op", "rhs", "chisq", "df", "p"],
    )  # fmt: skip
    monkeypatch.setattr(analysis, "releases_of", lambda *_: tests)
    fit: Any = Made(estimated=None, table=Made(latent=("f",), rows=[*table, *loads]))
    for new, expected in (
        (("loadings",), ("f=~x1", 5.0, 1, 0.03)), (("residuals",), ("x2~~x2", 7.0, 1, 0.01)),
        (("thresholds",), ("x4|t1", 4.0, 1, 0.04)),
        (("loadings", "intercepts"), ("x3~1", 6.0, 1, 0.02)),
        (("means",), ("f~1", 99.0, 1, 0.0)),
    ):  # fmt: skip
        assert release(fit, Level("any", (), new), ()) == expected
    assert release(fit, Level("any", (), ("variances",)), ()) is None
    assert release(fit, Level("metric", (), ("loadings",)), tuple(
        f"f=~x{k}" for k in (2, 3, 4, 5)
    )) is None  # fmt: skip


def test_a_text_says_which_levels_were_not_tested_on_their_own_merits() -> None:
    data = sample(200)
    there = (data["g"] == "b").to_numpy()
    data.loc[there, "x2"] = 2 + 0.2 * (data.loc[there, "x2"] - 2)
    found = invariance(ONE, data, "g", estimator="ML")
    assert found.level == "configural"
    text = found.summary()
    assert "scalar and strict: not tested on its own merits, because metric does not hold" in text
    assert found.title == "measurement invariance over groups (a 100, b 100): configural"


def test_a_model_without_degrees_of_freedom_has_no_exact_fit_to_tell() -> None:
    facts = sem.fit("f =~ x1 + x2 + x3", sample()).facts
    assert (facts["exact_fit"], facts["fit_indices"]) == ("-", "-")
    tested = sem.fit(ONE, sample()).facts
    assert "-" not in (tested["exact_fit"], tested["fit_indices"])


def test_a_table_with_intercepts_has_them_fitted_without_being_told() -> None:
    table = build_table(ONE, options=table_options("cfa", meanstructure=True))
    data = sample()
    found = sem.fit(table, data)
    assert found.options.meanstructure
    means = found.estimates.query("op == '~1' and lhs != 'f'")["est"].to_numpy()
    assert means == pytest.approx(data.iloc[:, :4].mean().to_numpy(), abs=1e-6)


def test_only_what_comes_after_a_rejected_level_was_not_tested_on_its_own_merits() -> None:
    data = sample(400)
    there = (data["g"] == "b").to_numpy()
    data.loc[there, "x4"] += 2 * np.random.default_rng(3).normal(size=there.sum())
    found = invariance(ONE, data, "g", estimator="ML")
    assert [step.holds for step in found.steps] == [True, True, True, False]
    assert found.level == "scalar"
    assert "on its own merits" not in found.summary()


def test_columns_are_named_by_texts_whatever_their_names_are() -> None:
    data = sample().drop(columns="g")
    for names in (
        pd.Index(["x1", "x2", "x3", "x4"], dtype="string"),
        pd.Index(["x1", "x2", "x3", None], dtype="string"), pd.Index([1, 2, 3, "x4"]),
    ):  # fmt: skip
        found = named_columns(data.set_axis(names, axis=1))
        assert all(isinstance(name, str) for name in found.columns)
        assert list(found.columns)[:3] == [str(name) for name in names[:3]]


def test_a_correlation_matrix_is_singular_below_an_eigenvalue_of_a_billionth() -> None:
    def of(least: float, n: int = 50) -> Sample:
        cov = np.array([[4.0, 6 * (1 - least)], [6 * (1 - least), 9.0]])
        return Sample(("x", "y"), (GroupSample("", n, np.zeros(2), cov),))

    refuse_singular(of(5e-9))
    with pytest.raises(ParameterError, match="among x, y some determine the others"):
        refuse_singular(of(5e-10))
    with pytest.raises(ParameterError, match="use a smaller model or collect more cases"):
        refuse_singular(of(5e-10, 2))


def test_mplus_holds_loadings_and_intercepts_of_groups_equal_unless_told() -> None:
    data = sample()
    asked = sem.fit(ONE, data, group="g", group_equal=["loadings", "intercepts"])
    mplus = sem.fit(ONE, data, group="g", mimic="Mplus")
    assert mplus.options.group_equal == ("loadings", "intercepts")
    assert mplus.problem.df == asked.problem.df
    told = sem.fit(ONE, data, group="g", mimic="Mplus", group_equal=["loadings"])
    assert told.options.group_equal == ("loadings",)
    assert sem.fit(ONE, data, mimic="Mplus").options.group_equal == ()

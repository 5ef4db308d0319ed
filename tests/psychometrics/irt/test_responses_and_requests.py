"""How responses are coded and requests are read, at their limits."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.irt.data import MAX_CATEGORIES, per_item, read_responses
from gfactor.psychometrics.irt.estimation.collapse import collapses
from gfactor.psychometrics.irt.likelihood.information import MANY_PARAMETERS
from gfactor.psychometrics.irt.request import Request, group_codes, guesses, kinds, pattern
from gfactor.psychometrics.irt.requests_by_item import models_by_item, of_varying_items


def table(**columns: Any) -> Any:
    frame = {"x": [0, 1, 1, None], "y": [0.5, 0, 1, 0.5], "z": [1, 1, 0, 0]} | columns
    return read_responses(pd.DataFrame(frame, index=list("abcd")))[0]


def test_categories_are_the_scores_in_order_and_missing_is_minus_one() -> None:
    made = table(same=[2, 2, None, 2])
    assert made.codes.T.tolist() == [[0, 1, 1, -1], [1, 0, 2, 1], [1, 1, 0, 0]]
    assert (tuple(made.persons), made.items) == (tuple("abcd"), ("x", "y", "z"))
    assert made.scores == ((0, 1), (0, 0.5, 1), (0, 1))
    assert made.left_out == ("same",)
    assert made.categories.tolist() == [2, 3, 2]
    points = made.points()
    assert np.isnan(points[3, 0])
    assert points[:, 1].tolist() == [0.5, 0, 1, 0.5]


def test_categories_that_nobody_has_can_be_stated() -> None:
    frame = pd.DataFrame({"x": [1, 1, 1], "y": [0, 1, 0.25]})
    made, _ = read_responses(frame, categories=(0.0, 1.0))
    assert made.scores == ((0, 1), (0, 0.25, 1))
    assert made.codes[:, 0].tolist() == [1, 1, 1]
    assert made.left_out == ()


def test_twenty_five_categories_are_the_most() -> None:
    rows = np.arange(MAX_CATEGORIES + 1.0)
    frame = pd.DataFrame({"x": np.minimum(rows, MAX_CATEGORIES - 1), "y": rows % 2})
    assert read_responses(frame)[0].categories.tolist() == [25, 2]
    with pytest.raises(GfactorError, match="item 'x' has 26 distinct scores"):
        read_responses(frame.assign(x=rows))


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame([[0, 1]], columns=["x", "y"]), "at least two persons with responses, got 1"),
        (pd.DataFrame({"x": [0, 1], "y": [1, 1]}), "two items that vary, got 1 of 2"),
        (pd.DataFrame([[0, 1], [1, 0]], columns=["x", "x"]), "two columns are named 'x'"),
        (pd.DataFrame({"x": [0, np.inf], "y": [0, 1]}), "item 'x', row 1: the score is infinite"),
        (pd.DataFrame({"x": ["0", "no"], "y": [0, 1]}), "item 'x', row 1: 'no' is not a number"),
    ],
)
def test_what_cannot_be_coded_is_refused(frame: pd.DataFrame, words: str) -> None:
    with pytest.raises(GfactorError, match=words):
        read_responses(frame)


def test_numbers_written_as_texts_and_booleans_are_scores() -> None:
    frame = pd.DataFrame({"x": ["0", "1", None], "y": [True, False, True]})
    made, _ = read_responses(frame)
    assert made.codes.T.tolist() == [[0, 1, -1], [1, 0, 1]]
    again, _ = read_responses(np.array([[0, 1], [1, 0], [1, 1]]))
    assert again.items == ("0", "1")


def findings(frame: Any) -> dict[str, Any]:
    return {d.code: d for d in read_responses(pd.DataFrame(frame))[1]}


def test_items_that_were_left_out_are_not_among_those_that_somebody_has_all_right() -> None:
    found = findings({"x": [1, 0, 0], "y": [1, 1, 0], "nobody": [0, 0, 0]})
    assert found["extreme_persons"].sentence == (
        "1 of 3 persons have every item that was not left out right, and 1 have none right."
    )


def test_persons_with_all_nothing_or_no_response_are_counted() -> None:
    found = findings({"x": [1, 0, 1, None, 1], "y": [2, 0, 0, None, None], "z": [1, 0, 1, None, 0]})
    assert found["extreme_persons"].values == {"all": 1, "none": 1, "persons": 5}
    sentence = "1 of 5 persons have every item right, and 1 have none right."
    assert sentence in found["extreme_persons"].sentence
    sentence = "There is no response at all of 1 of 5 persons"
    assert found["persons_without_responses"].sentence.startswith(sentence)
    mixed = findings({"x": [1, 0], "y": [0, 1]})
    assert mixed == {}
    seven = findings({"x": [0, 1], "y": [1, 0], **{f"c{k}": [1, 1] for k in range(6)}})
    assert "6 items do not vary and were left out: c0, c1, c2, c3, c4 and 1 more" in (
        seven["constant_items"].sentence
    )


def test_equal_columns_are_named_where_chance_does_not_explain_them() -> None:
    rng = np.random.default_rng(1)
    right = (rng.random((40, 3)) < 0.5).astype(int)
    frame = pd.DataFrame(right, columns=list("xyz")).assign(w=right[:, 1])
    found = findings(frame)["duplicated_items"]
    assert found.where == ("y", "w")
    assert "1 pairs of items have identical responses throughout: y = w." in found.sentence
    # Halves of 10 persons agree with the chance 2^-5; of 24 with 2^-12, times six pairs.
    assert "duplicated_items" not in findings(frame.head(10))
    few = pd.DataFrame(np.tile([[0, 1], [1, 0]], (12, 2)), columns=list("abcd"))
    assert "duplicated_items" in findings(few)
    assert "duplicated_items" not in findings(few.head(8))


def test_one_value_per_item() -> None:
    assert per_item(0.2, ("x", "y"), "guess") == [0.2, 0.2]
    assert per_item({"y": 1, "x": 2}, ("x", "y"), "guess") == [2, 1]
    with pytest.raises(GfactorError, match="guess: there is no item 'q' in the data"):
        per_item({"q": 1}, ("x",), "guess")
    with pytest.raises(GfactorError, match=r"guess: item 'x' is not named \(2 lacking\)"):
        per_item({"z": 1}, ("x", "y", "z"), "guess")


@pytest.mark.parametrize(
    ("model", "guess", "expected"),
    [
        ("rasch", None, ["2pl", "gpcm", "2pl"]), ("1pl", None, ["2pl", "gpcm", "2pl"]),
        ("2pl", None, ["2pl", "graded", "2pl"]), ("grm", None, ["2pl", "graded", "2pl"]),
        ("pcm", None, ["2pl", "gpcm", "2pl"]), ("gpcm", None, ["2pl", "gpcm", "2pl"]),
        ("rsm", None, ["2pl", "rating", "2pl"]), ("nrm", None, ["2pl", "nominal", "2pl"]),
        ("2pl", 0.2, ["4pl", "graded", "4pl"]),
        ({"x": "3pl", "y": "grm", "z": "4pl"}, None, ["4pl", "graded", "4pl"]),
    ],
)  # fmt: skip
def test_the_family_of_an_item_follows_from_model_and_categories(
    model: Any, guess: Any, expected: list[str]
) -> None:
    made = table()
    found = kinds(made, Request(model, guess=guess))
    assert [kind for kind, _ in found] == expected
    names = model if isinstance(model, dict) else dict.fromkeys("xyz", model)
    assert [name for _, name in found] == list(names.values())


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request("3pl"), "item 'y' has 3 categories; 3pl is for items with two"),
        (Request("5pl"), "item response model"),
    ],
)
def test_models_that_do_not_go_with_an_item_are_refused(request_: Request, words: str) -> None:
    with pytest.raises(GfactorError, match=words):
        kinds(table(), request_)


def test_factors_are_read_as_a_number_a_pattern_or_a_bifactor_model() -> None:
    made = table()
    assert pattern(made, Request()) == ([[0]] * 3, ("F1",), False)
    assert pattern(made, Request(factors=2)) == ([[0, 1]] * 3, ("F1", "F2"), False)
    named = Request(factors={"f": ["x", "y"], "g": ["y", "z"]})
    assert pattern(made, named) == ([[0], [0, 1], [1]], ("f", "g"), False)
    special = Request(bifactor={"s": ["x"], "t": ["z"]})
    assert pattern(made, special) == ([[0, 1], [0], [0, 2]], ("general", "s", "t"), True)
    for wrong, words in (
        (Request(factors={"f": ["x", "y"]}), "item 'z' loads on no factor"),
        (Request(factors={"f": ["q"]}), "item"),
        (Request(factors=0), "must be 1 or more"),
        (Request(bifactor={"s": ["x"], "t": ["x"]}), "'x' is in two specific factors"),
    ):
        with pytest.raises(GfactorError, match=words):
            pattern(made, wrong)
    assert len(pattern(made, Request(factors=4))[1]) == 4


def test_the_reference_group_comes_first() -> None:
    groups = ["b", "a", "c", "a"]
    names, codes = group_codes(Request(groups=groups), 4)
    assert (names, codes.tolist()) == (("b", "a", "c"), [0, 1, 2, 1])
    names, codes = group_codes(Request(groups=groups, reference="c"), 4)
    assert (names, codes.tolist()) == (("c", "b", "a"), [1, 2, 0, 2])
    names, codes = group_codes(Request(), 3)
    assert (names, codes.tolist()) == (("all",), [0, 0, 0])
    with pytest.raises(GfactorError, match="group has 4 entries for 3 persons"):
        group_codes(Request(groups=groups), 3)
    with pytest.raises(GfactorError, match="group"):
        group_codes(Request(groups=groups, reference="q"), 4)


def test_lower_asymptotes_are_from_zero_to_below_one() -> None:
    made = table(same=[2, 2, None, 2])
    assert guesses(made, Request()) == [None] * 3
    assert guesses(made, Request(guess=0)) == [0.0] * 3
    by_item = {"x": 0.1, "y": 0.0, "z": 0.5, "same": 0.3}
    assert guesses(made, Request(guess=by_item)) == [0.1, 0.0, 0.5]
    for wrong in (1.0, -0.1):
        with pytest.raises(GfactorError, match=r"guess of item 'x' must lie in \[0, 1\)"):
            guesses(made, Request(guess=wrong))

    assert guesses(made, Request(guess={"y": 0.25})) == [None, 0.25, None]
    with pytest.raises(GfactorError, match="guess: there is no item 'q' in the data"):
        guesses(made, Request(guess={"q": 0.25}))


def test_lower_asymptotes_are_one_number_one_for_each_column_or_by_item() -> None:
    rng = np.random.default_rng(3)
    right = rng.uniform(size=(300, 4)) < 1 / (1 + np.exp(-rng.normal(size=(300, 1))))
    data = pd.DataFrame(right.astype(int), columns=list("abcd")).assign(same=1)
    levels = [0.0, 0.2, 0.0, 0.2, 0.5]
    listed = gf.irt("rasch", data, guess=levels)
    assert listed.items["c"].tolist() == levels[:4]
    named = gf.irt("rasch", data, guess={"b": 0.2, "d": 0.2})
    assert named.loglik == pytest.approx(listed.loglik)
    estimated = gf.irt("3pl", data, guess={"b": 0.2}).items
    assert np.isfinite(estimated["se_c"]).tolist() == [True, False, True, True]
    with pytest.raises(ParameterError, match="guess: 2 entries for 5 items; give one number for"):
        gf.irt("rasch", data, guess=[0.1, 0.2])
    with pytest.raises(ParameterError, match=r"guess of item 'b' must be a number in \[0, 1\)"):
        gf.irt("rasch", data, guess=cast("Any", {"b": "much"}))


@pytest.mark.thorough
def test_only_plain_models_of_very_many_rasch_items_collapse() -> None:
    few = np.tile([[0, 1], [1, 0]], (1, MANY_PARAMETERS // 2))
    many = read_responses(few)[0]
    assert collapses(many, Request("rasch"))
    assert collapses(many, Request("pcm"))
    assert not collapses(read_responses(few[:, :-1])[0], Request("rasch"))
    several = read_responses(np.vstack([few, 2 * few[:1]]))[0]
    assert not collapses(several, Request("pcm"))
    for other in (
        Request("2pl"), Request({"0": "rasch"}), Request("rasch", factors=2),
        Request("rasch", bifactor={}), Request("rasch", guess=0.0), Request("rasch", groups=["a"]),
        Request("rasch", design=np.eye(2)), Request("rasch", constraints=(("a", "b"),)),
        Request("rasch", fixed={"a": 1.0}), Request("rasch", priors={"slope": ("normal", 0, 1)}),
    ):  # fmt: skip
        assert not collapses(many, other)


def test_scores_are_read_as_given_and_odd_cells_named() -> None:
    frame = pd.DataFrame({"a": [0, 1, 2, None], "b": ["3", "5", "3", "5"]}, index=list("wxyz"))
    table, _ = read_responses(frame)
    assert table.points() == pytest.approx(
        np.array([[0, 3], [1, 5], [2, 3], [np.nan, 5]]), nan_ok=True
    )
    assert table.codes.tolist() == [[0, 0], [1, 1], [2, 0], [-1, 1]]
    with pytest.raises(ParameterError, match="item 'b', row 'y': 'bad' is not a number"):
        read_responses(frame.assign(b=["3", "5", "bad", "worse"]))
    with pytest.raises(ParameterError, match="item 'a', row 'x': the score is infinite"):
        read_responses(pd.DataFrame({"a": [0, np.inf, 1], "b": [0, 1, np.inf]}, index=list("wxy")))


def test_constant_and_duplicated_items_are_named_in_part() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame(rng.integers(0, 2, (40, 4)), columns=list("abcd")).astype(float)
    for k in range(6):
        data[f"k{k}"] = 1.0
    for k, name in enumerate("abcd"):
        data[f"s{k}"] = data[name]
    said = {d.code: d for d in read_responses(data)[1]}
    assert said["constant_items"].sentence.endswith("were left out: k0, k1, k2, k3, k4 and 1 more.")
    assert "(a = s0, b = s1, c = s2" in said["duplicated_items"].sentence.replace(": ", "(")
    assert "d = s3" not in said["duplicated_items"].sentence
    five = {d.code: d for d in read_responses(data.drop(columns="k5"))[1]}
    assert five["constant_items"].sentence.endswith("were left out: k0, k1, k2, k3, k4.")


def test_few_equal_answers_are_no_sign_of_a_duplicate() -> None:
    """Four even items: (1/2)^(n/2) * 6 pairs is below 0.01 from 19 persons on."""
    for n, found in ((18, False), (20, True)):
        data = pd.DataFrame({"a": [0, 1] * (n // 2), "c": [0, 0, 1] * (n // 3) + [0] * (n % 3),
                             "d": [1] + [0] * (n - 1)}).astype(float)  # fmt: skip
        data["b"] = data["a"]
        said = [d.code for d in read_responses(data)[1]]
        assert ("duplicated_items" in said) is found


def test_a_column_of_words_is_refused_with_the_option_that_leaves_it_out() -> None:
    data = pd.DataFrame({"a": [0, 1, 1], "b": [1, 0, 1], "sex": ["f", "m", "f"]})
    with pytest.raises(ParameterError, match=r"'sex'.* leave it out \(--drop sex;"):
        read_responses(data)
    with pytest.raises(ParameterError, match=r"'m' is not a number.* was not asked$"):
        read_responses(data.assign(sex=["1", "m", "0"]))


@pytest.mark.parametrize("code", [-9, -99, 999])
def test_codes_of_missing_answers_are_named_wherever_a_table_is_read(code: int) -> None:
    data = pd.DataFrame(np.random.default_rng(2).integers(0, 5, (60, 4)), columns=list("abcd"))
    data.loc[[3, 5], "b"] = code
    sentence = f"2 cells are exactly {code}, a usual code of missing answers (column b)."
    schools = data.assign(school=np.arange(60) % 12)
    levels = "level: 1\nb ~~ c\nlevel: 2\nb ~~ c"
    for found in (
        read_responses(data)[1],
        gf.reliability(data).diagnostics,
        gf.adequacy(data).diagnostics,
        gf.sem("f =~ a + b + c + d", data).diagnostics,
        gf.sem("f =~ a + b + c + d", data, ordered=list("abcd")).diagnostics,
        gf.sem(levels, schools, cluster="school").diagnostics,
    ):
        assert sentence in [entry.sentence for entry in found if entry.code == "missing_codes"]
    data.loc[[0, 1], "b"] = abs(code) // 2, -1
    assert "missing_codes" not in {entry.code for entry in read_responses(data)[1]}


def test_a_code_of_missing_answers_that_one_group_lacks_is_named_in_the_refusal() -> None:
    data = pd.DataFrame(np.random.default_rng(2).integers(0, 3, (80, 3)), columns=list("abc"))
    data["group"] = ["u", "v"] * 40
    data.loc[[0, 2, 4], "a"] = -99
    with pytest.raises(ParameterError, match=r"empty its cells if -99 stands for a missing answer"):
        gf.sem("f =~ a + b + c", data, ordered=list("abc"), group="group")
    with pytest.raises(ParameterError, match=r"'v'; join it with a neighbor"):
        gf.sem("f =~ a + b + c", data.replace(-99, 3), ordered=list("abc"), group="group")


def test_models_and_factors_of_items_that_do_not_vary_are_left_out_with_them() -> None:
    made, columns = table(same=[2, 2, None, 2]), ["x", "y", "z", "same"]
    models = models_by_item(["2pl", "grm", "rasch", "2pl"], columns)
    assert models == models_by_item(models, columns)
    asked = Request(models, {"f": ["x", "same"], "g": ["y", "z"]}, free_items=("same", "z"))
    request = of_varying_items(asked, made)
    assert request.model == {"x": "2pl", "y": "grm", "z": "rasch"}
    assert request.factors == {"f": ["x"], "g": ["y", "z"]}
    assert request.free_items == ("z",)
    with pytest.raises(ParameterError, match=r"factor 'b' has no item that varies \(same\)"):
        of_varying_items(Request(bifactor={"b": ["same"]}), made)
    with pytest.raises(ParameterError, match="model: 1 entries for 4 items"):
        models_by_item(["2pl"], columns)

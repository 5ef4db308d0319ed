"""A model text says constructs, modes, orders, paths and interactions, and where it is wrong."""

from __future__ import annotations

import pytest

from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.psychometrics.pls import PLSModel, parse_pls

TEXT = """
# measurement
A =~ a1 + a2 +
     a3            # goes on
B <~ b1 + "b 2"; C =~ c1
G =~ A + B
C ~ G + M + G:M
M =~ m1
"""


def test_lines_become_constructs_and_paths() -> None:
    model = parse_pls(TEXT)
    assert [(c.name, c.indicators, c.mode, c.second_order) for c in model.constructs] == [
        ("A", ("a1", "a2", "a3"), "A", False),
        ("B", ("b1", "b 2"), "B", False),
        ("C", ("c1",), "A", False),
        ("G", ("A", "B"), "A", True),
        ("M", ("m1",), "A", False),
    ]
    assert model.paths == (("G", "C"), ("M", "C"), ("G:M", "C"))
    assert model.interactions == (("G", "M"),)
    assert model.columns == ("a1", "a2", "a3", "b1", "b 2", "c1", "m1")
    assert model.parts == {"A": "G", "B": "G"}


def test_plain_values_make_the_same_model() -> None:
    blocks = {"A": ["x", "y"], "B": ["z"], "G": ["A", "B"], "H": ["h"]}
    assert PLSModel.of(blocks, [("G", "H")], {"A": "B"}) == parse_pls(
        "A <~ x + y\nB =~ z\nG =~ A + B\nH =~ h\nH ~ G"
    )


def test_a_column_may_have_the_name_of_its_construct() -> None:
    model = parse_pls("arena =~ arena\nA =~ x\narena ~ A")
    assert not model.by_name["arena"].second_order


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("A =~ x +", "line 1, column 9", "expected a name"),
        ("A =~ x\nB x", "line 2, column 3", "expected =~, <~ or ~ after 'B'"),
        ("A =~ 0.5*x", "line 1, column 9", "no fixed values"),
        ("A =~ x\nA ~~ A", "line 2, column 3", "no covariances"),
        ("A =~ x\nd := a*b", "line 2, column 3", "define no parameters"),
        ("A =~ x\nA <~ y", "line 2, column 3", "both =~ and <~"),
        ("A =~ x:y", "line 1, column 6", "cannot be an indicator"),
        ("A =~ x y", "line 1, column 8", "expected '+'"),
        ("+ =~ x", "line 1, column 1", "expected the name of a construct"),
        ('A =~ "x', "line 1, column 6", "not closed"),
        ("A =~ x + $", "line 1, column 10", "'$'"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text: str, place: str, what: str) -> None:
    with pytest.raises(GfactorError) as caught:
        parse_pls(text)
    assert place in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no constructs"),
        ("A =~ x\nB =~ x", "'x' measures both 'A' and 'B'"),
        ("A =~ x + x", "listed twice"),
        ("A =~ x\nG =~ A + y", "mixes constructs with the column 'y'"),
        ("A =~ x\nG =~ A\nK =~ G", "third order"),
        ("A =~ x\nG =~ A\nB =~ y\nB ~ A", "'A' is a part of 'G'"),
        ("A =~ x\nA ~ A", "has a path to itself"),
        ("A =~ x\nB =~ y\nB ~ A + A", "occurs twice"),
        ("A =~ x\nB =~ y\nB ~ A:A:A", "expected '+'"),
        ('"A:B" =~ x', "a colon"),
    ],
)
def test_a_contradiction_is_one_sentence(text: str, what: str) -> None:
    with pytest.raises(GfactorError) as caught:
        parse_pls(text)
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_to_nothing_suggests_a_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'Memory'"):
        parse_pls("Memory =~ x\nB =~ y\nB ~ Memori")


def test_a_construct_without_indicators_is_refused() -> None:
    with pytest.raises(ParameterError, match="'A' has no indicators"):
        PLSModel.of({"A": []}, [])

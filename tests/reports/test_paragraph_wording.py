"""Sentences of paragraphs fit their numbers: one factor, one pair, two names, answers of two."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.reports.paragraphs.wording import listed, range_of


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a (2, 3)", "b"], "a (2, 3), and b"),
        (["a", "b", "c"], "a, b, and c"),
    ],
)
def test_the_last_of_several_follows_an_and(parts: list[str], text: str) -> None:
    assert listed(parts) == text


def blocks(factors: int, size: int = 4) -> pd.DataFrame:
    random = np.random.default_rng(2)
    scores = random.normal(size=(300, factors)).repeat(size, axis=1)
    return pd.DataFrame(scores + random.normal(size=scores.shape)).add_prefix("x")


def test_one_factor_is_spoken_of_as_one() -> None:
    found = gf.efa(blocks(1), 1)
    text = found.paragraph()
    loadings = range_of(found.loadings["F1"])
    assert "1 factor of 4 indicators was extracted by" in text
    assert f"The factor explains {found.variance['cumulative'].iloc[-1]:.0%}" in text
    assert f"Loadings were {loadings}." in text
    assert "highest loadings" not in text
    several = gf.efa(blocks(2), 2).paragraph()
    assert "2 factors of 8 indicators were extracted by" in several
    assert "The factors explain" in several
    assert "F1 has its highest loadings" in several


def test_two_constructs_have_one_ratio() -> None:
    table = blocks(2, 3)
    text = gf.pls("A =~ x0 + x1 + x2; B =~ x3 + x4 + x5; B ~ A", table).paragraph()
    assert "A path model of A (3 indicators, mode A), and B (3 indicators, mode A) was" in text
    assert "The HTMT ratio was ." in text


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([(0, 1)] * 7, "the answer 1"),
        ([(0, 1)] * 6 + [(1, 2)], "the higher of two answers"),
        ([(0, 1)] * 6 + [(0, 1, 2)], "the answer 1 (of items with more answers, of each)"),
        ([(0, 1, 2)] * 7, "the answers"),
    ],
)
def test_probabilities_say_of_which_answers_they_are(
    values: list[tuple[int, ...]], named: str
) -> None:
    random = np.random.default_rng(1)
    able = random.random(400) < 0.5
    table = pd.DataFrame(
        {
            f"i{k}": np.where(
                random.random(400) < np.where(able, 0.9, 0.3), max(of), random.choice(of, 400)
            )
            for k, of in enumerate(values)
        }
    )
    text = gf.latent_classes(table, 2, starts=2).paragraph()
    assert f"Probabilities of {named} in the classes were ." in text

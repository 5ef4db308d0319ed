"""What has a row per person has the index of the data, so that it joins to the right persons."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf

N = 120
NAMES = [f"x{k}" for k in range(1, 7)]
MODEL = "f =~ " + " + ".join(NAMES)

INDEXES = {
    "shuffled": pd.Index(np.random.default_rng(1).permutation(N) + 1000),
    "labels": pd.Index([f"p{k}" for k in range(N)]),
    "dates": pd.date_range("2026-01-01", periods=N),
    "two levels": pd.MultiIndex.from_product([range(N // 10), list("abcdefghij")]),
    "repeated": pd.Index(np.repeat(np.arange(N // 2), 2)),
}


@cache
def answers() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        0.8 * rng.normal(size=(N, 1)) + 0.6 * rng.normal(size=(N, 6)), columns=NAMES
    )


def right(data: pd.DataFrame) -> pd.DataFrame:
    return (data > 0).astype(int)


def levels(data: pd.DataFrame) -> pd.DataFrame:
    return (data > -0.7).astype(int) + (data > 0.7)


def clustered(data: pd.DataFrame) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    code = np.arange(N) % 30
    return (data + rng.normal(size=(30, 1))[code]).assign(school=code)


TWO_LEVELS = f"level: 1\n  w =~ {' + '.join(NAMES[:3])}\nlevel: 2\n  b =~ {' + '.join(NAMES[:3])}"

FACES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "sem": lambda data: gf.sem(MODEL, data).scores().scores,
    "sem fiml": lambda data: gf.sem(MODEL, data, missing="fiml").scores().scores,
    "sem standardized": lambda data: gf.sem(MODEL, data, std_ov=True).scores().scores,
    "cfa bartlett": lambda data: gf.cfa(MODEL, data).scores(method="bartlett").error,
    "cfa ordinal": lambda data: gf.cfa(MODEL, levels(data), ordered=NAMES).scores().scores,
    "sem two levels": lambda data: (
        gf.sem(TWO_LEVELS, clustered(data), cluster="school").scores().scores
    ),
    "irt": lambda data: gf.irt("2pl", right(data)).scores(),
    "irt wle": lambda data: gf.irt("rasch", right(data)).scores("wle"),
    "irt plausible values": lambda data: gf.irt("rasch", right(data)).plausible_values(2),
    "irt person fit": lambda data: gf.irt("rasch", right(data)).person_fit,
    "latent classes": lambda data: gf.latent_classes(right(data), 2).posterior,
    "pls": lambda data: gf.pls("A =~ x1 + x2 + x3\nB =~ x4 + x5 + x6\nB ~ A", data).scores,
}


@pytest.mark.thorough
@pytest.mark.parametrize("face", FACES)
def test_a_row_per_person_has_the_index_of_the_data(face: str) -> None:
    plain = FACES[face](answers())
    for kind, index in INDEXES.items():
        found = FACES[face](answers().set_axis(index))
        assert found.index.equals(index), (face, kind)
        np.testing.assert_allclose(found.to_numpy(), plain.to_numpy(), rtol=1e-6, atol=1e-6)


def test_scores_of_a_shuffled_table_join_to_their_own_persons() -> None:
    data = answers()
    data = data.mask(np.random.default_rng(4).random(data.shape) < 0.1)
    data.iloc[5] = np.nan
    plain = gf.sem(MODEL, data, missing="fiml").scores().scores
    shuffled = data.sample(frac=1, random_state=1)
    joined: Any = shuffled.join(gf.sem(MODEL, shuffled, missing="fiml").scores().scores)
    assert 5 not in plain.index  # answered nothing
    pd.testing.assert_frame_equal(joined[["f"]].dropna().sort_index(), plain, rtol=1e-5, atol=1e-5)


def test_cases_left_out_have_no_scores_and_groups_are_in_the_order_of_the_data() -> None:
    data = answers().set_axis(INDEXES["shuffled"]).assign(kind=["a", "b"] * (N // 2))
    data.iloc[[3, 8], 0] = np.nan
    scored = gf.sem(MODEL, data, group="kind").scores()
    kept = data.dropna()
    assert scored.scores.index.equals(kept.index)
    assert list(scored.groups) == kept["kind"].tolist()

"""Columns and rows that are no measurements are named; families of models reduce the n."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from support.persons import POINTS, counts

from gfactor.errors import ParameterError
from gfactor.psychometrics import Diagnostic
from gfactor.psychometrics.respondents import families, forensics
from gfactor.psychometrics.respondents.chance import _tail


def of(found: object, code: str) -> Diagnostic:
    (one,) = [d for d in found.diagnostics if d.code == code]  # type: ignore[attr-defined]
    return one


def sample(n: int = 60, seed: int = 0) -> pd.DataFrame:
    return counts(n, np.random.default_rng(seed))


def test_constant_and_near_constant_columns_are_named() -> None:
    x = sample()
    x["t00"] = 4.0
    x["t01"] = np.where(np.arange(60) < 5, 3.0, 4.0)
    found = forensics(x)
    assert of(found, "constant_column").where == ("t00",)
    assert "t01" in of(found, "near_constant_column").where
    assert "92%" in of(found, "near_constant_column").sentence


def test_zero_one_items_are_not_called_near_constant_for_being_easy() -> None:
    x = pd.DataFrame(np.random.default_rng(1).random((200, 12)) < 0.85).astype(float)
    assert all(d.code != "near_constant_column" for d in forensics(x).diagnostics)


def test_values_beyond_the_points_and_broken_counts_are_impossible() -> None:
    x = sample()
    points = {name: float(p) for name, p in zip(x.columns, POINTS, strict=True)}
    x.loc[3, "t02"], x.loc[4, "t03"], x.loc[5, "t04"] = 16.0, -1.0, 7.005
    found = forensics(x, points=points, counts=True)
    assert of(found, "impossible_value").where == ("t02", "t03")
    assert of(found, "fractional_count").where == ("t04",)


def test_a_family_correlates_as_its_pairs_of_different_members_do() -> None:
    """Three near-copies of one person: the design effect counts their three pairs, and not that
    everybody is like himself."""
    x = sample(40, 7)
    rng = np.random.default_rng(8)
    for row in (1, 2):
        x.iloc[row] = x.iloc[0]
        x.iloc[row, rng.permutation(x.shape[1])[:2]] += 1
    found = families("a", x)
    assert found is not None
    assert sorted(found.members["person"]) == [0, 1, 2]
    z = (x - x.mean()) / x.std(ddof=0)
    profiles = z.sub(z.mean(axis=1), axis=0).to_numpy()[:3]
    pairs = np.corrcoef(profiles)[np.triu_indices(3, 1)]
    assert found.rho == pytest.approx(pairs.mean())
    assert found.rho < 0.999
    clusters = (37 + 3**2) / 40
    assert found.n_design == pytest.approx(40 / (1 + (clusters - 1) * found.rho))


def test_a_narrower_range_than_the_reference_is_reported_with_its_interval() -> None:
    reference = sample(200, 2)
    total = reference.sum(axis=1).to_numpy()
    narrow = reference.loc[total > np.median(total)]
    found = of(forensics(narrow, reference=reference), "range_restriction")
    assert len(found.where) > 3
    assert all(found.values[name] < 0.8 for name in found.where)
    assert all(
        d.code != "range_restriction" for d in forensics(reference, reference=reference).diagnostics
    )


def test_a_straight_liner_is_named_and_a_perfect_scorer_is_not() -> None:
    x = pd.DataFrame(np.random.default_rng(3).integers(1, 6, (80, 20))).astype(float)
    x.iloc[10] = 3.0
    x.iloc[20] = 5.0
    assert of(forensics(x), "straight_lining").where == ("10",)


def test_subtests_with_scales_of_their_own_are_not_searched_for_straight_lines() -> None:
    assert forensics(sample()).rows.empty


def test_fine_tunes_of_one_base_are_a_family_and_count_less() -> None:
    rng = np.random.default_rng(4)
    base = rng.normal(size=(10, 20))
    tuned = base[0] + 0.05 * rng.normal(size=(8, 20)) + 0.2 * rng.normal(size=(8, 1))
    x = pd.DataFrame(np.vstack([base, tuned]), index=[f"m{i}" for i in range(18)])
    found = families("models", x)
    assert found is not None
    assert set(found.members["person"]) == {"m0", *(f"m{i}" for i in range(10, 18))}
    # Kish: 9 single examinees and a family of 9, so b = (9 + 81) / 18 = 5.
    assert found.n_design == pytest.approx(18 / (1 + 4 * found.rho))
    assert found.n_eigen < 12
    assert of(forensics(x), "near_copies").severity == "warning"


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "k"), [(15, 300), (200, 60), (400, 18)])
def test_right_and_wrong_answers_of_unrelated_examinees_make_no_families_or_lines(
    n: int, k: int
) -> None:
    rng = np.random.default_rng(n)
    logit = rng.normal(0, 1.2, (n, 1)) - np.sort(rng.normal(0, 1, k))
    found = forensics(pd.DataFrame(rng.random((n, k)) < 1 / (1 + np.exp(-logit))).astype(float))
    codes = {d.code for d in found.diagnostics}
    assert not codes & {"near_copies", "straight_lining", "duplicated_persons"}


@pytest.mark.thorough
def test_unrelated_models_keep_their_number() -> None:
    """100 samples of 15 unrelated models on 18 columns: no family in any; the eigenvalue count
    stays within a fifth of n on average."""
    rng = np.random.default_rng(5)
    found = [families("x", pd.DataFrame(rng.normal(size=(15, 18)))) for _ in range(100)]
    assert all(f is not None and f.members.empty and f.n_design == 15 for f in found)
    assert np.mean([f.n_eigen for f in found if f]) > 12


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame(), "no rows"),
        (pd.DataFrame({"a": ["x", "y"]}), "column 'a'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' twice"),
    ],
)
def test_what_is_no_score_matrix_is_refused_in_one_sentence(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        forensics({"given": frame})


def test_the_result_shows_its_findings_first_and_is_plain_in_json() -> None:
    x = sample()
    x.iloc[1] = x.iloc[2]
    found = forensics(x)
    assert found.summary().startswith("serious: ")
    assert "near-copy" in found._repr_html_()
    json.dumps(found.to_dict(), allow_nan=False)


def test_agreement_by_chance_is_binomial_where_nothing_is_overdispersed() -> None:
    assert _tail(0, 0.0, 0.0).tolist() == [1.0]
    assert _tail(1, 0.3, 0.5) == pytest.approx([1, 0.3])
    assert _tail(4, 2.0, 1.0) == pytest.approx(np.array([16, 15, 11, 5, 1]) / 16)
    wide = _tail(4, 2.0, 1.5)
    assert wide[0] == pytest.approx(1)
    assert wide[1:].sum() == pytest.approx(2.0)
    assert wide[4] > 1 / 16


def test_straight_liners_are_named_in_the_sample_they_are_in() -> None:
    rng = np.random.default_rng(3)
    first, second = (
        pd.DataFrame(rng.integers(1, 6, (80, 20)) * 1.0, index=[f"{s}{k}" for k in range(80)])
        for s in "ab"
    )
    second.iloc[10] = 3.0
    for samples in ({"one": first, "two": second}, {"two": second, "one": first}):
        lines = [d for d in forensics(samples).diagnostics if d.code == "straight_lining"]
        assert [(d.values["sample"], d.where) for d in lines] == [("two", ("b10",))]


def test_headings_of_the_printed_tables_are_explained() -> None:
    table = pd.DataFrame(np.random.default_rng(3).normal(size=(40, 6)).round(3)).add_prefix("x")
    text = forensics({"a": table.iloc[:30], "b": table.iloc[20:]}).summary()
    for heading in ("copied rows", "families", "independent", "shared", "exact", "needed"):
        assert f"{heading}: " in text.replace("\n", " ")
    assert "(design)" not in text

"""Moments of incomplete data, patterns of what is seen, and pairs hardly seen together."""

from __future__ import annotations

from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.sample import GroupSample, saturated
from gfactor.psychometrics.sem.sample.blocks import pattern_blocks
from gfactor.psychometrics.sem.sample.missing import (
    VariablePair,
    left_out,
    pairs_apart,
    pairs_text,
    refuse_apart,
)
from gfactor.psychometrics.sem.sample.saturated import saturated_moments


def test_pairs_that_are_rarely_seen_together_are_named_in_part() -> None:
    pairs = [VariablePair(f"a{k}", f"b{k}", 0.05) for k in range(12)]
    whole = pairs_text(pairs[:1], shares=True)
    assert whole == "a0 with b0 (5.0%)"
    assert pairs_text(pairs[:1]) == "a0 with b0"
    named = pairs_text(pairs).count(" with ")
    assert pairs_text(pairs).endswith(f" and {12 - named} more")
    assert "more" not in pairs_text(pairs[:named])
    assert pairs_text(pairs[: named + 1]).endswith(" and 1 more")


TWO = "f =~ x1 + x2 + x3\ng =~ x4 + x5 + x6"

RNG = np.random.default_rng


@pytest.mark.parametrize("tolerance", [1e-12, 1e-5])
def test_moments_that_are_not_found_in_time_name_the_group(tolerance: float) -> None:
    rows = RNG(4).normal(size=(40, 3))
    rows[RNG(5).random(rows.shape) < 0.3] = np.nan
    rows = rows[~np.isnan(rows).all(axis=1)]
    for label, said in (
        ("south", " of group 'south' did not converge in 1 EM"),
        ("", "unrestricted moments did not"),
    ):
        group = GroupSample(label, len(rows), np.nanmean(rows, axis=0), np.eye(3), rows)
        blocks = pattern_blocks(group, 1.0)
        with pytest.raises(ParameterError, match=said):
            saturated_moments(group, blocks, tolerance=tolerance, steps=1)
        found, _ = saturated_moments(group, blocks, tolerance=tolerance)
        assert np.linalg.eigvalsh(found.cov).min() > 0


def test_frames_without_missing_cells_are_the_same_under_full_information() -> None:
    data = pd.DataFrame(recorded.sample("three_factors"))
    plain, full = (sem.fit(TWO, data, missing=m, meanstructure=True) for m in ("listwise", "ml"))
    np.testing.assert_allclose(full.theta, plain.theta, rtol=1e-7, atol=1e-9)
    assert full.measures["chisq"] == pytest.approx(plain.measures["chisq"], rel=1e-8)


def incomplete(n: int = 60, seed: int = 2) -> np.ndarray:
    """x for all, y for the first two thirds."""
    rng = np.random.default_rng(seed)
    x = rng.normal(3, 2, n)
    rows = np.column_stack([x, 0.7 * x + rng.normal(size=n)])
    rows[2 * n // 3 :, 1] = np.nan
    return rows


@pytest.mark.parametrize("tolerance", [1e-12, 1e-8])
def test_moments_of_a_variable_seen_less_often_are_andersons(tolerance: float) -> None:
    """Anderson (1957): the regression of y on x from the complete cases, x from all cases."""
    rows = incomplete()
    whole = rows[~np.isnan(rows[:, 1])]
    mean, cov = whole.mean(axis=0), np.cov(whole.T, bias=True)
    slope = cov[0, 1] / cov[0, 0]
    x = rows[:, 0]
    expected_mean = [x.mean(), mean[1] + slope * (x.mean() - mean[0])]
    left = cov[1, 1] - slope * cov[0, 1]
    group = GroupSample("", len(rows), mean, cov, rows)
    found, blocks = saturated_moments(group, pattern_blocks(group, 1.0), tolerance=tolerance)
    assert found.mean == pytest.approx(expected_mean, abs=1e-6)
    assert found.cov[0, 0] == pytest.approx(x.var(), abs=1e-6)
    assert found.cov[0, 1] == pytest.approx(slope * x.var(), abs=1e-6)
    assert found.cov[1, 1] == pytest.approx(left + slope**2 * x.var(), abs=1e-5)
    # Minus the log-likelihood per case without constants: x for all, y given x where it is seen.
    value = 0.5 * (np.log(x.var()) + 1) + (2 / 3) * 0.5 * (np.log(left) + 1)
    assert blocks.saturated == pytest.approx(value, abs=1e-8)


def test_blocks_are_the_patterns_of_what_is_seen() -> None:
    rows = incomplete(12)
    group = GroupSample("", 12, np.zeros(2), np.eye(2), rows)
    blocks = pattern_blocks(group, 0.6)
    assert blocks.seen.tolist() == [[True, False], [True, True]]
    assert blocks.weight == pytest.approx([0.2, 0.4])
    assert blocks.member is not None
    assert blocks.member.tolist() == [1] * 8 + [0] * 4
    assert blocks.mean[0].tolist() == pytest.approx([rows[8:, 0].mean(), 0.0])
    assert blocks.cov[1] == pytest.approx(np.cov(rows[:8].T, bias=True))
    assert not blocks.complete
    weighted = GroupSample("", 12, np.zeros(2), np.eye(2), rows, weights=np.arange(1.0, 13))
    heavy = pattern_blocks(weighted, 1.0)
    assert heavy.weight == pytest.approx([42 / 78, 36 / 78])
    assert heavy.mean[0, 0] == pytest.approx(np.average(rows[8:, 0], weights=np.arange(9, 13)))


def test_em_that_does_not_end_names_pairs_hardly_seen_together() -> None:
    rows = np.full((40, 2), np.nan)
    rng = np.random.default_rng(0)
    rows[:21, 0], rows[19:, 1] = rng.normal(size=21), rng.normal(size=21)
    group = GroupSample("g", 40, np.zeros(2), np.eye(2), rows)
    with pytest.raises(
        ParameterError, match="of group 'g' did not converge in 3 EM steps: a with b"
    ):
        saturated_moments(group, pattern_blocks(group, 1.0), steps=3, names=["a", "b"])


def test_pairs_are_apart_below_a_tenth_and_refused_below_two_cases() -> None:
    rows = np.ones((40, 3))
    rows[3:, 0] = np.nan
    rows[:2, 1] = np.nan
    found = pairs_apart(rows, "abc")
    assert [(p.first, p.second, p.share) for p in found] == [("a", "b", 1 / 40), ("a", "c", 3 / 40)]
    assert pairs_apart(np.vstack([np.ones((4, 3)), rows[4:]]), "abc") == []
    with pytest.raises(ParameterError, match="a with b are never observed together in group 1"):
        refuse_apart(rows, "abc", " in group 1")
    rows[1, 1] = 1
    refuse_apart(rows, "abc")


@pytest.mark.parametrize(
    ("n", "listwise", "severity"), [(90, True, "note"), (89, True, "warning"), (50, False, "note")]
)
def test_cases_left_out_are_counted(n: int, listwise: bool, severity: str) -> None:
    (found,) = left_out((Made(n=n - 10), Made(n=10)), 100, listwise)  # type: ignore[arg-type]
    assert (found.code, found.severity) == ("cases_left_out", severity)
    assert found.values == {"left_out": 100 - n, "cases": 100}
    assert f"Left out: {100 - n} of 100 cases ({100 - n}%)" in found.sentence
    assert ("lack a value of some variable" in found.sentence) == listwise


def test_rows_without_a_group_are_counted() -> None:
    assert left_out((Made(n=5),), 5, True) == ()  # type: ignore[arg-type]
    (found,) = left_out((Made(n=5),), 5, True, homeless=2, column="school")  # type: ignore[arg-type]
    assert (found.code, found.values, found.where) == (
        "rows_without_group", {"rows": 2}, ("school",),
    )  # fmt: skip


def test_mixing_finds_moments_of_incomplete_cases_in_a_third_of_the_steps_of_em(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(150, 4)) @ (np.eye(4) + 0.5)
    rows[rng.random(rows.shape) < 0.35] = np.nan
    rows = rows[~np.isnan(rows).all(axis=1)]
    group = GroupSample("", len(rows), np.nanmean(rows, axis=0), np.eye(4), rows)
    blocks = pattern_blocks(group, 1.0)
    steps: list[int] = []

    class Counted(saturated._Step):
        def __init__(self, *given: Any) -> None:
            steps.append(1)
            super().__init__(*given)

    monkeypatch.setattr(saturated, "_Step", Counted)
    ends = []
    for search in (saturated._plain, saturated._accelerated):
        steps.clear()
        end = search(group, blocks, 1e-10, 5000)
        assert end is not None
        ends.append((end, len(steps)))
    assert ends[1][0].mean == pytest.approx(ends[0][0].mean, abs=1e-8)
    assert ends[1][0].cov == pytest.approx(ends[0][0].cov, abs=1e-8)
    assert ends[1][1] < ends[0][1] / 3


def test_the_text_counts_missing_values_incomplete_cases_and_patterns() -> None:
    random = np.random.default_rng(1)
    data = pd.DataFrame(random.normal(size=(60, 1)) + random.normal(size=(60, 4)))
    data = data.set_axis(["x1", "x2", "x3", "x4"], axis=1)
    data.iloc[:3, 0] = data.iloc[2, 1] = np.nan  # Patterns: x1; x1 and x2; none.
    fit = sem.fit("g =~ x1 + x2 + x3 + x4", data, missing="ml")
    line = "Missing values: 4 of 240 (1.7%), in 3 of 60 cases; 3 patterns of observed variables"
    assert f"{line} (full information)." in fit.summary()
    assert f"{line} (full information)." in repr(fit)
    assert "Missing values" not in sem.fit("g =~ x1 + x2 + x3 + x4", data).summary()
    complete = sem.fit("g =~ x1 + x2 + x3 + x4", data.dropna(), missing="ml")
    assert "Missing values: none (full information)." in complete.summary()

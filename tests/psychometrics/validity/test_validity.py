"""VIF, HTMT, Fornell-Larcker and reliability are their definitions, in batches as alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics import discriminant_validity
from gfactor.psychometrics.classical.consistency import (
    component_reliability,
    composite_reliability,
    omega,
    standardized_alpha,
)
from gfactor.psychometrics.validity import (
    average_variance_extracted,
    block_inflation,
    fornell_larcker,
    htmt,
    variance_inflation,
)

BLOCKS = {"A": ["a", "b", "c"], "B": ["d", "e", "f"]}
MEMBER = np.repeat(np.eye(2), 3, axis=0)


def scores(n: int = 80, seed: int = 0, between: float = 0.6) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = between * a + np.sqrt(1 - between**2) * rng.normal(size=n)
    noise = rng.normal(size=(n, 6))
    return pd.DataFrame(np.column_stack([a, a, a, b, b, b]) + noise, columns=list("abcdef"))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_vif_is_one_over_what_a_regression_leaves(seed: int) -> None:
    x = scores(30, seed)
    values = variance_inflation(x.corr().to_numpy())
    z = x.to_numpy()
    for k in range(6):
        left = np.column_stack([np.ones(30), np.delete(z, k, axis=1)])
        rest = z[:, k] - left @ np.linalg.lstsq(left, z[:, k], rcond=None)[0]
        assert values[k] == pytest.approx(z[:, k].var() / rest.var(), rel=1e-8)


def test_vif_is_infinite_for_the_columns_of_a_dependence_and_finite_for_others() -> None:
    x = scores()
    x["e"] = x["a"] + x["b"]
    values = variance_inflation(x.corr().to_numpy())
    assert np.isinf(values[[0, 1, 4]]).all()
    assert np.isfinite(values[[2, 3, 5]]).all()
    others = variance_inflation(x.drop(columns="e").corr().to_numpy())
    assert np.allclose(values[[2, 3, 5]], others[[2, 3, 4]])


def test_vif_in_the_block_knows_nothing_of_other_blocks() -> None:
    r = scores().corr().to_numpy()
    blocks = [np.array([0, 1, 2]), np.array([3, 4, 5])]
    assert np.allclose(block_inflation(r, blocks)[:3], variance_inflation(r[:3, :3]))
    active = np.array([True, True, False, True, True, True])
    masked = block_inflation(np.stack([r, r]), blocks, active)
    assert np.allclose(masked[1, :2], 1 / (1 - r[0, 1] ** 2))
    assert np.isnan(masked[:, 2]).all()
    assert variance_inflation(np.ones((1, 1)))[0] == 1


def test_htmt_is_mean_across_over_geometric_mean_within() -> None:
    r = np.abs(scores().corr().to_numpy(float))
    across = r[:3, 3:].mean()
    within = [block[np.triu_indices(3, 1)].mean() for block in (r[:3, :3], r[3:, 3:])]
    ratio = htmt(r, MEMBER)
    assert ratio[0, 1] == ratio[1, 0] == pytest.approx(across / np.sqrt(within[0] * within[1]))
    assert np.isnan(ratio[0, 0])
    # GOLD's equation 1 divides by the row's construct only.
    assert htmt(r, MEMBER, "gold")[0, 1] == pytest.approx(across / within[0])
    assert htmt(r, MEMBER, "gold")[1, 0] == pytest.approx(across / within[1])


def test_htmt2_takes_geometric_means_and_equals_htmt_where_all_correlations_do() -> None:
    r = scores().corr().to_numpy()
    geometric = np.exp(np.log(np.abs(r[:3, 3:])).mean())
    within = [
        np.exp(np.log(np.abs(block[np.triu_indices(3, 1)])).mean())
        for block in (r[:3, :3], r[3:, 3:])
    ]
    wanted = geometric / np.sqrt(within[0] * within[1])
    assert htmt(r, MEMBER, "htmt2")[0, 1] == pytest.approx(wanted)
    same: Any = np.kron(np.array([[0.5, 0.3], [0.3, 0.5]]), np.ones((3, 3)))
    np.fill_diagonal(same, 1.0)
    assert htmt(same, MEMBER, "htmt2")[0, 1] == pytest.approx(htmt(same, MEMBER)[0, 1])
    assert htmt(same, MEMBER)[0, 1] == pytest.approx(0.6)


def test_a_reversed_indicator_changes_the_raw_ratio_only() -> None:
    x = scores(400)
    turned = x.assign(a=-x["a"])
    for variant in ("htmt", "htmt2"):
        kind: Any = variant
        plain, other = (htmt(t.corr().to_numpy(), MEMBER, kind)[0, 1] for t in (x, turned))
        assert plain == pytest.approx(other)
    assert np.isnan(htmt(turned.corr().to_numpy(), MEMBER, "raw")[0, 1])


def test_a_single_indicator_counts_as_free_of_error() -> None:
    r = scores().corr().to_numpy()[:4, :4]
    member = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], float)
    within = np.abs(r[:3, :3][np.triu_indices(3, 1)]).mean()
    assert htmt(r, member)[0, 1] == pytest.approx(np.abs(r[:3, 3]).mean() / np.sqrt(within))


def test_intervals_of_htmt_come_with_n_and_verdict() -> None:
    apart = discriminant_validity(scores(300, 1, 0.3), BLOCKS, n_bootstrap=300, seed=2)
    row = apart.table.iloc[0]
    assert row["low"] < row["ratio"] < row["high"] < 0.9
    assert row["separate"]
    assert apart.matrix.loc["A", "B"] == pytest.approx(row["ratio"])
    same = discriminant_validity(scores(100, 1, 1.0), BLOCKS, n_bootstrap=300)
    assert not same.table["separate"].to_numpy().any()
    assert same.diagnostics[0].code == "htmt_high"
    assert "n = 100, 300 bootstrap resamples" in same.summary()
    again = discriminant_validity(scores(100, 1, 1.0), BLOCKS, n_bootstrap=300)
    pd.testing.assert_frame_equal(same.table, again.table)


def test_mistakes_about_htmt_are_one_sentence() -> None:
    wrong: Any = "htmt3"
    with pytest.raises(ParameterError, match="htmt3"):
        discriminant_validity(scores(), BLOCKS, variant=wrong)
    with pytest.raises(ParameterError, match="two constructs or more"):
        discriminant_validity(scores(), {"A": ["a", "b"]})
    with pytest.raises(UnknownNameError, match="unknown column 'z'"):
        discriminant_validity(scores(), {"A": ["a"], "B": ["z"]})


def test_reliability_of_parallel_indicators_is_known() -> None:
    # k indicators with correlation r: alpha, rho_C and omega are k r / (1 + (k - 1) r).
    r = np.full((4, 4), 0.5)
    np.fill_diagonal(r, 1.0)
    blocks, member, loadings = [np.arange(4)], np.ones((4, 1)), np.full(4, np.sqrt(0.5))
    assert standardized_alpha(r, blocks)[0, 0] == pytest.approx(0.8)
    assert composite_reliability(loadings, member)[0] == pytest.approx(0.8)
    assert omega(r, blocks)[0] == pytest.approx(0.8, abs=1e-7)
    assert average_variance_extracted(loadings, member)[0] == pytest.approx(0.5)
    # The first component's loadings are larger, sqrt(2.5 / 4), so this "rho_A" is too high.
    assert component_reliability(r, blocks)[0] == pytest.approx(10 / (10 + 1.5))


def test_omega_needs_three_indicators() -> None:
    r = scores().corr().to_numpy()
    values = omega(r, [np.array([0]), np.array([0, 1]), np.array([0, 1, 2])])
    assert values[0] == 1
    assert np.isnan(values[1])
    assert 0 < values[2] < 1


def test_golds_table_8_contradicts_itself_for_three_indicators() -> None:
    # Memory: AVE 0.707 and CR 0.823. For given AVE, CR is smallest when loadings are most uneven;
    # with three loadings of at most 1 and AVE 0.707 it is at least 0.862. Two indicators fit.
    def least(k: int) -> float:
        grid = np.linspace(0, 1, 201)
        mesh = np.meshgrid(*[grid] * (k - 1))
        last = np.sqrt(np.clip(k * 0.707 - sum(m**2 for m in mesh), 0, None))
        good = last <= 1
        total = sum(mesh) + last
        square = total[good] ** 2
        return float((square / (square + k * (1 - 0.707))).min())

    printed = 0.823
    assert least(2) < printed < 0.855 < least(3)


def test_the_diagonal_of_fornell_larcker_is_the_root_of_ave() -> None:
    names = ["A", "B"]
    table = fornell_larcker(
        pd.Series([0.49, 0.81], names), pd.DataFrame([[1, 0.5], [0.5, 1]], names, names)
    )
    assert table.to_numpy().tolist() == [[0.7, 0.5], [0.5, 0.9]]


@pytest.mark.parametrize(
    ("single", "said"), [(("A",), "A has one indicator"), (("A", "B"), "A, B have one indicator")]
)
def test_constructs_of_one_indicator_are_named(single: tuple[str, ...], said: str) -> None:
    rng = np.random.default_rng(3)
    data = pd.DataFrame(rng.normal(size=(60, 6)) + rng.normal(size=(60, 1)), columns=list("abcdef"))
    blocks = {"A": ["a"], "B": ["b"] if "B" in single else ["b", "c"], "C": ["d", "e", "f"]}
    found = discriminant_validity(data, blocks, n_bootstrap=10)
    (alone,) = (d for d in found.diagnostics if d.code == "single_indicator")
    assert alone.sentence.startswith(f"{said}, taken as free of error")
    assert alone.where == single


def test_variance_inflation_is_that_of_the_inverse_up_to_its_limit() -> None:
    r = np.array([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]])
    assert variance_inflation(r) == pytest.approx(np.diag(np.linalg.inv(r)))
    near = np.array([[1, 1 - 1e-5], [1 - 1e-5, 1]])
    assert variance_inflation(near) == pytest.approx([1 / (1 - (1 - 1e-5) ** 2)] * 2, rel=1e-6)
    assert np.isinf(variance_inflation(np.ones((2, 2)))).all()

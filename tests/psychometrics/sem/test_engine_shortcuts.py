"""Shorter ways through the linear algebra give what the long ones give."""

from __future__ import annotations

import numpy as np
import pytest
from support.sem_models import REGRESSIONS, problem, sample

from gfactor.psychometrics.sem.cholesky import positive_inverse, pseudo_inverse
from gfactor.psychometrics.sem.discrepancy.blockwise import pair_products, summed_pair_products
from gfactor.psychometrics.sem.model import derivative_index
from gfactor.psychometrics.sem.optimize import start_values
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.results.estimates import framed
from gfactor.psychometrics.sem.sample import pattern_blocks, shown_inverses


def covariance(p: int, seed: int = 4) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((3 * p, p))
    return rows.T @ rows / len(rows)


@pytest.mark.thorough
@pytest.mark.parametrize("missing", [0.02, 0.5])
def test_what_a_pattern_shows_is_inverted(missing: float) -> None:
    given = problem(REGRESSIONS, sample(400, missing=missing), missing="ml", fixed_x=False)
    group = given.sample.groups[0]
    blocks = pattern_blocks(group, 1.0)
    cov = covariance(len(group.mean))
    found = shown_inverses(blocks, cov)
    assert found is not None
    for seen, inverse, logdet in zip(blocks.seen, *found, strict=True):
        part = cov[np.ix_(seen, seen)]
        np.testing.assert_allclose(inverse[np.ix_(seen, seen)], np.linalg.inv(part), atol=1e-10)
        assert not inverse[~seen].any()
        assert logdet == pytest.approx(np.linalg.slogdet(part)[1], abs=1e-11)


def test_sums_over_blocks_are_sums_of_blocks() -> None:
    rng = np.random.default_rng(6)
    left, right = (np.array([covariance(5, k + shift) for k in range(4)]) for shift in (0, 9))
    weight = np.array([0.4, 0.3, 0.2, 0.1])
    factors = rng.standard_normal((7, 5)), rng.standard_normal((7, 5))
    found = summed_pair_products(weight, left, right, factors)
    alone = sum(
        w * pair_products(a, b, factors) for w, a, b in zip(weight, left, right, strict=True)
    )
    np.testing.assert_allclose(found, alone, rtol=1e-12)


def test_many_parameters_are_picked_without_a_table_of_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def curvatures() -> list[np.ndarray]:
        given = problem(REGRESSIONS, sample(), meanstructure=True)
        theta = start_values(ParameterTable(()), given.structure, given.sample)
        f = given.discrepancy
        return [f.expected(f.at(theta)), f.hessian(f.at(theta))]

    tabled = curvatures()
    monkeypatch.setattr(derivative_index, "_MANY", 0)
    for one, other in zip(tabled, curvatures(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_pseudo_inverse_leaves_out_what_is_not_known() -> None:
    known = covariance(4)
    wide = np.vstack([np.eye(4), np.ones(4)])
    inverse, idle = pseudo_inverse(wide @ known @ wide.T)
    assert idle.shape == (5, 1)
    np.testing.assert_allclose(wide.T @ idle, 0.0, atol=1e-9)
    found = positive_inverse(known)
    assert found is not None
    np.testing.assert_allclose(wide.T @ inverse @ wide, found[0], rtol=1e-8)


def test_a_name_given_to_the_columns_of_one_table_is_not_that_of_others() -> None:
    rows = ParameterTable((Parameter("f", "=~", "x1"),))
    tables = [framed(rows, {"est": np.ones(1)}) for _ in range(2)]
    tables[0].columns.name = "mine"
    assert tables[0].columns.name == "mine"
    assert framed(rows, {"est": np.ones(1)}).columns.name is tables[1].columns.name is None

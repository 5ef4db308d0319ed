"""Operations on arrays of floats: those of numpy, with a declared type."""

from __future__ import annotations

import numpy as np
import pytest

from gfactor.psychometrics.float_arrays import einsum, inv, solve

MATRICES = np.random.default_rng(7).normal(size=(5, 3, 3))


def test_sums_of_products_are_those_of_numpy_bit_by_bit() -> None:
    for optimize in (False, True):
        ours = einsum("bij,bjk,bk->bi", MATRICES, MATRICES, MATRICES[:, 0], optimize=optimize)
        theirs = np.einsum("bij,bjk,bk->bi", MATRICES, MATRICES, MATRICES[:, 0], optimize=optimize)
        assert (ours == theirs).all()


def test_inverses_and_solutions_are_those_of_numpy_bit_by_bit() -> None:
    assert (inv(MATRICES) == np.linalg.inv(MATRICES)).all()
    assert (solve(MATRICES, MATRICES) == np.linalg.solve(MATRICES, MATRICES)).all()


def test_results_are_64_bit_floats_whatever_the_matrix_holds() -> None:
    assert inv(np.eye(2, dtype=np.float32)).dtype == np.float64
    assert solve(np.eye(2, dtype=np.float32), np.ones(2, np.float32)).dtype == np.float64


def test_a_singular_matrix_is_refused_as_numpy_refuses_it() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        inv(np.zeros((2, 2)))

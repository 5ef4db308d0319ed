"""Operations on arrays of floats: those of numpy, with a declared type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gfactor.psychometrics.float_arrays import cholesky, eigvalsh, einsum, inv, solve

MATRICES = np.random.default_rng(7).normal(size=(5, 3, 3))


def test_sums_of_products_are_those_of_numpy_bit_by_bit() -> None:
    for optimize in (False, True):
        ours = einsum("bij,bjk,bk->bi", MATRICES, MATRICES, MATRICES[:, 0], optimize=optimize)
        theirs = np.einsum("bij,bjk,bk->bi", MATRICES, MATRICES, MATRICES[:, 0], optimize=optimize)
        assert (ours == theirs).all()


def test_inverses_and_solutions_are_those_of_numpy_bit_by_bit() -> None:
    assert (inv(MATRICES) == np.linalg.inv(MATRICES)).all()
    assert (solve(MATRICES, MATRICES) == np.linalg.solve(MATRICES, MATRICES)).all()


def test_a_complex_step_passes_through_as_its_imaginary_part() -> None:
    step: Any = MATRICES + 1e-30j * np.eye(3)
    for result in (inv(step), solve(step, MATRICES), einsum("bij,bjk->bik", step, MATRICES)):
        assert (result.imag != 0).any()
    derivative = -inv(MATRICES) @ inv(MATRICES)
    assert np.allclose(inv(step).imag / 1e-30, derivative, rtol=1e-9)


def test_roots_and_eigenvalues_are_those_of_numpy_bit_by_bit() -> None:
    covariances = MATRICES @ MATRICES.swapaxes(1, 2)
    assert (cholesky(covariances) == np.linalg.cholesky(covariances)).all()
    assert (eigvalsh(covariances) == np.linalg.eigvalsh(covariances)).all()


def test_a_singular_matrix_is_refused_as_numpy_refuses_it() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        inv(np.zeros((2, 2)))

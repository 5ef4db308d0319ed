"""Rank sets from estimates and covariance are csranks'."""

from __future__ import annotations

import numpy as np
import pytest
from support.design_oracles import recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.ranks import simultaneous_rank_sets


@pytest.mark.parametrize("name", ["rank_equal_variance", "rank_unequal_n", "rank_paired_items"])
@pytest.mark.parametrize(("key", "step_down"), [("single_step", False), ("stepdown", True)])
def test_rank_sets_and_critical_values(name: str, key: str, step_down: bool) -> None:
    theirs = recorded(name)["result"]
    ours = simultaneous_rank_sets(
        theirs["estimates"], theirs["Sigma"], step_down=step_down, draws=100_000, seed=3
    )
    assert ours["best"].tolist() == theirs[key]["lower"]
    assert ours["worst"].tolist() == theirs[key]["upper"]
    critical = np.atleast_1d(theirs[key]["critical_values"])
    assert ours.attrs["critical_values"] == pytest.approx(critical.tolist(), abs=0.015)
    exact = theirs["exact_tukey_critical_value"]
    if exact is not None:
        assert ours.attrs["critical_values"][0] == pytest.approx(exact, abs=1e-6)


def test_a_matrix_that_is_no_covariance_is_refused() -> None:
    with pytest.raises(ParameterError, match="negative eigenvalue"):
        simultaneous_rank_sets([1, 2], [[1, 2], [2, 1]])
    with pytest.raises(ParameterError, match="2 x 2"):
        simultaneous_rank_sets([1, 2], np.eye(3))

"""Bootstrap of fits: errors of the right size, failures counted."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support import lavaan_recorded as recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.resampled import resample


@pytest.mark.parametrize("name", ["mediation", "groups_scalar", "labels"])
def test_errors_are_about_the_robust_ones(name: str) -> None:
    fit = recorded.replay(name)
    robust = fit if fit.options.estimator == "MLR" else None
    found = resample(fit, 150, seed=1)
    assert (found.kept, found.lost) == (150, {})
    estimates = fit.estimates
    own = estimates.loc[~estimates["op"].isin(["==", "<", ">"])]
    moves = own["se"].to_numpy() > 0
    ratio = found.intervals["se"].to_numpy()[moves] / own["se"].to_numpy()[moves]
    # The data are skewed: normal-theory errors are too small there, robust ones are not.
    assert 0.9 < np.median(ratio) < (1.15 if robust else 1.5)


def test_the_seed_decides() -> None:
    fit = recorded.replay("cfa_ml")
    first, second, other = (resample(fit, 5, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.draws, second.draws)
    assert not np.array_equal(first.draws, other.draws)
    json.dumps(first.to_dict(), allow_nan=False)


def test_full_information_resamples_incomplete_cases() -> None:
    found = resample(recorded.replay("fiml"), 5, seed=1)
    assert found.kept == 5


def test_what_cannot_be_resampled_is_refused_in_words() -> None:
    with pytest.raises(ParameterError, match="ordinal"):
        resample(recorded.replay("binary"), 5)
    with pytest.raises(ParameterError, match="two or more"):
        resample(recorded.replay("cfa_ml"), 1)

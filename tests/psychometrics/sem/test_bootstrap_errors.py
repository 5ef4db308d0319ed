"""Standard errors by the bootstrap (se = "bootstrap"), also of ordinal variables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded
from support.sem_samples import SAMPLES

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.bootstrapping.result import covariance_of_draws

ORDERED = tuple(f"x{k}" for k in range(1, 7))
TWO = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"


def test_the_covariance_of_draws_is_lavaans() -> None:
    theirs = recorded.read("bootstrap_se")
    draws = np.array(theirs["draws"])
    fits = SimpleNamespace(theta=draws, kept=np.ones(len(draws), dtype=bool))
    found = covariance_of_draws(cast(Any, fits))
    np.testing.assert_allclose(found, theirs["vcov"], rtol=1e-8)
    indirect = pd.DataFrame(theirs["few"]).query("op == ':='")["se"].item()
    assert np.std(draws[:, 0] * draws[:, 1], ddof=1) == pytest.approx(indirect, rel=1e-8)


@pytest.mark.thorough
def test_many_draws_give_lavaans_errors_and_intervals() -> None:
    theirs = pd.DataFrame(recorded.read("bootstrap_se")["many"])
    given = {"se": "bootstrap", "bootstrap": 4000, "iseed": 3, "model.type": "sem"}
    fit = sem.fit(
        recorded.read("bootstrap_se")["syntax"],
        recorded.sample("paths"),
        options=sem.Options.from_lavaan(given),
    )
    both = theirs.merge(fit.estimates, on=["lhs", "op", "rhs"], suffixes=("", ".ours"))
    assert len(both) == len(theirs)
    np.testing.assert_allclose(both["est.ours"], both["est"], rtol=1e-7)
    moving = np.array(both["se"]) > 0
    np.testing.assert_allclose(both["se.ours"][moving], both["se"][moving], rtol=0.06)
    for limit in ("ci.lower", "ci.upper"):
        away = np.abs(both[f"{limit}.ours"] - both[limit])[moving] / both["se"][moving]
        assert away.max() < 0.2
    assert not np.array(both["se.ours"])[~moving].any()


def test_seeds_decide() -> None:
    data = recorded.sample("paths")
    one, same, other = (
        sem.fit("y ~ a + b", data, se="bootstrap", bootstrap=30, iseed=seed).vcov_matrix
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)


@pytest.mark.slow
def test_ordinal_variables_have_a_bootstrap_too() -> None:
    fit = sem.fit(TWO, SAMPLES["ordinal"](), ordered=ORDERED, se="bootstrap", bootstrap=60)
    robust = sem.fit(TWO, SAMPLES["ordinal"](), ordered=ORDERED)
    free = np.array(robust.estimates["se"]) > 0
    ratio = np.array(fit.estimates["se"])[free] / np.array(robust.estimates["se"])[free]
    assert ratio.min() > 0.65
    assert ratio.max() < 1.6
    assert np.median(ratio) == pytest.approx(1, abs=0.15)
    found = sem.bootstrap(robust, 5)
    assert found.kept == 5
    implied = found.intervals.set_index(["lhs", "op", "rhs"])
    assert implied.loc[("x1", "~~", "x1"), "est"] == pytest.approx(
        robust.estimates.set_index(["lhs", "op", "rhs"]).loc[("x1", "~~", "x1"), "est"]
    )
    with pytest.raises(ParameterError, match="plain bootstrap only"):
        sem.bootstrap(robust, 5, kind="parametric")


@pytest.mark.thorough
def test_resamples_of_ordinal_cases_keep_groups_and_covariates() -> None:
    data = SAMPLES["ordinal_covariates"]()
    fit = sem.fit(
        "f1 =~ x1 + x2 + x3\nf1 ~ age",
        data,
        ordered=ORDERED[:3],
        group="school",
        model_type="sem",
    )
    counts = [np.arange(group.n)[None] for group in fit.sample.groups]
    same = sem.bootstrap(fit, indices=[np.repeat(one, 2, axis=0) for one in counts])
    np.testing.assert_allclose(same.fits.theta[1], fit.theta, rtol=1e-7, atol=1e-9)


def test_options_may_come_as_r_writes_them() -> None:
    for empty in (None, {}, []):
        given = sem.Options.from_lavaan({"iseed": empty, "bootstrap": 1000.0})
        assert given.iseed is None
        assert given.bootstrap == 1000


def test_lost_resamples_are_told() -> None:
    few = SAMPLES["ordinal"]().head(24)
    fit = sem.fit("f =~ x1 + x2 + x3", few, ordered=ORDERED[:3], se="bootstrap", bootstrap=10)
    assert "resamples_lost" in {one.code for one in fit.diagnostics}


@pytest.mark.parametrize(
    "changes", [{"bootstrap": 1}, {"bootstrap": 2.5}, {"iseed": -1}, {"bootstrap": True}]
)
def test_impossible_numbers_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="whole number"):
        sem.Options(**changes)


def test_two_draws_have_a_covariance_and_one_has_none() -> None:
    draws = np.array([[1.0, 2.0], [3.0, 1.0]])

    def found(count: int) -> Any:
        return SimpleNamespace(theta=draws[:count], kept=np.ones(count, bool))

    np.testing.assert_allclose(covariance_of_draws(found(2)), [[1.0, -0.5], [-0.5, 0.25]])
    with pytest.raises(ParameterError, match="1 of 1 resamples have a solution"):
        covariance_of_draws(found(1))

"""Modification indices and reliability of ordinal indicators, with covariates and without.

Recorded by record_after_ordinal.R from lavaan 0.6-14 and semTools 0.5-6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.ordinal.categories import CategoryScores

THEIRS: dict[str, Any] = recorded.read("after_ordinal")
FITS: dict[str, dict[str, Any]] = THEIRS["fits"]
TWO = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\n"
X = tuple(f"x{k}" for k in range(1, 7))


def refit(name: str) -> sem.Fit:
    theirs = FITS[name]
    given = dict(theirs["arguments"])
    group = given.pop("group", None)
    options = sem.Options.from_lavaan(given).replaced(model_type=theirs["model_type"])
    data = recorded.sample(theirs["sample"])
    return sem.fit(theirs["syntax"], data, options=options, group=group)


@pytest.mark.thorough
@pytest.mark.parametrize("name", FITS)
def test_modification_indices_are_lavaans(name: str) -> None:
    """lavaan also frees scaling factors that "theta" derives, and, beside an effect, its reverse
    and the covariance of the two (the same degree of freedom in other words)."""
    theirs = pd.DataFrame(FITS[name]["indices"])
    theirs = theirs[(theirs["mi"] > 1e-6) & (theirs["op"] != "~*~")]
    if "group" not in theirs:
        theirs["group"] = 1
    keys = ["lhs", "op", "rhs", "group"]
    both = theirs.merge(sem.modification_indices(refit(name)), on=keys, suffixes=("", "_own"))
    left = theirs.merge(both[keys], on=keys, how="left", indicator=True)
    left = left[left["_merge"] == "left_only"]
    assert set(zip(left["lhs"], left["op"], left["rhs"], strict=True)) <= {
        ("f1", "~", "f2"),
        ("f1", "~~", "f2"),
    }
    assert len(both) >= 19
    for own, column in (("mi_own", "mi"), ("epc_own", "epc"), ("sepc_all", "sepc.all")):
        np.testing.assert_allclose(both[own], both[column], rtol=1e-5, atol=1e-6)


def indices(fit: sem.Fit, observed: bool = False) -> dict[tuple[str, str], float]:
    rows = sem.reliability(fit, observed=observed).indices.to_dict("records")
    return {(row["index"], row["latent"]): row["est"] for row in rows}


@pytest.mark.thorough
def test_omega_of_sums_of_categories_and_ave_are_those_of_semtools() -> None:
    fit, theirs = refit("plain"), FITS["plain"]
    own, observed = indices(fit), indices(fit, observed=True)
    for factor in ("f1", "f2"):
        assert own["omega", factor] == pytest.approx(theirs["omega"][factor], rel=1e-8)
        expected = theirs["omega_observed"][factor]
        assert observed["omega", factor] == pytest.approx(expected, rel=1e-8)
        assert own["AVE", factor] == pytest.approx(theirs["ave"][factor], rel=1e-8)


def test_omega_of_a_predicted_factor_is_that_of_semtools_and_ave_its_indicators_r2() -> None:
    theirs = THEIRS["predicted"]
    fit = sem.fit(theirs["syntax"], recorded.sample(theirs["sample"]), model_type="sem")
    own, observed = indices(fit), indices(fit, observed=True)
    for k, factor in enumerate(("f1", "f2", "f3")):
        explained = fit.r2()[[f"x{3 * k + j}" for j in (1, 2, 3)]]
        assert own["AVE", factor] == pytest.approx(explained.mean())
        assert observed["omega", factor] == pytest.approx(theirs["omega"][factor], rel=1e-7)


def parallel(n: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two administrations of six questions in three categories to the same people, whose ability
    a covariate predicts."""
    rng = np.random.default_rng(seed)
    age = rng.normal(size=n)
    ability = 0.6 * age + 0.8 * rng.normal(size=n)
    sheets = []
    for _ in range(2):
        answers = 0.7 * ability[:, None] + np.sqrt(0.51) * rng.normal(size=(n, 6))
        cuts = np.linspace(-0.6, 0.6, 6)
        counts = (answers > cuts - 0.4).astype(int) + (answers > cuts + 0.5)
        sheets.append(pd.DataFrame(counts, columns=list(X)).assign(age=age))
    return sheets[0], sheets[1]


@pytest.mark.slow
@pytest.mark.parametrize("parameterization", ["delta", "theta"])
def test_omega_given_a_covariate_is_the_correlation_of_two_administrations(
    parameterization: str,
) -> None:
    first, second = parallel(40_000, 3)
    expected = np.corrcoef(first[list(X)].sum(axis=1), second[list(X)].sum(axis=1))[0, 1]
    fit = sem.fit(
        f"f =~ {' + '.join(X)}\nf ~ age",
        first.head(4000),
        ordered=X,
        parameterization=parameterization,
    )
    rows = sem.reliability(fit).indices.set_index("index")
    omega = rows.loc["omega"]
    assert omega["se"] < 0.006
    # 4000 cases: three standard errors.
    assert omega["est"] == pytest.approx(expected, abs=3 * omega["se"])
    # Continuous responses would have a higher omega: 36 * .49 / (36 * .49 + 6 * .51).
    assert omega["est"] < 0.852 - 0.02


@pytest.mark.thorough
def test_an_indicator_with_a_direct_effect_counts_in_its_factors_sum() -> None:
    """The effect of the covariate on the indicator alone is no variance of the factor."""
    data = recorded.sample("ordinal_covariates")
    fit = sem.fit(TWO + "f1 ~ age\nf2 ~ age\nx2 ~ age", data)
    rows = fit.estimates.set_index(["lhs", "op", "rhs"])["est"]
    total = sum(rows["f1", "=~", name] for name in ("x1", "x2", "x3"))
    within = fit.implied()[1].loc[["x1", "x2", "x3"], ["x1", "x2", "x3"]].to_numpy().sum()
    common = total**2 * fit.latent_covariance().loc["f1", "f1"]
    assert indices(fit)["omega", "f1"] == pytest.approx(common / within)
    ordinal = indices(sem.fit(TWO + "f1 ~ age\nf2 ~ age\nx2 ~ age", data, ordered=X))
    assert ordinal["omega", "f1"] == pytest.approx(0.793, abs=1e-3)


@pytest.mark.thorough
def test_score_covariances_are_those_of_counted_categories() -> None:
    """A million simulated pairs of responses."""
    rng = np.random.default_rng(5)
    rho = 0.6
    z = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=1_000_000)
    cuts = (np.array([-0.5, 0.7]), np.array([0.2]))
    counts = np.array([np.searchsorted(c, z[:, k]) for k, c in enumerate(cuts)])
    scores = CategoryScores(np.concatenate(cuts), np.array([0, 0, 1]), np.ones(2))
    own = scores.covariances(np.array([[1.0, rho], [rho, 1.0]]), True)
    np.testing.assert_allclose(own, np.cov(counts), atol=0.003)


def test_ordinal_beside_continuous_indicators_of_a_factor_have_no_omega_and_that_is_said() -> None:
    data = recorded.sample("ordinal_covariates")
    fit = sem.fit("f =~ x1 + x2 + x3 + mark", data, ordered=("x1", "x2", "x3"))
    found = sem.reliability(fit)
    assert "omega" not in set(found.indices["index"])
    assert {"H", "AVE"} <= set(found.indices["index"])
    (note,) = [one for one in found.diagnostics if one.code == "reliability_of_mixed_indicators"]
    assert note.where == ("mark",)

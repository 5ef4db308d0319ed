"""Fits recorded from lavaan on simulated data are reproduced, and what follows from them.

`pytest -s` on this file prints the agreeing digits of every case.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded
from support.tiers import few

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.model_reliability import reliability
from gfactor.psychometrics.sem.modification import modification_indices, score_tests
from gfactor.psychometrics.sem.scores import factor_scores

LIMIT = {
    "estimates": 1e-8,
    "standard errors": 1e-7,
    "intervals": 1e-7,
    "standardized": 1e-8,
    "standardized errors": 1e-6,  # lavaan differentiates them numerically
    "chi-square": 1e-8,
    "chi-squares": 1e-6,
    "fit indices": 1e-5,  # lavaan's limits of the RMSEA come from a search with a wide tolerance
    "implied moments": 1e-8,
    "implied means": 1e-8,
}
"""Largest relative difference."""

UNPOLISHED = 1e-4
"""For the fits with bounds, inequalities and nonlinear equalities: lavaan's own six digits."""


EARLY = {"weighted_mixed": 1e-5}
"""lavaan's search for the correlation of x3 and mark ends at -0.0088965 (see
test_ordinal_weights.py), which moves all that follows."""


@pytest.mark.parametrize("name", recorded.names())
def test_a_recorded_fit_is_reproduced(name: str) -> None:
    assert recorded.replay(name).converged, recorded.replay(name).convergence
    found = recorded.differences(name)
    print(name, {kind: recorded.digits(value) for kind, value in found.items()})
    loose = recorded.read(name)["polish"] == "none"
    limits = {kind: UNPOLISHED if loose else LIMIT[kind] for kind in found}
    if recorded.read(name)["options"]["estimator"] in {"DWLS", "WLS"}:
        # lavaan's thresholds and polychoric correlations come from searches of their own.
        limits = {kind: max(limit, EARLY.get(name, 1e-6)) for kind, limit in limits.items()}
    worse = {kind: value for kind, value in found.items() if not value <= limits[kind]}
    assert not worse


@pytest.mark.parametrize("name", few(recorded.names(), 15))
def test_lavaans_resolved_options_give_the_same_fit_as_its_arguments(name: str) -> None:
    own, other = recorded.replay(name), recorded.replay_options(name)
    np.testing.assert_allclose(other.theta, own.theta, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(other.vcov_matrix, own.vcov_matrix, rtol=1e-7, atol=1e-12)
    assert other.measures.keys() == own.measures.keys()
    for measure, value in own.measures.items():
        near = value if value is None else pytest.approx(value, rel=1e-7, abs=1e-9)
        assert other.measures[measure] == near, measure


@pytest.mark.parametrize(
    "name", [name for name in recorded.names() if "scores" in recorded.read(name)]
)
def test_factor_scores_are_lavaans(name: str) -> None:
    theirs, fit = recorded.read(name)["scores"], recorded.replay(name)
    new = pd.DataFrame({name: np.array(cells, float) for name, cells in theirs["new"].items()})
    for method in ("regression", "bartlett"):
        own = factor_scores(fit, method=method).scores[theirs["names"]].head(8)
        np.testing.assert_allclose(own, np.array(theirs[method], float), rtol=1e-8, atol=1e-9)
        fresh = factor_scores(fit, new, method=method).scores[theirs["names"]]
        wanted = np.array(theirs[f"new_{method}"], float)
        np.testing.assert_allclose(fresh, wanted, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", ["cfa_ml", "cfa_residuals"])
def test_modification_indices_are_lavaans(name: str) -> None:
    theirs = pd.DataFrame(recorded.read(name)["indices"])
    both = theirs.merge(
        modification_indices(recorded.replay(name)), on=["lhs", "op", "rhs"], suffixes=("", "_own")
    )
    assert len(both) == len(theirs)
    for own, column in (
        ("mi_own", "mi"),
        ("epc_own", "epc"),
        ("sepc_lv", "sepc.lv"),
        ("sepc_all", "sepc.all"),
    ):
        np.testing.assert_allclose(both[own], both[column], rtol=1e-7)


@pytest.mark.parametrize("name", ["labels", "groups_scalar"])
def test_score_tests_of_equalities_are_lavaans(name: str) -> None:
    theirs, own = recorded.read(name)["released"], score_tests(recorded.replay(name))
    np.testing.assert_allclose(own["chisq"][0], theirs["total"]["X2"], rtol=1e-7)
    np.testing.assert_allclose(own["chisq"][1:], theirs["single"]["X2"], rtol=1e-7)


def test_releasing_scalar_invariance_frees_only_what_stays_identified() -> None:
    total = score_tests(recorded.replay("groups_scalar")).iloc[0]
    assert total["df"] == 12  # 6 loadings, 9 intercepts, less the 3 latent means that came free


def test_refits_to_given_bootstrap_samples_are_lavaans() -> None:
    theirs = recorded.read("bootstrap")
    data = recorded.sample(theirs["sample"])
    for rows, coefficients, chisq in zip(
        recorded.resamples(), theirs["coef"], theirs["chisq"], strict=True
    ):
        fit = sem.fit(theirs["syntax"], data.iloc[rows].reset_index(drop=True))
        np.testing.assert_allclose(fit.theta, coefficients, rtol=1e-7)
        assert fit.measures["chisq"] == pytest.approx(chisq, rel=1e-9)


def test_omega_is_that_of_semtools() -> None:
    theirs = recorded.read("reliability")
    frame = reliability(recorded.replay("cfa_ml"), observed=True).indices
    own = {row["latent"]: row["est"] for row in frame.to_dict("records") if row["index"] == "omega"}
    assert own == pytest.approx(theirs["omega"], rel=1e-9)

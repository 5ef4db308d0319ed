"""What is computed after a fit is lavaan's: residuals, modification indices, factor scores.

Recorded by record_stages.R on simulated data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.scores import factor_scores

FITS: dict[str, dict[str, Any]] = recorded.read("after_fits")["fits"]


def refit(name: str) -> sem.Fit:
    theirs = FITS[name]
    options = sem.Options.from_lavaan(dict(theirs["arguments"] or {}))
    return sem.fit(
        theirs["syntax"],
        recorded.sample(theirs["sample"]),
        options=options.replaced(model_type=theirs["model_type"]),
    )


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["normalized", "standardized"])
@pytest.mark.parametrize("name", FITS)
def test_residuals_over_their_errors_are_lavaans(name: str, kind: str) -> None:
    """Standard errors of residuals take the sampling covariance that the estimator's do: normal,
    distribution-free (MLR, MLM, WLS), of incomplete cases, given covariates."""
    theirs = FITS[name]
    own = refit(name).residuals(kind).loc[theirs["names"], theirs["names"]]  # type: ignore[arg-type]
    np.testing.assert_allclose(own, np.array(theirs[kind], float), rtol=1e-6, atol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("name", FITS)
def test_modification_indices_are_lavaans(name: str) -> None:
    theirs = pd.DataFrame(FITS[name]["indices"])
    theirs = theirs[theirs["mi"] > 1e-6]
    both = theirs.merge(
        modification_indices(refit(name)), on=["lhs", "op", "rhs"], suffixes=("", "_own")
    )
    assert len(both) == len(theirs)
    for own, column in (
        ("mi_own", "mi"),
        ("epc_own", "epc"),
        ("sepc_lv", "sepc.lv"),
        ("sepc_all", "sepc.all"),
    ):
        np.testing.assert_allclose(both[own], both[column], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("method", ["regression", "bartlett"])
@pytest.mark.parametrize("name", ["ml", "gaps", "covariates"])
def test_scores_without_a_mean_structure_are_lavaans(name: str, method: str) -> None:
    """Covariates move the latent means although the model has no intercepts."""
    theirs = FITS[name]
    own = factor_scores(refit(name), method=method).scores[theirs["latent"]].head(8)
    np.testing.assert_allclose(own, np.array(theirs["scores"][method], float), rtol=1e-7, atol=1e-9)


@pytest.mark.slow
def test_standardized_residuals_are_about_standard_normal_under_the_model() -> None:
    """Also of groups whose loadings are equal, where all groups bear on a residual."""
    found = []
    for seed in range(60):
        data = pd.concat(
            [
                sem.simulate_data("f =~ 0.7*a + 0.7*b + 0.7*c + 0.7*d", 200, seed=2 * seed + k)
                for k in (0, 1)
            ]
        ).reset_index(drop=True)
        data = data.assign(school=np.repeat(["north", "south"], 200))
        fit = sem.fit("f =~ a + b + c + d", data, group="school", group_equal=("loadings",))
        found.append([fit.residuals("standardized", g).loc["a", "b"] for g in (1, 2)])
    spread = np.std(found, axis=0)
    assert ((spread > 0.75) & (spread < 1.25)).all()

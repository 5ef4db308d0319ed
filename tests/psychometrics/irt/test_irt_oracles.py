"""Item response models reach mirt's optima, as a second program confirmed them, to ten digits.

`pytest -s` prints the worst digit per case. The recordings' `recheck` holds the optimum of the
same likelihood on the same grid found in 64-bit arithmetic with automatic derivatives, because
mirt's EM stops up to four digits early where a latent variance is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from support.irt_oracles import Fit, case, data, fits, likelihood
from support.oracles import recorded
from support.tiers import few

from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.checks.itemfit import item_fit, person_fit, q3, residuals
from gfactor.psychometrics.irt.checks.observed_differential import logistic_dif, mantel_haenszel
from gfactor.psychometrics.irt.checks.overallfit import overall_fit
from gfactor.psychometrics.irt.estimation.conditional import fit_conditional
from gfactor.psychometrics.irt.estimation.maximizing import maximize
from gfactor.psychometrics.irt.scales.linking import link
from gfactor.psychometrics.irt.scores.abilities import point_scores

ROTATED = "2pl_exploratory_2dim"
"""Its loadings are determined up to a rotation that mirt's starting values choose."""


@pytest.mark.thorough
@pytest.mark.parametrize("fit", few(fits(), 8), ids=str)
def test_the_optimum_and_its_standard_errors_are_reached_from_another_start(fit: Fit) -> None:
    marginal = likelihood(fit)
    start = 0.8 * marginal.model.start + 0.05 * np.sign(marginal.model.start)
    found = maximize(marginal, start, tolerance=1e-8)
    theirs = fit.optimum
    estimates = np.array(theirs["estimates"])
    errors = np.array([np.nan if v is None else v for v in theirs["standard_errors"]])
    assert found.information is not None
    ours = np.sqrt(np.diag(np.linalg.inv(found.information)))
    gaps = {
        "loglik": abs(found.at.loglik / theirs["logLik"] - 1),
        "estimates": float(np.abs(found.x - estimates).max()),
        "errors": float(np.nanmax(np.abs(ours / errors - 1))),
    }
    print(f"\n{fit}: " + ", ".join(f"{k} {v:.0e}" for k, v in gaps.items()), end="")
    assert found.converged
    assert gaps["loglik"] < 1e-11
    assert gaps["estimates"] < 1e-7
    assert gaps["errors"] < 1e-7


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["2pl_sim", "grm_sim", "2pl_lsat7", "rasch_lsat6_mml"])
def test_a_request_in_words_is_the_recorded_model(name: str) -> None:
    model = {"2pl": "2pl", "grm": "grm", "rasch": "rasch"}[name.split("_", maxsplit=1)[0]]
    found: Any = fit_irt(model, data(name))
    assert found.converged
    assert found.loglik == pytest.approx(case(name)["recheck"]["logLik"], abs=1e-7)
    assert found.n_free == case(name)["npar"]


@pytest.mark.thorough
def test_a_finer_grid_gives_the_integral() -> None:
    """With 241 nodes on [-12, 12] the likelihood no longer depends on the grid."""
    fit = Fit("pcm_sim_mml", "")
    fine = likelihood(fit, Quadrature(241, 12.0))
    found = maximize(fine, fine.model.start)
    assert found.at.loglik == pytest.approx(case(fit.name)["fine_grid"]["logLik"], abs=1e-7)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "method"),
    [(n, m) for n in ("2pl_sim", "grm_sim", "nrm_sim", "gpcm_sim", "2pl_missing_mcar15")
     for m in ("map", "ml", "wle")] + [("3pl_prior", "map"), ("3pl_prior", "ml")],
)  # fmt: skip
def test_scores_are_mirts(name: str, method: str) -> None:
    marginal = likelihood(Fit(name, ""))
    values = marginal.model.values(marginal.model.start)  # mirt's own estimates
    blocks = marginal.model.groups[0].blocks
    found = point_scores(blocks, values, marginal.data.codes[:30], method)  # type: ignore[arg-type]
    recorded = case(name)["scores"][method.upper()]["first30"]
    theirs = np.array([np.nan if row[0] is None else row[0] for row in recorded])
    # mirt stops at 20 where there is no maximum.
    finite = np.abs(np.nan_to_num(theirs, nan=99)) < 15
    assert np.abs(found.theta[finite] - theirs[finite]).max() < 1e-5
    assert np.all(np.isinf(found.theta[~finite]))


def test_mirts_weighted_likelihood_of_3pl_items_is_jeffreys_and_not_warms() -> None:
    """Warm's correction is the gradient of log sqrt(I) only without asymptotes; mirt takes that."""
    marginal = likelihood(Fit("3pl_prior", ""))
    values = marginal.model.values(marginal.model.start)
    blocks = marginal.model.groups[0].blocks
    codes = marginal.data.codes[28:29]
    recorded = case("3pl_prior")["scores"]["WLE"]["first30"][28][0]
    ours = point_scores(blocks, values, codes, "wle").theta[0]
    assert abs(ours - recorded) > 0.03

    def p_and_slopes(theta: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        a, d = values[blocks[0].index[:, 0]], values[blocks[0].index[:, 1]]
        g = 1 / (1 + np.exp(-values[blocks[0].index[:, 2]]))
        s = 1 / (1 + np.exp(-(a * theta + d)))
        return (g + (1 - g) * s, (1 - g) * a * s * (1 - s),
                (1 - g) * a**2 * s * (1 - s) * (1 - 2 * s))  # fmt: skip

    def jeffreys(theta: float) -> float:
        p, slope, _ = p_and_slopes(theta)
        loglik = np.where(codes[0] == 1, np.log(p), np.log(1 - p)).sum()
        return -(loglik + 0.5 * np.log((slope**2 / (p * (1 - p))).sum()))

    def warm(theta: float) -> float:
        p, slope, bend = p_and_slopes(theta)
        score = ((codes[0] - p) * slope / (p * (1 - p))).sum()
        info = (slope**2 / (p * (1 - p))).sum()
        return score + (slope * bend / (p * (1 - p))).sum() / (2 * info)

    found: Any = optimize.minimize_scalar(jeffreys, bounds=(-1, 1.5), method="bounded")
    assert found.x == pytest.approx(recorded, abs=1e-4)
    assert warm(ours) == pytest.approx(0, abs=1e-8)


@pytest.mark.thorough
def test_fit_statistics_of_a_2pl_are_mirts() -> None:
    theirs, fit = case("fitstats_2pl_sim"), fit_irt("2pl", data("2pl_sim"))
    overall = overall_fit(fit)
    assert overall.m2 == pytest.approx(theirs["M2"]["M2"], rel=1e-6)
    assert (overall.df, overall.statistic) == (theirs["M2"]["df"], "M2")
    assert overall.srmsr == pytest.approx(theirs["M2"]["SRMSR"], rel=1e-6)
    assert overall.tli == pytest.approx(theirs["M2"]["TLI"], abs=1e-8)
    items = item_fit(fit)
    assert np.abs(items["s_x2"] - theirs["S_X2"]["S_X2"]).max() < 1e-5
    assert list(items["s_x2_df"]) == theirs["S_X2"]["df.S_X2"]
    residual, variance = residuals(fit, fit.table.codes, fit.scores("eap")["theta"].to_numpy())
    outfit = (residual**2 / variance).mean(axis=0)
    assert np.abs(outfit - theirs["infit_outfit_EAP"]["outfit"]).max() < 1e-4
    assert np.abs(q3(fit).to_numpy() - np.array(theirs["Q3"], float)).max() < 1e-6
    zh = person_fit(fit)["zh"].to_numpy()[:30]
    assert np.abs(zh - theirs["Zh_EAP"]["Zh"]["first30"]).max() < 1e-6


def test_c2_of_graded_items_is_mirts() -> None:
    theirs, fit = case("fitstats_grm_sim")["C2"], fit_irt("grm", data("grm_sim"))
    overall = overall_fit(fit)
    assert overall.statistic == "C2"
    assert overall.m2 == pytest.approx(theirs["M2"], rel=1e-6)
    assert (overall.df, overall.p) == (theirs["df"], pytest.approx(theirs["p"], abs=1e-6))
    assert overall.srmsr == pytest.approx(theirs["SRMSR"], rel=1e-5)


CONDITIONAL = [path.stem for path in recorded("irt/cases/*_cml.json")]
"""Simulated answers, and beside ../shared the data of GPL packages."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", CONDITIONAL)
def test_conditional_estimates_are_those_of_erm(name: str) -> None:
    theirs, frame, model = case(name), data(name), name.split("_")[name.startswith("sim")]
    if model in ("rasch", "lltm"):
        frame = frame[[n.removeprefix("beta ") for n in theirs["beta_names"]]]
    design = None
    if model == "lltm":
        design = pd.DataFrame(theirs["W"], index=frame.columns, columns=theirs["W_columns"])
    found = fit_conditional(model, frame, design=design)  # type: ignore[arg-type]
    # eRm's optimizer leaves a gradient; our likelihood is never below its.
    assert 0 < found.loglik - theirs["conditional_logLik"] < 1e-6
    assert np.abs(found.easiness["easiness"] - theirs["betapar"]).max() < 5e-5
    errors = np.array(theirs["se_beta"])
    known = errors > 0
    assert np.abs(found.easiness["se"].to_numpy()[known] / errors[known] - 1).max() < 1e-4


def test_classical_dif_is_that_of_difr_and_glm() -> None:
    theirs, frame = case("dif_classical"), data("dif_classical")
    focal = frame["group"].to_numpy() == 1
    found = mantel_haenszel(frame.filter(items=theirs["items"]), focal)
    own: dict[str, Any] = theirs["mantel_haenszel_own_formula"]
    assert np.abs(found["chisq"].to_numpy() - own["chisq_corrected"]).max() < 1e-10
    assert np.abs(found["odds_ratio"] - own["alpha"]).max() < 1e-10
    variance = np.array(theirs["mantel_haenszel"]["var_log_alpha"])
    assert np.abs(found["se"] ** 2 - variance).max() < 1e-12
    assert list(found.index[found["ets_class"].to_numpy() != "A"]) == ["i03"]
    logistic: Any = logistic_dif(frame.filter(items=theirs["items"]), focal)
    assert np.abs(logistic["both"] - theirs["logistic"]["both"]["LR"]).max() < 1e-8
    assert np.abs(logistic["uniform"] - theirs["logistic"]["uniform"]["LR"]).max() < 1e-8


@pytest.mark.thorough
def test_likelihood_ratio_and_wald_dif_are_mirts() -> None:
    theirs, frame = case("2pl_dif_tests"), data("2pl_dif_tests")
    groups, items = list(map(str, frame["group"])), frame.drop(columns="group")
    kept = [i for i in items if i not in theirs["lr_drop"]["item"]]
    tests: Any = dif("2pl", items, groups=groups, reference="0", purify=False).table
    for item, value in zip(theirs["lr_drop"]["item"], theirs["lr_drop"]["X2"], strict=True):
        assert tests["statistic"][item] == pytest.approx(value, abs=1e-5)
    wald: Any = dif(
        "2pl",
        items,
        groups=groups,
        reference="0",
        method="wald",
        anchors=theirs["wald_model"]["anchors"],
    )
    for item, value in zip(theirs["wald"]["item"], theirs["wald"]["W"], strict=True):
        assert wald.table["statistic"][item] == pytest.approx(value, rel=1e-3)
    assert len(kept) == 10


def test_linking_constants_are_the_recorded_ones() -> None:
    theirs = case("linking_2pl")
    old, new = (pd.DataFrame(theirs[k]).rename(columns={"g": "c"}) for k in ("old", "new"))
    for name in ("mean_mean", "mean_sigma", "mean_geometric", "haebara", "stocking_lord"):
        found = link(old, new, name.replace("_", "-"))  # type: ignore[arg-type]
        assert found.slope == pytest.approx(theirs["own"][name]["A"], abs=1e-6)
        assert found.intercept == pytest.approx(theirs["own"][name]["B"], abs=1e-6)

"""Every case of ../shared/oracles/pls agrees, and the worst digit of each is printed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pls_oracles import FOLDER, data_of, digits, frame, model_of, oracle

from gfactor.psychometrics.pls import PLSFit, bootstrap_pls, fit_pls, predict_pls

if not FOLDER.is_dir():
    pytest.skip("the data of seminr (GPL) are not in this checkout", allow_module_level=True)

SEMINR: dict[str, dict[str, Any]] = {
    "gold_like_chain_3x4_n165_path": {},
    "gold_like_chain_3x4_n165_factorial": {"scheme": "factorial"},
    "mobi_ecsi_modeA_path": {},
    "mobi_ecsi_modeA_path_defaulttol": {"tolerance": 1e-7},
    "mobi_ecsi_modeA_factorial": {"scheme": "factorial"},
    "mobi_ecsi_modeB_path": {},
    "mobi_ecsi_PLSc": {"consistent": True},
    "mobi_hoc_two_stage_modeA": {},
    "mobi_small_for_predict": {},
    "corp_rep_simple": {"missing": "mean"},
}
GOLD_LIKE = "gold_like_chain_3x4_n165_path"
NEEDED = 10.0
Digits = dict[str, float]


def fitted(name: str, **settings: Any) -> PLSFit:
    given = oracle(name)
    chosen: dict[str, Any] = {"tolerance": 1e-12} | settings
    return fit_pls(model_of(given), data_of(given["data"]), **chosen)


def compared(found: PLSFit, given: dict[str, Any]) -> Digits:
    """Digits of everything that a seminr file holds."""
    ours = {
        "outer_weights": found.weights,
        "outer_loadings": found.loadings,
        "path_coef": found.paths,
        "total_effects": found.total_effects,
        "total_indirect": found.total_effects - found.paths,
        "reliability": found.reliability.rename(
            columns={"rho_a": "rhoA", "rho_c": "rhoC", "ave": "AVE"}
        ),
        "htmt": found.htmt,
        "fl": found.fornell_larcker,
        "cross_loadings": found.cross_loadings,
        "r_squared": found.r2.rename(columns={"r2": "Rsq", "adj_r2": "AdjRsq"}).T,
        "it_criteria": found.r2.rename(columns={"aic": "AIC", "bic": "BIC"}).T,
        "fSquare": found.f2.pivot(index="source", columns="target", values="f2"),
    }
    shared = {}
    for name, values in ours.items():
        theirs = frame(given[name])
        if not np.isfinite(theirs.to_numpy()).any():
            continue
        part = values.reindex(index=theirs.index, columns=theirs.columns)
        if name == "fSquare":
            part = part.fillna(0.0)
        if theirs.to_numpy().any():
            shared[name] = digits(part, theirs)
    scores = frame(given["construct_scores"])
    shared["scores"] = digits(found.scores[list(scores.columns)], scores)
    vif = found.measurement.set_index("indicator")["vif"]
    if isinstance(given["vif_items"], dict):
        flat = {k: v for block in given["vif_items"].values() for k, v in block.items()}
        shared["vif_items"] = digits(vif.loc[list(flat)], list(flat.values()))
    else:
        shared["vif_items"] = digits(vif, np.ravel(given["vif_items"]))
    inner = found.antecedent_vif.set_index(["target", "source"])["vif"]
    several = [
        (inner.loc[(target, source)], value)
        for target, sources in given["vif_antecedents"].items()
        for source, value in sources.items()
        if value is not None
    ]
    if several:
        shared["vif_antecedents"] = digits(*zip(*several, strict=True))
    return shared


def report(worst: dict[str, tuple[float, str]]) -> str:
    return "\n".join(f"{case:40s} {d:5.1f} digits at {q}" for case, (d, q) in worst.items())


def test_every_case_of_seminr_agrees() -> None:
    worst = {}
    for name, settings in SEMINR.items():
        given, found = oracle(name), fitted(name, **settings)
        shared = compared(found, given)
        assert found.iterations == given["iterations"], name
        worst[name] = min((value, quantity) for quantity, value in shared.items())
    print("\n" + report(worst))
    assert min(value for value, _ in worst.values()) >= NEEDED, report(worst)


def test_the_first_stage_of_a_second_order_model_agrees() -> None:
    given, found = (
        oracle("mobi_hoc_two_stage_modeA_first_stage"),
        fitted("mobi_hoc_two_stage_modeA"),
    )
    weights, loadings = frame(given["outer_weights"]), frame(given["outer_loadings"])
    parts = ["Image", "Value"]
    own = [name for name in weights.index if name[:4] in {"IMAG", "PERV"}]
    assert digits(found.weights.loc[own, parts], weights.loc[own, parts]) >= NEEDED
    assert digits(found.loadings.loc[own, parts], loadings.loc[own, parts]) >= NEEDED
    scores = frame(given["construct_scores"])
    assert digits(found.scores[parts], scores[parts]) >= NEEDED


def test_the_numpy_prototype_agrees_in_three_schemes() -> None:
    given = oracle("numpy_gold_like_chain_3x4_n165")
    for scheme, wanted in given["schemes"].items():
        found = fitted(GOLD_LIKE, scheme=scheme, tolerance=1e-13)
        table = found.fit.set_index(["implied", "structure"])
        pairs = {
            "weights": (found.measurement["weight"], wanted["weights"]),
            "loadings": (found.measurement["loading"], wanted["loadings"]),
            "correlations": (found.correlations, wanted["construct_cor"]),
            "rho_a": (found.reliability["rho_a"], wanted["rhoA"]),
            "r2": (found.r2["r2"], wanted["r2"][1:]),
            "factor": (
                table.loc[("common_factor", "saturated"), ["srmr", "srmr_off_diagonal"]],
                [
                    wanted["srmr_commonfactor_saturated_div_p_pp1_2"],
                    wanted["srmr_commonfactor_saturated_offdiag_only"],
                ],
            ),
            "composite": (
                table.loc[("composite", "saturated"), "srmr"],
                wanted["srmr_composite_saturated_div_p_pp1_2"],
            ),
        }
        for quantity, (ours, theirs) in pairs.items():
            assert digits(ours, theirs) >= NEEDED, (scheme, quantity)
        paths = np.array(wanted["paths"])
        ours = found.paths.to_numpy()
        assert max(digits(ours, paths), digits(ours, paths.T)) >= NEEDED


def test_plspm_agrees_in_path_and_centroid_scheme() -> None:
    for scheme in ("path", "centroid"):
        given = oracle(f"plspm_gold_like_chain_3x4_n165_{scheme}")
        found = fitted(GOLD_LIKE, scheme=scheme)
        outer = pd.DataFrame(given["outer_model"]).T
        ours = found.measurement.set_index("indicator").loc[outer.index, outer.columns]
        assert digits(ours, outer) >= NEEDED
        inner = pd.DataFrame(given["inner_summary"]).T.loc[["Memory", "Reasoning"]]
        r2 = found.r2.loc[inner.index, ["r2", "adj_r2"]]
        assert digits(r2, inner[["r_squared", "r_squared_adj"]].astype(float)) >= NEEDED
        ave = found.reliability["ave"]
        blocks = pd.DataFrame(given["unidimensionality"]).T.loc[list(ave.index)]
        rho = found.reliability[["alpha", "component_rho"]]
        assert (
            digits(rho, blocks[["cronbach_alpha", "dillon_goldstein_rho"]].astype(float)) > NEEDED
        )
        goodness = np.sqrt(ave.mean() * found.r2["r2"].mean())
        assert digits(goodness, given["goodness_of_fit"]) >= NEEDED
        effects = found.effects.set_index(["source", "target"])
        for row in given["effects"].values():
            mine = effects.loc[(row["from"], row["to"])]
            assert digits(mine, [row["direct"], row["indirect"], row["total"]]) >= NEEDED


def test_the_tool_of_golds_authors_agrees_where_its_names_are_read_as_what_they_are() -> None:
    # It stops plspm at 1e-7 on squared changes, so weights share 6 digits; what does not depend on
    # them shares all.
    given, found = oracle("goldbench_gold_like_chain_3x4_n165"), fitted(GOLD_LIKE)
    table = found.measurement.set_index("indicator")
    loadings = pd.Series(given["loadings"])
    assert digits(table.loc[loadings.index, "loading"], loadings) >= 6
    vifs = pd.Series(given["vifs"])
    assert digits(table.loc[vifs.index, "vif"], vifs) >= NEEDED
    ratios = pd.DataFrame(given["htmt"]).loc[list(found.htmt.index), list(found.htmt.columns)]
    assert digits(found.htmt, ratios) >= NEEDED
    rows = pd.DataFrame(given["reliability"]).T.loc[list(found.reliability.index)]
    assert digits(found.reliability["alpha_raw"], rows["cronbach_alpha"]) >= NEEDED
    assert digits(found.reliability["component_rho"], rows["rho_A"]) >= NEEDED
    assert digits(found.reliability["rho_c"], rows["composite_reliability"]) >= 6
    assert digits(found.reliability["ave"], rows["AVE"]) >= 6
    factor = found.fit.set_index(["implied", "structure"]).loc[("common_factor", "saturated")]
    assert digits(factor["srmr_off_diagonal"], given["srmr"]) >= 6


def test_a_bootstrap_with_given_indices_agrees() -> None:
    given, found = oracle("gold_like_bootstrap50_fixed_indices"), fitted(GOLD_LIKE)
    drawn = bootstrap_pls(found, indices=np.array(given["indices_zero_based"]), signs="none")
    columns = drawn.table["quantity"].to_numpy()
    assert digits(drawn.draws[:, columns == "loading"], given["boot_loadings"]) >= NEEDED
    paths = drawn.of("path")
    names = (paths["left"] + "->" + paths["right"]).tolist()
    order = [names.index(name) for name in given["paths"]]
    replicates = drawn.draws[:, columns == "path"][:, order]
    assert digits(replicates, given["boot_paths"]) >= NEEDED
    for ours, theirs in (
        ("se", "sd_paths"), ("low", "perc_025_type7"), ("high", "perc_975_type7"),
    ):  # fmt: skip
        assert digits(paths[ours].to_numpy()[order], given[theirs]) >= NEEDED


@pytest.mark.thorough
def test_seminrs_own_bootstrap_agrees_within_chance() -> None:
    given, found = oracle("gold_like_seminr_bootstrap1000_seed123"), fitted(GOLD_LIKE)
    drawn = bootstrap_pls(found, 4000, seed=1, bca=False)
    for name, quantity in (("paths", "path"), ("loadings", "loading"), ("HTMT", "htmt")):
        theirs = frame(given[f"bootstrapped_{name}"])
        ours = drawn.of(quantity)
        assert digits(ours["estimate"], theirs["Original Est."]) >= NEEDED
        # A standard deviation of 1,000 replicates has a standard error of 2.2 %, more with tails.
        assert np.abs(ours["se"].to_numpy() / theirs["Bootstrap SD"].to_numpy() - 1).max() < 0.15
        # A quantile at 2.5 % of 1,000 has a standard error of about 0.085 deviations.
        for end, column in (("low", "2.5% CI"), ("high", "97.5% CI")):
            away = np.abs(ours[end].to_numpy() - theirs[column].to_numpy()) / ours["se"].to_numpy()
            assert away.max() < 0.4


@pytest.mark.thorough
def test_prediction_of_left_out_rows_agrees() -> None:
    given, found = oracle("mobi_small_plspredict_LOO"), fitted("mobi_small_for_predict")
    predicted = predict_pls(found, folds="loo")
    for prefix, name in (("", "PLS_out_of_sample"), ("lm_", "LM_out_of_sample")):
        theirs = frame(given[name])
        ours = predicted.table[[f"{prefix}rmse", f"{prefix}mae"]].T
        assert digits(ours[list(theirs.columns)], theirs) >= NEEDED
    inside = predicted.table[["in_sample_rmse", "in_sample_mae"]].T
    assert digits(inside, frame(given["PLS_in_sample"])) >= NEEDED
    assert digits(predicted.errors, frame(given["prediction_error"])) >= NEEDED

"""Difficulties explained by a design: lme4's crossed random effects, and what was simulated."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.irt_oracles import case, data
from support.oracles import oracle

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.explanatory import design_matrix, fit_design, fit_slope_design

VERBAGG = '~ C(btype) + C(situ) + C(mode, Treatment("want"))'


def _verbal_aggression() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    frame = data("explanatory_verbagg_glmer")
    items = [name for name in frame if re.match(r"S\d", str(name))]
    known = {}
    for name in items:
        match = re.match(r"S(\d)([Ww]ant|Do)(\w+)", str(name))
        assert match
        known[name] = {
            "btype": match[3].lower(), "situ": "self" if match[1] in "34" else "other",
            "mode": match[2].lower(),
        }  # fmt: skip
    persons = pd.DataFrame({
        "Anger": frame["Anger"], "GenderM": (frame["Gender"] == "M").astype(float)
    })  # fmt: skip
    return frame.filter(items=items), pd.DataFrame(known).T, persons


def test_lltm_with_error_is_lme4s_model_with_random_items() -> None:
    """Both approximate: lme4 by Laplace, ours by the normal likelihood of the difficulties."""
    oracle("irt/cases/explanatory_verbagg_glmer.json")
    theirs = case("explanatory_verbagg_glmer")
    items, known, persons = _verbal_aggression()
    found: Any = fit_design(
        items, design_matrix(VERBAGG, known), covariates=persons, restricted=False
    )
    estimates = found.effects["estimate"].to_numpy()[1:]
    # lme4 estimates easiness.
    assert -estimates == pytest.approx(theirs["fixed"]["estimate"][3:], rel=0.01)
    assert found.effects["se"].to_numpy()[1:] == pytest.approx(theirs["fixed"]["se"][3:], rel=0.02)
    assert found.tau**2 == pytest.approx(theirs["random"]["variance"][1], rel=0.03)


def test_lltm_without_error_is_mirts() -> None:
    theirs = case("lltm_verbagg_mml")
    items, known, _ = _verbal_aggression()
    found: Any = fit_design(items, design_matrix(VERBAGG, known))
    assert found.lltm.loglik == pytest.approx(theirs["recheck"]["logLik"], abs=1e-6)
    assert found.df == 24 - 5


def test_share_explained_and_error_of_unseen_cells_are_those_simulated() -> None:
    rng = np.random.default_rng(4)
    size, domain = np.repeat([1.0, 2, 3, 4, 5], 16), np.tile(["a", "b"], 40)
    error = rng.normal(0, 0.5, 80)
    b = 0.6 * (size - 3) + 0.8 * (domain == "b") + error
    theta = rng.normal(size=(800, 1))
    frame = pd.DataFrame((rng.uniform(size=(800, 80)) < 1 / (1 + np.exp(b - theta))).astype(int))
    known = pd.DataFrame({"size": size, "domain": domain}, index=list(map(str, frame.columns)))
    found: Any = fit_design(frame, design_matrix("~ size + C(domain)", known))
    assert found.tau == pytest.approx(float(error.std()), abs=0.06)
    assert found.effects["estimate"][1] == pytest.approx(0.6, abs=3 * found.effects["se"][1])
    assert found.effects["estimate"][2] == pytest.approx(0.8, abs=3 * found.effects["se"][2])
    assert found.explained == pytest.approx(1 - error.var() / b.var(), abs=0.08)
    assert found.held_out == pytest.approx(0.5, abs=0.12)
    assert found.held_out_empty > 1.5 * found.held_out
    assert [entry.code for entry in found.diagnostics] == ["design_incomplete"]
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_redundant_design_and_an_unknown_column_are_named() -> None:
    known = pd.DataFrame({"size": [1.0, 2, 3]}, index=list("abc"))
    with pytest.raises(ParameterError, match="rank 2"):
        design_matrix("~ size + I(2 * size)", known)
    with pytest.raises(ParameterError, match="colour"):
        design_matrix("~ colour", known)


def test_a_design_on_slopes_is_recovered_with_and_without_a_prior() -> None:
    rng = np.random.default_rng(7)
    steep = np.repeat([0.0, 1.0], 12)
    logs = -0.2 + 0.7 * steep + rng.normal(0, 0.1, 24)
    b = rng.normal(0, 0.7, 24)
    design = pd.DataFrame({"one": 1.0, "steep": steep}, index=[f"i{k}" for k in range(24)])
    for persons, prior in ((800, False), (180, True)):
        z = np.exp(logs) * (rng.normal(size=(persons, 1)) - b)
        right = (rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(int)
        found = fit_slope_design(pd.DataFrame(right, columns=design.index), design)
        effect = found.effects.set_index("effect").loc["steep"]
        assert ("slope" in found.fit.request.priors) == prior
        assert abs(effect["estimate"] - 0.7) < 2.5 * effect["se"]
        assert effect["se"] < 0.25
        assert effect["factor"] == pytest.approx(np.exp(effect["estimate"]))
        assert found.explained > 0.5
    with pytest.raises(ParameterError, match="24 items cannot tell"):
        fit_slope_design(
            pd.DataFrame(right, columns=design.index),
            pd.DataFrame(np.eye(24), index=design.index),
        )

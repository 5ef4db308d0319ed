"""Difficulties explained by a design: lme4's crossed random effects, and what was simulated."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special
from support.irt_oracles import case, data
from support.oracles import recorded

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt import Quadrature, fit_irt
from gfactor.psychometrics.irt.models.explanatory import design_matrix, fit_design, fit_slope_design

OUTSIDE = bool(recorded("irt/cases/explanatory_verbagg_glmer.json"))
"""Whether the answers that lme4 ships (GPL) lie in ../shared beside the checkout."""


def _designed() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, str]:
    """The simulated answers (tests/oracles/irt/designed.py): items, design, persons, formula."""
    frame = data("sim_explanatory_glmer")
    items = frame.drop(columns=["age", "trained"])
    known = pd.DataFrame(
        [str(name).split("_")[:3] for name in items], items.columns, ["kind", "half", "size"]
    )
    persons = frame[["age", "trained"]].assign(age=frame["age"] / 10)
    return items, known, persons, '~ C(kind) + C(half) + C(size, Treatment("two"))'


def _verbal_aggression() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, str]:
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
    formula = '~ C(btype) + C(situ) + C(mode, Treatment("want"))'
    return frame.filter(items=items), pd.DataFrame(known).T, persons, formula


ANSWERS = {"sim": _designed} | ({"verbagg": _verbal_aggression} if OUTSIDE else {})


@pytest.mark.thorough
@pytest.mark.parametrize("name", ANSWERS)
def test_lltm_with_error_is_lme4s_model_with_random_items(name: str) -> None:
    """Both approximate: lme4 by Laplace, ours by the normal likelihood of the difficulties."""
    theirs = case({"sim": "sim_explanatory_glmer", "verbagg": "explanatory_verbagg_glmer"}[name])
    items, known, persons, formula = ANSWERS[name]()
    found: Any = fit_design(
        items, design_matrix(formula, known), covariates=persons, restricted=False
    )
    estimates = found.effects["estimate"].to_numpy()[1:]
    # lme4 estimates easiness.
    assert -estimates == pytest.approx(theirs["fixed"]["estimate"][3:], rel=0.01)
    assert found.effects["se"].to_numpy()[1:] == pytest.approx(theirs["fixed"]["se"][3:], rel=0.02)
    assert found.tau**2 == pytest.approx(theirs["random"]["variance"][1], rel=0.04)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ANSWERS)
def test_lltm_without_error_is_that_of_lme4_and_mirt(name: str) -> None:
    """lme4 integrates over 25 adaptive nodes; mirt over a grid that ends at 6."""
    theirs = case({"sim": "sim_lltm_glmer", "verbagg": "lltm_verbagg_mml"}[name])
    items, known, _, formula = ANSWERS[name]()
    grid = Quadrature() if name == "verbagg" else Quadrature(241, 12.0)
    found: Any = fit_design(items, design_matrix(formula, known), quadrature=grid)
    loglik = theirs["recheck"]["logLik"] if name == "verbagg" else theirs["logLik"]
    assert found.lltm.loglik == pytest.approx(loglik, abs=1e-6)
    if name == "sim":
        estimates, errors = theirs["fixed"]["estimate"][1:], theirs["fixed"]["se"][1:]
        effects = found.effects.iloc[1:]
        assert -effects["lltm"].to_numpy() == pytest.approx(estimates, abs=1e-5)
        assert effects["lltm_se"].to_numpy() == pytest.approx(errors, rel=1e-3)
    assert found.df == 24 - 5


@pytest.mark.slow
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
    with pytest.raises(ParameterError, match=r"'size \+' .*; write it as") as found:
        design_matrix("size +", known)
    assert not set(str(found.value)) & set("\x1b\n")


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


def test_a_design_that_holds_exactly_is_not_rejected() -> None:
    """Two items with the same answers, said to be equally hard: no difference, p is one."""
    rng = np.random.default_rng(6)
    z = rng.normal(size=(200, 1)) - np.array([-0.5, 0.0, 0.6])
    items = pd.DataFrame((rng.random(z.shape) < special.expit(z)).astype(int)).add_prefix("i")
    items["i3"] = items["i2"]
    known = pd.DataFrame({"kind": ["a", "b", "c", "c"]}, index=items.columns)
    found: Any = fit_design(items, design_matrix("~ C(kind)", known))
    assert found.df == 1
    assert found.lr == pytest.approx(0, abs=1e-6)
    assert found.p == pytest.approx(1, abs=1e-3)


@pytest.mark.thorough
def test_priors_on_slopes_are_taken_out_before_slopes_are_explained() -> None:
    """With a lognormal prior the estimates are drawn to its mode; what the answers alone say is
    what is regressed, so that both ways give about the same effects."""
    rng = np.random.default_rng(5)
    design = pd.DataFrame({"base": 1.0, "x": np.tile([0.0, 1.0], 6)},
                          index=[f"i{k}" for k in range(12)])  # fmt: skip
    a = np.exp(0.1 + 0.7 * design["x"].to_numpy())
    theta = rng.normal(size=(700, 1))
    p = special.expit(a * (theta - np.linspace(-1, 1, 12)))
    data = pd.DataFrame((rng.random(p.shape) < p).astype(float), columns=design.index)
    plain: Any = fit_slope_design(data, design).effects
    priors = {"slope": ("lognormal", -0.5, 0.3)}
    held: Any = fit_slope_design(data, design, priors=priors).effects
    assert held["estimate"].to_numpy() == pytest.approx(plain["estimate"].to_numpy(), abs=0.015)
    assert held["se"].to_numpy() == pytest.approx(plain["se"].to_numpy(), rel=0.3)
    drawn = fit_irt("2pl", data, priors=priors).items["a"].to_numpy()
    free = fit_irt("2pl", data).items["a"].to_numpy()
    assert np.log(free).mean() - np.log(drawn).mean() > 0.1

"""Exploratory blocks, efa("b")*f1 + efa("b")*f2 =~ ...: lavaan's digits, and what they mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded
from support.tiers import few

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.optimize import search
from gfactor.psychometrics.sem.optimize.starts import parameter_scales
from gfactor.psychometrics.sem.rotated_solutions import rotated_parameters, without_rotation
from gfactor.psychometrics.sem.syntax import ModelSyntaxError, parse_model

LAVAAN = json.loads(Path(__file__).with_name("recorded_blocks.json").read_text("utf-8"))
CASES = [name for name, case in LAVAAN.items() if isinstance(case, dict)]
THREE = LAVAAN["geomin"]["model"]
TWO = LAVAAN["robust"]["model"]
DATA = recorded.sample("three_factors")


def refit(name: str) -> sem.Fit:
    case = LAVAAN[name]
    given = {**dict(case["options"] or {}), "rotation.args": dict(case["rotation.args"] or {})}
    group = given.pop("group", None)
    options = sem.from_lavaan({"em.h1.tol": 1e-12, **given})
    return sem.fit(case["model"], recorded.sample(case["sample"]), options=options, group=group)


def by_row(frame: pd.DataFrame, column: str) -> pd.Series:
    return pd.Series(frame.set_index(["lhs", "op", "rhs", "group"])[column])


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_estimates_and_fit_are_lavaans(name: str) -> None:
    fit, frame = refit(name), pd.DataFrame(LAVAAN[name]["estimates"])
    assert fit.converged
    expected = by_row(frame, "est")
    np.testing.assert_allclose(by_row(fit.estimates, "est")[expected.index], expected, atol=2e-5)
    for measure, value in LAVAAN[name]["fit"].items():
        assert fit.measures[measure] == pytest.approx(value, abs=2e-6), measure


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [one for one in CASES if not dict(LAVAAN[one]["rotation.args"] or {}).get("std.ov", True)],
)
def test_standard_errors_are_lavaans_where_variables_are_rotated_as_they_are(name: str) -> None:
    fit, frame = refit(name), pd.DataFrame(LAVAAN[name]["estimates"])
    expected = by_row(frame, "se")
    np.testing.assert_allclose(by_row(fit.estimates, "se")[expected.index], expected, atol=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("rotation", ["geomin", "oblimin"])
def test_standard_errors_are_those_of_rotating_the_unrotated_solution(rotation: str) -> None:
    """The delta method: how the rotated parameters move with the unrotated ones."""
    fit = sem.fit(TWO, DATA, rotation=rotation, geomin_epsilon=0.01)
    problem = fit.problem
    plain = without_rotation(problem.constraints)
    scale = parameter_scales(problem.structure, problem.sample)
    start = np.where(plain.linear.theta(np.ones(len(plain.linear.kept))) == 0, 0, fit.theta)
    still = np.zeros(problem.structure.n_free, dtype=bool)
    end = search(problem.discrepancy, plain, start, scale, still).point
    np.testing.assert_allclose(
        rotated_parameters(end.theta, problem.constraints), fit.theta, atol=1e-6
    )
    basis = plain.linear.basis
    inner = np.linalg.inv(basis.T @ problem.discrepancy.expected(end) @ basis) / fit.n
    step = 3e-4
    moved = [
        (
            rotated_parameters(end.theta + step * way, problem.constraints)
            - rotated_parameters(end.theta - step * way, problem.constraints)
        )
        / (2 * step)
        for way in basis.T
    ]
    slopes = np.array(moved).T
    np.testing.assert_allclose(slopes @ inner @ slopes.T, fit.vcov_matrix, atol=2e-6)


@pytest.mark.thorough
def test_a_rotation_changes_no_moment_and_no_fit() -> None:
    echelon = (
        "f1 =~ NA*x1 + x2 + x3 + x4 + x5 + x6\nf2 =~ 0*x1 + NA*x2 + x3 + x4 + x5 + x6\n"
        "f1 ~~ 0*f2\nf1 ~~ 1*f1\nf2 ~~ 1*f2"
    )
    plain, turned = sem.fit(echelon, DATA), sem.fit(TWO, DATA)
    np.testing.assert_allclose(turned.implied()[1], plain.implied()[1], atol=1e-8)
    assert turned.problem.df == plain.problem.df == 4
    for measure in ("chisq", "cfi", "rmsea", "bic"):
        np.testing.assert_allclose(
            turned.fit_measures[measure], plain.fit_measures[measure], atol=1e-7
        )
    indices = [sem.modification_indices(one) for one in (plain, turned)]
    first, second = (one.query("op == '~~' and lhs == 'x1' and rhs == 'x2'") for one in indices)
    np.testing.assert_allclose(second["mi"], first["mi"], atol=1e-6)


def test_factors_come_in_the_order_of_their_indicators_and_point_where_they_load() -> None:
    renamed = TWO.replace("x1 + x2 + x3 + x4 + x5 + x6", "x6 + x5 + x4 + x3 + x2 + x1")
    fit = sem.fit(renamed, DATA.assign(x4=-DATA["x4"], x5=-DATA["x5"], x6=-DATA["x6"]))
    loadings = fit.estimates.query("op == '=~'").pivot(index="rhs", columns="lhs", values="est")
    assert loadings["f1"].abs().idxmax() in {"x4", "x5", "x6"}
    assert loadings["f2"].abs().idxmax() in {"x1", "x2", "x3"}
    assert (loadings.sum() > 0).all() or (loadings.abs().max() == loadings.max()).all()


@pytest.mark.slow
def test_resampled_errors_agree() -> None:
    fit = sem.fit(TWO, DATA, rotation="oblimin")
    boot = sem.bootstrap(fit, 40, seed=3, kind="parametric")
    ratio = np.sqrt(boot.covariance.diagonal()[:12] / fit.vcov_matrix.diagonal()[:12])
    assert np.exp(np.log(ratio).mean()) == pytest.approx(1, abs=0.25)


def test_everything_after_a_fit_works() -> None:
    fit = sem.fit(TWO, DATA, estimator="MLR")
    assert fit.scores().scores.shape == (fit.n, 2)
    assert np.isfinite(fit.standardized()["se"]).all()
    how = "rotated by geomin (oblique, epsilon 0.001, standardized loadings)"
    assert f"Exploratory block b: f1, f2, {how}" in fit.summary()
    json.dumps(fit.to_dict())


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ('efa("b")*f1 + efa("b")*f2 =~ x1 + 0*x2 + x3 + x4 + x5', "x2' has a modifier"),
        ('efa("b")*f1 + efa("b")*f2 =~ x1 + x2 + x3', "2 factors and 3 indicators"),
        ('efa("b")*f1 =~ x1 + x2 + x3 + x4\nefa("b")*f2 =~ x1 + x2 + x3 + x5', "different"),
        (TWO + "\ng =~ x7 + x8 + x9\ng ~ f1", "goes with f1 and not with f2"),
        (TWO + "\nf1 ~ x9", "goes with f1 and not with f2"),
        (TWO + "\ng =~ f1 + f2 + x7", "no factor of factors"),
        (TWO + "\nf1 ~ f2", "cannot predict each other"),
        (TWO + "\nf1 ~~ f1", "the variance of 'f1' is 1"),
        (TWO + "\nf1 ~~ 0*f2", "f1 ~~ f2 is fixed or bounded"),
        (TWO + "\nx9 ~ lower(0)*f1 + f2", "x9 ~ f1 is fixed or bounded"),
        (TWO + "\nx1 ~ x9", "takes part in no regression"),
        (TWO + "\nf1 =~ x7", 'write efa("b")* in front of'),
        (TWO + '\nefa("c")*f1 =~ x7 + x8 + x9', "in two blocks"),
        ('efa("b")*f1 ~ x1', "before a variable on the left is not supported"),
        ('efa()*f1 =~ x1', "the name of the block"),
    ],
)  # fmt: skip
def test_what_a_rotation_would_not_leave_alone_is_refused(model: str, says: str) -> None:
    with pytest.raises(ModelSyntaxError) as told:
        sem.fit(model, DATA)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"group": "school", "group_equal": ["loadings"]}, "take loadings out of group_equal"),
        (
            {"group": "school", "group_equal": ["lv.covariances"]},
            "^f1 ~~ f2: a constraint or group_equal restricts",
        ),
        ({"ordered": ["x1"]}, "need continuous indicators"),
        ({"rotation": "promax"}, "promax rotates a varimax solution"),
        ({"rotation": "oblimn"}, "rotation 'oblimn'.*oblimin"),
        ({"rotation": "targetQ"}, "needs a target: a table of 6 indicators x 2 factors"),
        ({"rotation": "cfQ", "rotation_args": {"kappa": 2}}, "kappa must be a weight from 0 to 1"),
        ({"rotation_args": {"kapa": 2}}, "no entry 'kapa'"),
        ({"rotation_args": {"target": np.eye(2)}}, "with names"),
        ({"geomin_epsilon": 0}, "a number > 0"),
    ],
)
def test_what_blocks_cannot_do_is_said(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        sem.fit(TWO, DATA, **options)


@pytest.mark.parametrize(
    ("rotation", "arguments", "says"),
    [
        ("geomin", {"row.weights": "cureton-mulaik"}, r"rotation\.args row\.weights"),
        ("oblimin", {"orthogonal": True}, "use quartimax"),
        ("bigeomin", {}, "'bigeomin' is not supported"),
    ],
)
def test_other_rotations_of_lavaan_are_refused(
    rotation: str, arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(ParameterError, match=says):
        sem.from_lavaan({"rotation": rotation, "rotation.args": arguments})


def test_a_model_with_blocks_is_printed_as_it_is_read() -> None:
    model = parse_model(TWO + "\nx1 ~~ x2")
    assert parse_model(str(model)) == model
    assert 'efa("b")*f1 + efa("b")*f2 =~' in str(model)


def test_one_factor_in_a_block_is_a_factor_of_variance_one() -> None:
    block = sem.fit('efa("b")*f =~ x1 + x2 + x3 + x4', DATA)
    plain = sem.fit("f =~ x1 + x2 + x3 + x4", DATA, std_lv=True)
    np.testing.assert_allclose(block.theta, plain.theta, atol=1e-8)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("x9 ~ a*f1 + a*f2", "^x9 ~ f2: a constraint"),
        ("x9 ~ a*f1 + b*f2\na == 2*b", "^x9 ~ f[12]: a constraint"),
        ("x9 ~ a*f1 + b*f2\na*b == 0.01", "^a, b: a constraint"),
        ("x9 ~ a*f1 + b*f2\na < b - 0.5", "^a, b: a constraint"),
        ("x1 ~ 0*1\nf1 ~ 1", "as the mean of one factor while that of"),
    ],
)
def test_constraints_that_a_rotation_breaks_are_refused(more: str, says: str) -> None:
    """Else the fit would depend on the rotation."""
    with pytest.raises(ParameterError, match=says):
        sem.fit(f"{TWO}\n{more}", DATA)


def test_effects_of_rotated_factors_have_labels_and_define_quantities() -> None:
    plain = sem.fit(TWO + "\nx9 ~ f1 + f2", DATA)
    named = sem.fit(TWO + "\nx9 ~ a*f1 + start(0.2)*f2 + b*f2\nd := a - b", DATA)
    np.testing.assert_allclose(named.theta, plain.theta, atol=1e-7)
    effects = plain.estimates.query("op == '~'")["est"].to_numpy()
    (difference,) = named.estimates.query("op == ':='").to_dict("records")
    assert difference["est"] == pytest.approx(effects[0] - effects[1], abs=1e-7)
    assert difference["se"] > 0


def test_covariances_with_a_block_are_written_from_either_side() -> None:
    model = TWO + "\ng =~ x7 + x8 + x9\n"
    one, two = (sem.fit(model + text, DATA) for text in ("f1 ~~ g\ng ~~ f2", "f1 + f2 ~~ g"))
    assert one.measures["chisq"] == pytest.approx(two.measures["chisq"], abs=1e-8)


def test_effect_coding_scales_the_other_factors_only() -> None:
    coded = sem.fit(
        TWO + "\ng =~ x7 + x8 + x9", DATA, effect_coding=["loadings", "intercepts"],
        meanstructure=True,
    )  # fmt: skip
    plain = sem.fit(TWO + "\ng =~ x7 + x8 + x9", DATA, meanstructure=True)
    assert coded.problem.df == plain.problem.df
    assert coded.measures["chisq"] == pytest.approx(plain.measures["chisq"], abs=1e-6)
    loadings = coded.estimates.query("lhs == 'g' and op == '=~'")["est"]
    assert float(np.mean(loadings.to_numpy())) == pytest.approx(1, abs=1e-7)


def test_one_factor_in_a_block_may_have_loadings_equal_across_groups() -> None:
    options: dict[str, Any] = {"group": "school", "group_equal": ["loadings"]}
    block = sem.fit('efa("b")*f =~ x1 + x2 + x3 + x4', DATA, **options)
    plain = sem.fit("f =~ x1 + x2 + x3 + x4", DATA, std_lv=True, **options)
    assert block.problem.df == plain.problem.df
    assert block.measures["chisq"] == pytest.approx(plain.measures["chisq"], abs=1e-8)


def small(seed: int) -> pd.DataFrame:
    """60 cases of seven variables, of which three factors explain more than all of some."""
    random = np.random.default_rng(seed)
    f = random.normal(size=(60, 3))
    x = f[:, [0, 0, 1, 1, 2, 2, 2]] * 0.7 + random.normal(size=(60, 7)) * 0.7
    return pd.DataFrame(x, columns=[f"x{k}" for k in range(1, 8)])


THREE_OF_SEVEN = (
    'efa("b")*f1 + efa("b")*f2 + efa("b")*f3 =~ x1 + x2 + x3 + x4 + x5 + x6 + x7'
)  # fmt: skip


@pytest.mark.parametrize("bounds", few(["standard", "pos.var", "wide"], 1))
def test_bounds_hold_and_do_not_depend_on_the_rotation(bounds: str) -> None:
    fits = [
        sem.fit(THREE_OF_SEVEN, small(2), bounds=bounds, rotation=one)
        for one in ("geomin", "oblimin")
    ]
    assert all(fit.converged and fit.convergence.at_bound for fit in fits)
    assert fits[0].measures["chisq"] == pytest.approx(fits[1].measures["chisq"], abs=1e-6)


def test_a_solution_at_infinity_is_not_rotated_and_has_not_converged() -> None:
    fit = sem.fit(THREE_OF_SEVEN, small(4))
    assert not fit.converged
    assert fit.convergence.status == "runaway"
    assert "Exploratory block b: f1, f2, f3, not rotated" in fit.summary()
    with np.errstate(all="ignore"):
        shares = sem.reliability(fit)
    assert "negative variances" in shares.summary()
    assert "lies at infinity" in str(fit.diagnostics[0])


@pytest.mark.thorough
@pytest.mark.parametrize("pair", [("x1", "x8"), ("x2", "x5"), ("x3", "x9")])
def test_modification_indices_are_near_what_freeing_gains(pair: tuple[str, str]) -> None:
    model = TWO + "\ng =~ x7 + x8 + x9"
    fit = sem.fit(model, DATA)
    freed = sem.fit(f"{model}\n{pair[0]} ~~ {pair[1]}", DATA)
    indices = sem.modification_indices(fit).set_index(["lhs", "op", "rhs"])
    gain, alone = (float(one.measures["chisq"] or 0) for one in (fit, freed))
    gain -= alone
    assert fit.problem.df - freed.problem.df == 1
    assert float(indices.loc[(pair[0], "~~", pair[1]), "mi"]) == pytest.approx(gain, rel=0.2)

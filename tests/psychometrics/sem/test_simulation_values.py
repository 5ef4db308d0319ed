"""Populations, samples and summaries of simulation studies against hand calculation."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest
from scipy import special

from gfactor.errors import GfactorError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.batches import FAILED, IMPROPER, INFINITE, PROPER
from gfactor.psychometrics.sem.simulation.generate import Generator, Missing, _intercept, sizes
from gfactor.psychometrics.sem.simulation.nonnormal import distortion, fleishman
from gfactor.psychometrics.sem.simulation.populations import population
from gfactor.psychometrics.sem.simulation.result import Replications, SimulationStudy
from gfactor.psychometrics.sem.simulation.study import findings

TWO = "f =~ 0.7*x1 + 0.8*x2\ng =~ 0.6*y1 + 0.9*y2\ng ~ 0.5*f"


def test_variances_left_out_make_every_variable_standard() -> None:
    made = population(TWO)
    assert made.variables == ("x1", "x2", "y1", "y2")
    loadings = np.array([0.7, 0.8, 0.6, 0.9])
    expected = np.outer(loadings, loadings)
    expected[:2, 2:] *= 0.5
    expected[2:, :2] *= 0.5
    np.fill_diagonal(expected, 1.0)
    assert made.covs[0] == pytest.approx(expected)
    assert made.means[0].tolist() == [0, 0, 0, 0]
    values = {(r.lhs, r.op, r.rhs): r.value for r in made.table.rows}
    assert values["g", "~~", "g"] == pytest.approx(0.75)
    assert values["x2", "~~", "x2"] == pytest.approx(0.36)
    free = {(r.lhs, r.op, r.rhs) for r in made.table.rows if r.free}
    assert ("f", "=~", "x1") in free
    assert ("f", "~~", "f") not in free
    given = population(TWO + "\nx1 ~~ 2*x1\ng ~~ 0.2*g")
    assert given.covs[0][0, 0] == pytest.approx(0.49 + 2)
    assert given.covs[0][2, 2] == pytest.approx(1.0)


def test_groups_have_values_of_their_own() -> None:
    made = population("f =~ c(0.7, 0.5)*x1 + c(0.8, 0.8)*x2 + 0.6*x3", ("a", "b"))
    assert made.labels == ("a", "b")
    assert made.covs[0][0, 1] == pytest.approx(0.56)
    assert made.covs[1][0, 1] == pytest.approx(0.40)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f =~ 0.7*x1 + x2", "parameter f =~ x2 has no value"),
        ("f =~ 0.7*x1 + 1.1*x2", "the variance of x2 would have to be -0.21"),
        ("f =~ 0.7*x1 + 0.8*x2 + 0.6*x3\nx1 ~~ 0.9*x2\nx1 ~~ 0.1*x1\nx2 ~~ 0.1*x2",
         "covariance matrix is not positive definite"),
        ("f =~ 0.7*x1 + 0.8*x2\nx1 | 0.5*t1", "thresholds as `ordinal`"),
    ],
)  # fmt: skip
def test_impossible_populations_are_refused(text: str, words: str) -> None:
    with pytest.raises(GfactorError, match=words):
        population(text)


def test_a_cubic_of_a_normal_variable_has_its_moments() -> None:
    z, weight = np.polynomial.hermite_e.hermegauss(40)
    weight = weight / weight.sum()
    for skewness, kurtosis in ((0.0, 0.0), (1.0, 1.5), (-0.5, 3.0), (0.0, -0.5), (1.75, 3.75)):
        b, c, d = fleishman(skewness, kurtosis)
        y = -c + b * z + c * z**2 + d * z**3
        moments = [float(weight @ y**k) for k in (1, 2, 3, 4)]
        assert moments == pytest.approx([0, 1, skewness, kurtosis + 3], abs=1e-8)
    # Fleishman (1978), table 1: skewness 1.75, kurtosis 3.75.
    assert fleishman(1.75, 3.75) == pytest.approx((0.92966, 0.39949, -0.03647), abs=2e-5)
    with pytest.raises(GfactorError, match=r"kurtosis must be above about 0\.40"):
        fleishman(1.0, -1.0)


def test_skewed_variables_correlate_as_asked() -> None:
    r = np.array([[1.0, 0.5], [0.5, 1.0]])
    made = distortion(r, np.array([1.0, -0.5]), np.array([1.5, 1.0]), ("a", "b"))
    inner = (made.root @ made.root.T)[0, 1]
    z, weight = np.polynomial.hermite_e.hermegauss(20)
    weight = weight / weight.sum()
    first, second = np.meshgrid(z, z, indexing="ij")
    noise = np.stack([first, second], axis=-1)
    x = made.apply(noise)
    both = np.outer(weight, weight)
    assert float((both * x[..., 0] * x[..., 1]).sum()) == pytest.approx(0.5, abs=1e-8)
    assert abs(inner) > 0.5
    assert float((both * x[..., 1] ** 3).sum()) == pytest.approx(-0.5, abs=1e-6)
    opposite = np.array([[1.0, -0.99], [-0.99, 1.0]])
    with pytest.raises(GfactorError, match=r"a and b cannot correlate -0\.99"):
        distortion(opposite, np.array([1.75, 1.75]), np.array([3.75, 3.75]), ("a", "b"))


def test_cells_go_missing_as_often_as_asked_whatever_the_slope() -> None:
    z, weight = np.polynomial.hermite_e.hermegauss(61)
    for share, slope in ((0.2, 1.0), (0.5, 3.0), (0.05, -2.0)):
        missing = Missing(share, ("x2",), by="x1", slope=slope)
        chance = special.expit(_intercept(missing) + slope * z)
        assert float(weight @ chance / weight.sum()) == pytest.approx(share, abs=1e-9)


def drawn(**options: Any) -> np.ndarray:
    maker = Generator(population(TWO), (4000,), **options)
    return maker.draw(np.random.default_rng(3), 0, 1)[0]


def test_holes_are_where_they_are_asked_for() -> None:
    everywhere = np.isnan(drawn(missing=Missing(0.3)))
    assert everywhere.mean(axis=0) == pytest.approx([0.3] * 4, abs=0.03)
    some = drawn(missing=Missing(0.3, ("y1",), by="x1", slope=2.0))
    assert np.isnan(some).sum(axis=0)[[0, 1, 3]].tolist() == [0, 0, 0]
    holes = np.isnan(some[:, 2])
    assert holes.mean() == pytest.approx(0.3, abs=0.03)
    assert some[holes, 0].mean() > some[~holes, 0].mean() + 0.5
    spared = np.isnan(drawn(missing=Missing(0.3, by="x1")))
    assert spared.sum(axis=0)[0] == 0
    assert spared.sum(axis=0)[1:].min() > 900
    assert not np.isnan(drawn(missing=Missing(0.0))).any()
    for wrong in (Missing(0.3, ("q",)), Missing(0.3, by="q")):
        with pytest.raises(GfactorError, match="q"):
            drawn(missing=wrong)


def test_sizes_of_groups() -> None:
    assert sizes(5, 2) == (5, 5)
    assert sizes([5, 7], 2) == (5, 7)
    for wrong in ((5, 5), (0,)):
        with pytest.raises(GfactorError, match="each of the 1 groups"):
            Generator(population(TWO), wrong)


def test_thresholds_cut_on_the_standardized_scale_of_the_first_group() -> None:
    text = "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3\nx1 ~~ 3.51*x1\nx1 ~ 5*1"
    plain = sem.simulate_data(text, 200, seed=1)
    cut = sem.simulate_data(text, 200, seed=1, ordinal={"x1": (-0.5, 0.5)})
    z = (plain["x1"] - 5) / 2
    expected = 1 + (z > -0.5).astype(int) + (z > 0.5).astype(int)
    assert cut["x1"].tolist() == expected.tolist()
    assert cut["x2"].tolist() == plain["x2"].tolist()
    for thresholds in ((), (0.5, 0.5), (0.5, -0.5)):
        with pytest.raises(GfactorError, match="must rise"):
            sem.simulate_data(text, 20, seed=1, ordinal={"x1": thresholds})


def study(theta: Any, errors: Any, chisq: Any, kinds: Any, level_z: float = 2.0) -> SimulationStudy:
    rows = (Made(lhs="f", op="=~", rhs="x1", group=1, free=1),
            Made(lhs="f", op="=~", rhs="x2", group=1, free=0),
            Made(lhs="x1", op="~~", rhs="x1", group=1, free=2))  # fmt: skip
    reference: Any = Made(
        table=Made(rows=rows), theta=np.array([0.5, 0.0]), problem=Made(df=3),
        options=Made(estimator="ML"), outcome=Made(value=0.0),
    )  # fmt: skip
    runs = Replications(
        np.array(theta), np.array(errors), np.array(chisq), np.array(kinds, object),
        np.array(["", "", "no minimum", "grows"], object),
    )  # fmt: skip
    return SimulationStudy(reference, (50,), 1, 0.95, runs, level_z)


STUDY = study(
    [[0.4, 0.1], [0.8, -0.3], [np.nan, np.nan], [0.9, 0.2]],
    [[0.1, 0.1], [0.1, 0.1], [np.nan, np.nan], [0.25, np.nan]],
    [7.0, 8.0, np.nan, 2.0],
    [PROPER, IMPROPER, FAILED, INFINITE],
)


def test_bias_coverage_and_power_are_those_of_the_samples() -> None:
    first: Any = STUDY.parameters.iloc[0]
    assert (first["lhs"], first["rhs"], first["true"], first["n"]) == ("f", "x1", 0.5, 3)
    assert first["mean"] == pytest.approx(0.7)
    assert first["bias"] == pytest.approx(0.2)
    assert first["relative_bias"] == pytest.approx(0.4)
    assert first["sd"] == pytest.approx(np.std([0.4, 0.8, 0.9], ddof=1))
    assert first["se"] == pytest.approx(0.15)
    assert first["se_ratio"] == pytest.approx(first["se"] / first["sd"])
    # Within two standard errors of .5: .4 and .9; beyond two of 0: all.
    assert first["coverage"] == pytest.approx(2 / 3)
    assert first["coverage_se"] == pytest.approx(np.sqrt(2 / 9 / 3))
    assert first["power"] == 1
    second: Any = STUDY.parameters.iloc[1]
    assert (second["op"], second["n"]) == ("~~", 2)
    assert np.isnan(second["relative_bias"])
    assert second["coverage"] == 0.5
    assert second["power"] == 0.5


def test_samples_are_counted_by_how_they_ended() -> None:
    assert STUDY.shares == {PROPER: 1, IMPROPER: 1, INFINITE: 1, FAILED: 1}
    assert STUDY.runs.reasons(FAILED) == {"no minimum": 1}
    # The 95 % quantile of chi-square with 3 degrees of freedom is 7.81.
    assert STUDY.rejected == pytest.approx(1 / 3)
    assert "4 samples of n = 50 (seed 1), estimator ML" in STUDY.title
    assert "rejects in 33.3%." in STUDY.title


def run(kinds: list[str]) -> Replications:
    empty = np.zeros((len(kinds), 1))
    reasons = np.array([f"r{k % 4}" if kind != PROPER else "" for k, kind in enumerate(kinds)])
    return Replications(empty, empty, empty[:, 0], np.array(kinds, object), reasons)


def test_lost_samples_are_a_warning_above_five_percent() -> None:
    fine: Any = Made(outcome=Made(value=1e-8))
    few = findings(fine, run([FAILED] * 10 + [PROPER] * 190), alone=False)
    assert [(d.code, d.severity) for d in few] == [("samples_failed", "note")]
    assert few[0].values == {"samples": 200, "lost": 10}
    assert "10 of 200 samples are not in the averages (r0: 3; r1: 3; r2: 2)" in few[0].sentence
    more = findings(fine, run([INFINITE] * 11 + [PROPER] * 189), alone=False)
    assert [(d.code, d.severity) for d in more] == [("samples_at_infinity", "warning")]


def test_few_replications_and_wrong_models_are_said() -> None:
    fine: Any = Made(outcome=Made(value=0.0))
    found = findings(fine, run([PROPER] * 199), alone=True)
    assert [d.code for d in found] == ["few_replications"]
    assert "a coverage of 95 % to 3.0 points only" in found[0].sentence
    assert "be patient" in found[0].remedy
    wrong: Any = Made(outcome=Made(value=0.05))
    found = findings(wrong, run([PROPER] * 200), alone=False)
    assert [d.code for d in found] == ["pseudo_true_values"]
    assert "its discrepancy there is 0.1)" in found[0].sentence


def test_a_variance_of_nothing_left_is_refused_as_a_negative_one_is() -> None:
    with pytest.raises(GfactorError, match="the variance of y would have to be 0 for it to have"):
        population("f =~ 0.7*x1 + 0.8*x2 + 0.6*x3\nf ~~ 1*f\ny ~ 1*f")


def test_coverage_counts_the_ends_of_intervals_and_power_does_not() -> None:
    runs = Replications(
        theta=np.array([[1.0], [3.0], [2.5], [np.nan]]),
        errors=np.array([[1.0], [1.5], [1.0], [1.0]]),
        chisq=np.array([1.0, special.chdtri(2, 0.05), 9.0, np.nan]),
        kind=np.array([PROPER, IMPROPER, FAILED, INFINITE]), reason=np.array(["", "a", "b", "c"]),
    )  # fmt: skip
    row = Made(lhs="x", op="~", rhs="y", group=1, free=1)
    reference: Any = Made(table=Made(rows=[row]), theta=np.array([3.0]), problem=Made(df=2))
    study = SimulationStudy(reference, (50,), 1, 0.95, runs, 2.0)
    assert study.rejected == pytest.approx(1 / 3)
    assert study.shares == {PROPER: 1, IMPROPER: 1, INFINITE: 1, FAILED: 1}
    (line,) = study.parameters.to_dict("records")
    assert (line["n"], line["coverage"], line["power"]) == (3, 1.0, pytest.approx(1 / 3))
    assert line["mean"] == pytest.approx(6.5 / 3)
    assert line["bias"] == pytest.approx(6.5 / 3 - 3)
    assert line["relative_bias"] == pytest.approx((6.5 / 3 - 3) / 3)
    assert line["sd"] == pytest.approx(np.std([1.0, 3.0, 2.5], ddof=1))
    assert line["se_ratio"] == pytest.approx(3.5 / 3 / line["sd"])
    assert line["coverage_se"] == 0.0
    fewer = replace(
        study, runs=replace(runs, theta=np.array([[1.0], [np.nan], [np.nan], [np.nan]]))
    )
    assert fewer.parameters.to_dict("records")[0]["n"] == 1
    assert "mean" not in fewer.parameters
    exact: Any = Made(table=reference.table, theta=reference.theta, problem=Made(df=0))
    assert np.isnan(replace(study, reference=exact).rejected)


def test_a_population_fixes_zeros_and_estimates_every_other_number() -> None:
    known = population(
        "f =~ 0.7*x1 + 0.8*x2 + 0.6*x3 + 0*x4\nx2 ~ 1*1\nx3 ~ 0*1\nx1 ~~ 0*x2\nx1 ~~ 0.1*x3"
    )
    rows = {(r.lhs, r.op, r.rhs): (bool(r.free), r.value) for r in known.table.rows}
    assert rows["f", "=~", "x4"] == rows["x1", "~~", "x2"] == rows["x3", "~1", ""] == (False, 0.0)
    assert rows["x2", "~1", ""] == (True, 1.0)
    assert rows["x1", "~~", "x3"] == (True, 0.1)
    assert rows["f", "~~", "f"] == (False, 1.0)


def test_variables_of_each_group_of_a_text_have_variance_one() -> None:
    text = "f =~ c(0.7, 0.5)*x1 + c(0.8, 0.6)*x2 + c(0.6, 0.9)*x3"
    known = population(text, ("a", "b"))
    for cov, loadings in zip(known.covs, ([0.7, 0.8, 0.6], [0.5, 0.6, 0.9]), strict=True):
        wanted = np.outer(loadings, loadings)
        np.fill_diagonal(wanted, 1.0)
        np.testing.assert_allclose(cov, wanted)

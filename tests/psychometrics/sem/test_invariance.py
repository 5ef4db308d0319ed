"""Invariance finds what was made unequal, releases it, and stops where it must."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support import lavaan_recorded as recorded
from support.cli import run_cli
from support.oracles import ORACLES
from support.sem_samples import SAMPLES

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.measurement_invariance import analysis, findings, invariance
from gfactor.psychometrics.sem.measurement_invariance.analysis import (
    FEWEST,
    _fixed_intercept,
    _is_retained,
    _may_go,
    release,
    still_equal,
)
from gfactor.psychometrics.sem.measurement_invariance.steps import Level
from gfactor.psychometrics.sem.parameters import Parameter

LAVAAN = ORACLES / "lavaan"
MODEL = "f1 =~ x1 + x2 + x3 + x4\nf2 =~ x5 + x6 + x7 + x8"
NAMES = [f"x{i}" for i in range(1, 9)]


def two_groups(seed: int, n: int = 400) -> pd.DataFrame:
    """Two groups that differ in latent means and variances only."""
    rng = np.random.default_rng(seed)
    frames = []
    for group, mean, sd in (("people", 0.0, 1.0), ("models", 0.4, 1.3)):
        common = rng.normal(size=(n, 1))
        f = mean + sd * (0.6 * common + 0.8 * rng.normal(size=(n, 2)))
        loadings = np.kron(np.eye(2), np.array([[0.8], [0.7], [0.6], [0.7]]))
        x = 2 + f @ loadings.T + 0.6 * rng.normal(size=(n, 8))
        frames.append(pd.DataFrame(x, columns=NAMES).assign(kind=group))
    return pd.concat(frames, ignore_index=True)


@pytest.fixture(scope="module")
def equal() -> pd.DataFrame:
    # Three tests at 5 %: one seed in seven rejects something, as it should (see below).
    return two_groups(2)


@pytest.fixture(scope="module")
def unequal(equal: pd.DataFrame) -> pd.DataFrame:
    """x3 is easier for models, and x6 loads less there."""
    data = equal.copy()
    there = (data["kind"] == "models").to_numpy()
    data.loc[there, "x3"] += 0.5
    data.loc[there, "x6"] = 2 + 0.3 * (data.loc[there, "x6"] - 2)
    return data


@pytest.mark.thorough
def test_groups_that_differ_in_the_latent_variables_only_are_strictly_invariant(
    equal: pd.DataFrame,
) -> None:
    found = invariance(MODEL, equal, "kind")
    assert found.level == "strict"
    assert found.groups == (("people", 400), ("models", 400))
    assert found.table["df"].tolist() == [38, 44, 50, 58]
    assert [found.table[name].dtype.kind for name in ("npar", "df")] == ["i", "i"]
    means = found.latent_means
    assert means[["level", "factor", "group"]].values.tolist() == [
        ["strict", "f1", "models"],
        ["strict", "f2", "models"],
    ]
    assert (abs(means["mean"] - 0.4) < 3 * means["se"]).all()
    last = found.steps[3].fit.estimates.query("op == '~1' and lhs == 'f1' and group == 2")
    assert means["mean"].iloc[0] == last["est"].item()
    text = found.summary()
    assert "latent means (first group: 0), in standard deviations of the first group" in text
    assert "chisq and pvalue: test yuan.bentler.mplus; CFI and RMSEA: robust" in text
    assert found.to_dict()["test"] == "yuan.bentler.mplus"


@pytest.mark.thorough
def test_every_level_shows_the_statistic_of_its_estimator(equal: pd.DataFrame) -> None:
    """Of MLR the scaled chi-square and its p, of ML the plain ones."""
    for estimator, kind in (("ML", ""), ("MLR", ".scaled")):
        found = invariance(MODEL, equal, "kind", estimator=estimator)
        for step, row in zip(found.steps, found.table.to_dict("records"), strict=True):
            for name in ("chisq", "pvalue"):
                assert row[name] == pytest.approx(step.fit.measures[name + kind])


def test_the_configural_model_misfits_where_both_measures_say_so(equal: pd.DataFrame) -> None:
    one = "f =~ " + " + ".join(NAMES)
    said = {d.code: d for d in invariance(one, equal, "kind", estimator="ML").diagnostics}
    assert min(said["configural_misfit"].values.values()) > 0.08
    shared = 0.6 * np.random.default_rng(11).normal(size=len(equal))  # Of two errors.
    data = equal.assign(x1=equal["x1"] + shared, x5=equal["x5"] + shared)
    found = invariance(MODEL, data, "kind", estimator="ML")
    measures = found.steps[0].fit.measures
    assert float(measures["rmsea"] or 0) > 0.08 > float(measures["srmr"] or 1)
    assert "configural_misfit" not in {d.code for d in found.diagnostics}


@pytest.mark.slow
def test_each_level_is_rejected_about_as_often_as_it_should_be() -> None:
    values = np.array(
        [
            [
                step.difference.pvalue
                for step in invariance(MODEL, two_groups(seed, 200), "kind", estimator="ML").steps
                if step.difference is not None
            ]
            for seed in range(100, 140)
        ]
    )
    # 120 tests at 20 %: fewer than 10 or more than 39 happen in 0.1 % of runs.
    assert 10 <= (values < 0.2).sum() <= 39


@pytest.mark.thorough
def test_the_search_releases_what_was_made_unequal(unequal: pd.DataFrame) -> None:
    found = invariance(MODEL, unequal, "kind", partial=True)
    assert [(one.level, one.parameter) for one in found.trace[:1]] == [("metric", "f2=~x6")]
    assert ("scalar", "x3~1") in [(one.level, one.parameter) for one in found.trace]
    assert found.level.startswith("partial")
    scalar = found.steps[2]
    # What is released at a level stays free, and so does the intercept that belongs to it.
    assert {"f2=~x6", "x6~1", "x3~1"} <= set(scalar.released)
    assert {"x6~1"} <= set(scalar.carried)
    assert found.trace[-1].difference.pvalue >= 0.05 or not found.steps[-1].holds


@pytest.mark.thorough
def test_without_the_search_the_level_stays_below(unequal: pd.DataFrame) -> None:
    for criterion in ("p", "fit"):
        found = invariance(MODEL, unequal, "kind", criterion=criterion)
        assert found.level == "configural"
        assert not found.steps[1].holds


@pytest.mark.thorough
def test_the_search_stops_at_two_equal_indicators_and_at_its_limit(unequal: pd.DataFrame) -> None:
    data = unequal.copy()
    there = (data["kind"] == "models").to_numpy()
    for shift, name in enumerate(["x1", "x2", "x4"], 1):
        data.loc[there, name] += 0.6 * shift
    found = invariance(MODEL, data, "kind", partial=True)
    scalar = found.steps[2]
    own = {name.split("~1")[0] for name in scalar.released if name.endswith("~1")}
    assert len({"x1", "x2", "x3", "x4"} - own) >= 2
    limited = invariance(MODEL, data, "kind", partial=True, most_releases=1)
    assert [sum(r.level == s for r in limited.trace) for s in ("metric", "scalar")] == [1, 1]


@pytest.mark.thorough
def test_ordinal_levels_are_those_of_wu_and_estabrook() -> None:
    # semTools 0.5-6 and lavaan 0.6-14, 2026-11-21: measEq.syntax(ID.cat = "Wu.Estabrook.2016",
    # ID.fac = "std.lv", parameterization = "theta") with group.equal = thresholds, and loadings.
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
    names = [f"x{i}" for i in range(1, 10)]
    found = invariance(model, SAMPLES["ordinal"](), "school", ordered=names)
    fits = {step.level.name: step.full.measures for step in found.steps}
    assert (fits["thresholds"]["df"], fits["metric"]["df"]) == (52, 58)
    assert fits["thresholds"]["chisq"] == pytest.approx(30.304, abs=6e-4)
    assert fits["thresholds"]["chisq.scaled"] == pytest.approx(48.383, abs=6e-4)
    assert fits["metric"]["chisq"] == pytest.approx(38.421, abs=6e-4)
    assert fits["metric"]["chisq.scaled"] == pytest.approx(58.282, abs=6e-4)
    every = invariance(model, SAMPLES["ordinal"](), "school", ordered=True)
    assert every.table.equals(found.table)
    # lavaan: group.equal = loadings and thresholds, df 64, against strict 11.04146 with df 9.
    strict = found.steps[-1].difference
    assert strict is not None
    assert (strict.chisq, strict.df) == (pytest.approx(11.0414565611, rel=1e-6), 9)
    assert found.level == "strict"


def test_binary_indicators_have_no_level_between() -> None:
    data = two_groups(3)
    data[NAMES] = (data[NAMES] > 2.2).astype(int)
    found = invariance(MODEL, data, "kind", ordered=NAMES)
    assert [step.level.name for step in found.steps] == ["configural", "scalar", "strict"]
    assert "binary_indicators" in [d.code for d in found.diagnostics]


def test_equal_thresholds_of_three_categories_are_no_level() -> None:
    data = two_groups(3)
    for name in NAMES:
        data[name] = np.searchsorted(np.quantile(data[name], [0.3, 0.7]), data[name])
    found = invariance(MODEL, data, "kind", ordered=NAMES)
    assert [step.level.name for step in found.steps] == ["configural", "metric", "scalar", "strict"]
    first, metric = found.steps[0].full, found.steps[1].full
    # Of every factor all loadings but one; two thresholds are an intercept and a variance.
    factors = len(metric.table.latent)
    assert metric.problem.df - first.problem.df == len(NAMES) - factors
    thresholds = [row for row in metric.table.rows if row.op == "|" and row.group == 2]
    assert thresholds
    assert {"three_categories", "ordinal_cutoffs"} <= {d.code for d in found.diagnostics}


def test_a_level_that_restricts_nothing_is_passed(equal: pd.DataFrame) -> None:
    fixed = "g =~ 1*x1 + 1*x2 + 1*x3 + 1*x4"
    found = invariance(fixed, equal, "kind", estimator="ML", std_lv=False)
    metric = found.table.set_index("level").loc["metric"]
    assert (metric["d_df"], np.isnan(metric["d_pvalue"])) == (0, True)
    assert [d.where for d in found.diagnostics if d.code == "nothing_to_test"] == [("metric",)]
    assert found.table["d_df"].tolist()[2:] == [3, 4]
    assert "metric" in found.summary()
    with pytest.raises(ParameterError, match=r"the metric level leaves more free \(11 degrees"):
        invariance(fixed, equal, "kind", estimator="ML")


@pytest.mark.thorough
def test_three_groups_and_small_ones(equal: pd.DataFrame) -> None:
    data = equal.copy()
    data.loc[data.index[::10], "kind"] = "others"
    found = invariance(MODEL, data, "kind", estimator="ML")
    assert found.table["df"].tolist() == [57.0, 69.0, 81.0, 97.0]
    assert "small_groups" in [d.code for d in found.diagnostics]
    assert found.steps[1].difference is not None
    assert found.steps[1].difference.method == "standard"


@pytest.mark.thorough
def test_holzinger_and_swineford_by_school() -> None:
    data = pd.read_csv(LAVAAN / "HolzingerSwineford1939.csv")
    model = "visual =~ x1+x2+x3\ntextual =~ x4+x5+x6\nspeed =~ x7+x8+x9"
    found = invariance(model, data, "school", estimator="ML")
    for step in found.steps:
        oracle = json.loads((LAVAAN / f"hs_mg_{step.level.name}_ML.json").read_text())
        for name in ("chisq", "cfi", "rmsea", "srmr"):
            expected = oracle["fit_measures"][name]
            assert step.full.measures[name] == pytest.approx(expected, rel=1e-8)
    # The intercepts of x3 and x7, as everybody who releases them finds.
    partial = invariance(model, data, "school", partial=True)
    assert [one.parameter for one in partial.trace] == ["x3~1", "x7~1"]
    assert partial.level == "partial strict"


def test_one_group_is_refused(equal: pd.DataFrame) -> None:
    with pytest.raises(ParameterError, match="'kind' has one value only"):
        invariance(MODEL, equal.query("kind == 'people'"), "kind")
    with pytest.raises(ParameterError, match="alpha must lie between 0 and 1"):
        invariance(MODEL, equal, "kind", alpha=2)


@pytest.mark.thorough
def test_the_command(
    equal: pd.DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    equal.to_csv(tmp_path / "scores.csv", index=False)
    (tmp_path / "m.lav").write_text(MODEL)
    words = ["analyze", "invariance", str(tmp_path / "scores.csv"), "--group", "kind", "--model"]
    ran = run_cli(monkeypatch, capsys, *words, str(tmp_path / "m.lav"))
    assert ran.code == 0
    assert "\ninvariance: strict\n" in ran.out
    ran = run_cli(monkeypatch, capsys, *words, str(tmp_path / "m.lav"), "--json")
    found = json.loads(ran.out)
    assert [step["level"] for step in found["steps"]] == [
        "configural",
        "metric",
        "scalar",
        "strict",
    ]
    ran = run_cli(monkeypatch, capsys, *words, str(tmp_path / "no.lav"))
    assert (ran.code, "does not exist" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("released", "kind", "carried"),
    [
        ("f1=~x2", "intercepts", "x2~1"),
        ("f1=~x2", "residuals", "x2~~x2"),
        ("x2~1", "residuals", "x2~~x2"),
        ("x2|t1", "loadings", "f1=~x2"),
        ("x2|t1", "intercepts", "x2~1"),
    ],
)
def test_what_an_earlier_release_leaves_without_a_common_scale_is_left_free(
    released: str, kind: str, carried: str
) -> None:
    fit = recorded.replay("groups_configural")
    level: Any = Made(new=(kind,))
    assert still_equal(fit, (released,), level) == (released, carried)
    assert still_equal(fit, (), level) == ()


def rows(*of: tuple[str, str, str, int]) -> list[Any]:
    return [Made(lhs=a, op=op, rhs=b, group=g, plabel=f".p{k}.") for k, (a, op, b, g)
            in enumerate(of)]  # fmt: skip


def test_an_indicator_may_be_released_while_its_factor_keeps_two_equal_ones() -> None:
    fit: Any = Made(table=Made(rows=rows(*[("f", "=~", f"x{k}", g) for g in (1, 2)
                                           for k in range(1, 5)])))  # fmt: skip
    row = Made(lhs="f", op="=~", rhs="x1")
    level: Any = Made(new=("loadings",))

    def may(*released: str, one: Any = row, at: Any = level) -> bool:
        return _may_go(one, fit, at, released)

    assert FEWEST == 2
    assert may()
    assert may("f=~x2")
    assert not may("f=~x2", "f=~x3")
    assert not may("x2~1", "x3|t1")
    assert may("f=~x2", "f=~x3", at=Made(new=("residuals",)))
    assert not may("f=~x2", "f=~x3", one=Made(lhs="x4", op="~1", rhs=""))


@pytest.mark.thorough
def test_the_equality_with_the_largest_score_test_goes_first() -> None:
    """Three loadings differ between schools by construction; the largest difference is x6's."""
    rng = np.random.default_rng(12)
    factor, school = rng.normal(size=600), np.repeat([0, 1], 300)
    loadings = np.array([0.8, 0.8, 0.8, 0.8, 0.7, 0.6, 0.8, 0.8])
    gap = np.array([0, 0, 0, 0, 0.3, 0.9, 0, 0])
    values = factor[:, None] * (loadings + gap * school[:, None]) + 0.6 * rng.normal(size=(600, 8))
    names = [f"x{k}" for k in range(1, 9)]
    data = pd.DataFrame(values, columns=names).assign(school=school.astype(str))
    found = invariance("f =~ " + " + ".join(names), data, "school", partial=True)
    steps = {step["level"]: step for step in found.to_dict()["steps"]}
    assert (steps["metric"]["holds"], steps["metric"]["released"]) == (False, "")
    assert steps["partial metric"]["released"] == "f=~x6, f=~x5"
    assert steps["partial scalar"]["released"] == "f=~x6, f=~x5, x6~1, x5~1"


def level_holds(criterion: str, n: int, sizes: list[int], new: str, **changes: float) -> bool:
    """Whether a level holds whose CFI falls, and whose RMSEA and SRMR rise, by `changes`."""

    def fit(**measures: float) -> Any:
        return Made(measures=measures, n=n, sample=Made(groups=[Made(n=k) for k in sizes]),
                    problem=Made(df=9))  # fmt: skip

    before = fit(npar=4, chisq=1.0, df=9, pvalue=0.5, cfi=1.0, rmsea=0.0, srmr=0.0)
    after = fit(npar=4, chisq=1.0, df=9, pvalue=0.5, cfi=1.0 - changes.get("cfi", 0.0),
                rmsea=changes.get("rmsea", 0.0), srmr=changes.get("srmr", 0.0))  # fmt: skip
    difference: Any = Made(pvalue=changes.get("p", 0.5))
    level: Any = Made(new=(new,))
    return _is_retained(after, before, difference, level, (criterion, 0.05))


def test_a_level_holds_by_its_p_or_by_chens_rules() -> None:
    equal, large = [200, 200], 400
    assert level_holds("p", 400, equal, "loadings", p=0.05)
    assert not level_holds("p", 400, equal, "loadings", p=0.0499)
    assert not level_holds("p", 400, equal, "loadings", p=np.nan)
    # CFI alone, or RMSEA and SRMR alone, are not enough.
    assert level_holds("fit", large, equal, "loadings", cfi=0.5)
    assert level_holds("fit", large, equal, "loadings", rmsea=0.5, srmr=0.5)
    for changes in ({"rmsea": 0.015}, {"srmr": 0.03}):
        assert not level_holds("fit", large, equal, "loadings", cfi=0.0101, **changes)
        assert level_holds("fit", large, equal, "loadings", cfi=0.0099, **changes)
    assert level_holds("fit", large, equal, "loadings", cfi=0.02, rmsea=0.0149, srmr=0.0299)
    assert not level_holds("fit", large, equal, "intercepts", cfi=0.02, srmr=0.01)
    assert level_holds("fit", large, equal, "intercepts", cfi=0.02, srmr=0.0099)
    # Small or unequal samples have stricter limits; 300 is small, and half as many again equal.
    strict = {"cfi": 0.006, "rmsea": 0.012}
    assert level_holds("fit", 301, [150, 151], "loadings", **strict)
    assert not level_holds("fit", 300, [150, 150], "loadings", **strict)
    assert level_holds("fit", 500, [200, 300], "loadings", **strict)
    assert not level_holds("fit", 501, [200, 301], "loadings", **strict)


ONE = "f =~ x1 + x2 + x3 + x4"


def four_indicators(n: int = 120, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, 1))
    x = f @ np.array([[0.9, 0.8, 0.7, 0.6]]) + 0.6 * rng.normal(size=(n, 4)) + [1, 2, 3, 4]
    return pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"]).assign(g=["a", "b"] * (n // 2))


def index_rows(*given: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(given, columns=["lhs", "op", "rhs", "group", "mi"])


def test_of_fixed_intercepts_the_one_with_the_largest_sum_of_indices_is_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = index_rows(
        ("x1", "~1", "", 1, 90.0), ("x1", "~1", "", 2, 3.0), ("x1", "~1", "", 3, 2.0),
        ("x2", "~1", "", 2, 4.0), ("f", "~1", "", 2, 50.0), ("x2", "~~", "x3", 2, 60.0),
        ("x3", "~1", "", 2, 1.0),
    )  # fmt: skip
    monkeypatch.setattr(analysis, "indices_of", lambda *_, at_bound: frame)
    loads = tuple(Parameter("f", "=~", f"x{k}") for k in range(1, 5))
    fit: Any = Made(estimated=None, table=Made(latent=("f",), rows=loads),
                    convergence=Made(at_bound=()))  # fmt: skip
    scalar = Level("scalar", ("intercepts",), ("intercepts",))
    found = _fixed_intercept(fit, scalar, ())
    assert found == ("x1~1", 5.0, 2, pytest.approx(stats.chi2.sf(5.0, 2)))
    found = _fixed_intercept(fit, scalar, ("x1~1",))
    assert found == ("x2~1", 4.0, 1, pytest.approx(stats.chi2.sf(4.0, 1)))
    # Two of the four must stay equal.
    assert _fixed_intercept(fit, scalar, ("x1~1", "x2~1")) is None
    assert _fixed_intercept(fit, Level("strict", (), ("residuals",)), ("x1~1", "x2~1")) == (
        "x3~1", 1.0, 1, pytest.approx(stats.chi2.sf(1.0, 1)),
    )  # fmt: skip


def test_what_is_released_is_new_at_its_level_and_ties_two_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = [
        Parameter("f", "=~", "x1", group=1, plabel=".p1."),
        Parameter("f", "=~", "x1", group=2, plabel=".p2."),
        Parameter("x2", "~~", "x2", group=1, plabel=".p3."),
        Parameter("x2", "~~", "x2", group=2, plabel=".p4."),
        Parameter("x3", "~1", "", group=1, plabel=".p5."),
        Parameter("x3", "~1", "", group=2, plabel=".p6."),
        Parameter("f", "~1", "", group=1, plabel=".p7."),
        Parameter("f", "~1", "", group=2, plabel=".p8."),
        Parameter("f", "~~", "f", group=1, plabel=".p9."),
        Parameter("f", "~~", "f", group=2, plabel=".p10."),
        Parameter("x4", "|", "t1", group=1, plabel=".p11."),
        Parameter("x4", "|", "t1", group=2, plabel=".p12."),
    ]  # fmt: skip
    loads = [Parameter("f", "=~", f"x{k}", group=1) for k in range(1, 7)]
    tests = pd.DataFrame(
        [(".p1.", "==", ".p2.", 5.0, 1, 0.03), (".p3.", "==", ".p4.", 7.0, 1, 0.01),
         (".p5.", "==", ".p6.", 6.0, 1, 0.02), (".p7.", "==", ".p8.", 99.0, 1, 0.0),
         (".p9.", "==", ".p10.", 98.0, 1, 0.0), (".p11.", "==", ".p12.", 4.0, 1, 0.04),
         (".p1.", "==", ".p1.", 97.0, 1, 0.0), (".p1.", "==", ".p99.", 96.0, 1, 0.0),
         (".p99.", "==", ".p2.", 96.0, 1, 0.0), (".p1.", "==", ".p2.", 95.0, 0, np.nan)],
        columns=["lhs", "op", "rhs", "chisq", "df", "p"],
    )  # fmt: skip
    monkeypatch.setattr(analysis, "releases_of", lambda *_: tests)
    fit: Any = Made(estimated=None, table=Made(latent=("f",), rows=[*table, *loads]))
    for new, expected in (
        (("loadings",), ("f=~x1", 5.0, 1, 0.03)), (("residuals",), ("x2~~x2", 7.0, 1, 0.01)),
        (("thresholds",), ("x4|t1", 4.0, 1, 0.04)),
        (("loadings", "intercepts"), ("x3~1", 6.0, 1, 0.02)),
        (("means",), ("f~1", 99.0, 1, 0.0)),
    ):  # fmt: skip
        assert release(fit, Level("any", (), new), ()) == expected
    assert release(fit, Level("any", (), ("variances",)), ()) is None
    assert release(fit, Level("metric", (), ("loadings",)), tuple(
        f"f=~x{k}" for k in (2, 3, 4, 5)
    )) is None  # fmt: skip


def test_a_text_says_which_levels_were_not_tested_on_their_own_merits() -> None:
    data = four_indicators(200)
    there = (data["g"] == "b").to_numpy()
    data.loc[there, "x2"] = 2 + 0.2 * (data.loc[there, "x2"] - 2)
    found = invariance(ONE, data, "g", estimator="ML")
    assert found.level == "configural"
    text = found.summary()
    assert "scalar and strict: not tested on its own merits, because metric does not hold" in text
    assert found.latent_means.empty
    assert text.endswith("latent means: not compared; they need equal (or partly equal) intercepts")
    assert found.title == "measurement invariance over groups (a 100, b 100): configural"


def test_only_what_comes_after_a_rejected_level_was_not_tested_on_its_own_merits() -> None:
    data = four_indicators(400)
    there = (data["g"] == "b").to_numpy()
    data.loc[there, "x4"] += 2 * np.random.default_rng(3).normal(size=there.sum())
    found = invariance(ONE, data, "g", estimator="ML")
    assert [step.holds for step in found.steps] == [True, True, True, False]
    assert found.level == "scalar"
    assert "on its own merits" not in found.summary()


def test_mplus_holds_loadings_and_intercepts_of_groups_equal_unless_told() -> None:
    data = four_indicators()
    asked = sem.fit(ONE, data, group="g", group_equal=["loadings", "intercepts"])
    mplus = sem.fit(ONE, data, group="g", mimic="Mplus")
    assert mplus.options.group_equal == ("loadings", "intercepts")
    assert mplus.problem.df == asked.problem.df
    told = sem.fit(ONE, data, group="g", mimic="Mplus", group_equal=["loadings"])
    assert told.options.group_equal == ("loadings",)
    assert sem.fit(ONE, data, mimic="Mplus").options.group_equal == ()


def test_a_limit_of_several_levels_is_stated_once() -> None:
    """Cases that are left out are the same at every level."""
    random = np.random.default_rng(8)
    ability = random.normal(size=(240, 1))
    data = pd.DataFrame(0.8 * ability + 0.6 * random.normal(size=(240, 4))).add_prefix("x")
    data = data.mask(random.uniform(size=data.shape) < 0.1).assign(lab=["a", "b"] * 120)
    found = gf.invariance("g =~ x0 + x1 + x2 + x3", data, group="lab", missing="listwise")
    left_out = [one for one in found.diagnostics if "Left out: " in one.sentence]
    assert len(left_out) == 1
    assert left_out[0].sentence.startswith("Left out: ")


def test_names_of_levels_stand_before_what_holds_at_some_of_them() -> None:
    assert findings._at_levels(["metric"], 4) == "At the metric level: "
    assert findings._at_levels(["metric", "scalar"], 4) == "At the metric and scalar levels: "
    assert findings._at_levels(["configural", "metric"], 2) == ""


def test_small_p_values_of_the_printed_steps_are_not_zero() -> None:
    random = np.random.default_rng(8)
    ability = random.normal(size=(600, 1))
    data = pd.DataFrame(0.8 * ability + 0.6 * random.normal(size=(600, 4))).add_prefix("x")
    data["lab"] = ["a", "b"] * 300
    data.loc[data["lab"] == "b", "x1"] += 1
    text = gf.invariance("g =~ x0 + x1 + x2 + x3", data, group="lab").summary()
    scalar = next(line for line in text.splitlines() if line.strip().startswith("scalar"))
    assert "< .001" in scalar

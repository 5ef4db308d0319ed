"""Bootstrap of fits: lavaan's estimates for given cases, right errors, honest counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support import lavaan_recorded as recorded
from support.m3gia_population import SECOND_ORDER, sample
from support.oracles import ORACLES

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.inference.resampling import interval, quantiles
from gfactor.psychometrics.sem import bootstrap
from gfactor.psychometrics.sem.batches.outcome import FAILED, IMPROPER, INFINITE, PROPER
from gfactor.psychometrics.sem.bootstrapping.analysis import _findings
from gfactor.psychometrics.sem.bootstrapping.resamples import moved_to_model
from gfactor.psychometrics.sem.bootstrapping.result import FitBootstrap


def test_given_cases_give_lavaans_estimates() -> None:
    theirs = recorded.read("bootstrap")
    fit = sem.fit(theirs["syntax"], recorded.sample(theirs["sample"]))
    found = bootstrap(fit, indices=recorded.resamples())
    np.testing.assert_allclose(found.fits.theta, theirs["coef"], rtol=1e-7)
    np.testing.assert_allclose(found.fits.chisq, theirs["chisq"], rtol=1e-9)


def test_given_cases_of_the_shared_oracle() -> None:
    path = ORACLES / "lavaan" / "hs_cfa3_bootstrap20_fixed_indices.json"
    theirs = json.loads(path.read_text())
    fit = sem.fit(theirs["syntax"], pd.read_csv(path.parent / theirs["data"]), std_lv=True)
    found = bootstrap(fit, indices=np.array(theirs["indices_zero_based"]))
    order = [fit.names.index(name) for name in theirs["coef_names"]]
    np.testing.assert_allclose(found.fits.theta[:, order], theirs["coef"], rtol=1e-8)
    np.testing.assert_allclose(found.fits.chisq, theirs["chisq"], rtol=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mediation", "groups_scalar", "labels"])
def test_errors_are_about_the_robust_ones(name: str) -> None:
    fit = recorded.replay(name)
    robust = fit if fit.options.estimator == "MLR" else None
    found = bootstrap(fit, 400, seed=1)
    assert (found.kept, found.failures) == (400, {})
    own = fit.estimates
    moves = own["se"].to_numpy() > 0
    ratio = found.intervals["se"].to_numpy()[moves] / own["se"].to_numpy()[moves]
    # The data are skewed: normal-theory errors are too small there, robust ones are not.
    assert 0.9 < np.median(ratio) < (1.15 if robust else 1.5)


@pytest.mark.thorough
def test_every_row_has_every_interval() -> None:
    fit = recorded.replay("mediation")
    found = bootstrap(fit, 300, seed=2)
    for standardized in (False, True):
        for method in ("percentile", "basic", "normal", "bca"):
            frame = found.interval_table(method, standardized=standardized)
            assert list(frame["lhs"] + frame["op"] + frame["rhs"]) == list(
                fit.estimates["lhs"] + fit.estimates["op"] + fit.estimates["rhs"]
            )
            moves = frame.loc[frame["se"] > 0]
            assert (moves["low"] < moves["high"]).all()
            assert {":=", "=~", "~"} & set(moves["op"])
    column = fit.estimates["std.all"].to_numpy()
    np.testing.assert_allclose(frame["est"], column, atol=1e-10)
    np.testing.assert_allclose(found.standardized.draws.mean(axis=0), column, atol=0.1)


def test_bca_is_the_percentile_interval_of_symmetric_draws_without_acceleration() -> None:
    draws = np.linspace(-1, 1, 199)[:, None]
    none = np.zeros(1)
    for mine, theirs in zip(
        interval(draws, none, 0.9, "bca", none), interval(draws, none, 0.9, "percentile"),
        strict=True,
    ):  # fmt: skip
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    # A skewed influence moves both limits to the long side.
    tilted = interval(draws, none, 0.9, "bca", np.full(1, 0.1))
    plain = interval(draws, none, 0.9, "percentile")
    assert tilted[0] > plain[0]
    assert tilted[1] > plain[1]


def test_a_limit_lies_between_two_order_statistics_in_proportion() -> None:
    """Of nine draws the 10 x share-th: 2.5 and 7.5 lie in the middle, 2.2 near the second."""
    draws = np.tile(np.arange(1.0, 10.0)[::-1, None] ** 2, 3)
    found = quantiles(draws, np.array([0.25, 0.75, 0.22]))
    np.testing.assert_allclose(found, [(4 + 9) / 2, (49 + 64) / 2, 4 + 0.2 * (9 - 4)])
    assert quantiles(draws[:, :1], np.array([0.001])) == 1
    assert quantiles(draws[:, :1], np.array([0.999])) == 81


def test_limits_may_be_infinite() -> None:
    draws = np.append(np.arange(90.0), np.full(10, np.inf))[:, None]
    high = quantiles(draws, np.array([0.95]))
    assert np.isinf(high).all()
    assert np.isfinite(quantiles(draws, np.array([0.5]))).all()


def test_bollen_stine_data_have_the_models_moments() -> None:
    fit = recorded.replay("groups_scalar")
    for number, here in enumerate(fit.point.groups):
        rows = moved_to_model(fit, number)
        np.testing.assert_allclose(np.cov(rows.T, bias=True), here.sigma, atol=1e-10)
        np.testing.assert_allclose(rows.mean(axis=0), here.mu, atol=1e-10)


@pytest.mark.thorough
def test_bollen_stine_rejects_what_is_wrong_and_keeps_what_is_right() -> None:
    data = recorded.sample("three_factors")
    right = sem.fit("f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9", data)
    wrong = sem.fit("f =~ x1 + x2 + x3 + x4 + x5 + x6", data)
    p = bootstrap(wrong, 200, kind="bollen-stine", seed=1).p_value
    assert p == pytest.approx(1 / 201)
    p = bootstrap(right, 400, kind="parametric", seed=1).p_value
    assert p is not None
    assert p == pytest.approx(right.measures["pvalue"], abs=0.08)
    assert bootstrap(right, 20, seed=1).p_value is None


@pytest.fixture(scope="module")
def small() -> FitBootstrap:
    return bootstrap(sem.fit(SECOND_ORDER, sample(3), std_lv=True), 200, seed=4)


@pytest.mark.thorough
def test_a_small_samples_failures_are_said_first(small: FitBootstrap) -> None:
    assert sum(small.shares.values()) == small.n_bootstrap == 200
    assert small.shares["failed"] < 0.02 * 200
    codes = {one.code: one for one in small.diagnostics}
    assert codes["resamples_at_infinity"].severity == "warning"
    assert "disturbance of" in codes["resamples_at_infinity"].sentence
    assert small.summary().startswith("warning")
    document = json.dumps(small.to_dict(), allow_nan=False)
    assert "resamples_at_infinity" in document
    assert "at infinity" in small._repr_html_()
    frame = small.intervals
    assert np.isposinf(frame.loc[frame["lhs"] == "GIA", "high"]).any()
    standard = small.interval_table(standardized=True)
    assert np.isfinite(standard.loc[standard["se"] > 0, ["low", "high"]].to_numpy()).all()


def test_the_seed_decides() -> None:
    fit = recorded.replay("cfa_ml")
    first, second, other = (bootstrap(fit, 5, seed=seed) for seed in (1, 1, 2))
    assert first.draws.tobytes() == second.draws.tobytes()
    assert not np.array_equal(first.draws, other.draws)


@pytest.mark.slow
def test_another_process_gives_the_same_bytes() -> None:
    text = (
        "import hashlib, sys; sys.path.insert(0, 'tests');"
        "from support import lavaan_recorded as r; from gfactor.psychometrics.sem import bootstrap;"
        "b = bootstrap(r.replay('cfa_ml'), 20, seed=3);"
        "print(hashlib.sha256(b.draws.tobytes()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    seen = {
        subprocess.run(
            [sys.executable, "-c", text], cwd=root, check=True, capture_output=True, text=True,
            env={"PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": str(root / "src")},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(seen) == 1


def test_full_information_resamples_incomplete_cases() -> None:
    found = bootstrap(recorded.replay("fiml"), 4, seed=1)
    assert found.kept == 4
    assert bootstrap(recorded.replay("fiml"), 2, kind="parametric").kept == 2


def test_least_squares_and_nonlinear_constraints_go_one_by_one() -> None:
    for name in ("cfa_uls", "nonlinear"):
        assert bootstrap(recorded.replay(name), 3, seed=1).kept == 3


def test_what_cannot_be_resampled_is_refused_in_words() -> None:
    fit = recorded.replay("cfa_ml")
    with pytest.raises(ParameterError, match="ordinal"):
        bootstrap(recorded.replay("binary"), 5, kind="bollen-stine")
    with pytest.raises(ParameterError, match="two or more"):
        bootstrap(fit, 1)
    with pytest.raises(ParameterError, match="complete"):
        bootstrap(recorded.replay("fiml"), 5, kind="bollen-stine")
    with pytest.raises(ParameterError, match="no bootstrap 'wild'"):
        bootstrap(fit, 5, kind="wild")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="one row of"):
        bootstrap(fit, indices=np.zeros((3, 5), dtype=int))
    with pytest.raises(ParameterError, match="cases are 0 to"):
        bootstrap(fit, indices=np.full((3, fit.n), fit.n))
    with pytest.raises(ParameterError, match="no interval 'exact'"):
        bootstrap(fit, 3).interval_table("exact")  # type: ignore[arg-type]


def test_the_command_line_gives_a_p_value_of_the_chi_square(tmp_path: Path) -> None:
    data = tmp_path / "cases.csv"
    recorded.sample("three_factors").to_csv(data, index=False)
    words = ["analyze", "cfa", str(data), "--model", "f =~ x1 + x2 + x3 + x4 + x5", "--bootstrap",
             "50", "--bootstrap-type", "bollen-stine", "--seed", "2"]  # fmt: skip
    shown = CliRunner().invoke(cli, words)
    assert shown.exit_code == 0, shown.output
    assert "bootstrap p = .020 (50 statistics)" in shown.output
    document = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)["bootstrap"]
    assert document["kind"] == "bollen-stine"
    assert document["p_value"] == pytest.approx(1 / 51)


def findings_of_resamples(kinds: str, converged: bool = True) -> list[tuple[str, str, str]]:
    """What is said of resamples: f failed, i improper, o at infinity, p proper."""
    names = {"f": FAILED, "i": IMPROPER, "o": INFINITE, "p": PROPER}
    every = [names[k] for k in kinds]
    fits: Any = ResamplesOfKinds(every)
    fit: Any = Made(converged=converged, convergence=Made(sentence="no end"))
    return [(one.code, one.severity, one.sentence) for one in _findings(fit, fits)]


class ResamplesOfKinds:
    """Resamples of given kinds, with a reason each."""

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = kinds

    def __len__(self) -> int:
        return len(self.kinds)

    def count(self, kind: str) -> int:
        return self.kinds.count(kind)

    def reasons(self, kind: str) -> dict[str, int]:
        return {f"reason {k}": 1 for k in range(self.count(kind))}


def test_lost_infinite_and_improper_resamples_are_told_by_their_shares() -> None:
    assert findings_of_resamples("p" * 50) == []
    assert findings_of_resamples("f" + "p" * 49) == []
    ((code, severity, sentence),) = findings_of_resamples("f" + "p" * 48)
    assert (code, severity) == ("resamples_lost", "warning")
    assert sentence == "1 of 49 resamples gave no fit (reason 0: 1)."
    assert findings_of_resamples("ff" + "p" * 8)[0][1] == "warning"
    assert findings_of_resamples("fff" + "p" * 11)[0][1] == "error"
    for letter, code in (("o", "resamples_at_infinity"), ("i", "resamples_improper")):
        assert findings_of_resamples(letter + "p" * 19)[0][:2] == (code, "note")
        assert findings_of_resamples(letter + "p" * 18)[0][:2] == (code, "warning")
        assert findings_of_resamples(letter + "p" * 19)[0][2].startswith(("In 1 of 20", "1 of 20"))
    assert findings_of_resamples("p", converged=False)[0][:2] == (
        "bootstrap_of_no_minimum",
        "error",
    )

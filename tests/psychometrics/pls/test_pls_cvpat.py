"""CVPAT: losses of prediction out of sample, compared case by case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

from gfactor.cli import cli
from gfactor.errors import ParameterError
from gfactor.psychometrics import cvpat, fit_pls, predict_pls

MODEL = "A =~ a1 + a2; B =~ b1 + b2; C =~ c1 + c2; B ~ A; C ~ B"
RIVAL = "N =~ n1 + n2; B =~ b1 + b2; C =~ c1 + c2; B ~ N; C ~ B"


def drawn(seed: int, n: int = 150) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a, noise = rng.normal(size=(2, n))
    b = 0.6 * a + 0.8 * rng.normal(size=n)
    c = 0.5 * b + 0.8 * rng.normal(size=n)
    columns = {"a": a, "n": noise, "b": b, "c": c}
    return pd.DataFrame(
        {f"{x}{k}": v + 0.6 * rng.normal(size=n) for x, v in columns.items() for k in (1, 2)}
    )


DATA = drawn(1)


def test_the_test_is_the_paired_t_test_of_the_cases_losses() -> None:
    prediction = predict_pls(fit_pls(MODEL, DATA), folds=5, seed=3)
    table = cvpat(prediction).table.set_index(["against", "construct"])
    own = (prediction.errors**2).mean(axis=1)
    linear = (prediction.lm_errors**2).mean(axis=1)
    row, wanted = table.loc[("linear model", "all")], stats.ttest_rel(own, linear)
    assert row["t"] == pytest.approx(wanted.statistic)
    assert row["p"] == pytest.approx(wanted.pvalue)
    low, high = wanted.confidence_interval(0.95)
    assert (row["ci_lower"], row["ci_upper"]) == (pytest.approx(low), pytest.approx(high))
    one_sided = stats.ttest_rel(own, linear, alternative="less")
    assert row["p_better"] == pytest.approx(one_sided.pvalue)
    parts = (prediction.errors[["c1", "c2"]] ** 2).mean(axis=1)
    assert table.loc[("linear model", "C"), "loss"] == pytest.approx(parts.mean())


@pytest.mark.thorough
def test_averages_are_those_of_the_training_cases() -> None:
    prediction = predict_pls(fit_pls(MODEL, DATA), folds="loo")
    row = cvpat(prediction).table.iloc[0]
    # Leaving one case out moves its mean by the factor n / (n - 1).
    away = (DATA[["b1", "b2", "c1", "c2"]] - DATA[["b1", "b2", "c1", "c2"]].mean()) * 150 / 149
    assert row["against"] == "indicator averages"
    assert row["loss_against"] == pytest.approx((away**2).to_numpy().mean())
    assert row["verdict"] == "better"


def test_repeats_average_squared_errors_and_not_errors() -> None:
    fit = fit_pls(MODEL, DATA)
    again = cvpat(predict_pls(fit, folds=3, repeats=4, seed=2)).table["loss"][0]
    assert again > (predict_pls(fit, folds=3, repeats=4, seed=2).errors ** 2).to_numpy().mean()


def test_the_model_that_made_the_data_predicts_better_than_a_rival() -> None:
    mine, rival = (predict_pls(fit_pls(text, DATA), folds=10, seed=1) for text in (MODEL, RIVAL))
    table = cvpat(mine, rival).table.set_index("construct")
    assert table.loc["B", "verdict"] == "better"
    assert table.loc["C", "verdict"] == "not decided"
    mirrored = cvpat(rival, mine).table.set_index("construct")
    assert mirrored.loc["B", "difference"] == pytest.approx(-table.loc["B", "difference"])
    assert mirrored.loc["B", "verdict"] == "worse"


@pytest.mark.thorough
def test_a_model_without_an_effect_is_seldom_called_better_than_averages() -> None:
    text = "N =~ n1 + n2; B =~ b1 + b2; B ~ N"
    verdicts = [
        cvpat(predict_pls(fit_pls(text, drawn(seed, 80)), folds=5)).table["verdict"][0]
        for seed in range(25)
    ]
    assert verdicts.count("better") <= 2


def test_predictions_that_cannot_be_compared_are_refused() -> None:
    fit = fit_pls(MODEL, DATA)
    first = predict_pls(fit, folds=5, seed=1)
    with pytest.raises(ParameterError, match="differ in seed"):
        cvpat(first, predict_pls(fit, folds=5, seed=2))
    with pytest.raises(ParameterError, match="differ in n"):
        cvpat(first, predict_pls(fit_pls(MODEL, drawn(2, 90)), folds=5, seed=1))
    apart = fit_pls("B =~ b1 + b2; A =~ a1 + a2; A ~ B", DATA)
    with pytest.raises(ParameterError, match="no indicator in common"):
        cvpat(first, predict_pls(apart, folds=5, seed=1))
    wide = fit_pls(MODEL, DATA.assign(c1=10 * DATA["c1"]))
    codes = [one.code for one in cvpat(predict_pls(wide, folds=5)).diagnostics]
    assert codes == ["indicators_on_other_scales"]


@pytest.mark.thorough
def test_the_command_line_compares_with_benchmarks_and_with_a_model(tmp_path: Path) -> None:
    DATA.to_csv(tmp_path / "d.csv", index=False)
    call = ["analyze", "pls", str(tmp_path / "d.csv"), "--model", MODEL, "--predict", "5"]
    plain = CliRunner().invoke(cli, call)
    assert plain.exit_code == 0, plain.output
    assert "CVPAT, 5 folds, n = 150" in plain.stdout
    done = CliRunner().invoke(cli, [*call, "--against", RIVAL, "--json"])
    assert done.exit_code == 0, done.output
    losses = json.loads(done.stdout)["cvpat"]["losses"]
    assert {row["against"] for row in losses} == {"other model"}
    alone = CliRunner().invoke(cli, [*call[:5], "--against", RIVAL])
    assert "--against is for PLSpredict; give --predict" in str(alone.exception)

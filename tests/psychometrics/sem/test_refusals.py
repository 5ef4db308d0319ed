"""What cannot be fitted is refused in one sentence that names the culprit; the rest is fitted."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.sem_samples import SAMPLES

from gfactor.cli.analyses.cfa import command
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.criteria import refuse_singular
from gfactor.psychometrics.sem.model_reliability import reliability
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.sample import GroupSample, Sample

MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
ONE = "f =~ x1 + x2 + x3"
DATA = SAMPLES["three_factors"]()


def refusal(model: str, data: pd.DataFrame, **changes: Any) -> str:
    with pytest.raises(GfactorError) as found:
        sem.fit(model, data, **changes)
    sentence = str(found.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("estimator", ["ML", "MLR", "MLM", "GLS", "WLS"])
@pytest.mark.parametrize("cases", [2, 5, 9])
def test_fewer_cases_than_variables_are_refused(estimator: str, cases: int) -> None:
    sentence = refusal(MODEL, DATA.head(cases), estimator=estimator)
    assert f"{cases} cases" in sentence


@pytest.mark.parametrize("estimator", ["ML", "GLS", "MLR"])
def test_variables_that_determine_each_other_are_named(estimator: str) -> None:
    twice = DATA.assign(x3=DATA["x1"] + DATA["x2"])
    assert "x1, x2, x3" in refusal(MODEL, twice, estimator=estimator)
    assert "x2, x3" in refusal(MODEL, DATA.assign(x3=DATA["x2"]), missing="ml")


def test_a_variable_without_values_is_named() -> None:
    for missing in ("listwise", "ml"):
        assert "'x3' has no values" in refusal(ONE, DATA.assign(x3=np.nan), missing=missing)


def test_a_group_of_one_is_named() -> None:
    alone = DATA.assign(school=["solo", *DATA["school"][1:]])
    assert "'solo'" in refusal(ONE, alone, group="school")


@pytest.mark.parametrize(
    "given",
    [
        {"std.lv": "maybe"},
        {"group.equal": 5},
        {"ordered": 5},
        {"information": []},
        {"em.h1.tol": -1},
        {"meanstructure": "yes"},
        {"missing": ["ml", "listwise"]},
        {"estimator": {"a": 1}},
        {"estimator": "ULS", "se": "robust.huber.white"},
        {"estimator": "WLSMV", "test": "yuan.bentler"},
        {"estimator": "ML", "ordered": ["x1"]},
        {"information": "first.order", "se": "robust.sem"},
        {"group.label": ["nowhere", "north"]},
        {"conditional.x": True, "fixed.x": False},
    ],
)
def test_impossible_options_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(GfactorError):
        sem.fit(MODEL, DATA, options=sem.Options.from_lavaan(given), group="school")


def test_groups_stand_in_the_order_asked_for() -> None:
    fit = sem.fit(ONE, DATA, group="school", group_label=("south", "north"))
    assert fit.sample.labels == ("south", "north")
    turned = sem.fit(ONE, DATA, group="school", group_label=("north", "south"))
    np.testing.assert_allclose(fit.theta, np.roll(turned.theta, 9), rtol=1e-7)


@pytest.mark.parametrize(
    "model",
    [
        "x1 ~~ x1",
        "f =~ x1",
        "f =~ x1 + x2",
        "f =~ x1 + x2 + x3 + x4\ng =~ x1 + x2 + x3 + x4",
        "f =~ x1 + x2 + x3\nf ~~ 0*f",
        "f =~ x1 + x2 + x3\nd := log(-1)",
        "f =~ 0*x1 + 0*x2 + 0*x3",
        "f =~ x1 + x2 + x3\nx2 ~ x4\nf ~ x5",
        "f =~ x1 + x2 + x3\nx4 ~ f + x1",
    ],
)
def test_odd_models_end_without_a_warning_of_numpy(model: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = sem.fit(model, DATA)
        assert fit.to_dict()["fit"]["df"] is not None
        modification_indices(fit)
        if fit.table.latent:
            reliability(fit)


def test_a_model_that_has_no_covariance_matrix_is_refused() -> None:
    assert "positive definite" in refusal("x1 ~~ 0*x1\nx2 ~ x1", DATA)


def test_the_first_cell_that_is_no_number_is_named(tmp_path: Path) -> None:
    from click.testing import CliRunner  # noqa: PLC0415

    text = DATA.astype({"x2": object})
    text.loc[4, "x2"] = "abc"
    text.to_csv(tmp_path / "d.csv", index=False)
    ran = CliRunner().invoke(command, [str(tmp_path / "d.csv"), "--model", ONE, "--json"])
    assert "row 5, column 'x2': 'abc'" in str(ran.exception or ran.output)


def test_a_long_model_needs_no_file(tmp_path: Path) -> None:
    from click.testing import CliRunner  # noqa: PLC0415

    DATA.to_csv(tmp_path / "d.csv", index=False)
    long = ONE + "\n# " + "x" * 5000
    ran = CliRunner().invoke(command, [str(tmp_path / "d.csv"), "--model", long, "--json"])
    assert ran.exit_code == 0


@pytest.mark.parametrize("changes", [{"estimator": "GLS"}, {"estimator": "MLM"}, {"missing": "ml"}])
def test_covariates_are_taken_out_where_lavaan_can(changes: dict[str, Any]) -> None:
    sentence = refusal(ONE + "\nf ~ x9", DATA, conditional_x=True, **changes)
    assert "fixed_x = True instead" in sentence


def test_an_estimator_that_is_none_is_refused_in_a_sentence() -> None:
    for given in (None, ""):
        with pytest.raises(GfactorError, match=r"estimator is (None|''), but gfactor supports"):
            sem.Options(estimator=given)  # type: ignore[arg-type]
        assert sem.Options(se=given, missing=given).se == "default"  # type: ignore[arg-type]


def test_a_bootstrap_without_a_seed_has_seed_zero() -> None:
    data = SAMPLES["three_factors"]().rename(columns={"x9": "y"})

    def errors(**options: Any) -> Any:
        return sem.fit("y ~ x1", data, se="bootstrap", bootstrap=8, **options).estimates["se"]

    assert errors().tolist() == errors(iseed=0).tolist()
    assert errors().tolist() != errors(iseed=1).tolist()


def test_a_correlation_matrix_is_singular_below_an_eigenvalue_of_a_billionth() -> None:
    def of(least: float, n: int = 50) -> Sample:
        cov = np.array([[4.0, 6 * (1 - least)], [6 * (1 - least), 9.0]])
        return Sample(("x", "y"), (GroupSample("", n, np.zeros(2), cov),))

    refuse_singular(of(5e-9))
    with pytest.raises(ParameterError, match="among x, y some determine the others"):
        refuse_singular(of(5e-10))
    with pytest.raises(ParameterError, match="use a smaller model or collect more cases"):
        refuse_singular(of(5e-10, 2))

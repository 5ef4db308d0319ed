"""Chi-square differences agree with lavaan, and a negative scaling is said, not divided by."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.oracles import ORACLES
from support.sem_samples import SAMPLES

import gfactor as gf
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.sem import Fit, fit, invariance
from gfactor.psychometrics.sem.comparison import compare_fits

HERE = Path(__file__).parent
LAVAAN = ORACLES / "lavaan"
MODEL = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6\nf3 =~ x7 + x8 + x9"
LEVELS = {
    "configural": (),
    "metric": ("loadings",),
    "scalar": ("loadings", "intercepts"),
    "strict": ("loadings", "intercepts", "residuals"),
}
PAIRS = [("configural", "metric"), ("metric", "scalar"), ("scalar", "strict")]
SHORT = {
    "satorra.bentler.2001": "SB2001",
    "satorra.bentler.2010": "SB2010",
    "satorra.2000": "S2000",
}


def levels(data: pd.DataFrame, estimator: str) -> dict[str, Fit]:
    return {
        name: fit(MODEL, data, group="school", estimator=estimator, group_equal=equal)
        for name, equal in LEVELS.items()
    }


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["satorra.bentler.2001", "satorra.bentler.2010"])
def test_as_recorded_from_lavaan(method: str) -> None:
    # lavaan 0.6-14, lavTestLRT; see record.R.
    recorded = json.loads((HERE / "recorded" / "differences.json").read_text())
    fits = levels(SAMPLES["three_factors"](), "MLR")
    for larger, smaller in PAIRS:
        found = compare_fits(fits[smaller], fits[larger], method=method)
        expected = recorded[f"{larger} {smaller} {method}"]
        assert (found.chisq, found.df) == (
            pytest.approx(expected["chisq"], rel=1e-6),
            expected["df"],
        )
        assert found.pvalue == pytest.approx(expected["p"], rel=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["standard", *SHORT])
def test_levels_of_holzinger_and_swineford(method: str) -> None:
    oracle = json.loads((LAVAAN / "lrt_differences.json").read_text())
    data = pd.read_csv(LAVAAN / "HolzingerSwineford1939.csv")
    fits = levels(data, "ML" if method == "standard" else "MLR")
    for larger, smaller in PAIRS:
        found = compare_fits(fits[smaller], fits[larger], method=method)
        expected = oracle[f"{larger}_vs_{smaller}_{SHORT.get(method, 'ML')}"][1]
        assert found.chisq == pytest.approx(expected["Chisq_diff"], rel=1e-8)
        assert found.df == expected["Df_diff"]
        assert found.pvalue == pytest.approx(expected["Pr__Chisq_"], rel=1e-6)


@pytest.mark.thorough
def test_ordinal_differences_as_lavaan_gives_them() -> None:
    # lavaan 0.6-14, 2026-11-21: lavTestLRT of cfa(MODEL, ordinal, ordered = x1 ... x9,
    # estimator = "WLSMV", group = "school", parameterization = "theta", std.lv = TRUE) with
    # group.equal = loadings and thresholds, and those and residuals.
    data = SAMPLES["ordinal"]()
    steps = [(), ("loadings", "thresholds"), ("loadings", "thresholds", "residuals")]
    ordered = tuple(f"x{i}" for i in range(1, 10))
    fits = [
        fit(
            MODEL,
            data,
            group="school",
            estimator="WLSMV",
            ordered=ordered,
            parameterization="theta",
            std_lv=True,
            group_equal=equal,
        )
        for equal in steps
    ]
    for (larger, smaller), (chisq, df) in zip(
        [(0, 1), (1, 2)], [(20.3471330252, 16), (11.0414565611, 9)], strict=True
    ):
        found = compare_fits(fits[smaller], fits[larger])
        assert (found.method, found.df) == ("satorra.2000", df)
        assert found.chisq == pytest.approx(chisq, rel=1e-6)


def test_a_negative_scaling_is_said() -> None:
    rows = np.random.default_rng(23).choice(320, 50, replace=False)
    data = SAMPLES["three_factors"]().iloc[rows]
    model = "f1 =~ x1 + x2 + x3\nf2 =~ x4 + x5 + x6"
    free = fit(model + "\nx1 ~~ x4", data, estimator="MLR")
    held = fit(model, data, estimator="MLR")
    found = compare_fits(held, free, method="satorra.bentler.2001")
    assert found.factor == pytest.approx(-0.1767, abs=1e-3)
    assert found.diagnostics[0].code == "negative_scaling"
    assert found.to_dict()["chisq"] is None
    assert compare_fits(held, free, method="satorra.bentler.2010").factor > 0


def test_what_is_not_nested_is_refused() -> None:
    data = SAMPLES["three_factors"]()
    one, two = fit(MODEL, data), fit(MODEL + "\nx7 ~~ x8", data)
    with pytest.raises(ParameterError, match="more degrees of freedom; got 23 and 24"):
        compare_fits(two, one)
    assert gf.compare_fits(two, one).chisq == gf.compare_fits(one, two).chisq
    with pytest.raises(ParameterError, match="320 and 300 cases"):
        compare_fits(one, fit(MODEL, data.iloc[:300]))
    with pytest.raises(ParameterError, match="needs a scaled test"):
        compare_fits(one, two, method="satorra.bentler.2001")
    with pytest.raises(UnknownNameError, match=r"did you mean 'satorra\.2000'"):
        compare_fits(one, two, method="satorra.200")


def test_models_that_the_data_do_not_identify_have_no_difference_test() -> None:
    """Ordinal indicators beside continuous ones in two groups: too few restrictions."""
    data = SAMPLES["three_factors"]().copy()
    ordered = [f"x{k}" for k in range(1, 7)]
    for name in ordered:
        data[name] = np.digitize(data[name], np.quantile(data[name], [0.3, 0.6, 0.85]))
    with pytest.raises(ParameterError, match="not identified by these data, so there is no diff"):
        invariance(MODEL, data, "school", ordered=ordered)


def test_equivalent_models_are_said_to_be_equivalent() -> None:
    data = SAMPLES["three_factors"]()
    forth, back = (
        gf.sem(f"a =~ x1 + x2 + x3\nb =~ x4 + x5 + x6\n{path}", data) for path in ("b ~ a", "a ~ b")
    )
    found = gf.compare_fits(forth, back)
    finding = found.diagnostics[0]
    assert (finding.code, found.df, found.chisq) == ("equivalent_models", 0, 0.0)
    assert np.isnan(found.pvalue)
    assert "both have 8 degrees of freedom and a chi-square of" in finding.sentence
    assert found.title.startswith("equivalent models")
    table = gf.compare_fits(forth, back, gf.sem("g =~ x1 + x2 + x3 + x4 + x5 + x6", data))
    assert "equivalent_models" in {one.code for one in table.diagnostics}
    assert table.fits["d_df"].tolist()[1:] == [0, 1]
    # Models of one size that imply different covariances are not.
    other = gf.sem("a =~ x1 + x2 + x4\nb =~ x3 + x5 + x6\nb ~ a", data)
    with pytest.raises(ParameterError, match=r"both models have 8 .* nested=False"):
        gf.compare_fits(forth, other)


def test_variables_may_stand_in_another_order() -> None:
    data = SAMPLES["three_factors"]()
    one = gf.sem("g =~ x1 + x2 + x3 + x4", data, estimator="MLR")
    two = gf.sem("a =~ x1 + x3\nb =~ x2 + x4\na ~~ b", data, estimator="MLR")
    same = gf.sem("a =~ x1 + x3\nb =~ x4 + x2\na ~~ b", data, estimator="MLR")
    assert gf.compare_fits(one, two).chisq == pytest.approx(gf.compare_fits(one, same).chisq)
    with pytest.raises(ParameterError, match="in the same order; write 'x1' first"):
        gf.compare_fits(one, two, method="satorra.2000")

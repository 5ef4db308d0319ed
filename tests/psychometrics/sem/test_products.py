"""Products of observed variables (x:z) in regressions.

lavaan's digits are replayed in test_recorded_fits.py (product_paths, product_latent).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support import lavaan_recorded as recorded

from gfactor.api.analyses.model_files import observed_of, read_cases
from gfactor.errors import ParameterError
from gfactor.psychometrics import sem

DATA = recorded.sample("two_levels")
TEXT = "y1 ~ x1 + x2 + x1:x2"


def test_a_product_is_the_column_that_one_would_write() -> None:
    own = sem.fit(TEXT, DATA)
    written = sem.fit("y1 ~ x1 + x2 + p", DATA.assign(p=DATA["x1"] * DATA["x2"]))
    np.testing.assert_allclose(own.theta, written.theta, rtol=1e-12)
    assert own.estimates["rhs"].tolist()[2] == "x1:x2"
    labelled = sem.fit("y1 ~ x1 + x2 + b*`x1`:x2; twice := 2*b", DATA)
    assert labelled.estimates["est"].iloc[-1] == pytest.approx(2 * own.theta[2])
    again = sem.fit(str(sem.parse_model(TEXT)), DATA)
    np.testing.assert_array_equal(again.theta, own.theta)


def test_a_column_of_that_name_is_taken_as_it_is() -> None:
    named = DATA.assign(**{"x1:x2": DATA["x1"] - DATA["x2"] ** 2})
    direct = sem.fit("y1 ~ x1 + x2 + q", DATA.assign(q=DATA["x1"] - DATA["x2"] ** 2))
    np.testing.assert_allclose(sem.fit(TEXT, named).theta, direct.theta, rtol=1e-12)


def test_a_product_is_missing_where_one_of_its_variables_is() -> None:
    gaps = DATA.assign(x2=DATA["x2"].mask(DATA.index % 10 == 0))
    assert sem.fit(TEXT, gaps).n == sum(gaps["x2"].notna().tolist())
    assert sem.fit(TEXT, gaps, missing="ml.x").n == len(DATA)


def test_products_predict_within_clusters_ordinal_outcomes_and_new_scores() -> None:
    levels = sem.fit("level: 1\ny1 ~ x1 + y4 + x1:y4\nlevel: 2\ny1 ~ funds", DATA, cluster="school")
    assert levels.converged
    assert "x1:y4" in levels.estimates["rhs"].tolist()
    steps = DATA.assign(y=(DATA["y1"] > 0).astype(int))
    ordinal = sem.fit("y ~ x1 + x2 + x1:x2", steps, ordered=("y",))
    written = sem.fit("y ~ x1 + x2 + p", steps.assign(p=steps["x1"] * steps["x2"]), ordered=("y",))
    np.testing.assert_allclose(ordinal.theta, written.theta, rtol=1e-9)
    factor = sem.fit("g =~ y1 + y2 + y3\ng ~ x1 + x2 + x1:x2", DATA)
    scores = sem.factor_scores(factor, DATA.head(3)).scores
    np.testing.assert_allclose(scores, sem.factor_scores(factor).scores.head(3), atol=1e-12)


def test_a_product_needs_observed_variables() -> None:
    with pytest.raises(ParameterError, match=r"'x1:other' needs the column 'other'"):
        sem.fit("y1 ~ x1:other", DATA)
    with pytest.raises(ParameterError, match=r"'g:x1' needs the column 'g'"):
        sem.fit("g =~ y1 + y2 + y3\ny4 ~ g:x1", DATA)
    with pytest.raises(ParameterError, match="does not go with the product 'x1:x2'"):
        sem.fit(TEXT, DATA, std_ov=True)
    with pytest.raises(ParameterError, match="does not define a population"):
        sem.simulate_data("y ~ 0.3*x + 0.2*z + 0.1*x:z", 100, seed=1)


def test_a_file_of_data_needs_the_variables_of_a_product(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    DATA.to_csv(path, index=False)
    frame = read_cases(path, observed_of(TEXT, TEXT), None)
    assert sem.fit(TEXT, frame).n == len(DATA)
    with pytest.raises(ParameterError, match="no column 'zz'"):
        read_cases(path, observed_of("y1 ~ x1:zz", ""), None)

"""lavaan's test = "bollen.stine": the standard test with a p-value from moved resamples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem

MODEL = "f =~ a + b + c + d + e"


def test_its_p_is_that_of_the_bootstrap_and_the_rest_is_the_standard_test() -> None:
    data = sem.simulate_data("f =~ 0.7*a + 0.7*b + 0.7*c + 0.6*d + 0.6*e", 150, seed=4)
    given = {"test": ["standard", "bollen.stine"], "bootstrap": 200, "iseed": 5}
    fit = sem.fit(MODEL, data, options=sem.Options.from_lavaan(given))
    found = dict(fit.measures)
    p = found.pop("pvalue.bollen.stine")
    assert found == dict(sem.fit(MODEL, data).measures)
    drawn = sem.bootstrap(fit, 200, kind="bollen-stine", seed=5)
    assert p == drawn.p_value
    assert found["pvalue"] == pytest.approx(p, abs=0.15)


def test_it_needs_complete_cases_of_continuous_variables() -> None:
    data = sem.simulate_data("f =~ 0.7*a + 0.7*b + 0.7*c + 0.6*d + 0.6*e", 150, seed=4)
    answers = pd.DataFrame(np.digitize(data, [-0.5, 0.5]), columns=data.columns)
    with pytest.raises(ParameterError, match=r"bollen\.stine"):
        sem.fit(MODEL, data, test="bollen.stine", missing="ml")
    with pytest.raises(ParameterError, match=r"bollen\.stine"):
        sem.fit(MODEL, answers, test="bollen.stine", ordered="*")

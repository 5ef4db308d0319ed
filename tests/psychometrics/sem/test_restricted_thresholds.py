"""Robust CFI and RMSEA describe polychoric correlations only: models that say something of
thresholds have none, and invariance of ordinal answers is judged by scaled ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.psychometrics.sem.measurement_invariance import invariance

MODEL = "f1 =~ x1 + x2 + x3 + x4\nf2 =~ x5 + x6 + x7 + x8"
NAMES = [f"x{i}" for i in range(1, 9)]
MEASURES = ("chisq", "chisq.scaled", "cfi.scaled", "rmsea.scaled", "cfi.robust", "rmsea.robust")

# lavaan 0.6-14, R 4.2.2, 2026-11-29: cfa(..., ordered = NAMES, group = "kind", std.lv = TRUE,
# parameterization = "theta") of `shifted()`, with no group.equal; thresholds, loadings and
# intercepts; residuals, too. The last two are of one group, without and with x1 | a*t1, x2 | a*t1.
LAVAAN = {
    "configural": (28.7337982, 52.2235631, 0.9971442912, 0.0306285161, 0.9942880286, 0.0355623862),
    "scalar": (154.6888649, 239.9252855, 0.9634742969, 0.0886637484, None, None),
    "strict": (167.8522374, 252.1057788, 0.9626349663, 0.0840662188, None, None),
    "one group": (12.9340469, 24.3363435, 0.9988856121, 0.0187487232, 0.9956601317, 0.0310387225),
    "equal thresholds": (13.1837294, 24.8665346, 0.9989837222, 0.0174510483, None, None),
}


def shifted() -> pd.DataFrame:
    """Answers of two groups in four categories; x3 is easier for models by 0.8."""
    rng = np.random.default_rng(3)
    frames = []
    for group, mean, sd in (("people", 0.0, 1.0), ("models", 0.4, 1.3)):
        common = rng.normal(size=(400, 1))
        f = mean + sd * (0.6 * common + 0.8 * rng.normal(size=(400, 2)))
        loadings = np.kron(np.eye(2), np.array([[0.8], [0.7], [0.6], [0.7]]))
        x = 2 + f @ loadings.T + 0.6 * rng.normal(size=(400, 8))
        frames.append(pd.DataFrame(x, columns=NAMES).assign(kind=group))
    data = pd.concat(frames, ignore_index=True)
    data.loc[data["kind"] == "models", "x3"] += 0.8
    data[NAMES] = np.digitize(data[NAMES], [1.2, 2.0, 2.9])
    return data


def is_lavaans(measures: Mapping[str, float | None], name: str) -> None:
    for measure, expected in zip(MEASURES, LAVAAN[name], strict=True):
        found = measures.get(measure)
        if expected is None:
            assert found is None, (name, measure)
        else:
            # The correlations of lavaan are accurate to about 3e-8.
            assert found == pytest.approx(expected, rel=2e-5), (name, measure)


@pytest.mark.thorough
@pytest.mark.parametrize("criterion", ["fit", "p"])
def test_a_shifted_item_breaks_scalar_invariance_of_ordinal_answers(criterion: str) -> None:
    found = invariance(MODEL, shifted(), "kind", ordered=NAMES, criterion=criterion)  # type: ignore[arg-type]
    assert found.level == "metric"
    for step in found.steps:
        if step.level.name in LAVAAN:
            is_lavaans(step.full.measures, step.level.name)
    # The columns that are shown see the shift, too.
    scalar = found.table.set_index("level").loc["scalar"]
    assert scalar["d_cfi"] < -0.03
    assert scalar["d_rmsea"] > 0.06
    assert "CFI and RMSEA: scaled" in found.summary()


@pytest.mark.thorough
def test_thresholds_of_one_group_that_are_restricted_leave_no_robust_indices() -> None:
    data = shifted()
    is_lavaans(gf.cfa(MODEL, data, ordered=NAMES).measures, "one group")
    equal = gf.cfa(f"{MODEL}\nx1 | a*t1\nx2 | a*t1", data, ordered=NAMES)
    is_lavaans(equal.measures, "equal thresholds")
    # lavaan gives a robust CFI of 1.0 where a threshold is fixed far from where it is: the
    # correlations cannot show that.
    fixed = gf.cfa(f"{MODEL}\nx1 | 0.1*t1", data, ordered=NAMES)
    assert fixed.measures["cfi.scaled"] == pytest.approx(0.8843568, rel=1e-5)
    assert fixed.measures.get("cfi.robust") is None


def test_a_threshold_that_is_fixed_in_exchange_for_an_intercept_restricts_nothing() -> None:
    data = shifted()
    data["x1"] = (data["x1"] > 1).astype(int)
    plain = gf.cfa(MODEL, data, ordered=NAMES).measures
    moved = gf.cfa(f"{MODEL}\nx1 | 0*t1\nx1 ~ NA*1", data, ordered=NAMES).measures
    assert moved["df"] == plain["df"]
    assert moved["cfi.robust"] == pytest.approx(plain["cfi.robust"], abs=1e-6)

"""Every measure of fit is declared once, and every estimator has it or is declared to lack it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd
import pytest
from support import lavaan_recorded as recorded

from gfactor.psychometrics import sem
from gfactor.psychometrics.sem.measures import declared
from gfactor.psychometrics.sem.measures.context import Context
from gfactor.psychometrics.sem.measures.declared import Measure, declared_measures

MODEL = "g =~ x1 + x2 + x3 + x4"
LEVELS = "level: 1\nf =~ y1 + y2 + y3\nf ~ x1\nlevel: 2\nb =~ y1 + y2 + y3\nb ~ funds"


@cache
def scores(columns: int = 4) -> pd.DataFrame:
    random = np.random.default_rng(8)
    g = random.normal(size=200)
    x = {f"x{k + 1}": g + random.normal(size=200) for k in range(columns)}
    return pd.DataFrame(x)


def answers(columns: int = 4) -> pd.DataFrame:
    return (scores(columns) > 0).astype(int) + (scores(columns) > 1).astype(int)


def ordinal(model: str, columns: int = 4) -> sem.Fit:
    data = answers(columns)
    return sem.fit(model, data, ordered=list(data), estimator="WLSMV")


def two_level(model: str, estimator: str = "MLR") -> sem.Fit:
    return sem.fit(model, recorded.sample("two_levels"), cluster="school", estimator=estimator)


@cache
def fits(kind: str) -> tuple[sem.Fit, ...]:
    """Fits that together have each measure of their kind."""
    if kind == "ordinal":
        return (ordinal(MODEL),)
    if kind == "two-level":
        return (two_level(LEVELS),)
    mplus = sem.fit(MODEL, scores(), estimator="MLR", mimic="Mplus")
    return mplus, sem.fit(MODEL, scores(), test="bollen.stine", bootstrap=8, iseed=1)


def declared_names(kind: str) -> set[str]:
    return {n for one in declared_measures() if kind not in one.lacks for n in one.names}


@pytest.mark.parametrize("kind", ["continuous", "ordinal", "two-level"])
def test_an_estimator_has_every_measure_that_is_not_declared_to_be_lacking(kind: str) -> None:
    found = set[str]().union(*(fit.measures for fit in fits(kind)))
    assert found == declared_names(kind)
    assert {fit.context.kind for fit in fits(kind)} == {kind}


def test_a_measure_is_declared_once_with_its_formula() -> None:
    names = [name for one in declared_measures() for name in one.names]
    assert len(names) == len(set(names))
    assert all(one.formula for one in declared_measures())


def test_names_are_those_that_lavaan_gave() -> None:
    """All names that lavaan 0.6-14 printed of any fit recorded here, and no others."""
    theirs: set[str] = set()
    for path in recorded.FOLDER.glob("*.json"):
        theirs |= json.loads(path.read_text("utf-8")).get("fit", {}).keys()
    ours = {name for one in declared_measures() if one.in_lavaan for name in one.names}
    assert ours == theirs


@pytest.mark.parametrize(
    "fit",
    [
        lambda: sem.fit("g =~ x1 + x2", scores(2)),
        lambda: ordinal("g =~ x1 + x2", 2),
        lambda: two_level("level: 1\nf =~ y1 + y2\nlevel: 2\nb =~ y1 + y2", "ML"),
    ],
)
def test_more_parameters_than_moments_leave_no_measure_that_needs_degrees_of_freedom(fit) -> None:
    measures: Mapping[str, float | None] = fit().measures
    assert (measures["df"] or 0) < 0
    without = {name for one in declared_measures() if one.needs_df for name in one.names}
    assert all(value is None for name, value in measures.items() if name in without)
    assert measures["npar"] is not None
    assert measures["srmr"] is not None


def test_a_declared_function_is_in_the_results_of_all_estimators_and_in_their_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(declared, "_FAMILIES", list(declared._FAMILIES))

    @declared.family(Measure("gammahat", "p / (p + 2 (T - df) / n)", text="gamma hat"), order=5)
    def gamma_hat(context: Context) -> float:
        p = len(context.problem.sample.variables)
        return p / (p + 2 * (context.exact.chisq - context.exact.df) / context.n)

    under = sem.fit("g =~ x1 + x2", scores(2))
    assert under.measures["gammahat"] is None
    for fit in (sem.fit(MODEL, scores()), ordinal(MODEL), two_level(LEVELS)):
        value = fit.measures["gammahat"]
        assert value == pytest.approx(gamma_hat(fit.context))
        assert fit.to_dict()["fit"]["gammahat"] == value
        assert f"gamma hat = {value:.3f}".replace(" 0.", " .") in fit.summary()


def test_an_index_of_two_levels_may_be_lacking_with_a_reason() -> None:
    lacks = {one.name: one.lacks for one in declared_measures()}
    assert lacks["gfi"] == {"two-level": "lavaan gives none; cases are not independent"}
    assert "gfi" not in fits("two-level")[0].measures

"""Two laboratories calibrate models of known ability over HTTP, as the benchmark, but smaller."""

from __future__ import annotations

from types import ModuleType

import pytest
from support.benchmark_scripts import benchmark_script


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return benchmark_script("laboratories")


@pytest.mark.slow
def test_abilities_of_models_that_two_laboratories_asked_are_recovered(script: ModuleType) -> None:
    """20 models of four families, ten in each laboratory; each asks other items of five cells."""
    with script.laboratories(2, ("bills_and_plans", "number_series"), same=False) as made:
        found = script.replication(made, 41)
    for row in found.values():
        assert row["relative"] >= 0.8
        assert row["rmse"] < 2 * row["se"] < 1.4
        assert abs(row["link"]) < 3 * row["link_se"]
        assert row["drifted"] == 0
    assert found["together"]["link"] == pytest.approx(found["linked"]["link"], abs=0.2)


def test_every_model_is_of_one_laboratory(script: ModuleType) -> None:
    north, south = (script.members(name, 2) for name in ("north", "south"))
    assert len({*north, *south}) == 20
    assert {name.partition("-")[0] for name in north} == set(script.MODEL_FAMILIES)

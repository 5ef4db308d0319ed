"""Observers whose limits are known: the loss that is found is the one they have."""

from __future__ import annotations

from types import ModuleType

import pytest
from support.benchmark_scripts import benchmark_script

from gfactor.psychometrics.trees.gap import compare_versions


@pytest.fixture(scope="module")
def gap() -> ModuleType:
    return benchmark_script("gap")


@pytest.mark.parametrize("name", ["blur", "memory", pytest.param("both", marks=pytest.mark.slow)])
def test_an_observer_is_found_to_have_lost_what_it_lacks(gap: ModuleType, name: str) -> None:
    populations = [gap.answers(number, gap.OBSERVERS[name], 24) for number in (1, 2)]
    found = gap.covered(populations)
    if name == "blur":
        # A pure loss in seeing is never called one in reasoning.
        assert found["true_reasoning"] < 1e-6
        assert all((table["text"] == 1).all() for table in populations)
        assert found["seeing"] == 2
    if name == "memory":
        assert found["true_reasoning"] > 0.1
        assert found["seeing"] == 0
    if name == "both":
        assert min(found["true_seeing"], found["true_reasoning"]) > 0.05
    for table in populations:
        _, _, losses = compare_versions(table, None, 0.999)
        low, high = losses.loc["reasoning", ["ci_lower", "ci_upper"]].to_numpy(float)
        assert low - 1e-9 <= found["true_reasoning"] <= high + 1e-9

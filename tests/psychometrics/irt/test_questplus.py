"""QUEST+ asks where its grid learns most, and ends when the threshold is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.adaptive.questplus import QuestPlus


def test_psychometric_functions_of_questions_are_those_of_their_definitions() -> None:
    x = [-3.0, 0.0, 2.5]
    grid = {"threshold": [1.0], "slope": [0.7], "lower_asymptote": [0.2], "lapse_rate": [0.05]}
    quest = QuestPlus(x, grid, "weibull")
    weibull = 0.2 + 0.75 * (1 - np.exp(-(10 ** (0.7 * (np.array(x) - 1) / 20))))
    assert quest._likelihood[0].ravel() == pytest.approx(weibull)
    assert quest._likelihood[1].ravel() == pytest.approx(1 - weibull)
    normal = QuestPlus(x, {"mean": [1.0], "sd": [2.0], "lower_asymptote": [0.2],
                           "lapse_rate": [0.05]}, "normal")  # fmt: skip
    expected = 0.2 + 0.75 * stats.norm.cdf((np.array(x) - 1) / 2)
    assert normal._likelihood[0].ravel() == pytest.approx(expected)
    bare = QuestPlus(x, {"mean": [1.0], "sd": [2.0]}, "normal")
    assert bare._likelihood[0].ravel() == pytest.approx(stats.norm.cdf((np.array(x) - 1) / 2))


def test_a_threshold_is_done_when_its_first_free_parameter_is_known() -> None:
    grid = {"slope": [1.5], "lapse_rate": [0.0, 0.02], "threshold": np.linspace(1, 12, 45)}
    quest = QuestPlus(range(1, 13), grid, "size", nuisance=["lapse_rate"], stop=StopRule(se=0.5))
    rng = np.random.default_rng(2)
    while (size := quest.next()) is not None and len(quest.administered) < 60:
        quest.answer(size, int(rng.uniform() < special.expit(-1.5 * (size - 6))))
    assert quest.se["threshold"] <= 0.5
    assert len(quest.administered) > 4
    weights = np.array([[[1.0, 2.0]]]).reshape(1, 2, 1) * np.ones((1, 2, 45))
    given = QuestPlus(range(1, 13), grid, "size", prior=weights)
    assert given.marginal("lapse_rate").tolist() == pytest.approx([1 / 3, 2 / 3])
    with pytest.raises(ParameterError, match=r"must have the shape \(1, 2, 45\), got \(2,\)"):
        QuestPlus(range(1, 13), grid, "size", prior=[1.0, 2.0])
    with pytest.raises(ParameterError, match="not be negative, and not all 0"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [-1, 2]})
    with pytest.raises(ParameterError, match="not be negative, and not all 0"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [0, 0]})
    with pytest.raises(ParameterError, match="the prior of 'lapse_rate' needs 2 weights"):
        QuestPlus(range(1, 13), grid, "size", prior={"lapse_rate": [1]})

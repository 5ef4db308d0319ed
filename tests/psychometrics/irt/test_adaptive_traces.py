"""Adaptive tests replay recorded ones: same items, same estimates, same stimuli."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.irt_oracles import case
from support.oracles import oracle

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt import Cat, QuestPlus
from gfactor.psychometrics.irt.adaptive import StopRule


@pytest.fixture(scope="module")
def bank() -> pd.DataFrame:
    frame = pd.read_csv(oracle("irt/data/cat_bank_2pl_200.csv"))
    return frame.set_axis([str(k + 1) for k in frame.index])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "estimator", "of_theta", "of_se"),
    [("cat_2pl_mfi_eap", "eap", 1e-9, 1e-9), ("cat_2pl_mfi_wl", "wle", 5e-5, 3e-5)],
)
def test_items_and_estimates_are_those_of_catr(
    name: str, estimator: str, of_theta: float, of_se: float, bank: pd.DataFrame
) -> None:
    """catR integrates on 241 nodes over [-6, 6]; its weighted likelihood is exact to 5 digits."""
    for trace in case(name)["traces"]:
        cat = Cat(bank, estimator=estimator, nodes=np.linspace(-6, 6, 241))
        for k, item in enumerate(trace["items_1based"]):
            assert cat.next() == str(item)
            cat.answer(str(item), trace["responses"][k])
            assert cat.theta == pytest.approx(trace["estimates"][k], abs=of_theta)
            assert cat.se == pytest.approx(trace["se"][k], abs=of_se)
        assert cat.administered == [str(item) for item in trace["items_1based"]]


@pytest.mark.parametrize(
    ("name", "function"),
    [("questplus_weibull_threshold", "weibull"), ("psi_normal_threshold_slope", "normal")],
)
def test_stimuli_means_and_entropies_are_those_of_questplus(name: str, function: str) -> None:
    recorded = case(name)
    quest = QuestPlus(
        recorded["stimulus_domain"], recorded["parameter_domain"], function, ("Yes", "No")
    )
    for trial in recorded["trials"]:
        assert quest.next() == trial["stimulus"]
        assert quest.expected_entropy == pytest.approx(trial["minimal_expected_entropy"], abs=1e-10)
        quest.answer(trial["stimulus"], trial["response"])
        assert quest.theta == pytest.approx(trial["mean_estimate"], abs=1e-10)
    for parameter, marginal in recorded["marginal_posterior_at_end"].items():
        assert quest.marginal(parameter) == pytest.approx(np.array(marginal), abs=1e-12)


def test_a_stop_rule_ends_the_test_and_next_repeats_itself_until_answered(
    bank: pd.DataFrame,
) -> None:
    cat = Cat(bank, stop=StopRule(se=0.4, max_items=30))
    before = cat.se
    while (item := cat.next()) is not None:
        assert cat.next() == item
        before = cat.se
        cat.answer(item, int(len(cat.administered) % 2))
    assert cat.finished == "se"
    assert before > 0.4 >= cat.se
    assert cat.next() is None


def test_mistakes_are_said_in_a_sentence(bank: pd.DataFrame) -> None:
    cat = Cat(bank)
    cat.answer("7", 1)
    with pytest.raises(ParameterError, match="'7' has been answered already"):
        cat.answer("7", 0)
    with pytest.raises(UnknownNameError, match="unknown item 'x'"):
        cat.answer("x", 0)
    with pytest.raises(ParameterError, match="must be 0 or 1, got 2"):
        cat.answer("8", 2)
    with pytest.raises(UnknownNameError, match="criterion 'mfii'; did you mean 'mfi'"):
        Cat(bank, "mfii")
    with pytest.raises(UnknownNameError, match="unknown estimator 'mean'"):
        Cat(bank, estimator="mean")
    with pytest.raises(ParameterError, match="item '3' has a discrimination that is not positive"):
        Cat(bank.assign(a=np.where(bank.index == "3", -1, bank["a"])))
    with pytest.raises(ParameterError, match="item '1' has asymptotes"):
        Cat(bank.assign(c=1.0))
    with pytest.raises(ParameterError, match="columns a, b; b is missing"):
        Cat(bank.drop(columns="b"))

"""What the next question is expected to bring, what is in flight, content, stopping, exposure."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, special, stats

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt import Cat, QuestPlus, adaptive
from gfactor.psychometrics.irt.adaptive import (
    AbilityPosterior,
    Candidates,
    Progress,
    Progressive,
    Randomesque,
    StopRule,
    SympsonHetter,
    choose,
    in_flight,
    ranking_decided,
    sympson_hetter,
    undecided_pairs,
)
from gfactor.psychometrics.irt.adaptive.selection import _divergence_gain, _fisher_gain, gains
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry

NODES = np.linspace(-6, 6, 121)
A = np.array([0.7, 1.0, 1.6, 2.2])
B = np.array([-1.0, 0.3, 0.4, 1.5])


def curves(a: Any, b: Any, guess: float = 0.2) -> np.ndarray:
    z = np.asarray(a)[:, None] * (NODES - np.asarray(b)[:, None])
    return guess + (1 - guess) * special.expit(z)


@pytest.fixture(scope="module")
def posterior() -> AbilityPosterior:
    return AbilityPosterior(NODES, 0.2, 0.8).updated(np.log(curves([1.3], [0.5])[0]))


def test_a_posterior_is_the_prior_times_the_likelihood(posterior: AbilityPosterior) -> None:
    def height(x: float) -> float:
        return stats.norm.pdf(x, 0.2, 0.8**0.5) * (0.2 + 0.8 * special.expit(1.3 * (x - 0.5)))

    def integral(of: Any, high: float = 9.0) -> float:
        return float(integrate.quad(lambda x: of(x) * height(x), -9, high)[0])

    total = integral(lambda x: 1.0)
    mean = integral(lambda x: x) / total
    assert posterior.theta == pytest.approx(mean, abs=1e-8)
    assert posterior.se**2 == pytest.approx(integral(lambda x: x * x) / total - mean**2, abs=1e-7)
    low, high = posterior.interval(0.9)
    assert integral(lambda x: 1.0, low) / total == pytest.approx(0.05, abs=5e-4)
    assert integral(lambda x: 1.0, high) / total == pytest.approx(0.95, abs=5e-4)
    with pytest.raises(ParameterError, match="one value per node"):
        posterior.updated(np.zeros(3))
    with pytest.raises(ParameterError, match="ascending order"):
        AbilityPosterior(NODES[::-1])


def after_answers(posterior: AbilityPosterior, p: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """Probability and posterior of every pattern of answers to questions with these curves."""
    ends = []
    for pattern in itertools.product((0, 1), repeat=len(p)):
        weights = posterior.density * np.prod(
            [x if r else 1 - x for r, x in zip(pattern, p, strict=True)], axis=0
        )
        ends.append((float(weights.sum()), weights / weights.sum()))
    return ends


def variance(weights: np.ndarray) -> float:
    return float(weights @ NODES**2 - (weights @ NODES) ** 2)


VALUES = {
    "mepv": variance,
    "d": lambda w: float(np.log(variance(w))),
    "entropy": lambda w: float(special.entr(w).sum()),
}  # fmt: skip


@pytest.mark.parametrize("criterion", VALUES)
def test_gains_are_the_expected_fall_over_both_answers(
    criterion: Any, posterior: AbilityPosterior
) -> None:
    p, value = curves(A, B), VALUES[criterion]
    expected = [
        value(posterior.density) - sum(c * value(w) for c, w in after_answers(posterior, p[[j]]))
        for j in range(4)
    ]
    assert gains(criterion, p, posterior) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("criterion", VALUES)
def test_pending_answers_are_integrated_out(criterion: Any, posterior: AbilityPosterior) -> None:
    """Exact for equal slopes without guessing; a lower gain than with the pattern known, else."""
    value = VALUES[criterion]
    for a, guess in ((np.ones(4), 0.0), (A, 0.2)):
        p = curves(a, B, guess)
        flying = p[[0, 3, 3]]
        before = sum(c * value(w) for c, w in after_answers(posterior, flying))
        after = [
            sum(c * value(w) for c, w in after_answers(posterior, np.vstack([flying, p[[j]]])))
            for j in range(4)
        ]
        left = value(posterior.density) - gains(criterion, p, posterior, flying)
        if criterion == "entropy":
            left = left - value(posterior.density) + before
        if guess:
            assert (left > np.array(after) - 1e-9).all() or criterion == "entropy"
            assert left == pytest.approx(after, abs=0.02)
        else:
            assert left == pytest.approx(after, abs=1e-10)


def test_fisher_and_kullback_leibler_information_are_those_of_the_curves() -> None:
    fine = AbilityPosterior(np.linspace(-6, 6, 1201))
    p = special.expit(A[:, None] * (fine.nodes - B[:, None]))
    at = special.expit(A * (0 - B))
    assert gains("mfi", p, fine) == pytest.approx(A**2 * at * (1 - at), rel=1e-3)

    def divergence(x: float, j: int) -> float:
        other = special.expit(A[j] * (x - B[j]))
        inner = special.rel_entr(at[j], other) + special.rel_entr(1 - at[j], 1 - other)
        return float(inner * stats.norm.pdf(x))

    expected = [integrate.quad(divergence, -6, 6, args=(j,))[0] for j in range(4)]
    assert gains("kl", p, fine) == pytest.approx(expected, rel=1e-6)


def cells(families: int = 3, each: int = 9, slope: float = 2.0) -> Candidates:
    b = np.tile(np.linspace(-2, 2, each), families)
    names = [f"f{k // each}:{k % each}" for k in range(len(b))]
    families_ = [name.split(":")[0] for name in names]
    abilities = ["Gv" if f == "f2" else "Gf" for f in families_]
    return Candidates(names, abilities, curves(np.full(len(b), slope), b, 0), families=families_)


def test_with_questions_in_flight_the_next_one_is_another() -> None:
    """Steep curves: what lies far from the first question says more than the same again."""
    known, posteriors = cells(1, slope=5.0), {"Gf": AbilityPosterior(NODES)}
    first = choose(known, posteriors)
    assert known.names[first] == "f0:4"
    chosen = [first]
    for _ in range(5):
        chosen.append(choose(known, posteriors, pending=chosen))
    assert len(set(chosen)) > 2
    assert len({choose(known, posteriors) for _ in range(3)}) == 1


def test_the_ability_that_is_less_known_is_asked_and_a_finished_one_is_not() -> None:
    known = cells()
    wide, narrow = AbilityPosterior(NODES, 0, 1), AbilityPosterior(NODES, 0, 0.1)
    assert known.abilities[choose(known, {"Gf": narrow, "Gv": wide})] == "Gv"
    assert known.abilities[choose(known, {"Gf": wide, "Gv": narrow})] == "Gf"
    assert known.abilities[choose(known, {"Gf": narrow})] == "Gf"
    with pytest.raises(ParameterError, match="no candidate is left"):
        choose(known, {"Gs": wide})
    dear = Candidates(known.names, known.abilities, known.probabilities, [9.0] * 18 + [1.0] * 9)
    assert (
        known.abilities[choose(dear, {"Gf": wide, "Gv": AbilityPosterior(NODES, 0, 0.6)})] == "Gv"
    )


@pytest.mark.parametrize("criterion", ["mepv", "random"])
def test_families_get_their_shares(criterion: Any) -> None:
    known, posteriors = cells(), {"Gf": AbilityPosterior(NODES)}
    counts = {"f0": 0, "f1": 0}
    rng = np.random.default_rng(3)
    for asked in range(1, 31):
        cell = choose(known, posteriors, counts=counts, targets={"f0": 2, "f1": 1},
                      criterion=criterion, rng=rng)  # fmt: skip
        counts[known.names[cell][:2]] += 1
        assert abs(counts["f0"] - asked * 2 / 3) < 1
    with pytest.raises(ParameterError, match="name no family that can be asked; these can: f0, f1"):
        choose(known, posteriors, targets={"f2": 1.0})


def test_choosing_says_what_is_wrong() -> None:
    known, posteriors = cells(), {"Gf": AbilityPosterior(NODES)}
    with pytest.raises(UnknownNameError, match="criterion 'mepw'; did you mean 'mepv'"):
        choose(known, posteriors, criterion="mepw")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ParameterError, match="needs rng"):
        choose(known, posteriors, criterion="random")
    with pytest.raises(
        ParameterError, match="given at 121 nodes, and the posterior of 'Gf' has 61"
    ):
        choose(known, {"Gf": AbilityPosterior(NODES[::2])})
    with pytest.raises(ParameterError, match="'x' has a probability outside"):
        Candidates(["x"], ["Gf"], np.full((1, 121), 1.2))
    with pytest.raises(ParameterError, match="one per candidate, got 2"):
        Candidates(["x"], ["Gf", "Gv"], np.full((1, 121), 0.2))


def test_stop_rules_name_what_holds() -> None:
    rule = StopRule(se=0.3, se_change=0.01, max_items=20, max_cost=2.0, cut=1.0, min_items=6)
    now = Progress(0.0, 0.6, 8, 0.5)
    assert rule.reason(now) is None
    assert rule.reason(Progress(0.0, 0.6, 20, 0.5)) == "items"
    assert rule.reason(Progress(0.0, 0.6, 8, 2.0)) == "cost"
    assert rule.reason(Progress(0.9, 0.3, 8, 0.5)) == "se"
    assert rule.reason(Progress(-0.3, 0.6, 8, 0.5)) == "cut"
    assert rule.reason(Progress(-0.3, 0.3, 5, 0.5)) is None
    falling = [0.64, 0.63, 0.62, 0.61, 0.605]
    assert rule.reason(Progress(0.0, 0.6, 8, 0.5, [*falling, 0.6])) is None
    assert (
        rule.reason(Progress(0.0, 0.6, 8, 0.5, [0.9, 0.609, *falling[3:], 0.6, 0.6, 0.6]))
        == "se_change"
    )
    with pytest.raises(ParameterError, match="se of a stop rule must be positive"):
        StopRule(se=0)


def test_an_order_is_decided_when_all_pairs_differ_their_number_counted() -> None:
    theta, se = np.arange(6) * 0.7, np.full(6, 0.2)
    z = 0.7 / (0.2 * np.sqrt(2))
    assert 2 * stats.norm.sf(z) < 0.05
    assert not ranking_decided(theta, se)
    assert undecided_pairs(theta, se)[0] in [(k, k + 1) for k in range(5)]
    assert ranking_decided(theta[:2], se[:2])
    assert ranking_decided(theta * 1.5, se)
    with pytest.raises(ParameterError, match="two or more"):
        ranking_decided([0.0], [0.1])


@pytest.mark.thorough
def test_a_wrong_order_is_called_decided_in_at_most_five_percent() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal(0, 0.3, (2000, 4))  # four equal examinees: every claim of an order is wrong
    wrong = sum(len(undecided_pairs(row, np.full(4, 0.3))) < 6 for row in drawn)
    assert wrong / 2000 < 0.065


@pytest.fixture(scope="module")
def bank() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"a": rng.lognormal(0, 0.3, 60), "b": rng.normal(size=60)})
    frame["area"] = np.where(np.arange(60) < 15, "rare", "common")
    return frame.set_axis([f"i{k}" for k in range(60)])


def test_content_of_a_stored_bank_is_balanced(bank: pd.DataFrame) -> None:
    cat = Cat(bank, content="area", targets={"rare": 1, "common": 1}, stop=StopRule(max_items=20))
    cat.simulate(0.5, np.random.default_rng(1))
    assert bank.loc[cat.administered, "area"].value_counts().to_dict() == {"rare": 10, "common": 10}
    with pytest.raises(ParameterError, match="no item of the bank has the content 'odd'"):
        Cat(bank, content="area", targets={"odd": 1})


def rates(bank: pd.DataFrame, people: int = 40, **options: Any) -> pd.Series:
    counts = pd.Series(0.0, bank.index)
    for person in range(people):
        cat = Cat(bank, stop=StopRule(max_items=10), seed=person, **options)
        cat.simulate(person / 20 - 1, np.random.default_rng(person))
        counts[cat.administered] += 1 / people
    return counts


@pytest.mark.slow
def test_exposure_control_lowers_the_rate_of_the_most_used_item(bank: pd.DataFrame) -> None:
    plain = rates(bank)
    assert plain.max() == pytest.approx(1)
    assert rates(bank, exposure=Randomesque(6)).max() < 0.95
    assert rates(bank, exposure=Progressive(10)).max() < 0.97
    control = sympson_hetter(bank, 0.4, 10, examinees=50, iterations=4, seed=4)
    assert control.rates.max() < 0.6
    assert rates(bank, exposure=control).max() < 0.6
    with pytest.raises(ParameterError, match="larger bank or a higher rate"):
        sympson_hetter(bank, 0.1, 10)


def test_a_progressive_test_ends_with_the_best_item(bank: pd.DataFrame) -> None:
    cat = Cat(bank, exposure=Progressive(2))
    item = cat.next()
    assert item is not None
    cat.answer(item, 1)
    best = Cat(bank)
    best.answer(item, 1)
    assert cat.next() == best.next()


def test_maximum_likelihood_is_infinite_until_answers_differ(bank: pd.DataFrame) -> None:
    cat = Cat(bank, estimator="ml")
    for score in (1, 1):
        cat.answer(cat.next() or "", score)
        assert cat.theta == np.inf
    cat.answer(cat.next() or "", 0)
    assert np.isfinite([cat.theta, cat.se]).all()


@pytest.mark.parametrize("criterion", ["kl", "mepv", "entropy"])
def test_every_criterion_measures_and_chooses_items_near_ability(
    criterion: str, bank: pd.DataFrame
) -> None:
    cat = Cat(bank, criterion, stop=StopRule(max_items=12))
    cat.simulate(1.5, np.random.default_rng(5))
    assert cat.se < 0.55
    assert bank.loc[cat.administered[6:], "b"].mean() > 0.4


@pytest.fixture(scope="module")
def plane() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.uniform(0.2, 1.8, (40, 2)), columns=["a1", "a2"])
    frame.loc[:9, "a2"] = 0.0
    frame.loc[10:19, "a1"] = 0.0
    return frame.assign(intercept=rng.normal(size=40), c=0.15)


@pytest.mark.parametrize("estimator", ["eap", "map"])
def test_the_d_rule_makes_the_determinant_of_the_information_largest(
    estimator: str, plane: pd.DataFrame
) -> None:
    covariance = np.array([[1.0, 0.4], [0.4, 1.0]])
    cat = Cat(plane, "d", estimator, prior=([0, 0], covariance))
    rng, total = np.random.default_rng(1), np.linalg.inv(covariance)
    for _ in range(8):
        z = plane[["a1", "a2"]].to_numpy() @ cat.theta + plane["intercept"].to_numpy()
        p, slope = 0.15 + 0.85 * special.expit(z), 0.85 * special.expit(z) * special.expit(-z)
        weights = slope**2 / (p * (1 - p))
        each = np.einsum("j,jf,jg->jfg", weights, plane[["a1", "a2"]], plane[["a1", "a2"]])
        rows = [int(k) for k in cat.administered]
        sizes = np.linalg.det(total + each[rows].sum(axis=0) + each)
        sizes[rows] = 0
        assert cat.next() == str(sizes.argmax())
        cat.answer(str(sizes.argmax()), int(rng.uniform() < 0.6))


def test_items_of_one_ability_each_are_two_tests_of_one_ability(plane: pd.DataFrame) -> None:
    both, first = Cat(plane, "d"), plane.iloc[:10]
    alone = Cat(pd.DataFrame({"a": first["a1"], "b": -first["intercept"] / first["a1"], "c": 0.15}))
    for item, score in (("3", 1), ("5", 0), ("8", 1), ("1", 1)):
        both.answer(item, score)
        alone.answer(item, score)
    for item, score in (("12", 1), ("15", 0)):
        both.answer(item, score)
    assert both.theta[0] == pytest.approx(alone.theta, abs=1e-6)
    assert both.se[0] == pytest.approx(alone.se, abs=1e-5)
    mode = Cat(plane, "d", "map")
    single = Cat(alone_items(plane), estimator="map")
    for item, score in (("3", 1), ("5", 0), ("8", 1)):
        mode.answer(item, score)
        single.answer(item, score)
    assert mode.theta == pytest.approx([single.theta, 0], abs=1e-8)
    with pytest.raises(UnknownNameError, match="known: d"):
        Cat(plane)


def alone_items(plane: pd.DataFrame) -> pd.DataFrame:
    first = plane.iloc[:10]
    return pd.DataFrame({"a": first["a1"], "b": -first["intercept"] / first["a1"], "c": 0.15})


GRID = {"threshold": np.linspace(2, 9, 8), "slope": [0.5, 2.0], "lapse_rate": [0.0, 0.1]}


def test_nuisance_parameters_are_integrated_out_before_the_entropy_is_taken() -> None:
    quest = QuestPlus(range(1, 11), GRID, "size", nuisance=["slope", "lapse_rate"])
    quest.answer(4, 1)
    expected = []
    for size in range(1, 11):
        t, s, lapse = np.meshgrid(*GRID.values(), indexing="ij")
        right = (1 - lapse) * special.expit(-s * (size - t))
        ends = [quest.posterior * right, quest.posterior * (1 - right)]
        expected.append(
            sum(e.sum() * special.entr(e.sum(axis=(1, 2)) / e.sum()).sum() for e in ends)
        )
    assert quest.expected_entropies() == pytest.approx(expected, abs=1e-12)
    whole = QuestPlus(range(1, 11), GRID, "size")
    whole.answer(4, 1)
    assert np.abs(whole.expected_entropies() - quest.expected_entropies()).max() > 0.1
    assert quest.entropy < whole.entropy


def test_a_threshold_is_measured_to_its_error_with_priors_and_other_functions() -> None:
    rng = np.random.default_rng(3)
    quest = QuestPlus(range(1, 11), {**GRID, "threshold": np.linspace(2, 9, 57)}, "size",
                      prior={"lapse_rate": [3, 1]}, stop=StopRule(se=0.4))  # fmt: skip
    while (size := quest.next()) is not None:
        quest.answer(size, int(rng.uniform() < special.expit(-2.0 * (size - 5.5))))
    assert quest.finished == "se"
    assert abs(quest.theta["threshold"] - 5.5) < 3 * quest.se["threshold"]

    def three(x: Any, threshold: Any) -> np.ndarray:
        p = special.softmax(
            np.stack([0 * threshold + 0 * x, x - threshold, 2 * (x - threshold)]), 0
        )
        return np.asarray(p)

    of_three = QuestPlus([0, 1, 2], {"threshold": [0.0, 1.0, 2.0]}, three, outcomes="abc")
    of_three.answer(1, "c")
    assert of_three.theta["threshold"] < 1
    with pytest.raises(ParameterError, match="one of 'a', 'b', 'c', got 1"):
        of_three.answer(1, 1)


def test_mistakes_about_thresholds_are_said() -> None:
    with pytest.raises(UnknownNameError, match="psychometric function 'weibul'; did you mean"):
        QuestPlus([1], {"threshold": [1]}, "weibul")
    with pytest.raises(ParameterError, match="needs a grid of 'slope'"):
        QuestPlus([1], {"threshold": [1]}, "weibull")
    with pytest.raises(UnknownNameError, match="parameter of 'size' 'sd'"):
        QuestPlus([1], {"threshold": [1], "slope": [1], "sd": [1]}, "size")
    quest = QuestPlus([1.0, 2.0], {"threshold": [1], "slope": [1, 2]}, "size")
    with pytest.raises(ParameterError, match="none of the stimuli"):
        quest.answer(3, 1)


@pytest.mark.thorough
def test_clones_are_charged_by_the_integrated_curve_and_not_by_that_of_the_mean() -> None:
    """Clones 1.5 logits apart: the plug-in curve's intervals hold fewer than 92 % of abilities."""
    entries = tuple(
        Entry(f"c{k}", "2pl", (0.0, 1.0), (1.0, -b), 1.5)
        for k, b in enumerate(np.linspace(-2, 2, 9))
    )
    known = Calibration("design", "rasch", entries, (), np.zeros((0, 0)))
    plain = special.expit(NODES - np.linspace(-2, 2, 9)[:, None])
    rng, people = np.random.default_rng(6), 400
    inside = {"integrated": 0, "plug-in": 0}
    scoring = {"integrated": known.probabilities(NODES), "plug-in": plain}
    for _ in range(people):
        theta = rng.normal()
        cells = np.tile(np.arange(9), 5)
        b = np.linspace(-2, 2, 9)[cells] + 1.5 * rng.normal(size=45)
        right = rng.uniform(size=45) < special.expit(theta - b)
        for name, p in scoring.items():
            logs = np.where(right[:, None], np.log(p[cells]), np.log(1 - p[cells])).sum(axis=0)
            low, high = AbilityPosterior(NODES).updated(logs).interval()
            inside[name] += low <= theta <= high
    assert inside["plug-in"] / people < 0.92
    assert inside["integrated"] / people > 0.925


@pytest.mark.thorough
def test_questions_in_flight_that_grow_in_number_hardly_cost_precision() -> None:
    """The figures: docs/evidence/benchmarks.md. Always eight would cost more."""
    known, b = cells(3, slope=2.0), np.tile(np.linspace(-2, 2, 9), 3)
    errors: dict[str, list[float]] = {"one": [], "growing": [], "always": []}
    rules = {"one": lambda n: 1, "growing": in_flight, "always": lambda n: 8}
    for person in range(24):
        for name, rule in rules.items():
            rng = np.random.default_rng(person)
            posterior, flying = AbilityPosterior(NODES), []
            for answered in range(15):
                while len(flying) < rule(answered):
                    flying.append(choose(known, {"Gf": posterior}, pending=flying))
                cell = flying.pop(0)
                p = known.probabilities[cell]
                right = rng.uniform() < special.expit(2 * (person / 8 - 1.5 - b[cell]))
                posterior = posterior.updated(np.log(p if right else 1 - p))
            errors[name].append(posterior.se)
    one, growing, always = (np.mean(found) for found in errors.values())
    assert growing < 1.05 * one
    assert growing < always
    assert sum(1 / in_flight(n) for n in range(400)) < 400 / 5
    with pytest.raises(ParameterError, match="questions in flight must be"):
        in_flight(3, 0)


def test_where_every_item_is_refused_the_best_one_is_asked() -> None:
    never = SympsonHetter(pd.Series([0.0, 0.0, 0.0], ["a", "b", "c"]))
    rng = np.random.default_rng(0)
    gain = np.array([0.2, 0.9, 0.5])
    assert never.pick(gain, 0, ["a", "b", "c"], rng) == (1, [])
    some = SympsonHetter(pd.Series([1.0, 0.0], ["a", "b"]))
    assert some.pick(gain, 0, ["a", "b", "c"], rng) == (2, [1])
    assert some.pick(np.array([0.2, 0.9, -np.inf]), 0, ["a", "b", "c"], rng) == (0, [1])


def test_the_next_question_is_drawn_among_the_best() -> None:
    nodes = np.linspace(-4, 4, 41)
    posterior = adaptive.AbilityPosterior(nodes)
    b = np.array([0.0, 0.1, 3.0, -3.0])
    p = special.expit(nodes - b[:, None])
    candidates = adaptive.Candidates(list("abcd"), ["g"] * 4, p)
    rng = np.random.default_rng(1)
    picked = {adaptive.choose(candidates, {"g": posterior}, rng=rng, among=2) for _ in range(30)}
    assert picked == {0, 1}
    allowed = np.array([False, False, True, False])
    assert adaptive.choose(candidates, {"g": posterior}, rng=rng, among=3, allowed=allowed) == 2


def test_an_order_needs_positive_errors_and_finite_estimates() -> None:
    for theta, se in (
        ([0.0, 1.0], [0.1, 0.0]), ([0.0, 1.0], [0.1, -0.1]), ([0.0, np.inf], [0.1, 0.1]),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match="finite estimates and positive standard errors"):
            adaptive.undecided_pairs(theta, se)
    # Holm: the smallest p counts three times, the largest once.
    z = [special.ndtri(1 - 0.05 / 2 / k) for k in (3, 2, 1)]
    se = np.full(3, 0.5**0.5)
    assert adaptive.undecided_pairs([0, z[0] + 0.01, 30.0], se) == []
    assert adaptive.undecided_pairs([0, z[2] - 0.01, 30.0], se) == [(0, 1)]


def test_information_and_divergence_are_those_at_the_means_of_the_futures() -> None:
    """Between nodes the curves and their information are straight lines."""
    nodes = np.linspace(-3, 3, 13)
    posterior = adaptive.AbilityPosterior(nodes)
    p = special.expit(np.array([[1.0], [1.7]]) * (nodes - np.array([[0.0], [0.8]])))
    joint = np.random.default_rng(2).dirichlet(np.ones(13), 2) * [[0.4], [0.6]]
    information = np.gradient(p, nodes, axis=1, edge_order=2) ** 2 / (p * (1 - p))
    fisher, divergence = np.zeros(2), np.zeros(2)
    for mass in joint:
        center = mass @ nodes / mass.sum()
        for k in range(2):
            at = np.interp(center, nodes, p[k])
            fisher[k] += mass.sum() * np.interp(center, nodes, information[k])
            lost = at * np.log(at / p[k]) + (1 - at) * np.log((1 - at) / (1 - p[k]))
            divergence[k] += mass @ lost
    assert _fisher_gain(p, joint, posterior) == pytest.approx(fisher)
    assert _divergence_gain(p, joint, posterior) == pytest.approx(divergence)
    # All mass at the ends of the nodes.
    for k in (0, 12):
        ends = np.eye(13)[[k]]
        assert _fisher_gain(p, ends, posterior) == pytest.approx(information[:, k])
        assert _divergence_gain(p, ends, posterior) == pytest.approx([0, 0], abs=1e-12)

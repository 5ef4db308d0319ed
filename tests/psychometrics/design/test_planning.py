"""A plan keeps its promise: designs reach the aim in simulated studies, and cost what they cost."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from support.design_oracles import recorded
from support.tiers import slow

from gfactor.errors import ParameterError
from gfactor.psychometrics import planning
from gfactor.psychometrics.generalizability import gtheory
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer, mcnemar_exact
from gfactor.psychometrics.inference.power import mcnemar_power
from gfactor.psychometrics.irt.scales.calibration import Calibration, Entry
from gfactor.psychometrics.planning import (
    Ability,
    Aim,
    Alpha,
    AnswerCosts,
    Components,
    DependabilityAim,
    DifferenceAim,
    FitAim,
    Ranks,
    StandardError,
    Threshold,
    make_plan,
)
from gfactor.psychometrics.planning.scores import t_power

PARTS = {
    "examinee": 0.02, "item": 0.05, "occasion": 0.001, "examinee x item": 0.1,
    "examinee x occasion": 0.002, "item x occasion": 0.0, "examinee x item x occasion": 0.05,
}  # fmt: skip


def test_a_score_has_the_absolute_error_of_a_d_study() -> None:
    counts = {"item": 100, "occasion": 2}
    by_hand = 0.05 / 100 + 0.001 / 2 + 0.1 / 100 + 0.002 / 2 + 0.05 / 200
    assert StandardError(Components(PARTS)).reached(counts) == pytest.approx(math.sqrt(by_hand))
    alone = StandardError(Components(PARTS, fixed=("occasion",))).reached(counts)
    assert alone == pytest.approx(math.sqrt(0.05 / 100 + 0.1 / 100 + 0.05 / 200))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["phi", "e_rho2"])
def test_coefficients_are_those_of_a_g_study(kind: str) -> None:
    """The plan from a G-study's components gives the G-study's own D-study, nested facets too."""
    rng = np.random.default_rng(4)
    p, t, i = np.indices((12, 5, 4)).reshape(3, -1)
    y = rng.normal(size=12)[p] + rng.normal(size=(12, 5))[p, t] + rng.normal(size=p.size)
    table = pd.DataFrame({"examinee": p, "template": t, "item": i + 4 * t, "score": y})
    found = gtheory(table, object="examinee", facets=["template", "item"],
                    nested={"item": "template"})  # fmt: skip
    variances = found.components["variance"].clip(lower=0)
    aim = DependabilityAim(Components(dict(variances), sampled="template"), kind)  # type: ignore[arg-type]
    counts = {"template": 20, "item": 4}
    known = found.coefficients(counts)
    if variances.to_numpy().min() > 0:
        assert aim.reached(counts) == pytest.approx(known[kind])
    assert aim.simulate({**counts, "examinee": 8}, 10, np.random.default_rng(1)).coverage > 0.7


@pytest.mark.slow
def test_the_exact_test_is_planned_with_its_exact_power() -> None:
    theirs = recorded("power_mcnemar")
    assert theirs
    found = make_plan(DifferenceAim(discordant=0.3), 0.1, simulations=4000)
    n = (found.chosen or {})["item"]
    assert mcnemar_power(n, 0.2, 0.1) >= 0.8 > mcnemar_power(n - 1, 0.2, 0.1)
    assert found.simulated is not None
    assert abs(found.simulated.reached - 0.8) < 3.5 * found.simulated.reached_se
    assert abs(found.simulated.coverage - 0.95) < 0.015


def test_the_power_of_t_is_that_of_the_noncentral_t() -> None:
    for df, delta in ((3, 1.0), (12, 2.8), (150, 3.5)):
        critical = special.stdtrit(df, 0.975)
        theirs = 1 - special.nctdtr(df, delta, critical) + special.nctdtr(df, delta, -critical)
        assert t_power(delta, df, 0.05) == pytest.approx(theirs, abs=2e-6)
    assert t_power(0.0, 5, 0.05) == pytest.approx(0.05, abs=1e-6)
    assert t_power(500.0, 1, 0.05) > 0.98


@pytest.mark.thorough
def test_many_items_need_what_the_normal_formula_says_and_few_need_more() -> None:
    aim = DifferenceAim(sd_difference=0.5)
    z = special.ndtri(0.975) + special.ndtri(0.8)
    assert abs((aim.needed({}, 0.02) or 0) - (z * 0.5 / 0.02) ** 2) < 3
    assert (aim.needed({}, 0.5) or 0) > (z * 0.5 / 0.5) ** 2 + 1


def latent(rng: np.random.Generator, shape: tuple[int, ...], p: float) -> np.ndarray:
    return rng.standard_normal(shape) < special.ndtri(p)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("aim", "delta", "study"),
    [
        (DifferenceAim(discordant=0.2), 0.08, "answers"),
        pytest.param(DifferenceAim(discordant=0.5), 0.15, "answers", marks=pytest.mark.slow),
        (DifferenceAim(sd_difference=0.5), 0.25, "graded"),
        (DifferenceAim(sd_difference=0.4, cluster_size=5, icc=0.3), 0.1, "clusters"),
        pytest.param(
            DifferenceAim(sd_difference=0.4, cluster_size=20, icc=0.2), 0.2, "clusters",
            marks=pytest.mark.slow,
        ),
        (DifferenceAim(components=Components(
            {"examinee": 0.1, "examinee x item": 0.03, "examinee x item x occasion": 0.1})),
            0.08, "occasions"),
    ],
)  # fmt: skip
def test_asked_for_power_eight_in_ten_it_has_it(
    aim: DifferenceAim, delta: float, study: str
) -> None:
    """Whole studies with the test that `compare` makes; benchmarks/plan.py has more of them."""
    tries = {"occasion": [3]} if study == "occasions" else None
    found = make_plan(aim, delta, tries=tries, simulations=0)
    n, runs, rng = int((found.chosen or {})["item"]), 3000, np.random.default_rng(12)
    if study == "answers":
        d = aim.discordant or 0
        b, c = rng.multinomial(n, [(d + delta) / 2, (d - delta) / 2, 1 - d], runs)[:, :2].T
        p = np.array([mcnemar_exact(int(x), int(y)) for x, y in zip(b, c, strict=True)])
    else:
        size = aim.cluster_size
        groups, icc, sd = n // size, aim.icc, aim.sd_difference or 0.0
        codes = np.repeat(np.arange(groups), size) if size > 1 else None
        p = np.empty(runs)
        for k in range(runs):
            if study == "occasions":
                x = rng.normal(0, math.sqrt(0.03), (n, 2))
                x = x + rng.normal(0, math.sqrt(0.1), (n, 2, 3)).mean(axis=2)
                d = x[:, 0] - x[:, 1] + delta
            else:
                shared = rng.normal(0, sd * math.sqrt(icc), (groups, 1))
                d = (
                    delta + shared + rng.normal(0, sd * math.sqrt(1 - icc), (groups, size))
                ).ravel()
            p[k] = infer(d, codes, ComparisonSettings(), binary=False).p
    power = float(np.mean(p <= 0.05))
    assert 0.78 <= power <= 0.82


@pytest.mark.slow
def test_asked_for_phi_eight_tenths_it_is_reached() -> None:
    found = make_plan(
        DependabilityAim(Components(PARTS)), 0.8, tries={"occasion": [2, 4]}, simulations=100
    )
    s = found.simulated
    assert s is not None
    assert found.designs["reached"].to_numpy().min() >= 0.8 - 1e-12
    assert abs(s.reached - 0.8) < 3.5 * s.reached_se < 0.05
    assert s.coverage > 0.9
    fewer = (found.chosen or {})["item"] - 1
    counts = {"item": fewer, "occasion": (found.chosen or {})["occasion"]}
    assert DependabilityAim(Components(PARTS)).reached(counts) < 0.8


def test_more_items_do_not_help_against_prompts() -> None:
    found = make_plan(StandardError(Components(PARTS)), 0.02, tries={"occasion": [1, 8, 20]})
    assert found.designs["occasion"].tolist() == [8, 20]
    codes = {d.code: d.sentence for d in found.diagnostics}
    assert "does not reach 0.020 with any number of items" in codes["not_reached"]
    assert "examinee x occasion" in codes["error_beyond_items"]
    # The interval over items does not hold the occasions' part, and the plan says so.
    assert found.simulated is not None
    assert found.simulated.coverage < 0.9
    assert "coverage" in codes


def test_the_cheapest_design_that_is_enough_is_chosen() -> None:
    aim = DependabilityAim(Components(PARTS))
    raters = {**PARTS}
    found = make_plan(
        aim, 0.8, tries={"occasion": [1, 2, 4], "examinee": [5]},
        costs=AnswerCosts(tokens=500, money=0.002, seconds=3, parallel=6), simulations=0,
    )  # fmt: skip
    row = found.chosen or {}
    assert row["money"] == found.designs.loc[found.designs["enough"], "money"].min()
    answers = row["item"] * row["occasion"] * 5
    assert (row["answers"], row["tokens"]) == (answers, 500 * answers)
    assert row["hours"] == pytest.approx(answers * 3 / 3600 / 6)
    rated = AnswerCosts(money=0.0, raters={"occasion": 0.5}).of(
        {"item": 10, "occasion": 3}, aim.facets
    )
    assert rated == {"answers": 10, "tokens": pytest.approx(np.nan, nan_ok=True), "money": 15.0,
                     "hours": pytest.approx(np.nan, nan_ok=True)}  # fmt: skip
    assert raters == PARTS


def test_the_reverse_says_what_given_numbers_reach() -> None:
    found = make_plan(DifferenceAim(sd_difference=0.3), tries={"item": [500, 1000]}, simulations=0)
    # The normal formula of a peer's example gives .02658 two-sided; t adds a thousandth of it.
    assert found.designs["reached"].tolist() == pytest.approx([0.03764, 0.02660], abs=2e-5)
    assert found.designs["enough"].to_numpy(bool).all()
    printed = found.summary()
    assert "enough" not in printed
    assert "<- chosen" not in printed
    tried = make_plan(StandardError(accuracy=0.7), 0.01, tries={"item": [100]}, simulations=0)
    assert tried.chosen is None
    assert "None of the 1 designs" in tried.summary()


BANK = Calibration(
    "item", "2PL",
    tuple(Entry(f"i{k}", "2pl", (0.0, 1.0), (0.7 + 0.02 * k, 0.05 * (k - 40))) for k in range(80)),
    (), np.zeros((0, 0)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("aim", "target"),
    [
        (StandardError(accuracy=0.8, cluster_size=5, icc=0.3), 0.02),
        pytest.param(Threshold(tuple(range(1, 11)), 5.0, 1.0, 0.25, 0.02), 0.3, marks=slow),
        (Ability(BANK, (-1.0, 1.0)), 0.35),
        pytest.param(Ability(BANK, (0.0,), "best"), 0.2, marks=slow),
        (FitAim(50.0), 0.8),
        pytest.param(FitAim(30.0, 0.05, 0.01), 0.7, marks=slow),
        pytest.param(Ranks(means=(0.75, 0.65, 0.6), r=0.4), 0.8, marks=slow),
        (Alpha(0.85, 15), 0.12),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, Aim) else "",
)
def test_what_is_reached_on_paper_is_reached_in_simulated_data(aim: Aim, target: float) -> None:
    found = make_plan(aim, target, simulations=100, seed=3)
    s, row = found.simulated, found.chosen or {}
    assert s is not None
    assert s.reached == pytest.approx(row["reached"], abs=4 * s.reached_se + 0.03 * target)
    nominal = 0.9 if isinstance(aim, FitAim) else 0.95
    assert s.coverage > nominal - 4 * s.coverage_se - 0.005
    one_less = {k: int(row[k]) for k in found.designs.columns[: list(row).index("reached")]}
    one_less[aim.solves] -= aim.step
    assert not aim.meets(aim.reached(one_less), target)


def test_the_persons_of_a_test_of_fit_are_those_of_maccallum_and_others() -> None:
    theirs = recorded("power_rmsea")["result"]
    assert theirs
    assert (make_plan(FitAim(100.0), 0.8, simulations=0).chosen or {})["examinee"] == 132


def test_the_same_seed_gives_the_same_document() -> None:
    one, two = (
        json.dumps(make_plan(DifferenceAim(discordant=0.4), 0.2, seed=5).to_dict())
        for _ in range(2)
    )
    assert one == two
    assert one != json.dumps(make_plan(DifferenceAim(discordant=0.4), 0.2, seed=6).to_dict())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (StandardError, "needs variance components, accuracy, or sd"),
        (lambda: DifferenceAim(discordant=0.1, sd_difference=0.3),
         "one of discordant, sd_difference"),
        (lambda: DifferenceAim(discordant=0.1).needed({}, 0.2), "discordant is 0.1"),
        (lambda: DifferenceAim(discordant=0.1, cluster_size=4), "are compared by a t test"),
        (lambda: DependabilityAim(Components({"examinee": 0, "item": 1.0})),
         "variance of 'examinee'"),
        (lambda: Components({"item": 1.0}, sampled="task"), "component contains 'task'"),
        (lambda: Ranks(means=(0.5, 0.5)), "no number of items decides their order"),
        (lambda: Threshold((1, 2, 3), 2.0, 1.0), "four ascending sizes"),
        (lambda: make_plan(FitAim(10.0)), "give a target"),
        (lambda: make_plan(FitAim(10.0), 1.5), "must be below 1"),
        (lambda: make_plan(FitAim(10.0), 1.0), "must be below 1, not 1"),
        (lambda: make_plan(FitAim(10.0), 0.0), "a number above 0, not 0"),
        (lambda: make_plan(FitAim(10.0), float("inf")), "a number above 0, not inf"),
        (lambda: make_plan(FitAim(10.0), 0.8, tries={"examinee": []}), r"from 1, got \(\)"),
        (lambda: make_plan(FitAim(10.0), 0.8, tries={"examinee": [0, 5]}), r"from 1, got \(0, 5\)"),
        (lambda: make_plan(FitAim(10.0), 0.8, tries={"item": [3]}), "plan does not vary 'item'"),
        (lambda: make_plan(DifferenceAim(sd_difference=1.0, cluster_size=5, icc=0.1), 1.0,
                           tries={"item": [12]}), "numbers of item must be multiples of 5"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_told(make, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        make()


def test_a_threshold_may_be_planned_without_guessing_or_lapses() -> None:
    sizes = (1.0, 2.0, 3.0, 4.0)
    assert Threshold(sizes, 2.5, guess=0.0, lapse=0.0).reached({"item": 80}) > 0
    for wrong in ({"guess": -0.1}, {"lapse": -0.01}, {"guess": 0.999}, {"slope": 0.0}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            Threshold(sizes, 2.5, **wrong)


def test_a_plan_that_nothing_reaches_says_so_in_every_form() -> None:
    found = make_plan(StandardError(accuracy=0.7), 1e-6, simulations=50)
    assert found.chosen is None
    assert found.designs.empty
    assert found.simulated is None
    assert "not_reached" in {d.code for d in found.diagnostics}
    assert "no design tried is enough" in found.summary()
    assert found.summary().endswith("from: stated")
    assert found.to_dict()["chosen"] is None


def test_the_power_of_a_plan_is_that_of_the_t_test() -> None:
    aim = DifferenceAim(sd_difference=0.4, alpha=0.1)
    # Non-central t of 20 pairs, two-sided at 0.1.
    shift, limit = 0.2 / (0.4 / math.sqrt(20)), stats.t.ppf(0.95, 19)
    power = stats.nct.sf(limit, 19, shift) + stats.nct.cdf(-limit, 19, shift)
    assert aim.power_at({"item": 20}, 0.2) == pytest.approx(power, rel=1e-4)
    assert aim.power_at({"item": 1}, 0.2) == 0.0
    assert aim.power_at({"item": 2}, 0.2) > 0
    least = aim.reached({"item": 20})
    assert aim.power_at({"item": 20}, least) == pytest.approx(0.8, abs=1e-4)
    assert math.isnan(aim.reached({"item": 1}))
    assert math.isnan(DifferenceAim(discordant=0.1).power_at({"item": 20}, 0.2))


def test_costs_count_answers_of_examinees_and_ratings_of_raters() -> None:
    counts = {"item": 100, "examinee": 2, "judge": 3}
    plain = AnswerCosts(tokens=10, money=0.01, seconds=36, parallel=5).of(counts, ("item",))
    assert plain == pytest.approx({"answers": 200, "tokens": 2000, "money": 2, "hours": 0.4})
    rated = AnswerCosts(money=0.01, raters={"judge": 0.5, "referee": 9}).of(
        counts, ("item", "judge")
    )
    assert rated["answers"] == 200
    assert rated["money"] == pytest.approx(2 + 200 * 3 * 0.5)
    assert math.isnan(rated["tokens"])
    free = AnswerCosts(raters={"judge": 0.5}).of({"item": 4}, ("item", "judge"))
    assert free["money"] == pytest.approx(4 * 1 * 1 * 0.5)


def test_a_design_with_too_few_items_is_not_enough_and_nothing_is_simulated() -> None:
    aim = planning.DifferenceAim(discordant=0.4)
    plan = planning.make_plan(aim, tries={"item": [4]}, simulations=20)
    assert plan.designs[["enough", "chosen"]].to_numpy().tolist() == [[False, False]]
    assert plan.simulated is None
    assert "no design tried is enough" in plan.summary()
    both = planning.make_plan(aim, tries={"item": [4, 200]}, simulations=20)
    assert both.designs["chosen"].tolist() == [False, True]

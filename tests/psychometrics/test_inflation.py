"""Inflation: planted leaks are found, honest models are not accused, forms may differ."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize, stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.inflation import Inflation, inflation_of
from gfactor.psychometrics.inference.inflation_each import inflation_of_each
from gfactor.psychometrics.inference.inflation_fit import MIN_FOR_RANK
from gfactor.psychometrics.inference.reference_line import SLOPE_SD, occasion_share

PUBLIC = [f"public{k}" for k in range(300)]
FRESH = [f"fresh{k}" for k in range(300)]
LEARNED = 7
"""A seed whose first model is of middling ability."""


def answers(
    seed: int, leak: float = 0.0, models: int = 31, easier: float = 0.6, interaction: float = 0.0
) -> pd.DataFrame:
    """Models of one ability; the public form is easier, and the first model has learned some."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.8, (models, 1))
    easiness = rng.normal(0, 1.2, 600) + np.r_[np.full(300, easier), np.zeros(300)]
    liked = rng.normal(0, interaction, (models, 1)).repeat(300, axis=1)
    favored = np.c_[liked, np.zeros((models, 300))]
    right = rng.random((models, 600)) < 1 / (1 + np.exp(-(theta + easiness + favored)))
    learned = rng.random(300) < leak
    right[0, :300] |= learned
    names = [f"m{k}" for k in range(models)]
    return pd.DataFrame(right.astype(float), names, [*PUBLIC, *FRESH])


def examined(table: pd.DataFrame, **options: object) -> Inflation:
    given: dict = {"examinee": "m0", "public": PUBLIC, "fresh": FRESH, **options}
    return inflation_of(table, **given)


@cache
def leaked() -> Inflation:
    return examined(answers(LEARNED, leak=0.4))


def p_of(found: Inflation, test: str) -> float:
    return float(found.tests.set_index("test").loc[test, "p"])


def test_a_model_that_learned_items_is_found_and_the_sentence_says_what_was_found() -> None:
    found = leaked()
    assert found.ci_lower > 0
    assert max(p_of(found, "t"), p_of(found, "rank")) < 0.05
    assert f"scores {found.estimate:.1f} points [{found.ci_lower:.1f}" in found.sentence
    assert "contaminat" not in found.summary()


def test_a_score_is_called_higher_only_where_interval_and_test_agree() -> None:
    found = leaked()
    held = replace(found, ci_lower=-0.5)
    assert found.higher
    assert not held.higher
    assert "not decided, as the interval holds 0 and the one-sided test has p = " in held.sentence
    calm, honest = found.tests.assign(p=0.2), found.tests.assign(p=0.97)
    assert "no inflation shown" in replace(held, tests=calm).sentence
    assert "the interval lies above 0" in replace(found, tests=calm).sentence
    lower = replace(found, estimate=-5.0, ci_lower=-9.0, ci_upper=-2.0, tests=honest)
    assert "points [2.0, 9.0] lower" in lower.sentence
    assert "no inflation shown" in replace(lower, tests=calm).sentence
    assert "is 0.0 points [" in replace(held, tests=calm, estimate=-0.04).sentence


@pytest.mark.thorough
def test_the_interval_holds_zero_where_the_examinee_is_not_beyond_the_references() -> None:
    """The share of a model at the ceiling has a finite logit, and stands above no prediction."""
    for seed in range(3):
        table = answers(seed, models=20)
        table.loc["m0"] = 1.0
        for limit in (0.9, 0.97):
            table[:] = np.maximum(table, np.random.default_rng(seed).random(table.shape) < limit)
            found = examined(table)
            z = float(found.tests.set_index("test").loc["t", "statistic"])
            beyond = abs(z) > stats.t.ppf(0.975, 19 - 1.5)
            assert (found.ci_lower > 1e-9 or found.ci_upper < -1e-9) == beyond
            assert not found.higher


def test_the_ceiling_is_named_where_nothing_was_found_alone() -> None:
    table = answers(3, models=25)
    table.loc["m0"] = 1.0
    assert "ceiling" in {d.code for d in examined(table).diagnostics}
    table.loc["m0", FRESH] = 0.0
    found = examined(table)
    assert found.higher
    assert "ceiling" not in {d.code for d in found.diagnostics}
    assert found.to_dict()["sentence"] == found.sentence


def test_references_of_one_score_say_so() -> None:
    table = answers(5, models=20)
    table.loc[table.index[1:], PUBLIC] = 1.0
    with pytest.raises(
        ParameterError, match=r"all 19 references have 100\.0 % of the public items"
    ):
        examined(table)


def test_twins_lead_from_public_items_to_fresh_ones_each_once() -> None:
    table = answers(5)
    with pytest.raises(ParameterError, match="is not a public item"):
        examined(table, twins={FRESH[0]: PUBLIC[0]})
    with pytest.raises(ParameterError, match="is not a fresh item"):
        examined(table, twins={PUBLIC[0]: PUBLIC[1]})
    with pytest.raises(ParameterError, match="twin of several public ones"):
        examined(table, twins={PUBLIC[0]: FRESH[1], PUBLIC[1]: FRESH[1]})
    with pytest.raises(ParameterError, match=r"write dict\(pairs\)"):
        examined(table, twins=[(PUBLIC[0], FRESH[0])])


def test_an_answer_that_is_a_word_is_named() -> None:
    table = answers(5).astype(object)
    table.loc["m1", PUBLIC[3]] = "right"
    with pytest.raises(
        ParameterError, match=f"row 'm1', column '{PUBLIC[3]}': 'right' is not an ans"
    ):
        examined(table)


def test_the_estimate_is_the_public_score_minus_its_prediction() -> None:
    found = leaked()
    assert found.estimate == pytest.approx(100 * (found.public - found.predicted))
    assert found.ci_lower < found.estimate < found.ci_upper


@pytest.mark.thorough
def test_the_line_minimizes_weighted_distances_in_both_directions() -> None:
    table = answers(5, models=40)
    found = examined(table)
    right = {
        "p": table[PUBLIC].to_numpy().sum(axis=1),
        "f": table[FRESH].to_numpy().sum(axis=1),
    }
    logit = {k: np.log((v + 0.5) / (300 - v + 0.5)) for k, v in right.items()}
    own = {k: 1 / (v + 0.5) + 1 / (300 - v + 0.5) for k, v in right.items()}
    share = {
        k: _residual_share(table[c].iloc[1:].to_numpy()) for k, c in (("p", PUBLIC), ("f", FRESH))
    }

    weights = np.ones(39)

    def loss(line: np.ndarray) -> float:
        a, b = line
        variance = share["p"] * own["p"][1:] + b**2 * share["f"] * own["f"][1:]
        rest = logit["p"][1:] - a - b * logit["f"][1:]
        return float((weights * rest**2 / variance).sum() + ((b - 1) / SLOPE_SD) ** 2)

    a, b = optimize.minimize(loss, [0.5, 1.0], method="Nelder-Mead", options={"xatol": 1e-9}).x
    for _ in range(20):
        variance = share["p"] * own["p"][1:] + b**2 * share["f"] * own["f"][1:]
        distance = np.abs(logit["p"][1:] - a - b * logit["f"][1:]) / np.sqrt(variance)
        weights[:] = np.minimum(1, 2 * np.sqrt(_proposal_2(distance)) / distance)
        a, b = optimize.minimize(loss, [a, b], method="Nelder-Mead", options={"xatol": 1e-9}).x
    assert weights.min() < 1
    odds = 1 / (1 + np.exp(-(a + b * logit["f"][0])))
    assert found.predicted == pytest.approx((301 * odds - 0.5) / 300, abs=1e-4)


@cache
def _clipped_square() -> float:
    """The mean of a standard normal's square, clipped at 2."""
    return integrate.quad(lambda z: min(abs(z), 2) ** 2 * stats.norm.pdf(z), -9, 9)[0]


def _proposal_2(distance: np.ndarray) -> float:
    """The variance whose clipped squares have their mean under normal errors, as a root."""
    found = optimize.root_scalar(
        lambda v: (
            float((np.minimum(distance / np.sqrt(v), 2) ** 2).sum())
            - _clipped_square() * (len(distance) - 1.5)
        ),
        bracket=(1e-3, 1e3),
    )
    return float(found.root)


def _residual_share(form: np.ndarray) -> float:
    """Two-way residual variance over the variance around models, by lstsq."""
    models, items = form.shape
    rows, columns = np.indices(form.shape)
    design = np.zeros((form.size, models + items))
    design[np.arange(form.size), rows.ravel()] = 1
    design[np.arange(form.size), models + columns.ravel()] = 1
    fitted = design @ np.linalg.lstsq(design, form.ravel(), rcond=None)[0]
    rest = ((form.ravel() - fitted) ** 2).sum() / ((models - 1) * (items - 1))
    mean = form.mean(axis=1)
    return float(rest / (mean * (1 - mean)).mean())


@pytest.mark.slow
def test_honest_models_are_accused_in_5_of_100_and_intervals_hold_zero_in_95() -> None:
    """Of 200 draws of 20 references: within three Monte Carlo errors of what is claimed."""
    draws = [examined(answers(1000 + k, models=21, interaction=0.1)) for k in range(200)]
    alarms = np.mean([p_of(found, "t") < 0.05 for found in draws])
    covered = np.mean([found.ci_lower <= 0 <= found.ci_upper for found in draws])
    assert alarms == pytest.approx(0.05, abs=0.046)
    assert covered == pytest.approx(0.95, abs=0.046)


@pytest.mark.parametrize(
    ("models", "interaction", "offered"), [(61, 0.0, True), (61, 0.5, False), (60, 0.0, False)]
)
def test_the_test_by_items_needs_sixty_references_that_favor_no_form(
    models: int, interaction: float, offered: bool
) -> None:
    found = examined(answers(10, models=models, interaction=interaction)).tests.set_index("test")
    assert found.loc["items", "offered"] == offered


@pytest.mark.parametrize(("count", "offered"), [(MIN_FOR_RANK - 1, False), (MIN_FOR_RANK, True)])
def test_a_rank_needs_nineteen_references(count: int, offered: bool) -> None:
    found = examined(answers(2, models=count + 1))
    assert found.tests.set_index("test").loc["rank", "offered"] == offered


def test_the_rank_of_the_most_inflated_is_one() -> None:
    found = examined(answers(4, leak=0.9))
    assert p_of(found, "rank") == pytest.approx(1 / 31)
    assert found.tests.set_index("test").loc["rank", "size"] == pytest.approx(1 / 31)


def test_twins_are_an_exact_sign_test_and_need_no_references() -> None:
    table = answers(6, leak=0.3, models=1)
    first, second = table[PUBLIC].iloc[0].to_numpy(), table[FRESH].iloc[0].to_numpy()
    better, worse = int((first > second).sum()), int((first < second).sum())
    found = examined(table, twins=dict(zip(PUBLIC, FRESH, strict=True)))
    by_hand = sum(math.comb(better + worse, k) for k in range(better, better + worse + 1))
    assert p_of(found, "twins") == pytest.approx(by_hand / 2 ** (better + worse))
    assert found.estimate == pytest.approx(100 * (better - worse) / 300)
    assert found.ci_lower < found.estimate < found.ci_upper
    assert f"in {better} pairs and on the fresh one in {worse}" in found.sentence
    assert (found.diagnostics[0].code, found.diagnostics[0].severity) == ("few_references", "note")


def test_twins_on_several_occasions_have_a_paired_interval_and_a_sign_test() -> None:
    table = answers(6, leak=0.3, models=1)
    once, twice = table.to_numpy(), answers(8, leak=0.3, models=1).to_numpy()
    table = pd.DataFrame((once + twice) / 2, table.index, table.columns)
    found = examined(table, twins=dict(zip(PUBLIC, FRESH, strict=True)))
    differences = table[PUBLIC].iloc[0].to_numpy() - table[FRESH].iloc[0].to_numpy()
    half = stats.t.ppf(0.975, 299) * differences.std(ddof=1) / np.sqrt(300)
    assert found.estimate == pytest.approx(100 * differences.mean())
    assert found.ci_upper - found.ci_lower == pytest.approx(200 * half)
    assert found.pairs == (int((differences > 0).sum()), int((differences < 0).sum()))


def test_twins_without_a_difference_are_told_without_a_direction() -> None:
    table = answers(1, models=1, easier=0.0)
    found = examined(table, twins=dict(zip(PUBLIC, FRESH, strict=True)))
    assert found.ci_lower < 0 < found.ci_upper
    assert "no inflation shown" in found.sentence
    assert "higher" not in found.sentence


def test_twins_with_few_references_show_no_items_and_no_power() -> None:
    table = answers(6, leak=0.3, models=4)
    found = examined(table, twins=dict(zip(PUBLIC, FRESH, strict=True)))
    assert found.by_twins
    assert not len(found.items)
    assert set(found.tables) == {"tests", "references"}
    assert "leak" not in found.summary()
    enough = examined(answers(6, leak=0.3, models=6))
    assert set(enough.tables) == {"tests", "power", "items", "references"}


def test_without_references_and_twins_nothing_is_judged() -> None:
    found = examined(answers(6, leak=0.3, models=1))
    assert np.isnan(found.estimate)
    assert not np.any(found.tests["offered"])
    assert found.diagnostics[0].severity == "error"
    assert "cannot be judged" in found.sentence


def test_the_sentence_counts_references_that_differ_as_much_in_either_direction() -> None:
    found = leaked()
    assert found.sentence.endswith("of 30 reference models none differs as much.")
    table = answers(LEARNED)
    table.loc["m3", PUBLIC[60:]] = 0.0
    assert examined(table).sentence.endswith("differ as much.")


def occasions(seed: int, examinee: int, references: int) -> pd.DataFrame:
    """Shares right of several occasions of 20 references and the examinee, 200 items a form."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.8, (21, 1))
    logit = theta + rng.normal(0, 1.2, 400) + rng.normal(0, 1, (21, 400))
    count = np.r_[examinee, np.full(20, references)][:, None]
    shares = rng.binomial(count, 1 / (1 + np.exp(-logit))) / count
    return pd.DataFrame(shares, [f"m{k}" for k in range(21)], [*PUBLIC[:200], *FRESH[:200]])


def of_occasions(seed: int, examinee: int, references: int) -> Inflation:
    table = occasions(seed, examinee, references)
    return examined(table, public=PUBLIC[:200], fresh=FRESH[:200])


@pytest.mark.thorough
def test_an_interval_is_narrower_if_the_examinee_has_more_occasions_whatever_references_have() -> (
    None
):
    mean = {
        (k, n): np.mean([np.subtract(*_ends(of_occasions(seed, k, n))) for seed in range(4)])
        for k, n in ((1, 1), (1, 5), (5, 1), (5, 5))
    }
    assert mean[1, 5] == pytest.approx(mean[1, 1], rel=0.2)
    assert mean[5, 1] < 0.75 * mean[1, 1]
    assert mean[5, 5] < 0.75 * mean[1, 5]


def test_single_answers_have_the_variance_of_single_answers() -> None:
    assert occasion_share(occasions(1, 1, 1).to_numpy()) == pytest.approx(1, abs=1e-12)
    table = occasions(1, 5, 1).to_numpy()
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    of_means, within = (rest[0] ** 2).sum(), (table[0] * (1 - table[0])).sum()
    shares = occasion_share(table)
    assert shares[0] == pytest.approx(of_means / (of_means + within))
    assert shares[1:] == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("examinee", "references"), [(1, 5), (5, 1), (5, 5)])
def test_with_several_occasions_honest_models_are_accused_in_5_of_100(
    examinee: int, references: int
) -> None:
    draws = [of_occasions(2000 + k, examinee, references) for k in range(200)]
    alarms = np.mean([p_of(one, "t") < 0.05 for one in draws])
    assert alarms == pytest.approx(0.05, abs=0.046)


@pytest.mark.slow
def test_a_reference_whose_replies_were_not_read_on_one_form_moves_no_other_verdict() -> None:
    """Two of 20 references lose most of their public answers: the interval hardly widens."""
    widths: dict[str, list[float]] = {"as it was": [], "two unread": []}
    for k in range(40):
        table = answers(400 + k, models=21)
        widths["as it was"].append(np.subtract(*_ends(examined(table))))
        table.loc[["m1", "m2"], PUBLIC[60:]] = 0.0
        widths["two unread"].append(np.subtract(*_ends(examined(table))))
    assert np.mean(widths["two unread"]) < 1.6 * np.mean(widths["as it was"])


def _ends(found: Inflation) -> tuple[float, float]:
    return found.ci_upper, found.ci_lower


@pytest.mark.thorough
def test_several_models_are_no_references_of_each_other_and_p_is_adjusted() -> None:
    table = answers(LEARNED, leak=0.4)
    table.loc["m1", PUBLIC] = np.maximum(table.loc["m1", PUBLIC], table.loc["m0", PUBLIC])
    chosen = ["m0", "m1", "m2"]
    found = inflation_of_each(table, examinees=chosen, public=PUBLIC, fresh=FRESH)
    others = [f"m{k}" for k in range(3, 31)]
    alone = [examined(table, examinee=name, references=others) for name in chosen]
    p = np.array([p_of(one, "t") for one in alone])
    assert found.models["p_t"].to_numpy() == pytest.approx(p)
    order = np.argsort(p)
    by_hand = np.maximum.accumulate(p[order] * [3, 2, 1]).clip(max=1)
    assert found.models["adjusted_t"].to_numpy()[order] == pytest.approx(by_hand)
    assert "m0 scores" in found.title
    assert "m2 scores" not in found.title
    assert "contaminat" not in found.summary()


@pytest.mark.parametrize("wrong", [[], ["m0", "m0"]])
def test_models_to_examine_are_named_once(wrong: list[str]) -> None:
    with pytest.raises(ParameterError, match="each once"):
        inflation_of_each(answers(1, models=8), examinees=wrong, public=PUBLIC, fresh=FRESH)


def test_an_examined_model_is_no_reference() -> None:
    options: dict = {"public": PUBLIC, "fresh": FRESH, "references": ["m1", "m2"]}
    with pytest.raises(ParameterError, match="cannot be a reference"):
        inflation_of_each(answers(1, models=8), examinees=["m0", "m1"], **options)


@pytest.mark.slow
def test_power_grows_with_the_leak_and_is_reached_in_draws() -> None:
    found = examined(answers(9, models=31))
    power = found.power.set_index("leak")["power"]
    assert power.is_monotonic_increasing
    hits = [p_of(examined(answers(300 + k, leak=0.2)), "t") < 0.05 for k in range(60)]
    expected = np.mean([
        examined(answers(300 + k)).power.set_index("leak")["power"][0.2] for k in range(10)
    ])  # fmt: skip
    assert np.mean(hits) == pytest.approx(expected, abs=0.2)


def test_listed_items_are_right_answers_that_the_references_did_not_have() -> None:
    table = answers(LEARNED, leak=0.4)
    listed = leaked().items
    others = table.loc["m1":, listed["item"]].mean()
    assert (table.loc["m0", listed["item"]] == 1).all()
    assert others.mean() < table.loc["m1":, PUBLIC].mean().mean()
    assert listed["expected"].is_monotonic_increasing


def test_order_of_models_and_items_changes_nothing() -> None:
    table = answers(11, leak=0.1)
    other = table.iloc[::-1, ::-1]
    again = examined(other, public=PUBLIC[::-1], fresh=FRESH[::-1])
    first = examined(table)
    assert again.estimate == pytest.approx(first.estimate, abs=1e-9)
    assert p_of(again, "t") == pytest.approx(p_of(first, "t"), rel=1e-9)


def test_a_model_outside_the_range_of_references_is_told() -> None:
    table = answers(12)
    table.loc["m0", FRESH] = 1.0
    assert "outside_references" in [one.code for one in examined(table).diagnostics]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"examinee": "m99"}, "no model 'm99'; they have 'm0', 'm1', 'm2' and "),
        ({"examinee": "m12x"}, "no model 'm12x'; did you mean 'm"),
        ({"public": []}, "no public item is named"),
        ({"public": ["x1"]}, "no public item 'x1'"),
        ({"fresh": PUBLIC}, "both public and fresh"),
        ({"references": ["m0", "m1"]}, "its own reference"),
        ({"references": ["m1", "m1"]}, "named more than once"),
        ({"public": PUBLIC[:19]}, "20 of each are needed"),
    ],
)
def test_mistakes_are_sentences(options: dict, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        examined(answers(1, models=8), **options)


def test_what_is_no_answer_is_named_by_row_and_column() -> None:
    table = answers(1, models=8)
    table.loc["m3", "public5"] = 50.0
    with pytest.raises(ParameterError, match=r"row 'm3', column 'public5': 50\.0 is not an answer"):
        examined(table)


def test_too_few_wrong_keys_are_a_note() -> None:
    table = answers(LEARNED)
    found = examined(table, wrong_keys=PUBLIC[:5])
    (entry,) = [one for one in found.diagnostics if one.code == "few_wrong_keys"]
    assert "5 public items with a wrong key can be compared, and it takes 10" in entry.sentence
    enough = examined(table, wrong_keys=PUBLIC[:10])
    assert "few_wrong_keys" not in {one.code for one in enough.diagnostics}


def test_json_of_several_models_holds_the_sentence_and_each_result() -> None:
    found = inflation_of_each(
        answers(LEARNED, leak=0.4), examinees=["m0", "m1"], public=PUBLIC, fresh=FRESH
    )
    document = found.to_dict()
    assert document["sentence"] == found.title
    assert set(document["results"]) == {"m0", "m1"}
    assert document["results"]["m0"]["sentence"] == found.results["m0"].sentence
    assert {"tests", "power", "references"} <= set(document["results"]["m1"])


def test_the_text_shows_tests_in_narrow_lines_and_assumptions_below() -> None:
    lines = leaked().summary().splitlines()
    at = lines.index("tests")
    assert max(len(line) for line in lines[at : at + 8]) < 60
    assert "size" in lines[at + 1]
    assert lines[lines.index("assumptions") + 1].startswith("t: The examinee differs from the")


def test_at_the_ceiling_twins_without_references_are_sent_to_harder_items() -> None:
    table = answers(3, models=3)
    table.loc["m0"] = 1.0
    found = examined(table, twins=dict(zip(PUBLIC, FRESH, strict=True)))
    (entry,) = [one for one in found.diagnostics if one.code == "ceiling"]
    assert entry.remedy == "Examine it on harder items."

"""Anchors of real benchmarks: known truth comes back, and questions are chosen for full scores."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.simulated_anchors import BENCHMARKS, BROKEN, calibrated, draw_models

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.calibrating import (
    answers_digest,
    calibrate_anchors,
    calibrate_with_evidence,
)
from gfactor.psychometrics.irt.anchors.files import anchors_digest, read_anchors, write_anchors
from gfactor.psychometrics.irt.anchors.placement import place_models
from gfactor.psychometrics.irt.anchors.placing import (
    EffectPosterior,
    after_answer,
    evidence,
    posterior,
    prior_weight,
)
from gfactor.psychometrics.irt.anchors.pool import full_score_slopes
from gfactor.psychometrics.irt.anchors.population import effect_population, family_weights
from gfactor.psychometrics.irt.anchors.selecting import gains
from gfactor.psychometrics.irt.anchors.testlets import effect_variances
from gfactor.psychometrics.irt.anchors.unseen_families import (
    cross_fitted_inside,
    prediction_errors,
)
from gfactor.psychometrics.irt.anchors.validation import family_folds


def test_slopes_and_intercepts_of_simulated_items_come_back() -> None:
    world, anchors = calibrated()
    for benchmark in anchors.benchmarks:
        scale = world.abilities[:, list(BENCHMARKS).index(benchmark.name)].std()
        slopes = world.slopes[benchmark.name] * scale
        assert np.corrcoef(benchmark.curves.slopes[:, 0], slopes)[0, 1] > 0.85
        intercepts = world.intercepts[benchmark.name]
        assert np.corrcoef(benchmark.curves.intercepts, intercepts)[0, 1] > 0.95


def test_items_on_which_better_models_do_worse_are_named_and_never_asked() -> None:
    world, anchors = calibrated()
    broken = {f"{b}:{k}" for b in BENCHMARKS for k in range(BROKEN)}
    named = {f"{row['benchmark']}:{row['item']}" for row in anchors.broken.to_dict("records")}
    assert len(named & broken) >= 22
    assert len(named - broken) <= 5
    placed = place_models(anchors, world.answers.iloc[:2], items=80, select="adaptive")
    asked = {f"{row['benchmark']}:{row['item']}" for row in placed.questions.to_dict("records")}
    assert not asked & named


def test_testlet_effects_come_back_with_their_size() -> None:
    rng = np.random.default_rng(3)
    persons, items = 400, 600
    fine = np.repeat(0.5 * rng.normal(size=(persons, items // 20)), 20, axis=1)
    logits = rng.normal(size=items) + fine
    chance = 1 / (1 + np.exp(-np.tile(logits.mean(0), (persons, 1))))
    right = rng.random((persons, items)) < 1 / (1 + np.exp(-logits))
    chance = np.tile(right.mean(0), (persons, 1))
    near, far = effect_variances(right - chance, chance * (1 - chance), np.ones(persons))
    assert near == pytest.approx(0.22, abs=0.06)
    assert far < 0.02


@pytest.mark.thorough
def test_full_scores_of_new_families_are_predicted_better_than_by_random_questions() -> None:
    _, anchors = calibrated()
    world = draw_models(30, 1)
    truth = world.answers.filter(like="hard:").mean(axis=1)
    placed = place_models(anchors, world.answers, items={"hard": 30}, select="adaptive")
    error = placed.predictions.set_index("model")["accuracy"] - truth
    p = truth.to_numpy()
    expected = np.sqrt(2 / np.pi * p * (1 - p) / 30 * (170 / 199)).mean()
    assert np.mean(np.abs(error)) < 0.67 * expected
    assert placed.predictions["asked"].tolist() == [30] * len(placed.predictions)


@pytest.mark.slow
def test_intervals_hold_the_full_score_of_new_families() -> None:
    _, anchors = calibrated()
    world = draw_models(18, 2)
    inside = []
    for select in ("adaptive", "random", "stratified"):
        table = place_models(anchors, world.answers, items=40, select=select).predictions
        truth = [
            world.answers.filter(like=f"{row['benchmark']}:").loc[row["model"]].mean()
            for row in table.to_dict("records")
        ]
        inside += list((table["ci_lower"] <= truth) & (truth <= table["ci_upper"]))
    assert 0.9 <= np.mean(inside) <= 0.995


def test_full_rows_give_their_own_score_and_the_models_own_ability() -> None:
    world, anchors = calibrated()
    placed = place_models(anchors, world.answers.iloc[:3])
    one = placed.predictions[placed.predictions["benchmark"] == "easy"].set_index("model")
    truth = world.answers.iloc[:3].filter(like="easy:").mean(axis=1)
    assert one["accuracy"].to_numpy() == pytest.approx(truth.to_numpy(), abs=1e-12)
    abilities = placed.abilities.set_index(["model", "dimension"])["theta"].unstack()
    assert list(pd.Series(abilities["easy"]).rank()) == list(truth[abilities.index].rank())


@pytest.mark.thorough
def test_the_reported_abilities_of_the_calibrated_models_have_mean_0_and_sd_1() -> None:
    world, anchors = calibrated()
    thetas = place_models(anchors, world.answers).abilities.pivot(
        index="model", columns="dimension", values="theta"
    )
    assert thetas.mean().abs().max() < 0.1
    assert (thetas.std() - 1).abs().max() < 0.12


def test_a_benchmark_of_which_nothing_was_asked_is_predicted_apart() -> None:
    world, anchors = calibrated()
    answers = world.answers.iloc[:2].filter(like="easy:")
    placed = place_models(anchors, answers, items=50, select="stratified")
    assert placed.predictions["benchmark"].unique().tolist() == ["easy"]
    assert placed.transfer["benchmark"].unique().tolist() == ["hard"]
    width = placed.transfer["ci_upper"] - placed.transfer["ci_lower"]
    asked = placed.predictions["ci_upper"] - placed.predictions["ci_lower"]
    assert np.min(width) > np.max(asked)


def test_a_kalman_step_is_close_to_the_full_posterior() -> None:
    world, anchors = calibrated()
    row = anchors.rows(world.answers.iloc[:1])[0]
    given = [np.full(len(x), np.nan) for x in row]
    given[0][20:60] = row[0][20:60]
    before = posterior(anchors.pool, given)
    moved = after_answer(anchors.pool, before, 0, 70, row[0][70])
    given[0][70] = row[0][70]
    full = posterior(anchors.pool, given)
    assert np.abs(moved.mean - full.mean).max() < 0.05
    assert np.diag(moved.covariance) == pytest.approx(np.diag(full.covariance), abs=0.02)


def test_the_prior_has_the_weight_that_the_posterior_expects() -> None:
    _, anchors = calibrated()
    pool, common = anchors.pool, anchors.pool.common
    row = anchors.rows(draw_models(1, 4).answers)[0]
    given = [np.where(np.arange(len(x)) % 4 == 0, x, np.nan) for x in row]
    belief = posterior(pool, given)
    weight = prior_weight(pool, belief.mean, belief.covariance)
    covariance = pool.covariance.copy()
    covariance[:common, :common] /= weight
    normal = posterior(replace(pool, covariance=covariance, degrees=math.inf), given)
    assert abs(weight - 1) > 0.05
    assert normal.mean == pytest.approx(belief.mean, abs=1e-5)
    assert np.diag(normal.covariance) == pytest.approx(np.diag(belief.covariance), abs=1e-5)


def test_what_answers_say_does_not_depend_on_the_prior() -> None:
    _, anchors = calibrated()
    wide = replace(anchors.pool, covariance=2 * anchors.pool.covariance, degrees=math.inf)
    common = anchors.pool.common
    testlets = np.arange(common, len(wide.mean))
    wide.covariance[testlets, testlets] /= 2
    row = anchors.rows(draw_models(1, 4).answers)[0]
    found = []
    for pool in (anchors.pool, wide):
        belief = posterior(pool, row)
        precision, pull = evidence(pool, belief.mean, belief.covariance)
        found.append((np.diag(precision), np.linalg.solve(precision, pull)))
    assert found[0][0] == pytest.approx(found[1][0], rel=0.1)
    assert found[0][1] == pytest.approx(found[1][1], abs=0.15)


def test_before_any_answer_the_prior_is_the_population() -> None:
    _, anchors = calibrated()
    belief = posterior(anchors.pool, [np.full(len(b.items), np.nan) for b in anchors.benchmarks])
    assert belief.mean == pytest.approx(anchors.pool.mean, abs=1e-9)
    assert belief.covariance[: anchors.pool.common, : anchors.pool.common] == pytest.approx(
        anchors.covariance, abs=1e-9
    )


def test_an_odd_model_is_drawn_less_toward_the_others_than_a_normal_prior_would() -> None:
    _, anchors = calibrated()
    pool = anchors.pool
    typical = anchors.rows(draw_models(1, 4).answers)[0]
    odd = [np.zeros(len(typical[0])), np.ones(len(typical[1]))]
    weights, reach = [], []
    for row in (typical, odd):
        given = [np.where(np.arange(len(x)) % 10 == 0, x, np.nan) for x in row]
        found, normal = (posterior(p, given) for p in (pool, replace(pool, degrees=math.inf)))
        weights.append(prior_weight(pool, found.mean, found.covariance))
        reach.append(np.linalg.norm(found.mean) / np.linalg.norm(normal.mean))
    assert weights[1] < 0.6 < weights[0]
    assert reach[1] > 1.1


def test_gains_are_the_variance_that_an_answer_takes_from_the_full_score() -> None:
    _, anchors = calibrated()
    pool = anchors.pool
    prior = EffectPosterior(pool.mean, pool.covariance)
    gain = gains(pool, prior, [1.0, 0.0])
    assert gain[1].max() == 0
    direction = full_score_slopes(pool.parts[0], prior.mean)
    before = direction @ prior.covariance @ direction
    for k in (30, 150, 299):
        after = after_answer(pool, prior, 0, k, 1.0).covariance
        assert before - direction @ after @ direction == pytest.approx(gain[0][k], rel=1e-6)


def test_a_family_of_copies_counts_by_the_root_of_its_size() -> None:
    weights = family_weights(["a"] * 16 + ["b"])
    assert weights[:16].sum() / weights[16] == pytest.approx(4)
    seen = np.r_[np.full((16, 1), 3.0), [[-1.0]]]
    sure = np.full((17, 1, 1), 1e6)
    population = effect_population(sure, 1e6 * seen, weights, degrees=1e9)
    assert population.mean[0] == pytest.approx((4 * 3 - 1) / 5, abs=1e-4)


def test_errors_of_effects_do_not_widen_the_population() -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(0.0, 0.5, (4000, 1))
    seen = truth + rng.normal(0.0, 1.0, truth.shape)
    population = effect_population(np.ones((4000, 1, 1)), seen, np.ones(4000), 1e9)
    assert population.covariance[0, 0] == pytest.approx(0.25, abs=0.06)
    gap = population.effects - truth
    assert (gap**2).mean() == pytest.approx(0.2, abs=0.02)


def test_a_few_odd_models_widen_the_population_little() -> None:
    seen = np.random.default_rng(4).normal(size=(100, 2))
    seen[:3] *= 12.0
    sure = 1e4 * np.tile(np.eye(2), (100, 1, 1))
    plain = effect_population(sure, 1e4 * seen, np.ones(100), 1e9)
    robust = effect_population(sure, 1e4 * seen, np.ones(100))
    assert np.diag(plain.covariance).max() > 3
    assert np.diag(robust.covariance).max() < 1.5


@pytest.mark.thorough
def test_models_that_did_not_answer_a_benchmark_do_not_bend_the_population() -> None:
    rng = np.random.default_rng(5)
    both = rng.multivariate_normal([0.5, -0.5], [[1, 0.8], [0.8, 1]], size=3000)
    there = np.column_stack([np.ones(3000), both[:, 0] <= 0.5])
    precisions = 1e5 * there[:, :, None] * np.eye(2)
    found = effect_population(precisions, 1e5 * there * both, np.ones(3000), 1e9)
    seen = both[both[:, 0] <= 0.5]
    slope, intercept = np.polyfit(seen[:, 0], seen[:, 1], 1)
    assert found.covariance[0, 1] == pytest.approx(slope * both[:, 0].var(), rel=1e-3)
    assert found.mean[1] == pytest.approx(intercept + slope * both[:, 0].mean(), abs=1e-3)


@pytest.mark.thorough
def test_leaving_families_out_is_close_to_calibrating_the_others_anew() -> None:
    world, _ = calibrated()
    left_out = np.arange(90) < 9
    whole = calibrate_with_evidence(world.answers, world.families, name="simulated")
    near = whole.without(left_out)
    anew = calibrate_anchors(world.answers.loc[~left_out], world.families.loc[~left_out])
    row = world.answers.iloc[:9]
    scores = [
        place_models(scale, row, items={"hard": 40}, select="random").predictions
        for scale in (near, anew)
    ]
    gap = (scores[0]["accuracy"] - scores[1]["accuracy"]).abs()
    assert np.mean(gap) < 0.004
    width = [table["ci_upper"] - table["ci_lower"] for table in scores]
    assert (width[0] / width[1]).between(0.93, 1.07).all()
    assert list(near.models.index) == list(world.answers.index[9:])


def test_models_below_chance_are_left_out_of_the_curves_and_named() -> None:
    world, anchors = calibrated()
    answers = world.answers.copy()
    answers.loc["m0", [c for c in answers.columns if c.startswith("hard:")]] = 0.0
    unread = calibrate_anchors(answers, world.families)
    entry = next(d for d in unread.diagnostics if d.code == "unread_models")
    assert entry.where == ("m0",)
    gap = unread.benchmarks[1].curves.slopes - anchors.benchmarks[1].curves.slopes
    assert np.abs(gap).mean() < 0.05


@pytest.mark.thorough
def test_unread_easy_items_are_told_from_a_low_ability() -> None:
    _, anchors = calibrated()
    new = draw_models(12, 3)
    rng = np.random.default_rng(8)
    answers = new.answers.where(rng.random(new.answers.shape) > 0.15, 0.0)
    placed = place_models(anchors, answers, items={"easy": 120}, select="random")
    truth = answers.filter(like="easy:").mean(axis=1)
    error = placed.predictions.set_index("model")["accuracy"] - truth
    assert np.abs(np.mean(error)) < 0.015


@pytest.mark.thorough
def test_models_that_know_hard_items_by_heart_are_named() -> None:
    _, anchors = calibrated()
    new = draw_models(12, 6).answers
    items = anchors.items.set_index(anchors.items["benchmark"] + ":" + anchors.items["item"])
    hard = [name for name in new.columns if items.loc[name, "d"] < -0.5]
    leaked = new.copy()
    leaked[hard[::2]] = 1.0
    counts = [
        sum(entry.code == "model_misfit" for entry in place_models(anchors, rows).diagnostics)
        for rows in (new, leaked)
    ]
    assert counts[0] == 0
    assert counts[1] >= 7


def test_the_simulated_scale_has_its_recorded_numbers_on_every_machine() -> None:
    _, anchors = calibrated()
    easy, hard = anchors.benchmarks
    assert hard.curves.slopes[40:43, 0] == pytest.approx(
        [0.35866480, 1.1431171, 1.0323620], rel=1e-6
    )
    assert anchors.mean[[2, 5]] == pytest.approx([0.14554215, 0.11680416], rel=1e-6)
    assert anchors.covariance[0, 3] == pytest.approx(1.1465444, rel=1e-6)
    assert easy.testlet_variances == pytest.approx((0.12433757, 0.018064857), rel=1e-6)


@pytest.mark.thorough
def test_a_prediction_beyond_the_calibrated_models_is_named() -> None:
    world, anchors = calibrated()
    scores = world.answers.filter(like="easy:").mean(axis=1)
    names = [scores.idxmax(), scores.sort_values().index[45]]
    better = world.answers.loc[names].filter(like="easy:")
    wrong = better.columns[(better.loc[names[0]] == 0).to_numpy()]
    better.loc[names[0], wrong[::2]] = 1.0
    for asked, severity in ((better, "warning"), (better.iloc[:, 200:240], "note")):
        placed = place_models(anchors, asked)
        entries = [d for d in placed.diagnostics if d.code == "beyond_range"]
        assert [d.where[0] for d in entries] == names[:1]
        assert entries[0].severity in (severity, "warning")
        assert f"{scores.max():.3f}" in entries[0].sentence


@pytest.mark.thorough
def test_a_model_whose_replies_are_often_unread_is_named() -> None:
    _, anchors = calibrated()
    new = draw_models(30, 4)
    able = new.answers.loc[new.abilities.mean(1) > 0]
    unread = able.where(np.random.default_rng(8).random(able.shape) > 0.4, 0.0)
    named = [
        {d.where[0] for d in place_models(anchors, rows).diagnostics if d.code == "easy_items_lost"}
        for rows in (able, unread)
    ]
    assert len(named[0]) <= 1
    assert len(named[1]) >= 0.9 * len(unread)


def test_several_abilities_of_a_benchmark_are_written_and_read(tmp_path: Path) -> None:
    world, _ = calibrated()
    anchors = calibrate_anchors(world.answers, world.families, dimensions=2)
    again = read_anchors(write_anchors(anchors, tmp_path / "scale"))
    assert again.benchmarks[0].curves.slopes.shape == (300, 2)
    assert again.benchmarks[0].effect_names == ("ability", "ability2", "level", "easy")
    gap = again.benchmarks[0].curves.covariance - anchors.benchmarks[0].curves.covariance
    assert np.abs(gap).max() < 1e-7
    placed = place_models(again, world.answers.iloc[:2], items=30, select="adaptive")
    assert np.sum(placed.predictions["asked"]) == 60


@pytest.mark.thorough
def test_standing_counts_the_real_models_beyond_the_interval() -> None:
    world, anchors = calibrated()
    placed = place_models(anchors, world.answers.iloc[:4], items=60, select="random")
    for row in placed.standing.to_dict("records"):
        one = placed.predictions.set_index(["model", "benchmark"]).loc[
            (row["model"], row["benchmark"])
        ]
        scores = world.answers.filter(like=f"{row['benchmark']}:").mean(axis=1)
        assert row["higher"] == (scores > one["ci_upper"]).sum()
        assert row["best_rank"] == row["higher"] + 1
        assert row["worst_rank"] == 1 + (scores >= one["ci_lower"]).sum()


def test_folds_never_part_a_family() -> None:
    families = ["a"] * 7 + ["b"] * 3 + ["c", "d", "e", "f"]
    folds = family_folds(families, 3)
    assert len({(f, k) for f, k in zip(families, folds.tolist(), strict=True)}) == 6
    assert np.bincount(folds).tolist() == [7, 4, 3]


@pytest.mark.thorough
def test_a_written_scale_is_read_as_it_was_and_a_changed_table_is_refused(tmp_path: Path) -> None:
    world, anchors = calibrated()
    folder = write_anchors(anchors, tmp_path / "scale")
    again = read_anchors(folder)
    assert anchors_digest(again) == anchors_digest(anchors)
    first = place_models(anchors, world.answers.iloc[:1], items=30, select="random", seed=4)
    second = place_models(again, world.answers.iloc[:1], items=30, select="random", seed=4)
    gap = first.predictions["accuracy"] - second.predictions["accuracy"]
    assert np.max(np.abs(gap)) < 1e-4
    (folder / "easy.csv").write_text((folder / "easy.csv").read_text().replace(",0,", ",1,", 1))
    with pytest.raises(ParameterError, match="is not the table that"):
        read_anchors(folder)


def test_the_digest_of_answers_ignores_their_order() -> None:
    world, _ = calibrated()
    digest = answers_digest(world.answers)
    assert answers_digest(world.answers.iloc[::-1, ::-1]) == digest
    changed = world.answers.copy()
    changed.iloc[0, 0] = 1 - changed.iloc[0, 0]
    assert answers_digest(changed) != digest


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.rename(columns={"easy:3": "easy:999"}), "'easy:999' is not an item"),
        (lambda t: t.replace({1.0: 2.0}), "answers are 1, 0 or missing"),
        (lambda t: t * np.nan, "has no answer"),
        (lambda t: pd.concat([t, t]), "occurs twice"),
        (lambda t: t.iloc[:0], "the table has 0 models"),
        (lambda t: t.iloc[:, :0], "the table has 1 models and 0 items"),
    ],
)
def test_answers_that_do_not_fit_are_refused(change, sentence: str) -> None:
    world, anchors = calibrated()
    with pytest.raises(ParameterError, match=sentence):
        place_models(anchors, change(world.answers.iloc[:1]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"items": 10}, "needs select"),
        ({"select": "adaptive"}, "needs"),
        ({"items": 10, "select": "clever"}, "select must be one of"),
        ({"items": {"other": 10}, "select": "random"}, "not a benchmark here"),
        ({"items": 0, "select": "random"}, "positive whole number"),
        ({"items": 10.5, "select": "random"}, "positive whole number"),
        ({"items": 10, "select": "random", "seed": -1}, "seed must be"),
        ({"items": 9999, "select": "random"}, "500 of the 9999 questions"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(options, sentence: str) -> None:
    world, anchors = calibrated()
    with pytest.raises(ParameterError, match=sentence):
        place_models(anchors, world.answers.iloc[:1], **options)


def test_too_few_models_make_no_scale() -> None:
    world, _ = calibrated()
    with pytest.raises(ParameterError, match="20 models"):
        calibrate_anchors(world.answers.iloc[:20], world.families)
    with pytest.raises(ParameterError, match="no family"):
        calibrate_anchors(world.answers, world.families.iloc[:10])


def test_a_model_that_answers_at_random_is_named() -> None:
    world, anchors = calibrated()
    row = world.answers.iloc[:1].copy()
    intercepts: Any = anchors.items.set_index(["benchmark", "item"])["d"]
    easy = [c for c in row.columns if intercepts[tuple(c.split(":"))] > 1.0]
    row[easy] = 0.0
    placed = place_models(anchors, row)
    assert "model_misfit" in {entry.code for entry in placed.diagnostics}


def simulated_trials(count: int, misfit: float, inflation: float) -> pd.DataFrame:
    """Predictions with known errors, of one model in each family."""
    rng = np.random.default_rng(9)
    of_ability, rest = rng.choice([1e-6, 6e-4], count), np.full(count, 1e-6)
    variance = inflation * of_ability + misfit**2 * 0.9**2 + rest
    error = rng.standard_t(8, count) * np.sqrt(variance)
    return pd.DataFrame({
        "model": [f"m{k}" for k in range(count)], "benchmark": "hard",
        "fold": np.arange(count) % 10,
        "true": 0.5, "predicted": 0.5 + error, "ability_variance": of_ability,
        "answer_variance": rest, "asked": 20, "items": 200,
    })  # fmt: skip


def test_errors_of_families_left_out_come_back_and_do_not_hang_on_the_last_bit() -> None:
    trials = simulated_trials(4000, 0.01, 1.4)
    families = pd.Series(trials["model"].to_numpy(), index=trials["model"])
    misfit, inflation = prediction_errors(trials, families)
    assert misfit["hard"] == pytest.approx(0.01, rel=0.12)
    assert inflation == pytest.approx(1.4, rel=0.12)
    moved, same = prediction_errors(
        trials.assign(predicted=trials["predicted"] * (1 + 1e-13)), families
    )
    assert moved["hard"] == pytest.approx(misfit["hard"], rel=1e-8)
    assert same == pytest.approx(inflation, rel=1e-8)
    none, _ = prediction_errors(simulated_trials(4000, 0.0, 0.6), families)
    assert none["hard"] < 0.002


def test_intervals_that_other_families_widened_hold_the_truth() -> None:
    _, anchors = calibrated()
    trials = simulated_trials(4000, 0.01, 1.4)
    families = pd.Series(trials["model"].to_numpy(), index=trials["model"])
    inside = cross_fitted_inside(anchors.restricted([1]), trials, families)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.012)


def test_misfit_widens_intervals_and_less_so_the_more_is_asked() -> None:
    world, anchors = calibrated()
    wide = replace(
        anchors, benchmarks=tuple(replace(b, misfit_sd=0.03) for b in anchors.benchmarks)
    )
    widths = []
    for scale in (anchors, wide):
        for n in (40, 180):
            table = place_models(
                scale, world.answers.iloc[:1], items={"hard": n}, select="random"
            ).predictions
            widths.append(float((table["ci_upper"] - table["ci_lower"]).iloc[0]))
    assert widths[2] > widths[0] + 0.005
    assert widths[3] - widths[1] < widths[2] - widths[0]

"""The living scale: models are added, the scale stays, and items that drift are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.simulated_anchors import BENCHMARKS, BROKEN, World, calibrated, draw_models

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import calibrate_anchors
from gfactor.psychometrics.irt.anchors.drift import AddedEffects, item_drift
from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.anchors.files import anchors_digest, read_anchors, write_anchors
from gfactor.psychometrics.irt.anchors.placement import place_models
from gfactor.psychometrics.irt.anchors.population import effect_population, extended_population
from gfactor.psychometrics.irt.anchors.update_results import CalibrationUpdate
from gfactor.psychometrics.irt.anchors.updating import as_written, merge_anchors, update_anchors

LEAKED = {f"easy:{k}": 3.5 for k in range(20, 300, 14)}
CHANGED = {f"hard:{k}": -3.5 for k in range(20, 200, 36)}


def new_models(
    count: int, seed: int, shift: float = 0.0, drift: Mapping[str, float] | None = None
) -> World:
    """New models whose names no other seed has."""
    world = draw_models(count, seed, shift, drift)
    names = pd.Index([f"{name}-{seed}" for name in world.answers.index], name="model")
    return world._replace(
        answers=world.answers.set_axis(names), families=world.families.set_axis(names)
    )


@cache
def scale() -> Anchors:
    return as_written(calibrated()[1])


@cache
def grown() -> CalibrationUpdate:
    """The scale with thirty models, for whom 25 items drifted."""
    new = new_models(30, 5, drift=LEAKED | CHANGED)
    return update_anchors(scale(), new.answers, new.families, laboratory="A", date="2026-11")


@cache
def nine() -> tuple[World, CalibrationUpdate]:
    """Nine models, and the scale with them."""
    new = new_models(9, 44)
    return new, update_anchors(scale(), new.answers, new.families)


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def named(update: CalibrationUpdate, direction: str) -> set[str]:
    drift: Any = update.drift
    rows = drift[drift["drift"] == direction]
    return {f"{row.benchmark}:{row.item}" for row in rows.itertuples()}


def test_items_that_drifted_are_named_with_their_direction() -> None:
    update = grown()
    items: Any = scale().items
    usable = {f"{r.benchmark}:{r.item}" for r in items.itertuples() if not r.status}
    easier, harder = named(update, "easier"), named(update, "harder")
    assert len(easier & LEAKED.keys()) >= 0.6 * len(LEAKED.keys() & usable)
    assert len(harder & CHANGED.keys()) >= 0.6 * len(CHANGED.keys() & usable)
    assert len((easier | harder) - LEAKED.keys() - CHANGED.keys()) <= 2
    codes = {entry.code for entry in update.diagnostics}
    assert codes == {"easier_items", "harder_items"}


def test_items_that_drifted_are_estimated_anew_and_not_asked() -> None:
    before, after = scale(), grown().anchors
    for name, status, sign in (("easy", "easier", 1), ("hard", "harder", -1)):
        old = before.benchmarks[before.names.index(name)]
        new = after.benchmarks[after.names.index(name)]
        moved = np.array([state == status for state in new.status])
        shift = sign * (new.curves.intercepts - old.curves.intercepts)
        assert shift[moved].min() > 1
        assert np.median(np.abs(shift[new.usable])) < 0.25
        assert new.asked[moved].max() == 30
        assert new.asked[new.usable].min() == old.asked.max() + 30
        assert not new.usable[moved].any()


@pytest.mark.thorough
def test_a_shift_is_recovered_in_logits() -> None:
    rng = np.random.default_rng(4)
    n, j = 400, 300
    ability, d = rng.normal(size=(n, 1)), rng.normal(size=j)
    shift = np.where(np.arange(j) < 15, 1.0, 0.0)
    logits = ability + d
    answers = (rng.random((n, j)) < 1 / (1 + np.exp(-logits - shift))).astype(float)
    covariance = np.tile(np.diag([0.02, 0.04]), (j, 1, 1))
    wrong = rng.normal(size=(j, 2)) * np.sqrt([0.02, 0.04])
    curves = ItemCurves(np.ones((j, 1)) + wrong[:, :1], d + wrong[:, 1], covariance, np.zeros(j))
    seen = AddedEffects(
        answers, ability @ curves.slopes.T + curves.intercepts, np.zeros((n, j)),
        np.column_stack([ability, np.ones(n)]),
    )  # fmt: skip
    drift = item_drift(curves, seen, [f"f{k}" for k in range(n)], np.ones(j, dtype=bool))
    assert drift.shift[:15].mean() == pytest.approx(1.0, abs=0.15)
    z = (drift.shift - shift) / drift.se
    assert 0.8 < z.std() < 1.15
    assert (drift.p[:15] < 0.01).mean() > 0.8
    assert (drift.p[15:] < 0.05).mean() < 0.08
    assert 0.4 < np.median(drift.p[15:]) < 0.65


@pytest.mark.thorough
def test_no_item_is_accused_where_none_drifted() -> None:
    new = new_models(24, 21)
    assert len(update_anchors(scale(), new.answers, new.families).drifted) == 0


@pytest.mark.slow
def test_at_most_five_percent_of_updates_without_drift_accuse_an_item() -> None:
    accused = 0
    for seed in range(200, 260):
        new = new_models(18, seed)
        accused += len(update_anchors(scale(), new.answers, new.families).drifted) > 0
    assert stats.binomtest(accused, 60, 0.05, alternative="greater").pvalue > 0.01


@pytest.mark.thorough
def test_what_one_family_has_learned_is_not_taken_for_drift() -> None:
    rng = np.random.default_rng(8)
    n, j = 60, 400
    labels = ["big"] * 45 + [f"f{k}" for k in range(15)]
    d = rng.normal(size=j)
    logits = np.tile(d, (n, 1))
    own = np.zeros((n, j))
    own[:45] = 0.8 * rng.normal(size=j)
    answers = (rng.random((n, j)) < 1 / (1 + np.exp(-logits - own))).astype(float)
    curves = ItemCurves(np.ones((j, 1)), d, np.zeros((j, 2, 2)), np.zeros(j))
    seen = AddedEffects(
        answers, logits, np.zeros((n, j)), np.column_stack([np.zeros(n), np.ones(n)])
    )
    usable = np.ones(j, dtype=bool)
    as_strangers = item_drift(curves, seen, [f"s{k}" for k in range(n)], usable).p
    as_family = item_drift(curves, seen, labels, usable).p
    assert (as_strangers < 0.001).mean() > 0.1
    assert (as_family < 0.001).mean() < 0.005


def test_fewer_than_three_families_are_added_but_accuse_no_item() -> None:
    new = new_models(6, 31, drift=LEAKED)
    update = update_anchors(scale(), new.answers, new.families)
    assert len(update.drift) == 0
    assert [entry.code for entry in update.diagnostics] == ["drift_not_tested"]
    assert len(update.models) == 6


@pytest.mark.thorough
def test_old_models_keep_their_abilities() -> None:
    old = calibrated()[0].answers.iloc[::9]
    before: Any = place_models(scale(), old).abilities
    after: Any = place_models(grown().anchors, old).abilities
    change = (after["theta"] - before["theta"]).abs()
    assert (change < before["se"]).all()
    assert change.mean() < 0.35 * before["se"].mean()
    assert change.max() > 0


@pytest.mark.thorough
def test_the_unit_is_that_of_the_calibrated_models() -> None:
    strong = new_models(30, 6, shift=2.0)
    update = update_anchors(scale(), strong.answers, strong.families)
    answers = new_models(6, 7).answers
    before = place_models(scale(), answers).abilities["theta"]
    after = place_models(update.anchors, answers).abilities["theta"]
    assert np.abs(after - before).max() < 0.25
    assert np.polyfit(before, after, 1)[0] == pytest.approx(1.0, abs=0.05)


def test_added_models_make_items_more_certain() -> None:
    before, after = scale().benchmarks[0], grown().anchors.benchmarks[0]
    kept = after.usable
    ratio = after.curves.covariance[kept, 1, 1] / before.curves.covariance[kept, 1, 1]
    assert ratio.max() < 1
    assert ratio.mean() == pytest.approx(90 / 120, abs=0.1)


@pytest.mark.thorough
def test_a_new_calibration_of_all_models_finds_nearly_the_same_items() -> None:
    new = new_models(30, 9)
    update = update_anchors(scale(), new.answers, new.families)
    world = calibrated()[0]
    anew = calibrate_anchors(
        pd.concat([world.answers, new.answers]), pd.concat([world.families, new.families])
    )
    for mine, theirs in zip(update.anchors.benchmarks, anew.benchmarks, strict=True):
        kept = mine.usable & theirs.usable
        assert np.corrcoef(mine.curves.slopes[kept, 0], theirs.curves.slopes[kept, 0])[0, 1] > 0.98
        a, d = mine.curves.intercepts[kept], theirs.curves.intercepts[kept]
        assert np.corrcoef(a, d)[0, 1] > 0.99


@pytest.mark.thorough
def test_merges_and_updates_give_the_same_scale_in_any_order(tmp_path: Path) -> None:
    worlds = [new_models(9, seed, drift=LEAKED) for seed in (41, 42)]
    a, b = (update_anchors(scale(), w.answers, w.families).anchors for w in worlds)
    forth, back = merge_anchors([a, b]), merge_anchors([b, a])
    forth.write(tmp_path / "forth")
    back.write(tmp_path / "back")
    assert folder_bytes(tmp_path / "forth") == folder_bytes(tmp_path / "back")
    assert forth.after == back.after != forth.before
    in_turn = update_anchors(a, worlds[1].answers, worlds[1].families)
    in_turn.write(tmp_path / "turn")
    for name in BENCHMARKS:
        tables = [(tmp_path / way / f"{name}.csv").read_bytes() for way in ("turn", "forth")]
        assert tables[0] == tables[1]
    # Merging once more, or with the calibration itself, changes nothing.
    assert merge_anchors([forth.anchors, a, scale()]).after == forth.after


@pytest.mark.thorough
def test_the_history_names_every_update_by_what_it_was_put_onto() -> None:
    first = grown()
    more, _ = nine()
    second = update_anchors(first.anchors, more.answers, more.families, laboratory="B")
    assert first.before == anchors_digest(scale())
    assert first.after == second.before
    history = second.history.set_index("laboratory")
    assert history.loc["A", "onto"] == first.before
    assert history.loc["B", "onto"] == first.after
    assert history.loc["A", "date"] == "2026-11"
    assert list(history.loc["B", "models"]) == sorted(more.answers.index)


def test_a_model_counts_once() -> None:
    new, once = nine()
    twice = update_anchors(once.anchors, new.answers, new.families)
    assert twice.after == once.after
    world = calibrated()[0]
    with_old = update_anchors(
        scale(), pd.concat([new.answers, world.answers.iloc[:3]]),
        pd.concat([new.families, world.families]),
    )  # fmt: skip
    assert with_old.after == once.after
    assert "calibrated_models" in {entry.code for entry in with_old.diagnostics}


@pytest.mark.thorough
def test_two_parts_of_one_model_are_put_together() -> None:
    new, whole = nine()
    easy = update_anchors(scale(), new.answers.filter(like="easy:"), new.families).anchors
    hard = update_anchors(scale(), new.answers.filter(like="hard:"), new.families).anchors
    merged = merge_anchors([easy, hard])
    assert merged.anchors.items.equals(whole.anchors.items)
    assert len(merged.models) == 9


def test_what_does_not_go_together_is_refused() -> None:
    new = new_models(9, 46)
    here = update_anchors(scale(), new.answers, new.families, contents={"easy:1": "abc"}).anchors
    other = new.answers.copy()
    other.loc["newm3-46", "easy:7"] = 1 - other.loc["newm3-46", "easy:7"]
    with pytest.raises(
        ParameterError, match=r"'newm3-46' has different answers to 1 items.*easy:7"
    ):
        update_anchors(here, other, new.families)
    with pytest.raises(
        ParameterError, match="'newm0-46' is of family 'f46-0' here and of 'x' there"
    ):
        update_anchors(here, new.answers, dict.fromkeys(new.answers.index, "x"))
    there = update_anchors(scale(), new.answers, new.families, contents={"easy:1": "xyz"}).anchors
    with pytest.raises(ParameterError, match="the content of 1 items differs, such as easy:1"):
        merge_anchors([here, there])
    renamed = replace(scale(), name="another")
    far = update_anchors(renamed, new.answers, new.families).anchors
    with pytest.raises(ParameterError, match="stem from different calibrations"):
        merge_anchors([here, far])
    with pytest.raises(ParameterError, match="'newm0-46' has no family"):
        update_anchors(scale(), new.answers, {})
    with pytest.raises(ParameterError, match="no model is new: 2 of 2"):
        update_anchors(scale(), calibrated()[0].answers.iloc[:2], calibrated()[0].families)
    with pytest.raises(ParameterError, match="nothing to merge"):
        merge_anchors([scale(), scale()])


def test_a_written_version_is_read_as_it_was_and_changed_files_are_refused(tmp_path: Path) -> None:
    update = grown()
    folder = update.write(tmp_path / "version")
    again = read_anchors(folder)
    assert anchors_digest(again) == update.after
    assert "with 30 added later" in again.title
    assert again.additions is not None
    assert again.additions.updates[0].laboratory == "A"
    added = folder / "added.csv"
    text = added.read_text()
    added.write_text(text.replace("1", "0", 1))
    with pytest.raises(ParameterError, match=r"added.csv is not the table that"):
        read_anchors(folder)
    added.write_text(text)
    write_anchors(replace(scale(), name="another"), folder / "base")
    with pytest.raises(ParameterError, match="the folder base is not the calibration"):
        read_anchors(folder)


def test_unread_replies_do_not_count() -> None:
    new = new_models(12, 47)
    answers = new.answers.copy()
    answers.iloc[0, answers.columns.str.startswith("hard:")] = 0.0
    update = update_anchors(scale(), answers, new.families)
    assert [entry.where for entry in update.diagnostics] == [("newm0-47", "hard")]
    hard = update.anchors.benchmarks[1]
    assert hard.asked[BROKEN:].max() == 101
    assert update.anchors.benchmarks[0].asked.max() == 102


@pytest.mark.thorough
def test_the_population_follows_the_models_that_are_added() -> None:
    rng = np.random.default_rng(2)
    precisions = np.tile(50 * np.eye(2), (900, 1, 1))
    effects = rng.normal(size=(900, 2)) * [1.0, 0.5]
    effects[600:] += [1.5, 0.0]
    pulls = 50 * (effects + rng.normal(size=effects.shape) / np.sqrt(50))
    old = effect_population(precisions[:600], pulls[:600], np.ones(600))
    both = extended_population(
        old.mean, old.covariance, 600.0, precisions[600:], pulls[600:], np.ones(300)
    )
    # The former models count by their moments alone: close to estimating all 900 at once.
    whole = effect_population(precisions, pulls, np.ones(900))
    assert both.mean == pytest.approx(whole.mean, abs=0.08)
    assert both.covariance == pytest.approx(whole.covariance, abs=0.1)
    assert np.sqrt(((both.effects - effects[600:]) ** 2).mean()) < 0.16

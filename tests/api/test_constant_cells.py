"""Cells and items that everybody, or nobody, answered right have no difficulty, and are named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cli import run_cli
from support.irt_journals import administer, choice_bank, models

import gfactor as gf
from gfactor.administration.adaptive.calibrated import items_left_out, items_of_entries
from gfactor.api.asking.profile_diagnostics import not_measured
from gfactor.api.campaign.calibration_plan import _priors
from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.models.itemfamilies import fit_families
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    from_document,
    to_document,
    write_calibration,
)

VARYING = {("a", 1): -1.0, ("a", 2): 0.5, ("b", 1): 0.0, ("b", 2): 1.0}
CONSTANT = {("c", 9): 50.0, ("d", 0): -50.0}
HARD, EASY = "domain=c,size=9", "domain=d,size=0"
MODELS = models(3, 4, sd=1.5)
OTHERS = {name.replace("lab/", "other/"): theta for name, theta in MODELS.items()}


def journal(
    path: Path, *parts: Mapping[tuple[str, int], float], who: Mapping[str, float] = MODELS
) -> None:
    """A journal of models that answer a bank for each part."""
    for k, difficulty in enumerate(parts):
        bank, b = choice_bank(path.with_name(f"{path.stem}-{k}.parquet"), difficulty, 3)
        administer(path, bank, b, who, seed=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`north.db`: a cell that nobody answered right, and one that everybody did. `plain.db`: the
    other cells of it alone. `south.db`: other models, some of whom answered the hard cell right."""
    path = tmp_path_factory.mktemp("constant")
    journal(path / "north.db", VARYING, CONSTANT)
    journal(path / "plain.db", VARYING)
    journal(path / "south.db", VARYING, CONSTANT | {("c", 9): 1.0}, who=OTHERS)
    return path


@pytest.fixture(scope="module")
def north(folder: Path) -> Calibration:
    return gf.calibrate(folder / "north.db", by="design", cluster=None)


def of_code(found: Sequence[Diagnostic], code: str) -> Diagnostic:
    (one,) = (diagnostic for diagnostic in found if diagnostic.code == code)
    return one


@pytest.mark.thorough
def test_cells_without_right_or_without_wrong_answers_are_named_and_get_no_difficulty(
    folder: Path, north: Calibration
) -> None:
    plain = gf.calibrate(folder / "plain.db", by="design", cluster=None)
    assert list(north.table["entry"]) == list(plain.table["entry"])
    for column in ("b", "se_b", "clone_sd"):
        assert north.table[column].to_numpy() == pytest.approx(plain.table[column].to_numpy())
    named = {one["name"]: (one["score"], one["items"], one["n"]) for one in north.left_out}
    assert named == {HARD: (0.0, 3, 36), EASY: (1.0, 3, 36)}
    warning = of_code(north.diagnostics, "constant_cells")
    assert f"1 cell that nobody answered right ({HARD})" in warning.sentence
    assert f"1 cell that everybody answered right ({EASY})" in warning.sentence
    assert north.about["bank"]["items"] == 18


def test_cells_that_borrow_from_others_have_a_difficulty_whatever_the_answers(folder: Path) -> None:
    known = gf.calibrate(folder / "north.db", by="design", cluster=None, design="~ 1")
    b: Any = known.table.set_index("entry")["b"]
    assert known.left_out == ()
    assert b[EASY] < b.drop(EASY).min() < b.drop(HARD).max() < b[HARD] < 10


def test_a_calibration_without_any_varying_cell_is_refused(tmp_path: Path) -> None:
    journal(tmp_path / "c.db", CONSTANT)
    with pytest.raises(ParameterError, match="each of the 2 cells is answered right by everybody"):
        gf.calibrate(tmp_path / "c.db", by="design")


def test_families_without_a_design_refuse_a_cell_whose_difficulty_is_infinite(
    folder: Path,
) -> None:
    scores = gf.matrix(folder / "north.db", by="item").scores
    cells = [name.rpartition("-")[0] for name in scores]
    with pytest.raises(ParameterError, match="nobody answered the items of the cell 'c-09' right"):
        fit_families(scores, cells)


def test_the_file_holds_what_was_left_out_and_other_files_are_as_before(
    folder: Path, north: Calibration
) -> None:
    document = json.loads(json.dumps(to_document(north)))
    assert from_document(document).left_out == tuple(document["left_out"])
    assert "left_out" not in to_document(replace(north, about={"respondents": {"n": 12}}))
    document["left_out"][0].pop("labels")
    with pytest.raises(ParameterError, match="left_out 1: 'labels' must be an object"):
        from_document(document)


def test_scores_name_and_count_the_items_whose_cell_has_no_difficulty(
    folder: Path, north: Calibration, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = write_calibration(north, folder / "north.json")
    ran = run_cli(
        monkeypatch, capsys, "score", str(folder / "south.db"), "--calibration", str(file), "--json"
    )
    found = json.loads(ran.out)["calibrated"]
    assert {row["left_out"] for row in found["abilities"]} == {6}
    assert {row["n"] for row in found["abilities"]} == {12}
    (one,) = (d for d in found["diagnostics"] if d["code"] == "items_without_difficulty")
    assert one["sentence"].startswith("The calibration has no difficulty of 6 of 18 items (c-09-0,")
    assert one["values"] == {"items": 6, "responses": 72}
    assert "unknown_items" not in {d["code"] for d in found["diagnostics"]}


@pytest.mark.thorough
def test_items_that_do_not_vary_are_named_as_such_in_scores(folder: Path) -> None:
    known = gf.calibrate(folder / "north.db", cluster=None)
    constant = {one["name"] for one in known.left_out}
    assert {"c-09-0", "d-00-2"} <= constant
    assert not constant & set(known.position)
    scores = gf.score(folder / "south.db", calibration=known).calibrated
    assert scores is not None
    assert set(of_code(scores.diagnostics, "items_without_difficulty").where) == constant
    shrunk = gf.calibrate(folder / "north.db", cluster=None, shrink=True)
    assert {one["name"] for one in shrunk.left_out} == constant - set(shrunk.position)


def test_a_cell_that_one_laboratory_could_not_calibrate_is_taken_from_the_other(
    folder: Path, north: Calibration
) -> None:
    south = gf.calibrate(folder / "south.db", by="design", cluster=None)
    assert [one["name"] for one in south.left_out] == [EASY]
    merged = gf.merge_calibrations([north, south])[""]
    b: Any = merged.table.set_index("entry")["b"]
    alone: Any = south.table.set_index("entry")["b"]
    shift = (b - alone).drop(HARD)
    assert shift.min() - 0.5 < b[HARD] - alone[HARD] < shift.max() + 0.5
    assert [(one["name"], one["items"], one["n"]) for one in merged.left_out] == [(EASY, 6, 72)]
    assert of_code(merged.diagnostics, "constant_cells").where == (EASY,)
    assert "(not laboratory 1)" in of_code(merged.diagnostics, "cells_of_some").sentence
    together = gf.calibrate([folder / "north.db", folder / "south.db"], by="design", cluster=None)
    assert HARD in together.position
    assert [one["name"] for one in together.left_out] == [EASY]


def test_cells_that_all_answered_alike_tie_no_laboratories_together(tmp_path: Path) -> None:
    for name, letter in (("one", "a"), ("two", "b")):
        own = {(letter, size): b for (_, size), b in VARYING.items()}
        bank, b = choice_bank(tmp_path / f"{name}.parquet", own | CONSTANT, 3)
        who = {f"openai:{name}-{k}": theta for k, theta in enumerate(np.linspace(-2, 2, 8))}
        administer(tmp_path / f"{name}.db", bank, b, who)
    with pytest.raises(ParameterError, match="fewer than 2 cells with right and wrong answers"):
        gf.calibrate([tmp_path / "one.db", tmp_path / "two.db"], by="design")


def test_an_adaptive_test_asks_no_items_without_a_difficulty_and_says_so(
    north: Calibration, tmp_path: Path
) -> None:
    bank, _ = choice_bank(tmp_path / "all.parquet", VARYING | CONSTANT, 3)
    assert set(items_of_entries(bank, north)) == set(north.position)
    (note,) = items_left_out(bank, north)
    assert note.sentence.startswith("The calibration has no difficulty of 6 of 18 items")
    assert items_left_out(bank, replace(north, about={})) == []


def test_plans_count_on_no_cells_without_a_difficulty_and_say_so(north: Calibration) -> None:
    plan = gf.plan(aim="ability", target=0.8, calibration=north, simulations=0)
    found = of_code(plan.diagnostics, "without_difficulty")
    assert found.sentence.startswith("2 cells without a difficulty")
    plain = replace(north, about={})
    plan = gf.plan(aim="ability", target=0.8, calibration=plain, simulations=0)
    assert "without_difficulty" not in {one.code for one in plan.diagnostics}


def test_a_family_that_nobody_solved_is_planned_as_difficult_and_not_measured_for_that() -> None:
    known = gf.shipped_calibrations(["Gwm"])["Gwm"]
    lost = [entry for entry in known.entries if entry.facts["labels"]["family"] == "running_span"]
    rest = [entry for entry in known.entries if entry not in lost]
    constant = [
        {"name": one.name, "labels": one.facts["labels"], "items": 2, "n": 9, "score": 0.0}
        for one in lost
    ]
    without = replace(known, entries=tuple(rest), about={**known.about, "left_out": constant})
    reasons: Any = not_measured({"Gwm": without}).set_index("family")["reason"]
    assert reasons["running_span"].startswith("no difficulty: those who were calibrated answered")
    planned = _priors(without, ["running_span"])
    hardest = without.table["b"].max()
    assert [(cell.b, calibrated) for _, cell, calibrated in planned] == [(hardest, False)] * len(
        lost
    )

"""A planned calibration is a campaign that runs, and whose calibration is as precise as planned."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support import simulated_models as simulated
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import other_kind
from gfactor.api.campaign.calibration_plan import CalibrationPlan
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import EXAMINEES
from gfactor.frames import pick, total
from gfactor.psychometrics.irt.models.itemfamilies import fit_families
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.constant_cells import constant_columns
from gfactor.psychometrics.planning.cells import (
    CellPrior,
    ClusteredPersons,
    items_needed,
    planned_se,
)

ITEM_FAMILIES = ["letter_series", "number_series"]
FAMILIES = ("alpha", "beta", "gamma", "delta")
ICC = 0.1


def names(world: int, each: int = 9) -> list[str]:
    return [f"rasch:{f}-{k}?world={world}" for f in FAMILIES for k in range(each)]


@pytest.fixture(autouse=True)
def scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXAMINEES._things, "rasch", simulated.rasch)  # pyright: ignore


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


def planned(folder: Path, world: int, **options: Any) -> CalibrationPlan:
    """A plan, and the world that it assumes."""
    simulated.WORLDS[world] = simulated.World(world, {}, {}, 1, 0, ICC)
    plan = gf.plan_calibration(
        names(world), folder / "c.toml", item_families=ITEM_FAMILIES, family_icc=ICC,
        **{"se": 0.3, **options},
    )  # fmt: skip
    prior = gf.shipped_calibrations(["Gf"])["Gf"]
    by_cell: Any = plan.cells.set_index("cell")
    simulated.WORLDS[world] = simulated.World(
        world, dict(by_cell["b"]), dict(by_cell["clone_sd"]), prior.variance,
        prior.testlet_variance, ICC,
    )  # fmt: skip
    return plan


@pytest.mark.slow
def test_the_campaign_of_a_plan_runs_and_its_calibration_is_as_precise_as_planned(
    tmp_path: Path,
) -> None:
    plan = planned(tmp_path, 1)
    assert (plan.models, plan.model_families) == (36, 4)
    done = gf.campaign.run(plan.path)
    assert done.facts["done"] == plan.facts["answers"] == total(plan.abilities, "answers")
    known = gf.calibrate_each(tmp_path / "c.db", "ability", cluster=None)["Gf"]
    assert known.about["respondents"]["kinds"] == {"model": 36}
    world = simulated.WORLDS[1]
    table = known.table.set_index("entry").loc[plan.cells["cell"]]
    sd, wanted = np.sqrt(world.variance), plan.cells["planned_se"].to_numpy()
    errors = (table["b"].to_numpy() - plan.cells["b"].to_numpy()) / sd
    # The plan says that a cell at the edge is placed less well than planned.
    edge = np.isin(plan.cells["cell"], at_the_edge(plan))
    assert 0 < edge.sum() < len(edge)
    assert (np.abs(errors) < 3.5 * np.where(edge, table["se_b"].to_numpy() / sd, wanted)).all()
    # Models are alike in families, and answers in testlets: the plan knows more than these errors.
    assert (table["se_b"].to_numpy() / sd < 1.5 * wanted)[~edge].all()
    assert (table["se_b"].to_numpy() / sd > 0.4 * wanted).all()


def drawn(plan: CalibrationPlan, rng: np.random.Generator) -> tuple[pd.DataFrame, list[str]]:
    """Answers of 36 models of four families to the planned items of all cells, without guessing."""
    per_cell, cells = int(plan.abilities["per_cell"].iloc[0]), plan.cells
    variance = gf.shipped_calibrations(["Gf"])["Gf"].variance
    family = rng.normal(size=(len(FAMILIES), 1)).repeat(9, axis=0)
    theta = np.sqrt(variance) * (
        np.sqrt(ICC) * family + np.sqrt(1 - ICC) * rng.normal(size=(36, 1))
    )
    b = np.repeat(cells["b"].to_numpy(), per_cell)
    b = b + np.repeat(cells["clone_sd"].to_numpy(), per_cell) * rng.normal(size=len(b))
    right = rng.uniform(size=(36, len(b))) < 1 / (1 + np.exp(b - theta))
    return pd.DataFrame(right.astype(int)), list(np.repeat(cells["cell"].to_numpy(), per_cell))


def no_guessing(plan: CalibrationPlan) -> np.ndarray:
    """Planned standard errors of the cells without guessing and testlets."""
    prior = gf.shipped_calibrations(["Gf"])["Gf"]
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    per_cell = int(plan.abilities["per_cell"].iloc[0])
    result = []
    for b, clone_sd in zip(plan.cells["b"], plan.cells["clone_sd"], strict=True):
        p = 1 / (1 + np.exp(b - np.sqrt(prior.variance + clone_sd**2) * nodes))
        information = float((p * (1 - p)) @ weights / weights.sum())
        cell = CellPrior(b, clone_sd, information, prior.variance)
        result.append(planned_se(cell, ClusteredPersons((9, 9, 9, 9), ICC), per_cell))
    return np.array(result)


@pytest.mark.slow
def test_errors_of_the_truth_are_as_large_as_planned(tmp_path: Path) -> None:
    """60 calibrations: the root mean square of a cell's error has a Monte Carlo error of 9 %."""
    plan = planned(tmp_path, 2)
    sd = np.sqrt(gf.shipped_calibrations(["Gf"])["Gf"].variance)
    rng, errors = np.random.default_rng(11), []
    for _ in range(60):
        data, cells = drawn(plan, rng)
        # A cell that no model solves has no difficulty, and no error.
        constant = constant_columns(data, cells)
        varying = [name for name, cell in zip(data, cells, strict=True) if cell not in constant]
        fit = fit_families(pick(data, varying), [cell for cell in cells if cell not in constant])
        found = fit.cells["b"].reindex(plan.cells["cell"]).to_numpy(float)
        errors.append((found - plan.cells["b"].to_numpy()) / sd)
    ratio = np.sqrt(np.nanmean(np.square(errors), axis=0)) / no_guessing(plan)
    edge = np.isin(plan.cells["cell"], at_the_edge(plan))
    assert ratio[~edge] == pytest.approx(1, abs=0.28)
    assert (ratio[edge] > 1.28).all()  # as the plan warns


def at_the_edge(plan: CalibrationPlan) -> tuple[str, ...]:
    return next((d.where for d in plan.diagnostics if d.code == "cells_at_the_edge"), ())


def test_a_cell_that_hardly_any_model_solves_is_named(tmp_path: Path) -> None:
    plan = planned(tmp_path, 4)
    hardest = plan.cells.loc[plan.cells["b"].idxmax()]
    assert hardest["models_beyond"] < 2
    assert at_the_edge(plan) == (hardest["cell"],)
    others = plan.cells.loc[plan.cells["cell"] != hardest["cell"], "models_beyond"]
    assert (others > 2).all()


@pytest.mark.thorough
def test_more_precision_takes_more_items_until_only_more_models_help(tmp_path: Path) -> None:
    rough, fine = (planned(tmp_path, 3, se=se) for se in (0.35, 0.26))
    assert fine.abilities["per_cell"].iloc[0] > rough.abilities["per_cell"].iloc[0]
    for plan, se in ((rough, 0.35), (fine, 0.26)):
        cells: Any = plan.cells
        assert cells["planned_se"].max() <= se
        assert plan.abilities["least_se"].iloc[0] < cells["planned_se"].min()
    with pytest.raises(ParameterError, match=r"reach a standard error of 0\.2.* name about [1-9]"):
        planned(tmp_path, 3, se=0.1)


def test_items_needed_are_the_smallest_number_that_reaches() -> None:
    cell = CellPrior(b=0.5, clone_sd=0.7, information=0.15, variance=2.0, testlet_variance=0.3)
    persons = ClusteredPersons((4, 4, 6, 1), icc=0.3)
    number = items_needed(cell, persons, 0.4)
    assert number is not None
    assert planned_se(cell, persons, number) <= 0.4 < planned_se(cell, persons, number - 1)
    by_hand = (2.0 / persons.effective + 0.3 / 15 + (1 / (15 * 0.15) + 0.49) / number) / 2.0
    assert planned_se(cell, persons, number) == pytest.approx(np.sqrt(by_hand))
    assert persons.effective == pytest.approx(15 / (1 + 0.3 * (69 / 15 - 1)))
    needed = cell.models_needed(0.2, persons)
    assert needed is not None
    more = ClusteredPersons((1,) * needed)
    assert planned_se(replace(cell, clone_sd=0.0), more, None) < 0.2
    assert items_needed(replace(cell, information=0.0), more, 0.4) is None


SPECIES = (
    "alder", "ash", "aspen", "beech", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple",
    "oak", "olive", "pine", "rowan", "yew",
)  # fmt: skip
MODELS = """
[servers.lab]
base_url = "http://127.0.0.1:1/v1"
[[models]]
spec = "openai:alpha-1"
server = "lab"
price = {input = 1, output = 2}
[[models]]
spec = "openai:beta-1"
server = "lab"
price = {input = 1, output = 2}
"""


@pytest.mark.thorough
def test_the_command_writes_the_campaign_and_says_what_it_costs(
    tmp_path: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("models.toml").write_text(MODELS)
    words = ("calibrate", "models.toml", "--plan", "-o", "c.toml", "--item-families",
             "number_series", "--se", "1.2", "--budget", "9", "--occasions", "2")  # fmt: skip
    done = run(*words)
    assert done.code == 0
    assert "next: gfactor campaign run c.toml" in done.out
    written = tomllib.loads(Path("c.toml").read_text())
    assert written["campaign"] == {"journal": "c.db", "occasions": 2, "budget": 9.0}
    assert written["banks"][0]["options"]["cells"] == "main"
    assert [model["spec"] for model in written["models"]] == ["openai:alpha-1", "openai:beta-1"]
    again = gf.campaign.plan("c.toml")
    assert again.facts["cost"] > 0
    assert f"{again.facts['cost']:.3f}" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--by", "item"), "--by does not go with --plan"),
        (("--se", "0.3", "--item-families", "matrices"), "reach a standard error of"),
        (("--se", "0"), "se must be above 0"),
        (("--family-icc", "2"), "family_icc must be from 0 to 1"),
        (("--abilities", "Gx"), "unknown calibrated ability 'Gx'"),
        (("--abilities", "Gv", "--item-families", "matrices"), "belongs to Gf, which is none of"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    tmp_path: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...], sentence: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("models.toml").write_text(MODELS)
    refused = run("calibrate", "models.toml", "--plan", "-o", "c.toml", *words)
    assert refused.code == 2
    assert sentence in refused.err
    assert not Path("c.toml").exists()


def test_models_that_make_no_calibration_are_refused(tmp_path: Path) -> None:
    def plan(models: Any) -> None:
        gf.plan_calibration(models, tmp_path / "c.toml")

    with pytest.raises(ParameterError, match="two models or more"):
        plan(["openai:a", "baseline:random", "observer:ideal"])
    (tmp_path / "m.toml").write_text("[[model]]\nspec = 'x:y'\n")
    with pytest.raises(UnknownNameError, match="table of a file of models 'model'; did you mean"):
        plan(tmp_path / "m.toml")
    with pytest.raises(ParameterError, match="cannot be read"):
        plan(tmp_path / "nothing.toml")
    (tmp_path / "m.toml").write_text("[[models]]\nspec = 'x:y'\n[[models]]\nexaminee = 'x:z'\n")
    with pytest.raises(ParameterError, match=r"table 2 of .* has no spec.* it has exam"):
        plan(tmp_path / "m.toml")


def test_no_campaign_file_is_left_that_a_campaign_refuses(tmp_path: Path) -> None:
    """The sentence names the file in which the mistake is, not the one that was to be written."""
    many = "".join(f"[[models]]\nspec = 'openai:{n}-8b'\nserver = 's'\n" for n in SPECIES)
    (tmp_path / "m.toml").write_text(f"[servers.s]\naddress = 'http://localhost:1/v1'\n{many}")
    target = tmp_path / "c.toml"
    for before in (None, "# older\n"):
        if before:
            target.write_text(before)
        with pytest.raises(ParameterError, match=r"m\.toml', servers\.s\.address: .* known are"):
            gf.plan_calibration(tmp_path / "m.toml", target, abilities=["Gl"], se=0.8)
        assert (target.read_text() if target.exists() else None) == before


def test_options_of_a_plan_go_with_plan_alone(tmp_path: Path, run: Callable[..., Ran]) -> None:
    refused = run("calibrate", tmp_path / "c.db", "--se", "0.2", "-o", tmp_path / "c.json")
    assert "--se goes with --plan" in refused.err


def test_an_examinee_of_a_kind_that_was_not_calibrated_is_told_so() -> None:
    """A calibration says how many of which kinds it rests on; simulated ones have their note."""
    prior = gf.shipped_calibrations(["Gf"])["Gf"]

    def of(**kinds: int) -> dict[str, Calibration]:
        respondents = {**prior.about["respondents"], "kinds": kinds}
        return {"Gf": replace(prior, about={**prior.about, "respondents": respondents})}

    (found,) = other_kind(of(model=36), "person:7")
    assert found.code == "other_kind_calibrated"
    assert found.sentence.startswith("The calibration rests on 36 models and on no person")
    (found,) = other_kind(of(person=1), "openai:gpt-4o")
    assert "rests on 1 person and on no model" in found.sentence
    assert other_kind(of(model=36), "openai:gpt-4o") == []
    assert other_kind(of(model=36, person=2), "person:7") == []
    assert other_kind(of(population=240), "person:7") == []
    assert other_kind(of(model=36), "observer:ideal") == []

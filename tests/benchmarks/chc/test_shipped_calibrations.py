"""The calibrations that gfactor ships are of cells that can be built, and say what they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gfactor as gf
from gfactor.administration.adaptive import AdaptiveRun
from gfactor.api.asking.profile_diagnostics import not_measured, shortfalls
from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.main_radicals import (
    HARDER,
    MAIN,
    calibration_cells,
    harder_cells,
    main_cells,
    main_radical,
)
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    read_calibrations,
    write_calibration,
    write_calibrations,
)

ANSWERED = {
    "balance_puzzles": "2", "bills_and_plans": "3", "block_views": "1", "cube_counting": "2",
    "figural_analogies": "2", "figure_counts": "1", "logical_strokes": "2", "matrices": "2",
    "number_grids": "2", "number_series": "2", "odd_one_out": "3", "paper_folding": "2",
    "set_membership": "3", "spatial_span": "1", "tower_planning": "2",
}  # fmt: skip
"""Versions of the families whose items were answered for the shipped calibrations, where they are
not the first."""
SAME_CELLS = {
    # The last version of these has plainer sentences and nothing else; observers read pictures
    # alone.
    "balance_puzzles": ("2", "3"), "card_sorting": ("1", "2"), "closure": ("1", "2"),
    "cube_comparison": ("1", "2"), "cube_counting": ("2", "3"), "cube_nets": ("1", "2"),
    "delayed_recognition": ("1", "2"), "if_then": ("1", "2"), "maze_costs": ("1", "2"),
    "n_back": ("1", "2"), "number_grids": ("2", "3"), "odd_one_out": ("3", "4"),
    "paired_associates": ("1", "2"), "running_span": ("1", "2"), "syllogisms": ("1", "2"),
    "symbol_search": ("1", "2"), "symmetry_axes": ("1", "2"), "tower_planning": ("2", "3"),
    "transitive_relations": ("1", "3"),
    # Of these, an earlier version changed the items, too, whose cells were answered again
    # (docs/evidence/batteries-evidence.md). Version 4 draws pieces apart.
    "bills_and_plans": ("3", "5"),
    # Version 2 refuses some items of points; all calibrated cells are of regions.
    "figure_counts": ("1", "3"),
    # Version 2 asks for no series that stays.
    "letter_series": ("1", "3"),
    # Version 3 has numbers above frames.
    "spatial_span": ("1", "4"),
    # Version 2 asks for changed counters.
    "updating": ("1", "3"),
    # These were answered again in their last version: version 2 has other wrong options,
    "block_views": ("1", "2"),
    # version 3 has other wrong options,
    "figure_series": ("1", "3"),
    # and version 4 offers no example.
    "set_membership": ("3", "4"),
}  # fmt: skip
"""Families that have another version now, whose calibrated cells are as hard as they were."""


@pytest.fixture(scope="module")
def shipped() -> dict[str, Calibration]:
    return gf.shipped_calibrations()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_cells_of_a_family_differ_in_its_main_radical_alone(name: str) -> None:
    family, main = FAMILIES[name], main_radical(FAMILIES[name])
    cells = main_cells(family)
    assert name in MAIN
    assert len(cells) >= 2
    assert len({levels[main] for levels in cells}) == len(cells)
    assert len({tuple(v for k, v in c.items() if k != main) for c in cells}) == 1
    medium = family.presets["medium"]
    for levels in cells:
        assert family.fits(levels)
        assert all(levels[k] in allowed for k, allowed in medium.items() if k != main)


def test_executive_functions_alone_have_cells_beyond_the_main_ones() -> None:
    with_harder = {name for name in FAMILIES if harder_cells(FAMILIES[name])}
    assert with_harder == set(HARDER) == {n for n in FAMILIES if FAMILIES[n].broad == "EF"}


@pytest.mark.parametrize("name", HARDER)
def test_every_hard_and_extreme_level_of_an_executive_function_has_a_cell(name: str) -> None:
    family, main = FAMILIES[name], main_radical(FAMILIES[name])
    harder = harder_cells(family)
    for difficulty, levels in harder:
        preset = family.preset(difficulty)
        assert all(levels[radical] in allowed for radical, allowed in preset.items())
        assert family.fits(levels)
    wanted = [(d, level) for d in ("hard", "extreme") for level in family.preset(d)[main]]
    assert [(d, levels[main]) for d, levels in harder] == wanted
    names = [cell for cell, _ in calibration_cells(family)]
    assert len(set(names)) == len(names) == len(main_cells(family)) + len(harder)
    levels = [dict(cell) for _, cell in calibration_cells(family)]
    assert all(levels.count(one) == 1 for one in levels)


def test_the_cells_are_built_with_as_many_clones_as_wanted(tmp_path: Path) -> None:
    families = ["running_span", "letter_series"]
    bank = gf.build("chc", families=families, cells="main", per_cell=2, path=tmp_path / "c.parquet")
    seen = [
        {k.removeprefix("radical."): v for k, v in bank.item(i).labels.items() if "radical." in k}
        for i in bank.ids
    ]
    cells = [dict(c) for name in sorted(families) for c in main_cells(FAMILIES[name])]
    assert seen == [c for c in cells for _ in range(2)]
    with pytest.raises(ParameterError, match="cannot be combined with difficulty"):
        build.plan(cells="main", difficulty=["easy"])


def test_every_observed_family_is_calibrated_in_cells_that_can_be_built(
    shipped: dict[str, Calibration],
) -> None:
    families, lost = set(), set()
    for ability, known in shipped.items():
        at_chance = [d for d in known.diagnostics if d.code == "cells_at_chance"]
        lost |= {name.split(",")[0].removeprefix("family=") for d in at_chance for name in d.where}
        for entry in known.entries:
            labels = dict(entry.facts["labels"])
            family = FAMILIES[labels.pop("family")]
            families.add(family.name)
            assert family.broad == ability
            levels = {name.removeprefix("radical."): level for name, level in labels.items()}
            assert levels in [dict(cell) for _, cell in calibration_cells(family)]
    observed = {name for name, family in FAMILIES.items() if not family.unobserved}
    assert families <= observed
    # Too hard for these observers: as good as guessed at every level.
    too_hard = {"form_board", "hidden_figures", "rotation_2d", "rotation_3d"}
    assert observed - families == too_hard
    assert too_hard < lost


def test_shipped_calibrations_are_those_of_the_families_as_they_are(
    shipped: dict[str, Calibration],
) -> None:
    """A new version of a calibrated family is answered again, or has cells that did not change."""
    families = {e.facts["labels"]["family"] for known in shipped.values() for e in known.entries}
    answered = {name: ANSWERED.get(name, "1") for name in families}
    other = {n: (v, FAMILIES[n].version) for n, v in answered.items() if FAMILIES[n].version != v}
    assert other == SAME_CELLS
    labels = [dict(e.facts["labels"]) for e in shipped["Gf"].entries]
    counted = [one for one in labels if one["family"] == "figure_counts"]
    assert counted
    assert {one["radical.quantity"] for one in counted} == {"regions"}


def test_families_that_are_not_calibrated_are_named_with_the_reason(
    shipped: dict[str, Calibration],
) -> None:
    table = not_measured(shipped).set_index("family")
    assert set(table.index) == set(FAMILIES) - {
        entry.facts["labels"]["family"] for known in shipped.values() for entry in known.entries
    }
    assert table.loc["relative_positions", "reason"].startswith("not calibrated: the steps are")
    for name in ("rotation_2d", "rotation_3d", "form_board", "hidden_figures"):
        assert table.loc[name, "reason"].startswith("too hard for those who were calibrated")


def test_they_say_that_they_are_a_prior_from_simulated_people(
    shipped: dict[str, Calibration],
) -> None:
    for ability, known in shipped.items():
        about = known.about
        assert about["ability"] == ability
        assert about["population"].startswith("limited observers")
        assert "no norm of people or models" in about["population"]
        assert about["respondents"]["n"] == 240
        assert about["respondents"]["kinds"] == {"population": about["respondents"]["n"]}
        assert len(about["bank"]["digest"]) == 64
        assert about["date"]
        assert about["fit"]["converged"]
        assert not [d for d in known.diagnostics if d.severity == "error"]


def test_guessing_is_that_of_the_format_and_the_covariance_is_one(
    shipped: dict[str, Calibration],
) -> None:
    for known in shipped.values():
        table = known.table.set_index("entry")
        for entry in known.entries:
            family = FAMILIES[entry.facts["labels"]["family"]]
            if family.answer_types[0] == "choice":
                assert table.loc[entry.name, "c"] == pytest.approx(1 / family.options[0], abs=1e-4)
        assert np.linalg.eigvalsh(known.covariance).min() > -1e-4
        assert table["clone_sd"].to_numpy(float).min() > 0
        assert known.testlet == "family"
        assert len(known.labels) == 2 * len(known.entries) + 1 + (known.testlet_variance > 0)


def test_the_spread_of_clones_and_of_persons_in_families_is_estimated(
    shipped: dict[str, Calibration],
) -> None:
    for known in shipped.values():
        codes = {d.code for d in known.diagnostics}
        assert not codes & {"clones_assumed", "families_not_still", "no_testlet_variance"}
        # Six clones of each cell, each answered by 40 persons or more on average.
        assert {e.facts["items"] for e in known.entries} == {6}
        assert min(e.facts["n"] for e in known.entries) >= 240
        if known.testlet_variance:
            assert known.about["fit"]["testlets"]["variance_se"] > 0
    assert sum(known.testlet_variance > 0 for known in shipped.values()) >= 4


def test_a_folder_is_read_as_it_was_written(
    shipped: dict[str, Calibration], tmp_path: Path
) -> None:
    two = {name: shipped[name] for name in ("Gl", "Gs")}
    again = read_calibrations(write_calibrations(two, tmp_path / "known"))
    assert list(again) == ["Gl", "Gs"]
    for name, known in two.items():
        assert calibration_digest(again[name]) == calibration_digest(known)
    assert list(read_calibrations(tmp_path / "known" / "Gs.json")) == ["Gs"]
    assert calibration_digest(two["Gl"]) != calibration_digest(two["Gs"])


def test_what_is_no_folder_of_calibrations_is_said(
    shipped: dict[str, Calibration], tmp_path: Path
) -> None:
    with pytest.raises(UnknownNameError, match="Gx"):
        gf.shipped_calibrations(["Gx"])
    with pytest.raises(ParameterError, match="has no calibration"):
        read_calibrations(tmp_path)
    with pytest.raises(ParameterError, match="cannot be read"):
        read_calibrations(tmp_path / "none.json")
    write_calibration(shipped["Gs"], tmp_path / "a.json")
    write_calibration(shipped["Gs"], tmp_path / "b.json")
    with pytest.raises(ParameterError, match="another file"):
        read_calibrations(tmp_path)
    about = {**shipped["Gs"].about, "ability": None}
    write_calibration(replace(shipped["Gs"], about=about), tmp_path / "a.json")
    with pytest.raises(ParameterError, match="does not name its"):
        read_calibrations(tmp_path)
    with pytest.raises(ParameterError, match="name of a file"):
        write_calibrations({"a/b": shipped["Gs"]}, tmp_path)


@pytest.mark.parametrize(("target", "says"), [(0.1, "Ask for a larger"), (0.4, "Allow more items")])
def test_more_items_are_advised_where_they_can_reach_the_error(
    shipped: dict[str, Calibration], target: float, says: str
) -> None:
    """With the two families of EF the error falls to 0.30 SD and no further."""
    run = AdaptiveRun(
        "observer:ideal", "", (), (), {}, {"EF": "se_unreachable"}, 0, 0, 0, 0.0
    )  # fmt: skip
    known = {"EF": shipped["EF"]}
    assert 0.28 < known["EF"].least_se / known["EF"].variance ** 0.5 < 0.32
    (told,) = (one for one in shortfalls(run, known, 0, target) if one.code == "not_reached")
    assert told.remedy.startswith(says)

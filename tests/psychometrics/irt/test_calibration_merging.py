"""Calibrations by design of several laboratories are one, with the error of their links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration import SPREAD, VARIANCE, Calibration, Entry
from gfactor.psychometrics.irt.scales.calibration_files import from_document, to_document
from gfactor.psychometrics.irt.scales.calibration_merging import merge_linked
from gfactor.psychometrics.irt.scales.laboratory_links import link_laboratories

CELLS = [f"family={f},radical.k={k}" for f in "abcd" for k in (1, 2, 3)]
TRUTH = np.linspace(-2, 2, len(CELLS))
NORTH, SOUTH = 30, 60
"""Respondents of the laboratories."""
ABILITY, CLONES, ANSWERS = 1.5, 0.4, 0.05
"""Variance of ability, standard deviation of clones, error variance of a cell's answers."""


def drawn(
    rng: np.random.Generator, n: int, mean: float, clones: np.ndarray, *,
    cells: slice = slice(None), moved: Mapping[str, float] | None = None, digest: str = "",
    own: np.ndarray | float = 0.0,
) -> Calibration:  # fmt: skip
    """A calibration as a laboratory whose population has this mean would estimate it."""
    chosen = CELLS[cells]
    level = rng.normal(0, np.sqrt(ABILITY / n))
    b = (TRUTH + clones + own)[cells] - mean - level + rng.normal(0, np.sqrt(ANSWERS), len(chosen))
    b += [(moved or {}).get(cell, 0.0) for cell in chosen]
    entries = tuple(
        Entry(cell, "2pl", (0.0, 1.0), (1.0, -float(value)), CLONES, {
            "labels": {"family": cell[7], "radical.k": int(cell[-1])}, "items": 4, "n": n,
            "clone_sd_low": 0.2, "clone_sd_high": 0.8, **({"items_digest": digest} if digest else
                                                          {}),
        })
        for cell, value in zip(chosen, b, strict=True)
    )  # fmt: skip
    size = len(chosen)
    covariance = np.zeros((2 * size + 1,) * 2)
    covariance[:size, :size] = ABILITY / n + np.diag(np.full(size, ANSWERS + CLONES**2 / 4))
    covariance[range(size, 2 * size), range(size, 2 * size)] = 0.09
    covariance[-1, -1] = 0.1
    labels = (*(f"{c}.d" for c in chosen), *(f"{c}.{SPREAD}" for c in chosen), VARIANCE)
    respondents = {"n": n, "kinds": {"model": n}, "families": 3, "clustered_by": "family",
                   "members": {"x": n - 2, f"own-{n}": 2},
                   "examinees": [f"model {n} {k}" for k in range(n)]}  # fmt: skip
    about = {"population": f"{n} models", "respondents": respondents,
             "scoring": {"counting": "whole", "policy": "own", "judge": None, "condition": "c"},
             "bank": {"digest": digest or str(n), "items": 4 * size}}  # fmt: skip
    return Calibration("design", "rasch", entries, labels, covariance, 0.0, ABILITY, about)


def of_clones(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(0, CLONES / 2, len(CELLS))


def two(rng: np.random.Generator, *, same: bool = False, **options: Any) -> dict[str, Calibration]:
    """Laboratories whose populations are a logit apart, with the same or with other clones."""
    first = of_clones(rng)
    second = first if same else of_clones(rng)
    digest = "same" if same else ""
    return {
        "north": drawn(rng, NORTH, 0.0, first, digest=digest),
        "south": drawn(rng, SOUTH, 1.0, second, digest=digest, **options),
    }


@pytest.mark.slow
@pytest.mark.parametrize("same", [True, False])
def test_errors_of_links_and_cells_are_as_large_as_the_merger_says(same: bool) -> None:
    """400 mergers: a standard deviation has a Monte Carlo error of 3.5 %."""
    rng = np.random.default_rng(17 + same)
    away, links, means = [], [], []
    for _ in range(400):
        parts = two(rng, same=same)
        found = merge_linked(parts)
        table = found.table.set_index("entry")
        # The origin is the mean ability of all respondents.
        center = SOUTH / (NORTH + SOUTH)
        rows = [cell for cell in CELLS if cell in table.index]
        truth = TRUTH[[CELLS.index(cell) for cell in rows]] - center
        error = table.loc[rows, "b"].to_numpy() - truth
        away.append(np.mean(np.abs(error) < 1.96 * table.loc[rows, "se_b"].to_numpy()))
        south = found.about["linking"]["laboratories"][1]
        north = found.about["linking"]["laboratories"][0]
        links.append((south["shift"] - north["shift"] - 1.0, south["link_se"]))
        means.append(table.loc[rows, "b"].mean() - truth.mean())
    errors, said = np.array(links).T
    assert np.mean(away) == pytest.approx(0.95, abs=0.025)
    assert errors.std() / np.sqrt(np.mean(said**2)) == pytest.approx(1, abs=0.12)
    assert abs(errors.mean()) < 4 * errors.std() / 20
    assert abs(np.mean(means)) < 4 * np.std(means) / 20


def test_laboratories_that_asked_the_same_items_are_no_better_than_their_items() -> None:
    rng = np.random.default_rng(3)
    clones = of_clones(rng)
    errors = {}
    for digest in ("", "same"):
        made = [drawn(rng, 10_000, 0.0, clones, digest=digest) for _ in range(2)]
        parts: dict[str, Calibration] = dict(zip(("north", "south"), made, strict=True))
        errors[digest] = merge_linked(parts).table["se_b"].to_numpy()
    of_items = CLONES**2 / 4
    assert (errors["same"] ** 2 > of_items).all()
    assert errors["same"] ** 2 == pytest.approx(of_items + ANSWERS / 2, rel=0.1)
    assert errors[""] ** 2 == pytest.approx((of_items + ANSWERS) / 2, rel=0.1)


def test_the_order_of_laboratories_makes_no_difference() -> None:
    parts = two(np.random.default_rng(5))
    one, other = merge_linked(parts), merge_linked(dict(reversed(parts.items())))
    assert other.table["b"].to_numpy() == pytest.approx(one.table["b"].to_numpy())
    assert other.covariance == pytest.approx(one.covariance, abs=1e-12)
    assert other.variance == pytest.approx(one.variance)


def test_the_population_is_that_of_all_laboratories() -> None:
    """Populations a logit apart: the common variance is that within them and between them."""
    rng = np.random.default_rng(8)
    zero = np.zeros(len(CELLS))
    parts = {"north": drawn(rng, 4_000, 0.0, zero), "south": drawn(rng, 12_000, 1.0, zero)}
    found = merge_linked(parts)
    assert found.variance == pytest.approx(ABILITY + 0.25 * 0.75, abs=0.08)
    shifts = [one["shift"] for one in found.about["linking"]["laboratories"]]
    assert 0.25 * shifts[0] + 0.75 * shifts[1] == pytest.approx(0, abs=1e-9)
    assert shifts[1] - shifts[0] == pytest.approx(1, abs=0.3)


def test_a_cell_that_drifted_is_named_and_links_nothing() -> None:
    rng, cell = np.random.default_rng(11), CELLS[4]
    parts = two(rng, moved={cell: 3.0})
    found = merge_linked(parts)
    assert [one["cell"] for one in found.about["linking"]["drifted"]] == [cell]
    assert cell not in found.position
    (note,) = (d for d in found.diagnostics if d.code == "drifted_cells")
    assert cell in note.sentence
    rest = {
        name: replace(part, entries=tuple(e for e in part.entries if e.name != cell))
        for name, part in parts.items()
    }
    assert found.table["b"].to_numpy() == pytest.approx(merge_linked(rest).table["b"].to_numpy())


@pytest.mark.slow
def test_cells_that_did_not_drift_are_seldom_said_to() -> None:
    """Per merger at most 5 %; 200 of them: more than 9 % has a probability below .01."""
    rng = np.random.default_rng(12)
    false = sum(bool(link_laboratories(two(rng)).drifted) for _ in range(200))
    assert false < stats.binom.ppf(0.99, 200, 0.05)


@pytest.mark.slow
def test_differences_in_whole_families_of_items_are_in_the_error_of_the_link() -> None:
    """Models of one laboratory find some families easier: cells of a family are no witnesses of
    their own."""
    rng = np.random.default_rng(13)
    errors, said = [], []
    for _ in range(200):
        own = np.repeat(rng.normal(0, 0.6, 4), 3)
        links = link_laboratories(two(rng, own=own))
        errors.append(links.shifts[1] - links.shifts[0] - 1.0)
        said.append(links.shift_error(1))
    ratio = np.std(errors) / np.sqrt(np.mean(np.square(said)))
    assert 0.75 < ratio < 1.3


def test_cells_of_one_laboratory_alone_are_on_the_common_scale() -> None:
    rng = np.random.default_rng(14)
    zero = np.zeros(len(CELLS))
    parts = {
        "north": drawn(rng, 20_000, 0.0, zero, cells=slice(0, 9)),
        "south": drawn(rng, 20_000, 1.0, zero, cells=slice(3, 12)),
    }
    found = merge_linked(parts)
    assert [entry.facts["laboratories"] for entry in found.entries] == [1] * 3 + [2] * 6 + [1] * 3
    assert found.table["b"].to_numpy() == pytest.approx(TRUTH - 0.5, abs=0.8)
    assert found.about["linking"]["items"] == 6


def test_a_merged_file_says_who_it_rests_on_and_is_read_again() -> None:
    found = merge_linked(two(np.random.default_rng(15)))
    respondents = found.about["respondents"]
    assert (respondents["n"], respondents["kinds"]) == (90, {"model": 90})
    assert respondents["families"] == 3  # x, own-30 and own-60
    assert respondents["members"]["x"] == 86
    assert [(one["name"], one["n"]) for one in respondents["laboratories"]] == [
        ("north", 30), ("south", 60),
    ]  # fmt: skip
    again = from_document(to_document(found))
    assert again.about["linking"] == found.about["linking"]
    assert np.allclose(again.covariance, found.covariance, rtol=1e-9, atol=1e-14)


def test_an_examinee_of_two_laboratories_is_named() -> None:
    parts = two(np.random.default_rng(16))
    about = parts["south"].about
    respondents = {**about["respondents"], "examinees": ["model 30 1"]}
    twin = replace(parts["south"], about={**about, "respondents": respondents})
    found = merge_linked({**parts, "south": twin})
    (note,) = (d for d in found.diagnostics if d.code == "examinees_twice")
    assert note.where == ("model 30 1",)


def changed(part: Calibration, **about: Any) -> Calibration:
    return replace(part, about={**part.about, **about})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda p: {"north": p["north"]}, "two or more laboratories"),
        (lambda p: {**p, "south": replace(p["south"], by="item")}, "south is by item"),
        (
            lambda p: {**p, "south": changed(p["south"], scoring={"counting": "points"})},
            "scored with another counting, 'whole' and 'points'",
        ),
        (
            lambda p: {**p, "south": replace(p["south"], testlet="family", testlet_variance=1.0)},
            "south has a testlet variance and north has none",
        ),
        (
            lambda p: {**p, "south": changed(p["south"], respondents={})},
            "south does not state its number of respondents",
        ),
    ],
)
def test_what_cannot_be_merged_is_refused(change: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        merge_linked(change(two(np.random.default_rng(1))))


def test_one_calibration_under_two_names_is_refused() -> None:
    """Its respondents counted twice, and its errors were too small by the square root of 2."""
    north = two(np.random.default_rng(3))["north"]
    with pytest.raises(ParameterError, match="north and copy hold the same calibration"):
        merge_linked({"north": north, "copy": from_document(to_document(north), "copy")})


def test_laboratories_with_nothing_in_common_are_refused() -> None:
    rng, zero = np.random.default_rng(2), np.zeros(len(CELLS))
    parts = {
        "north": drawn(rng, 30, 0.0, zero, cells=slice(0, 6)),
        "south": drawn(rng, 30, 0.0, zero, cells=slice(5, 12)),
    }
    with pytest.raises(ParameterError, match="north and south have fewer than 2 cells and no exam"):
        merge_linked(parts)


@pytest.mark.thorough
def test_a_third_laboratory_ties_two_that_have_nothing_in_common() -> None:
    rng, zero = np.random.default_rng(21), np.zeros(len(CELLS))
    parts = {
        "north": drawn(rng, 20_000, 0.0, zero, cells=slice(0, 5)),
        "south": drawn(rng, 20_000, 2.0, zero, cells=slice(7, 12)),
        "west": drawn(rng, 20_000, 1.0, zero),
    }
    shifts = [one["shift"] for one in merge_linked(parts).about["linking"]["laboratories"]]
    assert shifts == pytest.approx([-1, 1, 0], abs=0.4)
    with pytest.raises(ParameterError, match="their scales cannot be"):
        merge_linked({name: parts[name] for name in ("north", "south")})


def test_of_three_laboratories_the_one_in_which_a_cell_drifted_is_named() -> None:
    rng, cell = np.random.default_rng(22), CELLS[7]
    parts = {**two(rng), "west": drawn(rng, 40, 0.5, of_clones(rng), moved={cell: -3.0})}
    (drift,) = link_laboratories(parts).drifted
    assert (drift.cell, drift.laboratory) == (cell, "west")
    assert drift.shift == pytest.approx(-3, abs=4 * drift.se)

"""Percentiles and T scores are those of textbooks, their intervals cover, and files keep them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.norms import NormCell, Norms, norm_scores, read_norms, write_norms


def shares(n: int = 60, seed: int = 1, items: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    right = rng.binomial(items, rng.beta(6, 4, n)) / items
    return pd.DataFrame({"shapes": right}, index=[f"person:{k}" for k in range(n)])


def cell_of(x: np.ndarray) -> NormCell:
    values, counts = np.unique(x, return_counts=True)
    return NormCell("s", {}, tuple(values.tolist()), tuple(counts.tolist()))


def test_percentiles_count_half_of_the_ties_and_carry_jeffreys_interval() -> None:
    x = shares()["shapes"].to_numpy()
    for score in (0.35, 0.6, 0.61, float(x[3])):
        found = cell_of(x).standing(score)
        mean = stats.percentileofscore(x, score, kind="mean")
        assert found.percentile == pytest.approx(mean)
        k = mean / 100 * len(x)
        ends = stats.beta.ppf([0.025, 0.975], k + 0.5, len(x) - k + 0.5)
        assert [found.percentile_low, found.percentile_high] == pytest.approx(100 * ends)


def test_t_scores_are_linear_in_the_score_and_normal_in_the_percentile() -> None:
    x = shares()["shapes"].to_numpy()
    found = cell_of(x).standing(0.7)
    assert found.t_linear == pytest.approx(50 + 10 * (0.7 - x.mean()) / x.std(ddof=1))
    assert found.t_area == pytest.approx(50 + 10 * stats.norm.ppf(found.percentile / 100))
    assert found.t_area_low == pytest.approx(50 + 10 * stats.norm.ppf(found.percentile_low / 100))
    assert found.t_linear_low < found.t_linear < found.t_linear_high


def test_beyond_all_people_there_is_a_bound_and_no_t_by_area() -> None:
    best = cell_of(shares()["shapes"].to_numpy()).standing(1.01)
    assert (best.percentile, best.percentile_high) == (100, 100)
    assert 90 < best.percentile_low < 100
    assert math.isnan(best.t_area)
    assert math.isnan(best.t_area_high)
    assert 60 < best.t_area_low < 80
    assert math.isfinite(best.t_linear)


def test_the_interval_of_the_score_widens_that_of_the_standing_and_nothing_narrows_it() -> None:
    cell = cell_of(shares()["shapes"].to_numpy())
    known, unsure = cell.standing(0.6), cell.standing(0.6, 0.5, 0.7)
    assert unsure.percentile == known.percentile
    assert unsure.percentile_low < known.percentile_low
    assert known.percentile_high < unsure.percentile_high
    assert unsure.t_linear_low < known.t_linear_low
    # Both errors are joined as those of a sum, not added up.
    at = known.percentile - cell.standing(0.5).percentile
    sampling = known.percentile - known.percentile_low
    assert known.percentile - unsure.percentile_low == pytest.approx(math.hypot(at, sampling))


@pytest.mark.slow
def test_intervals_hold_the_true_standing_as_often_as_they_say() -> None:
    """40 persons, 60 items, examinees at five levels; benchmarks/norms.py has the whole table."""
    rng = np.random.default_rng(8)
    items, people, trials = 60, 40, 60
    population = rng.binomial(items, rng.beta(6, 4, 200_000)) / items
    held = {"percentile": 0, "t_linear": 0}
    for share in (0.35, 0.5, 0.6, 0.7, 0.85):
        below = (population < share - 1e-9).mean() + 0.5 * np.isclose(population, share).mean()
        true = {"percentile": 100 * below,
                "t_linear": 50 + 10 * (share - population.mean()) / population.std()}  # fmt: skip
        for right in rng.binomial(items, share, trials):
            low, high = stats.binomtest(int(right), items).proportion_ci(method="wilson")
            cell = cell_of(rng.choice(population, people))
            found = cell.standing(right / items, float(low), float(high))
            for name, value in true.items():
                ends = getattr(found, f"{name}_low"), getattr(found, f"{name}_high")
                held[name] += ends[0] <= value <= ends[1]
    for name, count in held.items():
        assert 0.92 <= count / (5 * trials) <= 0.99, name


def grouped() -> Norms:
    scores = shares(70)
    people = pd.DataFrame({"age": ["18-29"] * 40 + ["30+"] * 25 + [""] * 5,
                           "gender": ["f", "m"] * 35}, index=scores.index)  # fmt: skip
    return norm_scores(scores, people, crossed=True, min_n=15, scales={"shapes": {"items": ["x"]}},
                       about={"sample": "70 visitors", "unit": "share right"})  # fmt: skip


def test_groups_have_cells_with_n_and_error_and_small_ones_are_refused() -> None:
    norms = grouped()
    table = norms.table.set_index("group")
    assert table["n"].to_dict() == {
        "all people": 70, "age 18-29": 40, "age 30+": 25, "gender f": 35, "gender m": 35,
        "age 18-29, gender f": 20, "age 18-29, gender m": 20,
    }  # fmt: skip
    x = shares(70)["shapes"][:40]
    row = table.loc["age 18-29"]
    assert row["se"] == pytest.approx(x.std(ddof=1) / np.sqrt(40))
    assert norms.refused["group"].tolist() == ["age 30+, gender f", "age 30+, gender m"]
    codes = [one.code for one in norms.diagnostics]
    assert codes[:2] == ["convenience_sample", "cells_refused"]
    assert next(d for d in norms.diagnostics if d.code == "group_unknown").values == {"n": 5}
    assert norms.cell("shapes", age="30+").n == 25
    one = norm_scores(shares(70), pd.DataFrame({"age": ["18+"] * 69 + [""]}, shares(70).index),
                      min_n=15, scales={"shapes": {"items": ["x"]}})  # fmt: skip
    sentence = next(d for d in one.diagnostics if d.code == "group_unknown").sentence
    assert sentence.startswith("1 of 70 persons has no value of age; this person counts among")
    with pytest.raises(UnknownNameError, match="age 77"):
        norms.cell("shapes", age="77")


def test_cells_of_fewer_than_thirty_are_said_with_n_and_error() -> None:
    [said] = [one for one in grouped().diagnostics if one.code == "small_cells"]
    assert said.where == (
        "shapes: age 30+", "shapes: age 18-29, gender f", "shapes: age 18-29, gender m"
    )  # fmt: skip
    assert said.values["n"] == 20
    assert said.values["se_t"] == pytest.approx(10 / math.sqrt(20))
    assert "in the smallest, with 20, the standard error of the mean is 2.2 T points" in (
        said.sentence
    )
    enough = norm_scores(shares(60), min_n=10)
    assert not [one for one in enough.diagnostics if one.code == "small_cells"]


def test_too_few_people_are_refused_with_their_number() -> None:
    with pytest.raises(ParameterError, match="largest group of people has 20 with a score, and 30"):
        norm_scores(shares(20))
    with pytest.raises(ParameterError, match="min_n must be at least 10"):
        norm_scores(shares(), min_n=5)


def test_a_ceiling_is_said_and_no_spread_has_no_linear_t() -> None:
    top = pd.DataFrame({"a": [1.0] * 10 + list(np.linspace(0, 0.9, 30)), "b": [0.5] * 40})
    norms = norm_scores(top)
    codes = {one.code: one.where for one in norms.diagnostics}
    assert codes["floor_or_ceiling"] == ("a: all people",)
    assert codes["no_spread"] == ("b: all people",)
    assert math.isnan(norms.cell("b").standing(0.5).t_linear)


@pytest.mark.thorough
def test_a_file_keeps_everything_and_is_the_same_every_time(tmp_path: Path) -> None:
    norms = grouped()
    first = write_norms(norms, tmp_path / "a.json").read_bytes()
    again = read_norms(tmp_path / "a.json")
    assert write_norms(again, tmp_path / "b.json").read_bytes() == first
    assert again.conversion.equals(norms.conversion)
    held = json.loads(first)
    assert "A convenience sample is no norm" in held["warning"]
    assert held["sample"] == "70 visitors"
    assert {"percentile_low", "t_area", "t_linear_high", "count"} <= set(
        held["cells"][0]["scores"][0]
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(format="x"), "holds no norms"),
        (lambda d: d.update(version=9), "version 9"),
        (lambda d: d.pop("level"), "lacks a field"),
        (lambda d: d["diagnostics"][0].update(severity="bad"), "severity 'bad'"),
        (lambda d: d.update(scales=[]), "has a wrong one"),
        (lambda d: d.update(scales={"s": {"benchmark": "b"}}), "no list of items"),
        (lambda d: d["cells"].clear(), "has no cells"),
        (lambda d: d["cells"][1].update(n=3), "cell 2: counts sum to"),
        (lambda d: d["cells"][0]["scores"][0].update(count=0), "cell 1: scores must ascend"),
        (lambda d: d["cells"][0]["scores"].reverse(), "cell 1: scores must ascend"),
        (lambda d: d["cells"][0].pop("group"), "cell 1 lacks a field"),
    ],
)
def test_a_damaged_file_is_refused_with_the_place(change, said: str, tmp_path: Path) -> None:
    path = write_norms(grouped(), tmp_path / "n.json")
    held = json.loads(path.read_text())
    change(held)
    path.write_text(json.dumps(held))
    with pytest.raises(ParameterError, match=said):
        read_norms(path)


def test_the_warning_comes_back_where_somebody_took_it_out(tmp_path: Path) -> None:
    path = write_norms(grouped(), tmp_path / "n.json")
    held = json.loads(path.read_text())
    held["diagnostics"] = []
    path.write_text(json.dumps(held))
    assert [one.code for one in read_norms(path).diagnostics] == ["convenience_sample"]


def test_a_file_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_norms(grouped(), tmp_path / "n.json")
    before = path.read_bytes()

    def full(self: Path, text: str, encoding: str) -> int:
        with self.open("w", encoding=encoding) as file:
            file.write(text[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ParameterError, match="No space left"):
        write_norms(grouped(), path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["n.json"]

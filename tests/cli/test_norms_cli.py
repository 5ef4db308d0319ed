"""`gfactor norms`: people's exports become a file that leaderboards and profiles read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.answers import answered
from support.banks import make_items
from support.cli import Ran, run_cli
from support.paper_runs import answer, reply_of
from support.profiles import calibrations

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations
from gfactor.psychometrics.norms import read_norms

Run = Callable[..., Ran]
PERSONS = 40
MODELS = {"openai:best": 1.0, "openai:poor": 0.2}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export: persons with columns beside the journal, and two models in it."""
    folder = tmp_path_factory.mktemp("people")
    items, rng = make_items("abc", sizes=2, instances=5), np.random.default_rng(2)
    attempts = []
    for k in range(PERSONS):
        share = rng.beta(6, 4)
        for item in items:
            said = item.target if rng.random() < share else 99
            attempts.append((f"person:p{k:02}", item.id, 0, f"COUNT:{said}"))
    for name, share in MODELS.items():
        attempts += [(name, item.id, 0, f"COUNT:{item.target if j < share * 30 else 99}")
                     for j, item in enumerate(items)]  # fmt: skip
    with answered(folder, items, attempts):
        pass
    (folder / "c.db").rename(folder / "journal.db")
    data = folder / "psych_ds" / "data"
    data.mkdir(parents=True)
    names = [f"p{k:02}" for k in range(PERSONS)]
    ages = ["" if k == 7 else 18 + k for k in range(PERSONS)]
    table = pd.DataFrame({"participant_id": names, "age": ages, "group": ["u", "v"] * 20})
    table["language"] = ["none", "some"] * 20  # a question, called as a column of participants is
    table.to_csv(data / "study-t_questionnaire_data.csv", index=False)
    marks = pd.DataFrame({"participant_id": names, "invalid": [k < 2 for k in range(PERSONS)]})
    marks["language"] = "en"
    marks.to_csv(data / "study-t_participants_data.csv", index=False)
    return folder


@pytest.mark.slow
def test_a_file_of_an_export_has_cells_by_age_with_the_share_right(
    run: Run, people: Path, tmp_path: Path
) -> None:
    words = ("norms", people, "--by", "age=30", "--by", "group", "--label", "domain", "--min-n",
             "10", "--sample", "visitors", "-o")  # fmt: skip
    said = run(*words, tmp_path / "n.json")
    assert said.code == 0, said.err
    assert said.out.startswith("warning: A convenience sample is no norm")
    assert "invalid 2" in said.out
    norms = read_norms(tmp_path / "n.json")
    scores = gf.matrix(people / "journal.db", by="item").scores
    mean = scores.loc[[n for n in scores.index if n.startswith("person:")]].mean(axis=1)
    table = norms.table.set_index(["scale", "group"])
    assert table.loc[("toy", "all people"), "n"] == PERSONS
    assert table.loc[("toy", "all people"), "mean"] == pytest.approx(mean.mean())
    young = [f"person:p{k:02}" for k in range(12) if k != 7]
    assert table.loc[("toy", "age under 30"), "n"] == 11
    assert table.loc[("toy", "age under 30"), "mean"] == pytest.approx(mean[young].mean())
    assert {"toy domain=a", "toy domain=b", "toy domain=c"} <= set(table.index.get_level_values(0))
    assert len(norms.scales["toy"]["items"]) == 30
    again = run(*words, tmp_path / "m.json", "--json")
    assert (tmp_path / "m.json").read_bytes() == (tmp_path / "n.json").read_bytes()
    assert json.loads(again.out)["sample"] == "visitors"


@pytest.mark.slow
def test_a_leaderboard_places_models_among_people_with_the_warning(
    run: Run, people: Path, tmp_path: Path
) -> None:
    assert run("norms", people, "-o", tmp_path / "n.json", "--sample", "visitors").code == 0
    done = run("leaderboard", people / "journal.db", "-o", tmp_path / "site", "--norms",
               tmp_path / "n.json")  # fmt: skip
    assert done.code == 0, done.err
    table = pd.read_csv(tmp_path / "site" / "tables" / "board-1-among-people.csv")
    rows = table.set_index("name")
    assert rows.loc["best", "percentile"] > 95 > rows.loc["poor", "percentile"]
    assert set(rows["items"]) == {30}
    row, cell = rows.loc["poor"], read_norms(tmp_path / "n.json").cell("toy")
    assert row["score"] == pytest.approx(0.2)
    assert row["percentile"] == pytest.approx(cell.standing(0.2).percentile, abs=1e-3)
    assert row["percentile_low"] <= row["percentile"] < row["percentile_high"]
    page = (tmp_path / "site" / "index.html").read_text()
    assert "percentile among people" in page
    assert "A convenience sample is no norm" in page
    assert "visitors" in page
    plain = run("leaderboard", people / "journal.db", "-o", tmp_path / "plain")
    assert plain.code == 0
    assert "among people" not in (tmp_path / "plain" / "index.html").read_text()


@pytest.mark.slow
def test_a_model_that_answered_other_items_is_not_placed(people: Path, tmp_path: Path) -> None:
    items = make_items("abc", sizes=2, instances=5)[:20]
    attempts = [("openai:half", item.id, 0, f"COUNT:{item.target}") for item in items]
    with answered(tmp_path, items, attempts):
        pass
    gf.leaderboard(tmp_path / "c.db", tmp_path / "site", norms=gf.norms(people))
    row = pd.read_csv(tmp_path / "site" / "tables" / "board-1-among-people.csv").iloc[0]
    assert (row["items"], row["items_of_norms"]) == (20, 30)
    assert np.isnan(row["percentile"])


@pytest.mark.slow
def test_norms_of_abilities_place_a_profile_and_need_its_calibration(
    run: Run, tmp_path: Path
) -> None:
    bank = gf.build("chc", families=["rotation_2d"], difficulty=["easy", "medium", "hard"],
                    per_cell=3, path=tmp_path / "chc.parquet", show_progress=False)  # fmt: skip
    for k in range(12):
        reply = reply_of(f"p{k}", 0.3 + 0.05 * k)
        answer(tmp_path / "people.db", bank, f"person:P{k}", reply)
    known = write_calibrations(calibrations(["rotation_2d"]), tmp_path / "known")
    done = run("norms", tmp_path / "people.db", "--calibration", known, "--min-n", 12, "-o",
               tmp_path / "n.json")  # fmt: skip
    assert done.code == 0, done.err
    words = ("profile", "observer:ideal", "--calibration", known, "--max-items", 6, "--jobs", 1)
    said = run(*words, "--norms", tmp_path / "n.json", "-o", tmp_path / "p", "--json")
    assert said.code == 0, said.err
    (row,) = json.loads(said.out)["norms"]
    theta = json.loads(said.out)["abilities"][0]["theta"]
    cell = read_norms(tmp_path / "n.json").cell("Gv")
    assert row["percentile"] == cell.standing(theta).percentile
    assert row["percentile_low"] < cell.standing(theta).percentile_low
    page = (tmp_path / "p" / "report.html").read_text()
    assert "Where the abilities stand among people" in page
    assert "A convenience sample is no norm" in page
    other = write_calibrations(calibrations(["rotation_2d"], clone_sd=0.5), tmp_path / "other")
    refused = run("profile", "observer:ideal", "--calibration", other, "--max-items", 6, "--norms",
                  tmp_path / "n.json", "-o", tmp_path / "q")  # fmt: skip
    assert refused.code == 2
    assert "another calibration" in refused.err


def test_what_cannot_be_a_norm_is_refused_in_a_sentence(
    run: Run, people: Path, tmp_path: Path
) -> None:
    refused = {
        ("--by", "height"): "unknown column of persons 'height'",
        ("--by", "age=30,20"): "cuts must be ascending numbers",
        ("--by", "group=3"): "is not a number",
        ("--min-n", "41"): "the largest group of people has 40 with a score",
        ("--label", "colour"): "unknown label 'colour'",
    }
    for words, sentence in refused.items():
        said = run("norms", people, *words, "-o", tmp_path / "n.json")
        assert said.code == 2, words
        assert sentence in said.err, (words, said.err)
    twice = run("norms", people, people / "journal.db", "-o", tmp_path / "n.json")
    assert "would be counted twice" in twice.err
    assert not (tmp_path / "n.json").exists()


def test_shares_of_adaptive_items_are_no_scores(people: Path, tmp_path: Path) -> None:
    data = tmp_path / "psych_ds" / "data"
    data.mkdir(parents=True)
    (tmp_path / "journal.db").write_bytes((people / "journal.db").read_bytes())
    (data / "study-t_adaptive_data.csv").write_text("participant_id\np00\n")
    with pytest.raises(ParameterError, match="chosen adaptively"):
        gf.norms(tmp_path)


def test_abilities_are_not_for_a_leaderboard_and_shares_not_for_a_profile(
    run: Run, people: Path, tmp_path: Path
) -> None:
    gf_norms = run("norms", people, "-o", tmp_path / "n.json")
    assert gf_norms.code == 0
    known = write_calibrations(calibrations(["rotation_2d"]), tmp_path / "known")
    said = run("profile", "observer:ideal", "--calibration", known, "--norms",
               tmp_path / "n.json", "-o", tmp_path / "p")  # fmt: skip
    assert said.code == 2
    assert "shares of right answers" in said.err
    held = json.loads((tmp_path / "n.json").read_text())
    held["unit"] = "ability"
    (tmp_path / "a.json").write_text(json.dumps(held))
    with pytest.raises(ParameterError, match="norms are of abilities"):
        gf.leaderboard(people / "journal.db", tmp_path / "site", norms=tmp_path / "a.json")


def test_a_question_called_as_a_column_of_participants_makes_groups_of_its_own(
    people: Path,
) -> None:
    made = gf.norms(people, by=["language", "asked_language"], min_n=10)
    sizes = dict(zip(made.table["group"], made.table["n"], strict=True))
    assert sizes == {
        "all people": 40, "language en": 40, "asked_language none": 20, "asked_language some": 20,
    }  # fmt: skip


def test_an_export_without_answers_has_no_norms_and_hinders_no_others(
    people: Path, run: Run, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with answered(empty, make_items("abc"), []):
        pass
    (empty / "c.db").rename(empty / "journal.db")
    said = run("norms", empty, "-o", tmp_path / "n.json")
    assert said.code == 2
    assert "no answers of people" in said.err
    assert gf.norms([empty, people]).cells == gf.norms(people).cells


def test_a_label_that_there_is_not_is_said_with_those_that_there_are(
    people: Path, run: Run, tmp_path: Path
) -> None:
    said = run("norms", people, "-o", tmp_path / "n.json", "--label", "foo")
    assert said.code == 2
    assert "unknown label 'foo'" in said.err
    assert "domain" in said.err
    assert not re.search(r"\b_", said.err), "columns of our own"
    assert run("norms", people, "-o", tmp_path / "n.json", "--label", "_one").code == 2


@pytest.mark.slow
def test_norms_of_another_benchmark_are_refused(people: Path, tmp_path: Path) -> None:
    norms = gf.norms(people)
    scales = {name: {**facts, "benchmark": "other"} for name, facts in norms.scales.items()}
    with pytest.raises(ParameterError, match="the norms are of other, and the leaderboard has toy"):
        gf.leaderboard(
            people / "journal.db", tmp_path / "site", norms=replace(norms, scales=scales)
        )

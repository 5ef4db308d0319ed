"""`gfactor profile`: the document for machines, the page, and that it orders observers as built."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.chat_server import chat_server
from support.cli import Ran, run_cli
from support.paper_runs import answer, reply_of
from support.profiles import calibrations
from support.studies import browser_page

import gfactor as gf
from gfactor.api.asking.profile_diagnostics import population_of
from gfactor.benchmarks.chc.shipped import with_all_limits
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations
from gfactor.psychometrics.irt.scores.profiles import Profile

Run = Callable[..., Ran]

OBSERVERS = (
    "observer:ideal",
    "observer:limited?acuity=0.9&contrast=0.2&capacity=9&seed=1",
    "observer:limited?acuity=0.5&contrast=0.1&capacity=5&seed=2",
    "observer:limited?acuity=0.3&contrast=0.05&capacity=3&seed=3",
)
FAMILIES = ("running_span", "spatial_span")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    known = calibrations(FAMILIES, real=False)
    return write_calibrations(known, tmp_path_factory.mktemp("c") / "known")


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> list[Profile]:
    journal = tmp_path_factory.mktemp("p") / "p.db"
    return [
        gf.profile(who, calibration=folder, max_items=16, journal=journal, jobs=1)
        for who in OBSERVERS
    ]


@pytest.mark.slow
def test_the_profile_orders_the_observers_as_they_were_built(profiles: list[Profile]) -> None:
    theta = [float(one.abilities["theta"].iloc[0]) for one in profiles]
    assert theta == sorted(theta, reverse=True)
    low, high = profiles[-1].abilities.iloc[0], profiles[0].abilities.iloc[0]
    assert low["ci_upper"] < high["ci_lower"]
    last = profiles[-1].others
    assert dict(zip(last["examinee"], last["theta"].round(6), strict=True)) == {
        one.examinee: round(value, 6) for one, value in zip(profiles[:3], theta[:3], strict=True)
    }


@pytest.mark.slow
def test_four_observers_are_in_order_where_families_are_few(tmp_path: Path) -> None:
    # docs/evidence/batteries-evidence.md has all six abilities; these two have two families each.
    worse = (
        "acuity=0.6&contrast=0.12&capacity=6&retention=12&hypotheses=30&seed=1",
        "acuity=0.45&contrast=0.09&capacity=2.5&retention=5&hypotheses=16&seed=2",
        "acuity=0.24&contrast=0.048&capacity=1.5&retention=3&hypotheses=1&seed=3",
    )
    specs = ["observer:ideal", *(f"observer:limited?{words}" for words in worse)]
    found = [
        gf.profile(spec, abilities=["EF", "Gs"], max_items=80, jobs=1, journal=tmp_path / "d.db")
        for spec in specs
    ]
    theta = np.array([one.abilities["theta"].to_numpy(float) for one in found])
    assert (np.diff(theta, axis=0) < -0.3).all()


@pytest.mark.thorough
def test_the_errors_hold_the_calibrations_part_and_the_interval_is_theirs(
    profiles: list[Profile],
) -> None:
    row = profiles[1].abilities.iloc[0]
    assert row["se"] ** 2 == pytest.approx(row["se_measurement"] ** 2 + row["se_calibration"] ** 2)
    assert row["se_calibration"] > 0
    assert row["ci_upper"] - row["theta"] == pytest.approx(1.96 * row["se"])


def test_thresholds_are_said_in_the_radicals_unit_with_n(profiles: list[Profile]) -> None:
    best, worst = profiles[0].thresholds, profiles[-1].thresholds
    assert not best["supported"].to_numpy(bool).any()
    assert best["threshold"].isna().to_numpy(bool).all()
    for says, right in zip(best["says"], best["right"], strict=True):
        assert not says or "is above halfway between ceiling and chance" in says
        assert right > 0
    for row in worst.to_dict("records"):
        asked = profiles[-1].curves.query(f"family == '{row['family']}'")["level"]
        assert row["supported"] == ("accuracy falls to halfway" in row["says"])
        if row["supported"]:
            assert asked.min() <= row["ci_lower"] < row["ci_upper"] <= asked.max()


def test_abilities_are_in_standard_deviations_with_logits_beside(profiles: list[Profile]) -> None:
    known = calibrations(FAMILIES, real=False)["Gwm"]
    unit = known.variance**0.5
    for row in profiles[1].abilities.to_dict("records"):
        assert row["theta_logits"] == pytest.approx(known.mean + row["theta"] * unit)
        assert row["se_logits"] == pytest.approx(row["se"] * unit)
        assert row["ci_upper_logits"] == pytest.approx(known.mean + row["ci_upper"] * unit)
        assert row["name"] == "working memory (Gwm)"


@pytest.mark.thorough
def test_the_standard_error_that_ends_an_ability_is_in_standard_deviations(
    tmp_path: Path,
) -> None:
    """With a population of variance 16 an error of 0.5 SD is one of 2 logits."""
    known = calibrations(FAMILIES)
    gwm = known["Gwm"]
    wide = {"Gwm": replace(gwm, variance=16.0)}
    told = gf.profile(OBSERVERS[1], calibration=wide, se=0.5, jobs=1, min_items=2,
                      journal=tmp_path / "w.db")  # fmt: skip
    row = told.abilities.iloc[0]
    assert row["stop"] == "se"
    assert row["se_measurement"] <= 0.5 < row["se_logits"]
    more = gf.profile(OBSERVERS[1], calibration=wide, se=0.5, jobs=1,
                      min_items=int(row["items"]) + 5, journal=tmp_path / "w.db")  # fmt: skip
    assert more.abilities["items"].iloc[0] >= row["items"] + 5


@pytest.mark.slow
def test_a_profile_is_printed_on_two_sheets(profiles: list[Profile], tmp_path: Path) -> None:
    with browser_page() as page:
        for number, one in enumerate((profiles[0], profiles[-1])):
            page.goto(one.report(tmp_path / str(number)).path.resolve().as_uri())
            printed = page.pdf(format="A4")
            assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2


@pytest.mark.slow
def test_the_document_is_the_one_for_machines_and_the_same_command_asks_nothing(
    run: Run, tmp_path: Path, folder: Path
) -> None:
    how = ("profile", OBSERVERS[2], "--calibration", folder, "--max-items", 12, "--jobs", 1)
    out = tmp_path / "page"
    first = run(*how, "-o", out, "--json")
    assert first.code == 0, first.err
    document = json.loads(first.out)
    assert list(document) == ["examinee", "abilities", "thresholds", "calibration", "items",
                              "tokens", "cost", "not_measured", "diagnostics"]  # fmt: skip
    assert list(document["abilities"][0]) == ["ability", "name", "theta", "se", "ci_lower",
                                              "ci_upper", "theta_logits", "se_logits", "items",
                                              "stop", "claim"]  # fmt: skip
    assert list(document["thresholds"][0]) == ["family", "radical", "threshold", "ci_lower",
                                               "ci_upper", "supported"]  # fmt: skip
    assert document["abilities"][0]["stop"] == "items"
    assert (document["items"], document["tokens"], document["cost"]) == (12, None, None)
    assert document["calibration"]["population"] == "limited observers"
    assert re.fullmatch("[0-9a-f]{64}", document["calibration"]["digest"])
    assert json.loads((out / "profile.json").read_text()) == document
    answers = pd.read_csv(out / "tables" / "answers.csv")
    assert len(answers) == 12
    assert gf.score(out / "journal.db").table["n"].to_list() == [12]
    assert json.loads(run(*how, "-o", out, "--json").out) == document
    assert gf.score(out / "journal.db").table["n"].to_list() == [12]


@pytest.mark.thorough
def test_a_simulated_calibration_is_said_on_the_first_line_everywhere(
    run: Run, tmp_path: Path, folder: Path, profiles: list[Profile]
) -> None:
    out = tmp_path / "page"
    said = run("profile", OBSERVERS[0], "--calibration", folder, "--max-items", 4, "-o", out)
    assert said.out.startswith("SIMULATED CALIBRATION (limited observers)")
    page = (out / "report.html").read_text()
    assert "not measured: n back, updating" in page
    assert "retrieval from context is measured, not memory as in people" in page
    assert "<h1>Profile of the ideal observer</h1>" in page
    assert any(d.code == "simulated_calibration" for d in profiles[0].diagnostics)
    real = gf.profile(OBSERVERS[0], calibration=calibrations(FAMILIES), max_items=4, jobs=1,
                      journal=tmp_path / "r.db")  # fmt: skip
    assert real.title.endswith("calibrated on 60 open models")
    assert not any(d.code == "simulated_calibration" for d in real.diagnostics)


@pytest.mark.slow
def test_clauses_that_calibrations_share_are_said_once(tmp_path: Path) -> None:
    known = gf.shipped_calibrations()
    said = population_of(known, "0")["population"]
    assert said.count("seeing, memory and reasoning") == said.count("a design prior") == 1
    assert (
        "2 of 6 items of each cell (EF, Gl, Gs, Gwm); 1 of 6 items of each cell (Gf, Gv); " in said
    )
    stored = str(known["EF"].about["population"])
    assert population_of({"EF": known["EF"]}, "0")["population"] == with_all_limits(stored)
    page = gf.profile(OBSERVERS[0], max_items=6, jobs=1, journal=tmp_path / "p.db").report(tmp_path)
    head = page.path.read_text().split("<h2>", 1)[0]
    assert head.count("seeing, memory and reasoning") == 1


def test_far_from_the_populations_middle_the_answers_alone_are_offered(
    profiles: list[Profile],
) -> None:
    said = []
    for one in profiles:
        row = one.abilities.iloc[0]
        notes = {d.code: d for d in one.diagnostics}
        said.append("extreme_ability" in notes)
        assert said[-1] == (abs(row["theta"]) > 1.5)
        assert row["wle_lower"] < row["wle"] < row["wle_upper"]
        # The prior draws the posterior mean to the middle.
        assert abs(row["wle"]) > abs(row["theta"])
        if said[-1]:
            begins = f"{row['wle']:.2f} [{row['wle_lower']:.2f}"
            assert begins in notes["extreme_ability"].sentence
    assert set(said) == {True, False}


@pytest.mark.slow
def test_answers_that_the_calibration_cannot_explain_stop_the_claim_and_are_shown(
    tmp_path: Path,
) -> None:
    # Spatial span as hard as running span is easy: the observer answers both without an error.
    known = calibrations(FAMILIES)
    gwm = known["Gwm"]
    hard = [
        e
        if "spatial" in e.name
        else type(e)(e.name, e.kind, e.scores, (1.0, -7.0), e.clone_sd, e.facts)
        for e in gwm.entries
    ]
    odd = {"Gwm": type(gwm)("design", "rasch", tuple(hard), (), gwm.covariance[:0, :0],
                            about=gwm.about)}  # fmt: skip
    weak = "observer:limited?acuity=0.5&contrast=0.1&capacity=4&seed=2"
    result = gf.profile(weak, calibration=odd, max_items=40, jobs=1, journal=tmp_path / "p.db")
    codes = {d.code: d for d in result.diagnostics}
    assert "family_drift" in codes
    assert codes["family_drift"].severity == "error"
    assert set(codes["family_drift"].where) <= set(FAMILIES)
    assert not result.abilities["claim"].iloc[0]
    assert result.abilities["withheld"].iloc[0] == "misfit"
    page = result.report(tmp_path / "page").path.read_text()
    assert "no claim" in page
    assert result.pictures
    assert page.count("<article") == len(result.pictures)


def test_mistakes_are_one_sentence(run: Run, tmp_path: Path, folder: Path) -> None:
    out = ("-o", tmp_path / "page")
    known = ("--calibration", folder)
    said = run("profile", "observer:ideal", *known, "--abilities", "Gx", *out)
    assert (said.code, said.out) == (2, "")
    assert "unknown calibrated ability 'Gx'" in said.err
    assert run("profile", "observer:nobody", *known, *out).code == 2
    refused = run("profile", "observer:ideal", *known, "--condition", "shots=1", *out)
    assert "a profile makes its items while it asks" in refused.err
    money = run("profile", "openai:m", *known, "--max-cost", 5, *out)
    assert "--max-cost needs --prices" in money.err
    assert not (tmp_path / "page").exists()


@pytest.mark.slow
def test_each_scene_is_asked_in_words_too_and_the_difference_is_paired(tmp_path: Path) -> None:
    both = gf.profile("observer:ideal", calibration=calibrations(["rotation_2d"]), max_items=8,
                      twin=True, jobs=1, journal=tmp_path / "p.db")  # fmt: skip
    assert both.items == 16
    whole = both.twins.set_index("ability").loc["all"]
    # The observer sees, and reads nothing.
    assert (whole["n"], whole["image"], whole["text"]) == (8, 1.0, 0.0)
    assert 0 < whole["ci_lower"] <= whole["difference"] == 1.0
    alone = gf.profile("observer:ideal", calibration=calibrations(["rotation_2d"]), max_items=8,
                       jobs=1, journal=tmp_path / "q.db")  # fmt: skip
    assert both.abilities["theta"].tolist() == alone.abilities["theta"].tolist()


@pytest.mark.slow
def test_an_order_is_asked_for_until_it_is_decided_and_no_further(
    run: Run, tmp_path: Path, folder: Path
) -> None:
    how = ("--calibration", folder, "--rank", "--max-items", 90, "--jobs", 1, "--json")
    weak, same = OBSERVERS[3], "observer:limited?acuity=0.3&contrast=0.05&capacity=3&seed=4"
    said = run("profile", weak, OBSERVERS[0], *how, "-o", tmp_path / "two")
    assert said.code == 0, said.err
    order = json.loads(said.out)
    assert order["ranking"][0]["examinee"] == OBSERVERS[0]
    assert order["undecided"] == []
    assert order["asked"] == sum(row["items"] for row in order["ranking"]) < 60
    assert order["everything"] == 180
    assert order["saved"] == pytest.approx(1 - order["asked"] / 180)
    # Nobody is asked again, and who differs from the others is asked no more.
    three = json.loads(run("profile", weak, OBSERVERS[0], same, *how, "-o", tmp_path / "two").out)
    items = {row["examinee"]: row["items"] for row in three["ranking"]}
    alike = [items[name] for name in items if "capacity=3" in name]
    assert alike == [90, 90]
    assert items[OBSERVERS[0]] < 90
    assert len(three["undecided"]) == 1
    kept = gf.score(tmp_path / "two" / "journal.db").table
    assert dict(zip(kept["examinee"], kept["n"], strict=True)) == items


def test_an_order_of_one_is_refused(run: Run, tmp_path: Path, folder: Path) -> None:
    said = run("profile", OBSERVERS[0], "--rank", "--calibration", folder, "-o", tmp_path / "p")
    assert (said.code, said.out) == (2, "")
    assert "an order needs at least two different examinees" in said.err


@pytest.mark.slow
def test_people_of_another_journal_give_the_band_and_stand_in_the_table(tmp_path: Path) -> None:
    bank = gf.build("chc", families=["rotation_2d"], difficulty=["easy", "medium", "hard"],
                    per_cell=4, path=tmp_path / "chc.parquet", show_progress=False)  # fmt: skip
    for number, share in enumerate((0.3, 0.6, 0.9, 1.0)):
        answer(tmp_path / "people.db", bank, f"person:P{number}", reply_of(f"p{number}", share))
    known, people = calibrations(["rotation_2d"]), tmp_path / "people.db"
    result = gf.profile("observer:ideal", calibration=known, max_items=6, people=people, jobs=1,
                        journal=tmp_path / "p.db")  # fmt: skip
    others = result.others
    assert others["kind"].tolist() == ["person"] * 4
    assert others["n"].tolist() == [12] * 4
    assert others.sort_values("examinee")["theta"].is_monotonic_increasing
    page = result.report(tmp_path / "page").path.read_text()
    assert "the middle 80 % of 4 people" in page
    (beside,) = [d for d in result.diagnostics if d.code == "people_beside"]
    assert beside.severity == "note"
    assert "beside 4 people" in beside.sentence
    assert "answered 12 items, 12 of them of the calibration's cells" in beside.sentence
    assert beside.sentence in result.summary()
    assert "beside 4 people" in page
    assert "give their journal with --people" not in page
    known = calibrations(["running_span"])
    nobody = gf.profile("observer:ideal", calibration=known, max_items=2, people=people, jobs=1,
                        journal=tmp_path / "q.db")  # fmt: skip
    assert "no_people" in [d.code for d in nobody.diagnostics if d.severity == "warning"]
    assert "no_people" not in [d.code for d in result.diagnostics]


@pytest.mark.slow
def test_money_is_counted_and_ends_the_profile_before_it_is_spent(run: Run, tmp_path: Path) -> None:
    known = write_calibrations(calibrations(["rotation_2d"]), tmp_path / "known")
    prices = tmp_path / "prices.toml"
    prices.write_text('["m"]\ninput = 10.0\noutput = 30.0\n')
    how = ("profile", "openai:m", "--calibration", known, "--condition", "max_tokens=20",
           "--prices", prices, "--max-cost", 0.01, "-o", tmp_path / "page", "--json")  # fmt: skip
    with chat_server(lambda body: "A") as server:
        said = run(*how, "--base-url", server.url)
        assert said.code == 0, said.err
        document = json.loads(said.out)
    # Eleven tokens read and seven written: 0.00032 each.
    assert 10 < document["items"] == server.served <= 31
    assert document["tokens"] == 18 * server.served
    assert document["cost"] == pytest.approx(0.00032 * server.served)
    assert document["cost"] <= 0.01
    assert document["abilities"][0]["stop"] == "cost"


def test_models_over_http_and_observers_are_profiled_together_into_folders_of_their_names(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which examinees a call names, and in which order, never moves a profile."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    known = write_calibrations(calibrations(["number_series"]), tmp_path / "known")
    how = ("--calibration", known, "--max-items", 2, "--jobs", 1, "-o", tmp_path / "out")
    with chat_server(lambda body: "ANSWER:1") as server:
        ran = run("profile", "openai:m", OBSERVERS[1], "observer:ideal", *how,
                  "--base-url", server.url)  # fmt: skip
        assert ran.code == 0, ran.err
        pages = {
            json.loads(path.read_text())["examinee"]: path
            for path in (tmp_path / "out").glob("*/profile.json")
        }
        joint: Any = pd.read_csv(tmp_path / "out" / "tables" / "abilities.csv")
        page = (tmp_path / "out" / "report.html").read_text("utf-8")
        before = {name: path.read_bytes() for name, path in pages.items()}
        again = run("profile", "observer:ideal", "openai:m", *how, "--base-url", server.url)
    assert again.code == 0, again.err
    assert len(before) == 3
    assert joint["examinee"][0].startswith("openai:m?")
    assert joint["examinee"][1].startswith("observer:limited?")
    assert len(joint) == 3
    assert joint["theta"][2] == pytest.approx(
        json.loads(before["observer:ideal"])["abilities"][0]["theta"], abs=1e-4
    )
    own = [f"{path.parent.name}/report.html" for path in pages.values()]
    assert all(f'<a href="{address}">{address}</a>' in page for address in own)
    assert f"open {tmp_path / 'out' / 'report.html'} for all of them" in ran.out
    # A warning that all profiles have stands once.
    assert page.count("No claim is possible") == 1
    after = {json.loads(path.read_text())["examinee"] for path in pages.values()}
    assert after == set(before)
    (limited,) = (name for name in pages if name.startswith("observer:limited"))
    assert pages[limited].read_bytes() == before[limited]
    assert pages["observer:ideal"].parent.name.startswith("ideal-")


def test_the_profile_of_another_examinee_is_never_replaced(run: Run, tmp_path: Path) -> None:
    known = write_calibrations(calibrations(["number_series"]), tmp_path / "known")
    how = ("--calibration", known, "--max-items", 2, "--jobs", 1, "-o", tmp_path / "out")
    first = run("profile", "observer:ideal", *how)
    assert first.code == 0
    assert first.out.startswith("Profile of the ideal observer: ")
    assert first.out.count("Profile of the ideal observer") == 1
    assert max(map(len, first.out.splitlines())) < 600
    before = (tmp_path / "out" / "profile.json").read_bytes()
    refused = run("profile", OBSERVERS[3], *how)
    assert refused.code == 2
    assert "holds the profile of observer:ideal, which that of observer:limited" in refused.err
    assert (tmp_path / "out" / "profile.json").read_bytes() == before
    assert run("profile", "observer:ideal", *how).code == 0
    page = (tmp_path / "out" / "report.html").read_bytes()
    assert run("profile", "observer:ideal", OBSERVERS[3], *how).code == 0
    assert (tmp_path / "out" / "report.html").read_bytes() == page

"""gfactor plan, and gfactor report --prereg: from a pilot to what was done differently."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.scores.preregistration import preregister, read_preregistration
from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability import gtheory

Run = Callable[..., Ran]
WHO = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four observers on twenty-four items, asked once."""
    folder = tmp_path_factory.mktemp("pilot")
    bank = gf.build(
        "percept-v", domains=["counting_circles", "grid_path"], sizes=[2, 5, 8], instances=4,
        path=folder / "bank.parquet",
    )  # fmt: skip
    gf.run(bank, WHO, journal=folder / "pilot.db").close()
    return folder


@pytest.fixture
def here(pilot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the pilot's bank.parquet and pilot.db."""
    for path in pilot.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(ran: Ran) -> Any:
    return json.loads(ran.out)


@pytest.mark.slow
def test_a_pilot_tells_what_the_plan_needs(run: Run, here: Path) -> None:
    scored = gf.score("pilot.db").responses
    runs = scored.assign(y=scored["correct"].astype(float)).pivot_table(
        values="y", index="item_id", columns="examinee"
    )
    pairs = [(a, b) for k, a in enumerate(runs) for b in list(runs)[k + 1 :]]
    domain = runs.index.str.rsplit("-", n=2).str[0]

    def within(a: str, b: str) -> float:
        """n times the variance of the mean difference, the two domains fixed."""
        parts: Any = (runs[a] - runs[b]).groupby(domain).var(ddof=1)
        return float(parts.mean())

    spread = np.sqrt(np.mean([within(a, b) for a, b in pairs]))
    words = ("plan", "pilot.db", "--simulations", 100, "--json")
    found = told(run(*words, "--aim", "difference", "--target", 0.1))
    assert found["known"]["sd_difference"] == pytest.approx(spread)
    assert found["known"]["domains"] == 2
    assert found["generalizes_to"] == "generalizes to other items of these 2 domains"
    assert found["source"].endswith("96 answers of 4")
    one = told(run(*words, "--aim", "difference", "--target", 0.1, *(
        w for name in WHO[:2] for w in ("--examinee", name))))  # fmt: skip
    a, b = runs.columns[:2]
    assert one["known"]["sd_difference"] == pytest.approx(np.sqrt(within(a, b)))
    long = runs.reset_index().melt("item_id", var_name="examinee", value_name="score")
    known = gtheory(long, object="examinee", facets=["item_id"]).components["variance"]
    phi = told(run(*words, "--aim", "phi", "--target", 0.8))
    assert phi["known"]["components"]["examinee"] == pytest.approx(known.loc["examinee"])
    assert phi["chosen"]["reached"] >= 0.8
    clustered = told(run(*words, "--aim", "se", "--target", 0.05, "--cluster", "domain"))
    assert clustered["known"]["cluster_size"] == 12
    assert clustered["chosen"]["item"] % 12 == 0
    assert clustered["chosen"]["hours"] is not None


@pytest.mark.slow
def test_python_and_the_command_line_agree(run: Run, here: Path) -> None:
    found = gf.plan("pilot.db", aim="e_rho2", target=0.9, tries={"examinee": [6]}, simulations=50)
    words = ("--aim", "e_rho2", "--target", 0.9, "--try", "examinee=6", "--simulations", 50)
    assert told(run("plan", "pilot.db", *words, "--json")) == json.loads(
        json.dumps(found.to_dict())
    )
    shown = run("plan", "pilot.db", *words).out
    assert "<- chosen" in shown
    assert "held the truth in" in shown


def test_components_of_a_g_study_are_taken_as_they_are_printed(run: Run, here: Path) -> None:
    said = run("analyze", "generalizability", "pilot.db", "--facets", "item", "--json").out
    Path("parts.json").write_text(said, "utf-8")
    words = ("plan", "--aim", "phi", "--target", 0.8, "--simulations", 0, "--json")
    from_file = told(run(*words, "--components", "parts.json"))
    direct = told(run("plan", "pilot.db", *words[1:]))
    assert from_file["designs"][0]["item"] == direct["designs"][0]["item"]
    rows = [(row["effect"], row["variance"]) for row in json.loads(said)["components"]]
    pd.DataFrame(rows, columns=["effect", "variance"]).to_csv("parts.csv", index=False)
    assert told(run(*words, "--components", "parts.csv"))["designs"] == from_file["designs"]
    lines = [f'"{name}" = {value}' for name, value in rows]
    Path("parts.toml").write_text("\n".join(lines), "utf-8")
    assert told(run(*words, "--components", "parts.toml"))["designs"] == from_file["designs"]


def test_money_and_hours_stand_beside_each_design(run: Run, here: Path) -> None:
    Path("prices.toml").write_text(
        '["a"]\ninput = 1.0\noutput = 4.0\n["b"]\ninput = 3.0\noutput = 12.0\n', "utf-8"
    )
    words = ("--known", "discordant=0.3", "--prices", "prices.toml", "--model", "a", "--model", "b",
             "--tokens", "1000,100", "--seconds", 4, "--parallel", 8)  # fmt: skip
    row = told(run("plan", "--aim", "difference", "--target", 0.1, *words, "--json"))["chosen"]
    assert row["item"] == 249
    assert row["tokens"] == 498 * 1100
    assert row["money"] == pytest.approx(498 * (0.0014 + 0.0042) / 2)
    assert row["hours"] == pytest.approx(498 * 4 / 3600 / 8)


def test_models_that_the_pilot_does_not_name_are_priced_with_its_tokens(
    run: Run, here: Path
) -> None:
    Path("prices.toml").write_text('["a"]\ninput = 1.0\noutput = 4.0\n', "utf-8")
    with closing(sqlite3.connect("pilot.db")) as database, database:
        n = database.execute("SELECT count(*) FROM responses").fetchone()[0]
        usage = json.dumps({"prompt_tokens": 900, "completion_tokens": 50})
        database.execute("UPDATE responses SET tokens = ?", [usage])
    words = ("--aim", "phi", "--target", 0.5, "--simulations", 0)
    priced = ("--model", "a", "--prices", "prices.toml")
    row = told(run("plan", "pilot.db", *words, *priced, "--json"))["chosen"]
    assert n == 96
    assert row["money"] == pytest.approx(row["tokens"] / 950 * (900 + 4 * 50) / 1e6)
    refused = run("plan", "pilot.db", *words, "--model", "a")
    assert "--model also needs --prices, and --tokens unless a pilot has them" in refused.err


def test_two_accuracies_and_a_correlation_give_the_share_of_discordant_items(run: Run) -> None:
    words = ("plan", "--aim", "difference", "--target", 0.05, "--simulations", 0, "--json")

    def stated(**known: object) -> list[str]:
        return [word for name, value in known.items() for word in ("--known", f"{name}={value}")]

    accuracies = stated(accuracy_first=0.75, accuracy_second=0.7)
    found = told(run(*words, *accuracies, "--known", "correlation=0.4"))
    # A table of two coins with these shares of heads and this phi coefficient.
    both = 0.75 * 0.7 + 0.4 * (0.75 * 0.25 * 0.7 * 0.3) ** 0.5
    assert found["known"]["discordant"] == pytest.approx((0.75 - both) + (0.7 - both))
    assert found["known"]["accuracy_second"] == 0.7
    direct = told(run(*words, *stated(discordant=found["known"]["discordant"])))
    assert found["chosen"]["item"] == direct["chosen"]["item"]
    for known, sentence in (
        (accuracies, "only together with correlation"),
        ([*accuracies, *stated(correlation=0.9)], "lies between -0.378 and 0.882"),
        (stated(accuracy_first=0.7, accuracy_second=0.7, correlation=0, discordant=0.3),
         "not both"),
        (stated(accuracy=0.7), "accuracy"),
    ):  # fmt: skip
        ran = run(*words, *known)
        assert ran.code == 2
        assert sentence in ran.err


@pytest.mark.slow
def test_all_other_aims_answer(run: Run, here: Path) -> None:
    words = ("--simulations", 50, "--json")
    curve = ("--known", "sizes=1,2,3,4,5,6,7,8", "--known", "threshold=4", "--known", "slope=1")
    threshold = told(run("plan", "--aim", "threshold", "--target", 0.3, *curve, *words))
    assert threshold["chosen"]["item"] % 8 == 0
    fit = told(
        run("plan", "--aim", "cfa", "--known", "df=100", "--try", "examinee=100,200", *words)
    )
    assert [row["examinee"] for row in fit["designs"]] == [100, 200]
    assert fit["target"] is None
    ranks = told(run("plan", "pilot.db", "--aim", "ranks", "--target", 0.8, *words))
    assert len(ranks["known"]["means"]) == 4
    alpha = told(run("plan", "pilot.db", "--aim", "alpha", "--target", 0.2, *words))
    assert alpha["known"]["items"] == 24


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--aim", "cfa", "--target", "0.8"], "degrees of freedom of the model; state df"),
        (["--aim", "phi", "--target", "0.8"], "needs variance components, or a pilot"),
        (["--aim", "se", "--target", "0.1", "--known", "acuracy=0.7"], "accuracy"),
        (["--aim", "se", "--target", "0.1", "--known", "accuracy=high"], "must be a number, not"),
        (["--aim", "se", "--known", "accuracy=0.7"], "give a target"),
        (["--aim", "se", "--target", "0.1", "--known", "accuracy"], "written NAME=VALUE"),
        (["--aim", "ability", "--target", "0.3"], "needs a calibration"),
        (["--aim", "se", "--target", "0.1", "--known", "accuracy=0.7", "--tokens", "5"],
         "--tokens must be two numbers of 0 or more"),
        (["--aim", "se", "--target", "0.1", "--known", "accuracy=0.7", "--declare", "policy=none"],
         "are written into the preregistration"),
        (["--aim", "se", "--target", "0.1", "--known", "accuracy=0.7", "--try", "item=many"],
         "whole numbers"),
        (["nowhere.db", "--aim", "phi", "--target", "0.8"], "nowhere.db"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("plan", *words)
    assert ran.code != 0
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def planned(*more: tuple[str, str]) -> None:
    gf.plan(
        aim="se", target=0.1, known={"accuracy": 0.6}, tries={"examinee": [2]}, prereg="plan.md",
        declare=[*(("examinee", name) for name in WHO[:2]), ("condition", "default"), *more],
    )  # fmt: skip


def checked(run: Run, *words: Any) -> dict[str, dict[str, str]]:
    document = told(
        run("report", "study.db", "-o", "page", "--prereg", "plan.md", *words, "--json")
    )
    return {row["what"]: row for row in document["preregistration"]}


@pytest.mark.thorough
@pytest.mark.parametrize("aim", ["se", "phi", "e_rho2"])
def test_a_pilot_without_answers_gives_no_components(run: Run, tmp_path: Path, aim: str) -> None:
    Journal.open(tmp_path / "empty.db").close()
    ran = run("plan", tmp_path / "empty.db", "--aim", aim, "--target", ".05")
    assert ran.code == 2
    assert "the data hold no score" in ran.err


@pytest.mark.slow
def test_a_study_that_kept_its_plan_has_no_deviation(run: Run, here: Path) -> None:
    planned(("bank", "bank.parquet"), ("policy", "own"))
    gf.run("bank.parquet", WHO[:2], journal="study.db")
    rows = checked(run)
    assert rows["items of each"] | {"as_planned": "no"} == {
        "what": "items of each", "planned": "24", "done": "24", "as_planned": "no"}  # fmt: skip
    assert [what for what, row in rows.items() if row["as_planned"] == "no"] == []
    assert "no deviation" in Path("page/report.html").read_text("utf-8")


@pytest.mark.slow
def test_every_deviation_is_listed_on_the_page(run: Run, here: Path) -> None:
    planned(("bank", "bank.parquet"), ("policy", "none"), ("analysis", "compare by domain"))
    few = gf.build(
        "percept-v", domains=["grid_path"], sizes=[2, 5], instances=4, path="few.parquet"
    )
    gf.run(few, WHO[1:3], journal="study.db", occasions=2)
    gf.run(few, WHO[1:2], journal="study.db", condition="cot=on")
    rows = checked(run)
    away = {what for what, row in rows.items() if row["as_planned"] == "no"}
    assert away >= {"which examinees", "which conditions", "items of each", "occasions",
                    "which items", "policy"}  # fmt: skip
    assert f"missing: {WHO[0]}" in rows["which examinees"]["done"]
    assert rows["which items"]["done"].startswith("8 of them asked, 16 never") or (
        "others" in rows["which items"]["done"])  # fmt: skip
    assert rows["items of each"]["done"] == "8"
    assert rows["analysis"]["planned"] == "compare by domain"
    text = Path("page/report.html").read_text("utf-8")
    assert f"Preregistered plan: {len(away)} deviations" in text
    said = run("report", "study.db", "-o", "page2", "--prereg", "plan.md").out
    assert "occasions: planned 1; done: 1 to 2" in said


@pytest.mark.slow
def test_answers_older_than_the_plan_are_told(run: Run, here: Path) -> None:
    gf.run("bank.parquet", WHO[:2], journal="study.db")
    found = gf.plan(aim="se", target=0.1, known={"accuracy": 0.6}, simulations=0)
    preregister(found, "plan.md", date="2200-01-01T00:00:00+00:00")
    assert (
        checked(run)["asked after the plan"]["done"] == "48 of 48 answers are older than the plan"
    )


@pytest.mark.slow
def test_a_changed_document_is_refused(run: Run, here: Path) -> None:
    planned()
    path = Path("plan.md")
    text = path.read_text("utf-8")
    assert read_preregistration(path).document["plan"]["chosen"]["item"] == 24
    assert "standard error 0.100: 24 items" in text
    gf.run("bank.parquet", WHO[:2], journal="study.db")
    for old, new in (
        ("24 items", "20 items"),
        ('"item": 24', '"item": 20'),
        ("sha256: ", "sha256: 0"),
    ):
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
        ran = run("report", "study.db", "-o", "page", "--prereg", "plan.md")
        assert ran.code != 0
        assert "was changed after it was written" in ran.err
        assert not Path("page").exists()
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert read_preregistration(path).declared["condition"] == ["default"]
    path.write_text("# My plan\n", "utf-8")
    with pytest.raises(ParameterError, match="is not a preregistered plan"):
        read_preregistration(path)
    with pytest.raises(ParameterError, match="never overwritten"):
        planned()


def test_a_plan_without_a_design_is_not_preregistered(here: Path) -> None:
    with pytest.raises(ParameterError, match="no design of the plan reaches the target"):
        gf.plan(
            aim="se", target=0.001, known={"accuracy": 0.6}, tries={"item": [10]}, prereg="p.md"
        )
    assert not Path("p.md").exists()


@pytest.mark.parametrize(
    "known", [{"sd_difference": 0.66}, {"discordant": 0.3}, {"accuracy_first": 0.8,
              "accuracy_second": 0.7, "correlation": 0.3}],
)  # fmt: skip
def test_points_in_the_place_of_shares_are_refused(known: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=r"3 points of 100 are 0\.03"):
        gf.plan(aim="difference", target=3, known=known, simulations=0)


def test_a_standard_error_is_a_share_too_and_scores_of_another_scale_keep_theirs() -> None:
    with pytest.raises(ParameterError, match="a standard error of 2 is more than scores can"):
        gf.plan(aim="se", target=2, known={"accuracy": 0.7}, simulations=0)
    plan = gf.plan(aim="difference", target=3, known={"sd_difference": 12}, simulations=0)
    assert plan.designs["item"].tolist() == [128]

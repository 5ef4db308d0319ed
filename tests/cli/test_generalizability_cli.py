"""gfactor analyze generalizability, on tables and on journals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from support.answers import Judge, answered
from support.cli import run_cli
from support.design_oracles import data, recorded
from support.exam import question

import gfactor as gf
from gfactor.api.analyses.evidence import facet_table
from gfactor.api.inputs.scoring import scoring_of
from gfactor.errors import ParameterError
from gfactor.scoring import ask_judge, scored

RATERS = [
    *("--object", "Person", "--facets", "Task,Rater", "--nested", "Rater:Task"),
    *("--value", "Score"),
]


def test_a_table_of_nested_raters_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    data("gt_negative_p_rt").to_csv(path, index=False)
    call = ["analyze", "generalizability", str(path), *RATERS, "--d-study", "Task=3,6", "--json"]
    found = json.loads(run_cli(monkeypatch, capsys, *call).out)
    theirs = recorded("gt_negative_p_rt")["result"]
    components = {row["effect"]: row for row in found["components"]}
    assert components["Person"]["variance"] == pytest.approx(
        theirs["anova"]["variance_components"]["p"], abs=1e-8
    )
    assert set(components["Task"]) >= {"variance", "df", "ms", "ci_lower", "ci_upper"}
    assert found["e_rho2"] == pytest.approx(theirs["dstudy"][0]["E_rho2"], abs=1e-8)
    assert [row["n_Task"] for row in found["d_study"]] == [3, 6]
    assert "negative_variance" in {entry["code"] for entry in found["diagnostics"]}
    for row in components.values():
        # An estimate below 0 stays as it was computed, its interval holds what a variance can be.
        assert 0 <= row["ci_lower"] <= max(row["variance"], 0) <= row["ci_upper"], row


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Four observers, two conditions, two occasions."""
    path = tmp_path / "c.db"
    bank = gf.build(
        "percept-v", domains=["counting_circles"], sizes=[2, 6], instances=3,
        path=tmp_path / "pv.parquet",
    )  # fmt: skip
    who = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]
    for condition in ("", "cot=on"):
        gf.run(bank, who, journal=path, condition=condition, occasions=2)
    return path


@pytest.mark.slow
def test_conditions_of_a_journal_are_facets(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["analyze", "generalizability", str(journal), "--facets", "item,occasion,cot", "--json"]
    found = json.loads(run_cli(monkeypatch, capsys, *call).out)
    assert found["estimator"] == "anova"
    assert found["n"] == 4 * 6 * 2 * 2
    assert {row["effect"] for row in found["components"]} >= {"examinee", "item", "cot", "occasion"}


@pytest.mark.slow
def test_python_and_the_command_line_agree(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["analyze", "generalizability", str(journal), "--facets", "item,condition,occasion"]
    shown = json.loads(run_cli(monkeypatch, capsys, *call, "--json").out)
    found = gf.gtheory(journal, facets=["item", "condition", "occasion"])
    assert found.to_dict()["components"] == shown["components"]
    assert "Phi(0.5)" in run_cli(monkeypatch, capsys, *call, "--cut", "0.5").out


@pytest.mark.slow
def test_a_facet_that_varies_is_not_averaged_in_silence(journal: Path) -> None:
    with pytest.raises(ParameterError, match="name condition among the facets"):
        gf.gtheory(journal, facets=["item", "occasion"])
    with pytest.raises(ParameterError, match="not in the journal"):
        gf.gtheory(journal, facets=["weather"])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--nested", "RaterTask"], "written A:B"),
        (["--d-study", "Task=many"], "a list of numbers"),
        (["--fixed", "Person", "--d-study", "Task=2"], "is not a facet"),
        (["--examinee", "A"], "is for a journal"),
    ],
)
def test_mistakes_are_one_sentence(
    more: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "scores.csv"
    pd.DataFrame(data("gt_negative_p_rt")).to_csv(path, index=False)
    ran = run_cli(monkeypatch, capsys, "analyze", "generalizability", str(path), *RATERS, *more)
    assert ran.code == 2
    assert words in ran.err


LENIENT, STRICT = "tests:lenient", "tests:strict"


def test_judges_are_a_facet_of_a_journal(tmp_path: Path) -> None:
    items = [question(f"q{k}") for k in range(6)]
    who = [f"t:{k}" for k in range(4)]
    # The rules find no answer in these replies: each judge reads all of them in its way.
    said = [
        (name, item.id, 0, f"I would weigh it as {k + m} and leave it there.")
        for k, name in enumerate(who)
        for m, item in enumerate(items)
    ]
    with answered(tmp_path, items, said) as journal:
        for name, errs in ((LENIENT, 0), (STRICT, 3)):

            def say(text: str, errs: int = errs) -> str:
                weight = re.search(r"weigh it as (\d+)", text)
                assert weight is not None
                return json.dumps({"answer": "B" if int(weight[1]) >= errs else "A"})

            ask_judge(journal, Judge(say, name), scored(journal))
        found = gf.gtheory(journal, facets=["item", "judge"])
        assert found.sizes["judge"] == 2
        # The strict judge calls 6 of 24 wrong, the other none: a known difference of means.
        table = facet_table(
            journal, scoring_of((), None, None, "own", {}), ["examinee", "item", "judge"], "points"
        )
        judge, score = table["judge"].to_numpy(str), table["score"].to_numpy(float)
        means = {name: score[judge == name].mean() for name in (LENIENT, STRICT)}
        assert means == {LENIENT: 1.0, STRICT: 0.75}
        assert found.components.loc["judge", "variance"] > 0
        with pytest.raises(ParameterError, match="leave out the option judge"):
            gf.gtheory(journal, facets=["item", "judge"], judge="baseline:random")


@pytest.mark.slow
def test_one_judge_is_no_facet(journal: Path) -> None:
    with pytest.raises(ParameterError, match="verdicts of at least two judges"):
        gf.gtheory(journal, facets=["item", "judge"])

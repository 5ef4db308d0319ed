"""gfactor run --until: asking stops when a rule is decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.banks import make_item
from support.chat_server import Body, chat_server
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.asking.stopping import RunStopRule
from gfactor.errors import ParameterError
from gfactor.items import ItemBank, write_bank

IDEAL, CONSTANT, LOT = "observer:ideal", "baseline:constant", "baseline:random?seed=0"
Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("until") / "bank.parquet"
    options: Any = {"domains": ["change_colour", "counting_circles"], "sizes": [1, 2]}
    return gf.build("percept-v", instances=10, seed=7, path=path, **options)


@pytest.fixture
def run(
    bank: ItemBank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Call `gfactor run BANK WORDS` with two examinees, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    who = ("--examinee", IDEAL, "--examinee", CONSTANT, "--jobs", "1", "--journal", "c.db")
    return lambda *words: run_cli(monkeypatch, capsys, "run", str(bank.path), *who, *words)


@pytest.mark.thorough
def test_asking_stops_when_a_difference_is_decided_and_the_same_command_says_so(run: Run) -> None:
    rule = f"{IDEAL} - {CONSTANT} decided at 0.05"
    first = json.loads(run("--until", rule, "--json").out)
    asked = [one["asked"] for one in first["examinees"]]
    assert asked[0] == asked[1] < 40
    assert first["until"][0]["rule"] == rule
    decision = first["until"][0]["said"]
    assert decision.startswith(f"{IDEAL} is better than {CONSTANT}: +")
    p = decision.partition(", p ")[2].partition(" at all")[0]
    assert p == "< .001" or 0.001 <= float(p.removeprefix("= ")) <= 0.05, "what it rests on"
    again = run("--until", rule)
    assert again.code == 0
    assert f"{IDEAL}: 0 asked, {asked[0]} known already" in again.out
    assert f"decided: {IDEAL} is better" in again.out


def test_what_was_decided_is_what_compare_decides(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--until", f"{CONSTANT} - {IDEAL} decided", "--order-seed", "3").code == 0
    found = gf.compare_sequentially("c.db")
    assert found.between(CONSTANT, IDEAL) == "worse"
    assert found.pairs["waiting"].iloc[0] > 0
    ran = run_cli(monkeypatch, capsys, "compare", "c.db", "--sequential",
                  "--gate", f"{CONSTANT} - {IDEAL}")  # fmt: skip
    assert ran.code == 3


@pytest.mark.slow
def test_the_same_command_with_a_further_rule_goes_on_where_it_was(run: Run) -> None:
    first = json.loads(run("--until", f"{IDEAL} above 0.5", "--json").out)
    known = first["examinees"][0]["asked"]
    ran = run("--until", f"{IDEAL} above 0.5", "--until", "width below 0.05", "--json")
    second = json.loads(ran.out)
    assert ran.code == 4
    assert [one["known"] for one in second["examinees"]] == [known, known]
    assert [one["asked"] for one in second["examinees"]] == [40 - known, 40 - known]
    assert [one["decided"] for one in second["until"]] == [True, False]
    assert "undecided after all items: width below 0.05" in run("--until", "width below 0.05").out


def test_a_run_in_python_says_what_was_decided(bank: ItemBank, tmp_path: Path) -> None:
    journal = gf.run(bank, [IDEAL, CONSTANT], journal=tmp_path / "c.db", jobs=1,
                     until="ranking decided at 0.01")  # fmt: skip
    assert journal.decided == (f"ranking: {IDEAL}, {CONSTANT}",)
    assert journal.results[0].asked < 40
    assert "decided: ranking" in journal.summary()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("better", "there is no stop rule 'better'"),
        ("A decided", "there is no stop rule 'A decided'"),
        (f"{IDEAL} - baseline:nobody decided", "unknown examinee 'baseline:nobody'"),
        (f"{IDEAL} - {IDEAL} decided", "twice"),
        (f"{IDEAL} above 1.5", "between 0 and 1"),
        (f"{IDEAL} above 0.5 at 5", "between 0 and 1, not 5"),
        ("width below 0.0.5", "is not a number"),
    ],
)
def test_a_rule_that_is_none_is_refused_before_anything_is_asked(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    ran = run("--until", text)
    assert ran.code == 2
    assert message in ran.err
    assert not (tmp_path / "c.db").exists()


def table(p: dict[str, float], n: int, seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    right = np.random.default_rng(seed).random((n, len(p))) < list(p.values())
    scores = pd.DataFrame(right.astype(float), columns=list(p))
    return scores, scores.notna()


def test_rules_say_what_they_find() -> None:
    names = [IDEAL, LOT]
    scores = table({IDEAL: 0.9, LOT: 0.4}, 200)
    said = {
        text: RunStopRule.parse(text, names).decision(*scores)
        for text in (
            f"{IDEAL} above 0.7", f"{LOT} above 0.7", f"{IDEAL} above 0.9", "ranking decided",
            f"{LOT} - {IDEAL} decided", f"{LOT} width below 0.3", "width below 0.01",
        )
    }  # fmt: skip
    assert said[f"{IDEAL} above 0.7"].startswith("above 0.7: ")
    assert said[f"{LOT} above 0.7"].startswith("below 0.7: ")
    assert said[f"{IDEAL} above 0.9"] == said["width below 0.01"] == ""
    assert said["ranking decided"] == f"ranking: {IDEAL}, {LOT}"
    assert "is worse than" in said[f"{LOT} - {IDEAL} decided"]
    assert said[f"{LOT} width below 0.3"].startswith("width below 0.3: ")
    assert RunStopRule.parse("baseline:random - observer:ideal decided", names).who == (LOT, IDEAL)
    with pytest.raises(ParameterError, match="two examinees or more"):
        RunStopRule.parse("ranking decided", names[:1])


@pytest.mark.thorough
def test_a_stricter_level_needs_more_items() -> None:
    def items(level: str) -> int:
        rule = RunStopRule.parse(f"{IDEAL} - {LOT} decided at {level}", [IDEAL, LOT])
        scores, settled = table({IDEAL: 0.8, LOT: 0.5}, 400)
        return next(n for n in range(5, 401, 5) if rule.decision(scores.iloc[:n], settled.iloc[:n]))

    assert items("0.2") < items("0.05") < items("0.001")


def test_models_over_http_are_paid_for_what_is_needed_and_never_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten items are a stage, and enough: eight that only the first solves have e above 20."""
    bank = write_bank([make_item(f"a-{k:03d}") for k in range(60)], tmp_path / "toy.parquet")
    prices = tmp_path / "prices.toml"
    prices.write_text("[good]\ninput = 1e5\noutput = 1e5\n[bad]\ninput = 1e5\noutput = 1e5\n")

    def reply(body: Body) -> str:
        return "COUNT: 3" if body["model"] == "good" else "COUNT: 4"

    with chat_server(reply) as server:
        words = ["run", str(bank), "--examinee", "openai:good", "--examinee", "openai:bad",
                 "--base-url", server.url, "--journal", str(tmp_path / "c.db"),
                 "--max-in-flight", "2", "--condition", "max_tokens=10", "--json",
                 "--prices", str(prices),
                 "--until", "openai:good - openai:bad decided at 0.05"]  # fmt: skip
        poor = run_cli(monkeypatch, capsys, *words, "--max-cost", "25")
        assert poor.code == 3
        paid = server.served
        assert 0 < paid < 20, poor.err
        with Journal.open(tmp_path / "c.db", create=False) as journal:
            assert len(journal.responses()) == paid
        rich = json.loads(run_cli(monkeypatch, capsys, *words).out)
        assert "openai:good?" in rich["until"][0]["said"].split(" is better than ")[0]
        assert server.served == 20
        assert sum(one["asked"] for one in rich["examinees"]) == 20 - paid
        assert run_cli(monkeypatch, capsys, *words).code == 0
        assert server.served == 20

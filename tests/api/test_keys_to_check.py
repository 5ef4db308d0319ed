"""Keys that most models reject are named by the audit, item response models and leaderboards."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.psychometrics.classical.key_votes import LEAST, outvoted_keys
from gfactor.psychometrics.irt import fit_irt


def test_an_option_of_most_examinees_that_is_not_the_key_is_named() -> None:
    votes = {"wrong": {"A": 7, "C": 1, "E": 1}, "hard": {"A": 4, "B": 3, "E": 2}}
    found = outvoted_keys(votes, {"wrong": "E", "hard": "E"}, {"wrong": 5, "hard": 5})
    (one,) = found.outvoted
    assert (one.item, one.option, one.key) == ("wrong", "A", "E")
    assert one.p == pytest.approx(4 * binom.sf(6, 9, 0.2))
    # Listed are 7 to 1, 8 to 1 and 9 to 0 of 9 choices; 7 to 2 is not, and of 6 to any, p = .012.
    chance = binom.pmf(7, 9, 0.2) * binom.cdf(1, 2, 0.25) + binom.sf(7, 9, 0.2)
    assert found.expected == pytest.approx(2 * 4 * chance)
    assert found.diagnostic is not None
    assert "wrong (7 of 9 chose A; the key is E, which 1 chose)" in found.diagnostic.sentence


@pytest.mark.thorough
@pytest.mark.parametrize(
    "votes",
    [
        {"A": LEAST - 1},  # too few choices
        {"A": 5, "E": 5},  # no majority
        {"A": 51, "E": 49},  # as many find the key as fall for the option
        {"A": 5, "B": 2, "C": 2},  # no more than guessing may give
    ],
)
def test_few_votes_and_close_votes_accuse_no_key(votes: dict[str, int]) -> None:
    assert outvoted_keys({"q": votes}, {"q": "E"}, {"q": 5}).outvoted == ()


@pytest.mark.thorough
def test_no_more_items_are_listed_than_expected_where_everybody_guesses() -> None:
    rng = np.random.default_rng(1)
    votes = {
        str(k): dict(zip("ABCD", map(int, rng.multinomial(12, [0.25] * 4)), strict=True))
        for k in range(4_000)
    }
    found = outvoted_keys(votes, dict.fromkeys(votes, "A"), dict.fromkeys(votes, 4))
    # The number is nearly Poisson; so far from its mean it is in 2 of 1,000 draws.
    assert abs(len(found.outvoted) - found.expected) < 3 * found.expected**0.5
    assert 5 < found.expected < 0.01 * 4_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten items of which w has a wrong key, answered by eight models."""
    folder = tmp_path_factory.mktemp("made")
    items = [{"id": f"q{k}", "question": f"{k} + {k}?",
              "options": [f"{2 * k}", f"{2 * k + 3}", f"{2 * k + 1}", f"{k + 40}"],
              "answer": "A"} for k in range(9)]  # fmt: skip
    items.append({"id": "w", "question": "What is 30 - 6?", "options": ["14", "24", "34", "20"],
                  "answer": "C"})  # fmt: skip
    (folder / "items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in items))
    (folder / "replies").mkdir()
    rng = np.random.default_rng(3)
    for model in range(8):
        rows = [{"id": one["id"], "response": f"The answer is {right}."}
                for one in items
                for right in ["B" if one["id"] == "w" else
                              ("A" if rng.random() < 0.4 + model / 14 else "D")]]  # fmt: skip
        rows[-1]["response"] = "The answer is B." if model > 0 else "The answer is C."
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "replies" / f"model{model}x.jsonl").write_text(text)
    gf.build("vlmevalkit", source=folder / "items.jsonl", path=folder / "bank.parquet")
    gf.import_logs("replies", folder / "replies", bank=folder / "items.jsonl",
                   journal=folder / "c.db")  # fmt: skip
    return folder


SENTENCE = "7 of 8 chose B; the key is C, which 1 chose"


def test_the_audit_lists_them_where_it_has_answers(made: Path) -> None:
    audit = gf.audit(made / "bank.parquet", answers=made / "c.db", review=made / "review.csv")
    (finding,) = (one for one in audit.quality.findings if one.code == "outvoted_key")
    assert [(case.items, case.detail) for case in finding.cases] == [(("items/w",), SENTENCE)]
    assert "If all keys were right, at most" in finding.sentence
    assert str(made / "review.csv") in audit.summary().splitlines()[-1]
    assert "key_votes,items/w," in (made / "review.csv").read_text()
    assert "outvoted_key" not in {f.code for f in gf.audit(made / "bank.parquet").quality.findings}


def test_answers_to_other_items_are_no_evidence_on_a_key(made: Path, tmp_path: Path) -> None:
    other = gf.build("percept-v", domains=["change_colour"], sizes=[1], path=tmp_path / "o.parquet")
    with pytest.raises(ParameterError, match="has no answers to this bank's items"):
        gf.audit(other, answers=made / "c.db")


def test_item_response_models_name_them_where_models_are_too_few_to_correlate(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("analyze", "irt", str(made / "c.db"), "--model", "rasch", "--json")
    found = json.loads(run_cli(monkeypatch, capsys, *words).out)
    rows = [row for row in found["broken_items"] if row["reason"] == "outvoted_key"]
    assert [(row["with_item"], row["statistic"]) for row in rows] == [("B", 0.875)]
    assert any(SENTENCE in one["sentence"] for one in found["diagnostics"])


def test_the_leaderboard_lists_them_above_its_items(made: Path, tmp_path: Path) -> None:
    gf.leaderboard(made / "c.db", tmp_path / "site")
    page = (tmp_path / "site" / "items.html").read_text()
    assert "Keys to check in items" in page
    assert page.index("Keys to check") < page.index("correlation with the rest")


def test_items_that_do_not_vary_are_told_apart_by_their_score() -> None:
    columns = [np.tile([0, 1], 20), np.tile([0, 0, 1, 1], 10), np.ones(40), np.zeros(40),
               np.ones(40)]  # fmt: skip
    data = pd.DataFrame(np.column_stack(columns))
    (note,) = (d for d in fit_irt("rasch", data).diagnostics if d.code == "constant_items")
    assert "the same score there (0 on 1, 1 on 2);" in note.remedy

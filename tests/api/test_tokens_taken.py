"""Runs and scores say what answers took, in tokens and in the currency of the price file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.answers import answered
from support.banks import make_items
from support.chat_server import chat_server
from support.cli import run_cli

import gfactor as gf
from gfactor.administration import Journal, Response
from gfactor.administration.storing.token_counts import counted_tokens
from gfactor.api.scores.answer_tokens import tokens_taken
from gfactor.examinees import Reply
from gfactor.items import ItemBank


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["counting_circles"], sizes=[1], path=path)


def test_a_run_and_its_scores_say_what_the_answers_took(
    bank: ItemBank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each of ten answers reads eleven tokens and writes seven."""
    prices = tmp_path / "prices.toml"
    prices.write_text('["m"]\ninput = 1000.0\noutput = 0.0\n')
    path = tmp_path / "c.db"
    with chat_server() as server:
        ran = run_cli(monkeypatch, capsys, "run", str(bank.path), "--examinee", "openai:m",
                      "--base-url", server.url, "--prices", str(prices),
                      "--journal", str(path))  # fmt: skip
        again = gf.run(bank, "openai:m", base_url=server.url, journal=path)
    sentence = "10 answers in the journal took 110 tokens to read and 70 to write"
    assert sentence in ran.out
    assert "spent 0.1100 in all, in the currency of the price file" in ran.out
    assert sentence in again.summary()
    scores = gf.score(path)
    assert scores.tokens[["answers", "read", "written"]].values.tolist() == [[10, 110, 70]]
    assert scores.tokens["cost"].tolist() == pytest.approx([0.11])
    assert "tokens that answers took; cost in the currency of the price file" in scores.summary()
    assert scores.to_dict()["tokens"][0]["read"] == 110


@pytest.mark.thorough
def test_answers_that_nobody_counted_add_nothing(bank: ItemBank, tmp_path: Path) -> None:
    journal = gf.run(bank, "observer:ideal", journal=tmp_path / "o.db", jobs=1)
    assert "token" not in journal.summary()
    assert "token" not in gf.score(journal).summary()
    assert "tokens" not in gf.score(journal).to_dict()


def test_tokens_are_those_of_the_named_examinees_however_many_are_named(
    bank: ItemBank, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        for who in ("openai:a", "openai:b"):
            reply = Reply(
                "COUNT:1", "ok", "stop", {"prompt_tokens": 2, "completion_tokens": 1}, cost=0.5
            )
            journal.add([Response(who, "h", "default", k, reply, "2026-01-01") for k in (0, 1)])
        one = tokens_taken(journal, ["openai:b"])
        several = tokens_taken(journal, [f"openai:m{k}" for k in range(200)] + ["openai:b"])
        both = tokens_taken(journal, ["openai:b", "openai:a"])
    assert one.to_dict("records") == [
        {"examinee": "openai:b", "condition": "default", "answers": 2, "read": 4, "written": 2,
         "cost": 1.0}
    ]  # fmt: skip
    assert several.equals(one)
    assert both["examinee"].tolist() == ["openai:b", "openai:a"]


@pytest.mark.parametrize(("costs", "entries"), [((None,) * 3, 2), ((None, 0.1, 0.2), 3)])
def test_answers_without_a_cost_are_counted_together(
    bank: ItemBank, tmp_path: Path, costs: tuple[float | None, ...], entries: int
) -> None:
    usages = [{"prompt_tokens": 9, "completion_tokens": k} for k in (1, 1, 2)]
    with Journal.open(tmp_path / "c.db") as journal:
        journal.add(
            Response.now("openai:m", f"h{k}", "default", 0, Reply("1", usage=usage, cost=cost))
            for k, (usage, cost) in enumerate(zip(usages, costs, strict=True))
        )
        assert len(counted_tokens(journal, ["openai:m"])) == entries
        (row,) = tokens_taken(journal, ["openai:m"]).to_dict("records")
    assert (row["answers"], row["read"], row["written"]) == (3, 27, 4)
    assert row["cost"] == pytest.approx(0.3) or costs[1] is None


@pytest.mark.thorough
@pytest.mark.parametrize(
    "further", [{}, {"total_tokens": 110}, {"total_tokens": 110, "cached": 64}]
)
def test_a_leaderboard_counts_each_token_once(tmp_path: Path, further: dict[str, int]) -> None:
    """A server's total, and tokens that it had in its cache, are no tokens besides."""
    usage = {"prompt_tokens": 100, "completion_tokens": 10, **further}
    items = make_items()[:4]
    attempts = [
        (who, item.id, 0, Reply("COUNT:1", usage=usage))
        for who in ("openai:m", "openai:n")
        for item in items
    ]
    with answered(tmp_path, items, attempts):
        pass
    gf.leaderboard(tmp_path / "c.db", tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "tokens per answer" in page
    cells = re.findall(r"<td[^>]*>([\d,.]+)(?=\s*<)", page)
    assert cells.count("110") == 2
    assert "220" not in cells

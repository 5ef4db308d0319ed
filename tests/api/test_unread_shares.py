"""Replies that no rule reads are told by examinee and by language, with what reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gfactor as gf
from gfactor.scoring.extraction import extract

N = 12
UNKNOWN = "Prawidłowa odpowiedź to B"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models on 12 English and 12 Polish items; one answers the Polish ones in sentences."""
    folder = tmp_path_factory.mktemp("unread")
    rows = [
        {"id": f"{code}{k}", "question": f"What is {k} + 1 ({code})?", "language": code,
         "options": [str(k), str(k + 1)], "answer": "B"}
        for code in ("en", "pl") for k in range(N)
    ]  # fmt: skip
    items = folder / "items.jsonl"
    items.write_text("".join(json.dumps(one) + "\n" for one in rows))
    for name, polish in (("elf", "B"), ("owl", UNKNOWN)):
        replies = [{"id": one["id"], "response": polish if one["language"] == "pl" else "B"}
                   for one in rows]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in replies))
        gf.import_logs("replies", folder / f"{name}.jsonl", bank=items, journal=folder / "c.db")
    return folder / "c.db"


def test_scores_and_comparisons_name_the_language_and_the_examinee(journal: Path) -> None:
    for result in (gf.score(journal), gf.compare(journal)):
        (found,) = [one for one in result.diagnostics if one.code == "unread_share"]
        assert found.sentence.startswith(
            "No rule read an answer in 12 of 48 replies (12 of 24 to items in pl; 12 of 24 of "
            "replies:owl)."
        )
        assert "-o replies.csv; with --judge NAME a model reads them." in found.remedy


def test_a_leaderboard_warns_and_says_that_no_rule_read_an_answer(
    journal: Path, tmp_path: Path
) -> None:
    done = gf.leaderboard(journal, tmp_path / "site")
    assert "No rule read an answer in 12 of 48 replies" in done.path.read_text()
    items = "".join(page.read_text() for page in (tmp_path / "site" / "items").glob("*.html"))
    assert "wrong: no rule read an answer in the reply" in items


@pytest.mark.parametrize("letter", "ABCD")
def test_a_capital_after_a_colon_ends_a_reply_in_any_language(letter: str) -> None:
    options = dict(zip("ABCD", ("one", "two", "three", "four"), strict=True))
    for word in ("Odpowiedź", "Antwoord", "Svar", "Ответ", "Antwort"):
        assert extract(f"{word}: {letter}", "choice", options).answer == letter
    assert not extract("I looked at the picture and saw a", "choice", options).has_answer

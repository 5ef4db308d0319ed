"""A condition whose parameter the model refused is nowhere named as if it held."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from re import sub

import pytest
from support.batch_campaigns import declared
from support.batch_server import batch_server

import gfactor as gf
from gfactor.administration.storing.deviations import ShortenedRequests, as_asked

WITHOUT = "temperature=0 (4 answers without temperature)"


def text_of(page: Path) -> str:
    return " ".join(unescape(sub(r"<[^>]+>", " ", page.read_text("utf-8"))).split())


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A campaign of four answers of a model that refuses the temperature."""
    with batch_server() as server:
        server.refused = ("temperature",)
        path = declared(tmp_path, server, items=4, conditions="temperature = 0")
        assert gf.campaign.run(path).code == 0
    return path


def test_report_leaderboard_and_status_say_that_answers_lack_a_parameter(
    campaign: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "c.db"
    report = gf.report(journal, tmp_path / "page")
    assert report.summary().endswith(f"4 answers of 1 examinee under {WITHOUT}.")
    assert f"Condition {WITHOUT} " in text_of(tmp_path / "page" / "report.html")
    gf.leaderboard(journal, tmp_path / "board")
    assert f"toy, condition {WITHOUT} " in text_of(tmp_path / "board" / "index.html")
    assert f"toy, condition {WITHOUT} " in text_of(tmp_path / "board" / "items.html")
    (note,) = gf.campaign.status(campaign).diagnostics
    assert note.code == "parameter_left_out"


def test_answers_with_different_parameters_missing_are_counted_apart() -> None:
    runs = [
        ShortenedRequests("openai:m", "seed=1,temperature=0", "temperature", 3, 9),
        ShortenedRequests("openai:n", "seed=1,temperature=0", "temperature", 2, 9),
        ShortenedRequests("openai:n", "seed=1,temperature=0", "seed", 1, 9),
        ShortenedRequests("openai:n", "default", "seed", 7, 9),
    ]
    assert as_asked("here", "seed=1,temperature=0", runs) == (
        "here (1 answer without seed; 5 answers without temperature)"
    )
    assert as_asked("cot=on", "cot=on", runs) == "cot=on"

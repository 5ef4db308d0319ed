"""A profile of replies that nobody can read, or that decline, says so first and claims nothing."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from support.chat_server import chat_server
from support.profiles import calibrations, solver_behind_a_server

import gfactor as gf

FAMILIES = ("number_series", "number_grids", "rotation_2d")
UNREADABLE = "I would rather describe the picture."
REFUSAL = "I am sorry, I cannot see any picture here."


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")


@pytest.mark.thorough
def test_replies_that_cannot_be_read_are_said_first_in_summary_page_and_document(
    tmp_path: Path,
) -> None:
    with chat_server(lambda body: UNREADABLE) as server:
        result = gf.profile("openai:m", base_url=server.url, max_items=14,
                            calibration=calibrations(FAMILIES, real=False),
                            journal=tmp_path / "p.db")  # fmt: skip
    sentence = f"14 of 14 replies of {result.examinee} hold no answer. "
    first = result.diagnostics[0]
    assert first.sentence.startswith(sentence)
    assert first.sentence.endswith("an ability is no claim where half or more are such.")
    title, first_line, *_ = result.summary().splitlines()
    assert title == result.title
    assert first_line.startswith(f"serious: {sentence}")
    assert result.to_dict()["diagnostics"][0]["sentence"].startswith(sentence)
    assert not any(result.abilities["claim"])
    assert set(result.abilities["withheld"]) == {"unread"}
    assert "(no claim: half or more of the replies hold no answer or decline)" in result.summary()
    # Wrong answers that nobody could read support no sentence about a level.
    assert not len(result.thresholds)
    page = result.report(tmp_path / "page").path.read_text()
    assert page.index("14 of 14 replies") < page.index("The calibration is simulated")
    stored = json.loads((tmp_path / "page" / "profile.json").read_text())
    assert stored["diagnostics"][0]["code"] == "no_answers"


def test_a_model_that_declines_every_question_gets_no_finding_and_no_claim(tmp_path: Path) -> None:
    with chat_server(lambda body: REFUSAL) as server:
        result = gf.profile(
            "openai:m", base_url=server.url, max_items=14, journal=tmp_path / "p.db",
            calibration=calibrations(("spatial_span", "running_span")),
        )  # fmt: skip
    assert set(result.answers["status"]) == {"refused"}
    first = result.diagnostics[0]
    assert (first.code, first.severity) == ("no_answers", "error")
    assert first.sentence.startswith(f"14 of 14 replies of {result.examinee} decline to answer. ")
    assert REFUSAL in first.example
    assert set(result.abilities["withheld"]) == {"unread"}
    assert not len(result.thresholds)
    assert "accuracy is below" not in result.summary()


def test_refusals_and_unreadable_replies_count_together(tmp_path: Path) -> None:
    said = itertools.cycle([REFUSAL, UNREADABLE])
    with chat_server(lambda body: next(said)) as server:
        result = gf.profile(
            "openai:m", base_url=server.url, max_items=14, max_in_flight=1,
            calibration=calibrations(("running_span",)), journal=tmp_path / "p.db",
        )  # fmt: skip
    first = result.diagnostics[0].sentence
    counts = re.search(r"^14 of 14 .* counts: (\d+) hold none, (\d+) decline\.", first)
    assert counts is not None
    assert sum(map(int, counts.groups())) == 14


def test_the_ability_whose_replies_cannot_be_read_is_named_alone(tmp_path: Path) -> None:
    solve = solver_behind_a_server(0.0)

    def reply(body: dict[str, object]) -> str:
        said = solve(body)
        return UNREADABLE if "same figure" in json.dumps(body) else said

    with chat_server(reply) as server:
        result = gf.profile(
            "openai:m", base_url=server.url, max_items=17, calibration=calibrations(FAMILIES),
            journal=tmp_path / "p.db",
        )  # fmt: skip
    unread = result.abilities.set_index("ability")["withheld"] == "unread"
    assert unread.to_dict() == {"Gf": False, "Gv": True}
    first = result.diagnostics[0]
    assert "to questions of visual-spatial processing (Gv) hold no answer" in first.sentence


def test_an_order_of_models_says_whose_replies_cannot_be_read(tmp_path: Path) -> None:
    with chat_server(lambda body: UNREADABLE) as server:
        order = gf.rank_abilities(
            ["openai:m", "observer:ideal"], base_url=server.url, max_items=9, jobs=1,
            calibration=calibrations(("number_series",)), journal=tmp_path / "r.db",
        )  # fmt: skip
    first = order.diagnostics[0]
    assert (first.code, first.severity) == ("no_answers", "error")
    assert "replies of openai:m?base_url=" in first.sentence

"""The people beside a profile are counted, and so are the answers that place them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf
from gfactor.api.asking.profile_people import people_beside
from gfactor.errors import JournalError

OWN = pd.DataFrame({"ability": ["Gf"], "theta": [0.5]})


def test_people_who_answered_few_items_of_the_calibrations_cells_are_warned_of() -> None:
    others = pd.DataFrame(
        {"examinee": ["person:a", "person:b", "gpt"], "kind": ["person", "person", "model"],
         "ability": "Gf", "theta": [0.0, 0.7, 0.1], "se": [0.8, 0.9, 0.1], "n": [2, 2, 70]}
    )  # fmt: skip
    (found,) = people_beside(others, OWN, {"person:a": 27, "person:b": 27})
    assert found.severity == "warning"
    assert found.sentence == (
        "Gf: beside 2 people, 1 of them with a lower ability. The middle person answered 27 items, "
        "2 of them of the calibration's cells; only these place people (median standard error "
        "0.85), and the band of people says little."
    )
    assert "gfactor build chc --cells main" in found.remedy
    assert found.values["answers"] == 2.0


def test_enough_answers_are_a_note_and_nobody_a_warning() -> None:
    others = pd.DataFrame(
        {"examinee": ["person:a"], "kind": "person", "ability": "Gf", "theta": 0.0, "se": 0.3,
         "n": 20}
    )  # fmt: skip
    assert [one.severity for one in people_beside(others, OWN, {"person:a": 20})] == ["note"]
    nobody = people_beside(others.assign(kind="model"), OWN, {})
    assert [(one.code, one.severity) for one in nobody] == [("no_people", "warning")]


@pytest.mark.thorough
def test_a_journal_of_people_that_is_missing_is_refused_before_any_question(
    tmp_path: Path,
) -> None:
    with pytest.raises(JournalError, match=r"nope\.db' does not exist"):
        gf.profile(
            "observer:ideal", abilities=["EF"], max_items=4, people=tmp_path / "nope.db",
            journal=tmp_path / "p.db",
        )  # fmt: skip
    assert not (tmp_path / "p.db").exists()


@pytest.mark.parametrize("options", [(), ("--rank", "observer:limited")])
def test_a_page_that_cannot_be_written_is_refused_before_any_question(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "taken").write_text("")
    journal = tmp_path / "p.db"
    refused = run_cli(
        monkeypatch, capsys, "profile", "observer:ideal", *options, "--abilities", "EF",
        "--max-items", "4", "--journal", str(journal), "-o", str(tmp_path / "taken" / "page"),
    )  # fmt: skip
    assert refused.code == 2
    assert "is a file; name a folder that you may write to" in refused.err
    assert not journal.exists()

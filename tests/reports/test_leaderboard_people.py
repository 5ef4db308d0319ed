"""People on a leaderboard: how many answered what, and models on the same items."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from support.boards import add_answers, board_items

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.comparisons.leaderboard_serving import Leaderboard
from gfactor.items import ItemBank, write_bank

EACH = 6
MODELS = {"openai:lab/alpha": 0.9, "openai:lab/beta": 0.4}


def bank_of(folder: Path, name: str, **labels: str) -> ItemBank:
    """The bank of a board, or its items with these values of labels."""
    items = [
        item for item in board_items(EACH)
        if all({**item.labels, "language": item.language}[k] == v for k, v in labels.items())
    ]  # fmt: skip
    return ItemBank.open(write_bank(items, folder / f"{name}.parquet"))


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models answered all items; people only sums: three in English, two in German."""
    folder = tmp_path_factory.mktemp("people")
    with Journal.open(folder / "c.db") as journal:
        whole = bank_of(folder, "whole")
        for name, level in MODELS.items():
            add_answers(journal, whole, name, level)
        for language, people in {"en": "abc", "de": "de"}.items():
            part = bank_of(folder, language, domain="sums", language=language)
            for name in people:
                add_answers(journal, part, f"person:{name}", 0.7)
    return folder / "c.db"


@pytest.fixture(scope="module")
def board(journal: Path) -> Leaderboard:
    return gf.leaderboard(journal, journal.parent / "site")


def table(board: Leaderboard, name: str) -> pd.DataFrame:
    return pd.read_csv(board.path.parent / "tables" / f"{name}.csv").set_index("name")


def test_the_row_of_people_counts_persons_and_items(board: Leaderboard) -> None:
    row = table(board, "board-1").loc["people"]
    assert [row["persons"], row["items"], row["n"]] == [5, EACH, 5 * EACH // 2]
    assert "people, 5 persons, 6 items" in board.path.read_text("utf-8")


def test_persons_are_counted_by_the_value_of_a_label(board: Leaderboard) -> None:
    people = table(board, "board-1-language").loc["people"].set_index("value")
    assert people["persons"].to_dict() == {"en": 3, "de": 2}
    page = (board.path.parent / "board-1-language.html").read_text("utf-8")
    row = next(line for line in page.splitlines() if "people, 5 persons" in line)
    assert "3 persons" in row
    assert "2 persons" in row


def test_accuracies_on_other_items_are_not_put_side_by_side_without_a_warning(
    board: Leaderboard,
) -> None:
    page = board.path.read_text("utf-8")
    sentence = "people answered 6 of the 14 items (5 persons, 3 items each)"
    assert [sentence in warning for warning in board.warnings] == [True]
    assert sentence in board.summary()
    assert sentence in page
    drawing = (board.path.parent / "figures" / "board-1.svg").read_text("utf-8")
    assert "people (6 items)" in drawing
    assert "<rect" not in drawing
    assert "Shaded" not in page


@pytest.mark.thorough
def test_models_have_their_accuracy_on_the_items_of_people(
    board: Leaderboard, journal: Path
) -> None:
    """That of `score` on these items, which here are a domain of their own."""
    people = table(board, "board-1-people")
    scores = gf.score(journal).groups("domain")
    sums = scores[scores["domain"] == "sums"].set_index("examinee")
    assert sorted(people.index) == ["lab/alpha", "lab/beta"]
    for name in MODELS:
        row, expected = people.loc[name.split(":")[1]], sums.loc[name]
        assert row["n"] == EACH
        found = row[["accuracy", "low", "high"]].tolist()
        assert found == pytest.approx(
            expected[["accuracy", "ci_lower", "ci_upper"]].tolist(), abs=1e-4
        )
        assert row["difference"] == pytest.approx(row["people"] - row["accuracy"], abs=2e-4)
        assert row["difference_low"] < row["difference"] < row["difference_high"]


@pytest.mark.thorough
def test_people_who_answered_all_items_are_shaded_without_a_warning(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        whole = bank_of(tmp_path, "whole")
        for name, level in {**MODELS, "person:a": 0.7, "person:b": 0.9}.items():
            add_answers(journal, whole, name, level)
    board = gf.leaderboard(tmp_path / "c.db", tmp_path / "site")
    assert board.warnings == ()
    assert "<rect" in (tmp_path / "site" / "figures" / "board-1.svg").read_text("utf-8")
    whole_board = table(board, "board-1")
    beside = table(board, "board-1-people")
    for name in beside.index:
        assert beside.loc[name, "accuracy"] == whole_board.loc[name, "accuracy"]
        assert beside.loc[name, "low"] == pytest.approx(whole_board.loc[name, "low"], abs=1e-4)

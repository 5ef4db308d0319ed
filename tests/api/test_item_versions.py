"""A corrected item counts beside the one it replaced, which is said; a bank chooses its items."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from PIL import Image
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import ItemBank

WHO = ["baseline:constant", "baseline:random"]
SENTENCE = "1 id of own has two contents (own/q); both count."


def built(folder: Path, name: str, colors: list[str]) -> ItemBank:
    """A bank of a user's table with a picture in each of these colors."""
    ids = ["p", "q", "r"][: len(colors)]
    for item, color in zip(ids, colors, strict=True):
        Image.new("RGB", (64, 64), color).save(folder / f"{item}.png")
    table = pd.DataFrame({
        "index": ids, "image": [f"{item}.png" for item in ids], "question": "Which color?",
        "A": "black", "B": "red", "answer": "A",
    })  # fmt: skip
    table.to_csv(folder / "own.csv", index=False)
    return gf.build("vlmevalkit", source=folder / "own.csv", path=folder / f"{name}.parquet")


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> tuple[ItemBank, ItemBank]:
    """A bank, and the same with a corrected picture."""
    folder = tmp_path_factory.mktemp("own")
    old = built(folder, "old", ["black", "red", "green"])
    return old, built(folder, "new", ["black", "blue", "green"])


@pytest.fixture(scope="module")
def journal(banks: tuple[ItemBank, ItemBank], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both banks, asked into one journal."""
    path = tmp_path_factory.mktemp("journal") / "own.db"
    for bank in banks:
        gf.run(bank, WHO, journal=path)
    return path


def warned(diagnostics: Any) -> list[str]:
    return [one.sentence for one in diagnostics if one.code == "several_contents"]


@pytest.mark.thorough
def test_scores_and_comparisons_say_that_an_id_has_two_contents(journal: Path) -> None:
    assert warned(gf.score(journal).diagnostics) == [SENTENCE]
    assert warned(gf.compare(journal).diagnostics) == [SENTENCE]


@pytest.mark.thorough
def test_the_items_of_a_bank_are_scored_alone(
    journal: Path, banks: tuple[ItemBank, ItemBank]
) -> None:
    assert set(gf.score(journal).table["n"]) == {4}
    for bank in banks:
        scores = gf.score(journal, bank=bank)
        assert set(scores.table["n"]) == {3}
        contents = set(bank.frame()["content_hash"])
        assert set(scores.responses["item_hash"]) == contents == set(scores.items["content_hash"])
        compared = gf.compare(journal, bank=bank.path)
        assert set(compared.differences["n"]) == {3}
        assert not warned([*scores.diagnostics, *compared.diagnostics])


@pytest.mark.thorough
def test_the_command_has_the_same_choice(
    journal: Path, banks: tuple[ItemBank, ItemBank], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for command in ("score", "compare"):
        assert SENTENCE in run_cli(monkeypatch, capsys, command, str(journal)).out
        chosen = ("--bank", str(banks[1].path))
        assert SENTENCE not in run_cli(monkeypatch, capsys, command, str(journal), *chosen).out


def test_a_report_warns_first_unless_a_bank_chooses(
    journal: Path, banks: tuple[ItemBank, ItemBank], tmp_path: Path
) -> None:
    page = gf.report(journal, tmp_path / "all").path.read_text("utf-8")
    assert page.index("Read this first") < page.index(SENTENCE) < page.index("Every examinee")
    one = gf.report(journal, tmp_path / "one", bank=banks[1]).path.read_text("utf-8")
    assert SENTENCE not in one
    table = pd.read_csv(tmp_path / "one" / "tables" / "summary.csv")
    assert set(table["n"]) == {3}


def test_a_leaderboard_warns_and_names_both_contents(
    journal: Path, banks: tuple[ItemBank, ItemBank], tmp_path: Path
) -> None:
    done = gf.leaderboard(journal, tmp_path, banks=banks)
    assert SENTENCE in done.path.read_text("utf-8")
    listed = (tmp_path / "items.html").read_text("utf-8")
    hashes = [
        str(content)[:8] for bank in banks for name, content
        in zip(bank.frame()["id"], bank.frame()["content_hash"], strict=True) if name == "own/q"
    ]  # fmt: skip
    assert set(re.findall(r"own/q[^<]*", listed)) == {f"own/q@{one}" for one in hashes}
    assert set(re.findall(r"own/p[^<]*", listed)) == {"own/p"}


def test_a_bank_that_was_not_asked_is_refused(journal: Path, tmp_path: Path) -> None:
    other = built(tmp_path, "other", ["white"])
    with pytest.raises(ParameterError, match="holds no answer to an item of the bank"):
        gf.score(journal, bank=other)


@pytest.mark.thorough
def test_no_warning_without_a_second_content(
    banks: tuple[ItemBank, ItemBank], tmp_path: Path
) -> None:
    asked = gf.run(banks[0], WHO, journal=tmp_path / "one.db")
    assert not warned(gf.score(asked).diagnostics)

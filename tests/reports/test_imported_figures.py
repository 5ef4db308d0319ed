"""Scores that others report stand on the leaderboard, apart from boards of answers."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from support.boards import add_answers, board_items
from support.cli import run_cli

import gfactor as gf
from gfactor.administration import Journal
from gfactor.items import ItemBank, write_bank
from gfactor.reports.leaderboard.imported_figures import kind_of_numbers

BENCHMARK = "trial"
"""The benchmark of the items of `support.boards`."""


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers of two models to a few items."""
    folder = tmp_path_factory.mktemp("trial")
    bank = ItemBank.open(write_bank(board_items(3), folder / "bank.parquet"))
    with Journal.open(folder / "trial.db") as journal:
        for name in ("openai:lab/alpha", "openai:lab/beta"):
            add_answers(journal, bank, name, 0.6)
    return folder / "trial.db"


@pytest.fixture(scope="module")
def page(trial: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first page of a site with figures of two benchmarks."""
    figures = pd.DataFrame(
        {BENCHMARK: [71.5, 33.0], "MME": [1497.0, float("nan")]},
        index=["alpha", "somebody else"],
    )
    return gf.leaderboard(trial, tmp_path_factory.mktemp("site"), figures=figures).path


def elsewhere(site: Path) -> str:
    page = (site / "index.html").read_text("utf-8")
    (part,) = re.findall(r'<h2 id="elsewhere">(.*?)</section>', page, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def test_figures_have_a_table_of_their_own_with_the_own_score_behind_them(
    trial: Path, page: Path
) -> None:
    own = gf.score(trial, condition="default").table.set_index("examinee")["accuracy"]
    text = elsewhere(page.parent)
    assert f"{BENCHMARK} (%) MME (points)" in text
    assert f"alpha 71.5 here {100 * own['openai:lab/alpha']:.1f} 1,497.0" in text
    assert "somebody else 33.0 \N{EN DASH}" in text
    assert "no interval, no rank set and no comparison with the boards" in text
    file = pd.read_csv(page.parent / "tables" / "imported-figures.csv").set_index("name")
    assert file.loc["alpha", "MME"] == 1497.0


@pytest.mark.thorough
def test_figures_change_nothing_on_the_boards(trial: Path, page: Path, tmp_path: Path) -> None:
    plain = gf.leaderboard(trial, tmp_path / "plain").path
    one, other = (path.parent / "tables" / "board-1.csv" for path in (plain, page))
    assert one.read_bytes() == other.read_bytes()
    assert "elsewhere" not in plain.read_text("utf-8")


def test_the_command_reads_a_table_and_names_it(
    trial: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "published.csv"
    file.write_text("model,MMStar\nalpha,0.615\n", "utf-8")
    words = ("leaderboard", str(trial), "-o", str(tmp_path / "site"), "--figures", str(file))
    done = run_cli(monkeypatch, capsys, *words)
    assert done.code == 0, done.err
    text = elsewhere(tmp_path / "site")
    assert "As published.csv gives them" in text
    assert "alpha 61.5" in text


@pytest.mark.parametrize(
    ("scores", "kind"),
    [([0.1, 1.0], "share"), ([0.1, 62.0], "per cent"), ([5.0, 1497.0], "points"),
     ([-1.0, 1.0], "points"), ([float("nan")], "points")],
)  # fmt: skip
def test_the_unit_of_figures_is_that_of_their_range(scores: list[float], kind: str) -> None:
    assert kind_of_numbers(pd.Series(scores)) == kind

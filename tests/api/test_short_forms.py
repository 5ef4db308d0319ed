"""What a notebook shows of scores, runs and comparisons holds their warnings and numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.chat_server import chat_server

import gfactor as gf
from gfactor.items import ItemBank


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["counting_circles"], sizes=[1, 2], path=path)


def test_scores_and_runs_show_that_replies_cannot_be_read(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with chat_server(lambda body: "No idea.") as server:
        journal = gf.run(bank, "openai:m", base_url=server.url, journal=tmp_path / "c.db")
    warning = f"warning: 20 of 20 replies of openai:m?base_url={server.url} hold no answer."
    scores = gf.score(journal)
    assert warning in repr(journal)
    assert repr(scores).startswith(warning)
    assert scores._repr_html_().startswith(f"<p>{warning}")


def test_scores_have_facts_and_tables_as_results_have(bank: ItemBank, tmp_path: Path) -> None:
    scores = gf.score(gf.run(bank, "observer:ideal", journal=tmp_path / "c.db", jobs=1))
    assert scores.facts["responses"] == 20
    assert list(scores.tables) == ["scores"]
    assert scores.tables["scores"]["accuracy"].tolist() == [1.0]


def test_a_comparison_shows_each_difference_with_its_interval(
    bank: ItemBank, tmp_path: Path
) -> None:
    who = ["observer:ideal", "baseline:constant"]
    compared = gf.compare(gf.run(bank, who, journal=tmp_path / "c.db", jobs=1))
    (row,) = compared.differences.to_dict("records")
    line = (
        f"  {row['first']} - {row['second']}: {row['estimate']:.3f} "
        f"[{row['ci_lower']:.3f}, {row['ci_upper']:.3f}]"
    )
    assert line in repr(compared).splitlines()
    assert compared.facts["pairs"] == 1

"""gfactor analyze gia as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.m3gia_population import sample

from gfactor.replications.m3gia import INDICATORS, POINTS


@pytest.fixture
def counts(tmp_path: Path) -> str:
    rng = np.random.default_rng(1)
    share = np.clip(np.linspace(0.25, 0.75, 6)[:, None] + rng.normal(0, 0.08, (6, 18)), 0, 1)
    frame = pd.DataFrame(np.rint(share * POINTS), columns=list(INDICATORS))
    frame.insert(0, "model", ["GPT-4o", "Qwen-7b", "Qwen-14b", "Qwen-32b", "Qwen-72b", "other"])
    frame["size"] = [np.nan, 7, 14, 32, 72, np.nan]
    frame.to_csv(tmp_path / "counts.csv", index=False)
    return str(tmp_path / "counts.csv")


@pytest.fixture
def humans(tmp_path: Path) -> str:
    z = sample(3, 80).to_numpy()
    x = np.clip(np.rint(POINTS * (0.72 + 0.13 * z)), 0, POINTS)
    pd.DataFrame(x, columns=list(INDICATORS)).to_csv(tmp_path / "humans.csv", index=False)
    return str(tmp_path / "humans.csv")


def test_the_published_route_needs_nothing_but_counts(
    counts: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_cli(monkeypatch, capsys, "analyze", "gia", counts, "--language", "en")
    assert ran.code == 0
    assert ran.out.startswith("warning: Without human data for En only the published route")
    assert "serious: The English solution is improper: 5 negative residual variances" in ran.out
    assert "GPT-4o" in ran.out
    assert "13.85" in ran.out


@pytest.mark.slow
def test_both_routes_as_json_and_as_a_page(
    counts: str,
    humans: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("analyze", "gia", f"en={counts}", "--human", f"en={humans}", "--draws", "100",
             "-o", str(tmp_path / "page"), "--json")  # fmt: skip
    ran = run_cli(monkeypatch, capsys, *words)
    found = json.loads(ran.out)
    (one,) = found["languages"]
    assert len(one["repaired"]["scores"]) == 6
    assert [row["size"] for row in one["repaired"]["sizes"]] == [7, 14, 32, 72]
    assert one["published"]["winners"]["kendall_w"] > 0
    assert {claim["verdict"] for claim in found["claims"]} <= {
        "survives", "does not survive", "undecided", "not tested",
    }  # fmt: skip
    page = (tmp_path / "page" / "report.html").read_text()
    assert "Which conclusions survive" in page
    assert page.index("improper") < page.index("Which conclusions survive")
    assert (tmp_path / "page" / "tables" / "conclusions.csv").exists()
    assert (tmp_path / "page" / "figures" / "en_repaired.svg").exists()


def test_answers_item_by_item_give_the_intervals(
    counts: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = pd.read_csv(counts, index_col=0)
    rows = [
        (model, name, f"{name}-{item}", int(item < table.loc[model, name]))
        for model in table.index
        for name, points in zip(INDICATORS, POINTS, strict=True)
        for item in range(int(points))
    ]
    items = pd.DataFrame(rows, columns=["model", "question_type", "item", "correct"])
    items.to_csv(tmp_path / "items.csv", index=False)
    words = ("analyze", "gia", counts, "--language", "fr", "--items", str(tmp_path / "items.csv"),
             "--json")  # fmt: skip
    found = json.loads(run_cli(monkeypatch, capsys, *words).out)
    assert "the same for all models" in found["languages"][0]["published"]["interval"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{counts}"], "give --language, or LANG="),
        (["{counts}", "--language", "klingon"], "unknown language"),
        (["en={counts}", "--human", "fr=x.csv"], "no counts of that language"),
        (["en={counts}", "english={counts}"], "two tables of counts are for the language 'en'"),
        (["en=nowhere.csv"], "there is no such file"),
        (["en={counts}", "--unit", "shares"], "is not a possible value of"),
    ],
)
def test_a_users_mistake_is_one_sentence(
    words: list[str],
    said: str,
    counts: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [word.format(counts=counts) for word in words]
    ran = run_cli(monkeypatch, capsys, "analyze", "gia", *given)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err

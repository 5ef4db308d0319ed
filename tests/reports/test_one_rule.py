"""One rule for n, intervals and chance: the same number on every table and in gfactor score."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.chat_server import chat_server
from support.cli import Ran, run_cli
from support.paper_runs import answer, reply_of, results_of, right, wrong
from support.tiers import few

from gfactor.items import Item, ItemBank
from gfactor.psychometrics import wilson
from gfactor.reports import Table, make_tables
from gfactor.reports.writing.formatting import WIDE
from gfactor.reports.writing.parts import ShownTable, shown_tables

Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


def unsteady(item: Item) -> Callable[[int], str]:
    return lambda occasion: right(item) if (len(item.id) + occasion) % 3 else wrong(item)


@pytest.fixture(params=few(["m3gia", "mm-iq", "multi"], 1))
def journal(request: pytest.FixtureRequest, banks: dict[str, ItemBank], tmp_path: Path) -> Path:
    """Two models, of which one answers five times; M3GIA has an item in several languages."""
    bank, path = banks[request.param], tmp_path / "c.db"
    answer(path, bank, "openai:a", reply_of("a", 0.6), occasions=5)
    answer(path, bank, "openai:b", reply_of("b", 0.3))
    answer(path, bank, "openai:b", right, "images=removed")
    return path


def tables_of(folder: Path) -> dict[str, Any]:
    found = (folder / "tables").glob("*.csv")
    return {path.stem: pd.read_csv(path) for path in found}


@pytest.mark.slow
def test_the_page_and_score_have_the_same_n_interval_and_chance(
    run: Run, journal: Path, tmp_path: Path
) -> None:
    chosen = ("--condition", "default")
    told = json.loads(run("score", journal, *chosen, "--json").out)
    assert run("report", journal, *chosen, "-o", tmp_path / "r").code == 0
    tables = tables_of(tmp_path / "r")
    summary = tables["summary"].set_index("examinee")
    assert set(summary.index) == {"openai:a", "openai:b"}
    told = {one["examinee"]: one for one in told["results"]}
    for who, own in told.items():
        row = summary.loc[who]
        for name in ("n", "accuracy", "lenient", "chance", "answers"):
            assert row[name] == pytest.approx(own[name], abs=2e-6), name
        ends = [row["accuracy_low"], row["accuracy_high"]]
        assert ends == pytest.approx(own["interval"], abs=2e-6)
        over = [row["over_domains_low"], row["over_domains_high"]]
        assert over == pytest.approx(own["other_claim"]["interval"], abs=2e-6)
        label = who.removeprefix("openai:")
        for table, column in (("accuracy_by_domain", "domain"), ("multi_subjects", "subject")):
            rows = tables.get(table, pd.DataFrame({"label": []}))
            for row in rows[rows["label"] == label].to_dict("records"):
                part = own["by"]["domain"][row[column]]
                assert row["n"] == part["n"]
                if table == "accuracy_by_domain":
                    ends = [row["accuracy_low"], row["accuracy_high"], row["chance"]]
                    expected = [*part["interval"], part["chance"]]
                else:
                    ends = [row["score_low"], row["score_high"], row["chance"]]
                    expected = [*part["interval_ratio"], part["chance_ratio"]]
                assert ends == pytest.approx(expected, abs=2e-6)
    wholes = {"m3gia_factors": "overall", "mm_iq_paradigms": "Mean", "multi_levels": "Overall"}
    for table, column in wholes.items():
        if table not in tables:
            continue
        rows = tables[table].set_index(["source", "label"])
        name = "interval_ratio" if column == "Overall" else "interval"
        chance = "chance_ratio" if column == "Overall" else "chance"
        for who, own in told.items():
            row = rows.loc[("here", who.removeprefix("openai:"))]
            assert row[f"{column}_n"] == own["n"]
            ends = [row[f"{column}_low"], row[f"{column}_high"]]
            assert ends == pytest.approx(own[name], abs=2e-6)
            assert rows.loc[("expected", "chance"), column] == pytest.approx(own[chance], abs=2e-6)


@pytest.mark.thorough
def test_compare_has_scores_means_n_and_chance(run: Run, journal: Path) -> None:
    chosen = ("--condition", "default", "--json")
    told = json.loads(run("score", journal, *chosen).out)["results"]
    told = {one["examinee"]: one for one in told}
    found = json.loads(run("compare", journal, *chosen).out)["ranks"]
    assert len(found) == 2
    for row in found:
        own = told[row["run"]]
        assert row["n"] == own["n"]
        assert row["mean"] == pytest.approx(own["accuracy"])
        assert row["chance"] == pytest.approx(own["chance"])
        assert row["read"] == own["read"]
    matrix = json.loads(run("matrix", journal, *chosen).out)
    assert matrix["read"] == {who: own["read"] for who, own in told.items()}


@pytest.mark.slow
def test_occasions_are_no_further_items(banks: dict[str, ItemBank], tmp_path: Path) -> None:
    bank = banks["mm-iq"]
    answer(tmp_path / "c.db", bank, "openai:a", reply_of("a", 0.6), occasions=5)
    answer(tmp_path / "d.db", bank, "openai:a", reply_of("a", 0.6))
    often, once = (make_tables(results_of(tmp_path / name)) for name in ("c.db", "d.db"))
    for name in set(once) - {"summary", "reading", "mm_iq_lengths"}:
        pd.testing.assert_frame_equal(often[name].frame, once[name].frame)
    left, right_ = (made["summary"].frame.drop(columns="answers") for made in (often, once))
    pd.testing.assert_frame_equal(left, right_)


def test_an_item_in_several_languages_is_one_observation(
    banks: dict[str, ItemBank], tmp_path: Path
) -> None:
    bank = banks["mm-iq"]
    answer(tmp_path / "c.db", bank, "openai:a", right)
    frame: Any = make_tables(results_of(tmp_path / "c.db"))["summary"].frame
    numbers = {item.labels["number"] for item in bank}
    assert len(numbers) < len(bank) == frame["n"].iloc[0]
    low, _ = wilson(len(numbers), len(numbers))
    assert frame["accuracy_low"].iloc[0] == pytest.approx(float(low))


VAGUE = "It could be any of them."


@pytest.mark.slow
def test_random_draws_of_the_policy_are_told_and_a_judge_replaces_them(
    run: Run, banks: dict[str, ItemBank], tmp_path: Path
) -> None:
    bank, path = banks["m3gia"], tmp_path / "c.db"
    vague = set(bank.ids[::4])
    answer(path, bank, "openai:a", lambda i: VAGUE if i.id in vague else right(i))
    answer(path, bank, "openai:b", right)
    share = len(vague) / len(bank)
    assert run("report", path, "-o", tmp_path / "r").code == 0
    tables = tables_of(tmp_path / "r")
    read = tables["reading"].set_index("label")
    assert read.loc["a", "draw"] == pytest.approx(share, abs=1e-6)
    assert read.loc["b", "rule"] == 1
    own = tables["m3gia_factors"].set_index(["source", "label"]).loc[("here", "a")]
    assert own["read_draw"] == pytest.approx(share, abs=1e-6)
    assert "format_errors" not in tables["summary"]
    page = (tmp_path / "r" / "report.html").read_text("utf-8")
    assert f"{50 * share:.1f} % random draws" in page
    assert "random draw" in run("score", path).out
    none = json.loads(run("report", path, "--policy", "none", "-o", tmp_path / "n", "--json").out)
    assert "reading" in none["tables"]
    left = tables_of(tmp_path / "n")["summary"].set_index("label")
    assert left.loc["a", "n"] == len(bank) - len(vague)
    assert left.loc["a", "accuracy"] == 1
    with chat_server(lambda _: '{"answer": "A"}') as server:
        judge = ("--judge", f"openai:judge?base_url={server.url}")
        told = json.loads(run("score", path, *judge, "--json").out)["results"]
        told = next(one for one in told if one["examinee"] == "openai:a")
        ran = run("report", path, *judge, "-o", tmp_path / "j")
        matrix = json.loads(run("matrix", path, *judge, "--json").out)
    assert "judge openai:judge" in ran.out
    tables = tables_of(tmp_path / "j")
    row = tables["summary"].set_index("label").loc["a"]
    assert row["accuracy"] == pytest.approx(told["accuracy"], abs=1e-6)
    read = tables["reading"].set_index("label").loc["a"]
    assert read["judge"] == pytest.approx(share, abs=1e-6)
    assert read["draw"] == 0
    assert matrix["read"]["openai:a"]["judge"] == pytest.approx(share)
    assert np.isclose(sum(told["read"].values()), 1)


class Tables(HTMLParser):
    """Headings and rows of every table of a page, by its caption."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, tuple[list[str], list[list[str]], bool]] = {}
        self._text: list[str] | None = None
        self._whole = False
        self._caption, self._cells, self._row = "", list[str](), list[list[str]]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            self._whole = "whole" in str(dict(attrs).get("class"))
        if tag in ("caption", "th", "td"):
            self._text = []
        if tag == "tr":
            self._cells = []
        if tag == "table":
            self._row = []

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        text = "".join(self._text or ()).strip()
        if tag == "caption":
            self._caption = text
        if tag in ("th", "td"):
            self._cells.append(text)
        if tag == "tr":
            self._row.append(self._cells)
        if tag == "table":
            self.found[self._caption] = (self._row[0], self._row[1:], self._whole)
        if tag in ("caption", "th", "td"):
            self._text = None


@pytest.mark.slow
def test_wide_and_long_tables_are_whole_on_the_page(
    run: Run, banks: dict[str, ItemBank], tmp_path: Path
) -> None:
    path = tmp_path / "c.db"
    for k in range(14):
        answer(path, banks["mm-iq"], f"openai:m{k:02d}", reply_of(f"m{k}", k / 14))
    assert run("report", path, "-o", tmp_path / "r").code == 0
    found = Tables((tmp_path / "r" / "report.html").read_text("utf-8")).found
    title = "Table 2: accuracy by paradigm (columns, part {} of 2)"
    parts = [found[title.format(k)] for k in (1, 2)]
    names = [name for heads, _, _ in parts for name in heads]
    paradigms = ("LO", "Math", "2D-G", "3D-G", "VI", "TM", "SR", "CO")
    assert [n for n in names if n not in ("examinee", "source")] == [
        "Mean (%)", *(f"{p} (%)" for p in paradigms), "by rule (%)",
    ]  # fmt: skip
    rows = tables_of(tmp_path / "r")["mm_iq_paradigms"]
    for heads, cells, whole in parts:
        assert whole
        assert heads[:2] == ["examinee", "source"]
        assert len(heads) - 2 <= WIDE
        assert [row[0] for row in cells] == list(rows["label"])
        assert all(len(row) == len(heads) for row in cells)


def test_a_table_that_is_cut_says_so_and_where_it_is_whole() -> None:
    def shown(rows: int) -> ShownTable:
        frame = pd.DataFrame({"who": [f"m{k}" for k in range(rows)], "n": range(rows)})
        return shown_tables({"t": Table("T", frame)})[0]

    assert (shown(60).whole, shown(60).extent) == (True, "60 rows:")
    assert (shown(61).whole, shown(61).extent) == (
        False,
        "61 rows, in a box that scrolls; whole in",
    )
    assert shown(301).extent == "301 rows, of which the first 300 are here; all are in"

"""Reports of the papers' benchmarks as they are typed: whole, the same twice, fit to be read."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.cli import Ran, run_cli
from support.paper_runs import WRITERS, answer, paper_bank, reply_of, wrong
from support.releases import ASKED, write_m3gia
from support.tiers import few

from gfactor.administration import Journal
from gfactor.benchmarks import build
from gfactor.benchmarks.m3gia import TYPES
from gfactor.items import ItemBank
from gfactor.reports import Results, write_report

LABEL = ("item", "examinee", "condition", "annotator", "category", "abilities")
Run = Callable[..., Ran]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CONDITIONS = {
    "m3gia": ("default", "images=removed"),
    "mm-iq": ("default", "cot=on"),
    "multi": ("background=on", "background=on,images=removed", "background=on,cot=on"),
}
TABLES = {
    "m3gia": {"m3gia_factors", "m3gia_languages", "m3gia_images", "m3gia_counts_ko"},
    "mm-iq": {"mm_iq_paradigms", "mm_iq_lengths", "mm_iq_thinking", "error_types"},
    "multi": {"multi_levels", "multi_images", "multi_types", "multi_elite", "multi_inputs",
              "multi_prompts", "multi_refusals", "multi_subjects"},
}  # fmt: skip


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


def written(run: Run, folder: Path, name: str) -> Path:
    """A journal of baselines and one model under several conditions; labels where there is a
    model's wrong answer to label."""
    bank, journal = folder / "b.parquet", folder / "c.db"
    build(name, bank, source=str(WRITERS[name](folder / "release")))
    baselines = ("--examinee", "baseline:random", "--examinee", "baseline:most")
    for condition in CONDITIONS[name]:
        ran = run("run", bank, "--journal", journal, *baselines, "--condition", condition)
        assert ran.code == 0
    opened = ItemBank.open(bank)
    answer(journal, opened, "openai:=a<b>", wrong, CONDITIONS[name][0])
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*LABEL, "note"])
        first = opened.ids[0]
        for who, category in (("ann", "visual"), ("bob", "text")):
            writer.writerow([first, "openai:=a<b>", CONDITIONS[name][0], who, category, "", ""])
    return journal


@pytest.mark.parametrize("name", few(CONDITIONS, 1))
def test_a_report_is_whole_and_has_the_same_bytes_twice(
    run: Run, tmp_path: Path, name: str
) -> None:
    journal = written(run, tmp_path, name)
    labels = ("--labels", tmp_path / "labels.csv")
    told = json.loads(run("report", journal, "-o", tmp_path / "r", *labels, "--json").out)
    assert TABLES[name] <= set(told["tables"])
    again = run("report", journal, "-o", tmp_path / "again", *labels)
    assert again.out.startswith(str(tmp_path / "again" / "report.html"))
    files = sorted(
        p.relative_to(tmp_path / "r") for p in (tmp_path / "r").rglob("*") if p.is_file()
    )
    for path in files:
        content = (tmp_path / "r" / path).read_bytes()
        assert content == (tmp_path / "again" / path).read_bytes(), path
        if path.suffix in (".csv", ".md", ".tex"):
            words = content.decode().replace("[", " ").replace(",", " ").split()
            assert not {"nan", "NaN", "<NA>", "inf", "None"} & set(words), path
    html = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert "published" in html
    assert "=a<b>" not in html
    assert ">nan<" not in html


@pytest.mark.slow
def test_report_and_matrix_give_what_the_gia_reads(run: Run, tmp_path: Path) -> None:
    rows = [
        {"index": str(10 * k + n), "question": f"{ASKED['en']} {name}", "hint": "none", "A": "a",
         "B": "b", "C": "c", "D": "d", "E": None, "F": None, "image": None, "QuestionTypes": name}
        for k, name in enumerate(TYPES)
        for n in range(3)
    ]  # fmt: skip
    release, bank, journal = write_m3gia(tmp_path / "r", ("en",), en=rows), "b.parquet", "c.db"
    build("m3gia", tmp_path / bank, source=str(release), languages=("en",))
    for name, share in (("openai:a", 0.8), ("openai:b", 0.4), ("openai:c", 0.6)):
        answer(tmp_path / journal, ItemBank.open(tmp_path / bank), name, reply_of(name, share))
    assert run("report", tmp_path / journal, "-o", tmp_path / "report").code == 0
    by_report = tmp_path / "report" / "tables" / "m3gia_counts_en.csv"
    by_matrix = tmp_path / "en.csv"
    only = ("--count", "--where", "test_language=en")
    assert run("matrix", tmp_path / journal, *only, "-o", by_matrix).code == 0
    one, other = (pd.read_csv(p, index_col=0) for p in (by_report, by_matrix))
    assert list(one.columns) == list(TYPES)
    assert (other[list(TYPES)].to_numpy() == one.to_numpy()).all()
    answers: list[Any] = []
    for path in (by_report, by_matrix):
        ran = run("analyze", "gia", f"en={path}", "--draws", 100, "--json")
        assert ran.code == 0, ran.err
        answers.append(json.loads(ran.out)["languages"][0]["published"]["scores"])
    assert [row["gia"] for row in answers[0]] == [row["gia"] for row in answers[1]]


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a model that answered MM-IQ."""
    folder = tmp_path_factory.mktemp("puzzles")
    answer(folder / "c.db", paper_bank("mm-iq", folder), "openai:a", wrong)
    return folder / "c.db"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("matrix", "--count", "--ratio"),
            "--ratio computes shares of points; give only one",
        ),
        (("matrix", "--where", "x"), "written LABEL=VALUE"),
        (("matrix", "--where", "languag=en"), "unknown label 'languag'"),
        (("matrix", "--where", "paradigm=L0"), "unknown value of paradigm 'L0'"),
        (("report", "--labels", "gone.csv", "-o", "r"), "no such file"),
        (("report", "--models", "gone.csv", "-o", "r"), "no such file"),
    ],
)
def test_a_mistake_is_one_sentence(
    run: Run, puzzles: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(puzzles.parent)
    ran = run(words[0], puzzles, *words[1:])
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert told in ran.err


@pytest.fixture(scope="module")
def widest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of MULTI under several conditions."""
    folder = tmp_path_factory.mktemp("widest")
    bank = paper_bank("multi", folder)
    for condition in CONDITIONS["multi"]:
        answer(folder / "c.db", bank, "openai:a", reply_of("a", 0.5), condition)
    with Journal.open(folder / "c.db", create=False) as journal:
        return write_report(Results.from_journal(journal), folder / "r").path


@pytest.mark.slow
def test_the_widest_page_fits_a_phone_and_intervals_stand_below_their_numbers(widest: Path) -> None:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = running.new_page(viewport={"width": 390, "height": 800})
        errors: list[str] = []
        page.on("console", lambda message: errors.append(message.text))
        page.goto(widest.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        cell = page.locator("table.stacked td.n:has(i)").first
        number, interval = cell.bounding_box(), cell.locator("i").bounding_box()
        assert interval["y"] >= number["y"] + 10
        assert page.locator("tr.printed").count() > 20
        assert errors == []
        running.close()

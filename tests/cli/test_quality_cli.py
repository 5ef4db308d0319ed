"""gfactor audit, select and transform of item banks, as they are typed."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.banks import make_items
from support.cli import Ran, run_cli
from support.quality import asked, bank_of, image, scene
from support.releases import write_mm_iq, write_multi

from gfactor.benchmarks import build
from gfactor.items import ItemBank, write_bank

Run = Callable[..., Ran]
PASSAGE = "A train leaves the station at nine and meets another one after 120 kilometres; when?"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    items = [asked("a", PASSAGE, target="B"), asked("b", PASSAGE.replace("nine", "ten")),
             asked("c", "Why?", options=("x", "", "y"))]  # fmt: skip
    items += [asked(f"q{k}", f"What is {k}?", image(scene(k)), target="ABCD"[k % 4])
              for k in range(8)]  # fmt: skip
    return bank_of(items, tmp_path).path


@pytest.mark.thorough
def test_audit_prints_findings_with_their_cases_and_ends_with_1_on_an_error(
    run: Run, bank: Path
) -> None:
    ran = run("audit", bank)
    assert ran.code == 1
    assert ran.out.startswith("error: 1 of 11 items with listed options have an empty option.")
    assert "  c: option B" in ran.out
    assert "  a and b: texts" in ran.out
    assert "checks of quality apply and give 2 findings; picture_size did not test" in ran.out
    assert "its items (8 with 4 options; 30 are needed)." in ran.out


@pytest.mark.thorough
def test_audit_puts_quality_beside_the_domains_in_json(run: Run, bank: Path) -> None:
    found = json.loads(run("audit", bank, "--json", "--jobs", 2).out)
    assert found["a"]["n"] == 11
    codes = [finding["code"] for finding in found["quality"]["findings"]]
    assert codes == ["empty_options", "near_duplicate_texts"]
    assert found["quality"]["checks"]["option_length"]["n"] == 10


@pytest.mark.thorough
def test_suspicions_are_written_decided_and_dropped(run: Run, bank: Path, tmp_path: Path) -> None:
    review, decisions = tmp_path / "review.csv", tmp_path / "decisions.csv"
    run("audit", bank, "--review", review)
    with review.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["check"], row["first"], row["second"]) for row in rows] == [
        ("near_duplicate_texts", "a", "b"), ("options", "c", "")
    ]  # fmt: skip
    for row in rows:
        row |= {"decision": "drop", "who": "ed", "why": "seen"}
    with decisions.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    ran = run("audit", bank, "--decisions", decisions)
    assert ran.code == 0
    assert "find nothing" in ran.out
    clean = tmp_path / "clean.parquet"
    assert run("select", bank, "-o", clean, "--method", "all", "--decisions", decisions).code == 0
    assert {"b", "c"}.isdisjoint(ItemBank.open(clean).ids)
    # The decisions may name items that the cleaned bank no longer has.
    assert run("select", clean, "-o", bank.with_name("x.parquet"), "--method", "all",
               "--decisions", decisions).code == 0  # fmt: skip


def test_a_text_only_run_is_held_against_chance(run: Run, bank: Path, tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    assert run("run", bank, "--examinee", "baseline:most", "--journal", journal,
               "--condition", "images=removed").code == 0  # fmt: skip
    found = json.loads(run("audit", bank, "--text-only", journal, "--json").out)
    (row,) = found["quality"]["checks"]["text_only"]["runs"]
    assert (row["examinee"], row["n"], row["share"]) == ("baseline:most", 8, 0.25)
    assert row["low"] < row["chance"] < row["high"]


def test_a_journal_without_such_a_run_is_refused(run: Run, bank: Path, tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    run("run", bank, "--examinee", "baseline:most", "--journal", journal)
    ran = run("audit", bank, "--text-only", journal)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "under images=removed" in ran.err


def test_answers_without_images_to_other_items_are_told_apart_from_none(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    rows = [{"index": 1, "question": "What?", "A": "x", "B": "y", "answer": "A", "prediction": "A"}]
    log = tmp_path / "M" / "M_Set.json"
    log.parent.mkdir()
    log.write_text(json.dumps(rows))
    journal = tmp_path / "c.db"
    run("import", "vlmevalkit", log, "--journal", journal, "--condition", "images=removed")
    ran = run("audit", bank, "--text-only", journal)
    assert ran.code == 2
    assert "has 1 answer without images, but to items of other contents" in ran.err
    assert "import them again with --bank BANK" in ran.err


def test_options_of_banks_are_refused_for_score_matrices(run: Run, tmp_path: Path) -> None:
    scores = tmp_path / "s.csv"
    scores.write_text("x,y\n1,2\n2,3\n3,1\n")
    ran = run("audit", scores, "--review", tmp_path / "r.csv")
    assert (ran.code, "--review is for banks" in ran.err) == (2, True)


def test_select_takes_models_errors_from_a_journal_and_says_the_bias(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    journal, hard = tmp_path / "c.db", tmp_path / "hard.parquet"
    run("run", bank, "--examinee", "baseline:most", "--journal", journal)
    ran = run("select", bank, "-o", hard, "--method", "elite", "--errors", journal, "--n", "4")
    assert ran.code == 0
    assert "baseline:most guided the selection" in ran.out
    most = max("ABCD", key=[i.target for i in ItemBank.open(bank)].count)
    assert all(item.target != most for item in ItemBank.open(hard))


@pytest.mark.thorough
def test_select_mixes_no_conditions_of_a_journal(run: Run, bank: Path, tmp_path: Path) -> None:
    journal, hard = tmp_path / "c.db", tmp_path / "hard.parquet"
    for condition in ("default", "images=removed"):
        run("run", bank, "--examinee", "baseline:most", "--journal", journal,
            "--condition", condition)  # fmt: skip
    words = ("select", bank, "-o", hard, "--method", "elite", "--errors", journal, "--n", "4")
    ran = run(*words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "2 conditions (default; images=removed)" in ran.err
    assert run(*words, "--condition", "images=removed").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--method", "elit"), "did you mean 'elite'"),
        (("--method", "all", "--by", "x"), "the method 'all' has no option --by"),
        (("--method", "all", "--errors", "c.db"), "it is for: elite"),
        (("--method", "elite", "--examinee", "x"), "name the journal"),
        (("--method", "elite", "--condition", "x"), "name the journal"),
        ((), "--method"),
    ],
)
def test_select_tells_a_mistake_in_one_sentence(
    run: Run, bank: Path, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    ran = run("select", bank, "-o", tmp_path / "o.parquet", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert told in ran.err


def test_transform_and_back_as_typed(run: Run, tmp_path: Path) -> None:
    source = bank_of([asked("q", "It is <b>[MASK]</b>.", options=("one", "two", "three"))],
                     tmp_path).path  # fmt: skip
    made, back = tmp_path / "made.parquet", tmp_path / "back.parquet"
    ran = run("transform", source, "-o", made, "--do", "html-to-markdown,choice-to-blank")
    assert ran.out.splitlines()[1:] == [
        "  html-to-markdown: 1 items changed", "  choice-to-blank: 1 items changed"
    ]  # fmt: skip
    assert run("transform", made, "-o", back, "--undo", "--json").code == 0
    assert list(ItemBank.open(back)) == list(ItemBank.open(source))
    assert run("transform", made, "-o", back, "--undo-last").code == 0
    assert ItemBank.open(back).item("q").text == "It is **[MASK]**."
    assert run("transform", made, "-o", back).code == 2
    assert run("transform", made, "-o", back, "--undo", "--do", "split").code == 2


@pytest.mark.parametrize("verb", ["select", "transform"])
def test_help_has_an_example(run: Run, verb: str) -> None:
    ran = run(verb, "--help")
    assert ran.code == 0
    assert f"gfactor {verb}" in ran.out


def test_the_banks_of_releases_are_audited_and_selected_from(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "multi.parquet"
    build("multi", path, source=str(write_multi(tmp_path / "release")))
    codes = [f["code"] for f in json.loads(run("audit", path, "--json").out)["quality"]["findings"]]
    assert "small_images" in codes
    assert run("select", path, "-o", tmp_path / "s.parquet", "--method", "appendix-d").code == 0
    assert len(ItemBank.open(tmp_path / "s.parquet")) >= 4
    puzzles = tmp_path / "mm_iq.parquet"
    build("mm-iq", puzzles, source=str(write_mm_iq(tmp_path / "puzzles")))
    codes = [
        f["code"] for f in json.loads(run("audit", puzzles, "--json").out)["quality"]["findings"]
    ]
    assert "near_duplicate_texts" not in codes


def test_a_bank_from_before_items_had_a_history_still_opens(tmp_path: Path) -> None:
    path = write_bank(make_items(), tmp_path / "old.parquet")
    table = pq.read_table(path)
    place = table.schema.get_field_index("provenance")
    rows = [{k: v for k, v in row.items() if k != "history"} for row in table[place].to_pylist()]
    kind = pa.struct([f for f in table.schema.field(place).type if f.name != "history"])
    older = table.set_column(place, pa.field("provenance", kind), pa.array(rows, kind))
    pq.write_table(older.replace_schema_metadata(table.schema.metadata), path)
    assert list(ItemBank.open(path)) == make_items()

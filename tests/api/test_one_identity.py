"""An item is its benchmark and content: in journals, imports, tables, exports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.answers import answered
from support.banks import make_items
from support.exam import BLANKS, question

import gfactor as gf
from gfactor.administration import Condition, Journal
from gfactor.administration.asking.registration import register_bank
from gfactor.administration.imports import import_file
from gfactor.administration.storing.upgrading import copy_path
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem
from gfactor.items import Item, ItemBank, text_hash, write_bank
from gfactor.items.files import filling
from gfactor.reports import Results
from gfactor.reports.answers.samples import gallery
from gfactor.reports.table_registry import make_tables
from gfactor.scoring import scored, with_chance
from gfactor.scoring.score_matrix import item_names

MODEL = "openai:some-model"


def exam() -> list[Item]:
    return [question("q1"), question("q2"), question("q3", **BLANKS)]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A journal of a benchmark with sizes and output formats and of one with neither."""
    shapes = make_items(sizes=2, instances=1)
    with answered(tmp_path, shapes, [(MODEL, i.id, 0, "COUNT = 0") for i in shapes]):
        pass
    replies = {"q1": "B", "q2": "A", "q3": "north\nsouth"}
    with answered(tmp_path, exam(), [(MODEL, k, 0, text) for k, text in replies.items()]) as kept:
        return Path(kept.name)


def evaluation(folder: Path, name: str, replies: list[tuple[str, str]]) -> Path:
    """Lines of Every Eval Ever as another program writes them: question and reply, all `q1`."""
    lines: list[Mapping[str, Any]] = [
        {
            "evaluation_name": "sums", "sample_id": "q1", "model_id": "acme/one",
            "input": {"raw": asked, "reference": ["2"]}, "output": {"raw": [reply]},
        }
        for asked, reply in replies
    ]  # fmt: skip
    path = folder / f"{name}_samples.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def to_schema_2(path: Path) -> None:
    """Give a journal the layout of gfactor 0.2."""
    with closing(sqlite3.connect(path)) as file, file:
        columns = "content_hash, id, benchmark, edition, labels, answer_type, target, accepted, "
        columns += "output_format, points, language, question, choices"
        file.executescript(
            f"""
            CREATE TABLE old_items (
                content_hash VARCHAR NOT NULL, id VARCHAR NOT NULL, benchmark VARCHAR NOT NULL,
                edition VARCHAR NOT NULL, labels TEXT NOT NULL, answer_type VARCHAR NOT NULL,
                target TEXT NOT NULL, accepted TEXT NOT NULL, output_format TEXT,
                points FLOAT NOT NULL, language VARCHAR NOT NULL, question TEXT NOT NULL,
                choices TEXT NOT NULL, PRIMARY KEY (content_hash, id));
            INSERT INTO old_items ({columns}) SELECT {columns} FROM items;
            DROP TABLE items;
            ALTER TABLE old_items RENAME TO items;
            CREATE TABLE old_bank_items (
                digest VARCHAR NOT NULL, id VARCHAR NOT NULL, content_hash VARCHAR NOT NULL,
                PRIMARY KEY (digest, id));
            INSERT INTO old_bank_items SELECT digest, id, content_hash FROM bank_items;
            DROP TABLE bank_items;
            ALTER TABLE old_bank_items RENAME TO bank_items;
            UPDATE meta SET value = '2' WHERE key = 'schema';
            """
        )


@pytest.mark.thorough
def test_what_an_item_lacks_is_none_and_numbers_stay_whole(mixed: Path, tmp_path: Path) -> None:
    with Journal.open(mixed, create=False) as journal:
        items = journal.items().set_index("id")
        attempts = journal.responses()
    assert items.loc["q1", "output_format"] is None
    assert items.loc["q1", "size"] is None
    assert [type(items.loc[name, "size"]) for name in ("a-01-0", "b-02-0")] == [int, int]
    assert attempts["cost"].dtype == "float64"
    unlike = [question("q1"), question("q2", labels={"domain": "d", "level": 3})]
    bank = ItemBank.open(write_bank(unlike, tmp_path / "unlike.parquet"))
    frame = bank.frame().set_index("id")
    assert frame.loc["q1", "level"] is None
    assert frame.loc["q1", "output_format"] is None
    assert type(frame.loc["q2", "level"]) is int


def test_a_report_of_two_benchmarks_counts_each_by_itself(mixed: Path) -> None:
    with Journal.open(mixed, create=False) as journal:
        results = Results.from_journal(journal)
    tables = make_tables(results)
    by_size = tables["accuracy_by_size"].frame
    assert sorted(by_size["size"].astype(int)) == [1, 2]
    assert by_size["n"].tolist() == [2, 2]
    shown = (RenderedItem("q1", "exam", "animals", ("Which?",)),)
    (sample,) = gallery(replace(results, samples=shown))
    assert sample.labels == (("answer type", "choice"),)


def test_an_export_of_two_benchmarks_imports_back_whole(mixed: Path, tmp_path: Path) -> None:
    done = gf.export(mixed, "eee", tmp_path / "eee", organization="An institute")
    back = tmp_path / "back.db"
    gf.import_logs("eee", tmp_path / "eee", journal=back)
    columns = ["item_id", "item_hash", "benchmark", "text", "correct", "points"]
    with Journal.open(mixed, create=False) as before, Journal.open(back, create=False) as after:
        tables = [
            pd.DataFrame(scored(one)[columns]).sort_values("item_hash").reset_index(drop=True)
            for one in (before, after)
        ]
    assert done.answers == 7
    assert tables[0].equals(tables[1])


def test_results_for_the_hub_need_no_library_and_keep_models_that_differ_in_a_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    seeds = [f"{MODEL}?seed={k}" for k in (1, 2)]
    with answered(tmp_path, exam(), [(name, "q1", 0, "B") for name in seeds]) as journal:
        done = gf.export(journal, "hf", tmp_path / "hf", dataset="org/exam")
    assert len({path for path in done.files}) == 2
    assert all((tmp_path / "hf" / path).is_file() for path in done.files)


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "out"

    def fail(name: str) -> None:
        with filling(folder) as inside:
            (inside / name).write_text("{")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail("half.json")
    assert not folder.exists()
    folder.mkdir()
    (folder / "old.json").write_text("old")
    with pytest.raises(RuntimeError):
        fail("old.json")
    assert (folder / "old.json").read_text() == "old"
    with filling(folder) as inside:
        (inside / "a").mkdir()
        (inside / "a" / "new.json").write_text("new")
    assert {p.name for p in tmp_path.iterdir()} == {"out"}
    assert {p.name for p in folder.rglob("*") if p.is_file()} == {"old.json", "new.json"}
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="name a folder"), filling(tmp_path / "file"):
        pass


@pytest.mark.thorough
def test_an_id_with_two_contents_is_two_items(tmp_path: Path) -> None:
    path = evaluation(tmp_path, "a", [("1 + 1?", "2"), ("3 - 1?", "3")])
    with Journal.open(tmp_path / "c.db") as journal:
        done = import_file("eee", path, journal)
        table = scored(journal)
        matrix = gf.matrix(journal, by="item").scores
        assert with_chance(table, journal.items())["chance"].size == 2
    assert (done.items, done.added, done.flaws) == (2, 2, ())
    assert sorted(table["correct"]) == [0, 1]
    assert all(name.startswith("sums/q1@") for name in item_names(table))
    assert matrix.shape == (1, 2)


def test_an_import_says_which_answers_it_did_not_take(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        import_file("eee", evaluation(tmp_path, "a", [("1 + 1?", "2")]), journal)
        same = import_file("eee", evaluation(tmp_path, "a", [("1 + 1?", "2")]), journal)
        other = import_file("eee", evaluation(tmp_path, "b", [("1 + 1?", "3")]), journal)
        later = import_file("eee", tmp_path / "b_samples.jsonl", journal, first_occasion=1)
        assert journal.responses()["text"].tolist() == ["2", "3"]
    assert (same.added, same.known, same.flaws) == (0, 1, ())
    assert (other.added, other.known) == (0, 0)
    assert "1 answers to items to which the journal has another answer" in other.flaws[0]
    assert (later.added, later.flaws) == (1, ())


def test_items_of_a_second_benchmark_with_the_same_contents_are_kept(tmp_path: Path) -> None:
    first = [question("q1")]
    second = [question("q1", benchmark="other", target="A")]
    with answered(tmp_path, first, [(MODEL, "q1", 0, "B")]):
        pass
    with answered(tmp_path, second, [("openai:two", "q1", 0, "B")]) as journal:
        table = scored(journal)
        assert len(journal.items()) == 2
        assert len(with_chance(table, journal.items())) == 2
    rows = zip(table["examinee"], table["benchmark"], table["correct"], strict=True)
    assert set(rows) == {(MODEL, "exam", 1.0), ("openai:two", "other", 0.0)}


@pytest.mark.thorough
def test_a_bank_with_other_ids_for_the_same_contents_is_another_bank(tmp_path: Path) -> None:
    renamed = [question("p1", provenance=question("q1").provenance)]
    with answered(tmp_path, [question("q1")], [(MODEL, "q1", 0, "B")]):
        pass
    with answered(tmp_path, renamed, [("openai:two", "p1", 0, "B")]) as journal:
        table = scored(journal)
        bank = ItemBank.open(tmp_path / "bank.parquet")
        register_bank(journal, bank, "openai:two", Condition(), 2)
        digests = [campaign["digest"] for campaign in journal.meta()["campaigns"]]
    assert dict(zip(table["examinee"], table["item_id"], strict=True)) == {
        MODEL: "q1", "openai:two": "p1",
    }  # fmt: skip
    assert digests[1] == digests[2] != digests[0]


def test_a_journal_of_version_0_2_is_upgraded_and_a_copy_stays(mixed: Path) -> None:
    with Journal.open(mixed, create=False) as journal:
        before = scored(journal)
    to_schema_2(mixed)
    old = mixed.read_bytes()
    with Journal.open(mixed, create=False) as journal:
        after = scored(journal)
        assert journal.meta()["schema"] == "4"
    assert before.equals(after)
    copy = copy_path(mixed, "2")
    with closing(sqlite3.connect(copy)) as file:
        assert file.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("2",)
        assert file.execute("SELECT count(*) FROM responses").fetchone() == (7,)
    assert len(copy.read_bytes()) == len(old)
    written = copy.stat().st_mtime_ns
    with Journal.open(mixed) as journal:
        assert len(journal.items()) == 7
        import_file(
            "eee", evaluation(mixed.parent, "a", [("1 + 1?", "2"), ("3 - 1?", "2")]), journal
        )
        assert len(scored(journal)) == 9
    assert copy.stat().st_mtime_ns == written


def test_the_hash_of_an_item_does_not_depend_on_how_it_came(tmp_path: Path) -> None:
    with answered(tmp_path, [question("q1")], [(MODEL, "q1", 0, "B")]) as journal:
        assert journal.items()["content_hash"].tolist() == [text_hash("exam q1")]
        by_bank = journal.items()
    with Journal.open(tmp_path / "direct.db") as direct:
        direct.register([], [question("q1")], digest="d")
        assert direct.items().equals(by_bank)
        assert direct.bank_items("d") == {(text_hash("exam q1"), "q1", "exam")}

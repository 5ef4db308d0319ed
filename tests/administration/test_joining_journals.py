"""Journals are joined whole, once, and never over an item with two keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.banks import make_items
from support.cli import run_cli

import gfactor as gf
from gfactor.administration import Journal, Response
from gfactor.errors import JournalError, ParameterError
from gfactor.examinees import Reply
from gfactor.items import write_bank

MODELS = ("observer:ideal", "baseline:random")


@pytest.fixture
def journals(tmp_path: Path) -> list[Path]:
    """A journal of each model, of the same bank."""
    bank = write_bank(make_items(), tmp_path / "bank.parquet", {"benchmark": "toy"})
    folder = tmp_path / "all"
    folder.mkdir()
    paths = [folder / f"{name.partition(':')[2]}.db" for name in MODELS]
    for model, path in zip(MODELS, paths, strict=True):
        gf.run(bank, model, journal=path)
    return paths


@pytest.mark.thorough
def test_joined_journals_score_as_each_of_them(tmp_path: Path, journals: list[Path]) -> None:
    done = gf.import_logs("journal", tmp_path / "all", journal=tmp_path / "joined.db")
    assert [one.added for one in done.files] == [12, 12]
    joined = gf.score(tmp_path / "joined.db").table.set_index("examinee")
    for path in journals:
        (alone,) = gf.score(path).table.to_dict("records")
        assert joined.loc[alone["examinee"], "accuracy"] == alone["accuracy"]
    columns = ["text", "tokens", "latency_s", "cost", "created"]
    with gf.open_journal(tmp_path / "joined.db") as together, gf.open_journal(journals[0]) as one:
        assert together.responses(MODELS[0])[columns].equals(one.responses()[columns])
        assert [s.content for s in together.samples()] == [s.content for s in one.samples()]


@pytest.mark.thorough
def test_joining_again_changes_nothing(tmp_path: Path, journals: list[Path]) -> None:
    _, again = (
        gf.import_logs("journal", journals, journal=tmp_path / "joined.db") for _ in range(2)
    )
    assert [(one.added, one.known, one.failed) for one in again.files] == [(0, 12, 0)] * 2
    with gf.open_journal(tmp_path / "joined.db") as joined:
        assert len(joined.meta()["campaigns"]) == 2


@pytest.mark.thorough
def test_another_answer_to_the_same_key_stays_out_and_is_counted(
    tmp_path: Path, journals: list[Path]
) -> None:
    path = tmp_path / "joined.db"
    gf.import_logs("journal", journals[0], journal=path)
    with gf.open_journal(journals[0]) as first:
        row = first.responses().iloc[0]
    key = (str(row["examinee"]), str(row["item_hash"]), str(row["condition"]))
    other = tmp_path / "other.db"
    with Journal.open(other) as journal:
        journal.add([Response(*key, 0, Reply("something else", "ok", ""), "2026-01-01")])
    done = gf.import_logs("journal", other, journal=path)
    assert done.flaws == (
        "other.db: 1 answer to items to which the journal has another answer of the same "
        "examinee, condition and occasion, which stays; to keep both runs, import the files of the "
        "second one into the journal with --first-occasion 1",
    )
    with gf.open_journal(path) as joined:
        assert "something else" not in set(joined.responses()["text"])


@pytest.mark.thorough
def test_journals_with_another_key_of_an_item_are_not_joined(
    tmp_path: Path, journals: list[Path]
) -> None:
    items = [replace(item, target=7) for item in make_items()]
    bank = write_bank(items, tmp_path / "other.parquet", {"benchmark": "toy"})
    gf.run(bank, "baseline:random", journal=tmp_path / "other.db")
    joined = tmp_path / "joined.db"
    gf.import_logs("journal", journals[0], journal=joined)
    with pytest.raises(JournalError, match=r"another key for 12 .*7 in '.*other.db'"):
        gf.import_logs("journal", tmp_path / "other.db", journal=joined)
    with gf.open_journal(joined) as unchanged:
        assert len(unchanged.responses()) == 12
    gf.import_logs("journal", tmp_path / "other.db", journal=joined, replace_keys=True)
    with gf.open_journal(joined) as replaced:
        assert set(replaced.items()["target"]) == {"7"}


def test_several_journals_are_refused_with_the_way_to_join_them(
    tmp_path: Path,
    journals: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "all"
    with pytest.raises(ParameterError, match=f"gfactor import journal {folder} --journal all.db"):
        gf.score(folder)
    with pytest.raises(ParameterError, match=r'gfactor.import_logs\("journal", FILES'):
        gf.score(journals)  # type: ignore[arg-type]
    words = [str(path) for path in journals]
    refused = run_cli(monkeypatch, capsys, "score", *words)
    assert f"gfactor import journal {' '.join(words)} --journal all.db" in refused.err
    with pytest.raises(ParameterError, match="is both the file to import and the journal to write"):
        gf.import_logs("journal", journals[0], journal=journals[0])
    with pytest.raises(ParameterError, match="leave out --examinee"):
        gf.import_logs("journal", journals[0], journal=tmp_path / "c.db", examinee="x")

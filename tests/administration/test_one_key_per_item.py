"""A journal has one key per item, and no file decides silently which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.releases import base64_png
from support.vlmevalkit import row, write

import gfactor as gf
from gfactor.errors import JournalError, ParameterError, UnknownNameError


def file_of(folder: Path, model: str, keys: str, reply: str = "B") -> Path:
    """The prediction file of a model that gave the same reply to each item."""
    rows = [row(number, reply, answer=key) for number, key in enumerate(keys, 1)]
    return write(folder / model / f"{model}_MMBench_DEV_EN.csv", rows)


def accuracies(journal: Path) -> dict[str, tuple[int, float]]:
    responses: Any = gf.score(journal).responses
    return {
        str(who).partition(":")[2]: (len(rows), float(rows["correct"].mean()))
        for who, rows in responses.groupby("examinee")
    }


@pytest.mark.thorough
def test_a_key_that_differs_between_two_files_decides_nothing_for_the_second(
    tmp_path: Path,
) -> None:
    file_of(tmp_path / "all", "Alder", "BBAA")
    file_of(tmp_path / "all", "Birch", "BBBB")
    done = gf.import_logs("vlmevalkit", tmp_path / "all", journal=tmp_path / "c.db")
    assert done.code == 1
    assert done.flaws == (
        "Birch_MMBench_DEV_EN.csv: 2 answers to items that have another key in "
        "Alder_MMBench_DEV_EN.csv, the first 'MMBench_DEV_EN/3': 'B' here, 'A' there; correct the "
        "file that is wrong, and import all again with --replace-keys",
    )
    assert accuracies(tmp_path / "c.db") == {"Alder": (4, 0.5), "Birch": (2, 1.0)}


def test_all_files_again_after_the_correction_make_the_journal_whole(tmp_path: Path) -> None:
    file_of(tmp_path / "all", "Alder", "BBAA")
    file_of(tmp_path / "all", "Birch", "BBBB")
    gf.import_logs("vlmevalkit", tmp_path / "all", journal=tmp_path / "c.db")
    file_of(tmp_path / "all", "Alder", "BBBB")
    done = gf.import_logs(
        "vlmevalkit", tmp_path / "all", journal=tmp_path / "c.db", replace_keys=True
    )
    assert (done.flaws, [one.replaced for one in done.files]) == ((), [2, 0])
    assert accuracies(tmp_path / "c.db") == {"Alder": (4, 1.0), "Birch": (4, 1.0)}


@pytest.mark.thorough
def test_a_corrected_key_is_told_and_replaces_the_journals_only_when_asked(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "c.db"
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Alder", "BBA"), journal=journal)
    corrected = file_of(tmp_path, "Alder", "BBB")
    done = gf.import_logs("vlmevalkit", corrected, journal=journal)
    assert done.code == 1
    assert "1 answer to items that have another key in the journal" in done.flaws[0]
    assert "'B' here, 'A' there" in done.flaws[0]
    assert accuracies(journal) == {"Alder": (3, pytest.approx(2 / 3))}
    again = gf.import_logs("vlmevalkit", corrected, journal=journal, replace_keys=True)
    assert (again.code, again.files[0].replaced) == (0, 1)
    assert "3 known already, 1 key replaced" in again.summary()
    assert accuracies(journal) == {"Alder": (3, 1.0)}


def test_two_files_of_one_import_never_replace_each_others_keys(tmp_path: Path) -> None:
    file_of(tmp_path / "all", "Alder", "BB")
    file_of(tmp_path / "all", "Birch", "BA")
    done = gf.import_logs(
        "vlmevalkit", tmp_path / "all", journal=tmp_path / "c.db", replace_keys=True
    )
    assert "1 answer to items that have another key in Alder_" in done.flaws[0]


def bank_with(folder: Path, keys: str) -> Path:
    rows = [
        {k: v for k, v in row(number, answer=key).items() if k != "prediction"}
        for number, key in enumerate(keys, 1)
    ]
    source = write(folder / "MMBench_DEV_EN.tsv", rows)
    bank: Any = gf.build("vlmevalkit", source=source, path=folder / f"{keys}.parquet")
    return Path(bank.path)


@pytest.mark.thorough
def test_the_keys_of_a_bank_count_for_the_files_too_when_asked(tmp_path: Path) -> None:
    journal, bank = tmp_path / "c.db", bank_with(tmp_path, "BB")
    predictions = file_of(tmp_path, "Alder", "BA")
    done = gf.import_logs("vlmevalkit", predictions, journal=journal, bank=bank)
    assert "1 answer to items that have another key in the bank" in done.flaws[0]
    done = gf.import_logs("vlmevalkit", predictions, journal=journal, bank=bank, replace_keys=True)
    assert (done.flaws, accuracies(journal)) == ((), {"Alder": (2, 1.0)})


def test_a_run_refuses_a_bank_whose_key_is_another_than_the_journals(tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    gf.run(bank_with(tmp_path, "BBA"), ["baseline:constant"], journal=journal).close()
    corrected = bank_with(tmp_path, "BBB")
    with pytest.raises(JournalError, match=r"another key for 1 of these items, the first 'MMB.*3'"):
        gf.run(corrected, ["baseline:constant"], journal=journal)
    with pytest.raises(JournalError, match=r"'A' in the journal, 'B' in the bank"):
        gf.run(corrected, ["baseline:random"], journal=journal)
    with gf.open_journal(journal) as opened:
        assert opened.replace_keys(gf.open_bank(corrected)) == 1
    gf.run(corrected, ["baseline:constant"], journal=journal).close()


@pytest.mark.thorough
def test_a_model_without_a_common_item_is_named_by_every_command(tmp_path: Path) -> None:
    file_of(tmp_path / "all", "Alder", "BBA")
    file_of(tmp_path / "all", "Birch", "BBA")
    others = [row(number, "B", answer="B") for number in (7, 8, 9)]
    write(tmp_path / "all" / "Cedar" / "Cedar_MMBench_DEV_EN.csv", others)
    journal = tmp_path / "c.db"
    done = gf.import_logs("vlmevalkit", tmp_path / "all", journal=journal)
    assert done.code == 0
    assert [len(one.notes) for one in done.files] == [0, 0, 1]
    assert (
        "note: Cedar_MMBench_DEV_EN.csv: none of its 3 items is among the 3 of MMBench_DEV_EN"
        in done.summary()
    )
    wanted = "vlmevalkit:Cedar has no item of mmbench in common with any other examinee"
    for result in (gf.score(journal), gf.compare(journal)):
        (warning,) = [one for one in result.diagnostics if one.code.endswith("_items")]
        assert warning.sentence.startswith(wanted)
    site = gf.leaderboard(journal, tmp_path / "site")
    assert "warning: No item of mmbench in common with the ranked examinees: Cedar (3 items)" in (
        site.summary()
    )
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Cedar (3 items). Such an accuracy says nothing about order, so there is no rank" in page
    assert "Answers to fewer" not in page


@pytest.mark.thorough
def test_the_same_ids_with_and_without_pictures_are_sent_to_one_bank(tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Alder", "BB"), journal=journal)
    table = [
        {k: v for k, v in row(n, "").items() if k != "prediction"} | {"image": base64_png(n)}
        for n in (1, 2)
    ]
    source = write(tmp_path / "MMBench_DEV_EN.tsv", table)
    bank = gf.build("vlmevalkit", source=source, path=tmp_path / "bank.parquet")
    birch = file_of(tmp_path, "Birch", "BB")
    done = gf.import_logs("vlmevalkit", birch, journal=journal, bank=bank)
    (note,) = done.files[0].notes
    assert note.endswith(
        "2 ids of them, such as 'MMBench_DEV_EN/1', stand for other pictures or texts in the "
        "journal; import all files with the same --bank into a new journal"
    )


def test_two_models_without_a_common_item_are_both_named(tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Alder", "BB"), journal=journal)
    others = write(tmp_path / "Cedar" / "Cedar_MMBench_DEV_EN.csv", [row(9, "B")])
    gf.import_logs("vlmevalkit", others, journal=journal)
    warnings = [one.values["examinee"] for one in gf.score(journal).diagnostics]
    assert warnings == ["vlmevalkit:Alder", "vlmevalkit:Cedar"]


def test_a_name_without_its_scheme_is_enough_where_one_examinee_has_it(tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Alder", "BBA"), journal=journal)
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Birch", "BBA"), journal=journal)
    assert len(gf.score(journal, examinees=["Alder"]).responses) == 3
    with pytest.raises(UnknownNameError, match="'Aldre'; known: vlmevalkit:Alder, vlm"):
        gf.score(journal, examinees=["Aldre"])
    gf.import_logs("vlmevalkit", file_of(tmp_path, "Alder", "BBA"), journal=journal,
                   examinee="openai:Alder")  # fmt: skip
    with pytest.raises(ParameterError, match="write openai:Alder or vlmevalkit:Alder"):
        gf.score(journal, examinees=["Alder"])

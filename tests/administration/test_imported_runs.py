"""A journal says which runs came from a log, also one that was written before it noted them."""

from __future__ import annotations

import json
from pathlib import Path

from gfactor.administration import Journal
from gfactor.administration.asking.registration import campaign_row
from gfactor.administration.storing.imported_runs import note_imports, was_imported
from gfactor.administration.storing.merging import merge


def test_an_import_is_known_by_its_note_and_stays_known_in_a_merged_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.db") as log, Journal.open(tmp_path / "b.db") as both:
        log.register([campaign_row("bank.parquet", "d", 1, "m", "default", 1)])
        assert not was_imported(log, "m", "default")
        note_imports(log, [("m", "default")], "vlmevalkit")
        assert was_imported(log, "m", "default")
        assert not was_imported(log, "m", "cot=on")
        merge(both, log)
        assert was_imported(both, "m", "default")


def test_without_a_note_prompt_packs_tell_a_run_and_the_name_of_a_log_an_import(
    tmp_path: Path,
) -> None:
    with Journal.open(tmp_path / "old.db") as journal:
        banks = {"log": "m.jsonl", "run": "own.bank", "bare": "b.parquet"}
        rows = [campaign_row(bank, "d", 1, who, "default", 1) for who, bank in banks.items()]
        rows[1]["packs"] = json.dumps({"percept-v": "1"})
        for row in rows:
            journal.register([row])
        names = ("log", "run", "bare")
        assert [was_imported(journal, name, "default") for name in names] == [True, False, False]

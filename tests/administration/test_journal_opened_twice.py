"""A journal that one process opens twice, beside another program that opens and closes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gfactor.administration import Journal, Response
from gfactor.administration.storing.opening import is_database, is_journal
from gfactor.examinees import Reply

LOOK = """
import sys
from gfactor.administration import Journal
with Journal.open(sys.argv[1], create=False) as journal:
    print(journal.size()[0])
"""


def stored(item: str) -> Response:
    return Response.now("a:b", item, "default", 0, Reply("1"))


@pytest.mark.slow
@pytest.mark.parametrize("second", [lambda p: Journal.open(p, create=False).close(), is_journal])
def test_no_answer_is_lost_when_a_process_opens_its_journal_again(
    tmp_path: Path, second: object
) -> None:
    """A file that is opened and closed beside SQLite ends SQLite's locks of it: another program
    then takes itself for the last one and deletes the log to which answers are written."""
    path = tmp_path / "c.db"

    def seen_by_another() -> int:
        said = subprocess.run(
            [sys.executable, "-c", LOOK, str(path)], check=True, capture_output=True, text=True
        )
        return int(said.stdout)

    with Journal.open(path) as journal:
        journal.add([stored("first")])
        second(path)  # pyright: ignore[reportCallIssue]
        assert seen_by_another() == 1
        journal.add([stored("second")])
        assert seen_by_another() == 2
    with Journal.open(path, create=False) as journal:
        assert journal.size()[0] == 2


def test_files_are_told_from_databases_without_a_trace(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        journal.add([stored("one")])
    for name, data in (("text", b"abc"), ("long", b"x" * 9000), ("empty", b"")):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "a #?%20.db").write_bytes((tmp_path / "c.db").read_bytes())
    before = sorted(tmp_path.iterdir())
    assert is_database(tmp_path / "c.db")
    assert is_database(tmp_path / "a #?%20.db")
    assert not any(is_database(tmp_path / name) for name in ("text", "long", "empty"))
    assert sorted(tmp_path.iterdir()) == before
    for path, error in ((tmp_path / "no", FileNotFoundError), (tmp_path, IsADirectoryError)):
        assert not is_journal(path)
        with pytest.raises(error):
            is_database(path)

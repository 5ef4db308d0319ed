"""A folder that is no study or project is told in one sentence, and nothing is made in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cli import run_cli
from support.studies import exam_bank, make_study

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.studies.annotation import Project
from gfactor.studies.annotation import application as desk_application
from gfactor.studies.questionnaires import application

BROKEN_STUDIES = {
    "no definition": ("study.toml", None, "holds no study (study.toml is missing)"),
    "no bank": ("bank.parquet", None, "holds no study (bank.parquet is missing)"),
    "not TOML": ("study.toml", b"a = = 1", "cannot be read as a study"),
    "an empty definition": ("study.toml", b"", "the study's id is missing"),
    "not a bank": ("bank.parquet", b"PAR1", "is not a Parquet file"),
}
BROKEN_PROJECTS = {
    "no facts": ("project.json", None, "holds no annotation project"),
    "not JSON": ("project.json", b"{", "cannot be read as a project"),
    "a list": ("project.json", b"[]", "cannot be read as a project"),
    "a scheme unknown": ("project.json", b'{"title": "T", "scheme": "x"}', "unknown scheme"),
    "no bank": ("bank.parquet", None, "there is no such file"),
}


def spoiled(folder: Path, name: str, content: bytes | None) -> list[str]:
    """A folder with one file replaced or taken out; the names in it."""
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("how", BROKEN_STUDIES)
@pytest.mark.parametrize(
    "words",
    [("export", "-o", "out"), ("status",), ("serve", "--port", "0"), ("password",)],
    ids=str,
)
def test_a_folder_that_is_no_study_stays_as_it_is(
    words: tuple[str, ...],
    how: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = make_study(tmp_path, count=3).path
    name, content, told = BROKEN_STUDIES[how]
    before = spoiled(folder, name, content)
    monkeypatch.chdir(tmp_path)
    done = run_cli(monkeypatch, capsys, "study", words[0], str(folder), *words[1:])
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("how", BROKEN_PROJECTS)
@pytest.mark.parametrize(
    "words",
    [("export", "-o", "out.parquet"), ("agreement",), ("serve", "--port", "0"), ("invite", "a")],
    ids=str,
)
def test_a_folder_that_is_no_project_stays_as_it_is(
    words: tuple[str, ...],
    how: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bank = exam_bank(tmp_path, count=3)
    folder = Project.make(tmp_path / "workspace", bank, "T", "multi").path
    name, content, told = BROKEN_PROJECTS[how]
    before = spoiled(folder, name, content)
    monkeypatch.chdir(tmp_path)
    done = run_cli(monkeypatch, capsys, "annotate", words[0], str(folder), *words[1:])
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_server_that_has_lost_its_secrets_does_not_start(tmp_path: Path) -> None:
    study = make_study(tmp_path, count=3)
    bank = shutil.copy(study.path / "bank.parquet", tmp_path / "b.parquet")
    project = Project.make(tmp_path / "workspace", ItemBank.open(bank), "T", "multi")
    for folder in (study.path, project.path):
        (folder / "secrets.json").unlink()
    with pytest.raises(ParameterError, match="does not hold a server's secrets"):
        application(study)
    with pytest.raises(ParameterError, match="does not hold a server's secrets"):
        desk_application(Project.open(project.path))

"""A study without the extra `web` is a sentence with the line that installs it."""

from __future__ import annotations

from pathlib import Path

import pytest

import gfactor as gf
from gfactor.errors import MissingExtraError
from gfactor.studies.web import extras


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> gf.study.NewStudy:
    """A study made where no web server is installed."""
    monkeypatch.setattr(extras, "_PACKAGES", ("a_package_that_is_not_installed",))
    bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path=tmp_path / "pv.parquet")
    return gf.study.new(bank, tmp_path / "study", title="Colors", per_person=2)


def test_a_new_study_says_that_serving_it_needs_an_extra(study: gf.study.NewStudy) -> None:
    assert "which needs an extra: pip install 'gfactor[web]'" in study.summary()


def test_a_simulation_is_refused_before_a_server_is_started(
    study: gf.study.NewStudy, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[web\]'"):
        gf.study.simulate(study.folder, persons=2, seed=1)
    assert "Traceback" not in capfd.readouterr().err


def test_an_export_of_nobody_says_that_there_is_nothing_to_export(
    study: gf.study.NewStudy, tmp_path: Path
) -> None:
    text = gf.study.export(study.folder, tmp_path / "people").summary()
    assert text.startswith("0 people, 0 answers\nthere is no submission to export; ")

"""gfactor explain-difference of imported files, which do not tell how items were asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli
from support.vlmevalkit import predictions, row

import gfactor as gf
from gfactor.api.comparisons.matching import matched_items


def imported(folder: Path, letters: str, condition: str) -> str:
    file = predictions(folder, [row(k, said) for k, said in enumerate(letters)])
    journal = str(folder / "c.db")
    gf.import_logs("vlmevalkit", file, journal=journal, condition=condition)
    return journal


@pytest.mark.thorough
@pytest.mark.parametrize("condition", ["default", "pack=vlmevalkit"])
def test_what_an_imported_file_does_not_tell_is_not_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    condition: str,
) -> None:  # fmt: skip
    """Neither under a condition of its own nor under that of a shared board."""
    journals = [imported(tmp_path / k, k, condition) for k in ("BBAB", "BAAB")]
    found = gf.explain_difference(*journals)
    for cause in ("prompt", "images", "decoding"):
        assert np.isnan(found.shares.loc[cause, "estimate"]), cause
        assert found.shares.loc[cause, "method"].startswith("not known; "), cause
    assert "unknown_decoding" in {note.code for note in found.diagnostics}
    assert found.shares["estimate"].sum() == pytest.approx(found.gap) == pytest.approx(0.25)
    shown = run_cli(monkeypatch, capsys, "explain-difference", *journals).out
    line = next(line for line in shown.splitlines() if line.split()[:1] == ["decoding"])
    assert line.split()[1:3] == ["-", "-"]
    assert line.split()[-4:] == ["not", "known", "not", "known"]


def test_a_run_and_itself_are_the_same_whatever_its_file_tells(tmp_path: Path) -> None:
    one = imported(tmp_path, "BBAB", "default")
    assert (gf.explain_difference(one, one).shares["method"][:3] == "the same in both").all()


@pytest.mark.thorough
def test_what_is_stated_of_an_import_is_known(tmp_path: Path) -> None:
    cold = imported(tmp_path / "cold", "BBAB", "temperature=0")
    hot = imported(tmp_path / "hot", "BAAB", "temperature=1")
    found = gf.explain_difference(cold, hot)
    assert found.shares.loc["decoding", "estimate"] == pytest.approx(0.25)
    assert found.shares.loc["decoding", "method"] == "all orders"
    assert found.shares.loc["prompt", "method"] == "not known; taken to be the same"
    assert "unknown_decoding" not in {note.code for note in found.diagnostics}


def items(**hashes: str) -> pd.DataFrame:
    """Items that all ask the same words: hash of the content by id, with the slash as two
    underscores."""
    ids = [name.replace("__", "/") for name in hashes]
    facts = {
        "content_hash": list(hashes.values()),
        "question": "Which?",
        "choices": [()] * len(ids),
    }
    return pd.DataFrame(facts, index=pd.Index(ids, name="id"))


def test_items_of_one_text_match_by_their_numbers() -> None:
    """Files of one model under two names: ids and contents differ, and the words are no guide."""
    first = items(a__1="p", a__2="q", a__3="r")
    second = items(b__2="s", b__1="t", b__4="u")
    for how in ("auto", "text"):
        pairs = matched_items(first, second, how)
        assert set(zip(pairs["first"], pairs["second"], strict=True)) == {
            ("a/1", "b/1"), ("a/2", "b/2"),
        }  # fmt: skip


def test_copies_of_one_content_match_each_with_one() -> None:
    pairs = matched_items(items(a__1="p", a__2="p"), items(b__8="p", b__9="p"), "hash")
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        ("a/1", "b/8"),
        ("a/2", "b/9"),
    ]

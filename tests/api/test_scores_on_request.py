"""`score` reads the journal at once, and computes intervals and breakdowns when they are wanted."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.scores import intervals
from gfactor.errors import JournalError, UnknownNameError
from gfactor.items import ItemBank


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["change_colour", "counting_circles"], sizes=[1, 2],
                    path=path)  # fmt: skip


@pytest.fixture(scope="module")
def stored(bank: ItemBank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "c.db"
    gf.run(bank, ["observer:ideal", "baseline:constant"], journal=path, jobs=1).close()
    return path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Numbers of summaries and of sets of intervals that were computed."""
    counts: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        original = getattr(intervals, name)

        def call(*given: Any, **options: Any) -> Any:
            counts[name] += 1
            return original(*given, **options)

        return call

    for name in ("summary", "rate_groups"):
        monkeypatch.setattr(intervals, name, counted(name))
    return counts


@pytest.mark.thorough
def test_scores_whose_table_nobody_looks_at_compute_no_interval(
    stored: Path, calls: Counter[str]
) -> None:
    scores = gf.score(stored)
    assert len(scores.responses) == scores.facts["responses"] == 80
    assert not [one for one in scores.diagnostics if one.severity == "warning"]
    assert not len(scores.tokens)
    gf.matrix(stored)
    gf.matrix(scores.responses.pivot(index="examinee", columns="item_id", values="correct"), "item")
    assert not calls


def test_the_first_look_computes_the_results_and_all_others_show_them(
    stored: Path, calls: Counter[str]
) -> None:
    scores = gf.score(stored)
    assert scores.table["ci_lower"].notna().to_numpy().all()
    first = dict(calls)
    assert first["summary"] == 1
    assert first["rate_groups"] > 0
    for look in (scores.summary, scores.to_dict, scores._repr_html_, lambda: repr(scores)):
        look()
    assert calls == first


@pytest.mark.thorough
def test_results_are_about_the_answers_that_the_journal_held_when_it_was_scored(
    bank: ItemBank, tmp_path: Path
) -> None:
    path = tmp_path / "c.db"
    gf.run(bank, "observer:ideal", journal=path, jobs=1).close()
    early, looked_at = gf.score(path), gf.score(path)
    before = looked_at.to_dict(), looked_at.summary()
    gf.run(bank, "baseline:constant", journal=path, jobs=1).close()
    early.responses["correct"] = 0.0
    early.items.loc[:, "domain"] = "another"
    assert (early.to_dict(), early.summary()) == before
    assert len(gf.score(path).results) == 2


@pytest.mark.thorough
def test_scores_are_pickled_before_they_are_looked_at(stored: Path, tmp_path: Path) -> None:
    scores = gf.score(stored)
    unseen = pickle.dumps(scores)
    assert scores.results
    for stored_scores in (unseen, pickle.dumps(scores)):
        assert pickle.loads(stored_scores).to_dict() == scores.to_dict()


def test_mistakes_are_said_when_score_is_called(stored: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="claim"):
        gf.score(stored, claim="all-items")
    with pytest.raises(UnknownNameError, match="examinee"):
        gf.score(stored, examinees=["openai:nobody"])
    (tmp_path / "no.db").write_text("This is no database, although its name says so.")
    with pytest.raises(JournalError):
        gf.score(tmp_path / "no.db")


@pytest.mark.thorough
def test_items_and_what_was_given_are_read_once(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., pd.DataFrame]:
        read = getattr(Journal, name)

        def call(self: Journal, *given: Any) -> pd.DataFrame:
            counts[name] += 1
            return read(self, *given)

        return call

    for name in ("items", "administered"):
        monkeypatch.setattr(Journal, name, counted(name))
    gf.score(stored).summary()
    assert counts == {"items": 1, "administered": 1}


@pytest.mark.thorough
def test_the_items_of_scores_are_those_of_the_journal(stored: Path) -> None:
    with Journal.open(stored, create=False) as journal:
        pd.testing.assert_frame_equal(gf.score(journal).items, journal.items())

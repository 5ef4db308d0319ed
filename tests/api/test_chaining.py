"""What a function of the public face returns is taken by the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.tiers import few

import gfactor as gf
from gfactor.administration import Journal
from gfactor.benchmarks.selection import Selection
from gfactor.errors import GfactorError, ParameterError
from gfactor.scoring import ScoreMatrix

LIMITED = [f"observer:limited?acuity=0.{k}&capacity={k}&seed={k}" for k in (1, 2, 3, 4, 5)]
WHO = ["observer:ideal", "baseline:constant", *LIMITED]
DOMAINS = ["change_colour", "counting_circles", "sort_lines"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chaining")


@pytest.fixture(scope="module")
def selection(folder: Path) -> Selection:
    bank = gf.build(
        "percept-v", domains=DOMAINS, sizes=[1, 5], instances=3, path=folder / "pv.parquet",
        show_progress=False,
    )  # fmt: skip
    return gf.select(bank, "stratified", by=["domain"], n=15, path=folder / "few.parquet")


@pytest.fixture(scope="module")
def journal(folder: Path, selection: Selection) -> Journal:
    return gf.run(selection, WHO, journal=folder / "c.db")


def by_hand(journal: Journal) -> Any:
    """Items x examinees, 1 and 0, of the rows of the journal."""
    table = gf.score(journal).responses
    return table.pivot(index="item_id", columns="examinee", values="correct")


@pytest.fixture(scope="module")
def right(journal: Journal) -> Any:
    return by_hand(journal)


@pytest.fixture(scope="module")
def items(journal: Journal) -> ScoreMatrix:
    return gf.matrix(journal, by="item")


@pytest.mark.thorough
def test_a_selection_is_run_changed_audited_and_brought_back(
    folder: Path, selection: Selection
) -> None:
    changed = gf.transform(selection, ["html-to-markdown"], path=folder / "plain.parquet")
    assert gf.audit(changed, ideal=False).quality is not None
    again = gf.select(changed, "all", path=folder / "all.parquet")
    assert len(gf.open_bank(again.built.path)) == 15


@pytest.mark.thorough
def test_an_open_journal_is_filled_further(folder: Path, selection: Selection) -> None:
    first = gf.run(selection, ["observer:ideal"], journal=folder / "open.db")
    second = gf.run(selection, ["observer:ideal", "baseline:constant"], journal=first)
    assert [one.known for one in second.results] == [15, 0]
    assert first.address == str(folder / "open.db")


@pytest.mark.thorough
def test_the_matrix_of_items_goes_into_every_analysis_of_a_table(
    journal: Journal, items: ScoreMatrix
) -> None:
    alpha = gf.reliability(items)
    assert alpha.alpha == pytest.approx(gf.reliability(items.scores).alpha)
    assert alpha.n == len(WHO)
    assert len(gf.irt("rasch", items).table.persons) == len(WHO)
    assert gf.forensics(items).samples["n"].tolist() == [len(WHO)]
    assert gf.adequacy(gf.matrix(journal)).n == len(WHO)
    assert gf.efa(gf.matrix(journal), 1).factors == 1


def test_rank_sets_are_the_same_from_answers_pairs_and_comparison(
    journal: Journal, items: ScoreMatrix, right: Any
) -> None:
    comparison = gf.compare(journal)
    whole = gf.rank_sets(comparison)
    of_pairs = gf.rank_sets(comparison.differences)
    assert of_pairs.spans() == whole.spans() == gf.rank_sets(comparison).spans()
    assert of_pairs.table["n"].to_dict() == whole.table["n"].to_dict()
    assert of_pairs.table["mean"].to_numpy() == pytest.approx(whole.table["mean"].to_numpy())
    assert of_pairs.probabilities.isna().to_numpy().all()
    turned = gf.rank_sets(items)
    assert turned.table["mean"].to_dict() == pytest.approx(right.mean().to_dict())
    assert turned.spans() == whole.spans()


def test_pairs_that_are_not_all_there_have_no_ranks(journal: Journal) -> None:
    pairs = gf.compare(journal).differences
    with pytest.raises(ParameterError, match="7 runs have 21 pairs, and the table has 20 rows"):
        gf.rank_sets(pairs.iloc[1:])


HOW = ["matrix", "frame", "file"]


def table_as(how: str, items: ScoreMatrix, folder: Path) -> Any:
    """The table of right and wrong answers in one of the forms that functions take."""
    items.to_csv(folder / "items.csv")
    return {"matrix": items, "frame": items.scores, "file": folder / "items.csv"}[how]


@pytest.mark.thorough
@pytest.mark.parametrize("how", HOW)
def test_a_table_of_right_and_wrong_is_scored_as_a_journal(
    items: ScoreMatrix, right: Any, folder: Path, how: str
) -> None:
    scores = gf.score(table_as(how, items, folder)).table.set_index("examinee")
    assert scores["accuracy"].to_dict() == pytest.approx(right.mean().to_dict())
    assert set(scores["n"]) == {15}
    assert set(scores["chance"].isna()) == {True}


@pytest.mark.parametrize("how", few(HOW, 1))
def test_a_table_of_right_and_wrong_is_a_journal(
    items: ScoreMatrix, right: Any, folder: Path, how: str
) -> None:
    given = table_as(how, items, folder)
    means = gf.compare(given).ranks["mean"]
    assert means.to_dict() == pytest.approx(right.mean().to_dict())
    board = gf.leaderboard(given, folder / f"board {how}")
    assert (board.models, board.items) == (len(WHO), 15)
    back: Any = gf.matrix(given, by="item").scores
    pd.testing.assert_frame_equal(back[items.scores.columns], items.scores)


@pytest.mark.thorough
def test_empty_cells_were_not_asked_and_means_over_occasions_are_answers() -> None:
    table = pd.DataFrame({"A.x.1": [1.0, 0.0], "A.x.2": [np.nan, 1.0], "B.y.1": [1.0, 1.0]},
                         index=["one", "two"])  # fmt: skip
    scores = gf.score(table, examinees=["one"])
    assert scores.table[["benchmark", "n"]].to_numpy().tolist() == [["A", 1], ["B", 1]]
    assert set(scores.responses["benchmark"]) == {"A", "B"}
    assert gf.matrix(table, by="task").n.loc["two"].to_dict() == {"A.x": 2, "B.y": 1}


@pytest.mark.thorough
def test_means_over_occasions_are_several_answers(folder: Path, selection: Selection) -> None:
    random = [f"baseline:random?seed={k}" for k in range(3)]
    journal = gf.run(selection, random, journal=folder / "twice.db", occasions=2)
    matrix = gf.matrix(journal, by="item")
    again: Any = gf.matrix(matrix, by="item")
    assert set(matrix.answers.to_numpy().ravel()) == {2}
    pd.testing.assert_frame_equal(again.scores[matrix.scores.columns], matrix.scores)
    pd.testing.assert_frame_equal(again.answers[matrix.answers.columns], matrix.answers)


def test_means_over_several_items_are_no_answers(journal: Journal) -> None:
    means = gf.matrix(journal)
    with pytest.raises(ParameterError, match="means by domain holds no answers to single items"):
        gf.compare(means)
    with pytest.raises(ParameterError, match=r"holds 1 \(right\), 0 \(wrong\) and empty cells"):
        gf.score(means.scores)


def test_imports_go_on(journal: Journal, right: Any, folder: Path) -> None:
    exported = gf.export(journal, "eee", folder / "eee", organization="a lab")
    imported = gf.import_logs("eee", exported, journal=folder / "back.db")
    assert imported.flaws == ()
    after = by_hand(gf.open_journal(folder / "back.db"))
    assert gf.score(imported).table["n"].tolist() == [15] * len(WHO)
    assert after.mean().to_dict() == pytest.approx(right.mean().to_dict())
    joined = gf.import_scores([journal, gf.matrix(journal)])
    assert joined.joined.conflicts == ()
    assert gf.reliability(joined).n == len(WHO)
    names = {c: f"Three.{c}" for c in joined.scores}
    joined = gf.import_scores(joined.scores.rename(columns=names))
    assert gf.compare_benchmarks(joined, n_bootstrap=20).table["models"].tolist() == [len(WHO)]


@pytest.mark.slow
def test_people_of_a_study_go_on(selection: Selection, folder: Path) -> None:
    gf.study.new(selection, folder / "study", title="Few", per_person=5)
    gf.study.simulate(folder / "study", persons=12, seed=1)
    exported = gf.study.export(folder / "study", folder / "people")
    assert gf.norms(exported, min_n=10, sample="simulated").table["n"].tolist() == [12]
    assert gf.score(exported).table["n"].tolist() == [5] * 12
    assert gf.norms(folder / "people", min_n=10, sample="simulated").about["sources"] == ["people"]


NOTHING: tuple[Any, ...] = (None, 3, [], {}, "no such file", pd.DataFrame(), np.zeros(3), object())
TAKERS: dict[str, Callable[[Any, Path], Any]] = {
    "score": lambda given, _: gf.score(given),
    "matrix": lambda given, _: gf.matrix(given),
    "compare": lambda given, _: gf.compare(given),
    "compare_sequentially": lambda given, _: gf.compare_sequentially(given),
    "calibrate": lambda given, _: gf.calibrate(given),
    "norms": lambda given, _: gf.norms(given),
    "gap": lambda given, _: gf.gap(given),
    "report": lambda given, path: gf.report(given, path / "report"),
    "leaderboard": lambda given, path: gf.leaderboard(given, path / "board"),
    "explain_difference": lambda given, _: gf.explain_difference(given, given),
    "gtheory": lambda given, _: gf.gtheory(given, facets=["item"]),
    "audit": lambda given, _: gf.audit(given),
    "run": lambda given, path: gf.run(given, "observer:ideal", journal=path / "never.db"),
    "select": lambda given, path: gf.select(given, "all", path=path / "never.parquet"),
    "undo": lambda given, path: gf.undo(given, path=path / "never.parquet"),
    "irt": lambda given, _: gf.irt("rasch", given),
    "sem": lambda given, _: gf.sem("g =~ a + b + c", given),
    "pls": lambda given, _: gf.pls("A =~ a + b; B =~ c + d; B ~ A", given),
    "efa": lambda given, _: gf.efa(given),
    "adequacy": lambda given, _: gf.adequacy(given),
    "reliability": lambda given, _: gf.reliability(given),
    "forensics": lambda given, _: gf.forensics(given),
    "agreement": lambda given, _: gf.agreement(given),
    "rank_sets": lambda given, _: gf.rank_sets(given),
    "prune": lambda given, _: gf.prune(None, given),
    "compare_benchmarks": lambda given, _: gf.compare_benchmarks(given),
    "import_scores": lambda given, _: gf.import_scores(given),
    "gia": lambda given, _: gf.gia(given),
}


@pytest.mark.parametrize("name", TAKERS)
def test_what_is_no_bank_journal_or_table_is_refused_in_a_sentence(
    name: str, tmp_path: Path, selection: Selection
) -> None:
    takes_banks = name in ("audit", "run", "select", "undo")
    banks = () if takes_banks else (selection, gf.open_bank(selection.built.path))
    for given in (*NOTHING, *banks):
        with pytest.raises(GfactorError) as caught:
            TAKERS[name](given, tmp_path)
        assert len(str(caught.value).split()) > 4, given
    assert not list(tmp_path.glob("never*"))


@pytest.mark.thorough
def test_scores_of_a_journal_stand_for_the_journal(journal: Journal) -> None:
    scores = gf.score(journal)
    assert gf.compare(scores).ranks.equals(gf.compare(journal).ranks)
    assert gf.correct_scores(scores).scores.equals(gf.correct_scores(journal).scores)

"""gfactor compare: the tables of a small journal, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose
from scipy import stats
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.administration import Condition, Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.examinees import Reply
from gfactor.items import ItemBank
from gfactor.scoring import scored

HUMAN = "observer:limited?acuity=0.2&capacity=3&seed=1"
EXAMINEES = ("observer:ideal", HUMAN, "baseline:random")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of two domains, answered by three examinees."""
    path = tmp_path_factory.mktemp("compare")
    specs = [word for spec in EXAMINEES for word in ("--examinee", spec)]
    domains = ("--domains", "counting_circles,sort_lines,maze_solving")
    bank, journal = str(path / "bank.parquet"), str(path / "c.db")
    sizes = ("--sizes", "1-5", "--instances", "2", "--seed", "7")
    with pytest.MonkeyPatch.context() as patch:
        for words in (
            ["build", "percept-v", *domains, *sizes, "-o", bank],
            ["run", bank, *specs, "--journal", journal, "--jobs", "1"],
        ):
            patch.setattr("sys.argv", ["gfactor", *words])
            call()
    return path


def call() -> None:
    from gfactor.cli import main  # noqa: PLC0415

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


@pytest.fixture
def compare(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Call `gfactor compare c.db WORDS`."""
    monkeypatch.chdir(folder)

    def called(*words: str, journal: str = "c.db") -> Ran:
        return run_cli(monkeypatch, capsys, "compare", journal, *words)

    return called


def as_json(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.slow
def test_every_pair_and_every_rank_set_is_printed(compare: Any) -> None:
    ran = compare()
    assert ran.code == 0, ran.err
    assert "30 items; generalizes to other items of these 3 domains" in ran.out
    assert all(pair in ran.out for pair in ("#1 - #2", "#1 - #3", "#2 - #3"))
    for heading in ("ranks", "interval", "p_holm", "p_fdr", "unpaired", "observer:ideal"):
        assert heading in ran.out


@pytest.mark.slow
def test_the_json_agrees_with_the_scored_table(compare: Any, folder: Path) -> None:
    found = as_json(compare("--json", "--cluster", "none"))
    with Journal.open(folder / "c.db", create=False) as journal:
        table = scored(journal)
    means = {name: own["correct"].mean() for name, own in table.groupby("examinee")}
    assert len(found["differences"]) == 3
    for row in found["differences"]:
        assert_allclose(row["estimate"], means[row["first"]] - means[row["second"]])
        assert (row["n"], row["clusters"], row["method"]) == (30, 30, "exact")
        assert_allclose(row["p"], stats.binomtest(row["wins"], row["wins"] + row["losses"]).pvalue)
    first = found["ranks"][0]
    assert (first["run"], first["best"], first["worst"]) == ("observer:ideal", 1, 1)
    assert {row["missing"] for row in found["ranks"]} == {0}


@pytest.mark.thorough
def test_domains_are_fixed_unless_told_otherwise(compare: Any) -> None:
    found = as_json(compare("--json"))
    assert found["claim"] == "same-domains"
    words = "generalizes to other items of these 3 domains"
    assert found["generalizes_to"] == {"percept-v": words}
    methods = {(row["clusters"], row["method"]) for row in found["differences"]}
    assert methods == {(30, "stratified")}
    assert set(found["ranks"][0]["other_claim"]) == {"best", "worst"}


def test_other_domains_are_a_claim_of_their_own(compare: Any) -> None:
    found = as_json(compare("--json", "--claim", "other-domains"))
    assert {(row["clusters"], row["method"]) for row in found["differences"]} == {(3, "t")}
    older = as_json(compare("--json", "--cluster", "domain"))
    assert older["differences"] == found["differences"]
    assert "older_option" in {note["code"] for note in older["diagnostics"]}


def test_the_claim_of_these_items_needs_several_occasions(compare: Any) -> None:
    ran = compare("--claim", "these-items")
    assert ran.code == 2
    assert "several occasions" in ran.err


@pytest.mark.thorough
def test_within_a_domain_items_are_independent_and_p_is_adjusted_over_all_domains(
    compare: Any,
) -> None:
    found = as_json(compare("--json", "--by", "domain"))
    parts = found["parts"]
    assert list(parts) == ["counting_circles", "maze_solving", "sort_lines"]
    rows = [row for part in parts.values() for row in part["differences"]]
    assert {(row["method"], row["n"]) for row in rows} == {("exact", 10)}
    expected = stats.false_discovery_control([row["p"] for row in rows])
    assert_allclose([row["p_fdr"] for row in rows], expected)


def test_the_table_by_a_label_names_its_values(compare: Any) -> None:
    out = compare("--by", "skill").out
    assert "ranks in every skill" in out
    assert compare("--by", "size", "--lenient").code == 0


def test_the_differences_within_a_label_are_a_table_with_its_values(
    compare: Any, folder: Path
) -> None:
    parts = as_json(compare("--json", "--by", "size"))["parts"]
    comparison = gf.compare(folder / "c.db", by="size")
    table = comparison.tables["differences_by_size"]
    listed = [(value, row["first"], row["second"], row["p"])
              for value, part in parts.items() for row in part["differences"]]  # fmt: skip
    columns = [table[name].tolist() for name in ("size", "first", "second", "p")]
    assert [*zip(*columns, strict=True)] == listed
    assert "differences_by_size" not in gf.compare(folder / "c.db").tables


def test_a_chosen_pair_is_compared_alone(compare: Any) -> None:
    found = as_json(
        compare("--json", "--examinee", "observer:ideal", "--examinee", "baseline:random")
    )
    assert len(found["differences"]) == 1
    assert found["differences"][0]["first"] == "observer:ideal"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--examinee", "observer:ideal"], "at least two examinees, found observer:ideal"),
        (["--by", "domian"], "did you mean 'domain'?"),
        (["--cluster", "domian"], "did you mean 'domain'?"),
        (["--examinee", "observer:ideel"], "did you mean 'observer:ideal'?"),
    ],
)
def test_a_mistake_gets_one_sentence(compare: Any, words: list[str], said: str) -> None:
    ran = compare(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_journal_that_is_not_there_is_not_made(compare: Any, folder: Path) -> None:
    assert compare(journal="other.db").code == 2
    assert not (folder / "other.db").exists()


def answer(bank: ItemBank, path: Path, condition: Condition, **failing: int) -> None:
    """Put the replies of examinees into a journal; the first `failing` attempts of each fail."""
    hashes = bank.frame()["content_hash"]
    with Journal.open(path) as journal:
        for examinee, failures in failing.items():
            register_bank(journal, bank, examinee, condition, occasions=1)
            replies = [Reply("", "timeout")] * failures + [Reply("1")] * len(hashes)
            journal.add(
                Response.now(examinee, item, condition.key, 0, reply)
                for item, reply in zip(hashes, replies, strict=False)
            )


@pytest.mark.thorough
def test_failed_attempts_are_left_out_pairwise_and_counted(
    compare: Any, folder: Path, tmp_path: Path
) -> None:
    bank, path = ItemBank.open(folder / "bank.parquet"), tmp_path / "gaps.db"
    answer(bank, path, Condition(), a=4, b=0)
    found = as_json(compare("--json", journal=str(path)))
    row = found["differences"][0]
    only = {row["first"]: row["first_only"], row["second"]: row["second_only"]}
    assert (row["n"], only) == (26, {"a": 0, "b": 4})
    assert {r["run"]: r["missing"] for r in found["ranks"]} == {"a": 4, "b": 0}
    assert row["estimate"] == 0, "the same replies to the same items"


def test_one_examinee_under_two_conditions_is_compared_with_itself(
    compare: Any, folder: Path, tmp_path: Path
) -> None:
    bank, path = ItemBank.open(folder / "bank.parquet"), tmp_path / "conditions.db"
    for condition in (Condition(), Condition(images="removed")):
        answer(bank, path, condition, a=0)
    found = as_json(compare("--json", journal=str(path)))
    assert [r["run"] for r in found["ranks"]] == ["a | default", "a | images=removed"]
    alone = compare("--condition", "default", journal=str(path))
    assert (alone.code, "at least two examinees, found a;" in alone.err) == (2, True)


@pytest.mark.thorough
def test_the_heading_names_the_only_condition_that_is_not_the_default(
    compare: Any, folder: Path, tmp_path: Path
) -> None:
    bank, path = ItemBank.open(folder / "bank.parquet"), tmp_path / "conditions.db"
    answer(bank, path, Condition(images="blank"), a=0, b=0)
    heading = compare(journal=str(path)).out.splitlines()[0]
    assert "2 examinees under images=blank, " in heading

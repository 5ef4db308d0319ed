"""gfactor compare --sequential: decisions that hold at every look, and a gate for pipelines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.cli import Ran, run_cli

import gfactor as gf
from gfactor.administration import Condition, Journal, Response
from gfactor.administration.asking.order import keyed_order
from gfactor.administration.asking.registration import register_bank
from gfactor.examinees import Reply
from gfactor.psychometrics.inference.sequential import compare_sequentially as of_scores
from gfactor.scoring import scored

WHO = ("observer:ideal", "baseline:constant", "baseline:random?seed=0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sequential")
    options: Any = {"domains": ["counting_circles", "sort_lines"], "sizes": range(1, 6)}
    bank = gf.build("percept-v", instances=3, seed=7, path=path / "bank.parquet", **options)
    gf.run(bank, WHO, journal=path / "c.db", jobs=1).close()
    return path


@pytest.fixture
def compare(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Call `gfactor compare c.db --sequential WORDS`."""
    monkeypatch.chdir(folder)

    def called(*words: str) -> Ran:
        return run_cli(monkeypatch, capsys, "compare", "c.db", "--sequential", *words)

    return called


@pytest.mark.thorough
def test_pairs_ranks_and_the_cost_of_peeking_are_printed(compare: Any) -> None:
    ran = compare()
    assert ran.code == 0, ran.err
    assert "pairs decided at 0.05, at all looks together, after 30 items" in ran.out
    for heading in ("ranks", "decision", "p_holm", "decided at", "naive alarms"):
        assert heading in ran.out
    assert "an ordinary 95 % interval of one mean" in ran.out


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("observer:ideal - baseline:constant", 0, "better"),
        ("baseline:constant - observer:ideal", 3, "worse"),
        ("baseline:constant - baseline:random", 4, "undecided"),
    ],
)
def test_the_exit_code_of_a_gate_is_the_decision(
    compare: Any, gate: str, code: int, said: str
) -> None:
    ran = compare("--gate", gate, "--json")
    assert ran.code == code
    assert json.loads(ran.out)["gate"] == {"pair": gate, "decision": said}
    assert compare("--gate", gate).out.endswith(f"{gate}: {said}\n")


@pytest.mark.thorough
def test_the_json_is_that_of_the_function_and_of_the_items_in_keyed_order(
    compare: Any, folder: Path
) -> None:
    document = json.loads(compare("--json").out)
    assert document == gf.compare_sequentially(folder / "c.db").to_dict()
    with Journal.open(folder / "c.db", create=False) as journal:
        right: Any = scored(journal).set_index(["examinee", "item_hash"])["correct"].unstack(0)
    right = right.loc[keyed_order(right.index, 0)]
    row = next(r for r in document["pairs"] if {r["first"], r["second"]} == set(WHO[:2]))
    alone = of_scores(right[row["first"]], right[row["second"]])
    assert row["decided_at"] == alone.decided_at
    assert row["p"] == pytest.approx(alone.p)


@pytest.mark.thorough
def test_another_seed_is_another_order_of_the_same_items(folder: Path) -> None:
    one, other = (gf.compare_sequentially(folder / "c.db", order_seed=k) for k in (0, 3))
    assert one.pairs["estimate"].tolist() == other.pairs["estimate"].tolist()
    assert one.pairs["e_value"].tolist() == pytest.approx(other.pairs["e_value"].tolist())
    assert one.pairs["decided_at"].tolist() != other.pairs["decided_at"].tolist()


@pytest.mark.thorough
def test_the_order_does_not_depend_on_when_answers_came(folder: Path, tmp_path: Path) -> None:
    """The same answers, stored backwards, are the same comparison."""
    with Journal.open(folder / "c.db", create=False) as journal:
        rows = journal.responses().to_dict("records")
    bank = gf.open_bank(folder / "bank.parquet")
    with Journal.open(tmp_path / "back.db") as backwards:
        for who in WHO:
            register_bank(backwards, bank, who, Condition(), 1)
        backwards.add(
            Response(r["examinee"], r["item_hash"], r["condition"], r["occasion"],
                     Reply(r["text"], r["outcome"], ""), r["created"])
            for r in reversed(rows)
        )  # fmt: skip
    again = gf.compare_sequentially(tmp_path / "back.db")
    assert again.to_dict() == gf.compare_sequentially(folder / "c.db").to_dict()


def test_a_run_that_goes_on_counts_up_to_the_first_item_without_an_answer(
    folder: Path, tmp_path: Path
) -> None:
    with Journal.open(folder / "c.db", create=False) as journal:
        rows = journal.responses().to_dict("records")
    order = keyed_order({r["item_hash"] for r in rows}, 0)
    bank = gf.open_bank(folder / "bank.parquet")
    with Journal.open(tmp_path / "part.db") as part:
        for who in WHO[:2]:
            register_bank(part, bank, who, Condition(), 1)
        part.add(
            Response(r["examinee"], r["item_hash"], r["condition"], r["occasion"],
                     Reply(r["text"], r["outcome"], ""), r["created"])
            for r in rows
            if r["examinee"] in WHO[:2]
            and (r["item_hash"] != order[12] or r["examinee"] == WHO[0])
        )  # fmt: skip
    found = gf.compare_sequentially(tmp_path / "part.db")
    assert found.pairs.loc[0, ["n", "waiting"]].tolist() == [12, 1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--by", "domain"), "--by does not go with --sequential"),
        (("--gate", "observer:ideal"), "named as 'A - B'"),
        (("--gate", "observer:ideal - baseline:nobody"), "unknown examinee 'baseline:nobody'"),
        (("--gate", "observer:ideal - observer:ideal"), "twice"),
        (("--lenient", "--ratio"), "leave out --lenient"),
    ],
)
def test_what_does_not_fit_is_refused(compare: Any, words: tuple[str, ...], message: str) -> None:
    ran = compare(*words)
    assert ran.code == 2
    assert message in ran.err


def test_options_of_sequential_need_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    ran = run_cli(monkeypatch, capsys, "compare", "c.db", "--gate", "a - b")
    assert (ran.code, "--gate is for --sequential" in ran.err) == (2, True)

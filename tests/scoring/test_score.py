"""From a journal to scored responses, summaries and the score matrix."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.banks import make_item, make_items

from gfactor.administration import Condition, Journal, Response
from gfactor.administration.asking.registration import register_bank
from gfactor.administration.storing import journal as journals
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Reply
from gfactor.frames import column
from gfactor.items import Item, ItemBank, OutputFormat, Provenance, write_bank
from gfactor.scoring import by_label, choose, matrix, scored, summary, units
from gfactor.scoring import score as scoring
from gfactor.scoring.averaging import UNITS
from gfactor.scoring.judgment import judge_reply
from gfactor.scoring.questions import PutItem
from gfactor.scoring.score_matrix import item_names
from gfactor.scoring.summaries import LABELS, rows_by_value

Attempt = tuple[str, str, Reply]
Score = Callable[..., pd.DataFrame]


@pytest.fixture
def score(tmp_path: Path) -> Score:
    """Score attempts (examinee, item id, reply) at items; two domains, two sizes by default."""

    def made(
        attempts: Iterable[Attempt], items: list[Item] | None = None, condition: str = "default"
    ) -> pd.DataFrame:
        bank = ItemBank.open(write_bank(items or make_items(), tmp_path / "bank.parquet"))
        hashes = dict(zip(bank.frame()["id"], bank.frame()["content_hash"], strict=True))
        with Journal.open(tmp_path / "c.db") as journal:
            for who, item, reply in attempts:
                if who not in journal.examinees():
                    register_bank(journal, bank, who, Condition(), 1)
                journal.add([Response.now(who, hashes[item], condition, 0, reply)])
            return scored(journal)

    return made


def said(text: str, **more: Any) -> Reply:
    return Reply(text, **more)


def test_a_row_tells_what_was_read_and_whether_it_is_right(score: Score) -> None:
    table = score([("t:one", "b-02-1", said("Count: 1."))])
    (row,) = table.to_dict("records")
    assert row.pop("item_hash")
    assert row == {
        "examinee": "t:one", "item_id": "b-02-1", "condition": "default", "occasion": 0,
        "outcome": "ok", "text": "Count: 1.", "answer": None, "answer_lenient": "1",
        "correct": 0.0, "correct_lenient": 1.0, "points": 0.0, "points_possible": 1.0,
        "format_error": True, "missing": False, "status": "answered", "stage": "lenient",
        "rule": "label", "policy": "",
        "answer_type": "value", "benchmark": "toy", "edition": "audited",
        "domain": "b", "size": 2, "skills": ("seeing", "b"),
    }  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("reply", "correct", "lenient", "error"),
    [
        (said("COUNT:1"), 1, 1, False),
        (said("COUNT:2"), 0, 0, False),
        (said("one"), 0, 1, True),
        (said("I cannot help with that.", outcome="refusal"), 0, 0, True),
        (said("", outcome="empty"), 0, 0, True),
        (said("COUNT:1", outcome="truncated"), 0, 0, True),
        (said("COUNT:1\nbecause", outcome="truncated"), 1, 1, False),
    ],
)
def test_what_does_not_conform_is_an_error_and_wrong(
    score: Score, reply: Reply, correct: int, lenient: int, error: bool
) -> None:
    (row,) = score([("t:one", "a-01-1", reply)]).to_dict("records")
    assert (row["correct"], row["correct_lenient"]) == (correct, lenient)
    assert (row["format_error"], row["missing"]) == (error, False)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "outcome", ["transport_error", "protocol_error", "timeout", "content_filter"]
)
def test_a_failed_attempt_is_missing_and_never_wrong(score: Score, outcome: Any) -> None:
    table = score([
        ("t:one", "a-01-0", said("", outcome=outcome, detail="reset")),
        ("t:one", "a-01-1", said("COUNT:1")),
    ])  # fmt: skip
    assert table["missing"].tolist().count(True) == 1
    assert pd.isna(table.set_index("item_id").loc["a-01-0", "correct"])
    (result,) = summary(table)
    assert (result["n"], result["missing"], result["accuracy"], result["errors"]) == (1, 1, 1.0, 0)
    assert matrix(table, "item").scores.columns.tolist() == ["a-01-1"]


def test_a_failed_attempt_that_was_made_good_leaves_no_trace(score: Score) -> None:
    failed = ("t:one", "a-01-1", said("", outcome="timeout", detail="slow"))
    table = score([failed, failed, ("t:one", "a-01-1", said("COUNT:1"))])
    assert table["missing"].tolist() == [False]
    assert table["correct"].tolist() == [1.0]


def test_a_key_that_failed_twice_is_one_missing_row(score: Score) -> None:
    failed = ("t:one", "a-01-1", said("", outcome="timeout", detail="slow"))
    assert score([failed, failed])["missing"].tolist() == [True]


def test_any_accepted_answer_and_the_word_for_none_count(score: Score) -> None:
    cell = OutputFormat("tuple", atom="cell", none="None")
    items = [
        make_item(
            f"c-{k}", answer_type="tuple", target=target, accepted=accepted, output_format=cell,
            provenance=Provenance("tests", "1", f"c-{k}"),
        )
        for k, (target, accepted) in enumerate([((0, 0), ((1, 1),)), (None, ()), ((0, 0), ())])
    ]  # fmt: skip
    table = score(
        [("t:a", "c-0", said("(1,1)")), ("t:a", "c-1", said("None")), ("t:a", "c-2", said("None"))],
        items,
    )
    assert table["correct"].tolist() == [1, 1, 0]
    assert table["answer"].tolist() == ["[1,1]", "null", "null"]


def test_items_that_ask_the_same_share_a_response_and_have_a_row_each(score: Score) -> None:
    items = make_items()
    twin = make_item("a-09-9", provenance=items[0].provenance, target=items[0].target)
    table = score([("t:one", items[0].id, said("COUNT:0"))], [*items, twin])
    assert sorted(table["item_id"]) == ["a-01-0", "a-09-9"]
    assert table["correct"].tolist() == [1, 1]


def test_the_same_reply_to_a_question_is_judged_once(
    score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[tuple[str, str]] = []

    def counted(question: Any, text: str, *given: Any) -> Any:
        judged.append((question.id, text))
        return judge_reply(question, text, *given)

    monkeypatch.setattr(scoring, "judge_reply", counted)
    first, second = (item.id for item in make_items()[:2])
    replies = [("t:one", first, "COUNT:0"), ("t:two", first, "COUNT:0"), ("t:two", second, "x"),
               ("t:one", second, "COUNT:0"), ("t:three", first, "x")]  # fmt: skip
    table = score([(who, item, said(text)) for who, item, text in replies])
    assert sorted(judged) == sorted({(item, text) for _, item, text in replies})
    found = {(r["examinee"], r["item_id"]): r["correct"] for r in table.to_dict("records")}
    assert found == {(who, item): float(item == first and text != "x")
                     for who, item, text in replies}  # fmt: skip


@pytest.mark.thorough
def test_an_answer_earns_the_same_points_in_every_reply_and_they_are_counted_once(
    score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    earned: list[object] = []
    points = PutItem.points

    def counted(question: PutItem, answer: Any) -> Any:
        earned.append(answer)
        return points(question, answer)

    monkeypatch.setattr(PutItem, "points", counted)
    first = make_items()[0].id
    texts = ["COUNT:0", "I see none.\nCOUNT:0", "COUNT:0 ", "COUNT:1"]
    table = score([(f"t:{k}", first, said(text)) for k, text in enumerate(texts)])
    assert table["correct"].tolist() == [1, 1, 1, 0]
    assert sorted(map(str, earned)) == ["0", "1"]


def test_replies_are_judged_in_blocks_with_the_same_result(
    score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = [*answers("t:one", 9), *answers("t:two", 4), *answers("t:three", 4)]
    whole = score(attempts)
    monkeypatch.setattr(scoring, "AT_ONCE", 5)
    monkeypatch.setattr(journals, "AT_ONCE", 7)
    pd.testing.assert_frame_equal(score([]), whole)


def test_a_row_whose_skills_name_one_twice_is_one_item_of_it_with_two_answers(
    score: Score,
) -> None:
    item = make_item(labels={"domain": "a", "size": 1, "skills": ("seeing", "seeing")})
    (result,) = summary(score([("t:one", item.id, said("COUNT:3"))], [item]))
    seeing = result["by"]["skill"]["seeing"]
    assert (seeing["n"], seeing["answers"], seeing["accuracy"]) == (1, 2, 1.0)
    assert (result["n"], result["answers"]) == (1, 1)


def answers(who: str, right: int) -> list[Attempt]:
    """The first `right` of the twelve items right, the others in another format or wrong."""
    replies = [said(f"COUNT:{item.target}") for item in make_items()]
    wrong = [said("COUNT:9"), said("no idea")]
    return [
        (who, item.id, replies[k] if k < right else wrong[k % 2])
        for k, item in enumerate(make_items())
    ]


def test_rows_have_places_by_value_as_the_tables_by_label_have_them() -> None:
    table = pd.DataFrame({"size": [10, 9, 10, None, "b"], "domain": ["z", "a", None, "z", "a"],
                          "skills": [("x", "y"), ("y",), (), None, ("x", "x")]})  # fmt: skip
    for name, label in LABELS.items():
        groups = by_label(table, name)
        places = rows_by_value(column(table, label), name)
        assert [value for value, _ in places] == list(groups)
        assert [rows.tolist() for _, rows in places] == [g.index.tolist() for g in groups.values()]


@pytest.mark.thorough
def test_the_summary_has_the_promised_form(score: Score) -> None:
    table = score([*answers("t:one", 9), *answers("t:two", 12)])
    results = json.loads(json.dumps(summary(table), allow_nan=False))
    keys = ["n", "accuracy", "lenient", "errors"]
    names = ["examinee", "benchmark", "condition"]
    assert [list(one)[:7] for one in results] == [[*names, *keys]] * 2
    assert [one["examinee"] for one in results] == ["t:one", "t:two"]
    one, two = results
    assert (one["n"], one["errors"], two["n"], two["errors"]) == (12, 2, 12, 0)
    assert one["accuracy"] == one["lenient"] == 9 / 12
    assert two["accuracy"] == 1
    assert list(one["by"]) == ["domain", "size", "skill"]
    assert one["by"]["domain"]["a"]["accuracy"] == 1.0
    assert one["by"]["domain"]["b"]["n"] == 6
    assert list(one["by"]["size"]) == ["1", "2"]
    # Every item needs "seeing"; an item with two skills counts for both.
    assert {k: v["n"] for k, v in one["by"]["skill"].items()} == {"a": 6, "b": 6, "seeing": 12}
    assert all(list(group)[:4] == keys for group in one["by"]["domain"].values())


@pytest.mark.thorough
def test_the_form_does_not_depend_on_the_number_of_examinees(score: Score) -> None:
    assert [one["examinee"] for one in summary(score(answers("t:one", 3)))] == ["t:one"]


def test_an_empty_journal_has_an_empty_summary(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "empty.db") as journal:
        assert summary(scored(journal)) == []


@pytest.mark.thorough
def test_conditions_and_benchmarks_never_mix(score: Score) -> None:
    table = score([("t:one", "a-01-0", said("COUNT:0"))])
    mixed = pd.concat([table, table.assign(condition="images=removed")])
    with pytest.raises(ParameterError, match=r"2 conditions .* choose one with --condition"):
        matrix(mixed)
    assert [one["condition"] for one in summary(mixed)] == ["default", "images=removed"]
    several = summary(pd.concat([table, table.assign(benchmark="other", correct=0.0)]))
    assert [one["n"] for one in several] == [1, 1]
    assert sorted(one["accuracy"] for one in several) == [0.0, 1.0]
    assert len(summary(choose(mixed, condition="default"))) == 1
    with pytest.raises(UnknownNameError, match="unknown condition 'defalt'"):
        choose(mixed, condition="defalt")


def test_examinees_are_chosen_by_name_or_by_some_of_their_parameters(score: Score) -> None:
    names = ["p:q?a=1&b=1", "p:q?a=1&b=2", "p:r"]
    table = score([(name, "a-01-0", said("COUNT:0")) for name in names])

    def chosen(*wanted: str) -> list[str]:
        return sorted(choose(table, wanted)["examinee"])

    assert chosen() == names
    assert chosen("p:q") == chosen("p:q?a=1") == names[:2]
    assert chosen("p:q?b=2", "p:r") == names[1:]
    with pytest.raises(UnknownNameError, match="unknown examinee"):
        chosen("p:q?a=3")


@pytest.mark.thorough
def test_the_matrix_holds_means_and_counts(score: Score) -> None:
    made = matrix(score([*answers("t:one", 9), *answers("t:two", 12)]))
    assert made.scores.loc["t:one"].to_dict() == {"a": 1.0, "b": 0.5}
    assert made.n.to_numpy().tolist() == [[6, 6], [6, 6]]
    assert (made.scores.index.name, made.scores.columns.name) == ("examinee", "domain")


@pytest.mark.thorough
def test_the_matrix_may_be_by_item_size_skill_or_any_label(score: Score) -> None:
    table = score([*answers("t:one", 9), *answers("t:two", 12)])
    assert matrix(table, "item").scores.shape == (2, 12)
    assert list(matrix(table, "size").scores.columns) == [1, 2]
    assert list(matrix(table, "skill").scores.columns) == ["a", "b", "seeing"]
    assert list(matrix(table, "edition").scores.columns) == ["audited"]
    with pytest.raises(UnknownNameError, match="unknown label 'doman'; did you mean 'domain'"):
        matrix(table, "doman")


def test_the_matrix_uses_the_benchmarks_rule_unless_told_otherwise(score: Score) -> None:
    table = score([("t:one", "a-01-1", said("one"))])
    assert matrix(table).scores.loc["t:one", "a"] == 0
    assert matrix(table, lenient=True).scores.loc["t:one", "a"] == 1


def test_who_did_not_answer_has_an_empty_cell_not_a_zero(score: Score) -> None:
    made = matrix(
        score([("t:one", "a-01-0", said("COUNT:0")), ("t:two", "b-01-0", said("COUNT:0"))])
    )
    assert pd.isna(made.scores.loc["t:one", "b"])
    assert made.n.loc["t:one", "b"] == 0
    assert made.to_dict() == {
        "by": "domain", "examinees": ["t:one", "t:two"], "indicators": ["a", "b"],
        "scores": [[1.0, None], [None, 1.0]], "n": [[1, 0], [0, 1]], "answers": [[1, 0], [0, 1]],
    }  # fmt: skip


@pytest.mark.thorough
def test_items_of_two_banks_with_the_same_id_are_two_columns(score: Score) -> None:
    table = score([("t:one", "a-01-0", said("COUNT:0"))])
    both = pd.concat([table, table.assign(item_hash="f" * 64)], ignore_index=True)
    names = list(matrix(both, "item").scores.columns)
    assert len(names) == 2
    assert all(name.startswith("a-01-0@") for name in names)


def test_the_matrix_is_written_with_its_counts_beside_it(score: Score, tmp_path: Path) -> None:
    made = matrix(score(answers("t:one", 9)))
    scores, counts = made.to_csv(tmp_path / "s.csv")
    assert counts.name == "s.n.csv"
    assert pd.read_csv(scores, index_col=0).loc["t:one", "b"] == 0.5
    assert pd.read_csv(counts, index_col=0).loc["t:one", "b"] == 6
    assert "0.500" in made._repr_html_()
    with pytest.raises(ParameterError, match="cannot write"):
        made.to_csv(tmp_path / "no" / "s.csv")


def test_items_of_one_id_have_eight_digits_of_their_hash_in_their_names() -> None:
    rows = pd.DataFrame({
        "item_id": ["a", "b", "a", "b"],
        "item_hash": ["0123456789ab", "ffff00001111", "0123456fffff", "ffff00001111"],
    })  # fmt: skip
    assert item_names(rows) == ["a@01234567", "b", "a@0123456f", "b"]


def test_units_are_items_or_what_a_benchmark_asks_of_several() -> None:
    rows = pd.DataFrame({"item_hash": ["x", "y", "z"], "benchmark": ["other", "other", "none"]})
    assert units(rows).tolist() == ["x", "y", "z"]
    assert units(rows.drop(columns="benchmark")).tolist() == ["x", "y", "z"]
    for benchmark, label in UNITS.items():
        table = rows.assign(benchmark=[benchmark, benchmark, "none"], **{label: ["u", None, "u"]})
        assert units(table).tolist() == [f"{benchmark} u", "y", "z"]

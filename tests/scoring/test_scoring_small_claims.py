"""Points, guesses, verdicts of judges, names and files of scores: small cases by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import pandas as pd
import pytest

from gfactor.administration.imports import judge_name
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import OutputFormat, answer_from_json
from gfactor.scoring import credit, points
from gfactor.scoring.averaging import averaged, units
from gfactor.scoring.chance import item_chance, with_chance
from gfactor.scoring.exporting import write_answers
from gfactor.scoring.extraction import extract
from gfactor.scoring.extraction.cases import Case
from gfactor.scoring.extraction.statements import stated
from gfactor.scoring.extraction.structured import in_order
from gfactor.scoring.extraction.turns import answering_part
from gfactor.scoring.judge import CONDITION, HEAD, TAIL, read_verdict, rendered
from gfactor.scoring.judging import judges
from gfactor.scoring.policies import drawn
from gfactor.scoring.questions import Question
from gfactor.scoring.rules import possible
from gfactor.scoring.score_matrix import ScoreMatrix
from gfactor.scoring.score_matrix import counted as in_counts
from gfactor.scoring.summaries import by_label, choose
from gfactor.scoring.tables import read_names, read_scores, read_tasks
from gfactor.scoring.texts import comparable

OPTIONS = {"A": "the red kite", "B": "the blue drum", "C": "the green bell", "D": "the yellow leaf"}


def test_a_turn_earns_its_point_by_any_right_answer_in_its_place() -> None:
    right: Any = (("a", "b", "c"),)
    said: Any
    for said, earned in (
        (("a", "b", "c"), 3), (("a", "x", "c"), 2), (("b", "a", "c"), 1), (("a",), 1),
        (("a", "b", "c", "d"), 3), (None, 0), ("a", 0), ((None, "b"), 1),
    ):  # fmt: skip
        found = points(said, right[0], (), "turns")
        assert (found.earned, found.possible) == (earned, 3)
    # An accepted answer that is shorter says nothing of later turns.
    found = points(("x", "y", "c"), ("a", "b", "c"), (("x",), "c"), "turns")
    assert (found.earned, found.possible) == (2, 3)
    assert possible(("a", "b"), "turns") == 2
    assert possible(None, "turns") == possible(None, "choices") == possible("x", "value") == 1
    assert credit(None, None, (), "choices") == 1.0
    assert credit(frozenset({"A"}), None, (), "choices") == 0.0


def items(*rows: tuple[str, str, list[str], str]) -> pd.DataFrame:
    return pd.DataFrame({
        "content_hash": [f"h{k}" for k in range(len(rows))], "id": [r[3] for r in rows],
        "answer_type": [r[0] for r in rows], "choices": [[]] * len(rows),
        "target": [r[1] for r in rows], "accepted": [r[2] for r in rows], "domain": "d",
    })  # fmt: skip


def test_the_chance_of_an_item_stands_in_each_of_its_rows() -> None:
    known = items(("value", "1", [], "a"), ("value", "1", [], "b"), ("value", "2", [], "c"))
    twice = pd.concat([known, known.head(1)])
    rows = pd.DataFrame({"item_hash": ["h2", "h0", "h0", "h9"], "item_id": ["c", "a", "b", "a"]})
    found = with_chance(rows, known)
    assert found["chance"].tolist() == pytest.approx([0, 0.5, math.nan, math.nan], nan_ok=True)
    assert with_chance(rows, twice)["chance"].notna().tolist() == [True, True, False, False]
    # Turns beside other answers have the chance of their whole answer alone.
    mixed = items(("turns", '["x", "y"]', [], "a"), ("turns", '["x", "z"]', [], "b"),
                  ("value", "3", [], "c"))  # fmt: skip
    assert item_chance(mixed)["chance_share"].tolist() == [0, 0, 0]


def scored(**columns: list[Any]) -> pd.DataFrame:
    n = len(next(iter(columns.values())))
    base = {"examinee": ["m"] * n, "condition": ["c"] * n, "item_id": [f"i{k}" for k in range(n)],
            "item_hash": [f"h{k}" for k in range(n)], "missing": [False] * n}  # fmt: skip
    return pd.DataFrame({**base, **columns})


def test_occasions_of_an_item_are_one_row_with_their_mean() -> None:
    table = scored(item_id=["a", "a", "b", "a"], item_hash=["h", "h", "g", "h"],
                   correct=[1.0, 0.0, 1.0, 1.0], missing=[False, False, False, True],
                   status=["answered", "refused", "answered", "answered"])  # fmt: skip
    found = averaged(table)
    assert found["item_id"].tolist() == ["a", "b"]
    assert found["correct"].tolist() == [0.5, 1.0]
    assert found["_refused"].tolist() == [0.5, 0.0]
    assert found["_answers"].tolist() == [2, 1]
    once = averaged(table.drop(columns="status").iloc[[0, 2]])
    assert once["_answers"].tolist() == [1, 1]
    assert "_refused" not in once


def test_questions_of_one_problem_are_one_unit() -> None:
    table = scored(benchmark=["multi", "multi", "multi", "mm-iq", "other"],
                   problem=["p", "p", None, "p", "p"],
                   number=["1", "1", "1", "7", "1"])  # fmt: skip
    assert units(table).tolist() == ["multi p", "multi p", "h2", "mm-iq 7", "h4"]
    assert units(table.drop(columns="benchmark")).tolist() == [f"h{k}" for k in range(5)]


def test_labels_come_in_their_order_and_examinees_by_name_or_part_of_it() -> None:
    table = scored(domain=["b", "a", "b"], examinee=["x:m?seed=1", "x:m?seed=2&t=1", "y:m"])
    assert list(by_label(table, "domain")) == ["a", "b"]
    assert [len(rows) for rows in by_label(table, "domain").values()] == [1, 2]
    with pytest.raises(UnknownNameError, match="label 'domian'; did you mean 'domain'"):
        by_label(table, "domian")
    assert choose(table, ["x:m"])["examinee"].tolist() == ["x:m?seed=1", "x:m?seed=2&t=1"]
    assert choose(table, ["x:m?t=1"])["examinee"].tolist() == ["x:m?seed=2&t=1"]
    assert choose(table, ["x:m?seed=1", "y:m"])["item_id"].tolist() == ["i0", "i2"]
    assert len(choose(table)) == 3
    assert len(choose(table, condition="c")) == 3
    with pytest.raises(UnknownNameError, match="condition"):
        choose(table, condition="d")
    for unknown in ("x:n", "z:m", "x:m?seed=3"):
        with pytest.raises(UnknownNameError, match="examinee"):
            choose(table, [unknown])


def test_counts_are_of_those_who_answered_every_item() -> None:
    shares = pd.DataFrame({"s": [0.5, 1 / 3, 1.0], "t": [0.0, 0.5, 1.0]}, index=["a", "b", "c"])
    n = pd.DataFrame({"s": [6, 6, 4], "t": [2, 2, 2]}, index=["a", "b", "c"])
    found: Any = in_counts(ScoreMatrix(shares, n, n, "task"))
    assert found.scores["s"].tolist() == pytest.approx([3, 2, math.nan], nan_ok=True)
    assert found.scores["s"]["b"] == 2.0
    assert found.scores["t"].tolist() == [0, 1, 2]


def test_a_matrix_is_written_beside_its_counts(tmp_path: Path) -> None:
    shares = pd.DataFrame({"s": [0.5]}, index=pd.Index(["a"], name="examinee"))
    matrix = ScoreMatrix(shares, shares.astype(int) + 3, shares.astype(int), "task")
    path, beside = matrix.to_csv(tmp_path / "x.y.csv")
    assert (path.name, beside.name) == ("x.y.csv", "x.y.n.csv")
    assert pd.read_csv(path).to_dict("list") == {"examinee": ["a"], "s": [0.5]}
    assert pd.read_csv(beside).to_dict("list") == {"examinee": ["a"], "s": [3]}


def test_answers_are_written_as_csv_or_parquet(tmp_path: Path) -> None:
    table = scored(answer=["x"])
    again = pd.read_parquet(write_answers(table, tmp_path / "a.parquet"))
    assert list(again) == list(table)
    assert len(pd.read_csv(write_answers(table, tmp_path / "a.csv"))) == 1
    with pytest.raises(ParameterError, match=r"NAME\.csv or NAME\.parquet, not 'a\.xlsx'"):
        write_answers(table, tmp_path / "a.xlsx")


def asked(kind: Any, target: str, labels: str = "ABC") -> Question:
    choices = tuple((label, f"text {label}") for label in labels)
    return Question("q", "h", "b", kind, answer_from_json(target, kind), choices=choices)


@pytest.mark.parametrize(
    ("kind", "said", "answer"),
    [
        ("choice", "B", "B"), ("choice", "D", None), ("choice", ["B"], None), ("choice", 1, None),
        ("choices", ["A", "C"], frozenset("AC")), ("choices", ["A", "D"], None),
        ("choices", [], None), ("choices", "A", None), ("choices", ["A", 1], None),
        ("blanks", ["x", "y"], ("x", "y")), ("blanks", ["x", None], ("x", None)),
        ("blanks", [None, None], None), ("blanks", ["x"], None), ("blanks", ["x", " "], None),
        ("blanks", ["x", 3], None), ("blanks", "x", None),
    ],
)  # fmt: skip
def test_a_judges_verdict_must_be_a_possible_answer(kind: Any, said: Any, answer: Any) -> None:
    target = {"choice": '"A"', "choices": '["A"]', "blanks": '["x", "y"]'}[kind]
    found = read_verdict(json.dumps({"answer": said}), asked(kind, target), "j")
    assert (found and found.answer) == answer
    for text in ("", "[1]", '{"answer"', '{"other": 1}', '{"answer": "B"}\n{"answer": "B"}'):
        assert read_verdict(text, asked(kind, target), "j") is None


def test_a_judge_is_shown_both_ends_of_a_long_reply() -> None:
    question = asked("choice", '"A"')
    exact, longer = (
        str(rendered(question, "é" * HEAD + middle + "ü" * TAIL)) for middle in ("", "ö")
    )
    # The reply stands there once, in whole or without its middle.
    assert (exact.count("é"), exact.count("ü"), exact.count("[...]")) == (HEAD, TAIL, 0)
    assert (longer.count("é"), longer.count("ü"), longer.count("[...]")) == (HEAD, TAIL, 1)
    assert "ö" not in longer


def test_the_random_policy_draws_options_with_even_odds() -> None:
    sets: Any = [drawn(asked("choices", '["A"]'), f"m{k}", "c", 0) for k in range(200)]
    for label in "ABC":
        assert 70 < sum(label in d for d in sets if d is not None) < 130
    one: Any = [drawn(asked("choice", '"A"'), "m", "c", k) for k in range(90)]
    assert {one.count(label) > 15 for label in "ABC"} == {True}
    assert drawn(asked("blanks", '["x"]'), "m", "c", 0) is None


def test_judges_of_other_harnesses_are_not_ours() -> None:
    kept = pd.DataFrame({
        "condition": [CONDITION, CONDITION, "c", CONDITION],
        "examinee": ["judge:b", judge_name("vlmevalkit", "gpt"), "judge:c", "judge:a"],
    })  # fmt: skip
    assert judges(Made(responses=lambda: kept)) == ("judge:a", "judge:b")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"\frac12", "1/2"), (r"\frac{1}{2}", "1/2"), (r"\sqrt{\frac{a}{b}}", "√(a/b)"),
        (r"\sqrt\frac12", "√(1/2)"), (r"x^\frac12", "x^(1/2)"), (r"x^\sqrt2", "x^(√(2))"),
        (r"\sqrt[2]{8}", "√(8)"), ("sqrt(2)", "√(2)"), ("√2", "√(2)"),
        (r"3\frac12", "3 1/2"), (r"\text{cm}^2", "cm^(2)"), ("cm²", "cm^(2)"), ("m³", "m^(3)"),
        ("㎝²", "cm^(2)"), ("㎡", "m^(2)"), ("㎏", "kg"), ("x²³", "x^(23)"), ("x₁₂", "x_(12)"),
        (r"\ce{Fe^3+}", "Fe^(3+)"), ("30º", "30°"), (r"90^\circ", "90°"), ("½", "1/2"),
        ("1½", "1 1/2"), (r"50\%", "50%"),
    ],
)  # fmt: skip
def test_formulas_have_one_plain_form(text: str, plain: str) -> None:
    assert comparable(text) == comparable(plain)
    assert comparable(text) != comparable(plain + "1")


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        (["blank 2", "blank 1"], [1, 0]), (["second", "first"], [1, 0]), (["x", "first"], [0, 1]),
        (["b1", "c1"], [0, 1]), (["10", "9"], [1, 0]), (["third", "1", "第二"], [1, 2, 0]),
    ],
)  # fmt: skip
def test_values_stand_in_the_order_of_their_keys(keys: list[str], order: list[int]) -> None:
    assert in_order({key: k for k, key in enumerate(keys)}) == order


def test_what_is_not_the_answer_is_made_blank() -> None:
    for reply, kept in (
        ("analysisIt may be A.assistantfinalB", "B"), ("Assistant: B", "B"),
        ("User: which?\nAssistant: C", "C"), ("It is C", "It is C"),
    ):  # fmt: skip
        found = answering_part(reply)
        assert len(found) == len(reply)
        assert found.strip() == kept


def test_marks_in_the_place_of_options_are_read_where_there_is_one_for_each() -> None:
    for reply, answer in (
        ("×√××", "B"), ("✗ ✓ ✗ ✗", "B"), ("×√×", None), ("×√×××", None), ("×√×?", None),
        ("√×××√", None), ("wrong", None),
    ):  # fmt: skip
        assert extract(reply, "choice", OPTIONS).answer == answer
    assert extract("√√××", "choices", OPTIONS).answer == frozenset("AB")


def case(expected: Any, kind: str) -> Case:
    fields = {name: None for name in Case.__dataclass_fields__}
    return Case(**{**fields, "expected": expected, "kind": kind, "output_format": None})


@pytest.mark.parametrize(
    ("kind", "expected", "answer", "verdict"),
    [
        ("SA", "A", "A", "right"), ("SA", "A", "B", "wrong"), ("SA", None, "B", "invented"),
        ("SA", "A", None, "missed"), ("SA", None, None, "right"),
        ("MA", ["B", "A"], frozenset("AB"), "right"), ("MA", ["A"], frozenset("AB"), "wrong"),
        ("FB", "x", ("x",), "right"), ("FB", ["x", None], ("x", None), "right"),
        ("FB", ["x"], ("x", "y"), "wrong"), ("FB", ["x", "y"], ("x", None), "wrong"),
        ("FB", ["x", "y"], ("x",), "wrong"), ("PV", "Yes", "YES", "right"),
        ("PV", ["a", "B"], ("A", "b"), "right"), ("PV", "no", "YES", "wrong"),
    ],
)  # fmt: skip
def test_a_recorded_reading_is_right_wrong_missed_or_invented(
    kind: str, expected: Any, answer: Any, verdict: str
) -> None:
    read: Any = Made(has_answer=answer is not None, answer=answer)
    assert case(expected, kind).verdict(read) == verdict


def put(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_lmms_eval_names_a_model_in_one_of_three_places(tmp_path: Path) -> None:
    results = {"t": {"acc,none": 1, "n": 3, "ok,none": True, "f1,strict": 0.5}}
    for more, name in (
        ({"model_name": "a", "config": {"model": "c", "model_args": "pretrained=b"}}, "a"),
        ({"model_name": "", "config": {"model": "c", "model_args": "pretrained=b"}}, "b"),
        ({"model_name": 3, "config": {"model": "c"}}, "c"),
        ({"model_name": "a", "config": []}, "a"),
    ):  # fmt: skip
        table = read_scores(put(tmp_path / "r.json", {"results": results, **more}))
        assert table.scores.index.tolist() == [name]
        assert table.scores.loc[name].to_dict() == {"t.acc": 1.0, "t.f1.strict": 0.5}
        assert table.flaws == ("t.ok: 'True' is no number",)
    with pytest.raises(ParameterError, match="does not say whose results it holds"):
        read_scores(put(tmp_path / "r.json", {"results": results}))


def test_openvlms_values_are_numbers_or_named(tmp_path: Path) -> None:
    meta = {"Method": ["M", 1], "Org": "x"}
    board = {"results": {
        "m": {"META": meta, "B": {"Over All": 50, "deep": {"x y": 1.5}}, "C": "N/A"},
        "n": {"META": {}, "B": {"Over All": "bad", "flag": True}, "C": 3},
    }}  # fmt: skip
    table = read_scores(put(tmp_path / "b.json", board))
    assert table.scores.to_dict("index") == {
        "m": pytest.approx({"B.Over_All": 50, "B.deep.x_y": 1.5, "C": math.nan}, nan_ok=True),
        "n": pytest.approx({"B.Over_All": math.nan, "B.deep.x_y": math.nan, "C": 3}, nan_ok=True),
    }  # fmt: skip
    assert table.facts.loc["m"].to_dict() == {"Method": "M, 1", "Org": "x"}
    assert table.flaws == ("n, B.Over_All: 'bad' is no number", "n, B.flag: 'True' is no number")


def test_what_a_guess_earns_is_read_or_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "item,task,chance\na,x,0.25\nb,x,\nc,,0.5\nd,y,1\n")
    found = read_tasks(str(path))
    assert found.tasks == {"a": "x", "b": "x", "d": "y"}
    assert found.chance == {"a": 0.25, "b": 0.0, "d": 1.0}
    path = put(tmp_path / "t.csv", "item,task,options\na,x,4\nb,x,1\n")
    assert read_tasks(str(path)).chance == {"a": 0.25, "b": 1.0}
    assert read_tasks(str(put(tmp_path / "t.csv", "item,task\na,x\n"))).chance == {}
    for column, value, allowed in (
        ("chance", "1.5", "from 0 to 1"), ("chance", "-0.1", "from 0 to 1"),
        ("chance", "much", "from 0 to 1"), ("options", "0.5", "from 1 on"),
        ("options", "few", "from 1 on"),
    ):  # fmt: skip
        put(tmp_path / "t.csv", f"item,task,{column}\na,x,{value}\n")
        with pytest.raises(ParameterError, match=f"line 2: {column} is '{value}'; it is a number "
                                                 f"{allowed}"):  # fmt: skip
            read_tasks(str(tmp_path / "t.csv"))
    with pytest.raises(ParameterError, match="line 3: item 'a' belongs to 'x' and to 'y'"):
        read_tasks(str(put(tmp_path / "t.csv", "item,task\na,x\na,y\n")))


def test_a_map_of_names_needs_one_other_column(tmp_path: Path) -> None:
    path = put(tmp_path / "n.csv", "model,arena_model,match\na,A,exact\nb,,near\nc,C,near\n")
    found = read_names(path)
    assert found.names == {"a": "A", "c": "C"}
    assert found.approximate == {"c"}
    with pytest.raises(ParameterError, match="needs the columns 'model' and"):
        read_names(put(path, "model,x_model,y_model\na,b,c\n"))
    with pytest.raises(UnknownNameError, match="column of the name map"):
        read_names(put(path, "name,x_model\na,b\n"))
    with pytest.raises(ParameterError, match="calls 'a' both 'b' and 'c'"):
        read_names(put(path, "model,x_model\na,b\na,c\n"))
    both = put(path, "model,x_model,year\na,b,1\na,c,2\n")
    assert read_names(both, {"year": "2"}).names == {"a": "c"}
    assert read_names(put(path, "model,x_model\na,b\n"), {"year": "2"}).names == {"a": "b"}
    with pytest.raises(ParameterError, match="has year=3; there are"):
        read_names(put(path, "model,x_model,year\na,b,1\n"), {"year": "3"})


@pytest.mark.parametrize("text", ["√", "sqrt(", "{", "^", r"\sqrt", r"\frac", "_{"])
def test_no_formula_is_nested_too_deep(text: str) -> None:
    assert "2" in comparable(text * 3000 + "2")
    assert credit((text * 1500 + "2",), ("1/2",), (), "blanks") == 0


@pytest.mark.parametrize(
    ("kind", "atom", "said"),
    [("set", "word", ("RED", "BLUE")), ("list", "word", None), ("tuple", "word", None)],
)
def test_a_sentence_states_the_members_of_sets_of_words_alone(
    kind: Any, atom: Any, said: Any
) -> None:
    words = OutputFormat(kind, atom=atom, vocabulary=("RED", "BLUE", "GREEN"))
    assert stated("The colors are red and blue.", words) == said
    numbers = OutputFormat("set", atom="integer")
    assert stated("The colors are 1 and 2.", numbers) is None

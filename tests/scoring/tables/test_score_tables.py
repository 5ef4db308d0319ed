"""Score tables of other programs: what is read, what is joined, what is only listed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.answers import answered
from support.exam import question

from gfactor.administration import Condition
from gfactor.cli import cli
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.scoring.tables import (
    SCORE_FORMATS,
    TableNaming,
    join_scores,
    read_names,
    read_scores,
    rows_where,
)
from gfactor.scoring.tables.base import ScoreTable


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def put_json(path: Path, value: Any) -> Path:
    return put(path, json.dumps(value))


def test_a_table_of_models_is_read_as_csv_tsv_and_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame({"model": ["a", "b"], "B.x": [1.5, None], "size": ["7B", "72B"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "t.parquet")
    for ending in ("csv", "tsv", "parquet"):
        found = read_scores(tmp_path / f"t.{ending}")
        assert list(found.scores.columns) == ["B.x"]
        assert list(found.scores.index) == ["a", "b"]
        assert found.facts["size"].tolist() == ["7B", "72B"]
        assert np.isnan(found.scores.loc["b", "B.x"])


def test_percent_signs_and_dashes_are_read(tmp_path: Path) -> None:
    found = read_scores(put(tmp_path / "t.csv", "Method,x\na,45.5%\nb,-\n"))
    assert found.scores.loc["a", "x"] == 45.5
    assert np.isnan(found.scores.loc["b", "x"])


def test_rows_without_names_are_numbered(tmp_path: Path) -> None:
    found = read_scores(put(tmp_path / "t.csv", "x,y\n1,2\n3,4\n"))
    assert list(found.scores.index) == ["1", "2"]
    assert list(found.scores.columns) == ["x", "y"]


def test_a_model_in_two_rows_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "model,x\na,1\na,2\n")
    with pytest.raises(ParameterError, match="2 rows of 'a'"):
        read_scores(path)


def test_the_column_of_names_can_be_named(tmp_path: Path) -> None:
    path = put(tmp_path / "t.csv", "id,who,x\n1,a,2\n2,b,3\n")
    assert list(read_scores(path, naming=TableNaming(index="who")).scores.index) == ["a", "b"]
    with pytest.raises(UnknownNameError, match="whom"):
        read_scores(path, naming=TableNaming(index="whom"))


def test_vlmevalkits_records_in_json_are_rows(tmp_path: Path) -> None:
    one = put_json(
        tmp_path / "M" / "M_ChartQA_TEST_acc.json", [{"test_human": 40.0, "Overall": 60}]
    )
    assert read_scores(one).scores.loc["M"].to_dict() == {
        "ChartQA_TEST.test_human": 40.0, "ChartQA_TEST.Overall": 60.0,
    }  # fmt: skip
    rows = [{"split": "dev", "Overall": 0.5}, {"split": "test", "Overall": 0.25}]
    two = put_json(tmp_path / "M" / "M_MMStar_acc.json", rows)
    assert read_scores(two).scores.loc["M"].to_dict() == {
        "MMStar_dev.Overall": 0.5, "MMStar_test.Overall": 0.25,
    }  # fmt: skip
    with pytest.raises(ParameterError, match="holds no scores by name"):
        read_scores(put_json(tmp_path / "M" / "M_X_acc.json", [1, 2]), "vlmevalkit")


def test_mmbenchs_short_names_are_mmbenchs_alone(tmp_path: Path) -> None:
    text = '"split","Overall","AR"\n"VAL","0.5","0.25"\n'
    path = put(tmp_path / "M" / "M_MMT-Bench_VAL_acc.csv", text)
    assert read_scores(path).scores.loc["M"].to_dict() == {
        "MMT-Bench_VAL.Overall": 0.5, "MMT-Bench_VAL.AR": 0.25,
    }  # fmt: skip


def test_vlmevalkits_accuracies_by_split(tmp_path: Path) -> None:
    path = put(
        tmp_path / "GPT4o" / "GPT4o_MMBench_DEV_EN_acc.csv",
        '"split","Overall","AR","action_recognition","image scene"\n'
        '"dev","0.81","0.8","0.7","0.9"\n',
    )
    found = read_scores(path).scores
    assert list(found.index) == ["GPT4o"]
    assert found.loc["GPT4o"].to_dict() == {
        "MMBench_DEV_EN.Overall": 0.81,
        "MMBench_DEV_EN.Attribute_Reasoning.Overall": 0.8,
        "MMBench_DEV_EN.action_recognition": 0.7,
        "MMBench_DEV_EN.image_scene": 0.9,
    }


def test_vlmevalkits_scores_by_task_and_in_a_run_folder(tmp_path: Path) -> None:
    path = put(
        tmp_path / "my_model" / "T20250101_G1" / "my_model_MathVista_MINI_gpt-4-turbo_score.csv",
        '"Task&Skill","tot","hit","acc"\n"Overall","10","6","60"\n"geometry","5","2","40"\n',
    )
    found = read_scores(path).scores
    assert found.loc["my_model"].to_dict() == {
        "MathVista_MINI.Overall": 60.0, "MathVista_MINI.geometry": 40.0,
    }  # fmt: skip


def test_vlmevalkits_mme_has_a_single_row_and_ocrbench_is_json(tmp_path: Path) -> None:
    mme = put(tmp_path / "m" / "m_MME_score.csv", '"perception","OCR"\n"1500.5","140"\n')
    assert read_scores(mme).scores.loc["m", "MME.OCR"] == 140
    ocr = put_json(tmp_path / "m" / "m_OCRBench_score.json", {"Final Score": 700, "note": "x"})
    found = read_scores(ocr)
    assert found.scores.loc["m", "OCRBench.Final_Score"] == 700
    assert "is not a number" in found.flaws[0]


def test_a_result_file_whose_model_is_not_clear_needs_its_name(tmp_path: Path) -> None:
    path = put(tmp_path / "a_b_c_acc.csv", '"split","Overall"\n"dev","0.5"\n')
    with pytest.raises(ParameterError, match="--model"):
        read_scores(path)
    found = read_scores(path, naming=TableNaming(model="a_b"))
    assert found.scores.loc["a_b", "c.Overall"] == 0.5


def test_the_openvlm_leaderboard(tmp_path: Path) -> None:
    path = put_json(
        tmp_path / "OpenVLM.json",
        {
            "time": "now",
            "results": {
                "A": {"META": {"Method": ["A", "url"], "Parameters": "7B"},
                      "MME": {"Overall": 2000.0, "Perception": {"Color": 180.0}}},
                "B": {"META": {}, "MME": {"Overall": "N/A"}, "X": {"y z": "bad"}},
            },
        },
    )  # fmt: skip
    found = read_scores(path)
    assert found.scores.loc["A", "MME.Perception.Color"] == 180.0
    assert np.isnan(found.scores.loc["B", "MME.Overall"])
    assert found.facts.loc["A", "Parameters"] == "7B"
    assert found.flaws == ("B, X.y_z: 'bad' is not a number",)


def test_lmms_evals_results(tmp_path: Path) -> None:
    document = {
        "results": {
            "mmmu_val": {"alias": "mmmu_val", "mmmu_acc,none": 0.5, "mmmu_acc_stderr,none": "N/A"},
            "gsm": {"exact_match,strict": 0.25, "x,none": "n"},
        },
        "config": {"model": "llava", "model_args": "pretrained=org/model-7b,device=cuda"},
    }
    found = read_scores(put_json(tmp_path / "2025_results.json", document))
    assert found.scores.loc["org/model-7b"].to_dict() == {
        "mmmu_val.mmmu_acc": 0.5, "gsm.exact_match.strict": 0.25,
    }  # fmt: skip
    assert len(found.flaws) == 1


def test_a_journal_of_our_own(tmp_path: Path) -> None:
    items = [question("q1"), question("q2")]
    with answered(tmp_path, items, [("a", "q1", 0, "?"), ("a", "q2", 0, "?")]):
        pass
    found = read_scores(tmp_path / "c.db", naming=TableNaming(by="item"))
    assert list(found.scores.index) == ["a"]
    assert set(found.scores.columns) == {"q1", "q2"}


@pytest.mark.thorough
def test_a_condition_of_a_journal_is_chosen(tmp_path: Path) -> None:
    items = [question("q1"), question("q2")]
    said = {Condition(): "A", Condition(images="removed"): "B"}
    for condition, text in said.items():
        with answered(tmp_path, items, [("a", "q1", 0, text), ("a", "q2", 0, text)], condition):
            pass
    with pytest.raises(ParameterError, match="choose one with --condition"):
        read_scores(tmp_path / "c.db")
    means = [
        read_scores(tmp_path / "c.db", naming=TableNaming(condition=c.key)).scores.to_numpy().mean()
        for c in said
    ]
    assert means == [0.0, 1.0]
    for verb in ("import-scores", "compare-benchmarks", "prune"):
        chosen = CliRunner().invoke(cli, [verb, str(tmp_path / "c.db"), "--condition", "default"])
        assert "which are different measurements" not in str(chosen.exception or "")
        other = put(tmp_path / "x.csv", "model,x\na,1\n")
        wrong = CliRunner().invoke(cli, [verb, str(other), "--condition", "default"])
        assert "is for files of the format journal" in str(wrong.exception)


@pytest.mark.parametrize("text", ["{", "[]", '{"results": {}}', '{"a": "b"}'])
def test_other_json_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "x.json", text)
    with pytest.raises(ParameterError, match="no known format"):
        read_scores(path)
    for name in ("openvlm", "lmms-eval"):
        with pytest.raises(ParameterError):
            read_scores(path, name)


def test_unknown_formats_and_absent_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no file"):
        read_scores(tmp_path / "none.csv")
    with pytest.raises(UnknownNameError, match="openvlm"):
        read_scores(put(tmp_path / "x.csv", "model,x\na,1\n"), "openvm")
    assert set(SCORE_FORMATS) == {"journal", "lmms-eval", "openvlm", "table", "vlmevalkit"}


def test_tables_are_joined_by_name_and_strangers_are_listed(tmp_path: Path) -> None:
    one = read_scores(put(tmp_path / "1.csv", "model,x\nGPT-4o,1\nLlava-7B,2\nonly,3\n"))
    two = read_scores(
        put(tmp_path / "2.csv", "model,x,y\ngpt-4o,1,5\nLLaVA 7b,2,6\nLLaVA 13b,9,9\n")
    )
    names = {"gpt-4o": "GPT-4o", "ghost": "x"}
    found = join_scores([one, two], names)
    assert found.scores.loc["GPT-4o", "y"] == 5
    assert found.unmatched[one.source] == ("Llava-7B", "only")
    assert found.close["Llava-7B"] == "LLaVA 7b"  # And not 13b.
    assert found.unused == ("ghost",)
    assert found.sources["x"] == (one.source, two.source)


def test_the_first_file_is_trusted_and_the_difference_is_listed(tmp_path: Path) -> None:
    one = read_scores(put(tmp_path / "1.csv", "model,x\na,1\nb,\n"))
    two = read_scores(put(tmp_path / "2.csv", "model,x\na,2\nb,3\n"))
    found = join_scores([one, two])
    assert found.scores["x"].tolist() == [1, 3]
    assert len(found.conflicts) == 1
    assert "a, x" in found.conflicts[0]


def test_a_map_that_makes_two_models_one_is_refused(tmp_path: Path) -> None:
    one = read_scores(put(tmp_path / "1.csv", "model,x\na,1\nb,2\n"))
    with pytest.raises(ParameterError, match="twice"):
        join_scores([one], {"b": "a"})
    with pytest.raises(ParameterError, match="no table"):
        join_scores([])


def test_name_maps_are_read_and_checked(tmp_path: Path) -> None:
    path = put(
        tmp_path / "n.csv", "set,model,arena_model,match\np,a,A,exact\nq,a,B,exact\np,c,C,approx\n"
    )
    with pytest.raises(ParameterError, match="both 'A' and 'B'"):
        read_names(path)
    found = read_names(path, {"set": "p"})
    assert found.names == {"a": "A", "c": "C"}
    assert found.approximate == {"c"}
    with pytest.raises(ParameterError, match="set=z"):
        read_names(path, {"set": "z"})
    with pytest.raises(UnknownNameError):
        read_names(put(tmp_path / "m.csv", "name,as\na,A\n"))
    with pytest.raises(ParameterError, match="needs the columns"):
        read_names(put(tmp_path / "o.csv", "model,b,c\na,A,1\n"))


def test_rows_are_chosen_by_value() -> None:
    table = pd.DataFrame({"date": ["1", "2"], "x": [3, 4]})
    assert rows_where(table, {"date": "2"}, "t")["x"].tolist() == [4]
    with pytest.raises(UnknownNameError):
        rows_where(table, {"day": "2"}, "t")


def given(source: str, rows: dict[str, dict[str, float]]) -> ScoreTable:
    table = pd.DataFrame.from_dict(rows, orient="index")
    return ScoreTable(table, pd.DataFrame(index=table.index), source, (f"flaw of {source}",))


def test_a_joined_table_keeps_the_first_value_and_says_who_gave_which() -> None:
    first = given("one", {"m-2B": {"x": 1.0, "y": np.nan}, "n": {"x": 2.0, "y": 3.0}})
    second = given("two", {"n": {"x": 2.0, "y": 4.0, "z": 9.0}, "m-4B": {"x": 5.0, "y": 6.0}})
    third = given("three", {"M_2b": {"x": 7.0}})
    found = join_scores([first, second, third], {"gone": "q", "n": "n"})
    assert found.scores.index.tolist() == ["m-2B", "n", "m-4B", "M_2b"]
    assert found.scores.columns.tolist() == ["x", "y", "z"]
    assert found.scores.loc["n"].tolist() == [2, 3, 9]
    assert found.scores.loc["m-4B", ["x", "y"]].tolist() == [5, 6]
    assert np.isnan(found.scores.loc["m-2B", "y"])
    assert found.sources == {
        "x": ("one", "two", "three"), "y": ("one", "two"), "z": ("two",)
    }  # fmt: skip
    assert found.conflicts == ("n, y: two says 4, kept 3",)
    assert found.unmatched == {"one": ("m-2B",), "two": ("m-4B",)}
    # The closest other name that has the same numbers.
    assert found.close == {"m-2B": "M_2b"}
    assert found.unused == ("gone",)
    assert found.flaws == ("flaw of one", "flaw of two", "flaw of three")
    with pytest.raises(ParameterError, match="no table to join"):
        join_scores([])


def test_tables_of_one_model_each_have_no_strangers() -> None:
    first, second = given("one", {"a": {"x": 1.0}}), given("two", {"b": {"x": 1.0}})
    assert join_scores([first, second]).unmatched == {}
    wide = given("three", {"a": {"x": 1.0}, "c": {"x": 2.0}})
    assert join_scores([first, second, wide]).unmatched == {}
    assert join_scores([wide, given("four", {"a": {"x": 1.0}, "d": {"x": 2.0}})]).unmatched == {
        "three": ("c",), "four": ("d",)
    }  # fmt: skip


def test_a_name_map_has_one_name_for_a_model_and_says_which_are_near(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text("model,as,match,board\na,A,exact,1\nb,B,approx,1\nc,,approx,1\nb,X,exact,2\n")
    found = read_names(path, {"board": "1", "absent": "z"})
    assert found.names == {"a": "A", "b": "B"}
    assert found.approximate == {"b"}
    with pytest.raises(ParameterError, match="calls 'b' both 'B' and 'X'; keep one row"):
        read_names(path)
    with pytest.raises(ParameterError, match=r"has board=3; there are 1, 2$"):
        read_names(path, {"board": "3"})
    path.write_text("model,their_model\na,A\na,A\n")
    assert read_names(path).names == {"a": "A"}
    assert read_names(path).approximate == frozenset()
    for text in ("model,x\na,A\n", "model,one_model,two_model\na,A,B\n"):
        path.write_text(text)
        with pytest.raises(ParameterError, match="needs the columns 'model' and 'as'"):
            read_names(path)


def written(path: Path, value: Any) -> Path:
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
        table = read_scores(written(tmp_path / "r.json", {"results": results, **more}))
        assert table.scores.index.tolist() == [name]
        assert table.scores.loc[name].to_dict() == {"t.acc": 1.0, "t.f1.strict": 0.5}
        assert table.flaws == ("t.ok: 'True' is not a number",)
    with pytest.raises(ParameterError, match="does not say whose results it holds"):
        read_scores(written(tmp_path / "r.json", {"results": results}))


def test_openvlms_values_are_numbers_or_named(tmp_path: Path) -> None:
    meta = {"Method": ["M", 1], "Org": "x"}
    board = {"results": {
        "m": {"META": meta, "B": {"Over All": 50, "deep": {"x y": 1.5}}, "C": "N/A"},
        "n": {"META": {}, "B": {"Over All": "bad", "flag": True}, "C": 3},
    }}  # fmt: skip
    table = read_scores(written(tmp_path / "b.json", board))
    assert table.scores.to_dict("index") == {
        "m": pytest.approx({"B.Over_All": 50, "B.deep.x_y": 1.5, "C": math.nan}, nan_ok=True),
        "n": pytest.approx({"B.Over_All": math.nan, "B.deep.x_y": math.nan, "C": 3}, nan_ok=True),
    }  # fmt: skip
    assert table.facts.loc["m"].to_dict() == {"Method": "M, 1", "Org": "x"}
    assert table.flaws == (
        "n, B.Over_All: 'bad' is not a number",
        "n, B.flag: 'True' is not a number",
    )


def test_a_map_of_names_needs_one_other_column(tmp_path: Path) -> None:
    path = written(tmp_path / "n.csv", "model,arena_model,match\na,A,exact\nb,,near\nc,C,near\n")
    found = read_names(path)
    assert found.names == {"a": "A", "c": "C"}
    assert found.approximate == {"c"}
    with pytest.raises(ParameterError, match="needs the columns 'model' and"):
        read_names(written(path, "model,x_model,y_model\na,b,c\n"))
    with pytest.raises(UnknownNameError, match="column of the name map"):
        read_names(written(path, "name,x_model\na,b\n"))
    with pytest.raises(ParameterError, match="calls 'a' both 'b' and 'c'"):
        read_names(written(path, "model,x_model\na,b\na,c\n"))
    both = written(path, "model,x_model,year\na,b,1\na,c,2\n")
    assert read_names(both, {"year": "2"}).names == {"a": "c"}
    assert read_names(written(path, "model,x_model\na,b\n"), {"year": "2"}).names == {"a": "b"}
    with pytest.raises(ParameterError, match="has year=3; there are"):
        read_names(written(path, "model,x_model,year\na,b,1\n"), {"year": "3"})

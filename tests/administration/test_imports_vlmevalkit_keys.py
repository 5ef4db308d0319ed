"""Keys, options and labels of VLMEvalKit's data sets, read alike by `build` and by `import`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.releases import base64_png, write_tsv
from support.vlmevalkit import imported, predictions, row, write

from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.benchmarks import build
from gfactor.items import ItemBank
from gfactor.scoring import scored

NO_OPTIONS: dict[str, Any] = {"A": None, "B": None}


def test_a_key_that_is_a_list_has_alternatives(tmp_path: Path) -> None:
    asked = [
        row(1, "24/7", answer="['24/7', '3.429']", **NO_OPTIONS),
        row(2, "3.429", answer="['24/7', '3.429']", **NO_OPTIONS),
        row(3, "Center", answer="CENTRE<OR>Center", **NO_OPTIONS),
        row(4, "[1, 2", answer="[1, 2", **NO_OPTIONS),
    ]
    _, journal = imported(predictions(tmp_path, asked, "xlsx"))
    table = scored(journal)
    assert table["correct"].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_options_in_one_column_are_options(tmp_path: Path) -> None:
    shown = {"choices": "['135°', '145°']", **NO_OPTIONS}
    asked = [
        row(1, "B", answer="145°", answer_option="B", **shown),
        row(2, "135°", answer="145°", answer_option="B", **shown),
        row(3, "1.2", answer=1.2, answer_option=None, **{**shown, "choices": None}),
    ]
    _, journal = imported(predictions(tmp_path, asked, "xlsx"))
    table = scored(journal).set_index("item_id")
    assert table["answer_type"].tolist() == ["choice", "choice", "blanks"]
    assert table["correct"].tolist() == [1.0, 0.0, 1.0]


@pytest.mark.thorough
def test_an_option_whose_text_the_harness_lost_keeps_its_label(tmp_path: Path) -> None:
    """VLMEvalKit reads the option "None" as an empty cell, and its key names it all the same."""
    asked = [
        row(1, "C", C=None, D=None, answer="C"),
        row(2, "C", B=None, C="cow", answer="C"),
    ]
    result, journal = imported(predictions(tmp_path, asked))
    assert result.flaws == ()
    assert list(journal.items()["choices"]) == [
        [["A", "cat"], ["B", "dog"], ["C", ""]],
        [["A", "cat"], ["B", ""], ["C", "cow"]],
    ]
    assert scored(journal)["correct"].tolist() == [1.0, 1.0]


ROWS: dict[str, dict[str, Any]] = {
    "choices": {"choices": "['35°', '145°']", "answer": "145°", "answer_option": "B"},
    "parts": {"answer": "x=1<AND>x=2"},
    "parts with alternatives": {"answer": "man<OR>person<AND>boat"},
    "alternatives": {"answer": "dog<OR>puppy"},
    "numbers": {"answer": "[0.5, 2.0]"},
    "texts": {"answer": "['24/7', '3.43']"},
    "yes": {"answer": "yes"},
    "letter": {"answer": "C"},
    "several": {"A": "cat", "B": "dog", "C": "cow", "answer": "AC"},
    "lower case": {"A": "cat", "B": "dog", "answer": "b"},
}
READ = {
    "choices": ("choice", "B", (), ["A", "B"]),
    "parts": ("blanks", ("x=1", "x=2"), (), []),
    "parts with alternatives": ("blanks", ("man", "boat"), (("person", "boat"),), []),
    "alternatives": ("blanks", ("dog",), (("puppy",),), []),
    "numbers": ("blanks", ("[0.5, 2.0]",), (), []),
    "texts": ("blanks", ("24/7",), (("3.43",),), []),
    "yes": ("choice", "Yes", (), ["Yes", "No"]),
    "letter": ("choice", "C", (), ["A", "B", "C", "D"]),
    "several": ("choices", ("A", "C"), (), ["A", "B", "C"]),
    "lower case": ("choice", "B", (), ["A", "B"]),
}


@pytest.mark.parametrize("name", ROWS)
def test_build_and_import_read_a_key_alike(name: str, tmp_path: Path) -> None:
    asked = {"index": 1, "question": "What?", "category": "x", **ROWS[name]}
    data = write_tsv(tmp_path / "MySet.tsv", [{**asked, "image": base64_png(1)}])
    built = build("vlmevalkit", tmp_path / "bank.parquet", source=str(data))
    (item,) = ItemBank.open(built.path, decode=True)
    path = write(tmp_path / "M" / "M_MySet.tsv", [{**asked, "prediction": "?"}])
    _, journal = imported(path)
    (told,) = journal.items().to_dict("records")
    labels = [choice.label for choice in item.choices]
    kind, target, accepted, choices = READ[name]
    assert (item.answer_type, item.target, item.accepted, labels) == (
        kind, target, accepted, choices,
    )  # fmt: skip
    assert told["answer_type"] == kind
    assert json.loads(told["target"]) == json.loads(json.dumps(target))
    assert [json.loads(text) for text in told["accepted"]] == [list(a) for a in accepted]
    assert [label for label, _ in told["choices"]] == choices
    assert (told["id"], told["benchmark"], told["domain"]) == (
        item.id, item.benchmark, item.labels["domain"],
    )  # fmt: skip


@pytest.mark.thorough
def test_every_column_of_a_data_set_is_kept_as_a_label(tmp_path: Path) -> None:
    facts = {"set_id": "0", "figure_id": "1", "visual_input": "2", "image_path": "OCR/1.png",
             "L2-category": "map", "language": "english", "image_type": "['Map']"}  # fmt: skip
    asked = {"index": 1, "question": "Is it?", "answer": "Yes", "category": "VS", **facts}
    data = write_tsv(tmp_path / "HallusionBench.tsv", [{**asked, "image": base64_png(1)}])
    built = build("vlmevalkit", tmp_path / "bank.parquet", source=str(data))
    (item,) = ItemBank.open(built.path)
    _, journal = imported(
        write(tmp_path / "M" / "M_HallusionBench.tsv", [{**asked, "prediction": "Yes"}])
    )
    (told,) = journal.items().to_dict("records")
    kept = {"set_id": "0", "figure_id": "1", "visual_input": "2", "image_path": "OCR/1.png",
            "l2_category": "map", "given_language": "english", "given_image_type": "['Map']",
            "category": "VS", "domain": "vs"}  # fmt: skip
    assert {name: item.labels[name] for name in kept} == kept
    assert {name: told[name] for name in kept} == kept
    assert item.labels["image_type"] == "SI"


def test_files_made_of_predictions_are_no_data_sets(tmp_path: Path) -> None:
    for name in ("results", "exact_matching_result", "cotpost", "cotpost_exact_matching_result"):
        path = write(tmp_path / "GPT_4o" / f"GPT_4o_ChartQA_TEST_{name}.xlsx", [row(1)])
        result, journal = imported(path)
        assert (result.items, result.added, result.verdicts) == (0, 0, 0)
        assert result.left_out == "it is made of a file of predictions; import that one"
        assert result.flaws == ()
        assert journal.items().empty


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "more", "judge"),
    [
        ("MMVet_gpt-4o-mini", {"score": 0.5, "log": "Succeed"}, "gpt-4o-mini"),
        ("MMStar_gpt-4o-mini_result", {"hit": 1, "log": "Match Log: B. "}, "gpt-4o-mini"),
        ("MathVista_MINI_gpt-4o", {"res": "4", "log": "Succeed"}, "gpt-4o"),
        ("MME_auxmatch", {"extracted": "Yes", "score": True}, "auxmatch"),
    ],
)
def test_a_judges_file_gives_verdicts_and_no_items(
    name: str, more: dict[str, Any], judge: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "GPT_4o" / f"GPT_4o_{name}.xlsx", [row(1, **more), row(2, **more)])
    result, journal = imported(path)
    assert (result.items, result.added, result.verdicts, result.flaws) == (0, 0, 2, ())
    kept = journal.responses()
    assert set(kept["examinee"]) == {f"vlmevalkit-judge:{judge}"}
    assert set(kept["condition"]) == {"judge"}
    assert imported(path)[0].verdicts == 0


@pytest.mark.thorough
def test_predictions_in_json_are_read_like_a_table(tmp_path: Path) -> None:
    asked = [row(1), row(2, "Failed to obtain answer via API.", C=float("nan")), row(3, None)]
    path = tmp_path / "GPT_4o" / "GPT_4o_MMBench_DEV_EN.json"
    path.parent.mkdir()
    pd.DataFrame(asked).to_json(path, orient="records")
    result, journal = imported(path)
    assert (result.items, result.added, result.failed, result.flaws) == (3, 2, 1, ())
    assert list(journal.responses()["outcome"]) == ["ok", "empty"]
    from_table, _ = imported(predictions(tmp_path, asked, "xlsx"))
    assert from_table.known == 3


@pytest.mark.thorough
def test_escaped_control_characters_of_a_workbook_are_what_they_stand_for(tmp_path: Path) -> None:
    asked = [
        row(1, "- big_x000D_\n_x000D_\nB"),
        row(2, "_x0041_ B"),
        row(3, "🐶 B"),
        row(4, r"\frac { 1 } { 2 }", answer=r"\frac{1}{2}", **NO_OPTIONS),
    ]
    _, journal = imported(predictions(tmp_path, asked, "xlsx"))
    texts = ["- big\r\n\r\nB", "_x0041_ B", "🐶 B", r"\frac { 1 } { 2 }"]
    assert journal.responses()["text"].tolist() == texts
    assert scored(journal)["correct"].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_a_fuller_file_completes_a_reply_that_the_workbook_cut_off(tmp_path: Path) -> None:
    long = "A closer look is needed. " * 1_400
    whole = [row(1, f"{long}\n\nAnswer: B"), row(2, "B"), row(3, f"Other. {long}")]
    journal = Journal.open(tmp_path / "c.db")
    cut = [row(1, whole[0]["prediction"][:32_767]), row(2, "A"), row(3, "x" * 32_767)]
    first = import_file("vlmevalkit", predictions(tmp_path, cut, "xlsx"), journal)
    assert (first.added, first.completed) == (3, 0)
    assert scored(journal)["correct"].tolist() == [0.0, 0.0, 0.0]
    fuller = predictions(tmp_path, whole, "tsv")
    second = import_file("vlmevalkit", fuller, journal)
    assert (second.added, second.known, second.completed) == (0, 1, 1)
    kept = journal.responses().set_index("item_hash")
    texts = [str(text) for text in journal.responses()["text"]]
    assert len(kept) == 3
    assert whole[0]["prediction"] in texts
    # What is no beginning of the fuller reply stays as it was: it may be of another run.
    assert {"A", "x" * 32_767} <= set(texts)
    assert sum(scored(journal)["correct"]) == 1.0
    assert import_file("vlmevalkit", fuller, journal).completed == 0

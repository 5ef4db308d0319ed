"""Importing prediction files of VLMEvalKit."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.vlmevalkit import imported, predictions, row, write

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.api.scores.importing import import_logs
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.scoring import scored

FAILED = "Failed to obtain answer via API."


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["xlsx", "tsv", "csv"])
def test_every_kind_of_table_gives_the_same(kind: str, tmp_path: Path) -> None:
    asked = [row(1), row(2, "line\nbreak, \t and \"quotes\"", answer="A", hint="None"),
             row(3, FAILED)]  # fmt: skip
    result, journal = imported(predictions(tmp_path, asked, kind))
    assert (result.items, result.added, result.failed, result.flaws) == (3, 2, 1, ())
    assert result.examinees == ("vlmevalkit:GPT_4o",)
    items = journal.items().set_index("id")
    assert items["target"].to_dict()["MMBench_DEV_EN/2"] == '"A"'
    assert set(items["l2_category"]) == {"perception"}
    assert set(items["split"]) == {"dev"}
    assert set(items["domain"]) == {"animals"}
    assert set(journal.responses()["text"]) == {"B", 'line\nbreak, \t and "quotes"'}
    assert set(journal.responses()["condition"]) == {"pack=vlmevalkit"}


def test_a_call_that_failed_is_missing_and_no_answer(tmp_path: Path) -> None:
    skipped = "Failed to obtain answer: <class 'RuntimeError'> CUDA out of memory"
    result, journal = imported(predictions(tmp_path, [row(1, FAILED), row(2, skipped), row(3)]))
    assert (result.added, result.failed) == (1, 2)
    assert set(journal.failures()["outcome"]) == {"transport_error"}
    assert set(journal.failures()["detail"]) == {FAILED, skipped}


def test_an_empty_prediction_is_empty(tmp_path: Path) -> None:
    _, journal = imported(predictions(tmp_path, [row(1, None)]))
    assert list(journal.responses()["outcome"]) == ["empty"]


def test_a_prediction_that_fills_a_cell_of_a_workbook_was_truncated(tmp_path: Path) -> None:
    long = "x" * 32_767
    _, journal = imported(predictions(tmp_path, [row(1, long)], "xlsx"))
    assert list(journal.responses()["outcome"]) == ["truncated"]


def test_thinking_is_kept_apart(tmp_path: Path) -> None:
    _, journal = imported(predictions(tmp_path, [row(1, thinking="A cat? No.")]))
    assert list(journal.responses()["reasoning"]) == ["A cat? No."]


@pytest.mark.thorough
def test_words_that_look_like_missing_values_stay_words(tmp_path: Path) -> None:
    rows = [row(1, "NA", A="None", B="nan", C="N/A", answer="C")]
    _, journal = imported(predictions(tmp_path, rows, "xlsx"))
    assert list(journal.responses()["text"]) == ["NA"]
    assert list(journal.items()["target"]) == ['"C"']


def test_a_circular_set_is_items_of_their_own_with_a_label(tmp_path: Path) -> None:
    rows = [row(7), row(1_000_007, A="dog", B="cat", answer="A"), row(8)]
    result, journal = imported(predictions(tmp_path, rows, "xlsx"))
    assert result.items == 3
    items = journal.items().set_index("id")
    circular = items.loc[["MMBench_DEV_EN/7", "MMBench_DEV_EN/1000007"]]
    assert [int(k) for k in circular["circular"]] == [0, 1]
    assert list(circular["circular_set"]) == ["7", "7"]
    assert list(circular["target"]) == ['"B"', '"A"']
    assert circular["content_hash"].nunique() == 2


def test_a_large_index_alone_is_not_circular(tmp_path: Path) -> None:
    _, journal = imported(predictions(tmp_path, [row(3_000_007), row(8)]))
    assert "circular" not in journal.items()


@pytest.mark.thorough
def test_two_models_answer_the_same_items(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "c.db")
    for model in ("GPT_4o", "Qwen"):
        path = write(tmp_path / model / f"{model}_MMStar.xlsx", [row(1), row(2)])
        import_file("vlmevalkit", path, journal)
    assert len(journal.items()) == 2
    assert journal.examinees() == ["vlmevalkit:GPT_4o", "vlmevalkit:Qwen"]
    assert len(journal.administered()) == 4


def test_a_run_folder_between_model_and_file_is_seen_through(tmp_path: Path) -> None:
    path = write(tmp_path / "GPT_4o" / "T20261121_Gab12" / "GPT_4o_MMStar.tsv", [row(1)])
    result, _ = imported(path)
    assert result.examinees == ("vlmevalkit:GPT_4o",)


def test_where_no_folder_tells_the_model_the_user_is_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "GPT_4o_MMBench.tsv", [row(1)])
    with pytest.raises(ParameterError, match="--examinee"):
        imported(path)
    result, journal = imported(path, examinee="GPT_4o")
    assert result.examinees == ("GPT_4o",)
    assert list(journal.items()["benchmark"]) == ["mmbench"]


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
            return Path.touch, (tmp_path / "sprung",)

    path = tmp_path / "GPT_4o_MMBench.pkl"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ParameterError, match="pickle"):
        imported(path)
    assert not (tmp_path / "sprung").exists()


FLAWED = {
    "it has no key": row(1, answer=None),
    "is not among its options": row(1, answer="E"),
    "it has no index": row(None),
    "was there before": row(2),
}


@pytest.mark.thorough
@pytest.mark.parametrize("words", FLAWED)
@pytest.mark.parametrize("kind", ["tsv", "xlsx"])
def test_a_row_that_cannot_be_used_is_told_with_file_and_row(
    words: str, kind: str, tmp_path: Path
) -> None:
    result, journal = imported(predictions(tmp_path, [row(2), FLAWED[words], row(3)], kind))
    (flaw,) = result.flaws
    assert flaw.startswith(f"GPT_4o_MMBench_DEV_EN.{kind}, data row 2: ")
    assert words in flaw
    assert len(journal.responses()) == 2


def test_a_row_with_too_many_cells_is_told_and_the_others_keep_their_numbers(
    tmp_path: Path,
) -> None:
    path = predictions(tmp_path, [row(1), row(2), row(3, answer=None)])
    lines = path.read_text().splitlines()
    lines.insert(2, "\t".join("abcdefghijklmnop"))
    path.write_text("\n".join(lines))
    result, journal = imported(path)
    rows = sorted(flaw.split(": ")[0].split(", ")[1] for flaw in result.flaws)
    assert rows == ["data row 2", "data row 4"]
    assert len(journal.responses()) == 2


@pytest.mark.parametrize("kind", ["xlsx", "tsv", "csv", "json"])
def test_what_is_no_prediction_file_is_one_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "M" / f"M_MMBench.{kind}"
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00 no table")
    with pytest.raises(ParameterError, match=path.name):
        imported(path)


def test_a_missing_column_is_named_beside_those_that_are_there(tmp_path: Path) -> None:
    rows = [{"index": 1, "answer": "A", "response": "B"}]
    words = r"has the columns index, answer, response; call the one with the model's replies 'pred"
    with pytest.raises(ParameterError, match=words):
        imported(write(tmp_path / "M" / "M_MMBench.tsv", rows))


@pytest.mark.parametrize("kind", ["tsv", "csv"])
@pytest.mark.parametrize("column", ["question", "問題文"])
def test_a_table_in_another_encoding_is_told_how_to_save_it(
    kind: str, column: str, tmp_path: Path
) -> None:
    path = predictions(tmp_path, [row(1, "日本", **{column: "日本"})], kind)
    path.write_bytes(path.read_text().encode("gb18030"))
    with pytest.raises(
        ParameterError, match=r"not text in UTF-8; save it as UTF-8, as with `iconv"
    ):
        imported(path)


def test_of_two_rows_with_one_index_the_first_counts(tmp_path: Path) -> None:
    result, journal = imported(predictions(tmp_path, [row(1, "A"), row(1, "B")]))
    assert "its first row counts" in result.flaws[0]
    assert list(journal.responses()["text"]) == ["A"]


def test_predictions_as_lines_of_json_are_found_in_a_folder(tmp_path: Path) -> None:
    lines = [json.dumps(row(number)) for number in (1, 2)]
    path = tmp_path / "outputs" / "GPT_4o" / "GPT_4o_MMStar.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    done = import_logs("vlmevalkit", tmp_path / "outputs", journal=tmp_path / "c.db")
    assert [(file.added, file.examinees) for file in done.files] == [(2, ("vlmevalkit:GPT_4o",))]


def test_a_missing_library_is_told_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = predictions(tmp_path, [row(1)], "xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"gfactor\[imports\]"):
        imported(path)


ANSWERS = {
    "Yes": ("choice", '"Yes"'),
    "no": ("choice", '"No"'),
    "B": ("choice", '"B"'),
    "3.14": ("blanks", '["3.14"]'),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_items_without_options_get_the_answer_type_of_their_key(
    answer: str, tmp_path: Path
) -> None:
    asked = row(1, A=None, B=None, answer=answer)
    _, journal = imported(predictions(tmp_path, [asked], "tsv"))
    (item,) = journal.items().to_dict("records")
    assert (item["answer_type"], item["target"]) == ANSWERS[answer]


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    path = predictions(tmp_path, [row(1), row(2, FAILED)])
    imported(path)
    result, journal = imported(path)
    assert (result.added, result.failed, result.known) == (0, 0, 2)
    assert len(journal.failures()) == 1
    assert len(journal.meta()["campaigns"]) == 1


@pytest.mark.slow
def test_a_reply_of_ten_megabytes_is_read_from_a_table_of_texts(tmp_path: Path) -> None:
    _, journal = imported(predictions(tmp_path, [row(1, "x" * 10_000_000)]))
    assert len(journal.responses()["text"][0]) == 10_000_000


def test_imported_answers_are_scored_by_our_rules(tmp_path: Path) -> None:
    rows = [
        row(1, "The answer is (B)."),
        row(2, "A"),
        row(3, FAILED),
        row(4, "It is a dog."),
        row(5, "Yes, there is one.", A=None, B=None, answer="Yes"),
        row(6, "The answer is 12.", A=None, B=None, answer="12"),
    ]
    _, journal = imported(predictions(tmp_path, rows, "xlsx"))
    table = scored(journal)
    correct = {str(r["item_id"])[-1]: r["correct"] for r in table.to_dict("records")}
    assert math.isnan(correct.pop("3"))
    assert correct == {"1": 1, "2": 0, "4": 1, "5": 1, "6": 1}


@pytest.mark.thorough
def test_with_the_bank_replies_are_answers_to_its_items_beside_those_of_a_run(
    tmp_path: Path,
) -> None:
    rows = [row(1, "A"), row(2, "B"), row(3, "B", answer="A"), row(9, "B")]
    table = [{k: v for k, v in row(n).items() if k != "prediction"} for n in (1, 2, 3)]
    source = write(tmp_path / "MMBench_DEV_EN.tsv", table)
    bank = gf.build("vlmevalkit", source=source, path=tmp_path / "bank.parquet")
    gf.run(bank, ["baseline:constant"], journal=tmp_path / "c.db").close()
    done = gf.import_logs("vlmevalkit", predictions(tmp_path, rows), journal=tmp_path / "c.db",
                          condition="default", bank=bank)  # fmt: skip
    assert [flaw.split(": ", 1)[1] for flaw in done.flaws] == [
        "1 answer to items that the bank does not have, the first 'MMBench_DEV_EN/9', "
        "while ids of the bank are such as 'MMBench_DEV_EN/1', and no item of the bank has the "
        "number and the question of that one; if they mean the same items, write the bank's ids "
        "and the replies into a table, and use `gfactor import replies`",
        "1 answer to items that have another key in the bank, the first 'MMBench_DEV_EN/3'; correct"
        " the key that is wrong, or have the bank's keys count with --replace-keys",
    ]
    table = gf.compare(tmp_path / "c.db").differences
    assert table["n"].tolist() == [2]

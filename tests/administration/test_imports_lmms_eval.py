"""Importing sample logs of lmms-eval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.logs import lines

from gfactor.administration import Journal
from gfactor.administration.imports import ImportResult, import_file
from gfactor.errors import ParameterError

PROMPT = "Which animal is it?\nA. cat\nB. dog\nAnswer with the option's letter."


def sample(number: int = 0, said: Any = "B", **changed: Any) -> dict[str, Any]:
    """A line as lmms-eval writes it: `resps` is left out where the filter kept the response."""
    fields = {
        "doc_id": number,
        "target": "B",
        "filtered_resps": [said],
        "token_counts": [{"input_tokens": 20, "output_tokens": 3, "reasoning_tokens": None}],
        "doc_hash": f"hash-{number}",
        "gpt_eval_score": {"category": "animals", "L2-category": "perception", "split": "dev"},
        "input": PROMPT,
    }
    return {**fields, **changed}


def imported(folder: Path, samples: list[Any], **options: Any) -> tuple[ImportResult, Journal]:
    path = lines(
        folder / "openai__gpt-4o" / "20261121_033429_samples_mmbench_en_dev.jsonl", samples
    )
    journal = Journal.open(folder / "c.db")
    return import_file("lmms-eval", path, journal, **options), journal


def test_items_answers_usage_and_labels_are_read(tmp_path: Path) -> None:
    result, journal = imported(tmp_path, [sample(0), sample(1, "A")])
    assert (result.items, result.added, result.flaws) == (2, 2, ())
    assert result.examinees == ("lmms-eval:openai__gpt-4o",)
    items, rows = journal.items(), journal.responses()
    assert set(items["id"]) == {"mmbench_en_dev/0", "mmbench_en_dev/1"}
    assert set(items["answer_type"]) == {"choice"}
    assert set(items["target"]) == {'"B"'}
    assert set(items["category"]) == {"animals"}
    assert set(items["l2-category"]) == {"perception"}
    assert set(items["split"]) == {"dev"}
    assert set(rows["text"]) == {"A", "B"}
    assert json.loads(next(iter(rows["tokens"]))) == {"prompt_tokens": 20, "completion_tokens": 3}
    assert set(rows["created"]) == {"2026-11-21T03:34:29.000+00:00"}
    assert set(rows["condition"]) == {"pack=lmms-eval"}


def test_the_results_beside_the_file_tell_the_models_full_name(tmp_path: Path) -> None:
    folder = tmp_path / "openai__gpt-4o"
    folder.mkdir()
    (folder / "20261121_033429_results.json").write_text('{"model_name": "openai/gpt-4o"}')
    result, _ = imported(tmp_path, [sample()])
    assert result.examinees == ("lmms-eval:openai/gpt-4o",)


def test_the_unfiltered_response_counts_where_a_filter_changed_it(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [sample(0, "B", resps=[["I say B."]])])
    assert list(journal.responses()["text"]) == ["I say B."]


def test_several_responses_are_several_occasions(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [sample(0, resps=[["A", "B", ""]])])
    rows = journal.responses()
    assert list(rows["occasion"]) == [0, 1, 2]
    assert list(rows["outcome"]) == ["ok", "ok", "empty"]


def test_a_line_that_two_filters_wrote_twice_counts_once(tmp_path: Path) -> None:
    said = sample(0, resps=[["B"]])
    result, journal = imported(tmp_path, [said, {**said, "filtered_resps": ["[invalid]"]}])
    assert (result.added, len(journal.responses())) == (1, 1)


def test_documents_with_the_same_prompt_stay_apart(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [sample(0), sample(1)])
    assert len(set(journal.items()["content_hash"])) == 2


def test_a_prompt_in_other_words_is_the_same_item(tmp_path: Path) -> None:
    _, one = imported(tmp_path / "a", [sample(0)])
    _, other = imported(tmp_path / "b", [sample(0, input=PROMPT + " Be brief.")])
    assert list(one.items()["content_hash"]) == list(other.items()["content_hash"])


KEYS = {
    "Yes": ("choice", '"Yes"', "[]"),
    "['7', 'seven']": ("blanks", '["7"]', '[["seven"]]'),
    "42": ("blanks", '["42"]', "[]"),
}


@pytest.mark.parametrize("target", KEYS)
def test_keys_without_options_are_read_as_lmms_eval_writes_them(
    target: str, tmp_path: Path
) -> None:
    _, journal = imported(tmp_path, [sample(0, target=target, input="How many?")])
    (item,) = journal.items().to_dict("records")
    kind, right, others = KEYS[target]
    assert (item["answer_type"], item["target"]) == (kind, right)
    assert json.loads(others) == [json.loads(a) for a in item["accepted"]]


FLAWED = {
    "Expecting": "{broken",
    "it is no object": "[1]",
    "it has no doc_id": {"target": "B"},
    "it has no key": sample(1, target="None"),
    "is not among its options": sample(1, target="7"),
    "no generated text": sample(1, filtered_resps=[[-1.5, False]]),
}


@pytest.mark.parametrize("words", FLAWED)
def test_a_row_that_cannot_be_used_is_told_with_file_and_row(words: str, tmp_path: Path) -> None:
    result, journal = imported(tmp_path, [sample(0), FLAWED[words], sample(2)])
    (flaw,) = result.flaws
    assert flaw.startswith("20261121_033429_samples_mmbench_en_dev.jsonl, row 2: ")
    assert words in flaw
    assert len(journal.responses()) == 2


def test_a_file_of_another_name_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = lines(tmp_path / "answers.jsonl", [sample()])
    with pytest.raises(ParameterError, match=r"DATE_samples_TASK\.jsonl"):
        import_file("lmms-eval", path, Journal.open(tmp_path / "c.db"))


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    imported(tmp_path, [sample(0), sample(1, "")])
    result, journal = imported(tmp_path, [sample(0), sample(1, "")])
    assert (result.added, result.known) == (0, 2)
    assert len(journal.meta()["campaigns"]) == 1


def test_columns_of_options_that_a_question_lacks_are_no_options(tmp_path: Path) -> None:
    document = {"A": "cat", "B": "dog", "C": "nan", "D": "nan"}
    _, journal = imported(tmp_path, [sample(doc=document)])
    assert journal.items()["choices"].tolist() == [[["A", "cat"], ["B", "dog"]]]


def test_the_prompt_is_found_in_arguments_by_name_too(tmp_path: Path) -> None:
    asked = sample(arguments={"gen_args_0": {"arg_0": "What?\nA. cat\nB. dog", "arg_1": {}}})
    del asked["input"]
    _, journal = imported(tmp_path, [asked])
    assert journal.items()["question"].tolist() == ["What?\nA. cat\nB. dog"]

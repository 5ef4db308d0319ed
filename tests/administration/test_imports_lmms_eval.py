"""Importing sample logs of lmms-eval."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from support.banks import picture
from support.logs import lines

import gfactor as gf
from gfactor.administration import Journal
from gfactor.administration.imports import ImportResult, import_file
from gfactor.errors import ParameterError
from gfactor.imaging import encode_png
from gfactor.items import Image
from gfactor.scoring import scored

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
    "it is not an object": "[1]",
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


def media(shade: int) -> str:
    return f"data:image/png;base64,{base64.b64encode(encode_png(picture(shade))).decode()}"


def test_input_media_are_the_images_of_the_item(tmp_path: Path) -> None:
    _, journal = imported(tmp_path, [sample(0, input_media=[media(3), media(9)])])
    (shown,) = journal.samples()
    *images, text = shown.content
    assert text == PROMPT
    pixels = [part.decode()[0, 0].tolist() for part in images if isinstance(part, Image)]
    assert pixels == [picture(shade)[0, 0].tolist() for shade in (3, 9)]


def test_an_image_stands_where_the_prompt_has_its_mark(tmp_path: Path) -> None:
    prompt = "Compare <image 1> with <image 2> please."
    said = sample(0, input=prompt, input_media=[media(3), media(9)], target="yes")
    _, journal = imported(tmp_path, [said])
    (shown,) = journal.samples()
    kinds = [part if isinstance(part, str) else "image" for part in shown.content]
    assert kinds == ["Compare", "image", "with", "image", "please."]


def test_the_same_document_hash_with_other_images_is_another_item(tmp_path: Path) -> None:
    # Some tasks give all documents one hash.
    said = [sample(0, doc_hash="h", input_media=[media(3)]), sample(1, doc_hash="h")]
    imported(tmp_path, said)
    result, journal = imported(tmp_path, [sample(0, doc_hash="h", input_media=[media(4)])])
    assert (result.added, result.known) == (1, 0)
    assert len(set(journal.items()["content_hash"])) == 3


def test_media_that_are_no_images_leave_a_word(tmp_path: Path) -> None:
    said = sample(0, input_media=["data:video/mp4;base64,AAAA", "clip.mp4", 7])
    _, journal = imported(tmp_path, [said])
    (shown,) = journal.samples()
    assert shown.content == ("[image: data:video/mp4;base64,AAAA]", "[image: clip.mp4]", PROMPT)


def test_a_request_that_failed_is_a_failed_attempt(tmp_path: Path) -> None:
    marked = "[LMMS_EVAL_REQUEST_FAILED after 2 retries] Error code: 500 - boom"
    late = "[LMMS_EVAL_REQUEST_FAILED] Request timed out."
    result, journal = imported(tmp_path, [sample(0, marked), sample(1, late), sample(2)])
    assert (result.added, result.failed) == (1, 2)
    failures = journal.failures()
    assert set(failures["outcome"]) == {"transport_error", "timeout"}
    assert marked in set(failures["detail"])


REAL = Path(__file__).parents[3] / "shared" / "data" / "real_logs"
COLORS = {"red": (255, 0, 0), "green": (0, 160, 0), "blue": (0, 0, 255), "black": (0, 0, 0)}


@pytest.mark.thorough
@pytest.mark.skipif(not REAL.exists(), reason="no real logs beside the checkout")
def test_what_lmms_eval_itself_wrote_is_read_completely(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        found = {
            path.name.split("_my_")[1][:-6]: import_file("lmms-eval", path, journal)
            for path in (REAL / "lmms_eval").glob("*_samples_*.jsonl")
        }
        table = scored(journal)
        shown = {s.task: s for s in journal.samples()}
    assert {name: (r.items, r.added, r.failed, r.flaws) for name, r in found.items()} == {
        "mc": (40, 38, 2, ()), "vqa": (20, 20, 0, ()), "yn": (40, 40, 0, ()),
    }  # fmt: skip
    right: Any = table.groupby("benchmark")["correct_lenient"].sum()
    # By hand: 18 texts of right options; yes and no as lmms-eval itself counts them (0.35 of 40).
    assert right.to_dict() == {"my_mc": 18, "my_vqa": 0, "my_yn": 14}
    for task, said in shown.items():
        (picture_,) = said.images
        assert picture_.decode().shape == (32, 32, 3), task


@pytest.mark.skipif(not REAL.exists(), reason="no real logs beside the checkout")
def test_what_inspect_itself_wrote_is_read_completely(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "c.db") as journal:
        results = [import_file("inspect", p, journal) for p in sorted((REAL / "inspect").iterdir())]
        items, shown = journal.items(), journal.samples()
        conditions = set(journal.responses()["condition"])
    assert [(r.items, r.added, r.failed, r.flaws) for r in results] == [
        (40, 80, 0, ()), (12, 12, 0, ()), (6, 6, 0, ()),
    ]  # fmt: skip
    assert {"default", "images=removed"} < conditions
    assert all(said.images for said in shown)
    own: Any = items[items["benchmark"] == "colours"]
    assert set(own["target"]) == {'"A"', '"B"', '"C"', '"D"'}
    for said in shown:
        if said.benchmark == "colours":
            (row,) = own[own["id"] == said.item_id].to_dict("records")
            right = dict(map(tuple, row["choices"]))[json.loads(row["target"])]
            color = said.images[0].decode()[4, 4].astype(int)
            assert max(abs(color - COLORS[right])) < 100, (right, color)


def test_a_folder_none_of_whose_answers_fits_the_bank_says_why(tmp_path: Path) -> None:
    lines(tmp_path / "org__m" / "20261121_033429_samples_animals.jsonl", [sample(0)])
    source = lines(tmp_path / "Animals.jsonl", [{"id": "0", "question": "Which?", "answer": "cat"}])
    bank = gf.build("vlmevalkit", source=source, path=tmp_path / "bank.parquet")
    with pytest.raises(ParameterError) as raised:
        gf.import_logs("lmms-eval", tmp_path / "org__m", journal=tmp_path / "c.db", bank=bank)
    assert str(raised.value) == (
        "nothing was imported; 20261121_033429_samples_animals.jsonl: 1 answer to items that the "
        "bank does not have, the first 'animals/0', while ids of the bank are such as 'Animals/0', "
        "and no item of the bank has the number and the question of that one; if they mean "
        "the same items, write the bank's ids and the replies into a table, and use "
        "`gfactor import replies`"
    )

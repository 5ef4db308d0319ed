"""Importing logs of Inspect: what is asked, what was answered, what went wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.logs import (
    PNG,
    eval_log,
    header,
    json_log,
    output,
    sample,
    zip_with_zstandard,
)

from gfactor.administration import Journal
from gfactor.administration.imports import import_file
from gfactor.errors import MissingExtraError, ParameterError, UnknownNameError
from gfactor.items import Image

WRITERS = {"eval": eval_log, "json": json_log}


def imported(path: Path, **options: Any) -> tuple[Any, Journal]:
    journal = Journal.open(path.parent / "c.db")
    return import_file("inspect", path, journal, **options), journal


@pytest.mark.thorough
@pytest.mark.parametrize("kind", WRITERS)
def test_both_kinds_of_log_give_the_same_items_and_answers(kind: str, tmp_path: Path) -> None:
    samples = [sample(1), sample("q/2 ü"), sample(1, epoch=2)]
    result, journal = imported(WRITERS[kind](tmp_path / f"a.{kind}", samples))
    assert (result.items, result.added, result.failed, result.flaws) == (2, 3, 0, ())
    items, rows = journal.items(), journal.responses()
    assert set(items["id"]) == {"toy/1", "toy/q/2 ü"}
    assert set(items["answer_type"]) == {"choice"}
    assert set(items["target"]) == {'"B"'}
    assert set(items["category"]) == {"animals"}
    assert "weight" not in items
    assert set(rows["examinee"]) == {"inspect:openai/gpt-4o"}
    assert sorted(rows["occasion"]) == [0, 0, 1]
    assert set(rows["text"]) == {"ANSWER: B"}
    assert set(rows["latency_s"]) == {0.5}
    assert set(rows["created"]) == {"2026-11-21T03:34:29.857+00:00"}
    assert json.loads(next(iter(rows["tokens"]))) == {
        "prompt_tokens": 15, "completion_tokens": 2, "total_tokens": 17, "reasoning_tokens": 1,
    }  # fmt: skip
    assert len(set(journal.administered()["id"])) == 2


def test_the_images_of_a_log_are_kept_with_the_sample_of_the_task(tmp_path: Path) -> None:
    _, journal = imported(eval_log(tmp_path / "a.eval", [sample()]))
    (shown,) = journal.samples()
    assert [s.data for s in shown.content if isinstance(s, Image)] == [PNG]
    assert shown.task == "animals"


OUTCOMES = {
    "ok": output("B"),
    "truncated": output("Let me", "max_tokens"),
    "empty": output("  "),
    "content_filter": output("", "content_filter"),
    "refusal": output("I will not.", "content_filter", stop_details={"type": "refusal"}),
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_reasons_to_stop_become_our_outcomes(outcome: str, tmp_path: Path) -> None:
    _, journal = imported(eval_log(tmp_path / "a.eval", [sample(1, OUTCOMES[outcome])]))
    assert list(journal.responses()["outcome"]) == [outcome]


FAILURES = {
    "Connection reset by peer": "transport_error",
    "RateLimitError(429)": "transport_error",
    "TimeoutError()": "timeout",
    "KeyError('x')": "protocol_error",
}


@pytest.mark.thorough
@pytest.mark.parametrize("message", FAILURES)
def test_an_error_is_a_failed_attempt_and_no_answer(message: str, tmp_path: Path) -> None:
    broken = sample(1, {"choices": []}, error={"message": message, "traceback": "..."})
    result, journal = imported(eval_log(tmp_path / "a.eval", [broken, sample(2)]))
    assert (result.added, result.failed) == (1, 1)
    failed = journal.failures()
    assert list(failed["outcome"]) == [FAILURES[message]]
    assert list(failed["detail"]) == [message]


def test_a_limit_before_any_output_is_a_failure_and_after_some_a_truncation(
    tmp_path: Path,
) -> None:
    late = sample(1, {"choices": []}, limit={"type": "time", "limit": 60})
    cut = sample(2, output("thinking"), limit={"type": "token", "limit": 100})
    _, journal = imported(eval_log(tmp_path / "a.eval", [late, cut]))
    assert list(journal.failures()["outcome"]) == ["timeout"]
    assert list(journal.responses()["outcome"]) == ["truncated"]


def test_reasoning_is_kept_apart_from_the_answer(tmp_path: Path) -> None:
    said = output([{"type": "reasoning", "reasoning": "A cat? No."}, {"type": "text", "text": "B"}])
    _, journal = imported(eval_log(tmp_path / "a.eval", [sample(1, said)]))
    (row,) = journal.responses().to_dict("records")
    assert (row["text"], row["reasoning"]) == ("B", "A cat? No.")


def test_importing_again_changes_nothing_not_even_failures(tmp_path: Path) -> None:
    broken = sample(3, {"choices": []}, error={"message": "boom"})
    path = eval_log(tmp_path / "a.eval", [sample(1), broken])
    _, journal = imported(path)

    def content() -> tuple[str | None, ...]:
        meta = journal.meta()
        frames = (journal.responses(), journal.failures(), journal.items(), journal.administered())
        return (*(f.to_json() for f in frames), json.dumps(meta), repr(journal.samples()))

    before = content()
    result, journal = imported(path)
    assert (result.added, result.failed, result.known) == (0, 0, 2)
    assert content() == before


def test_a_second_run_can_be_another_occasion(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1)])
    imported(path)
    result, journal = imported(path, first_occasion=1)
    assert result.added == 1
    assert sorted(journal.responses()["occasion"]) == [0, 1]


def test_the_condition_holds_generation_parameters_and_tells_settings_apart(
    tmp_path: Path,
) -> None:
    keys = []
    for number, task_args in enumerate(({}, {"cot": True})):
        path = eval_log(tmp_path / f"{number}.eval", [sample(1)], header(task_args=task_args))
        imported(path)
        keys = sorted(set(Journal.open(tmp_path / "c.db").responses()["condition"]))
    assert len(keys) == 2
    assert all(k.startswith("pack=inspect-") and k.endswith(",temperature=0") for k in keys)


def test_a_user_may_name_examinee_and_condition(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1)])
    _, journal = imported(path, examinee="openai:gpt-4o", condition="default")
    (row,) = journal.responses().to_dict("records")
    assert (row["examinee"], row["condition"]) == ("openai:gpt-4o", "default")


def test_a_condition_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        imported(eval_log(tmp_path / "a.eval", [sample(1)]), condition="who=knows")


def test_a_log_that_was_cut_off_gives_the_samples_it_has(tmp_path: Path) -> None:
    members = [
        ("_journal/start.json", json.dumps(header()).encode()),
        ("samples/1_epoch_1.json", json.dumps(sample(1)).encode()),
    ]
    result, _ = imported(zip_with_zstandard(tmp_path / "a.eval", members))
    assert result.added == 1


def test_of_a_sample_that_was_run_again_the_last_run_counts(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1, output("A")), sample(1, output("B"))])
    _, journal = imported(path)
    assert list(journal.responses()["text"]) == ["B"]


FLAWED = {
    "it has no key": sample(1, target=""),
    "is not among its options": sample(1, target="Z"),
    "it has no id": sample(1, epoch="first"),
    "its choices are not texts": sample(1, choices=[1, 2]),
    "its target is not": sample(1, target={"a": 1}),
    "damaged PNG": sample(
        1, attachments={"abc": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIA"}
    ),
}


@pytest.mark.parametrize("words", ["it has no key", "is not among its options", "it has no id",
                                   "its choices are not texts", "its target is not"])  # fmt: skip
def test_a_sample_that_cannot_be_used_is_told_with_its_place(words: str, tmp_path: Path) -> None:
    result, journal = imported(eval_log(tmp_path / "a.eval", [FLAWED[words], sample(2)]))
    (flaw,) = result.flaws
    assert flaw.startswith("a.eval, samples/1_epoch_")
    assert words in flaw
    assert len(journal.responses()) == 1


def test_a_damaged_picture_is_told_and_costs_no_other_sample(tmp_path: Path) -> None:
    result, _ = imported(eval_log(tmp_path / "a.eval", [FLAWED["damaged PNG"], sample(2)]))
    (flaw,) = result.flaws
    assert "'toy/1'" in flaw
    assert "PNG" in flaw
    assert result.added == 1


def test_a_damaged_member_is_told_and_costs_no_other_sample(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1), sample(2)])
    raw = bytearray(path.read_bytes())
    place = raw.index(b"samples/1_epoch_1.json") + 60
    raw[place : place + 8] = b"\x00" * 8
    path.write_bytes(raw)
    result, _ = imported(path)
    assert [flaw.split(":")[0] for flaw in result.flaws] == ["a.eval, samples/1_epoch_1.json"]
    assert result.added == 1


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 no zip", b"[]", b'{"eval": 1}', b"\xff\xfe", b"[" * 100_000]
)
def test_what_is_no_log_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match="not a log of Inspect"):
        imported(path)


def test_hostile_texts_are_stored(tmp_path: Path) -> None:
    nasty = "\ud800 \x1b[31m <script> \x00 " + "x" * 1_000_000
    said = sample(1, output(nasty), metadata={"category": "\udfff"})
    _, journal = imported(json_log(tmp_path / "a.json", [said]))
    assert len(journal.responses()["text"][0]) > 1_000_000
    assert list(journal.items()["category"]) == ["\\udfff"]


def test_a_missing_library_is_told_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1)])
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"gfactor\[imports\]"):
        imported(path)


FREE = {
    "number": (["7", "seven"], "blanks", '["7"]'),
    "yes or no": ("yes", "choice", '"Yes"'),
    "a long text": ("A sentence that says a lot, and more than fits a blank. " * 3, "open", None),
}


@pytest.mark.parametrize("case", FREE)
def test_questions_without_choices_get_the_answer_type_of_their_key(
    case: str, tmp_path: Path
) -> None:
    key, kind, target = FREE[case]
    asked = sample(1, choices=None, target=key, input="How many?")
    _, journal = imported(eval_log(tmp_path / "a.eval", [asked]))
    (item,) = journal.items().to_dict("records")
    assert item["answer_type"] == kind
    assert target is None or item["target"] == target


def test_several_letters_are_several_right_choices(tmp_path: Path) -> None:
    asked = sample(1, choices=["cat", "dog", "cow"], target=["C", "A"])
    _, journal = imported(eval_log(tmp_path / "a.eval", [asked]))
    (item,) = journal.items().to_dict("records")
    assert (item["answer_type"], item["target"]) == ("choices", '["A","C"]')


def test_labels_of_mixed_types_become_words(tmp_path: Path) -> None:
    samples = [sample(1, metadata={"level": 3}), sample(2, metadata={"level": "hard"})]
    _, journal = imported(eval_log(tmp_path / "a.eval", samples))
    assert set(journal.items()["level"]) == {"3", "hard"}

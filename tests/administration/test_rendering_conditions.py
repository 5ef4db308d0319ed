"""What an examinee is shown under each condition."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.banks import items, make_item
from support.exam import BLANKS, image, question

from gfactor.administration import Condition, Files, Materials, prepare, read_condition
from gfactor.administration.image_texts import ImageTexts
from gfactor.administration.knowledge import Knowledge
from gfactor.administration.options import as_shown, as_stored, option_order, shown_choices
from gfactor.administration.rendering import render
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem
from gfactor.items import Choice, Image, Item, ItemBank, write_bank

TEXTS = ImageTexts({image(k).sha256: f"shade {k}" for k in range(9)}, "a test", "0123456789ab")


def shown(item: Item, text: str, **materials: Any) -> RenderedItem:
    return render(item, read_condition(text), Materials(**materials))


def words(item: RenderedItem) -> str:
    """All texts of all turns, with a sign for every image."""
    turns = (*item.earlier, item.content)
    return "\n--\n".join(
        "\n".join(s if isinstance(s, str) else f"<{s.path}>" for s in turn) for turn in turns
    )


@given(items("x"))
def test_images_are_shown_unaltered_in_reading_order(item: Item) -> None:
    if item.answer_type in ("choice", "choices", "blanks", "open"):
        item = dataclasses.replace(item, language="en")
    assert render(item, Condition()).images == item.images


def test_an_item_that_brings_its_own_format_is_put_exactly_as_it_is() -> None:
    item = make_item(content=("One.", "Two.", image(1), "Three."))
    assert render(item, Condition()).content == item.content


def test_choices_are_lines_of_label_and_text_between_task_and_form_of_the_answer() -> None:
    lines = words(shown(question(), "default")).split("\n")
    assert lines[1:-1] == [
        "Look:", "<p1.png>", "Which animal is it?", "A. cat", "B. dog", "C. cow", "D. hen",
    ]  # fmt: skip
    assert "Exactly one" in lines[0]
    assert "letter" in lines[-1]


def test_pictures_as_choices_follow_their_labels() -> None:
    pictures = tuple(Choice(label, image(k)) for k, label in enumerate("ABCD", 2))
    rendered = shown(question(choices=pictures), "default")
    assert "A.\n<p2.png>\nB.\n<p3.png>\nC.\n<p4.png>" in words(rendered)
    assert rendered.images == (image(1), image(2), image(3), image(4), image(5))


@pytest.mark.parametrize("language", ["en", "zh-Hans", "fr", "es", "pt-BR", "ko"])
def test_sentences_are_in_the_items_language_or_in_the_one_asked_for(language: str) -> None:
    own = words(shown(question(language=language), "cot=on"))
    english = words(shown(question(language=language), "cot=on,prompt_language=en"))
    assert ("Think step by step" in own) == (language == "en")
    assert "Think step by step" in english


def test_removed_images_leave_nothing_and_an_option_without_its_picture_says_so() -> None:
    pictures = (Choice("A", image(2)), Choice("B", "dog"))
    rendered = shown(question(choices=pictures), "images=removed")
    assert rendered.images == ()
    assert "Look:\nWhich animal is it?\nA. [image not shown]\nB. dog" in words(rendered)


@pytest.mark.parametrize(("images", "said"), [("captioned", "described"), ("transcribed", "read")])
def test_a_text_stands_in_the_place_of_each_image(images: str, said: str) -> None:
    item = question(content=("Left", image(1), "right", image(2), "?"), choices=(
        Choice("A", image(3)), Choice("B", "dog")))  # fmt: skip
    rendered = shown(item, f"images={images}", texts=TEXTS)
    assert rendered.images == ()
    lines = words(rendered).split("\n")[1:-1]
    assert [line.startswith("[") for line in lines] == [False, True, False, True, False, False, False]
    assert (said in lines[1], "shade 1" in lines[1]) == (True, True)
    assert "shade 2" in lines[3]
    assert lines[5].startswith("A. [")
    assert "image 3" in lines[5].casefold()
    assert "shade 3" in lines[5]


def test_an_image_in_which_nothing_can_be_read_says_so() -> None:
    empty = ImageTexts({"p1.png": ""}, "a test", "0" * 12)
    assert "image 1: none]" in words(shown(question(), "images=transcribed", texts=empty))


def test_a_missing_caption_names_the_item_and_the_image() -> None:
    with pytest.raises(ParameterError, match=r"item 'q1': there is no text for its image 'p9.png'"):
        shown(question(content=(image(9),)), "images=captioned", texts=TEXTS)


def test_a_blank_has_the_size_of_the_image_it_replaces() -> None:
    item = question(content=(image(1, 30, 20), "and", image(2, 7, 9)))
    rendered = shown(item, "images=blank")
    assert [i.decode().shape for i in rendered.images] == [(20, 30, 3), (9, 7, 3)]
    assert not any(np.any(i.decode()) for i in rendered.images)
    assert shown(question(content=("No image.",)), "images=blank").images == ()


def test_a_blank_is_given_where_a_model_demands_an_image_and_the_item_has_none() -> None:
    assert shown(question(), "images=blank-if-needed").images == (image(1),)
    rendered = shown(question(content=("No image.",)), "images=blank-if-needed")
    assert [type(s) for s in rendered.content] == [Image, str]
    assert not np.any(rendered.images[0].decode())


def test_one_image_per_turn_and_the_answer_is_asked_for_last() -> None:
    item = question(content=("a", image(1), "b", image(2), "c", image(3), "d"))
    rendered = shown(item, "presentation=image-per-turn")
    turns = (*rendered.earlier, rendered.content)
    assert [sum(isinstance(s, Image) for s in turn) for turn in turns] == [1, 1, 1]
    assert rendered.images == (image(1), image(2), image(3))
    assert all("do not answer yet" in str(turn[-1]) for turn in rendered.earlier)
    assert str(rendered.content[-1]).endswith("Now answer the whole question.")
    assert "part 2 of 3" in str(rendered.earlier[1][-1])


@pytest.mark.parametrize("content", [("Only text.",), ("One", image(1))])
def test_what_has_one_image_or_none_stays_one_turn(content: tuple[Any, ...]) -> None:
    item = question(content=content)
    assert shown(item, "presentation=image-per-turn") == shown(item, "default")


def test_reasoning_is_asked_for_before_the_answer_and_the_answer_gets_its_own_line() -> None:
    text = words(shown(question(), "cot=on"))
    assert "nothing else" not in text
    assert text.index("step by step") < text.index('"Answer: "')
    formatted = words(shown(make_item(), "cot=on"))
    assert formatted.endswith("exactly in the form asked for above.")


def test_background_is_the_first_sentence_that_the_labels_fill() -> None:
    full = words(shown(question(), "background=on"))
    assert full.startswith("You will need what you know about k1, k2 for this biology question.")
    less = question(labels={"subject": "biology"})
    assert words(shown(less, "background=on")).startswith("This question comes from biology.")
    none = question(labels={"other": "x"})
    assert shown(none, "background=on") == shown(none, "default")


def test_knowledge_comes_before_the_question_and_only_where_there_is_any() -> None:
    pieces = {("knowledge", "k2"): ("Dogs bark.", "Hens lay."), ("id", "q7"): ("Seven.",)}
    knowledge = Knowledge(pieces, "a test")
    text = words(shown(question(), "knowledge=on", knowledge=knowledge))
    assert text.startswith("The following may help you:\nDogs bark.\nHens lay.\nRead the question")
    other = question(labels={"domain": "animals"})
    assert shown(other, "knowledge=on", knowledge=knowledge) == shown(other, "default")
    assert "Seven." in words(shown(question("q7"), "knowledge=on", knowledge=knowledge))


@given(st.integers(0, 10**6), st.integers(1, 13), st.text("0123456789abcdef", min_size=4))
def test_an_answer_to_permuted_options_is_mapped_back(seed: int, count: int, item: str) -> None:
    labels = "ABCDEFGHIJKLM"[:count]
    assert sorted(option_order(item, count, seed)) == list(range(count))
    for label in labels:
        assert as_stored(as_shown(label, item, labels, seed), item, labels, seed) == label
    several = tuple(labels[::2])
    assert as_stored(as_shown(several, item, labels, seed), item, labels, seed) == several
    assert as_stored(frozenset(labels), item, labels, seed) == frozenset(labels)


def test_options_move_under_their_labels_and_the_right_one_is_found_again() -> None:
    places = set()
    for seed in range(40):
        item = question()
        permuted = shown_choices(item, seed)
        assert [c.label for c in permuted] == list("ABCD")
        assert "\n".join(f"{c.label}. {c.content}" for c in permuted) in words(
            shown(item, f"options_seed={seed}")
        )
        (place,) = [c.label for c in permuted if c.content == "dog"]
        places.add(place)
        assert as_stored(place, item.provenance.content_hash, "ABCD", seed) == "B"
    assert places == set("ABCD")


def test_decoding_parameters_reach_the_examinee() -> None:
    rendered = shown(make_item(), "temperature=0,max_tokens=9,reasoning_effort=low")
    assert rendered.decoding == {"temperature": 0, "max_tokens": 9, "reasoning_effort": "low"}


class Banks:
    """An evaluated bank and one to take examples from."""

    def __init__(self, folder: Path) -> None:
        other = [question(f"e{k}", choices=tuple(
            Choice(label, f"{label.lower()}{k}") for label in "ABCD")) for k in range(5)]  # fmt: skip
        self.same = question("q1")
        self.evaluated = ItemBank.open(write_bank([self.same], folder / "b.parquet"))
        self.source = write_bank([self.same, *other], folder / "s.parquet")

    def prepared(self, text: str, **files: Any) -> tuple[Condition, Materials]:
        return prepare(self.evaluated, read_condition(text), Files(**files))


@pytest.fixture
def banks(tmp_path: Path) -> Banks:
    return Banks(tmp_path)


def test_examples_come_from_outside_with_their_answers_before_the_question(banks: Banks) -> None:
    condition, materials = banks.prepared("shots=5", shots_from=banks.source)
    rendered = render(banks.same, condition, materials)
    text = words(rendered)
    assert [text.index(f"Example {k}:") for k in range(1, 6)] == sorted(
        text.index(f"Example {k}:") for k in range(1, 6)
    )
    assert text.count("\nB\n") == 5
    assert text.count("A. cat") == 1
    assert text.index("Now it is your turn:") < text.index("A. cat")
    assert len(rendered.images) == 6
    again = banks.prepared("shots=5", shots_from=banks.source)
    assert render(banks.same, *again) == rendered


def test_examples_are_answered_in_the_form_and_order_that_is_asked_for(banks: Banks) -> None:
    condition, materials = banks.prepared("shots=1,cot=on,options_seed=3", shots_from=banks.source)
    assert materials.examples is not None
    (example,) = materials.examples.of(banks.same)
    (place,) = [c.label for c in shown_choices(example, 3) if str(c.content).startswith("b")]
    assert f"\nAnswer: {place}\n" in words(render(banks.same, condition, materials))


def test_an_example_with_an_output_format_or_blanks_is_answered_so(tmp_path: Path) -> None:
    for made, expected in ((make_item, "COUNT:3"), (question, "north\nsouth")):
        changed = BLANKS if made is question else {}
        items = [made(f"{made.__name__}-{k}", **changed) for k in range(2)]
        bank = ItemBank.open(write_bank(items[:1], tmp_path / "b.parquet"))
        source = write_bank(items[1:], tmp_path / "s.parquet")
        how = prepare(bank, read_condition("shots=1"), Files(shots_from=source))
        assert f"\n{expected}\nNow it is your turn:" in words(render(items[0], *how))


def test_examples_of_the_evaluated_set_itself_are_never_used(banks: Banks) -> None:
    with pytest.raises(ParameterError, match="has 5 examples of task 'animals'"):
        banks.prepared("shots=6", shots_from=banks.source)
    with pytest.raises(ParameterError, match="has 0 examples"):
        banks.prepared("shots=1", shots_from=banks.evaluated.path)


@pytest.mark.parametrize(
    ("text", "files", "said"),
    [
        ("images=captioned", {}, "needs --captions FILE"),
        ("default", {"captions": "c.csv"}, "changes nothing without the condition images="),
        ("knowledge=on", {}, "needs --knowledge FILE"),
        ("default", {"knowledge": "k.csv"}, "changes nothing without the condition knowledge=on"),
        ("shots=2", {}, "needs --shots-from BANK"),
        ("default", {"shots_from": "s.parquet"}, "changes nothing without the condition shots=K"),
        ("images=captioned", {"captions": "none.csv"}, "cannot be read"),
        ("images=captioned", {"captions": "k.csv"}, "has no column 'image'"),
        ("images=captioned", {"captions": "two.csv"}, "two texts for image"),
        ("images=captioned", {"captions": "other.csv"}, "there is no text for its image"),
        ("knowledge=on", {"knowledge": "other.jsonl"}, "has no piece for any item of the bank"),
        ("knowledge=on", {"knowledge": "bad.jsonl"}, "line 2 is not JSON"),
    ],
)
def test_what_does_not_fit_together_is_refused_before_anything_is_asked(
    banks: Banks, tmp_path: Path, text: str, files: dict[str, str], said: str
) -> None:
    (tmp_path / "c.csv").write_text("image,text\np1.png,a dog\n")
    (tmp_path / "two.csv").write_text("image,text\np1.png,a dog\np1.png,a cat\n")
    (tmp_path / "other.csv").write_text("image,text\nother.png,a dog\n")
    (tmp_path / "k.csv").write_text("label,value,text\nknowledge,k1,Dogs bark.\n")
    piece = json.dumps({"label": "knowledge", "value": "k9", "text": "Nine."})
    (tmp_path / "other.jsonl").write_text(f"{piece}\n")
    (tmp_path / "bad.jsonl").write_text(f"{piece}\n{{\n")
    with pytest.raises(ParameterError) as refused:
        banks.prepared(text, **{name: tmp_path / path for name, path in files.items()})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_captions_pieces_and_examples_are_other_conditions(
    banks: Banks, tmp_path: Path
) -> None:
    keys = set()
    for words_ in ("a dog", "a cat"):
        (tmp_path / "c.csv").write_text(f"image,text\np1.png,{words_}\n")
        (tmp_path / "k.csv").write_text(f"label,value,text\nknowledge,k1,{words_}\n")
        condition, _ = banks.prepared("images=captioned", captions=tmp_path / "c.csv")
        keys.add(condition.key)
        condition, _ = banks.prepared("knowledge=on", knowledge=tmp_path / "k.csv")
        keys.add(condition.key)
    assert len(keys) == 4


def test_permuting_options_that_no_item_has_is_refused(tmp_path: Path) -> None:
    bank = ItemBank.open(write_bank([make_item()], tmp_path / "b.parquet"))
    with pytest.raises(ParameterError, match="no item of 'b.parquet' has any"):
        prepare(bank, read_condition("options_seed=1"), Files())

"""What an examinee is shown under each condition."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.banks import items, make_item
from support.exam import image, question, words

from gfactor.administration import Condition, Materials, read_condition
from gfactor.administration.presenting.image_texts import ImageTexts
from gfactor.administration.presenting.knowledge import Knowledge
from gfactor.administration.presenting.options import (
    as_shown,
    as_stored,
    option_order,
    shown_choices,
)
from gfactor.administration.presenting.rendering import render
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem
from gfactor.items import Choice, Image, Item

TEXTS = ImageTexts({image(k).sha256: f"shade {k}" for k in range(9)}, "a test", "0123456789ab")


def shown(item: Item, text: str, **materials: Any) -> RenderedItem:
    return render(item, read_condition(text), Materials(**materials))


@pytest.mark.thorough
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
    assert [line.startswith("[") for line in lines] == [
        False,
        True,
        False,
        True,
        False,
        False,
        False,
    ]
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


def test_the_first_image_alone_is_shown_where_a_model_takes_one() -> None:
    pictures = (Choice("A", image(2)), Choice("B", "dog"), Choice("C", image(3)))
    item = question(content=("One:", image(1), "Two:", image(4), "Which?"), choices=pictures)
    rendered = shown(item, "images=first")
    assert rendered.images == (image(1),)
    assert "One:\n<p1.png>\nTwo:\nWhich?\nA. [image not shown]\nB. dog" in words(rendered)
    without = question(content=("Which?",), choices=pictures)
    assert shown(without, "images=first").images == (image(2),)
    single = question()
    assert shown(single, "images=first").content == shown(single, "default").content
    assert shown(item, "images=first").images == rendered.images
    small = shown(item, "images=first,image_limit=4").images
    assert [i.decode().shape[1] for i in small] == [4]
    with pytest.raises(ParameterError, match="images=first leaves one"):
        read_condition("images=first,presentation=image-per-turn")


@pytest.mark.parametrize("language", ["en", "zh", "fr", "es", "pt", "ko"])
def test_who_is_asked_to_decline_is_told_how_behind_all_else(language: str) -> None:
    plain = words(shown(question(language=language), "default"))
    asked = words(shown(question(language=language), "decline=on"))
    assert asked.startswith(plain)
    added = asked.removeprefix(plain).strip()
    assert added
    assert "\n" not in added
    blind = words(shown(question(language=language), "decline=on,images=removed,cot=on"))
    assert blind.endswith(added)
    assert read_condition("decline=on,images=removed").key == "decline=on,images=removed"
    percept = make_item()
    assert "Cannot answer" in words(shown(percept, "decline=on"))

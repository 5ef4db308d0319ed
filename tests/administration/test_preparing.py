"""What conditions take from files and other banks, and what is refused before anything is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.banks import make_item
from support.exam import BLANKS, question, words

from gfactor.administration import Condition, Files, Materials, prepare, read_condition
from gfactor.administration.presenting.options import shown_choices
from gfactor.administration.presenting.rendering import render
from gfactor.errors import ParameterError
from gfactor.items import Choice, ItemBank, write_bank


class Banks:
    """An evaluated bank and one to take examples from."""

    def __init__(self, folder: Path) -> None:
        choices = [[Choice(c, f"{c.lower()}{k}") for c in "ABCD"] for k in range(5)]
        other = [question(f"e{k}", choices=tuple(own)) for k, own in enumerate(choices)]
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
        ("default", {"captions": "c.csv"}, "is used only under the condition images="),
        ("knowledge=on", {}, "needs --knowledge FILE"),
        ("default", {"knowledge": "k.csv"}, "is used only under the condition knowledge=on"),
        ("shots=2", {}, "needs --shots-from BANK"),
        ("default", {"shots_from": "s.parquet"}, "is used only under the condition shots=K"),
        ("images=captioned", {"captions": "none.csv"}, "cannot be read"),
        ("images=captioned", {"captions": "k.csv"}, "has no column 'image'"),
        ("images=captioned", {"captions": "two.csv"}, "two texts for image"),
        ("images=captioned", {"captions": "other.csv"}, "there is no text for its image"),
        ("knowledge=on", {"knowledge": "other.jsonl"}, "belongs to an item of the bank"),
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
    with pytest.raises(ParameterError, match=r"no item of 'b\.parquet' has options that"):
        prepare(bank, read_condition("options_seed=1"), Files())

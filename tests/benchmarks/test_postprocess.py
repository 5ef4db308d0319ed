"""Transformations do what their names say, leave other items alone, and can be undone."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.banks import items as any_items
from support.quality import asked, bank_of, image, scene

from gfactor.benchmarks.postprocess import (
    TRANSFORMATIONS,
    applied,
    steps_of,
    transform,
    undo,
    undone,
)
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Item, ItemBank

ALL = tuple(TRANSFORMATIONS)


def one(item: Item, name: str) -> Item:
    (made,) = applied(item, [name])
    return made


def contents(item: Item) -> list[Any]:
    return [choice.content for choice in item.choices]


COMBINED = [
    (
        "下列说法正确的是 [MASK]\n①地球是圆的；②月亮发光；③太阳是恒星。",
        ("①②", "①③", "②③", "①②③"), "B",
        "下列说法正确的是 [MASK]", ["地球是圆的", "月亮发光", "太阳是恒星"], ("A", "C"),
    ),
    (
        "Which are prime?\n(1) two\n(2) nine\n(3) five",
        ("(1) and (2)", "(1) only", "(1), (2) and (3)", "(1) and (3)"), "D",
        "Which are prime?", ["two", "nine", "five"], ("A", "C"),
    ),
    (
        "①力有大小 ②力没有方向，其中正确的是（ ）", ("①", "②", "①②", ), "A",
        "①力有大小 ②力没有方向，其中正确的是（ ）", ["①", "②"], ("A",),
    ),
    ("Pick.", ("cat", "dog", "A and B", "stone"), "C", "Pick.", ["cat", "dog", "stone"],
     ("A", "B")),
    ("Pick.", ("cat", "Both A and C", "dog"), "C", "Pick.", ["cat", "dog"], ("B",)),
    ("选", ("猫", "狗", "以上都对"), "C", "选", ["猫", "狗"], ("A", "B")),
    ("Pick.", ("cat", "dog", "All of the above"), "A", "Pick.", ["cat", "dog"], ("A",)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "key", "stem", "new", "target"), COMBINED)
def test_combinations_become_choices_of_what_they_combine(
    text: str, options: tuple[str, ...], key: str, stem: str, new: list[str], target: tuple[str]
) -> None:
    labels = {"type": "SA", "options": len(options)}
    item = asked("q", text, options=options, target=key, labels=labels)
    made = one(item, "combination-to-choices")
    assert made.answer_type == "choices"
    assert (made.text, contents(made), made.target) == (stem, new, target)
    assert made.labels == {"type": "MA", "options": len(new)}
    assert made.provenance.content_hash != item.provenance.content_hash
    assert undone([made]) == [item]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Order: ①a ②b ③c", ("①②③", "②①③", "③②①")), ("No list.", ("①②", "①③")),
        ("Gap: ①a ③c", ("①", "①③")), ("Pick.", ("cat", "dog", "None of the above", "A and B")),
        ("Pick.", ("cat", "dog", "A and E")), ("Current?", ("AC", "DC", "none")),
        ("Which?\n①a ②b", ("①", "②")), ("Pick.", ("cat", "A and C", "B and A")),
    ],
)  # fmt: skip
def test_what_is_no_set_of_statements_stays(text: str, options: tuple[str, ...]) -> None:
    item = asked("q", text, options=options)
    assert applied(item, ["combination-to-choices"]) == [item]


def test_a_picture_between_statements_keeps_the_question_whole() -> None:
    item = asked("q", "①a", image(scene(1)), "②b", options=("①", "①②"), target="B")
    made = one(item, "combination-to-choices")
    assert (made.content, contents(made), made.target) == (item.content, ["①", "②"], ("A", "B"))


def test_a_choice_with_one_blank_can_be_written() -> None:
    item = asked("q", "The capital of France is [MASK].", options=("Paris", "Lyon", "Nice"))
    made = one(item, "choice-to-blank")
    assert (made.answer_type, made.target, made.choices) == ("blanks", ("Paris",), ())
    assert undone([made]) == [item]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which of the following is [MASK]?", ("a", "b", "c")), ("下列的是[MASK]", ("x",) * 3),
        ("No blank", ("a", "b", "c")), ("[MASK] and [MASK]", ("a", "b", "c")),
        ("It is [MASK].", ("true", "false")), ("It is [MASK].", ("both A and B", "b", "c")),
        ("It is [MASK].", ("a very long answer that nobody writes the same way", "b", "c")),
        ("It is [MASK].", ("①②", "①", "②")), ("It is [MASK].", ("a", "a", "c")),
    ],
)  # fmt: skip
def test_a_question_that_needs_its_options_keeps_them(text: str, options: tuple[str, ...]) -> None:
    item = asked("q", text, options=options)
    assert applied(item, ["choice-to-blank"]) == [item]


def test_blanks_are_split_with_their_alternatives_and_pictures() -> None:
    general, own = image(scene(1), "g.png"), image(scene(2), "o.png")
    item = asked(
        "q", "Read.\n", general, "(1) Oxygen is [MASK]; \n(2) water is [MASK] and [MASK].", own,
        options=(), target=("O", "H", "O"), accepted=(("O2", "H", "O"), ("O", "h", "O")),
        labels={"masks": 3, "images_shown": 2, "image_type": "MI"}, points=2.0,
    )  # fmt: skip
    first, second = applied(item, ["split"])
    assert (first.id, first.content) == ("q.1", ("Read.", general, "Oxygen is [MASK];"))
    assert (first.target, first.accepted) == (("O",), (("O2",),))
    assert second.content == ("Read.", general, "water is [MASK] and [MASK].", own)
    assert (second.target, second.accepted) == (("H", "O"), (("h", "O"),))
    assert first.labels == {"masks": 1, "images_shown": 1, "image_type": "SI"}
    assert (first.points, second.points) == (2, 2)
    assert len(first.provenance.pixel_hashes) == 1
    assert undone([first, second]) == [item]
    assert undone([second]) == [item]
    with pytest.raises(ParameterError, match=r"'o.png' was in a part that is gone \(q.2\)"):
        undone([first])


def test_open_questions_are_split_where_the_reference_has_the_same_marks() -> None:
    shared = {"options": (), "answer_type": "open", "points": 4.0}
    item = asked("q", "Text.\n（1）Why?\n（2）How?", target="（1）So.\n（2）Thus.", **shared)
    parts = applied(item, ["split"])
    assert [(p.content[-1], p.target, p.points) for p in parts] == [
        ("Why?", "So.", 2.0), ("How?", "Thus.", 2.0)
    ]  # fmt: skip
    assert undone(parts) == [item]
    other = asked("q", "Text.\n（1）Why?\n（2）How?", target="So.", **shared)
    assert applied(other, ["split"]) == [other]


def test_html_is_converted_everywhere_and_plain_texts_stay() -> None:
    item = asked("q", "H<sub>2</sub>O &lt; 3", "a<b", options=("x<sup>2</sup>", "y"))
    made = one(item, "html-to-markdown")
    assert made.content == ("$H_{2}$O < 3", "a<b")
    assert contents(made) == ["$x^{2}$", "y"]
    assert undone([made]) == [item]
    plain = asked("q", "a < b > c & d", options=("1", "2"))
    assert applied(plain, ["html-to-markdown"]) == [plain]


def test_steps_stand_in_the_history_in_their_order() -> None:
    item = asked("q", "<b>Set.</b> It is [MASK].", options=("one", "two", "three"))
    made = one(one(item, "html-to-markdown"), "choice-to-blank")
    steps = steps_of(made.provenance.history)
    assert [step["do"] for step in steps] == ["html-to-markdown", "choice-to-blank"]
    assert undone([made], last_only=True) == applied(item, ["html-to-markdown"])
    assert undone([made]) == [item]


_TEXTS = st.sampled_from([
    "①甲 ②乙 ③丙", "(1) [MASK] (2) [MASK]", "<p>x<sup>2</sup></p>", "It is [MASK].", "", "&amp;",
    "(1) a", "(2) b", "<table><tr><td>1</td></tr></table>", "\ud83d\ude00 ü",
])  # fmt: skip
_OPTIONS = st.sampled_from(["①", "①②", "①③", "A and B", "one", "<i>two</i>", "以上都对", "three"])


@st.composite
def exam_items(draw: st.DrawFn) -> Item:
    """Items to which one transformation or several apply."""
    content = [t.encode("utf-16", "surrogatepass").decode("utf-16")
               for t in draw(st.lists(_TEXTS, min_size=1, max_size=4))]  # fmt: skip
    kind = draw(st.sampled_from(["choice", "blanks", "open"]))
    segments = [*content, *draw(st.sampled_from([[], [image(scene(3))]]))]
    if kind == "choice":
        options = tuple(draw(st.lists(_OPTIONS, min_size=2, max_size=5)))
        return asked("q", *segments, options=options, target=draw(st.sampled_from("AB")))
    masks = "\n".join(content).count("[MASK]") or 1
    answer = ("x",) * masks if kind == "blanks" else "(1) a (2) b"
    return asked("q", *segments, options=(), target=answer, answer_type=kind)


@settings(max_examples=40, deadline=None)
@given(exam_items(), st.permutations(ALL))
def test_undoing_gives_the_very_item_back(item: Item, names: list[str]) -> None:
    made = applied(item, names)
    assert undone(made) == [item]
    assert len({i.id for i in made}) == len(made)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_items("i"))
def test_items_of_any_kind_survive_all_transformations(item: Item) -> None:
    assert undone(applied(item, ALL)) == [item]


def exam(folder: Path) -> ItemBank:
    items = [asked(f"c{k}", f"The number {k} is [MASK].", options=(f"x{k}", "y", "z"))
             for k in range(20)]  # fmt: skip
    items.insert(3, asked("s", "Read.\n(1) [MASK]", image(scene(1)), "(2) [MASK]", options=(),
                          target=("a", "b")))  # fmt: skip
    return bank_of(items, folder)


def test_a_bank_is_transformed_and_changed_back(tmp_path: Path) -> None:
    bank = exam(tmp_path)
    done = transform(bank, tmp_path / "t.parquet", ["split", "choice-to-blank"],
                     share=Fraction(1, 2), seed=3)  # fmt: skip
    made = ItemBank.open(tmp_path / "t.parquet")
    changed = sum(item.answer_type == "blanks" for item in made if item.id.startswith("c"))
    assert 3 <= changed <= 17
    assert done.items == {"split": int("s.1" in made), "choice-to-blank": changed}
    assert made.metadata["derived"][-1]["transformation"] == ["split", "choice-to-blank"]
    back = undo(made, tmp_path / "b.parquet")
    assert back.items["choice-to-blank"] == changed
    again = ItemBank.open(tmp_path / "b.parquet")
    assert list(again) == list(bank)
    assert "derived" not in again.metadata
    with pytest.raises(ParameterError, match="there is nothing to undo"):
        undo(again, tmp_path / "c.parquet")


@pytest.mark.thorough
def test_a_seed_gives_the_same_file_for_any_number_of_jobs(tmp_path: Path) -> None:
    bank, half = exam(tmp_path), Fraction(1, 2)
    files = [tmp_path / f"{k}.parquet" for k in range(3)]
    for path, jobs, seed in zip(files, (1, 2, 1), (3, 3, 4), strict=True):
        transform(bank, path, ["choice-to-blank"], share=half, seed=seed, jobs=jobs)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert list(ItemBank.open(files[0])) != list(ItemBank.open(files[2]))


def test_what_cannot_be_is_told_before_any_work(tmp_path: Path) -> None:
    bank, path = exam(tmp_path), tmp_path / "o.parquet"
    with pytest.raises(UnknownNameError, match="did you mean 'split'"):
        transform(bank, path, ["splits"])
    with pytest.raises(ParameterError, match="no transformation is named"):
        transform(bank, path, [])
    with pytest.raises(ParameterError, match="share: must be over 0"):
        transform(bank, path, ["split"], share=Fraction(0))
    clash = bank_of([asked("a"), asked("a.1")], tmp_path, "clash.parquet")
    with pytest.raises(ParameterError, match=r"'a\.1' has the name of a part of 'a'"):
        transform(clash, path, ["split"])
    assert not path.exists()

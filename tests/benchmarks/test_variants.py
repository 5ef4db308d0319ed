"""Variants of items that ask the same, and the lot that draws the public one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.cli import run_cli

import gfactor as gf
from gfactor.benchmarks.postprocess import TRANSFORMATIONS, applied, twins_of, undone
from gfactor.benchmarks.postprocess.transformations.change_names import MEN, WOMEN
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, Item, ItemBank, Provenance, write_bank

VARIED = [name for name, one in TRANSFORMATIONS.items() if one.vary]


def item(
    text: str, options: tuple[str, ...] = (), target: Any = "A", number: int = 0, **more: Any
) -> Item:
    """A question of text; of choice if it has options, else with one blank."""
    choices = tuple(Choice("ABCDEF"[k], words) for k, words in enumerate(options))
    return Item(
        f"q{number}", "example", (text,), "choice" if options else "blanks", target,
        {"domain": "a"}, Provenance("example", "1", content_hash=f"{text}{number}{options}"),
        choices=choices, **more,
    )  # fmt: skip


def varied(given: Item, name: str, seed: int = 0, variant: int = 0) -> Item:
    (made,) = applied(given, [name], seed=seed, variant=variant)
    return made


def right(given: Item) -> str:
    """The content of the option that is the key."""
    (content,) = [c.content for c in given.choices if c.label == given.target]
    assert isinstance(content, str)
    return content


COLORS = item("What is the color of grass?", ("red", "green", "blue", "white"), "B")


@pytest.mark.parametrize("name", ["shuffle-options", "move-key"])
def test_options_move_and_the_key_moves_with_them(name: str) -> None:
    seen = Counter()
    for seed in range(40):
        made = varied(COLORS, name, seed)
        assert [c.label for c in made.choices] == ["A", "B", "C", "D"]
        assert {c.content for c in made.choices} == {"red", "green", "blue", "white"}
        assert made.choices != COLORS.choices
        assert right(made) == "green"
        seen[str(made.target)] += 1
    assert len(seen) == (3 if name == "move-key" else 4)


def test_a_moved_key_keeps_the_order_of_the_options_round_a_circle() -> None:
    made = [str(c.content) for c in varied(COLORS, "move-key", 3).choices]
    start = made.index("red")
    assert made[start:] + made[:start] == ["red", "green", "blue", "white"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which is right?", ("red", "green", "all of the above")),
        ("Which is right?", ("red", "both of these", "none of the above")),
        ("Compare option A with the picture.", ("red", "green", "blue")),
        ("Which letter is shown?", ("A", "B", "C")),
        ("Which? A. red B. green", ("red", "green", "blue")),
        ("Which is right?", ("red", "red", "blue")),
        ("What is right?", ("", "", "")),
    ],
)
def test_options_that_point_at_others_stay(text: str, options: tuple[str, ...]) -> None:
    given = item(text, options)
    assert varied(given, "shuffle-options") == given
    assert varied(given, "move-key") == given


def test_several_right_options_move_together() -> None:
    given = item("Which are colors?", ("red", "seven", "blue", "stone"))
    given = Item(**{**vars(given), "answer_type": "choices", "target": ("A", "C")})
    made = varied(given, "shuffle-options", 5)
    texts = {c.label: c.content for c in made.choices}
    assert {texts[label] for label in made.target} == {"red", "blue"}  # type: ignore[union-attr]


def test_names_change_alike_everywhere_and_keep_their_pronouns() -> None:
    given = item(
        "Anna has 3 pens and gives Tom one. How many does Anna have?",
        ("Anna has 2", "Tom has 2", "nobody"),
    )
    made = varied(given, "change-names", 2)
    words = set(made.text.replace(".", " ").replace("?", " ").split())
    (woman,), (man,) = words & set(WOMEN), words & set(MEN)
    assert woman not in ("Anna", "Tom")
    assert man not in ("Anna", "Tom")
    assert made.text == given.text.replace("Anna", woman).replace("Tom", man)
    assert right(made) == f"{woman} has 2"


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote it, Thomas Mann?", "How many letters has Anna?", "Anna B. has 3 pens.",
        "The Saint Helen has 3 decks.", "Nobody has pens.",
    ],
)  # fmt: skip
def test_names_that_may_matter_stay(text: str) -> None:
    given = item(text, ("one", "two", "three"))
    assert varied(given, "change-names") == given


def test_names_that_are_the_options_change_with_the_question() -> None:
    given = item("Anna has more pens than Tom. Who has fewer?", ("Tom", "Anna", "Nina"))
    made = varied(given, "change-names", 1)
    assert made.text.split()[5] == f"{right(made)}."
    assert right(made) != "Tom"


def test_a_name_that_is_the_answer_changes_with_the_question() -> None:
    given = item("Peter is taller than David. Who is taller?", (), ("Peter",))
    made = varied(given, "change-names", 1)
    assert isinstance(made.target, tuple)
    assert made.text.startswith(f"{made.target[0]} is taller than")
    assert made.target != given.target


@pytest.mark.parametrize("seed", range(8))
def test_numbers_change_and_the_key_is_their_value(seed: int) -> None:
    blank = varied(item("What is 12 + 7 × 3?", (), ("33",)), "change-numbers", seed)
    numbers = [int(part) for part in blank.text[8:-1].replace("×", "+").split("+")]
    assert blank.target == (str(numbers[0] + numbers[1] * numbers[2]),)
    assert [len(str(n)) for n in numbers] == [2, 1, 1]
    assert blank.text != "What is 12 + 7 × 3?"
    choice = varied(item("24 / 4 = ?", ("5", "6", "8"), "B"), "change-numbers", seed)
    a, b = map(int, choice.text[:-4].split("/"))
    assert int(right(choice)) * b == a
    assert [int(str(c.content)) for c in choice.choices] == [a // b - 1, a // b, a // b + 2]


@pytest.mark.parametrize(
    ("text", "options", "target"),
    [
        ("In 1999 Anna had 12 + 7 pens. How many?", (), ("19",)),
        ("What is 12 + 7?", (), ("20",)),
        ("What is 12 + 7?", ("19", "many"), "A"),
        ("How many are 12?", (), ("12",)),
    ],
)
def test_numbers_whose_value_is_not_the_key_stay(
    text: str, options: tuple[str, ...], target: Any
) -> None:
    given = item(text, options, target)
    assert varied(given, "change-numbers") == given


def pictured(margin: int = 40) -> Item:
    pixels = np.full((100, 120, 3), 250, np.uint8)
    pixels[margin : 100 - margin, margin : 120 - margin] = np.arange(3) * 40
    pixels[margin, margin] = 255
    image = Image(encode_png(pixels), "p.png")
    whole = item("What is shown?", ("a box", "a ball", "a hat"))
    origin = Provenance("example", "1", content_hash=f"h{margin}", pixel_hashes=("x",))
    return Item(**{**vars(whole), "content": ("What is shown?", image), "provenance": origin})


@pytest.mark.parametrize("seed", range(10))
def test_a_margin_changes_by_as_many_pixels_on_all_sides_and_nothing_else(seed: int) -> None:
    given = pictured()
    old, new = given.images[0].decode(), varied(given, "reframe-images", seed).images[0].decode()
    by = (new.shape[0] - old.shape[0]) // 2
    assert by != 0
    assert new.shape[1] - old.shape[1] == 2 * by
    if by > 0:
        assert (new[by:-by, by:-by] == old).all()
        assert (new[:by] == 250).all()
    else:
        assert (new == old[-by:by, -by:by]).all()
        assert (new != 250).any()


def test_pictures_drawn_anew_are_larger_and_show_the_same(tmp_path: Path) -> None:
    given = pictured()
    old, new = given.images[0].decode(), varied(given, "redraw-images", 3).images[0].decode()
    grown = np.array(new.shape[:2]) / old.shape[:2]
    assert 1.04 < grown.min() <= grown.max() < 1.51
    assert np.ptp(grown) < 0.02
    # Every old pixel stands where its place is in the larger picture.
    rows, columns = (np.linspace(0, n - 1, m).round().astype(int)
                     for n, m in zip(new.shape[:2], old.shape[:2], strict=True))  # fmt: skip
    apart = np.abs(new[np.ix_(rows, columns)].astype(int) - old)
    assert np.mean(apart > 40) < 0.1
    both = Item(**{**vars(given), "content": (*given.content, pictured(10).images[0])})
    sizes = {image.decode().shape for image in varied(both, "redraw-images", 3).images}
    assert len(sizes) == 1


@pytest.mark.parametrize("name", ["reframe-images", "redraw-images"])
@pytest.mark.parametrize("text", ["How many pixels wide is it?", "Give the bounding box.", "坐标?"])
def test_pictures_of_questions_about_pixels_stay(name: str, text: str) -> None:
    given = pictured()
    given = Item(**{**vars(given), "content": (text, given.images[0])})
    assert varied(given, name) == given


def test_pictures_without_a_plain_edge_stay() -> None:
    given = pictured(margin=0)
    assert varied(given, "reframe-images") == given


@pytest.mark.parametrize("name", VARIED)
def test_every_variant_is_recorded_and_can_be_undone(name: str) -> None:
    given = {
        "change-names": item("Anna has a pen. What has Anna?", ("a pen", "a cup", "a hat")),
        "change-numbers": item("What is 12 + 7?", (), ("19",)),
        "reframe-images": pictured(),
        "redraw-images": pictured(),
    }.get(name, COLORS)
    made = varied(given, name, 4)
    (step,) = json.loads(made.provenance.history)
    assert step["do"] == name
    assert made.provenance.content_hash != given.provenance.content_hash
    assert undone([made]) == [given]


def bank_of(folder: Path, count: int = 60) -> ItemBank:
    items = [
        item(f"Which has number {k}?", ("red", f"green {k}", "blue", "white"), "ABCD"[k % 4], k)
        for k in range(count)
    ]
    return ItemBank.open(write_bank([*items, item("No options.", (), ("x",), 99)],
                                    folder / "b.parquet", {"benchmark": "example"}))  # fmt: skip


@pytest.mark.thorough
def test_lot_draws_the_public_variant_and_the_draw_is_recorded(tmp_path: Path) -> None:
    made = gf.variants(bank_of(tmp_path), "shuffle-options", path=tmp_path / "v.parquet", seed=3)
    public, fresh = (gf.open_bank(tmp_path / f"v{end}.parquet") for end in ("", ".fresh"))
    assert made.left_out == ("q99",)
    record = json.loads((tmp_path / "v.draw.json").read_text())
    assert [f"{name}~{n}" for name, n in record["public"].items()] == sorted(
        public.ids, key=lambda i: int(i[1:-2])
    )
    assert Counter(record["public"].values())[1] in range(18, 43)
    assert {i[:-2] for i in public.ids} == {i[:-2] for i in fresh.ids}
    assert not set(public.ids) & set(fresh.ids)
    assert all(a != b for a, b in zip(public, fresh, strict=True))
    assert record["draw"] == made.draw
    again = gf.variants(bank_of(tmp_path), "shuffle-options", path=tmp_path / "w.parquet", seed=3)
    assert again.draw == made.draw
    assert [one.choices for one in gf.open_bank(tmp_path / "w.parquet")] == [
        one.choices for one in public
    ]
    other = gf.variants(bank_of(tmp_path), "shuffle-options", path=tmp_path / "x.parquet", seed=4)
    assert other.draw != made.draw


def test_inflation_takes_two_banks_of_one_draw_as_twins(tmp_path: Path) -> None:
    gf.variants(bank_of(tmp_path), "shuffle-options", path=tmp_path / "v.parquet", seed=3)
    public, fresh = tmp_path / "v.parquet", tmp_path / "v.fresh.parquet"
    names = [*gf.open_bank(public).ids, *gf.open_bank(fresh).ids]
    rng = np.random.default_rng(1)
    right_ones = (rng.random(120) < 0.5) * 1.0
    right_ones[:60] = np.maximum(right_ones[:60], rng.random(60) < 0.6)
    table = pd.DataFrame([right_ones], ["m"], names)
    found = gf.inflation(table, examinee="m", public=public, fresh=fresh)
    tests = found.tests.set_index("test")
    assert tests.index[tests["offered"].to_numpy(bool)].tolist() == ["twins"]
    assert tests.loc["twins", "p"] < 0.01
    assert found.estimate == pytest.approx(100 * (right_ones[:60].mean() - right_ones[60:].mean()))
    assert "higher on the public items than on their twins" in found.sentence
    # Only two banks of one draw are twins, and only in their own places.
    gf.variants(bank_of(tmp_path), "shuffle-options", path=tmp_path / "x.parquet", seed=4)
    other = gf.open_bank(tmp_path / "x.fresh.parquet")
    assert twins_of(gf.open_bank(public), other) == {}
    assert twins_of(gf.open_bank(fresh), gf.open_bank(public)) == {}
    assert len(twins_of(gf.open_bank(public), gf.open_bank(fresh))) == 60


def test_the_command_writes_both_banks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bank_of(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ("transform", "b.parquet", "-o", "v.parquet", "--do", "shuffle-options")
    done = run_cli(monkeypatch, capsys, *words, "--variants", "random", "--seed", "3")
    assert "v.fresh.parquet: 60 variants to keep secret" in done.out
    assert "left out, without two variants: 1 item\n" in done.out
    done = run_cli(monkeypatch, capsys, *words, "--variants", "random", "--share", "0.5")
    assert "--share does not work with --variants" in done.err


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        ("split", ParameterError, "changes the question"),
        ("nothing", UnknownNameError, "nothing"),
        (
            "reframe-images",
            ParameterError,
            "no item of .* by reframe-images; name move-key or shuffle-options",
        ),
        ((), ParameterError, "name one of"),
    ],
)
def test_what_makes_no_variants_is_refused(
    names: Any, error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        gf.variants(bank_of(tmp_path), names, path=tmp_path / "v.parquet")
    assert not (tmp_path / "v.parquet").exists()

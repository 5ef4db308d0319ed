"""The benchmark plugin-name: the same files give the same bank; invalid rows are named."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from gfactor.benchmarks import BENCHMARKS, audit_bank, build
from gfactor.errors import ParameterError
from gfactor.imaging import Canvas, Frame, encode_png
from gfactor.items import ItemBank

from plugin_name import BENCHMARK, COLUMNS, NAME


def write_release(folder: Path, **cells: str) -> Path:
    """Four questions with a picture each; `cells` replace those of the last row."""
    folder.mkdir()
    rows = []
    for n, key in enumerate("ABCD"):
        canvas = Canvas(Frame(64, 48))
        canvas.shape("circle", 12 + 12 * n, 24, 10, (0, 0, 0))
        (folder / f"{n}.png").write_bytes(encode_png(canvas.pixels))
        rows.append([f"q{n}", "position", f"{n}.png", "Where is the circle?"])
        rows[-1] += ["far left", "left", "right", "far right", key]
    rows[-1] = [cells.get(name, cell) for name, cell in zip(COLUMNS, rows[-1], strict=True)]
    with (folder / "questions.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return folder


def test_the_same_files_give_the_same_bank(tmp_path: Path) -> None:
    assert BENCHMARKS[NAME] is BENCHMARK
    release = str(write_release(tmp_path / "release"))
    first = build(NAME, tmp_path / "first.parquet", source=release)
    again = build(NAME, tmp_path / "again.parquet", source=release)
    assert (first.items, first.images) == (4, 4)
    assert (first.scene_digest, first.pixel_digest) == (again.scene_digest, again.pixel_digest)


def test_an_item_is_what_its_row_says(tmp_path: Path) -> None:
    release = write_release(tmp_path / "release")
    built = build(NAME, tmp_path / "bank.parquet", source=str(release))
    item = ItemBank.open(built.path, decode=True).item("q2")
    assert item.text == "Where is the circle?"
    assert item.target == "C"
    assert [c.content for c in item.choices] == ["far left", "left", "right", "far right"]
    assert item.images[0].data == (release / "2.png").read_bytes()


def test_the_keys_are_balanced(tmp_path: Path) -> None:
    built = build(NAME, tmp_path / "b.parquet", source=str(write_release(tmp_path / "release")))
    assert audit_bank(ItemBank.open(built.path)).domains["position"]["constant"] == 0.25


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"answer": "E"}, "'questions.csv', row 4, id 'q3': its target"),
        ({"question": ""}, "it has no question"),
        ({"image": "none.png"}, "image 'none.png' has no bytes"),
        ({"id": "q0"}, "the id is already that of row 1"),
    ],
)
def test_an_invalid_row_is_named(cells: dict[str, str], message: str, tmp_path: Path) -> None:
    release = str(write_release(tmp_path / "release", **cells))
    with pytest.raises(ParameterError, match=message):
        build(NAME, tmp_path / "bank.parquet", source=release)
    rest = build(NAME, tmp_path / "bank.parquet", source=release, skip_invalid=True)
    assert (rest.items, rest.skipped) == (3, 1)

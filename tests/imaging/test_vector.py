"""Vector pictures show what the pixels show: every family and domain, drawn by another program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.tiers import few

import gfactor as gf
from gfactor.benchmarks.chc import FAMILIES, build
from gfactor.benchmarks.chc.redrawing import vector_pictures
from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.build import vector_pictures as percept_v_pictures
from gfactor.benchmarks.percept_v.domain import DOMAINS
from gfactor.errors import ParameterError
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.vector import recorded
from gfactor.items import Item

resvg_py = pytest.importorskip("resvg_py")

MEAN, FAR, LOCAL = 3.0, 0.004, 60.0
"""Most that both may differ: on the mean over a picture, in levels of 255; the share of pixels that
are more than half of the range apart; on the mean over a square of 7 pixels. Both smooth edges
differently; a line of two pixels that only one of them draws is 70 and more over such a square."""


def raster(svg: str) -> Pixels:
    """The pixels of an SVG document as resvg draws it."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    pixels = cv2.imdecode(np.frombuffer(bytes(drawn), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return np.asarray(pixels[..., ::-1], np.uint8)


def apart(one: Pixels, other: Pixels) -> tuple[float, float, float]:
    """How far two pictures are apart, in the three ways of `MEAN`, `FAR` and `LOCAL`."""
    assert one.shape == other.shape
    colors = cv2.split(cv2.absdiff(one, other))
    far = np.asarray(cv2.max(cv2.max(colors[0], colors[1]), colors[2])) > 128
    difference: Any = sum(color.astype(np.float32) for color in colors) / 3
    local = np.asarray(cv2.blur(difference, (7, 7)))
    return float(difference.mean()), float(far.mean()), float(local.max())


def are_alike(item: Item, documents: list[str]) -> bool:
    pairs = zip(item.images, documents, strict=True)
    found = [apart(image.decode(), raster(svg)) for image, svg in pairs]
    return all(mean < MEAN and far < FAR and local < LOCAL for mean, far, local in found)


@pytest.mark.parametrize("name", few(list(FAMILIES), 4))
def test_the_svg_of_an_item_looks_like_its_png_at_every_difficulty(name: str) -> None:
    family = FAMILIES[name]
    (part,) = build.plan(
        seed=4, families=[name], per_cell=1, difficulty=family.difficulties
    ).parts  # fmt: skip
    for item in part.make():
        assert isinstance(item, Item)
        assert are_alike(item, vector_pictures(item)), item.id


@pytest.mark.parametrize(
    ("name", "edition"),
    few([(name, edition) for name in DOMAINS for edition in DOMAINS[name].editions], 8),
)
def test_the_svg_of_a_percept_v_item_looks_like_its_png(name: str, edition: str) -> None:
    for item in make_items(name, edition=edition, seed=4, sizes=[3, 15], instances=1):  # pyright: ignore
        assert are_alike(item, percept_v_pictures(item)), item.id


def test_a_line_that_only_one_of_both_has_is_found() -> None:
    def draw(lines: int) -> list[Pixels]:
        canvas = Canvas(Frame(400, 400))
        for k in range(lines):
            canvas.line(40, 60 + 40 * k, 80, 60 + 40 * k, (0, 0, 0), 2)
        return [canvas.pixels]

    (svg,) = recorded(lambda: draw(3))
    mean, far, local = apart(draw(3)[0], raster(svg))
    assert mean < MEAN
    assert far < FAR
    assert local < LOCAL
    assert apart(draw(4)[0], raster(svg))[2] > LOCAL


def test_nothing_is_noted_and_no_pixel_changes_where_no_svg_is_wanted() -> None:
    canvas = Canvas(Frame(20, 20))
    assert canvas._drawing is None

    (part,) = build.plan(seed=4, families=["closure"], per_cell=1, difficulty=["easy"]).parts
    (item,) = part.make()
    assert isinstance(item, Item)
    pixels = item.images[0].decode()
    # Pixels that no canvas drew are an image within the document.
    (svg,) = recorded(lambda: [pixels])
    assert svg.count("<image") == 1
    assert apart(pixels, raster(svg)) == (0, 0, 0)


def test_build_writes_every_picture_once_beside_the_bank(tmp_path: Path) -> None:
    bank = gf.build(
        "chc", path=tmp_path / "c.parquet", show_progress=False, families=["closure", "n_back"],
        difficulty=["easy"], per_cell=1, language=["en", "fr"], twin="both", vector=True,
    )  # fmt: skip
    pictures = {Path(image.path).stem for item in bank for image in item.images}
    files = sorted((tmp_path / "c-svg").iterdir())
    assert {file.stem for file in files} == pictures
    assert all(file.read_text(encoding="utf-8").startswith("<svg ") for file in files)
    plain = gf.build(
        "chc", path=tmp_path / "d.parquet", show_progress=False, families=["closure", "n_back"],
        difficulty=["easy"], per_cell=1, language=["en", "fr"], twin="both",
    )  # fmt: skip
    assert [item.provenance for item in plain] == [item.provenance for item in bank]
    assert not (tmp_path / "d-svg").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(["mm-iq-parallel", "m3gia-parallel"], 1))
def test_parallel_forms_are_written_as_svg_too(name: str, tmp_path: Path) -> None:
    gf.build(name, path=tmp_path / "p.parquet", show_progress=False, items=8, vector=True,
             language=["en"])  # fmt: skip
    assert len(list((tmp_path / "p-svg").glob("*.svg"))) >= 8


def test_a_folder_that_cannot_be_made_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "c-svg").write_text("in the way")
    with pytest.raises(ParameterError, match="cannot make the folder"):
        gf.build("chc", path=tmp_path / "c.parquet", show_progress=False, families=["closure"],
                 difficulty=["easy"], per_cell=1, vector=True)  # fmt: skip

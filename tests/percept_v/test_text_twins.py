"""Text twins of Percept-V: scenes can be drawn again from the words, and nothing else is said."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest

from gfactor.benchmarks import build
from gfactor.benchmarks.percept_v.build import item_random, plan
from gfactor.benchmarks.percept_v.domain import DOMAINS, EDITIONS, Edition
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import BankPlan, Item, ItemBank, canonical_json

SIZES, SEEDS = (1, 4, 11, 20), (3, 4)
BLENDED = 4
"""Gray levels by which edges that touch differ when they are drawn in another order."""


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", [name for name in DOMAINS if not DOMAINS[name].is_addition])
def test_who_reads_the_twin_can_draw_the_picture(name: str, edition: Edition) -> None:
    domain = DOMAINS[name]
    assert domain.twin is not None
    for size in SIZES:
        for seed in SEEDS:
            rng = item_random(domain, edition, seed, size, 0)
            scene = domain.make(rng, size, edition)
            text = domain.twin.write(scene)
            read = domain.twin.read(text, domain.scene_type)
            assert type(read) is type(scene)
            assert domain.answer(read) == domain.answer(scene)
            assert set(domain.accepted(read)) == set(domain.accepted(scene))
            for ours, theirs in zip(domain.draw(read), domain.draw(scene), strict=True):
                assert np.max(cv2.absdiff(ours, theirs)) <= BLENDED
            assert domain.twin.write(read) == text


@pytest.mark.parametrize("name", ["layered_colours", "layered_shapes", "grid_path"])
def test_where_order_is_the_answer_lines_stand_in_another(name: str) -> None:
    domain = DOMAINS[name]
    assert domain.twin is not None
    agree = 0
    for seed in range(20):
        scene = domain.make(item_random(domain, "audited", seed, 6, 0), 6, "audited")
        lines = domain.twin.write(scene).split("\n")
        if name == "grid_path":
            cells = [f"from row {r + 1}, column {c + 1} to" for r, c in scene.path[:-1]]
            places = [next(k for k, x in enumerate(lines) if cell in x) for cell in cells]
        else:
            radii = [one.r for one in (scene.discs if "colours" in name else scene.layers)]
            places = [next(k for k, x in enumerate(lines) if f"radius {r}" in x) for r in radii]
        agree += places == sorted(places)
    assert agree <= 6  # a path may happen to lead down and to the right


def test_a_twin_neither_counts_nor_says_the_answer() -> None:
    domain = DOMAINS["counting_circles"]
    assert domain.twin is not None
    scene = domain.make(item_random(domain, "audited", 5, 6, 0), 6, "audited")
    first, *lines, last = domain.twin.write(scene).split("\n")
    assert all(line.startswith("black circle, radius ") for line in lines)
    assert len(lines) == domain.answer(scene)
    assert "ground.shade = " in last
    assert not any(word in first for word in ("answer", "COUNT"))


def made(planned: BankPlan) -> list[Item]:
    return [item for part in planned.parts for item in part.make() if isinstance(item, Item)]


def test_both_makes_two_items_of_every_scene(tmp_path: Path) -> None:
    chosen = {"seed": 7, "domains": ["sort_lines", "maze_solving"], "sizes": [2, 3], "instances": 2}
    pictures = made(plan(**chosen))
    both = made(plan(**chosen, twin="both"))
    texts = made(plan(**chosen, twin="text"))
    assert [item.id for item in both[::2]] == [item.id for item in pictures]
    assert [item.provenance for item in both[::2]] == [item.provenance for item in pictures]
    assert both[1::2] == texts
    for picture, text in zip(both[::2], both[1::2], strict=True):
        assert text.id == f"{picture.id}-text"
        assert (picture.labels["twin"], text.labels["twin"]) == ("picture", "text")
        assert picture.labels["scene"] == text.labels["scene"]
        assert text.content[0] == picture.content[0]
        assert not text.images
        assert (text.target, text.output_format) == (picture.target, picture.output_format)
        assert text.provenance.content_hash != picture.provenance.content_hash
    assert len({item.labels["scene"] for item in both}) == len(pictures)
    assert all("twin" not in item.labels for item in pictures)
    written = build("percept-v", tmp_path / "b.parquet", **chosen, twin="both")
    assert ItemBank.open(written.path).metadata["twin"] == "both"


def test_a_domain_without_a_twin_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = dataclasses.replace(DOMAINS["sort_lines"], twin=None)
    monkeypatch.setitem(DOMAINS._things, "sort_lines", bare)  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="sort_lines cannot be put into words"):
        plan(domains=["sort_lines", "maze_solving"], twin="both")
    assert plan(domains=["sort_lines"]).parts
    with pytest.raises(UnknownNameError, match="twin"):
        plan(twin="words")


def test_a_line_that_no_twin_says_is_refused() -> None:
    domain = DOMAINS["sort_circles"]
    assert domain.twin is not None
    scene = domain.make(item_random(domain, "audited", 1, 3, 0), 3, "audited")
    text = domain.twin.write(scene)
    assert canonical_json(scene) != text
    with pytest.raises(ValueError, match="0 templates"):
        domain.twin.read(text.replace("black circle", "black disc"), domain.scene_type)
    with pytest.raises(ValueError, match="last line"):
        domain.twin.read(text.rsplit("\n", 1)[0], domain.scene_type)

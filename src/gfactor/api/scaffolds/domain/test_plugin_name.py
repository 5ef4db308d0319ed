"""The domain plugin_name keeps every invariant of Percept-V, and its answers are right."""

from __future__ import annotations

from pathlib import Path

from gfactor.benchmarks import build
from gfactor.benchmarks.percept_v import DOMAINS, check_domain
from gfactor.benchmarks.percept_v.parts import Shape
from gfactor.items import ItemBank

from plugin_name import DOMAIN, FRAME, Scene, answer


def test_the_domain_keeps_every_invariant() -> None:
    assert check_domain(DOMAIN) == []
    assert check_domain(DOMAIN, seed=2) == []


def test_the_answer_is_the_number_of_squares() -> None:
    square, circle = (Shape(kind, 50, 50, 16, "black") for kind in ("square", "circle"))
    assert answer(Scene(FRAME, (square, circle, square))) == 2
    assert answer(Scene(FRAME, (circle,))) == 0


def test_a_bank_of_it_can_be_built(tmp_path: Path) -> None:
    assert DOMAINS["plugin_name"] is DOMAIN
    options = {"seed": 7, "domains": ["plugin_name"], "sizes": [1, 5], "instances": 2}
    first = build("percept-v", tmp_path / "first.parquet", **options)
    again = build("percept-v", tmp_path / "again.parquet", **options)
    assert first.items == 4
    assert (first.scene_digest, first.pixel_digest) == (again.scene_digest, again.pixel_digest)
    assert {item.labels["domain"] for item in ItemBank.open(first.path)} == {"plugin_name"}

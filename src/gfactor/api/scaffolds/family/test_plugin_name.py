"""The family plugin_name passes the checks of all families, and its answers are right."""

from __future__ import annotations

from pathlib import Path

from gfactor.benchmarks import build
from gfactor.benchmarks.chc import FAMILIES, check_family
from gfactor.items import ItemBank

from plugin_name import FAMILY, Scene, solve


def test_the_family_keeps_what_every_family_keeps() -> None:
    assert check_family(FAMILY) == []
    assert check_family(FAMILY, seed=2) == []


def test_the_answer_is_the_number_of_figures_of_the_form() -> None:
    rows = (("star", "circle", ""), ("star", "", "star"), ("circle", "", ""))
    assert solve(Scene(rows, "star"), ()).answers == (3,)
    assert solve(Scene(rows, "circle"), ()).answers == (2,)


def test_a_bank_of_it_can_be_built(tmp_path: Path) -> None:
    assert FAMILIES["plugin_name"] is FAMILY
    options = {"seed": 7, "families": ["plugin_name"], "per_cell": 2, "language": ["en", "ko"]}
    first = build("chc", tmp_path / "first.parquet", **options)
    again = build("chc", tmp_path / "again.parquet", **options)
    assert first.items == 12
    assert (first.scene_digest, first.pixel_digest) == (again.scene_digest, again.pixel_digest)
    assert {item.labels["family"] for item in ItemBank.open(first.path)} == {"plugin_name"}

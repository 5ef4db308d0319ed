"""Building a battery of generated families: options, languages, twins, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import run_cli

from gfactor.benchmarks.chc import FAMILIES, build, register
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Item, ItemBank


def test_the_command_line_builds_what_python_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "b.parquet"
    typed = "build chc --seed 7 --families matrices,number_series --difficulty easy,hard"
    words = (*typed.split(), "--per-cell", "3", "--language", "ko,fr", "-o", str(path))
    assert run_cli(monkeypatch, capsys, *words).code == 0
    bank = ItemBank.open(path, decode=True)
    plan = build.plan(
        seed=7,
        families=["matrices", "number_series"],
        difficulty=["easy", "hard"],
        per_cell=3,
        language=["ko", "fr"],
    )
    made = [item.id for part in plan.parts for item in part.make()]  # pyright: ignore
    assert list(bank.ids) == made
    assert len(bank) == 2 * 2 * 3 * 2
    assert set(bank.frame()["language"]) == {"ko", "fr"}
    assert "radical.rules" in bank.frame().columns


def test_families_are_listed_for_machines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(run_cli(monkeypatch, capsys, "list", "families", "--json").out)
    assert [one["family"] for one in found] == list(FAMILIES)
    keys = [
        "family", "ability", "radicals", "difficulties", "answer_types", "languages", "mm_iq",
        "m3gia", "origin",
    ]  # fmt: skip
    assert all(list(one) == keys for one in found)
    assert all(one["languages"] == list(LANGUAGES) for one in found)


def test_radicals_take_the_place_of_a_preset() -> None:
    plan = build.plan(seed=3, radicals={"rules": 2, "noise": 1}, per_cell=2)
    items = [item for part in plan.parts for item in part.make()]
    labels = [item.labels for item in items]  # pyright: ignore
    families = {str(label["family"]) for label in labels}
    assert {"matrices", "figure_series", "odd_one_out"} <= families
    assert "number_series" not in families
    assert {label["difficulty"] for label in labels} == {"set"}
    for label in labels:
        assert label.get("radical.rules", 2) == 2
        assert label.get("radical.noise", 1) == 1


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"families": ["matrix"]}, "matrices"),
        ({"seed": -1}, "seed must be"),
        ({"per_cell": 0}, "per_cell must be 1 or more"),
        ({"language": ["de"]}, "unknown language 'de'"),
        ({"twin": "sound"}, "unknown twin"),
        ({"difficulty": ["easy"], "radicals": {"rules": 1}}, "not both"),
        ({"families": ["matrices"], "radicals": {"rules": 9}}, "no level 9"),
        ({"families": ["matrices"], "radicals": {"streams": 1}}, "no radical 'streams'"),
        ({"families": ["matrices"], "answers": "open"}, "no open answers"),
        ({"families": ["matrices"], "radicals": {"grid": 2, "kind": "logic"}}, "cannot be drawn"),
        *[
            ({"families": [name], "radicals": levels}, f"'{name}' cannot be drawn with")
            for name, levels in {
                "form_board": {"pieces": 3, "squares": 10, "foil": "mirror"},
                "tower_planning": {"pieces": 3, "moves": 6, "pegs": "equal"},
                "maze_costs": {"grid": 5, "highest": 5, "walls": 2, "detour": 2},
                "paper_folding": {"folds": 3, "diagonals": 0, "offset": 0},
            }.items()
        ],
    ],
)
def test_what_cannot_be_built_is_refused_before_any_work(wrong: dict, why: str) -> None:
    with pytest.raises((ParameterError, UnknownNameError), match=why):
        build.plan(**wrong)


@pytest.mark.slow
def test_more_items_than_there_are_scenes_is_said() -> None:
    only = {"rule": "step", "streams": 1, "magnitude": 1, "direction": "up", "evidence": 0}
    plan = build.plan(families=["number_series"], radicals=only, per_cell=2000)
    with pytest.raises(ParameterError, match="ask for fewer items"):
        list(plan.parts[0].make())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["form_board", "maze_costs", "paper_folding", "tower_planning"])
def test_every_combination_of_levels_that_fits_has_scenes(name: str) -> None:
    """In the other families every combination has them too (benchmarks/chc.py levels)."""
    for levels in FAMILIES[name].cells({}):
        (part,) = build.plan(families=[name], radicals=levels, per_cell=1).parts
        assert len(list(part.make())) == 1, levels  # pyright: ignore


def test_both_makes_a_picture_and_a_text_twin_of_every_scene() -> None:
    made: dict[str, list[Item]] = {}
    for twin in ("picture", "text", "both"):
        chosen = {"families": ["number_grids"], "per_cell": 2, "language": ("en", "fr")}
        (part,) = build.plan(seed=2, **chosen, twin=twin).parts  # type: ignore[arg-type]
        made[twin] = [item for item in part.make() if isinstance(item, Item)]
    assert len(made["both"]) == 2 * len(made["picture"]) == 24
    for twin, ending in (("picture", ""), ("text", "-text")):
        ours = [item for item in made["both"] if item.labels["twin"] == twin]
        assert [item.id for item in ours] == [f"{item.id}{ending}" for item in made[twin]]
        assert [item.provenance for item in ours] == [item.provenance for item in made[twin]]
    scenes = [item.labels["scene"] for item in made["both"]]
    assert {scenes.count(scene) for scene in scenes} == {4}  # two languages, two twins


def test_text_twins_list_options_and_together_keeps_the_picture() -> None:
    made = {}
    for twin in ("picture", "text", "together"):
        (part,) = build.plan(seed=2, families=["matrices"], per_cell=1, twin=twin).parts
        made[twin] = next(iter(part.make()))
    assert [c.content for c in made["picture"].choices] == [""] * 8  # pyright: ignore
    assert all(c.content for c in made["text"].choices)  # pyright: ignore
    assert made["together"].images  # pyright: ignore
    last = made["together"].content[-1]  # pyright: ignore
    for choice in made["text"].choices:  # pyright: ignore
        assert f"{choice.label}. {choice.content}" in last
    assert len({item.target for item in made.values()}) == 1  # pyright: ignore


def test_two_families_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        register(FAMILIES["matrices"])

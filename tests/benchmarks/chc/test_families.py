"""Every generated family keeps what the battery promises, whoever wrote it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from support import chc_families as specimens
from support.tiers import few

from gfactor.benchmarks.chc import ABILITIES, FAMILIES, audit, build
from gfactor.benchmarks.chc import items as making
from gfactor.benchmarks.chc.families import cube_counting
from gfactor.benchmarks.chc.family import DIFFICULTIES
from gfactor.benchmarks.text_flaws import flaws
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.examinees.observer import SOLVERS, IdealPerception, observe
from gfactor.items import canonical_json

family = pytest.mark.parametrize("name", specimens.names())
A_FEW = 2
"""Items of each difficulty that tests share."""
of_each_cell = pytest.mark.parametrize(
    "per_cell", [A_FEW, pytest.param(34, marks=pytest.mark.slow)]
)
"""Items of each difficulty: those that other tests need anyway, or more than a hundred in all."""
few_or_twelve = pytest.mark.parametrize(
    "per_cell", [A_FEW, pytest.param(12, marks=pytest.mark.slow)]
)


@family
def test_a_family_has_four_radicals_three_presets_and_an_origin(name: str) -> None:
    one = FAMILIES[name]
    assert one.ability in ABILITIES
    assert len(one.radicals) >= 4
    assert all(len(levels) >= 2 for levels in one.radicals.values())
    assert all(len({type(level) for level in levels}) == 1 for levels in one.radicals.values())
    assert set(one.presets) == set(DIFFICULTIES)
    for preset in one.presets.values():
        assert all(set(levels) <= set(one.radicals[r]) for r, levels in preset.items())
        assert one.cells(preset)
    assert one.origin
    assert one.literature


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(specimens.names(), 8))
def test_radicals_vary_within_a_bank_of_all_difficulties(name: str) -> None:
    for radical in FAMILIES[name].radicals:
        seen = {item.labels[f"radical.{radical}"] for item in specimens.items(name)}
        assert len(seen) >= 2, radical


@pytest.mark.thorough
@family
@of_each_cell
def test_an_independent_checker_finds_every_key(name: str, per_cell: int) -> None:
    check = specimens.checker(name)
    drawn = [specimens.record(i) for i in specimens.items(name, per_cell=per_cell)]
    assert len(drawn) >= per_cell * len(DIFFICULTIES)
    for one in drawn:
        found = check.answer(one["scene"], one["options"])
        if one["options"]:
            assert one["errors"][found] == "", one
            assert one["options"][found] == one["answer"]
        else:
            assert found == one["answer"], one


@pytest.mark.thorough
@family
def test_a_checker_imports_nothing_of_the_generator(name: str) -> None:
    tree = ast.parse((specimens.CHECKERS / f"{name}.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("gfactor")
        if isinstance(node, ast.Import):
            assert not any(a.name.startswith("gfactor") for a in node.names)


@family
@of_each_cell
def test_options_are_distinct_and_each_wrong_one_has_its_error(name: str, per_cell: int) -> None:
    for item in specimens.items(name, per_cell=per_cell):
        one = specimens.record(item)
        shown = [canonical_json(option) for option in one["options"]]
        assert len(set(shown)) == len(shown)
        assert one["errors"].count("") == (1 if shown else 0)
        if item.answer_type == "choice":
            assert one["errors"][ord(str(item.target)) - ord("A")] == ""
            assert len(item.choices) == len(shown) == FAMILIES[name].options[0]


@pytest.mark.parametrize(
    "name", few([name for name in sorted(FAMILIES) if FAMILIES[name].options], 3)
)
def test_keys_are_balanced_over_positions(name: str) -> None:
    count = FAMILIES[name].options[0]
    items = specimens.items(name, per_cell=2 * count)
    for difficulty in DIFFICULTIES:
        drawn = [specimens.record(i) for i in items if i.labels["difficulty"] == difficulty]
        places = Counter(one["errors"].index("") for one in drawn)
        assert set(places.values()) == {2}
        assert len(places) == count


@family
@few_or_twelve
def test_a_proof_finds_one_answer_and_says_how_much_was_tried(name: str, per_cell: int) -> None:
    for item in specimens.items(name, per_cell=per_cell):
        proof = specimens.record(item)["proof"]
        assert proof["answers"] == 1
        assert proof["hypotheses"] >= 1


@family
@pytest.mark.parametrize("per_cell", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_text_twin_says_all_that_is_shown_in_every_language(name: str, per_cell: int) -> None:
    one = FAMILIES[name]
    for label, allowed in one.presets.items():
        for index in range(per_cell):
            wanted = request(name)
            drawn = making.draw(one, wanted, label, allowed, index, set())
            scene = drawn.draft.scene
            put = one.option
            # Where the options are all that is shown, they are what the twin has to say.
            said = one.twin(scene) or tuple(put(option) for option in drawn.options if put)
            known = sorted({line.template for line in said})
            for language in LANGUAGES:
                lines = [one.texts.write(line, language) for line in said]
                read = [one.texts.read(line, language, known) for line in lines]
                assert one.from_twin(read) == scene, (language, lines)
                if one.option is not None and drawn.options:
                    listed = [one.texts.write(one.option(o), language) for o in drawn.options]
                    assert len(set(listed)) == len(listed), (language, listed)


def request(name: str) -> making.BatteryRequest:
    one = FAMILIES[name]
    return making.BatteryRequest(
        5, (), 4, ("en",), one.answer_types[0], "picture", one.options[0] if one.options else 0
    )


@family
def test_every_template_is_there_in_six_languages(name: str) -> None:
    assert flaws(FAMILIES[name].texts) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(specimens.names(), 12))
def test_six_languages_show_the_same_scene(name: str) -> None:
    items = specimens.items(name, per_cell=2, language=LANGUAGES)
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.id.rpartition("-")[0], []).append(place)
    for places in groups.values():
        group = [items[p] for p in places]
        assert [item.language for item in group] == list(LANGUAGES)
        assert len({item.provenance.scene for item in group}) == 1
        assert len({item.provenance.pixel_hashes for item in group}) == 1
        assert len({item.text for item in group}) == len(LANGUAGES)
        assert len({item.provenance.content_hash for item in group}) == len(LANGUAGES)


@pytest.mark.thorough
@family
@few_or_twelve
def test_an_item_is_rebuilt_from_its_provenance(name: str, per_cell: int) -> None:
    for item in specimens.items(name, per_cell=per_cell)[::2]:
        found = audit.inspect(item, tuple(image.decode() for image in item.images))
        assert found.key_holds, item.id
        assert found.pictures_hold, item.id
        wrong = "B" if item.target == "A" else "A"
        if item.answer_type == "choice":
            assert not audit.inspect(replace(item, target=wrong), ()).key_holds


@family
@few_or_twelve
def test_labels_say_the_design(name: str, per_cell: int) -> None:
    one = FAMILIES[name]
    for item in specimens.items(name, per_cell=per_cell):
        assert item.labels["family"] == name == item.labels["domain"]
        assert item.labels["ability"] == one.ability
        assert item.labels["difficulty"] in DIFFICULTIES
        assert (item.labels["language"], item.labels["twin"]) == ("en", "picture")
        for radical, levels in one.radicals.items():
            assert item.labels[f"radical.{radical}"] in levels


@family
@of_each_cell
def test_no_scene_comes_twice_and_seeds_share_none(name: str, per_cell: int) -> None:
    items = specimens.items(name, per_cell=per_cell)
    scenes = {canonical_json(specimens.record(i)["scene"]) for i in items}
    whole = {i.provenance.content_hash for i in items}
    assert len(whole) == len(items)
    (part,) = build.plan(seed=6, families=[name], per_cell=per_cell // 2).parts
    other = list(part.make())
    assert not whole & {i.provenance.content_hash for i in other}  # pyright: ignore
    assert len(scenes) >= 1


@family
@few_or_twelve
def test_the_ideal_observer_answers_items_from_pixels(name: str, per_cell: int) -> None:
    if FAMILIES[name].unobserved:
        assert name not in SOLVERS
        return
    for item in specimens.items(name, per_cell=per_cell)[:: 2 if per_cell == A_FEW else 1]:
        pictures = tuple(image.decode() for image in item.images)
        wanted = (
            item.target if item.output_format is None else item.output_format.render(item.target)
        )
        assert observe(name, pictures, IdealPerception()) == wanted, item.id


@pytest.mark.thorough
@family
def test_text_twins_need_no_picture(name: str) -> None:
    for item in specimens.items(name, per_cell=2, twin="text"):
        assert not item.images
        lines = item.text.splitlines()
        assert item.turns or len(set(lines)) == len(lines), "a sentence stands twice"
        if item.answer_type == "choice":
            assert len({c.content for c in item.choices}) == len(item.choices)
    for item in specimens.items(name, per_cell=1, twin="together"):
        assert item.images


MAKE = """
import json, sys
from gfactor.benchmarks.chc import FAMILIES, build
found = {}
for name in FAMILIES:
    (part,) = build.plan(seed=5, families=[name], per_cell=2).parts
    found[name] = [
        [i.provenance.content_hash, i.provenance.scene, *i.provenance.pixel_hashes]
        for i in part.make()
    ]
print(json.dumps(found))
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    made = []
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", MAKE],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        made.append(json.loads(done.stdout))
    assert made[0] == made[1]
    for name in specimens.names():
        here = [
            [i.provenance.content_hash, i.provenance.scene, *i.provenance.pixel_hashes]
            for i in specimens.items(name, per_cell=2)
        ]
        assert here == made[0][name]


@few_or_twelve
def test_cubes_that_others_cover_are_hidden(per_cell: int) -> None:
    items = specimens.items("cube_counting", per_cell=per_cell)
    scenes = [specimens.record(item)["scene"] for item in items]
    counts = []
    for scene in scenes:
        heights = tuple(map(tuple, scene["heights"]))
        counts.append((cube_counting.covered_cubes(heights), cube_counting.hidden_cubes(heights)))
    assert all(covered <= hidden for covered, hidden in counts)
    assert any(covered == hidden > 0 for covered, hidden in counts)
    assert cube_counting.covered_cubes(((1, 1), (2, 1))) == 1

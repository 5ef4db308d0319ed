"""What is asked for takes what the family measures: nothing that is shown is the answer already."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gfactor.benchmarks.chc.families import letter_series, set_membership, updating
from gfactor.benchmarks.chc.family import FAMILIES, Draft, Levels, MisdrawnError
from gfactor.benchmarks.chc.redrawing import content_of
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.imaging.measures.letter_series import ALPHABET
from gfactor.items import ItemRandom

Draw = Callable[[ItemRandom, Levels, int], Draft[Any]]


def drafts(
    name: str, draw: Draw, difficulty: str, count: int, *, solved: bool = True
) -> list[tuple[Levels, Draft[Any]]]:
    """Scenes, each of a seed of its own, with the levels that made it; `solved` takes only those
    with one right answer."""
    family, found = FAMILIES[name], []
    cells, seed = family.cells(family.preset(difficulty)), 0
    while len(found) < count:
        levels, seed = cells[seed % len(cells)], seed + 1
        try:
            draft = draw(ItemRandom({"test": name, "seed": seed}, 0, reshuffled=True), levels, 4)
        except MisdrawnError:
            continue
        if not solved or len(family.solve(draft.scene, ()).answers) == 1:
            found.append((levels, draft))
    return found


def letters_before(rng: ItemRandom, levels: Levels, _: int) -> Draft[letter_series.Scene]:
    """Version 1 of letter_series, which could ask for a series whose letters stay."""
    streams, largest = int(levels["streams"]), int(levels["step"])
    repeats, periods = int(levels["repeats"]), letter_series.FEWEST + int(levels["evidence"])
    parts = []
    for k in range(streams):
        step = largest if k == 0 else rng.integer(0, largest)
        signs = {"up": (1,), "down": (-1,), "mixed": (1, -1)}[str(levels["direction"])]
        step *= rng.choice(signs)
        low = max(0, -step * (periods + 1))
        start = rng.integer(low, len(ALPHABET) - 1 - max(0, step * (periods + 1)))
        parts.append([ALPHABET[start + step * n] for n in range(periods + 1)])
    parts = rng.shuffled(parts)
    woven = "".join(part[n] * repeats for n in range(periods + 1) for part in parts)
    length = periods * streams * repeats + repeats * rng.integer(0, streams - 1)
    return Draft(letter_series.Scene(woven[:length]), woven[length])


def asked_letters(levels: Levels, letters: str) -> str:
    """The letters shown of the series that is asked for."""
    once = letters[:: int(levels["repeats"])]
    return once[len(once) % int(levels["streams"]) :: int(levels["streams"])]


def staying(draw: Draw, difficulty: str, count: int) -> int:
    """Number of items whose answer is the one letter that the asked series has shown so far."""
    made = drafts("letter_series", draw, difficulty, count)
    asked = [(asked_letters(levels, draft.scene.letters), draft.answer) for levels, draft in made]
    assert all(len(letters) >= letter_series.FEWEST for letters, _ in asked)
    return sum(set(letters) == {answer} for letters, answer in asked)


@pytest.mark.thorough
@pytest.mark.parametrize("difficulty", FAMILIES["letter_series"].difficulties)
def test_the_letters_asked_for_never_stay(difficulty: str) -> None:
    # 14 to 22 % of the items of version 1.
    assert staying(letters_before, difficulty, 100) > 5
    assert staying(letter_series.draw, difficulty, 300) == 0


def test_letters_that_are_not_asked_for_still_stay_at_times() -> None:
    """The grammar is the one of version 1: a series of the item goes on, or stays."""
    made = drafts("letter_series", letter_series.draw, "extreme", 60)
    others = [
        {once[k::4] for k in range(4) if k != len(once) % 4}
        for levels, draft in made
        for once in [draft.scene.letters[:: int(levels["repeats"])]]
    ]
    assert any(len(set(series)) == 1 for one in others for series in one)


def recorded(name: str, version: str) -> tuple[Any, tuple[Any, ...]]:
    """The scene and the options of an item that an earlier version made."""
    lines = (Path(__file__).parent / "older_drawings.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    (row,) = [r for r in rows if (r["family"], r["version"]) == (name, version)]
    options = tuple(content_of(FAMILIES[name], plain) for plain in row["options"])
    return scene_from_plain(FAMILIES[name].scene_type, row["scene"]), options


def examples_among(scene: Any, options: Sequence[Any]) -> int:
    """Number of options that are among the examples of either side."""
    return len({*scene.left, *scene.right} & set(options))


@pytest.mark.thorough
@pytest.mark.parametrize("difficulty", FAMILIES["set_membership"].difficulties)
def test_no_option_is_an_example(difficulty: str) -> None:
    """In version 3 the right one was an example of the left side in 26 % of the extreme items."""
    assert examples_among(*recorded("set_membership", "3"))
    for _, draft in drafts("set_membership", set_membership.draw, difficulty, 40, solved=False):
        options = (draft.answer, *(wrong.content for wrong in draft.distractors))
        assert examples_among(draft.scene, options) == 0


def never_changed(scene: updating.Scene) -> int:
    """Number of counters asked for that keep the value they began with, as nothing happens to
    them."""
    forms = [update.form for turn in scene.turns for update in turn]
    return sum(forms.count(form) == 1 for form in scene.asked)


@pytest.mark.parametrize("difficulty", FAMILIES["updating"].difficulties)
def test_counters_that_are_asked_for_were_changed(difficulty: str) -> None:
    """In version 1 one of them was not in 10 % of the extreme items."""
    assert never_changed(recorded("updating", "1")[0])
    for _, draft in drafts("updating", updating.draw, difficulty, 60, solved=False):
        assert never_changed(draft.scene) == 0


def test_repaired_families_say_so_by_their_version() -> None:
    versions = {"letter_series": "3", "set_membership": "4", "updating": "3"}
    assert {name: FAMILIES[name].version for name in versions} == versions

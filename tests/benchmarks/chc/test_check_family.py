"""`check_family` says what a family violates, and nothing of one that keeps everything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gfactor.benchmarks.chc import FAMILIES, Draft, check_family
from gfactor.benchmarks.texts import Texts

FAMILY = FAMILIES["number_series"]


@pytest.mark.parametrize("name", ["number_series", "odd_one_out", "updating"])
def test_families_keep_everything(name: str) -> None:
    assert check_family(FAMILIES[name], seed=3) == []


def with_another_scene(says: Any) -> Any:
    scene = FAMILY.from_twin(says)
    return replace(scene, terms=(*scene.terms[:-1], scene.terms[-1] + 1))


def without_the_seed(rng: Any, levels: Any, options: int) -> Draft[Any]:
    CALLS.append(len(CALLS))
    draft = FAMILY.draw(rng, levels, options)
    return replace(draft, design=len(CALLS))


def with_one_sentence_missing() -> Texts:
    texts = FAMILY.texts
    asked = {tag: text for tag, text in texts.templates["ask"].items() if tag != "ko"}
    return replace(texts, templates={**texts.templates, "ask": asked})


CALLS: list[int] = []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Series"}, "its name is not in small letters"),
        ({"ability": "Gx"}, "ability 'Gx' is none of Gf-I"),
        ({"radicals": dict(list(FAMILY.radicals.items())[:3])}, "it has 3 radicals; 4 are the"),
        ({"origin": ""}, "the origin of the paradigm or its literature is not named"),
        ({"presets": {**FAMILY.presets, "hard": {"streams": (9,)}}}, "levels of 'streams' that"),
        ({"texts": with_one_sentence_missing()}, "template 'ask' has no text in 'ko'"),
        ({"from_twin": with_another_scene}, "its text twin in 'zh' is read as another scene"),
        ({"draw": without_the_seed}, "the same seed gives other items"),
        ({"solve": lambda scene, options: 1 / 0}, "ZeroDivisionError"),
    ],
)
def test_what_is_broken_on_purpose_is_said(change: dict[str, Any], said: str) -> None:
    found = check_family(replace(FAMILY, **change))
    assert any(said in sentence for sentence in found), found
    assert all(sentence.startswith(f"{change.get('name', FAMILY.name)}: ") for sentence in found)

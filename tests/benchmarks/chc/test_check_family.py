"""`check_family` says what a family violates, and nothing of one that keeps everything."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gfactor.benchmarks.chc import FAMILIES, Draft, check_family
from gfactor.benchmarks.texts import Texts

FAMILY = FAMILIES["number_series"]


@pytest.mark.thorough
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
        (
            {"presets": {**FAMILY.presets, "hard": {"streams": (9,)}}},
            "presets.hard.streams: 9 is no level",
        ),
        ({"texts": with_one_sentence_missing()}, "texts.ask has no text in 'ko'; write ko = "),
        ({"from_twin": with_another_scene}, "its text twin in 'zh' is read as another scene"),
        ({"draw": without_the_seed}, "the same seed gives other items"),
        ({"solve": lambda scene, options: 1 / 0}, "ZeroDivisionError"),
    ],
)
def test_what_is_broken_on_purpose_is_said(change: dict[str, Any], said: str) -> None:
    found = check_family(replace(FAMILY, **change))
    assert any(said in sentence for sentence in found), found
    assert all(sentence.startswith(f"{change.get('name', FAMILY.name)}: ") for sentence in found)


def renamed(old: str, new: str) -> Texts:
    templates = {{old: new}.get(name, name): t for name, t in FAMILY.texts.templates.items()}
    return replace(FAMILY.texts, templates=templates)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"texts": with_one_sentence_missing()}, "texts.ask has no text in 'ko'; write ko = "),
        ({"texts": renamed("ask", "asks")}, "the module says 'ask', and there is no "),
        ({"presets": {"easy": {}}}, "its presets are easy; give easy, medium, hard"),
    ],
)
def test_a_mistake_is_one_sentence_without_errors_that_follow_from_it(
    change: dict[str, Any], sentence: str
) -> None:
    (found,) = check_family(replace(FAMILY, **change))
    assert sentence in found


def test_a_radical_that_the_module_asks_for_and_the_file_lacks_is_named() -> None:
    radicals = {{"streams": "stream"}.get(name, name): r for name, r in FAMILY.radicals.items()}
    free: dict[str, Any] = {"easy": {}, "medium": {}, "hard": {}}
    found = check_family(replace(FAMILY, radicals=radicals, presets=free, fits=lambda _: True))
    assert any("there is no radical 'streams'; did you mean 'stream'?" in one for one in found)
    assert all("KeyError" not in one for one in found)


def test_words_that_share_a_form_are_named_before_a_twin_is_read() -> None:
    forms = {**FAMILY.texts.words["form"]["star"], "fr": FAMILY.texts.words["form"]["circle"]["fr"]}
    words = {**FAMILY.texts.words, "form": {**FAMILY.texts.words["form"], "star": forms}}
    found = check_family(replace(FAMILY, texts=replace(FAMILY.texts, words=words)))
    assert "words.form.star, fr: 'cercle' is also a form of 'circle'" in found[0]
    assert all("ValueError" not in sentence for sentence in found)

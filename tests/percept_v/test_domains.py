"""Every domain keeps every invariant, and every invariant notices a domain that does not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from support.domains import DOTS, Scene, answer, draw, legibility, make

from gfactor.benchmarks.percept_v.check import INVARIANTS, check_domain
from gfactor.benchmarks.percept_v.domain import (
    DOMAINS,
    SIZES,
    Domain,
    Edition,
    Legibility,
    Prompt,
)
from gfactor.benchmarks.percept_v.specimens import Specimens
from gfactor.imaging import Frame
from gfactor.items import ItemRandom, OutputFormat


@pytest.mark.parametrize("name", DOMAINS)
def test_every_domain_keeps_every_invariant(name: str) -> None:
    assert check_domain(DOMAINS[name]) == []


def test_a_plug_ins_domain_can_keep_them_too() -> None:
    assert check_domain(DOTS) == []
    assert check_domain(DOTS, seed=2) == []


_calls = itertools.count()


@dataclass(frozen=True)
class FloatScene:
    """A scene that is not made of integers."""

    x: float


def with_prompt(**parts: tuple[str, ...]) -> Domain[Any]:
    return replace(DOTS, prompt=replace(DOTS.prompt, **parts))


def float_scene(rng: ItemRandom, size: int, edition: Edition) -> Any:
    return FloatScene(size / 3)


def unkeyed(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    scene = make(rng, size, edition)
    return replace(scene, frame=Frame(400 + next(_calls), 300))


def same_for_every_seed(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return make(ItemRandom({"size": size}, rng.balanced(range(10))), size, edition)


def as_many_as_the_size(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    scene = make(rng, 20, edition)
    return replace(scene, dots=scene.dots[:size])


def wide(rng: ItemRandom, size: int, edition: Edition) -> Scene:
    return replace(make(rng, size, edition), frame=Frame(601, 300))


def crowded(scene: Scene) -> Legibility:
    return replace(legibility(scene), gap_px=3.9)


def identity_of(scene: Scene) -> int:
    return id(scene) % 1000


BROKEN: dict[str, list[Domain[Any]]] = {
    "name": [replace(DOTS, name="Two Words")],
    "skills": [replace(DOTS, skills=("Clairvoyance",)), replace(DOTS, skills=())],
    "prompt": [with_prompt(rules=()), replace(DOTS, paper_prompt=Prompt((), ("x",), ("COUNT:x",)))],
    "vocabulary": [
        with_prompt(output=("Write the number.",)),
        replace(DOTS, paper_format=OutputFormat("value", ("COUNT",), "token", ("many",))),
    ],
    "integers": [replace(DOTS, make=float_scene)],
    "round trip": [replace(DOTS, scene_type=Frame)],
    "deterministic": [
        replace(DOTS, make=unkeyed),
        replace(DOTS, draw=lambda s: (draw(s)[0] - np.uint8(next(_calls) % 100),)),
    ],
    "pictures": [
        replace(DOTS, images=2),
        replace(DOTS, draw=lambda s: tuple(p[..., :1] for p in draw(s))),
    ],
    "pure answer": [replace(DOTS, answer=identity_of)],
    "expressible": [
        replace(DOTS, answer=lambda s: "many"),
        replace(DOTS, answer=lambda s: None),
        replace(DOTS, accepted=lambda s: (answer(s) + 1,)),
        replace(DOTS, answer=lambda s: frozenset({answer(s)})),
    ],
    "aspect": [replace(DOTS, make=wide)],
    "legible": [
        replace(DOTS, legibility=lambda s: replace(legibility(s), object_px=19.0)),
        replace(DOTS, legibility=crowded),
        replace(DOTS, legibility=lambda s: Legibility(30, 9, ((0, 0, 0), (9, 9, 9)))),
    ],
    "balanced": [replace(DOTS, make=as_many_as_the_size)],
    "seeds": [replace(DOTS, make=same_for_every_seed)],
}
"""For every invariant, domains that violate it."""


def test_every_invariant_has_a_domain_that_violates_it() -> None:
    assert list(BROKEN) == [invariant.name for invariant in INVARIANTS]


@pytest.mark.parametrize(
    ("invariant", "domain"),
    [(name, domain) for name, domains in BROKEN.items() for domain in domains],
)
def test_a_violation_is_told_in_a_sentence(invariant: str, domain: Domain[Any]) -> None:
    told = check_domain(domain)
    assert any(text.startswith(f"{domain.name}: {invariant}: ") for text in told), told


def test_a_domain_that_raises_is_a_violation_not_a_crash() -> None:
    def fails(*_: object) -> Any:
        raise RuntimeError("no such thing")

    told = check_domain(replace(DOTS, make=fails))
    assert any("RuntimeError: no such thing" in text for text in told)


def test_a_domain_whose_question_forces_a_bias_is_excused_from_balance() -> None:
    excused = replace(BROKEN["balanced"][0], forced="of n dots there are n")
    assert not any(": balanced: " in text for text in check_domain(excused))


@pytest.mark.thorough
def test_a_yes_or_no_question_may_be_guessed_half_of_the_time() -> None:
    words = ("YES", "NO")

    def parity(wanted: Callable[[int], bool]) -> Domain[Any]:
        return replace(
            DOTS,
            prompt=replace(DOTS.prompt, output=("Answer ANSWER:YES or ANSWER:NO.",)),
            output_format=OutputFormat("value", ("ANSWER",), "word", words),
            answer=lambda s: words[0] if wanted(len(s.dots)) else words[1],
        )

    assert check_domain(parity(lambda n: n % 2 == 0)) == []
    assert any(": balanced: " in text for text in check_domain(parity(lambda n: n % 5 > 1)))


@pytest.mark.parametrize("name", DOMAINS)
def test_chance_at_a_size_is_how_often_two_items_share_their_answer(name: str) -> None:
    # Two items of different seeds: 10 x 10 pairs for each of three pairs of seeds. Answers are
    # balanced, so the share scatters by far less than the 0.1 allowed.
    domain = DOMAINS[name]
    for size in (1, 2, 3, 5, 9):
        cells = [Specimens(domain, seed).scenes(size) for seed in (1, 2, 3)]
        right = [
            domain.answer(one) in {domain.answer(other), *domain.accepted(other)}
            for first, second in itertools.combinations(cells, 2)
            for one, other in itertools.product(first, second)
        ]
        level = domain.chance_at(size)
        assert level is not None
        assert abs(sum(right) / len(right) - level) < 0.1


def test_chance_is_that_of_the_question() -> None:
    assert DOMAINS["circle_boxes"].chance_at(1) == 0.5
    assert all(DOMAINS["inside_circles"].chance_at(size) == 0.5 for size in SIZES)
    assert DOMAINS["circle_boxes"].chance_at(20) == pytest.approx(1 / 21)

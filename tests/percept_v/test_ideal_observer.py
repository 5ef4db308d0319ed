"""The ideal observer answers every item of the audited edition, from the decoded pixels alone."""

from __future__ import annotations

import pytest

from gfactor.benchmarks.percept_v.build import make_item
from gfactor.benchmarks.percept_v.domain import DOMAINS, INSTANCES, SIZES
from gfactor.examinees.observer.observer import observe
from gfactor.examinees.observer.perception import IdealPerception
from gfactor.reports.published import percept_v_level
from gfactor.scoring.extraction.formatted import strict
from gfactor.scoring.rules import credit

SEEDS = (7, 11, 2026)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_ideal_observer_is_right_on_every_item_of_three_seeds(name: str) -> None:
    wrong = []
    for seed in SEEDS:
        for size in SIZES:
            for index in range(INSTANCES):
                item = make_item(DOMAINS[name], "audited", seed, size, index)
                assert item.output_format is not None
                pictures = tuple(image.decode() for image in item.images)
                reply = observe(name, pictures, IdealPerception())
                read = strict(reply, item.output_format)
                if not (
                    read.has_answer
                    and credit(read.answer, item.target, item.accepted, item.answer_type) == 1
                ):
                    wrong.append(f"seed {seed}, {item.id}: {reply!r}, target {item.target!r}")
    assert not wrong, wrong[:5]


def test_all_thirty_domains_of_the_paper_are_there_and_six_have_two_pictures() -> None:
    published = set(percept_v_level("domain")["name"])
    assert len(published) == 30
    assert published <= set(DOMAINS)
    assert sorted(name for name in published if DOMAINS[name].images == 2) == [
        "change_colour",
        "match_outline",
        "match_shadow",
        "mirror_image",
        "vanishing_objects",
        "water_image",
    ]

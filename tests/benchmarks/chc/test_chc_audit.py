"""The audit of generated families: what it finds where something is wrong on purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import chc_families as families

from gfactor.benchmarks.chc import audit
from gfactor.items import Item


def found_in(items: tuple[Item, ...]) -> list[audit.Finding]:
    return [audit.inspect(i, tuple(image.decode() for image in i.images)) for i in items]


@pytest.fixture(scope="module")
def findings() -> list[audit.Finding]:
    return found_in(families.items("figural_analogies", per_cell=40))


def test_a_sound_bank_breaks_no_limit(findings: list[audit.Finding]) -> None:
    columns = audit.columns("figural_analogies", findings)
    assert [limit.broken(columns) for limit in audit.LIMITS] == [None] * len(audit.LIMITS)
    assert columns["key_positions"] == [30, 30, 30, 30]


def test_wrong_keys_pictures_languages_and_repetitions_are_counted(
    findings: list[audit.Finding],
) -> None:
    broken = [
        replace(findings[0], key_holds=False),
        replace(findings[1], pictures_hold=False),
        replace(findings[2], stem="other", scene=findings[3].scene),
        *findings[3:],
        replace(findings[4], scene="another language's"),
    ]
    columns = audit.columns("figural_analogies", broken)
    names = ("wrong_targets", "wrong_pictures", "languages_differ", "repeated_scenes")
    assert [columns[name] for name in names] == [1, 1, 1, 1]


def test_a_picture_that_is_not_the_scenes_is_found() -> None:
    one, other = families.items("matrices")[:2]
    swapped = replace(one, provenance=replace(one.provenance, pixel_hashes=("0",)))
    pictures = tuple(image.decode() for image in other.images)
    assert not audit.inspect(swapped, pictures).pictures_hold


def test_a_scene_of_another_version_is_refused() -> None:
    item = families.items("matrices")[0]
    scene = item.provenance.scene.replace('"side"', '"edge"')
    with pytest.raises(ValueError, match="build the bank again"):
        audit.inspect(replace(item, provenance=replace(item.provenance, scene=scene)), ())


def test_guessers_find_what_is_given_away_and_nothing_else(findings: list[audit.Finding]) -> None:
    learned, judged = findings[::2], findings[1::2]
    assert audit.options_only(learned, judged) < 0.5
    leaky = [
        replace(f, options=tuple('"key"' if k == f.key else '"no"' for k in range(4)))
        for f in findings
    ]
    assert audit.options_only(leaky[::2], leaky[1::2]) == 1
    at_b = [replace(f, target='"B"') for f in findings]
    assert audit.blind(at_b[::2], at_b[1::2]) == 1


def test_guessers_from_labels_and_wording_find_what_these_give_away(
    findings: list[audit.Finding],
) -> None:
    learned, judged = findings[::2], findings[1::2]
    assert audit.from_metadata(learned, judged) < 0.5
    assert audit.from_wording(learned, judged) < 0.5
    told = [replace(f, design=(f"radical.answer={f.target}",)) for f in findings]
    assert audit.from_metadata(told[::2], told[1::2]) == 1
    worded = [
        replace(f, wording=tuple("a long one" if k == f.key else "short" for k in range(4)))
        for f in findings
    ]
    assert audit.from_wording(worded[::2], worded[1::2]) == 1
    assert set(audit.gains(learned, judged)) == set(audit.GAINS)

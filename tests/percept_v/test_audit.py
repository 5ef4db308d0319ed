"""The audit finds what guessing earns, what repeats, what is too small and what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.banks import make_item, make_items

from gfactor.benchmarks import Limit, audit_bank
from gfactor.benchmarks.audit import best_constant, size_aware
from gfactor.benchmarks.percept_v.audit import AUDITED, limits
from gfactor.benchmarks.percept_v.build import make_items as percept_items
from gfactor.errors import BankError
from gfactor.items import Item, ItemBank, write_bank

DOMAIN = "change_colour"


def right(*replies: str) -> frozenset[str]:
    return frozenset(replies)


def few(edition: Any = "audited", sizes: tuple[int, ...] = (2, 5)) -> list[Item]:
    return list(percept_items(DOMAIN, edition=edition, seed=7, sizes=sizes, instances=3))


def bank_of(items: list[Item], tmp_path: Path, edition: str = "audited") -> ItemBank:
    metadata = {"benchmark": items[0].benchmark, "edition": edition}
    return ItemBank.open(write_bank(items, tmp_path / "bank.parquet", metadata))


def test_the_best_constant_reply_counts_every_accepted_answer() -> None:
    replies = [right("1", "2"), right("2"), right("3"), right("2", "3")]
    assert best_constant(replies) == ("2", 0.75)


def test_the_size_aware_guess_is_averaged_over_sizes_not_items() -> None:
    replies = {1: [right("1")] * 2, 2: [right(str(k)) for k in range(4)]}
    assert size_aware(replies) == pytest.approx((1 + 0.25) / 2)


@pytest.mark.thorough
def test_a_bank_of_percept_v_is_audited_with_every_column(tmp_path: Path) -> None:
    audit = audit_bank(bank_of(few(), tmp_path))
    found = audit.to_dict()[DOMAIN]
    wanted = {"constant", "size_aware", "ideal_observer", "min_object_px", "min_gap_px"}
    assert wanted | {"min_delta_e", "duplicates", "delta_e_protan", "n", "limits"} <= set(found)
    assert (found["n"], found["duplicates"], found["binary"]) == (6, 0, False)
    assert found["min_object_px"] >= 20
    assert found["min_gap_px"] >= 4
    assert audit.broken == []


def test_what_cannot_be_measured_is_null(tmp_path: Path) -> None:
    bank = bank_of(
        list(percept_items("counting_circles", edition="audited", seed=7, sizes=[1], instances=1)),
        tmp_path,
    )
    found = audit_bank(bank).to_dict()["counting_circles"]
    assert found["ideal_observer"] is None


def test_the_observer_is_given_the_domain_and_the_pixels_and_judged_to_the_letter(
    tmp_path: Path,
) -> None:
    bank = bank_of(few(), tmp_path)
    seen: list[tuple[str, tuple[int, ...]]] = []

    def observer(domain: str, pictures: tuple[Any, ...]) -> str:
        seen.append((domain, tuple(p.ndim for p in pictures)))
        return "COUNT:0"

    found = audit_bank(bank, observer).domains[DOMAIN]
    zeros = sum(item.target == 0 for item in bank)
    assert seen == [(DOMAIN, (3, 3))] * 6
    assert found["ideal_observer"] == zeros / 6
    assert any("ideal_observer" in text for text in found["limits"])


@pytest.mark.thorough
def test_an_observer_that_knows_no_such_domain_is_not_judged(tmp_path: Path) -> None:
    found = audit_bank(bank_of(few(), tmp_path), lambda *_: None).domains[DOMAIN]
    assert found["ideal_observer"] is None
    assert found["limits"] == []


@pytest.mark.thorough
def test_jobs_do_not_change_the_audit(tmp_path: Path) -> None:
    bank = bank_of(few(), tmp_path)
    assert audit_bank(bank, jobs=2).to_dict() == audit_bank(bank, jobs=1).to_dict()


@pytest.mark.thorough
def test_a_repeated_item_is_a_duplicate(tmp_path: Path) -> None:
    items = few()
    again = replace(items[0], id="again")
    audit = audit_bank(bank_of([*items, again], tmp_path))
    assert audit.domains[DOMAIN]["duplicates"] == 1
    assert any("duplicates 1 is over 0" in text for text in audit.broken)


@pytest.mark.thorough
def test_a_target_that_is_not_the_answer_of_its_scene_is_found(tmp_path: Path) -> None:
    items = few()
    items[1] = replace(items[1], target=99)
    audit = audit_bank(bank_of(items, tmp_path))
    assert audit.domains[DOMAIN]["wrong_targets"] == 1
    assert any("wrong_targets" in text for text in audit.broken)


@pytest.mark.thorough
def test_pictures_of_another_scene_are_found(tmp_path: Path) -> None:
    items = few()
    hashes = items[1].provenance.pixel_hashes
    items[0] = replace(
        items[0],
        content=(items[0].content[0], *items[1].images),
        provenance=replace(items[0].provenance, pixel_hashes=hashes),
    )
    audit = audit_bank(bank_of(items, tmp_path))
    assert audit.domains[DOMAIN]["wrong_pictures"] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda o: replace(o, pixel_hashes=("0" * 64,) * 2), "pixels that were hashed"),
        (lambda o: replace(o, scene='{"n":3}'), "build the bank again"),
        (lambda o: replace(o, scene="{"), "build the bank again"),
    ],
)
def test_an_item_that_cannot_be_audited_is_named(
    change: Callable[[Any], Any], words: str, tmp_path: Path
) -> None:
    items = few()
    items[2] = replace(items[2], provenance=change(items[2].provenance))
    with pytest.raises(BankError, match=f"row 2, item '{items[2].id}': .*{words}"):
        audit_bank(bank_of(items, tmp_path))


@pytest.mark.thorough
def test_the_paper_edition_is_judged_by_its_integrity_alone(tmp_path: Path) -> None:
    audit = audit_bank(bank_of(few("paper"), tmp_path, "paper"))
    assert audit.domains[DOMAIN]["size_aware"] == 1
    assert audit.broken == []
    assert not set(AUDITED) & set(limits("paper"))


def test_a_bank_of_an_unknown_benchmark_gets_the_general_part(tmp_path: Path) -> None:
    found = audit_bank(bank_of(make_items(), tmp_path)).to_dict()
    assert list(found) == ["a", "b"]
    assert found["a"]["constant"] == pytest.approx(1 / 3)
    assert found["a"]["limits"] == []
    assert "min_gap_px" not in found["a"]


def test_a_bank_without_domains_or_sizes_is_one_group(tmp_path: Path) -> None:
    found = audit_bank(bank_of([make_item(labels={"level": "easy"})], tmp_path)).to_dict()
    assert list(found) == ["toy"]
    assert found["toy"]["size_aware"] is None


COLUMNS: dict[str, Any] = {
    "size_aware": 0.2, "binary": False, "duplicates": 0, "ideal_observer": 1.0, "colors": 5,
    "min_object_px": 20.0, "min_gap_px": 4.0, "min_delta_e": 12.0, "delta_e_protan": 12.0,
    "delta_e_deutan": 12.0, "delta_e_tritan": 12.0, "max_aspect": 2.0, "sizes": 20,
    "per_size": 10, "forced": "", "forced_cue": "",
}  # fmt: skip


def broken(**changed: Any) -> list[str]:
    found = {**COLUMNS, **changed}
    return [text for limit in AUDITED if (text := limit.broken(found))]


def test_columns_at_the_limits_are_allowed() -> None:
    assert broken(size_aware=0.25) == []
    assert broken(size_aware=0.55, binary=True) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"size_aware": 0.26},
        {"size_aware": 0.56, "binary": True},
        {"cue_gain_lower": 0.051},
        {"duplicates": 1},
        {"ideal_observer": 0.999},
        {"min_object_px": 19.9},
        {"min_gap_px": 3.9},
        {"min_delta_e": 11.9},
        {"delta_e_tritan": 11.9},
        {"max_aspect": 2.01},
    ],
)
def test_a_column_beyond_its_limit_is_broken(changed: dict[str, Any]) -> None:
    (told,) = broken(**changed)
    assert told.startswith(next(iter(changed)))


@pytest.mark.parametrize(
    "changed",
    [
        {"size_aware": 0.9, "forced": "a proof"},
        {"size_aware": 0.9, "per_size": 2},
        {"size_aware": 0.9, "sizes": 3},
        {"delta_e_protan": 3.0, "colors": 6},
        {"min_gap_px": float("inf")},
        {"ideal_observer": None},
        {"cue_gain_lower": None},
        {"cue_gain_lower": 0.3, "forced_cue": "the colors are the answer"},
    ],
)
def test_limits_hold_only_where_they_mean_something(changed: dict[str, Any]) -> None:
    assert broken(**changed) == []


def test_a_limit_gives_its_reason() -> None:
    limit = Limit("gap", "so that it is seen", least=4)
    assert limit.broken({"gap": 3.0}) == "gap 3 is under 4 (so that it is seen)"

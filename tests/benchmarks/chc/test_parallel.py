"""Parallel forms: the seed's types in the seed's proportions, and a list of what cannot be made."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support.cli import run_cli

from gfactor.administration import Condition, render
from gfactor.benchmarks import BENCHMARKS, audit_bank
from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.parallel import SEEDS, plan
from gfactor.benchmarks.m3gia.factors import TYPES
from gfactor.benchmarks.mm_iq.paradigms import PARADIGMS
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.observer import CANNOT_TELL, SOLVERS, Observer
from gfactor.items import Item, ItemBank


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return [one for part in plan("mm-iq", seed=4, items=60).parts for one in part.make()]  # pyright: ignore


def items_of_type(kind: str, items: int) -> list[Item]:
    parts = [p for p in plan("mm-iq", seed=4, items=items).parts if p.parameters["type"] == kind]
    return [one for part in parts for one in part.make()]  # pyright: ignore


def counted(of: str, **options) -> tuple[Counter[str], dict[str, int]]:
    form = plan(of, **options)
    made: Counter[str] = Counter()
    for part in form.parts:
        made[str(part.parameters["type"])] += part.parameters["count"]
    return made, dict(form.metadata["not_generated"])


def test_every_type_has_as_many_items_as_in_the_seed_or_is_listed() -> None:
    made, missing = counted("mm-iq")
    assert {**made, **missing} == {p.name: p.released for p in PARADIGMS.values()}
    assert missing["Concrete Object"] == 38
    assert made["Mathematics"] == 936
    made, missing = counted("m3gia", language=["en", "ko"])
    assert missing["General Information"] == 2 * 20
    assert (made["Syllogism Problem"], made["Applied Problem"]) == (20, 10)
    assert {**made, **{kind: n // 2 for kind, n in missing.items()}} == {
        kind.name: kind.per_language for kind in TYPES.values()
    }


def test_half_of_mathematics_counts_elements_and_half_calculates_with_numbers() -> None:
    made: Counter[str] = Counter()
    for part in plan("mm-iq").parts:
        if part.parameters["type"] == "Mathematics":
            made[str(part.parameters["family"])] += part.parameters["count"]
    assert made.pop("figure_counts") == 468
    assert made == dict.fromkeys(
        ("balance_puzzles", "bills_and_plans", "cube_counting", "maze_costs", "number_grids",
         "number_series"), 78,
    )  # fmt: skip
    small = [p.parameters for p in plan("mm-iq", items=30).parts]
    counts = [p["count"] for p in small if p["type"] == "Mathematics"]
    assert sum(counts) == 10
    assert max(counts) == 5


@pytest.mark.slow
def test_items_carry_their_type_and_four_options(items: list[Item]) -> None:
    assert {item.benchmark for item in items} == {"mm-iq-parallel"}
    assert {item.labels["parallel_of"] for item in items} == {"mm-iq"}
    assert all(len(item.choices) == 4 for item in items)
    assert len({item.id for item in items}) == len(items)
    assert len({item.provenance.content_hash for item in items}) == len(items)
    for item in items:
        wanted = str(item.labels["type"]).casefold()
        assert wanted in {t.casefold() for t in FAMILIES[str(item.labels["family"])].mm_iq}


def test_the_ideal_observer_solves_a_form_by_its_families(items: list[Item]) -> None:
    observer = Observer("observer:ideal")
    few = [next(i for i in items if i.labels["family"] == name) for name in
           sorted({str(i.labels["family"]) for i in items})]  # fmt: skip

    async def replies() -> list[str]:
        texts = [(await observer(render(item, Condition()))).text for item in few]
        await observer.close()
        return texts

    for item, reply in zip(few, asyncio.run(replies()), strict=True):
        family = str(item.labels["family"])
        assert reply == (item.target if family in SOLVERS else CANNOT_TELL), family


def test_matrices_of_logical_operations_have_logical_rules(items: list[Item]) -> None:
    kinds = {
        i.labels["radical.kind"]
        for i in items
        if (i.labels["type"], i.labels["family"]) == ("Logical Operation", "matrices")
    }
    assert kinds == {"logic"}


def test_the_form_counts_points_crossings_regions_and_areas() -> None:
    (part,) = (p for p in plan("mm-iq", seed=4, items=120).parts
               if p.parameters["family"] == "figure_counts")  # fmt: skip
    counted: list[Item] = list(part.make())  # pyright: ignore
    assert {i.labels["radical.quantity"] for i in counted} == {
        "points", "crossings", "regions", "area",
    }  # fmt: skip
    assert {i.labels["type"] for i in counted} == {"Mathematics"}


@pytest.mark.thorough
def test_proportions_are_the_seeds_and_difficulties_are_even(items: list[Item]) -> None:
    made = Counter(str(item.labels["type"]) for item in items)
    for kind, count in made.items():
        assert abs(count - 60 * PARADIGMS[kind].released / 2710) <= 1, kind
    for kind in ("Mathematics", "2D-Geometry"):
        spread = Counter(item.labels["difficulty"] for item in items_of_type(kind, 180))
        assert max(spread.values()) - min(spread.values()) <= 8
        assert sum(spread.values()) == round(180 * PARADIGMS[kind].released / 2710)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_form_and_another_one_none_of_it(items: list[Item]) -> None:
    again = {
        i.provenance.content_hash  # pyright: ignore[reportAttributeAccessIssue]
        for seed in (4, 5)
        for part in plan("mm-iq", seed=seed, items=60).parts
        for i in part.make()  # pyright: ignore
    }
    assert len(again) == 2 * len(items)
    assert {i.provenance.content_hash for i in items} <= again


@pytest.mark.slow
def test_the_command_line_says_what_is_not_generated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "form.parquet"
    typed = "build m3gia-parallel --seed 2 --items 30 --language fr,zh -o"
    ran = run_cli(monkeypatch, capsys, *typed.split(), str(path))
    assert ran.code == 0
    assert "not generated: Readings-text, 4 items" in ran.out
    bank = ItemBank.open(path, decode=True)
    assert set(bank.frame()["language"]) == {"fr", "zh"}
    assert bank.metadata["not_generated"]["Readings-text"] == 4
    found = audit_bank(bank)
    assert found.broken == []
    assert {columns["languages_differ"] for columns in found.domains.values()} == {0}


def test_a_type_that_a_family_declares_and_the_seed_does_not_have_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As "syllogism" for "Syllogism Problem", whose items were left out without a word."""
    odd = replace(FAMILIES["syllogisms"], m3gia=("syllogism",))
    monkeypatch.setitem(FAMILIES._things, "syllogisms", odd)  # pyright: ignore
    with pytest.raises(UnknownNameError, match="'syllogisms' parallels 'syllogism'; did you mean"):
        plan("m3gia")


def test_every_type_that_families_declare_is_made() -> None:
    for seed in SEEDS.values():
        able = [f for f in FAMILIES.values() if "choice" in f.answer_types and 4 in f.options]
        declared = {kind.casefold() for family in able for kind in getattr(family, seed.named)}
        made = {kind.casefold() for kind, families in seed.families().items() if families}
        assert made == declared


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ParameterError, match="items must be from 0"):
        plan("m3gia", items=301)
    with pytest.raises(ParameterError, match="seed"):
        plan("m3gia", seed=-1)
    assert {f"{name}-parallel" for name in SEEDS} <= set(BENCHMARKS)

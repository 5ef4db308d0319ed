"""Selection follows its formulas, is the same for a seed, and says what it did."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.quality import asked, bank_of, image, scene

from gfactor.benchmarks.quality import Decision, Decisions
from gfactor.benchmarks.selection import METHODS, Candidate, Errors, pool_of, select
from gfactor.benchmarks.selection.allocation import allocate
from gfactor.benchmarks.selection.methods.appendix_d import (
    normalized,
    number_of,
    probability,
    scores,
)
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.items import ItemBank


def candidate(name: str, characters: int = 10, images: int = 0, **labels: Any) -> Candidate:
    return Candidate(name, "choice", labels, (characters, 0, 0), (images, 0, 0))


def test_the_normalization_is_one_at_the_mean_and_falls_on_both_sides() -> None:
    assert normalized(7, 7) == 1
    assert normalized(14, 7) == normalized(3.5, 7) == pytest.approx(0.8)
    assert normalized(0, 7) == normalized(3, 0) == 0


@given(st.integers(1, 10**4), st.integers(1, 10**4))
def test_the_ratio_is_the_harmonic_mean_of_the_two_quotients(length: int, mean: int) -> None:
    quotients = 2 / (length / mean + mean / length)
    assert normalized(length, mean) == pytest.approx(quotients)
    assert 0 < normalized(length, mean) <= 1
    harmonic = 2 / (1 / length + 1 / mean)
    assert normalized(length, mean, "harmonic") == pytest.approx(harmonic)


def test_the_score_sums_question_answer_and_analysis_with_the_papers_weights() -> None:
    items = [Candidate("a", "open", {}, (10, 4, 6), (2, 1, 1)),
             Candidate("b", "open", {}, (30, 4, 0), (0, 1, 0))]  # fmt: skip
    h = normalized
    expected = (h(10, 20) + 0.1 * h(4, 4) + 0.5 * h(6, 3)) + (h(2, 1) + 0.1 * 1 + 0.5 * h(1, 0.5))
    assert scores(items)[0] == pytest.approx(expected)
    assert scores(items, a=1, b=0)[1] == pytest.approx(h(30, 20) + 0.1)


@pytest.mark.parametrize(("n", "wanted"), [(1, 1), (2, 1), (10, 3), (11, 4), (100, 6), (1000, 9)])
def test_the_number_of_a_piece_is_three_times_its_decimal_logarithm(n: int, wanted: int) -> None:
    assert number_of(n) == wanted
    assert n == 1 or number_of(n) == math.ceil(round(3 * math.log10(n), 9))


def test_pick_up_probabilities_are_those_of_the_appendix() -> None:
    p = Fraction(1, 2)
    chances = [probability(place, 20, 6, p, 2) for place in range(20)]
    assert chances[:2] == [1, p]
    assert chances[-2:] == [p, p]
    assert set(chances[2:-2]) == {p * Fraction(2, 20)}
    assert probability(3, 20, 3, p, 2) == 0


def knowing(folder: Path, n: int = 40) -> ItemBank:
    """Items of four pieces of knowledge (the last two shared), with MULTI's labels."""
    items = [
        asked(
            f"q{k:02d}", f"Question {k}? {'why ' * (k % 7)}", *([image(scene(k))] * (k % 3 == 0)),
            target="ABCD"[k % 4],
            labels={
                "domain": "a", "knowledge": (f"k{k % 3}", "both") if k % 5 else (),
                "level": f"l{k % 2}", "difficulty": k % 4, "quality": k % 3,
            },
        )
        for k in range(n)
    ]  # fmt: skip
    return bank_of(items, folder)


def test_every_piece_gives_its_richest_question(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    done = select(bank, tmp_path / "o.parquet", "appendix-d", seed=1)
    facts = done.step
    pool = pool_of(bank)
    pieces = {value for item in pool.items for value in item.values("knowledge")}
    assert pieces == {"k0", "k1", "k2", "both", ""}
    chosen = ItemBank.open(tmp_path / "o.parquet")
    for piece in pieces:
        own = [item for item in pool.items if piece in item.values("knowledge")]
        found = [round(x, 9) for x in scores(own)]
        best = min(i.id for i, x in zip(own, found, strict=True) if x == max(found))
        assert best in chosen
    assert (facts["pieces"], facts["chosen"]) == (5, len(chosen))
    assert list(chosen.ids) == [i for i in bank.ids if i in chosen]
    assert chosen.item("q00") == bank.item("q00") if "q00" in chosen else True


@pytest.mark.thorough
def test_over_seeds_as_many_are_picked_as_the_probabilities_say(tmp_path: Path) -> None:
    bank = bank_of([asked(f"q{k:03d}", "x" * (k + 5), labels={"domain": "a", "knowledge": ("k",)})
                    for k in range(100)], tmp_path)  # fmt: skip
    pool = pool_of(bank)
    options = {o.name: o.parse(o.default) for o in METHODS["appendix-d"].options}
    picked = [METHODS["appendix-d"].choose(pool, seed, **options) for seed in range(60)]
    expected = picked[0].facts["expected_picks"]
    # N_k = 6, m = 1: the first, the last, and 98 with probability 4/100 each.
    assert expected == pytest.approx(2 + 98 * 0.04)
    mean = sum(len(s.ids) for s in picked) / len(picked)
    assert abs(mean - expected) < 4 * math.sqrt(98 * 0.04 * 0.96 / 60)
    always = Counter(i for s in picked for i in s.ids)
    assert sorted(always.values())[-2:] == [60, 60]


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["appendix-d", "elite", "stratified"])
def test_a_seed_gives_the_same_file_and_another_seed_another(tmp_path: Path, method: str) -> None:
    bank = knowing(tmp_path)
    typed = {"appendix-d": {}, "elite": {"n": "5"}, "stratified": {"by": "level", "n": "7"}}[method]

    def made(name: str, seed: int) -> bytes:
        path = tmp_path / name
        select(bank, path, method, seed=seed, typed=typed)
        return path.read_bytes()

    assert made("a.parquet", 5) == made("b.parquet", 5)
    others = {tuple(ItemBank.open(tmp_path / "a.parquet").ids)}
    for seed in range(4):
        made("c.parquet", seed)
        others.add(tuple(ItemBank.open(tmp_path / "c.parquet").ids))
    assert len(others) > 1


@given(
    st.dictionaries(st.integers(0, 9), st.integers(0, 30), min_size=1), st.integers(0, 120),
    st.sampled_from(["proportional", "equal"]),
)  # fmt: skip
def test_an_allocation_gives_all_that_is_asked_and_no_more_than_there_is(
    sizes: dict[int, int], n: int, how: str
) -> None:
    given_to = allocate(sizes, n, how)
    assert sum(given_to.values()) == min(n, sum(sizes.values()))
    assert all(0 <= given_to[key] <= sizes[key] for key in sizes)
    if how == "equal":
        most = max(given_to.values())
        assert all(given_to[k] >= most - 1 or given_to[k] == sizes[k] for k in sizes)
    elif sum(sizes.values()):
        share = min(n, sum(sizes.values())) / sum(sizes.values())
        assert all(abs(given_to[k] - share * sizes[k]) < 1 for k in sizes)


def test_a_stratified_sample_has_every_stratum_in_its_share(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    typed = {"by": "level,quality", "n": "12", "allocation": "equal"}
    done = select(bank, tmp_path / "o.parquet", "stratified", typed=typed)
    assert [row["n"] for row in done.step["strata"]] == [2] * 6
    counts = Counter(
        (v["level"], v["quality"]) for v in ItemBank.open(tmp_path / "o.parquet").labels().values()
    )
    assert set(counts.values()) == {2}


def test_a_stratum_that_goes_empty_is_told(tmp_path: Path) -> None:
    done = select(knowing(tmp_path), tmp_path / "o.parquet", "stratified",
                  typed={"by": "level,quality", "n": "4"})  # fmt: skip
    assert done.step["warnings"] == [
        "2 of 6 strata have no item in the sample; ask for more items."
    ]


def test_an_elite_subset_is_hard_good_and_badly_answered(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    errors = Errors(("m1", "m2"), {i: float(k % 2) for k, i in enumerate(bank.ids)})
    done = select(bank, tmp_path / "o.parquet", "elite", errors=errors, typed={"n": "4"})
    labels = ItemBank.open(tmp_path / "o.parquet").labels()
    assert {v["difficulty"] for v in labels.values()} == {3}
    assert {v["level"] for v in labels.values()} == {"l1"}
    (warning,) = done.step["warnings"]
    assert "m1, m2 guided the selection" in warning
    assert "biased downward" in warning
    stored = ItemBank.open(tmp_path / "o.parquet").metadata["derived"]
    assert stored[-1]["guided_by"] == ["m1", "m2"]
    assert stored[-1]["warnings"] == [warning]


def test_elite_spreads_over_labels_and_takes_objective_questions_only(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    done = select(bank, tmp_path / "o.parquet", "elite", typed={"n": "8", "by": "level"})
    assert [row["n"] for row in done.step["strata"]] == [4, 4]
    assert done.step["warnings"] == []
    with pytest.raises(ParameterError, match="no items of the types open"):
        select(bank, tmp_path / "x.parquet", "elite", typed={"types": "open"})


def test_elite_without_anything_to_rank_by_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="nothing ranks the items"):
        select(bank_of([asked("a"), asked("b")], tmp_path), tmp_path / "o.parquet", "elite")


def test_what_people_decided_to_drop_is_dropped_before_choosing(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    decisions = Decisions((Decision("", ("q00", "q01"), "drop-both", "ed", "x"),
                           Decision("", ("q02",), "keep", "ed", "x")))  # fmt: skip
    done = select(bank, tmp_path / "o.parquet", "all", decisions=decisions)
    assert ItemBank.open(tmp_path / "o.parquet").ids == bank.ids[2:]
    assert done.step["dropped_by_decision"] == 2


def test_the_bank_says_all_that_was_done_to_it(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    select(bank, tmp_path / "one.parquet", "all")
    again = ItemBank.open(tmp_path / "one.parquet")
    select(again, tmp_path / "two.parquet", "stratified", typed={"by": "level", "n": "4"})
    metadata = ItemBank.open(tmp_path / "two.parquet").metadata
    assert [step["selection"] for step in metadata["derived"]] == ["all", "stratified"]
    assert metadata["derived"][1]["of_digest"] == again.metadata["scene_digest"]
    assert (tmp_path / "two.croissant.json").exists()


@pytest.mark.parametrize(
    ("method", "typed", "told"),
    [
        ("appendixd", {}, "did you mean 'appendix-d'"), ("all", {"n": "3"}, "has no option --n"),
        ("stratified", {"n": "3"}, "name the labels"), ("stratified", {"by": "lvl"}, "did you"),
        ("stratified", {"by": "level", "n": "99"}, "the bank has 40"),
        ("appendix-d", {"alpha": "x"}, "alpha: 'x' is not a number"),
        ("appendix-d", {"p": "1.5"}, "p: must be from 0 to 1"),
        ("appendix-d", {"normalize": "mean"}, "none of ratio, harmonic"),
        ("elite", {"weights": "1,2"}, "must be three numbers"),
        ("elite", {"types": "sa"}, "none of"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_before_any_work(
    tmp_path: Path, method: str, typed: dict[str, str], told: str
) -> None:
    bank = knowing(tmp_path)
    with pytest.raises((ParameterError, UnknownNameError), match=told):
        select(bank, tmp_path / "o.parquet", method, typed=typed)
    assert not (tmp_path / "o.parquet").exists()


def test_a_bank_is_never_written_over_itself(tmp_path: Path) -> None:
    bank = knowing(tmp_path)
    with pytest.raises(ParameterError, match="is the bank that is read"):
        select(bank, bank.path, "all")
    assert candidate("x").values("none") == ("",)


def test_a_quota_takes_so_many_of_every_stratum_and_says_where_there_are_fewer(
    tmp_path: Path,
) -> None:
    bank = knowing(tmp_path)
    levels = Counter(str(labels["level"]) for labels in bank.labels().values())
    most, least, *_ = sorted(levels)
    typed = {"by": "level", "quota": f"2,{most}={levels[most] + 5},{least}=1"}
    done = select(bank, tmp_path / "o.parquet", "quota", typed=typed, seed=3)
    chosen = Counter(
        str(labels["level"]) for labels in ItemBank.open(tmp_path / "o.parquet").labels().values()
    )
    wanted = {level: min(2, n) for level, n in levels.items()}
    assert chosen == {**wanted, most: levels[most], least: 1}
    (warning,) = done.step["warnings"]
    assert f"{most} has {levels[most]} of {levels[most] + 5}" in warning
    again = select(bank, tmp_path / "p.parquet", "quota", typed=typed, seed=3)
    assert again.built.items == done.built.items
    assert (tmp_path / "p.parquet").read_bytes() == (tmp_path / "o.parquet").read_bytes()
    for text, told in (("2,lvl=1", "unknown stratum 'lvl'"), ("2,3", "two numbers"),
                       ("0", "selects no items"), ("x", "not a whole number")):  # fmt: skip
        with pytest.raises(GfactorError, match=told):
            select(bank, tmp_path / "q.parquet", "quota", typed={"by": "level", "quota": text})

"""The adaptive sequence: a function of settings and answers, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special

from gfactor.administration import Journal
from gfactor.administration.adaptive import (
    AdaptiveRun,
    CellSequence,
    SequenceDesign,
    run_adaptively,
)
from gfactor.errors import JournalError
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.items import Choice, Item, Provenance, text_hash
from gfactor.psychometrics.irt.adaptive import AbilityPosterior, Candidates, StopRule

NODES = np.linspace(-6, 6, 121)
LEVELS = np.linspace(-2, 2, 9)


def design(window: int = 4, abilities: Sequence[str] = ("A", "B"), **rule: Any) -> SequenceDesign:
    """Nine cells of each ability, in two families that take turns."""
    names = [f"{ability}{k}" for ability in abilities for k in range(len(LEVELS))]
    curves = np.tile(special.expit(NODES - LEVELS[:, None]), (len(abilities), 1))
    families = [f"{name[0]}-{int(name[1:]) % 2}" for name in names]
    cells = Candidates(names, [name[0] for name in names], curves, families=families)
    priors = {ability: AbilityPosterior(NODES) for ability in abilities}
    return SequenceDesign(cells, priors, StopRule(**{"max_items": 40, **rule}), window)


def make(cell: str, number: int, most: int = 1000) -> list[Item]:
    """Items that are told by their words alone."""
    if number >= most:
        return []
    name = f"{cell}-{number}"
    return [Item(
        id=name, benchmark="exam", content=(f"Question {name}",), answer_type="choice", target="A",
        choices=(Choice("A", "yes"), Choice("B", "no")), language="en",
        labels={"domain": cell, "family": cell}, provenance=Provenance("t", "1", text_hash(name)),
    )]  # fmt: skip


def score(item: Any, reply: Reply) -> float | None:
    return None if reply.outcome == "content_filter" else float(reply.text == "A")


class Person:
    """Answers by lot, keyed by the question; slow where told, failing where told."""

    def __init__(
        self, in_flight: int = 4, fails: Any = lambda name, attempt: False, latency: Any = None
    ) -> None:
        self.name, self.in_flight = "exam:person", in_flight
        self.asked: list[str] = []
        self._fails, self._latency = fails, latency or (lambda name: 0.0)

    async def __call__(self, item: RenderedItem) -> Reply:
        name = item.item_id
        self.asked.append(name)
        await asyncio.sleep(self._latency(name))
        if self._fails(name, self.asked.count(name)):
            return Reply("", "timeout", detail="no answer")
        lot = int(text_hash(name)[:8], 16) / 2**32
        return Reply("A" if lot < 0.6 else "B", cost=0.01)

    async def close(self) -> None: ...


def administer(
    path: Path, person: Person, given: SequenceDesign | None = None, maker: Any = make
) -> AdaptiveRun:
    with Journal.open(path) as journal:
        return run_adaptively(given or design(), person, journal, maker, score, {"seed": 1})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> AdaptiveRun:
    """The run of a person who answers at once and is never stopped."""
    return administer(tmp_path_factory.mktemp("whole") / "a.db", Person())


def sequence(run: AdaptiveRun) -> list[tuple[Any, ...]]:
    return [(s.cell, s.number, s.theta, s.se, t.score) for s, t in
            zip(run.stored, run.steps, strict=True)]  # fmt: skip


def answered(given: SequenceDesign, seed: int = 1) -> CellSequence:
    """A sequence to its end, answered by lot by one of middle ability."""
    told, lots = CellSequence(given), np.random.default_rng(seed)
    while (step := told.next()) is not None:
        step.score, step.settled = float(lots.random() < 0.5), True
        told.steps.append(step)
    return told


def per_ability(told: CellSequence) -> dict[str, int]:
    names = told.design.candidates.abilities
    return {name: sum(names[s.cell] == name for s in told.steps) for name in sorted(set(names))}


@pytest.mark.thorough
def test_where_an_error_is_out_of_reach_questions_go_to_other_abilities() -> None:
    # What both families of A can say of it leaves an error of (1 + 2 / 4) ** -0.5 = 0.82.
    plain = design(window=1, se=0.35, max_items=150)
    shared = {**plain.priors, "A": AbilityPosterior(NODES, testlet_variance=4.0)}
    spared = answered(replace(plain, priors=shared))
    posteriors, stops = spared.outcome()
    assert stops == {"A": "se_unreachable", "B": "se"}
    n = per_ability(spared)
    assert 12 < n["A"] < 30
    assert len(spared.steps) < 150
    assert 0.82 < posteriors["A"].se < 0.82 * 1.1
    rule = replace(plain.rule, least_fall=0.0)
    spent = answered(replace(plain, priors=shared, rule=rule))
    assert spent.outcome()[1] == {"A": "items", "B": "se"}
    assert per_ability(spent)["A"] > 2 * n["A"]
    gained = posteriors["A"].se - spent.outcome()[0]["A"].se
    assert 0 < gained < 0.06


def test_an_error_that_the_budget_can_reach_is_no_reason_to_stop() -> None:
    # Ten more answers lower the error little here, and a hundred enough.
    slow = replace(design(window=1, se=0.25, max_items=400), ahead=0)
    rule = replace(slow.rule, least_fall=0.2)
    assert set(answered(replace(slow, rule=rule)).outcome()[1].values()) == {"se"}
    short = replace(rule, max_items=40)
    told = answered(replace(slow, rule=short))
    assert set(told.outcome()[1].values()) == {"se_unreachable"}
    assert len(told.steps) < 40


def test_a_family_is_at_most_one_question_ahead_of_its_share() -> None:
    curves = np.concatenate([
        special.expit(slope * (NODES - LEVELS[:, None])) for slope in (2.0, 1.0, 0.5)
    ])  # fmt: skip
    names = [f"{family}{k}" for family in "xyz" for k in range(len(LEVELS))]
    cells = Candidates(names, ["A"] * len(names), curves, families=[name[0] for name in names])
    given = SequenceDesign(cells, {"A": AbilityPosterior(NODES)}, StopRule(max_items=30), window=1)
    counts, most = {"x": 0, "y": 0, "z": 0}, 0.0
    for number, step in enumerate(answered(given).steps, 1):
        counts[names[step.cell][0]] += 1
        most = max(most, max(counts.values()) - number / 3)
    assert 1 < most < 2
    assert counts["x"] > counts["z"]
    strict = answered(replace(given, ahead=0)).steps
    assert {sum(names[s.cell][0] == family for s in strict) for family in "xyz"} == {10}


NEEDED = (0, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10)
"""Answers from which a step is chosen with up to three in flight: one more for two answers."""


def test_a_step_is_chosen_from_the_answers_that_left_the_window_and_no_others() -> None:
    told = CellSequence(design(window=3))
    step = told.next()
    for number in range(12):
        assert step is not None
        assert step.number == number
        told.steps.append(step)
        for k in range(NEEDED[number], NEEDED[number + 1]):
            assert not told.ready
            told.steps[k].score, told.steps[k].settled = float(k % 2), True
        assert told.ready
        step = told.next()
    scores = [s.score for s in told.steps[:10]]
    alone = CellSequence(design(window=3))
    for number, known in enumerate(told.steps):
        # The same with every answer there at once: what is in the window must not count.
        for old, value in zip(alone.steps, scores, strict=False):
            old.score, old.settled = (value, True) if old.number < 10 else (None, True)
        again = alone.next()
        assert again is not None
        assert (again.cell, again.theta, again.se) == (known.cell, known.theta, known.se)
        alone.steps.append(again)
        assert again.number == number


@pytest.mark.thorough
def test_the_sequence_does_not_depend_on_which_reply_comes_first(
    tmp_path: Path, whole: AdaptiveRun
) -> None:
    def slow(name: str) -> float:
        return 0.01 * (int(text_hash(name + "x")[:2], 16) / 256)

    other = administer(tmp_path / "b.db", Person(latency=slow))
    alone = administer(tmp_path / "c.db", Person(in_flight=1))
    assert sequence(whole) == sequence(other) == sequence(alone)
    assert len(whole.steps) == 40
    assert whole.stops == {"A": "items", "B": "items"}


@pytest.mark.thorough
def test_several_in_flight_are_not_the_same_question_and_families_take_turns(
    tmp_path: Path,
) -> None:
    person = Person()
    run = administer(tmp_path / "a.db", person)
    assert len(set(person.asked)) == len(person.asked) == 40
    abilities = [step.ability for step in run.stored]
    assert abilities.count("A") == abilities.count("B") == 20
    families = [run_family(step.cell) for step in run.stored]
    assert all(9 <= families.count(name) <= 11 for name in set(families))


def run_family(cell: str) -> str:
    return f"{cell[0]}-{int(cell[1:]) % 2}"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "after", [7, 40, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 25))]
)
def test_a_stopped_sequence_goes_on_where_it_was_and_asks_nothing_twice(
    tmp_path: Path, whole: AdaptiveRun, after: int
) -> None:
    class Stopping(Person):
        async def __call__(self, item: RenderedItem) -> Reply:
            if len(self.asked) >= after:
                raise RunStoppedError("the power went")
            return await super().__call__(item)

    path, first, second = tmp_path / "a.db", Stopping(), Person()
    stopped = administer(path, first)
    assert bool(stopped.stopped) == (after < 40)
    run = administer(path, second)
    assert sequence(run) == sequence(whole)
    assert sorted(first.asked + second.asked) == sorted(set(first.asked + second.asked))
    assert run.known == after
    assert run.asked == 40 - after


@pytest.mark.slow
def test_a_failed_attempt_is_asked_again_and_one_that_always_fails_is_missing_not_wrong(
    tmp_path: Path,
) -> None:
    never = Person(fails=lambda name, attempt: False)
    whole = administer(tmp_path / "w.db", never)
    once = Person(fails=lambda name, attempt: attempt == 1)
    run = administer(tmp_path / "a.db", once)
    assert sequence(run) == sequence(whole)
    assert run.failed == 40
    lost = never.asked[5]
    always = Person(fails=lambda name, attempt: name == lost)
    run = administer(tmp_path / "b.db", always)
    assert always.asked.count(lost) == 3
    (missing,) = [step for step in run.steps if step.score is None]
    assert run.stored[missing.number].cell == lost.split("-")[0]
    again = Person()
    assert sequence(administer(tmp_path / "b.db", again)) == sequence(run)
    assert again.asked == []


def test_an_examinee_that_fails_always_stops_the_run_and_the_next_call_goes_on(
    tmp_path: Path,
) -> None:
    down = Person(fails=lambda name, attempt: True)
    with pytest.raises(RunStoppedError, match="failed 3 questions in a row, each 3 times"):
        administer(tmp_path / "a.db", down)
    assert len(down.asked) < 20
    up = Person()
    run = administer(tmp_path / "a.db", up)
    assert len(run.steps) == 40
    # The third failure ends the run; a fourth question was in flight with it.
    assert sum(step.score is None for step in run.steps) in (3, 4)


@pytest.mark.thorough
def test_a_standard_error_ends_one_ability_and_leaves_its_questions_to_the_other(
    tmp_path: Path,
) -> None:
    run = administer(tmp_path / "a.db", Person(), design(se=0.55, max_items=400))
    assert run.stops == {"A": "se", "B": "se"}
    assert all(posterior.se <= 0.55 for posterior in run.posteriors.values())
    assert len(run.steps) < 60


def test_money_ends_the_sequence_before_it_is_spent(tmp_path: Path) -> None:
    run = administer(tmp_path / "a.db", Person(), design(max_cost=0.2))
    assert sum(step.cost for step in run.steps) <= 0.2 + 1e-9
    assert len(run.steps) in (19, 20)
    assert set(run.stops.values()) == {"cost"}


def test_a_cell_without_more_items_is_left_out_also_when_the_sequence_is_replayed(
    tmp_path: Path,
) -> None:
    def few(cell: str, number: int) -> list[Item]:
        return make(cell, number, most=2)

    person = Person()
    run = administer(tmp_path / "a.db", person, maker=few)
    assert len(person.asked) == 2 * 18
    assert set(run.stops.values()) == {""}
    again = Person()
    assert sequence(administer(tmp_path / "a.db", again, maker=few)) == sequence(run)
    assert again.asked == []


def test_steps_that_their_answers_do_not_give_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    administer(path, Person())
    with Journal.open(path) as journal, journal._connected() as connection:
        connection.exec_driver_sql("UPDATE responses SET text = 'B' WHERE id = 1")
    with pytest.raises(JournalError, match="its answers were changed, or another version"):
        administer(path, Person())


@pytest.mark.slow
def test_two_processes_share_a_sequence(tmp_path: Path) -> None:
    whole = administer(tmp_path / "w.db", Person())
    path, people = tmp_path / "a.db", [Person(latency=lambda _: 0.005) for _ in range(2)]

    async def both() -> list[AdaptiveRun]:
        return await asyncio.gather(
            *(asyncio.to_thread(administer, path, person) for person in people)
        )

    for run in asyncio.run(both()):
        assert sequence(run) == sequence(whole)
    asked = people[0].asked + people[1].asked
    assert len(asked) == len(set(asked)) == 40


@pytest.mark.thorough
def test_items_of_steps_stand_in_the_journal_like_those_of_a_bank(tmp_path: Path) -> None:
    run = administer(tmp_path / "a.db", Person())
    with Journal.open(tmp_path / "a.db", create=False) as journal:
        items = journal.items().set_index("content_hash")
        given = journal.administered()
        assert set(given["content_hash"]) == {name for s in run.stored for name in s.items}
    first = items.loc[run.stored[0].items[0]]
    assert first["question"] == f"Question {first['id']}"
    assert first["choices"] == [["A", "yes"], ["B", "no"]]
    assert first["family"] == run.stored[0].cell


def both(cell: str, number: int) -> list[Item]:
    """An item and its twin, which is another question."""
    (item,) = make(cell, number)
    name = f"{item.id}-twin"
    origin = replace(item.provenance, content_hash=text_hash(name))
    return [item, replace(item, id=name, content=(f"Question {name}",), provenance=origin)]


def test_twins_say_nothing_of_ability_and_are_asked_once_also_after_a_stop(
    tmp_path: Path, whole: AdaptiveRun
) -> None:
    class Stopping(Person):
        async def __call__(self, item: RenderedItem) -> Reply:
            if len(self.asked) >= 33:
                raise RunStoppedError("the power went")
            return await super().__call__(item)

    path, first, second = tmp_path / "a.db", Stopping(), Person()
    administer(path, first, maker=both)
    run = administer(path, second, maker=both)
    assert sequence(run) == sequence(whole)
    asked = first.asked + second.asked
    assert len(asked) == len(set(asked)) == 80
    twins = [step.twins[0] for step in run.steps]
    assert set(twins) == {0.0, 1.0}
    assert twins != [step.score for step in run.steps]


@pytest.mark.thorough
def test_a_twin_that_cannot_be_asked_leaves_the_answer_to_its_item(tmp_path: Path) -> None:
    lost = Person(fails=lambda name, attempt: name == "A4-0-twin")
    run = administer(tmp_path / "a.db", lost, maker=both)
    assert lost.asked.count("A4-0-twin") == 3
    (step,) = [s for s, t in zip(run.steps, run.stored, strict=True) if t.cell == "A4"
               and t.number == 0]  # fmt: skip
    assert step.score is not None
    assert step.twins == (None,)

"""Observers see pixels and the domain's name, and nothing else."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor

import joblib
import numpy as np
import pytest

from gfactor.errors import GfactorError
from gfactor.examinees import RenderedItem, make_examinee
from gfactor.examinees.observer import (
    CANNOT_TELL,
    SOLVERS,
    IdealPerception,
    Observer,
    Perception,
    observe,
)
from gfactor.examinees.observer.observer import worker_pool
from gfactor.imaging import FOUR, Canvas, Frame, Pixels, encode_png
from gfactor.items import Image


def two_pictures(changed: int = 2) -> tuple[Pixels, Pixels]:
    """Four red circles, and the same with some of them blue."""
    pictures = []
    for blue in (0, changed):
        canvas = Canvas(Frame(320, 120))
        for k in range(4):
            canvas.disc(40 + 80 * k, 60, 20, FOUR["blue" if k < blue else "red"])
        pictures.append(canvas.pixels)
    return pictures[0], pictures[1]


def rendered(task: str, *pictures: Pixels) -> RenderedItem:
    images = tuple(Image(encode_png(p), f"{k}.png") for k, p in enumerate(pictures))
    return RenderedItem("id-1", "percept-v", task, ("What is seen?", *images))


def ask(examinee: Observer, *items: RenderedItem) -> list[str]:
    async def work() -> list[str]:
        try:
            return [(await examinee(item)).text for item in items]
        finally:
            await examinee.close()

    return asyncio.run(work())


@pytest.fixture
def calls() -> Iterator[list[tuple[object, ...]]]:
    """What a solver of the task `spied` was called with."""
    seen: list[tuple[object, ...]] = []

    def spy(*arguments: object) -> str:
        seen.append(arguments)
        return "COUNT:1"

    SOLVERS.add("spied", spy)
    yield seen
    del SOLVERS._things["spied"]


def test_observing_takes_the_domain_the_pictures_and_the_mind_only() -> None:
    assert list(inspect.signature(observe).parameters) == ["domain", "pictures", "perception"]


def test_a_solver_is_given_the_decoded_pixels_and_the_mind_and_nothing_else(
    calls: list[tuple[object, ...]],
) -> None:
    first, second = two_pictures()
    assert ask(Observer("observer:ideal"), rendered("spied", first, second)) == ["COUNT:1"]
    ((pictures, perception),) = calls
    assert isinstance(pictures, tuple)
    assert isinstance(perception, IdealPerception)
    assert not vars(perception)
    for seen, shown in zip(pictures, (first, second), strict=True):
        assert type(seen) is np.ndarray
        assert np.array_equal(seen, shown)


def test_the_reply_does_not_change_when_everything_but_task_and_pixels_does() -> None:
    item = rendered("change_colour", *two_pictures(changed=3))
    renamed = [
        Image(part.data, "target-9.png") if isinstance(part, Image) else "COUNT:7"
        for part in item.content
    ]
    disguised = dataclasses.replace(
        item,
        item_id="change_colour-09-9",
        benchmark="another",
        content=(*reversed(renamed[:1]), *renamed[1:], "The answer is COUNT:8"),
        decoding={"temperature": 1},
        replies=("I said COUNT:6 before",),
        occasion=1,
        family="another_family",
    )
    changing = {f.name for f in dataclasses.fields(item)} - {"task", "earlier", "asked"}
    assert all(getattr(item, name) != getattr(disguised, name) for name in changing)
    assert ask(Observer("observer:ideal"), item, disguised) == ["COUNT:3", "COUNT:3"]


def test_a_task_without_a_solver_is_solved_as_its_family() -> None:
    item = rendered("change_colour", *two_pictures(changed=3))
    parallel = dataclasses.replace(item, task="Real-world Colors", family="change_colour")
    observer = Observer("observer:ideal")
    assert ask(observer, item, parallel) == ["COUNT:3", "COUNT:3"]
    assert observer.notes == ()


def test_an_observer_names_the_families_and_tasks_that_it_cannot_solve() -> None:
    item = rendered("sums", *two_pictures())
    observer = Observer("observer:ideal")
    assert ask(observer, item, dataclasses.replace(item, family="drawn sums")) == [CANNOT_TELL] * 2
    assert observer.notes == (
        "observers cannot solve drawn sums, sums: every reply there is "
        f"{CANNOT_TELL!r}, which says nothing about the items",
    )
    ask(observer, *(dataclasses.replace(item, task=f"task {k}") for k in range(5)))
    assert "cannot solve drawn sums, sums, task 0, task 1, task 2 and 2 more:" in observer.notes[0]


def test_the_reply_follows_the_pixels() -> None:
    items = [rendered("change_colour", *two_pictures(changed=k)) for k in range(4)]
    assert ask(Observer("observer:ideal"), *items) == [f"COUNT:{k}" for k in range(4)]


def test_an_unknown_domain_gets_a_reply_that_cannot_tell() -> None:
    assert observe("no_such_domain", two_pictures(), IdealPerception()) == CANNOT_TELL


def test_a_solver_that_fails_gives_a_reply_that_cannot_tell() -> None:
    def failing(pictures: tuple[Pixels, ...], perception: Perception) -> str:
        raise IndexError("no grid found")

    SOLVERS.add("failing", failing)
    try:
        assert observe("failing", two_pictures(), IdealPerception()) == CANNOT_TELL
    finally:
        del SOLVERS._things["failing"]


def test_too_few_pictures_give_a_reply_that_cannot_tell() -> None:
    assert ask(Observer("observer:ideal"), rendered("change_colour")) == [CANNOT_TELL]


def test_two_worker_processes_answer_as_one_thread_does() -> None:
    items = [rendered("change_colour", *two_pictures(changed=k)) for k in range(4)]
    name = "observer:limited?capacity=2&seed=5"
    replies = [ask(make_examinee(name, jobs=jobs), *items) for jobs in (1, 2)]  # type: ignore[arg-type]
    assert replies[0] == replies[1]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("observer:idael", "unknown observer 'idael'; did you mean 'ideal'?"),
        ("obsrver:ideal", "unknown examinee scheme 'obsrver'; did you mean 'observer'?"),
        ("observer:limited?acuty=1", "did you mean 'acuity'?"),
        ("observer:limited?acuity=sharp", "acuity .* must be a number, got 'sharp'"),
        ("observer:limited?acuity=0", "acuity .* must be from 0.01 to 10, got 0"),
        ("observer:limited?capacity=nan", "capacity .* must be from 0.5 to 1000, got nan"),
        ("observer:limited?seed=1.5", "seed .* must be a whole number, got '1.5'"),
        ("observer:limited?seed=-1", "seed .* must be from 0"),
        ("observer:ideal?seed=1", "observer:ideal has no parameters, got seed"),
        ("observer:human-like?seed=1", "observer:human-like is now called observer:limited"),
    ],
)
def test_a_bad_specification_gets_one_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(GfactorError, match=sentence.replace("?", r"\?")) as told:
        make_examinee(spec)
    assert "\n" not in str(told.value)


def test_the_name_spells_out_every_parameter_so_that_one_person_has_one_name() -> None:
    full = "observer:limited?acuity=0.5&capacity=4&contrast=1&seed=3"
    for spec in ("observer:limited?seed=3&acuity=.50", full):
        assert make_examinee(spec).name == full


@pytest.mark.slow
def test_observers_and_joblib_share_a_process_without_sharing_workers() -> None:
    assert worker_pool(2).submit(abs, -3).result(60) == 3
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(x) for x in (-1, -2)) == [1, 2]
    assert worker_pool(2).submit(abs, -4).result(60) == 4


@pytest.mark.slow
def test_a_broken_pool_is_replaced() -> None:
    pool = worker_pool(2)
    with pytest.raises(BrokenExecutor):
        pool.submit(os._exit, 1).result(60)
    assert worker_pool(2).submit(abs, -5).result(60) == 5

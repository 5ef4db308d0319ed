"""How often limited observers are right on items of a generated family."""

from __future__ import annotations

from gfactor.benchmarks.chc import build
from gfactor.examinees.observer import Limited, observe
from gfactor.items import Item

PERSONS = 4


def accuracy(items: list[Item], **limits: float) -> float:
    """Of several persons with the same limits."""
    right = 0
    for item in items:
        pictures = tuple(image.decode() for image in item.images)
        form = item.output_format
        wanted = item.target if form is None else form.render(item.target)
        for seed in range(PERSONS):
            person = Limited(seed=seed, **limits)  # pyright: ignore[reportArgumentType]
            name = str(item.labels["family"])
            right += observe(name, pictures, person(name, pictures)) == wanted
    return right / (len(items) * PERSONS)


def drawn(family: str, count: int, **radicals: int | str) -> list[Item]:
    (part,) = build.plan(
        seed=11, families=[family], radicals=radicals, per_cell=count, answers="choice"
    ).parts
    return list(part.make())  # pyright: ignore[reportReturnType]

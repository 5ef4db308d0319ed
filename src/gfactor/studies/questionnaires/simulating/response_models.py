"""Response models of simulated persons: by ability and difficulty, or without looking."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import Answer, Atom, Item, answer_to_json
from gfactor.items.formats import CHOSEN


@dataclass(frozen=True)
class BotAnswer:
    """Answer of a bot (labels of the item's own, or texts), and its time in seconds."""

    parts: tuple[str, ...]
    seconds: float


ResponseModel = Callable[[Item, random.Random], BotAnswer]

FIRST = ("<first>",)
"""The answer that chooses the option at the first position."""


@dataclass(frozen=True)
class Person:
    """A respondent by an item response model: Pr(right) = g + (1 - g) / (1 + exp(b - theta)).

    `theta` is the ability; an item's difficulty b is a standard normal number derived from its
    hash, which is the same for everybody; g is 1 / number of options, 0 without options. Times are
    lognormal around 8 s (van der Linden, 2006).
    """

    theta: float

    def __call__(self, item: Item, source: random.Random) -> BotAnswer:
        guess = 1 / len(item.choices) if item.answer_type == "choice" else 0.0
        logit = self.theta - difficulty(item)
        right = source.random() < guess + (1 - guess) / (1 + math.exp(-logit))
        seconds = math.exp(source.gauss(math.log(8.0), 0.4))
        return BotAnswer(_right(item) if right else _wrong(item, source), seconds)


def _clicker(item: Item, source: random.Random) -> BotAnswer:
    """Chooses at random without reading, in less than a second."""
    return BotAnswer(_blind(item, source), 0.25 + 0.5 * source.random())


def _straight_liner(item: Item, _: random.Random) -> BotAnswer:
    """Always takes the option at the first place."""
    return BotAnswer(FIRST if item.choices else ("1",), 2.0)


def _drowsy(item: Item, source: random.Random) -> BotAnswer:
    """Takes the time that others take, and chooses at random."""
    return BotAnswer(_blind(item, source), math.exp(source.gauss(math.log(8.0), 0.4)))


def _impatient(theta: float) -> ResponseModel:
    """Reads and answers as a person does, in half a second."""
    person = Person(theta)

    def model(item: Item, source: random.Random) -> BotAnswer:
        return BotAnswer(person(item, source).parts, 0.3 + 0.4 * source.random())

    return model


def difficulty(item: Item) -> float:
    """Return the difficulty of an item, a standard normal number that depends only on the item."""
    digest = hashlib.sha256(f"difficulty {item.provenance.content_hash}".encode()).digest()
    return random.Random(digest).gauss(0.0, 1.0)


RESPONSE_MODELS: Mapping[str, Callable[[random.Random], ResponseModel]] = {
    "person": lambda source: Person(source.gauss(0.5, 1.0)),
    "clicker": lambda _: _clicker,
    "straight-liner": lambda _: _straight_liner,
    "drowsy": lambda _: _drowsy,
    "impatient": lambda source: _impatient(source.gauss(0.5, 1.0)),
    **{
        kind: lambda source: Person(source.gauss(0.5, 1.0))
        for kind in ("dropout", "double-starter", "reloader", "late", "tamperer")
    },
}
"""Kinds of simulated persons."""

BLIND = frozenset({"clicker", "straight-liner", "drowsy"})
"""Kinds that read neither questions nor check questions."""


def response_model(name: str, source: random.Random) -> ResponseModel:
    """Return a model of a kind; raise UnknownNameError if there is no such kind."""
    if name not in RESPONSE_MODELS:
        raise UnknownNameError("kind of simulated person", name, RESPONSE_MODELS)
    return RESPONSE_MODELS[name](source)


def wrong_answer(item: Item) -> Answer:
    """Return a wrong answer in the item's form."""
    fmt = item.output_format
    assert fmt is not None
    for k in range(1, 100):
        atom: Atom = k if fmt.atom in ("integer", "token") else (k, k)
        if fmt.atom == "word":
            atom = fmt.vocabulary[k % len(fmt.vocabulary)]
        answer: Answer = atom
        if fmt.answer_type == "set":
            answer = frozenset({atom})
        elif fmt.answer_type in ("list", "turns") or len(fmt.labels) > 1:
            answer = (atom,) * (fmt.length or max(1, len(fmt.labels)))
        if answer != item.target and answer not in item.accepted:
            return answer
    raise ParameterError(f"item {item.id!r}: every answer that was tried is right")


def _right(item: Item) -> tuple[str, ...]:
    if item.output_format is not None:
        return (item.output_format.render(item.target),)
    target = item.target
    if isinstance(target, tuple | frozenset):
        return tuple(sorted(map(str, target)) if item.answer_type in CHOSEN else map(str, target))
    return (str(target) if isinstance(target, str) else answer_to_json(target),)


def _wrong(item: Item, source: random.Random) -> tuple[str, ...]:
    if item.answer_type == "choice":
        others = [c.label for c in item.choices if c.label != item.target]
        return (source.choice(others or ["A"]),)
    if item.answer_type == "choices":
        right = set(_right(item))
        others = [c.label for c in item.choices if c.label not in right]
        return (source.choice(others or sorted(right)),)
    return ("no idea",)


def _blind(item: Item, source: random.Random) -> tuple[str, ...]:
    if item.answer_type in CHOSEN:
        return (source.choice([c.label for c in item.choices]),)
    return ("1",)

"""Allocation of items to participants, in order: a pure function of study, bank and number."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from gfactor.administration.presenting.options import NONE
from gfactor.errors import ParameterError
from gfactor.items import ItemBank, ItemRandom, LabelValue
from gfactor.studies.questionnaires.study.definition import Study

Kind = Literal["practice", "item", "check", "page"]
CHECK_OPTIONS = ("A", "B", "C", "D")


class Step(NamedTuple):
    """One question of a participant's form.

    `kind` determines if it counts. `item` is the item's id, the option to select in a check
    question, or the name of a page. `options_seed` determines the order of options (None: the
    item's own), in which the options `pinned` (by the item's own labels) keep their position.
    `page` is the number, from 0, of its page, None in a study without pages.
    """

    kind: Kind
    item: str
    options_seed: int | None = None
    pinned: tuple[str, ...] = ()
    page: int | None = None

    @property
    def has_item(self) -> bool:
        """Return True if the step asks an item of the bank."""
        return self.kind in ("practice", "item")

    def pinned_positions(self, labels: Sequence[str]) -> frozenset[int]:
        """Return the positions, from 0, of the pinned options among an item's labels."""
        if not self.pinned:
            return NONE
        return frozenset(k for k, label in enumerate(labels) if label in self.pinned)


def to_json(steps: Sequence[Step]) -> str:
    rows = [[_kind_on(s), s.item, s.options_seed, *s.pinned] for s in steps]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Step, ...]:
    steps = []
    for row in json.loads(text):
        kind, _, page = row[0].partition("@")
        steps.append(Step(kind, row[1], row[2], tuple(row[3:]), int(page) if page else None))
    return tuple(steps)


def _kind_on(step: Step) -> str:
    """The kind of a step with the page that it belongs to, "item@2"."""
    return step.kind if step.page is None else f"{step.kind}@{step.page}"


class ItemAllocation:
    """Allocates a bank's items to the forms of a study.

    Random orders of all items are joined, and every person gets the next items, none twice. The
    numbers of presentations of two items therefore differ by at most one, for any number of
    persons. With blocks, each block has its own random orders.
    """

    def __init__(self, study: Study, bank: ItemBank, pool: Collection[str] | None = None) -> None:
        unknown = [i for i in study.practice if i not in bank]
        if unknown:
            raise ParameterError(
                f"the practice item {unknown[0]!r} is not in the bank; name items of the bank"
            )
        _check_pins(study, bank)
        self._study = study
        self._fixed = _without_listed_options(bank) if study.shuffle_options else frozenset()
        counted = {i: labels for i, labels in bank.labels().items() if i not in study.practice}
        if pool is not None:
            counted = {i: labels for i, labels in counted.items() if i in set(pool)}
        self._blocks = _blocks(counted, study.blocks)
        count = sum(map(len, self._blocks.values()))
        if study.per_person > count:
            raise ParameterError(
                f"per_person is {study.per_person}, but the bank has only {count} items besides "
                "those for practice; lower it, or set it to 0 to give every item"
            )
        self._orders: dict[str, list[list[str]]] = {}
        self._shares = _shares({b: len(ids) for b, ids in self._blocks.items()}, study.per_person)

    def __len__(self) -> int:
        """Items that count in a form."""
        return sum(self._shares.values())

    def form(self, number: int) -> tuple[Step, ...]:
        """Return the form of the participant of this number (from 0)."""
        study = self._study
        random = self._random("form", number)
        blocks = list(self._blocks)
        if study.shuffle:
            blocks = random.shuffled(blocks)
        items: list[Step] = []
        for block in blocks:
            chosen = self._allocated(block, number)
            chosen = random.shuffled(chosen) if study.shuffle else chosen
            items += [self.step("item", i, number) for i in chosen]
        practice = [self.step("practice", i, number) for i in study.practice]
        return (*practice, *self._with_checks(items, random))

    def step(self, kind: Kind, item: str, number: int) -> Step:
        """Return the step with an item for the participant with this number."""
        if not self._study.shuffle_options or item in self._fixed:
            return Step(kind, item)
        seed = self._study.seed * 1_000_003 + number
        return Step(kind, item, seed, tuple(self._study.pins.get(item, ())))

    def _random(self, use: str, number: int, block: str = "") -> ItemRandom:
        key = {"study": self._study.id, "seed": self._study.seed, "use": use, "block": block}
        return ItemRandom(key, number)

    def _allocated(self, block: str, number: int) -> list[str]:
        """The next items of a block's random orders for this person, in the bank's order."""
        ids, share = self._blocks[block], self._shares[block]
        if share == len(ids):
            return list(ids)
        chosen = set()
        for position in range(number * share, (number + 1) * share):
            which, index = divmod(position, len(ids))
            chosen.add(self._order(block, which)[index])
        return [i for i in ids if i in chosen]

    def _order(self, block: str, number: int) -> list[str]:
        """A random order of a block's items. One person's items begin in the order before and end
        in this one; to avoid repetitions, the items that the person already has come later."""
        ids, share = self._blocks[block], self._shares[block]
        orders = self._orders.setdefault(block, [])
        while len(orders) <= number:
            # The key "deck" determines the allocation, so its first wording is kept.
            shuffled = self._random("deck", len(orders), block).shuffled(ids)
            begun = len(orders) * len(ids) % share if share else 0
            recent = set(orders[-1][-begun:]) if begun else set()
            first = [i for i in shuffled if i not in recent][: share - begun if begun else 0]
            orders.append([*first, *(i for i in shuffled if i not in first)])
        return orders[number]

    def _with_checks(self, items: list[Step], random: ItemRandom) -> list[Step]:
        """Add check questions at random positions, one in each of equal parts of the form."""
        out = list(items)
        for position, check in check_positions(len(items), self._study.checks, random):
            out.insert(position, check)
        return out


def check_positions(count: int, checks: int, random: ItemRandom) -> list[tuple[int, Step]]:
    """Return the positions among the given number of items before which check questions come, the
    last first."""
    bounds = [round(k * count / checks) for k in range(checks + 1)] if checks else []
    checked = []
    for k in reversed(range(checks)):
        stretch = range(bounds[k], max(bounds[k] + 1, bounds[k + 1]))
        position = stretch[random.integer(0, len(stretch) - 1)]
        checked.append((position, Step("check", CHECK_OPTIONS[random.integer(0, 3)])))
    return checked


def _without_listed_options(bank: ItemBank) -> frozenset[str]:
    """Items without options whose texts are in the question or its picture: the page shows labels
    alone, which in another order would name other options than those seen."""
    choices = bank.choices().items()
    return frozenset(
        item for item, options in choices if options and all(text == "" for _, text in options)
    )


def _check_pins(study: Study, bank: ItemBank) -> None:
    choices = bank.choices() if study.pins else {}
    for item_id, labels in study.pins.items():
        if item_id not in choices:
            raise ParameterError(
                f"pins name the item {item_id!r}, which is not in the bank; name items of the bank"
            )
        option_labels = [label for label, _ in choices[item_id]]
        for label in labels:
            if label not in option_labels:
                raise ParameterError(
                    f"pins name the option {label!r} of the item {item_id!r}, which has "
                    f"{', '.join(option_labels) or 'no options'}"
                )


def _blocks(labels: Mapping[str, Mapping[str, LabelValue]], name: str) -> dict[str, list[str]]:
    """Item ids by block, in the bank's order."""
    blocks: dict[str, list[str]] = {}
    for item_id, of_item in labels.items():
        if name and name not in of_item:
            raise ParameterError(
                f"item {item_id!r} has no label {name!r}, by which the study makes blocks; name "
                "a label that all items have"
            )
        value = of_item.get(name, "") if name else ""
        key = " ".join(value) if isinstance(value, tuple) else str(value)
        blocks.setdefault(key, []).append(item_id)
    return blocks


def _shares(sizes: Mapping[str, int], per_person: int) -> dict[str, int]:
    """Return each block's number of items for a person: in proportion, by largest remainders."""
    total = sum(sizes.values())
    if not per_person or per_person == total:
        return dict(sizes)
    exact = {block: per_person * size / total for block, size in sizes.items()}
    shares = {block: int(value) for block, value in exact.items()}
    rest = per_person - sum(shares.values())
    by_rest = sorted(exact, key=lambda block: (shares[block] - exact[block], block))
    for block in by_rest[:rest]:
        shares[block] += 1
    return shares

"""Solved examples from outside the evaluated set, the same ones for all items of a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from gfactor.administration.presenting.records import fingerprint
from gfactor.errors import ParameterError
from gfactor.items import Answer, Item, ItemBank, ItemRandom

Kind = tuple[str, str, str]
"""Task, answer type and language: what an example must share with the item it precedes."""


def task_of(item: Item) -> str:
    """Return the item's domain, or its benchmark if it has none."""
    return str(item.labels.get("domain", item.benchmark))


def kind_of(item: Item) -> Kind:
    """Return the properties that an example must share with this item."""
    return task_of(item), item.answer_type, item.language


@dataclass(frozen=True)
class Examples:
    """Examples by kind of item, in the order in which they are shown."""

    by_kind: Mapping[Kind, tuple[Item, ...]]
    fingerprint: str

    def of(self, item: Item) -> tuple[Item, ...]:
        """Return the examples to be put before an item."""
        return self.by_kind[kind_of(item)]


def answer_line(item: Item) -> str:
    """Return the right answer of an item as an examinee would write it."""
    if item.output_format is not None:
        return item.output_format.render(item.target)
    assert item.target is not None
    if item.answer_type in ("choice", "choices"):
        return ", ".join(sorted(_parts(item.target)))
    return "\n".join(_parts(item.target))


def _parts(answer: Answer) -> list[str]:
    if isinstance(answer, frozenset):
        return sorted(map(str, answer))
    return [str(part) for part in answer] if isinstance(answer, tuple) else [str(answer)]


def choose_examples(evaluated: ItemBank, source: ItemBank, shots: int) -> Examples:
    """Return, for every kind of item in `evaluated`, `shots` items of `source` that are not in
    `evaluated`.

    Items are compared by hash, not by id. The draw depends only on the source and the kind. Raises
    ParameterError if a kind has too few.
    """
    taken = set(evaluated.frame()["content_hash"])
    wanted = set(_kinds(evaluated).values())
    candidates: dict[Kind, list[str]] = defaultdict(list)
    hashes = dict(zip(source.ids, source.frame()["content_hash"], strict=True))
    for item_id, kind in _kinds(source).items():
        if hashes[item_id] not in taken:
            candidates[kind].append(item_id)
    digest = source.scene_digest
    chosen: dict[Kind, tuple[Item, ...]] = {}
    for kind in sorted(wanted):
        ids = candidates[kind]
        if len(ids) < shots:
            raise ParameterError(
                f"{source.path.name!r} has {len(ids)} examples of {_in_words(kind)} that are not "
                f"in the bank itself, and shots={shots} needs {shots}; give another bank with "
                "--shots-from (the same benchmark built with another seed)"
            )
        key = {"examples": digest, "kind": "|".join(kind)}
        chosen[kind] = tuple(map(source.item, ItemRandom(key, 0).sample(ids, shots)))
    return Examples(chosen, fingerprint(digest))


def _kinds(bank: ItemBank) -> dict[str, Kind]:
    frame, labels = bank.frame(), bank.labels()
    columns = (frame[name] for name in ("id", "benchmark", "answer_type", "language"))
    return {
        item_id: (str(labels[item_id].get("domain", benchmark)), answer_type, language)
        for item_id, benchmark, answer_type, language in zip(*columns, strict=True)
    }


def _in_words(kind: Kind) -> str:
    task, answer_type, language = kind
    return f"task {task!r} ({answer_type}, {language})"

"""Journals of choice items answered by the Rasch model, with models in families and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gfactor.items import Choice, Item, ItemBank, Provenance, text_hash, write_bank
from support.exam import image
from support.paper_runs import answer, answer_all

Floats = NDArray[np.float64]
LABELS = "ABCD"


def choice_bank(
    path: Path, difficulty: Mapping[tuple[str, int], float], clones: int, *, clone_sd: float = 0.0,
    seed: int = 0, keys: Mapping[str, str] | None = None, prefix: str = "",
) -> tuple[ItemBank, Floats]:  # fmt: skip
    """A bank with `clones` items of every cell (domain, size), and their difficulties.

    All are choices of four; A is right, but `keys` says what an item's key is.
    """
    rng = np.random.default_rng(seed)
    items, b = [], []
    for (domain, size), mean in difficulty.items():
        for k in range(clones):
            name = f"{prefix}{domain}-{size:02d}-{k}"
            items.append(Item(
                id=name, benchmark="exam", content=("Look:", image(len(items)), "Which is it?"),
                answer_type="choice", target=(keys or {}).get(name, "A"),
                choices=tuple(Choice(label, f"option {label}") for label in LABELS),
                labels={"domain": domain, "size": size}, language="en",
                provenance=Provenance("tests", "1", text_hash(f"exam {name} {seed}")),
            ))  # fmt: skip
            b.append(mean + clone_sd * rng.normal())
    return ItemBank.open(write_bank(items, path)), np.array(b)


def administer(
    path: Path, bank: ItemBank, b: Floats, abilities: Mapping[str, float], *, seed: int = 0,
    condition: str = "default", guess: float = 0.0, skipped: Sequence[str] = (),
) -> None:  # fmt: skip
    """Put replies into a journal: A with the probability of the Rasch model, else another."""
    replies = {}
    for number, (name, theta) in enumerate(abilities.items()):
        rng = np.random.default_rng([seed, number])
        p = guess + (1 - guess) / (1 + np.exp(b - theta))
        wrong = rng.choice(list(LABELS[1:]), len(b))
        letters = dict(zip(bank.ids, np.where(rng.random(len(b)) < p, "A", wrong), strict=True))
        replies[name] = lambda item, own=letters: str(own[item.id])
    if skipped and replies:
        first = next(iter(replies))
        chosen = bank.select([i for i in bank.ids if i not in skipped])
        answer(path, chosen, first, replies.pop(first), condition)
    answer_all(path, bank, replies, condition)


def models(families: int, members: int, seed: int = 0, sd: float = 1.0) -> dict[str, float]:
    """Abilities of models in families, whose members resemble each other."""
    rng = np.random.default_rng(seed)
    found = {}
    for f in range(families):
        center = rng.normal(0, sd * 0.8)
        for m in range(members):
            found[f"vllm:lab/{chr(97 + f) * 3}-{m}b"] = center + rng.normal(0, sd * 0.6)
    return found

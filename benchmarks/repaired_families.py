"""Flaws of four generated families, in the construction that had them and in the present one.

    python benchmarks/repaired_families.py [--items 400] [--seed 340]

Prints the table of docs/evidence/batteries-measured.md. The constructions before stand in
`tests/benchmarks/chc/test_options_tell_nothing.py`, whose tests find the same flaws in fewer items.
Both are drawn with the seed given; none was used while the families were repaired. A guess from the
options alone names some of them, and one of these is taken at random.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gfactor.benchmarks.chc.families import form_board, number_series, odd_one_out, rotation_3d
from gfactor.benchmarks.chc.family import Draft
from gfactor.benchmarks.chc.option_structure import GUESSES
from gfactor.psychometrics.inference.intervals import wilson

TESTS = Path(__file__).parents[1] / "tests"


def _constructions() -> Any:
    """The test module with the constructions before."""
    path = TESTS / "benchmarks/chc/test_options_tell_nothing.py"
    spec = importlib.util.spec_from_file_location("constructions_before", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BEFORE = _constructions()
Drafts = Sequence[Draft[Any]]


def share(flawed: Sequence[bool]) -> str:
    """Number and share of flawed items, with its 95 % interval (Wilson)."""
    low, high = map(float, wilson(sum(flawed), len(flawed)))
    return (
        f"{sum(flawed)} of {len(flawed)}, {100 * np.mean(flawed):.1f} % "
        f"[{100 * low:.1f}, {100 * high:.1f}]"
    )


def gain(guess: str, made: Drafts) -> str:
    """Points above chance of a guess from the options, with the 95 % interval."""
    right = []
    for draft in made:
        options = BEFORE.options_of(draft)
        named = GUESSES[guess](tuple(json.dumps(one) for one in options)) or set(range(4))
        right.append((0 in named) / len(named) - 1 / len(options))
    half = 1.96 * np.std(right, ddof=1) / np.sqrt(len(right))
    middle = np.mean(right)
    return f"{100 * middle:+.1f} [{100 * (middle - half):+.1f}, {100 * (middle + half):+.1f}]"


def multiples(made: Drafts) -> str:
    """Items whose options hold a multiple of another one, so that the key is one of the two."""
    return share([bool(BEFORE.of_multiples(BEFORE.options_of(draft))) for draft in made])


def series(items: int, seed: int) -> Iterator[tuple[str, ...]]:
    def made(draw: Any, **only: Any) -> Drafts:
        return list(
            BEFORE.drafts("number_series", draw, BEFORE.solved, items, seed, ("easy",), **only)
        )

    old, new = (made(d, rule=("factor",)) for d in (BEFORE.old_series, number_series.draw))
    yield (
        "number_series, series of products: options hold a multiple",
        multiples(old), multiples(new),
    )  # fmt: skip
    yield (
        "number_series, series of products: points of guessing a multiple",
        gain("multiples", old), gain("multiples", new),
    )  # fmt: skip


def odd_ones(items: int, seed: int) -> Iterator[tuple[str, ...]]:
    def two(solve: Callable[..., int]) -> str:
        made = BEFORE.drafts("odd_one_out", odd_one_out.draw, solve, items, seed)
        return share([len(BEFORE.odd_figures(draft.scene.cells)) > 1 for draft in made])

    yield (
        "odd_one_out: a second figure is odd by some attribute",
        two(BEFORE.one_by_the_old_grammar), two(BEFORE.one_by_the_new_grammar),
    )  # fmt: skip


@contextmanager
def repeated_pieces() -> Iterator[None]:
    """Form boards as they were drawn when sets of the same pieces counted as different."""
    with pytest.MonkeyPatch.context() as patch:
        numbers = itertools.count()
        patch.setattr(form_board, "contents", lambda pieces: next(numbers))
        yield


def boards(items: int, seed: int) -> Iterator[tuple[str, ...]]:
    def made() -> Drafts:
        outlined = lambda scene, options: bool(scene.outline)  # noqa: E731
        return list(BEFORE.drafts("form_board", form_board.draw, outlined, items, seed, ("hard",)))

    with repeated_pieces():
        old = made()
    both = [
        share([len({form_board.contents(one) for one in BEFORE.options_of(draft)}) < 4
               for draft in drafts]) for drafts in (old, made())
    ]  # fmt: skip
    yield "form_board, hard: two options hold the same pieces", *both


def rotations(items: int, seed: int) -> Iterator[tuple[str, ...]]:
    embodied = lambda scene, options: bool(scene.body)  # noqa: E731
    both = [
        gain("least typical", list(BEFORE.drafts("rotation_3d", draw, embodied, items, seed)))
        for draw in (BEFORE.old_rotation, rotation_3d.draw)
    ]
    yield "rotation_3d: points of guessing the least typical option", *both


def main() -> None:
    """Draw, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=400)
    parser.add_argument("--seed", type=int, default=340)
    given = parser.parse_args()
    print("| flaw | before | now |\n|---|---|---|")
    for measure in (series, odd_ones, boards, rotations):
        for cells in measure(given.items, given.seed):
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

"""Pictures that look alike but are not identical: cropped, turned, mirrored, recompressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from gfactor.benchmarks.quality.banding import candidates
from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding, counted
from gfactor.benchmarks.quality.look import Look
from gfactor.benchmarks.quality.patches import ComparedPicture, neighbors, whole_on_whole
from gfactor.benchmarks.quality.registration import Registered, registered

BITS = 6
"""Largest number of the 64 bits in which hashes of similar pictures differ."""


@register("near_duplicate_images", "pictures that look alike and differ in their pixels")
def check(survey: Survey) -> CheckOutcome:
    """Find pairs of pictures that show the same, with an item of each.

    Candidates are pictures whose hashes differ in at most 6 bits (two such hashes agree in one of 7
    bands of 9 or 10 bits), and neighbors among cropped, turned and mirrored patches. A pair counts
    if the two, registered on each other, do not differ anywhere. Pictures of one item, of
    sub-questions of one problem, and of generated items are similar on purpose and are left out, as
    are pictures of a single shade.
    """
    looks_of_items = _first_shown(survey)
    looks = [look for look, _ in looks_of_items]
    cases = []

    def together(one: int, other: int) -> bool:
        first, second = looks_of_items[one][1], looks_of_items[other][1]
        return first.id == second.id or bool(first.group and first.group == second.group)

    for one, other, how in pairs_alike(looks, together):
        cases.append(
            Case((looks_of_items[one][1].id, looks_of_items[other][1].id), f"pictures alike: {how}")
        )
    numbers = {item.id: number for number, item in enumerate(survey.items)}
    unique = {case.key: case for case in reversed(cases)}
    cases = sorted(unique.values(), key=lambda case: [numbers[i] for i in case.items])
    left = survey.undecided("near_duplicate_images", cases)
    if not left:
        return CheckOutcome(len(looks))
    finding = Finding(
        "near_duplicate_images",
        "warning",
        f"{counted(len(left), 'pair')} of items have pictures that look alike, among "
        f"{len(looks):,} different pictures.",
        "Look at each pair and decide (gfactor audit --review FILE, then --decisions FILE).",
        left,
        review=True,
    )
    return CheckOutcome(len(looks), (finding,))


def _first_shown(survey: Survey) -> list[tuple[Look, SurveyedItem]]:
    """Every picture once, with the first item that shows it."""
    first_by_digest: dict[str, tuple[Look, SurveyedItem]] = {}
    for item in survey.items:
        for look in item.looks:
            if not item.generated and not look.flat:
                first_by_digest.setdefault(look.digest, (look, item))
    return list(first_by_digest.values())


def pairs_alike(
    looks: Sequence[Look], together: Callable[[int, int], bool] = lambda _i, _j: False
) -> Iterator[tuple[int, int, Registered]]:
    """Yield pairs of similar pictures and the position of one on the other.

    A pair is two positions in `looks`, the lower first. Pairs for which `together` returns True
    are left out.
    """
    if len(looks) < 2:
        return
    pictures = [ComparedPicture(look) for look in looks]
    hashes = np.array([look.bits for look in looks], np.uint64)
    pairs = candidates(_bands(hashes))
    near = pairs[np.bitwise_count(hashes[pairs[:, 0]] ^ hashes[pairs[:, 1]]) <= BITS]
    whole = ((a, b, whole_on_whole(pictures[a], pictures[b]), False) for a, b in near.tolist())
    alike: set[tuple[int, int]] = set()
    for i, j, start, inverted in chain(whole, neighbors(pictures)):
        pair = (min(i, j), max(i, j))
        if pair in alike or together(*pair):
            continue
        match = registered(pictures[i], pictures[j], start, inverted)
        if match is not None:
            alike.add(pair)
            yield *pair, match


def _bands(hashes: np.ndarray) -> np.ndarray:
    """Split 64-bit hashes into seven bands of 10, 9, 9, 9, 9, 9 and 9 bits."""
    bands, low = [], 0
    for width in (10, *[9] * BITS):
        bands.append((hashes >> np.uint64(low)) & np.uint64(2**width - 1))
        low += width
    return np.column_stack(bands)

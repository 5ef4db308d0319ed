"""Pictures that look alike and are not the same: scaled, recompressed, slightly redrawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.benchmarks.quality.banding import candidates
from gfactor.benchmarks.quality.check import Outcome, register
from gfactor.benchmarks.quality.finding import Case, Finding, counted
from gfactor.benchmarks.quality.look import THUMB, Look
from gfactor.benchmarks.quality.survey import Seen, Survey

BITS = 6
"""Hashes of alike pictures differ in at most so many of their 64 bits."""

SAME = 0.97
"""Least correlation of two thumbnails."""

SHAPES = 1.1
"""Most that the proportions of two pictures may differ, as a ratio."""


@register("near_duplicate_images", "pictures that look alike and differ in their pixels")
def check(survey: Survey) -> Outcome:
    """Pairs of pictures whose hashes, proportions and thumbnails agree, an item of each.

    Two hashes that differ in at most 6 bits agree in one of 7 bands of 9 or 10 bits, so that no
    pair is missed for the banding. Pictures of one item, of sub-questions of one problem, and of
    items that a program drew are alike on purpose and are left out; so are pictures of one shade.
    """
    shown = _first_shown(survey)
    looks = [look for look, _ in shown]
    cases = []
    for one, other in _alike(looks):
        first, second = shown[one][1], shown[other][1]
        if first.id == second.id or (first.group and first.group == second.group):
            continue
        bits = (looks[one].bits ^ looks[other].bits).bit_count()
        cases.append(Case((first.id, second.id), f"pictures alike, {bits} of 64 bits apart"))
    place = {item.id: number for number, item in enumerate(survey.items)}
    unique = {case.key: case for case in reversed(cases)}
    cases = sorted(unique.values(), key=lambda case: [place[i] for i in case.items])
    left = survey.undecided("near_duplicate_images", cases)
    if not left:
        return Outcome(len(looks))
    found = Finding(
        "near_duplicate_images",
        "warning",
        f"{counted(len(left), 'pair')} of items have pictures that look alike, among "
        f"{len(looks):,} different pictures.",
        "Look at each pair and decide (gfactor audit --review FILE, then --decisions FILE).",
        left,
        review=True,
    )
    return Outcome(len(looks), (found,))


def _first_shown(survey: Survey) -> list[tuple[Look, Seen]]:
    """Every picture once, with the first item that shows it."""
    shown: dict[str, tuple[Look, Seen]] = {}
    for item in survey.items:
        for look in item.looks:
            if not item.generated and not look.flat:
                shown.setdefault(look.digest, (look, item))
    return list(shown.values())


def _alike(looks: Sequence[Look]) -> list[tuple[int, int]]:
    if len(looks) < 2:
        return []
    hashes = np.array([look.bits for look in looks], np.uint64)
    pairs = candidates(_bands(hashes))
    apart = np.bitwise_count(hashes[pairs[:, 0]] ^ hashes[pairs[:, 1]])
    pairs = pairs[apart <= BITS]
    shape = np.array([look.width / look.height for look in looks])
    ratio = shape[pairs[:, 0]] / shape[pairs[:, 1]]
    pairs = pairs[np.maximum(ratio, 1 / ratio) <= SHAPES]
    return [(a, b) for a, b in pairs.tolist() if _correlation(looks[a], looks[b]) >= SAME]


def _bands(hashes: np.ndarray) -> np.ndarray:
    """Seven bands of 10, 9, 9, 9, 9, 9 and 9 bits."""
    bands, low = [], 0
    for width in (10, *[9] * BITS):
        bands.append((hashes >> np.uint64(low)) & np.uint64(2**width - 1))
        low += width
    return np.column_stack(bands)


def _correlation(one: Look, other: Look) -> float:
    a, b = (np.frombuffer(x.thumb, np.uint8, THUMB * THUMB).astype(float) for x in (one, other))
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))

"""Items with nearly the same words, and with pictures that do not distinguish them."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.quality.banding import candidates
from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding, counted
from gfactor.benchmarks.quality.look import Look
from gfactor.benchmarks.quality.patches import ComparedPicture, whole_on_whole
from gfactor.benchmarks.quality.registration import registered

SIZE = 4
"""Characters in a shingle: a few Chinese words, most of a Latin one."""

_BANDS, _ROWS = 16, 4
"""Pairs of Jaccard index 0.8 share a band with probability 1 - (1 - 0.8^4)^16 = 0.9998, pairs of
0.3 with 0.12."""

_GOLDEN = 0x9E3779B97F4A7C15


def plain(text: str) -> str:
    """Return letters, digits and signs of a text in lower case, without spaces and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if unicodedata.category(c)[0] in "LNMS")


def shingles(text: str) -> NDArray[np.uint64]:
    """Return hashes of the different n-grams of a plain text, sorted; empty for a text that is
    shorter."""
    if len(text) < SIZE:
        return np.empty(0, np.uint64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    windows = np.lib.stride_tricks.sliding_window_view(codes, SIZE)
    hashes = np.zeros(len(windows), np.uint64)
    for offset in range(SIZE):
        hashes = _mixed(hashes ^ windows[:, offset])
    return np.unique(hashes)


def sketches(sets: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return MinHash bands of sets (Broder 1997): sets x 16, each band a hash of four minima.

    The functions are fixed, so that the same sets have the same sketch everywhere.
    """
    out = np.zeros((len(sets), _BANDS), np.uint64)
    seeds = [np.uint64(_GOLDEN * k % 2**64) for k in range(1, _BANDS * _ROWS + 1)]
    starts = np.cumsum([0, *(len(s) for s in sets)])[:-1]
    everything = np.concatenate([*sets, np.empty(0, np.uint64)])
    if not len(everything):
        return out
    for number, seed in enumerate(seeds):
        minima = np.minimum.reduceat(_mixed(everything ^ seed), starts)
        band = number // _ROWS
        out[:, band] = _mixed(out[:, band] ^ minima)
    return out


def jaccard(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Return the Jaccard similarity of the shingles of two texts."""
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both / (len(one) + len(other) - both)


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of each number with the finalizer of splitmix64 (Steele, Lea & Flood 2014)."""
    x = x + np.uint64(_GOLDEN)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


SAME = 0.8
"""Least share of the character n-grams that two texts have in common."""

SHORTEST = 12
"""Least number of characters (letters, digits, signs): shorter texts are similar by chance."""

NEAR_BITS = 10
"""Largest number of bits in which hashes of pictures differ that may show the same."""


@register("near_duplicate_texts", "items with nearly the same words")
def check(survey: Survey) -> CheckOutcome:
    """Find pairs of items whose texts (question and options) have a Jaccard index of 0.8 or more.

    Texts over different pictures are often the same on purpose ("Which figure fits?"): such pairs
    are counted (`over_other_pictures`, in items) and not listed, unless the pictures, registered on
    each other, differ nowhere. Items of one problem, identical
    items (`identical_items`) and generated items are left out.
    """
    by_text: dict[str, list[SurveyedItem]] = defaultdict(list)
    for item in survey.items:
        text = plain(item.words)
        if not item.generated and len(text) >= SHORTEST:
            by_text[text].append(item)
    texts = list(by_text)
    sets = [shingles(text) for text in texts]
    pairs, apart = _of_same_text(by_text), _apart(by_text)
    for a, b in candidates(sketches(sets)).tolist() if len(sets) > 1 else []:
        likeness = jaccard(sets[a], sets[b])
        if likeness >= SAME:
            # One item for each text: others of the same text are paired with it already.
            pairs.append((by_text[texts[a]][0], by_text[texts[b]][0], likeness))
    numbers = {item.id: number for number, item in enumerate(survey.items)}
    cases = [
        Case(tuple(sorted((x.id, y.id), key=numbers.__getitem__)), f"texts {likeness:.0%} alike")
        for x, y, likeness in pairs
        if not (x.group and x.group == y.group) and not _distinguished(x, y) and not _same(x, y)
    ]
    cases.sort(key=lambda case: [numbers[i] for i in case.items])
    n = sum(map(len, by_text.values()))
    measures = {"over_other_pictures": apart}
    left = survey.undecided("near_duplicate_texts", cases)
    if not left:
        return CheckOutcome(n, (), measures)
    finding = Finding(
        "near_duplicate_texts",
        "warning",
        f"{counted(len(left), 'pair')} of items have nearly the same words, among {n:,} items with "
        f"{SHORTEST} characters or more.",
        "Look at each pair and decide (gfactor audit --review FILE, then --decisions FILE).",
        left,
        review=True,
    )
    return CheckOutcome(n, (finding,), measures)


def _of_same_text(
    by_text: dict[str, list[SurveyedItem]],
) -> list[tuple[SurveyedItem, SurveyedItem, float]]:
    """Each item with the first of the same text whose pictures have the same hashes.

    A thousand items with one sentence thus make no million pairs; `near_duplicate_images` finds
    pictures that are nearly the same.
    """
    pairs = []
    for items in by_text.values():
        kinds: dict[object, SurveyedItem] = {}
        for item in items:
            key = _pictures(item)
            if key in kinds:
                pairs.append((kinds[key], item, 1.0))
            kinds.setdefault(key, item)
    return pairs


def _apart(by_text: dict[str, list[SurveyedItem]]) -> int:
    """Items that share their text with others that have different pictures."""
    return sum(len(items) for items in by_text.values() if len(set(map(_pictures, items))) > 1)


def _distinguished(one: SurveyedItem, other: SurveyedItem) -> bool:
    if len(one.looks) != len(other.looks):
        return True
    return any(_differ(a, b) for a, b in zip(one.looks, other.looks, strict=True))


def _differ(one: Look, other: Look) -> bool:
    if one.flat or other.flat:
        return one.digest != other.digest
    if one.digest == other.digest or (one.bits ^ other.bits).bit_count() > NEAR_BITS:
        return one.digest != other.digest
    pictures = ComparedPicture(one), ComparedPicture(other)
    return registered(*pictures, whole_on_whole(*pictures), inverted=False) is None


def _pictures(item: SurveyedItem) -> tuple[object, ...]:
    """Return marks of an item's pictures for finding those that look the same."""
    return tuple(look.digest if look.flat else look.bits for look in item.looks)


def _same(one: SurveyedItem, other: SurveyedItem) -> bool:
    """Return True if `identical_items` has them already."""
    return (
        one.words == other.words
        and [o.text for o in one.options] == [o.text for o in other.options]
        and [look.digest for look in one.looks] == [look.digest for look in other.looks]
    )

"""Items whose words are nearly the same, and whose pictures do not tell them apart."""

from __future__ import annotations

from collections import defaultdict

from gfactor.benchmarks.quality.banding import candidates
from gfactor.benchmarks.quality.bank_survey import Seen, Survey
from gfactor.benchmarks.quality.check import Outcome, register
from gfactor.benchmarks.quality.finding import Case, Finding, counted
from gfactor.benchmarks.quality.look import Look
from gfactor.benchmarks.quality.shingles import jaccard, plain, shingles, sketches

SAME = 0.8
"""Least share of the character n-grams that two texts have in common."""

SHORTEST = 12
"""Characters (letters, digits, signs) below which texts are alike by chance."""

NEAR_BITS = 10
"""Pictures whose hashes differ in at most so many bits do not tell two items apart."""


@register("near_duplicate_texts", "items with nearly the same words")
def check(survey: Survey) -> Outcome:
    """Pairs of items, question and options together, with a Jaccard index of 0.8 or more.

    Texts over different pictures are often the same on purpose ("Which figure fits?"): such pairs
    are counted (`over_other_pictures`, in items) and not listed. Items of one problem, items that
    are wholly the same (`identical_items`) and items that a program wrote are left out.
    """
    by_text: dict[str, list[Seen]] = defaultdict(list)
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
        return Outcome(n, (), measures)
    finding = Finding(
        "near_duplicate_texts",
        "warning",
        f"{counted(len(left), 'pair')} of items have nearly the same words, among {n:,} items with "
        f"{SHORTEST} characters or more.",
        "Look at each pair and decide (gfactor audit --review FILE, then --decisions FILE).",
        left,
        review=True,
    )
    return Outcome(n, (finding,), measures)


def _of_same_text(by_text: dict[str, list[Seen]]) -> list[tuple[Seen, Seen, float]]:
    """Each item with the first of the same text whose pictures have the same hashes.

    So a thousand items over one sentence are no million of pairs; pictures that are nearly the same
    are for `near_duplicate_images`.
    """
    pairs = []
    for items in by_text.values():
        kinds: dict[object, Seen] = {}
        for item in items:
            key = _pictures(item)
            if key in kinds:
                pairs.append((kinds[key], item, 1.0))
            kinds.setdefault(key, item)
    return pairs


def _apart(by_text: dict[str, list[Seen]]) -> int:
    """Items whose text others have too, over other pictures."""
    return sum(len(items) for items in by_text.values() if len(set(map(_pictures, items))) > 1)


def _distinguished(one: Seen, other: Seen) -> bool:
    if len(one.looks) != len(other.looks):
        return True
    return any(_differ(a, b) for a, b in zip(one.looks, other.looks, strict=True))


def _differ(one: Look, other: Look) -> bool:
    if one.flat or other.flat:
        return one.digest != other.digest
    return (one.bits ^ other.bits).bit_count() > NEAR_BITS


def _pictures(item: Seen) -> tuple[object, ...]:
    """What an item's pictures look like, for finding those that look the same."""
    return tuple(look.digest if look.flat else look.bits for look in item.looks)


def _same(one: Seen, other: Seen) -> bool:
    """Whether `identical_items` has them already."""
    return (
        one.words == other.words
        and [o.text for o in one.options] == [o.text for o in other.options]
        and [look.digest for look in one.looks] == [look.digest for look in other.looks]
    )

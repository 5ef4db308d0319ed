"""The audit of generated items: scenes are rebuilt and solved again, and cues to answers are
measured. Guessers learn from the items of the next seed and are judged on the bank: one knows the
design cell and the positions of keys (`blind`), one knows every label (`from_metadata`), one sees
only the options (`options_only`), one compares them with each other (`from_structure`), one uses
their wording (`from_wording`), and one sees size, ink, luminance and bytes of the pictures
(`cue_gain`). Items that differ in one value are counted, and legibility is measured in a sample
(`legibility`).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from gfactor.benchmarks.chc.build import plan
from gfactor.benchmarks.chc.cues import Cues, cue_gain, ink_of
from gfactor.benchmarks.chc.family import DIFFICULTIES, EXTREME, FAMILIES, Family
from gfactor.benchmarks.chc.legibility import option_difference, smallest_object
from gfactor.benchmarks.chc.option_structure import best_guess, parts_of, share_right
from gfactor.benchmarks.chc.redrawing import content_of, pictures_of
from gfactor.benchmarks.findings import Columns, Hooks, Limit, check_installed
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.imaging import Pixels
from gfactor.items import Item, canonical_json, pixel_hash, text_hash

LEARNED_PER_CELL = 100
"""Number of items of each difficulty from which guessers learn."""

ENOUGH = 100
"""Smallest number of items of a family in a bank for judging guessers."""

SEEN_OFTEN = 4
"""Smallest number of options with a value for a guesser to learn from it."""

GAINS = ("blind_gain", "metadata_gain", "options_gain", "structure_gain", "wording_gain")
"""Columns of the guessers that see no picture, in points above chance."""

REDRAWN_EVERY = 5
"""Interval of instances at which one is drawn again and compared pixel by pixel."""


@dataclass(frozen=True)
class ItemFindings:
    """Findings about one item.

    Parameters
    ----------
    key_holds: True if the solver, given the stored scene and options, finds the stored key.
    pictures_hold: True if the scene draws the same pixels again (if it was tried).
    stem: the item's id without its language; scene: the hash of scene and options.
    cell: difficulty, by number; target: the answer.
    options: contents of the options as JSON, key: the number of the right one, -1 for none.
    cues: bytes, ink and luminance of the pictures.
    sides: the shortest and the longest side of a picture in pixels; (0, 0) if there is none.
    """

    key_holds: bool
    pictures_hold: bool
    stem: str
    scene: str
    cell: int
    target: str
    options: tuple[str, ...]
    key: int
    cues: tuple[float, ...]
    sides: tuple[int, int]
    seed: int
    request: tuple[str, str]
    """Language and kind of answers."""
    options_are_all: bool
    """True if only the options are shown, so that they are the whole question."""
    wording: tuple[str, ...]
    """The options in words, in the item's language."""
    content: tuple[str, ...]
    """The values of the scene in their order, then the right answer."""
    object_px: int
    """Size of the smallest object of its pictures; 0 if there is none, or it was not measured."""
    option_px: int
    """Pixels by which the most similar wrong option differs; -1 if this was not measured."""
    design: tuple[str, ...]
    """Its labels of difficulty and radicals, as "name=level"."""


def inspect(item: Item, pictures: tuple[Pixels, ...]) -> ItemFindings:
    """Rebuild an item's scene, solve it again, and (in a sample) draw it again.

    Raises ValueError if the stored scene is not one of this version's.
    """
    name = str(item.labels["family"])
    check_installed("chc family", name, item, FAMILIES)
    return inspect_as(FAMILIES[name], item, pictures)


def inspect_as(family: Family[Any], item: Item, pictures: tuple[Pixels, ...]) -> ItemFindings:
    """Return `inspect` for an item of this family, which need not be registered."""
    record = json.loads(item.provenance.scene)
    try:
        scene = scene_from_plain(family.scene_type, record["scene"])
        options = tuple(content_of(family, plain) for plain in record["options"])
        answer = content_of(family, record["answer"])
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"its scene differs from what this version of gfactor makes of {family.name!r}; build "
            "the bank again, or audit it with the version that built it"
        ) from error
    displayed = options if item.answer_type == "choice" else ()
    key = options.index(answer) if answer in options else -1
    wanted = chr(ord("A") + key) if displayed else item.target
    holds, thing, differ = True, 0, -1
    if pictures and item.provenance.index % REDRAWN_EVERY == 0:
        drawn = pictures_of(family, scene, displayed)
        holds = tuple(map(pixel_hash, drawn)) == item.provenance.pixel_hashes
        thing = smallest_object(pictures)
        differ = option_difference(family, scene, displayed, key) if displayed else -1
    sides = [side for picture in pictures for side in picture.shape[:2]]
    return ItemFindings(
        key_holds=family.solve(scene, options).answers == (answer,)
        and wanted == item.target == _target(family, answer, displayed, key),
        pictures_hold=holds,
        stem=item.id.removesuffix("-text").removesuffix(f"-{item.language}"),
        scene=text_hash(canonical_json([record["scene"], record["options"]])),
        cell=_cell(item),
        target=canonical_json(item.target),
        options=tuple(map(canonical_json, displayed)),
        key=key if displayed else -1,
        cues=_cues(item, pictures),
        sides=(min(sides, default=0), max(sides, default=0)),
        seed=item.provenance.seed,
        request=(item.language, str(item.labels["answers"])),
        options_are_all=not family.twin(scene),
        wording=_wording(family, displayed, item.language),
        content=(
            *_VALUES.findall(canonical_json(record["scene"])),
            canonical_json(record["answer"]),
        ),
        object_px=thing,
        option_px=differ,
        design=tuple(
            f"{name}={level}"
            for name, level in item.labels.items()
            if name == "difficulty" or name.startswith("radical.")
        ),
    )


_VALUES = re.compile(r'"[a-z_ 0-9]*"|-?\d+|[^\s,:]')
"""Names, words, numbers, brackets and single letters of JSON."""


def _wording(family: Family[Any], displayed: Sequence[Any], language: str) -> tuple[str, ...]:
    put = family.option
    return () if put is None else tuple(family.texts.write(put(one), language) for one in displayed)


def _target(family: Family[Any], answer: Any, displayed: Sequence[Any], key: int) -> Any:
    return chr(ord("A") + key) if displayed else family.answer(answer)


_CELLS = (*DIFFICULTIES, EXTREME)


def _cell(item: Item) -> int:
    name = str(item.labels["difficulty"])
    return _CELLS.index(name) + 1 if name in _CELLS else 0


def _cues(item: Item, pictures: Sequence[Pixels]) -> tuple[float, ...]:
    """Sums over the pictures: bytes of the files, ink, mean luminance."""
    if not pictures:
        return ()
    inks = [ink_of(picture) for picture in pictures]
    size = float(sum(len(image.data) for image in item.images))
    return size, sum(ink for ink, _ in inks), sum(light for _, light in inks) / len(inks)


def columns(family: str, findings: Sequence[ItemFindings]) -> Columns:
    """Return columns on the integrity of a family's items, and on the balance of its keys over
    options."""
    languages: dict[str, set[str]] = {}
    for one in findings:
        languages.setdefault(one.stem, set()).add(one.scene)
    keys = Counter(one.key for one in findings if one.key >= 0)
    scenes = {one.stem: one.scene for one in findings}
    return {
        "wrong_targets": sum(not one.key_holds for one in findings),
        "wrong_pictures": sum(not one.pictures_hold for one in findings),
        "languages_differ": sum(len(result) > 1 for result in languages.values()),
        "repeated_scenes": len(scenes) - len(set(scenes.values())),
        "near_duplicates": near_duplicates(findings),
        "key_positions": [keys[k] for k in range(max(keys, default=-1) + 1)],
        "min_side_px": min(one.sides[0] for one in findings),
        "max_side_px": max(one.sides[1] for one in findings),
        "min_object_px": min((f.object_px for f in findings if f.object_px), default=math.inf),
        "min_option_px": min((f.option_px for f in findings if f.option_px >= 0), default=math.inf),
    }


def near_duplicates(findings: Sequence[ItemFindings]) -> float:
    """Return the share of items whose scene differs from that of an earlier item in only one value.

    Only items with the same right answer are compared; options and further languages are ignored.
    """
    contents = {one.stem: one.content for one in findings}
    seen: set[tuple[int, int, int]] = set()
    near = 0
    for *values, answer in contents.values():
        # An item without its value k is identified by the sum of the hashes of its other values.
        hashes = [_hash_of(k, value) for k, value in enumerate((answer, *values))]
        whole = sum(hashes)
        keys = {(len(values), k, whole - hashes[k]) for k in range(1, len(hashes))}
        near += bool(keys & seen)
        seen |= keys
    return near / len(contents)


@lru_cache(maxsize=65536)
def _hash_of(position: int, value: str) -> int:
    return int(text_hash(f"{position} {value}"), 16)


def control(family: str, findings: Sequence[ItemFindings]) -> Columns:
    """Return the accuracy above chance of guessers without understanding, if the bank has enough
    items; else None.

    `blind_gain`, `metadata_gain`, `options_gain`, `structure_gain` and `wording_gain` are
    accuracies above 1 / number of options of guessers that use the design cell, all labels, the
    options, comparisons among the options, and the wording of the options (None if an item shows
    only options). `cue_gain` is the additional accuracy from visual cues, compared with using the
    design cell.
    """
    nothing: Columns = dict.fromkeys((*GAINS, "cue_gain"), None)
    seeds, requests = {one.seed for one in findings}, {one.request for one in findings}
    if len(findings) < ENOUGH or len(seeds) != 1 or len(requests) != 1:
        return nothing
    language, answers = requests.pop()
    cells = sorted({one.cell for one in findings} - {0})
    # Items of the extreme difficulty are used for learning if such items are to be judged.
    difficulty = tuple(_CELLS[cell - 1] for cell in cells) if len(_CELLS) in cells else ()
    learned = _learned(family, seeds.pop() + 1, language, answers, difficulty)
    result: dict[str, Any] = {**nothing, **gains(learned, findings)}
    if all(one.cues for one in findings):
        result["cue_gain"] = cue_gain(*([_cued(f) for f in part] for part in (learned, findings)))[
            1
        ]
    return result


def gains(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> dict[str, float]:
    """Return the accuracy above chance of the guessers that see no picture; empty for items without
    options."""
    if not all(one.options for one in judged):
        return {}
    chance = float(np.mean([1 / len(one.options) for one in judged]))
    result = {
        "blind_gain": blind(learned, judged),
        "metadata_gain": from_metadata(learned, judged),
    }
    if not all(one.options_are_all for one in judged):
        result["options_gain"] = options_only(learned, judged)
        result["structure_gain"] = from_structure(learned, judged)
        if all(one.wording for one in judged):
            result["wording_gain"] = from_wording(learned, judged)
    return {name: share - chance for name, share in result.items()}


@lru_cache(maxsize=64)
def _learned(
    family: str, seed: int, language: str, answers: str, difficulty: tuple[str, ...]
) -> tuple[ItemFindings, ...]:
    (part,) = plan(
        seed=seed % 2**63,
        families=[family],
        difficulty=difficulty,
        per_cell=LEARNED_PER_CELL,
        language=[language],
        answers=answers,
    ).parts
    built: Any = part.make()
    return tuple(inspect(item, tuple(image.decode() for image in item.images)) for item in built)


def _cued(one: ItemFindings) -> Cues:
    return Cues(one.cell, one.cues, (one.target,))


def blind(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> float:
    """Return accuracy of the most frequent answer of each design cell."""
    seen: dict[int, Counter[str]] = {}
    for one in learned:
        seen.setdefault(one.cell, Counter())[one.target] += 1
    whole = Counter(one.target for one in learned)
    guesses = [max(seen.get(one.cell, whole).items(), key=lambda t: t[::-1])[0] for one in judged]
    pairs = zip(guesses, judged, strict=True)
    return float(np.mean([guess == one.target for guess, one in pairs]))


def from_metadata(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> float:
    """Return accuracy of a naive Bayes classifier that knows difficulty and radicals."""
    targets = sorted({one.target for one in learned})
    seen = Counter((one.target, label) for one in learned for label in one.design)
    often = Counter(one.target for one in learned)

    def score(target: str, design: tuple[str, ...]) -> float:
        shares = [(seen[target, label] + 1) / (often[target] + 2) for label in design]
        return float(np.log(shares).sum() + np.log(often[target]))

    guesses = [max(targets, key=lambda t: score(t, one.design)) for one in judged]
    return float(np.mean([g == one.target for g, one in zip(guesses, judged, strict=True)]))


def from_structure(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> float:
    """Return the accuracy of a guess from the structure of the options (`option_structure`), the
    one that is right most often in `learned`."""
    return share_right(
        best_guess([(one.options, one.key) for one in learned]),
        [(one.options, one.key) for one in judged],
    )


def from_wording(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> float:
    """Return the accuracy of guessing an option from its words and its rank in length."""
    return options_only([_worded(one) for one in learned], [_worded(one) for one in judged])


def _worded(one: ItemFindings) -> ItemFindings:
    """Return the finding with options replaced by their words and their rank in length."""
    ranks = np.argsort(np.argsort([len(text) for text in one.wording], kind="stable"))
    words = (
        [*text.split(), f"length {rank}"] for text, rank in zip(one.wording, ranks, strict=True)
    )
    return replace(one, options=tuple(map(canonical_json, words)))


def options_only(learned: Sequence[ItemFindings], judged: Sequence[ItemFindings]) -> float:
    """Return the accuracy of a conditional logit model that sees only the options.

    The features of an option are the shares of its parts that other options have (mean, largest,
    smallest), its position, its rank among numbers, and its values.
    """
    often = Counter(name for one in learned for option in one.options for name in parts_of(option))
    names = sorted(name for name, count in often.items() if count >= SEEN_OFTEN)
    index = {name: k for k, name in enumerate(names)}
    x = [_seen(one, index) for one in learned]
    weights = _fitted(x, [one.key for one in learned])
    right = [int(np.argmax(_seen(one, index) @ weights)) == one.key for one in judged]
    return float(np.mean(right))


def _seen(one: ItemFindings, index: Mapping[str, int]) -> np.ndarray:
    """Return the features of the options (options x features)."""
    tokens = [parts_of(option) for option in one.options]
    count = len(tokens)
    out = np.zeros((count, 6 + len(index)))
    numbers = [json.loads(option) for option in one.options]
    ranks = np.argsort(np.argsort(numbers)) if all(isinstance(n, int) for n in numbers) else None
    for k, inner in enumerate(tokens):
        shared = [
            len(inner & other) / max(1, len(inner | other))
            for j, other in enumerate(tokens)
            if j != k
        ]
        out[k, :4] = np.mean(shared), max(shared), min(shared), k / count
        if ranks is not None:
            out[k, 4:6] = ranks[k] / count, 0 < ranks[k] < count - 1
        for name in inner & index.keys():
            out[k, 6 + index[name]] = 1
    return out


def _fitted(x: Sequence[np.ndarray], keys: Sequence[int], steps: int = 300) -> np.ndarray:
    """Return the weights of a conditional logit with a ridge penalty of 1, by gradient ascent."""
    seen, right = np.stack(x), np.stack([one[key] for one, key in zip(x, keys, strict=True)])
    weights = np.zeros(seen.shape[2])
    for _ in range(steps):
        scores = seen @ weights
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        expected = np.einsum("nk,nkf->nf", chances, seen)
        weights = weights + (right - expected).mean(axis=0) - weights / len(x)
    return weights


def limits(edition: str) -> tuple[Limit, ...]:
    """Return the limits that every generated bank must keep."""
    return LIMITS


LIMITS = (
    Limit("wrong_targets", "keys that the solver does not find alone", most=0),
    Limit("wrong_pictures", "pictures that their scene draws differently", most=0),
    Limit("languages_differ", "languages of an item must show one scene", most=0),
    Limit("repeated_scenes", "scenes that repeat others measure nothing new", most=0),
    Limit("near_duplicates", "items that differ in one value measure little new", most=0.05),
    Limit("max_side_px", "models scale larger pictures down before they see them", most=1024),
    Limit("min_object_px", "smaller things than these are lost in a picture", least=4),
    Limit("min_option_px", "options must differ by more than a speck", least=12),
)

HOOKS: Hooks = Hooks(inspect=inspect, columns=columns, limits=limits, control=control)

"""A probe that learns to predict an item's answer from coarse features of its pictures. Numerosity
research controls visual features that are confounded with number: total area, contour, density,
luminance (Gebuis, T., & Reynvoet, B. (2011). Generating nonsymbolic number stimuli. Behavior
Research Methods 43, 981-986). Here the control is a test. The probe sees bytes, ink, luminance and
colors of whole pictures, halves and quadrants, and the differences between the pictures of one
item; it sees no object. It learns from the items of another seed. Its gain over a guess that knows
the size alone measures how much these features reveal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.percept_v.build import make_items
from gfactor.benchmarks.percept_v.domain import Edition
from gfactor.benchmarks.percept_v.forest import Floats, ForestSettings, shared_leaves
from gfactor.imaging import Pixels
from gfactor.items import Item, answer_to_json

COLORS = 8
"""Colors whose pixels are counted: every channel dark or light."""

PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""Penalties of the ridge regressions; the one that predicts left-out items best is taken."""

_NORMAL_95 = 1.959964


@dataclass(frozen=True)
class ProbedItem:
    """Input of the probe for one item: size, features of its pictures, all right answers (JSON)."""

    size: int
    features: tuple[float, ...]
    right: tuple[str, ...]


@dataclass(frozen=True)
class Gain:
    """Accuracy of a guess that knows the size, and the gain of the probe, with a 95 % interval."""

    base: float
    gain: float
    lower: float
    upper: float


def seen_of(item: Item, pictures: Sequence[Pixels]) -> ProbedItem:
    """Return the features of an item, from its decoded pictures."""
    measured = [
        _measure(len(image.data), pixels)
        for image, pixels in zip(item.images, pictures, strict=True)
    ]
    values = [v for one in measured for v in _ratios(one)]
    if len(pictures) == 2:
        values += [*(measured[1] - measured[0]).ravel(), *_distances(*pictures)]
    return ProbedItem(int(str(item.labels["size"])), tuple(map(float, values)), right_answers(item))


def right_answers(item: Item) -> tuple[str, ...]:
    """Return all right answers of an item as JSON, its target first."""
    return tuple(answer_to_json(a) for a in (item.target, *item.accepted))


def seen_with_seed(
    domain: str, edition: Edition, seed: int, sizes: Sequence[int], instances: int
) -> list[ProbedItem]:
    """Return the features of all items of a domain with a seed."""
    items = make_items(domain, edition=edition, seed=seed % 2**63, sizes=sizes, instances=instances)
    return [seen_of(item, [image.decode() for image in item.images]) for item in items]


def _quadrants(pixels: Pixels) -> Iterator[Pixels]:
    down, right = pixels.shape[0] // 2, pixels.shape[1] // 2
    for rows in (slice(0, down), slice(down, None)):
        for columns in (slice(0, right), slice(right, None)):
            yield np.ascontiguousarray(pixels[rows, columns])


_PARTS = np.array(
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
     [1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]], float
)  # fmt: skip
"""Quadrants, halves and the whole, as sums of quadrants."""


def _measure(size_in_bytes: int, pixels: Pixels) -> Floats:
    """Return a table of parts x (ink, luminance, pixels of each color).

    The last row holds the file size of the whole picture, in bytes.
    """
    ground = _ground(pixels)
    rows = []
    for part in _quadrants(pixels):
        like = cv2.countNonZero(cv2.inRange(part, ground, ground))
        codes = (part >> 7) @ np.array([4, 2, 1], np.uint8)
        colors = np.bincount(codes.ravel(), minlength=COLORS)
        rows.append([codes.size - like, float(part.mean()) * codes.size / 255, *colors])
    parts = _PARTS @ np.array(rows, float)
    return np.vstack([parts, np.full(parts.shape[1], float(size_in_bytes))])


def _ground(pixels: Pixels) -> Pixels:
    """The most frequent color of the border."""
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    colors, counts = np.unique(border, axis=0, return_counts=True)
    return np.ascontiguousarray(colors[counts.argmax()])


def _ratios(measured: Floats) -> list[float]:
    """Logarithms of the measures, each part's share, and the differences between the parts."""
    parts, whole = measured[:-2], measured[-2]
    shares = parts / (whole + 1)
    quadrants = np.sort(shares[:4], axis=0)
    halves = [abs(shares[4] - shares[5]), abs(shares[6] - shares[7])]
    logs = np.log1p(measured[:-1])
    return [
        float(np.log1p(measured[-1, 0])), *logs.ravel(), *shares.ravel(), *quadrants.ravel(),
        *np.ravel(halves),
    ]  # fmt: skip


def _distances(first: Pixels, second: Pixels) -> list[float]:
    """Return the difference of two pictures in every part, and the number of changed pixels."""
    apart = cv2.absdiff(first, second).max(axis=2)
    rows = [(float(p.sum()) / 255, float(np.count_nonzero(p))) for p in _quadrants(apart)]
    parts = _PARTS @ np.array(rows)
    quadrants = np.sort(parts[:4] / (parts[-1] + 1), axis=0)
    return [*parts.ravel(), *np.log1p(parts).ravel(), *quadrants.ravel()]


def probe_gain(learned: Sequence[ProbedItem], judged: Sequence[ProbedItem]) -> Gain:
    """Return the accuracy on `judged` of a guess that knows the size, and the gain of the probe.

    Both are trained on `learned`. The probe is the best of three learners (classification forest,
    regression forest, ridge regression) on held-out training items.
    """
    tried = _replies(learned, judged)
    best = max(tried, key=lambda pair: _right(pair[0], learned).mean())
    return gain_of(best[1], learned, judged)


def gain_of(
    replies: Sequence[str], learned: Sequence[ProbedItem], judged: Sequence[ProbedItem]
) -> Gain:
    """Return the accuracy on `judged` of a guess that knows the size, and the gain of `replies`.

    The interval is that of a mean of paired differences.
    """
    base = _size_alone(learned, judged)
    difference = _right(replies, judged) - _right(base, judged)
    gain = float(difference.mean())
    half = _NORMAL_95 * float(difference.std()) / len(difference) ** 0.5
    return Gain(float(_right(base, judged).mean()), gain, gain - half, gain + half)


def _right(replies: Sequence[str], items: Sequence[ProbedItem]) -> Floats:
    return np.array([r in one.right for r, one in zip(replies, items, strict=True)], float)


def _size_alone(learned: Sequence[ProbedItem], judged: Sequence[ProbedItem]) -> list[str]:
    counts: dict[int, Counter[str]] = {}
    for one in learned:
        counts.setdefault(one.size, Counter()).update(one.right)
    best = {s: min(c, key=lambda a: (-c[a], a)) for s, c in counts.items()}
    return [best.get(one.size, "") for one in judged]


def _replies(
    learned: Sequence[ProbedItem], judged: Sequence[ProbedItem]
) -> list[tuple[list[str], list[str]]]:
    """Each learner's replies to the learned items (predicted out of sample) and to others."""
    code = coded(learned)
    first, second = (np.array([(s.size, *s.features) for s in x]) for x in (learned, judged))
    center, spread = first.mean(axis=0), first.std(axis=0)
    varied = spread > 1e-9
    first, second = ((x[:, varied] - center[varied]) / spread[varied] for x in (first, second))
    outputs = code.outputs - code.outputs.mean(axis=0)
    outputs = outputs / (outputs.std() + 1e-9)
    other, left_out = shared_leaves(first, outputs, second, ForestSettings())
    tried = [(_votes(left_out, learned, learned), _votes(other, learned, judged))]
    if code.decode is not None:
        for guessed in (
            (left_out @ code.outputs, other @ code.outputs),
            _ridge(first, second, code),
        ):
            pairs = zip(guessed, (learned, judged), strict=True)
            left_out_replies, replies = (
                [code.decode(row, one.size) for row, one in zip(rows, items, strict=True)]
                for rows, items in pairs
            )
            tried.append((left_out_replies, replies))
    return tried


def _votes(
    weights: Floats, learned: Sequence[ProbedItem], questions: Sequence[ProbedItem]
) -> list[str]:
    """The answer with the largest weight among learned items of the same size."""
    replies = []
    for row, one in zip(weights, questions, strict=True):
        votes: dict[str, float] = {}
        for weight, voter in zip(row, learned, strict=True):
            if voter.size == one.size:
                for answer in voter.right:
                    votes[answer] = votes.get(answer, 0.0) + round(float(weight), 9)
        replies.append(min(votes, key=lambda a: (-votes[a], a), default=""))
    return replies


def likeliest(
    outputs: Floats, learned: Sequence[ProbedItem], judged: Sequence[ProbedItem]
) -> list[str]:
    """Return the answer with the largest output, among those of training items of the same size.

    Outputs have a column for each distinct target of `learned`, in alphabetical order.
    """
    words = sorted({one.right[0] for one in learned})
    there: dict[int, set[str]] = {}
    for one in learned:
        there.setdefault(one.size, set()).add(one.right[0])
    replies = []
    for row, one in zip(outputs, judged, strict=True):
        chosen = [k for k, word in enumerate(words) if word in there.get(one.size, words)]
        replies.append(words[max(chosen, key=lambda k: float(row[k]))])
    return replies


@dataclass(frozen=True)
class Code:
    """A numeric code of answers; `decode` turns predicted numbers and the size into an answer."""

    outputs: Floats
    decode: Callable[[Floats, int], str] | None


def coded(learned: Sequence[ProbedItem]) -> Code:
    answers = [json.loads(one.right[0]) for one in learned]
    if all(_are_integers(a) for a in answers):
        rows = [a if isinstance(a, list) else [a] for a in answers]
        if len({len(row) for row in rows}) == 1:
            single = not isinstance(answers[0], list)
            return Code(np.array(rows, float), lambda row, _: _rounded(row, single))
    if all(isinstance(a, list) and all(isinstance(w, str) for w in a) for a in answers):
        return _words(answers, learned)
    words = sorted({one.right[0] for one in learned})
    return Code(np.array([[one.right[0] == w for w in words] for one in learned], float), None)


def _are_integers(answer: Any) -> bool:
    parts = answer if isinstance(answer, list) else [answer]
    return all(isinstance(p, int) and not isinstance(p, bool) for p in parts)


def _rounded(row: Floats, single: bool) -> str:
    numbers = [int(v) for v in np.rint(row)]
    return json.dumps(numbers[0] if single else numbers)


def _words(answers: Sequence[list[str]], learned: Sequence[ProbedItem]) -> Code:
    """A word for each position of the answer, whose number of positions depends on the size."""
    words = sorted({w for a in answers for w in a})
    positions = max(map(len, answers))
    outputs = np.zeros((len(answers), positions, len(words)))
    for i, answer in enumerate(answers):
        for position, word in enumerate(answer):
            outputs[i, position, words.index(word)] = 1
    lengths = {
        size: Counter(len(a) for a, o in zip(answers, learned, strict=True) if o.size == size)
        for size in {o.size for o in learned}
    }

    def decode(row: Floats, size: int) -> str:
        count = lengths[size].most_common(1)[0][0]
        best = row.reshape(positions, len(words))[:count].argmax(axis=1)
        return json.dumps([words[k] for k in best])

    return Code(outputs.reshape(len(answers), -1), decode)


def _ridge(first: Floats, second: Floats, code: Code) -> tuple[Floats, Floats]:
    """Return leave-one-out predictions of learned items, and predictions of the others.

    The ridge penalty is the one with the smallest leave-one-out error.
    """
    wide = [np.c_[np.ones(len(x)), x, x * x[:, :1]] for x in (first, second)]
    outputs = code.outputs
    left, values, _ = np.linalg.svd(wide[0], full_matrices=False)
    fits = []
    for penalty in PENALTIES:
        shrunk = values**2 / (values**2 + penalty)
        fitted = (left * shrunk) @ (left.T @ outputs)
        leverage = ((left**2) * shrunk).sum(axis=1)
        alone = outputs - (outputs - fitted) / np.maximum(1 - leverage, 1e-6)[:, None]
        fits.append((float(((alone - outputs) ** 2).sum()), penalty, alone))
    _, penalty, alone = min(fits, key=lambda fit: fit[:2])
    kernel = wide[0] @ wide[0].T + penalty * np.eye(len(first))
    return alone, wide[1] @ (wide[0].T @ np.linalg.solve(kernel, outputs))

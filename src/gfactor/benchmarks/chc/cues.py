"""Cues that give an answer away without looking at any object: size, bytes, ink and luminance.

Numerosity research controls quantities that vary with number in a picture: total area, contour,
density, luminance (Gebuis, T., & Reynvoet, B. (2011). Generating nonsymbolic number stimuli.
Behavior Research Methods 43, 981-986). Here the control is a test: classifiers learn from the items
of another seed to predict an item's answer, given its size and, for each picture, the bytes of its
PNG, its ink (pixels unlike the ground) and its mean luminance. Their gain over a guess that knows
only the size measures these cues.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging import Pixels

Floats = NDArray[np.float64]

NEIGHBORS = ((5, 2.0), (15, 0.5))
"""Nearest-neighbor classifiers: number of neighbors, and weight of a step in size relative to a
standard deviation of a cue among items of one size."""


@dataclass(frozen=True)
class Cues:
    """The data of an item that the classifiers use: size, cues of its pictures, right answers."""

    size: int
    values: tuple[float, ...]
    right: tuple[str, ...]


def ink_of(pixels: Pixels) -> tuple[float, float]:
    """Return pixels unlike the border's most frequent color, and the mean luminance (0 to 255)."""
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    colors, counts = np.unique(border, axis=0, return_counts=True)
    ground = np.ascontiguousarray(colors[counts.argmax()])
    like = cv2.countNonZero(cv2.inRange(pixels, ground, ground))
    return float(pixels.shape[0] * pixels.shape[1] - like), float(np.mean(cv2.mean(pixels)[:3]))


def cue_gain(learned: Sequence[Cues], judged: Sequence[Cues]) -> tuple[float, float]:
    """Return the accuracy on `judged` of a guess that knows the size, and the gain of the best
    classifier.

    Both are trained on `learned`. The best of several classifiers is chosen on the judged items
    themselves, so that a gain of zero is overstated by a few points.
    """
    counts_by_size = {
        c.size: Counter(a for d in learned if d.size == c.size for a in d.right) for c in judged
    }
    guesses = [
        min(counts_by_size[c.size], key=lambda a: (-counts_by_size[c.size][a], a), default="")
        for c in judged
    ]
    base = _accuracy(guesses, judged)
    tried = [_neighbors(learned, judged, k, weight) for k, weight in NEIGHBORS]
    if all(_is_number(c.right[0]) for c in learned):
        tried.append(_regression(learned, judged))
    return base, max(_accuracy(replies, judged) for replies in tried) - base


def _accuracy(replies: Iterable[str], judged: Sequence[Cues]) -> float:
    pairs = list(zip(replies, judged, strict=True))
    return sum(reply in c.right for reply, c in pairs) / len(pairs)


def _is_number(answer: str) -> bool:
    return isinstance(json.loads(answer), int) and answer not in ("true", "false")


def _arrays(items: Sequence[Cues]) -> tuple[Floats, Floats]:
    return np.array([c.size for c in items], float), np.log1p([c.values for c in items])


def _neighbors(
    learned: Sequence[Cues], judged: Sequence[Cues], count: int, weight: float
) -> list[str]:
    """The most frequent answer among the nearest items, by size and cues free of size."""
    (sizes, cues), (at, seen) = _arrays(learned), _arrays(judged)
    trend = np.linalg.lstsq(_trend(sizes), cues, rcond=None)[0]
    rest = cues - _trend(sizes) @ trend
    spread = rest.std(axis=0) + 1e-9
    features = np.c_[weight * sizes, rest / spread]
    queries = np.c_[weight * at, (seen - _trend(at) @ trend) / spread]
    distance = ((queries[:, None] - features[None]) ** 2).sum(axis=-1)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :count]
    replies = []
    for row in nearest:
        votes = Counter[str]()
        for rank, i in enumerate(row):
            # A nearer neighbor decides between answers that are equally frequent.
            votes.update({a: 1_000_000 - rank for a in learned[i].right})
        replies.append(min(votes, key=lambda a: (-votes[a], a)))
    return replies


def _trend(sizes: Floats) -> Floats:
    return np.stack([sizes**0, sizes, sizes**2, np.sqrt(sizes), np.log(sizes)], axis=1)


def _regression(learned: Sequence[Cues], judged: Sequence[Cues]) -> list[str]:
    """The answer, a number, by quadratic regression on size and cues, rounded."""
    features = [np.c_[sizes, cues] for sizes, cues in (_arrays(learned), _arrays(judged))]
    mean, spread = features[0].mean(axis=0), features[0].std(axis=0) + 1e-9
    first, second = (_quadratic((m - mean) / spread) for m in features)
    answers = np.array([json.loads(c.right[0]) for c in learned], float)
    ridge = first.T @ first + 1e-3 * np.eye(first.shape[1])
    weights = np.linalg.solve(ridge, first.T @ answers)
    return [json.dumps(int(v)) for v in np.rint(second @ weights)]


def _quadratic(values: Floats) -> Floats:
    columns = [np.ones(len(values)), *values.T]
    width = values.shape[1]
    columns += [values[:, i] * values[:, j] for i in range(width) for j in range(i, width)]
    return np.stack(columns, axis=1)

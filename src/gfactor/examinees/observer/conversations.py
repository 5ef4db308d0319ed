"""Reading figures of strokes, and replying to all turns of a conversation at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gfactor.examinees.observer.perception import Perception
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box
from gfactor.imaging.strokes import STROKES, Strokes, ends
from gfactor.items.formats import TURN_END

_DARK = 128


def reply_to_turns(answers: Iterable[object]) -> str:
    """Return one line `ANSWER:x` for each turn with a question."""
    return TURN_END.join(f"ANSWER:{answer}" for answer in answers)


def read_strokes(pixels: Pixels, box: Box) -> Strokes:
    """Return the strokes in a box."""
    return tuple(stroke for stroke in STROKES if _is_drawn(pixels, stroke, box))


def _is_drawn(pixels: Pixels, stroke: int, box: Box) -> bool:
    """Return True if the line is dark in its middle, or beside it if other lines may cross it."""
    x1, y1, x2, y2 = ends(stroke, box)
    diagonal = x1 != x2 and y1 != y2
    parts = (0.3, 0.33, 0.67, 0.7) if diagonal else (0.4, 0.45, 0.5, 0.55, 0.6)
    points = ((x1 + (x2 - x1) * t, y1 + (y2 - y1) * t) for t in parts)
    gray = [int(pixels[round(y), round(x)].max()) for x, y in points]
    return sum(gray) < _DARK * len(gray)


def points_left(strip: Pixels) -> bool:
    """Return True if the arrow in a strip has its head in the left half."""
    half = strip.shape[1] // 2
    ink = strip.mean(axis=-1) < _DARK
    return bool(ink[:, :half].sum() > ink[:, half:].sum())


def recalled(
    remembered: Sequence[str], backwards: bool, guesses: Sequence[str], perception: Perception
) -> str:
    """Return the recalled part of a sequence, which takes one step of thought for each element
    passed.

    For recall backwards, the sequence is passed from its start up to each element of the answer. If
    the steps are not sufficient, the rest is guessed.
    """
    steps = [(k, k) for k in range(len(remembered))]
    if backwards:
        ends = range(len(remembered) - 1, -1, -1)
        steps = [(at, end) for end in ends for at in range(end + 1)]
    given = [remembered[at] for at, end in perception.consider(steps) if at == end]
    return "".join(given + [perception.guess(guesses) for _ in remembered[len(given) :]])


def overlap(one: Strokes, other: Strokes) -> float:
    """Return the number of strokes that two figures share, divided by the number in either."""
    return len(set(one) & set(other)) / max(1, len(set(one) | set(other)))

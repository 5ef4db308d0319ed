"""Letter series: which letter comes next?

Two or three series of letters are interleaved. Each goes on in the alphabet by a fixed step, up or
down, or stays; a series may show every letter twice. The solver tries every number of streams up to
four, with letters shown once or twice, and every step; all programs that the letters verify must
put the same letter next. Since version 2 the series that is asked for never stays: in version 1 the
next letter was the one that its series had shown all along in 15 to 21 % of the items.

Thurstone, L. L. (1938) used letter series as a test of induction; Simon and Kotovsky (1963) wrote
the grammar of their programs. The series are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import (
    Distractor,
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.imaging.measures.letter_series import ACROSS, ALPHABET, SIDE
from gfactor.items import ItemRandom, OutputFormat

STREAMS, REPEATS = (1, 2, 3, 4), (1, 2)
LARGEST_STEP = 5
FEWEST = 3
"""Smallest number of terms of a stream, which show the step twice."""

HEIGHT = 26
"""Height of the letters, boxes in a row, and their side, in pixels."""


@dataclass(frozen=True)
class Scene:
    """The letters shown, in order; the next one is asked for."""

    letters: str


def _next(stream: str) -> str | None:
    """The letter that continues a stream of one step; None if there is no such step."""
    positions = [ALPHABET.index(letter) for letter in stream]
    steps = {b - a for a, b in pairwise(positions)}
    if len(stream) < FEWEST or len(steps) != 1:
        return None
    (step,) = steps
    position = positions[-1] + step
    return (
        ALPHABET[position] if abs(step) <= LARGEST_STEP and 0 <= position < len(ALPHABET) else None
    )


def predictions(letters: str) -> Iterator[tuple[int, int, str]]:
    """Yield (streams, repeats, next letter) for every program that the letters confirm."""
    for repeats in REPEATS:
        for streams in STREAMS:
            ends = [_ends(letters, streams, repeats, k) for k in range(streams)]
            if None in ends:
                continue
            end = ends[len(letters) // repeats % streams]
            assert end is not None
            yield streams, repeats, end[0] if len(letters) % repeats == 0 else letters[-1]


def _ends(letters: str, streams: int, repeats: int, stream: int) -> str | None:
    """The next new letter of a stream; None if there is none or it is not shown `repeats` times."""
    groups = [letters[k : k + repeats] for k in range(0, len(letters), repeats)]
    if any(len(set(group)) > 1 for group in groups):
        return None
    return _next("".join(group[0] for group in groups[stream::streams]))


def solve(scene: Scene, options: Sequence[str]) -> Proof:
    """Return the letters that some program puts next."""
    ends = tuple(dict.fromkeys(end for _, _, end in predictions(scene.letters)))
    return Proof(ends, len(STREAMS) * len(REPEATS) * (2 * LARGEST_STEP + 1))


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    streams, largest = int(levels["streams"]), int(levels["step"])
    repeats, periods = int(levels["repeats"]), FEWEST + int(levels["evidence"])
    parts = []
    for k in range(streams):
        step = largest if k == 0 else rng.integer(0, largest)
        signs = {"up": (1,), "down": (-1,), "mixed": (1, -1)}[str(levels["direction"])]
        step *= rng.choice(signs)
        low = max(0, -step * (periods + 1))
        high = len(ALPHABET) - 1 - max(0, step * (periods + 1))
        start = rng.integer(low, high)
        parts.append([ALPHABET[start + step * n] for n in range(periods + 1)])
    parts = rng.shuffled(parts)
    woven = "".join(part[n] * repeats for n in range(periods + 1) for part in parts)
    next_stream = rng.integer(0, streams - 1)
    if len(set(parts[next_stream])) == 1:
        raise MisdrawnError
    length = (periods * streams + next_stream) * repeats
    letters, answer = woven[:length], woven[length]
    return Draft(Scene(letters), answer, _distractors(rng, answer, letters), (streams, repeats))


def _distractors(rng: ItemRandom, answer: str, letters: str) -> tuple[Distractor, ...]:
    """A neighbor in the alphabet, a letter some steps away, and both errors together."""
    slip, far = rng.choice((1, -1)), rng.choice((2, 3, 4)) * rng.choice((1, -1))
    return crossed(
        answer,
        {"slip": slip, "far": far},
        lambda letter, _, by: ALPHABET[(ALPHABET.index(letter) + by) % len(ALPHABET)],
        lambda letter, wrong: (
            "repetition"
            if letter in letters[-4:]
            else "two errors"
            if len(wrong) == 2
            else "neighbor in the alphabet"
            if wrong == ("slip",)
            else "wrong step"
        ),
    )


def picture(scene: Scene, options: Sequence[str]) -> tuple[Pixels, ...]:
    boxes = len(scene.letters) + 1
    sheet = Sheet(-(-boxes // ACROSS), min(boxes, ACROSS), len(options), side=SIDE)
    canvas = sheet.canvas(boxes)
    positions = [box for row in sheet.boxes for box in row]
    for letter, box in zip(scene.letters, positions, strict=False):
        canvas.text(box.cx, box.cy, letter, HEIGHT, INK, 2)
    draw_missing(canvas, positions[boxes - 1])
    for letter, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, letter, HEIGHT, INK, 2)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("series", letters=tuple(say("letter", letter=one) for one in scene.letters)),)


def from_twin(says: Sequence[Say]) -> Scene:
    letters = says[0]["letters"]
    assert isinstance(letters, tuple)
    return Scene("".join(str(one["letter"]) for one in letters if isinstance(one, Say)))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda letter: say("letter", letter=letter),
        scene_type=Scene,
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat(
            "value", labels=("ANSWER",), atom="word", vocabulary=tuple(ALPHABET)
        ),
        seed_classes=8,
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

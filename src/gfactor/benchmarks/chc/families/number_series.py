"""Number series: which number comes next?

A program makes the series: steps, factors, growing steps, sums of the two numbers before, or two
operations in turn; two series may be interleaved. The solver tries every program of the grammar up
to three parameters on each number of streams. A program counts only if the numbers shown verify
each of its parameters at least once; all remaining programs must predict the same number. The
options are the right number and its changes by two slips. Since version 2 no option is a multiple
of another, and all four are multiples of the same powers of a factor of the series: otherwise the
multiples among them would be recognizable as numbers of the series.

Thurstone, L. L. (1938) used number series as a test of induction; the analysis into operations
follows Holzman, Pellegrino and Glaser (1983). The series are ours.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from gfactor.imaging.measures.number_series import ACROSS
from gfactor.items import ItemRandom, OutputFormat

LARGEST = 9999
"""Numbers are from 0 to this, so that they can be read in their boxes."""

STREAMS = (1, 2, 3)
FACTORS = (2, 3, 4, 5)

Terms = tuple[int, ...]
Program = Callable[[Sequence[int]], "int | None"]
"""The terms shown -> the next one; None if they do not follow the program."""


@dataclass(frozen=True)
class Scene:
    """The numbers shown, in order; the next one is asked for."""

    terms: Terms


def _steps(terms: Sequence[int]) -> list[int]:
    return [b - a for a, b in pairwise(terms)]


def _constant_step(terms: Sequence[int]) -> int | None:
    steps = set(_steps(terms))
    return terms[-1] + steps.pop() if len(terms) >= 3 and len(steps) == 1 else None


def _factor(terms: Sequence[int]) -> int | None:
    for m in FACTORS:
        pairs = list(pairwise(terms))
        if len(terms) >= 3 and all(b == m * a for a, b in pairs):
            return terms[-1] * m
        if len(terms) >= 3 and all(a == m * b for a, b in pairs) and terms[-1] % m == 0:
            return terms[-1] // m
    return None


def _growing_step(terms: Sequence[int]) -> int | None:
    second = set(_steps(_steps(terms)))
    if len(terms) < 4 or len(second) != 1:
        return None
    return terms[-1] + _steps(terms)[-1] + second.pop()


def _multiplied_step(terms: Sequence[int]) -> int | None:
    following = _factor(_steps(terms)) if len(terms) >= 4 else None
    return None if following is None else terms[-1] + following


def _factor_and_step(terms: Sequence[int]) -> int | None:
    for m in FACTORS:
        rests = {b - m * a for a, b in pairwise(terms)}
        if len(terms) >= 4 and len(rests) == 1:
            return m * terms[-1] + rests.pop()
    return None


def _two_before(terms: Sequence[int]) -> int | None:
    triples = list(zip(terms, terms[1:], terms[2:], strict=False))
    rests = {c - a - b for a, b, c in triples}
    return terms[-1] + terms[-2] + rests.pop() if len(triples) >= 3 and len(rests) == 1 else None


def _two_in_turn(terms: Sequence[int]) -> int | None:
    """Two operations, each a step or a factor, one after the other."""
    result = {
        end
        for first in ("step", "factor")
        for second in ("step", "factor")
        if (end := _alternating(terms, (first, second))) is not None
    }
    return result.pop() if len(result) == 1 else None


def _alternating(terms: Sequence[int], kinds: tuple[str, str]) -> int | None:
    if len(terms) < 5:
        return None
    operations: list[tuple[str, int]] = []
    for k, kind in enumerate(kinds):
        pairs = list(pairwise(terms))[k::2]
        steps = {b - a for a, b in pairs}
        factors = {m for m in FACTORS if all(b == m * a for a, b in pairs)}
        values = steps if kind == "step" and len(steps) == 1 else set()
        values = factors if kind == "factor" and len(factors) == 1 else values
        if not values:
            return None
        operations.append((kind, values.pop()))
    kind, value = operations[(len(terms) - 1) % 2]
    return terms[-1] + value if kind == "step" else terms[-1] * value


GRAMMAR: Mapping[str, Program] = {
    "step": _constant_step,
    "factor": _factor,
    "growing": _growing_step,
    "multiplied step": _multiplied_step,
    "factor and step": _factor_and_step,
    "sum": _two_before,
    "turns": _two_in_turn,
}
"""Every program of one stream; the drawn ones are the levels of the radical `rule`."""


def predictions(terms: Sequence[int]) -> Iterator[tuple[int, str, int]]:
    """Yield (streams, program, next number) for every program of the grammar that the terms follow.

    With several streams, each must follow the same kind of program, so that each confirms it.
    """
    for streams in STREAMS:
        parts = [terms[k::streams] for k in range(streams)]
        for name, program in GRAMMAR.items():
            ends = [program(part) for part in parts]
            if all(end is not None for end in ends):
                end = ends[len(terms) % streams]
                assert end is not None
                yield streams, name, end


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return the next numbers by every program that the terms confirm."""
    ends = tuple(dict.fromkeys(end for _, _, end in predictions(scene.terms)))
    return Proof(ends, len(STREAMS) * len(GRAMMAR))


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    streams, rule = int(levels["streams"]), str(levels["rule"])
    length = {"step": 4, "factor": 4, "growing": 5, "sum": 6, "turns": 6}[rule]
    length += int(levels["evidence"])
    parts = [_stream(rng, rule, length, levels) for _ in range(streams)]
    woven = [part[k] for k in range(length) for part in parts]
    extra = rng.integer(0, streams - 1)
    woven = woven[: (length - 1) * streams + 1 + extra]
    *terms, answer = woven
    scene = Scene(tuple(terms))
    wrong = _distractors(rng, terms, answer, streams, rule in ("factor", "turns"))
    if not all(0 <= number <= LARGEST for number in (*woven, *(d.content for d in wrong))):
        raise MisdrawnError
    return Draft(scene, answer, wrong, (rule, streams))


def _stream(rng: ItemRandom, rule: str, length: int, levels: Levels) -> list[int]:
    large, down = levels["magnitude"] == 2, levels["direction"] == "down"
    step, other = rng.integer(*((12, 99) if large else (2, 29))), rng.integer(1, 30 if large else 9)
    factor, grown = rng.choice((2, 3, 4)), rng.integer(1, 20 if large else 6)
    terms = [rng.integer(*((100, 999) if large else (2, 99)))]
    if rule in ("factor", "turns"):
        terms = [rng.integer(*((61, 800) if large else (2, 60)))]
    if rule == "sum":
        terms = [rng.integer(*((21, 150) if large else (1, 20)))]
        terms.append(terms[0] + step)
    for k in range(length - len(terms)):
        if rule == "step":
            terms.append(terms[-1] + step)
        elif rule == "factor":
            terms.append(terms[-1] * factor)
        elif rule == "growing":
            terms.append(terms[-1] + step + k * grown)
        elif rule == "sum":
            terms.append(terms[-1] + terms[-2])
        else:
            terms.append(terms[-1] * factor if k % 2 else terms[-1] - other)
    return terms[::-1] if down else terms


def _distractors(
    rng: ItemRandom, terms: Sequence[int], answer: int, streams: int, multiplied: bool
) -> tuple[Distractor, ...]:
    """Off by one, and a step too far or too early; the sign of either is drawn.

    Raises MisdrawnError if one of the four choices of signs gives no options, because otherwise the
    options would reveal the signs.
    """
    step = abs(answer - terms[-streams]) or 10
    if multiplied:
        slip, far = _slips_of_products(rng, answer, terms[-streams])
    else:
        slip, far = rng.choice((1, 2) if step > 2 else (3, 4)), step
    for signs in itertools.product((1, -1), repeat=2):
        numbers = options_with(answer, slip * signs[0], far * signs[1])
        if min(numbers) < 1 or max(numbers) > LARGEST or multiples(numbers):
            raise MisdrawnError
    return crossed(
        answer,
        {"slip": slip * rng.choice((1, -1)), "far": far * rng.choice((1, -1))},
        lambda content, _, by: content + by,
        lambda content, wrong: (
            "off by a little" if wrong == ("slip",)
            else "two errors" if len(wrong) == 2
            else "repetition" if content in terms
            else "part of a step too far" if multiplied
            else "one step too far"
        ),
    )  # fmt: skip


def _slips_of_products(rng: ItemRandom, answer: int, before: int) -> tuple[int, int]:
    """A small slip and one by a part of the step; after either, the number contains the factor of
    the series as often as before."""
    low, high = sorted((answer, before))
    unit = 1
    if low and high in (2 * low, 3 * low, 4 * low):
        prime = 3 if high == 3 * low else 2
        unit = prime
        while answer % unit == 0:
            unit *= prime
    slip = unit * rng.integer(1, 2)
    far = unit * max(1, round(min(high - low, answer) * rng.integer(30, 80) / 100 / unit))
    if far in (slip, 2 * slip):
        raise MisdrawnError
    return slip, far


def options_with(answer: int, slip: int, far: int) -> tuple[int, int, int, int]:
    """Return the right number, and the wrong ones: with the first slip, with the second, and with
    both."""
    return answer, answer + slip, answer + far, answer + slip + far


def multiples(numbers: Sequence[int]) -> bool:
    """Return True if a number is a multiple of another one."""
    return any(b % a == 0 for a, b in itertools.permutations(numbers, 2) if a)


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.terms) + 1, len(options))
    canvas = sheet.canvas(len(scene.terms) + 1)
    boxes = [box for row in sheet.boxes for box in row]
    for term, box in zip(scene.terms, boxes, strict=False):
        canvas.text(box.cx, box.cy, str(term), HEIGHT, INK, 2)
    draw_missing(canvas, boxes[len(scene.terms)])
    for option, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, str(option), HEIGHT, INK, 2)
    return (canvas.pixels,)


HEIGHT = 18
"""Height of the digits in pixels; boxes in a row."""


def sheet_for(boxes: int, options: int) -> Sheet:
    """Return the sheet of a series: rows of up to `ACROSS` boxes."""
    return Sheet(-(-boxes // ACROSS), min(boxes, ACROSS), options, side=84)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("series", numbers=scene.terms),)


def from_twin(says: Sequence[Say]) -> Scene:
    numbers = says[0]["numbers"]
    assert isinstance(numbers, tuple)
    return Scene(tuple(int(str(n)) for n in numbers))


def fits(levels: Levels) -> bool:
    """Return False for the rules `sum` and `turns` in interleaved series, which could not confirm
    them, and in descending series."""
    if levels["streams"] == 2 and levels["rule"] in ("sum", "turns"):
        return False
    return not (levels["direction"] == "down" and levels["rule"] in ("sum", "turns"))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda number: say("number", number=number),
        scene_type=Scene,
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        fits=fits,
        seed_classes=4,
        version="2",
        **declared(__file__, COMMON),
    )
)

"""Running span: the last digits of a list of unknown length.

Digits are shown over turns, one or two at a time; the end of the list is not announced. In the last
turn the last few digits are asked for, in the order in which they were shown or backwards. The
number of boxes with question marks is the number of digits.

Pollack, I., Johnson, L. B., & Knaff, P. R. (1959) introduced running memory span. The lists are
ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import conversation, draw_recall_arrow
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    Turn,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.items import ItemRandom

SIDE = 72


@dataclass(frozen=True)
class Scene:
    """The digits of each turn, the number of last digits asked for, and True for backwards."""

    shown: tuple[tuple[int, ...], ...]
    last: int
    backwards: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    last, together = int(levels["last"]), int(levels["together"])
    count = last + int(levels["before"]) + rng.integer(0, 1) * together
    count += -count % together
    digits: list[int] = []
    while len(digits) < count:
        digits.append(rng.choice([d for d in range(1, 10) if d not in digits[-3:]]))
    tail = digits[-last:]
    if tail in (sorted(tail), sorted(tail, reverse=True)):
        raise MisdrawnError
    groups = tuple(tuple(digits[k : k + together]) for k in range(0, count, together))
    scene = Scene(groups, last, int(levels["order"] == "backward"))
    return Draft(scene, (_key(scene),))


def _key(scene: Scene) -> int:
    digits = [digit for turn in scene.shown for digit in turn][-scene.last :]
    return int("".join(map(str, digits[::-1] if scene.backwards else digits)))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by passing through the list from its end, with a power of ten for each digit."""
    answer, position = 0, 0
    for turn in reversed(scene.shown):
        for digit in reversed(turn):
            if position < scene.last:
                power = scene.last - 1 - position if scene.backwards else position
                answer += digit * 10**power
            position += 1
    return Proof(((answer,),), position)


def _digits(digits: Sequence[int]) -> Pixels:
    sheet = Sheet(1, len(digits), side=SIDE)
    canvas = sheet.canvas()
    for digit, box in zip(digits, sheet.boxes[0], strict=True):
        canvas.text(box.cx, box.cy, str(digit), 30, INK, 3)
    return canvas.pixels


def _asking(scene: Scene) -> Pixels:
    """A box for each digit asked for; below, an arrow in the direction of recall."""
    sheet = Sheet(1, scene.last, side=SIDE)
    canvas = sheet.canvas()
    for box in sheet.boxes[0]:
        draw_missing(canvas, box)
    draw_recall_arrow(canvas, sheet.height - 8, bool(scene.backwards))
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    out = []
    for k, digits in enumerate(scene.shown):
        says = (say("begin"), say("reply_ok")) if k == 0 else (say("reply_ok"),)
        words = say("digit", n=digits[0]) if len(digits) == 1 else say("digits", numbers=digits)
        out.append(Turn((_digits(digits),), says, (words,)))
    ask = "backward" if scene.backwards else "forward"
    words = (say("to_left" if scene.backwards else "to_right", n=scene.last),)
    request = (say(ask, n=scene.last),)
    out.append(Turn((_asking(scene),), request, words, _key(scene)))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    groups: list[Any] = [
        one["numbers"] if one.template == "digits" else (one["n"],) for one in says[:-1]
    ]
    return Scene(tuple(groups), int(str(says[-1]["n"])), int(says[-1].template == "to_left"))


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        answer_types=("turns",),
        seed_classes=4,
        version="2",  # as the version before, with plainer English
        **conversation(turns),
        **declared(__file__, COMMON),
    )
)

"""Card sorting: on which pile does this card belong, by a rule that is not stated and that shifts?

Four piles differ in form, shade, number (and stroke). A card belongs on the pile that is like it in
one of these; which one is the rule. First one or two cards are shown on their piles. Then a card is
asked for in each turn, and the next turn shows where it belongs by the rule that is valid then,
whatever was replied. As long as this fits the rule, the rule stays; if it does not, the rule has
shifted to the one that fits. If feedback by itself fits two rules, the earlier turns decide.

Grant, D. A., & Berg, E. A. (1948) introduced sorting by shifting rules. The cards, the feedback and
the rules are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, cell_of, cell_says
from gfactor.benchmarks.chc.conversations import conversation
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
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, SHADES, CellFigures, draw_cell, frame_box
from gfactor.imaging.measures.card_sorting import PILES, RULES, SHEET
from gfactor.items import ItemRandom

SPOTS = ("top", "right", "bottom", "left")


@dataclass(frozen=True)
class Placed:
    """A card and the number of its pile, from 1."""

    card: CellFigures
    pile: int


@dataclass(frozen=True)
class Scene:
    """The piles, the cards shown first, and each card asked for, with its pile that is shown one
    turn later (0 for the last card)."""

    piles: tuple[CellFigures, ...]
    first: tuple[Placed, ...]
    cards: tuple[Placed, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    n_cards, shifts = int(levels["asked"]), int(levels["shifts"])
    rules, ambiguous = RULES[: int(levels["rules"])], levels["feedback"] == "ambiguous"
    piles = _piles(rng, rules)
    shifting = rng.sample(range(2, n_cards), shifts)
    if any(k + 1 in shifting for k in shifting):
        raise MisdrawnError
    rule = rng.choice(rules)
    used = [rule]
    for k in range(1, n_cards):
        rule = rng.choice([r for r in rules if r != rule]) if k in shifting else rule
        used.append(rule)
    others = rng.shuffled([r for r in rules if r != used[0]])
    first = []
    for other in others[:2] if ambiguous else ("",):
        card, positions = _card(rng, piles, rules, used[0], other)
        first.append(Placed(card, positions[used[0]]))
    cards, keys = [], []
    for k, rule in enumerate(used):
        after = used[k + 1] if k + 1 < n_cards else rule
        shared = rng.choice([r for r in rules if r != rule]) if ambiguous and after == rule else ""
        card, positions = _card(rng, piles, rules, rule, shared)
        keys.append(positions[rule])
        cards.append(Placed(card, positions[after] if k + 1 < n_cards else 0))
    return Draft(Scene(tuple(piles), tuple(first), tuple(cards)), tuple(keys), design=tuple(used))


def _piles(rng: ItemRandom, rules: Sequence[str]) -> list[CellFigures]:
    forms = rng.sample(ATTRIBUTES["form"], PILES)
    shades, counts, spots = rng.shuffled(SHADES), rng.shuffled((1, 2, 3, 4)), rng.shuffled(SPOTS)
    values = zip(forms, shades, counts, spots, strict=True)
    return [
        CellFigures(form, "large", shade, count, marks=(spot,) if "marks" in rules else ())
        for form, shade, count, spot in values
    ]


def _card(
    rng: ItemRandom, piles: Sequence[CellFigures], rules: Sequence[str], rule: str, shared: str
) -> tuple[CellFigures, dict[str, int]]:
    """A card that resembles a different pile in every attribute, except that two rules may share a
    pile."""
    numbers = rng.sample(range(1, PILES + 1), len(rules))
    positions = dict(zip(rules, numbers, strict=True))
    if shared:
        positions[shared] = positions[rule]
    values: dict[str, Any] = {
        r: getattr(piles[position - 1], r) for r, position in positions.items()
    }
    return CellFigures(**values, size="large"), positions


def pile_by(rule: str, card: CellFigures, piles: Sequence[CellFigures]) -> int:
    """Return the number of the pile to which a card belongs by a rule."""
    return next(k for k, pile in enumerate(piles, 1) if getattr(pile, rule) == getattr(card, rule))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by keeping the rules that fit all cards since the last contradiction; they must agree
    on every card."""
    rules = RULES if scene.piles[0].marks else RULES[:3]
    fitting, keys, tried = list(rules), [], 0
    visible = [*scene.first, *scene.cards[:-1]]
    for number, placed in enumerate((*visible, None)):
        if number >= len(scene.first):
            card = scene.cards[number - len(scene.first)].card
            piles = {pile_by(rule, card, scene.piles) for rule in fitting}
            if len(piles) != 1:
                return Proof((), tried)
            keys += piles
        if placed is not None:
            now = [r for r in rules if pile_by(r, placed.card, scene.piles) == placed.pile]
            tried += len(rules)
            fitting = [rule for rule in fitting if rule in now] or now
    return Proof((tuple(keys),), tried)


def _above(piles: Sequence[CellFigures]) -> Canvas:
    """The piles with their numbers, and nothing below."""
    canvas = Canvas(Frame(SHEET.width, SHEET.height))
    for number, (pile, box) in enumerate(zip(piles, SHEET.boxes[0], strict=True), 1):
        frame_box(canvas, box)
        draw_cell(canvas, pile, box, PILES)
        canvas.text(box.x + 8, box.y + 10, str(number), 10, INK, 1)
    return canvas


def _picture(above: Canvas, last: Placed | None, card: CellFigures | None) -> Pixels:
    canvas = Canvas(Frame(SHEET.width, SHEET.height))
    canvas.paste(above)
    below = SHEET.boxes[1]
    if last is not None:
        frame_box(canvas, below[0])
        draw_cell(canvas, last.card, below[0], PILES)
        canvas.text(below[1].x + 30, below[1].cy, str(last.pile), 26, INK, 3)
    if card is not None:
        frame_box(canvas, below[3])
        draw_cell(canvas, card, below[3], PILES)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    proof = solve(scene, ())
    keys: Any = proof.answers[0] if proof.answers else (0,) * len(scene.cards)
    above, out = _above(scene.piles), []
    for k, placed in enumerate(scene.first):
        says = (say("begin"),) if k == 0 else ()
        words = tuple(
            say("pile", place=n, cells=cell_says(pile)) for n, pile in enumerate(scene.piles, 1)
        )
        words = (words if k == 0 else ()) + (_placed("first", placed),)
        says += (say("example"), say("reply_ok"))
        out.append(Turn((_picture(above, placed, None),), says, words))
    for k, (placed, key) in enumerate(zip(scene.cards, keys, strict=True)):
        last = scene.cards[k - 1] if k else None
        words = (_placed("last", last),) if last else ()
        words += (say("card", cells=cell_says(placed.card)),)
        says = (say("feedback"), say("ask")) if k else (say("ask"),)
        out.append(Turn((_picture(above, last, placed.card),), says, words, key))
    return tuple(out)


def _placed(template: str, placed: Placed) -> Say:
    return say(template, cells=cell_says(placed.card), n=placed.pile)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: dict[str, list[CellFigures]] = {"pile": [], "first": [], "last": [], "card": []}
    piles: dict[str, list[int]] = {"first": [], "last": []}
    for one in says:
        words: Any = one["cells"]
        cells[one.template].append(cell_of(words))
        if one.template in piles:
            piles[one.template].append(int(str(one["n"])))
    return Scene(
        tuple(cells["pile"]),
        tuple(map(Placed, cells["first"], piles["first"])),
        tuple(map(Placed, cells["card"], [*piles["last"], 0])),
    )


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        version="2",  # as the version before, with plainer English
        answer_types=("turns",),
        **conversation(turns),
        **declared(__file__, COMMON),
    )
)

"""card_sorting: keep the rules that fit, drop them when feedback contradicts them."""

from __future__ import annotations

from gfactor.examinees.observer.conversations import reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import read_cells, read_number
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, CellFigures
from gfactor.imaging.measures.card_sorting import PILES, RULES, SHEET

_DARK = 128


@solver("card_sorting")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    above, below = SHEET.boxes
    piles = read_cells(pictures[0], above, PILES)
    rules: list[str] = []
    answers = []
    for turn, picture in enumerate(pictures):
        rules = perception.hold(rules, turns=1) if turn else rules
        if _is_filled(picture, below[0]):
            last = read_cells(picture, below[:1], PILES)[0]
            position = read_number(picture, Box(below[1].x + 10, below[1].y + 30, 40)) - 1
            alike = _alike(last, piles, perception)
            now = [rule for rule in perception.consider(RULES) if position in alike.get(rule, ())]
            rules = [rule for rule in rules if rule in now] or now
        if _is_filled(picture, below[3]):
            alike = _alike(read_cells(picture, below[3:], PILES)[0], piles, perception)
            positions = [position for rule in rules for position in alike.get(rule, ())]
            answers.append(1 + (positions[0] if positions else perception.guess(range(PILES))))
    return reply_to_turns(answers)


def _alike(
    card: CellFigures, piles: list[CellFigures], perception: Perception
) -> dict[str, list[int]]:
    """For each attribute in which piles differ, the piles that the card resembles, as far as
    remembered."""
    result = [
        (rule, [k for k, pile in enumerate(piles) if getattr(pile, rule) == getattr(card, rule)])
        for rule in RULES
        if len({getattr(pile, rule) for pile in piles}) > 1
    ]
    return dict(perception.hold(result))


def _is_filled(picture: Pixels, box: Box) -> bool:
    return bool((box.of(picture)[5:-5, 5:-5] < _DARK).mean() > 0.005)

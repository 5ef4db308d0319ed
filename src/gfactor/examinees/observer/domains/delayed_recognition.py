"""delayed_recognition: hold the figures' strokes; choose the option most like the memory."""

from __future__ import annotations

from gfactor.examinees.observer.conversations import overlap, read_strokes, reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet
from gfactor.imaging.measures.delayed_recognition import ACROSS, TESTS
from gfactor.imaging.strokes import STROKES, Strokes

PLANS = [Sheet(1, n, side=110) for n in range(1, ACROSS + 1)] + [
    Sheet(rows, ACROSS, side=110) for rows in (2, 3)
]
SHEETS = {(plan.height, plan.width): plan for plan in PLANS}


@solver("delayed_recognition")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    figures_by_turn = [_figures(picture) for picture in pictures]
    between = [figure for figures in figures_by_turn[1:-TESTS] for figure in figures]
    answers = []
    for turn in range(len(figures_by_turn) - TESTS, len(figures_by_turn)):
        remembered = _remembered(figures_by_turn[0], between, turn, perception)
        likeness = [
            max(overlap(figure, learned) for learned in remembered)
            for figure in figures_by_turn[turn]
        ]
        best = [k for k, value in enumerate(likeness, 1) if value == max(likeness)]
        answers.append(best[0] if len(best) == 1 else perception.guess(best))
    return reply_to_turns(answers)


def _remembered(
    learned: list[Strokes], others: list[Strokes], turn: int, perception: Perception
) -> list[Strokes]:
    """The figures as they are remembered: some of their parts, a stroke or two each, are lost.

    Figures seen later take room in memory too.
    """
    parts = [(k, part) for k, f in enumerate([*learned, *others]) for part in (f[::2], f[1::2])]
    left = perception.hold(
        parts, [(k, (STROKES[k % len(STROKES)],)) for k in range(len(learned))], turn
    )
    return [
        tuple(stroke for number, part in left if number == k for stroke in part)
        for k in range(len(learned))
    ]


def _figures(picture: Pixels) -> list[Strokes]:
    boxes = [box for row in SHEETS[picture.shape[:2]].boxes for box in row]
    result = [read_strokes(picture, box) for box in boxes]
    return [figure for figure in result if figure]

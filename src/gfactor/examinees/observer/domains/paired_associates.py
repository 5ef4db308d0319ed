"""paired_associates: hold the pairs, find the figure that is most like the one shown."""

from __future__ import annotations

from gfactor.examinees.observer.conversations import overlap, read_strokes, reply_to_turns
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet
from gfactor.imaging.measures.paired_associates import SIDE
from gfactor.imaging.strokes import Strokes

SHEETS = {sheet.height: sheet for sheet in (Sheet(rows, 2, side=SIDE) for rows in (1, 2))}
PROBES = 3
_DARK = 128


@solver("paired_associates")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pairs: list[tuple[Strokes, str]] = []
    turns: list[int] = []
    for turn, picture in enumerate(pictures[:-PROBES]):
        for left, right in SHEETS[picture.shape[0]].boxes:
            inside = right.of(picture)[4:-4, 4:-4].mean(axis=-1) < _DARK
            if figure := read_strokes(picture, left):
                pairs.append((figure, read_glyphs(inside, "0123456789")))
                turns.append(turn)
    numbers = [number for _, number in pairs]
    answers = []
    for turn, picture in enumerate(pictures[-PROBES:], len(pictures) - PROBES):
        probe = read_strokes(picture, SHEETS[picture.shape[0]].boxes[0][0])
        remembered = perception.hold(pairs, turns=[turn - t for t in turns])
        # If the pair is lost, the number of the most similar remaining figure is taken.
        best = max(remembered, key=lambda pair: overlap(pair[0], probe), default=None)
        answers.append(best[1] if best is not None else perception.guess(numbers))
    return reply_to_turns(answers)

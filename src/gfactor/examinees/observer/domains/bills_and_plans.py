"""bills_and_plans: read the price list and the basket, then add up the bill kind by kind."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gfactor.examinees.observer.numbers import chosen_number
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.examinees.observer.sheets import letter, read_cells, read_number, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, CellFigures, Sheet
from gfactor.imaging.measures.bills_and_plans import SIDE

MOST = 6
PLANS = [Sheet(rows, 4, options, side=SIDE) for rows in range(3, 9) for options in (0, 4)]
_DARK = 128


@solver("bills_and_plans")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS, in_frames=False)
    options = [read_number(pixels, box) for box in sheet.option_boxes]
    *rows, last = sheet.boxes
    lots = read_cells(pixels, [row[0] for row in rows], MOST)
    prices = [read_number(pixels, row[1]) for row in rows]
    remembered = perception.hold(prices, prices)
    each = {lot.form: (price, lot.count) for lot, price in zip(lots, remembered, strict=True)}
    bought = read_cells(pixels, [r[3] for r in rows if _inked(pixels, r[3])], MOST)
    paid = _paid(pixels, last[1])
    total, ended = Fraction(0), False
    for part in perception.consider(_parts(each, bought, paid)):
        total += part
        ended = ended or part < 0 or not paid
    # A perception that stops early takes the sum so far as the total.
    result = round(-total if paid and ended else total)
    if result > 0:
        return chosen_number(result, options)
    if options:
        return letter(perception.guess(range(len(options))))
    return f"ANSWER:{perception.guess(prices)}"


def _parts(
    each: dict[str, tuple[int, int]], bought: list[CellFigures], paid: int
) -> Iterator[Fraction]:
    """Yield the terms, kind by kind; a price of two pieces is halved first; change comes last."""
    for cell in bought:
        price, pieces = each.get(cell.form, (0, 1))
        if pieces > 1:
            yield Fraction(0)
        yield Fraction(price * cell.count, pieces)
    if paid:
        yield Fraction(-paid)


def _paid(pixels: Pixels, box: Box) -> int:
    """The number in the thick frame; 0 if there is none."""
    if not _inked(pixels, box):
        return 0
    inside = pixels[box.y + 20 : box.y + 64, box.x + 8 : box.x + 76]
    return int(read_glyphs(inside.mean(axis=-1) < _DARK, "0123456789"))


def _inked(pixels: Pixels, box: Box) -> bool:
    return bool((box.of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK).mean() > 0.005)

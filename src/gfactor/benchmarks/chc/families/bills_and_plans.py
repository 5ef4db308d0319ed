"""Bills: how much do all purchases cost, or how much change is given?

The left side lists prices of forms, some for two pieces; the right side shows what is bought. A
number in a thick frame is what is paid; without it the total is asked for. The solver adds up the
bill in fractions of a price for one piece and keeps only whole results. Since version 4 pieces
stand apart: before, the outlines of crosses, circles and others in a box touched each other.

Arithmetic word problems about purchases are part of intelligence tests since Binet and Simon (1908,
giving change); steps and superfluous numbers as sources of difficulty follow Littlefield and Rieser
(1993). The bills are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, MOST_FIGURES
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import around
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, CellFigures, Sheet, draw_cell, draw_missing, frame_box
from gfactor.imaging.measures.bills_and_plans import SIDE
from gfactor.items import ItemRandom, OutputFormat

_DRAWS = 60


@dataclass(frozen=True)
class PiecesPrice:
    """Price of a number of pieces of a form."""

    form: str
    pieces: int
    price: int


@dataclass(frozen=True)
class Bought:
    """Number of pieces of a form that are bought."""

    form: str
    count: int


@dataclass(frozen=True)
class Scene:
    """The price list, the pieces bought, and the amount paid (0: the total is asked for)."""

    prices: tuple[PiecesPrice, ...]
    bought: tuple[Bought, ...]
    paid: int


@dataclass(frozen=True)
class SpacedBill(Scene):
    """A scene whose pieces stand apart; in earlier versions, pieces in a box touch each other."""

    spaced: bool = True


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    kinds, highest = int(levels["kinds"]), int(levels["highest"])
    listed = rng.sample(ATTRIBUTES["form"], kinds + int(levels["spare"]))
    lots = {form: 1 for form in listed}
    if levels["pieces"] == 2:
        lots |= dict.fromkeys(rng.sample(listed[:kinds], rng.integer(1, kinds)), 2)
    # Sums of twice and three times a price are even, and multiples of three, more often than other
    # numbers are: the options would reveal the answer. So every remainder is equally frequent.
    remainder = rng.integer(0, 5)
    for _ in range(_DRAWS):
        prices = {form: rng.integer(2, highest) for form in listed}
        counts = {f: lots[f] * rng.integer(2 if lots[f] == 1 else 1, 3) for f in listed[:kinds]}
        total = sum(prices[form] * counts[form] // lots[form] for form in counts)
        if total % 6 == remainder:
            break
    else:
        raise MisdrawnError
    paid = 0
    if levels["wanted"] == "change":
        paid = rng.choice([total // 10 * 10 + more for more in (10, 20, 30)])
    right = paid - total if paid else total
    sums = {
        sum(prices[f] * counts[f] for f in counts): "price of two taken for one",
        sum(prices[f] for f in counts): "quantities skipped",
        sum(prices.values()) * 2: "superfluous price added",
    }
    sums |= {total - prices[f] * counts[f] // lots[f]: "one kind skipped" for f in counts}
    sums |= {total + side * prices[f]: "off by one piece" for f in counts for side in (1, -1)}
    errors = {paid - wrong if paid else wrong: error for wrong, error in sums.items()}
    if paid:
        errors |= {total: "total instead of change"}
    if right < 1 or max(total, paid) > 999:
        raise MisdrawnError
    order, basket = rng.shuffled(listed), rng.shuffled(list(counts))
    scene = SpacedBill(
        tuple(PiecesPrice(form, lots[form], prices[form]) for form in order),
        tuple(Bought(form, counts[form]) for form in basket),
        paid,
    )
    return Draft(scene, right, around(rng, right, errors, options, 1), ("total", total))


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return the bill computed from the price of one piece; no answer if a sum is not a whole
    number."""
    each = {one.form: Fraction(one.price, one.pieces) for one in scene.prices}
    total = sum((each[one.form] * one.count for one in scene.bought), Fraction(0))
    result = scene.paid - total if scene.paid else total
    whole = result.denominator == 1 and result > 0
    return Proof((int(result),) if whole else (), len(scene.prices) + len(scene.bought))


def sheet_for(rows: int, options: int) -> Sheet:
    """Return the layout: prices in the first two columns, purchases in the last; below, the amount
    paid and the question."""
    return Sheet(rows + 1, 4, options, side=SIDE)


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.prices), len(options))
    canvas = sheet.canvas(0)
    *rows, last = sheet.boxes
    size = "medium" if isinstance(scene, SpacedBill) else "large"
    for one, (forms, number, *_) in zip(scene.prices, rows, strict=True):
        frame_box(canvas, forms)
        frame_box(canvas, number)
        draw_cell(canvas, CellFigures(one.form, size, count=one.pieces), forms, MOST_FIGURES)
        canvas.text(number.cx, number.cy, str(one.price), 22, INK, 2)
    for one, row in zip(scene.bought, rows, strict=False):
        frame_box(canvas, row[3])
        draw_cell(canvas, CellFigures(one.form, size, count=one.count), row[3], MOST_FIGURES)
    if scene.paid:
        x, y = last[1].x + 3, last[1].y + 14
        corners = [(x, y), (x + 78, y), (x + 78, y + 56), (x, y + 56)]
        canvas.polygon(corners, (225, 225, 225), INK, 4)
        canvas.text(last[1].cx, last[1].cy, str(scene.paid), 22, INK, 2)
    frame_box(canvas, last[3])
    draw_missing(canvas, last[3])
    for option, box in zip(options, sheet.option_boxes, strict=True):
        canvas.text(box.cx, box.cy, str(option), 22, INK, 2)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    prices = [
        say("price", count=one.pieces, form=one.form, price=one.price) for one in scene.prices
    ]
    bought = [say("bought", count=one.count, form=one.form) for one in scene.bought]
    return (*prices, *bought, *((say("paid", paid=scene.paid),) if scene.paid else ()))


def from_twin(says: Sequence[Say]) -> Scene:
    prices, bought, paid = [], [], 0
    for one in says:
        values: dict[str, int | str] = one.values  # pyright: ignore[reportAssignmentType]
        if one.template == "price":
            pieces, price = int(values["count"]), int(values["price"])
            prices.append(PiecesPrice(str(values["form"]), pieces, price))
        elif one.template == "bought":
            bought.append(Bought(str(values["form"]), int(values["count"])))
        else:
            paid = int(values["paid"])
    return SpacedBill(tuple(prices), tuple(bought), paid)


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("begin"), say("ask_change" if scene.paid else "ask_total"))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda number: say("number", number=number),
        scene_type=Scene,
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        seed_classes=4,
        version="5",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

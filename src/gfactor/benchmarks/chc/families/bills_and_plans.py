"""Bills: what does all that is bought cost, or how much change is given?

The left side lists prices of forms, some for two pieces; the right side shows what is bought. A
number in a thick frame is what is paid; without it the total is asked for. The solver adds up the
bill in fractions of a price for one piece and keeps only whole results.

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
from gfactor.benchmarks.chc.numbers import around
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, Cell, Sheet, draw_cell, draw_missing, frame_box
from gfactor.items import ItemRandom, OutputFormat

SIDE = 84
_DRAWS = 60


@dataclass(frozen=True)
class Price:
    """Price of so many pieces of a form."""

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
    """The price list, what is bought, and what is paid (0: the total is asked for)."""

    prices: tuple[Price, ...]
    bought: tuple[Bought, ...]
    paid: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    kinds, highest = int(levels["kinds"]), int(levels["highest"])
    listed = rng.sample(ATTRIBUTES["form"], kinds + int(levels["spare"]))
    lots = {form: 1 for form in listed}
    if levels["pieces"] == 2:
        lots |= dict.fromkeys(rng.sample(listed[:kinds], rng.integer(1, kinds)), 2)
    # Sums of twice and three times a price are even, and multiples of three, more often than other
    # numbers are: the options would tell. Every remainder is as frequent.
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
    scene = Scene(
        tuple(Price(form, lots[form], prices[form]) for form in order),
        tuple(Bought(form, counts[form]) for form in basket),
        paid,
    )
    return Draft(scene, right, around(rng, right, errors, options, 1), ("total", total))


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return the bill by the price of one piece; no answer where a sum is not whole."""
    each = {one.form: Fraction(one.price, one.pieces) for one in scene.prices}
    total = sum((each[one.form] * one.count for one in scene.bought), Fraction(0))
    result = scene.paid - total if scene.paid else total
    whole = result.denominator == 1 and result > 0
    return Proof((int(result),) if whole else (), len(scene.prices) + len(scene.bought))


def sheet_for(rows: int, options: int) -> Sheet:
    """Return prices in the first two columns, what is bought in the last; below, what is paid and
    asked for."""
    return Sheet(rows + 1, 4, options, side=SIDE)


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.prices), len(options))
    canvas = sheet.canvas(0)
    *rows, last = sheet.boxes
    for one, (forms, number, *_) in zip(scene.prices, rows, strict=True):
        frame_box(canvas, forms)
        frame_box(canvas, number)
        draw_cell(canvas, Cell(one.form, count=one.pieces), forms, MOST_FIGURES)
        canvas.text(number.cx, number.cy, str(one.price), 22, INK, 2)
    for one, row in zip(scene.bought, rows, strict=False):
        frame_box(canvas, row[3])
        draw_cell(canvas, Cell(one.form, count=one.count), row[3], MOST_FIGURES)
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
            prices.append(Price(str(values["form"]), pieces, price))
        elif one.template == "bought":
            bought.append(Bought(str(values["form"]), int(values["count"])))
        else:
            paid = int(values["paid"])
    return Scene(tuple(prices), tuple(bought), paid)


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("begin"), say("ask_change" if scene.paid else "ask_total"))


TEXTS = Texts(
    {
        "begin": {
            "en": "Each row of the price list on the left gives the total price of its pieces. The "
            "pieces on the right are bought.",
            "zh": "左边的价目表给出图中所示数量的图形合计的价格。右边是所购买的图形。",
            "fr": "La liste de prix à gauche indique ce que coûtent ensemble les pièces montrées. "
            "À droite se trouve ce qui est acheté.",
            "es": "La lista de precios de la izquierda indica lo que cuestan juntas las piezas "
            "mostradas. A la derecha está lo que se compra.",
            "pt": "A lista de preços à esquerda indica quanto custam juntas as peças mostradas. À "
            "direita está o que se compra.",
            "ko": "왼쪽의 가격표는 그려진 개수만큼의 도형을 합한 가격을 나타냅니다. 오른쪽에는 "
            "구입하는 도형이 있습니다.",
        },
        "ask_total": {
            "en": "How much do the pieces that are bought cost in total?",
            "zh": "所购买的图形一共要花多少钱？",
            "fr": "Combien coûte en tout ce qui est acheté ?",
            "es": "¿Cuánto cuesta en total lo que se compra?",
            "pt": "Quanto custa no total o que se compra?",
            "ko": "구입하는 도형의 값은 모두 얼마입니까?",
        },
        "ask_change": {
            "en": "The number in the thick frame is the amount paid. How much change is given?",
            "zh": "粗框中的数是所付的钱。应找回多少钱？",
            "fr": "Le nombre dans le cadre épais est la somme payée. Combien de monnaie faut-il "
            "rendre ?",
            "es": "El número del marco grueso es lo que se paga. ¿Cuánto cambio se devuelve?",
            "pt": "O número na moldura grossa é o que se paga. Quanto se recebe de troco?",
            "ko": "굵은 테두리 안의 수는 지불한 금액입니다. 거스름돈은 얼마입니까?",
        },
        "price": {
            "en": "Price of {count} {form:n=count}: {price}",
            "zh": "{count}个{form}的价格：{price}",
            "fr": "Prix pour {count} {form:n=count} : {price}",
            "es": "Precio por {count} {form:n=count}: {price}",
            "pt": "Preço por {count} {form:n=count}: {price}",
            "ko": "{form} {count}개의 가격: {price}",
        },
        "bought": {
            "en": "To be bought: {count} {form:n=count}",
            "zh": "购买：{count}个{form}",
            "fr": "À acheter : {count} {form:n=count}",
            "es": "Para comprar: {count} {form:n=count}",
            "pt": "Para comprar: {count} {form:n=count}",
            "ko": "구입: {form} {count}개",
        },
        "paid": {
            "en": "In the thick frame: {paid}",
            "zh": "粗框中：{paid}",
            "fr": "Dans le cadre épais : {paid}",
            "es": "En el marco grueso: {paid}",
            "pt": "Na moldura grossa: {paid}",
            "ko": "굵은 테두리 안: {paid}",
        },
    },
    {},
)


register(
    Family(
        name="bills_and_plans",
        ability="Gf-RQ",
        radicals={
            "kinds": (2, 3, 4),
            "highest": (9, 20, 50),
            "wanted": ("total", "change"),
            "pieces": (1, 2),
            "spare": (0, 1, 2),
        },
        presets={
            "easy": {"kinds": (2,), "highest": (9, 20), "wanted": ("total",), "pieces": (1,)},
            "medium": {"kinds": (2, 3), "highest": (20,), "spare": (1, 2)},
            "hard": {"kinds": (3, 4), "highest": (50,), "wanted": ("change",), "pieces": (2,),
                     "spare": (1, 2)},
        },
        extreme={"kinds": (5,), "highest": (99,), "wanted": ("change",), "pieces": (2,),
                 "spare": (1, 2)},
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda number: say("number", number=number),
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        answer_types=("open", "choice"),
        options=(4,),
        output_format=OutputFormat("value", labels=("ANSWER",)),
        seed_classes=4,
        version="3",
        mm_iq=("mathematics",),
        m3gia=("applied problem",),
        origin="giving change, in the scale of Binet and Simon (1908)",
        literature=(
            "Binet, A., & Simon, T. (1908). Le développement de l'intelligence chez les enfants. "
            "L'Année psychologique, 14, 1-94.",
            "Littlefield, J., & Rieser, J. J. (1993). Semantic features of similarity and "
            "children's strategies for identifying relevant information in mathematical story "
            "problems. Cognition and Instruction, 11(2), 133-188.",
        ),
    )
)  # fmt: skip

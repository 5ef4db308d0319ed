"""Card sorting: on which pile does this card belong, by a rule that is never told and that shifts?

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
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import INK, SHADES, Cell, Sheet, draw_cell, frame_box
from gfactor.items import ItemRandom

PILES = 4
SPOTS = ("top", "right", "bottom", "left")
RULES = ("form", "shade", "count", "marks")
"""Properties that a card may share with its pile; the first three or all four are used."""

SHEET = Sheet(2, PILES, side=100)
"""Above the piles; below the last card, the number of its pile, nothing, the new card."""


@dataclass(frozen=True)
class Placed:
    """A card and the number of its pile, from 1."""

    card: Cell
    pile: int


@dataclass(frozen=True)
class Scene:
    """The piles, the cards shown first, and each card asked for with where it belongs one turn
    later (of the last card that is never shown: 0)."""

    piles: tuple[Cell, ...]
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


def _piles(rng: ItemRandom, rules: Sequence[str]) -> list[Cell]:
    forms = rng.sample(ATTRIBUTES["form"], PILES)
    shades, counts, spots = rng.shuffled(SHADES), rng.shuffled((1, 2, 3, 4)), rng.shuffled(SPOTS)
    values = zip(forms, shades, counts, spots, strict=True)
    return [
        Cell(form, "large", shade, count, marks=(spot,) if "marks" in rules else ())
        for form, shade, count, spot in values
    ]


def _card(
    rng: ItemRandom, piles: Sequence[Cell], rules: Sequence[str], rule: str, shared: str
) -> tuple[Cell, dict[str, int]]:
    """A card that is like another pile in every respect, save that two rules may share one."""
    numbers = rng.sample(range(1, PILES + 1), len(rules))
    positions = dict(zip(rules, numbers, strict=True))
    if shared:
        positions[shared] = positions[rule]
    values: dict[str, Any] = {
        r: getattr(piles[position - 1], r) for r, position in positions.items()
    }
    return Cell(**values, size="large"), positions


def pile_by(rule: str, card: Cell, piles: Sequence[Cell]) -> int:
    """Return the number of the pile that a card is like, by a rule."""
    return next(k for k, pile in enumerate(piles, 1) if getattr(pile, rule) == getattr(card, rule))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Keep the rules that fit all cards since the last contradiction; they must agree on every
    card."""
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


def _above(piles: Sequence[Cell]) -> Canvas:
    """The piles with their numbers, and nothing below."""
    canvas = Canvas(Frame(SHEET.width, SHEET.height))
    for number, (pile, box) in enumerate(zip(piles, SHEET.boxes[0], strict=True), 1):
        frame_box(canvas, box)
        draw_cell(canvas, pile, box, PILES)
        canvas.text(box.x + 8, box.y + 10, str(number), 10, INK, 1)
    return canvas


def _picture(above: Canvas, last: Placed | None, card: Cell | None) -> Pixels:
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
    cells: dict[str, list[Cell]] = {"pile": [], "first": [], "last": [], "card": []}
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


TEXTS = Texts(
    {
        "begin": {
            "en": "There are four numbered piles of cards. A card belongs on the pile that it is "
            "like in one respect: the rule. You are not told the rule, and it changes now and "
            "then.",
            "zh": "有四个编号的牌堆。一张牌属于在某一方面与它相同的牌堆，这就是规则。规则不会告诉"
            "你，而且有时会改变。",
            "fr": "Il y a quatre piles de cartes numérotées. Une carte va sur la pile à laquelle "
            "elle ressemble sous un certain aspect : c'est la règle. La règle ne vous est pas "
            "donnée et elle change de temps en temps.",
            "es": "Hay cuatro montones de cartas numerados. Una carta va al montón al que se "
            "parece en un aspecto: esa es la regla. No se le dice la regla, y cambia de vez en "
            "cuando.",
            "pt": "Há quatro montes de cartas numerados. Uma carta pertence ao monte com o qual se "
            "parece em um aspecto: essa é a regra. A regra não é informada e muda de vez em "
            "quando.",
            "ko": "번호가 붙은 카드 더미가 네 개 있습니다. 카드는 한 가지 면에서 자기와 같은 "
            "더미에 놓아야 하며, 그것이 규칙입니다. 규칙은 알려 주지 않으며 때때로 바뀝니다.",
        },
        "example": {
            "en": "Below, a card is shown with the number of the pile on which it belongs.",
            "zh": "下方显示一张牌以及它所属牌堆的编号。",
            "fr": "En bas, une carte est montrée avec le numéro de la pile où elle va.",
            "es": "Abajo se muestra una carta con el número del montón al que va.",
            "pt": "Abaixo é mostrada uma carta com o número do monte ao qual pertence.",
            "ko": "아래에 카드 한 장과 그 카드를 놓아야 할 더미의 번호가 있습니다.",
        },
        "feedback": {
            "en": "Below on the left, the last card is shown with the number of the pile on which "
            "it belongs by the rule that is valid now. If this fits the rule so far, the rule has "
            "not changed; else the new rule is the one that fits.",
            "zh": "左下方显示上一张牌以及按现在的规则它所属牌堆的编号。如果这符合之前的规则，规则"
            "就没有改变；否则，与之相符的就是新规则。",
            "fr": "En bas à gauche, la dernière carte est montrée avec le numéro de la pile où "
            "elle va selon la règle valable maintenant. Si cela correspond à la règle précédente, "
            "la règle n'a pas changé ; sinon, la nouvelle règle est celle qui correspond.",
            "es": "Abajo a la izquierda se muestra la última carta con el número del montón al que "
            "va según la regla vigente ahora. Si esto concuerda con la regla anterior, la regla no "
            "ha cambiado; si no, la nueva regla es la que concuerda.",
            "pt": "Abaixo, à esquerda, é mostrada a última carta com o número do monte ao qual "
            "pertence pela regra válida agora. Se isso combina com a regra anterior, a regra não "
            "mudou; senão, a nova regra é a que combina.",
            "ko": "왼쪽 아래에 직전 카드와, 지금의 규칙에 따라 그 카드를 놓아야 할 더미의 번호가 "
            "있습니다. 이것이 이전 규칙에 맞으면 규칙은 바뀌지 않은 것이고, 맞지 않으면 "
            "이것에 맞는 것이 새 규칙입니다.",
        },
        "ask": {
            "en": "On which pile does the card below on the right belong? Give the number of the "
            "pile.",
            "zh": "右下方的牌属于哪个牌堆？请写出牌堆的编号。",
            "fr": "Sur quelle pile va la carte en bas à droite ? Donnez le numéro de la pile.",
            "es": "¿A qué montón va la carta de abajo a la derecha? Indique el número del montón.",
            "pt": "A qual monte pertence a carta abaixo à direita? Informe o número do monte.",
            "ko": "오른쪽 아래의 카드는 어느 더미에 놓아야 합니까? 더미의 번호를 쓰십시오.",
        },
        "pile": {
            "en": "Pile {place}: {cells}",
            "zh": "牌堆{place}：{cells}",
            "fr": "Pile {place} : {cells}",
            "es": "Montón {place}: {cells}",
            "pt": "Monte {place}: {cells}",
            "ko": "더미 {place}: {cells}",
        },
        "first": {
            "en": "A card that belongs on pile {n}: {cells}",
            "zh": "属于牌堆{n}的一张牌：{cells}",
            "fr": "Une carte qui va sur la pile {n} : {cells}",
            "es": "Una carta que va al montón {n}: {cells}",
            "pt": "Uma carta que pertence ao monte {n}: {cells}",
            "ko": "더미 {n}에 놓아야 할 카드: {cells}",
        },
        "last": {
            "en": "The last card, which now belongs on pile {n}: {cells}",
            "zh": "上一张牌，现在属于牌堆{n}：{cells}",
            "fr": "La dernière carte, qui va maintenant sur la pile {n} : {cells}",
            "es": "La última carta, que ahora va al montón {n}: {cells}",
            "pt": "A última carta, que agora pertence ao monte {n}: {cells}",
            "ko": "지금은 더미 {n}에 놓아야 할 직전 카드: {cells}",
        },
        "card": {
            "en": "The new card: {cells}",
            "zh": "新的牌：{cells}",
            "fr": "La nouvelle carte : {cells}",
            "es": "La carta nueva: {cells}",
            "pt": "A nova carta: {cells}",
            "ko": "새 카드: {cells}",
        },
    },
    {},
)


register(
    Family(
        name="card_sorting",
        ability="EF",
        radicals={
            "rules": (3, 4),
            "shifts": (0, 1, 2),
            "asked": (6, 8, 10),
            "feedback": ("clear", "ambiguous"),
        },
        presets={
            "easy": {"rules": (3,), "shifts": (0, 1), "feedback": ("clear",)},
            "medium": {"shifts": (1,)},
            "hard": {"rules": (4,), "shifts": (2,), "feedback": ("ambiguous",)},
        },
        extreme={"rules": (4,), "shifts": (4, 6), "asked": (18, 24), "feedback": ("ambiguous",)},
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        answer_types=("turns",),
        origin="Grant and Berg (1948), sorting by shifting rules",
        literature=(
            "Grant, D. A., & Berg, E. A. (1948). A behavioral analysis of degree of reinforcement "
            "and ease of shifting to new responses in a Weigl-type card-sorting problem. Journal "
            "of Experimental Psychology, 38(4), 404-411.",
            "Miyake, A., Friedman, N. P., Emerson, M. J., Witzki, A. H., Howerter, A., & Wager, "
            "T. D. (2000). The unity and diversity of executive functions. Cognitive Psychology, "
            "41(1), 49-100.",
        ),
        **conversation(turns),
    )
)

"""Transitive relations: which form has this place in the order of weights?

Each scale compares two forms: the lower one is heavier. A scale with a red cross shows what is not
so. No two forms weigh the same. The solver goes through every order of the forms, keeps those in
which all scales are right, and looks who stands in the place asked for: always the same form, or
the scene is not an item.

Burt (1919) used three-term series problems; premises drawn as pairs, and the effects of order,
negation and distance, follow Huttenlocher (1968) and Sternberg (1980). The problems are ours.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON
from gfactor.benchmarks.chc.family import (
    Distractor,
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.texts import Say, Texts, joined, say
from gfactor.imaging import RGB, Canvas, Pixels
from gfactor.imaging.figures import INK, Box, Cell, Sheet, draw_cell, draw_missing
from gfactor.items import ItemRandom

SIDE, ACROSS = 100, 4
"""Side of a box in pixels; scales in a row."""
RED: RGB = (210, 0, 0)


@dataclass(frozen=True)
class Scale:
    """A scale: its left and right form, which side is down, and whether it is crossed out."""

    left: str
    right: str
    down: str
    crossed: int


@dataclass(frozen=True)
class Scene:
    """Return scales in reading order, number of forms, and the wanted rank (1: heaviest)."""

    scales: tuple[Scale, ...]
    forms: int
    place: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, negations = int(levels["objects"]), int(levels["negations"])
    order = rng.sample(ATTRIBUTES["form"], count)
    pairs = list(itertools.pairwise(order))
    further = [(a, c) for a, c in itertools.combinations(order, 2) if (a, c) not in pairs]
    pairs += rng.sample(further, int(levels["spare"]))
    if levels["order"] != "forward":
        mixed = rng.shuffled(pairs)
        if mixed == pairs:
            raise MisdrawnError
        pairs = mixed
    crossed = rng.sample(range(len(pairs)), negations)
    mirrored = [rng.integer(0, 1) if levels["sides"] == "mixed" else 0 for _ in pairs]
    if levels["sides"] == "mixed" and len(set(mirrored)) == 1:
        raise MisdrawnError
    scales = tuple(
        _scale(pair, int(k in crossed), flip)
        for k, (pair, flip) in enumerate(zip(pairs, mirrored, strict=True))
    )
    ends = (1, count)
    inner = tuple(range(2, count))
    position = rng.choice(ends if levels["wanted"] == "end" else inner)
    scene = Scene(scales, count, position)
    right = order[position - 1]
    others = rng.sample([form for form in order if form != right], options - 1)
    naive = _without_crosses(scales)
    wrong = tuple(Distractor(form, _error(form, order, position, naive)) for form in others)
    return Draft(scene, right, wrong, tuple(order))


def _scale(pair: tuple[str, str], crossed: int, flip: int) -> Scale:
    """The heavier form stands on the left, or on the right where `flip`; a crossed-out scale
    shows the opposite."""
    left, right = pair[::-1] if flip else pair
    return Scale(left, right, "right" if flip != crossed else "left", crossed)


def _without_crosses(scales: Sequence[Scale]) -> dict[int, set[str]]:
    """Place from either end -> the forms that stand there for one who overlooks the crosses."""
    forms = sorted({form for s in scales for form in (s.left, s.right)})
    lower = {(s.left, s.right) if s.down == "left" else (s.right, s.left) for s in scales}
    beaten = {form: sum(a == form for a, _ in lower) for form in forms}
    most, least = max(beaten.values()), min(beaten.values())
    return {
        1: {f for f in forms if beaten[f] == most},
        len(forms): {f for f in forms if beaten[f] == least},
    }


def _error(form: str, order: Sequence[str], place: int, naive: dict[int, set[str]]) -> str:
    here = order.index(form) + 1
    if here == len(order) + 1 - place:
        return "conversion: counted from the other end"
    if form in naive.get(place, ()):
        return "negation skipped"
    return "off by one" if abs(here - place) == 1 else "premise skipped"


def solve(scene: Scene, options: Sequence[str]) -> Proof:
    """Return the form at the requested rank in each order that all scales allow."""
    forms = sorted({form for s in scene.scales for form in (s.left, s.right)})
    heavier = [
        (s.left, s.right) if (s.down == "left") != bool(s.crossed) else (s.right, s.left)
        for s in scene.scales
    ]
    result, tried = [], 0
    for order in itertools.permutations(forms):
        tried += 1
        rank = {form: k for k, form in enumerate(order)}
        if all(rank[a] < rank[b] for a, b in heavier):
            result.append(order[scene.place - 1])
    return Proof(tuple(dict.fromkeys(result)), tried)


def sheet_for(scales: int, options: int) -> Sheet:
    """Return rows of scales, and a row of places from the heaviest to the lightest."""
    return Sheet(-(-scales // ACROSS) + 1, ACROSS, options, side=SIDE)


def places_of(sheet: Sheet, forms: int) -> list[Box]:
    """Return the places from the heaviest to the lightest: half as large as the other boxes."""
    row = sheet.boxes[-1]
    left = (sheet.width - forms * 60) // 2
    return [Box(left + 60 * k, row[0].y + 40, 50) for k in range(forms)]


def pan(box: Box, side: str, down: bool) -> Box:
    """Return the position of a form on a scale."""
    return Box(box.x + (4 if side == "left" else box.side - 44), box.y + (30 if down else 6), 40)


def cross(box: Box) -> Box:
    """Return the position of a crossed-out scale's red cross."""
    return Box(box.x + box.side - 26, box.y + box.side - 26, 20)


def picture(scene: Scene, options: Sequence[str]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.scales), len(options))
    canvas = sheet.canvas(len(scene.scales))
    boxes = [box for row in sheet.boxes for box in row]
    for scale, box in zip(scene.scales, boxes, strict=False):
        _draw_scale(canvas, scale, box)
    row = places_of(sheet, scene.forms)
    for k, box in enumerate(row, 1):
        frame = [(box.x, box.y), (box.x + 50, box.y), (box.x + 50, box.y + 50), (box.x, box.y + 50)]
        canvas.polygon(frame, None, (150, 150, 150), 1)
        if k == scene.place:
            draw_missing(canvas, box)
    # A wedge from high to low: the heaviest place is on the left.
    left, right, y = row[0].x, row[-1].x + 50, row[0].y - 10
    canvas.polygon([(left, y - 24), (right, y - 3), (right, y), (left, y)], (190, 190, 190), INK, 1)
    for form, box in zip(options, sheet.option_boxes, strict=True):
        draw_cell(canvas, Cell(form, "medium"), box, 1)
    return (canvas.pixels,)


def _draw_scale(canvas: Canvas, scale: Scale, box: Box) -> None:
    ends = []
    for side in ("left", "right"):
        position = pan(box, side, scale.down == side)
        draw_cell(canvas, Cell(scale.left if side == "left" else scale.right), position, 1)
        ends.append((position.cx, position.y + position.side + 2))
    (x1, y1), (x2, y2) = ends
    canvas.line(x1, y1, x2, y2, INK, 3)
    top = (box.cx, (y1 + y2) / 2)
    foot = box.y + box.side - 8
    canvas.polygon([top, (top[0] - 12, foot), (top[0] + 12, foot)], (170, 170, 170), INK, 2)
    if scale.crossed:
        sign = cross(box)
        x, y, far = sign.x + 1, sign.y + 1, sign.side - 2
        canvas.line(x, y, x + far, y + far, RED, 4)
        canvas.line(x + far, y, x, y + far, RED, 4)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = [
        say(
            "crossed" if s.crossed else "scale",
            scale=number, form=s.left, form2=s.right, side=s.down,
        )
        for number, s in enumerate(scene.scales, 1)
    ]  # fmt: skip
    return (*lines, say("places", count=scene.forms, place=scene.place))


def from_twin(says: Sequence[Say]) -> Scene:
    *lines, last = says
    scales = tuple(
        Scale(str(s["form"]), str(s["form2"]), str(s["side"]), int(s.template == "crossed"))
        for s in lines
    )
    return Scene(scales, int(str(last["count"])), int(str(last["place"])))


def question(scene: Scene) -> tuple[Say, ...]:
    negated = (say("ask_crossed"),) if any(s.crossed for s in scene.scales) else ()
    return (say("begin"), *negated, say("ask"))


TEXTS = Texts(
    {
        "begin": {
            "en": "On each scale the lower side is the heavier one. No two different forms weigh "
            "the same.",
            "zh": "每个天平上，较低的一边较重。不同的图形重量各不相同。",
            "fr": "Sur chaque balance, le côté le plus bas est le plus lourd. Deux formes "
            "différentes n'ont jamais le même poids.",
            "es": "En cada balanza, el lado más bajo es el más pesado. Dos formas distintas nunca "
            "pesan lo mismo.",
            "pt": "Em cada balança, o lado mais baixo é o mais pesado. Duas formas diferentes "
            "nunca têm o mesmo peso.",
            "ko": "각 저울에서 아래로 내려간 쪽이 더 무겁습니다. 서로 다른 도형은 무게가 모두 "
            "다릅니다.",
        },
        "ask_crossed": {
            "en": "A scale with a red cross shows what is not so.",
            "zh": "带有红叉的天平表示的情况不成立。",
            "fr": "Une balance marquée d'une croix rouge montre ce qui n'est pas le cas.",
            "es": "Una balanza marcada con un aspa roja muestra lo que no es cierto.",
            "pt": "Uma balança marcada com um X vermelho mostra o que não é verdade.",
            "ko": "빨간 가위표가 있는 저울은 사실이 아닌 것을 나타냅니다.",
        },
        "ask": {
            "en": "The forms are put in order, from the heaviest on the left to the lightest on "
            "the right. Which form belongs in the place of the question mark?",
            "zh": "将这些图形按重量排列，最重的在最左边，最轻的在最右边。问号处应是哪个图形？",
            "fr": "On range les formes de la plus lourde, à gauche, à la plus légère, à droite. "
            "Quelle forme se trouve à la place du point d'interrogation ?",
            "es": "Las formas se ordenan de la más pesada, a la izquierda, a la más ligera, a la "
            "derecha. ¿Qué forma va en el lugar del signo de interrogación?",
            "pt": "As formas são ordenadas da mais pesada, à esquerda, à mais leve, à direita. "
            "Qual forma fica no lugar do ponto de interrogação?",
            "ko": "도형을 왼쪽의 가장 무거운 것부터 오른쪽의 가장 가벼운 것까지 차례로 놓습니다. "
            "물음표 자리에 오는 도형은 무엇입니까?",
        },
        "scale": {
            "en": "Scale {scale}: {form} on the left, {form2} on the right; the {side} side is "
            "lower.",
            "zh": "天平{scale}：左边是{form}，右边是{form2}；{side}边较低。",
            "fr": "Balance {scale} : {form} à gauche, {form2} à droite ; le côté {side} est plus "
            "bas.",
            "es": "Balanza {scale}: {form} a la izquierda, {form2} a la derecha; el lado {side} "
            "está más bajo.",
            "pt": "Balança {scale}: {form} à esquerda, {form2} à direita; o lado {side} está mais "
            "baixo.",
            "ko": "저울 {scale}: 왼쪽은 {form}, 오른쪽은 {form2}. {side}쪽이 더 낮습니다.",
        },
        "crossed": {
            "en": "Scale {scale}, with a red cross: {form} on the left, {form2} on the right; the "
            "{side} side is lower.",
            "zh": "天平{scale}（带红叉）：左边是{form}，右边是{form2}；{side}边较低。",
            "fr": "Balance {scale}, marquée d'une croix rouge : {form} à gauche, {form2} à "
            "droite ; le côté {side} est plus bas.",
            "es": "Balanza {scale}, marcada con un aspa roja: {form} a la izquierda, {form2} a la "
            "derecha; el lado {side} está más bajo.",
            "pt": "Balança {scale}, marcada com um X vermelho: {form} à esquerda, {form2} à "
            "direita; o lado {side} está mais baixo.",
            "ko": "빨간 가위표가 있는 저울 {scale}: 왼쪽은 {form}, 오른쪽은 {form2}. {side}쪽이 "
            "더 낮습니다.",
        },
        "places": {
            "en": "There are {count} places from the heaviest to the lightest; the question mark "
            "is in place {place}.",
            "zh": "从最重到最轻共有{count}个位置；问号在第{place}个位置。",
            "fr": "Il y a {count} places, de la forme la plus lourde à la plus légère ; le point "
            "d'interrogation est à la place {place}.",
            "es": "Hay {count} lugares, de la forma más pesada a la más ligera; el signo de "
            "interrogación está en el lugar {place}.",
            "pt": "Há {count} lugares, da forma mais pesada à mais leve; o ponto de interrogação "
            "está no lugar {place}.",
            "ko": "가장 무거운 것부터 가장 가벼운 것까지 자리는 {count}개이고, 물음표는 "
            "{place}번째 자리에 있습니다.",
        },
        "form": dict.fromkeys(("en", "zh", "fr", "es", "pt", "ko"), "{form}"),
    },
    {
        "side": {
            "left": {
                "en": ("left",), "zh": ("左",), "fr": ("gauche",), "es": ("izquierdo",),
                "pt": ("esquerdo",), "ko": ("왼",),
            },
            "right": {
                "en": ("right",), "zh": ("右",), "fr": ("droit",), "es": ("derecho",),
                "pt": ("direito",), "ko": ("오른",),
            },
        },
    },
)  # fmt: skip


register(
    Family(
        name="transitive_relations",
        ability="Gf-RG",
        radicals={
            "objects": (4, 5, 6),
            "negations": (0, 1, 2),
            "order": ("forward", "mixed"),
            "sides": ("same", "mixed"),
            "wanted": ("end", "inner"),
            "spare": (0, 1),
        },
        presets={
            "easy": {"objects": (4,), "negations": (0, 1), "wanted": ("end",)},
            "medium": {"objects": (5,), "negations": (0, 1)},
            "hard": {"objects": (6,), "negations": (1, 2), "order": ("mixed",),
                     "sides": ("mixed",), "wanted": ("inner",)},
        },
        extreme={"objects": (7,), "negations": (2, 3), "order": ("mixed",),
                 "sides": ("mixed",), "wanted": ("inner",), "spare": (1,)},
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda form: say("form", form=form),
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        options=(4,),
        seed_classes=4,
        m3gia=("real-world reasoning",),
        origin="Burt (1919), three-term series problems",
        literature=(
            "Burt, C. (1919). The development of reasoning in school children. Journal of "
            "Experimental Pedagogy, 5, 68-77, 121-127.",
            "Huttenlocher, J. (1968). Constructing spatial images: A strategy in reasoning. "
            "Psychological Review, 75(6), 550-560.",
            "Sternberg, R. J. (1980). Representation and process in linear syllogistic reasoning. "
            "Journal of Experimental Psychology: General, 109(2), 119-159.",
        ),
    )
)  # fmt: skip

"""N-back: is this figure the same as the one shown n turns before?

One figure a turn. From turn n + 1 on each turn is answered: 1 if the figure equals the one n
turns before in every respect, else 0; half of the answers are 1. A lure is a figure that was shown
n - 1 or n + 1 turns before, but not n turns before. Beside each figure stands the number n.

Kirchner, W. K. (1958) introduced the paradigm; lures follow Gray, Chabris and Braver (2003). The
figures and sequences are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    COMMON,
    cell_of,
    cell_says,
)
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
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, SHADES, SIZES, Cell, Sheet, draw_cell
from gfactor.items import ItemRandom

POOL = 7
"""Different figures in an item."""

MOST = 4
SHEET = Sheet(1, 2)
"""The number n, and the figure."""


@dataclass(frozen=True)
class Scene:
    """The figures in the order of the turns, and how many turns back each is compared."""

    back: int
    cells: tuple[Cell, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    back, decisions, lures = int(levels["back"]), int(levels["asked"]), int(levels["lures"])
    pool = _pool(rng, str(levels["similarity"]))
    kinds = rng.shuffled(
        ["same"] * (decisions // 2) + ["lure"] * lures + ["new"] * (decisions // 2 - lures)
    )
    positions = [rng.integer(0, POOL - 1) for _ in range(back)]
    for k, kind in enumerate(kinds, back):
        at = {d: positions[k - d] for d in (back - 1, back, back + 1) if 0 < d <= k}
        right = at.pop(back)
        lured = sorted({position for position in at.values() if position != right})
        fresh = sorted(set(range(POOL)) - set(positions[max(0, k - back - 1) :]))
        if kind == "lure" and not lured:
            raise MisdrawnError
        positions.append(
            right if kind == "same" else rng.choice(lured if kind == "lure" else fresh)
        )
    scene = Scene(back, tuple(pool[position] for position in positions))
    return Draft(scene, _keys(scene), design=tuple(kinds))


def _pool(rng: ItemRandom, similarity: str) -> list[Cell]:
    """Figures of different forms, or of one form that differ in size, shade or number."""
    if similarity == "near":
        form = rng.choice(ATTRIBUTES["form"])
        cells = [Cell(form, *values) for values in product(SIZES, SHADES, (1, 2))]
        return rng.sample(cells, POOL)
    forms = rng.shuffled(ATTRIBUTES["form"])
    return [Cell(f, rng.choice(SIZES), rng.choice(SHADES), rng.integer(1, MOST)) for f in forms]


def _keys(scene: Scene) -> tuple[int, ...]:
    pairs = zip(scene.cells, scene.cells[scene.back :], strict=False)
    return tuple(int(before == now) for before, now in pairs)


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Look for every turn in which a figure was shown, and whether n turns before is one."""
    turns_of_cell: dict[Cell, list[int]] = {}
    keys, tried = [], 0
    for turn, cell in enumerate(scene.cells):
        earlier = turns_of_cell.setdefault(cell, [])
        tried += len(earlier)
        if turn >= scene.back:
            keys.append(int(turn - scene.back in earlier))
        earlier.append(turn)
    return Proof((tuple(keys),), max(1, tried))


def _picture(back: int, cell: Cell) -> Pixels:
    number, figure = SHEET.boxes[0]
    canvas = SHEET.canvas()
    canvas.text(number.cx, number.cy, str(back), 40, INK, 3)
    draw_cell(canvas, cell, figure, MOST)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    keys = (None,) * scene.back + _keys(scene)
    out = []
    count = {"n": scene.back, "turn": "turn"}
    for k, (cell, key) in enumerate(zip(scene.cells, keys, strict=True)):
        says = [say("begin", **count)] if k == 0 else []
        says.append(say("ask", **count) if key is not None else say("reply_ok"))
        words = [say("depth", n=scene.back)] if k == 0 else []
        words.append(say("shown", place=k + 1, cells=cell_says(cell)))
        out.append(Turn((_picture(scene.back, cell),), tuple(says), tuple(words), key))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says if one.template == "shown"]
    return Scene(int(str(says[0]["n"])), tuple(map(cell_of, cells)))


TEXTS = Texts(
    {
        "begin": {
            "en": "You will see one picture in each turn, with one kind of figure in it. Remember "
            "them in their order: you will be asked whether a picture is the same as the one "
            "shown {n} {turn:n=n} earlier.",
            "zh": "每一轮你会看到一张图，图中有一种图形。请按顺序记住它们：之后会问你某张图是否与"
            "{n}{turn}之前的图相同。",
            "fr": "À chaque tour, vous verrez une image contenant une sorte de figure. Retenez-les "
            "dans l'ordre : on vous demandera si une image est identique à celle montrée {n} "
            "{turn:n=n} plus tôt.",
            "es": "En cada turno verá una imagen con una clase de figura. Recuérdelas en orden: "
            "se le preguntará si una imagen es igual a la mostrada {n} {turn:n=n} antes.",
            "pt": "Em cada turno você verá uma imagem com um tipo de figura. Memorize-as na ordem: "
            "será perguntado se uma imagem é igual à mostrada {n} {turn:n=n} antes.",
            "ko": "차례마다 한 종류의 도형이 있는 그림을 하나씩 보게 됩니다. 순서대로 "
            "기억하십시오. 어떤 그림이 {n}{turn} 전의 그림과 같은지 묻게 됩니다.",
        },
        "ask": {
            "en": "Is this picture the same, in every respect, as the one shown {n} {turn:n=n} "
            "earlier? Answer 1 for yes and 0 for no.",
            "zh": "这张图与{n}{turn}之前的图是否完全相同？相同答1，不同答0。",
            "fr": "Cette image est-elle en tout point identique à celle montrée {n} {turn:n=n} "
            "plus tôt ? Répondez 1 pour oui et 0 pour non.",
            "es": "¿Es esta imagen igual en todo a la mostrada {n} {turn:n=n} antes? Responda 1 "
            "si lo es y 0 si no lo es.",
            "pt": "Esta imagem é igual em tudo à mostrada {n} {turn:n=n} antes? Responda 1 para "
            "sim e 0 para não.",
            "ko": "이 그림은 {n}{turn} 전의 그림과 모든 점에서 같습니까? 같으면 1, 다르면 0으로 "
            "답하십시오.",
        },
        "depth": {
            "en": "The number in the left box is {n}.",
            "zh": "左边方框中的数是{n}。",
            "fr": "Le nombre dans la case de gauche est {n}.",
            "es": "El número de la casilla izquierda es {n}.",
            "pt": "O número na casa da esquerda é {n}.",
            "ko": "왼쪽 칸의 수: {n}",
        },
        "shown": {
            "en": "Picture {place}: {cells}",
            "zh": "第{place}张图：{cells}",
            "fr": "Image {place} : {cells}",
            "es": "Imagen {place}: {cells}",
            "pt": "Imagem {place}: {cells}",
            "ko": "그림 {place}: {cells}",
        },
    },
    {
        "turn": {
            "turn": {
                "en": ("turn", "turns", "n"), "zh": ("轮",), "fr": ("tour", "tours", "m"),
                "es": ("turno", "turnos", "m"), "pt": ("turno", "turnos", "m"), "ko": ("차례",),
            },
        },
    },
)  # fmt: skip


register(
    Family(
        name="n_back",
        ability="Gwm",
        radicals={
            "back": (1, 2, 3),
            "asked": (6, 8, 10),
            "lures": (0, 2),
            "similarity": ("far", "near"),
        },
        presets={
            "easy": {"back": (1,), "similarity": ("far", "near")},
            "medium": {"back": (2,)},
            "hard": {"back": (3,), "lures": (2,)},
        },
        extreme={"back": (4, 5), "asked": (12, 16), "lures": (4,), "similarity": ("near",)},
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        answer_types=("turns",),
        origin="Kirchner (1958), n-back",
        literature=(
            "Kirchner, W. K. (1958). Age differences in short-term retention of rapidly changing "
            "information. Journal of Experimental Psychology, 55(4), 352-358.",
            "Gray, J. R., Chabris, C. F., & Braver, T. S. (2003). Neural mechanisms of general "
            "fluid intelligence. Nature Neuroscience, 6(3), 316-322.",
        ),
        **conversation(turns),
    )
)

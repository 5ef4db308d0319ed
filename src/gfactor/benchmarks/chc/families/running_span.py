"""Running span: the last digits of a list of unknown length.

Digits are shown over turns, one or two at a time; nobody says when the list ends. In the last turn
the last few digits are asked for, in the order in which they were shown or backwards. Boxes with
question marks say how many.

Pollack, I., Johnson, L. B., & Knaff, P. R. (1959) introduced running memory span. The lists are
ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.conversations import conversation, draw_recall_arrow
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
from gfactor.imaging.figures import INK, Sheet, draw_missing
from gfactor.items import ItemRandom

SIDE = 72


@dataclass(frozen=True)
class Scene:
    """The digits of each turn, how many of the last are asked for, and whether backwards."""

    shown: tuple[tuple[int, ...], ...]
    last: int
    backwards: int


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    last, together = int(levels["last"]), int(levels["together"])
    count = last + int(levels["before"]) + rng.integer(0, 1) * together
    count += -count % together
    digits: list[int] = []
    while len(digits) < count:
        digits.append(rng.choice([d for d in range(1, 10) if d not in digits[-3:]]))
    tail = digits[-last:]
    if tail in (sorted(tail), sorted(tail, reverse=True)):
        raise MisdrawnError
    groups = tuple(tuple(digits[k : k + together]) for k in range(0, count, together))
    scene = Scene(groups, last, int(levels["order"] == "backward"))
    return Draft(scene, (_key(scene),))


def _key(scene: Scene) -> int:
    digits = [digit for turn in scene.shown for digit in turn][-scene.last :]
    return int("".join(map(str, digits[::-1] if scene.backwards else digits)))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Go through the list from its end, a power of ten for each digit."""
    answer, position = 0, 0
    for turn in reversed(scene.shown):
        for digit in reversed(turn):
            if position < scene.last:
                power = scene.last - 1 - position if scene.backwards else position
                answer += digit * 10**power
            position += 1
    return Proof(((answer,),), position)


def _digits(digits: Sequence[int]) -> Pixels:
    sheet = Sheet(1, len(digits), side=SIDE)
    canvas = sheet.canvas()
    for digit, box in zip(digits, sheet.boxes[0], strict=True):
        canvas.text(box.cx, box.cy, str(digit), 30, INK, 3)
    return canvas.pixels


def _asking(scene: Scene) -> Pixels:
    """A box for each digit asked for; below, an arrow in the direction of recall."""
    sheet = Sheet(1, scene.last, side=SIDE)
    canvas = sheet.canvas()
    for box in sheet.boxes[0]:
        draw_missing(canvas, box)
    draw_recall_arrow(canvas, sheet.height - 8, bool(scene.backwards))
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    out = []
    for k, digits in enumerate(scene.shown):
        says = (say("begin"), say("reply_ok")) if k == 0 else (say("reply_ok"),)
        words = say("digit", n=digits[0]) if len(digits) == 1 else say("digits", numbers=digits)
        out.append(Turn((_digits(digits),), says, (words,)))
    ask = "backward" if scene.backwards else "forward"
    words = (say("to_left" if scene.backwards else "to_right", n=scene.last),)
    request = (say(ask, n=scene.last),)
    out.append(Turn((_asking(scene),), request, words, _key(scene)))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    groups: list[Any] = [
        one["numbers"] if one.template == "digits" else (one["n"],) for one in says[:-1]
    ]
    return Scene(tuple(groups), int(str(says[-1]["n"])), int(says[-1].template == "to_left"))


TEXTS = Texts(
    {
        "begin": {
            "en": "You will see a list of digits, some in each turn. You do not know when the list "
            "ends. At its end you will be asked for the last digits.",
            "zh": "你会看到一串数字，每一轮显示其中几个。你不知道何时结束。结束时会问你最后的几个"
            "数字。",
            "fr": "Vous verrez une liste de chiffres, quelques-uns à chaque tour. Vous ne savez "
            "pas quand la liste se termine. À la fin, on vous demandera les derniers chiffres.",
            "es": "Verá una lista de cifras, algunas en cada turno. No sabe cuándo termina la "
            "lista. Al final se le preguntarán las últimas cifras.",
            "pt": "Você verá uma lista de algarismos, alguns em cada turno. Você não sabe quando a "
            "lista termina. No fim, serão perguntados os últimos algarismos.",
            "ko": "차례마다 몇 개씩 숫자 목록을 보게 됩니다. 목록이 언제 끝나는지는 알 수 "
            "없습니다. 끝나면 마지막 숫자들을 묻게 됩니다.",
        },
        "forward": {
            "en": "The list has ended. What were the last {n} digits, in the order in which they "
            "were shown? Write them without spaces, as one number.",
            "zh": "数字串已结束。最后{n}个数字是什么？请按显示的顺序写出，中间不留空格，"
            "写成一个数。",
            "fr": "La liste est terminée. Quels étaient les {n} derniers chiffres, dans l'ordre où "
            "ils ont été montrés ? Écrivez-les sans espaces, comme un seul nombre.",
            "es": "La lista ha terminado. ¿Cuáles fueron las últimas {n} cifras, en el orden en "
            "que se mostraron? Escríbalas sin espacios, como un solo número.",
            "pt": "A lista terminou. Quais foram os últimos {n} algarismos, na ordem em que foram "
            "mostrados? Escreva-os sem espaços, como um único número.",
            "ko": "목록이 끝났습니다. 마지막 숫자 {n}개는 무엇이었습니까? 제시된 순서대로 띄어쓰기 "
            "없이 하나의 수로 쓰십시오.",
        },
        "backward": {
            "en": "The list has ended. What were the last {n} digits, in reverse order, the last "
            "one first? Write them without spaces, as one number.",
            "zh": "数字串已结束。最后{n}个数字是什么？请按相反的顺序（最后一个在最前）写出，中间不"
            "留空格，写成一个数。",
            "fr": "La liste est terminée. Quels étaient les {n} derniers chiffres, dans l'ordre "
            "inverse, le dernier en premier ? Écrivez-les sans espaces, comme un seul nombre.",
            "es": "La lista ha terminado. ¿Cuáles fueron las últimas {n} cifras, en orden inverso, "
            "la última primero? Escríbalas sin espacios, como un solo número.",
            "pt": "A lista terminou. Quais foram os últimos {n} algarismos, na ordem inversa, o "
            "último primeiro? Escreva-os sem espaços, como um único número.",
            "ko": "목록이 끝났습니다. 마지막 숫자 {n}개는 무엇이었습니까? 마지막 것부터 거꾸로 "
            "띄어쓰기 없이 하나의 수로 쓰십시오.",
        },
        "digit": {
            "en": "The digit {n} is shown.",
            "zh": "显示的数字：{n}",
            "fr": "Le chiffre {n} est montré.",
            "es": "Se muestra la cifra {n}.",
            "pt": "É mostrado o algarismo {n}.",
            "ko": "제시된 숫자: {n}",
        },
        "digits": {
            "en": "The digits {numbers} are shown.",
            "zh": "依次显示的数字：{numbers}",
            "fr": "Les chiffres {numbers} sont montrés.",
            "es": "Se muestran las cifras {numbers}.",
            "pt": "São mostrados os algarismos {numbers}.",
            "ko": "차례로 제시된 숫자: {numbers}",
        },
        "to_right": {
            "en": "There are {n} boxes with question marks and an arrow pointing to the right.",
            "zh": "有{n}个带问号的方框和一个指向右边的箭头。",
            "fr": "Il y a {n} cases avec un point d'interrogation et une flèche pointant vers la "
            "droite.",
            "es": "Hay {n} casillas con signos de interrogación y una flecha que apunta a la "
            "derecha.",
            "pt": "Há {n} casas com pontos de interrogação e uma seta que aponta para a direita.",
            "ko": "물음표가 있는 칸이 {n}개 있고, 화살표는 오른쪽을 가리킵니다.",
        },
        "to_left": {
            "en": "There are {n} boxes with question marks and an arrow pointing to the left.",
            "zh": "有{n}个带问号的方框和一个指向左边的箭头。",
            "fr": "Il y a {n} cases avec un point d'interrogation et une flèche pointant vers la "
            "gauche.",
            "es": "Hay {n} casillas con signos de interrogación y una flecha que apunta a la "
            "izquierda.",
            "pt": "Há {n} casas com pontos de interrogação e uma seta que aponta para a esquerda.",
            "ko": "물음표가 있는 칸이 {n}개 있고, 화살표는 왼쪽을 가리킵니다.",
        },
    },
    {},
)


register(
    Family(
        name="running_span",
        ability="Gwm",
        radicals={
            "last": (3, 4, 5, 6),
            "before": (2, 4, 6),
            "together": (1, 2),
            "order": ("forward", "backward"),
        },
        presets={
            "easy": {"last": (4,), "before": (2,)},
            "medium": {"last": (5,)},
            "hard": {"last": (6,), "before": (4, 6)},
        },
        extreme={"last": (9, 12), "before": (6, 10)},
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        answer_types=("turns",),
        seed_classes=4,
        origin="Pollack, Johnson and Knaff (1959), running memory span",
        literature=(
            "Pollack, I., Johnson, L. B., & Knaff, P. R. (1959). Running memory span. Journal of "
            "Experimental Psychology, 57(3), 137-146.",
            "Bunting, M., Cowan, N., & Saults, J. S. (2006). How does running memory span work? "
            "Quarterly Journal of Experimental Psychology, 59(10), 1691-1700.",
        ),
        **conversation(turns),
    )
)

"""Spatial span: tap the blocks in the order in which they were shown, or backwards.

A board of blocks; in each turn (or in each of the numbered frames of one picture) one of them is
black. In the last turn the blocks bear numbers, and the sequence is given as their numbers. Only
there: nobody can rehearse numbers instead of places.

Corsi, P. M. (1972) introduced the block tapping task. The boards and sequences are ours.
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
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.figures import INK, PAPER, Box, Sheet
from gfactor.items import ItemRandom

GRID = 5
"""Places along a side of the board."""

ONE = Sheet(1, 1, side=180)
FRAMES = Sheet(2, 4, side=190)
SMALL_FRAMES = Sheet(2, 4, side=120)
"""One board; the numbered frames; those of version 1."""


@dataclass(frozen=True)
class Scene:
    """Places of the blocks in the order of their numbers, and those shown, by turn or by frame.

    A place is 10 * row + column, both from 1.
    """

    blocks: tuple[int, ...]
    shown: tuple[int, ...]
    frames: int
    backwards: int


@dataclass(frozen=True)
class LargeScene(Scene):
    """A scene whose frames are as large as the board; in version 1 their blocks were 16 px wide."""

    large: int = 1


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, length = int(levels["blocks"]), int(levels["length"])
    board = [10 * row + column for row in range(1, GRID + 1) for column in range(1, GRID + 1)]
    blocks = rng.sample(board, count)
    sequence = rng.sample(blocks, length) if length <= count else _again(rng, blocks, length)
    if sequence in (sorted(sequence), sorted(sequence, reverse=True)):
        raise MisdrawnError
    scene = LargeScene(
        tuple(blocks),
        tuple(sequence),
        int(levels["presentation"] == "frames"),
        int(levels["order"] == "backward"),
    )
    return Draft(scene, (_key(scene),))


def _again(rng: ItemRandom, blocks: Sequence[int], length: int) -> list[int]:
    """More places than there are blocks: no block twice within three turns."""
    turns: list[int] = []
    while len(turns) < length:
        turns.append(rng.choice([block for block in blocks if block not in turns[-3:]]))
    return turns


def _key(scene: Scene) -> int:
    positions = scene.shown[::-1] if scene.backwards else scene.shown
    return int("".join(str(scene.blocks.index(position) + 1) for position in positions))


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Write the number of the block at each place shown, from the first or from the last."""
    number = {position: k for k, position in enumerate(scene.blocks, 1)}
    answer = 0
    for k, position in enumerate(scene.shown):
        answer += number[position] * 10 ** (k if scene.backwards else len(scene.shown) - 1 - k)
    return Proof(((answer,),), len(scene.shown))


def block_box(place: int, board: Box) -> Box:
    """Return the position on a board of a place's block."""
    row, column = divmod(place, 10)
    step = board.side * 18 // 100
    side = step * 8 // 10
    margin = (board.side - GRID * step) // 2
    return Box(board.x + margin + (column - 1) * step, board.y + margin + (row - 1) * step, side)


def _draw_board(canvas: Canvas, scene: Scene, board: Box, black: int, numbered: bool) -> None:
    for number, position in enumerate(scene.blocks, 1):
        box = block_box(position, board)
        canvas.rectangle(box.x, box.y, box.x + box.side, box.y + box.side, INK)
        if position != black:
            end = (box.x + box.side - 2, box.y + box.side - 2)
            canvas.rectangle(box.x + 2, box.y + 2, *end, PAPER)
        if numbered:
            canvas.text(box.cx, box.cy, str(number), box.side * 0.5, INK, 2)


def _board(scene: Scene, black: int) -> Pixels:
    canvas = ONE.canvas()
    _draw_board(canvas, scene, ONE.boxes[0][0], black, False)
    return canvas.pixels


def _frames(scene: Scene) -> Pixels:
    sheet = FRAMES if isinstance(scene, LargeScene) else SMALL_FRAMES
    canvas = sheet.canvas(len(scene.shown))
    boxes = [box for row in sheet.boxes for box in row]
    for number, (position, box) in enumerate(zip(scene.shown, boxes, strict=False), 1):
        _draw_board(canvas, scene, box, position, False)
        canvas.text(box.x + 8, box.y + 8, str(number), 8, INK, 1)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    rows = [[_row(position), _column(position)] for position in scene.shown]
    lines = [
        say("shown", place=k, row=row, column=column) for k, (row, column) in enumerate(rows, 1)
    ]
    lines.insert(0, say("in_frames" if scene.frames else "in_turns"))
    count = {"n": len(scene.blocks)}
    if scene.frames:
        says = (say("frames", **count), say("reply_ok"))
        out = [Turn((_frames(scene),), says, tuple(lines))]
    else:
        prompts, texts = (say("turns", **count), say("reply_ok")), tuple(lines[:2])
        out = []
        for position, line in zip(scene.shown, (*lines[2:], None), strict=True):
            out.append(Turn((_board(scene, position),), prompts, texts))
            prompts, texts = (say("reply_ok"),), () if line is None else (line,)
    numbered = tuple(
        say("block", place=k, row=_row(position), column=_column(position))
        for k, position in enumerate(scene.blocks, 1)
    )
    ask = "backward" if scene.backwards else "forward"
    words = (*numbered, say("to_left" if scene.backwards else "to_right"))
    out.append(Turn((_asking(scene),), (say(ask),), words, _key(scene)))
    return tuple(out)


def _asking(scene: Scene) -> Pixels:
    """The board with numbers, and above it an arrow in the direction of recall."""
    canvas = ONE.canvas()
    _draw_board(canvas, scene, ONE.boxes[0][0], 0, True)
    draw_recall_arrow(canvas, 8, bool(scene.backwards))
    return canvas.pixels


def _row(place: int) -> int:
    return place // 10


def _column(place: int) -> int:
    return place % 10


def from_twin(says: Sequence[Say]) -> Scene:
    def places(template: str) -> tuple[int, ...]:
        result = [one for one in says if one.template == template]
        return tuple(10 * int(str(one["row"])) + int(str(one["column"])) for one in result)

    frames, backwards = says[0].template == "in_frames", says[-1].template == "to_left"
    return LargeScene(places("block"), places("shown"), int(frames), int(backwards))


TEXTS = Texts(
    {
        "turns": {
            "en": "You see a board with {n} blocks. In each turn one block is black. Remember the "
            "order in which the blocks turn black.",
            "zh": "你看到一块有{n}个方块的板。每一轮有一个方块是黑色的。请记住方块变黑的顺序。",
            "fr": "Vous voyez un plateau de {n} blocs. À chaque tour, un bloc est noir. Retenez "
            "l'ordre dans lequel les blocs deviennent noirs.",
            "es": "Ve un tablero con {n} bloques. En cada turno un bloque está en negro. Recuerde "
            "el orden en que los bloques se ponen negros.",
            "pt": "Você vê um tabuleiro com {n} blocos. Em cada turno um bloco está preto. "
            "Memorize a ordem em que os blocos ficam pretos.",
            "ko": "블록 {n}개가 있는 판이 보입니다. 차례마다 블록 하나가 검은색입니다. 블록이 "
            "검은색으로 바뀌는 순서를 기억하십시오.",
        },
        "frames": {
            "en": "You see a board with {n} blocks in numbered frames. In each frame one block is "
            "black. Remember the order in which the blocks turn black.",
            "zh": "你看到一块有{n}个方块的板，画在编号的画面中。每个画面有一个方块是黑色的。请记住"
            "方块变黑的顺序。",
            "fr": "Vous voyez un plateau de {n} blocs dans des cadres numérotés. Dans chaque "
            "cadre, un bloc est noir. Retenez l'ordre dans lequel les blocs deviennent noirs.",
            "es": "Ve un tablero con {n} bloques en cuadros numerados. En cada cuadro un bloque "
            "está en negro. Recuerde el orden en que los bloques se ponen negros.",
            "pt": "Você vê um tabuleiro com {n} blocos em quadros numerados. Em cada quadro um "
            "bloco está preto. Memorize a ordem em que os blocos ficam pretos.",
            "ko": "블록 {n}개가 있는 판이 번호가 붙은 칸마다 보입니다. 칸마다 블록 하나가 "
            "검은색입니다. 블록이 검은색으로 바뀌는 순서를 기억하십시오.",
        },
        "forward": {
            "en": "Now the blocks bear numbers. Which blocks were black, in the order in which "
            "they were shown? Write their numbers one after the other, without spaces, as one "
            "number.",
            "zh": "现在方块上标有数字。哪些方块曾是黑色的？请按显示的顺序写出它们的数字，中间不留"
            "空格，写成一个数。",
            "fr": "Les blocs portent maintenant des numéros. Quels blocs étaient noirs, dans "
            "l'ordre où ils ont été montrés ? Écrivez leurs numéros à la suite, sans espaces, "
            "comme un seul nombre.",
            "es": "Ahora los bloques llevan números. ¿Qué bloques estaban en negro, en el orden "
            "en que se mostraron? Escriba sus números uno tras otro, sin espacios, como un solo "
            "número.",
            "pt": "Agora os blocos têm números. Quais blocos estavam pretos, na ordem em que foram "
            "mostrados? Escreva os números um após o outro, sem espaços, como um único número.",
            "ko": "이제 블록에 번호가 있습니다. 어떤 블록들이 검은색이었습니까? 제시된 순서대로 "
            "번호를 띄어쓰기 없이 이어서 하나의 수로 쓰십시오.",
        },
        "backward": {
            "en": "Now the blocks bear numbers. Which blocks were black, in reverse order, the "
            "last one first? Write their numbers one after the other, without spaces, as one "
            "number.",
            "zh": "现在方块上标有数字。哪些方块曾是黑色的？请按相反的顺序（最后一个在最前）写出"
            "它们的数字，中间不留空格，写成一个数。",
            "fr": "Les blocs portent maintenant des numéros. Quels blocs étaient noirs, dans "
            "l'ordre inverse, le dernier en premier ? Écrivez leurs numéros à la suite, sans "
            "espaces, comme un seul nombre.",
            "es": "Ahora los bloques llevan números. ¿Qué bloques estaban en negro, en orden "
            "inverso, el último primero? Escriba sus números uno tras otro, sin espacios, como un "
            "solo número.",
            "pt": "Agora os blocos têm números. Quais blocos estavam pretos, na ordem inversa, o "
            "último primeiro? Escreva os números um após o outro, sem espaços, como um único "
            "número.",
            "ko": "이제 블록에 번호가 있습니다. 어떤 블록들이 검은색이었습니까? 마지막 것부터 "
            "거꾸로 번호를 띄어쓰기 없이 이어서 하나의 수로 쓰십시오.",
        },
        "shown": {
            "en": "Board {place}: the block in row {row}, column {column} is black.",
            "zh": "第{place}块板：第{row}行第{column}列的方块是黑色的。",
            "fr": "Plateau {place} : le bloc de la ligne {row}, colonne {column} est noir.",
            "es": "Tablero {place}: el bloque de la fila {row}, columna {column} está en negro.",
            "pt": "Tabuleiro {place}: o bloco da linha {row}, coluna {column} está preto.",
            "ko": "판 {place}: {row}행 {column}열의 블록이 검은색입니다.",
        },
        "block": {
            "en": "Block {place} is in row {row}, column {column}.",
            "zh": "方块{place}在第{row}行第{column}列。",
            "fr": "Le bloc {place} est à la ligne {row}, colonne {column}.",
            "es": "El bloque {place} está en la fila {row}, columna {column}.",
            "pt": "O bloco {place} está na linha {row}, coluna {column}.",
            "ko": "블록 {place}: {row}행 {column}열",
        },
        "in_turns": {
            "en": "The boards are shown one in each turn.",
            "zh": "每一轮显示一块板。",
            "fr": "Les plateaux sont montrés un par tour.",
            "es": "Los tableros se muestran uno por turno.",
            "pt": "Os tabuleiros são mostrados um por turno.",
            "ko": "판은 차례마다 하나씩 제시됩니다.",
        },
        "in_frames": {
            "en": "All boards are shown in one picture.",
            "zh": "所有的板显示在同一张图中。",
            "fr": "Tous les plateaux sont montrés dans une seule image.",
            "es": "Todos los tableros se muestran en una sola imagen.",
            "pt": "Todos os tabuleiros são mostrados em uma única imagem.",
            "ko": "모든 판이 한 그림에 제시됩니다.",
        },
        "to_right": {
            "en": "The arrow above the board points to the right.",
            "zh": "板上方的箭头指向右边。",
            "fr": "La flèche au-dessus du plateau pointe vers la droite.",
            "es": "La flecha sobre el tablero apunta a la derecha.",
            "pt": "A seta acima do tabuleiro aponta para a direita.",
            "ko": "판 위의 화살표는 오른쪽을 가리킵니다.",
        },
        "to_left": {
            "en": "The arrow above the board points to the left.",
            "zh": "板上方的箭头指向左边。",
            "fr": "La flèche au-dessus du plateau pointe vers la gauche.",
            "es": "La flecha sobre el tablero apunta a la izquierda.",
            "pt": "A seta acima do tabuleiro aponta para a esquerda.",
            "ko": "판 위의 화살표는 왼쪽을 가리킵니다.",
        },
    },
    {},
)


register(
    Family(
        name="spatial_span",
        ability="Gwm",
        radicals={
            "length": (3, 4, 5, 6, 7),
            "blocks": (7, 9),
            "order": ("forward", "backward"),
            "presentation": ("turns", "frames"),
        },
        presets={
            "easy": {"length": (3, 4)},
            "medium": {"length": (5,)},
            "hard": {"length": (6, 7), "blocks": (9,)},
        },
        extreme={"length": (9, 12), "blocks": (9,), "presentation": ("turns",)},
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        version="2",
        answer_types=("turns",),
        origin="Corsi (1972), block tapping",
        literature=(
            "Corsi, P. M. (1972). Human memory and the medial temporal region of the brain "
            "[Doctoral dissertation, McGill University].",
            "Berch, D. B., Krikorian, R., & Huha, E. M. (1998). The Corsi block-tapping task: "
            "Methodological and theoretical considerations. Brain and Cognition, 38(3), 317-338.",
        ),
        **conversation(turns),
    )
)

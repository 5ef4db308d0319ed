"""The sentences of the towers in six languages."""

from gfactor.benchmarks.chc.common import SHADED_FORM
from gfactor.benchmarks.texts import Texts

TEXTS = Texts(
    {
        "begin": {
            "en": "The pieces on the left are to be brought into the order on the right in as few "
            "moves as possible. A move takes the topmost piece of a peg to the top of another "
            "peg; on no peg may stand more pieces than fit on it.",
            "zh": "要用尽可能少的步数把左边的棋子摆成右边的样子。每一步把一根柱子最上面的棋子移到"
            "另一根柱子的最上面；任何柱子上的棋子都不能超过它能容纳的数目。",
            "fr": "Il faut amener les pièces de gauche dans la disposition de droite en aussi peu "
            "de coups que possible. Un coup prend la pièce du haut d'une tige et la pose au sommet "
            "d'une autre tige ; aucune tige ne peut porter plus de pièces qu'elle n'en contient.",
            "es": "Hay que llevar las piezas de la izquierda a la disposición de la derecha en el "
            "menor número de movimientos. Un movimiento lleva la pieza superior de una varilla a "
            "lo alto de otra; en ninguna varilla puede haber más piezas de las que caben.",
            "pt": "As peças da esquerda devem ser levadas à disposição da direita no menor número "
            "de movimentos. Um movimento leva a peça do topo de uma haste para o topo de outra; em "
            "nenhuma haste pode haver mais peças do que cabem.",
            "ko": "왼쪽의 조각들을 될 수 있는 대로 적은 횟수로 옮겨 오른쪽과 같이 만들어야 합니다. "
            "한 번에 한 기둥의 맨 위 조각을 다른 기둥의 맨 위로 옮깁니다. 어느 기둥에도 들어갈 수 "
            "있는 것보다 많은 조각을 놓을 수 없습니다.",
        },
        "ask": {
            "en": "With which move does the shortest solution begin? Give the number of the peg "
            "that the piece leaves, followed at once by the number of the peg to which it goes: 12 "
            "is a move from peg 1 to peg 2.",
            "zh": "最短的解法从哪一步开始？请写出棋子离开的柱子的编号，紧接着写出它移到的柱子的"
            "编号：12表示从柱子1移到柱子2。",
            "fr": "Par quel coup commence la solution la plus courte ? Donnez le numéro de la tige "
            "que la pièce quitte, suivi aussitôt du numéro de celle où elle va : 12 est un coup de "
            "la tige 1 à la tige 2.",
            "es": "¿Con qué movimiento empieza la solución más corta? Indique el número de la "
            "varilla que la pieza deja, seguido del número de la varilla a la que va: 12 es un "
            "movimiento de la varilla 1 a la varilla 2.",
            "pt": "Com qual movimento começa a solução mais curta? Informe o número da haste que a "
            "peça deixa, seguido do número da haste para a qual ela vai: 12 é um movimento da "
            "haste 1 para a haste 2.",
            "ko": "가장 짧은 풀이는 어떤 이동으로 시작합니까? 조각이 떠나는 기둥의 번호에 이어 "
            "조각이 가는 기둥의 번호를 쓰십시오. 12는 기둥 1에서 기둥 2로 가는 이동입니다.",
        },
        "ask_moves": {
            "en": "With which {n} moves does the shortest solution begin? Write them one after the "
            "other as one number. For each move give the number of the peg that the piece leaves, "
            "then the number of the peg to which it goes: 1223 is a move from peg 1 to peg 2, then "
            "one from peg 2 to peg 3.",
            "zh": "最短的解法的前{n}步是什么？请把它们依次写成一个数。每一步先写棋子离开的柱子的"
            "编号，再写它移到的柱子的编号：1223表示先从柱子1移到柱子2，再从柱子2移到柱子3。",
            "fr": "Par quels {n} coups commence la solution la plus courte ? Écrivez-les l'un "
            "après l'autre en un seul nombre. Pour chaque coup, donnez le numéro de la tige que la "
            "pièce quitte, puis celui de la tige où elle va : 1223 est un coup de la tige 1 à la "
            "tige 2, puis un coup de la tige 2 à la tige 3.",
            "es": "¿Con qué {n} movimientos empieza la solución más corta? Escríbalos uno tras "
            "otro como un solo número. Para cada movimiento indique el número de la varilla que la "
            "pieza deja y después el de la varilla a la que va: 1223 es un movimiento de la "
            "varilla 1 a la varilla 2 y después uno de la varilla 2 a la varilla 3.",
            "pt": "Com quais {n} movimentos começa a solução mais curta? Escreva-os um após o "
            "outro como um só número. Para cada movimento informe o número da haste que a peça "
            "deixa e depois o da haste para a qual ela vai: 1223 é um movimento da haste 1 para a "
            "haste 2 e depois um da haste 2 para a haste 3.",
            "ko": "가장 짧은 풀이의 처음 {n}번의 이동은 무엇입니까? 차례로 이어서 하나의 수로 "
            "쓰십시오. 이동마다 조각이 떠나는 기둥의 번호를 쓰고 이어서 조각이 가는 기둥의 번호를 "
            "쓰십시오. 1223은 기둥 1에서 기둥 2로, 다음에 기둥 2에서 기둥 3으로 가는 이동입니다.",
        },
        "asked": {
            "en": "Moves that are asked for: {n}",
            "zh": "所问的步数：{n}",
            "fr": "Coups demandés : {n}",
            "es": "Movimientos que se piden: {n}",
            "pt": "Movimentos pedidos: {n}",
            "ko": "묻는 이동의 수: {n}",
        },
        "room": {
            "en": "Room for pieces on peg {place}: {n}",
            "zh": "柱子{place}可容纳的棋子数：{n}",
            "fr": "Places pour des pièces sur la tige {place} : {n}",
            "es": "Piezas que caben en la varilla {place}: {n}",
            "pt": "Peças que cabem na haste {place}: {n}",
            "ko": "기둥 {place}에 들어가는 조각 수: {n}",
        },
        "start": {
            "en": "At the start, on peg {place}, from bottom to top: {cells}",
            "zh": "开始时，柱子{place}上从下到上：{cells}",
            "fr": "Au départ, sur la tige {place}, de bas en haut : {cells}",
            "es": "Al inicio, en la varilla {place}, de abajo arriba: {cells}",
            "pt": "No início, na haste {place}, de baixo para cima: {cells}",
            "ko": "시작할 때 기둥 {place}에 아래에서 위로: {cells}",
        },
        "start_empty": {
            "en": "At the start, peg {place} is empty.",
            "zh": "开始时，柱子{place}是空的。",
            "fr": "Au départ, la tige {place} est vide.",
            "es": "Al inicio, la varilla {place} está vacía.",
            "pt": "No início, a haste {place} está vazia.",
            "ko": "시작할 때 기둥 {place}: 비어 있음",
        },
        "goal": {
            "en": "In the end, on peg {place}, from bottom to top: {cells}",
            "zh": "结束时，柱子{place}上从下到上：{cells}",
            "fr": "À la fin, sur la tige {place}, de bas en haut : {cells}",
            "es": "Al final, en la varilla {place}, de abajo arriba: {cells}",
            "pt": "No fim, na haste {place}, de baixo para cima: {cells}",
            "ko": "끝날 때 기둥 {place}에 아래에서 위로: {cells}",
        },
        "goal_empty": {
            "en": "In the end, peg {place} is empty.",
            "zh": "结束时，柱子{place}是空的。",
            "fr": "À la fin, la tige {place} est vide.",
            "es": "Al final, la varilla {place} está vacía.",
            "pt": "No fim, a haste {place} está vazia.",
            "ko": "끝날 때 기둥 {place}: 비어 있음",
        },
        "pieces": {
            "en": "The pieces are: {cells}",
            "zh": "棋子有：{cells}",
            "fr": "Les pièces sont : {cells}",
            "es": "Las piezas son: {cells}",
            "pt": "As peças são: {cells}",
            "ko": "조각: {cells}",
        },
        "piece": SHADED_FORM,
    },
    {},
)

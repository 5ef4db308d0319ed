"""Syllogisms about invented groups: what must hold between two of them?

Each form stands for a group. A black arrow says that all members of one group are members of
another, a white one that at least one is; struck out in red they say that none is, or that at least
one is not. Groups may be empty. Of the four statements about the first and the last group exactly
one follows.

The solver goes through models: sets of members, each of which belongs to some of the groups. Where
e premises claim that somebody exists, a statement that fails in any model fails in one with at most
e + 1 members: those that the premises claim, and one that the statement denies. So all models with
up to e + 1 members, no two alike, are enumerated.

The moods are Aristotle's; Woodworth and Sells (1935) named the atmosphere effect, Johnson-Laird and
Steedman (1978) that of figure. The groups are ours and mean nothing: belief carries no load.
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
from gfactor.imaging.figures import Box, Cell, Sheet, draw_cell, draw_missing
from gfactor.items import ItemRandom

SIDE = 70
RED: RGB = (210, 0, 0)

MOODS = ("all", "no", "some", "some_not")


@dataclass(frozen=True)
class Statement:
    """All, no, some of one group's members are, or some are not, members of another."""

    subject: str
    mood: str
    predicate: str


@dataclass(frozen=True)
class Premise:
    """A statement, and whether it is drawn with its subject on the right."""

    statement: Statement
    mirrored: int


@dataclass(frozen=True)
class Scene:
    """Premises from top to bottom, and the groups of the statement asked for."""

    premises: tuple[Premise, ...]
    subject: str
    predicate: str


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    length, mood = int(levels["premises"]), str(levels["conclusion"])
    forms = rng.shuffled(ATTRIBUTES["form"])
    terms = forms[: length + 1]
    statements = _chain(rng, mood, terms)
    for form in forms[length + 1 : length + 1 + int(levels["spare"])]:
        pair = rng.shuffled([form, rng.choice(terms)])
        statements.append(Statement(pair[0], rng.choice(MOODS), pair[1]))
    if levels["order"] == "mixed":
        mixed = rng.shuffled(statements)
        if mixed[:length] == statements[:length]:
            raise MisdrawnError
        statements = mixed
    mirrored = [rng.integer(0, 1) if levels["sides"] == "mixed" else 0 for _ in statements]
    if levels["sides"] == "mixed" and len(set(mirrored)) == 1:
        raise MisdrawnError
    premises = tuple(map(Premise, statements, mirrored))
    scene = Scene(premises, terms[0], terms[-1])
    right = Statement(terms[0], mood, terms[-1])
    wrong = tuple(
        Distractor(Statement(terms[0], other, terms[-1]), _error(mood, other, statements))
        for other in MOODS
        if other != mood
    )
    return Draft(scene, right, wrong, [s.mood for s in statements])


def _chain(rng: ItemRandom, mood: str, terms: Sequence[str]) -> list[Statement]:
    """Premises from the first to the last term, from which this conclusion follows."""
    links = list(itertools.pairwise(terms))
    if mood == "all":
        return [Statement(a, "all", b) for a, b in links]
    turn = rng.integer(0, len(links) - 1)
    a, b = links[turn]
    if mood in ("no", "some") and rng.integer(0, 1):
        a, b = b, a
    # Inclusions lead from the first term to a "no", but from "some" to the first term; after it
    # they lead from the last term to a negation, and from "some" to the last term.
    before = [(x, y) if mood == "no" else (y, x) for x, y in links[:turn]]
    after = [(x, y) if mood == "some" else (y, x) for x, y in links[turn + 1 :]]
    return [
        *(Statement(x, "all", y) for x, y in before),
        Statement(a, mood, b),
        *(Statement(x, "all", y) for x, y in after),
    ]


def _error(right: str, wrong: str, premises: Sequence[Statement]) -> str:
    moods = [one.mood for one in premises]
    negative = any(m in ("no", "some_not") for m in moods)
    particular = any(m in ("some", "some_not") for m in moods)
    if wrong == MOODS[2 * particular + negative]:
        return "atmosphere"
    index, other = MOODS.index(right), MOODS.index(wrong)
    if index // 2 == other // 2:
        return "negation skipped" if index % 2 else "negation added"
    if index % 2 == other % 2:
        return "some taken for all" if index > other else "members taken for granted"
    return "contradiction"


def holds(statement: Statement, members: Sequence[frozenset[str]]) -> bool:
    """Return True if a statement holds for members, each given by the groups it belongs to."""
    are = [statement.predicate in one for one in members if statement.subject in one]
    if statement.mood in ("all", "no"):
        return all(is_in == (statement.mood == "all") for is_in in are)
    return any(is_in == (statement.mood == "some") for is_in in are)


def solve(scene: Scene, options: Sequence[Statement]) -> Proof:
    """Return the options that hold in every model of the premises with up to e + 1 members."""
    premises = [one.statement for one in scene.premises]
    groups = sorted({g for s in premises for g in (s.subject, s.predicate)})
    universal = [s for s in premises if s.mood in ("all", "no")]
    existing = [s for s in premises if s not in universal]
    kinds = [
        frozenset(chosen)
        for count in range(len(groups) + 1)
        for chosen in itertools.combinations(groups, count)
    ]
    possible = [kind for kind in kinds if all(holds(s, (kind,)) for s in universal)]
    left, models, tried = list(options), 0, len(kinds)
    for count in range(len(existing) + 2):
        for members in itertools.combinations(possible, count):
            tried += 1
            if all(holds(s, members) for s in existing):
                models += 1
                left = [option for option in left if holds(option, members)]
    return Proof(tuple(left) if models else (), tried)


def sheet_for(premises: int, options: int) -> Sheet:
    """Return a row for each premise, and one for the statement asked for."""
    return Sheet(premises + 1, 3, options, side=SIDE)


def picture(scene: Scene, options: Sequence[Statement]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.premises), len(options))
    canvas = sheet.canvas()
    *rows, last = sheet.boxes
    for premise, row in zip(scene.premises, rows, strict=True):
        statement = premise.statement
        ends = (statement.subject, statement.predicate)
        left, right = ends[::-1] if premise.mirrored else ends
        draw_cell(canvas, Cell(left), row[0], 1)
        _draw_arrow(canvas, statement.mood, row[1], premise.mirrored)
        draw_cell(canvas, Cell(right), row[2], 1)
    draw_cell(canvas, Cell(scene.subject), last[0], 1)
    draw_missing(canvas, last[1])
    draw_cell(canvas, Cell(scene.predicate), last[2], 1)
    for option, box in zip(options, sheet.option_boxes, strict=True):
        _draw_arrow(canvas, option.mood, box, 0)
    return (canvas.pixels,)


def _draw_arrow(canvas: Canvas, mood: str, box: Box, mirrored: int) -> None:
    shade = "black" if mood in ("all", "no") else "white"
    draw_cell(canvas, Cell("arrow", shade=shade, turn=6 if mirrored else 2), box, 1)
    if mood in ("no", "some_not"):
        canvas.line(box.cx - 14, box.cy + 24, box.cx + 14, box.cy - 24, RED, 5)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = [
        say(
            f"mirrored_{one.statement.mood}" if one.mirrored else one.statement.mood,
            form=one.statement.subject, form2=one.statement.predicate,
        )
        for one in scene.premises
    ]  # fmt: skip
    return (*lines, say("asked", form=scene.subject, form2=scene.predicate))


def from_twin(says: Sequence[Say]) -> Scene:
    *lines, last = says
    premises = tuple(
        Premise(
            Statement(str(one["form"]), one.template.removeprefix("mirrored_"), str(one["form2"])),
            int(one.template.startswith("mirrored_")),
        )
        for one in lines
    )
    return Scene(premises, str(last["form"]), str(last["form2"]))


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("legend"), say("ask"))


TEXTS = Texts(
    {
        "legend": {
            "en": "Each form stands for a group; a group may have no members. A black arrow says: "
            "all members of the group at its tail are members of the group at its tip. A white "
            "arrow says: at least one of them is. A black arrow struck out in red says: none of "
            "them is. A white arrow struck out in red says: at least one of them is not.",
            "zh": "每种图形代表一个组；组里可以没有成员。黑色箭头表示：箭尾组的所有成员都是箭头所指"
            "组的成员。白色箭头表示：其中至少有一个是。被红线划掉的黑色箭头表示：其中没有一个是。"
            "被红线划掉的白色箭头表示：其中至少有一个不是。",
            "fr": "Chaque forme représente un groupe ; un groupe peut n'avoir aucun membre. Une "
            "flèche noire signifie : tous les membres du groupe d'où elle part sont membres du "
            "groupe vers lequel elle pointe. Une flèche blanche signifie : au moins un d'entre eux "
            "l'est. Une flèche noire barrée de rouge signifie : aucun d'entre eux ne l'est. Une "
            "flèche blanche barrée de rouge signifie : au moins un d'entre eux ne l'est pas.",
            "es": "Cada forma representa un grupo; un grupo puede no tener miembros. Una flecha "
            "negra significa: todos los miembros del grupo del que parte son miembros del grupo al "
            "que apunta. Una flecha blanca significa: al menos uno de ellos lo es. Una flecha "
            "negra tachada en rojo significa: ninguno de ellos lo es. Una flecha blanca tachada en "
            "rojo significa: al menos uno de ellos no lo es.",
            "pt": "Cada forma representa um grupo; um grupo pode não ter membros. Uma seta preta "
            "significa: todos os membros do grupo de onde ela parte são membros do grupo para o "
            "qual aponta. Uma seta branca significa: pelo menos um deles o é. Uma seta preta "
            "riscada de vermelho significa: nenhum deles o é. Uma seta branca riscada de vermelho "
            "significa: pelo menos um deles não o é.",
            "ko": "각 도형은 하나의 모둠을 나타내며, 구성원이 없는 모둠도 있을 수 있습니다. 검은 "
            "화살표는 화살표가 시작되는 모둠의 모든 구성원이 화살표가 가리키는 모둠의 구성원이라는 "
            "뜻입니다. 흰 화살표는 그중 적어도 하나가 그렇다는 뜻입니다. 빨간 선을 그은 검은 "
            "화살표는 그중 아무도 그렇지 않다는 뜻입니다. 빨간 선을 그은 흰 화살표는 그중 적어도 "
            "하나는 그렇지 않다는 뜻입니다.",
        },
        "ask": {
            "en": "What must be true of the two groups beside the question mark?",
            "zh": "关于问号两边的两个组，哪一项必定成立？",
            "fr": "Qu'est-ce qui est nécessairement vrai des deux groupes placés de part et "
            "d'autre du point d'interrogation ?",
            "es": "¿Qué es necesariamente cierto de los dos grupos situados a ambos lados del "
            "signo de interrogación?",
            "pt": "O que é necessariamente verdade sobre os dois grupos ao lado do ponto de "
            "interrogação?",
            "ko": "물음표 양쪽에 있는 두 모둠에 대해 반드시 참인 것은 무엇입니까?",
        },
        "all": {
            "en": "All members of group {form} are members of group {form2}.",
            "zh": "{form}组的所有成员都是{form2}组的成员。",
            "fr": "Tous les membres du groupe {form} sont membres du groupe {form2}.",
            "es": "Todos los miembros del grupo {form} son miembros del grupo {form2}.",
            "pt": "Todos os membros do grupo {form} são membros do grupo {form2}.",
            "ko": "{form} 모둠의 모든 구성원은 {form2} 모둠의 구성원입니다.",
        },
        "no": {
            "en": "No member of group {form} is a member of group {form2}.",
            "zh": "{form}组没有一个成员是{form2}组的成员。",
            "fr": "Aucun membre du groupe {form} n'est membre du groupe {form2}.",
            "es": "Ningún miembro del grupo {form} es miembro del grupo {form2}.",
            "pt": "Nenhum membro do grupo {form} é membro do grupo {form2}.",
            "ko": "{form} 모둠의 어떤 구성원도 {form2} 모둠의 구성원이 아닙니다.",
        },
        "some": {
            "en": "At least one member of group {form} is a member of group {form2}.",
            "zh": "{form}组至少有一个成员是{form2}组的成员。",
            "fr": "Au moins un membre du groupe {form} est membre du groupe {form2}.",
            "es": "Al menos un miembro del grupo {form} es miembro del grupo {form2}.",
            "pt": "Pelo menos um membro do grupo {form} é membro do grupo {form2}.",
            "ko": "{form} 모둠의 적어도 한 구성원은 {form2} 모둠의 구성원입니다.",
        },
        "some_not": {
            "en": "At least one member of group {form} is not a member of group {form2}.",
            "zh": "{form}组至少有一个成员不是{form2}组的成员。",
            "fr": "Au moins un membre du groupe {form} n'est pas membre du groupe {form2}.",
            "es": "Al menos un miembro del grupo {form} no es miembro del grupo {form2}.",
            "pt": "Pelo menos um membro do grupo {form} não é membro do grupo {form2}.",
            "ko": "{form} 모둠의 적어도 한 구성원은 {form2} 모둠의 구성원이 아닙니다.",
        },
        "mirrored_all": {
            "en": "Group {form2} includes all members of group {form}.",
            "zh": "{form2}组包含{form}组的所有成员。",
            "fr": "Le groupe {form2} comprend tous les membres du groupe {form}.",
            "es": "El grupo {form2} incluye a todos los miembros del grupo {form}.",
            "pt": "O grupo {form2} inclui todos os membros do grupo {form}.",
            "ko": "{form2} 모둠에는 {form} 모둠의 모든 구성원이 들어 있습니다.",
        },
        "mirrored_no": {
            "en": "Group {form2} includes no member of group {form}.",
            "zh": "{form2}组不包含{form}组的任何成员。",
            "fr": "Le groupe {form2} ne comprend aucun membre du groupe {form}.",
            "es": "El grupo {form2} no incluye a ningún miembro del grupo {form}.",
            "pt": "O grupo {form2} não inclui nenhum membro do grupo {form}.",
            "ko": "{form2} 모둠에는 {form} 모둠의 어떤 구성원도 들어 있지 않습니다.",
        },
        "mirrored_some": {
            "en": "Group {form2} includes at least one member of group {form}.",
            "zh": "{form2}组至少包含{form}组的一个成员。",
            "fr": "Le groupe {form2} comprend au moins un membre du groupe {form}.",
            "es": "El grupo {form2} incluye al menos a un miembro del grupo {form}.",
            "pt": "O grupo {form2} inclui pelo menos um membro do grupo {form}.",
            "ko": "{form2} 모둠에는 {form} 모둠의 구성원이 적어도 하나 들어 있습니다.",
        },
        "mirrored_some_not": {
            "en": "Group {form2} leaves out at least one member of group {form}.",
            "zh": "{form2}组中至少缺少{form}组的一个成员。",
            "fr": "Le groupe {form2} laisse de côté au moins un membre du groupe {form}.",
            "es": "El grupo {form2} deja fuera al menos a un miembro del grupo {form}.",
            "pt": "O grupo {form2} deixa de fora pelo menos um membro do grupo {form}.",
            "ko": "{form2} 모둠에는 {form} 모둠의 구성원 가운데 적어도 하나가 빠져 있습니다.",
        },
        "asked": {
            "en": "On the left of the question mark: {form}; on the right: {form2}.",
            "zh": "问号左边：{form}；右边：{form2}。",
            "fr": "À gauche du point d'interrogation : {form} ; à droite : {form2}.",
            "es": "A la izquierda del signo de interrogación: {form}; a la derecha: {form2}.",
            "pt": "À esquerda do ponto de interrogação: {form}; à direita: {form2}.",
            "ko": "물음표 왼쪽: {form}, 오른쪽: {form2}.",
        },
    },
    {},
)


register(
    Family(
        name="syllogisms",
        ability="Gf-RG",
        radicals={
            "premises": (2, 3),
            "conclusion": MOODS,
            "order": ("forward", "mixed"),
            "sides": ("same", "mixed"),
            "spare": (0, 1),
        },
        presets={
            "easy": {"premises": (2,), "spare": (0,), "sides": ("same",)},
            "medium": {"premises": (2, 3), "sides": ("mixed",), "spare": (0,)},
            "hard": {"premises": (3,), "order": ("mixed",), "sides": ("mixed",), "spare": (1,)},
        },
        extreme={"premises": (4, 5), "order": ("mixed",), "sides": ("mixed",), "spare": (1,)},
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda one: say(one.mood, form=one.subject, form2=one.predicate),
        texts=joined(COMMON, TEXTS),
        scene_type=Scene,
        content_type=Statement,
        options=(4,),
        seed_classes=4,
        m3gia=("syllogism problem",),
        origin="Aristotle's syllogisms; as a test, Woodworth and Sells (1935)",
        literature=(
            "Woodworth, R. S., & Sells, S. B. (1935). An atmosphere effect in formal syllogistic "
            "reasoning. Journal of Experimental Psychology, 18(4), 451-460.",
            "Johnson-Laird, P. N., & Steedman, M. (1978). The psychology of syllogisms. Cognitive "
            "Psychology, 10(1), 64-99.",
            "Khemlani, S., & Johnson-Laird, P. N. (2012). Theories of the syllogism: A "
            "meta-analysis. Psychological Bulletin, 138(3), 427-457.",
        ),
    )
)

"""Syllogisms about invented groups: what must hold between two of them?

Each form stands for a group. A black arrow means that all members of one group are members of
another, a white one that at least one is; struck out in red, they mean that none is, or that at
least one is not. Groups may be empty. Of the four statements about the first and the last group
exactly one follows.

The solver goes through models: sets of members, each of which belongs to some of the groups. Where
e premises claim that somebody exists, a statement that fails in any model fails in one with at most
e + 1 members: those that the premises claim, and one that the statement denies. So all models with
up to e + 1 members, no two alike, are enumerated. Valid conclusions agree with the atmosphere of
their premises (negative if one is, particular if one is): to guess by it is right in 57 % of the
extreme items, where premises that are not needed mislead it.

The moods are Aristotle's; Woodworth and Sells (1935) named the atmosphere effect, Johnson-Laird and
Steedman (1978) that of figure. The groups are invented, so that beliefs have no influence.
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
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import RGB, Canvas, Pixels
from gfactor.imaging.figures import Box, CellFigures, Sheet, draw_cell, draw_missing
from gfactor.imaging.measures.syllogisms import SIDE
from gfactor.items import ItemRandom

RED: RGB = (210, 0, 0)

MOODS = ("all", "no", "some", "some_not")


@dataclass(frozen=True)
class Statement:
    """A statement: all, no or some members of one group are, or some are not, members of
    another."""

    subject: str
    mood: str
    predicate: str


@dataclass(frozen=True)
class Premise:
    """A statement, and True if it is drawn with its subject on the right."""

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
    # Inclusions lead from the first term to a "no", or from a "some" to the first term; after that,
    # they lead from the last term to a negation, or from a "some" to the last term.
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
        draw_cell(canvas, CellFigures(left), row[0], 1)
        _draw_arrow(canvas, statement.mood, row[1], premise.mirrored)
        draw_cell(canvas, CellFigures(right), row[2], 1)
    draw_cell(canvas, CellFigures(scene.subject), last[0], 1)
    draw_missing(canvas, last[1])
    draw_cell(canvas, CellFigures(scene.predicate), last[2], 1)
    for option, box in zip(options, sheet.option_boxes, strict=True):
        _draw_arrow(canvas, option.mood, box, 0)
    return (canvas.pixels,)


def _draw_arrow(canvas: Canvas, mood: str, box: Box, mirrored: int) -> None:
    shade = "black" if mood in ("all", "no") else "white"
    draw_cell(canvas, CellFigures("arrow", shade=shade, turn=6 if mirrored else 2), box, 1)
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


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda one: say(one.mood, form=one.subject, form2=one.predicate),
        scene_type=Scene,
        content_type=Statement,
        options=(4,),
        seed_classes=4,
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

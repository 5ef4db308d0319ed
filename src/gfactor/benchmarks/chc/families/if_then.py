"""If-then rules with facts: which sign must have the color shown?

Every sign is black or white. An arrow says: if the sign at its tail has the color shown, the sign
at its tip has the color shown there. Facts show the colors of some signs. The solver goes through
every coloring of the signs and keeps those in which all arrows and facts hold: one of the four
options holds in all of them. Of two signs, each in both colors, one follows (by modus ponens, modus
tollens or a chain of them); the other seems to by a fallacy, from the consequent or from the denied
antecedent. At the extreme difficulty (three times modus tollens) an option that is not shown as it
is, only in the other color, is right in 41 % of the items, where a guess is right in 25 %.

Wason (1968) and Taplin (1971) introduced conditional reasoning tasks with affirmed and denied
antecedents and consequents. The rules are ours.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON, ShadedForm
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
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.figures import Box, CellFigures, Sheet, draw_cell
from gfactor.imaging.measures.if_then import ACROSS, SIDE
from gfactor.items import ItemRandom

COLORS = ("black", "white")


@dataclass(frozen=True)
class ConditionalRule:
    """A rule: if a sign has a color, another sign has a color."""

    given: ShadedForm
    then: ShadedForm


@dataclass(frozen=True)
class Scene:
    """Rules in reading order, and facts."""

    rules: tuple[ConditionalRule, ...]
    facts: tuple[ShadedForm, ...]


def _other(sign: ShadedForm) -> ShadedForm:
    return ShadedForm(sign.form, COLORS[1 - COLORS.index(sign.shade)])


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    length, tollens = int(levels["chain"]), int(levels["tollens"])
    forms = rng.shuffled(ATTRIBUTES["form"])
    signs = [ShadedForm(form, rng.choice(COLORS)) for form in forms[: length + 1]]
    chain = [ConditionalRule(a, b) for a, b in itertools.pairwise(signs)]
    backward = rng.sample(range(length), tollens)
    chain = [_contraposed(rule) if k in backward else rule for k, rule in enumerate(chain)]
    first, right = signs[0], signs[-1]
    lured, fallacy = _lure(rng, str(levels["fallacy"]), signs, forms[length + 1])
    spare = _spare(rng, int(levels["spare"]), signs, lured, forms[length + 2 :])
    rules = [*chain, fallacy, *spare]
    if levels["order"] == "mixed":
        rules = rng.shuffled(rules)
        positions = [rules.index(rule) for rule in chain]
        if length > 1 and positions == sorted(positions):
            raise MisdrawnError
    scene = Scene(tuple(rules), (first,))
    wrong = (
        Distractor(_other(right), "negation skipped"),
        Distractor(lured, f"{levels['fallacy']}: {_FALLACIES[str(levels['fallacy'])]}"),
        Distractor(_other(lured), "two errors"),
    )
    return Draft(scene, right, wrong, (length, tollens))


_FALLACIES = {"consequent": "a rule read backwards", "antecedent": "a denied condition"}


def _contraposed(rule: ConditionalRule) -> ConditionalRule:
    """Return the contraposition of a rule, which modus tollens follows."""
    return ConditionalRule(_other(rule.then), _other(rule.given))


def _lure(
    rng: ItemRandom, kind: str, signs: Sequence[ShadedForm], form: str
) -> tuple[ShadedForm, ConditionalRule]:
    """A sign that does not follow, and the rule by which it seems to."""
    premise = rng.choice(signs[:-1]) if len(signs) > 2 else signs[0]
    lured = ShadedForm(form, rng.choice(COLORS))
    if kind == "consequent":
        return lured, ConditionalRule(lured, premise)
    return lured, ConditionalRule(_other(premise), _other(lured))


def _spare(
    rng: ItemRandom,
    count: int,
    signs: Sequence[ShadedForm],
    lured: ShadedForm,
    forms: Sequence[str],
) -> list[ConditionalRule]:
    """Rules without effect, from a sign of unknown color to the lure or the right sign."""
    result = []
    for form in forms[:count]:
        then = rng.choice((lured, signs[-1])).form
        result.append(
            ConditionalRule(
                ShadedForm(form, rng.choice(COLORS)), ShadedForm(then, rng.choice(COLORS))
            )
        )
    if len(result) < count:
        raise MisdrawnError
    return result


def solve(scene: Scene, options: Sequence[ShadedForm]) -> Proof:
    """Return the options that are true in every coloring in which all rules and facts are true."""
    rules = [(r.given.form, r.given.shade, r.then.form, r.then.shade) for r in scene.rules]
    names = [sign.form for sign in scene.facts]
    names += [name for given, _, then, _ in rules for name in (given, then)]
    forms = list(dict.fromkeys(names))
    facts = {sign.form: sign.shade for sign in scene.facts}
    left, models, tried = list(options), 0, 0
    for colors in itertools.product(COLORS, repeat=len(forms)):
        tried += 1
        model = dict(zip(forms, colors, strict=True))
        if any(model[form] != shade for form, shade in facts.items()):
            continue
        if any(model[a] == x and model[b] != y for a, x, b, y in rules):
            continue
        models += 1
        left = [sign for sign in left if model.get(sign.form) == sign.shade]
    return Proof(tuple(left) if models else (), tried)


def sheet_for(rules: int, options: int) -> Sheet:
    """Return the layout: two rules in a row, each of three places with a gap between them; facts
    below."""
    return Sheet(-(-rules // ACROSS) + 1, 3 * ACROSS + 1, options, side=SIDE)


def places_of(sheet: Sheet, number: int) -> list[Box]:
    """Return the three places of a rule: condition, arrow, consequence."""
    row, column = divmod(number, ACROSS)
    return sheet.boxes[row][4 * column : 4 * column + 3]


def picture(scene: Scene, options: Sequence[ShadedForm]) -> tuple[Pixels, ...]:
    sheet = sheet_for(len(scene.rules), len(options))
    canvas = sheet.canvas(0)
    for number, rule in enumerate(scene.rules):
        given, arrow, then = places_of(sheet, number)
        _draw(canvas, rule.given, given)
        draw_cell(canvas, CellFigures("arrow", "medium", "dark", turn=2), arrow, 1)
        _draw(canvas, rule.then, then)
    for sign, box in zip(scene.facts, facts_of(sheet), strict=False):
        _draw(canvas, sign, box)
        x, y, far = box.x, box.y, box.side
        corners = [(x, y), (x + far, y), (x + far, y + far), (x, y + far)]
        canvas.polygon(corners, None, (0, 0, 0), 3)
    for sign, box in zip(options, sheet.option_boxes, strict=True):
        _draw(canvas, sign, box)
    return (canvas.pixels,)


def facts_of(sheet: Sheet) -> list[Box]:
    """Return the places of facts, framed in black."""
    return sheet.boxes[-1][3:4]


def _draw(canvas: Canvas, sign: ShadedForm, box: Box) -> None:
    draw_cell(canvas, CellFigures(sign.form, "large", sign.shade), box, 1)


def twin(scene: Scene) -> tuple[Say, ...]:
    rules = [
        say(
            "rule",
            definite=r.given.form, shade=r.given.shade, definite2=r.then.form, shade2=r.then.shade,
        )
        for r in scene.rules
    ]  # fmt: skip
    facts = [say("fact", definite=sign.form, shade=sign.shade) for sign in scene.facts]
    return (*rules, *facts)


def from_twin(says: Sequence[Say]) -> Scene:
    rules, facts = [], []
    for one in says:
        sign = ShadedForm(str(one["definite"]), str(one["shade"]))
        if one.template == "fact":
            facts.append(sign)
        else:
            rules.append(
                ConditionalRule(sign, ShadedForm(str(one["definite2"]), str(one["shade2"])))
            )
    return Scene(tuple(rules), tuple(facts))


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("begin"), say("ask"))


def fits(levels: Levels) -> bool:
    """Return True if no more rules are contraposed than the chain has, and there are at most five
    rules in all."""
    length = int(levels["chain"])
    return int(levels["tollens"]) <= length and length + int(levels["spare"]) <= 5


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda sign: say("sign", definite=sign.form, shade=sign.shade),
        scene_type=Scene,
        content_type=ShadedForm,
        options=(4,),
        fits=fits,
        seed_classes=4,
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)

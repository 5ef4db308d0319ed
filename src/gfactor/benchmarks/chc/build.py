"""From families to items: the plan of a generated battery, one part a family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.chc.family import (
    DIFFICULTIES,
    FAMILIES,
    AnswerKind,
    Draft,
    Family,
    Level,
    Levels,
    Proof,
)
from gfactor.benchmarks.chc.options import (
    TWINS,
    parse_answers,
    parse_count,
    parse_families,
    parse_radicals,
    parse_seed,
    parse_words,
)
from gfactor.benchmarks.chc.texts import LANGUAGES, say
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.imaging import encode_png
from gfactor.items import (
    Choice,
    Image,
    Item,
    ItemRandom,
    Part,
    Plan,
    Provenance,
    Segment,
    canonical_json,
    pixel_hash,
    text_hash,
)
from gfactor.items.schema import NUMBER, WORD

NAME = "chc"

VERSION = "1"
"""Version of the benchmark; raised whenever an item of some seed changes."""

ABOUT: Mapping[str, str] = {
    "name": NAME,
    "description": "Generated families of cognitive tests, each key proven by a solver.",
    "license": "Apache-2.0",
    "citation": (
        "Schneider, W. J., & McGrew, K. S. (2018). The Cattell-Horn-Carroll theory of cognitive "
        "abilities. In D. P. Flanagan & E. M. McDonough (Eds.), Contemporary intellectual "
        "assessment (4th ed., pp. 73-163). Guilford."
    ),
    "version": VERSION,
}

PER_CELL = 10
"""Items of each family and difficulty where nobody says."""

MOST_DRAWS = 400
"""How often an item is drawn before its cell counts as impossible."""

OPTIONS = (
    Option("seed", "0", "N", "Number that, with the rest, decides every item.", parse_seed),
    Option("families", "", "A,B", "Families, separated by commas; else all.", parse_families),
    Option(
        "difficulty",
        "",
        "|".join(DIFFICULTIES),
        "Presets of difficulty, separated by commas; else all three.",
        partial(parse_words, "difficulty", DIFFICULTIES),
    ),
    Option(
        "radicals",
        "",
        "NAME=LEVEL,...",
        "Levels of radicals instead of a preset; those not named take every level.",
        parse_radicals,
    ),
    Option("per_cell", str(PER_CELL), "N", "Items of each family and difficulty.", parse_count),
    Option(
        "language",
        "en",
        "|".join(LANGUAGES),
        "Languages, separated by commas; each item is made in every one.",
        partial(parse_words, "language", LANGUAGES),
    ),
    Option(
        "answers",
        "",
        "choice|open",
        "Only families with this kind of answer; else each family's usual one.",
        parse_answers,
    ),
    Option(
        "twin",
        "picture",
        "|".join(TWINS),
        "The picture, the same in words, or both.",
        lambda text: parse_words("twin", TWINS, text)[0],
    ),
)

_SEED_LIMIT = 2**63
"""Seeds are stored as 64-bit integers."""


@dataclass(frozen=True)
class Request:
    """What is wanted of every family: see `plan`."""

    seed: int
    cells: tuple[tuple[str, Mapping[str, Sequence[Level]]], ...]
    per_cell: int
    language: tuple[str, ...]
    answers: AnswerKind
    twin: str
    options: int
    edition: str = ""


@dataclass(frozen=True)
class Draw:
    """An item before it is put into a language: its draft, proof, options in the order shown."""

    draft: Draft[Any]
    levels: Levels
    proof: Proof
    options: tuple[Any, ...]
    errors: tuple[str, ...]
    key: int
    draws: int

    @property
    def record(self) -> dict[str, Any]:
        """What provenance keeps of it."""
        return {
            "scene": self.draft.scene,
            "answer": self.draft.answer,
            "options": self.options,
            "errors": self.errors,
            "design": self.draft.design,
            "levels": self.levels,
            "proof": {"answers": len(self.proof.answers), "hypotheses": self.proof.hypotheses},
            "draws": self.draws,
        }


def plan(
    seed: int = 0,
    families: Sequence[str] | None = None,
    difficulty: Sequence[str] = (),
    radicals: Mapping[str, Level] | None = None,
    per_cell: int = PER_CELL,
    language: Sequence[str] | str = ("en",),
    answers: str = "",
    twin: str = "picture",
) -> Plan:
    """The plan of a bank: items ordered by family, difficulty, instance and language.

    Parameters
    ----------
    seed: 0 or more. Items of different seeds have nothing in common.
    families: names; every registered family where None or empty.
    difficulty: presets (`easy`, `medium`, `hard`); all three where empty.
    radicals: radical -> level, instead of presets. Families without one of them are left out,
        unless they were named, which is an error.
    per_cell: items of each family and difficulty.
    language: tags of `LANGUAGES`; the same scenes are put into each.
    answers: `choice` or `open`; "" for each family's usual kind. Families without that kind are
        left out, unless they were named, which is an error.
    twin: `picture`, `text` (the same in words, without a picture) or `both`.

    Raises ParameterError or UnknownNameError (with the closest name) before any work.
    """
    language = (language,) if isinstance(language, str) else tuple(dict.fromkeys(language))
    _check(seed, difficulty, radicals, per_cell, language, answers, twin)
    wanted = _wanted(families, radicals or {}, answers)
    shared = {
        "seed": seed,
        "difficulty": list(difficulty) if difficulty or radicals else list(DIFFICULTIES),
        "radicals": dict(radicals or {}),
        "per_cell": per_cell,
        "language": list(language),
        "answers": answers,
        "twin": twin,
    }
    about = {"benchmark": NAME, "version": VERSION}
    parts = []
    for family in wanted:
        request = Request(
            seed=seed,
            cells=_cells(family, difficulty, radicals or {}),
            per_cell=per_cell,
            language=language,
            answers=answers or family.answer_types[0],  # pyright: ignore[reportArgumentType]
            twin=twin,
            options=family.options[0] if family.options else 0,
        )
        parameters = {**about, "family": family.name, "family_version": family.version, **shared}
        parts.append(Part(family.name, parameters, partial(make_items, family.name, request)))
    return Plan(
        parts=parts,
        labels=label_columns(wanted),
        metadata={**about, **shared, "families": [family.name for family in wanted]},
        about=ABOUT,
    )


def _check(
    seed: int,
    difficulty: Sequence[str],
    radicals: Mapping[str, Level] | None,
    per_cell: int,
    language: Sequence[str],
    answers: str,
    twin: str,
) -> None:
    if not 0 <= seed < _SEED_LIMIT:
        raise ParameterError(f"seed must be a whole number from 0 to 2^63 - 1, not {seed}")
    if per_cell < 1:
        raise ParameterError(f"per_cell must be 1 or more, not {per_cell}")
    if difficulty and radicals:
        raise ParameterError("give difficulty or radicals, not both: a preset is a set of levels")
    for what, values, known in (
        ("difficulty", difficulty, DIFFICULTIES),
        ("language", language, LANGUAGES),
        ("twin", (twin,), TWINS),
        ("kind of answers", (answers,) if answers else (), ("choice", "open")),
    ):
        for value in values:
            if value not in known:
                raise UnknownNameError(what, value, known)
    if not language:
        raise ParameterError(f"language: name one or more of {', '.join(LANGUAGES)}")


def _wanted(
    names: Sequence[str] | None, radicals: Mapping[str, Level], answers: str
) -> list[Family[Any]]:
    """The families to build; those that were not named and do not fit are left out."""
    wanted = []
    for name in sorted({FAMILIES[name].name for name in names or FAMILIES}):
        family = FAMILIES[name]
        flaw = _misfit(family, radicals, answers)
        if flaw and names:
            raise ParameterError(flaw)
        if not flaw:
            wanted.append(family)
    if not wanted:
        given = ", ".join([*(f"{k}={v}" for k, v in radicals.items()), answers]).strip(", ")
        raise ParameterError(f"no family can be built with {given}; see gfactor list families")
    return wanted


def _misfit(family: Family[Any], radicals: Mapping[str, Level], answers: str) -> str:
    if answers and answers not in family.answer_types:
        return f"family {family.name!r} has no {answers} answers; leave it or --answers out"
    for name, level in radicals.items():
        if name not in family.radicals:
            known = ", ".join(family.radicals)
            return f"family {family.name!r} has no radical {name!r}; it has {known}"
        if level not in family.radicals[name]:
            known = ", ".join(map(str, family.radicals[name]))
            return f"radical {name!r} of {family.name!r} has no level {level!r}; it has {known}"
    if not family.cells({name: (level,) for name, level in radicals.items()}):
        given = ", ".join(f"{k}={v}" for k, v in radicals.items())
        return f"family {family.name!r} cannot be drawn with {given}"
    return ""


def _cells(
    family: Family[Any], difficulty: Sequence[str], radicals: Mapping[str, Level]
) -> tuple[tuple[str, Mapping[str, Sequence[Level]]], ...]:
    if radicals:
        return (("set", {name: (level,) for name, level in sorted(radicals.items())}),)
    return tuple((d, family.presets[d]) for d in DIFFICULTIES if not difficulty or d in difficulty)


def label_columns(families: Sequence[Family[Any]]) -> dict[str, Any]:
    """The labels of a bank of these families with their types."""
    words = ("domain", "family", "ability", "difficulty", "language", "twin", "answers")
    columns = dict.fromkeys(words, WORD)
    for family in families:
        for name, levels in family.radicals.items():
            kind = NUMBER if isinstance(levels[0], int) else WORD
            if columns.setdefault(f"radical.{name}", kind) != kind:
                raise ParameterError(
                    f"radical {name!r} of {family.name!r} is a {'number' if kind is NUMBER else 'word'} "
                    "here and not in another family; one of the two needs another name"
                )
    return columns


def make_items(name: str, request: Request) -> Iterator[Item]:
    """The items of one family, by difficulty, instance and language; no scene comes twice."""
    # Pictures are small and processes are many: threads inside OpenCV would only compete.
    cv2.setNumThreads(1)
    family = FAMILIES[name]
    seen: set[str] = set()
    for label, allowed in request.cells:
        for index in range(request.per_cell):
            drawn = draw(family, request, label, allowed, index, seen)
            yield from _in_languages(family, request, label, index, drawn)


def draw(
    family: Family[Any],
    request: Request,
    label: str,
    allowed: Mapping[str, Sequence[Level]],
    index: int,
    seen: set[str],
) -> Draw:
    """A scene with one answer and one option that is it, drawn until there is one.

    `seen` holds hashes of scenes that must not come again; the new one is added.

    Raises GfactorError where `MOST_DRAWS` scenes were no items.
    """
    cell = {
        "benchmark": NAME,
        "version": family.version,
        "family": family.name,
        "seed": request.seed,
        "cell": label if label != "set" else canonical_json(dict(allowed)),
    }
    dealer = ItemRandom({**cell, "stream": "design"}, index)
    levels = dealer.deal(family.cells(allowed))
    place = dealer.deal(range(request.options)) if request.options else 0
    for attempt in range(MOST_DRAWS):
        rng = ItemRandom({**cell, "stream": "scene"}, index, attempt)
        draft = family.draw(rng, levels, request.options)
        made = _item_of(family, draft, levels, place, attempt + 1, rng)
        if made is None:
            continue
        identity = text_hash(canonical_json(draft.scene if draft.scene is not None else made.options))
        if identity not in seen:
            seen.add(identity)
            return made
    given = ", ".join(f"{name}={level}" for name, level in levels.items())
    raise GfactorError(
        f"family {family.name!r} with {given}: none of {MOST_DRAWS} scenes had one answer (or all "
        "of them were drawn before); ask for fewer items or other levels"
    )


def _item_of(
    family: Family[Any], draft: Draft[Any], levels: Levels, place: int, draws: int, rng: ItemRandom
) -> Draw | None:
    """The draft with its proof; None where another answer fits, or two options are alike."""
    options: tuple[Any, ...] = ()
    errors: tuple[str, ...] = ()
    if family.options:
        wrong = rng.shuffled(draft.distractors)
        options = tuple(d.content for d in wrong[:place])
        options += (draft.answer, *(d.content for d in wrong[place:]))
        errors = (*(d.error for d in wrong[:place]), "", *(d.error for d in wrong[place:]))
        if len({canonical_json(option) for option in options}) < len(options):
            return None
    proof = family.solve(draft.scene, options)
    if len(proof.answers) != 1:
        return None
    if proof.answers[0] != draft.answer:
        raise GfactorError(
            f"family {family.name!r}: its solver finds {proof.answers[0]!r} where "
            f"{draft.answer!r} was meant; this is a defect of the family"
        )
    return Draw(draft, levels, proof, options, errors, place, draws)


def _in_languages(
    family: Family[Any], request: Request, label: str, index: int, drawn: Draw
) -> Iterator[Item]:
    shown = drawn.options if request.answers == "choice" else ()
    stem = f"{family.name}-{label}-{index:03d}"
    pictures = family.picture(drawn.draft.scene, shown) if request.twin != "text" else ()
    images = tuple(
        Image(encode_png(pixels), f"{stem}-{number}.png")
        for number, pixels in enumerate(pictures, 1)
    )
    hashes = tuple(pixel_hash(pixels) for pixels in pictures)
    record = drawn.record
    for language in request.language:
        content, choices = _written(family, request, drawn, images, language)
        form = family.output_format if request.answers == "open" else None
        target = chr(ord("A") + drawn.key) if form is None else family.answer(drawn.draft.answer)
        identity = {
            "benchmark": NAME, "version": family.version, "family": family.name,
            "language": language, "twin": request.twin, "answers": request.answers,
            "scene": record["scene"], "options": shown,
        }  # fmt: skip
        yield Item(
            id=stem if len(request.language) == 1 else f"{stem}-{language}",
            benchmark=NAME,
            content=content,
            answer_type="choice" if form is None else form.answer_type,
            target=target,
            choices=choices,
            language=language,
            labels={
                "domain": family.name,
                "family": family.name,
                "ability": family.ability,
                "difficulty": label,
                "language": language,
                "twin": request.twin,
                "answers": request.answers,
                **{f"radical.{name}": level for name, level in drawn.levels.items()},
            },
            output_format=form,
            provenance=Provenance(
                source=f"gfactor {NAME}",
                version=family.version,
                edition=request.edition,
                seed=request.seed,
                index=index,
                scene=canonical_json(record),
                content_hash=text_hash(canonical_json(identity)),
                pixel_hashes=hashes,
            ),
        )


def _written(
    family: Family[Any],
    request: Request,
    drawn: Draw,
    images: Sequence[Image],
    language: str,
) -> tuple[tuple[Segment, ...], tuple[Choice, ...]]:
    """Content and choices in a language.

    Options that are drawn are letters alone; those of a text twin are listed.
    """
    texts, scene = family.texts, drawn.draft.scene
    asked = [texts.write(one, language) for one in family.question(scene)]
    if request.answers == "open":
        asked.append(texts.write(say("answer_line"), language))
    labels = [chr(ord("A") + k) for k in range(len(drawn.options))]
    listed = [""] * len(labels)
    if request.answers == "open":
        labels = []
    elif request.twin != "picture" and family.option is not None:
        listed = [texts.write(family.option(option), language) for option in drawn.options]
    lines = [texts.write(one, language) for one in family.twin(scene)]
    content: list[Segment] = ["\n".join(asked), *images]
    if request.twin == "both":
        lines += [f"{label}. {text}" for label, text in zip(labels, listed, strict=False)]
        lines.insert(0, texts.write(say("in_words"), language))
        listed = [""] * len(labels)
    if request.twin != "picture" and lines:
        content.append("\n".join(lines))
    choices = tuple(map(Choice, labels, listed))
    return tuple(content), choices

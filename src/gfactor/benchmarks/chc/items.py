"""From a family to items: scenes are drawn and proven, then written in languages."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import cv2

from gfactor.benchmarks.chc.family import (
    FAMILIES,
    AnswerKind,
    Draft,
    Family,
    Level,
    Levels,
    MisdrawnError,
    Proof,
    Turn,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.errors import GfactorError, ParameterError
from gfactor.imaging import encode_png
from gfactor.items import (
    Answer,
    Choice,
    Image,
    Item,
    ItemRandom,
    OutputFormat,
    Provenance,
    Segment,
    canonical_json,
    pixel_hash,
    text_hash,
)

NAME = "chc"

_SCENE_DIGITS = 16
"""Digits of a scene's hash in the label that joins an item and its twin."""

MOST_DRAWS = 400
"""Number of draws of an item after which its cell counts as impossible."""


@dataclass(frozen=True)
class BatteryRequest:
    """Request for items of every family; see `plan`."""

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
    """An item before it is written in a language: its draft, its proof, and the options in the
    order shown."""

    draft: Draft[Any]
    levels: Levels
    proof: Proof
    options: tuple[Any, ...]
    errors: tuple[str, ...]
    key: int
    draws: int

    @property
    def record(self) -> dict[str, Any]:
        """Return the record of the draw for the item's provenance."""
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


def make_items(
    name: str, request: BatteryRequest, numbers: Container[int] | None = None
) -> Iterator[Item]:
    """Return the items of one family, by difficulty, instance and language; no scene occurs twice.

    `numbers` selects the items to make, all if None; they are numbered by instance, then by
    difficulty. The scenes of the others are drawn, too, so that no scene occurs twice.
    """
    # With small pictures and many processes, threads inside OpenCV would only compete.
    cv2.setNumThreads(1)
    return items_of(FAMILIES[name], request, numbers)


def items_of(
    family: Family[Any], request: BatteryRequest, numbers: Container[int] | None = None
) -> Iterator[Item]:
    """Yield `make_items` for a family that need not be registered."""
    seen: set[str] = set()
    for position, (label, allowed) in enumerate(request.cells):
        for index in range(request.per_cell):
            drawn = draw(family, request, label, allowed, index, seen)
            if numbers is not None and index * len(request.cells) + position not in numbers:
                continue
            for form in ("picture", "text") if request.twin == "both" else (request.twin,):
                one = replace(request, twin=form)
                paired = request.twin == "both"
                yield from _in_languages(family, one, label, index, drawn, paired=paired)


def draw(
    family: Family[Any],
    request: BatteryRequest,
    label: str,
    allowed: Mapping[str, Sequence[Level]],
    index: int,
    seen: set[str],
) -> Draw:
    """Draw scenes until one has exactly one answer, to which exactly one option corresponds, and
    return it.

    `seen` holds hashes of scenes that must not occur again; the new one is added.

    Raises ParameterError if `MOST_DRAWS` scenes gave no item.
    """
    cell = {
        "benchmark": NAME,
        "version": family.version,
        "family": family.name,
        "seed": request.seed,
        "cell": label if label != "set" else canonical_json(dict(allowed)),
    }
    balance = ItemRandom({**cell, "stream": "design"}, index, reshuffled=True)
    levels = balance.balanced(family.cells(allowed))
    position = balance.balanced(range(request.options)) if request.options else 0
    for attempt in range(MOST_DRAWS * family.seed_classes):
        rng = ItemRandom({**cell, "stream": "scene"}, index, attempt, reshuffled=True)
        try:
            draft = family.draw(rng, levels, request.options)
        except MisdrawnError:
            continue
        identity = text_hash(canonical_json([draft.scene, draft.answer]))
        others = (int(identity[:8], 16) - request.seed) % family.seed_classes
        if others or identity in seen:
            continue
        if len(draft.distractors) != max(0, request.options - 1):
            continue
        built = _item_of(family, draft, levels, position, attempt + 1, rng)
        if built is not None:
            seen.add(identity)
            return built
    given = ", ".join(f"{name}={level}" for name, level in levels.items())
    raise ParameterError(
        f"family {family.name!r} with {given}: none of {MOST_DRAWS} scenes had one answer (or all "
        "of them were drawn before); ask for fewer items or other levels"
    )


def _item_of(
    family: Family[Any],
    draft: Draft[Any],
    levels: Levels,
    position: int,
    draws: int,
    rng: ItemRandom,
) -> Draw | None:
    """The draft with its proof; None if another answer fits, or two options are alike."""
    options: tuple[Any, ...] = ()
    errors: tuple[str, ...] = ()
    if family.options:
        wrong = rng.shuffled(draft.distractors)
        options = tuple(d.content for d in wrong[:position])
        options += (draft.answer, *(d.content for d in wrong[position:]))
        errors = (*(d.error for d in wrong[:position]), "", *(d.error for d in wrong[position:]))
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
    return Draw(draft, levels, proof, options, errors, position, draws)


def _in_languages(
    family: Family[Any],
    request: BatteryRequest,
    label: str,
    index: int,
    drawn: Draw,
    *,
    paired: bool = False,
) -> Iterator[Item]:
    displayed = drawn.options if request.answers == "choice" else ()
    stem = f"{family.name}-{label}-{index:03d}"
    turns = _turns(family, drawn, displayed)
    pictures = [p for turn in turns for p in turn.pictures] if request.twin != "text" else []
    images = [
        Image(encode_png(pixels), f"{stem}-{number}.png")
        for number, pixels in enumerate(pictures, 1)
    ]
    hashes = tuple(pixel_hash(pixels) for pixels in pictures)
    form, target = _target(family, request, drawn, turns)
    scene, record = drawn.draft.scene, canonical_json(drawn.record)
    joins = {"scene": text_hash(record)[:_SCENE_DIGITS]} if paired else {}
    ending = "-text" if paired and request.twin == "text" else ""
    for language in request.language:
        written = _DrawnWording(family, request, drawn, language)
        content, starts = written.content(turns, iter(images))
        identity = {
            "benchmark": NAME,
            "version": family.version,
            "family": family.name,
            "language": language,
            "twin": request.twin,
            "answers": request.answers,
            "scene": scene,
            "options": displayed,
        }
        yield Item(
            id=(stem if len(request.language) == 1 else f"{stem}-{language}") + ending,
            benchmark=NAME,
            content=content,
            turns=starts,
            answer_type="choice" if form is None else form.answer_type,
            target=target,
            choices=written.choices(),
            language=language,
            labels={
                "domain": family.name,
                "family": family.name,
                "ability": family.ability,
                "difficulty": label,
                "language": language,
                "twin": request.twin,
                "answers": request.answers,
                **joins,
                **{f"radical.{name}": level for name, level in drawn.levels.items()},
            },
            output_format=form,
            provenance=Provenance(
                source=f"gfactor {NAME}",
                version=family.version,
                edition=request.edition,
                seed=request.seed,
                index=index,
                scene=record,
                content_hash=text_hash(canonical_json(identity)),
                pixel_hashes=hashes,
            ),
        )


def _turns(family: Family[Any], drawn: Draw, displayed: Sequence[Any]) -> tuple[Turn, ...]:
    """The turns of a conversation; any other item is one turn."""
    scene = drawn.draft.scene
    if family.turns is not None:
        return family.turns(scene)
    return (Turn(family.picture(scene, displayed), family.question(scene), family.twin(scene)),)


def _target(
    family: Family[Any], request: BatteryRequest, drawn: Draw, turns: Sequence[Turn]
) -> tuple[OutputFormat | None, Answer]:
    """The output format and the right answer."""
    if request.answers == "choice":
        return None, chr(ord("A") + drawn.key)
    form = family.output_format
    if form is None:
        raise ValueError(f"family {family.name!r} has no output format for {request.answers}")
    if family.turns is None:
        return form, family.answer(drawn.draft.answer)
    keys = tuple(turn.key for turn in turns if turn.key is not None)
    if keys != drawn.draft.answer or any(turn.key is None for turn in turns[-len(keys) :]):
        raise ValueError(
            f"family {family.name!r}: the keys of the last turns differ from the answer"
        )
    return replace(form, length=len(keys)), keys


@dataclass(frozen=True)
class _DrawnWording:
    """The wording of an item in a language: pictures, words or both."""

    family: Family[Any]
    request: BatteryRequest
    drawn: Draw
    language: str

    def content(
        self, turns: Sequence[Turn], images: Iterator[Image]
    ) -> tuple[tuple[Segment, ...], tuple[int, ...]]:
        """The texts and images, and where the second and later turns begin among them."""
        content: list[Segment] = []
        starts = []
        for number, turn in enumerate(turns):
            if number:
                starts.append(len(content))
            content += self._turn(turn, images)
        return tuple(content), tuple(starts)

    def _turn(self, turn: Turn, images: Iterator[Image]) -> Iterator[Segment]:
        lines = self._lines(turn.says)
        if turn.key is not None or self.request.answers == "open":
            lines += self._lines((say("answer_line"),))
        yield "\n".join(lines)
        if self.request.twin != "text":
            yield from islice(images, len(turn.pictures))
        words = self._lines([line for line in turn.twin if line not in turn.says])
        if self.request.twin == "together":
            words += [f"{letter}. {text}" for letter, text in self._options()]
            words = self._lines((say("in_words"),)) + words if words else []
        if self.request.twin != "picture" and words:
            yield "\n".join(words)

    def choices(self) -> tuple[Choice, ...]:
        """The options: letters alone if they are in a picture, otherwise a list."""
        listed = self.request.twin == "text"
        return tuple(Choice(letter, text if listed else "") for letter, text in self._options())

    def _options(self) -> list[tuple[str, str]]:
        put, options = self.family.option, self.drawn.options
        if self.request.answers != "choice":
            return []
        texts = [""] * len(options) if put is None else self._lines([put(o) for o in options])
        return [(chr(ord("A") + k), text) for k, text in enumerate(texts)]

    def _lines(self, says: Sequence[Say]) -> list[str]:
        return [self.family.texts.write(one, self.language) for one in says]

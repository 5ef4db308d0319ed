"""Family of generated items: a frozen value that one file registers.

A family draws a *scene* (a frozen dataclass of integers and words with everything that is shown)
with its right answer and distractors; picture, text twin and question are functions of the scene.
Its solver does not know how the scene was drawn: it searches the paradigm's grammar and returns the
answers that fit and the number of hypotheses tried. `build` draws again until exactly one answer
fits and exactly one option is this answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from gfactor.benchmarks.chc.radicals import DrawnLevels
from gfactor.benchmarks.texts import LANGUAGES, Say, Texts, say
from gfactor.imaging import Pixels
from gfactor.items import Answer, ItemRandom, OutputFormat
from gfactor.registry import Registry

S = TypeVar("S")

Level: TypeAlias = int | str
"""A level of a radical."""

Levels: TypeAlias = Mapping[str, Level]
"""One level of each radical: the design cell's point."""

AnswerKind = Literal["choice", "open", "turns"]
"""`turns`: a conversation in which each of the last turns is answered."""
Difficulty = Literal["easy", "medium", "hard"]

DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
"""Difficulties that every family has, and the default of banks."""

EXTREME = "extreme"
"""The difficulty of levels beyond those of `hard`, which an ideal observer still answers. It names
the design: how hard such items are for people and models is not measured."""

ABILITIES: Mapping[str, str] = {
    "Gf-I": "induction",
    "Gf-RG": "general sequential (deductive) reasoning",
    "Gf-RQ": "quantitative reasoning",
    "Gv-VZ": "visualization",
    "Gv-SR": "speeded rotation, spatial relations",
    "Gv-CF": "flexibility of closure",
    "Gv-CS": "closure speed",
    "Gv-SS": "spatial scanning",
    "Gv-MV": "visual memory",
    "Gwm": "working memory capacity",
    "Gl": "learning efficiency",
    "Gs": "processing speed",
    "EF": "executive functions: shifting and planning",
}
"""Codes of the abilities with their names (Schneider & McGrew 2018; EF is not in CHC)."""

BROAD_ABILITIES: Mapping[str, str] = {
    "Gf": "reasoning",
    "Gv": "visual-spatial processing",
    "Gwm": "working memory",
    "Gl": "learning",
    "Gs": "processing speed",
    "EF": "executive functions",
}
"""Codes of the broad abilities with their names."""


def broad_ability(code: str) -> str:
    """Return the broad ability of a code of `ABILITIES`: "Gf" of "Gf-I"."""
    return code.split("-", maxsplit=1)[0]


@dataclass(frozen=True)
class Distractor:
    """A wrong option and the error that leads to it ("repetition", "off by one")."""

    content: Any
    error: str


@dataclass(frozen=True)
class Draft(Generic[S]):
    """Item that a family draws.

    Parameters
    ----------
    scene: everything that is shown besides the options.
    answer: the right answer, of the kind that options are (a figure, a number, a word).
    distractors: wrong options, each with its error; none if the answer is open.
    design: the rules by which the scene was made, for provenance: integers, words, lists of them.
    """

    scene: S
    answer: Any
    distractors: tuple[Distractor, ...] = ()
    design: Any = ()


class MisdrawnError(Exception):
    """Error of a family's `draw` if its random numbers make no item, so that others are drawn."""


@dataclass(frozen=True)
class Proof:
    """Result of a solver.

    Parameters
    ----------
    answers: every answer that fits, each once. An item needs exactly one.
    hypotheses: number of hypotheses (rule sets, programs, paths, assignments) that were tried.
    """

    answers: tuple[Any, ...]
    hypotheses: int


@dataclass(frozen=True)
class Turn:
    """A turn of a conversation: its pictures and texts, and the right reply.

    Parameters
    ----------
    pictures: shown in this turn, after the words.
    says: sentences of this turn.
    twin: the pictures in words.
    key: the right reply to this turn; None for a turn that asks nothing.
    """

    pictures: tuple[Pixels, ...]
    says: tuple[Say, ...] = ()
    twin: tuple[Say, ...] = ()
    key: str | int | None = None


@dataclass(frozen=True)
class Family(Generic[S]):
    """A family of generated items: the algorithm, and the declarations that `family_files.declared`
    reads.

    Parameters
    ----------
    name: small letters, digits and underscores.
    ability: one of `ABILITIES`.
    radicals: name -> its levels, all whole numbers or all words, from easy to hard where they are
        ordered; at least four. A name means the same in every family.
    presets: difficulty -> radical -> levels; radicals left out have every level. draw: (generator,
    one level per radical, number of options) -> draft.
    solve: (scene, options as shown or ()) -> proof; it does not know the draft. picture: (scene,
    options as shown or ()) -> pictures, height x width x 3, RGB.
    twin: scene -> the scene in lines; a template each.
    from_twin: lines -> scene; the inverse of `twin`.
    texts: templates and words.
    scene_type: the dataclass `S`.
    origin: source of the paradigm; pages that show it state that the items are new.
    literature: references.
    question: scene -> the sentences that ask; by default the template "ask".
    option: content of an option -> its line in the text twin.
    answer_types: possible types; the first is the default.
    options: possible numbers of options of a choice; the first is the usual number.
    content_type: the type of options' contents, if it is not a number or a word.
    output_format: format of open answers, or of the reply to one turn; None if there are none.
    answer: content -> the answer as the output format has it.
    mm_iq, m3gia: types of these benchmarks that the family parallels.
    unobserved: reason why no observer answers from the pixels, "" if one does. fits: function that
    returns True if a combination of levels can be drawn. seed_classes: number of parts into which
    the family's scenes are divided among seeds. If a preset has
        few scenes, seeds that differ modulo this number share none; 1 if scenes abound.
    extreme: radical -> levels of the difficulty `extreme`, which may lie beyond those of
        `radicals`, so that the items of the other difficulties do not change; none if there is no
        such difficulty.
    turns: scene -> the turns of a conversation; None for an item of one turn. The turns with keys
        are the last ones; `draft.answer` is the tuple of their keys.
    version: raised whenever an item of some seed changes.
    """

    name: str
    ability: str
    radicals: Mapping[str, tuple[Level, ...]]
    presets: Mapping[Difficulty, Mapping[str, tuple[Level, ...]]]
    draw: Callable[[ItemRandom, Levels, int], Draft[S]]
    solve: Callable[[S, Sequence[Any]], Proof]
    picture: Callable[[S, Sequence[Any]], tuple[Pixels, ...]]
    twin: Callable[[S], tuple[Say, ...]]
    from_twin: Callable[[Sequence[Say]], S]
    texts: Texts
    scene_type: type[S]
    origin: str
    literature: tuple[str, ...]
    question: Callable[[S], tuple[Say, ...]] = field(default=lambda _: (say("ask"),))
    option: Callable[[Any], Say] | None = None
    answer_types: tuple[AnswerKind, ...] = ("choice",)
    options: tuple[int, ...] = ()
    content_type: Any = None
    output_format: OutputFormat | None = None
    answer: Callable[[Any], Answer] = field(default=lambda content: content)
    mm_iq: tuple[str, ...] = ()
    m3gia: tuple[str, ...] = ()
    unobserved: str = ""
    fits: Callable[[Levels], bool] = field(default=lambda _: True)
    seed_classes: int = 1
    extreme: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    turns: Callable[[S], tuple[Turn, ...]] | None = None
    version: str = "1"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its sentences."""
        return LANGUAGES

    @property
    def broad(self) -> str:
        """The broad ability: "Gf" of "Gf-I"."""
        return broad_ability(self.ability)

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The names of its difficulties, from the easiest."""
        return (*DIFFICULTIES, *([EXTREME] if self.extreme else []))

    def preset(self, difficulty: str) -> Mapping[str, tuple[Level, ...]]:
        """Return the levels of one of its difficulties."""
        named: Mapping[str, Mapping[str, tuple[Level, ...]]] = {**self.presets}
        return {**named, EXTREME: self.extreme}[difficulty]

    def levels_of(self, radical: str) -> tuple[Level, ...]:
        """Return all levels of a radical: the usual ones, then those that only the preset `extreme`
        uses."""
        usual = self.radicals.get(radical, ())
        return (*usual, *(one for one in self.extreme.get(radical, ()) if one not in usual))

    def cells(self, allowed: Mapping[str, Sequence[Level]]) -> list[Levels]:
        """Return every combination of levels that can be drawn, with some radicals restricted."""
        names = list(self.radicals)
        choices = [allowed.get(name, self.radicals[name]) for name in names]
        combinations = (
            DrawnLevels(zip(names, c, strict=True)) for c in itertools.product(*choices)
        )
        return [levels for levels in combinations if self.fits(levels)]

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of `gfactor list families --json`."""
        return {
            "family": self.name,
            "ability": self.ability,
            "radicals": {name: list(levels) for name, levels in self.radicals.items()},
            "difficulties": list(self.difficulties),
            "answer_types": list(self.answer_types),
            "languages": list(self.languages),
            "mm_iq": list(self.mm_iq),
            "m3gia": list(self.m3gia),
            "origin": self.origin,
        }


FAMILIES: Registry[Family[Any]] = Registry(
    "chc family", home="gfactor.benchmarks.chc.families", group="gfactor.chc"
)


def register(family: Family[S]) -> Family[S]:
    """Register a family under its name; the last line of every family's file."""
    return FAMILIES.add(family.name, family)

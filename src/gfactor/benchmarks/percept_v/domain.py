"""Domain of Percept-V, and the registry of domains.

A domain is one file in `domains/`: a typed scene, a pure function from a keyed generator and a
size to a scene, the drawing of a scene, the answer as a function of the scene, its legibility, the
prompt in three parts, the output format and the skills. To add a 31st, copy one of the files.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args

from gfactor.imaging import RGB, Pixels
from gfactor.items import Answer, ItemRandom, OutputFormat
from gfactor.registry import Registry

if TYPE_CHECKING:
    from gfactor.benchmarks.percept_v.twins import Twin

Edition = Literal["audited", "paper"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)

Skill = Literal[
    "Visual Attention",
    "Visual Discrimination",
    "Visual Memory",
    "Visual Spatial Relationships",
    "Visual Sequential Memory",
    "Visual Figure Ground",
    "Visual Form Constancy",
    "Visual Closure",
]
"""The skills of TVPS-4 as Percept-V names them (paper, table 1)."""

SKILLS: tuple[Skill, ...] = get_args(Skill)
SIZES = range(1, 21)
INSTANCES = 10
PAPER_VERSION = "1"
"""Version of the paper edition's items."""

S = TypeVar("S")


@dataclass(frozen=True)
class Prompt:
    """The three parts of a prompt, each a tuple of sentences (paper, section "Experiments").

    Parameters
    ----------
    input : list of str
        Sentences that describe the picture.
    rules : list of str
        Sentences with the question and its rules.
    output : list of str
        Sentences about the form of the answer.
    people : list of str
        Sentences of `output` that people read too; their fields show the rest.

    Examples
    --------
    >>> from gfactor.benchmarks.percept_v import Prompt
    >>> print(Prompt(("A picture.",), ("Count the circles.",), ("Write COUNT:number.",)).text())
    - A picture.
    - Count the circles.
    - Write COUNT:number.
    """

    input: tuple[str, ...]
    rules: tuple[str, ...]
    output: tuple[str, ...]
    people: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the prompt as it is sent: one sentence per line, each after a dash."""
        return "\n".join(f"- {s}" for s in (*self.input, *self.rules, *self.output))


@dataclass(frozen=True)
class Legibility:
    """Sizes and colors that an eye must resolve to answer an item.

    Parameters
    ----------
    object_px : float
        Diameter of the smallest object that matters, in pixels.
    gap_px : float
        Smallest distance between two objects that must be distinguished, in pixels;
        infinity if there is only one.
    colors : list of RGB
        The colors that must be distinguished (from each other and from what they lie on).

    Examples
    --------
    >>> from gfactor.benchmarks.percept_v import Legibility
    >>> Legibility(object_px=12, gap_px=6).gap_px
    6
    """

    object_px: float
    gap_px: float
    colors: tuple[RGB, ...] = ()


@dataclass(frozen=True)
class Domain(Generic[S]):
    """One domain; `S` is the type of its scenes (a frozen dataclass of integers and words).

    Parameters
    ----------
    name : str
        The domain's name, as the benchmark gives it.
    skills : list of Skill
        Skills that the domain tests (paper, table 1).
    prompt : Prompt
        The question; `paper_prompt` replaces it in the paper edition if the editions ask different
        things.
    output_format : OutputFormat
        The line in which the answer is to be given; `paper_format` replaces it in the paper edition
        if the editions use different words.
    scene_type : type[S]
        The dataclass `S`; where the editions' scenes differ, the common part, of which the
        other is a subclass.
    make : callable
        (generator, size 1.., edition) -> scene. Pure: all randomness from the generator.
    draw : callable
        Scene -> one or two pictures, height x width x 3, RGB.
    answer : callable
        Scene -> the right answer; None means "there is none".
    legibility : callable
        Scene -> what an eye must resolve.
    images : int
        Number of pictures per question, 1 or 2.
    accepted : callable
        Scene -> every right answer, if there are several.
    paper_prompt : Prompt, optional
        The question of the paper edition, where the two ask different things.
    paper_format : OutputFormat, optional
        The output format of the paper edition, where the two have different words.
    forced : str
        Proof of the bound, for domains whose question lets a size-aware guess succeed more often
        than the limits of `audit` allow, else "".
    forced_cue : str
        Reason for which a coarse feature of the pictures, such as their colors, is the answer;
        "" for domains in which none may give it away.
    version : str
        Version of the audited edition's items; raised whenever an item of some seed changes. The
        paper edition's items stay as they are.
    guess : callable, optional
        Size -> share right of a guess that knows the size, but not the picture (audited edition);
        None if it has not been derived.
    twin : Twin, optional
        Description of scenes in words, from which they can be drawn again; a domain without one is
        refused by `--twin text` and `--twin both`.
    editions : list of Edition
        Editions that have the domain; additions to the paper's domains are audited only.

    Examples
    --------
    >>> from gfactor.benchmarks.percept_v import DOMAINS
    >>> from gfactor.items import ItemRandom
    >>> domain = DOMAINS["change_colour"]
    >>> scene = domain.make(ItemRandom({"seed": 1}, 0), 3, "audited")
    >>> len(domain.draw(scene)), isinstance(domain.answer(scene), int)
    (2, True)
    """

    name: str
    skills: tuple[Skill, ...]
    prompt: Prompt
    output_format: OutputFormat
    scene_type: type[S]
    make: Callable[[ItemRandom, int, Edition], S]
    draw: Callable[[S], tuple[Pixels, ...]]
    answer: Callable[[S], Answer | None]
    legibility: Callable[[S], Legibility]
    images: int = 1
    accepted: Callable[[S], tuple[Answer, ...]] = field(default=lambda _: ())
    paper_prompt: Prompt | None = None
    paper_format: OutputFormat | None = None
    forced: str = ""
    forced_cue: str = ""
    version: str = "1"
    guess: Callable[[int], float] | None = None
    twin: Twin | None = None
    editions: tuple[Edition, ...] = EDITIONS

    def version_for(self, edition: Edition) -> str:
        """Return the version of the domain's items in an edition."""
        return self.version if edition == "audited" else PAPER_VERSION

    def prompt_for(self, edition: Edition) -> Prompt:
        """Return the prompt of an edition."""
        return self.paper_prompt if edition == "paper" and self.paper_prompt else self.prompt

    def format_for(self, edition: Edition) -> OutputFormat:
        """Return the output format of an edition."""
        return self.paper_format if edition == "paper" and self.paper_format else self.output_format

    @property
    def format_sentences(self) -> frozenset[str]:
        """The sentences of its prompts that tell models how to write the answer."""
        prompts = (self.prompt, self.paper_prompt or self.prompt)
        return frozenset(s for one in prompts for s in one.output if s not in one.people)

    def chance_at(self, size: int) -> float | None:
        """Return the chance level of a guesser that knows the size; exactly 1/2 for a yes or no."""
        if self.is_binary:
            return 0.5
        return None if self.guess is None else float(self.guess(size))

    @property
    def is_addition(self) -> bool:
        """Return True if the paper has no such domain."""
        return "paper" not in self.editions

    @property
    def is_binary(self) -> bool:
        """Return True if the question is answered by yes or no."""
        return self.output_format.answer_type == "value" and {
            w.casefold() for w in self.output_format.vocabulary
        } == {"yes", "no"}


DOMAINS: Registry[Domain[Any]] = Registry(
    "percept-v domain", home="gfactor.benchmarks.percept_v.domains", group="gfactor.percept_v"
)


def register(domain: Domain[S]) -> Domain[S]:
    """Register a domain under its name; the last line of every domain's file.

    Parameters
    ----------
    domain : Domain[S]
        The domain.

    Returns
    -------
    Domain[S]
        The same.

    Raises
    ------
    ValueError
        If a domain of this name is registered already.

    Examples
    --------
    >>> from gfactor.benchmarks.percept_v import DOMAINS, register
    >>> register(DOMAINS["change_colour"])
    Traceback (most recent call last):
        ...
    ValueError: percept-v domain 'change_colour' is registered twice
    """
    return DOMAINS.add(domain.name, domain)


_hints = functools.cache(typing.get_type_hints)


def scene_from_plain(kind: Any, plain: Any) -> Any:
    """Rebuild a typed scene from its parsed JSON; `kind` is the scene's dataclass or its base
    class.

    Raises ValueError if the JSON does not fit the type.
    """
    origin = typing.get_origin(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        for one in (kind, *kind.__subclasses__()):
            names = {f.name for f in dataclasses.fields(one)}
            if isinstance(plain, dict) and set(plain) == names:
                hints = _hints(one)
                return one(**{n: scene_from_plain(hints[n], plain[n]) for n in names})
        raise ValueError(f"not a {kind.__name__}: {plain!r}")
    if origin in (typing.Union, types.UnionType):
        if plain is None:
            return None
        inner = next(a for a in get_args(kind) if a is not type(None))
        return scene_from_plain(inner, plain)
    if origin is tuple:
        args = get_args(kind)
        parts = args[:1] * len(plain) if args[-1] is Ellipsis else args
        if len(parts) != len(plain):
            raise ValueError(f"expected {len(parts)} parts, got {plain!r}")
        return tuple(scene_from_plain(a, p) for a, p in zip(parts, plain, strict=True))
    if origin is Literal:
        if plain not in get_args(kind):
            raise ValueError(f"{plain!r} is not one of {get_args(kind)}")
        return plain
    wanted: Any = kind
    if not isinstance(plain, wanted):
        raise ValueError(f"{plain!r} is not {wanted}")
    return plain

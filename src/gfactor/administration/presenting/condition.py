"""Condition under which a bank is administered. Two runs under different conditions are different
measurements.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.image_limits import ImageLimit

Images = Literal[
    "shown", "first", "removed", "captioned", "transcribed", "blank", "blank-if-needed"
]
Presentation = Literal["single-turn", "image-per-turn"]
Pairs: TypeAlias = tuple[tuple[str, float | int | str], ...]

IMAGES: tuple[str, ...] = get_args(Images)
PRESENTATIONS: tuple[str, ...] = get_args(Presentation)
DESCRIBED = frozenset({"captioned", "transcribed"})
"""Values of `images` that replace each image by a text."""

SHOWING = frozenset({"shown", "first", "blank-if-needed"})
"""Values of `images` under which images themselves are shown."""

WITHOUT_IMAGES = DESCRIBED | {"removed"}

NO_PICTURE = ("removed", "blank")
"""Values of `images` that leave nothing of an image."""

SOURCES = ("captions", "examples", "knowledge_from", "pack")
"""Sources of a condition's texts; filled in from the files themselves."""

DECODING: Mapping[str, tuple[type, float, float]] = {
    "frequency_penalty": (float, -2, 2),
    "max_tokens": (int, 1, math.inf),
    "min_p": (float, 0, 1),
    "presence_penalty": (float, -2, 2),
    "reasoning_effort": (str, 0, 0),
    "repetition_penalty": (float, 0, math.inf),
    "seed": (int, -math.inf, math.inf),
    "temperature": (float, 0, math.inf),
    "top_k": (int, -1, math.inf),
    "top_p": (float, 0, 1),
}
"""The parameters of generation by OpenAI's (and vLLM's) names, with type, least and most value."""

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_WORD = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Condition:
    """The circumstances under which items are presented; every default is the item as it is.

    Raises ParameterError (UnknownNameError for an unknown word) if a value is out of range or two
    values exclude each other.

    Parameters
    ----------
    images : Images
        Treatment of images. `removed`: left out; `captioned`, `transcribed`: a text in the place of
        each; `first`: the item's first image alone, for models that take one (MULTI, section 4.2);
        `blank`: a black image of the same size for each; `blank-if-needed`: shown, and one black
        image with an item that has none, for models that demand an image.
    presentation : Presentation
        `image-per-turn` presents an item with several images as turns of one image each, and asks
        for the answer in the last turn (MULTI, section 4.2).
    prompt_language : str
        BCP 47 tag of the sentences around an item, "" for the item's own language.
    cot : bool
        True to ask the examinee to think step by step before it answers.
    decline : bool
        True to ask the examinee to say so, instead of guessing, if the information given is not
        enough to answer (MULTI, section 4.8).
    background : bool
        True to add a sentence about the item's subject, from its labels.
    knowledge : bool
        True to put pieces of knowledge before the item.
    shots : int
        Number of solved examples put before the item.
    options_seed : int, optional
        Seed of a permutation of the contents of an item's choices, keyed by seed and item; the
        labels keep their positions. None leaves the order as it is.
    image_limit : str
        Images larger than this are scaled down ("2048px", "5MB", "2048px+5MB", a vendor's
        name), "" leaves every image as it is; see `gfactor.examinees.image_limits`.
    decoding : Pairs
        Parameters of generation (`temperature`, `max_tokens` ...), pairs or a mapping.
    sources : Pairs
        Fingerprints of the files that texts are taken from, so that answers to different
        captions, prompts or examples never mix; `Materials.stamped` fills them in.

    Examples
    --------
    >>> from gfactor.administration import Condition
    >>> Condition(cot=True, shots=2).key
    'cot=on,shots=2'
    """

    images: Images = "shown"
    presentation: Presentation = "single-turn"
    prompt_language: str = ""
    cot: bool = False
    decline: bool = False
    background: bool = False
    knowledge: bool = False
    shots: int = 0
    options_seed: int | None = None
    image_limit: str = ""
    decoding: Pairs = ()
    sources: Pairs = ()

    def __post_init__(self) -> None:
        for name in ("decoding", "sources"):
            object.__setattr__(self, name, tuple(sorted(dict(getattr(self, name)).items())))
        if self.image_limit:
            object.__setattr__(self, "image_limit", str(ImageLimit.parse(self.image_limit)))
        _check_words(self)
        for name, value in self.decoding:
            _check_decoding(name, value)
        for name, value in self.sources:
            if name not in SOURCES or not _WORD.fullmatch(str(value)):
                raise ParameterError(f"a condition has no source {name}={value!r}")
        if self.image_limit and self.images not in SHOWING:
            raise ParameterError(
                f"image_limit scales images down, and images={self.images} shows no images; leave "
                "out one of the two"
            )
        if self.presentation == "image-per-turn" and self.images in {*WITHOUT_IMAGES, "first"}:
            left = "one" if self.images == "first" else "none"
            raise ParameterError(
                f"presentation=image-per-turn gives one image a turn, and images={self.images} "
                f"leaves {left}; drop one of the two"
            )

    @property
    def key(self) -> str:
        """The canonical text of the condition, part of every response's key.

        It has, in alphabetical order, only the settings that differ from the default ("default" if
        none does), so that keys of older journals stay valid when conditions gain fields.
        `gfactor.administration.presenting.condition_text.read_key` reads it back.
        """
        parts: dict[str, object] = {**dict(self.decoding), **dict(self.sources)}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("decoding", "sources") and value != field.default:
                parts[field.name] = value
        return ",".join(f"{k}={written(parts[k])}" for k in sorted(parts)) or "default"

    @property
    def adds_sentences(self) -> bool:
        """Return True if sentences are added to every item."""
        wanted = (self.cot, self.decline, self.background, self.knowledge)
        return any(wanted) or self.shots > 0

    @cached_property
    def adds_nothing(self) -> bool:
        """Return True if an item with an output format of its own is presented as it is."""
        as_it_is = self.images == "shown" and not self.image_limit
        return as_it_is and self.presentation == "single-turn" and not self.adds_sentences

    @property
    def plain(self) -> Condition:
        """The condition without changes of items, with the same language of prompts."""
        return Condition(prompt_language=self.prompt_language)

    @property
    def rewords(self) -> bool:
        """Return True if items are presented differently from `plain`."""
        return replace(self, decoding=(), sources=()) != self.plain


def written(value: object) -> str:
    """Return a value as it is written in a key: `on`, `off`, numbers in their shortest form."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def _check_words(condition: Condition) -> None:
    for name, allowed in (("images", IMAGES), ("presentation", PRESENTATIONS)):
        if getattr(condition, name) not in allowed:
            raise UnknownNameError(f"value of {name}", str(getattr(condition, name)), allowed)
    language = condition.prompt_language
    if language and not _TAG.fullmatch(language):
        raise ParameterError(
            f"prompt_language must be a language tag such as en or zh, not {language!r}"
        )
    if condition.shots < 0:
        raise ParameterError(f"shots must be a number of examples from 0, not {condition.shots}")


def _check_decoding(name: str, value: object) -> None:
    if name not in DECODING:
        raise UnknownNameError("decoding parameter", name, DECODING)
    kind, least, most = DECODING[name]
    if kind is str:
        if not isinstance(value, str) or not _WORD.fullmatch(value):
            raise ParameterError(f"{name} must be one word, not {value!r}")
        return
    what = "a whole number" if kind is int else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ParameterError(f"{name} must be {what}, not {value!r}")
    if kind is int and value != int(value):
        raise ParameterError(f"{name} must be {what}, not {value!r}")
    if not least <= value <= most:
        bounds = f"from {least:g}" + (f" to {most:g}" if math.isfinite(most) else "")
        raise ParameterError(f"{name} must be a number {bounds}, not {value!r}")

"""A perception with limits: blurred, noisy eyes and a memory for a few objects.

It is not a model of people. Blur, noise and capacity have the size given in the literature, but a
person in front of a picture looks again, counts in groups and points with a finger: people are near
the ceiling (95 % in Percept-V's human study) where this perception, with one glance, reaches about
45 %. Its purpose is to make examinees whose errors grow with the load, for trying out analyses.

acuity
    Decimal visual acuity, the reciprocal of the minimum angle of resolution (MAR) in minutes of
    arc; 1.0 is 20/20 (ISO 8596). Two spots of Gaussian profile are just resolved when they are
    two standard deviations apart (Sparrow 1916, Astrophysical Journal 44, 76), so the eye's point
    spread has sigma = MAR / 2. Pictures are viewed from where one pixel spans one minute of arc
    (a 96-dpi screen at 0.9 m): sigma = 0.5 / acuity pixels.
contrast
    Contrast sensitivity relative to normal. A normal eye at its best detects a contrast of about
    0.5 % (Campbell and Robson 1968, Journal of Physiology 197, 551); expressed as the standard
    deviation of an equivalent noise added to the luminance of every pixel after blurring (Pelli
    1990, "The quantum efficiency of vision") that is 0.005 * 255 / contrast gray levels.
capacity
    Objects held in visual working memory; about 4 (Cowan 2001, Behavioral and Brain Sciences 24,
    87). Up to its capacity a perception loses nothing; of n > capacity things each is lost
    independently such that all of them survive with probability 2 ** -((n - capacity) / capacity)
    ** 2: one half at twice the capacity, one in sixteen at three times. Objects stay in view, so
    the load that is held reliably is above the bare capacity, and the decrease is smooth, as it is
    in people. For any number of things, as many as the capacity survive on average.
hypotheses
    Number of hypotheses (rules, paths, assignments) that are considered, the simplest first, before
    giving up: the limit of reasoning, as capacity is that of memory. No value is known for people;
    the default is never reached, so that answers of persons without it do not change. retention
    Turns of a conversation after which half of what was shown in one is lost (each thing
    independently, in addition to losses by load; the share that is kept halves with every such
    number of turns). No value is known for people; the default is never reached, as with
    `hypotheses`.
fluctuation
    Standard deviation of acuity from item to item, in logMAR (decimal logarithm of the MAR), normal
    around the person's. Acuity that is measured twice differs by a 95 % range of 0.11 logMAR, of
    0.18 and 0.25 if half a diopter and a diopter blur the eye (Rosser, Murdoch and Cousens 2004,
    Investigative Ophthalmology and Visual Science 45, 1076): standard deviations of one measurement
    of 0.04, 0.065 and 0.09. The default is none, so that answers of persons without it do not
    change.
seed
    Seed of the simulated person. Noise and losses are keyed by (seed, domain, pixels): a person
    shown the same item again answers the same, in every process.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeVar

import cv2
import numpy as np

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.imaging import Pixels
from gfactor.items import pixel_hash

T = TypeVar("T")

BLUR_PX = 0.5
"""Standard deviation of the blur at acuity 1, in pixels."""

NOISE_LEVELS = 0.005 * 255
"""Standard deviation of the internal noise at normal contrast sensitivity, in gray levels."""

UNBOUNDED = 10**9
"""Number of hypotheses that no question reaches."""

_WHOLE = ("seed", "hypotheses")

_ALLOWED: Mapping[str, tuple[float, float, str]] = {
    "acuity": (0.01, 10, "decimal visual acuity, 1.0 = 20/20"),
    "contrast": (0.005, 10, "contrast sensitivity relative to normal"),
    "capacity": (0.5, 1000, "objects in visual working memory"),
    "hypotheses": (1, UNBOUNDED, "hypotheses considered before giving up"),
    "retention": (0.1, UNBOUNDED, "turns after which half is forgotten"),
    "fluctuation": (0, 1, "standard deviation of acuity from item to item, in logMAR"),
    "seed": (0, 2**63 - 1, "which person"),
}
"""Smallest and largest value of each parameter, and what it is in words."""


@dataclass(frozen=True)
class Limited:
    """A limited observer with the parameters of the module's docstring; called with an item, it
    makes a perception.

    Raises ParameterError for a value outside the allowed range.
    """

    acuity: float = 1.0
    contrast: float = 1.0
    capacity: float = 4.0
    seed: int = 0
    hypotheses: int = UNBOUNDED
    retention: float = UNBOUNDED
    fluctuation: float = 0.0

    def __post_init__(self) -> None:
        for name, (low, high, meaning) in _ALLOWED.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ParameterError(
                    f"observer:limited: {name} ({meaning}) must be from {low} to {high}, "
                    f"got {value}"
                )

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, str]) -> Limited:
        """Read the parameters from a specification's texts; raise UnknownNameError for an unknown
        name."""
        values: dict[str, float] = {}
        for name, text in parameters.items():
            if name not in _ALLOWED:
                raise UnknownNameError("parameter of observer:limited", name, _ALLOWED)
            try:
                values[name] = int(text) if name in _WHOLE else float(text)
            except ValueError as error:
                kind = "a whole number" if name in _WHOLE else "a number"
                raise ParameterError(
                    f"observer:limited: {name} ({_ALLOWED[name][2]}) must be {kind}, got {text!r}"
                ) from error
        return cls(**values)  # pyright: ignore[reportArgumentType]

    def parameters(self) -> dict[str, str]:
        """Return every parameter as text, for the canonical name of this observer."""
        values = {name: getattr(self, name) for name in ("acuity", "contrast", "capacity")}
        result = {n: f"{v:.12g}" for n, v in values.items()} | {"seed": str(self.seed)}
        # Left out if it has no effect, so that names of persons in journals do not change.
        limits = {"hypotheses": self.hypotheses, "retention": self.retention}
        result |= {n: f"{v:.12g}" for n, v in limits.items() if v != UNBOUNDED}
        return result | ({"fluctuation": f"{self.fluctuation:.12g}"} if self.fluctuation else {})

    @property
    def blur_px(self) -> float:
        """Standard deviation of the blur, in pixels."""
        return BLUR_PX / self.acuity

    @property
    def noise_levels(self) -> float:
        """Standard deviation of the luminance noise, in gray levels of 255."""
        return NOISE_LEVELS / self.contrast

    def survival(self, load: int) -> float:
        """Return the probability that one element stays in memory while `load` elements are
        stored."""
        if load <= self.capacity:
            return 1.0
        excess = (load - self.capacity) / self.capacity
        return max(math.exp2(-(excess**2) / load), self.capacity / load)

    def __call__(
        self, domain: str, pictures: tuple[Pixels, ...], text: str = ""
    ) -> LimitedPerception:
        """The perception of this person in front of these pictures, or of a text without any."""
        content = ",".join(pixel_hash(picture) for picture in pictures) or text
        return LimitedPerception(self, f"{self.seed}|{domain}|{content}")


class LimitedPerception:
    """A perception with blurred and noisy vision and a memory that loses elements; `key` fixes all
    random draws."""

    def __init__(self, person: Limited, key: str) -> None:
        self._person = person
        self._eyes = _generator(f"{key}|eyes")
        self._memory = _generator(f"{key}|memory")
        self._lot = _generator(f"{key}|lot")
        self._key = key
        self._blur_px = person.blur_px
        if person.fluctuation:
            glance = _generator(f"{key}|glance").standard_normal()
            self._blur_px *= 10 ** (person.fluctuation * glance)

    def see(self, pixels: Pixels) -> Pixels:
        """Return the picture, blurred, then with noise that is the same in all three channels."""
        blurred = cv2.GaussianBlur(pixels, (0, 0), self._blur_px)
        lighter, darker = _noise_field(self._person.seed, self._person.noise_levels)
        height, width = pixels.shape[:2]
        repeats = (-(-height // _FIELD_PX), -(-width // _FIELD_PX), 1)
        if max(repeats) > 1:
            lighter, darker = np.tile(lighter, repeats), np.tile(darker, repeats)
        top = int(self._eyes.integers(0, lighter.shape[0] - height + 1))
        left = int(self._eyes.integers(0, lighter.shape[1] - width + 1))
        window = np.s_[top : top + height, left : left + width]
        seen = cv2.subtract(cv2.add(blurred, lighter[window]), darker[window])
        return seen.astype(np.uint8, copy=False)

    def hold(
        self,
        things: Sequence[T],
        guesses: Sequence[T] | None = None,
        turns: int | Sequence[int] = 0,
    ) -> list[T]:
        """Return the remembered elements; lost ones are missing, or replaced if there are
        `guesses`."""
        lasting = np.exp2(-np.asarray(turns) / self._person.retention)
        surviving = self._memory.random(len(things)) < self._person.survival(len(things)) * lasting
        if not guesses:
            return [thing for thing, stays in zip(things, surviving, strict=True) if stays]
        guessed = self._memory.integers(0, len(guesses), len(things))
        return [
            thing if stays else guesses[int(guess)]
            for thing, stays, guess in zip(things, surviving, guessed, strict=True)
        ]

    def consider(self, hypotheses: Iterable[T]) -> Iterator[T]:
        """Return the first hypotheses, as many as this observer considers."""
        return islice(hypotheses, self._person.hypotheses)

    def search(self, spots: Sequence[T]) -> Sequence[T]:
        """Return the spots in a random order."""
        return [spots[k] for k in _generator(f"{self._key}|search").permutation(len(spots))]

    def guess(self, answers: Sequence[T]) -> T:
        """Return one of the answers, drawn with equal probabilities."""
        return answers[int(self._lot.integers(0, len(answers)))]


_FIELD_PX = 1024


@lru_cache(maxsize=2)
def _noise_field(seed: int, levels: float) -> tuple[Pixels, Pixels]:
    """A person's noise, as amounts to add and to subtract, of which every picture gets a part.

    Drawing new noise for every picture would take most of the time that an observer needs.
    """
    drawn = _generator(f"{seed}|noise").standard_normal((_FIELD_PX, _FIELD_PX), np.float32)
    noise = np.rint(drawn * np.float32(levels))
    lighter, darker = (np.clip(sign * noise, 0, 255).astype(np.uint8) for sign in (1, -1))
    return np.repeat(lighter[..., None], 3, axis=2), np.repeat(darker[..., None], 3, axis=2)


def _generator(key: str) -> np.random.Generator:
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest(), "big")
    return np.random.Generator(np.random.PCG64(seed))

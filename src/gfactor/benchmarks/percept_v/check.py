"""Invariants of every Percept-V domain, ours or a plug-in's, as a published list.

`check_domain` runs them all on a domain and returns what is violated, as sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gfactor.benchmarks.audit import right_replies, size_aware
from gfactor.benchmarks.percept_v.audit import (
    MAX_ASPECT,
    MAX_BINARY,
    MAX_SIZE_AWARE,
    MIN_DELTA_E,
)
from gfactor.benchmarks.percept_v.domain import SIZES, SKILLS, scene_from_plain
from gfactor.benchmarks.percept_v.parts import MIN_GAP_PX, MIN_OBJECT_PX
from gfactor.benchmarks.percept_v.specimens import Specimens
from gfactor.imaging import smallest_delta_e
from gfactor.items import answer_from_json, answer_to_json, canonical_json, pixel_hash

Violations = Iterator[str]


@dataclass(frozen=True)
class Invariant:
    """A property of every domain: its name, and a function that describes violations in words."""

    name: str
    claim: str
    violations: Callable[[Specimens], Violations]


def check_domain(domain: Any, *, seed: int = 1) -> list[str]:
    """Return the invariants that a domain violates, as sentences; an empty list if there are none.

    Parameters
    ----------
    domain : Any
        A `Domain`, registered or not.
    seed : int
        Seed of the items that are made for the check (a dozen are drawn, of few sizes;
        scenes and answers are made for every size). A domain must pass with any seed.

    Returns
    -------
    list of str
        Sentences; none if the domain keeps every invariant.

    Examples
    --------
    >>> from gfactor.benchmarks.percept_v import DOMAINS, check_domain
    >>> check_domain(DOMAINS["change_colour"])
    []
    """
    specimens = Specimens(domain, seed)
    violations: list[str] = []
    for invariant in INVARIANTS:
        try:
            violations += [
                f"{domain.name}: {invariant.name}: {v}" for v in invariant.violations(specimens)
            ]
        except Exception as error:
            # A broken domain may raise anything anywhere; that is a violation as well.
            violations.append(f"{domain.name}: {invariant.name}: {type(error).__name__}: {error}")
    return violations


def _name(s: Specimens) -> Violations:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", s.domain.name):
        yield "it is not in small letters, digits and underscores, as file names need"


def _skills(s: Specimens) -> Violations:
    for skill in s.domain.skills:
        if skill not in SKILLS:
            yield f"{skill!r} is none of {', '.join(SKILLS)}"
    if not s.domain.skills or len(set(s.domain.skills)) < len(s.domain.skills):
        yield "there is none, or one is named twice"


def _prompt(s: Specimens) -> Violations:
    for edition in s.editions:
        prompt = s.domain.prompt_for(edition)
        for part in ("input", "rules", "output"):
            if not any(sentence.strip() for sentence in getattr(prompt, part)):
                yield f"its part {part!r} says nothing in the {edition} edition"


def _vocabulary(s: Specimens) -> Violations:
    for edition in s.editions:
        text = s.domain.prompt_for(edition).text()
        form = s.domain.format_for(edition)
        words = [*form.vocabulary, *([form.none] if form.none else [])]
        for word in words:
            if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE):
                yield f"the answer may be {word!r}, which the {edition} prompt does not say"
        for label in form.labels:
            if f"{label}:" not in text:
                yield f"the answer needs '{label}:', which the {edition} prompt does not say"


def _integers(s: Specimens) -> Violations:
    for one in s.drawn:
        try:
            canonical_json(one.scene)
        except TypeError as error:
            yield f"{one}: {error}"


def _round_trip(s: Specimens) -> Violations:
    for one in s.drawn:
        rebuilt = scene_from_plain(s.domain.scene_type, json.loads(canonical_json(one.scene)))
        if rebuilt != one.scene:
            yield f"{one}: the scene read from its JSON is another"


def _deterministic(s: Specimens) -> Violations:
    for one in s.drawn:
        again = s.make(one.edition, one.size, one.index)
        if canonical_json(again) != canonical_json(one.scene):
            yield f"{one}: the same key makes another scene"
        redrawn = s.domain.draw(one.scene)
        if [pixel_hash(p) for p in redrawn] != [pixel_hash(p) for p in one.pictures]:
            yield f"{one}: the same scene has other pixels when it is drawn again"


def _pictures(s: Specimens) -> Violations:
    for one in s.drawn:
        if len(one.pictures) != s.domain.images:
            yield f"{one}: {len(one.pictures)} pictures, {s.domain.images} announced"
        for pixels in one.pictures:
            if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
                yield f"{one}: a picture of {pixels.shape} {pixels.dtype}, not h x w x 3 of uint8"


def _pure_answer(s: Specimens) -> Violations:
    for one in s.drawn:
        rebuilt = scene_from_plain(s.domain.scene_type, json.loads(canonical_json(one.scene)))
        if s.domain.answer(rebuilt) != s.domain.answer(one.scene):
            yield f"{one}: the scene read from its JSON has another answer"


def _expressible(s: Specimens) -> Violations:
    for one in s.drawn:
        form = s.domain.format_for(one.edition)
        answer, accepted = s.domain.answer(one.scene), s.domain.accepted(one.scene)
        if accepted and answer not in accepted:
            yield f"{one}: the answer is not among those accepted"
        for given in (answer, *accepted):
            if answer_from_json(answer_to_json(given), form.answer_type) != given:
                yield f"{one}: {given!r} is not an answer of type {form.answer_type!r}"
            elif not form.pattern.fullmatch(form.render(given)):
                yield f"{one}: {given!r} cannot be written in the output format"


def _aspect(s: Specimens) -> Violations:
    for one in s.audited:
        for pixels in one.pictures:
            height, width = pixels.shape[:2]
            if max(height, width) > MAX_ASPECT * min(height, width):
                yield f"{one}: a picture of {width} x {height} px is longer than 2:1"


def _legible(s: Specimens) -> Violations:
    for one in s.audited:
        seen = s.domain.legibility(one.scene)
        if seen.object_px < MIN_OBJECT_PX:
            yield f"{one}: an object of {seen.object_px:.1f} px, under {MIN_OBJECT_PX}"
        if seen.gap_px < MIN_GAP_PX:
            yield f"{one}: a gap of {seen.gap_px:.1f} px, under {MIN_GAP_PX}"
        distance = smallest_delta_e(sorted(set(seen.colors)))
        if distance < MIN_DELTA_E:
            yield f"{one}: two colors {distance:.1f} apart (CIEDE2000), under {MIN_DELTA_E:g}"


def _balanced(s: Specimens) -> Violations:
    if s.domain.forced:
        return
    replies = {
        size: [
            right_replies(
                answer_to_json(s.domain.answer(scene)),
                (answer_to_json(a) for a in s.domain.accepted(scene)),
            )
            for scene in s.scenes(size)
        ]
        for size in SIZES
    }
    share, most = size_aware(replies), MAX_BINARY if s.domain.is_binary else MAX_SIZE_AWARE
    if share > most:
        yield f"knowing only the size is right in {share:.1%} of items, over {most:.0%}"


def _seeds(s: Specimens) -> Violations:
    # At a small size two seeds may have to share an item: boards of two cells are few.
    for size in SIZES[9::10]:
        scenes = {canonical_json(scene) for scene in s.scenes(size)}
        other = {canonical_json(scene) for scene in s.scenes(size, s.seed + 1)}
        if scenes & other:
            yield f"size {size}: seeds {s.seed} and {s.seed + 1} share {len(scenes & other)} items"


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("name", "The name can be part of a file's name.", _name),
    Invariant("skills", "Every skill is one of the benchmark's.", _skills),
    Invariant("prompt", "Every part of the prompt says something.", _prompt),
    Invariant("vocabulary", "The prompt says every word that an answer may use.", _vocabulary),
    Invariant("integers", "Scenes hold integers and words only.", _integers),
    Invariant("round trip", "A scene can be rebuilt from its canonical JSON.", _round_trip),
    Invariant("deterministic", "The same key gives the same scene and pixels.", _deterministic),
    Invariant("pictures", "There are as many pictures as announced, in RGB.", _pictures),
    Invariant("pure answer", "The answer is a function of the scene alone.", _pure_answer),
    Invariant("expressible", "Every right answer fits the output format.", _expressible),
    Invariant("aspect", "Audited: no picture is longer than twice its width.", _aspect),
    Invariant("legible", "Audited: objects, gaps and color distances are large enough.", _legible),
    Invariant("balanced", "Audited: knowing only the size does not pay.", _balanced),
    Invariant("seeds", "Audited: different seeds give different items.", _seeds),
)
"""Every invariant, in the order of the checks."""

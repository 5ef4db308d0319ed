"""Rules that every generated family must keep, ours or a plug-in's.

`check_family` makes items of a family and returns what is violated, as sentences.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gfactor.benchmarks.chc import audit
from gfactor.benchmarks.chc.family import ABILITIES, DIFFICULTIES, EXTREME, Family
from gfactor.benchmarks.chc.items import BatteryRequest, items_of
from gfactor.benchmarks.chc.radicals import level_flaws, no_radical
from gfactor.benchmarks.chc.redrawing import content_of
from gfactor.benchmarks.percept_v.domain import scene_from_plain
from gfactor.benchmarks.text_flaws import flaws
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.errors import GfactorError
from gfactor.items import Item

Violations = Iterator[str]

LEAST_RADICALS = 4
"""Smallest number of radicals of a family, so that its design can explain difficulty."""


def check_family(family: Family[Any], *, seed: int = 1) -> list[str]:
    """Return the violations of a family of generated items, as sentences; an empty list if there
    are none.

    It checks the design, the sentences, text twins in six languages, keys (by the solver), redrawn
    pictures, positions of the key, equal items from equal seeds and different ones from different
    seeds, and the limits of the audit.

    Parameters
    ----------
    family : Family
        A family, registered or not.
    seed : int
        Seed of the items that are made for the check. A family must pass with any seed.

    Returns
    -------
    list of str
        Sentences; none if the family keeps everything.

    Examples
    --------
    >>> from gfactor.benchmarks.chc import FAMILIES, check_family
    >>> check_family(FAMILIES["number_series"])
    []
    """
    specimens = _Specimens(family, seed)
    violations = [text for check in CHECKS for text in _violations(check, specimens)]
    if not _is_undrawable(family):
        violations += [text for check in CHECKS_OF_ITEMS for text in _violations(check, specimens)]
    return [f"{family.name}: {text}" for text in dict.fromkeys(violations)]


def _violations(check: Callable[[_Specimens], Violations], specimens: _Specimens) -> list[str]:
    sentences: list[str] = []
    try:
        sentences.extend(check(specimens))
    except GfactorError as error:
        sentences.append(str(error))
    except Exception as error:
        # A broken family may raise any error anywhere; that is a violation as well.
        sentences.append(f"{type(error).__name__}: {error}")
    return sentences


def _is_undrawable(family: Family[Any]) -> bool:
    """Return True if drawing items would only repeat a violation, and less clearly."""
    if flaws(family.texts) or not set(DIFFICULTIES) <= set(family.presets):
        return True
    return any(level_flaws(family.radicals, family.presets)) or any(_extreme(family))


@dataclass(frozen=True)
class _Specimens:
    """A family and items of it."""

    family: Family[Any]
    seed: int

    @property
    def options(self) -> int:
        return self.family.options[0] if self.family.options else 0

    def drawn(self, seed: int, twin: str = "picture") -> list[Item]:
        """Items of every difficulty: as many as options, so that each position has the key once."""
        cells = tuple((d, self.family.preset(d)) for d in self.family.difficulties)
        count = max(4, self.options)
        kind = self.family.answer_types[0]
        request = BatteryRequest(seed, cells, count, ("en",), kind, twin, self.options)
        return list(items_of(self.family, request))

    @cached_property
    def items(self) -> list[Item]:
        return self.drawn(self.seed)


def _design(s: _Specimens) -> Violations:
    one = s.family
    if not re.fullmatch(r"[a-z][a-z0-9_]*", one.name):
        yield "its name is not in small letters, digits and underscores"
    if one.ability not in ABILITIES:
        yield f"ability {one.ability!r} is none of {', '.join(ABILITIES)}"
    if len(one.radicals) < LEAST_RADICALS:
        yield f"it has {len(one.radicals)} radicals; {LEAST_RADICALS} are the least"
    for name, levels in one.radicals.items():
        if len(levels) < 2 or len({type(level) for level in levels}) > 1:
            yield f"radical {name!r} needs two or more levels, all numbers or all words"
    if set(one.presets) != set(DIFFICULTIES):
        yield f"its presets are {', '.join(one.presets)}; give {', '.join(DIFFICULTIES)}"
    yield from level_flaws(one.radicals, one.presets)
    for preset, chosen in one.presets.items():
        if not one.cells(chosen):
            yield f"preset {preset!r}: no combination of levels fits"
    yield from _extreme(one)
    if not one.origin or not one.literature:
        yield "the origin of the paradigm or its literature is not named"


def _extreme(one: Family[Any]) -> Violations:
    """Check that the extreme difficulty names existing radicals, with levels of their types."""
    for name, levels in one.extreme.items():
        if name not in one.radicals:
            yield f"{EXTREME}: {no_radical(name, one.radicals)}"
        elif {type(level) for level in levels} != {type(one.radicals[name][0])}:
            yield f"preset {EXTREME!r} has levels of {name!r} of another type than its radicals"
    if one.extreme and not one.cells(one.extreme):
        yield f"preset {EXTREME!r}: no combination of levels fits"


def _sentences(s: _Specimens) -> Violations:
    yield from flaws(s.family.texts)


def _twins(s: _Specimens) -> Violations:
    one = s.family
    for item in s.items:
        record = json.loads(item.provenance.scene)
        scene = scene_from_plain(one.scene_type, record["scene"])
        # If only the options are shown, the twin has to contain them.
        displayed = [content_of(one, plain) for plain in record["options"]]
        twin_lines = one.twin(scene) or tuple(one.option(o) for o in displayed if one.option)
        templates = sorted({line.template for line in twin_lines})
        for language in LANGUAGES:
            lines = [one.texts.write(line, language) for line in twin_lines]
            if one.from_twin([one.texts.read(x, language, templates) for x in lines]) != scene:
                yield f"{item.id}: its text twin in {language!r} is read as another scene"
    for item in s.drawn(s.seed, "text"):
        if item.images or not item.text:
            yield f"{item.id}: its text twin has a picture or no text"


def _keys(s: _Specimens) -> Violations:
    findings = []
    for item in s.items:
        pictures = tuple(image.decode() for image in item.images)
        findings.append(audit.inspect_as(s.family, item, pictures))
        if not findings[-1].key_holds:
            yield f"{item.id}: the solver does not find the key again"
    columns = audit.columns(s.family.name, findings)
    yield from (text for limit in audit.LIMITS if (text := limit.broken(columns)))
    positions = Counter(one.key for one in findings if one.key >= 0)
    if positions and len({positions[k] for k in range(s.options)}) > 1:
        yield f"keys do not stand equally often at each place: {dict(sorted(positions.items()))}"


def _seeds(s: _Specimens) -> Violations:
    first, again, other = (
        [(i.provenance.content_hash, i.provenance.scene, *i.provenance.pixel_hashes) for i in part]
        for part in (s.items, s.drawn(s.seed), s.drawn(s.seed + 1))
    )
    if first != again:
        yield "the same seed gives other items"
    if {one[0] for one in first} & {one[0] for one in other}:
        yield "two seeds share items"


CHECKS: tuple[Callable[[_Specimens], Violations], ...] = (_design, _sentences)
"""Checks of what a family declares; each yields sentences."""

CHECKS_OF_ITEMS: tuple[Callable[[_Specimens], Violations], ...] = (_twins, _keys, _seeds)
"""Checks of items, if what the family declares lets them be drawn."""

"""The audit of Percept-V items: scenes rebuilt, answers derived again, and legibility."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gfactor.benchmarks.findings import Columns, Hooks, Limit, check_installed
from gfactor.benchmarks.percept_v.domain import (
    DOMAINS,
    INSTANCES,
    SIZES,
    Legibility,
    scene_from_plain,
)
from gfactor.benchmarks.percept_v.network import LEARNED, network_gain, shown_with_seed
from gfactor.benchmarks.percept_v.network import check_installed as installed_network
from gfactor.benchmarks.percept_v.parts import MIN_GAP_PX, MIN_OBJECT_PX
from gfactor.benchmarks.percept_v.probe import Gain, ProbedItem, probe_gain, seen_of, seen_with_seed
from gfactor.imaging import RGB, VISIONS, Pixels, Vision, smallest_delta_e
from gfactor.items import Item, pixel_hash

MAX_SIZE_AWARE, MAX_BINARY, MAX_CUE_GAIN = 0.25, 0.55, 0.05
MIN_DELTA_E = 12.0
CUE_COLUMNS = ("cue_gain", "cue_gain_lower", "cue_gain_upper")
MAX_ASPECT = 2.0
FEW_COLORS = 5
"""Four colors that must be distinguished, and their background."""

REDRAWN_EVERY = 10
"""One in this many instances is drawn again and compared pixel by pixel: drawing all would cost as
much as building, and one per size is enough to show a change of the drawing code."""


@dataclass(frozen=True)
class ItemMeasures:
    """Findings about one item.

    `object_px` and `gap_px` are sizes in pixels, `colors` its colors, and `aspect` the longer side
    of the picture divided by the shorter one.
    """

    object_px: float
    gap_px: float
    colors: tuple[RGB, ...]
    aspect: float
    answer_holds: bool
    drawing_holds: bool
    seen: ProbedItem
    origin: tuple[str, str, int]
    """Version, edition and seed."""


def inspect(item: Item, pictures: tuple[Pixels, ...]) -> ItemMeasures:
    """Rebuild an item's scene, and from it the answer and (in a sample) the pictures or the twin.

    Raises ValueError if the stored scene is not one of this version's.
    """
    name = str(item.labels["domain"])
    check_installed("percept-v domain", name, item, DOMAINS)
    domain = DOMAINS[name]
    try:
        scene = scene_from_plain(domain.scene_type, json.loads(item.provenance.scene))
    except ValueError as error:
        raise ValueError(
            f"its scene is not one of {domain.name!r} as this version of gfactor draws it; build "
            "the bank again, or audit it with the version that built it"
        ) from error
    seen = domain.legibility(scene) if pictures else Legibility(math.inf, math.inf)
    accepted = {a for a in domain.accepted(scene) if a != item.target}
    drawing_holds = True
    if not pictures:
        drawing_holds = domain.twin is not None and domain.twin.write(scene) == item.content[-1]
    elif item.provenance.index % REDRAWN_EVERY == 0:
        redrawn = tuple(pixel_hash(pixels) for pixels in domain.draw(scene))
        drawing_holds = redrawn == item.provenance.pixel_hashes
    return ItemMeasures(
        object_px=seen.object_px,
        gap_px=seen.gap_px,
        colors=tuple(sorted(set(seen.colors))),
        aspect=max((max(p.shape[:2]) / min(p.shape[:2]) for p in pictures), default=1),
        answer_holds=domain.answer(scene) == item.target and accepted == set(item.accepted),
        drawing_holds=drawing_holds,
        seen=seen_of(item, pictures),
        origin=(item.provenance.version, item.provenance.edition, item.provenance.seed),
    )


def columns(domain: str, findings: Sequence[ItemMeasures]) -> Columns:
    """Return the worst case of a domain in every respect.

    `min_delta_e` is the smallest CIEDE2000 difference that an item requires to distinguish, with
    normal vision; `delta_e_protan` and so on are the same for dichromats.
    """
    sets = {f.colors for f in findings}
    distances = {v: min(_distance(colors, v) for colors in sets) for v in VISIONS}
    return {
        "min_object_px": float(min(f.object_px for f in findings)),
        "min_gap_px": float(min(f.gap_px for f in findings)),
        "min_delta_e": distances["normal"],
        **{f"delta_e_{v}": distances[v] for v in VISIONS if v != "normal"},
        "colors": len(set().union(*sets)),
        "max_aspect": max(f.aspect for f in findings),
        "wrong_targets": sum(not f.answer_holds for f in findings),
        "wrong_pictures": sum(not f.drawing_holds for f in findings),
        "forced": DOMAINS[domain].forced,
        "forced_cue": DOMAINS[domain].forced_cue,
    }


def control(domain: str, findings: Sequence[ItemMeasures]) -> Columns:
    """Return the accuracy that coarse features of the pictures allow, for complete audited banks of
    this version; else None.

    `cue_gain` is the accuracy that the probe adds to a guess that knows the size, with the 95 %
    interval `cue_gain_lower` to `cue_gain_upper`; both are trained on the items of the next seed.
    Text twins have no such features.
    """
    findings = [f for f in findings if f.seen.features]
    instances = _instances(domain, findings)
    if not instances:
        return dict.fromkeys(CUE_COLUMNS)
    seed = findings[0].origin[2]
    learned = seen_with_seed(domain, "audited", seed + 1, SIZES, instances)
    return _cue_columns(probe_gain(learned, [f.seen for f in findings]))


def network(domain: str, findings: Sequence[ItemMeasures]) -> Columns:
    """Return the accuracy that a convolutional network reaches on the pictures, in the columns of
    `control`.

    The pictures are drawn again from the seed of the bank, and `LEARNED` times as many training
    pictures from the next seed.
    """
    installed_network()
    findings = [f for f in findings if f.seen.features]
    instances = _instances(domain, findings)
    if not instances:
        return dict.fromkeys(CUE_COLUMNS)
    seed = findings[0].origin[2]
    learned = shown_with_seed(domain, "audited", seed + 1, SIZES, LEARNED * instances)
    judged = shown_with_seed(domain, "audited", seed, SIZES, instances)
    return _cue_columns(network_gain(learned, judged))


def _cue_columns(gain: Gain) -> Columns:
    return dict(zip(CUE_COLUMNS, (gain.gain, gain.lower, gain.upper), strict=True))


def _instances(domain: str, findings: Sequence[ItemMeasures]) -> int:
    """Items of each size of a whole audited bank of this version; 0 for any other bank."""
    if not findings:
        return 0
    origins = {f.origin for f in findings}
    version, edition, _ = findings[0].origin
    sizes = Counter(f.seen.size for f in findings)
    whole = len(sizes) == len(SIZES) and min(sizes.values()) >= INSTANCES
    current = edition == "audited" and version == DOMAINS[domain].version
    return min(sizes.values()) if len(origins) == 1 and whole and current else 0


@lru_cache(maxsize=65536)
def _distance(colors: tuple[RGB, ...], vision: Vision) -> float:
    return smallest_delta_e(colors, vision) if len(colors) > 1 else math.inf


def limits(edition: str) -> tuple[Limit, ...]:
    """Return the limits of an edition; the edition of the published distributions is only checked
    for integrity."""
    return (*INTEGRITY, *AUDITED) if edition == "audited" else INTEGRITY


def _is_whole(columns: Columns) -> bool:
    """Guessing can be judged only if every size has its instances: with two items, one right is
    already half."""
    return (
        columns["sizes"] == len(SIZES)
        and columns["per_size"] >= INSTANCES
        and not columns["forced"]
    )


def _has_few_colors(columns: Columns) -> bool:
    return columns["colors"] <= FEW_COLORS


INTEGRITY = (
    Limit("wrong_targets", "targets that are not the answer of their scene", most=0),
    Limit("wrong_pictures", "pictures that their scene draws differently", most=0),
)

AUDITED = (
    Limit(
        "size_aware",
        "knowing only domain and size must not pay",
        most=MAX_SIZE_AWARE,
        when=lambda columns: _is_whole(columns) and not columns["binary"],
    ),
    Limit(
        "size_aware",
        "a coin must do as well as knowing domain and size",
        most=MAX_BINARY,
        when=lambda columns: _is_whole(columns) and columns["binary"],
    ),
    Limit(
        "cue_gain_lower",
        "ink and color by halves and quadrants of the pictures must not give the answer away",
        most=MAX_CUE_GAIN,
        when=lambda columns: not columns["forced_cue"],
    ),
    Limit("duplicates", "items that repeat others measure nothing new", most=0),
    Limit("ideal_observer", "what the pixels do not tell cannot be asked", least=1),
    Limit("min_object_px", "smaller objects vanish when pictures are resized", least=MIN_OBJECT_PX),
    Limit("min_gap_px", "narrower gaps close when pictures are halved", least=MIN_GAP_PX),
    Limit("min_delta_e", "colors must be distinguished at a glance", least=MIN_DELTA_E),
    *(
        Limit(
            f"delta_e_{vision}",
            "up to four colors must be safe for color-blind readers",
            least=MIN_DELTA_E,
            when=_has_few_colors,
        )
        for vision in VISIONS
        if vision != "normal"
    ),
    Limit("max_aspect", "long pictures lose resolution when resized", most=MAX_ASPECT),
)
"""The limits of the audited edition with their reasons."""

HOOKS: Hooks = Hooks(
    inspect=inspect, columns=columns, limits=limits, control=control, network=network
)

"""Paper folding: where are the holes when the punched paper is unfolded?

The options are the right pattern, the pattern of another crease or of another punch, and the mirror
images of both. Right and wrong folds and punches could have changed places with equal chances, so
that the patterns by themselves do not tell which of them is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.measures.paper_folding import MARGIN, PANEL, UNIT
from gfactor.imaging.paper import (
    FIELDS,
    SIZE,
    Fold,
    draw_holes,
    draw_paper,
    fold_lines,
    folded,
    holes,
    moves,
    position,
)
from gfactor.items import ItemRandom

Spots = tuple[tuple[int, int], ...]
Folds = tuple[Fold, ...]

_DRAWS = 200
_WHOLE = 10**9
"""Denominator of the probabilities of folds, which are whole numbers of parts."""
_LINES_OF_FOLDS = fold_lines()


@dataclass(frozen=True)
class Scene:
    """The folds (a, b, c: the part with a * x + b * y > c is folded over) and the punches (x,
    y)."""

    folds: tuple[tuple[int, int, int], ...]
    punches: Spots

    @property
    def paper_folds(self) -> list[Fold]:
        """The folds."""
        return [Fold(*fold) for fold in self.folds]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    count, diagonals, offset, punched = (
        int(levels[name]) for name in ("folds", "diagonals", "offset", "punches")
    )
    kinds = ["diagonal"] * diagonals + ["offset"] * offset
    # If all creases are in the middle, none can be moved elsewhere.
    errors = ("punch elsewhere", "another crease") if count < 2 or kinds else ("punch elsewhere",)
    error = rng.choice(errors)
    for _ in range(_DRAWS):
        folds = _folds(rng, rng.shuffled(kinds + ["middle"] * (count - len(kinds))))
        wrong_folds = _exchanged(rng, folds) if folds and error == "another crease" else folds
        places = set(_places(wrong_folds)) if wrong_folds else set()
        positions = [place for place in _places(folds) if place in places] if places else []
        needed = punched + (error == "punch elsewhere")
        if len(positions) < needed:
            continue
        chosen = rng.sample(positions, needed)
        punches, wrong_punches = _in_order(chosen[:punched]), _in_order(chosen[-punched:])
        right, other = holes(folds, punches), holes(wrong_folds, wrong_punches)
        flip = rng.choice(_FLIPS)
        if len({right, other, flip(right), flip(other)}) == options:
            scene = Scene(tuple((f.a, f.b, f.c) for f in folds), punches)
            return Draft(scene, right, _crossed(right, other, error, flip), ("holes", len(right)))
    return Draft(Scene((), ()), ())


def _crossed(
    right: Spots, other: Spots, error: str, flip: Callable[[Spots], Spots]
) -> tuple[Distractor, ...]:
    names = {"other": error, "mirror": "mirror image"}
    return crossed(
        right,
        {"other": other, "mirror": None},
        lambda content, name, value: value if name == "other" else flip(content),
        lambda _, wrong: " and ".join(names[name] for name in wrong),
    )


def _flip(content: Spots, kind: int) -> Spots:
    maps = [(SIZE - x, y) for x, y in content], [(x, SIZE - y) for x, y in content], [
        (y, x) for x, y in content
    ]  # fmt: skip
    return _in_order(maps[kind])


def _in_order(points: Sequence[tuple[int, int]]) -> Spots:
    """Points in reading order."""
    return tuple(sorted(points, key=lambda p: (p[1], p[0])))


_FLIPS = tuple(lambda content, kind=kind: _flip(content, kind) for kind in range(3))


def _folds(rng: ItemRandom, kinds: Sequence[str]) -> Folds:
    """Folds of these kinds, each of which leaves the paper within the sheet; () for none."""
    built: Folds = ()
    for kind in kinds:
        fitting = _fitting(built, kind)
        if not fitting:
            return ()
        built = (*built, rng.choice(fitting))
    return built


def _exchanged(rng: ItemRandom, folds: Folds) -> Folds:
    """The folds with one crease elsewhere, of the same kinds; () if they do not fit.

    Each of the two is as likely to come from the other: a step of Metropolis's algorithm on the
    distribution of `_folds`.
    """
    k = rng.integer(0, len(folds) - 1)
    other = (*folds[:k], rng.choice(_LINES_OF_FOLDS), *folds[k + 1 :])
    (kinds, often), (other_kinds, other_often) = _weight(folds), _weight(other)
    if other == folds or other_kinds != kinds or not rng.chance(min(often, other_often), often):
        return ()
    return other


@lru_cache(maxsize=65536)
def _weight(folds: Folds) -> tuple[tuple[str, ...], int]:
    """The kinds of some folds, sorted, and the probability with which `_folds` draws them, in whole
    numbers; no kinds if they do not fit.
    """
    kinds, often = [], _WHOLE
    for k, fold in enumerate(folds):
        kind = _kind_after(folds[:k], fold)
        fitting = _fitting(folds[:k], kind)
        if fold not in fitting:
            return (), 0
        kinds.append(kind)
        often //= len(fitting)
    return tuple(sorted(kinds)), often


@lru_cache(maxsize=4096)
def _fitting(built: Folds, kind: str) -> tuple[Fold, ...]:
    """The folds of a kind that can follow others."""
    layers = _layers(built)
    return tuple(
        f for f in _LINES_OF_FOLDS if _kind_after(built, f) == kind and _stays(built, f, layers)
    )


@lru_cache(maxsize=4096)
def _layers(built: Folds) -> Sequence:
    return folded(built)


@lru_cache(maxsize=65536)
def _kind_after(built: Folds, fold: Fold) -> str:
    """The kind of a fold that follows others."""
    if fold.is_diagonal:
        return "diagonal"
    along = [abs(fold.a) * p[0] + abs(fold.b) * p[1] for layer in _layers(built) for p in layer]
    return "middle" if min(along) + max(along) == 2 * abs(fold.c) else "offset"


def _stays(built: Sequence[Fold], fold: Fold, layers: Sequence) -> bool:
    if moves(layers, fold) != (True, True):
        return False
    moved = (fold.reflect(p) for layer in layers for p in layer if fold.side(p) > 0)
    return all(0 <= v <= SIZE for p in moved for v in p)


@lru_cache(maxsize=65536)
def _places(folds: Folds) -> list[tuple[int, int]]:
    """Return the points at which a punch makes more than one hole and meets no crease."""
    under: dict[tuple[int, int], int] = {}
    for point in FIELDS:
        spot = position(point, folds)
        if spot is not None:
            under[spot] = under.get(spot, 0) + 1
    creased = {_lying(point, folds) for point in FIELDS if position(point, folds) is None}
    return [spot for spot, layers in sorted(under.items()) if layers > 1 and spot not in creased]


def _lying(point: tuple[int, int], folds: Sequence[Fold]) -> tuple[int, int]:
    """Return the position of a point after the folds; a point on a crease stays."""
    for fold in folds:
        if fold.side(point) > 0:
            point = fold.reflect(point)  # pyright: ignore
    return point


def solve(scene: Scene, options: Sequence[Spots]) -> Proof:
    """Follow every field of the sheet through the folds; no punch may meet a crease."""
    folds, built = scene.paper_folds, set(scene.punches)
    creased = [p for p in FIELDS if position(p, folds) is None and _lying(p, folds) in built]
    if not folds or creased:
        return Proof((), len(FIELDS))
    right = {point for point in FIELDS if position(point, folds) in built}
    fits = tuple(option for option in options if set(option) == right)
    return Proof(fits, len(FIELDS) * len(folds))


def board(folds: int, options: int) -> Board:
    """Return the layout of the picture: the sheet after each fold, and after punching."""
    return Board((PANEL,) * (folds + 1), options, PANEL)


def picture(scene: Scene, options: Sequence[Spots]) -> tuple[Pixels, ...]:
    plan, folds = board(len(scene.folds), len(options)), scene.paper_folds
    canvas = plan.canvas()
    for k, panel in enumerate(plan.panels):
        corner = (panel.x + MARGIN, panel.y + MARGIN)
        last = k == len(folds)
        punches = scene.punches if last else ()
        draw_paper(canvas, corner, UNIT, folds[: k + 1], punches, arrow=not last)
    for panel, spots in zip(plan.option_panels, options, strict=True):
        draw_holes(canvas, (panel.x + MARGIN, panel.y + MARGIN), UNIT, spots)
    return (canvas.pixels,)


_LINES = {
    (1, 0): ("x", ">"), (-1, 0): ("x", "<"), (0, 1): ("y", ">"), (0, -1): ("y", "<"),
    (1, 1): ("x + y", ">"), (-1, -1): ("x + y", "<"), (1, -1): ("x - y", ">"),
    (-1, 1): ("x - y", "<"),
}  # fmt: skip
"""Direction of a fold -> the expression and the sign of the part that moves."""


def _spots(spots: Spots) -> tuple[Say, ...]:
    return tuple(say("point", x=x, y=y) for x, y in spots)


def twin(scene: Scene) -> tuple[Say, ...]:
    folds = []
    for number, (a, b, c) in enumerate(scene.folds, 1):
        line, sign = _LINES[a, b]
        folds.append(say(f"fold {line} {sign}", number=number, c=c if sign == ">" else -c))
    return (say("sheet"), *folds, say("punch", spots=_spots(scene.punches)))


def from_twin(lines: Sequence[Say]) -> Scene:
    ways = {f"fold {line} {sign}": way for way, (line, sign) in _LINES.items()}
    folds = []
    for one in lines[1:-1]:
        a, b = ways[one.template]
        c = int(str(one["c"]))
        folds.append((a, b, c if one.template.endswith(">") else -c))
    spots = tuple((s["x"], s["y"]) for s in lines[-1]["spots"])  # pyright: ignore
    return Scene(tuple(folds), spots)


register(
    Family(
        fits=lambda levels: (
            0 <= int(levels["folds"]) - int(levels["diagonals"]) - int(levels["offset"]) <= 2
        ),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda spots: say("holes", spots=_spots(spots)),
        scene_type=Scene,
        content_type=Spots,
        options=(4,),
        version="2",
        **declared(__file__, COMMON),
    )
)

"""From families to items: the plan of a generated battery, one part a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from gfactor.benchmarks.benchmark import VECTOR, Option
from gfactor.benchmarks.chc.family import DIFFICULTIES, EXTREME, FAMILIES, Family, Level
from gfactor.benchmarks.chc.items import NAME, BatteryRequest, make_items
from gfactor.benchmarks.chc.main_radicals import calibration_cells
from gfactor.benchmarks.chc.options import (
    TWINS,
    parse_answers,
    parse_count,
    parse_families,
    parse_radicals,
    parse_seed,
    parse_words,
)
from gfactor.benchmarks.chc.redrawing import vector_pictures
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import BankPlan, Part
from gfactor.items.schema import NUMBER, WORD

VERSION = "1"
"""Version of the benchmark; raised whenever an item of some seed changes."""

ABOUT: Mapping[str, str] = {
    "name": NAME,
    "description": "Generated families of cognitive tests; a solver proves each key.",
    "license": "Apache-2.0",
    "citation": (
        "Schneider, W. J., & McGrew, K. S. (2018). The Cattell-Horn-Carroll theory of cognitive "
        "abilities. In D. P. Flanagan & E. M. McDonough (Eds.), Contemporary intellectual "
        "assessment (4th ed., pp. 73-163). Guilford."
    ),
    "version": VERSION,
}

PER_CELL = 10
"""Default number of items of each family and difficulty."""

OPTIONS = (
    Option("seed", "0", "N", "Seed of the items.", parse_seed),
    Option("families", "", "A,B", "Families, separated by commas; by default all.", parse_families),
    Option(
        "difficulty",
        "",
        "|".join((*DIFFICULTIES, EXTREME)),
        "Presets of difficulty, separated by commas; by default easy,medium,hard (without "
        "extreme).",
        partial(parse_words, "difficulty", (*DIFFICULTIES, EXTREME)),
    ),
    Option(
        "radicals",
        "",
        "NAME=LEVEL,...",
        "Levels of radicals (features of items that determine their difficulty), instead of a "
        "preset. Radicals that are not named take all their levels.",
        parse_radicals,
    ),
    Option(
        "cells",
        "",
        "main",
        "Build the design cells of calibrations instead of presets: 'main' varies the main "
        "radical of each family over its levels.",
        lambda text: next(iter(parse_words("cells", ("main",), text)), ""),
    ),
    Option(
        "per_cell", str(PER_CELL), "N", "Number of items per family and difficulty.", parse_count
    ),
    Option(
        "language",
        "en",
        "|".join(LANGUAGES),
        "Languages, separated by commas; each item is made in every language.",
        partial(parse_words, "language", LANGUAGES),
    ),
    Option(
        "answers",
        "",
        "choice|open|turns",
        "Kind of answer: choice (of options), open (without options) or turns (in several "
        "rounds). Families without this kind are left out. By default each family has its usual "
        "kind.",
        parse_answers,
    ),
    Option(
        "twin",
        "picture",
        "|".join(TWINS),
        "Form of each item: a picture, a text twin (the same scene in words), both as two items, "
        "or both together in one item.",
        lambda text: parse_words("twin", TWINS, text)[0],
    ),
    VECTOR,
)

_SEED_LIMIT = 2**63
"""Seeds are stored as 64-bit integers."""


def plan(
    seed: int = 0,
    families: Sequence[str] | None = None,
    difficulty: Sequence[str] = (),
    radicals: Mapping[str, Level] | None = None,
    per_cell: int = PER_CELL,
    language: Sequence[str] | str = ("en",),
    answers: str = "",
    twin: str = "picture",
    cells: str = "",
    vector: bool = False,
) -> BankPlan:
    """Return the plan of a bank: items ordered by family, difficulty, instance and language.

    Parameters
    ----------
    seed: 0 or more. Items of different seeds have nothing in common.
    families: names; every registered family if None or empty.
    difficulty: presets (`easy`, `medium`, `hard`, `extreme`); the first three if empty. If only
    `extreme` is asked for, families without it are left out; naming such a family is an error.
    radicals: radical -> level, instead of presets; a family takes those that it has. Families that
    have none of them, or not at this level, are left out; naming such a family is an error.
    per_cell: items of each family and difficulty.
    language: tags of `LANGUAGES`; the same scenes are written in each.
    answers: `choice`, `open` or `turns` (conversations); "" for each family's usual kind. Families
    without that kind are left out; naming such a family is an error.
    twin: `picture`, `text` (the same in words, without a picture), `both` (two items of each scene,
    identified by the labels `twin` and `scene`) or `together` (picture and words in one item).
    cells: `main` for the cells of calibrations (`main_radicals.calibration_cells`),
        instead of presets.
    vector: True to write the pictures as SVG too, next to the bank.

    Raises ParameterError or UnknownNameError (with the closest name) before any work.
    """
    language = (language,) if isinstance(language, str) else tuple(dict.fromkeys(language))
    check_request(seed, difficulty, radicals, per_cell, language, answers, twin)
    if cells and (cells != "main" or difficulty or radicals):
        raise ParameterError(
            "cells must be 'main', and cannot be combined with difficulty or radicals"
        )
    wanted = _wanted(families, radicals or {}, answers, difficulty)
    shared = {
        "seed": seed,
        "difficulty": list(difficulty) if difficulty or radicals or cells else list(DIFFICULTIES),
        "radicals": dict(radicals or {}),
        "per_cell": per_cell,
        "language": list(language),
        "answers": answers,
        "twin": twin,
        **({"cells": cells} if cells else {}),
    }
    about = {"benchmark": NAME, "version": VERSION}
    parts = []
    for family in wanted:
        request = BatteryRequest(
            seed=seed,
            cells=_cells(family, difficulty, radicals or {}, cells),
            per_cell=per_cell,
            language=language,
            answers=answers or family.answer_types[0],  # pyright: ignore[reportArgumentType]
            twin=twin,
            options=family.options[0] if family.options else 0,
        )
        parameters = {**about, "family": family.name, "family_version": family.version, **shared}
        parts.append(Part(family.name, parameters, partial(make_items, family.name, request)))
    return BankPlan(
        parts=parts,
        labels=label_columns(wanted) | ({"scene": WORD} if twin == "both" else {}),
        metadata={**about, **shared, "families": [family.name for family in wanted]},
        about=ABOUT,
        vector=vector_pictures if vector else None,
    )


def check_request(
    seed: int,
    difficulty: Sequence[str],
    radicals: Mapping[str, Level] | None,
    per_cell: int,
    language: Sequence[str],
    answers: str,
    twin: str,
) -> None:
    """Raise ParameterError or UnknownNameError if the request is not valid."""
    if not 0 <= seed < _SEED_LIMIT:
        raise ParameterError(f"seed must be a whole number from 0 to 2^63 - 1, not {seed}")
    if per_cell < 1:
        raise ParameterError(f"per_cell must be 1 or more, not {per_cell}")
    if difficulty and radicals:
        raise ParameterError("give difficulty or radicals, not both: a preset is a set of levels")
    for what, values, allowed in (
        ("difficulty", difficulty, (*DIFFICULTIES, EXTREME)),
        ("language", language, LANGUAGES),
        ("twin", (twin,), TWINS),
        ("kind of answers", (answers,) if answers else (), ("choice", "open", "turns")),
    ):
        for value in values:
            if value not in allowed:
                raise UnknownNameError(what, value, allowed)
    if not language:
        raise ParameterError(f"language: name one or more of {', '.join(LANGUAGES)}")


def _wanted(
    names: Sequence[str] | None,
    radicals: Mapping[str, Level],
    answers: str,
    difficulty: Sequence[str],
) -> list[Family[Any]]:
    """The families to build; those that were not named and do not fit are left out."""
    wanted = []
    for name in sorted({FAMILIES[name].name for name in names or FAMILIES}):
        family = FAMILIES[name]
        flaw = _misfit(family, radicals, answers)
        if EXTREME in difficulty and not family.extreme and (names or len(set(difficulty)) == 1):
            flaw = flaw or (
                f"family {family.name!r} has no extreme difficulty; leave it or --difficulty "
                f"{EXTREME} out"
            )
        if flaw and names:
            raise ParameterError(flaw)
        if not flaw:
            wanted.append(family)
    if not wanted:
        given = [*(f"{k}={v}" for k, v in radicals.items()), answers, *difficulty]
        given = ", ".join(filter(None, given))
        raise ParameterError(f"no family can be built with {given}; see gfactor list families")
    return wanted


def _misfit(family: Family[Any], radicals: Mapping[str, Level], answers: str) -> str:
    if answers and answers not in family.answer_types:
        return f"family {family.name!r} has no {answers} answers; leave it or --answers out"
    inner = {name: level for name, level in radicals.items() if name in family.radicals}
    if radicals and not inner:
        allowed, given = ", ".join(family.radicals), " or ".join(map(repr, radicals))
        return f"family {family.name!r} has no radical {given}; it has {allowed}"
    for name, level in inner.items():
        if level not in family.radicals[name]:
            allowed = ", ".join(map(str, family.radicals[name]))
            return f"radical {name!r} of {family.name!r} has no level {level!r}; it has {allowed}"
    if not family.cells({name: (level,) for name, level in inner.items()}):
        given = ", ".join(f"{k}={v}" for k, v in radicals.items())
        return f"family {family.name!r} cannot be drawn with {given}"
    return ""


def _cells(
    family: Family[Any], difficulty: Sequence[str], radicals: Mapping[str, Level], cells: str
) -> tuple[tuple[str, Mapping[str, Sequence[Level]]], ...]:
    if cells:
        return tuple(
            (name, {radical: (level,) for radical, level in levels.items()})
            for name, levels in calibration_cells(family)
        )
    if radicals:
        given = sorted(radicals.items())
        return (("set", {name: (level,) for name, level in given if name in family.radicals}),)
    wanted = difficulty or DIFFICULTIES
    return tuple((d, family.preset(d)) for d in family.difficulties if d in wanted)


def label_columns(families: Sequence[Family[Any]]) -> dict[str, Any]:
    """Return the labels of a bank of these families with their types."""
    words = ("domain", "family", "ability", "difficulty", "language", "twin", "answers")
    columns: dict[str, Any] = dict.fromkeys(words, WORD)
    for family in families:
        for name, levels in family.radicals.items():
            kind = NUMBER if isinstance(levels[0], int) else WORD
            if columns.setdefault(f"radical.{name}", kind) != kind:
                raise ParameterError(
                    f"radical {name!r} of {family.name!r} has words where another family has "
                    "numbers, or numbers where it has words; one of the two needs another name"
                )
    return columns

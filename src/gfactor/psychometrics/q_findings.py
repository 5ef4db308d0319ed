"""Diagnostics of a Q-matrix: missing rows, and skills that answers do not support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic

LEAST_ROWS = 3
"""Smallest number of items that must require a skill (Gu & Xu 2019)."""


def same_columns(matrix: NDArray[np.int_]) -> list[list[int]]:
    """Return, for each column, the numbers of the other columns that are equal to it."""
    k = matrix.shape[1]
    return [
        [j for j in range(k) if j != i and (matrix[:, i] == matrix[:, j]).all()] for i in range(k)
    ]


def about_skills(skills: pd.DataFrame, distinct: int | None, rank: int) -> Iterator[Diagnostic]:
    count = len(skills)
    mixed = tuple(skills.loc[(skills["rows"] > 0) & (skills["rows_alone"] == 0), "skill"])
    if mixed:
        numbers = (
            "" if distinct is None else f": {distinct} of {2**count} patterns of mastery differ"
        )
        yield Diagnostic(
            "skill_never_alone",
            "error",
            f"No row asks for {listed(mixed)} alone, so that the Q-matrix is not complete and a "
            f"DINA model cannot distinguish some patterns of mastery{numbers}.",
            "Add rows that ask for one of these skills and nothing else, two for each if a row is "
            "a domain.",
            mixed,
            {} if distinct is None else {"distinct_patterns": distinct, "patterns": 2**count},
        )
    unused = tuple(skills.loc[skills["rows"] == 0, "skill"])
    if unused:
        yield Diagnostic(
            "skill_never_asked",
            "error",
            f"No row asks for {listed(unused)}.",
            "Add rows that do, or leave the skill out.",
            unused,
        )
    rare = tuple(skills.loc[(skills["rows"] > 0) & (skills["items"] < LEAST_ROWS), "skill"])
    if rare:
        yield Diagnostic(
            "skill_rarely_asked",
            "warning",
            f"Fewer than {LEAST_ROWS} items ask for {listed(rare)}, so that slipping and guessing "
            "of a DINA model are not identified.",
            "Add items that ask for it.",
            rare,
        )
    if rank < count:
        yield Diagnostic(
            "skills_dependent",
            "error",
            f"The rank of the Q-matrix is {rank} with {count} skills: the rows of some skills "
            "follow from those of others, so that their separate effects have no estimates.",
            "Add rows that ask for some of these skills without the others.",
            (),
            {"rank": rank},
        )


def about_the_rest(
    names: Sequence[str], left: NDArray[np.int_], complete: bool, twins: list[list[int]]
) -> Iterator[Diagnostic]:
    pairs = [(i, j) for i, others in enumerate(twins) for j in others if i < j]
    for i, j in pairs:
        yield Diagnostic(
            "skills_in_the_same_rows",
            "error",
            f"{names[i]} and {names[j]} are asked for by the same rows; nothing separates them.",
            "Take them as one skill, or add rows that ask for one of them.",
            (names[i], names[j]),
        )
    if not complete:
        return
    for i, others in enumerate(same_columns(left)):
        for j in others:
            if i < j:
                yield Diagnostic(
                    "skills_alike_beside_pure_rows",
                    "warning",
                    f"Beside one item that asks for each skill alone, {names[i]} and {names[j]} "
                    "are asked for by the same items, so that a DINA model is not identified.",
                    "Add an item that asks for one of them without the other.",
                    (names[i], names[j]),
                )


def about_general_models(generic: bool) -> Iterator[Diagnostic]:
    if not generic:
        yield Diagnostic(
            "general_model_not_identified",
            "warning",
            "Nothing ensures that a general model (G-DINA) is identified: it takes two items of "
            "its own for each skill, and a further one that asks for it (Gu & Xu 2020).",
            "Add items for the skills with the fewest items.",
        )


def about_rows(matrix: NDArray[np.int_], rows: Sequence[str]) -> Iterator[Diagnostic]:
    empty = tuple(np.array(rows)[matrix.sum(axis=1) == 0].tolist())
    if empty:
        yield Diagnostic(
            "row_without_skill",
            "warning",
            f"{listed(empty)} {'asks' if len(empty) == 1 else 'ask'} for no skill.",
            "Name the skills of these rows, or leave the rows out.",
            empty,
        )


def about_support(support: pd.DataFrame) -> Iterator[Diagnostic]:
    pairs = [
        (f"{row} ({skill})", verdict)
        for row, skill, verdict in zip(
            support["row"], support["skill"], support["supported"], strict=True
        )
    ]
    against = tuple(name for name, verdict in pairs if verdict == "no")
    if against:
        yield Diagnostic(
            "skill_contradicted",
            "warning",
            f"Answers go against the skill of {listed(against)}: the better the skill's other "
            "rows are answered, the worse this one.",
            "Look at the rows; they may ask for something else.",
            against,
        )
    open_ = tuple(name for name, verdict in pairs if verdict in {"not decided", "-"})
    if open_:
        yield Diagnostic(
            "skill_not_supported",
            "note",
            f"Answers do not show that {len(open_)} of {len(pairs)} skills of rows are needed: "
            f"{listed(open_)}.",
            "Ask more respondents, or leave these skills of the rows out.",
            open_,
        )
    closer = support.loc[support["closer"], ["row", "closest"]].drop_duplicates()
    if len(closer):
        where = tuple(f"{row} ({skill})" for row, skill in closer.itertuples(index=False))
        yield Diagnostic(
            "row_closer_to_another_skill",
            "warning",
            f"Answers go with another skill's rows more than with their own: {listed(where)}.",
            "Reconsider the skills of these rows.",
            where,
        )


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names as a list in words: A, B and C."""
    if len(names) == 1:
        return names[0]
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return f"{', '.join(names[:-1])} and {names[-1]}"

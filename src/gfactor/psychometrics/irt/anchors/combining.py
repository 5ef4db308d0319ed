"""Combination of the models of several updates and versions of a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.additions import Additions, ScaleUpdate, base_of
from gfactor.psychometrics.irt.anchors.anchor_set import Anchors
from gfactor.psychometrics.irt.anchors.calibrating import answers_digest
from gfactor.psychometrics.irt.anchors.files import anchors_digest

_NAMED = 3


def additions_of(
    anchors: Anchors, answers: pd.DataFrame, families: Mapping[str, str] | pd.Series,
    contents: Mapping[str, str] | None = None, laboratory: str = "", date: str = "",
) -> Additions:  # fmt: skip
    """Return the models of one update, without those that the scale was calibrated on."""
    base = base_of(anchors)
    base.rows(answers)
    if answers.index.has_duplicates:
        twice = str(answers.index[answers.index.duplicated()][0])
        raise ParameterError(f"model {twice!r} occurs twice; keep one row of it")
    there = answers.notna().any(axis=1) & ~answers.index.isin(base.models.index)
    part: Any = answers[there]
    given = {str(who): family for who, family in dict(families).items()}
    missing = [str(who) for who in part.index if not isinstance(given.get(str(who)), str)]
    if missing:
        raise ParameterError(
            f"model {missing[0]!r} has no family; name one for every model that is added, its "
            "own name if it is not a relative of another"
        )
    labels = pd.Series({str(who): given[str(who)] for who in part.index}, dtype=object)
    table = _arranged(part.rename(index=str).astype(np.float64), base)
    update = ScaleUpdate(
        anchors_digest(anchors), answers_digest(table), tuple(table.index), laboratory, date
    )
    updates = (update,) if len(table) else ()
    return Additions(base, table, labels.reindex(table.index), updates, dict(contents or {}))


def combined(parts: Sequence[Additions]) -> Additions:
    """Return the models of all parts, each once; the order of the parts makes no difference.

    Raises
    ------
    ParameterError
        If the parts add to different scales, a model has different answers or families in two of
        them, or an item has different contents.
    """
    first = parts[0]
    digests = {anchors_digest(part.base): part.base.name for part in parts}
    if len(digests) > 1:
        (one, left), (other, right) = list(digests.items())[:2]
        raise ParameterError(
            f"the versions stem from different calibrations, {left} ({one[:12]}) and {right} "
            f"({other[:12]}); only versions of one calibration can be merged"
        )
    answers, families, contents = first.answers, first.families, dict(first.contents)
    for part in parts[1:]:
        _check_same_contents(contents, part.contents)
        _check_same_models(answers, families, part)
        contents |= part.contents
        answers = _completed(answers, part.answers)
        families = families.combine_first(part.families)
    table = _arranged(answers.astype(np.float64), first.base)
    updates = tuple(sorted({update for part in parts for update in part.updates}))
    return Additions(
        first.base, table, families.reindex(table.index), updates, dict(sorted(contents.items()))
    )


def _completed(answers: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """`combine_first` of numbers, at once and not column by column."""
    where: dict[str, Any] = {
        "index": answers.index.union(others.index),
        "columns": answers.columns.union(others.columns),
    }
    here, there = answers.reindex(**where), others.reindex(**where)
    return here.where(here.notna(), there)


def _check_same_contents(stored: Mapping[str, str], given: Mapping[str, str]) -> None:
    differing = sorted(item for item in stored.keys() & given.keys() if stored[item] != given[item])
    if differing:
        raise ParameterError(
            f"the content of {len(differing)} items differs, such as {differing[0]}: the "
            "laboratories asked different questions under one index; take the edition of the "
            "benchmark that was calibrated"
        )


def _check_same_models(answers: pd.DataFrame, families: pd.Series, part: Additions) -> None:
    for who in answers.index.intersection(part.answers.index):
        here, there = str(families.loc[who]), str(part.families.loc[who])
        if here != there:
            raise ParameterError(
                f"model {who!r} is of family {here!r} here and of {there!r} there; agree on one"
            )
        stored = answers.loc[who]
        theirs = part.answers.loc[who].reindex(stored.index)
        differs = (stored.notna() & theirs.notna() & (stored != theirs)).to_numpy()
        if differs.any():
            named = ", ".join(map(str, stored.index[differs][:_NAMED]))
            raise ParameterError(
                f"model {who!r} has different answers to {int(differs.sum())} items, such as "
                f"{named}; keep one run of it, or give the other run a name of its own"
            )


def _arranged(answers: pd.DataFrame, base: Anchors) -> pd.DataFrame:
    """The answers with models sorted by name and items in the order of the scale."""
    order = [column for positions in base.columns for column in positions]
    there = set(answers.columns)
    return answers.sort_index().reindex(columns=[column for column in order if column in there])

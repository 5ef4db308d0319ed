"""Answers, items, references, twins and wrong keys as `inflation` takes them, checked."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.listing import first_few

Floats = NDArray[np.float64]


def checked_answers(
    answers: pd.DataFrame,
    examinee: str,
    public: Sequence[str],
    fresh: Sequence[str],
    references: Sequence[str] | None,
) -> tuple[pd.DataFrame, list[str]]:
    """Return the answers of the examinee and its references to both forms, and the references."""
    for what, axis in (("row", answers.index), ("column", answers.columns)):
        if not axis.is_unique:
            twice = axis[axis.duplicated()][0]
            raise ParameterError(f"the answers have the {what} {twice!r} more than once")
    listed = [str(r) for r in references] if references is not None else None
    if listed is not None and examinee in listed:
        raise ParameterError(
            f"{examinee!r} cannot be its own reference; leave it out of the references"
        )
    others = answers.index.drop(examinee, errors="ignore") if listed is None else listed
    rows = [examinee, *others]
    for what, wanted, axis in (
        ("model", rows, answers.index), ("public item", public, answers.columns),
        ("fresh item", fresh, answers.columns),
    ):  # fmt: skip
        if not len(wanted):
            raise ParameterError(f"no {what} is named; name those to compare")
        if missing := [name for name in wanted if name not in axis]:
            more = f" ({len(missing)} are missing)" if len(missing) > 1 else ""
            raise ParameterError(
                f"the answers have no {what} {missing[0]!r}{more}; {_near(missing[0], axis)}"
            )
        if len(set(wanted)) < len(wanted):
            raise ParameterError(f"a {what} is named more than once")
    if both := sorted(set(public) & set(fresh)):
        raise ParameterError(
            f"{len(both)} items are both public and fresh, {both[0]!r} for example; name each item "
            "in one of the two lists"
        )
    items = [*public, *fresh]
    cells = np.ix_(answers.index.get_indexer(rows), answers.columns.get_indexer(items))
    values = _numbers(answers.iloc[cells[0].ravel(), cells[1].ravel()])
    wrong = np.argwhere((values < 0) | (values > 1))
    if len(wrong):
        row, column = wrong[0]
        raise ParameterError(
            f"row {rows[row]!r}, column {items[column]!r}: {values[row, column]} is not an "
            "answer; 1 is right, 0 wrong, a number between them the share right over several "
            "occasions, and an empty cell was not answered"
        )
    return pd.DataFrame(values, rows, items), rows[1:]


def _near(name: str, names: pd.Index) -> str:
    """Return which of the names was probably meant, or the first ones."""
    texts = [str(one) for one in names]
    if close := difflib.get_close_matches(str(name), texts, n=3, cutoff=0.6):
        return f"did you mean {' or '.join(map(repr, close))}?"
    return f"they have {first_few(map(repr, texts), 3)}"


def _numbers(answers: pd.DataFrame) -> Floats:
    """Return answers as numbers; ParameterError names the first value that is not a number."""
    try:
        return answers.to_numpy(float, na_value=np.nan)
    except (TypeError, ValueError):
        numbers = answers.apply(pd.to_numeric, errors="coerce")
    row, column = np.argwhere((numbers.isna() & answers.notna()).to_numpy(bool))[0]
    raise ParameterError(
        f"row {answers.index[row]!r}, column {answers.columns[column]!r}: "
        f"{answers.iat[row, column]!r} is not an answer; write 1 for right and 0 for wrong, and "
        "leave the cell empty if the item was not answered"
    )


def check_references_vary(names: Sequence[str], *shares: Floats) -> None:
    """Raise ParameterError if all references have one score on a form."""
    for form, share in zip(("public", "fresh"), shares, strict=True):
        if share.min() == share.max():
            raise ParameterError(
                f"all {len(names)} references have {100 * share[0]:.1f} % of the {form} items "
                "right, so that they show no differences between models; use other references or "
                "items, on which scores differ"
            )


def check_twins(twins: Mapping[str, str], public: Sequence[str], fresh: Sequence[str]) -> None:
    """Raise ParameterError unless twins map public items to fresh ones, each once."""
    if not isinstance(twins, Mapping):
        raise ParameterError(
            "twins must be a mapping of public items to their fresh twins, such as "
            '{"public1": "fresh1"}; from a list of pairs, write dict(pairs)'
        )
    for what, names, form in (("public", twins.keys(), public), ("fresh", twins.values(), fresh)):
        if outside := [name for name in names if name not in set(form)]:
            raise ParameterError(
                f"twins must map public items to fresh ones, but {outside[0]!r} is not a {what} "
                "item"
            )
    if len(set(twins.values())) < len(twins):
        raise ParameterError("a fresh item is the twin of several public ones; name each once")


def check_wrong_keys(wrong_keys: Sequence[str], public: Sequence[str]) -> None:
    """Raise ParameterError if an item whose key is wrong is not public."""
    if outside := sorted(set(wrong_keys) - set(public)):
        raise ParameterError(
            f"item {outside[0]!r}, whose key is said to be wrong, is not a public item; name "
            "public ones"
        )

"""Findings about the scores of items: mistyped ones, ones that stand for wrong and right though
not 0 and 1, and items with the same scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

RARE = 2
"""Answers up to which a category is rare."""

MANY = 100
"""Answers of an item from which a rare category is one in fifty or less."""

NEARLY_ALL = 0.8
"""Share of items with scores 0 and 1 from which another item is an exception among them."""

_BINARY = (0.0, 1.0)


def category_findings(
    codes: NDArray[np.int16], items: Sequence[str], scores: Sequence[tuple[float, ...]]
) -> list[Diagnostic]:
    """Return findings about the scores of items.

    Parameters
    ----------
    codes : integer array (P, J)
        Category of every response from 0, -1 if missing.
    items : sequence of str
        Names of the columns.
    scores : sequence of tuples of float
        Per item the score that each category stands for.

    Returns
    -------
    list of Diagnostic
        A warning about categories with very few answers (`rare_categories`), a note on items of
        more categories among items of 0 and 1 (`mixed_categories`), and one on two scores that are
        taken for 0 and 1 (`scores_recoded`).

    Examples
    --------
    >>> codes = np.array([[0, 1]] * 99 + [[1, 0], [2, 1]], dtype=np.int16)
    >>> findings = category_findings(codes, ["i1", "i2"], [(0, 1, 2), (0, 1)])
    >>> print(findings[0].sentence)
    Very few have some scores: item 'i1': 1 answer is 1, 1 answer is 2.
    """
    binary = sum(one == _BINARY for one in scores) >= NEARLY_ALL * len(scores)
    rare: dict[str, dict[str, int]] = {}
    longer = []
    for column, name, values in zip(codes.T, items, scores, strict=True):
        if len(values) < 3:
            continue
        counts = np.bincount(column[column >= 0], minlength=len(values))
        few = {
            f"{value:g}": int(count)
            for value, count in zip(values, counts, strict=True)
            if 0 < count <= RARE and (counts.sum() >= MANY or (binary and value not in _BINARY))
        }
        if few:
            rare[name] = few
        else:
            longer.append(name)
    findings = []
    if rare:
        listed = first_few(
            f"item {name!r}: {', '.join(_counted(value, count) for value, count in few.items())}"
            for name, few in rare.items()
        )
        among = ", while nearly all other items have 0 and 1" if binary else ""
        findings.append(Diagnostic(
            "rare_categories", "warning",
            f"Very few have some scores{among}: {listed}.",
            "If they are mistyped, correct or empty these cells: each score has a threshold of its "
            "own, which so few answers do not determine. Else join categories.",
            tuple(rare), dict(rare),
        ))  # fmt: skip
    if binary and longer:
        findings.append(Diagnostic(
            "mixed_categories", "note",
            f"Scores other than 0 and 1 occur in {len(longer)} of {len(scores)} items: "
            f"{first_few(map(repr, longer))}.",
            "They are modeled as graded answers; the other items as right or wrong.",
            tuple(longer),
        ))  # fmt: skip
    return findings + _recoded(items, scores)


def _counted(value: str, count: int) -> str:
    return f"{count} answer{'s are' if count > 1 else ' is'} {value}"


def _recoded(items: Sequence[str], scores: Sequence[tuple[float, ...]]) -> list[Diagnostic]:
    """The note on items of two scores that are not 0 and 1."""
    by_scores: dict[tuple[float, ...], list[str]] = {}
    for name, values in zip(items, scores, strict=True):
        if len(values) == 2 and values != _BINARY:
            by_scores.setdefault(values, []).append(name)
    if not by_scores:
        return []
    listed = first_few(
        f"{low:g} and {high:g} of {len(names)} item{'s' * (len(names) > 1)} "
        f"({first_few(map(repr, names))})"
        for (low, high), names in by_scores.items()
    )
    return [Diagnostic(
        "scores_recoded", "note",
        f"Scores are taken for 0 (wrong) and 1 (right): {listed}.",
        "Check that the higher score is the right answer.",
        tuple(name for names in by_scores.values() for name in names),
    )]  # fmt: skip


def same_answers(codes: NDArray[np.int16], items: Sequence[str]) -> list[Diagnostic]:
    """Return a warning about pairs of items with identical responses.

    Parameters
    ----------
    codes, items
        As in `category_findings`.
    """
    same = _same_columns(codes, items)
    if not same:
        return []
    listed = ", ".join(f"{a} = {b}" for a, b in same[:3])
    return [Diagnostic(
        "duplicated_items", "warning",
        f"{len(same)} pairs of items have identical responses throughout: {listed}.",
        "Keep one of each pair, or their dependence is counted as discrimination.",
        tuple(name for pair in same for name in pair),
    )]  # fmt: skip


def _same_columns(codes: NDArray[np.int16], items: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of items with equal responses, if that is not to be expected by chance.

    Two independent items with the same shares agree for one person with the sum of the squared
    shares as probability, and for n persons with its n-th power. Only half of the persons are
    counted, because ability makes items agree more often than that.
    """
    first: dict[bytes, str] = {}
    pairs, count = [], len(items)
    for j, name in enumerate(items):
        column = codes[:, j]
        key = np.ascontiguousarray(column).tobytes()
        if key not in first:
            first[key] = name
            continue
        shares = np.bincount(column[column >= 0]) / max(1, int((column >= 0).sum()))
        chance = float((shares**2).sum()) ** (0.5 * float((column >= 0).sum()))
        if chance * count * (count - 1) / 2 < 0.01:
            pairs.append((first[key], name))
    return pairs

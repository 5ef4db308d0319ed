"""Norms of scores: cells of people by group; cells with too few people are refused."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.norms.standing import MIN_N, NormCell, Standing, group_text
from gfactor.results import Result

CONVENIENCE = Diagnostic(
    "convenience_sample", "warning",
    "A convenience sample is no norm: these people are whoever took part, and percentiles and T "
    "scores say where a score stands among them, not among a population.",
    "Draw persons at random from a population, or weight them to one, before calling this a norm.",
)  # fmt: skip
"""Warning in every file of norms, repeated wherever one is used."""

_MANY = 1e6
"""Degrees of freedom from which on Student's distribution is taken as normal."""

ROUNDED = 12
"""Number of decimals of scores in cells, so that means that differ by rounding are ties."""


@dataclass(frozen=True, repr=False)
class Norms(Result):
    """Norms: positions of scores among people, by group.

    Parameters
    ----------
    cells : tuple of NormCell
        Norms of each scale and group; those of all people come first.
    refused : DataFrame
        `scale`, `group` and `n` of the groups with too few people, which have no norms.
    scales : mapping
        Properties of each scale: for shares of right answers `benchmark`, `label`, `value`, the
        hashes of its `items`, and under a claim `claim`, `generalizes_to` and `se_items` (standard
        error of a mean over the items that were drawn) with its degrees of freedom `df_items`;
        for abilities the digest of the `calibration`.
    about : mapping
        `sample` (description of the people), `unit` ("share right" or "ability"), `condition`,
        `sources` (files), `smoothing` ("none").
    min_n : int
        Smallest number of persons; groups with fewer get no norms.
    level : float
        Confidence level of the intervals.
    diagnostics : tuple of Diagnostic
        Limits of the norms; the first one warns that a convenience sample gives no population
        norms.
    """

    cells: tuple[NormCell, ...]
    refused: pd.DataFrame
    scales: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    min_n: int = MIN_N
    level: float = 0.95
    diagnostics: tuple[Diagnostic, ...] = (CONVENIENCE,)

    def cell(self, scale: str, **group: str) -> NormCell:
        """Return the norms of a scale and group; without a group those of all people.

        Raises
        ------
        UnknownNameError
            If no such cell exists; the message lists those that exist.
        """
        cells = {group_text(c.group): c for c in self.cells if c.scale == scale}
        if not cells:
            raise UnknownNameError(
                "scale of the norms", scale, sorted({c.scale for c in self.cells})
            )
        wanted = group_text(group)
        if wanted not in cells:
            raise UnknownNameError(f"group of the norms of {scale}", wanted, cells)
        return cells[wanted]

    def standings(
        self, scale: str, score: float, low: float | None = None, high: float | None = None
    ) -> tuple[Standing, ...]:
        """Return the position of a score in every group of a scale, as `NormCell.standing` does."""
        return tuple(c.standing(score, low, high) for c in self.cells if c.scale == scale)

    @property
    def title(self) -> str:
        n, scales = max(cell.n for cell in self.cells), len({c.scale for c in self.cells})
        return (
            f"Norms of {self.about.get('sample') or 'an undescribed sample'}: {n} persons, "
            f"{scales} scale{'s' * (scales > 1)}, {_cells(self.cells)}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {**self.about, "min_n": self.min_n, "level": self.level}

    @property
    def table(self) -> pd.DataFrame:
        """A row per cell: `scale`, `group`, `n`, `mean` with its standard error `se` over other
        people, under a claim also `se_claim` over other people and other items, the interval of the
        mean (`ci_lower`, `ci_upper`; of the claim if there is one), `sd`, and the scores at the
        quartiles."""
        rows = []
        for cell in self.cells:
            people = np.repeat(cell.values, cell.counts)
            quartiles = dict(zip(("q1", "median", "q3"), np.quantile(people, [0.25, 0.5, 0.75]),
                                 strict=True))  # fmt: skip
            se = float(cell.sd / np.sqrt(cell.n))
            facts = self.scales.get(cell.scale, {})
            items = facts.get("se_items")
            over = [(se, cell.n - 1.0)]
            if items is not None:
                over.append((items, facts.get("df_items", math.inf)))
            half = _half_width(over, self.level)
            lowest, highest = (0.0, 1.0) if "items" in facts else (-math.inf, math.inf)
            rows.append({
                "scale": cell.scale, "group": group_text(cell.group), "n": cell.n,
                "mean": cell.mean, "se": se,
                **({} if items is None else {"se_claim": math.hypot(se, items)}),
                "ci_lower": max(cell.mean - half, lowest),
                "ci_upper": min(cell.mean + half, highest),
                "sd": cell.sd, **quartiles,
            })  # fmt: skip
        return pd.DataFrame(rows)

    @property
    def conversion(self) -> pd.DataFrame:
        """Return a row per cell and observed score: the percentile, the normalized T score (from
        the percentile) and the linear T score, each with an interval for the sampling of persons.
        """
        rows = [cell.standing(value).row() for cell in self.cells for value in cell.values]
        return pd.DataFrame(rows)

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        refused = {"refused": self.refused} if len(self.refused) else {}
        return {"cells": self.table, **refused, "conversion": self.conversion}

    def _lines(self) -> list[str]:
        lines = [self.title, "", self.table.to_string(index=False, float_format="{:z.3f}".format)]
        claims = [
            f"{name}: the mean {facts['generalizes_to']} (se_claim and the interval); percentiles "
            "and T scores hold for these items"
            for name, facts in self.scales.items()
            if "generalizes_to" in facts and any(cell.scale == name for cell in self.cells)
        ]
        lines += ["", *claims] if claims else []
        if len(self.refused):
            lines += ["", f"refused (fewer than {self.min_n} persons)",
                      self.refused.to_string(index=False)]  # fmt: skip
        return lines


def _half_width(errors: Sequence[tuple[float, float]], level: float) -> float:
    """Return half of an interval of a mean with several independent errors.

    Parameters
    ----------
    errors : sequence of (standard error, degrees of freedom)
        Their sum has Satterthwaite's (1946) degrees of freedom.
    level : float
        Confidence level.
    """
    variance = sum(se**2 for se, _ in errors)
    parts = sum(se**4 / df for se, df in errors if se > 0)
    df = variance**2 / parts if parts > 0 else math.inf
    return float(special.stdtrit(min(df, _MANY), 0.5 + level / 2)) * math.sqrt(variance)


def norm_scores(
    scores: pd.DataFrame,
    groups: pd.DataFrame | None = None,
    *,
    crossed: bool = False,
    min_n: int = MIN_N,
    level: float = 0.95,
    seed: int = 0,
    scales: Mapping[str, Mapping[str, Any]] | None = None,
    about: Mapping[str, Any] | None = None,
) -> Norms:
    """Estimate norms of scores: percentiles and T scores by group, with n and error of each cell.

    Percentiles count half of the ties; they are not smoothed over scores or ages. There are T
    scores by area transformation and linear ones.

    Parameters
    ----------
    scores : DataFrame
        Persons in rows, a column per scale; NaN if a person has none.
    groups : DataFrame, optional
        Columns of the same persons, as texts; each gives cells beside that of all people. An empty
        or missing value belongs to no group.
    crossed : bool
        True for additional cells of all combinations of the columns.
    min_n : int
        Smallest number of persons of a cell, at least 10; cells with fewer are refused.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the bootstrap samples for the intervals of linear T scores.
    scales, about : mapping, optional
        Properties of scales and of persons; stored in the result.

    Returns
    -------
    Norms
        Percentiles and T scores by scale and group.

    Raises
    ------
    ParameterError
        If no scale has enough persons, or the persons of the two tables differ.

    References
    ----------
    Crawford, J. R., Garthwaite, P. H., Slick, D. J. (2009). On percentile norms in
    neuropsychology. The Clinical Neuropsychologist 23, 1173-1195.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics.norms import norm_scores
    >>> scores = pd.DataFrame({"shapes": np.linspace(0.2, 0.9, 40)})
    >>> standing = norm_scores(scores).cell("shapes").standing(0.8)
    >>> round(standing.percentile, 1), round(standing.t_linear, 1)
    (85.0, 61.9)
    """
    checked_level(level)
    if min_n < 10:
        raise ParameterError(
            f"min_n must be at least 10, not {min_n}; fewer persons give no usable norms"
        )
    grouping = pd.DataFrame(index=scores.index) if groups is None else groups
    if not grouping.index.equals(scores.index):
        raise ParameterError("scores and groups have different persons; give both the same index")
    cells: list[NormCell] = []
    refused: list[dict[str, Any]] = []
    for scale in scores.columns:
        values = scores[scale].to_numpy(float)
        for group, members in _groups(grouping, crossed):
            x = values[members & np.isfinite(values)]
            if len(x) < min_n:
                refused.append({"scale": str(scale), "group": group_text(group), "n": len(x)})
                continue
            distinct, counts = np.unique(np.round(x, ROUNDED), return_counts=True)
            cells.append(NormCell(
                str(scale), group, tuple(distinct.tolist()), tuple(counts.tolist()), level, seed
            ))  # fmt: skip
    if not cells:
        most = max((row["n"] for row in refused), default=0)
        raise ParameterError(
            f"no norms: the largest group of people has {most} with a score, and {min_n} are "
            "needed; have more people take the study, or join groups (--by; in Python by=)"
        )
    table = pd.DataFrame(refused, columns=["scale", "group", "n"])
    return Norms(
        tuple(cells), table, scales or {}, {**(about or {}), "smoothing": "none"}, min_n, level,
        by_severity(_diagnostics(cells, refused, grouping, min_n)),
    )  # fmt: skip


def _groups(
    grouping: pd.DataFrame, crossed: bool
) -> Iterator[tuple[dict[str, str], np.ndarray[Any, np.dtype[np.bool_]]]]:
    """Yield all people, the groups of every column, and the groups of the crossed columns."""
    yield {}, np.ones(len(grouping), bool)
    names = [str(name) for name in grouping.columns]
    sets: list[Sequence[str]] = [[name] for name in names]
    if crossed and len(names) > 1:
        sets.append(names)
    text = {name: grouping[name].map(_text).to_numpy() for name in names}
    for chosen in sets:
        levels = [sorted(set(text[name]) - {""}) for name in chosen]
        for values in itertools.product(*levels):
            group = dict(zip(chosen, values, strict=True))
            parts = [text[name] == value for name, value in group.items()]
            yield group, np.logical_and.reduce(parts)


def _text(value: Any) -> str:
    return "" if pd.isna(value) else str(value).strip()


def _diagnostics(
    cells: Sequence[NormCell],
    refused: Sequence[Mapping[str, Any]],
    grouping: pd.DataFrame,
    min_n: int,
) -> Iterator[Diagnostic]:
    yield CONVENIENCE
    if refused:
        yield Diagnostic(
            "cells_refused", "warning",
            f"There are no norms of {_cells(refused)} with fewer than {min_n} persons.",
            "Ask more people of these groups, or join groups.",
            tuple(f"{row['scale']}: {row['group']}" for row in refused),
        )  # fmt: skip
    few = [cell for cell in cells if cell.n < MIN_N]
    if few:
        least = min(cell.n for cell in few)
        se = 10 / math.sqrt(least)
        yield Diagnostic(
            "small_cells", "warning",
            f"{_cells(few)} with fewer than {MIN_N} persons; in the smallest, with {least}, the "
            f"standard error of the mean is {se:.1f} T points.",
            "Ask more people of these groups, join groups, or say n and standard error with every "
            "norm of theirs.",
            tuple(f"{c.scale}: {group_text(c.group)}" for c in few),
            {"n": least, "se_t": se},
        )  # fmt: skip
    for name in grouping.columns:
        missing = sum(_text(value) == "" for value in grouping[name])
        if missing:
            have, they = ("has", "this person counts") if missing == 1 else ("have", "they count")
            yield Diagnostic(
                "group_unknown", "note",
                f"{missing} of {len(grouping)} persons {have} no value of {name}; {they} among all "
                "people only.", "Ask for it in the study, or leave the column out.",
                (str(name),), {"n": missing},
            )  # fmt: skip
    flat = tuple(f"{c.scale}: {group_text(c.group)}" for c in cells if c.sd == 0)
    if flat:
        yield Diagnostic(
            "no_spread", "warning",
            f"In {_cells(flat)} all persons have the same score: there are no linear T scores.",
            "Give these people harder or easier items.", flat,
        )  # fmt: skip
    ceiling = tuple(
        f"{c.scale}: {group_text(c.group)}" for c in cells
        if c.sd > 0 and max(c.counts[0], c.counts[-1]) > 0.15 * c.n
    )  # fmt: skip
    if ceiling:
        yield Diagnostic(
            "floor_or_ceiling", "warning",
            f"In {_cells(ceiling)} more than 15 % of the persons have the lowest or the highest "
            "score of the cell: percentiles do not distinguish scores there.",
            "Add easier or harder items.", ceiling,
        )  # fmt: skip


def _cells(counted: Sequence[Any]) -> str:
    return f"{len(counted)} cell" + "s" * (len(counted) > 1)

"""All checks of score matrices in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import TableLike, as_frame
from gfactor.psychometrics.respondents.chance import BY_CHANCE
from gfactor.psychometrics.respondents.clustering import families, family_findings
from gfactor.psychometrics.respondents.columns import (
    column_findings,
    column_table,
    row_findings,
    row_table,
)
from gfactor.psychometrics.respondents.copies import RowOverlap, between, within
from gfactor.psychometrics.respondents.result import Forensics


def forensics(
    samples: Mapping[str, TableLike] | TableLike,
    *,
    points: Mapping[str, float] | None = None,
    counts: bool = False,
    reference: TableLike | None = None,
    seed: int = 0,
) -> Forensics:
    """Check score tables for copied rows, impossible values, constant columns and near-copies.

    Parameters
    ----------
    samples : DataFrame or dict of DataFrames
        Table of numbers with a row per person and a column per indicator, or several tables by
        name. Several tables are compared on the columns with equal names. The comparison ignores a
        shift and a positive scale of each column, so that a table of z-scores can be compared with
        one of points.
    points : dict, optional
        The points that can be earned per column; values outside 0..points are impossible.
    counts : bool
        Check that all values are whole numbers of points.
    reference : DataFrame, optional
        An unrestricted sample with some of the columns, for range restriction.
    seed : int
        Seed of the search for copies across samples.

    Returns
    -------
    Forensics
        `diagnostics` (errors first), `samples` (figures of each table), `overlaps` (copies across
        tables), `summary()` and `to_dict()`.

    Raises
    ------
    ParameterError
        If a sample is empty, contains text, or has a column twice.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> scores = np.random.default_rng(1).normal(size=(20, 6))
    >>> data = pd.DataFrame(np.vstack([scores, scores[:2]]), columns=list("abcdef"))
    >>> gf.forensics(data).diagnostics[0].code
    'near_copies'
    """
    given = samples if isinstance(samples, Mapping) else {"sample": samples}
    checked = {name: _checked(name, as_frame(sample)) for name, sample in given.items()}
    reference = None if reference is None else as_frame(reference, "reference")
    if not checked:
        raise ParameterError("forensics needs at least one score matrix; none was given")
    diagnostics: list[Diagnostic] = []
    tables: list[pd.DataFrame] = []
    persons: list[pd.DataFrame] = []
    members: list[pd.DataFrame] = []
    lines: list[dict[str, object]] = []
    inside: list[RowOverlap] = []
    for name, sample in checked.items():
        tables.append(column_table(name, sample, points, reference))
        persons.append(row_table(name, sample, points))
        copies = within(name, sample, BY_CHANCE / len(checked))
        alike = families(name, sample)
        inside.append(copies)
        diagnostics += column_findings(tables[-1], counts) + row_findings(
            persons[-1], sample.shape[1]
        )
        diagnostics += _within_findings(copies, len(sample))
        if alike is not None:
            members.append(alike.members)
            diagnostics += family_findings(name, alike)
        lines.append(
            {
                "sample": name,
                "n": len(sample),
                "columns": sample.shape[1],
                "copies_within": copies.first_shared,
                "families": len(alike.members["family"].unique()) if alike else 0,
                "n_design": alike.n_design if alike else np.nan,
                "n_eigen": alike.n_eigen if alike else np.nan,
            }
        )
    across = between(checked, seed)
    distinct = _distinct(checked, across)
    diagnostics += _across_findings(across, checked, distinct)
    return Forensics(
        by_severity(diagnostics),
        pd.DataFrame(lines),
        _overlap_table(across, checked),
        _joined([o.matches for o in [*inside, *across]]),
        _joined(tables),
        _joined(persons),
        pd.concat(members, ignore_index=True)
        if members
        else pd.DataFrame(columns=["sample", "family", "person"]),
        distinct,
    )


def _joined(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all tables; types of columns come from the tables that have rows."""
    return pd.concat([t for t in tables if len(t)] or tables[:1], ignore_index=True)


def _checked(name: str, sample: pd.DataFrame) -> pd.DataFrame:
    if sample.empty:
        raise ParameterError(f"score matrix {name!r} has no rows or no columns")
    twice = [str(c) for c in sample.columns[sample.columns.duplicated()]]
    if twice:
        raise ParameterError(f"score matrix {name!r} has the column {twice[0]!r} twice")
    for column in sample.columns:
        if not pd.api.types.is_numeric_dtype(sample[column]):
            raise ParameterError(
                f"column {str(column)!r} of score matrix {name!r} is not numeric; make labels the "
                "index or leave the column out"
            )
    return sample.astype(float)


def _within_findings(copies: RowOverlap, n: int) -> list[Diagnostic]:
    if copies.matches.empty:
        return []
    exact = f", {copies.exact} pairs on all {copies.chance.columns}" if copies.exact else ""
    return [
        Diagnostic(
            "duplicated_persons",
            "error" if copies.exact else "warning",
            f"In {copies.first}, {copies.first_shared} of {n} persons have a near-copy in the same "
            f"sample: {len(copies.matches)} pairs agree on at least {copies.chance.needed} of "
            f"{copies.chance.columns} columns{exact}, where unrelated pairs agree on "
            f"{copies.chance.mean:.1f} (SD {copies.chance.sd:.1f}).",
            "Find out whether rows were entered twice or edited; keep one of each.",
            tuple(f"{a} = {b}" for a, b in copies.matches[["person", "partner"]].to_numpy()),
            {
                "sample": copies.first,
                "persons": copies.first_shared,
                "pairs": len(copies.matches),
                "exact": copies.exact,
            },
        )
    ]


def _across_findings(
    overlaps: Iterable[RowOverlap], samples: Mapping[str, pd.DataFrame], distinct: int
) -> list[Diagnostic]:
    diagnostics = []
    for o in overlaps:
        if not o.first_shared:
            continue
        diagnostics.append(
            Diagnostic(
                "shared_persons",
                "error",
                f"{o.first_shared} of {len(samples[o.first])} persons of {o.first} have a copy "
                f"among the {len(samples[o.second])} of {o.second} ({o.second_shared} of "
                f"{o.second} in {o.first}): {_how_equal(o)}; unrelated pairs agree on "
                f"{o.chance.mean:.1f} (SD {o.chance.sd:.1f}).",
                "Do not treat the samples as independent; compare them only on persons that are in "
                "one of them.",
                (o.first, o.second),
                {
                    "first_shared": o.first_shared,
                    "second_shared": o.second_shared,
                    "exact": o.exact,
                    "least": o.least,
                    "columns": o.chance.columns,
                },
            )
        )
    total = sum(map(len, samples.values()))
    if diagnostics:
        diagnostics.append(
            Diagnostic(
                "fewer_persons_than_rows",
                "error",
                f"{len(samples)} samples with {total} rows hold {distinct} distinct persons.",
                "Quote the number of distinct persons as n.",
                tuple(samples),
                {"rows": total, "distinct": distinct},
            )
        )
    return diagnostics


def _how_equal(o: RowOverlap) -> str:
    columns, least = o.chance.columns, o.least
    if o.exact == o.first_shared:
        return f"all equal on all {columns} columns"
    others = f"on {least} or more of {columns} columns"
    return f"{o.exact} equal on all {columns} columns, the others {others}" if o.exact else others


def _distinct(samples: Mapping[str, pd.DataFrame], overlaps: Iterable[RowOverlap]) -> int:
    """Count the persons of all samples; two that are each other's best partner count once."""
    parent: dict[object, object] = {}

    def root(node: object) -> object:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for o in overlaps:
        for match in o.matches.to_dict("records"):
            if match["mutual"]:
                one, two = (o.first, match["person"]), (o.second, match["partner"])
                parent[root(one)] = root(two)
    return len({root((name, person)) for name, s in samples.items() for person in s.index})


def _overlap_table(
    overlaps: Iterable[RowOverlap], samples: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    names = ["first", "second", "n_first", "n_second", "columns", "aligned", "first_shared",
             "second_shared", "exact", "needed", "chance_mean", "chance_sd"]  # fmt: skip
    return pd.DataFrame(
        [
            (o.first, o.second, len(samples[o.first]), len(samples[o.second]), len(o.columns),
             o.aligned, o.first_shared, o.second_shared, o.exact, o.chance.needed, o.chance.mean,
             o.chance.sd)
            for o in overlaps
        ],
        columns=names,
    )  # fmt: skip

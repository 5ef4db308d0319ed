"""Forensics of score tables: of tables in memory, and of files with their points and tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pandas as pd

from gfactor.api.inputs.matrix_files import read_points, read_scores
from gfactor.api.inputs.score_tables import as_table
from gfactor.errors import ParameterError
from gfactor.parameters import Seed
from gfactor.psychometrics import respondents
from gfactor.psychometrics.given import TableLike
from gfactor.psychometrics.respondents import Forensics


def forensics(
    samples: Mapping[str, TableLike] | TableLike | Sequence[Path | str] | Path | str,
    *,
    points: Mapping[str, float] | float | Path | str | None = None,
    counts: bool = False,
    reference: TableLike | Path | str | None = None,
    tasks: Path | str | None = None,
    seed: Seed = 0,
) -> Forensics:
    """Check score tables for copied rows, impossible values, constant columns and near-copies.

    Parameters
    ----------
    samples : DataFrame, dict of DataFrames, path or list of paths
        Table of numbers with a row per person and a column per indicator, or several tables by
        name. Several tables are compared on the columns with equal names. The comparison ignores a
        shift and a positive scale of each column, so that a table of z-scores can be compared with
        one of points.
    points : float, dict or path, optional
        Largest possible points of each column: one number for all, or a CSV file with the columns
        column and points. Values below 0 or above this number are impossible.
    counts : bool
        Check that all values are whole numbers of points.
    reference : DataFrame or path, optional
        Table of an unrestricted sample with the same columns, by which correlations are corrected
        for range restriction.
    tasks : path or str, optional
        Task of each item, if the samples are files whose columns are items (0 wrong, 1 right): a
        CSV file with the columns item and task (and options or chance, if known), or a regular
        expression whose group (or whole match, if it has no group) is the task.
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
        If there is no table, if one is empty, repeats a column or holds a cell that is no number,
        or if two files have the same name.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> scores = np.random.default_rng(1).normal(size=(20, 6))
    >>> data = pd.DataFrame(np.vstack([scores, scores[:2]]), columns=list("abcdef"))
    >>> gf.forensics(data).diagnostics[0].code
    'near_copies'
    >>> data.to_csv("scores.csv", index=False)
    >>> gf.forensics("scores.csv").diagnostics[0].code
    'near_copies'
    """
    files = _files(samples)
    if tasks is not None and not files:
        raise ParameterError(
            "the option tasks is for files of scores; give tables with a column for each task"
        )
    given: Any = _read(files, tasks) if files else samples
    if points is not None and not isinstance(points, Mapping):
        tables = given.values() if isinstance(given, Mapping) else [given]
        points = read_points(str(points), [str(name) for one in tables for name in one])
    if isinstance(reference, str | Path):
        reference = read_scores(Path(reference))
    return respondents.forensics(
        given, points=points, counts=counts, reference=reference, seed=seed
    )


def _files(samples: Any) -> list[Path]:
    """The files that were given in the place of tables; none of anything else."""
    if isinstance(samples, str | Path):
        return [Path(samples)]
    if isinstance(samples, list | tuple) and all(isinstance(one, str | Path) for one in samples):
        return [Path(cast("str | Path", one)) for one in samples]
    return []


def _read(files: Sequence[Path], tasks: Path | str | None) -> dict[str, pd.DataFrame]:
    """The scores of files by the file's name."""
    samples: dict[str, pd.DataFrame] = {}
    for path in files:
        if path.stem in samples:
            raise ParameterError(
                f"two files are called {path.stem!r}; rename one to tell them apart"
            )
        samples[path.stem] = as_table(path, tasks).scores if tasks else read_scores(path)
    return samples

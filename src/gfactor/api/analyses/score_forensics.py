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
    """Check whether a score table is a sample: copies, impossible values, dead columns, families.

    Parameters
    ----------
    samples : DataFrame, dict of DataFrames, path or list of paths
        One matrix (persons x indicators), or several by name; numbers only. Samples are
        compared on the columns they share by name, up to a shift and a positive scale per
        column, so that z-scored samples can be given as they are.
    points : float, dict or path, optional
        Points per column: one number, or a CSV with the columns column and points. Values outside
        0..points are impossible.
    counts : bool
        Check that the values are whole numbers of points.
    reference : DataFrame or path, optional
        Unrestricted sample with the same columns, to correct for range restriction.
    tasks : path or str, optional
        Tasks of the items, if the samples are files whose columns are items (0 wrong, 1 right): a
        CSV with the columns item and task (and options or chance, if known), or a regular
        expression whose group, or else whole match, is the task.
    seed : int
        Seed of the search for copies across samples.

    Returns
    -------
    Forensics
        `diagnostics` (errors first), `samples`, `overlaps`, `summary()`, `to_dict()`.

    Raises
    ------
    ParameterError
        If there is no sample, if one is empty, repeats a column or holds something that is no
        number, or if two files have the same name.

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
        raise ParameterError("tasks are for files of scores; give tables with a column for a task")
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

"""Load an example data set by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import UnknownNameError

_FOLDER = Path(__file__).parent

DATASETS: Mapping[str, str] = {
    "vlm_items": "right or wrong answers of 128 vision-language models to 7,265 items of AI2D, "
    "MMMU and MMT-Bench (IMNearth/AutoJudger, Apache-2.0)",
}
"""Name of each data set and a line about it."""


@dataclass(frozen=True)
class Dataset:
    """Answers of real models to real items, with facts about both.

    Parameters
    ----------
    name : str
        Name of the data set.
    answers : DataFrame (models x items)
        1 for right, 0 for wrong, NaN if a model was not asked. Columns are `BENCHMARK:INDEX`.
    models : DataFrame
        A row per model with its `family`.
    about : str
        Source, license, selection and known limits, in Markdown.

    Examples
    --------
    >>> import gfactor as gf
    >>> data = gf.datasets.load("vlm_items")
    >>> data.models.loc["InternVL2-8B", "family"]
    'InternVL'
    >>> isinstance(data, gf.datasets.Dataset)
    True
    """

    name: str
    answers: pd.DataFrame
    models: pd.DataFrame
    about: str

    def __repr__(self) -> str:
        n, j = self.answers.shape
        return f"<Dataset {self.name}: {n} models x {j:,} items>"


def load(name: str) -> Dataset:
    """Load an example data set that comes with gfactor.

    Parameters
    ----------
    name : str
        Name of the data set; `gfactor list datasets` lists them.

    Returns
    -------
    Dataset
        `answers` (a row per model, a column per item), `models` (with their families) and `about`.

    Raises
    ------
    UnknownNameError
        If there is no such data set.

    Examples
    --------
    >>> import gfactor as gf
    >>> data = gf.datasets.load("vlm_items")
    >>> data
    <Dataset vlm_items: 128 models x 7,265 items>
    >>> round(float(data.answers.filter(like="ai2d_test:").loc["InternVL2-8B"].mean()), 3)
    0.836
    """
    if name not in DATASETS:
        raise UnknownNameError("data set", name, DATASETS)
    folder = _FOLDER / name
    models = pd.read_csv(folder / "models.csv", index_col="model")
    parts = [pd.read_csv(path, index_col="model") for path in sorted(folder.glob("*.csv.gz"))]
    cells = np.hstack([_rows(part, models.index) for part in parts])
    answers = pd.DataFrame(cells, models.index, [name for part in parts for name in part])
    return Dataset(name, answers, models, (folder / "README.md").read_text("utf-8"))


def _rows(part: pd.DataFrame, models: pd.Index) -> NDArray[np.float64]:
    """Return the rows of all models as one array: pandas would convert column by column."""
    at = part.index.get_indexer(models)
    cells = part.to_numpy(np.float64)[at]
    cells[at < 0] = np.nan
    return cells

"""`vlmevalkit`: result files of VLMEvalKit, MODEL_DATASET_acc.csv or .json, _score.csv or .json.

Three layouts are in use: a row per split with a column per task (accuracies), one row with a column
per task (MME), and a row per task with a column of scores (MathVista, MM-Vet, HallusionBench).
In JSON the rows are records, or one object is one row.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from gfactor.administration.imports.documents import read_json
from gfactor.errors import ParameterError
from gfactor.items.table_files import read_text_frame
from gfactor.scoring.tables.base import ScoreTable, TableNaming, one_model, score_format

_ENDING = re.compile(r"_(acc|score|rating)(_all|_fine)?$")
_JUDGE = re.compile(r"_(gpt-?[\w.\-]*|chatgpt[\w.\-]*|exact_matching|openai)$", re.IGNORECASE)
_SPLITS = ("split", "Split")
_TASKS = ("Task&Skill", "Category", "category", "task", "Task", "l2-category", "index")
_VALUES = ("acc", "Acc", "accuracy", "score", "Score", "Overall")
_LETTERS = {
    "AR": "Attribute_Reasoning", "CP": "Coarse_Perception",
    "FP-C": "Fine_grained_Perception_cross", "FP-S": "Fine_grained_Perception_single",
    "LR": "Logic_Reasoning", "RR": "Relation_Reasoning",
}  # fmt: skip
"""MMBench's categories, as VLMEvalKit abbreviates them; they are means of tasks, not tasks. Other
data sets use the same letters for other things: MMT-Bench's AR is action recognition."""


def _matches(path: Path) -> bool:
    named = _ENDING.search(path.stem) is not None
    return named and path.suffix.lower() in (".csv", ".json")


@score_format("vlmevalkit", _matches, order=20, takes=("model",))
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Read result files of VLMEvalKit, *_acc or *_score, .csv or .json."""
    model, dataset = names_of(path, naming.model)
    frame = _records(path) if path.suffix.lower() == ".json" else read_text_frame(path)
    cells, flaws = _from_table(frame, path, dataset)
    return one_model(model, cells, path, flaws)


def names_of(path: Path, model: str) -> tuple[str, str]:
    """Return the model and the data set of MODEL/MODEL_DATASET_acc.csv or
    MODEL/RUN/MODEL_DATASET_acc.csv.

    Raises ParameterError if no folder has the name of a model and no name is given.
    """
    stem = _ENDING.sub("", path.stem)
    folders = [path.resolve().parent.name, path.resolve().parent.parent.name]
    for name in (model, *folders):
        if name and stem.startswith(f"{name}_"):
            return model or name, _JUDGE.sub("", stem.removeprefix(f"{name}_"))
    if model:
        return model, _JUDGE.sub("", stem)
    raise ParameterError(
        f"{str(path)!r}: it is not clear where the model's name ends, since no folder has that "
        "name; give --model NAME"
    )


def _from_table(
    frame: pd.DataFrame, path: Path, dataset: str
) -> tuple[dict[str, float], tuple[str, ...]]:
    tasks = next((c for c in _TASKS if c in frame.columns), None)
    values = next((c for c in _VALUES if c in frame.columns), None)
    if tasks is not None and values is not None and len(frame) > 1:
        pairs = zip(frame[tasks].astype(str), frame[values], strict=True)
        return _cells(dataset, {str(t): v for t, v in pairs})
    split = next((c for c in _SPLITS if c in frame.columns), None)
    if split is None:
        if len(frame) != 1:
            raise ParameterError(
                f"{str(path)!r} has {len(frame)} rows and neither a column of splits nor one of "
                "tasks; so that it is not clear which row holds the scores"
            )
        return _cells(dataset, {str(c): frame[c].iloc[0] for c in frame.columns})
    cells: dict[str, float] = {}
    flaws: tuple[str, ...] = ()
    for row in frame.to_dict("records"):
        name = str(row.pop(split))
        part = dataset if name in ("none", "nan") or len(frame) == 1 else f"{dataset}_{name}"
        scores, cell_flaws = _cells(part, {str(k): v for k, v in row.items()})
        cells |= scores
        flaws += cell_flaws
    return cells, flaws


def _records(path: Path) -> pd.DataFrame:
    try:
        document = read_json(path.read_bytes())
    except ValueError as error:
        raise ParameterError(f"{str(path)!r} is not JSON: {error}") from error
    rows = [document] if isinstance(document, dict) else document
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ParameterError(f"{str(path)!r} holds no scores by name")
    return pd.DataFrame(rows)


def _cells(dataset: str, values: dict[str, object]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the scores by `DATASET.task`; values that are not numbers are flaws."""
    cells: dict[str, float] = {}
    flaws = []
    for name, value in values.items():
        try:
            number = float(str(value).removesuffix("%"))
        except ValueError:
            flaws.append(f"{dataset}.{name}: {str(value)[:40]!r} is not a number")
            continue
        task = name.strip().replace(" ", "_")
        if name in _LETTERS and dataset.startswith("MMBench"):
            task = f"{_LETTERS[name]}.Overall"
        cells[f"{dataset}.{task}"] = number
    return cells, tuple(flaws)

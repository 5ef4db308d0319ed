"""`lmms-eval`: results of lmms-eval, DATE_results.json, with a metric or several per task."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from gfactor.administration.imports.documents import read_json
from gfactor.errors import ParameterError
from gfactor.scoring.tables.base import ScoreTable, TableNaming, one_model, score_format

_PRETRAINED = re.compile(r"(?:pretrained|model|model_version)=([^,]+)")


def _matches(path: Path) -> bool:
    return path.suffix.lower() == ".json" and bool(_document(path))


@score_format("lmms-eval", _matches, order=40, takes=("model",))
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Read results of lmms-eval, .json: {"results": {TASK: {"METRIC,FILTER": value}}}.

    Columns are `task.metric`; a filter other than "none" is a third part. Standard errors are left
    out, as are metrics that are not numbers.
    """
    document = _document(path)
    if not document:
        raise ParameterError(
            f"{str(path)!r} is not a result of lmms-eval: no metric is named NAME,FILTER"
        )
    cells: dict[str, float] = {}
    flaws: list[str] = []
    for task, metrics in document["results"].items():
        for key, value in metrics.items():
            metric, _, kind = str(key).partition(",")
            if not kind or metric.endswith("_stderr"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                flaws.append(f"{task}.{metric}: {str(value)[:40]!r} is not a number")
                continue
            name = f"{task}.{metric}" if kind == "none" else f"{task}.{metric}.{kind}"
            cells[name] = float(value)
    return one_model(_model(document, naming, path), cells, path, tuple(flaws))


def _document(path: Path) -> dict[str, Any]:
    try:
        document = read_json(path.read_bytes())
    except ValueError:
        return {}
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, dict):
        return {}
    parts = [metrics for metrics in results.values() if isinstance(metrics, dict)]
    named = any("," in str(key) for metrics in parts for key in metrics)
    return document if named and len(parts) == len(results) else {}


def _model(document: dict[str, Any], naming: TableNaming, path: Path) -> str:
    if naming.model:
        return naming.model
    config = document.get("config")
    config = config if isinstance(config, dict) else {}
    given = _PRETRAINED.search(str(config.get("model_args", "")))
    for name in (document.get("model_name"), given and given[1], config.get("model")):
        if isinstance(name, str) and name:
            return name
    raise ParameterError(f"{str(path)!r} does not say whose results it holds; give --model NAME")

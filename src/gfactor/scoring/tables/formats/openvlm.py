"""`openvlm`: the leaderboard of OpenVLM as JSON, all models with their scores by task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration.imports.documents import read_json
from gfactor.errors import ParameterError
from gfactor.scoring.tables.base import ScoreTable, TableNaming, score_format

_META = "META"


def _matches(path: Path) -> bool:
    return path.suffix.lower() == ".json" and bool(_results(path))


@score_format("openvlm", _matches, order=30)
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Read the OpenVLM leaderboard, .json: {"results": {MODEL: {"META": ..., BENCHMARK: {TASK:
    ...}}}}.

    Columns are `Benchmark.task`, nested parts joined by dots; META becomes facts.
    """
    results = _results(path)
    if not results:
        raise ParameterError(
            f'{str(path)!r} is not a leaderboard of OpenVLM: it has no "results" with a META each'
        )
    scores: dict[str, dict[str, float]] = {}
    facts: dict[str, dict[str, str]] = {}
    flaws: list[str] = []
    for model, of_model in results.items():
        facts[model] = {k: _text(v) for k, v in of_model.get(_META, {}).items()}
        scores[model] = {}
        for benchmark, values in of_model.items():
            if benchmark == _META:
                continue
            for name, value in _leaves(values, str(benchmark)):
                if isinstance(value, int | float) and not isinstance(value, bool):
                    scores[model][name] = float(value)
                elif value not in ("N/A", "-", "", None):
                    flaws.append(f"{model}, {name}: {str(value)[:40]!r} is not a number")
    columns = dict.fromkeys(c for of_model in scores.values() for c in of_model)
    index = pd.Index([str(m) for m in results], name="model")
    frame = pd.DataFrame([scores[m] for m in results], index=index, columns=list(columns))
    model_facts = pd.DataFrame([facts[m] for m in results], index=index)
    return ScoreTable(frame.astype(float), model_facts, str(path), tuple(flaws))


def _results(path: Path) -> dict[str, dict[str, Any]]:
    try:
        document = read_json(path.read_bytes())
    except ValueError:
        return {}
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, dict) or not results:
        return {}
    if not all(isinstance(of_model, dict) and _META in of_model for of_model in results.values()):
        return {}
    return results


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{str(key).replace(' ', '_')}")
    else:
        yield name, value


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

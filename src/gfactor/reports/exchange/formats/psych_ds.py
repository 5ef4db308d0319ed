"""`psych-ds`: a Psych-DS data set, the standard of behavioral data (psych-ds.github.io, 1.5).

`data/study-BENCHMARK_data.csv`, a row per answer or failed attempt; `dataset_description.json`,
schema.org's Dataset in JSON-LD, in which every column is defined; `README.md` and `CHANGES.md`. The
standard wants every column of every file under `variableMeasured`, no variable there that no file
has, and names of files made of keywords and values of letters and digits alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items.files import replacing
from gfactor.reports.answers.results import role_of
from gfactor.reports.exchange.base import EXCHANGES, ExportFacts, JournalRuns, Run
from gfactor.scoring.exporting import write_csv

FILE_NAME = re.compile(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv")
"""Pattern that the standard requires of a data file's name."""

_DEFINED: Mapping[str, tuple[str, str]] = {
    "participant": ("Who answered: a person's code, or the specification of a model.", ""),
    "role": ("person, model, observer or baseline.", ""),
    "condition": ("How items were put.", ""),
    "occasion": ("Which time the item was asked under this condition, from 0.", ""),
    "item": ("Name of the item.", ""),
    "item_hash": ("SHA-256 of what was asked: the item's identity.", ""),
    "response": ("The reply as it came, control characters escaped.", ""),
    "answer": ("The answer that was read from the reply, by the benchmark's rule.", ""),
    "correct": ("1 right, 0 wrong; empty if the attempt says nothing of the participant.", ""),
    "points": ("Points earned.", ""),
    "points_possible": ("Points that the item is worth.", ""),
    "outcome": ("ok, or why there is no whole reply.", ""),
    "missing": ("Whether the attempt counts nowhere.", ""),
    "response_time": ("From showing the item to the reply.", "s"),
    "created": ("When the reply came (ISO 8601, UTC).", ""),
}
"""Column to its definition and unit; the others are labels of items."""

_FROM = {
    "participant": "examinee", "item": "item_id", "response": "text", "response_time": "latency_s",
}  # fmt: skip
"""Column to the journal's name of it, if they differ."""


@EXCHANGES.register("psych-ds")
def write(runs: JournalRuns, facts: ExportFacts, folder: Path) -> tuple[list[Path], int]:
    """Write Psych-DS: data/study-BENCHMARK_data.csv and dataset_description.json."""
    labels = _labels(runs)
    tables: dict[Path, list[pd.DataFrame]] = {}
    for run in runs:
        tables.setdefault(_name(run.benchmark), []).append(_rows(run, runs, labels))
    (folder / "data").mkdir(parents=True, exist_ok=True)
    answers = 0
    for path, parts in tables.items():
        table = pd.concat(parts, ignore_index=True)
        write_csv(table, folder / path)
        answers += len(table)
    names = sorted({run.benchmark for run in runs})
    texts = {
        "dataset_description.json": _description(names, labels, facts, runs),
        "README.md": _readme(names, facts),
        "CHANGES.md": f"Written by gfactor {runs.version}.\n",
    }
    for name, text in texts.items():
        with replacing(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return sorted([*tables, *map(Path, texts)]), answers


def _name(benchmark: str) -> Path:
    value = re.sub(r"[^a-zA-Z0-9]", "", benchmark)
    name = f"study-{value}_data.csv"
    if not FILE_NAME.fullmatch(name):
        raise ParameterError(
            "Psych-DS allows only letters and digits in names of files, and the name of the "
            f"benchmark {benchmark!r} has none"
        )
    return Path("data") / name


def _labels(runs: JournalRuns) -> list[str]:
    """The labels of the items, as far as no column has their name."""
    columns = {str(name) for run in runs for name in run.answers.columns}
    own_columns = {
        "id", "content_hash", "benchmark", "edition", "language", "answer_type", "target",
        "accepted", "points", "output_format", "question", "choices",
    }  # fmt: skip
    label_names = {name for row in runs.items.values() for name in row if name not in own_columns}
    return sorted(name for name in label_names if name not in _DEFINED and name in columns)


def _rows(run: Run, runs: JournalRuns, labels: list[str]) -> pd.DataFrame:
    answers = run.answers
    columns: dict[str, Any] = {}
    for name in _DEFINED:
        source = _FROM.get(name, name)
        columns[name] = answers.get(source)
    columns["role"] = role_of(run.examinee)
    # Attempts that count nowhere are neither right nor wrong.
    missing = answers["missing"].to_numpy(bool)
    for name in ("correct", "points"):
        columns[name] = answers[name].where(~missing)
    for name in labels:
        columns[name] = [_text(value) for value in answers[name]]
    return pd.DataFrame(columns, index=answers.index)


def _text(value: Any) -> Any:
    return json.dumps(list(value)) if isinstance(value, list | tuple) else value


def _description(names: list[str], labels: list[str], facts: ExportFacts, runs: JournalRuns) -> str:
    document: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"Answers to {', '.join(names)}",
        "description": "Every answer of every participant to every item, with what was read from "
        "it and whether it is right.",
        "schemaVersion": "Psych-DS 1.5.1",
        "keywords": ["behavioral data", *names],
        "variableMeasured": list(_variables(labels)),
    }
    if facts.organization:
        document["author"] = [{"@type": "Organization", "name": facts.organization}]
    if facts.dataset:
        document["url"] = f"https://huggingface.co/datasets/{facts.dataset}"
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _variables(labels: list[str]) -> Iterator[dict[str, str]]:
    for name, (meaning, unit) in _DEFINED.items():
        variable = {"@type": "PropertyValue", "name": name, "description": meaning}
        yield {**variable, "unitText": unit} if unit else variable
    for name in labels:
        meaning = f"The item's label {name!r}."
        yield {"@type": "PropertyValue", "name": name, "description": meaning}


def _readme(names: list[str], facts: ExportFacts) -> str:
    by = f", evaluated by {facts.organization}" if facts.organization else ""
    return (
        f"# Answers to {', '.join(names)}\n\nA Psych-DS data set{by}: one file below `data/` per "
        "benchmark, a row per answer. Columns are defined in `dataset_description.json`.\n"
    )

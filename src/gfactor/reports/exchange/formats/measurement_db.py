"""`measurement-db`: long Parquet tables with registries (aims-foundations/measurement-db).

`_registry/subjects.parquet`, `_registry/benchmarks.parquet`, `_registry/items.parquet` and
`BENCHMARK/responses.parquet`, a row per subject, item, trial and condition. The format derives an
item's id from its text; items that differ in their pictures alone would share it, so the content
ends with the hash of picture and text that a journal keeps. Its subjects are AI systems: people are
never written, nor are attempts that say nothing about the examinee, since a response cannot be
null.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items.files import replacing
from gfactor.reports.answers.results import role_of
from gfactor.reports.exchange.base import EXCHANGES, ExportFacts, JournalRuns, Run, model_of

_SCALES = {"binary": "{0, 1}", "fraction": "points earned per possible point, 0 to 1"}


@EXCHANGES.register("measurement-db")
def write(runs: JournalRuns, facts: ExportFacts, folder: Path) -> tuple[list[Path], int]:
    """Write measurement-db's BENCHMARK/responses.parquet and _registry/*.parquet."""
    of_systems = [run for run in runs if role_of(run.examinee) != "person"]
    tables: dict[str, list[pd.DataFrame]] = {}
    for run in of_systems:
        tables.setdefault(run.benchmark, []).append(_responses(run, runs))
    if not tables:
        raise ParameterError("the subjects of measurement-db are AI systems; the journal has none")
    written = {
        Path(name) / "responses.parquet": pd.concat(parts, ignore_index=True)
        for name, parts in tables.items()
    }
    answers = sum(map(len, written.values()))
    kinds = {path.parent.name: _kind(table) for path, table in written.items()}
    pictured = {run.benchmark for run in of_systems if _has_pictures(run, facts)}
    registry = Path("_registry")
    written[registry / "subjects.parquet"] = _subjects(of_systems, facts)
    written[registry / "benchmarks.parquet"] = _benchmarks(kinds, pictured)
    written[registry / "items.parquet"] = _items(runs, set(tables))
    for path, table in written.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with replacing(folder / path) as temporary:
            table.to_parquet(temporary, index=False, compression="snappy")
    return sorted(written), answers


def _id(text: str) -> str:
    """The format's ids: the beginning of a hash of the normalized text."""
    return hashlib.sha256(unicodedata.normalize("NFC", text.strip()).encode()).hexdigest()[:16]


def _subject(examinee: str) -> str:
    return _id(examinee.lower())


def _content(row: Mapping[str, Any]) -> str:
    """Return the question, ending with the hash of all that was shown."""
    choices = [f"{label}. {text or '[image]'}" for label, text in row["choices"]]
    return "\n".join([row["question"], *choices, f"[sha256:{row['content_hash']}]"])


def _item_id(row: Mapping[str, Any]) -> str:
    return _id(f"{row['benchmark']}::{_content(row)}")


def _answer(row: Mapping[str, Any]) -> str | None:
    target = json.loads(row["target"])
    return target if isinstance(target, str) or target is None else row["target"]


def _responses(run: Run, runs: JournalRuns) -> pd.DataFrame:
    rows = run.answers.loc[~run.answers["missing"].to_numpy(bool)]
    keys = zip(rows["benchmark"], rows["item_hash"], rows["item_id"], strict=True)
    items = [runs.items[key] for key in keys]
    table = pd.DataFrame(
        {
            "subject_id": _subject(run.examinee),
            "item_id": [_item_id(item) for item in items],
            "benchmark_id": run.benchmark,
            "trial": rows["occasion"].to_numpy("int32") + 1,
            "test_condition": run.condition or None,
            "response": (rows["points"] / rows["points_possible"]).to_numpy(float),
            "correct_answer": [_answer(item) for item in items],
            "trace": rows["text"].to_numpy(object),
        }
    )
    table["test_condition"] = table["test_condition"].astype("string")
    table["trial"] = table["trial"].astype("int32")
    # Items that ask exactly the same share a response.
    return table.drop_duplicates(["subject_id", "item_id", "trial", "test_condition"])


def _kind(table: pd.DataFrame) -> str:
    values = table["response"].to_numpy(float)
    return "binary" if np.isin(values, (0.0, 1.0)).all() else "fraction"


def _has_pictures(run: Run, facts: ExportFacts) -> bool:
    """As far as the banks tell; without any, the benchmarks of this package are multimodal."""
    images = facts.images()
    hashes = set(run.answers["item_hash"])
    return any(images.get(key) for key in hashes) if images else True


def _subjects(runs: list[Run], facts: ExportFacts) -> pd.DataFrame:
    rows = []
    for examinee in sorted({run.examinee for run in runs}):
        developer, model, _ = model_of(examinee, facts)
        argument = examinee.split("?", 1)[0].split(":", 1)[1]
        rows.append(
            {
                "subject_id": _subject(examinee),
                "display_name": model,
                "provider": None if developer == "unknown" else developer,
                "hub_repo": argument if "/" in argument else None,
                "revision": None,
                "params": None,
                "release_date": None,
                "raw_labels_seen": [examinee],
                "notes": role_of(examinee),
            }
        )
    texts = ["provider", "hub_repo", "revision", "params", "release_date"]
    return pd.DataFrame(rows).astype(dict.fromkeys(texts, "string"))


def _benchmarks(kinds: Mapping[str, str], pictured: set[str]) -> pd.DataFrame:
    rows = [
        {
            "benchmark_id": name,
            "name": name,
            "version": None,
            "license": None,
            "source_url": None,
            "description": None,
            "modality": ["text", "image"] if name in pictured else ["text"],
            "domain": ["general"],
            "response_type": kind,
            "response_scale": _SCALES[kind],
            "categorical": kind == "binary",
            "paper_url": None,
            "release_date": None,
        }
        for name, kind in sorted(kinds.items())
    ]
    texts = ["version", "license", "source_url", "description", "paper_url", "release_date"]
    return pd.DataFrame(rows).astype(dict.fromkeys(texts, "string"))


def _items(runs: JournalRuns, benchmarks: set[str]) -> pd.DataFrame:
    rows = [
        {
            "item_id": _item_id(row),
            "benchmark_id": row["benchmark"],
            "raw_item_id": row["id"],
            "content": _content(row),
            "correct_answer": _answer(row),
            "content_hash": _id(_content(row)),
        }
        for row in runs.items.values()
        if row["benchmark"] in benchmarks
    ]
    table = pd.DataFrame(rows).sort_values(["benchmark_id", "raw_item_id"], kind="stable")
    return table.drop_duplicates("item_id").reset_index(drop=True)

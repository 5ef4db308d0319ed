"""From a row of VLMEvalKit to an item, with the labels of its benchmark's own taxonomy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from gfactor.benchmarks.gold import capability_of, family_of, gold_task, task_named
from gfactor.benchmarks.loading import Place, checked, content_hash, hashes_of, image_type
from gfactor.benchmarks.vlmevalkit.pictures import pictures_of
from gfactor.benchmarks.vlmevalkit.question import answer_of, content_of
from gfactor.benchmarks.vlmevalkit.table import Row, index_of, pictures_by_index, rows_of
from gfactor.items import Item, LabelValue, Provenance, Rejected

VERSION = "1"
"""The version of this loader."""

_ROTATION = 1_000_000
_ROTATIONS = 26

_COLUMNS = {"category": "category", "l2-category": "l2_category", "split": "split"}
"""Columns of a file, in lower case, that become labels."""


def items_of_file(
    path: Path, dataset: str, language: str, skip_invalid: bool
) -> Iterator[Item | Rejected]:
    """The items of a file.

    Parameters
    ----------
    dataset: what the data set is called ("MMBench_DEV_EN").
    language: BCP 47 tag of its texts; "" where each row's script is to tell.
    """
    elsewhere = pictures_by_index(path)
    indices = {index_of(row) for _, row in rows_of(path, ("index",))}
    attempts = (
        (
            Place(path.name, number, index_of(row)),
            partial(_item, row, dataset, language, elsewhere, indices),
        )
        for number, row in rows_of(path)
    )
    return checked(attempts, skip_invalid)


def benchmark_of(dataset: str) -> str:
    """The benchmark's name: its family's, or the data set's in lower case."""
    return family_of(dataset) or dataset.casefold()


def _item(
    row: Row, dataset: str, language: str, elsewhere: Mapping[str, str], indices: set[str]
) -> Item:
    index = index_of(row)
    if not index:
        raise ValueError("it has no index")
    images = pictures_of(row, index, elsewhere)
    content, offered = content_of(row, images)
    kind, target, accepted, choices = answer_of(row, offered)
    benchmark = benchmark_of(dataset)
    return Item(
        id=f"{dataset}/{index}",
        benchmark=benchmark,
        language=language or _language("".join(s for s in content if isinstance(s, str))),
        content=content,
        choices=choices,
        answer_type=kind,
        target=target,
        accepted=accepted,
        labels={
            **_labels(row, index, dataset, indices),
            "image_type": image_type(len(images)),
        },
        provenance=Provenance(
            source=f"vlmevalkit {dataset}",
            version=VERSION,
            content_hash=content_hash(benchmark, content, choices),
            pixel_hashes=hashes_of(images),
        ),
    )


def _labels(row: Row, index: str, dataset: str, indices: set[str]) -> dict[str, LabelValue]:
    family = family_of(dataset)
    found: dict[str, LabelValue] = {}
    for column, text in row.items():
        name = _COLUMNS.get(column.casefold().replace("_", "-"))
        if name and text.strip():
            found[name] = text.strip()
    task = task_named(family, str(found.get("category", "")) or dataset)
    found["domain"] = task
    capability = capability_of(family, task) or str(found.get("l2_category", ""))
    if capability:
        found["capability"] = capability
    gold = gold_task(family, task)
    if gold:
        found["gold_layer"] = gold.layer
    if index.isdecimal() and _rotations(int(index)) & indices:
        found["circular"] = int(index) // _ROTATION
        found["circular_set"] = str(int(index) % _ROTATION)
    return found


def _rotations(index: int) -> set[str]:
    """The other indices that a row has in a circular set of up to 26 options."""
    first = index % _ROTATION
    return {str(first + k * _ROTATION) for k in range(_ROTATIONS)} - {str(index)}


def _language(text: str) -> str:
    """Korean, Chinese or English, by the script of the texts."""
    if re.search("[\uac00-\ud7a3]", text):
        return "ko"
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


WORDS = ("category", "l2_category", "split", "capability", "gold_layer", "circular_set")
NUMBERS = ("circular",)

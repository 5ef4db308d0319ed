"""From a row of VLMEvalKit to an item: the one reader of data sets and of predictions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from gfactor.benchmarks.gold import capability_of, family_of, gold_task, task_named
from gfactor.benchmarks.loading import (
    LETTERS,
    Attempt,
    Location,
    checked,
    content_hash,
    hashes_of,
    image_type,
    refusals,
)
from gfactor.benchmarks.vlmevalkit.given_languages import ASSUMED_LANGUAGE, given_language
from gfactor.benchmarks.vlmevalkit.pictures import pictures_of
from gfactor.benchmarks.vlmevalkit.question import (
    TOLERANCE_COLUMN,
    answer_of,
    content_of,
    scoring_rule,
    told_of,
    tolerance_in,
)
from gfactor.benchmarks.vlmevalkit.row_facts import (
    FACT_COLUMNS,
    PICTURE_COLUMN,
    TableFacts,
    pictures_named,
)
from gfactor.benchmarks.vlmevalkit.table import (
    Row,
    index_of,
    pictures_by_index,
    rows_of,
)
from gfactor.items import (
    Choice,
    Item,
    LabelValue,
    Provenance,
    Rejected,
    Segment,
    canonical_json,
    text_hash,
)
from gfactor.items.formats import RULE_LABEL, TOLERANCE_LABEL

VERSION = "2"
"""The version of this loader."""

DATA_ROW = "data row"
"""Rows are counted from 1 below the header, in banks and imports alike."""

_ROTATION = 1_000_000
_ROTATIONS = 26

_QUESTION_COLUMNS = {
    "index",
    "question",
    "hint",
    "answer",
    "answer_option",
    "choices",
    "image",
    "prediction",
    RULE_LABEL,
}
_QUESTION_COLUMNS |= {"thinking", *(letter.casefold() for letter in LETTERS)}
"""Columns that are the question, its key and rule, its pictures or the reply; all others become
labels."""

_TAKEN = {"id", "benchmark", "edition", "language", "answer_type", "target", "accepted", "points"}
_TAKEN |= {"output_format", "content_hash", "text", "content", "images", "labels", "provenance"}
_TAKEN |= {"domain", "capability", "gold_layer", "image_type", "circular", "circular_set"}
"""Names of an item's own columns and labels; a file's column of such a name is `given_NAME`."""

_LONGEST_LABEL = 200
"""Largest number of characters of a cell that may be a label; longer texts are no groups to break
results down by."""


def items_of_file(
    path: Path, dataset: str, language: str, skip_invalid: bool
) -> Iterator[Item | Rejected]:
    """Yield the items of a data set's file.

    Parameters
    ----------
    dataset: name of the data set ("MMBench_DEV_EN").
    language: BCP 47 tag of its texts; "" to derive it from the script of each row.
    """
    elsewhere = pictures_by_index(path)
    table = TableFacts.of((row for _, row in rows_of(path, only=FACT_COLUMNS)), dataset)

    def attempts() -> Iterator[Attempt]:
        broken: list[tuple[int, str]] = []
        for number, row in rows_of(path, lambda *flaw: broken.append(flaw)):
            yield from refusals(path.name, broken, DATA_ROW)
            yield (
                Location(path.name, number, index_of(row), DATA_ROW),
                partial(_item, row, dataset, language, elsewhere, table, _folder_of(path)),
            )
        yield from refusals(path.name, broken, DATA_ROW)

    return checked(attempts(), skip_invalid)


def _folder_of(table: Path) -> Path:
    return table if table.is_dir() else table.parent


def benchmark_of(dataset: str) -> str:
    """Return the benchmark's name: its family's, or the data set's in lower case."""
    return family_of(dataset) or dataset.lower()


def label_names(
    columns: Iterable[str], dataset: str, languages: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the names of the labels that are made of a file's columns, in the order of the
    columns; those that say the language make none."""
    several = {TOLERANCE_COLUMN: (TOLERANCE_COLUMN, TOLERANCE_LABEL)}
    no_labels = _QUESTION_COLUMNS | {*languages}
    labels = [_label(c, dataset) for c in columns if c.strip().casefold() not in no_labels]
    return tuple(dict.fromkeys(name for label in labels for name in several.get(label, (label,))))


def item_of_prediction(row: Row, dataset: str, table: TableFacts) -> Item:
    """Return the item of a row of predictions, which holds no pictures.

    It is identified by data set, index and texts, because two questions may differ only in their
    pictures.

    Raises ValueError if the row makes no item.
    """
    index = _index(row)
    content, offered = told_of(row)
    choices = answer_of(row, offered, scoring_rule(dataset, row))[3]
    facts = {
        "benchmark": dataset,
        "number": index,
        "content": list(content),
        "choices": [[choice.label, choice.content] for choice in choices],
    }
    identity = Provenance("vlmevalkit", "", content_hash=text_hash(canonical_json(facts)))
    return _item_from(row, dataset, "", table, content, offered, identity)


def _item(
    row: Row,
    dataset: str,
    language: str,
    elsewhere: Mapping[str, str],
    table: TableFacts,
    folder: Path,
) -> Item:
    images = pictures_of(row, _index(row), elsewhere, folder)
    content, offered = content_of(row, images)
    choices = answer_of(row, offered, scoring_rule(dataset, row))[3]
    identity = Provenance(
        source=f"vlmevalkit {dataset}",
        version=VERSION,
        content_hash=content_hash(benchmark_of(dataset), content, choices),
        pixel_hashes=hashes_of(images),
    )
    return _item_from(row, dataset, language, table, content, offered, identity)


def _item_from(
    row: Row,
    dataset: str,
    language: str,
    table: TableFacts,
    content: tuple[Segment, ...],
    offered: tuple[Choice, ...],
    identity: Provenance,
) -> Item:
    rule = scoring_rule(dataset, row)
    kind, target, accepted, choices = answer_of(row, offered, rule)
    tag, column = given_language(row, dataset, table.languages)
    labels = _labels(row, dataset, table, {*table.languages, column})
    if rule and kind in ("blanks", "open"):
        labels[RULE_LABEL] = rule
    if rule == "number" and kind == "blanks" and (tolerance := tolerance_in(row)):
        labels.pop(TOLERANCE_COLUMN, None)
        labels[TOLERANCE_LABEL] = tolerance
    if "image" in row or PICTURE_COLUMN in row:
        labels["image_type"] = image_type(len(identity.pixel_hashes) or pictures_named(row))
    texts = [s for s in (*content, *(c.content for c in choices)) if isinstance(s, str)]
    return Item(
        id=f"{dataset}/{index_of(row)}",
        benchmark=benchmark_of(dataset),
        language=language or tag or _language("".join(texts)),
        content=content,
        choices=choices,
        answer_type=kind,
        target=target,
        accepted=accepted,
        labels=labels,
        provenance=identity,
    )


def _index(row: Row) -> str:
    index = index_of(row)
    if not index:
        raise ValueError("it has no index")
    return index


def _label(column: str, dataset: str) -> str:
    name = column.strip().lower().replace("-", "_")
    if name == "domain" and not family_of(dataset):
        return name
    return f"given_{name}" if name in _TAKEN else name


def _labels(
    row: Row, dataset: str, table: TableFacts, languages: set[str]
) -> dict[str, LabelValue]:
    index, family = index_of(row), family_of(dataset)
    no_labels = _QUESTION_COLUMNS | languages | ({PICTURE_COLUMN} if table.own_pictures else set())
    labels: dict[str, LabelValue] = {}
    for column, text in row.items():
        if column.strip().casefold() not in no_labels and 0 < len(text.strip()) <= _LONGEST_LABEL:
            labels[_label(column, dataset)] = text.strip()
    task = task_named(family, str(labels.get("domain") or labels.get("category") or dataset))
    labels["domain"] = task
    capability = capability_of(family, task) or str(labels.get("l2_category", ""))
    if capability:
        labels["capability"] = capability
    gold = gold_task(family, task)
    if gold:
        labels["gold_layer"] = gold.layer
    if index.isdecimal() and _rotations(int(index)) & table.indices:
        labels["circular"] = int(index) // _ROTATION
        labels["circular_set"] = str(int(index) % _ROTATION)
    return labels


def _rotations(index: int) -> set[str]:
    """The other indices that a row has in a circular set of up to 26 options."""
    first = index % _ROTATION
    return {str(first + k * _ROTATION) for k in range(_ROTATIONS)} - {str(index)}


def _language(text: str) -> str:
    """Korean, Chinese or English, by the script of the texts."""
    if re.search("[\uac00-\ud7a3]", text):
        return "ko"
    return "zh" if re.search("[\u4e00-\u9fff]", text) else ASSUMED_LANGUAGE


WORDS = ("capability", "gold_layer", "circular_set", RULE_LABEL)
NUMBERS = ("circular",)
"""The labels that the loader adds to those of a file's columns, besides those that all banks
have."""

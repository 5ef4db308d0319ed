"""A table of right and wrong answers to items, as a journal: what a leaderboard or a comparison
needs of it, where the questions and replies themselves are not known."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.administration import Journal
from gfactor.administration.asking.registration import campaign_row
from gfactor.administration.storing.response import Response
from gfactor.api.inputs.matrix_files import TABLE_OF_ANSWERS
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.items import (
    Item,
    ItemBank,
    LabelValue,
    OutputFormat,
    Provenance,
    text_hash,
    write_bank,
)
from gfactor.psychometrics.given import as_frame, benchmarks_in_names
from gfactor.psychometrics.person_tables import person_table
from gfactor.scoring.chance import ANSWERS_ALONE

BENCHMARK = "items"
"""The benchmark of items of which nothing but a name is known."""

RIGHT, WRONG = "right", "wrong"
_FORMAT = OutputFormat("value", atom="word", vocabulary=(RIGHT, WRONG))
_LARGEST = 1e-6
"""Rounding error of a mean over occasions."""


@contextmanager
def journal_of_items(given: Any) -> Iterator[Journal]:
    """Yield a journal of a table of answers: examinees in rows, items in columns, 1 right and 0
    wrong.

    Empty cells were not asked. Columns that are all called `Benchmark.Category.item`, or all
    `BENCHMARK:INDEX`, are items of several benchmarks. A mean over several answers, as
    `gfactor.matrix(journal, by="item")` has where items were asked on several occasions, becomes as
    many answers.

    Parameters
    ----------
    given : DataFrame or result with `scores`
        The table.

    Yields
    ------
    Journal
        Journal in a temporary file, which is deleted at the end of the block.

    Raises
    ------
    ParameterError
        If the table holds anything but right and wrong answers to items.
    """
    scores = as_frame(given, TABLE_OF_ANSWERS)
    by = getattr(given, "by", "item")
    if by != "item":
        raise ParameterError(
            f"a table of means by {by} holds no answers to single items, which are needed here; "
            'give the journal, or gfactor.matrix(journal, by="item")'
        )
    right, answers = _counts(
        _checked(person_table(scores, TABLE_OF_ANSWERS, "persons")), getattr(given, "answers", None)
    )
    with (
        tempfile.TemporaryDirectory(prefix="gfactor-") as folder,
        Journal.open(Path(folder) / "items.db") as journal,
    ):
        items = _items(
            list(right.columns), getattr(given, "benchmarks", {}), _labels(given)
        )  # fmt: skip
        _fill(journal, items, right, answers, Path(folder))
        journal.name = TABLE_OF_ANSWERS
        yield journal


def _checked(scores: pd.DataFrame) -> pd.DataFrame:
    """Numbers with a name on each row and column."""
    if scores.empty:
        raise ParameterError("the table of answers has no rows or no columns")
    for axis, names in (("row", scores.index), ("column", scores.columns)):
        if names.nlevels > 1:
            raise ParameterError(f"each {axis} of the table of answers needs one name, not several")
        texts = pd.Index([str(name) for name in names])
        repeated = texts[texts.duplicated(keep=False)]
        if len(repeated):
            raise ParameterError(f"the table of answers has the {axis} {repeated[0]!r} twice")
    for name in scores.columns:
        if not pd.api.types.is_numeric_dtype(scores[name]):
            raise ParameterError(
                f"column {str(name)!r} of the table of answers does not hold numbers; make names "
                "the index, or leave the column out"
            )
    return scores.astype(float).rename(index=str, columns=str)


def _counts(scores: pd.DataFrame, answers: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Right answers and all answers, by examinee and item."""
    answered = scores.notna()
    if isinstance(answers, pd.DataFrame) and answers.shape == scores.shape:
        counts = answers.set_axis(scores.index, axis=0).set_axis(scores.columns, axis=1)
        counts = counts.where(answered, 0).astype(int)
    else:
        counts = answered.astype(int)
    right = scores.fillna(0.0) * counts
    whole = right.round()
    near = np.isclose(right.to_numpy(), whole.to_numpy(), atol=_LARGEST)
    bad = ~near | (whole < 0).to_numpy() | (whole > counts).to_numpy()
    if bad.any():
        row, column = map(int, np.argwhere(bad)[0])
        raise ParameterError(
            f"a table of answers holds 1 (right), 0 (wrong) and empty cells; {scores.index[row]!r} "
            f"has {scores.iloc[row, column]:g} for {scores.columns[column]!r}. A column that is no "
            "item is left out with --drop (in Python: drop it)"
        )
    return whole.astype(int), counts


def _fill(
    journal: Journal,
    items: list[Item],
    right: pd.DataFrame,
    answers: pd.DataFrame,
    folder: Path,
) -> None:
    bank = ItemBank.open(write_bank(items, folder / "items.parquet"))
    answered = answers.loc[answers.any(axis=1).to_numpy()]
    if answered.empty:
        raise ParameterError("the table of answers holds no answer: all cells are empty")
    journal.register(
        [
            campaign_row(
                TABLE_OF_ANSWERS, bank.scene_digest, len(items), str(examinee), "default",
                int(counts.max()),
            )
            for examinee, counts in answered.iterrows()
        ],
        bank,
    )  # fmt: skip
    hashes = [item.provenance.content_hash for item in items]
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds")
    journal.add(
        Response(
            str(examinee), item_hash, "default", occasion,
            Reply(RIGHT if occasion < n_right else WRONG, "ok", ""), stamp,
        )
        for examinee in answered.index
        for item_hash, n_right, n in zip(
            hashes, right.loc[examinee], answers.loc[examinee], strict=True
        )
        for occasion in range(n)
    )  # fmt: skip


def _labels(given: Any) -> dict[str, dict[str, LabelValue]]:
    """The labels that a matrix of a journal keeps, which say what items are a sample of."""
    table = getattr(given, "labels", None)
    if not isinstance(table, pd.DataFrame):
        return {}
    return {
        str(item): {str(k): _label(v) for k, v in row.items() if not _absent(v)}
        for item, row in zip(table.index, table.to_dict("records"), strict=True)
    }


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _label(value: Any) -> LabelValue:
    if isinstance(value, tuple | list):
        return tuple(map(str, value))
    number = isinstance(value, int | float | np.number) and float(value).is_integer()
    return int(value) if number else str(value)


def _items(
    names: Sequence[str],
    homes: Mapping[str, str],
    labels: Mapping[str, Mapping[str, LabelValue]],
) -> list[Item]:
    """The items, with their benchmarks as far as these are known: given in `homes`, or in names
    that are all like `Benchmark.Category.item` or `BENCHMARK:INDEX`; with their labels."""
    if set(names) <= set(homes):
        return [_item(name, homes[name], homes[name], labels.get(name, {})) for name in names]
    named = benchmarks_in_names(names)
    if named is not None:
        return [_item(name, home, home) for name, home in zip(names, named, strict=True)]
    parts = [name.split(".") for name in names]
    dotted = all(len(part) > 1 and all(part) for part in parts)
    return [
        _item(name, part[0], ".".join(part[:-1])) if dotted else _item(name, BENCHMARK, BENCHMARK)
        for name, part in zip(names, parts, strict=True)
    ]


def _item(
    name: str, benchmark: str, task: str, labels: Mapping[str, LabelValue] | None = None
) -> Item:
    content_hash = text_hash(f"item of a table of answers: {name}")
    origin = Provenance("a table of answers", "1", content_hash=content_hash, edition=ANSWERS_ALONE)
    return Item(
        name, benchmark, (name,), "value", RIGHT, {**(labels or {}), "task": task}, origin,
        output_format=_FORMAT,
    )  # fmt: skip

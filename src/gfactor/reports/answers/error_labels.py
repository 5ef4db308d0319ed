"""Labels that people gave to wrong responses: their reading, and one category per response."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import cast

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.frames import mapped
from gfactor.items.table_files import read_text_frame

COLUMNS = ("item", "examinee", "condition", "annotator", "category", "abilities")
UNDECIDED = "undecided"
"""The category of a response of which no category was named most often."""

_RESPONSE = ["item", "examinee", "condition"]


def read_error_labels(path: Path, answers: pd.DataFrame) -> pd.DataFrame:
    r"""Return the labels that `gfactor annotate responses WORKSPACE -o FILE` writes, joined to
    answers.

    Parameters
    ----------
    path : Path
        The CSV file.
    answers : DataFrame
        Scored responses, as `gfactor.reports.Results` holds them.

    Returns
    -------
    DataFrame
        A row per label: `COLUMNS`, and `label` (who answered), `domain`, `benchmark` of the
        response.

    Raises
    ------
    ParameterError
        With file and row, where the file cannot be read, a label has no annotator or
        category, an annotator labels a response twice, or the journal does not hold the
        response.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from pathlib import Path
    >>> from gfactor.reports import Results, read_error_labels
    >>> _ = Path("labels.csv").write_text("item,examinee,condition,annotator,category,abilities\n")
    >>> len(read_error_labels(Path("labels.csv"), Results.from_journal(journal).answers))
    0
    """
    frame = read_text_frame(path, texts=True)
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise ParameterError(
            f"{str(path)!r} has no column {missing[0]!r}; labels are written by `gfactor annotate "
            "responses WORKSPACE -o FILE`"
        )
    frame = frame.loc[:, list(COLUMNS)]
    responses = answers.drop_duplicates(["item_id", "examinee", "condition"])
    responses = responses.set_index(["item_id", "examinee", "condition"])
    seen: set[tuple[str, ...]] = set()
    for row, record in enumerate(frame.to_dict("records"), 1):
        where = f"{str(path)!r}, row {row}"
        for name in ("annotator", "category"):
            if not record[name]:
                raise ParameterError(f"{where}: the column {name!r} is empty")
        key = tuple(str(record[name]) for name in _RESPONSE)
        if not record["examinee"]:
            raise ParameterError(
                f"{where}: the label is still blind; export the labels when every response has its "
                "labels, or with `gfactor annotate responses WORKSPACE -o FILE --unblind`"
            )
        if key not in responses.index:
            raise ParameterError(
                f"{where}: the journal holds no answer of {key[1]!r} to item {key[0]!r} under the "
                f"condition {key[2]!r}; give the journal whose responses were labeled"
            )
        whole = (*key, str(record["annotator"]))
        if whole in seen:
            raise ParameterError(
                f"{where}: annotator {record['annotator']!r} has labeled this response before"
            )
        seen.add(whole)
    keys = [tuple(row) for row in frame.loc[:, _RESPONSE].to_numpy()]
    for name in ("label", "domain", "benchmark"):
        if name in responses:
            values = responses[name].to_dict()
            frame[name] = mapped(pd.Series(keys, index=frame.index), values)
    return frame


def decided(labels: pd.DataFrame) -> pd.DataFrame:
    """Return one row per response: `item`, `label`, `domain`, `category` (the most frequent one;
    `UNDECIDED` if two are) and the number of `annotators`."""
    rows = []
    for _, group in labels.groupby(_RESPONSE, sort=True):
        counts = Counter(group["category"]).most_common()
        tied = len(counts) > 1 and counts[0][1] == counts[1][1]
        rows.append(
            {
                **group.iloc[0].loc[["item", "label", "domain"]].to_dict(),
                "category": UNDECIDED if tied else counts[0][0],
                "annotators": len(group),
            }
        )
    return pd.DataFrame(rows)


def ratings(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the categories, responses x annotators; a cell is empty if the annotator did not label
    the response."""
    return labels.pivot(index=_RESPONSE, columns="annotator", values="category")


def needed(labels: pd.DataFrame) -> pd.DataFrame:
    """Return a row per item and annotator; `abilities` is the set of abilities that the item needs
    by all labels of that annotator."""
    rows = [
        {
            "item": item,
            "annotator": who,
            "abilities": frozenset(
                name.strip() for text in group["abilities"] for name in text.split(";")
                if name.strip()
            ),
        }
        for key, group in labels.groupby(["item", "annotator"], sort=True)
        for item, who in [cast(tuple[str, str], key)]
    ]  # fmt: skip
    return pd.DataFrame(rows)

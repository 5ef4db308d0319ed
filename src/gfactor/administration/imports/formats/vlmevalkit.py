"""`vlmevalkit`: prediction files of VLMEvalKit, MODEL_DATASET.xlsx, .tsv, .csv, .json or .jsonl.

A file holds one occasion and no images. Rows become items as in `gfactor build vlmevalkit`. The
condition is `pack=vlmevalkit`: the prompts are VLMEvalKit's and are not in the file. Files that
VLMEvalKit derives from the predictions are not data sets. Those with the verdicts of a judge
(MODEL_DATASET_JUDGE.xlsx, _JUDGE_result.xlsx, _auxmatch.xlsx) give verdicts, which the journal
stores under the judge's name and `gfactor score --policy vlmevalkit` uses; all others are reported
and left out. Pickles are never read, because loading one executes its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    LeftOut,
    Naming,
    Traits,
    Verdict,
    declare,
    utc,
)
from gfactor.administration.imports.documents import one_line
from gfactor.administration.imports.log_names import folder_in_name, shared_ending
from gfactor.benchmarks.vlmevalkit.items import item_of_prediction
from gfactor.benchmarks.vlmevalkit.known_sets import is_known
from gfactor.benchmarks.vlmevalkit.row_facts import TableFacts
from gfactor.benchmarks.vlmevalkit.table import Row, index_of, prediction_rows
from gfactor.errors import ParameterError
from gfactor.examinees import Reply

FAILURE = "Failed to obtain answer"
"""Text that VLMEvalKit writes in place of an answer that it did not get."""

_NEEDED = {
    "index": "the items' ids",
    "answer": "the right answers",
    "prediction": "the model's replies",
}
"""The columns that every prediction file has, and their contents in words."""

_LONGEST_CELL = 32_767
"""Largest number of characters in a cell of a workbook; longer predictions were cut off."""

_JUDGED = (("hit", "log"), ("res", "log"), ("score", "log"), ("extracted", "score"))
"""Columns that VLMEvalKit adds to the rows that it has judged."""

_DERIVED_FILE = re.compile(r"_(exact_matching(_\w+)?_result|results|cotpost)(_|$)")
"""Ends of the names of files with results that VLMEvalKit's rules computed from predictions."""

_JUDGE = re.compile(r"_([^_]+)_result$|_(auxmatch)$|_([^_]+)$")

declare(
    "vlmevalkit",
    Traits(
        FolderLogs(
            r".*\.(xlsx|tsv|csv|jsonl?)",
            "prediction files MODEL/MODEL_DATASET.xlsx (.tsv, .csv, .json, .jsonl)",
            after_folder=True,
            otherwise="or import files of ids and replies, MODEL.jsonl, with gfactor import "
            "replies FOLDER --bank ITEMS.jsonl",
            dataset=partial(shared_ending, is_known=is_known),
        )
    ),
)


@IMPORTS.register("vlmevalkit")
def read(path: Path, naming: Naming) -> Iterator[Answered | Verdict | LeftOut | Flaw]:
    """Read prediction files of VLMEvalKit, .xlsx, .tsv, .csv, .json or .jsonl."""
    if path.suffix.lower() in (".pkl", ".pickle"):
        raise ParameterError(
            f"{str(path)!r} is a pickle, which is never loaded, because loading one runs what is "
            "in it; import the .xlsx or .tsv that VLMEvalKit writes at the end of a run"
        )
    examinee, dataset = _names(path, naming)
    if _DERIVED_FILE.search(dataset):
        yield LeftOut("it is made of a file of predictions; import that one")
        return
    flaws: list[Flaw] = []
    rows = list(
        prediction_rows(path, lambda number, what: flaws.append(Flaw(f"data row {number}", what)))
    )
    yield from flaws
    if not rows:
        raise ParameterError(f"{str(path)!r} holds no rows; a prediction file has one per item")
    _check_columns(path, rows[0][1])
    naming = Naming(examinee, naming.condition or "pack=vlmevalkit")
    created = utc(path.stat().st_mtime)
    judged = next((c for c in _JUDGED if set(c) <= set(rows[0][1])), ())
    if judged:
        yield from _verdicts(rows, dataset, naming, judged, created)
    else:
        workbook = path.suffix.lower() == ".xlsx"
        yield from _answers(rows, dataset, naming, created, workbook=workbook)


def _answers(
    rows: Sequence[tuple[int, Row]], dataset: str, naming: Naming, created: str, *, workbook: bool
) -> Iterator[Answered | Flaw]:
    table = TableFacts.of((row for _, row in rows), dataset)
    seen: set[str] = set()
    for number, row in rows:
        try:
            item = item_of_prediction(row, dataset, table)
            if item.id in seen:
                raise ValueError(f"index {row['index']!r} was there before; its first row counts")
        except ValueError as error:
            yield Flaw(f"data row {number}", one_line(error))
            continue
        seen.add(item.id)
        reply = _reply(row, workbook=workbook)
        yield Answered(item, naming.examinee, naming.condition, 0, reply, created)


def _verdicts(
    rows: Sequence[tuple[int, Row]],
    dataset: str,
    naming: Naming,
    judged: Sequence[str],
    created: str,
) -> Iterator[Verdict | LeftOut]:
    dataset, judge = _judge(dataset)
    if "hit" in judged and "g_index" in rows[0][1]:
        yield LeftOut("its verdicts are on groups of rotated items, not on replies")
        return
    for _, row in rows:
        if judge == "auxmatch" and row["extracted"] == "Unknown":
            continue
        answers = {name: row[name] for name in (*judged, "prediction")}
        item_id = f"{dataset}/{index_of(row)}"
        yield Verdict(item_id, naming.examinee, naming.condition, 0, judge, answers, created)


def _names(path: Path, naming: Naming) -> tuple[str, str]:
    """The examinee and the data set, from MODEL/MODEL_DATASET.xlsx or MODEL/RUN/MODEL_DATASET.xlsx.

    A model's name may contain underscores, so that the file's name alone is ambiguous. Names of
    several files may settle it.
    """
    given = naming.examinee
    for model in (given, given.removeprefix("vlmevalkit:"), folder_in_name(path)):
        if model and path.stem.startswith(f"{model}_"):
            return given or f"vlmevalkit:{model}", path.stem.removeprefix(f"{model}_")
    if not given and (dataset := shared_ending(path, naming.beside, is_known)):
        return f"vlmevalkit:{path.stem.removesuffix(f'_{dataset}')}", dataset
    if naming.examinee:
        return naming.examinee, path.stem
    raise ParameterError(
        f"{str(path)!r}: where the model's name ends is not clear, because no folder above has it "
        "and no other name tells; give --examinee MODEL, or import files of ids and replies alone "
        "with gfactor import replies FILE --bank ITEMS.jsonl"
    )


def _judge(dataset: str) -> tuple[str, str]:
    """The data set and the judge of DATASET_JUDGE_result, DATASET_JUDGE or DATASET_auxmatch."""
    match = _JUDGE.search(dataset)
    if not match:
        return dataset, "unnamed"
    return dataset[: match.start()], next(name for name in match.groups() if name)


def _check_columns(path: Path, row: Row) -> None:
    missing = [name for name in _NEEDED if name not in row]
    if missing:
        wanted = "; ".join(f"call the one with {_NEEDED[name]} {name!r}" for name in missing)
        elsewhere = ""
        if "answer" in missing:
            elsewhere = (
                ". If questions and keys are in another file: gfactor import replies FILE "
                "--bank ITEMS.jsonl"
            )
        raise ParameterError(f"{str(path)!r} has the columns {', '.join(row)}; {wanted}{elsewhere}")


def _reply(row: Row, *, workbook: bool) -> Reply:
    text, thought = row["prediction"], row.get("thinking", "")
    if text.startswith(FAILURE):
        return Reply("", "transport_error", "", detail=one_line(text))
    if workbook and len(text) >= _LONGEST_CELL:
        return Reply(text, "truncated", "", detail="cut off by the workbook", reasoning=thought)
    return Reply(text, "ok" if text.strip() else "empty", "", reasoning=thought)

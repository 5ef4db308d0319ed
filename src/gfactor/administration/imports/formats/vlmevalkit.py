"""`vlmevalkit`: prediction files of VLMEvalKit, MODEL_DATASET.xlsx, .tsv or .csv.

A file holds one occasion and no images. The condition is `pack=vlmevalkit`: the prompts are
VLMEvalKit's, and nothing in the file says which. Circular sets repeat an item with rotated options
under index + k * 1,000,000: each rotation is an item of its own with the label `circular` (k, 0 for
the first) and `circular_set` (the first one's index). Pickles are never read: loading one runs what
is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from gfactor.administration.imports.base import IMPORTS, Answered, Flaw, Naming, utc
from gfactor.administration.imports.documents import one_line
from gfactor.administration.imports.items import LETTERS, Question, item_from, texts_in_list
from gfactor.administration.imports.tables import SEPARATORS, read_table
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.items import Item, LabelValue

FAILURE = "Failed to obtain answer"
"""What VLMEvalKit writes in place of an answer that it did not get."""

_JUDGED = frozenset({"score", "res"})
"""Columns that VLMEvalKit adds beside `log`, or `hit`, to the file that it has scored."""

_ROTATION = 1_000_000
_LABELS = ("category", "l2-category", "split")
_NEEDED = ("index", "answer", "prediction")
_LONGEST_CELL = 32_767
"""Characters that a cell of a workbook holds; a longer prediction was cut off there."""

_Row = Mapping[str, str]


@IMPORTS.register("vlmevalkit")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw]:
    """Prediction files of VLMEvalKit, .xlsx, .tsv or .csv."""
    kind = path.suffix.lower()
    if kind in (".pkl", ".pickle"):
        raise ParameterError(
            f"{str(path)!r} is a pickle, which is never loaded, because loading one runs what is "
            "in it; import the .xlsx or .tsv that VLMEvalKit writes at the end of a run"
        )
    if kind != ".xlsx" and kind not in SEPARATORS:
        raise ParameterError(f"{str(path)!r} is not .xlsx, .tsv or .csv")
    examinee, dataset = _names(path, naming)
    named = Naming(examinee, naming.condition or "pack=vlmevalkit")
    rows: list[tuple[int, _Row]] = []
    for part in read_table(path):
        if isinstance(part, Flaw):
            yield part
        else:
            rows.append((part[0], {name.strip(): value for name, value in part[1].items()}))
    if rows:
        _check_columns(path, rows[0][1])
    created = utc(path.stat().st_mtime)
    indices = {_index(row["index"]) for _, row in rows}
    seen: set[str] = set()
    for number, row in rows:
        try:
            item = _item(row, dataset, indices)
            if item.id in seen:
                raise ValueError(f"index {row['index']!r} was there before")
        except ValueError as error:
            yield Flaw(f"row {number}", one_line(error))
            continue
        seen.add(item.id)
        reply = _reply(row, cut_at=_LONGEST_CELL if kind == ".xlsx" else 0)
        yield Answered(item, named.examinee, named.condition, 0, reply, created)


def _names(path: Path, naming: Naming) -> tuple[str, str]:
    """The examinee and the data set, from MODEL/MODEL_DATASET.xlsx or MODEL/RUN/MODEL_DATASET.xlsx.

    A model's name may hold underscores, so that the file's own name does not tell.
    """
    folders = [path.resolve().parent.name, path.resolve().parent.parent.name]
    for model in (naming.examinee, naming.examinee.removeprefix("vlmevalkit:"), *folders):
        if model and path.stem.startswith(f"{model}_"):
            return naming.examinee or f"vlmevalkit:{model}", path.stem.removeprefix(f"{model}_")
    if naming.examinee:
        return naming.examinee, path.stem
    raise ParameterError(
        f"{str(path)!r}: where the model's name ends is not clear, because no folder above has it; "
        "give --examinee MODEL"
    )


def _check_columns(path: Path, row: _Row) -> None:
    if "hit" in row or ("log" in row and _JUDGED & row.keys()):
        raise ParameterError(
            f"{str(path)!r} holds the verdicts of a judge; import the file of predictions that it "
            "was made from, whose name ends with the data set"
        )
    missing = [name for name in _NEEDED if name not in row]
    if missing:
        raise ParameterError(
            f"{str(path)!r} has no column {missing[0]!r}; a prediction file of VLMEvalKit has "
            f"{', '.join(_NEEDED)}"
        )


def _index(text: str) -> int | str:
    """The index as a number where it is one, however the table wrote it ("241", "241.0")."""
    whole = text.strip().removesuffix(".0")
    return int(whole) if whole.isascii() and whole.isdecimal() else text.strip()


def _item(row: _Row, dataset: str, indices: set[int | str]) -> Item:
    index = _index(row["index"])
    if index == "":
        raise ValueError("it has no index")
    labels: dict[str, LabelValue] = {
        name: text
        for name in _LABELS
        if (text := next((v for k, v in row.items() if k.casefold() == name), "").strip())
    }
    if isinstance(index, int) and _rotations(index) & indices:
        labels["circular"] = index // _ROTATION
        labels["circular_set"] = str(index % _ROTATION)
    asked = tuple(row[name] for name in ("hint", "question") if row.get(name, "").strip())
    options = {k: row[k] for k in LETTERS if row.get(k, "").strip()} or _listed_options(row)
    return item_from(
        Question(
            benchmark=dataset,
            number=str(index),
            content=asked,
            key=_key(row, options),
            options=options,
            labels=labels,
            source="vlmevalkit",
        )
    )


def _listed_options(row: _Row) -> dict[str, str]:
    """Options that stand in one column, as a list (MathVista)."""
    return dict(zip(LETTERS, texts_in_list(row.get("choices", "")) or (), strict=False))


def _key(row: _Row, options: Mapping[str, str]) -> tuple[str, ...]:
    """The right answers; of a question without options, any entry of a list is right (MMMU).

    Raises ValueError for a key of parts that all have to occur (MM-Vet), which only a judge scores.
    """
    answer = row["answer"]
    if options:
        return (row.get("answer_option", "").strip() or answer,)
    if "<AND>" in answer:
        raise ValueError(
            "its key names parts that must all occur (<AND>), which only a judge reads"
        )
    listed = texts_in_list(answer)
    return tuple(text.strip() for text in answer.split("<OR>")) if listed is None else listed


def _rotations(index: int) -> set[int]:
    """The other indices that this item has in a circular set of up to 26 options."""
    first = index % _ROTATION
    return {first + k * _ROTATION for k in range(len(LETTERS))} - {index}


def _reply(row: _Row, cut_at: int) -> Reply:
    text, thought = row["prediction"], row.get("thinking", "")
    if text.startswith(FAILURE):
        return Reply("", "transport_error", "", detail=one_line(text))
    if cut_at and len(text) >= cut_at:
        return Reply(text, "truncated", "", detail="cut off by the workbook", reasoning=thought)
    return Reply(text, "ok" if text.strip() else "empty", "", reasoning=thought)

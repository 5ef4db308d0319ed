"""Imports from other programs: logs of harnesses into a journal, score tables into one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

import pandas as pd

from gfactor.administration.imports import FolderLogs, ImportResult, import_file, traits_of
from gfactor.administration.imports.log_names import folder_in_name
from gfactor.administration.imports.one_key import Counted
from gfactor.api.inputs.files import journal_to_write
from gfactor.api.inputs.progress_bars import progress
from gfactor.api.inputs.score_tables import Scores, as_table, naming_of
from gfactor.api.inputs.taking import (
    BankLike,
    FolderWritten,
    JournalLike,
    address_of,
    as_bank,
    file_of,
    scores_file_of,
    several,
)
from gfactor.api.scores.imported_logs import ImportedLogs
from gfactor.benchmarks.vlmevalkit.item_tables import ITEM_TABLES, copies_in_table, items_in_table
from gfactor.errors import MissingExtraError, ParameterError
from gfactor.items import Item
from gfactor.items.files import check_writable, replacing
from gfactor.listing import first_few
from gfactor.parameters import FirstOccasion
from gfactor.psychometrics.given import holds_scores
from gfactor.scoring.exporting import write_csv
from gfactor.scoring.tables import (
    Joined,
    by_task,
    format_of,
    join_scores,
    read_names,
    read_scores,
    read_tasks,
)

_LISTED = 10


def import_logs(
    format_name: str,
    files: Sequence[FolderWritten | Path | str] | FolderWritten | Path | str,
    *,
    journal: JournalLike,
    examinee: str = "",
    examinee_column: str = "",
    condition: str = "",
    first_occasion: FirstOccasion = 0,
    bank: BankLike | None = None,
    replace_keys: bool = False,
) -> ImportedLogs:
    """Import the items and answers in the logs of another harness into a journal.

    Errors in the logs become failed attempts, which count as missing, not as wrong. Scores in the
    logs are not imported: `score` reads the replies again. A journal has one answer key per item.
    Importing a file a second time changes nothing.

    Parameters
    ----------
    format_name : str
        Format of the logs, such as "inspect" or "vlmevalkit"; `gfactor list imports` lists them.
    files : list of paths
        Log files, or folders that are searched for them at any depth. A file of "replies" may have
        a column `seconds` with the times of the answers. In folders of "vlmevalkit", prediction
        files are named MODEL/MODEL_DATASET.xlsx (.tsv, .csv, .json, .jsonl), or MODEL_DATASET.xlsx
        if several names have the same end; files without predictions are left out.
    journal : path or URL
        Journal for the answers; it is created if missing.
    examinee : str
        Name of the examinee. If "", the name that the file gives, or the name of the file or its
        folder.
    examinee_column : str
        Column that names the examinee of each row, for a file of "replies" from several people.
        Each is then called EXAMINEE:VALUE, with EXAMINEE as given in `examinee`, such as "person",
        or else "replies".
    condition : str
        Key of the condition under which the answers are stored. If "", a key that names the
        harness in place of a prompt pack.
    first_occasion : int
        Number of the first occasion in these files. Occasions are numbered from 0, so give 1 for a
        second run of the same test.
    bank : ItemBank or path, optional
        Bank of the same items, with their pictures. The replies are then stored as answers to the
        items of this bank, and can be compared with answers of people and of `run`. For the format
        "replies" it may also be a table (.jsonl, .json, .csv, .tsv, .xlsx) with id, question,
        options and answer of each item.
    replace_keys : bool
        Replace answer keys of the journal by those in these files if they differ. With `bank`, the
        bank's keys also replace those of the files. By default, answers to an item with two
        different keys are not imported.

    Returns
    -------
    ImportedLogs
        `files` (an `ImportResult` for each file: examinees, items, answers added) and `flaws`
        (problems in the files).

    Raises
    ------
    UnknownNameError
        For an unknown format; no journal is then created.
    ParameterError
        If a file does not have the format, or a folder holds no log.
    MissingExtraError
        If the format needs `pip install 'gfactor[imports]'`.

    Examples
    --------
    >>> import gfactor as gf, json
    >>> line = {"index": 0, "question": "1 + 1?", "A": "2", "B": "3", "answer": "A",
    ...         "prediction": "A"}
    >>> with open("Mini_Sums.json", "w") as file:
    ...     json.dump([line], file)
    >>> done = gf.import_logs("vlmevalkit", "Mini_Sums.json", journal="c.db", examinee="Mini")
    >>> done.files[0].added, done.flaws
    (1, ())
    """
    # First of all, as an unknown format must not leave an empty journal behind.
    logs = traits_of(format_name).logs
    if first_occasion < 0:
        raise ParameterError(f"the first occasion is numbered from 0, got {first_occasion}")
    paths: dict[Path, bool] = {}
    for file in several(files):
        path = Path(file_of(file, "a log"))
        if path.is_dir() and logs is not None:
            paths.update(dict.fromkeys(_logs_in(path, logs), True))
        else:
            paths[path] = False
    _check_workbooks_can_be_read([*paths, *([bank] if isinstance(bank, str | PathLike) else [])])
    with journal_to_write(journal) as open_journal:
        items = None if bank is None else {item.id: item for item in _items_of(bank)}
        results = []
        counted: Counted = {}
        for path, from_folder in progress(paths.items(), len(paths), "importing", "file"):
            try:
                result = import_file(
                    format_name,
                    path,
                    open_journal,
                    examinee=examinee,
                    examinee_column=examinee_column,
                    condition=condition,
                    first_occasion=first_occasion,
                    bank=items,
                    replace_keys=replace_keys,
                    counted=counted,
                    beside=tuple(paths),
                )
            except ParameterError as error:
                if not from_folder:
                    raise
                # The file is named before the reason.
                name = re.escape(repr(str(path)))
                reason = re.sub(f"^{name} ", "it ", re.sub(f"^{name}: ", "", str(error)))
                result = ImportResult(str(path), (), 0, 0, 0, 0, (), left_out=reason)
            results.append(result)
    if items and results and _is_table(bank):
        notes = (*copies_in_table(items.values()), *results[0].notes)
        results[0] = replace(results[0], notes=notes)
    if paths and all(paths.values()) and not any(one.items or one.verdicts for one in results):
        first = results[0]
        reason = f"{first.file}: {first.left_out}" if first.left_out else first.flaws[0]
        raise ParameterError(f"nothing was imported; {reason}")
    return ImportedLogs(str(address_of(journal)), tuple(results))


def _check_workbooks_can_be_read(files: Iterable[PathLike[str] | str]) -> None:
    """Raise MissingExtraError before any work if a file is a workbook and its reader is missing."""
    if any(Path(one).suffix.lower() == ".xlsx" for one in files) and not find_spec("openpyxl"):
        raise MissingExtraError("reading .xlsx files", "imports")


def _items_of(bank: BankLike) -> Iterable[Item]:
    """Return the items of a bank, or of a table of items."""
    return items_in_table(Path(bank)) if _is_table(bank) else as_bank(bank)


def _is_table(bank: BankLike | None) -> TypeGuard[str | PathLike[str]]:
    """Return True if a bank is the file of a table of items."""
    return isinstance(bank, str | PathLike) and Path(bank).suffix.lower() in ITEM_TABLES


def _logs_in(folder: Path, logs: FolderLogs) -> list[Path]:
    """Return the logs of a format in a folder, at any depth, each once however it is linked."""
    by_target = {
        path.resolve(): path
        for path in sorted(folder.rglob("*"), reverse=True)
        if path.is_file() and re.fullmatch(logs.names, path.name)
    }
    paths = sorted(by_target.values())
    if logs.after_folder:
        paths = [path for path in paths if folder_in_name(path)] or _named_alike(paths, logs)
    if not paths:
        raise ParameterError(
            f"the folder {str(folder)!r} holds no {logs.words}; name the files"
            + (logs.otherwise and f", {logs.otherwise}")
        )
    return paths


def _named_alike(paths: Sequence[Path], logs: FolderLogs) -> list[Path]:
    """Return the files whose names may hold a data set, if some name one for sure."""
    if logs.dataset is None or not any(logs.dataset(path, paths) for path in paths):
        return []
    return [path for path in paths if "_" in path.stem]


@dataclass(frozen=True)
class ImportedScores:
    """Score tables of several sources, joined into one.

    Parameters
    ----------
    scores: models x columns; NaN if a source has no score.
    joined: sources of the scores, and names and values that did not match.
    path: file to which the table was written, if any.
    """

    scores: pd.DataFrame
    joined: Joined
    path: Path | None = None

    @property
    def facts(self) -> pd.DataFrame:
        """Columns of the sources that are no scores, such as facts about the models."""
        return self.joined.facts.loc[self.scores.index]

    def write(self, path: Path | str) -> None:
        """Write facts and scores as one table, .csv or .parquet; ParameterError for others."""
        path = Path(path)
        _check_table_name(path)
        whole = self.facts.join(self.scores) if self.facts.shape[1] else self.scores.copy()
        whole.index.name = "model"
        if path.suffix == ".csv":
            write_csv(whole, path, index=True)
            return
        check_writable(path)
        with replacing(path) as temporary:
            whole.to_parquet(temporary)

    def summary(self) -> str:
        """Return the size of the table, and names and values that did not match, as text."""
        scores, joined = self.scores, self.joined
        missing = int(scores.isna().to_numpy().sum())
        lines = [f"{len(scores)} models x {scores.shape[1]} columns, {missing:,} cells missing"]
        if joined.facts.shape[1]:
            names = tuple(map(str, joined.facts.columns))
            lines.append(f"no scores but facts: {first_few(names)}")
        for source, models in joined.unmatched.items():
            if models:
                lines.append(f"only in {source}: {len(models)} models ({first_few(models)})")
        lines += [
            f"  {model!r} may be {other!r}; if so, put it into the name map"
            for model, other in list(joined.close.items())[:_LISTED]
        ]
        if joined.unused:
            lines.append(f"in the name map but in no file: {first_few(joined.unused)}")
        for kind, sentences in (
            ("conflict", joined.conflicts),
            ("not taken over", joined.flaws),
        ):
            lines += [f"{kind}: {line}" for line in sentences[:_LISTED]]
            if len(sentences) > _LISTED:
                lines.append(f"{kind}: {len(sentences) - _LISTED:,} more; --json lists all")
        if self.path is not None:
            lines.append(f"written to {self.path}")
        else:
            first = scores.iloc[:_LISTED, :6]
            lines.append(first.to_string(float_format="{:z.2f}".format, na_rep="-"))
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor import-scores --json`."""
        scores, joined = self.scores, self.joined
        cells = scores.astype(object).where(scores.notna(), None)
        return {
            "models": list(scores.index),
            "columns": list(scores.columns),
            "facts": list(joined.facts.columns),
            "scores": cells.to_numpy().tolist(),
            "sources": {column: list(names) for column, names in joined.sources.items()},
            "unmatched": {source: list(models) for source, models in joined.unmatched.items()},
            "close": joined.close,
            "unused_names": list(joined.unused),
            "conflicts": list(joined.conflicts),
            "flaws": list(joined.flaws),
        }

    def _repr_html_(self) -> str:
        return self.scores.round(3).to_html()


def import_scores(
    files: Scores | Sequence[Scores],
    *,
    format_name: str = "",
    names: Mapping[str, str] | Path | str | None = None,
    model: str | None = None,
    index: str | None = None,
    by: str | None = None,
    condition: str | None = None,
    tasks: Path | str | None = None,
    common: bool = False,
    path: Path | str | None = None,
) -> ImportedScores:
    """Join score tables into one, with a row per model and a column per task.

    Models with equal names are the same model. A name that only some files have is listed with the
    closest other names; `names` can then make them equal. If two files have a score for the same
    model and task, the first file's score is used, and the difference is listed.

    Parameters
    ----------
    files : list of paths, journals or tables
        Tables (.csv, .tsv, .parquet); results of VLMEvalKit, the OpenVLM leaderboard or lmms-eval;
        journals; in Python also DataFrames and results of `matrix`.
    format_name : str
        Format of all files: "table", "vlmevalkit", "openvlm", "lmms-eval" or "journal". If "", the
        format of each file is recognized by its name and content.
    names : dict or path, optional
        New names of models, by their names in the files; or a CSV file with the columns model
        (name in the files) and as (new name).
    model : str, optional
        Name of the model, for a file with the results of one model.
    index : str, optional
        Column with the names of the models; by default it is recognized.
    by : str, optional
        Label of the items in a journal, each of whose values becomes a column; "domain" if None.
    condition : str, optional
        Condition whose answers count, if scores come from a journal.
    tasks : str or path, optional
        Task of each item, if the columns of `data` are items: a CSV file with the columns item and
        task, or a regular expression whose group in an item's name is the task.
    common : bool
        Keep only models that have a score in every column.
    path : path, optional
        File to which the joined table is written (.csv or .parquet).

    Returns
    -------
    ImportedScores
        `scores` (a DataFrame, models x columns), `facts` (about the files), `joined` (names and
        differences to check), `summary()`, `to_dict()` and `write(path)`.

    Raises
    ------
    ParameterError
        If a file cannot be read, or every column holds something other than numbers.
    UnknownNameError
        For an unknown format.

    Examples
    --------
    >>> import gfactor as gf, pandas as pd
    >>> pd.DataFrame({"model": ["m1", "m2"], "A.x": [0.5, 0.7]}).to_csv("one.csv", index=False)
    >>> pd.DataFrame({"model": ["m2", "m3"], "A.y": [0.2, 0.4]}).to_csv("two.csv", index=False)
    >>> gf.import_scores(["one.csv", "two.csv"], common=True).scores.to_dict("index")
    {'m2': {'A.x': 0.7, 'A.y': 0.2}}
    """
    if path is not None:
        _check_table_name(Path(path))
    sources = several(files)
    given = [scores_file_of(one, "files") for one in sources if not holds_scores(one)]
    formats = [format_name or format_of(file) for file in given]
    naming = naming_of({"model": model, "index": index, "by": by, "condition": condition}, formats)
    name_map = names if isinstance(names, Mapping) else read_names(names).names if names else {}
    pairs = progress(zip(given, formats, strict=True), len(given), "reading", "file")
    read = iter([read_scores(file, one, naming) for file, one in pairs])
    tables = [as_table(one) if holds_scores(one) else next(read) for one in sources]
    if tasks:
        split = read_tasks(str(tasks))
        tables = [by_task(table, split) for table in tables]
    joined = join_scores(tables, name_map)
    if not joined.scores.size:
        raise ParameterError(
            f"no score in {', '.join(table.source for table in tables)}: no column holds nothing "
            "but numbers"
        )
    imported = ImportedScores(
        joined.scores.dropna() if common else joined.scores,
        joined,
        None if path is None else Path(path),
    )
    if path is not None:
        imported.write(path)
    return imported


def _check_table_name(path: Path) -> None:
    if path.suffix not in (".csv", ".parquet"):
        raise ParameterError(f"scores are written to NAME.csv or NAME.parquet, not {path.name!r}")

"""Exchange of an annotation project with files: responses, labels, banks, tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.inputs.taking import JournalLike, opened
from gfactor.benchmarks.selection.parsing import quotas
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.parameters import Count, Seed
from gfactor.scoring.exporting import write_csv
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.studies.annotation import (
    Project,
    add_responses,
    all_responses,
    export_bank,
    from_label_studio,
    labels_table,
    sampled,
    to_label_studio,
    wrong_responses,
)

PER_EXAMINEE = 90
"""As many responses of each model as MM-IQ labeled (section 4.3)."""
_OF = {"wrong": wrong_responses, "all": all_responses}


@dataclass(frozen=True)
class Sampled:
    """Responses that were taken into a project.

    Parameters
    ----------
    added: number of responses added.
    short: examinees with fewer responses than wanted, a line each.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.annotate.Sampled(added=3).short
    ()
    """

    added: int
    short: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return the number of sampled responses, and the examinees with too few, as text."""
        short = (f"fewer than their quota: {line}" for line in self.short)
        return "\n".join([f"{self.added:,} responses to label", *short])

    def to_dict(self) -> dict[str, Any]:
        """Return the sample as a mapping for strict JSON."""
        return {"added": self.added, "short": list(self.short)}


@dataclass(frozen=True)
class WrittenLabels:
    """Labels that were written to a file.

    Parameters
    ----------
    path: the file. labels: their number. waiting: number that is still to come.
    blind: True if examinee and condition are left out.
    """

    path: Path
    labels: int
    waiting: int
    blind: bool

    def summary(self) -> str:
        """Return the number of written labels, and of those left out, as text."""
        line = f"{self.path}: {self.labels:,} labels"
        if not self.blind:
            return line
        return (
            f"{line}\n{self.waiting:,} labels are still to come, so examinee and condition are "
            f"left out; {option('unblind')} names them"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as strict JSON holds them."""
        return {"labels": self.labels, "waiting": self.waiting, "blind": self.blind}


def responses(
    folder: Path | str,
    journal: JournalLike,
    *,
    per_examinee: Count | None = None,
    by: str = "",
    quota: str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    of: str = "wrong",
    seed: Seed = 0,
    **reach: Unpack[ReachOptions],
) -> Sampled:
    """Add a sample of models' answers to a project, so that people label them.

    Annotators see neither examinee nor condition, and get the responses in random order.

    Parameters
    ----------
    folder : path
        Folder of the project.
    journal : Journal or path
        Journal whose answers are sampled, scored as by `score`.
    per_examinee : int, optional
        Largest number of responses of each examinee; 90 if None (MM-IQ, section 4.3).
    by : str
        Label of the items; each of its values gets the same number of responses.
    quota : str, optional
        Number of responses of each examinee for each value of `by`: "10,Math=20" takes 20 of the
        value Math and 10 of every other value.
    examinees : list of str
        Examinees whose answers are sampled; all examinees if none is named.
    condition : str, optional
        Condition of the sampled responses; needed if the journal holds several.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    of : {"wrong", "all"}
        Population of the sample: wrong answers, whose errors are labeled, or all answers, which
        `gfactor.correct_scores` needs.
    seed : int
        Seed of the sample.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Sampled
        `added` (number of responses) and `short` (examinees with too few).

    Raises
    ------
    ParameterError
        If options contradict each other, or the journal holds several conditions and none is
        chosen.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["baseline:constant"], journal="c.db")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> gf.annotate.responses("workspace", journal, per_examinee=4, seed=1).added
    4
    """
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    project = Project.open(Path(folder))
    if quota is not None and (not by or per_examinee is not None):
        raise ParameterError(
            f"{option('quota')} is the number of responses of each examinee for each value of a "
            f"label; name the label with {option('by')}, and leave out {option('per_examinee')}"
        )
    if of not in _OF:
        raise UnknownNameError("kind of responses", of, _OF)
    with opened(journal) as open_journal:
        rows = _OF[of](project, scoring.one_condition(open_journal), by)
    sample = sampled(rows, per_examinee or PER_EXAMINEE, seed, by, quotas(quota) if quota else None)
    return Sampled(add_responses(project, sample.rows, seed), tuple(sample.short))


def labels(
    folder: Path | str, *, unblind: bool = False, path: Path | str | None = None
) -> tuple[pd.DataFrame, int]:
    """Return the labels of responses.

    Parameters
    ----------
    folder : path
        Folder of the project.
    unblind : bool
        Name examinee and condition although some responses have no label yet.
    path : path, optional
        CSV file to which the labels are written.

    Returns
    -------
    DataFrame
        A row per label; with examinee and condition if all responses are labeled or `unblind` is
        True.
    int
        Number of labels that are still missing.

    Raises
    ------
    ParameterError
        If the folder holds no project.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> table, waiting = gf.annotate.labels("workspace")
    >>> len(table), waiting
    (0, 0)
    """
    table, waiting = labels_table(Project.open(Path(folder)), unblind=unblind)
    if path is not None:
        write_csv(table, Path(path))
    return table, waiting


def write_labels(folder: Path | str, path: Path, *, unblind: bool = False) -> WrittenLabels:
    """Write the labels of a project's responses, and return how many there are."""
    table, waiting = labels(folder, unblind=unblind, path=path)
    return WrittenLabels(path, len(table), waiting, bool(waiting) and not unblind)


def export(folder: Path | str, path: Path | str, *, only_final: bool = False) -> Mapping[str, int]:
    """Write the bank with all decisions applied, and the whole history as NAME.history.jsonl.

    The label edited_from of an edited item holds the identity of the original.

    Parameters
    ----------
    folder : path
        Folder of the project.
    path : path
        The Parquet file to write.
    only_final : bool
        Leave out items about which no final decision was made.

    Returns
    -------
    dict of str to int
        Number of items that were kept, edited and dropped.

    Raises
    ------
    ParameterError
        If the folder holds no project, or no item is left.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> _ = gf.annotate.export("workspace", "edited.parquet")
    >>> len(gf.open_bank("edited.parquet"))
    10
    """
    return export_bank(Project.open(Path(folder)), Path(path), only_final=only_final)


def label_studio(
    folder: Path | str,
    *,
    write: Path | str | None = None,
    read: Path | str | None = None,
) -> int:
    """Write the items as tasks of Label Studio, or read its annotations as drafts.

    The labeling interface for its settings is written beside the tasks as NAME.xml.

    Parameters
    ----------
    folder : path
        Folder of the project.
    write : path, optional
        The JSON file of tasks to write.
    read : path, optional
        The JSON file of annotations to read.

    Returns
    -------
    int
        Number of tasks written, or of annotations read.

    Raises
    ------
    ParameterError
        If both or neither are given, or the file is no export of Label Studio.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> gf.annotate.label_studio("workspace", write="tasks.json")
    10
    """
    project = Project.open(Path(folder))
    if (write is None) == (read is None):
        raise ParameterError(
            "give one file: either one to write tasks to, or one to read annotations from"
        )
    if write is not None:
        return to_label_studio(project, Path(write))
    return from_label_studio(project, Path(str(read)))

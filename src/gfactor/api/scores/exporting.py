"""Results of a journal for programs of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from gfactor import __version__
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import scoring_of
from gfactor.api.inputs.taking import BankLike, JournalLike, as_bank, opened, several
from gfactor.errors import ParameterError
from gfactor.items.files import filling
from gfactor.reports.answers.results import role_of
from gfactor.reports.exchange import EXCHANGES, Exported, ExportFacts, runs_of
from gfactor.reports.exchange.base import RELATIONSHIPS, Relationship
from gfactor.scoring.policies import BENCHMARKS_POLICY

_TABLES = ("csv", "tsv", "parquet", "xlsx", "excel", "latex", "tex")
"""Kinds of files that other commands write."""


def export(
    journal: JournalLike,
    to: str,
    path: Path | str,
    *,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    organization: str = "",
    relationship: Relationship = "other",
    developers: Mapping[str, str] | None = None,
    dataset: str = "",
    people: bool = False,
    banks: BankLike | Sequence[BankLike] = (),
    **reach: Unpack[ReachOptions],
) -> Exported:
    """Write the results of a journal in an exchange format that other programs read.

    Answers are scored as in `score`. The same journal gives the same files.

    Parameters
    ----------
    journal : Journal or path
        Journal of a run, or its file.
    to : str
        "eee" (Every Eval Ever 0.3.0: an aggregate JSON file, and a JSONL file with a line per
        answer), "hf" (results for model repositories of the Hugging Face hub, YAML),
        "measurement-db" (long Parquet tables with registries) or "psych-ds" (CSV files whose
        columns are defined in dataset_description.json).
    path : path
        Folder for the files. They are moved there when all of them are complete, so that an export
        that fails leaves nothing. Files of an earlier export of the same runs are replaced.
    examinees : list of str
        Examinees whose answers are exported. A name with only some of its parameters, or none,
        stands for all examinees that it fits. All examinees if none is named.
    condition : str, optional
        Condition to export; all by default.
    judge : str, optional
        Examinee that reads the replies in which the rules found no answer; by default none.
    policy : str
        Rule for replies without an answer, as in `score`.
    organization : str
        Name of the organization that evaluated the models; the format "eee" needs it.
    relationship : {"first_party", "third_party", "collaborative", "other"}
        Relationship of this organization to the developers of the models.
    developers : mapping of str to str, optional
        Developer of each model, by the model's name. By default it is the first part of a name
        like "Qwen/Qwen3-VL", else "unknown".
    dataset : str
        Id of the bank on the Hugging Face hub, "ORGANIZATION/NAME"; the format "hf" needs it.
    people : bool
        Export the answers of persons as well; by default only those of models.
    banks : list of ItemBank or paths
        Banks of the items. They add the hashes and types of the pictures, which journals do not
        store.
    **reach : any
        Options for a judge over HTTP, as in `run`.

    Returns
    -------
    Exported
        `folder`, `files` (paths relative to the folder), `answers` (number of exported answers)
        and `left_out` (sentences about what was not exported).

    Raises
    ------
    UnknownNameError
        For an unknown format, examinee or condition.
    ParameterError
        If a fact that the format needs is missing, or no answer is left to export.
    MissingExtraError
        If an open answer needs `pip install 'gfactor[open]'`.

    References
    ----------
    Every Eval Ever, schema 0.3.0 (evaleval/every_eval_ever); Hugging Face hub, evaluation results
    in `.eval_results`; measurement-db, DATA_FORMAT.md (aims-foundations/measurement-db); Psych-DS
    1.5.1 (psych-ds.github.io).

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["baseline:constant"], journal="c.db")
    >>> done = gf.export(journal, "eee", "eee/", organization="An institute")
    >>> done.answers, [path.suffix for path in done.files]
    (10, ['.json', '.jsonl'])
    """
    if to.lower() in _TABLES and to not in EXCHANGES:
        raise ParameterError(
            f"{to!r} is a kind of table, not an export format; for all replies: gfactor score "
            "JOURNAL -o answers.csv; for scores: gfactor matrix JOURNAL -o scores.csv; for every "
            "table of the report, also in LaTeX: gfactor report JOURNAL -o FOLDER (in tables/)"
        )
    write = EXCHANGES[to]
    scoring = scoring_of(examinees, condition, judge, policy, reach)
    facts = ExportFacts(
        organization,
        relationship,
        dict(developers or {}),
        dataset,
        people,
        tuple(map(as_bank, several(banks))),
    )
    if facts.relationship not in RELATIONSHIPS:
        raise ParameterError(
            f"the relationship {facts.relationship!r} is none of {', '.join(RELATIONSHIPS)}"
        )
    with opened(journal) as open_journal:
        table = scoring.table(open_journal)
        runs = runs_of(open_journal, table, facts, __version__)
    with filling(Path(path)) as temporary:
        files, answers = write(runs, facts, temporary)
    persons = {name for name in map(str, table["examinee"]) if role_of(name) == "person"}
    left_out = ()
    if persons and not facts.people:
        left_out = (f"the answers of {len(persons)} person(s): they are written only on request",)
    return Exported(to, Path(path), tuple(files), answers, left_out)

"""The report of a journal: one page with tables and figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Unpack

from gfactor.administration import Journal
from gfactor.administration.storing.deviations import shortened_runs
from gfactor.api.inputs.reach import ReachOptions
from gfactor.api.inputs.scoring import Scoring, scoring_of
from gfactor.api.inputs.taking import BankLike, JournalLike, opened
from gfactor.api.scores.answer_warnings import notes_on_answers
from gfactor.api.scores.compared_runs import runs_in_words
from gfactor.api.scores.results import abilities_on_scale, calibration_given
from gfactor.frames import distinct
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim
from gfactor.reports import Results, Written, read_error_labels, read_model_facts, write_report
from gfactor.results import number_of, plain
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.scoring.sampling import answer_variance
from gfactor.scoring.summaries import label_columns

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.scales.calibration import Calibration


def report(
    journal: JournalLike,
    folder: Path | str,
    *,
    by: Sequence[str] = (),
    labels: Path | str | None = None,
    models: Path | str | None = None,
    calibration: Calibration | Path | str | None = None,
    prereg: Path | str | None = None,
    claim: str | None = None,
    examinees: Sequence[str] = (),
    condition: str | None = None,
    bank: BankLike | None = None,
    judge: str | None = None,
    policy: str = BENCHMARKS_POLICY,
    **reach: Unpack[ReachOptions],
) -> Report:
    """Write a report of a journal: one self-contained page, with tables and figures beside it.

    The page opens from disk and needs no network. Every table is also written as CSV, Markdown and
    LaTeX, every figure as SVG and PNG. The same journal gives the same files, byte by byte.

    For M3GIA, MM-IQ and MULTI the report has the tables and figures of their papers, with the
    published rows below those of the journal. Answers under different conditions are never pooled.
    Tables that compare conditions show pairs that differ in a single setting (images, prompt,
    knowledge).

    Parameters
    ----------
    journal : Journal or path
        Journal of a run, or its file.
    folder : path
        Folder for `report.html`, `tables/` and `figures/`; created if missing.
    by : list of str
        Further labels of the items by whose values accuracies are tabulated, as in `score`.
    labels : path, optional
        File of people's labels of wrong responses, as `gfactor annotate responses -o FILE` writes
        it; it adds a table of types of errors.
    models : path, optional
        CSV file of facts about models, with the columns `examinee` and `context_window` (in
        tokens).
    calibration : Calibration or path, optional
        Calibration (the result of `calibrate`), or its file. It adds abilities with intervals to
        the accuracies.
    prereg : path, optional
        Preregistered plan that `gfactor.plan` wrote; the report lists deviations from it.
    claim : {"same-domains", "other-domains", "these-items"}, optional
        Population that scores in the table of examinees generalize to: other items of the same
        domains (the default), other domains, or these items alone (which needs several occasions).
        The interval for another population stands beside it. Tables by domain, size and so on
        always generalize to other items of the same domains.
    examinees : list of str
        Examinees whose answers count, as in `score`.
    condition : str, optional
        Condition whose answers count; by default all conditions, separately.
    bank : ItemBank or path, optional
        Bank whose items count, as in `score`.
    judge : str, optional
        Judge of open answers, as in `score`.
    policy : str
        Rule for replies without an answer, as in `score`.
    **reach : any
        Options for a judge over HTTP, as in `score`.

    Returns
    -------
    Report
        `path` of the page, and the names of the `tables` and `figures` that were written.

    Raises
    ------
    JournalError
        If the journal has no answers.
    UnknownNameError
        For an unknown label, examinee or condition.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1, 5], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal"], journal="c.db")
    >>> gf.report(journal, "report/").path.name
    'report.html'
    """
    with opened(journal) as open_journal:
        scoring = scoring_of(examinees, condition, judge, policy, reach, bank)
        scale = calibration_given(calibration)
        return report_of(
            open_journal, scoring, Path(folder), labels, models, scale, prereg, claim, by
        )


@dataclass(frozen=True)
class Report(Written):
    """A written report of a journal, with its journal and settings."""

    results: Results = field(repr=False)
    prereg: Path | str | None = None

    def summary(self) -> str:
        """Return what was written, and the deviations from a preregistered plan, as text."""
        answers = f"{number_of(len(self.results.counted), 'answer')} of "
        lines = [
            f"{self.path}: {number_of(len(self.tables), 'table')}, "
            f"{number_of(len(self.figures), 'figure')}, "
            f"{answers}{runs_in_words(self.results.answers, self.results.left_out)}."
        ]
        if (compared := self.results.preregistration) is not None:
            away = compared.loc[compared["as_planned"] == "no"].to_dict("records")
            lines.append(f"{len(away)} deviations from the plan {self.prereg}.")
            lines += [
                f"  {row['what']}: planned {row['planned']}; done: {row['done']}" for row in away
            ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor report --json`."""
        compared = self.results.preregistration
        planned = {} if compared is None else {"preregistration": plain(compared)}
        names = {"tables": list(self.tables), "figures": list(self.figures)}
        return {"path": str(self.path), **names, **planned}


def report_of(
    journal: Journal,
    scoring: Scoring,
    folder: Path,
    labels: Path | str | None,
    models: Path | str | None,
    calibration: Calibration | Path | str | None = None,
    prereg: Path | str | None = None,
    claim: str | None = None,
    by: Sequence[str] = (),
) -> Report:
    """Write the report of an open journal."""
    planned = None if prereg is None else _preregistered().read_preregistration(prereg)
    wanted = DEFAULT_CLAIM if claim is None else checked_claim(claim)
    read = scoring.with_sources(journal)
    results = Results.from_journal(journal, read.responses, read.items)
    deviations = (*results.model_changes, *shortened_runs(results.left_out))
    names = distinct(read.responses, "examinee")
    notes = notes_on_answers(journal, read, names, deviations)
    warnings = tuple(one for one in by_severity(notes) if one.severity != "note")
    if wanted == "these-items":
        answer_variance(results.counted, "correct", "label")  # Refuses what has one occasion.
    results = replace(
        results, judge=scoring.judge_name, policy=scoring.policy, claim=wanted, warnings=warnings,
        by=label_columns(by, read.responses),
    )  # fmt: skip
    if labels:
        results = replace(results, error_labels=read_error_labels(Path(labels), results.answers))
    if models:
        names = sorted(set(results.answers["examinee"]))
        results = replace(results, models=read_model_facts(Path(models), names))
    if calibration is not None:
        # The judge's verdicts are in the journal by now.
        results = replace(results, calibrated=abilities_on_scale(journal, scoring, calibration))
    if planned is not None:
        compared = _preregistered().deviations(
            planned, journal, results.answers, policy=results.policy, judge=results.judge
        )
        results = replace(results, preregistration=compared)
    written = write_report(results, folder)
    return Report(written.path, written.tables, written.figures, results, prereg)


def _preregistered() -> ModuleType:
    """The module of preregistrations, which loads what plans."""
    from gfactor.api.scores import preregistration  # noqa: PLC0415

    return preregistration

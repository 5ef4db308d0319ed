"""Answers that deviate from the request: by another model, without a parameter, or missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from gfactor.administration.presenting.condition_text import without_sources
from gfactor.administration.storing.failure_reasons import reasons_in_words
from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.tables import FAILURES, RESPONSES
from gfactor.administration.storing.who_answered import model_changes
from gfactor.examinees.left_out import left_out_of
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.results import number_of


@dataclass(frozen=True)
class ShortenedRequests:
    """Answers of a run whose requests lacked parameters of its condition.

    Parameters
    ----------
    examinee, condition : str
        The run.
    parameters : str
        The parameters, separated by commas.
    answers : int
        Number of answers without them.
    of : int
        Number of answers of the run.
    """

    examinee: str
    condition: str
    parameters: str
    answers: int
    of: int


def left_out_parameters(
    journal: Journal, examinees: Collection[str] | None = None
) -> tuple[ShortenedRequests, ...]:
    """Count the answers of every run that lack a parameter because the model refuses it.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : collection of str, optional
        Examinees whose runs are counted; all if None.

    Returns
    -------
    tuple of ShortenedRequests
        An entry for every run and set of parameters; empty if all were sent.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> left_out_parameters(gf.run(bank, ["observer:ideal"], journal="c.db"))
    ()
    """
    c = RESPONSES.c
    run = c.examinee, c.condition
    noted = sa.select(*run, c.detail, sa.func.count()).where(c.detail.like("%asked without %"))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    with journal.transaction() as connection:
        for who, condition, detail, many in connection.execute(noted.group_by(*run, c.detail)):
            names = left_out_of(detail)
            if names and (examinees is None or who in examinees):
                of_run = counts.setdefault((who, condition), {})
                of_run[names] = of_run.get(names, 0) + many
        if not counts:
            return ()
        every = sa.select(*run, sa.func.count()).group_by(*run)
        totals = {(row[0], row[1]): row[2] for row in connection.execute(every)}
    return tuple(
        ShortenedRequests(*key, names, many, totals[key])
        for key, by_names in sorted(counts.items())
        for names, many in sorted(by_names.items())
    )


def as_asked(name: str, condition: str, left_out: Iterable[ShortenedRequests]) -> str:
    """Return the name of a condition with a note on parameters that requests lacked.

    Parameters
    ----------
    name : str
        The condition as it is shown.
    condition : str
        Its key.
    left_out : iterable of ShortenedRequests
        Result of `left_out_parameters`.

    Returns
    -------
    str
        The name alone if all its answers were asked for with all parameters.

    Examples
    --------
    >>> one = ShortenedRequests("openai:m", "temperature=0", "temperature", answers=4, of=9)
    >>> as_asked("temperature=0", "temperature=0", [one])
    'temperature=0 (4 answers without temperature)'
    """
    counts: dict[str, int] = {}
    for one in left_out:
        if one.condition == condition:
            counts[one.parameters] = counts.get(one.parameters, 0) + one.answers
    lacking = [
        f"{number_of(many, 'answer')} without {names}" for names, many in sorted(counts.items())
    ]
    return f"{name} ({'; '.join(lacking)})" if lacking else name


def run_deviations(
    journal: Journal, examinees: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """Report the runs whose answers deviate from the request.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : collection of str, optional
        Examinees whose runs are checked; all if None.

    Returns
    -------
    tuple of Diagnostic
        Those of `model_changes`, and a warning (`parameter_left_out`) for a run whose requests
        lacked a parameter of its condition.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> run_deviations(gf.run(bank, ["observer:ideal"], journal="c.db"))
    ()
    """
    left_out = left_out_parameters(journal, examinees)
    return (*model_changes(journal, examinees), *shortened_runs(left_out))


def shortened_runs(left_out: Iterable[ShortenedRequests]) -> tuple[Diagnostic, ...]:
    """Return a warning (`parameter_left_out`) for each run of a list of `left_out_parameters`.

    Parameters
    ----------
    left_out : iterable of ShortenedRequests
        Result of `left_out_parameters`.

    Returns
    -------
    tuple of Diagnostic
        A warning per entry.

    Examples
    --------
    >>> one = ShortenedRequests("openai:m", "temperature=0", "temperature", answers=4, of=9)
    >>> [warning.code for warning in shortened_runs([one])]
    ['parameter_left_out']
    """
    return tuple(
        Diagnostic(
            "parameter_left_out", "warning",
            f"{one.examinee} ({without_sources(one.condition)}): {one.answers:,} of {one.of:,} "
            f"answers were given without {one.parameters}, which the model refuses.",
            "Their condition does not describe how they were made; leave the parameter out of the "
            "condition, or take a model that accepts it.",
            (one.examinee, one.condition),
            {"parameters": one.parameters, "answers": one.answers, "of": one.of},
        )
        for one in left_out
    )  # fmt: skip


def failed_answers(
    journal: Journal, examinees: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """Report the runs with questions whose attempts all failed, with the reasons of the last ones.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : collection of str, optional
        Examinees whose runs are checked; all if None.

    Returns
    -------
    tuple of Diagnostic
        A note (`failed_answers`) for every such run; its values are the questions by reason.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> failed_answers(gf.run(bank, ["observer:ideal"], journal="c.db"))
    ()
    """
    f, r = FAILURES.c, RESPONSES.c
    last = sa.select(sa.func.max(f.id)).group_by(f.examinee, f.item_hash, f.condition, f.occasion)
    answered = sa.exists().where(
        r.examinee == f.examinee, r.item_hash == f.item_hash, r.condition == f.condition,
        r.occasion == f.occasion,
    )  # fmt: skip
    kind = f.examinee, f.condition, f.outcome, f.detail
    rows = sa.select(*kind, sa.func.count()).where(f.id.in_(last), ~answered).group_by(*kind)
    runs: dict[tuple[str, str], dict[str, int]] = {}
    with journal.transaction() as connection:
        for who, condition, outcome, detail, many in connection.execute(rows):
            if examinees is None or who in examinees:
                reasons = runs.setdefault((who, condition), {})
                reasons[detail or outcome] = reasons.get(detail or outcome, 0) + many
    return tuple(
        Diagnostic(
            "failed_answers", "note",
            f"{run[0]} ({without_sources(run[1])}): attempts at {sum(reasons.values()):,} "
            f"questions failed: {reasons_in_words(reasons)}.",
            "They count as missing. The same gfactor run asks them again; of imported answers, "
            "import a file in which they are answered.",
            run, reasons,
        )
        for run, reasons in sorted(runs.items())
    )  # fmt: skip

"""Paying the participants of a study through the service that sent them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.paying.payments import Payments, write_payments
from gfactor.studies.questionnaires.paying.sending import KINDS, Sent, send_payments
from gfactor.studies.questionnaires.results.exclusion import exclusion_of
from gfactor.studies.questionnaires.study.recruiting import SERVICES


def payments(
    folder: Path | str,
    path: Path | str,
    *,
    service: str | None = None,
    kind: str | None = None,
    again: bool = False,
    pilot: bool = False,
) -> Payments:
    """Write what participants are due, in the format that their recruiting service reads.

    The study records which payments a file holds, and no later file repeats them: the next file
    holds only new people and new amounts. People whom the rule `[payment]` of study.toml excludes
    are only in the file of rejections, with a reason in their language that can be sent to them.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        File to write; it must not exist yet.
    service : str, optional
        Recruiting service: "prolific", "mturk", "cloudresearch", "sona" or another that is
        installed; the study's own if None.
    kind : str, optional
        Kind of the file: "bonus", "approve", "reject" or "credit"; the service's main kind if None.
    again : bool
        Repeat the contents of earlier files, because one of them was lost.
    pilot : bool
        Pay those who took part in the pilot.

    Returns
    -------
    Payments
        `path` (None if nobody is due anything), `people`, `amount`, and how many are left out.

    Raises
    ------
    ParameterError
        If the study names no service, the service has no such kind of file, or the file exists.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", service="prolific")
    >>> gf.study.payments("study", "pay.csv").people
    0
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    return write_payments(opened, Path(path), _service(opened, service), kind, again=again)


def pay(
    folder: Path | str,
    *,
    service: str | None = None,
    kinds: Sequence[str] = (),
    send: bool = False,
    pilot: bool = False,
) -> Sent:
    """Approve and reject submissions and pay bonuses through the API of the recruiting service.

    Without `send` nothing is sent: the result says what is due. Only people whose ids belong to a
    submission at the service are approved, rejected or paid. Everything that was sent is recorded,
    and neither a later call nor a file of `payments` repeats it. If a call is killed or the service
    fails while bonuses are being paid, they are not ordered again before the service shows whether
    it has paid them, or a day has passed.

    The key of Prolific is read from the environment variable PROLIFIC_TOKEN.

    Parameters
    ----------
    folder : path
        Folder of the study.
    service : str, optional
        "prolific" or another service with an API; the study's own if None.
    kinds : sequence of str, optional
        Actions to take: "approve", "reject", "bonus"; all three if empty.
    send : bool
        Send the approvals, rejections and bonuses.
    pilot : bool
        Pay those who took part in the pilot.

    Returns
    -------
    Sent
        `approved`, `rejected`, `bonuses` (numbers of people), `amount`, `waiting` (bonuses that the
        service does not show yet), and how many are left out.

    Raises
    ------
    ParameterError
        If the service has no API, no key is set, or the service refuses or fails. Everything that
        was sent before is recorded.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", service="prolific")
    >>> gf.study.pay("study").approved
    0
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    return send_payments(opened, _service(opened, service), tuple(kinds) or KINDS, send=send)


def _service(folder: StudyFolder, service: str | None) -> str:
    name = service or folder.study.service
    if name is None:
        raise ParameterError(
            "the study names no recruiting service; give --service, one of " + ", ".join(SERVICES)
        )
    return name


def appeal(
    folder: Path | str, person: str, reason: str, *, uphold: bool = True, pilot: bool = False
) -> tuple[str, ...]:
    """Pay a participant although the study's rule excludes them, or revoke such a decision.

    The log of the study stores the decision and its reason, but not the person. Files that
    `payments` writes later follow the decision.

    Parameters
    ----------
    folder : path
        Folder of the study.
    person : str
        The participant's code, or their id at the recruiting service.
    reason : str
        Reason for the decision. The log shows it, so do not name anybody.
    uphold : bool
        True (the default) to decide for the payment, False to revoke an earlier decision.
    pilot : bool
        Look for the person in the pilot.

    Returns
    -------
    tuple of str
        Reasons why the rule excludes them: "attention", "speeding", "straightlining".

    Raises
    ------
    ParameterError
        If the person is unknown, the reason is empty, or the rule does not exclude the person.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.appeal("study", "p234567892", "the connection was slow")
    Traceback (most recent call last):
    ...
    gfactor.errors.ParameterError: no participant has the code or id 'p234567892'
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    with closing(opened.store()) as store:
        code = store.code_of(person)
        if code is None:
            raise ParameterError(f"no participant has the code or id {person!r}")
        if not reason.strip():
            raise ParameterError("an appeal needs a reason; give one")
        upheld = code in store.paid_on_appeal()
        excluded = exclusion_of(store, opened.study, code, appeals=False)
        if not excluded:
            raise ParameterError(
                f"the study's rule does not exclude {person!r} from payment, so there is nothing "
                "to decide"
            )
        if upheld == uphold:
            state = "is already paid on appeal" if uphold else "was not paid on appeal"
            raise ParameterError(f"{person!r} {state}, so there is nothing to decide")
        store.appeal(code, reason.strip(), paid=uphold)
    return excluded

"""While a study runs: who may see and change it, what they did, pauses."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from gfactor.api.study.owning import owner_secret
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.results import number_of
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.receipts import participant_of, person_data
from gfactor.studies.questionnaires.storing.action_log import at_the_command_line


@dataclass(frozen=True)
class StudyLog:
    """Log of what a study's owners did.

    Parameters
    ----------
    actions: table with a row per action, in their order: `number`, `created` (UTC), `who`,
        `action`, `detail`, `digest` (SHA-256 of the row and all rows before it).
    problem: sentence about a row that was changed or deleted; "" if the log is intact.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> log = gf.study.log("study")
    >>> isinstance(log, gf.study.StudyLog), log.problem
    (True, '')
    """

    actions: pd.DataFrame
    problem: str

    @property
    def code(self) -> int:
        """The exit code of `gfactor study log`: 1 if a row was changed or deleted."""
        return 1 if self.problem else 0

    def summary(self) -> str:
        """Return a text with a line per action, which says at the end whether the log is intact."""
        lines = [
            f"{row['number']} {row['created'][:19]} {row['who']} {row['action']}"
            + (f": {row['detail']}" if row["detail"] else "")
            for row in self.actions.to_dict("records")
        ]
        whole = f"{number_of(len(lines), 'action')}; none was changed or deleted"
        return "\n".join(
            [*lines, f"the log is not whole: {self.problem}" if self.problem else whole]
        )

    def to_dict(self) -> dict[str, object]:
        """Return the log as JSON holds it."""
        return {"actions": self.actions.to_dict("records"), "problem": self.problem}


def owners(
    folder: Path | str,
    *,
    add: str | None = None,
    remove: str | None = None,
    role: Literal["owner", "viewer"] = "viewer",
    password: str | None = None,
    pilot: bool = False,
) -> pd.DataFrame:
    """List the people who may see or change a study; add or remove somebody.

    An owner may do everything. A viewer may read everything, but may not change or download
    anything. A person who is added again gets the new role and password; a person who is removed
    is logged out at once.


    Parameters
    ----------
    folder : path
        Folder of the study.
    add : str, optional
        Name of a person to add.
    remove : str, optional
        Name of a person to remove.
    role : "owner" or "viewer"
        Role of the person to add.
    password : str, optional
        Password of the person to add; by default that of the environment variable
        GFACTOR_OWNER_PASSWORD, or else a new one. Only its hash is stored.
    pilot : bool
        Use the pilot, which has its own owners beside the first one.

    Returns
    -------
    DataFrame
        `name`, `role`, `created`; and the new `password` of an added person, if none was given.

    Raises
    ------
    ParameterError
        If the folder holds no study, or the name or password is not allowed.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> _ = gf.study.owners("study", add="anna", role="viewer", password="a long password")
    >>> gf.study.owners("study")["name"].tolist()
    ['owner', 'anna']
    """
    with closing(StudyFolder.open(Path(folder), pilot=pilot).store()) as store:
        secret, made_up = owner_secret(password)
        if add is not None:
            store.owners.add(add, role, secret, at_the_command_line())
        if remove is not None:
            store.owners.remove(remove, at_the_command_line())
        table = pd.DataFrame([vars(one) for one in store.owners.all()])
    if add is not None and made_up:
        table["password"] = [secret if name == add else "" for name in table["name"]]
    return table


def log(folder: Path | str, *, pilot: bool = False) -> StudyLog:
    """Return what a study's owners did, in the order in which they did it.

    Rows are only added. Each row holds the digest of all rows before it, so a row that was changed
    or deleted is detected.


    Parameters
    ----------
    folder : path
        Folder of the study.
    pilot : bool
        Use the pilot, which has its own log.

    Returns
    -------
    StudyLog
        `actions`, and `problem`, which is "" if the log is intact.

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> _ = gf.study.pause("study")
    >>> gf.study.log("study").actions["action"].tolist()
    ['paused']
    """
    with closing(StudyFolder.open(Path(folder), pilot=pilot).store()) as store:
        actions, problem = store.log.read()
    names = ["number", "created", "who", "action", "detail", "digest"]
    return StudyLog(pd.DataFrame([vars(one) for one in actions], columns=names), problem)


def pause(folder: Path | str, sentence: str = "") -> str:
    """Pause a study: nobody can begin, but participants who have begun may finish.


    Parameters
    ----------
    folder : path
        Folder of the study.
    sentence : str
        Sentence that people see who want to begin; if "", the sentence of the interface.

    Returns
    -------
    str
        Time at which the pause began (UTC, ISO 8601).

    Raises
    ------
    ParameterError
        If the folder holds no study, or the study is closed.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.pause("study", "We are back on Monday.")[:2]
    '20'
    """
    with closing(StudyFolder.open(Path(folder)).store()) as store:
        if store.ended() is not None:
            raise ParameterError("the study is closed; there is nothing to pause")
        return store.pause(sentence)


def resume(folder: Path | str) -> bool:
    """Resume a paused study: people can begin again.


    Parameters
    ----------
    folder : path
        Folder of the study.

    Returns
    -------
    bool
        True if the study was paused.

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.resume("study")
    False
    """
    with closing(StudyFolder.open(Path(folder)).store()) as store:
        return store.resume()


def reopen(folder: Path | str) -> bool:
    """Open a closed study again.


    Parameters
    ----------
    folder : path
        Folder of the study.

    Returns
    -------
    bool
        True if the study was closed.

    Raises
    ------
    ParameterError
        If the folder holds no study, or participants may have seen the right answers since.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> _ = gf.study.close("study")
    >>> gf.study.reopen("study")
    True
    """
    opened = StudyFolder.open(Path(folder))
    with closing(opened.store()) as store:
        return store.reopen(opened.study.disclose)


def person(
    folder: Path | str,
    receipt: str,
    *,
    delete: bool = False,
    path: Path | str | None = None,
    pilot: bool = False,
) -> dict[str, object]:
    """Return everything that is stored of one participant, found by the participant's receipt code.

    The data show the right answers only if these are disclosed to participants. After a deletion,
    no file of the study holds data of the person. Earlier exports and backups may still hold them:
    write the exports again, and see `backups`.

    Parameters
    ----------
    folder : path
        Folder of the study.
    receipt : str
        Receipt code that the participant gives; case, spaces and dashes do not matter.
    delete : bool
        Delete all data of the participant.
    path : path, optional
        File for these data as JSON, readable only by its owner.
    pilot : bool
        Look for the person in the pilot.

    Returns
    -------
    dict
        `consent`, `participant`, `recruiting`, `answers`, `turns`, `pages`, `pictures`,
        `payments`, `challenges`, `marks`.

    Raises
    ------
    ParameterError
        If no participant has this receipt code, or the file cannot be written.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.person("study", "22222-22222-22222-22222")
    Traceback (most recent call last):
    ...
    gfactor.errors.ParameterError: no participant has this receipt code; it has 20 characters
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    with closing(opened.store()) as store:
        context = StudyContext(opened, store)
        one = participant_of(context, receipt)
        if one is None:
            raise ParameterError("no participant has this receipt code; it has 20 characters")
        data = person_data(context.speaking(one.language), one)
        if path is not None:
            _write_private(Path(path), json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        store.log.add(at_the_command_line(), "read on request")
        if delete:
            store.withdraw(one.code, at_the_command_line())
            store.erase_deleted()
    return data


def _write_private(path: Path, text: str) -> None:
    check_writable(path)
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(text, "utf-8")

"""Projects of annotation: made, people invited, items assigned and served."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Unpack

import pandas as pd

from gfactor.api.inputs.serving import LoggedServingOptions, Serving
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.parameters import Port, Seed
from gfactor.studies.annotation import (
    Project,
    application,
)
from gfactor.studies.annotation.agreeing import agreement_table
from gfactor.studies.annotation.project import read_guidelines


def new(
    bank: BankLike,
    folder: Path | str,
    *,
    title: str = "Annotation",
    scheme: str = "multi",
    guidelines: Path | str | None = None,
) -> Project:
    """Make an annotation project from a bank: a folder with the items and, later, their history.

    Parameters
    ----------
    bank : ItemBank or path
        The items.
    folder : path
        Folder of the project; it is created if missing.
    title : str
        Title that annotators see.
    scheme : str
        Scheme of the categories of responses: "multi" or "mmiq" (types of errors), or "marks"
        (right and wrong).
    guidelines : path, optional
        A Markdown file that is shown beside every item; it is copied to `guidelines.md` in the
        folder, where it can be edited.

    Returns
    -------
    Project
        The project, with `path`, `bank` and `title`.

    Raises
    ------
    ParameterError
        If the folder already holds a project.
    UnknownNameError
        For an unknown scheme.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> len(gf.annotate.new(bank, "workspace", title="Round one").bank)
    10
    """
    items = as_bank(bank)
    text = "" if guidelines is None else read_guidelines(Path(guidelines))
    return Project.make(Path(folder), items, title, scheme, text)


def invite(
    folder: Path | str,
    names: Sequence[str] | str,
    *,
    adjudicator: bool = False,
    again: bool = False,
) -> dict[str, str]:
    """Invite people to a project: give each a password, of which only the hash is stored.

    Parameters
    ----------
    folder : path
        Folder of the project.
    names : list of str
        Names of the people.
    adjudicator : bool
        Let these people decide between drafts and see all items.
    again : bool
        Replace the password and the role of people who were invited before.

    Returns
    -------
    dict of str to str
        Password by name.

    Raises
    ------
    ParameterError
        If a name is invalid, or somebody was invited before (unless `again` is True); nobody is
        then invited.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> sorted(gf.annotate.invite("workspace", ["first", "second"]))
    ['first', 'second']
    """
    project = Project.open(Path(folder))
    given = (names,) if isinstance(names, str) else tuple(names)
    role = "adjudicator" if adjudicator else "annotator"
    return project.invite_all(given, role, again=again)


def assign(
    folder: Path | str,
    names: Sequence[str],
    *,
    per_item: int = 2,
    seed: Seed = 0,
    responses: bool = False,
    take_back: bool = False,
) -> int:
    """Give every item to several people, each person as many items as the others.

    With `take_back`, items that these people have not worked on are no longer assigned to them.

    Parameters
    ----------
    folder : path
        Folder of the project.
    names : list of str
        Names of people who were invited.
    per_item : int
        Number of annotators per item.
    seed : int
        Seed of the random assignment.
    responses : bool
        Assign responses to label instead of items; each person then sees only these, and responses
        whose category is known.
    take_back : bool
        Take back the items that these people have not drafted (with `responses`: the responses
        that they have not labeled). Drafts by others then no longer wait for drafts by them.

    Returns
    -------
    int
        Number of assignments made, or taken back.

    Raises
    ------
    ParameterError
        If there are fewer people than annotators per item, or somebody was not invited.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> _ = gf.annotate.invite("workspace", ["first", "second"])
    >>> gf.annotate.assign("workspace", ["first", "second"], per_item=2)
    20
    >>> gf.annotate.assign("workspace", ["second"], take_back=True)
    10
    """
    project = Project.open(Path(folder))
    if take_back:
        return project.take_back(tuple(names), responses=responses)
    return project.assign(tuple(names), per_item, seed, responses=responses)


def serve(
    folder: Path | str,
    *,
    host: str = "127.0.0.1",
    port: Port = 8010,
    ready: Callable[[str], None] | None = None,
    **web: Unpack[LoggedServingOptions],
) -> None:
    """Serve the annotation workspace until interrupted.

    Parameters
    ----------
    folder : path
        Folder of the project.
    host : str
        Address to listen at.
    port : int
        Port to listen at; 0 for any free port.
    ready : callable, optional
        Function that is called with the address once the port is bound.
    **web : any
        Options for the log of requests, `log` and `log_addresses`, and for how browsers reach the
        site: `https`, `public_url`, `proxies` and `insecure_http`, as `LoggedServingOptions`
        describes them.

    Raises
    ------
    ParameterError
        If the folder holds no project, the port is taken, or others would reach the workspace over
        plain HTTP.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.annotate.serve("workspace/", port=8010)  # doctest: +SKIP
    """
    serving = Serving.of(host, port, ready, web, LoggedServingOptions)
    serving.run_logged(partial(application, Project.open(Path(folder))))


def agreement(folder: Path | str) -> pd.DataFrame:
    """Compute Krippendorff's alpha (and Cohen's kappa of two annotators) of all judgments.

    Parameters
    ----------
    folder : path
        Folder of the project.

    Returns
    -------
    DataFrame
        A row per kind of judgment and coefficient: `what` (kind of judgment), `coefficient`, its
        `estimate` with `low` and `high` (95 %), `units`, `raters`, `alike` (share of pairs of
        judgments that are equal) and `said` (the result in words).

    Raises
    ------
    ParameterError
        If the folder holds no project.

    References
    ----------
    Krippendorff, K. (2004). Content analysis, 2nd ed. Sage.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.annotate.new(bank, "workspace")
    >>> gf.annotate.agreement("workspace")["said"].unique().tolist()
    ['nobody has rated the same units yet']
    """
    project = Project.open(Path(folder))
    with closing(project.store()) as store:
        return agreement_table(store, project.bank)

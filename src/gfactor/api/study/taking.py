"""Taking part in a study: served, by signed links, by simulated people, as a static page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Unpack

import pandas as pd

from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.serving import LoggedServingOptions, Serving
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.files import check_writable
from gfactor.parameters import Forms, Port, Seed
from gfactor.scoring.exporting import write_csv
from gfactor.studies.questionnaires import (
    StudyFolder,
    application,
)
from gfactor.studies.questionnaires.results.jspsych import JSPSYCH, export_jspsych
from gfactor.studies.questionnaires.simulating import Simulation, model_of_examinee, serving
from gfactor.studies.questionnaires.simulating import simulate as send
from gfactor.studies.questionnaires.simulating.misbehaving import MISBEHAVING
from gfactor.studies.questionnaires.storing.action_log import at_the_command_line
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.folder import LONGEST_ID, can_be_kept
from gfactor.studies.questionnaires.study.languages import languages_of


def serve(
    folder: Path | str,
    *,
    host: str = "127.0.0.1",
    port: Port = 8000,
    pilot: bool = False,
    ready: Callable[[str], None] | None = None,
    **web: Unpack[LoggedServingOptions],
) -> None:
    """Serve a study until interrupted; every answer is on disk before the next question.

    Parameters
    ----------
    folder : path
        Folder of the study.
    host : str
        Address to listen at.
    port : int
        Port to listen at; 0 for any free port.
    pilot : bool
        Serve the pilot of the study: answers are stored separately, in pilot.db, which only
        exports of the pilot read.
    ready : callable, optional
        Function that is called with the address once the port is bound.
    **web : any
        Options for the log of requests, `log` and `log_addresses`, and for how browsers reach the
        site: `https`, `public_url`, `proxies` and `insecure_http`, as `LoggedServingOptions`
        describes them.

    Raises
    ------
    ParameterError
        If the folder holds no study, the port is taken, or others would reach it over
        plain HTTP.

    Examples
    --------
    >>> import gfactor as gf
    >>> gf.study.serve("study/", port=8000)  # doctest: +SKIP
    """
    serving = Serving.of(host, port, ready, web, LoggedServingOptions)
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    serving.run_logged(partial(application, opened))


def links(
    folder: Path | str,
    participants: pd.DataFrame | Sequence[str] | Path | str,
    *,
    column: str = "id",
    public_url: str = "",
    path: Path | str | None = None,
) -> pd.DataFrame:
    """Make a signed link for each participant, so that nobody else can take part.

    A link can be used for one participation only; on another device it opens the same
    participation again.

    Parameters
    ----------
    folder : path
        Folder of the study.
    participants : DataFrame, list of ids, or path of a CSV file
        People who are to take part.
    column : str
        Column with the ids of the participants.
    public_url : str
        Address under which browsers reach the study.
    path : path, optional
        File for the table, readable only by its owner.

    Returns
    -------
    DataFrame
        The table of participants with a further column "link".

    Raises
    ------
    ParameterError
        If an id is empty, occurs twice, or cannot be stored; the message names the row.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", ids="signed")
    >>> gf.study.links("study", ["p1", "p2"], public_url="https://lab.example")["id"].tolist()
    ['p1', 'p2']
    """
    opened = StudyFolder.open(Path(folder))
    table = _participants(participants, column)
    table["link"] = [opened.link(name, public_url) for name in table[column]]
    _write_links(table, path)
    return table


def result_links(
    folder: Path | str,
    codes: Sequence[str],
    *,
    public_url: str = "",
    path: Path | str | None = None,
) -> pd.DataFrame:
    """Make signed links to participants' answers beside the right ones, valid for 30 days.

    Parameters
    ----------
    folder : path
        Folder of the study.
    codes : list of str
        Codes of the participants.
    public_url : str
        Address under which browsers reach the study.
    path : path, optional
        File for the table, readable only by its owner.

    Returns
    -------
    DataFrame
        `code` and `link`.

    Raises
    ------
    ParameterError
        For a code that no participant has.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.result_links("study", []).shape
    (0, 2)
    """
    opened = StudyFolder.open(Path(folder))
    with closing(opened.store()) as store:
        for code in codes:
            if store.by_code(code) is None:
                raise ParameterError(f"the study has no participant {code!r}")
        if codes:
            store.log.add(at_the_command_line(), "links to results made", f"{len(codes)}")
    table = pd.DataFrame({"code": list(codes)}, dtype=object)
    table["link"] = [opened.results_link(code, public_url) for code in codes]
    _write_links(table, path)
    return table


def resume_links(
    folder: Path | str,
    people: Sequence[str] | None = None,
    *,
    public_url: str = "",
    path: Path | str | None = None,
) -> pd.DataFrame:
    """Make links with which participants continue where they stopped, on any device, for 30 days.

    These links are for people whose browser has lost the participation, or who began with an
    address that does not open it again. Anybody with the link can answer as the participant.

    Parameters
    ----------
    folder : path
        Folder of the study.
    people : list of str, optional
        Codes of the people, or their ids at the recruiting service; if None, all who have begun
        and not finished.
    public_url : str
        Address under which browsers reach the study.
    path : path, optional
        File for the table, readable only by its owner.

    Returns
    -------
    DataFrame
        A row per person: `code`, `id` ("" if none is stored) and `link`.

    Raises
    ------
    ParameterError
        For a code or id that no participant has.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.resume_links("study").shape
    (0, 3)
    """
    opened = StudyFolder.open(Path(folder))
    with closing(opened.store()) as store:
        if people is None:
            codes = store.codes_in_progress()
        else:
            codes = [_known_code(store, name) for name in people]
        if codes:
            store.log.add(at_the_command_line(), "links to go on made", f"{len(codes)}")
        ids = [store.external_id(code) or "" for code in codes]
    table = pd.DataFrame({"code": codes, "id": ids}, dtype=object)
    table["link"] = [opened.resume_link(code, public_url) for code in codes]
    _write_links(table, path)
    return table


def _known_code(store: Store, name: str) -> str:
    code = store.code_of(name)
    if code is None:
        raise ParameterError(f"no participant has the code or id {name!r}")
    return code


def simulate(
    folder: Path | str,
    *,
    persons: int = 20,
    clickers: int = 0,
    straight_liners: int = 0,
    drowsy: int = 0,
    observers: Sequence[str] = (),
    misbehaving: Mapping[str, int] | None = None,
    pilot: bool = False,
    url: str | None = None,
    pace: float = 0.0,
    seed: Seed = 0,
) -> Simulation:
    """Send simulated people through a study, to try it before real ones come.

    In a study with several languages, the simulated people use them in turn.

    Try it on a copy of the folder, because their answers are stored like those of real people. The
    server that is started for them trusts their clocks. A server at `url` does not, and marks
    people who are too fast.

    Parameters
    ----------
    folder : path
        Folder of the study.
    persons : int
        Number of bots that read the questions before they answer.
    clickers : int
        Number of bots that click fast without reading.
    straight_liners : int
        Number of bots that always take the first option.
    drowsy : int
        Number of bots that are slow and answer at random.
    observers : list of str
        Examinees as participants: "observer:limited?acuity=0.4&seed=1".
    misbehaving : dict, optional
        Number of further simulated people of each kind: "impatient", "dropout", "double-starter",
        "reloader", "late", "tamperer".
    pilot : bool
        Store their answers separately, with those of the pilot.
    url : str, optional
        Address where the study is served; if None, a server is started for the bots.
    pace : float
        Seconds to wait for each second that a person would take.
    seed : int
        Seed of the simulated abilities and answers.

    Returns
    -------
    Simulation
        `visits` (a row per simulated person), `answers` (their number), `seconds` and `to_dict()`.

    Raises
    ------
    ParameterError
        If the folder holds no study, or it cannot be served.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors", per_person=3, checks=0)
    >>> gf.study.simulate("study", persons=2, seed=1).to_dict()["finished"]
    2
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    kinds = {
        "person": persons,
        "clicker": clickers,
        "straight-liner": straight_liners,
        "drowsy": drowsy,
        **(misbehaving or {}),
    }
    for kind in misbehaving or {}:
        if kind not in MISBEHAVING:
            raise UnknownNameError("kind of misbehaving bot", kind, MISBEHAVING)
    linked = opened.study.ids != "optional"
    bots = sum(kinds.values()) + len(observers)
    spoken = languages_of(opened.study)

    def entry(number: int) -> str:
        """Bots take the study's languages in turn."""
        page = opened.link(f"bot-{seed}-{number + 1}") if linked else "/"
        chosen = f"language={spoken[number % len(spoken)]}" if len(spoken) > 1 else ""
        return f"{page}{'&' if '?' in page else '?'}{chosen}" if chosen else page

    with counter(bots, "bots", "bot") as bar, serving(opened, url, simulated=True) as base:

        async def all_bots() -> Simulation:
            models = [(spec, await model_of_examinee(spec, opened.bank)) for spec in observers]
            return await send(
                base,
                opened,
                kinds,
                seed=seed,
                pace=pace,
                models=models,
                entry=entry,
                watch=lambda: bar.update(1),
            )

        # In a thread of its own, because a notebook's cell runs in an event loop already.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(all_bots())).result()


def jspsych(
    folder: Path | str, path: Path | str, *, forms: Forms = 20, library: str = JSPSYCH
) -> int:
    """Write a study as a static jsPsych experiment, for your own web server.

    The experiment does not contain the right answers.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        Folder to write to; it is created if missing.
    forms : int
        Number of forms, one for each participant.
    library : str
        Address of jsPsych 8.

    Returns
    -------
    int
        Number of items in the experiment.

    Raises
    ------
    ParameterError
        If the folder holds no study, or a page or an item of it needs the server (adaptive blocks,
        feedback, timed pictures, conversations).

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.jspsych("study", "experiment", forms=2)
    10
    """
    return export_jspsych(StudyFolder.open(Path(folder)), Path(path), forms, library)


def _write_links(table: pd.DataFrame, path: Path | str | None) -> None:
    if path is not None:
        check_writable(Path(path))
        write_csv(table, Path(path))
        Path(path).chmod(0o600)


def _participants(given: pd.DataFrame | Sequence[str] | Path | str, column: str) -> pd.DataFrame:
    """The table as texts, nothing in it turned into a number or a missing value."""
    source = repr(str(given)) if isinstance(given, Path | str) else "the table"
    table = _texts(given, column)
    if column not in table:
        names = ", ".join(map(str, table.columns))
        raise ParameterError(
            f"{source} has no column {column!r} (it has {names}); name one with --column"
        )
    seen: dict[str, int] = {}
    table = table.loc[(table != "").any(axis=1)].copy()
    for number, name in table[column].items():
        row = int(str(number)) + 2
        if not name.strip():
            raise ParameterError(f"{source}, row {row}: the id is empty")
        if name != name.strip() or not can_be_kept(name):
            raise ParameterError(
                f"{source}, row {row}: {name[:60]!r} cannot be an id; an id has at most "
                f"{LONGEST_ID} printable characters, and no space before or after them"
            )
        if name in seen:
            raise ParameterError(f"{source}, row {row}: {name!r} is in row {seen[name]}, too")
        seen[name] = row
    return table


def _texts(given: pd.DataFrame | Sequence[str] | Path | str, column: str) -> pd.DataFrame:
    if isinstance(given, pd.DataFrame):
        return given.reset_index(drop=True).fillna("").astype(str)
    if not isinstance(given, Path | str):
        return pd.DataFrame({column: [str(name) for name in given]}, dtype=object)
    try:
        return pd.read_csv(
            given, dtype=str, keep_default_na=False, encoding="utf-8-sig", skip_blank_lines=False
        ).fillna("")
    except FileNotFoundError as error:
        raise ParameterError(f"{str(given)!r}: there is no such file") from error
    except (OSError, ValueError) as error:
        raise ParameterError(f"{str(given)!r} cannot be read as a CSV file: {error}") from error

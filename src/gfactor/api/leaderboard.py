"""The leaderboard of journals: a static site, or a served one that follows them as they grow."""

from __future__ import annotations

import ipaddress
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.api.calibrated import abilities_of, entries_of
from gfactor.api.files import opened
from gfactor.api.progress import counter, tell, ticks
from gfactor.api.scoring import Scoring, scoring_of
from gfactor.errors import GfactorError, JournalError, ParameterError, UnknownNameError
from gfactor.items import Image, ItemBank
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.psychometrics.irt.calibration_files import read_calibration
from gfactor.reports.leaderboard.answers import items_of, read_answers
from gfactor.reports.leaderboard.replies import Spool
from gfactor.reports.leaderboard.site import Plan, Site, write_site
from gfactor.reports.leaderboard.standings import boards
from gfactor.reports.results import PERSON
from gfactor.scoring.judging import judges
from gfactor.scoring.policies import BENCHMARKS_POLICY
from gfactor.studies.web.extras import need
from gfactor.studies.web.headers import SecureHeaders
from gfactor.studies.web.serving import serve as serve_application

SHARDS = 100
"""Data files of replies, about."""

FEWEST = 20
"""Items of a data file of replies at least."""

MEGABYTE = 1_000_000
STEPS = 7
"""Steps of writing, for progress bars."""


@dataclass(frozen=True)
class Leaderboard:
    """What was written.

    Parameters
    ----------
    path : Path
        The first page.
    models : int
        Examinees that have a page.
    items : int
        Items that have a page.
    pages : int
        HTML files.
    bytes, picture_bytes : int
        What the site takes without pictures of items, and what those take.
    digest : str
        Of what was answered by whom, as pages show it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gfactor.api.leaderboard import Leaderboard
    >>> Leaderboard(Path("site/index.html"), 3, 10, 19, 60_000, 0, "1f").to_dict()
    {'models': 3, 'items': 10, 'bytes': 60000, 'pages': 19}
    """

    path: Path
    models: int
    items: int
    pages: int
    bytes: int
    picture_bytes: int
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """The document of `gfactor leaderboard --json`."""
        return {name: getattr(self, name) for name in ("models", "items", "bytes", "pages")}


def leaderboard(
    journals: Journal | Path | str | Sequence[Journal | Path | str],
    folder: Path | str | None = None,
    *,
    banks: Sequence[ItemBank | Path | str] = (),
    calibration: Calibration | Path | str | None = None,
    title: str = "Leaderboard",
    people: str = "",
    judge: str = "",
    policy: str = BENCHMARKS_POLICY,
    megabytes: float = 15,
    serve: bool = False,
    host: str = "127.0.0.1",
    port: int = 8200,
    ready: Callable[[str], None] | None = None,
) -> Leaderboard:
    """Write a static site of what journals say: rank sets, profiles, items, every reply.

    Models stand in rank sets, with accuracies, intervals, chance, trivial baselines, observers and
    people beside them; there is a page per model and per item, one that compares any two, and a
    search in replies. The site opens from disk and asks the network for nothing; only sorting,
    filters, search and choosing two models need its script. The same journals give the same bytes.

    Parameters
    ----------
    journals : Journal or path, or several
        What `run` returned, or files. Where two hold an answer to the same key, the first one's
        stands.
    folder : path, optional
        For the site; made where it does not exist. May be left out when it is served.
    banks : list of ItemBank or paths
        Banks of the items, for their pictures, which journals do not keep.
    calibration : Calibration or path, optional
        What `calibrate` returned, or its file: abilities and curves of items are shown.
    title : str
        Of the site.
    people : str
        Where the people's answers are from; by default the names of the journals that hold them.
    judge : str
        A judge whose verdicts the journals keep (`gfactor score --judge` asks it).
    policy : str
        What is made of a reply without an answer, as in `score`.
    megabytes : float
        What the site may take without pictures of items; replies are cut to fit, and it says so.
    serve : bool
        Serve it until interrupted, and write it again while the journals grow.
    host, port : str, int
        Where to serve; this machine alone by default, and port 0 takes any that is free.
    ready : callable, optional
        Is told the address once it is served.

    Returns
    -------
    Leaderboard
        `path` of the first page, `models`, `items`, `pages`, `bytes`.

    Raises
    ------
    JournalError
        Where a journal cannot be read, or none holds an answer.
    ParameterError
        Where the folder cannot be written, or there is none.
    UnknownNameError
        For a judge whose verdicts no journal keeps.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries.
    Review of Economic Studies 91, 476-518.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> done = gf.leaderboard(journal, "site/", banks=[bank])
    >>> done.path.name, done.models, done.items
    ('index.html', 2, 10)
    """
    given = [journals] if isinstance(journals, Journal | Path | str) else list(journals)
    if folder is None and not serve:
        raise ParameterError("name the folder that the site is to be written to")
    making = making_of(
        given, banks, calibration, title=title, people=people, judge=judge, policy=policy,
        megabytes=megabytes,
    )  # fmt: skip
    if not serve:
        assert folder is not None
        return making.write(Path(folder))
    with _folder(folder) as place:
        return Served(making, place).serve(host, port, ready)


def making_of(
    journals: Sequence[Journal | Path | str],
    banks: Sequence[ItemBank | Path | str] = (),
    calibration: Calibration | Path | str | None = None,
    *,
    title: str = "Leaderboard",
    people: str = "",
    judge: str = "",
    policy: str = BENCHMARKS_POLICY,
    megabytes: float = 15,
) -> Making:
    """How a site is made, banks and calibration opened; as in `leaderboard`."""
    if not journals:
        raise ParameterError("a leaderboard needs a journal")
    known = calibration
    if known is not None and not isinstance(known, Calibration):
        known = read_calibration(known)
    held = tuple(bank if isinstance(bank, ItemBank) else ItemBank.open(bank) for bank in banks)
    scoring = scoring_of((), None, None, policy, {})
    size = int(megabytes * MEGABYTE)
    return Making(tuple(journals), held, known, title, people, judge, scoring, size)


@contextmanager
def _folder(folder: Path | str | None) -> Iterator[Path]:
    """The folder, or one that is gone at the end."""
    if folder is not None:
        yield Path(folder)
        return
    with tempfile.TemporaryDirectory(prefix="gfactor-leaderboard-") as name:
        yield Path(name)


@dataclass(frozen=True)
class Making:
    """How a site is made, as often as it has to be."""

    journals: tuple[Journal | Path | str, ...]
    banks: tuple[ItemBank, ...]
    calibration: Calibration | None
    title: str
    people: str
    judge: str
    scoring: Scoring
    max_bytes: int

    def size(self) -> tuple[tuple[int, int, int], ...]:
        """What grows while the journals do."""
        with ExitStack() as stack:
            return tuple(stack.enter_context(opened(one)).size() for one in self.journals)

    def write(self, folder: Path) -> Leaderboard:
        with ExitStack() as stack:
            kept = [stack.enter_context(opened(one)) for one in self.journals]
            temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="gfactor-"))
            site = self._write(kept, folder, Path(temporary))
        return Leaderboard(
            site.path, site.models, site.items, site.pages, site.bytes, site.picture_bytes,
            site.digest,
        )  # fmt: skip

    def _write(self, kept: Sequence[Journal], folder: Path, temporary: Path) -> Site:
        self._check_judge(kept)
        items = items_of(kept)
        spool = Spool(temporary, max(FEWEST, -(-len(items) // SHARDS)))
        names = {name for one in kept for name in one.examinees()}
        with counter(len(names) + STEPS, "leaderboard", "step") as bar:
            answers = read_answers(
                kept, spool, policy=self.scoring.policy, judge=self.judge, items=items,
                watch=ticks(bar),
            )  # fmt: skip
            answers = replace(answers, sources=tuple(_shown(one) for one in kept))
            plan = Plan(
                answers, spool, boards(answers), self.title, self.banks, _samples(kept),
                max_bytes=self.max_bytes, people=self.people or _people(kept),
                calibration=self.calibration, **self._calibrated(kept, items),
            )  # fmt: skip
            return write_site(plan, folder, ticks(bar))

    def _check_judge(self, kept: Sequence[Journal]) -> None:
        known = sorted({name for one in kept for name in judges(one)}) if self.judge else []
        if self.judge and self.judge not in known:
            raise UnknownNameError("judge", self.judge, known)

    def _calibrated(self, kept: Sequence[Journal], items: pd.DataFrame) -> dict[str, Any]:
        """Abilities and the entries of items; nothing without a calibration."""
        if self.calibration is None:
            return {}
        scoring = replace(self.scoring, judge=None, judge_name=self.judge)
        tables = [abilities_of(one, scoring, self.calibration).table for one in kept]
        entries = entries_of(self.calibration, items.rename(index=str))
        return {
            "abilities": pd.concat(tables, ignore_index=True),
            "entries": {int(name): entry for name, entry in entries.items()},
        }


def _shown(journal: Journal) -> str:
    """A journal's name without the folders of this machine."""
    return journal.name if "://" in journal.name else Path(journal.name).name


def _people(journals: Sequence[Journal]) -> str:
    """The journals that hold answers of people."""
    held = [_shown(one) for one in journals
            if any(name.startswith(PERSON) for name in one.examinees())]  # fmt: skip
    return ", ".join(held)


def _samples(journals: Sequence[Journal]) -> dict[str, tuple[Image, ...]]:
    """Pictures of the items that journals keep as samples."""
    return {
        sample.item_id: tuple(part for part in sample.content if isinstance(part, Image))
        for one in journals
        for sample in one.samples()
    }


_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript",
          ".json": "application/json", ".csv": "text/csv", ".svg": "image/svg+xml",
          ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
          ".webp": "image/webp", ".gif": "image/gif"}  # fmt: skip
_DRAWN = "default-src 'none'; style-src 'unsafe-inline'"
"""What a figure may use: the colors that stand in it."""

_WAITING = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="refresh" content="3"><title>Leaderboard</title>
<p>The journal holds no answers yet. This page looks again every three seconds.</p></html>
"""

LOOK_S = 2.0
"""Seconds between two looks at the journals."""


class Served:
    """A site that is written anew, in turn into two folders, while its journals grow."""

    def __init__(self, making: Making, folder: Path) -> None:
        self._making, self._folder = making, folder
        self._size: tuple[tuple[int, int, int], ...] | None = None
        self._turn = 0
        self._done: Leaderboard | None = None
        self._ended = threading.Event()

    def refresh(self) -> None:
        """Write the site where the journals have grown since it was written."""
        size = self._making.size()
        if size == self._size:
            return
        room = self._folder / f"state-{self._turn % 2}"
        shutil.rmtree(room, ignore_errors=True)
        try:
            self._done = self._making.write(room)
        except JournalError:
            if self._done is not None or any(answered for answered, _, _ in size):
                raise
        self._size, self._turn = size, self._turn + 1

    def _follow(self) -> None:
        while not self._ended.wait(LOOK_S):
            try:
                self.refresh()
            except GfactorError as error:
                tell(f"the site stays as it was: {error}")

    def application(self, host: str) -> Any:
        """What answers requests: files of the site, and nothing else."""
        responses, routing = need("starlette.responses"), need("starlette.routing")
        middleware = need("starlette.middleware")
        trusted = need("starlette.middleware.trustedhost").TrustedHostMiddleware

        async def page(request: Any) -> Any:
            name = request.path_params["path"] or "index.html"
            if self._done is None:
                return responses.HTMLResponse(_WAITING)
            room = self._done.path.parent.resolve()
            target = (room / name).resolve()
            if not target.is_relative_to(room) or not target.is_file():
                return responses.PlainTextResponse("There is no such page.", 404)
            kind = _KINDS.get(target.suffix, "application/octet-stream")
            headers = {"content-security-policy": _DRAWN} if target.suffix == ".svg" else {}
            return responses.Response(target.read_bytes(), media_type=kind, headers=headers)

        hosts = ["127.0.0.1", "localhost", "[::1]"] if _is_local(host) else ["*"]
        return need("starlette.applications").Starlette(
            routes=[routing.Route("/{path:path}", page)],
            middleware=[
                middleware.Middleware(SecureHeaders),
                # Another site's name that leads to this machine is not let in.
                middleware.Middleware(trusted, allowed_hosts=hosts, www_redirect=False),
            ],
        )

    def serve(self, host: str, port: int, ready: Callable[[str], None] | None) -> Leaderboard:
        """Serve until interrupted; what was written last."""
        self.refresh()
        following = threading.Thread(target=self._follow, daemon=True)
        following.start()
        try:
            serve_application(self.application(host), host, port, ready)
        finally:
            self._ended.set()
            following.join()
        if self._done is None:
            raise JournalError("the journals held no answers until the end")
        return self._done


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

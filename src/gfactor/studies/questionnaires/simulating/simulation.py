"""Many bots at once, their server, and a report on both."""

from __future__ import annotations

import asyncio
import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import aiohttp
import numpy as np

from gfactor.administration import Condition, render
from gfactor.errors import ParameterError
from gfactor.examinees import make_examinee
from gfactor.items import Item, ItemBank
from gfactor.items.formats import CHOSEN
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.questionnaires.simulating.bot import Bot, Visit
from gfactor.studies.questionnaires.simulating.misbehaving import MISBEHAVING
from gfactor.studies.questionnaires.simulating.response_models import (
    BotAnswer,
    ResponseModel,
    response_model,
)
from gfactor.studies.questionnaires.study.folder import BOT_HEADER, StudyFolder
from gfactor.studies.web.extras import check_installed


@dataclass(frozen=True)
class Simulation:
    """Result of a simulation; `seconds` is the wall time of all bots."""

    visits: tuple[Visit, ...]
    seconds: float

    @property
    def answers(self) -> int:
        return sum(visit.answers for visit in self.visits)

    @property
    def per_second(self) -> float:
        """Answers acknowledged per second."""
        return self.answers / self.seconds if self.seconds else 0.0

    def wait(self, percent: float) -> float:
        """Return a percentile of the seconds from sending an answer to having the next question."""
        waits = [w for visit in self.visits for w in visit.waits]
        return float(np.percentile(waits, percent)) if waits else 0.0

    def kinds(self) -> dict[str, dict[str, int]]:
        """Return, by kind of bot, the numbers that came and finished, and of their answers."""
        table: dict[str, dict[str, int]] = {}
        for visit in self.visits:
            row = table.setdefault(visit.kind, {"people": 0, "finished": 0, "answers": 0})
            row["people"] += 1
            row["finished"] += visit.finished
            row["answers"] += visit.answers
        return table

    def summary(self) -> str:
        """Return the number of bots that finished, the rate of answers and the waiting times, as
        text."""
        facts = self.to_dict()
        return (
            f"{facts['finished']} of {facts['people']} bots finished, {facts['answers']:,} answers"
            f"\n{facts['answers_per_second']:,} answers/s; median wait {facts['wait_p50_ms']} ms, "
            f"99th percentile {facts['wait_p99_ms']} ms"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "people": len(self.visits),
            "finished": sum(visit.finished for visit in self.visits),
            "answers": self.answers,
            "seconds": round(self.seconds, 3),
            "answers_per_second": round(self.per_second, 1),
            "wait_p50_ms": round(1000 * self.wait(50), 1),
            "wait_p99_ms": round(1000 * self.wait(99), 1),
            "retries": sum(visit.retries for visit in self.visits),
            "kinds": self.kinds(),
        }


async def simulate(
    base: str,
    folder: StudyFolder,
    kinds: Mapping[str, int],
    *,
    seed: int,
    pace: float = 0.0,
    most: int | None = None,
    models: Sequence[tuple[str, ResponseModel]] = (),
    entry: Callable[[int], str] = lambda _: "/",
    watch: Callable[[], object] = lambda: None,
) -> Simulation:
    """Send bots through a study that is being served, all at once.

    They enter one after another, because forms depend on the order of entry; the same seed thus
    gives every bot the same form and the same answers.

    Parameters
    ----------
    base: the study's address.
    folder: the study. Bots know its items, and pages identify the shown item to them.
    kinds: number of bots of each kind of `RESPONSE_MODELS`.
    seed: seed of their abilities and answers.
    pace: seconds waited for each second that a person would take.
    most: questions per bot; None for the whole form.
    models: further bots, each with a name and a response model (for example observers).
    entry: the page that a bot comes to first, by its number from 0.
    watch: called when a bot is done.

    Raises ParameterError if the study cannot be reached for ten minutes, or refuses.
    """

    @cache
    def item(item_id: str) -> Item:
        return folder.bank.item(item_id)

    sources = [random.Random(f"{seed} {k}") for k in range(sum(kinds.values()) + len(models))]
    named = [(kind, None) for kind, count in kinds.items() for _ in range(count)]
    people = [
        (kind, model or response_model(kind, source), source)
        for (kind, model), source in zip([*named, *models], sources, strict=True)
    ]

    entrance = asyncio.Lock()  # A queue keeps the order of the bots.

    async def one(number: int, kind: str, model: ResponseModel, source: random.Random) -> Visit:
        async with aiohttp.ClientSession(
            headers={BOT_HEADER: folder.bot_pass},
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            connector=aiohttp.TCPConnector(limit=2),
        ) as session:
            first, external = entry(number), folder.study.external_id
            if kind == "double-starter" and first == "/" and external:
                first = f"/?{external}=bot-{seed}-{number + 1}"
            how = {
                "kind": kind,
                "pace": pace,
                "entry": first,
                "pages": folder.study.pages or (),
            }
            bot = MISBEHAVING.get(kind, Bot)(session, base, item, model, source, **how)
            async with entrance:
                page = await bot.enter()
            visit = await bot.take(page, most)
        watch()
        return visit

    loop = asyncio.get_running_loop()
    begun = loop.time()
    visits = await asyncio.gather(*(one(k, *person) for k, person in enumerate(people)))
    return Simulation(tuple(visits), loop.time() - begun)


async def model_of_examinee(spec: str, bank: ItemBank) -> ResponseModel:
    """Return a model that answers as an examinee does ("observer:limited?acuity=0.4&seed=1").

    The examinee answers every item of the bank once, before the first page is loaded. If no answer
    can be read in a reply, the bot answers "no idea" or chooses the first option. Times are
    lognormal around 8 s.

    Raises UnknownNameError or ParameterError if the specification is not one.
    """
    examinee = make_examinee(spec, bank=bank, jobs=1)
    answers: dict[str, tuple[str, ...]] = {}
    try:
        for item in bank:
            reply = await examinee(render(item, Condition()))
            answers[item.id] = _parts(item, reply.text)
    finally:
        await examinee.close()

    def model(item: Item, source: random.Random) -> BotAnswer:
        return BotAnswer(answers[item.id], math.exp(source.gauss(math.log(8.0), 0.4)))

    return model


def _parts(item: Item, text: str) -> tuple[str, ...]:
    if item.answer_type == "turns":
        return (text or "no idea",)
    if item.answer_type not in CHOSEN:
        return tuple(text.splitlines()) or ("no idea",)
    read = read_reply(text, "ok", question_about(item, "default")).lenient.answer
    if read is None:
        return (item.choices[0].label,)
    return tuple(map(str, read)) if isinstance(read, tuple | frozenset) else (str(read),)


@contextmanager
def serving(
    folder: StudyFolder,
    url: str | None = None,
    port: int = 0,
    *,
    simulated: bool = False,
    public_url: str = "",
) -> Iterator[str]:
    """Yield the address of the study: `url` if it is given, else of a server started here.

    `simulated` and `public_url` are those of `application`.

    Raises MissingExtraError, before a server is started, if the extra `web` is not installed.
    """
    if url:
        yield url.rstrip("/")
        return
    check_installed()
    how = [folder.database, "simulated" if simulated else "", public_url]
    command = [sys.executable, "-c", _PROGRAM, str(folder.path), str(port), *how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            base = process.stdout.readline().strip()
            if not base:
                raise ParameterError(f"the study in {str(folder.path)!r} could not be served")
            yield base
        finally:
            process.terminate()


_PROGRAM = """
import sys
from pathlib import Path
from gfactor.errors import GfactorError
from gfactor.studies.questionnaires import StudyFolder, application
from gfactor.studies.web import serve
database, simulated, public_url = sys.argv[3:]
folder = StudyFolder(Path(sys.argv[1]), database)
try:
    app = application(folder, simulated=bool(simulated), public_url=public_url)
    serve(app, port=int(sys.argv[2]), ready=lambda address: print(address, flush=True))
except GfactorError as error:
    sys.exit(f"gfactor: {error}")
"""

"""Many bots at once, and what they tell of a study and its server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import aiohttp
import numpy as np

from gfactor.items import Item
from gfactor.studies.questionnaires.folder import BOT_HEADER, StudyFolder
from gfactor.studies.questionnaires.simulating.bot import Bot, Visit
from gfactor.studies.questionnaires.simulating.misbehaving import MISBEHAVING
from gfactor.studies.questionnaires.simulating.response_models import ResponseModel, response_model


@dataclass(frozen=True)
class Simulation:
    """What became of the bots; `seconds` is the wall time of all."""

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
        """A percentile of the seconds from sending an answer to having the next question."""
        waits = [w for visit in self.visits for w in visit.waits]
        return float(np.percentile(waits, percent)) if waits else 0.0

    def kinds(self) -> dict[str, dict[str, int]]:
        """By kind of bot how many came, how many finished, and their answers."""
        table: dict[str, dict[str, int]] = {}
        for visit in self.visits:
            row = table.setdefault(visit.kind, {"people": 0, "finished": 0, "answers": 0})
            row["people"] += 1
            row["finished"] += visit.finished
            row["answers"] += visit.answers
        return table

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

    They enter one after another, since forms go by the order of entry: the same seed gives every
    bot the same form, hence the same answers.

    Parameters
    ----------
    base: the study's address.
    folder: the study: bots know its items, and are told by the server which one a page shows.
    kinds: how many of each kind of `RESPONSE_MODELS`.
    seed: of their abilities and answers.
    pace: seconds waited for each second that a person would take.
    most: questions per bot; None for the whole form.
    models: more bots, each with a name and a response model (observers, say).
    entry: the page that a bot comes to first, by its number from 0.
    watch: called when a bot is done.

    Raises ParameterError where the study cannot be reached for ten minutes, or refuses.
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

    entrance = asyncio.Lock()  # First come, first served: the order of the bots.

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

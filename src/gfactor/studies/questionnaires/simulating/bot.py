"""One bot: it consents, reads pages, fills forms, and tries again when the server is gone."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import aiohttp

from gfactor.errors import ParameterError
from gfactor.items import Answer, Item
from gfactor.scoring.questions import question_about
from gfactor.scoring.replies import read_reply
from gfactor.studies.answers.fields import fill
from gfactor.studies.questionnaires.order.allocation import from_json
from gfactor.studies.questionnaires.pages.views import turns_of
from gfactor.studies.questionnaires.perception.pages import fill_page, simulated_presentation
from gfactor.studies.questionnaires.simulating.form import Form, forms, labels_of_inputs
from gfactor.studies.questionnaires.simulating.response_models import (
    BLIND,
    FIRST,
    BotAnswer,
    ResponseModel,
    wrong_answer,
)
from gfactor.studies.questionnaires.study.page_definitions import Page

LONGEST_WAIT_S = 600.0
"""Longest time that a bot tries to reach a server before it gives up."""

SLIPS = 0.02
"""Share of check questions that an attentive person answers wrong by a slip."""

_LAST_LETTER = re.compile(r"\b([A-D])\b(?!.*\b[A-D]\b)", re.DOTALL)


@dataclass
class Visit:
    """Visit of a bot: acknowledged answers, the seconds of each, repeated requests, and the way it
    ended."""

    kind: str
    answers: int = 0
    waits: list[float] = field(default_factory=list)
    finished: bool = False
    retries: int = 0


class Bot:
    """A simulated participant.

    Parameters
    ----------
    session: session with a cookie jar of its own.
    base: address at which the study is served, "http://127.0.0.1:8000".
    item: function from an id to the item: bots know the right answers, and use them as the response
    model determines.
    model, kind: response model and its name; those of `BLIND` do not read check questions.
    source: source of its random numbers.
    pace: seconds of waiting for each second that a person would take; 0 for none.
    entry: the page that it comes to first: "/", with what the address may hold.
    pages: pages of the study, whose questions it answers at random.

    `pause` is added to the seconds that it says a question took.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base: str,
        item: Callable[[str], Item],
        model: ResponseModel,
        source: random.Random,
        *,
        kind: str = "person",
        pace: float = 0.0,
        entry: str = "/",
        pages: Sequence[Page] = (),
    ) -> None:
        self._session, self._base, self._item = session, base, item
        self._model, self._source, self._pace = model, source, pace
        self._entry, self._pages = entry, pages
        self.visit = Visit(kind)
        self.pause = 0.0
        # Repeated requests must not change the answers, so they use a separate random source.
        self._delays = copy.copy(source)
        self._answered: tuple[str, BotAnswer] = "", BotAnswer((), 0.0)

    async def enter(self) -> str:
        """Open the study and consent, which gives the bot its form; return the first page."""
        page = await self._request("GET", self._entry)
        start = next((f for f in forms(page) if f.action.endswith("/start")), None)
        if start is None:
            return page
        ticked = [("agree", "yes"), *(("reads", language) for language in start.reads)]
        await self._request("POST", "/start", data=[*start.hidden.items(), *ticked])
        return await self._request("GET", "/task")

    async def take(self, page: str, most: int | None = None) -> Visit:
        """Take the study from `page` to its end, or the next `most` questions of it."""
        until = most
        while until is None or self.visit.answers < until:
            form = next((f for f in forms(page) if f.action.endswith("/task")), None)
            if form is None:
                break
            page = (
                await self._request("GET", "/task")
                if form.method == "get"
                else await self._answer(form)
            )
        if most is None:
            await self._request("GET", "/results")
            done = await self._request("GET", "/done")
            left = any(form.action.endswith(("/task", "/start")) for form in forms(done))
            self.visit.finished = self.visit.answers > 0 and not left
        return self.visit

    async def _answer(self, form: Form) -> str:
        [step] = from_json(form.step)
        last = True
        if step.kind == "page":
            answered = BotAnswer((), 5.0)
            fields = fill_page(self._pages[step.page or 0], self._source, form.gaps)
        elif step.kind == "check":
            answered = self._check(form)
            fields = [("option", part) for part in answered.parts]
        else:
            item = self._item(step.item)
            where, turn = form.hidden["position"], int(form.hidden.get("turn") or 0)
            if self._answered[0] != where:
                self._answered = where, self._model(item, self._source)
            answered = self._answered[1]
            fields = list(_filled(form, item, answered, await self._pictures(form), turn))
            last = turn + 1 == turns_of(item)
        if self._pace:
            # The turns of a conversation take the time of a question together.
            await asyncio.sleep(self._pace * answered.seconds if last else 0.0)
        sent = {**form.hidden, "seconds": f"{answered.seconds + self.pause:.3f}"}
        if "presentation" in sent:
            await self._request("POST", "/exposure", data=form.hidden)
            page_of = self._pages[step.page or 0]
            sent["presentation"] = simulated_presentation(page_of, answered.seconds)
        begun = time.perf_counter()
        page = await self._request(
            "POST", "/task", data=[*sent.items(), *fields], headers={"x-fragment": "1"}
        )
        self.visit.waits.append(time.perf_counter() - begun)
        self.visit.answers += last and step.kind != "page"
        return page

    async def _pictures(self, form: Form) -> dict[str, str]:
        """Hashes of the pictures among the options, by their paths."""
        paths = [address for address in form.options.values() if "/image/" in address]
        got = [await self._read("GET", urljoin(self._base, path)) for path in paths]
        hashes = (hashlib.sha256(data).hexdigest() for data in got)
        return dict(zip(paths, hashes, strict=True))

    def _check(self, form: Form) -> BotAnswer:
        """Attentive kinds follow check questions, except for slips."""
        reads = self.visit.kind not in BLIND and self._source.random() >= SLIPS
        wanted = _LAST_LETTER.search(form.stem) if reads else None
        blind = self._source.choice(list(form.options))
        first = self.visit.kind == "straight-liner"
        other = next(iter(form.options)) if first else blind
        return BotAnswer((wanted.group(1) if wanted else other,), 3.0)

    async def _request(self, method: str, path: str, **more: Any) -> str:
        return (await self._read(method, self._base + path, **more)).decode()

    async def _read(self, method: str, url: str, **more: Any) -> bytes:
        """Return the body of a page, after as many tries as needed; posts may be sent twice."""
        until = time.monotonic() + LONGEST_WAIT_S
        while True:
            try:
                async with self._session.request(method, url, **more) as reply:
                    if reply.status < 500 and reply.status != 429:
                        return await reply.read()
                    refused = f"{method} {url} is answered with status {reply.status}"
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                refused = str(error)
            if time.monotonic() > until:
                raise ParameterError(f"the study at {self._base} cannot be taken: {refused}")
            self.visit.retries += 1
            await asyncio.sleep(0.05 + 0.1 * self._delays.random())


def _filled(
    form: Form, item: Item, answered: BotAnswer, pictures: Mapping[str, str], turn: int = 0
) -> Iterable[tuple[str, str]]:
    """The fields of a form, filled in with an answer in the item's own labels."""
    if form.options and answered.parts == FIRST:
        return [("option", next(iter(form.options)))]
    if form.options:
        label_of = labels_of_inputs(form, item, pictures)
        return [("option", label_of.get(part, part)) for part in answered.parts]
    if item.answer_type == "turns" and item.output_format is not None:
        number = turn - turns_of(item) + item.output_format.length
        answer = _answer(item, answered.parts[0])
        assert isinstance(answer, tuple)
        return fill(item.output_format.turn, answer[number]) if number >= 0 else []
    if item.output_format is not None:
        return fill(item.output_format, _answer(item, "\n".join(answered.parts)))
    if len(form.texts) == 1:
        return [(form.texts[0], "\n".join(answered.parts))]
    return list(zip(form.texts, answered.parts, strict=False))


def _answer(item: Item, line: str) -> Answer | None:
    """The answer in a line; if there is none, a wrong answer, because the fields accept only texts
    in the form of an answer."""
    read = read_reply(line, "ok", question_about(item, "default")).lenient
    return read.answer if read.has_answer else wrong_answer(item)

"""Bots that misbehave: they leave, start twice, reload, come late, or change forms."""

from __future__ import annotations

import random
from collections.abc import Mapping

from gfactor.studies.questionnaires.simulating.bot import Bot, Visit
from gfactor.studies.questionnaires.simulating.form import Form, forms

LATE_S = 3_600.0
"""Time that a late participant claims for a question, on a server that believes it."""

_TOKENS = ("", "0" * 64, "<script>", "A\x00B", "٣")


class Dropout(Bot):
    """A visitor that leaves after a random number of questions, without withdrawing."""

    async def take(self, page: str, most: int | None = None) -> Visit:
        left = self._source.randint(1, 3)
        return await super().take(page, left if most is None else min(most, left))


class DoubleStarter(Bot):
    """A visitor that opens the study in another browser after two questions, consents again if
    possible, and continues there."""

    async def take(self, page: str, most: int | None = None) -> Visit:
        await super().take(page, 2)
        self._session.cookie_jar.clear()  # in another browser
        again = await self.enter()
        return await super().take(again, most)


class Reloader(Bot):
    """A visitor that reloads every page, and sends every answer twice, the second time another
    one."""

    async def _answer(self, form: Form) -> str:
        await self._request("GET", "/task")
        page = await super()._answer(form)
        await self._request("POST", "/task", data={**form.hidden, "option": "B", "text": "other"})
        return page if forms(page) else await self._request("GET", "/task")


class Late(Bot):
    """A visitor that answers every second question long after its time limit."""

    async def _answer(self, form: Form) -> str:
        self.pause = LATE_S if self.visit.answers % 2 else 0.0
        return await super()._answer(form)


class Tamperer(Bot):
    """A visitor that sends forged forms before it answers: fields of other questions, invalid
    values and tokens, and posts to the owner's pages."""

    async def _answer(self, form: Form) -> str:
        for fields in _tampered(form, self._source):
            await self._request("POST", "/task", data=fields)
        for path in ("/owner/close", "/owner/challenges", "/challenge", "/withdraw"):
            await self._request("POST", path, data={"form_token": "0" * 64, "sure": "yes"})
        return await super()._answer(form)


def _tampered(form: Form, source: random.Random) -> list[dict[str, str]]:
    """Forms with one thing changed: none of them may be stored."""
    position = int(form.hidden.get("position") or 0)
    hidden = dict(form.hidden)
    return [
        {**hidden, "form_token": source.choice(_TOKENS)},
        {**hidden, "position": str(position + 1), "option": "A"},
        {**hidden, "position": str(position - 1), "option": "A"},
        {**hidden, "position": "9" * 30, "option": "A"},
        {**hidden, "option": "no such option", "over": "1", "seconds": "nan"},
    ]


MISBEHAVING: Mapping[str, type[Bot]] = {
    "impatient": Bot,  # a separate response model, see response_models
    "dropout": Dropout,
    "double-starter": DoubleStarter,
    "reloader": Reloader,
    "late": Late,
    "tamperer": Tamperer,
}
"""Kinds of bots that do more than answer."""

"""Every page of a study as a file, in every language and state; stored answers are not touched."""

from __future__ import annotations

import asyncio
import html
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.pages.app import application
from gfactor.studies.questionnaires.pages.context import StudyContext
from gfactor.studies.questionnaires.pages.preview_states import FORMS, MESSAGES
from gfactor.studies.questionnaires.simulating import Bot, response_model
from gfactor.studies.questionnaires.simulating.form import Form, forms
from gfactor.studies.questionnaires.study.folder import BOT_HEADER, StudyFolder
from gfactor.studies.questionnaires.study.languages import languages_of
from gfactor.studies.web import Secrets
from gfactor.studies.web.secrets import new_password


@dataclass
class _Reply:
    """Reply of the application."""

    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""

    async def read(self) -> bytes:
        return self.body


class _Browser:
    """Client session of a bot without a network; it keeps every page that it sees.

    `pages` are (path, HTML) in order; `images` the bytes of pictures by their paths.
    """

    def __init__(self, app: Any, bot_pass: str) -> None:
        self._app, self._pass = app, bot_pass
        self._cookies: dict[str, str] = {}
        self.pages: list[tuple[str, str]] = []
        self.images: dict[str, bytes] = {}

    @asynccontextmanager
    async def request(
        self, method: str, url: str, data: Any = None, **_: Any
    ) -> AsyncIterator[_Reply]:
        """Request a page, following redirects; only whole pages are requested."""
        body = urlencode(list(data.items()) if isinstance(data, Mapping) else data or [])
        reply = await self._once(method, url, body.encode())
        while (location := dict(reply.headers).get("location")) is not None:
            url = urljoin(url, location)
            reply = await self._once("GET", url, b"")
        kind = dict(reply.headers).get("content-type", "")
        if kind.startswith("text/html"):
            page = reply.body.decode()
            self.pages.append((urlsplit(url).path, page))
            for path in re.findall(r'src="(/[^"]*image[^"]*)"', page):
                if path not in self.images:
                    picture = await self._once("GET", urljoin(url, path), b"")
                    self.images[path] = picture.body
        elif kind.startswith("image/"):
            self.images[urlsplit(url).path] = reply.body
        yield reply

    async def _once(self, method: str, url: str, body: bytes) -> _Reply:
        parts, reply, sent = urlsplit(url), _Reply(), False
        headers = {
            "host": parts.netloc, BOT_HEADER: self._pass,
            "content-type": "application/x-www-form-urlencoded",
            "content-length": str(len(body)),
            "cookie": "; ".join(f"{n}={v}" for n, v in self._cookies.items()),
        }  # fmt: skip
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": parts.path, "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(), "root_path": "", "client": ("preview", 0),
            "headers": [(n.encode(), v.encode()) for n, v in headers.items()],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                reply.status = message["status"]
                reply.headers = [(n.decode().lower(), v.decode()) for n, v in message["headers"]]
            else:
                reply.body += message.get("body", b"")

        await self._app(scope, receive, send)
        for name, value in reply.headers:
            if name == "set-cookie":
                cookie, _, given = value.partition(";")[0].partition("=")
                self._cookies[cookie] = given.strip('"')
        return reply


class _PreviewBot(Bot):
    """A bot that leaves every kind of field empty once, so that messages are shown."""

    async def _answer(self, form: Form) -> str:
        shape = (tuple(sorted(form.texts)), bool(form.options), "data-page" in form.step)
        if shape not in self.__dict__.setdefault("empty", set()):
            self.__dict__["empty"].add(shape)
            await self._request("POST", "/task", data=form.hidden)
        return await super()._answer(form)


def preview_study(folder: StudyFolder, output: Path, seed: int = 0) -> int:
    """Write every page of a study as a file, and `index.html` with a link to each.

    A bot takes the study in each language and condition, with a temporary database and its own
    secrets; nothing is written into the study's folder. Then follow the pages for mistakes of
    participants.

    Parameters
    ----------
    folder: the study.
    output: made if missing; `seed`: seed of the bot's answers.

    Returns how many pages were written. Raises ParameterError if the folder cannot be written.
    """
    with TemporaryDirectory() as name:
        trial = replace(folder, database=str(Path(name) / "answers.db"))
        trial.__dict__["secrets"] = Secrets.make(new_password())
        visits = asyncio.run(_visits(trial, seed))
    written = _Writer(output)
    try:
        output.mkdir(parents=True, exist_ok=True)
        style = files("gfactor.studies.questionnaires").joinpath("static", "style.css")
        (output / "style.css").write_bytes(style.read_bytes())
        for group, browser in visits.items():
            written.visit(group, browser)
        (output / "index.html").write_text(
            written.index(folder.study.title_in(folder.study.language)), "utf-8"
        )
    except OSError as error:
        raise ParameterError(
            f"cannot write the preview to {str(output)!r}: {error.strerror}"
        ) from error
    return written.count


async def _visits(trial: StudyFolder, seed: int) -> dict[str, _Browser]:
    """Return what was seen, by language and condition."""
    app = application(trial, simulated=True)
    visits: dict[str, _Browser] = {}
    groups = max(1, len(trial.study.conditions or ()))
    number = 0
    try:
        for language in languages_of(trial.study):
            for _ in range(groups):
                condition = trial.plan.facts(number)["condition"]
                browser = _Browser(app, trial.bot_pass)
                visits[f"{language} {condition}".strip()] = browser
                await _one(trial, browser, language, random.Random(f"{seed} {number}"))
                number += 1
            visits[f"{language} other pages"] = _messages(trial, app, language)
    finally:
        await _shut(app)
    return visits


async def _one(trial: StudyFolder, browser: _Browser, language: str, source: Any) -> None:
    """Take the whole study once, with the mistakes that its forms allow."""
    entry = trial.link(f"preview {source.random()}") if trial.study.ids != "optional" else "/"
    entry += f"{'&' if '?' in entry else '?'}language={language}"
    settings: dict[str, Any] = {"entry": entry, "pages": trial.study.pages or ()}
    model = response_model("person", source)
    bot = _PreviewBot(browser, "http://preview", trial.bank.item, model, source, **settings)  # type: ignore[arg-type]
    page = await bot._request("GET", entry)
    start = next(f for f in forms(page) if f.action.endswith("/start"))
    await bot._request("POST", "/start", data=start.hidden)
    await bot.enter()
    await bot._request("GET", "/withdraw")
    await bot.take(await bot._request("GET", "/task"))
    for path in ("/privacy", "/receipt"):
        await bot._request("GET", path)
    results = await bot._request("GET", "/results")
    challenge = next((f for f in forms(results) if f.action.endswith("/challenge")), None)
    if challenge is not None:
        await bot._request("POST", "/challenge", data={**challenge.hidden, "reason": "?"})
    with closing(trial.store_as_it_is()) as store:
        store.end("preview")
        await bot._request("GET", "/results")
        await bot._request("GET", "/done")
        store.reopen("never", "preview")
    leave = next(f for f in forms(await bot._request("GET", "/withdraw")))
    await bot._request("POST", "/withdraw", data=leave.hidden)


def _messages(trial: StudyFolder, app: Any, language: str) -> _Browser:
    """The pages of one sentence, and what follows a practice item, made by the templates that
    serve them."""
    browser = _Browser(app, "")
    with closing(trial.store_as_it_is()) as store:
        context = StudyContext(trial, store).speaking(language)
        for heading, text in MESSAGES:
            words = {"heading": context.words(heading), "text": context.words(text)}
            browser.pages.append((f"/{text}", context.pages.text("message.html.j2", **words)))
        for name, values in FORMS.items():
            page = context.pages.text(f"{name}.html.j2", form_token="", **values)
            browser.pages.append((f"/{name}", page))
        practiced = [s for s in context.plan.start(0) if s.kind == "practice"][:1]
        for step, right in [(step, right) for step in practiced for right in (True, False)]:
            variables = {"right": right, "view": context.view(step, key=True)}
            page = context.pages.text("feedback.html.j2", **variables)
            browser.pages.append((f"/feedback-{'right' if right else 'wrong'}", page))
    return browser


async def _shut(app: Any) -> None:
    """Tell the application that the server ends, so that it closes its database."""
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive() -> dict[str, str]:
        return messages.pop(0)

    async def send(_: Any) -> None:
        return None

    await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)


class _Writer:
    """Writer of pages whose links, pictures and forms lead only to files next to them."""

    def __init__(self, output: Path) -> None:
        self._output, self.count = output, 0
        self._listed: list[tuple[str, list[tuple[str, str]]]] = []

    def visit(self, group: str, browser: _Browser) -> None:
        name = group.replace(" ", "-")
        folder = self._output / name
        (folder / "images").mkdir(parents=True, exist_ok=True)
        paths: dict[str, str] = {}
        for path, content in browser.images.items():
            paths[path] = f"images/{len(paths) + 1}.png"
            (folder / paths[path]).write_bytes(content)
        listed, seen = [], set()
        for path, page in browser.pages:
            plain = _plain(page, paths)
            if plain in seen:
                continue
            seen.add(plain)
            file = f"{len(listed) + 1:03d}-{path.strip('/').replace('/', '-') or 'consent'}.html"
            (folder / file).write_text(plain, "utf-8")
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", plain, re.DOTALL)
            title = re.sub(r"<[^>]+>", "", heading.group(1)).strip() if heading else file
            listed.append((f"{name}/{file}", title))
        self.count += len(listed)
        self._listed.append((group, listed))

    def index(self, title: str) -> str:
        parts = [
            f"<h2>{html.escape(group)}</h2>\n<ol>"
            + "".join(f'\n<li><a href="{p}" dir="auto">{label}</a></li>' for p, label in listed)
            + "\n</ol>"
            for group, listed in self._listed
        ]
        name = html.escape(title)
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<title>Preview of {name}</title><link rel="stylesheet" href="style.css"></head>\n'
            f"<body><main><h1>Preview of {name}</h1>\n<p>Every page as participants see it. Forms "
            f"and links lead nowhere.</p>\n{chr(10).join(parts)}\n</main></body></html>\n"
        )


def _plain(page: str, pictures: Mapping[str, str]) -> str:
    """A page as a file, with the style sheet next to it, without scripts and tokens."""
    page = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    page = re.sub(r' data-(?:step|ahead|elapsed)="[^"]*"', "", page)
    page = re.sub(r'(name="(?:form_token|sent)" value=")[^"]*"', r'\1"', page)
    page = page.replace('href="/static/style.css"', 'href="../style.css"')
    page = re.sub(r' (?:src|data-source|data-report)="/(?:media/[^"]*|playback)"', "", page)
    for path, file in pictures.items():
        page = page.replace(f'src="{path}"', f'src="{file}"')
    return re.sub(r'(action|href)="/[^"]*"', r'\1="#"', page).replace(
        'method="post"', 'method="get"'
    )

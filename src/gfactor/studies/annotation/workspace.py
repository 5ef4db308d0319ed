"""Common parts of the pages of the workspace."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from typing import Any

from gfactor.benchmarks.for_people import (
    content_for_people,
    format_for_models,
    question_for_people,
)
from gfactor.items import Image, Item
from gfactor.studies.annotation.draft import MARK, image_number
from gfactor.studies.annotation.project import Project
from gfactor.studies.annotation.schemes import SCHEMES, Scheme
from gfactor.studies.annotation.store import AnnotationStore
from gfactor.studies.web import Address, Logins, Pages, csrf_token, genuine_fields
from gfactor.studies.web.forms import Fields
from gfactor.studies.web.markup import direction


def clock() -> float:
    """Return seconds from an arbitrary start."""
    return time.monotonic()


@dataclass(frozen=True)
class Workspace:
    """A project being served; `address` is where browsers reach it."""

    project: Project
    store: AnnotationStore
    address: Address = field(default_factory=Address)

    @cached_property
    def logins(self) -> Logins:
        return Logins("gfactor_annotator", "/login", self.project.secrets)

    @cached_property
    def pages(self) -> Pages:
        return Pages(
            "gfactor.studies.annotation",
            title=self.project.title,
            base=self.address.prefix,
            direction=direction,
        )

    @cached_property
    def scheme(self) -> Scheme:
        return SCHEMES[self.project.scheme]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each item in the bank by id, for the addresses of pages and images."""
        return {item_id: number for number, item_id in enumerate(self.project.bank.ids)}

    @cached_property
    def item(self) -> Callable[[str], Item]:
        """Return the item with an id; the last ones used stay in memory."""
        bank = self.project.bank

        @lru_cache(maxsize=512)
        def item(item_id: str) -> Item:
            return bank.item(item_id)

        return item

    def role(self, name: str) -> str:
        """Return the role of a person, "" if the person was not invited."""
        row = self.store.annotators().get(name)
        return row.role if row is not None else ""

    @cached_property
    def shown_at(self) -> dict[tuple[str, str], float]:
        """Return the times (server's clock) at which people were shown items and responses."""
        return {}

    def show(self, who: str, unit: str) -> None:
        """Start the clock of a person who is shown an item or a response."""
        self.shown_at[who, unit] = clock()

    def seconds_since_shown(self, who: str, unit: str) -> float | None:
        """Return the seconds since a person was shown the item or response that is saved now, and
        restart the clock."""
        now = clock()
        begun = self.shown_at.get((who, unit))
        self.shown_at[who, unit] = now
        return None if begun is None else now - begun

    def form_token(self, request: Any) -> str:
        return csrf_token(self.project.secrets, self.logins.token(request))


WORKSPACE = "gfactor.workspace"


def workspace_of(request: Any) -> Workspace:
    return request.scope[WORKSPACE]


def page(request: Any, name: str, status: int = 200, **values: Any) -> Any:
    """Return a page, with the name and role of the person who is logged in."""
    workspace = workspace_of(request)
    who = workspace.logins.who(request)
    return workspace.pages.response(
        name,
        status,
        who=who,
        role=workspace.role(who),
        form_token=workspace.form_token(request),
        guidelines=workspace.project.guidelines,
        **values,
    )


def message(request: Any, heading: str, text: str, status: int = 200) -> Any:
    """Return a page with one sentence."""
    return page(request, "message.html.j2", status, heading=heading, text=text)


def expired(request: Any) -> Any:
    """Return the page for a post that did not come from a page of this session."""
    return message(request, "This page has expired", "Please load it again and repeat.", 403)


async def genuine(request: Any) -> Fields | None:
    """Return the fields of a posted form; None if no page of this workspace sent it."""
    workspace = workspace_of(request)
    return await genuine_fields(request, workspace.project.secrets, workspace.logins.token(request))


def posted(handler: Callable[[Any, Fields], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    """Return a handler of posts that gets their fields; it answers forged ones with the page that
    says so."""

    @wraps(handler)
    async def checked(request: Any) -> Any:
        fields = await genuine(request)
        return expired(request) if fields is None else await handler(request, fields)

    return checked


def shown_pieces(text: str, item: Item, number: int) -> list[dict[str, Any]]:
    """Return a text for people, in pieces for a template: texts, paths of images for [IMAGE_n], and
    numbers of turns for [TURN]."""
    pieces: list[dict[str, Any]] = []
    turn, end = 1, 0
    for mark in [*MARK.finditer(text), None]:
        piece = text[end : mark.start() if mark else None]
        if read := question_for_people(piece, item).strip("\n"):
            pieces.append({"text": read})
        if mark is None:
            break
        end = mark.end()
        if mark[1] is None:
            turn += 1
            pieces.append({"turn": turn})
        elif 1 <= image_number(mark[1]) <= len(item.images):
            pieces.append({"image": f"/image/{number}/{int(mark[1]) - 1}", "number": int(mark[1])})
        else:
            pieces.append({"text": mark[0]})
    return pieces


def original(item: Item, number: int) -> list[dict[str, Any]]:
    """Return an item's question as people read it, in pieces."""
    pieces: list[dict[str, Any]] = []
    numbers = {id(image): k for k, image in enumerate(item.images)}
    for position, segment in enumerate(content_for_people(item)):
        if position in item.turns:
            pieces.append({"turn": item.turns.index(position) + 2})
        if isinstance(segment, Image):
            k = numbers[id(segment)]
            pieces.append({"image": f"/image/{number}/{k}", "number": k + 1})
        elif segment.strip():
            pieces.append({"text": segment})
    return pieces


def form_of(text: str, item: Item) -> str:
    """Return the instructions to models for writing the answer in a text, each once."""
    lines = [line for piece in MARK.split(text) for line in format_for_models(piece or "", item)
             .splitlines()]  # fmt: skip
    return "\n".join(dict.fromkeys(lines))

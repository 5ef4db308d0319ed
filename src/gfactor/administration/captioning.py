"""Having an examinee describe images, once each: a cache of JSON lines that runs may share."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from gfactor.administration.condition import Condition
from gfactor.administration.image_texts import ASKED, ImageTexts, name_of
from gfactor.administration.packs import Packs
from gfactor.administration.records import fingerprint
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.items import Image, Item

Wanted = Iterator[tuple[Image, RenderedItem]]
"""An image that has no text yet, and what the examinee is asked about it."""

CAPTION_TOKENS = 300
"""The longest text asked for; a paragraph has about 100 tokens, a page of small print 300."""


class CaptionCache:
    """Texts by image, made by one examinee: lines `{"image", "kind", "by", "asked", "text"}`.

    `asked` is the beginning of the hash of the sentence that brought a text about: a description in
    another language, or asked for by another prompt pack, is another text.

    The first line for an image and what was asked counts, whoever wrote it, so that processes that
    share a file come to use the same texts. A line that was cut off by a kill is passed over.

    Parameters
    ----------
    path: the file; made when the first text is added.
    kind: `captioned` or `transcribed`.
    by: the examinee's name.
    """

    def __init__(self, path: Path, kind: str, by: str) -> None:
        self.path = path
        self._mine = {"kind": kind, "by": by}

    def texts(self) -> dict[str, str]:
        """All texts of this kind by this examinee, named as in `ImageTexts`."""
        found: dict[str, str] = {}
        for line in self._lines():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict) and row.items() >= self._mine.items():
                # Lines that older versions wrote do not say what was asked.
                name = " ".join(str(row[k]) for k in ("image", "asked") if k in row)
                found.setdefault(name, str(row.get("text")))
        return found

    def add(self, image: Image, asked: str, text: str) -> None:
        """Append a text, in one write."""
        name, asked_for = name_of(image.sha256, asked).split()
        row = {"image": name, **self._mine, "asked": asked_for, "text": text}
        # A line break first ends a line that an earlier process may have been killed in.
        line = f"\n{json.dumps(row, ensure_ascii=True)}\n".encode()
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(handle, line)
            finally:
                os.close(handle)
        except OSError as error:
            raise self._error(error) from error

    def image_texts(self) -> ImageTexts:
        """The texts as rendering takes them; what tells them from others is who made them."""
        source = f"the cache {str(self.path)!r} of {self._mine['by']}"
        return ImageTexts(self.texts(), source, fingerprint(self._mine))

    def _lines(self) -> list[bytes]:
        try:
            return self.path.read_bytes().splitlines() if self.path.exists() else []
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> ParameterError:
        return ParameterError(
            f"caption cache {str(self.path)!r} cannot be used: {error.strerror}; name another "
            "with --captions"
        )


def undescribed(
    items: Iterator[Item], known: dict[str, str], condition: Condition, packs: Packs
) -> Wanted:
    """The images of the items that have no text in `known`, each once, with what to ask."""
    seen = set(known)
    key = ASKED[condition.images]
    for item in items:
        for image in item.images:
            pack = packs.find(item.benchmark, condition.prompt_language or item.language)
            sentence = pack.say("sentences", key)
            name = name_of(image.sha256, sentence)
            if not seen & {name, image.sha256}:
                seen.add(name)
                content = (image, sentence)
                asked = {"max_tokens": CAPTION_TOKENS}
                yield image, RenderedItem(item.id, "captions", key, content, (), asked)


def describe(
    wanted: Wanted, examinee: Examinee, cache: CaptionCache, progress: Callable[[int], object]
) -> None:
    """Have the examinee describe all images and keep the texts; closes the examinee.

    Raises ParameterError where a description fails: an item without its text cannot be put, and
    an empty one would be another condition. What was described until then is kept.
    """

    async def ask() -> None:
        for image, asked in wanted:
            sentence = str(asked.content[1])
            cache.add(image, sentence, _text(await examinee(asked), image, asked, examinee.name))
            progress(1)

    async def ask_all() -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(examinee.in_flight):
                    tasks.create_task(ask())
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            await examinee.close()

    asyncio.run(ask_all())


def _text(reply: Reply, image: Image, asked: RenderedItem, name: str) -> str:
    empty = reply.outcome == "empty" and asked.task == "ask_transcription"
    if reply.outcome not in ("ok", "truncated") and not empty:
        raise ParameterError(
            f"{name} did not describe image {image.path!r} of item {asked.item_id!r} "
            f"({reply.outcome}: {reply.detail or 'no reason given'}); run the same command again, "
            "or give its text in a file by --captions"
        )
    return reply.text.strip()

"""Having an examinee describe images, once each: a cache of JSON lines that runs may share."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from gfactor.administration.asking.runner import ask
from gfactor.administration.packs import Packs
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.image_texts import SENTENCES, ImageTexts, name_of
from gfactor.administration.presenting.records import fingerprint
from gfactor.administration.sharing.claims import Tell
from gfactor.administration.storing.journal import Journal
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee, RenderedItem, Reply
from gfactor.items import Item

Wanted = Mapping[str, Callable[[], RenderedItem]]
"""Questions to the examinee about every image that has no text yet, by the text's name in
`ImageTexts`. They are made when needed, as all images together may not fit into memory.
"""

CAPTION_TOKENS = 300
"""The longest text asked for; a paragraph has about 100 tokens, a page of small print 300."""


class CaptionCache:
    """Texts by image, made by one examinee: lines `{"image", "kind", "by", "asked", "text"}`.

    `asked` is the beginning of the hash of the prompt. A description in another language, or with a
    prompt from another pack, is a different text.

    The first line for an image and prompt counts, so that processes that share a file use the same
    texts. A line that a killed process left incomplete is ignored.

    Parameters
    ----------
    path: the file; made when the first text is added.
    kind: `captioned` or `transcribed`.
    by: the examinee's name.
    """

    def __init__(self, path: Path, kind: str, by: str) -> None:
        self.path = path
        self._captioner = {"kind": kind, "by": by}

    def texts(self) -> dict[str, str]:
        """Return all texts of this kind by this examinee, named as in `ImageTexts`."""
        texts: dict[str, str] = {}
        for line in self._lines():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict) and row.items() >= self._captioner.items():
                # Lines that older versions wrote do not say what was asked.
                name = " ".join(str(row[k]) for k in ("image", "asked") if k in row)
                texts.setdefault(name, str(row.get("text")))
        return texts

    def add(self, name: str, text: str) -> None:
        """Append a text, named as in `ImageTexts`, in one write."""
        image, asked_for = name.split()
        row = {"image": image, **self._captioner, "asked": asked_for, "text": text}
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

    def check_writable(self) -> None:
        """Raise ParameterError if no text can be added, before any is asked for."""
        folder = self.path.absolute().parent
        if not folder.is_dir():
            raise self._error(NotADirectoryError(errno.ENOTDIR, "its folder does not exist"))
        if not os.access(self.path if self.path.exists() else folder, os.W_OK):
            raise self._error(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))

    def add_known(self, journal: Journal) -> None:
        """Append the texts that are in the journal but not in the file, because another process,
        perhaps on another machine, asked for them."""
        stored, here = journal.responses(), self.texts()
        is_known = (stored["examinee"] == self._captioner["by"]) & (
            stored["condition"] == self._captioner["kind"]
        )
        for name, text in zip(stored["item_hash"][is_known], stored["text"][is_known], strict=True):
            if name not in here:
                self.add(name, text.strip())

    def image_texts(self) -> ImageTexts:
        """Return the texts for rendering, with a fingerprint of the examinee that made them."""
        source = f"the cache {str(self.path)!r} of {self._captioner['by']}"
        return ImageTexts(self.texts(), source, fingerprint(self._captioner))

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
    items: Iterable[Item], described: Collection[str], condition: Condition, packs: Packs
) -> Iterator[tuple[str, Item, int]]:
    """Yield the images of the items that have no text in `described`, each once.

    Yields the text's name in `ImageTexts`, the item, and the number of the image in it (from 0).
    """
    seen = set(described)
    for item in items:
        for position, image in enumerate(item.images):
            name = name_of(image.sha256, _sentence(item, condition, packs))
            if not seen & {name, image.sha256}:
                seen.add(name)
                yield name, item, position


def question_about(
    find: Callable[[], Item], position: int, condition: Condition, packs: Packs
) -> RenderedItem:
    """Return the question to the examinee about an image of the item that `find` gets."""
    item = find()
    content = (item.images[position], _sentence(item, condition, packs))
    settings = {"max_tokens": CAPTION_TOKENS}
    return RenderedItem(item.id, "captions", SENTENCES[condition.images], content, (), settings)


def _sentence(item: Item, condition: Condition, packs: Packs) -> str:
    pack = packs.find(item.benchmark, condition.prompt_language or item.language)
    return pack.say("sentences", SENTENCES[condition.images])


def describe(
    wanted: Wanted,
    examinee: Examinee,
    kind: str,
    journal: Journal,
    progress: Callable[[int], object] | None = None,
    tell: Tell | None = None,
) -> None:
    """Have the examinee describe all images, sharing the work with other processes on the journal.

    The texts are kept in the journal, under the examinee, the condition `kind` (`captioned` or
    `transcribed`) and the image's name in `ImageTexts`; closes the examinee.

    Raises ParameterError if a description fails: an item without its text cannot be presented,
    and an empty text would be another condition. Descriptions made until then are kept.
    """
    describer = _Describer(examinee)
    result = ask(wanted, describer, journal, kind, progress, tell, until_failure=True)
    if result.failed or result.failed_elsewhere:
        what = describer.failure or "for another process that shares the run"
        raise ParameterError(
            f"{examinee.name} did not describe {what}; run the same command again, or give a "
            "description in a file with --captions"
        )


class _Describer:
    """An examinee to whom a reply that is no description is a failed attempt."""

    def __init__(self, examinee: Examinee) -> None:
        self.name, self.in_flight = examinee.name, examinee.in_flight
        self.close = examinee.close
        self.failure = ""
        self._examinee = examinee

    async def __call__(self, item: RenderedItem) -> Reply:
        reply = await self._examinee(item)
        empty = reply.outcome == "empty" and item.task == "ask_transcription"
        if reply.outcome in ("ok", "truncated") or empty:
            return reply
        why = f"{reply.outcome}: {reply.detail or 'no reason given'}"
        self.failure = f"image {item.images[0].path!r} of item {item.item_id!r} ({why})"
        return replace(reply, outcome="protocol_error", detail=why)

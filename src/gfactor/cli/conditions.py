"""The options of `gfactor run` that say how items are put, and what they come to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from gfactor.administration.condition import Condition
from gfactor.administration.condition_text import read_condition
from gfactor.administration.journal import Journal
from gfactor.administration.materials import Materials
from gfactor.administration.preparing import Files, prepare
from gfactor.cli.common import counter, tell
from gfactor.cli.options import PATH, together
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee
from gfactor.items import ItemBank

_OPTIONS = together(
    click.option(
        "--condition",
        "condition_text",
        default="default",
        metavar="NAME=VALUE,...",
        help="How items are put, as images=removed,cot=on or as a TOML file; see "
        "docs/conditions.md.",
    ),
    click.option(
        "--pack",
        "packs",
        multiple=True,
        type=PATH,
        metavar="FILE",
        help="A prompt pack (TOML) over the shipped ones; may be given several times, the first "
        "counts most.",
    ),
    click.option(
        "--captions",
        type=PATH,
        metavar="FILE",
        help="Texts of images (CSV or JSON lines with image and text) for images=captioned and "
        "images=transcribed; with --captions-by, where its texts are kept.",
    ),
    click.option(
        "--captions-by",
        metavar="SPEC",
        help="An examinee that describes or transcribes the images that have no text yet; kept in "
        "JOURNAL.captions.jsonl unless --captions names a file.",
    ),
    click.option(
        "--shots-from",
        type=PATH,
        metavar="BANK",
        help="The bank that examples are taken from, for shots=K; items of BANK itself are never "
        "used.",
    ),
    click.option(
        "--knowledge",
        type=PATH,
        metavar="FILE",
        help="Pieces of knowledge (CSV or JSON lines with label, value and text) for knowledge=on.",
    ),
)


@dataclass(frozen=True)
class Given:
    """What a user said about how items are put."""

    condition: Condition
    files: Files
    captions_by: str | None

    def scaled_to(self, limit: str) -> Given:
        """The same, with images scaled down to a limit; unchanged where that is ""."""
        if not limit:
            return self
        return replace(self, condition=replace(self.condition, image_limit=limit))

    def prepared(
        self,
        asked: ItemBank,
        whole: ItemBank,
        journal: str,
        make: Callable[[str], Examinee],
        ask: Callable[[Examinee, Callable[[], Any]], Any],
        kept: Journal | None = None,
    ) -> tuple[Condition, Materials]:
        """The condition and its materials for the items that will be asked.

        Images are described now where the user named who does it. `make` makes an examinee, `ask`
        does work that asks one and keeps the account. `kept` is the journal, open; without it
        nothing is described.

        Raises ParameterError where condition, files and bank do not fit each other.
        """
        files = self.files
        if self.captions_by:
            files = replace(
                files,
                captions=files.captions or _beside(journal),
                captioner=make(self.captions_by),
            )

        def work() -> tuple[Condition, Materials]:
            with counter(asked.metadata["images"], "describing images", "image") as bar:
                return prepare(asked, self.condition, files, whole, bar.update, kept, tell)

        return ask(files.captioner, work) if files.captioner else work()


def _beside(journal: str) -> Path:
    if "://" in journal:
        raise ParameterError(
            "descriptions made by --captions-by are kept in a file, and the journal is on a "
            "server; name one with --captions"
        )
    return Path(f"{journal}.captions.jsonl")


def condition_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to a verb, which gets them as one argument, `given`."""

    @functools.wraps(command)
    def with_given(
        *,
        condition_text: str,
        packs: tuple[Path, ...],
        captions: Path | None,
        captions_by: str | None,
        shots_from: Path | None,
        knowledge: Path | None,
        **rest: Any,
    ) -> int:
        files = Files(packs, captions, None, knowledge, shots_from)
        given = Given(read_condition(condition_text), files, captions_by)
        return command(given=given, **rest)

    return _OPTIONS(with_given)

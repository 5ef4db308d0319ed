"""The options of `gfactor run` that say how items are put."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gfactor.cli.options import PATH, together

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
        from gfactor.administration.condition_text import read_condition
        from gfactor.administration.preparing import Files
        from gfactor.api.administering import Given

        files = Files(packs, captions, None, knowledge, shots_from)
        given = Given(read_condition(condition_text), files, captions_by)
        return command(given=given, **rest)

    return _OPTIONS(with_given)

"""The options of `gfactor run` that say how items are put, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gfactor.administration.condition import Condition
from gfactor.administration.condition_text import read_condition
from gfactor.administration.preparing import Files
from gfactor.errors import ParameterError
from gfactor.examinees import Examinee

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path)

_OPTIONS = (
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
        type=_FILE,
        metavar="FILE",
        help="A prompt pack (TOML) over the shipped ones; may be given several times, the first "
        "counts most.",
    ),
    click.option(
        "--captions",
        type=_FILE,
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
        type=_FILE,
        metavar="BANK",
        help="The bank that examples are taken from, for shots=K; items of BANK itself are never "
        "used.",
    ),
    click.option(
        "--knowledge",
        type=_FILE,
        metavar="FILE",
        help="Pieces of knowledge (CSV or JSON lines with label, value and text) for knowledge=on.",
    ),
)


def condition_options(command: F) -> F:
    """Add the options; the command gets them as `asked: AskedCondition`."""

    def wrapped(
        *args: Any,
        condition_text: str,
        packs: tuple[Path, ...],
        captions: Path | None,
        captions_by: str | None,
        shots_from: Path | None,
        knowledge: Path | None,
        **rest: Any,
    ) -> Any:
        files = Files(packs, captions, None, knowledge, shots_from)
        return command(
            *args, put=Put(read_condition(condition_text), files, captions_by), **rest
        )

"""gfactor analyze gia: M3GIA's general intelligence ability, as published and repaired.

gfactor analyze gia counts.csv --language en
gfactor analyze gia en=en.csv zh=zh.csv --human en=h_en.csv --human zh=h_zh.csv -o gia
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, function_of, put
from gfactor.errors import ParameterError


@derived(
    __doc__,
    "gia",
    {
        "counts": "LANG=COUNTS...",
        "human": "--human LANG=FILE...",
        "responses": "--items LANG=FILE...",
        "parameters": "--parameters FILE",
        "n_bootstrap": "--draws N",
        "language": "--language LANG",
    },
    reads={
        "counts": list, "human": list, "responses": list,
        "n_bootstrap": click.IntRange(100, 1_000_000),
    },
    helps={
        "counts": "CSV files with a model per row: its name, the 18 question types of M3GIA and, "
        "for the size ablation, a column size (parameters in billions). With --language a file is "
        "named without LANG=."
    },
    options=[PAGE_OPTION],
)  # fmt: skip
def command(
    counts: list[str], human: list[str] | None, responses: list[str] | None,
    page: Path | None, language: str | None = None, *, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Print the general intelligence ability.

    Parameters
    ----------
    language : str, optional
        Language of a single file: en, zh, fr, es, pt, ko.
    """
    result = function_of("gia")(
        by_language(counts, language, "counts"),
        human=by_language(human or (), language, "--human"),
        responses=by_language(responses or (), language, "--items"),
        **given,
    )
    put(result, as_json, page)


def by_language(given: Sequence[str], language: str | None, what: str) -> dict[str, Path]:
    """Files by the code of their language, of texts such as LANG=FILE.

    Raises ParameterError if a language is not known or given twice.
    """
    from gfactor.replications.m3gia import language_code

    files: dict[str, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            if language is None:
                raise ParameterError(
                    f"the language of {text!r} ({what}) is not known; give --language, or "
                    f"LANG={text}"
                )
            name, path = language, text
        code = language_code(name)
        if code in files:
            raise ParameterError(f"two files of {what} are for the language {code.lower()!r}")
        files[code] = Path(path)
    return files

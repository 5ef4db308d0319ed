"""The note on an answer that was given without parameters of its condition."""

from __future__ import annotations

import re
from collections.abc import Collection

_NOTE = re.compile(r"(?:\A|; )asked without ([\w, ]+), which the model refuses\Z")


def left_out_note(names: Collection[str]) -> str:
    """Return the note that a request lacked parameters.

    Examples
    --------
    >>> left_out_note({"temperature"})
    'asked without temperature, which the model refuses'
    """
    return f"asked without {', '.join(sorted(names))}, which the model refuses"


def left_out_of(detail: str) -> str:
    """Return the parameters that the note in a reply's detail names, separated by commas.

    It is "" without such a note.

    Examples
    --------
    >>> left_out_of(left_out_note(["temperature", "seed"])), left_out_of("HTTP 500: no")
    ('seed, temperature', '')
    """
    match = _NOTE.search(detail)
    return match[1] if match else ""

"""Reading answers by rules: one label, several labels, or the texts of blanks; never a guess.

`extract` is pure: the same reply always gives the same result, and the version below is raised with
every change that can alter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gfactor.errors import ParameterError
from gfactor.items import OutputFormat
from gfactor.scoring.extraction import Extraction, lenient
from gfactor.scoring.reading.blanks import read_blanks
from gfactor.scoring.reading.choice import read_choice
from gfactor.scoring.reading.choices import read_choices
from gfactor.scoring.reading.normalize import clean

READING_VERSION = 6

__all__ = ["READING_VERSION", "extract"]


def extract(
    reply: str,
    kind: str,
    options: Mapping[str, str] | Sequence[str] = (),
    *,
    blanks: int = 1,
    output_format: OutputFormat | None = None,
) -> Extraction:
    """The answer a reply gives, by rules alone.

    Parameters
    ----------
    reply: the text as the examinee gave it, of any length and content.
    kind: `choice`, `choices` or `blanks`; any other answer type needs `output_format`.
    options: label to text, or labels alone where options are pictures. For `choice` and `choices`.
    blanks: how many blanks the item has. For `blanks`.
    output_format: what the item demands; the reply is read leniently by it.

    Returns
    -------
    Extraction: `answer` is a label, a frozenset of labels or a tuple of texts; where nothing was
    found, `rule` says why: `empty`, `refusal`, `truncated`, `none` (no option is said to be right),
    `ambiguous`, `contradiction`, `retracted`, `outside` (the label of no option), `nothing`.

    Raises
    ------
    ParameterError: where the kind is unknown, or what it needs is missing.
    """
    if kind in ("choice", "choices"):
        texts = options if isinstance(options, Mapping) else dict.fromkeys(options, "")
        if not texts:
            raise ParameterError(f"an item of answer type {kind!r} needs its options")
        cleaned = clean(reply)
        return read_choice(cleaned, texts) if kind == "choice" else read_choices(cleaned, texts)
    if kind == "blanks":
        if blanks < 1:
            raise ParameterError(f"an item has at least one blank, not {blanks}")
        return read_blanks(clean(reply), blanks)
    if output_format is None:
        raise ParameterError(f"a reply of answer type {kind!r} is read by its output format")
    return lenient(reply, output_format)

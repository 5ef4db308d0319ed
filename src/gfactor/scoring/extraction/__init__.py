"""Reading answers by rules: one label, several labels, or the texts of blanks; never a guess.

`extract` is pure: the same reply always gives the same result, and the version below is raised with
every change that can alter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gfactor.errors import ParameterError
from gfactor.items import OutputFormat
from gfactor.items.formats import CHOSEN
from gfactor.scoring.extraction.blanks import read_blanks
from gfactor.scoring.extraction.choice import read_choice
from gfactor.scoring.extraction.choices import read_choices
from gfactor.scoring.extraction.formatted import lenient
from gfactor.scoring.extraction.normalize import clean
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.extraction.thoughts import read_last_line
from gfactor.scoring.extraction.turns import answering_part, next_question

EXTRACTION_VERSION = 17


__all__ = ["EXTRACTION_VERSION", "extract"]


def extract(
    reply: str,
    kind: str,
    options: Mapping[str, str] | Sequence[str] = (),
    *,
    blanks: int = 1,
    output_format: OutputFormat | None = None,
) -> Extraction:
    """Read the answer that a reply gives, by rules alone.

    Parameters
    ----------
    reply: the text as the examinee gave it, of any length and content.
    kind: `choice`, `choices` or `blanks`; any other answer type needs `output_format`.
    options: label to text, or labels alone if options are pictures. For `choice` and `choices`.
    blanks: number of blanks of the item, for `blanks`.
    output_format: output format that the item demands; the reply is read leniently by it.

    Returns
    -------
    Extraction: `answer` is a label, a frozenset of labels or a tuple of texts; if nothing was
    found, `rule` says why: `empty`, `refusal`, `truncated`, `none` (no option is said to be right),
    `ambiguous`, `contradiction`, `retracted`, `outside` (the label of no option), `nothing`.

    Raises
    ------
    ParameterError: if the kind is unknown, or a field that it needs is missing.
    """
    texts = _texts(options) if kind in CHOSEN else {}
    _check(kind, texts, blanks, output_format)
    if kind == "choice" and (read := read_last_line(reply, texts, read_whole_choice)):
        return read
    return _read_whole(reply, kind, texts, blanks, output_format)


def read_whole_choice(reply: str, texts: Mapping[str, str]) -> Extraction:
    """Return the answer to a `choice` item, read from the whole reply without removing thoughts."""
    return _read_whole(reply, "choice", texts, 1, None)


def _read_whole(
    reply: str,
    kind: str,
    texts: Mapping[str, str],
    blanks: int,
    output_format: OutputFormat | None,
) -> Extraction:
    part = answering_part(reply)
    cut = next_question(part)
    if cut is not None and not _is_repeated(part[cut:], texts):
        before = _read(part[:cut], kind, texts, blanks, output_format)
        if before.has_answer:
            return before
    return _read(part, kind, texts, blanks, output_format)


def _texts(options: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    return options if isinstance(options, Mapping) else dict.fromkeys(options, "")


def _check(
    kind: str, texts: Mapping[str, str], blanks: int, output_format: OutputFormat | None
) -> None:
    if kind in CHOSEN and not texts:
        raise ParameterError(f"an item of answer type {kind!r} needs its options")
    if kind == "blanks" and blanks < 1:
        raise ParameterError(f"an item has at least one blank, not {blanks}")
    if kind not in (*CHOSEN, "blanks") and output_format is None:
        raise ParameterError(
            f"a reply of answer type {kind!r} needs an output format, by which it is read"
        )


def _is_repeated(following: str, texts: Mapping[str, str]) -> bool:
    """Return True if the following question is the item's own: it has two of its options' texts."""
    lowered = following.casefold()
    return sum(bool(text) and text.casefold() in lowered for text in texts.values()) > 1


def _read(
    reply: str,
    kind: str,
    texts: Mapping[str, str],
    blanks: int,
    output_format: OutputFormat | None,
) -> Extraction:
    if kind == "choice":
        return read_choice(clean(reply), texts)
    if kind == "choices":
        return read_choices(clean(reply), texts)
    if kind == "blanks":
        return read_blanks(clean(reply), blanks)
    assert output_format is not None
    return lenient(reply, output_format)

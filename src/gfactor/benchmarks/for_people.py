"""An item's question as people read it: without the sentences that say how to write the answer.

Models are told in which line to answer ("Answer in one line of the form COUNT:x ..."). People
answer in fields, which need no such sentence. A benchmark knows its own sentences
(`Benchmark.format_sentences`); in other items a sentence is left out only if it does nothing but
describe the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from gfactor.benchmarks.benchmark import BENCHMARKS
from gfactor.items import Item, Segment

_BULLET = re.compile(r"^\s*(?:[-*]\s+)?")
_NOTHING_ELSE = (
    r"Answer in one line of the form {labels}"
    r"(?:,? where (?:\w, )*(?:\w and )?\w (?:is|are) "
    r"(?:that number|those numbers|numbers|a number|your answer|what you found))?\.?"
)
"""A sentence that only describes the form, as in the templates of plug-ins."""


def question_for_people(text: str, item: Item) -> str:
    """Return a text of an item without the sentences about the form of the answer.

    Parameters
    ----------
    text : str
        A text of the item's content, or a version of it (such as a translation).
    item : Item
        The item, with its output format.

    Returns
    -------
    str
        The text that people read; "" if the text says nothing else.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks.for_people import question_for_people
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1], path="pv.parquet")
    >>> item = next(iter(bank))
    >>> print(question_for_people(item.text, item))
    - You see black circles of different sizes.
    - Find out how many circles there are.
    """
    return _read(text, item)[0]


def format_for_models(text: str, item: Item) -> str:
    """Return the sentences that `question_for_people` leaves out, a line each.

    Parameters
    ----------
    text : str
        A text of the item's content, or a version of it (such as a translation).
    item : Item
        The item, with its output format.

    Returns
    -------
    str
        Sentences that tell models how to write their answer.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks.for_people import format_for_models
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1], path="pv.parquet")
    >>> item = next(iter(bank))
    >>> format_for_models(item.text, item)
    'Answer in one line of the form COUNT:x where x is that number.'
    """
    return "\n".join(_read(text, item)[1])


def content_for_people(item: Item) -> tuple[Segment, ...]:
    """Return an item's content as people read it, every segment in its place.

    A text that only describes the form of the answer becomes "", so that segments keep their
    positions, and conversations their turns.

    Parameters
    ----------
    item : Item
        The item.

    Returns
    -------
    tuple of Segment
        Texts and images in reading order, as many as the item has.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks.for_people import content_for_people
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[1], path="pv.parquet")
    >>> item = next(iter(bank))
    >>> len(content_for_people(item)) == len(item.content)
    True
    """
    if item.output_format is None and not item.turns:
        return item.content
    return tuple(
        question_for_people(segment, item) if isinstance(segment, str) else segment
        for segment in item.content
    )


def _read(text: str, item: Item) -> tuple[str, list[str]]:
    """Return a text without its sentences about the form, and these sentences."""
    if item.output_format is None and not item.turns:
        return text, []
    known_sentences, nothing_else = _sentences_of(item), _nothing_else(item)
    read: list[str] = []
    left_out: list[str] = []
    for line in text.split("\n"):
        sentence = _BULLET.sub("", line, count=1).rstrip()
        if sentence in known_sentences or nothing_else(sentence):
            left_out.append(sentence)
        else:
            read.append(line)
    return ("\n".join(read).strip("\n") if left_out else text), left_out


def _sentences_of(item: Item) -> Collection[str]:
    """Return the sentences that an item's benchmark names; nothing if it is not installed."""
    if item.benchmark not in BENCHMARKS:
        return ()
    sentences = BENCHMARKS[item.benchmark].format_sentences
    return sentences(item) if sentences is not None else ()


def _nothing_else(item: Item) -> Callable[[str], bool]:
    """Return a test of whether a sentence says only the form, in the words of the templates."""
    form = item.output_format
    if form is None or not form.labels:
        return lambda _: False
    labels = " ".join(rf"{re.escape(label)}:\s?\w" for label in form.labels)
    pattern = re.compile(_NOTHING_ELSE.format(labels=labels))
    return lambda sentence: pattern.fullmatch(sentence) is not None

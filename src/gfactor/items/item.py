"""Item of a test: its content in reading order, its images, choices, labels, provenance."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.frozen import quickly_made
from gfactor.items.formats import Answer, AnswerType, OutputFormat

LabelValue: TypeAlias = str | int | tuple[str, ...]
"""A label is a word, a whole number or several words (an item may need several skills)."""


@quickly_made
@dataclass(frozen=True)
class Image:
    """An encoded image: the bytes as they are sent, and a file name for readers of the bank.

    Parameters
    ----------
    data : bytes
        The encoded file (PNG, JPEG, WebP), as it is sent.
    path : str
        A file name for readers of the bank.

    Examples
    --------
    >>> import cv2, numpy as np
    >>> from gfactor.items import Image
    >>> encoded = cv2.imencode(".png", np.zeros((4, 6, 3), np.uint8))[1].tobytes()
    >>> Image(encoded, "black.png").decode().shape
    (4, 6, 3)
    """

    data: bytes = field(repr=False)
    path: str

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the encoded bytes: the address of the content."""
        return hashlib.sha256(self.data).hexdigest()

    def decode(self) -> NDArray[np.uint8]:
        """Return the pixels, height x width x 3, RGB, 8 bits; raise ValueError if the bytes are not
        an image."""
        raw = np.frombuffer(self.data, np.uint8)
        pixels = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        if pixels is None:
            raise ValueError(f"{self.path!r} is not an image that can be decoded")
        return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB).astype(np.uint8, copy=False)


Segment: TypeAlias = str | Image
"""A piece of an item's content: text or an image."""


@quickly_made
@dataclass(frozen=True)
class Choice:
    """One option of a choice item: its label ("A") and its content, text or image.

    Parameters
    ----------
    label : str
        Label as the examinee names it ("A").
    content : Segment
        Text or image.

    Examples
    --------
    >>> from gfactor.items import Choice
    >>> Choice("A", "a red circle").label
    'A'
    """

    label: str
    content: Segment


@quickly_made
@dataclass(frozen=True)
class Provenance:
    """Origin of an item.

    Parameters
    ----------
    source : str
        Author of the item ("gfactor percept-v", a repository, a publication).
    version : str
        Version of the source or generator.
    content_hash : str
        SHA-256 of the scene (or of content and choices): the item's identity.
    pixel_hashes : list of str
        SHA-256 of the decoded pixels of each image.
    edition : str
        Variant of the benchmark ("audited", "paper"), "" if there is only one.
    seed, index : int
        Seed and index that generated the item; -1 for items that were not generated.
    scene : str
        Canonical JSON of what is drawn, "" for items that were not generated.
    history : str
        JSON list of the changes to the item after it was made, oldest first, each with
        the item as it was before; "" for an unchanged item.

    Examples
    --------
    >>> from gfactor.items import Provenance
    >>> Provenance("a repository", "1.0", content_hash="abc").source
    'a repository'
    """

    source: str
    version: str
    content_hash: str
    pixel_hashes: tuple[str, ...] = ()
    edition: str = ""
    seed: int = -1
    index: int = -1
    scene: str = ""
    history: str = ""


@quickly_made
@dataclass(frozen=True)
class Item:
    """One question.

    Parameters
    ----------
    id : str
        Unique in its bank.
    benchmark : str
        Name of the benchmark ("percept-v").
    content : list of Segment
        Texts and images in reading order.
    answer_type : AnswerType
        Form of the answer; there is one scoring rule per type.
    target : Answer, optional
        The canonical right answer; None means "there is none".
    labels : dict of str to LabelValue
        Labels by which results can be broken down (`domain`, `size`, `skills` ...).
    provenance : Provenance
        Origin of the item, and its identity.
    accepted : list of Answer
        Other answers that are just as right.
    choices : list of Choice
        The options of a choice item.
    language : str
        BCP 47 tag of the texts.
    points : float
        Points for the item, or for each of its parts (right options, blanks, points of an open
        answer) if its type counts parts.
    output_format : OutputFormat, optional
        The line in which the answer is to be given; None for choice and open items.
    turns : tuple of int
        Positions in `content` at which the second and later turns of a conversation begin; () for
        an item that is asked at once.

    Examples
    --------
    >>> from gfactor.items import Choice, Item, Provenance
    >>> item = Item(
    ...     "q1", "example", ("1 + 1 = ?",), "choice", "A", {"domain": "sums"},
    ...     Provenance("example", "1", content_hash="q1"),
    ...     choices=(Choice("A", "2"), Choice("B", "3")),
    ... )
    >>> item.target, item.points
    ('A', 1.0)
    """

    id: str
    benchmark: str
    content: tuple[Segment, ...]
    answer_type: AnswerType
    target: Answer | None
    labels: Mapping[str, LabelValue]
    provenance: Provenance
    accepted: tuple[Answer, ...] = ()
    choices: tuple[Choice, ...] = ()
    language: str = "en"
    points: float = 1.0
    output_format: OutputFormat | None = None
    turns: tuple[int, ...] = ()

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of the content and then of the choices, in reading order."""
        in_question = [s for s in self.content if isinstance(s, Image)]
        offered = [c.content for c in self.choices if isinstance(c.content, Image)]
        return (*in_question, *offered)

    @property
    def text(self) -> str:
        """The texts of the content, joined by line breaks."""
        return "\n".join(s for s in self.content if isinstance(s, str))

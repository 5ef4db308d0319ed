"""What is asked: items, output formats, identity, randomness, banks."""

from gfactor.items.formats import (
    ANSWER_TYPES,
    Answer,
    AnswerType,
    Atom,
    Cell,
    OutputFormat,
    answer_from_json,
    answer_to_json,
    atoms_of,
)
from gfactor.items.hashing import canonical_json, digest_of, pixel_hash, text_hash
from gfactor.items.item import Choice, Image, Item, LabelValue, Provenance, Segment
from gfactor.items.randomness import ItemRandom

__all__ = [
    "ANSWER_TYPES",
    "Answer",
    "AnswerType",
    "Atom",
    "Cell",
    "Choice",
    "Image",
    "Item",
    "ItemRandom",
    "LabelValue",
    "OutputFormat",
    "Provenance",
    "Segment",
    "answer_from_json",
    "answer_to_json",
    "atoms_of",
    "canonical_json",
    "digest_of",
    "pixel_hash",
    "text_hash",
]

"""Items: questions, output formats, identity, randomness, banks."""

from gfactor.items.bank import ItemBank
from gfactor.items.building import BankPlan, Built, Part, Rejected, Watch, build_bank
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
from gfactor.items.validation import checked_pixels
from gfactor.items.writing import write_bank

__all__ = [
    "ANSWER_TYPES",
    "Answer",
    "AnswerType",
    "Atom",
    "Built",
    "Cell",
    "Choice",
    "Image",
    "Item",
    "ItemBank",
    "ItemRandom",
    "LabelValue",
    "OutputFormat",
    "Part",
    "BankPlan",
    "Provenance",
    "Rejected",
    "Segment",
    "Watch",
    "answer_from_json",
    "answer_to_json",
    "atoms_of",
    "build_bank",
    "canonical_json",
    "checked_pixels",
    "digest_of",
    "pixel_hash",
    "text_hash",
    "write_bank",
]

"""Fields for answers of a fixed form: one per answer type, read into the strict form.

Fields take a number, one word of a closed list, a pair of numbers, an ordered list, or a set of
ticks. Their contents make an answer that the benchmark's own rule can score. The same fields work
with and without scripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gfactor.items import Answer, Atom, ItemBank, OutputFormat, answer_from_json, atoms_of

Fields = Mapping[str, Sequence[str]]
Layout = Literal["words", "ticks", "every", "order", "any"]

FEWEST_FIELDS, SPARE_FIELDS, MOST_FIELDS = 12, 2, 200
_LONGEST_NUMBER = 18


@dataclass(frozen=True)
class Inputs:
    """The fields of an answer.

    Parameters
    ----------
    layout: "words" (one of a closed list), "ticks" (any number of a closed list), "every" (all
        fields are to be filled in), "order" (a list, from the first field on), "any" (a set).
    labels: labels of the fields, in order: words of the item's own, or their numbers.
    atom: content of a field: "integer", "cell" (two numbers), "token" (a number or a word), "word".
    words: the closed list.
    none: the word for "there is none"; "" if that cannot be the answer.
    ordered: True for a list, so that its parts can be dragged into their order.
    """

    layout: Layout
    labels: tuple[str, ...]
    atom: str
    words: tuple[str, ...]
    none: str
    ordered: bool = False


@dataclass(frozen=True)
class Filled:
    """Text that was entered, in the strict form, or as typed if it has a problem.

    The problem is a key of the interface's words; "" if there is none.
    """

    text: str
    problem: str = ""


def list_fields_of(bank: ItemBank) -> int:
    """Return the number of fields of a list or a set.

    It is the same for all items of a bank, and greater than the longest answer needs, so that it
    does not hint at an item's answer.
    """
    longest = 0
    for kind, target in zip(bank.column("answer_type"), bank.column("target"), strict=True):
        answer = answer_from_json(target, kind) if kind in ("list", "set") else None
        if isinstance(answer, tuple | frozenset):
            longest = max(longest, len(answer))
    return max(FEWEST_FIELDS, longest + SPARE_FIELDS)


def inputs_of(fmt: OutputFormat, fields: int) -> Inputs:
    """Return the fields for answers of a format, for a conversation those of one turn. `fields` is
    the number of fields of a list or set."""
    fmt = fmt.turn if fmt.answer_type == "turns" else fmt
    several = fmt.answer_type in ("list", "set")
    layout: Layout = "every"
    labels: tuple[str, ...] = fmt.labels if len(fmt.labels) > 1 else ("",)
    if fmt.answer_type == "set" and fmt.atom == "word":
        layout, labels = "ticks", ()
    elif several:
        layout = "order" if fmt.answer_type == "list" else "any"
        labels = tuple(str(k + 1) for k in range(fmt.length or fields))
        layout = "every" if fmt.length else layout
    elif fmt.atom == "word" and len(labels) == 1:
        layout, labels = "words", ()
    ordered = fmt.answer_type == "list"
    return Inputs(layout, labels, fmt.atom, fmt.vocabulary, fmt.none, ordered)


def read_inputs(fmt: OutputFormat, fields: Fields) -> Filled:
    """Return the answer in a form's fields `part-0`, `part-1` ... (`part-0-0` and `part-0-1` for a
    pair), `part` (words and ticks), `none`; of a conversation the reply to one turn."""
    fmt = fmt.turn if fmt.answer_type == "turns" else fmt
    inputs = inputs_of(fmt, MOST_FIELDS)
    parts = _parts(inputs, fields)
    typed = " ".join(filter(None, parts))
    if inputs.none and fields.get("none"):
        return Filled(typed, "none_alone") if typed else Filled(fmt.none)
    while parts and not parts[-1]:
        parts = parts[:-1]
    if not parts:
        return Filled("")
    if inputs.layout == "any":
        parts = [part for part in parts if part]
    if "" in parts or (inputs.layout == "every" and len(parts) < len(inputs.labels)):
        return Filled(typed, "fill_every" if inputs.layout == "every" else "gap")
    atoms = [_atom(inputs, part) for part in parts]
    read_atoms = [atom for atom in atoms if atom is not None]
    if len(read_atoms) < len(atoms):
        return Filled(typed, "bad_number" if fmt.atom in ("integer", "cell") else "bad_word")
    text = fmt.render(_answer(fmt, read_atoms))
    return Filled(text) if fmt.pattern.fullmatch(text) else Filled(typed, "bad_word")


def fill(fmt: OutputFormat, answer: Answer | None) -> list[tuple[str, str]]:
    """Return the fields that give an answer: the inverse of `read_inputs`."""
    if answer is None:
        return [("none", "yes")]
    inputs = inputs_of(fmt, MOST_FIELDS)
    atoms = atoms_of(answer, fmt.atom)
    if inputs.layout in ("words", "ticks"):
        return [("part", str(atom)) for atom in atoms]
    pairs: list[tuple[str, str]] = []
    for k, atom in enumerate(atoms):
        if isinstance(atom, tuple):
            pairs += [(f"part-{k}-{j}", str(number)) for j, number in enumerate(atom)]
        else:
            pairs.append((f"part-{k}", str(atom)))
    return pairs


def _parts(inputs: Inputs, fields: Fields) -> list[str]:
    """Return the texts in the fields, "" for empty ones; pairs are joined by a comma."""
    if inputs.layout in ("words", "ticks"):
        chosen = fields.get("part", ())
        return list(chosen[:1] if inputs.layout == "words" else chosen)
    if inputs.atom != "cell":
        return [_one(fields, f"part-{k}") for k in range(len(inputs.labels))]
    pairs = ([_one(fields, f"part-{k}-{j}") for j in (0, 1)] for k in range(len(inputs.labels)))
    return [",".join(pair) if any(pair) else "" for pair in pairs]


def _one(fields: Fields, name: str) -> str:
    return " ".join(fields.get(name, ("",))[0].split())[:200]


def _atom(inputs: Inputs, text: str) -> Atom | None:
    if inputs.atom == "cell":
        numbers = [_number(part.strip()) for part in text.split(",")]
        return None if len(numbers) != 2 or None in numbers else (numbers[0], numbers[1])  # pyright: ignore[reportReturnType]
    number = _number(text) if inputs.atom in ("integer", "token") else None
    if number is not None or inputs.atom == "integer":
        return number
    return next((word for word in inputs.words if word.casefold() == text.casefold()), None)


def _number(text: str) -> int | None:
    """A whole number in the figures of any script."""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else None


def _answer(fmt: OutputFormat, atoms: Iterable[Atom]) -> Answer:
    members = tuple(atoms)
    if fmt.answer_type == "set":
        return frozenset(members)
    if fmt.answer_type == "list" or len(fmt.labels) > 1:
        return members
    return members[0]

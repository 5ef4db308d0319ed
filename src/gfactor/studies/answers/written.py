"""Answers as one text: printed for people, and read from what a person wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gfactor.errors import ParameterError
from gfactor.items import Answer, Atom, Item, OutputFormat, atoms_of

_CELL = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*\)?")
_BETWEEN = re.compile(r"[,;\n\r\t\u060c\u3001\uff0c\uff1b]+")
_LONGEST_NUMBER = 18


class UnreadableError(ParameterError):
    """A text is not an answer to its item; the message has the reason and the remedy."""


def printed(answer: Answer | None, item: Item) -> str:
    """Return an answer as text for people, in its order.

    Parameters
    ----------
    answer : Answer, optional
        The answer; None for "there is none".
    item : Item
        The item; its type and output format determine how parts are written.

    Returns
    -------
    str
        The text: a list in its order, a set in a fixed order, texts of blanks on a line each.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.studies.answers import printed
    >>> bank = gf.build("percept-v", domains=["sort_lines"], sizes=[4], path="pv.parquet")
    >>> printed((2, 3, 4, 1), next(iter(bank)))
    '2, 3, 4, 1'
    """
    form, kind = item.output_format, item.answer_type
    if answer is None:
        return form.none if form is not None else ""
    if kind in ("blanks", "open"):
        texts = answer if isinstance(answer, tuple) else (answer,)
        return "\n".join("" if text is None else str(text) for text in texts)
    if kind == "choices":
        return ", ".join(sorted(map(str, atoms_of(answer, "word"))))
    if form is None:
        return ", ".join(_atom_text(atom) for atom in atoms_of(answer, "word"))
    parts = [_atom_text(atom) for atom in atoms_of(answer, form.atom)]
    if kind == "tuple" and len(form.labels) == len(parts) > 1:
        return ", ".join(f"{name}: {part}" for name, part in zip(form.labels, parts, strict=True))
    return ", ".join(parts)


def read_answer(text: str, item: Item, labels: Sequence[str] = ()) -> Answer | None:
    """Return the answer that a person wrote: the inverse of `printed`, in any usual spelling.

    Parameters
    ----------
    text : str
        Text that somebody wrote.
    item : Item
        The item; its type and output format determine the possible answers.
    labels : list of str
        Labels of the options; by default the item's own.

    Returns
    -------
    Answer, optional
        The answer; None for "there is none".

    Raises
    ------
    UnreadableError
        If the text is not an answer to the item.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.studies.answers import read_answer
    >>> bank = gf.build("percept-v", domains=["sort_lines"], sizes=[4], path="pv.parquet")
    >>> read_answer("2 3 4 1", next(iter(bank)))
    (2, 3, 4, 1)
    """
    given, kind, form = text.strip(), item.answer_type, item.output_format
    if form is not None and form.none and given.casefold() == form.none.casefold():
        return None
    if not given:
        raise UnreadableError("The answer is empty.")
    if kind in ("choice", "choices"):
        return _chosen(given, kind, labels or [choice.label for choice in item.choices])
    if kind == "blanks":
        return tuple(line.strip() for line in given.splitlines() if line.strip())
    if kind == "open":
        several = isinstance(item.target, tuple)
        return (
            tuple(line.strip() for line in given.splitlines() if line.strip()) if several else given
        )
    if form is None:
        raise UnreadableError(
            f"An answer of the type {kind!r} is read by an output format, which this item does "
            "not have; make it a question with blanks, or an open one."
        )
    return _formatted(given, form)


def _chosen(text: str, kind: str, labels: Sequence[str]) -> Answer:
    """Labels of options: "A, C", "AC" and "a c" are the same if labels are letters."""
    by_folded = {label.casefold(): label for label in labels}
    parts = [
        part for part in re.split(r"[\s,;\u060c\u3001\uff0c\uff1b.]+", text.casefold()) if part
    ]
    if any(part not in by_folded for part in parts) and all(len(label) == 1 for label in labels):
        parts = list("".join(parts))
    strangers = [part for part in parts if part not in by_folded]
    if strangers or not parts:
        raise UnreadableError(
            f"The answer names no option, or one that is not there: write {_alternatives(labels)}."
        )
    chosen = sorted({by_folded[part] for part in parts})
    if kind == "choices":
        return tuple(chosen)
    if len(chosen) > 1:
        raise UnreadableError(
            "The answer names several options, but the item has one right option: name one, or "
            "change the type."
        )
    return chosen[0]


def _formatted(text: str, form: OutputFormat) -> Answer:
    """An answer with an output format, whether or not its labels are written."""
    kind = form.answer_type
    one = form.turn if kind == "turns" else form
    atoms = [_atom(part, one) for part in _parts(text, one)]
    if not atoms:
        raise UnreadableError("The answer is empty.")
    wanted = _count(form)
    if wanted and len(atoms) != wanted:
        raise UnreadableError(
            f"The answer has {len(atoms)} {_plural(len(atoms))}, and the item asks for {wanted}."
        )
    answer: Answer
    if kind == "set":
        answer = frozenset(atoms)
    elif kind in ("list", "turns") or len(form.labels) > 1:
        answer = tuple(atoms)
    else:
        answer = atoms[0]
    if form.pattern.fullmatch(form.render(answer)) is None:
        raise UnreadableError(f"The item's output format cannot hold the answer {text!r}.")
    return answer


def _count(form: OutputFormat) -> int:
    """Return the number of parts of an answer; 0 if it is open."""
    if form.answer_type in ("list", "set", "turns"):
        return form.length
    return len(form.labels) if form.answer_type == "tuple" and len(form.labels) > 1 else 1


def _parts(text: str, form: OutputFormat) -> list[str]:
    """Split a text into its parts; if it names several labels, in the order of the labels."""
    if len(form.labels) > 1 and ":" in text:
        return _labeled(text, form.labels)
    for label in form.labels:
        text = re.sub(rf"^\s*{re.escape(label)}\s*:", "", text, flags=re.IGNORECASE)
    if form.atom == "cell":
        return _cells(text)
    pieces = _BETWEEN.split(text) if _BETWEEN.search(text) else text.split()
    return [piece.strip() for piece in pieces if piece.strip()]


def _labeled(text: str, labels: Sequence[str]) -> list[str]:
    """The values after labels, for labels in any order."""
    names = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    pieces = re.split(rf"(?:^|[\s,;])({names})\s*:", text, flags=re.IGNORECASE)
    values = {
        name.casefold(): value.strip().strip(",;").strip()
        for name, value in zip(pieces[1::2], pieces[2::2], strict=True)
    }
    missing = [label for label in labels if not values.get(label.casefold())]
    if missing or pieces[0].strip():
        shape = ", ".join(f"{label}: ..." for label in labels)
        raise UnreadableError(f"The answer needs a value for each label: write {shape}")
    return [values[label.casefold()] for label in labels]


def _cells(text: str) -> list[str]:
    """Pairs of numbers, with or without parentheses."""
    if _BETWEEN.sub("", _CELL.sub("", text)).strip():
        raise UnreadableError(
            "The answer has a part that is not a pair of numbers: write (row, column)."
        )
    return [",".join(pair) for pair in _CELL.findall(text)]


def _atom(text: str, form: OutputFormat) -> Atom:
    if form.atom == "cell":
        row, column = text.split(",")
        return int(row), int(column)
    if form.atom in ("integer", "token") and text.isdecimal() and len(text) <= _LONGEST_NUMBER:
        return int(text)
    word = next((w for w in form.vocabulary if w.casefold() == text.casefold()), None)
    if word is not None and form.atom != "integer":
        return word
    wanted = "a whole number" if form.atom == "integer" else _alternatives(form.vocabulary)
    if form.atom == "token":
        wanted = f"a whole number, {wanted}"
    raise UnreadableError(f"{text!r} cannot stand in the answer: write {wanted}.")


def _alternatives(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _plural(count: int) -> str:
    return "part" if count == 1 else "parts"


def _atom_text(atom: Atom) -> str:
    return f"({atom[0]}, {atom[1]})" if isinstance(atom, tuple) else str(atom)

"""From a problem of the release to the items of its questions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gfactor.benchmarks.loading import (
    Location,
    Tree,
    checked,
    content_hash,
    hashes_of,
    image_type,
    picture,
)
from gfactor.benchmarks.multi.stem import MASK, Stem, images_named, read_stem, without_tokens
from gfactor.benchmarks.multi.vocabulary import ANSWER_TYPES, TYPES, level_of
from gfactor.items import Answer, Image, Item, LabelValue, Provenance, Rejected

NAME, VERSION = "multi", "1"
"""The benchmark, and the version of this loader."""

SOURCE = "OpenDFM/MULTI-Benchmark"
"""The data set's name on the hub."""

Numbered = tuple[str, int, Any]
"""A problem's id, its number in the file and its entry."""


@dataclass(frozen=True)
class ReleaseFacts:
    """Common facts of the items of a release.

    Parameters
    ----------
    tree: the release's files.
    file: the problems' file, for messages.
    version: version of the release.
    elite: question ids of the hard subset.
    extended: names of the pieces of knowledge that have a text.
    others: True to load questions of type Others, as open ones.
    """

    tree: Tree
    file: str
    version: str
    elite: frozenset[str]
    extended: frozenset[str]
    others: bool


def items_of(
    problems: Sequence[Numbered], reading: ReleaseFacts, skip_invalid: bool
) -> Iterator[Item | Rejected]:
    """Return one item for each question of the problems, with the ids PROBLEM_0, PROBLEM_1 ..."""
    return checked(_attempts(problems, reading), skip_invalid)


def _attempts(problems: Iterable[Numbered], reading: ReleaseFacts) -> Iterator[Any]:
    for problem_id, number, problem in problems:
        try:
            kinds = _kinds(problem_id, problem)
        except ValueError as error:
            where = Location(reading.file, number, problem_id, "problem")
            yield where, partial(_fail, str(error))
            continue
        for sub, kind in enumerate(kinds):
            if TYPES.get(kind) == "Others" and not reading.others:
                continue
            item_id = f"{problem_id}_{sub}"
            where = Location(reading.file, number, item_id, "problem")
            yield where, partial(_item, item_id, sub, problem, reading)


def _fail(what: str) -> Item:
    raise ValueError(what)


def _kinds(problem_id: str, problem: Any) -> list[str]:
    if not isinstance(problem, dict):
        raise ValueError("it is not a JSON object with fields")
    if not problem_id:
        raise ValueError("it has no problem_id")
    kinds = problem.get("problem_type_list")
    if not isinstance(kinds, list) or not kinds:
        raise ValueError("it has no problem_type_list")
    return [str(kind) for kind in kinds]


def _item(item_id: str, sub: int, problem: Mapping[str, Any], reading: ReleaseFacts) -> Item:
    kind = TYPES.get(_of(problem, "problem_type_list", sub))
    if kind is None:
        raise ValueError(
            f"its type {_of(problem, 'problem_type_list', sub)!r} is none of {', '.join(TYPES)}"
        )
    general = str(problem.get("problem_content") or "")
    text = f"{general}\n{_of(problem, 'problem_content_list', sub)}"
    if not without_tokens(text) and not images_named(text):
        raise ValueError("it has no question")
    answer = _of(problem, "problem_answer_list", sub)
    key = key_letters(answer, kind == "MA") if kind in ("SA", "MA") else ()
    stem = read_stem(text, key, partial(_picture, problem, reading.tree))
    target, accepted = _target(kind, key, answer)
    return Item(
        id=item_id,
        benchmark=NAME,
        language="zh",
        content=stem.content,
        choices=stem.choices,
        answer_type=ANSWER_TYPES.get(kind, "open"),
        target=target,
        accepted=accepted,
        labels=_labels(item_id, sub, kind, problem, stem, reading),
        provenance=Provenance(
            source=SOURCE,
            version=reading.version,
            index=sub,
            content_hash=content_hash(NAME, stem.content, stem.choices),
            pixel_hashes=hashes_of(stem.images),
        ),
    )


def _of(problem: Mapping[str, Any], name: str, sub: int) -> str:
    """A question's entry in one of the problem's lists."""
    values = problem.get(name)
    if not isinstance(values, list) or sub >= len(values):
        raise ValueError(f"its {name} has no entry {sub}")
    return str(values[sub] if values[sub] is not None else "")


def _picture(problem: Mapping[str, Any], tree: Tree, number: int) -> Image:
    paths = problem.get("img_paths") or []
    if not 1 <= number <= len(paths):
        raise ValueError(f"its text names image {number}, but img_paths has {len(paths)}")
    named = str(paths[number - 1])
    path = tree.find(named)
    if path is None:
        raise ValueError(f"image {named!r} is not in the release")
    return picture(tree.read(path), path)


def _target(kind: str, key: tuple[str, ...], answer: str) -> tuple[Answer, tuple[Answer, ...]]:
    if kind == "SA":
        return key[0], ()
    if kind == "MA":
        return key, ()
    if kind == "FB":
        return blanks(answer)
    return reference(answer), ()


def _labels(
    item_id: str, sub: int, kind: str, problem: Mapping[str, Any], stem: Stem, reading: ReleaseFacts
) -> dict[str, LabelValue]:
    subjects = _words(problem.get("subject"))
    subject = subjects[0] if subjects else ""
    education = str(problem.get("education") or "")
    images = len(stem.images)
    knowledge = _words(problem.get("knowledge"))
    analysis = _optional(problem, "problem_analysis_list", sub)
    answer = _optional(problem, "problem_answer_list", sub)
    text = f"{problem.get('problem_content') or ''}{_of(problem, 'problem_content_list', sub)}"
    labels: dict[str, LabelValue] = {
        "domain": subject or NAME,
        "image_type": image_type(images),
        "type": kind,
        "level": level_of(education, subject),
        "problem": item_id.rpartition("_")[0],
        "elite": "yes" if item_id in reading.elite else "no",
        "image_in_options": "yes" if stem.pictured_options else "no",
        "explained": "yes" if analysis.strip() else "no",
        "extended": "yes" if reading.extended.intersection(knowledge) else "no",
        "images_shown": images,
        "options": len(stem.choices),
        "masks": text.count(MASK),
        "characters": len(without_tokens(text)),
        "answer_characters": len(without_tokens(answer)),
        "answer_images": images_named(answer),
        "analysis_characters": len(without_tokens(analysis)),
        "analysis_images": images_named(analysis),
        "knowledge": knowledge,
    }
    labels |= {n: t for n, t in (("subject", subject), ("stage", education)) if t}
    for name in ("difficulty", "quality"):
        value = problem.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
            labels[name] = int(value)
    return labels


WORDS = ("type", "level", "problem", "elite", "image_in_options", "explained", "extended",
         "subject", "stage")  # fmt: skip
NUMBERS = ("images_shown", "options", "masks", "characters", "answer_characters", "answer_images",
           "analysis_characters", "analysis_images", "difficulty", "quality")  # fmt: skip
LISTS = ("knowledge",)


def _optional(problem: Mapping[str, Any], name: str, sub: int) -> str:
    values = problem.get(name)
    value = values[sub] if isinstance(values, list) and sub < len(values) else None
    return "" if value is None else str(value)


def _words(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(str(v).strip() for v in values if v is not None and str(v).strip())


_ALTERNATIVE = re.compile(r"(?<![与亦抑多])或者?(?![许然门非缺多])")
"""或 between alternatives; not in one word (或许, 或门)."""
_RELATION = re.compile("[大小等多少高低早晚]于|[=＝<>＜＞≤≥]")
_BETWEEN = re.compile(r"[\s,，、;；.。]+")


def key_letters(answer: str, several: bool) -> tuple[str, ...]:
    """Return the labels of the right options, in alphabetical order.

    Raises ValueError if the answer is not made of letters, or has several although one is right.
    """
    plain = _BETWEEN.sub("", unicodedata.normalize("NFKC", answer)).upper()
    if not plain or not re.fullmatch("[A-Z]+", plain):
        raise ValueError(f"its key {answer!r} is not the letter of an option")
    letters = tuple(sorted(set(plain)))
    if len(letters) > 1 and not several:
        raise ValueError(f"its key {answer!r} names {len(letters)} options, but one can be right")
    return letters


def blanks(answer: str) -> tuple[Answer, tuple[Answer, ...]]:
    """Return the texts of the blanks, one per line, and further right answers.

    A line may hold alternatives separated by 或; each of them is right in its blank, and so is the
    whole line. Raises ValueError if there is no text.
    """
    lines = [line.strip() for line in answer.replace("\r", "").split("\n") if line.strip()]
    if not lines:
        raise ValueError("it has no answer")
    alternatives = [_alternatives(line) for line in lines]
    first = tuple(texts[0] for texts in alternatives)
    others = [
        (*first[:number], text, *first[number + 1 :])
        for number, texts in enumerate(alternatives)
        for text in texts[1:]
    ]
    return first, tuple(others)


def _alternatives(line: str) -> list[str]:
    """Return the texts that are right in a blank.

    A line in which 或 ("or") is part of a word, or has a relation on both sides, is one text:
    大于或等于 and x>3或x<1 are single answers.
    """
    parts = [part.strip() for part in _ALTERNATIVE.split(line)]
    if len(parts) == 1 or not all(parts) or all(map(_RELATION.search, parts)):
        return [line]
    return list(dict.fromkeys([*parts, line]))


def reference(answer: str) -> str:
    """Return the reference of an open question; raise ValueError if there is none."""
    text = answer.replace("\r", "").strip()
    if not text:
        raise ValueError("it has no answer")
    return text

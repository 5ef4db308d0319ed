"""Pages of a study file, read strictly. An error is one sentence with the file and the path of the
key; pages and questions are counted from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from gfactor.errors import ParameterError
from gfactor.imaging.masks import MaskKind
from gfactor.studies.questionnaires.study.branching import check_branches
from gfactor.studies.questionnaires.study.columns import OF_PARTICIPANTS
from gfactor.studies.questionnaires.study.page_definitions import (
    AGES,
    LIBRARY,
    Page,
    PageChoice,
    PageKind,
    PageQuestion,
    QuestionKind,
    Text,
    is_calibration_name,
)
from gfactor.studies.questionnaires.study.recordings import KINDS, is_recording_name

_EXPOSURE = ("exposure_ms", "fixation_ms", "mask", "mask_ms")
_MEDIA = ("media", "autoplay", "once")
_TEXT = ("kind", "heading", "text", "condition")
_SHARED = (*_TEXT, "show_if")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "consent": ("kind", "text"),
    "questions": (*_SHARED, "name", "questions", *_MEDIA),
    "color_vision": (*_SHARED, "name", "plates", "screen_out"),
    "contrast": (*_SHARED, "name", "levels", "rings", "least_sensitivity", "screen_out"),
    "screen": (*_SHARED, "name", "card", "distance", "full_screen"),
    "instructions": (*_SHARED, *_MEDIA),
    "practice": ("kind", "condition", "show_if", "items", *_EXPOSURE),
    "block": (
        *_SHARED, "name", "items", "labels", "per_person", "shuffle", "shuffle_options", "checks",
        "time_limit_s", "pins", "calibration", "max_items", "se", "among", "digest", *_EXPOSURE,
    ),
    "break": (*_SHARED, *_MEDIA),
    "feedback": (*_SHARED, "blocks"),
    "debriefing": _TEXT,
}  # fmt: skip
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "consent": ("text",), "questions": ("name", "questions"), "practice": ("items",),
    "block": ("name",), "debriefing": ("text",),
}  # fmt: skip
_QUESTION_KEYS: Mapping[str, tuple[str, ...]] = {
    "single": ("options",), "multiple": ("options",), "number": ("low", "high"), "text": (),
    "slider": ("options", "low", "high", "step"), "grid": ("options", "rows"),
}  # fmt: skip


def read_pages(given: Any, languages: Sequence[str], where: str) -> tuple[Page, ...]:
    """Return the pages of a file.

    Parameters
    ----------
    given: contents of `pages`.
    languages: languages of the interface; each needs its texts.
    where: the file.

    Raises ParameterError for the first thing that is wrong.
    """
    if not isinstance(given, list) or not given:
        raise ParameterError(f"{where}: pages is {given!r}; write each page as [[pages]]")
    read = _PageReader(tuple(languages))
    pages = tuple(read.page(one, f"{where}: pages[{k}]") for k, one in enumerate(given, 1))
    _check_order(pages, where)
    _check_names(pages, where)
    check_branches(pages, where)
    return pages


@dataclass(frozen=True)
class _PageReader:
    """Reader that knows the path of the value it reads."""

    languages: tuple[str, ...]

    def page(self, given: Any, where: str) -> Page:
        kind = _one_of(_table(given, where), "kind", get_args(PageKind), where)
        _known_keys(given, _KEYS[kind], where, f"a page of kind {kind!r}")
        read: dict[str, Callable[[Any, str], Any]] = {
            "name": _name, "heading": self.text, "text": self.text,
            "questions": self.questions, "items": _texts, "labels": _table, "per_person": _count,
            "shuffle": _flag, "shuffle_options": _flag, "checks": _count,
            "time_limit_s": _number, "pins": _pins, "calibration": _file_name, "max_items": _count,
            "se": _number, "among": _count, "digest": _text, "blocks": _texts, "condition": _name,
            "exposure_ms": _number, "fixation_ms": _number, "mask": _mask, "mask_ms": _number,
            "plates": _few, "levels": _few, "rings": _few, "least_sensitivity": _number,
            "screen_out": _text, "card": _flag, "distance": _flag, "full_screen": _flag,
            "show_if": _alternatives, "media": self.media, "autoplay": _flag, "once": _flag,
        }  # fmt: skip
        values = {k: read[k](v, f"{where}.{k}") for k, v in given.items() if k != "kind"}
        for name in _NEEDED.get(kind, ()):
            if not values.get(name):
                raise ParameterError(f"{where}.{name} is missing; a page of kind {kind!r} needs it")
        if values.get("items") and values.get("labels"):
            raise ParameterError(f"{where}: items and labels are both given; give one of them")
        for name in ("max_items", "se", "among", "digest"):
            if name in values and not values.get("calibration"):
                raise ParameterError(
                    f"{where}.{name} is for adaptive blocks; add a calibration, or leave it out"
                )
        for name in _EXPOSURE[1:]:
            if name in values and not values.get("exposure_ms"):
                raise ParameterError(
                    f"{where}.{name} is for timed pictures; add exposure_ms, or leave it out"
                )
        for name in _MEDIA[1:]:
            if name in values and not values.get("media"):
                raise ParameterError(
                    f"{where}.{name} is for sounds and films; add media, or leave it out"
                )
        if values.get("calibration") and values.get("per_person"):
            raise ParameterError(
                f"{where} is adaptive (it names a calibration), so it takes max_items in place of "
                "per_person"
            )
        return Page(cast("PageKind", kind), **values)

    def text(self, given: Any, where: str) -> Text:
        if isinstance(given, str):
            return given
        texts = _table(given, where, "a text, or a table with a text for each language")
        for language, text in texts.items():
            _text(text, f"{where}.{language}")
        missing = next((one for one in self.languages if not texts.get(one)), None)
        if missing is not None:
            raise ParameterError(f"{where}.{missing} is missing; give the text in that language")
        return dict(texts)

    def media(self, given: Any, where: str) -> Text:
        names = self.text(given, where)
        for name in [names] if isinstance(names, str) else names.values():
            if not is_recording_name(name):
                raise ParameterError(
                    f"{where} is {name!r}; name a file beside the study file that ends in "
                    f"{', '.join(KINDS)}"
                )
        return names

    def questions(self, given: Any, where: str) -> tuple[PageQuestion, ...]:
        if not isinstance(given, list) or not given:
            raise ParameterError(f"{where} must be a list of tables, not {given!r}")
        return tuple(self.question(one, f"{where}[{k}]") for k, one in enumerate(given, 1))

    def question(self, given: Any, where: str) -> PageQuestion:
        table = _table(given, where)
        shared = ("name", "text", "required")
        values: dict[str, Any] = {"name": _name(table.get("name"), f"{where}.name")}
        if "text" in table:
            values["text"] = self.text(table["text"], f"{where}.text")
        values["required"] = _flag(table.get("required", True), f"{where}.required")
        if "library" in table:
            library = _one_of(table, "library", tuple(LIBRARY), where)
            kind, options = LIBRARY[library]
            _known_keys(
                table, (*shared, "library", *_QUESTION_KEYS[kind]), where, "such a question"
            )
            values |= {"library": library, "options": tuple(map(PageChoice, options))}
            values |= dict(zip(("low", "high"), AGES, strict=True)) if library == "age" else {}
        else:
            kind = cast("QuestionKind", _one_of(table, "kind", get_args(QuestionKind), where))
            keys = (*shared, "kind", *_QUESTION_KEYS[kind])
            _known_keys(table, keys, where, f"a question of kind {kind!r}")
            if not values.get("text"):
                raise ParameterError(f"{where}.text is missing; write the question there")
        for name in ("low", "high"):
            if name in table:
                values[name] = _number(table[name], f"{where}.{name}", negative=True)
        for name in ("options", "rows"):
            if name in _QUESTION_KEYS[kind] and (name in table or not values.get(name)):
                values[name] = self.choices(table.get(name), f"{where}.{name}")
        if kind == "slider":
            values |= _slider(table, values["options"], where)
        low, high = values.get("low"), values.get("high")
        if low is not None and high is not None and low > high:
            raise ParameterError(f"{where}: low is above high")
        return PageQuestion(kind=kind, **values)

    def choices(self, given: Any, where: str) -> tuple[PageChoice, ...]:
        if not isinstance(given, list) or len(given) < 1:
            raise ParameterError(
                f"{where} must be a list of texts, or of tables with value and text, not {given!r}"
            )
        read = []
        for k, one in enumerate(given, 1):
            here = f"{where}[{k}]"
            table = {"value": one, "text": one} if isinstance(one, str) else _table(one, here)
            _known_keys(table, ("value", "text"), here, "an option")
            value = _text(table.get("value"), f"{here}.value")
            if not value or ";" in value or not value.isprintable():
                raise ParameterError(
                    f"{here}.value is {value!r}; give a text without ';' that can be printed"
                )
            read.append(PageChoice(value, self.text(table.get("text"), f"{here}.text")))
        values = [choice.value for choice in read]
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise ParameterError(f"{where}: {twice!r} occurs twice")
        return tuple(read)


def _slider(
    question: Mapping[str, Any], ends: Sequence[PageChoice], where: str
) -> dict[str, float]:
    """Return the limits and the step of a slider between two ends."""
    try:
        low, high = (float(end.value) for end in ends)
    except ValueError:
        low = high = math.nan
    step = _number(question.get("step", 1.0), f"{where}.step")
    if not (math.isfinite(low) and math.isfinite(high) and low < high and 0 < step <= high - low):
        raise ParameterError(
            f"{where}.options of a slider are its two ends, the lower first, with numbers as "
            "values, and its step fits between them; write options = "
            '[{value = "0", text = "not at all"}, {value = "100", text = "very much"}]'
        )
    return {"low": low, "high": high, "step": step}


def _check_order(pages: Sequence[Page], where: str) -> None:
    for k, page in enumerate(pages, 1):
        if page.kind == "consent" and k > 1:
            raise ParameterError(f"{where}: pages[{k}] is a consent; it must come first, and once")
        if page.kind == "debriefing" and k < len(pages):
            raise ParameterError(
                f"{where}: pages[{k}] is a debriefing; it must come last, and once"
            )
    if not any(page.kind == "block" for page in pages):
        raise ParameterError(f"{where}: pages hold no block of items; add a page of kind 'block'")


_MEASURING = ("screen", "color_vision", "contrast")


def _check_names(pages: Sequence[Page], where: str) -> None:
    seen: dict[str, str] = {}
    for k, page in enumerate(pages, 1):
        # Exports know these by the kind, if they have no name.
        called = page.name or (page.kind if page.kind in _MEASURING else "")
        names = [(called, f"pages[{k}].name")] if called else []
        for j, question in enumerate(page.questions, 1):
            here = f"pages[{k}].questions[{j}].name"
            names += [(name, here) for name in question.variables]
            if taken := OF_PARTICIPANTS.intersection(question.variables):
                what = f"{min(taken)!r}, a column that exports have already"
                raise ParameterError(f"{where}: {here} is {what}; give another name")
        for name, here in names:
            if name in seen:
                raise ParameterError(
                    f"{where}: {here} is {name!r}, as {seen[name]}; give another name"
                )
            seen[name] = here
    blocks = {page.name for page in pages if page.kind == "block"}
    for k, page in enumerate(pages, 1):
        unknown = next((name for name in page.blocks if name not in blocks), None)
        if unknown is not None:
            raise ParameterError(
                f"{where}: pages[{k}].blocks names {unknown!r}, which is not a block; blocks are "
                f"{', '.join(sorted(blocks))}"
            )


def _known_keys(table: Mapping[str, Any], keys: Sequence[str], where: str, what: str) -> None:
    odd = next((name for name in table if name not in keys), None)
    if odd is not None:
        raise ParameterError(f"{where}.{odd}: {what} has no such key; it has {', '.join(keys)}")


def _table(given: Any, where: str, what: str = "a table") -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ParameterError(f"{where} must be {what}, not {given!r}")
    return given


def _one_of(table: Mapping[str, Any], key: str, values: Sequence[str], where: str) -> str:
    if table.get(key) not in values:
        raise ParameterError(
            f"{where}.{key} is {table.get(key)!r}; it must be one of {', '.join(values)}"
        )
    return str(table[key])


def _text(given: Any, where: str) -> str:
    if not isinstance(given, str):
        raise ParameterError(f"{where} must be a text, not {given!r}")
    return given


def _name(given: Any, where: str) -> str:
    if not isinstance(given, str) or not given.replace("-", "_").isidentifier():
        raise ParameterError(
            f"{where} is {given!r}; a name is made of letters, digits, '-' and '_', and begins "
            "with a letter"
        )
    return given


def _file_name(given: Any, where: str) -> str:
    if not isinstance(given, str) or not is_calibration_name(given):
        raise ParameterError(
            f"{where} is {given!r}; name a .json file that lies beside the study file"
        )
    return given


def _mask(given: Any, where: str) -> str:
    return _one_of({"mask": given}, "mask", get_args(MaskKind), where.removesuffix(".mask"))


def _texts(given: Any, where: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(v, str) for v in given):
        raise ParameterError(f"{where} must be a list of texts, not {given!r}")
    return tuple(given)


def _alternatives(given: Any, where: str) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else _texts(given, where)


def _count(given: Any, where: str) -> int:
    if type(given) is not int or given < 0:
        raise ParameterError(f"{where} must be a whole number of 0 or more, not {given!r}")
    return given


def _few(given: Any, where: str) -> int:
    if type(given) is not int or not 2 <= given <= 12:
        raise ParameterError(f"{where} must be a whole number from 2 to 12, not {given!r}")
    return given


def _number(given: Any, where: str, *, negative: bool = False) -> float:
    if type(given) not in (int, float) or not math.isfinite(given) or (given < 0 and not negative):
        raise ParameterError(f"{where} must be a number, not {given!r}")
    return float(given)


def _flag(given: Any, where: str) -> bool:
    if type(given) is not bool:
        raise ParameterError(f"{where} must be true or false, not {given!r}")
    return given


def _pins(given: Any, where: str) -> dict[str, tuple[str, ...]]:
    return {k: _texts(v, f"{where}.{k}") for k, v in _table(given, where).items()}

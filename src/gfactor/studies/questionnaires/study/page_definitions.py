"""Pages of a study as its file declares them: questions, texts, blocks of items."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gfactor.studies.questionnaires.translations import Words

PageKind = Literal[
    "consent", "questions", "screen", "color_vision", "contrast", "instructions", "practice",
    "block", "break", "feedback", "debriefing",
]  # fmt: skip
QuestionKind = Literal["single", "multiple", "number", "slider", "text", "grid"]

Text = str | Mapping[str, str]
"""A text, or one by language of the interface."""

LIBRARY: Mapping[str, tuple[QuestionKind, tuple[str, ...]]] = {
    "age": ("number", ()),
    "gender": ("single", ("woman", "man", "other", "no_answer")),
    "education": (
        "single", ("primary", "secondary", "vocational", "bachelor", "master", "no_answer"),
    ),
    "native_language": ("text", ()),
    "vision": ("single", ("normal", "corrected", "impaired", "no_answer")),
}  # fmt: skip
"""Questions in all languages of the interface: their kinds, and the values of their options.
Education follows the levels of UNESCO's ISCED 2011: 0-2, 3, 4-5, 6, 7-8."""

AGES = (1.0, 120.0)
LONGEST_TEXT = 2_000


@dataclass(frozen=True)
class PageChoice:
    """Option of a question, or row of a grid: the `value` that is stored, and the `text` shown (""
    in questions of the library, whose texts are the interface's).
    """

    value: str
    text: Text = ""


@dataclass(frozen=True)
class PageQuestion:
    """A question of a questionnaire.

    Parameters
    ----------
    name: name of its variable in exports.
    kind: "single" or "multiple" choice, a "number", a "slider", a "text", or a "grid" of rows that
        are answered on one scale.
    text: text of the question.
    library: entry of `LIBRARY`, "" for none.
    options: options of choices and grids; the two ends of a slider, whose values are numbers.
    rows: rows of a grid.
    required: True if the question must be answered.
    low, high: limits of a number or a slider.
    step: distance between neighboring values of a slider.
    """

    name: str
    kind: QuestionKind
    text: Text = ""
    library: str = ""
    options: tuple[PageChoice, ...] = ()
    rows: tuple[PageChoice, ...] = ()
    required: bool = True
    low: float | None = None
    high: float | None = None
    step: float = 1.0

    @property
    def variables(self) -> tuple[str, ...]:
        """Columns of exports: one, or one for each row of a grid."""
        return tuple(f"{self.name}_{row.value}" for row in self.rows) or (self.name,)


@dataclass(frozen=True)
class Page:
    """A page, or a block of items.

    Parameters
    ----------
    kind: kind of the page.
    name: name of a page of questions or a block; letters, digits, "-" and "_".
    heading, text: shown; "" for the interface's own. The text of a block comes on a page before it.
    questions: questions of a page of questions.
    items, labels: items that are practiced, or belong to a block: these ids, or all items whose
        labels have these values; with neither, all items that no other page names.
    per_person, shuffle, shuffle_options, checks, time_limit_s, pins: settings of a block, as of a
        study; None for the study's settings (`checks`: none).
    calibration, max_items, se, among: settings of an adaptive block, see `Adaptive`.
    digest: digest of its calibration.
    blocks: blocks for which a feedback page shows the number of right answers.
    exposure_ms, fixation_ms, mask, mask_ms: timing of a block or practice, see `Exposure`; 0 for
        pictures that stay until the answer.
    media: file with a sound or a film that the page plays, "" for none.
    autoplay: True if it begins by itself after the button of the page before.
    once: True if it is played once at most. card, distance, full_screen: questions of a page about
    the screen in addition to the browser's data: the size of a card on it, the viewing distance,
    and the request to fill the screen.
    plates: number of plates of each axis of a page about color vision.
    levels, rings: numbers of a page about contrast: levels, and rings of each.
    least_sensitivity: a log10 sensitivity to contrast below this screens out.
    screen_out: the code for people who are screened out by such a page; "" if nobody is.
    condition: condition of the people who see the page; "" for everybody.
    show_if: answers "QUESTION:VALUE"; the page is shown to people who gave one of them; empty for
    everybody.
    """

    kind: PageKind
    name: str = ""
    heading: Text = ""
    text: Text = ""
    questions: tuple[PageQuestion, ...] = ()
    items: tuple[str, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    per_person: int = 0
    shuffle: bool | None = None
    shuffle_options: bool | None = None
    checks: int = 0
    time_limit_s: float | None = None
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calibration: str = ""
    max_items: int = 20
    se: float = 0.3
    among: int = 1
    digest: str = ""
    blocks: tuple[str, ...] = ()
    exposure_ms: float = 0.0
    fixation_ms: float = 500.0
    mask: str = ""
    mask_ms: float = 0.0
    media: Text = ""
    autoplay: bool = False
    once: bool = False
    card: bool = True
    distance: bool = True
    full_screen: bool = False
    plates: int = 4
    levels: int = 8
    rings: int = 2
    least_sensitivity: float = 0.0
    screen_out: str = ""
    condition: str = ""
    show_if: tuple[str, ...] = ()


def text_in(text: Text, language: str) -> str:
    """Return a text in a language of the interface."""
    return text if isinstance(text, str) else text.get(language, "")


def question_text(question: PageQuestion, say: Words) -> str:
    """Return the text of a question."""
    if question.library and not question.text:
        return say(f"library_{question.library}")
    return text_in(question.text, say.language)


def choice_text(question: PageQuestion, choice: PageChoice, say: Words) -> str:
    """Return the text of an option or a row."""
    if choice.text:
        return text_in(choice.text, say.language)
    if choice.value == "no_answer":
        return say("library_no_answer")
    return say(f"library_{question.library}_{choice.value}")


def is_calibration_name(name: str) -> bool:
    """Return True if a calibration may have this file name in the folder of a study."""
    plain = name.endswith(".json") and not set(name) & {"/", "\\"}
    return plain and name not in (".json", "secrets.json")


def plain_pages(pages: Sequence[Page]) -> list[dict[str, Any]]:
    """Return pages in the form of TOML and JSON, without default values."""
    return [_plain(page) for page in pages]


def _plain(thing: Any) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for one in dataclasses.fields(thing):
        value = getattr(thing, one.name)
        empty = one.default_factory() if callable(one.default_factory) else one.default
        from_library = getattr(thing, "library", "") and one.name in ("kind", "options")
        if value == empty or from_library:
            continue
        if isinstance(value, tuple):
            value = [_plain(v) if dataclasses.is_dataclass(v) else v for v in value]
        elif isinstance(value, Mapping):
            value = {k: list(v) if isinstance(v, tuple) else v for k, v in value.items()}
        values[one.name] = value
    return values

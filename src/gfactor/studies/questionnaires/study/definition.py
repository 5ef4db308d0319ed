"""Definition of a study before the data: a TOML file that its owner can read and edit."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.groups import groups_of
from gfactor.studies.questionnaires.study.page_definitions import Page, Text, plain_pages, text_in
from gfactor.studies.questionnaires.study.page_reading import read_pages
from gfactor.studies.questionnaires.study.recruiting import SERVICES, check_codes, check_signature
from gfactor.studies.questionnaires.study.settings import (
    Adaptive,
    Conduct,
    Pay,
    Payment,
    Rules,
    Signature,
)

DISCLOSURES = ("never", "closed")
"""Times at which participants see right answers: never, or once the study is closed."""

IDS = ("optional", "required", "signed")
"""Kinds of entry: optional or required id of a recruiting service, or a link signed by an owner."""

PLACE_MINUTES = 60.0
"""Default number of minutes after the last answer for which a place in a quota is kept."""

LANGUAGES = ("en", "zh", "fr", "es", "pt", "ko", "ar", "he")
"""Languages of the interface: those of M3GIA, and two that are written from right to left."""

_PROLIFIC = ("PROLIFIC_PID", ("STUDY_ID", "SESSION_ID"))


@dataclass(frozen=True)
class Study:
    """The definition of a study, from its study.toml.

    Parameters
    ----------
    id: name of the study in exports; letters, digits, "-" and "_". title: title shown to
    participants; a text, or texts by language.
    language: language of the interface, one of `LANGUAGES`.
    seed: seed that determines a person's items, their order and the order of options.
    per_person: items per person; 0 for all. Each item is given equally often, to within one, as
        persons come.
    blocks: a label of the items whose values come one after the other ("type"); "" for none.
    shuffle: True if the order of items (within blocks) and of blocks is random.
    shuffle_options: True if the order of options is random.
    practice: ids of items that come first, with feedback, and do not count.
    checks: number of check questions ("Please select option B") among the items. Of five, somebody
        who does not read fails more than two with probability 0.90, of three with 0.42.
    time_limit_s: seconds per item, 0 for no limit; later answers are stored and marked.
    quota: number of people who may complete the study, 0 for any number.
    consent, consent_version: the text (Markdown; "" for the interface's own) and its version,
        which is stored with each consent.
    contact: address to which participants may write, shown with the consent. retention_days: days
    after a person's start at which the link between answers and person (the recruiting service's
    id) is deleted.
    external_id: the URL parameter with the recruiting service's id of the person; "" for none.
    external_facts: more parameters of the service's address that are kept beside the id.
    ids: "optional"; "required" (nobody takes part without an id in the address); or "signed"
        (only by links that `gfactor study links` made, one per person, and with `signature` by
        those that the service signed). Without signatures, ids can be invented. One id takes part
        once, even after a withdrawal.
    completion_code, completion_url: code or address that a person gets at the end.
    disclose: time at which participants see the right answers: "never", or "closed" (once the owner
        has closed the study). The owner can give one person a signed link to theirs at any time.
    pins: options that keep their place when the order is random, by item ("all of the above").
    pay, rules: see `Pay` and `Rules`. adaptive: see `Adaptive`; None if everybody's items are
    allocated before the first answer.
    pages: pages in their order, see `page_definitions`; None for consent, instructions, practice
        and all items.
    conditions: between-person conditions, named by pages; they are allocated in random order,
    equally often.
    counterbalance: blocks whose order differs from person to person, by a Williams design.
    languages: languages of the interface, from which a participant chooses one; `language` is among
        them.
    quotas: number of people of each group who may complete the study, beside `quota`, see `groups`.
    service: recruiting service that sends participants, one of `SERVICES`: its parameters are those
        of `external_id` and `external_facts` if these are not set.
    codes: codes for people who do not complete as wanted (`OUTCOMES`): a code of the service, or an
        address, in which {id} stands for the person's id.
    random_languages: languages among which a participant is allocated at random, of those that the
    participant reads. conduct: see `Conduct`; the responsible persons, for the page on data
    protection and `study check`.
    place_minutes: a place in a quota is reserved at the consent, and given to others this number of
    minutes after the person's last answer; None for `PLACE_MINUTES`. payment: see `Payment`; the
    rule for submissions that are not paid. None for the usual rule, `Payment()`.
    media: SHA-256 digests of the sounds and films that pages play, and of their captions, by file
        name; None if there is none.
    signature: see `Signature`; None if the service's signatures are not used.
    """

    id: str
    title: Text
    language: str = "en"
    seed: int = 0
    per_person: int = 0
    blocks: str = ""
    shuffle: bool = True
    shuffle_options: bool = True
    practice: tuple[str, ...] = ()
    checks: int = 5
    time_limit_s: float = 0.0
    quota: int = 0
    consent: str = ""
    consent_version: str = "1"
    contact: str = ""
    retention_days: int = 365
    external_id: str = _PROLIFIC[0]
    external_facts: tuple[str, ...] = _PROLIFIC[1]
    ids: str = "optional"
    completion_code: str = ""
    completion_url: str = ""
    disclose: str = "never"
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pay: Pay = field(default_factory=Pay)
    rules: Rules = field(default_factory=Rules)
    adaptive: Adaptive | None = None
    pages: tuple[Page, ...] | None = None
    conditions: tuple[str, ...] | None = None
    counterbalance: tuple[str, ...] | None = None
    languages: tuple[str, ...] | None = None
    random_languages: tuple[str, ...] | None = None
    quotas: Mapping[str, int] | None = None
    service: str | None = None
    codes: Mapping[str, str] | None = None
    conduct: Conduct | None = None
    payment: Payment | None = None
    place_minutes: float | None = None
    signature: Signature | None = None
    media: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if not self.id or not all(c.isascii() and (c.isalnum() or c in "-_") for c in self.id):
            raise ParameterError(
                f"a study's id is made of letters, digits, '-' and '_', not {self.id!r}"
            )
        if self.language not in LANGUAGES:
            raise ParameterError(
                f"the interface speaks {', '.join(LANGUAGES)}, not {self.language!r}; give one of "
                "them as language"
            )
        self._check_languages()
        groups_of(self)
        check_codes(self)
        check_signature(self)
        self._take_parameters()
        for name, allowed in (("ids", IDS), ("disclose", DISCLOSURES)):
            if getattr(self, name) not in allowed:
                raise ParameterError(
                    f"{name} of a study is one of {', '.join(allowed)}, not {getattr(self, name)!r}"
                )
        if self.place_minutes == 0:
            raise ParameterError(
                "place_minutes of a study is 0, so that nobody would keep a place; give minutes"
            )
        if self.ids == "required" and not self.external_id:
            raise ParameterError(
                'ids is "required", but external_id names no URL parameter; name the one that '
                "holds the id"
            )
        for name, value in (*_numbers(self), *_numbers(self.pay), *_numbers(self.rules)):
            if not 0 <= value < math.inf:
                raise ParameterError(f"{name} of a study is {value}; give 0 or more")
        if self.adaptive is not None and (self.per_person or self.blocks):
            raise ParameterError(
                "an adaptive study chooses its items by the calibration; leave out per_person and "
                "blocks, and set max_items"
            )
        if self.pages is not None:
            self._check_pages()
        elif self.conditions or self.counterbalance:
            raise ParameterError("conditions and counterbalance need a study with pages")
        if self.completion_url and not self.completion_url.startswith("https://"):
            raise ParameterError(
                f"completion_url is {self.completion_url!r}; give an address that starts with "
                "https://"
            )

    @property
    def excludes(self) -> tuple[str, ...]:
        """Reasons for which a finished submission is not paid."""
        return (self.payment or Payment()).exclude

    @property
    def place_s(self) -> float:
        """Seconds after the last answer for which a place in a quota is kept."""
        return 60 * (PLACE_MINUTES if self.place_minutes is None else self.place_minutes)

    def _check_languages(self) -> None:
        if not isinstance(self.title, str) and not self.title.get(self.language):
            raise ParameterError(
                f"the title of a study has no text in its language, {self.language!r}; give one"
            )
        names = self.languages or (self.language,)
        odd = next((name for name in names if name not in LANGUAGES), None)
        if odd is not None or len(set(names)) < len(names) or self.language not in names:
            raise ParameterError(
                f"languages of a study are {list(names)}; give different ones of "
                f"{', '.join(LANGUAGES)}, {self.language!r}, its language, among them"
            )

    def _take_parameters(self) -> None:
        """Use the service's URL parameters, if no others are named."""
        if self.service is None:
            return
        service = SERVICES[self.service]
        if self.external_id == _PROLIFIC[0] and self.external_facts == _PROLIFIC[1]:
            object.__setattr__(self, "external_id", service.id)
            object.__setattr__(self, "external_facts", service.facts)

    def _check_pages(self) -> None:
        for name in ("per_person", "blocks", "practice", "adaptive"):
            if getattr(self, name):
                raise ParameterError(
                    f"a study with pages sets {name} in its pages; take it out here and write it "
                    "into the pages that need it"
                )
        tells = self.ids == "signed" or not self.pay.per_right
        if not tells and any(page.kind == "feedback" for page in self.pages or ()):
            raise ParameterError(
                "a feedback page tells how many answers were right, and people who are paid for "
                'right answers could come again; set ids to "signed", or pay no per_right'
            )

    def title_in(self, language: str) -> str:
        """Return the title in a language of the study; in its own if there is no other."""
        return text_in(self.title, language) or text_in(self.title, self.language)

    def to_toml(self) -> str:
        """Return the definition as TOML, every setting that applies written out. In a study with
        pages the number of check questions is a setting of its blocks."""
        plain = self._plain()
        if self.pages is not None and self.checks == Study.checks:
            del plain["checks"]
        tables = {name: plain.pop(name) for name in _TABLES if name in plain}
        pages = plain.pop("pages", ())
        lines = [f"{name} = {_toml(value)}" for name, value in plain.items()]
        for name, table in tables.items():
            lines += [
                "",
                f"[{name}]",
                *(f"{_key(key)} = {_toml(value)}" for key, value in table.items()),
            ]
        for page in pages:
            lines += ["", "[[pages]]", *(f"{_key(k)} = {_toml(v)}" for k, v in page.items())]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """Return the definition as canonical JSON, of which `digest` is made."""
        return json.dumps(self._plain(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    def _plain(self) -> dict[str, Any]:
        """All settings but those that are not given, so that a study's digest stays when a later
        gfactor knows more of them."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain = {name: value for name, value in values.items() if value is not None}
        for name in ("pay", "rules", "adaptive", "conduct", "payment", "signature"):
            if name in plain:
                plain[name] = dataclasses.asdict(plain[name])
        return plain | ({} if self.pages is None else {"pages": plain_pages(self.pages)})

    @classmethod
    def from_toml(cls, path: Path) -> Study:
        """Read a definition; raise ParameterError, with the file and the setting, if it is
        invalid."""
        try:
            table = tomllib.loads(path.read_text("utf-8-sig"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ParameterError(f"{str(path)!r} cannot be read as a study: {error}") from error
        return cls.from_table(table, str(path))

    @classmethod
    def from_table(cls, table: dict[str, Any], where: str) -> Study:
        """Return the definition in a parsed TOML table; `where` is the beginning of every error
        message."""
        pages = table.get("pages")
        if pages is None:
            return _build(cls, table, where)
        between = ("conditions", "counterbalance")
        later = ("pages", "quotas", *between)
        plain = {name: v for name, v in table.items() if name not in later}
        study = _build(cls, plain, where)
        read = read_pages(pages, study.languages or (study.language,), where)
        named = {name: _names(table[name], f"{where}: {name}") for name in between if name in table}
        quotas = table.get("quotas")
        if quotas is not None and not isinstance(quotas, dict):
            raise ParameterError(f"{where}: quotas is {quotas!r}; it must be a table")
        try:
            return replace(study, pages=read, quotas=quotas, **named)
        except ParameterError as error:
            raise ParameterError(f"{where}: {error}") from error


_TABLES = (
    "pins", "pay", "rules", "adaptive", "quotas", "codes", "conduct", "payment", "signature",
    "media",
)  # fmt: skip


def _numbers(thing: Any) -> list[tuple[str, float]]:
    values = ((f.name, getattr(thing, f.name)) for f in dataclasses.fields(thing))
    return [(n, v) for n, v in values if isinstance(v, int | float) and not isinstance(v, bool)]


def _names(given: Any, where: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ParameterError(f"{where} is {given!r}; it must be a list of texts")
    return tuple(given)


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else _toml(name)


def _toml(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    # TOML has the same texts as JSON, except for one sign.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _by_language(value: Any) -> bool:
    texts = value if isinstance(value, dict) else {"": value}
    return all(name in LANGUAGES and isinstance(text, str) for name, text in texts.items())


def _labels(where: str, item: str, labels: Any) -> tuple[str, ...]:
    if not isinstance(labels, list):
        raise ParameterError(f"{where}, [pins]: {item} is {labels!r}; give a list of its labels")
    return tuple(map(str, labels))


def _build(kind: Any, table: dict[str, Any], where: str) -> Any:
    """An instance of a dataclass from a table, each setting checked for its type."""
    types = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in table.items():
        wanted = types.get(name)
        wanted = next((kind for kind in get_args(wanted) if dataclasses.is_dataclass(kind)), wanted)
        for plain in (str, float):
            wanted = plain if wanted == (plain | None) else wanted
        if wanted is None:
            raise ParameterError(f"{where}: a study has no setting {name!r}")
        if dataclasses.is_dataclass(wanted) and isinstance(value, dict):
            values[name] = _build(wanted, value, f"{where}, [{name}]")
        elif wanted in (int, float, str, bool):
            right = type(value) is wanted or (wanted is float and type(value) is int)
            if not right:
                raise ParameterError(
                    f"{where}: {name} is {value!r}; it must be of the type {wanted.__name__}"
                )
            values[name] = wanted(value)
        elif wanted == Text and (isinstance(value, str) or _by_language(value)):
            values[name] = value
        elif isinstance(value, list):
            values[name] = tuple(map(str, value))
        elif name == "pins" and isinstance(value, dict):
            values[name] = {item: _labels(where, item, labels) for item, labels in value.items()}
        elif name in ("quotas", "codes", "media") and isinstance(value, dict):
            values[name] = value
        else:
            raise ParameterError(f"{where}: {name} is {value!r}; it must be a list of texts")
    missing = [name for name in ("id", "title") if name in types and name not in values]
    if missing:
        raise ParameterError(f"{where}: the study's {missing[0]} is missing")
    return kind(**values)
